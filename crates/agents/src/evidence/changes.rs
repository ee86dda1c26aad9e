//! What a document that replaces another says differently: each changed clause, old and new.

use std::collections::HashSet;
use std::ops::Range;

use crate::rules::quantities::quantities;
use crate::rules::sentences::sentences;
use crate::rules::words::{content_stems, overlap};

/// Shared part of the smaller clause's words from which two are versions of one.
const SAME_CLAUSE: f64 = 0.6;
/// What a common number in front ("2.1 …") adds.
const SAME_NUMBER: f64 = 0.3;
/// A clause of fewer words says too little to be followed.
const FEWEST_WORDS: usize = 4;

/// A clause that changed, as byte ranges of the two texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// In the document that was replaced.
    pub old: Range<usize>,
    /// In the document that replaces it.
    pub new: Range<usize>,
    /// Whether a number changed; else only words did.
    pub values: bool,
}

struct Clause {
    range: Range<usize>,
    words: HashSet<String>,
    plain: String,
    number: Option<String>,
    values: Vec<u64>,
}

/// The clauses of `old` that `new` has in other words or with other numbers, in the order of `new`.
#[must_use]
pub fn changes(old: &str, new: &str) -> Vec<Change> {
    let (before, after) = (clauses(old), clauses(new));
    let kept: HashSet<&str> = after.iter().map(|clause| clause.plain.as_str()).collect();
    let mut free: Vec<&Clause> =
        before.iter().filter(|clause| !kept.contains(clause.plain.as_str())).collect();
    let known: HashSet<&str> = before.iter().map(|clause| clause.plain.as_str()).collect();
    let mut found = Vec::new();
    for clause in after.iter().filter(|clause| !known.contains(clause.plain.as_str())) {
        let likeness = |other: &Clause| {
            let numbered = clause.number.is_some() && clause.number == other.number;
            overlap(&clause.words, &other.words) + if numbered { SAME_NUMBER } else { 0.0 }
        };
        let best =
            (0..free.len()).max_by(|&a, &b| likeness(free[a]).total_cmp(&likeness(free[b])).then(b.cmp(&a)));
        let Some(best) = best.filter(|&at| likeness(free[at]) >= SAME_CLAUSE) else { continue };
        let other = free.remove(best);
        found.push(Change {
            old: other.range.clone(),
            new: clause.range.clone(),
            values: other.values != clause.values,
        });
    }
    found
}

fn clauses(text: &str) -> Vec<Clause> {
    let all = sentences(text).into_iter().filter_map(|range| {
        let said = &text[range.clone()];
        let words = content_stems(said);
        if words.len() < FEWEST_WORDS || said.starts_with('#') {
            return None;
        }
        let number = said.split_whitespace().next().filter(|first| {
            first.len() > 1 && first.starts_with(|c: char| c.is_ascii_digit()) && first.contains('.')
        });
        Some(Clause {
            plain: said.split_whitespace().collect::<Vec<_>>().join(" "),
            number: number.map(str::to_owned),
            values: quantities(said).into_iter().map(|quantity| quantity.value.to_bits()).collect(),
            words,
            range,
        })
    });
    all.collect()
}

#[cfg(test)]
mod tests {
    use super::changes;

    #[test]
    fn each_changed_clause_is_shown_and_no_other() {
        let old = "# Terms, version 1\n\n2.1 The fee for a house is 6,900 euros including tax. It covers the meter and the pipe.\n\n\
            2.3 Work on the land takes three days on average.\n\n3.3 Planned work takes place between May and September.\n\n\
            2.4 The old boiler is removed by the owner.\n";
        let new = "# Terms, version 2\n\n2.1 The fee for a house is 4,800 euros including tax. It covers the meter and the pipe.\n\n\
            2.3 Work on the land takes two and a half days on average.\n\n3.3 Planned work takes place between May and September.\n\n\
            2.4 The company removes the old boiler on request for 450 euros.\n\n5.5 Hourly values are deleted after a while by everybody.\n";
        let said: Vec<(&str, &str)> =
            changes(old, new).into_iter().map(|change| (&old[change.old], &new[change.new])).collect();
        assert_eq!(
            said,
            [
                (
                    "2.1 The fee for a house is 6,900 euros including tax.",
                    "2.1 The fee for a house is 4,800 euros including tax."
                ),
                (
                    "2.3 Work on the land takes three days on average.",
                    "2.3 Work on the land takes two and a half days on average."
                ),
                (
                    "2.4 The old boiler is removed by the owner.",
                    "2.4 The company removes the old boiler on request for 450 euros."
                ),
            ]
        );
        assert_eq!(changes(old, old), []);
        assert_eq!(changes("", new), []);
    }

    #[test]
    fn the_example_terms_changed_in_seven_values() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/corpus/");
        let read = |name: &str| std::fs::read_to_string(format!("{root}{name}")).unwrap();
        let (old, new) = (read("connection-terms-v1-2022.md"), read("connection-terms-v2-2025.md"));
        let found = changes(&old, &new);
        for (before, after) in [
            ("80 °C at the building", "70 °C at the building"),
            ("exceed 50 °C", "exceed 45 °C"),
            ("6,900 euros", "4,800 euros"),
            ("410 euros per kW", "340 euros per kW"),
            ("takes three days", "takes two and a half days"),
            ("99.0 percent", "99.7 percent"),
            ("more than 24 hours", "more than 12 hours"),
        ] {
            let shown = found.iter().any(|change| {
                old[change.old.clone()].contains(before)
                    && new[change.new.clone()].contains(after)
                    && change.values
            });
            assert!(shown, "{before} → {after}: {found:?}");
        }
        assert!(found.len() <= 10, "{}", found.len());
    }
}
