//! The points of a run: records behind which a visit begins, so that nothing is under way. Only there can another run
//! go off, and only there can a run be taken back to.

mod landmarks;

use std::collections::BTreeMap;

use baton_machine::{StateText, TableText};
use serde::Serialize;

pub use landmarks::Landmarks;

use crate::record::{Body, LeftEffect, Step};
use crate::{Millis, Record};

/// What names look like, for messages.
pub const NAMES: &str = "names of checkpoints begin with a letter and have at most 60 letters, digits, dots, dashes and underscores";

/// Whether this can be the name of a checkpoint. A number would be taken for that of a record.
pub fn is_name(text: &str) -> bool {
    text.starts_with(char::is_alphabetic)
        && text.chars().count() <= 60
        && text.chars().all(|letter| letter.is_alphanumeric() || "._-".contains(letter))
}

/// A record behind which a visit begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Point {
    /// The record.
    pub n: u64,
    /// Its time.
    pub at: Millis,
    /// The state of the visit.
    pub state: String,
    /// How often that state had been entered, this time included.
    pub entry: u32,
    /// The names it was given.
    pub names: Vec<String>,
    /// Whether it was taken back later.
    pub taken_back: bool,
    /// Whether the run is over there.
    pub ends: bool,
}

/// Follows the way of a run through its states, without its memory.
#[derive(Clone, Debug)]
pub struct Way {
    /// The visits that were not taken back: the record before each, and its state.
    visits: Vec<(u64, String)>,
    entries: BTreeMap<String, u32>,
}

impl Way {
    /// A run that begins in this state.
    pub fn from(start: &str) -> Self {
        Self { visits: vec![(1, start.to_owned())], entries: BTreeMap::from([(start.to_owned(), 1)]) }
    }

    /// Where it stands.
    pub fn state(&self) -> &str {
        self.visits.last().map_or("", |(_, state)| state)
    }

    /// How often that state has been entered.
    pub fn entry(&self) -> u32 {
        self.entries.get(self.state()).copied().unwrap_or(0)
    }

    /// Follows a record; whether a visit begins behind it.
    pub fn follow(&mut self, n: u64, body: &Body) -> bool {
        match body {
            Body::Event(happened) if happened.step == Step::Visit => {
                self.visits.push((n, happened.to.clone()));
                *self.entries.entry(happened.to.clone()).or_insert(0) += 1;
            }
            Body::Rewound(rewound) => {
                self.visits.retain(|(begun, _)| *begun <= rewound.to);
                self.entries.clear();
                for (_, state) in &self.visits {
                    *self.entries.entry(state.clone()).or_insert(0) += 1;
                }
            }
            Body::Migrated(migrated) => {
                self.rename(&migrated.states);
                return false;
            }
            Body::Started(_) | Body::Forked(_) => {}
            _ => return false,
        }
        true
    }
}

impl Way {
    /// States have other names from here on.
    fn rename(&mut self, names: &BTreeMap<String, String>) {
        self.visits.iter_mut().for_each(|(_, state)| {
            if let Some(now) = names.get(state) {
                state.clone_from(now);
            }
        });
        self.entries.clear();
        for (_, state) in &self.visits {
            *self.entries.entry(state.clone()).or_insert(0) += 1;
        }
    }
}

/// The points of a run with this table, oldest first.
pub fn points(table: &TableText, records: &[Record]) -> Vec<Point> {
    let mut way = Way::from(&table.start);
    let mut points: Vec<Point> = Vec::new();
    for Record { n, at, body } in records {
        if way.follow(*n, body) {
            let here = table.states.iter().find(|state| state.name == way.state());
            if let Body::Rewound(rewound) = body {
                points.iter_mut().filter(|point| point.n > rewound.to).for_each(|it| it.taken_back = true);
            }
            points.push(Point {
                n: *n,
                at: *at,
                state: way.state().to_owned(),
                entry: way.entry(),
                names: Vec::new(),
                taken_back: false,
                ends: here.is_some_and(StateText::is_final),
            });
        }
        if let (Body::Checkpoint(checkpoint), Some(point)) = (body, points.last_mut()) {
            point.names.push(checkpoint.name.clone());
        }
    }
    points
}

/// The point a person means: the number of a record, a state, or the name of a checkpoint. Of several the last that
/// was not taken back. Otherwise the nearest points.
pub fn find<'a>(points: &'a [Point], typed: &str) -> Result<&'a Point, NoPoint> {
    let told = |nearest: Vec<&Point>| NoPoint {
        typed: typed.to_owned(),
        nearest: nearest.into_iter().cloned().collect(),
    };
    if let Ok(n) = typed.parse::<u64>() {
        let after = points.partition_point(|point| point.n < n);
        return match points.get(after) {
            Some(point) if point.n == n => Ok(point),
            next => Err(told(
                after.checked_sub(1).and_then(|it| points.get(it)).into_iter().chain(next).collect(),
            )),
        };
    }
    let last = |fits: &dyn Fn(&Point) -> bool| {
        points.iter().filter(|point| fits(point)).max_by_key(|point| (!point.taken_back, point.n))
    };
    last(&|point| point.state.eq_ignore_ascii_case(typed))
        .or_else(|| last(&|point| point.names.iter().any(|name| name == typed)))
        .ok_or_else(|| told(points.iter().filter(|point| !point.taken_back && !point.ends).collect()))
}

/// There is no point of this number or name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no visit begins at `{typed}`: a point is a record behind which one does, a checkpoint or a state. {}",
    near(nearest)
)]
pub struct NoPoint {
    /// What was typed.
    pub typed: String,
    /// The points before and behind it, or all of them.
    pub nearest: Vec<Point>,
}

fn near(points: &[Point]) -> String {
    let word = |point: &Point| format!("{} ({})", point.n, point.state);
    let words: Vec<String> = points.iter().rev().take(12).map(word).collect();
    let words: Vec<String> = words.into_iter().rev().collect();
    if words.is_empty() { "There is none".to_owned() } else { format!("Nearest: {}", words.join(", ")) }
}

/// The steps begun behind record `n` that may have left something outside: those that may not simply be done again.
pub fn left_behind(records: &[Record], n: u64) -> Vec<LeftEffect> {
    let mut left: Vec<LeftEffect> = Vec::new();
    for record in records.iter().filter(|record| record.n > n) {
        match &record.body {
            Body::Intent(intent)
                if intent.after_crash.lasts() && left.iter().all(|known| known.key != intent.key) =>
            {
                left.push(LeftEffect { n: record.n, key: intent.key.clone(), kind: intent.kind.clone() });
            }
            Body::Child(begun) => {
                let kind = format!("child {}", begun.run);
                left.push(LeftEffect { n: record.n, key: begun.key.clone(), kind });
            }
            // It certainly did not happen.
            Body::Looked(looked) if looked.unclear.is_none() => left.retain(|known| known.key != looked.key),
            _ => {}
        }
    }
    left
}
