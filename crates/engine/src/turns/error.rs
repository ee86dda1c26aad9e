//! Why a run is not named, forked or taken back. Its journal is as it was.

use super::SETTINGS;
use crate::driver::DriveError;
use crate::host::HostError;
use crate::points::{NoPoint, Point};
use crate::record::LeftEffect;
use crate::runs::RunsError;
use crate::{RunId, Work};

/// A turn that was not taken; nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum TurnError {
    /// There is no such point.
    #[error(transparent)]
    Point(#[from] NoPoint),
    /// The run is over there.
    #[error(
        "behind record {n} the run is over ({state}), so nothing could go on from there. {}",
        usable(nearest)
    )]
    Over {
        /// The record.
        n: u64,
        /// The final state.
        state: String,
        /// The points from which a run can go on.
        nearest: Vec<Point>,
    },
    /// The share of a child cannot be raised.
    #[error("{0}")]
    Share(String),
    /// The point was itself taken back.
    #[error(
        "record {n} of run {run} was taken back already; a run can still go off from it: `baton fork {run} --at {n}`"
    )]
    TakenBack {
        /// The run.
        run: RunId,
        /// The record.
        n: u64,
    },
    /// Something outside would stay as it is.
    #[error(
        "behind record {n} of run {run} steps were begun that may have left something outside, and nothing outside is undone: {}. If that may stay as it is, say so with --leave-effects",
        effects(left)
    )]
    LeavesEffects {
        /// The run.
        run: RunId,
        /// The record.
        n: u64,
        /// The steps.
        left: Vec<LeftEffect>,
        /// What was wanted.
        verb: &'static str,
    },
    /// A child of the run is not over.
    #[error(
        "child {child} ({key}) of run {run} is not over; let it end, or stop it with `baton cancel {child}`, and let the run hear of it with `baton resume {run}`"
    )]
    LiveChild {
        /// The run.
        run: RunId,
        /// The child's key.
        key: crate::Key,
        /// The child.
        child: RunId,
    },
    /// The parent has heard of the end of this child.
    #[error(
        "run {run} is over, and run {parent}, which began it, goes by what it brought; another run can go off from it: `baton fork {run}`, or take back `baton rewind {parent}`"
    )]
    ToldParent {
        /// The child.
        run: RunId,
        /// The parent.
        parent: RunId,
    },
    /// Nothing of this name can be changed.
    #[error("{why}; what can be changed: {}", known.join(", "))]
    Key {
        /// What was typed.
        key: String,
        /// What is wrong with it.
        why: String,
        /// What there is.
        known: Vec<String>,
    },
    /// The value does not fit.
    #[error("`{key}` cannot be {value}: it takes {hint}")]
    Value {
        /// What was to be changed.
        key: String,
        /// The value.
        value: String,
        /// What it takes.
        hint: String,
    },
    /// The run is over.
    #[error(
        "run {run} is finished, so nothing can be changed in it; another run can go off from it with the change: `baton fork {run}`"
    )]
    Finished {
        /// The run.
        run: RunId,
    },
    /// The name cannot be given.
    #[error("{0}")]
    Name(String),
    /// The run cannot be read or driven.
    #[error(transparent)]
    Drive(#[from] DriveError),
}

impl TurnError {
    /// A change that the workflow refuses.
    pub(super) fn unknown<W: Work>(key: &str, why: String) -> Self {
        let known = SETTINGS.iter().chain(W::changeable());
        let word = |it: &crate::Changeable| {
            let family = if it.key.ends_with('.') { "NAME" } else { "" };
            format!("{}{family} ({})", it.key, it.hint)
        };
        Self::Key { key: key.to_owned(), why, known: known.map(word).collect() }
    }
}

impl From<RunsError> for TurnError {
    fn from(error: RunsError) -> Self {
        Self::Drive(error.into())
    }
}

impl From<HostError> for TurnError {
    fn from(error: HostError) -> Self {
        Self::Drive(error.into())
    }
}

fn usable(points: &[Point]) -> String {
    let words: Vec<String> = points.iter().map(|point| format!("{} ({})", point.n, point.state)).collect();
    let last: Vec<&str> = words.iter().rev().take(12).rev().map(String::as_str).collect();
    format!("Points from which a run can go on: {}", last.join(", "))
}

fn effects(left: &[LeftEffect]) -> String {
    let word = |effect: &LeftEffect| format!("{} {} (record {})", effect.kind, effect.key, effect.n);
    left.iter().map(word).collect::<Vec<_>>().join(", ")
}
