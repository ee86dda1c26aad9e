//! Facts planted at random: how many are found with the right sign and size, and how many alarms are false.

use std::collections::BTreeMap;
use std::error::Error;

use baton_figures::planted::{Fact, judge, plant};
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
