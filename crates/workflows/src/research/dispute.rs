//! Conflicts of a run: what cannot both hold, how much it matters, and what looking at it brought.

use baton_agents::evidence::{Conflict, ConflictKind};
use baton_agents::skill::Answerer;
use serde::{Deserialize, Serialize};

use crate::citation::Facts;
use crate::markup::plain;

/// How much a conflict matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// A brief mention.
    Low,
    /// A mention with both sides.
    Medium,
    /// It gets a task of its own.
    High,
}

/// Two facts that cannot both hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dispute {
    /// Its key: the two facts.
    pub key: String,
    /// What it is.
    pub conflict: Conflict,
    /// How much it matters.
    pub severity: Severity,
    /// What looking at it brought.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolution: Option<Resolution>,
}

/// What looking at a conflict brought. Both sides are shown all the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resolution {
    /// The side that weighs more, by fact id; none if neither does.
    pub favours: Option<String>,
    /// Why, in a sentence.
    pub reason: String,
    /// Who looked.
    pub by: Answerer,
    /// Whether they speak of different things, so that both hold.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_conflict: bool,
}

impl Dispute {
    /// Whether a reader has to be told: both sides are current, and nobody showed that both hold.
    #[must_use]
    pub fn is_open(&self, facts: &Facts<'_>) -> bool {
        let current = |key: &str| facts.fact(key).is_some_and(|fact| !fact.superseded);
        let settled = self.resolution.as_ref().is_some_and(|resolution| resolution.no_conflict);
        self.conflict.kind != ConflictKind::Superseded
            && !settled
            && current(&self.conflict.left)
            && current(&self.conflict.right)
    }

    /// What weighing the two sides brought, composed of what the sources show.
    #[must_use]
    pub fn weighed(&self, facts: &Facts<'_>) -> String {
        let Some(resolution) = &self.resolution else { return "Nobody weighed the two sides.".to_owned() };
        let favoured = resolution.favours.as_deref().and_then(|key| facts.fact(key));
        let side =
            favoured.map_or("for neither side".to_owned(), |fact| format!("for {}", fact.source_label()));
        let reason = plain(&resolution.reason);
        format!("Weighed by {}, {side}: {}.", plain(resolution.by.name()), reason.trim_end_matches('.'))
    }

    /// The other side, if this fact is one of the two.
    #[must_use]
    pub fn against(&self, key: &str) -> Option<&str> {
        let Conflict { left, right, .. } = &self.conflict;
        match () {
            () if left == key => Some(right),
            () if right == key => Some(left),
            () => None,
        }
    }

    /// What each side says, in the words of the comparison ("4,310 against 4,180"); none if it has other words.
    #[must_use]
    pub fn values(&self) -> Option<(&str, &str)> {
        let what = self.conflict.explanation.split(';').next()?;
        let (left, right) = what.split_once(" against ")?;
        Some((left.trim(), right.trim()))
    }
}
