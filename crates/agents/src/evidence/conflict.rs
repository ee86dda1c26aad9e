//! Conflicts by rules: statements about the same thing that cannot both hold.
//!
//! Same subject, same property, same unit and a period in common with different values; different dates of one event;
//! one statement denying what the other says; and a later document that replaces an earlier one. The rules compare
//! words, they do not reason: what they show is for a reader to settle. [`conflicts`] gives pairs, [`conflict_groups`]
//! one conflict with all its positions.

mod claim;
mod groups;
mod opposites;
#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::dates::{self, Dated, dates};
use crate::rules::quantities::Dimension;
use claim::{Bound, Claim, Value};
pub use groups::{ConflictGroup, Position, conflict_groups};
pub use opposites::is_negated;
use opposites::{is_conditional, is_denied};

/// Shared part of all their words from which two statements are about the same thing.
const SAME_SUBJECT: f64 = 0.6;
/// The same for bare numbers, which say nothing about what they count.
const SAME_SUBJECT_BARE: f64 = 0.8;
/// Greatest relative difference that rounding explains.
const ROUNDING: f64 = 0.05;
/// The same where a value is only given roughly.
const ROUGHLY: f64 = 0.03;

/// Why two statements conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConflictKind {
    /// Different numbers of the same thing.
    Numbers,
    /// Different dates of the same event.
    Dates,
    /// One denies what the other says.
    Negation,
    /// They differ, and one comes from a later document.
    Superseded,
}

/// Two statements that cannot both hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conflict {
    /// Why.
    pub kind: ConflictKind,
    /// Id of the first statement.
    pub left: String,
    /// Id of the second.
    pub right: String,
    /// The statement that the later document makes, when both are dated.
    pub later: Option<String>,
    /// One sentence for a reader.
    pub explanation: String,
}

/// A statement as the rules see it.
#[derive(Debug, Clone)]
pub struct Statement<'a> {
    /// Id of the fact.
    pub id: &'a str,
    /// What is stated.
    pub text: &'a str,
    /// Date of its document.
    pub date: Option<&'a str>,
}

/// What two statements differ in.
#[derive(Debug, Clone, PartialEq)]
struct Difference {
    kind: ConflictKind,
    /// As written, left and right; empty for a denial.
    values: (String, String),
}

