//! Conflicts of a run: what cannot both hold, how much it matters, and what looking at it brought.

use baton_agents::evidence::Conflict;
use baton_agents::skill::Answerer;
use serde::{Deserialize, Serialize};

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
}
