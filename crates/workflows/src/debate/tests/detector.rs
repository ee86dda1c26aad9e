//! The agreement detector against forty pairs of proposals, beside word overlap. The pairs stand in `pairs.toml`; the
//! table it prints stands in `docs/debate.md`.

use std::collections::{BTreeMap, HashSet};

use serde::Deserialize;

use crate::debate::frame::{Frame, Slot};
use crate::debate::positions::{Relation, read, relation};

#[derive(Deserialize)]
struct Pairs {
    frames: BTreeMap<String, Vec<Slot>>,
    pairs: Vec<Pair>,
}

#[derive(Deserialize)]
struct Pair {
    frame: String,
    is: String,
    a: String,
    b: String,
}

fn name(relation: Relation) -> &'static str {
    match relation {
        Relation::Agree => "agree",
        Relation::Partial => "partial",
        Relation::Contradict => "contradict",
        Relation::Unrelated => "unrelated",
    }
}

/// The share of words two texts have in common.
fn overlap(a: &str, b: &str) -> f64 {
    let words = |text: &str| -> HashSet<String> {
        let plain = text.to_lowercase();
        plain
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let (a, b) = (words(a), words(b));
    a.intersection(&b).count() as f64 / a.union(&b).count() as f64
}

#[test]
fn at_least_thirty_six_of_forty_pairs() {
    let all: Pairs = toml::from_str(include_str!("pairs.toml")).unwrap();
    assert_eq!(all.pairs.len(), 40);
    let (mut right, mut told) = (0, Vec::new());
    // How often each says "they agree" when they do, and when they do not, by class.
    let mut table: BTreeMap<&str, [usize; 5]> = BTreeMap::new();
    for pair in &all.pairs {
        let frame = Frame { slots: all.frames[&pair.frame].clone() };
        let (a, b) = (read(&frame, &pair.a), read(&frame, &pair.b));
        let found = name(relation(&a, &b));
        if found == pair.is {
            right += 1;
        } else {
            told.push(format!("{} as {found}: {a:?} | {b:?}\n  {}\n  {}", pair.is, pair.a, pair.b));
        }
        let words = overlap(&pair.a, &pair.b);
        let agrees = pair.is == "agree";
        let row = table.entry(pair.is.as_str()).or_default();
        row[0] += 1;
        row[1] += usize::from(found == pair.is);
        row[2] += usize::from((found == "agree") == agrees);
        row[3] += usize::from((words >= 0.75) == agrees);
        row[4] += usize::from((words >= 0.85) == agrees);
    }
    for (class, row) in &table {
        println!("| {class} | {} | {} | {} | {} | {} |", row[0], row[1], row[2], row[3], row[4]);
    }
    println!("{}", told.join("\n"));
    assert!(right >= 36, "{right} of 40\n{}", told.join("\n"));
}
