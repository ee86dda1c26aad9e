//! What a person does to the way of a run: points that are named, runs that go off from others, parts that are taken
//! back, settings that are changed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Settings;
use crate::{Hash, RunId};

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

/// The run goes on with another table and other code. What is recorded before it is read by the names and rows given here;
/// like a change it begins the present state anew.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Migrated {
    /// The table from now on.
    pub table: Hash,
    /// The node code from now on.
    pub code: u32,
    /// States that have another name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub states: BTreeMap<String, String>,
    /// Events that have another name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub events: BTreeMap<String, String>,
    /// Rows that stand elsewhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<RowMoved>,
    /// Who did it.
    pub by: String,
}

/// A row that records name, and where it stands from now on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowMoved {
    /// The state it was taken in, by its old name.
    pub from: String,
    /// Its old place.
    pub row: usize,
    /// Its new place.
    pub is: usize,
}
