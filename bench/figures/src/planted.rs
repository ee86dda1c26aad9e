//! Facts planted at random: how many are found with the right sign and size, and how many alarms are false.

use std::collections::BTreeMap;
use std::error::Error;

use baton_figures::planted::{Fact, date_off as off, judge, plant};
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
    let mut dates: BTreeMap<&str, Vec<i32>> = BTreeMap::new();
    for at in 0..sets + empty {
        let set = plant(seed * 10_000 + at, at >= sets);
        let path = folder.path().join(format!("sales{at}.csv"));
        std::fs::write(&path, &set.csv)?;
        let profiles = profile::of_files(std::slice::from_ref(&path), &[], &context)?;
        let findings = analysis::findings(&profiles, &context)?;
        let (told, wrong) = judge(&set, &findings);
        for (fact, told) in set.facts.iter().zip(&told) {
            let entry = kinds.entry(name(fact)).or_default();
            entry.0 += usize::from(*told);
            entry.1 += 1;
            if !told {
                println!("set {at}: missed {fact:?}");
            }
            if let Some(days) = off(&set, fact, &findings) {
                dates.entry(name(fact)).or_default().push(days);
            }
        }
        for finding in &wrong {
            println!("set {at}: false alarm: {}", finding.text);
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