/// All conflicts between statements, in order.
#[must_use]
pub fn conflicts(statements: &[Statement<'_>]) -> Vec<Conflict> {
    let claims: Vec<Claim> = statements.iter().map(|statement| Claim::of(statement.text)).collect();
    let mut found = Vec::new();
    for left in 0..statements.len() {
        for right in left + 1..statements.len() {
            let difference =
                difference((&statements[left], &claims[left]), (&statements[right], &claims[right]));
            found.extend(difference.map(|it| told(&statements[left], &statements[right], &it)));
        }
    }
    found
}

/// The conflict between two statements, if there is one.
#[must_use]
pub fn conflict(left: &Statement<'_>, right: &Statement<'_>) -> Option<Conflict> {
    let (a, b) = (Claim::of(left.text), Claim::of(right.text));
    let difference = difference((left, &a), (right, &b))?;
    Some(told(left, right, &difference))
}

fn told(left: &Statement<'_>, right: &Statement<'_>, difference: &Difference) -> Conflict {
    let what = match difference.kind {
        ConflictKind::Negation => "one denies what the other says".to_owned(),
        _ => format!("{} against {}", difference.values.0, difference.values.1),
    };
    let later = later(left, right);
    let kind = if later.is_some() { ConflictKind::Superseded } else { difference.kind };
    let explanation = match &later {
        Some(id) => format!("{what}; {id} comes from the later document"),
        None => what,
    };
    Conflict { kind, left: left.id.to_owned(), right: right.id.to_owned(), later, explanation }
}

type Side<'a, 'b> = (&'a Statement<'b>, &'a Claim);

fn difference(left: Side<'_, '_>, right: Side<'_, '_>) -> Option<Difference> {
    let ((a_said, a), (b_said, b)) = (left, right);
    if a_said.text.trim_end().ends_with('?') || b_said.text.trim_end().ends_with('?') || names_differ(a, b) {
        return None;
    }
    let numbers =
        numbers_differ(left, right).map(|values| Difference { kind: ConflictKind::Numbers, values });
    numbers
        .or_else(|| dates_differ(left, right).map(|values| Difference { kind: ConflictKind::Dates, values }))
        .or_else(|| {
            denied(left, right)
                .then(|| Difference { kind: ConflictKind::Negation, values: (String::new(), String::new()) })
        })
}

/// Does each side name something the other does not?
fn names_differ(a: &Claim, b: &Claim) -> bool {
    a.names.difference(&b.words).next().is_some() && b.names.difference(&a.words).next().is_some()
}

/// How far two sets of words are the same, 0 to 1: what only one side adds weighs half, what both put differently whole.
fn likeness(a: &HashSet<String>, b: &HashSet<String>) -> f64 {
    let shared = a.intersection(b).count() as f64;
    let (own, theirs) = (a.len() as f64 - shared, b.len() as f64 - shared);
    let (less, more) = (own.min(theirs), own.max(theirs));
    if shared == 0.0 { 0.0 } else { shared / (shared + 2.0 * less + 0.34 * (more - less)) }
}

/// Values of one property that disagree, as written.
fn numbers_differ(left: Side<'_, '_>, right: Side<'_, '_>) -> Option<(String, String)> {
    let ((a_said, a), (b_said, b)) = (left, right);
    if a.modalities != b.modalities {
        return None;
    }
    for x in a.values.iter().filter(|value| !value.former) {
        let same: Vec<&Value> = b
            .values
            .iter()
            .filter(|y| !y.former && comparable(x, y) && is_same_property((a, x), (b, y)))
            .collect();
        let [y] = same.as_slice() else { continue };
        let met = |value: &Value, others: &[Value]| {
            others.iter().any(|other| same_unit(value, other) && agree(value, other))
        };
        // A value that the other statement also has, there or for an earlier time, is no disagreement.
        if agree(x, y) || met(x, &b.values) || met(y, &a.values) {
            continue;
        }
        if periods_meet((x, a_said.date), (y, b_said.date)) {
            let written =
                |said: &Statement<'_>, value: &Value| said.text[value.quantity.range.clone()].to_owned();
            return Some((written(a_said, x), written(b_said, y)));
        }
    }
    None
}

fn is_same_property(left: (&Claim, &Value), right: (&Claim, &Value)) -> bool {
    let ((a, x), (b, y)) = (left, right);
    let bare = matches!((&x.quantity.dimension, &y.quantity.dimension),
        (Dimension::Count(one), Dimension::Count(other)) if one.is_empty() || other.is_empty());
    let wanted = if bare { SAME_SUBJECT_BARE } else { SAME_SUBJECT };
    let several = a.values.len() > 1 || b.values.len() > 1;
    let near = if several { likeness(&x.near, &y.near) } else { 1.0 };
    let whole = likeness(&a.words, &b.words);
    if several {
        // What stands at the value decides; the rest of a long sentence may be about other things.
        near >= wanted && (whole >= 0.4 || a.words.intersection(&b.words).count() >= 4)
    } else {
        whole >= wanted && !x.near.is_disjoint(&y.near)
    }
}

fn comparable(a: &Value, b: &Value) -> bool {
    let bounds =
        !matches!((a.bound, b.bound), (Bound::AtLeast, Bound::AtMost) | (Bound::AtMost, Bound::AtLeast));
    same_unit(a, b) && a.pace == b.pace && bounds
}

fn same_unit(a: &Value, b: &Value) -> bool {
    match (&a.quantity.dimension, &b.quantity.dimension) {
        (Dimension::Count(x), Dimension::Count(y)) => {
            x == y
                || (x.is_empty() && b.near.contains(y))
                || (y.is_empty() && a.near.contains(x))
                || (x.is_empty() || y.is_empty()) && !a.near.is_disjoint(&b.near)
        }
        (x, y) => x == y,
    }
}

/// Can both values hold, as they are printed and bounded?
fn agree(a: &Value, b: &Value) -> bool {
    let (x, y) = (a.quantity.value, b.quantity.value);
    let gap = (x - y).abs();
    let larger = x.abs().max(y.abs());
    let percent = a.quantity.dimension == Dimension::Percent;
    let rough = (matches!(a.bound, Bound::About) || matches!(b.bound, Bound::About)) && !percent;
    let allowed = a.rounding.max(b.rounding).min(ROUNDING * larger);
    let allowed = if rough { allowed.max(ROUGHLY * larger) } else { allowed };
    if gap <= allowed + 1e-9 * larger {
        return true;
    }
    match (a.bound, b.bound) {
        (Bound::To(end), Bound::To(other)) => x <= other && y <= end,
        (Bound::To(end), _) => (x..=end).contains(&y),
        (_, Bound::To(end)) => (y..=end).contains(&x),
        (Bound::AtLeast, Bound::Exact | Bound::About) => y >= x,
        (Bound::Exact | Bound::About, Bound::AtLeast) => x >= y,
        (Bound::AtMost, Bound::Exact | Bound::About) => y <= x,
        (Bound::Exact | Bound::About, Bound::AtMost) => x <= y,
        _ => false,
    }
}

/// Do two values hold for a time in common? A value without one holds for the time of its document, as far as that is
/// known: the year of it or the year before.
fn periods_meet(left: (&Value, Option<&str>), right: (&Value, Option<&str>)) -> bool {
    let of = |date: Option<&str>| {
        date.and_then(dates::parse).map(|date| BTreeSet::from([date.year, date.year - 1]))
    };
    let ((x, x_date), (y, y_date)) = (left, right);
    let meet = |a: &BTreeSet<i32>, b: &BTreeSet<i32>| !a.is_disjoint(b);
    match (x.years.is_empty(), y.years.is_empty()) {
        (false, false) => meet(&x.years, &y.years),
        (true, false) => of(x_date).is_none_or(|years| meet(&years, &y.years)),
        (false, true) => of(y_date).is_none_or(|years| meet(&years, &x.years)),
        (true, true) => true,
    }
}

/// Different dates of one event, as written.
fn dates_differ(left: Side<'_, '_>, right: Side<'_, '_>) -> Option<(String, String)> {
    let ((a_said, a), (b_said, b)) = (left, right);
    let ([x], [y]) = (&current(a_said.text)[..], &current(b_said.text)[..]) else { return None };
    // Beside a value a date is the time it holds for.
    if !a.values.is_empty() || !b.values.is_empty() || likeness(&a.words, &b.words) < SAME_SUBJECT {
        return None;
    }
    // "2021" and "March 2021" agree as far as both are given.
    let same_year = x.date.year == y.date.year;
    let same_month = x.date.month == 0 || y.date.month == 0 || x.date.month == y.date.month;
    let same_day = x.date.day == 0 || y.date.day == 0 || x.date.day == y.date.day;
    let differ = !(same_year && same_month && same_day);
    differ.then(|| (x.date.to_string(), y.date.to_string()))
}

/// The dates of a text without one that no longer holds ("moves from September 2026 to April 2027").
fn current(text: &str) -> Vec<Dated> {
    let mut found = dates(text);
    if let [first, second] = found.as_slice() {
        let between = &text[first.range.end..second.range.start];
        let before = text[..first.range.start].trim_end();
        if before.ends_with("from") && between.trim() == "to" {
            found.remove(0);
        } else if between.trim_end().ends_with("instead of") {
            found.remove(1);
        }
    }
    found
}

fn denied(left: Side<'_, '_>, right: Side<'_, '_>) -> bool {
    let ((a_said, a), (b_said, b)) = (left, right);
    is_denied(a_said.text, b_said.text)
        && a.words.len().min(b.words.len()) >= 2
        && likeness(&a.words, &b.words) >= 0.75
        && a.modalities == b.modalities
        && (a.years.is_empty() || b.years.is_empty() || !a.years.is_disjoint(&b.years))
        && !is_conditional(a_said.text)
        && !is_conditional(b_said.text)
}

/// The id of the statement from the later document, when both are dated and differ by more than a month.
fn later(left: &Statement<'_>, right: &Statement<'_>) -> Option<String> {
    let (a, b) = (dates::parse(left.date?)?, dates::parse(right.date?)?);
    let days = b.days() - a.days();
    (days.abs() > 31).then(|| if days > 0 { right.id.to_owned() } else { left.id.to_owned() })
}
