//! Runs inside runs: what the parent's journal says of them.

use serde::{Deserialize, Serialize};

use super::{Payload, Settings};
use crate::{Key, RunId, Spend};

/// A child run was begun. It exists, or will as soon as somebody drives its parent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChildBegun {
    /// Its key in the parent.
    pub key: Key,
    /// The child; its name derives from the parent's and the key.
    pub run: RunId,
    /// Its workflow.
    pub workflow: String,
    /// What it is started with.
    pub input: Payload,
    /// Its settings; its limits are its share.
    pub settings: Settings,
    /// What is reserved for it.
    #[serde(default, skip_serializing_if = "Spend::is_none")]
    pub share: Spend,
    /// The branch it is charged to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
}

/// A child run is over, or could not be begun.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChildEnded {
    /// Its key in the parent.
    pub key: Key,
    /// How it ended and what it brought; or why there is none.
    pub end: Result<Payload, String>,
    /// What it has spent, its own children included.
    #[serde(default, skip_serializing_if = "Spend::is_none")]
    pub spend: Spend,
}

/// The share of a child that is not over was raised.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChildRaised {
    /// Its key in the parent.
    pub key: Key,
    /// What is reserved for it beside what it had.
    pub by_this: Spend,
    /// Who did it.
    pub by: String,
}
