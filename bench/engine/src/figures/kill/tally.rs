//! What the witnesses of many kills say together. Pure.

use std::collections::{BTreeMap, BTreeSet};

/// What there was right after a kill.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// Steps that had left their mark.
    pub marks: usize,
    /// The last record the killed process had been told is durable.
    pub told: u64,
    /// Whole records in the journal.
    pub records: u64,
}

/// What was lost and what was done again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Records that were durable once and are gone.
    pub lost: usize,
    /// Steps that were never done.
    pub missing: usize,
    /// The most steps done again after one kill.
    pub deepest: usize,
    /// Steps done again although their receipt was durable.
    pub paid_twice: usize,
    /// Steps done again in all.
    pub extra: usize,
    /// Outcomes the journal calls unknown.
    pub unknown: usize,
}

impl Tally {
    /// From the marks in order, what was seen after each kill, and the records of the receipts.
    pub fn of(
        marks: &[String],
        cuts: &[Cut],
        receipts: &BTreeMap<String, u64>,
        steps: usize,
        unknown: usize,
    ) -> Self {
        let wanted = (1..=steps).map(|visit| format!("{visit}/mark"));
        let done: BTreeSet<&str> = marks.iter().map(String::as_str).collect();
        let missing = wanted.filter(|key| !done.contains(key.as_str())).count();
        let mut tally = Self { missing, extra: marks.len() - done.len(), unknown, ..Self::default() };
        let mut most = 0;
        for cut in cuts {
            most = most.max(cut.told).max(cut.records);
            tally.lost += usize::try_from(most - cut.records).unwrap_or(usize::MAX);
            let again = done_again(marks, cut.marks);
            tally.deepest = tally.deepest.max(again.len());
            let was_durable = |key: &&str| receipts.get(*key).is_some_and(|n| *n <= cut.records);
            tally.paid_twice += again.iter().filter(|key| was_durable(key)).count();
        }
        tally
    }
}

/// The steps marked both before and after the cut.
fn done_again(marks: &[String], cut: usize) -> BTreeSet<&str> {
    let (before, after) = marks.split_at(cut.min(marks.len()));
    let before: BTreeSet<&str> = before.iter().map(String::as_str).collect();
    after.iter().map(String::as_str).filter(|key| before.contains(key)).collect()
}

#[cfg(test)]
mod tests;
