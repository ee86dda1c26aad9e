//! What a person does to the way of a run: points that are named, runs that go off from others, parts that are taken
//! back, settings that are changed.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Settings;
use crate::RunId;

/// A run went off from another: everything before this record is the other's, and shared with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Forked {
    /// The run from here on.
    pub run: RunId,
    /// The run before this record.
    pub from: RunId,
    /// Its settings from now on.
    pub settings: Settings,
    /// What else is otherwise from now on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// Who did it.
    pub by: String,
}

/// The run stands again where it stood after an earlier record. What was spent stays spent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rewound {
    /// That record.
    pub to: u64,
    /// Who did it.
    pub by: String,
    /// Steps of the part taken back that have left something outside, which nobody undid.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<LeftEffect>,
}

/// A step that has left something outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftEffect {
    /// The record of its first intent.
    pub n: u64,
    /// Its key.
    pub key: crate::Key,
    /// The kind of act.
    pub kind: String,
}

/// A name for the beginning of the present visit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The name.
    pub name: String,
    /// Who gave it; none if the node did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// Something the workflow lets be changed, and what it is from now on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Its name.
    pub key: String,
    /// The new value.
    pub value: Value,
}

/// Something was changed in a run that has begun. Its present visit ends and another of the same state begins, which
/// takes over what came back with the same input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Changed {
    /// What is otherwise from now on.
    pub changes: Vec<Change>,
    /// Who changed it.
    pub by: String,
}

/// Where a receipt comes from that was not paid for again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reused {
    /// The run that paid for it.
    pub run: RunId,
    /// Its record there.
    pub n: u64,
}
