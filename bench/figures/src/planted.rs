//! Facts planted at random: how many are found with the right sign and size, and how many alarms are false.

use std::collections::BTreeMap;
use std::error::Error;

use baton_figures::planted::{Fact, date_off as off, judge, plant, told_within};
use baton_figures::source::Context;
use baton_figures::{analysis, profile};

use crate::Arguments;

/// Prints one line for each kind of fact, then the false alarms.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let number = |flag: &str, usual: u64| arguments.value(flag).map_or(Ok(usual), str::parse);
    let (sets, empty, seed) = (number("--sets", 50)?, number("--empty", 20)?, number("--seed", 1)?);
    let folder = tempfile::tempdir()?;
    let context = Context::default();
    let mut kinds: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let (mut alarms, mut worst) = (0, 0);
    let mut within: Vec<(i32, bool)> = Vec::new();
    let mut dates: BTreeMap<&str, Vec<i32>> = BTreeMap::new();
    let only = arguments.value("--only").map(str::parse::<u64>).transpose()?;
    for at in (0..sets + empty).filter(|at| only.is_none_or(|only| only == *at)) {
        let set = plant(seed * 10_000 + at, at >= sets);
        let path = folder.path().join(format!("sales{at}.csv"));
        std::fs::write(&path, &set.csv)?;
        let profiles = profile::of_files(std::slice::from_ref(&path), &[], &context)?;
        let findings = analysis::findings(&profiles, &context)?;
        let (told, wrong) = judge(&set, &findings);
        if only.is_some() {
            findings.iter().for_each(|finding| println!("{:.1}: {}", finding.strength, finding.text));
        }
        for (fact, told) in set.facts.iter().zip(&told) {
            let entry = kinds.entry(name(fact)).or_default();
            entry.0 += usize::from(*told);
            entry.1 += 1;
            if !told {
                println!("set {at} with {:?}: missed {fact:?}", set.facts);
            }
            if let Some(days) = off(&set, fact, &findings) {
                dates.entry(name(fact)).or_default().push(days);
            }
            within.extend(told_within(&set, fact, &findings));
        }
        for finding in &wrong {
            println!("set {at} with {:?}: false alarm: {}", set.facts, finding.text);
        }
        alarms += wrong.len();
        worst = worst.max(wrong.len());
        std::fs::remove_file(path)?;
    }
    let (found, all) = kinds.values().fold((0, 0), |sum, kind| (sum.0 + kind.0, sum.1 + kind.1));
    for (kind, (found, all)) in kinds {
        println!("{kind}: {found} of {all}");
    }
    for (kind, days) in &mut dates {
        days.sort_unstable();
        let at = |part: usize| days.get((days.len() - 1) * part / 100).copied().unwrap_or(0);
        let near = |most: i32| days.iter().filter(|days| days.abs() <= most).count();
        println!(
            "date of {kind}, days late: least {}, 10 % {}, median {}, 90 % {}, most {}; within 7 days {}, within 14 {}, of {}",
            at(0),
            at(10),
            at(50),
            at(90),
            at(100),
            near(7),
            near(14),
            days.len()
        );
    }
    within.sort_unstable();
    let held = within.iter().filter(|(_, holds)| *holds).count();
    let usual = within.get(within.len() / 2).map_or(0, |(days, _)| *days);
    println!(
        "bends inside the stretch that is told: {held} of {}; its median length {usual} days",
        within.len()
    );
    println!(
        "all: {found} of {all}; false alarms: {alarms} in {} sets, at most {worst} in one",
        sets + empty
    );
    Ok(())
}

fn name(fact: &Fact) -> &'static str {
    match fact {
        Fact::Level(..) => "trend break, level",
        Fact::Slope(..) => "trend break, slope",
        Fact::Weekday(..) => "season, weekdays",
        Fact::Month(..) => "season, months",
        Fact::Outlier(..) => "outlier",
        Fact::Flip(..) => "share that flips",
    }
}
