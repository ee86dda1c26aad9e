//! How two values and two texts differ, for a reader: what is only here, what is only there, and words within lines.

use serde::Serialize;
use serde_json::Value;

/// One place where two values differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Parting {
    /// The place, as a JSON pointer; of a list its place, not that of an item.
    pub place: String,
    /// What only the first has.
    pub lost: Option<Value>,
    /// What only the second has.
    pub gained: Option<Value>,
}

/// Where two values differ. Items of lists are compared as sets, so that one more at the front does not change them all.
pub fn partings(one: &Value, other: &Value) -> Vec<Parting> {
    let mut found = Vec::new();
    part("", one, other, &mut found);
    found
}

fn part(place: &str, one: &Value, other: &Value, found: &mut Vec<Parting>) {
    match (one, other) {
        _ if one == other => {}
        (Value::Object(left), Value::Object(right)) => {
            let names: std::collections::BTreeSet<&String> = left.keys().chain(right.keys()).collect();
            for name in names {
                let place = format!("{place}/{}", name.replace('~', "~0").replace('/', "~1"));
                match (left.get(name), right.get(name)) {
                    (Some(left), Some(right)) => part(&place, left, right, found),
                    (lost, gained) => {
                        found.push(Parting { place, lost: lost.cloned(), gained: gained.cloned() });
                    }
                }
            }
        }
        (Value::Array(left), Value::Array(right)) => {
            let only = |these: &[Value], those: &[Value]| -> Vec<Value> {
                let mut those = those.to_vec();
                let is_new = |item: &&Value| match those.iter().position(|it| it == *item) {
                    Some(at) => {
                        those.swap_remove(at);
                        false
                    }
                    None => true,
                };
                these.iter().filter(is_new).cloned().collect()
            };
            for lost in only(left, right) {
                found.push(Parting { place: place.to_owned(), lost: Some(lost), gained: None });
            }
            for gained in only(right, left) {
                found.push(Parting { place: place.to_owned(), lost: None, gained: Some(gained) });
            }
        }
        _ => found.push(Parting {
            place: place.to_owned(),
            lost: Some(one.clone()),
            gained: Some(other.clone()),
        }),
    }
}

/// A stretch of a text: in both, only in the first, only in the second.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stretch {
    /// In both.
    Same(String),
    /// Only in the first.
    Lost(String),
    /// Only in the second.
    Gained(String),
}

/// How two texts differ, by words where lines were changed. Unchanged lines are left out.
pub fn changed_lines(one: &str, other: &str) -> Vec<Vec<Stretch>> {
    let (left, right): (Vec<&str>, Vec<&str>) = (one.lines().collect(), other.lines().collect());
    let mut lines = Vec::new();
    let (mut lost, mut gained): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut flush = |lost: &mut Vec<&str>, gained: &mut Vec<&str>| {
        if !lost.is_empty() || !gained.is_empty() {
            lines.push(words(&lost.join("\n"), &gained.join("\n")));
        }
        lost.clear();
        gained.clear();
    };
    for step in aligned(&left, &right) {
        match step {
            Step::Both(_) => flush(&mut lost, &mut gained),
            Step::Left(line) => lost.push(line),
            Step::Right(line) => gained.push(line),
        }
    }
    flush(&mut lost, &mut gained);
    lines
}

/// How two passages differ by words.
fn words(one: &str, other: &str) -> Vec<Stretch> {
    let split = |text| str::split_inclusive(text, char::is_whitespace).collect::<Vec<&str>>();
    let (left, right) = (split(one), split(other));
    let mut stretches: Vec<Stretch> = Vec::new();
    for step in aligned(&left, &right) {
        match (stretches.last_mut(), step) {
            (Some(Stretch::Same(text)), Step::Both(word))
            | (Some(Stretch::Lost(text)), Step::Left(word))
            | (Some(Stretch::Gained(text)), Step::Right(word)) => text.push_str(word),
            (_, Step::Both(word)) => stretches.push(Stretch::Same(word.to_owned())),
            (_, Step::Left(word)) => stretches.push(Stretch::Lost(word.to_owned())),
            (_, Step::Right(word)) => stretches.push(Stretch::Gained(word.to_owned())),
        }
    }
    stretches
}

enum Step<'a> {
    Both(&'a str),
    Left(&'a str),
    Right(&'a str),
}

/// More pairs than this are not compared one by one: the whole passage counts as changed.
const MOST_PAIRS: usize = 4_000_000;

/// The longest common row of items, and what lies beside it.
fn aligned<'a>(left: &[&'a str], right: &[&'a str]) -> Vec<Step<'a>> {
    let head = left.iter().zip(right).take_while(|(one, other)| one == other).count();
    let rest = (&left[head..], &right[head..]);
    let tail = rest.0.iter().rev().zip(rest.1.iter().rev()).take_while(|(one, other)| one == other).count();
    let (ours, theirs) = (&rest.0[..rest.0.len() - tail], &rest.1[..rest.1.len() - tail]);
    let mut steps: Vec<Step<'a>> = left[..head].iter().map(|item| Step::Both(item)).collect();
    if ours.len().saturating_mul(theirs.len()) > MOST_PAIRS {
        steps.extend(ours.iter().map(|item| Step::Left(item)));
        steps.extend(theirs.iter().map(|item| Step::Right(item)));
    } else {
        between(ours, theirs, &mut steps);
    }
    steps.extend(left[left.len() - tail..].iter().map(|item| Step::Both(item)));
    steps
}

fn between<'a>(left: &[&'a str], right: &[&'a str], steps: &mut Vec<Step<'a>>) {
    let width = right.len() + 1;
    // The length of the longest common row of what is left from each place on.
    let mut common = vec![0_u32; (left.len() + 1) * width];
    for one in (0..left.len()).rev() {
        for other in (0..right.len()).rev() {
            common[one * width + other] = if left[one] == right[other] {
                common[(one + 1) * width + other + 1] + 1
            } else {
                common[(one + 1) * width + other].max(common[one * width + other + 1])
            };
        }
    }
    let (mut one, mut other) = (0, 0);
    while one < left.len() && other < right.len() {
        if left[one] == right[other] {
            steps.push(Step::Both(left[one]));
            (one, other) = (one + 1, other + 1);
        } else if common[(one + 1) * width + other] >= common[one * width + other + 1] {
            steps.push(Step::Left(left[one]));
            one += 1;
        } else {
            steps.push(Step::Right(right[other]));
            other += 1;
        }
    }
    steps.extend(left[one..].iter().map(|item| Step::Left(item)));
    steps.extend(right[other..].iter().map(|item| Step::Right(item)));
}

#[cfg(test)]
mod tests;
