//! The first record of a run, and the settings frozen in it.

use serde::{Deserialize, Serialize};

use super::Payload;
use crate::{Hash, Key, Limits, RunId};

/// The first record: everything the run was started with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Started {
    /// The record format.
    pub format: u32,
    /// The run.
    pub run: RunId,
    /// The workflow's name.
    pub workflow: String,
    /// The table's hash; the table itself is stored beside the journal under it.
    pub table: Hash,
    /// The version of the node code.
    pub code: u32,
    /// The version of the events' stored form.
    pub events: u32,
    /// What the run is about, for lists.
    pub title: String,
    /// The workflow's own input.
    pub input: Payload,
    /// The engine's settings.
    pub settings: Settings,
    /// Where the run comes from.
    #[serde(default, skip_serializing_if = "Origin::is_fresh")]
    pub origin: Origin,
}

/// Where a run comes from. One that went off from another has a record of that where it did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Somebody started it.
    #[default]
    Fresh,
    /// A node of another run started it.
    Child {
        /// The parent.
        run: RunId,
        /// Its key in the parent.
        key: Key,
        /// How deep it is nested; the child of a run that nobody began is 1 deep.
        depth: u32,
    },
}

impl Origin {
    fn is_fresh(&self) -> bool {
        *self == Self::Fresh
    }
}

/// The engine's settings of a run, frozen when it starts; a change is a record of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// What it may spend.
    pub limits: Limits,
    /// How many steps may be in flight at once.
    pub parallel: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { limits: Limits::default(), parallel: 8 }
    }
}
