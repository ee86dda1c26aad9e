//! The last records of their kind that whoever looks for a point has to know of, so that a point far back in a long run
//! is found without reading what lies behind it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Record;
use crate::record::{Body, Step};

/// Numbers of records. Of a run that was kept before these were noted, none is known until the next one comes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Landmarks {
    /// The last record in which the run was taken back, migrated or went off from another; 0 if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    turned: Option<u64>,
    /// The last record that may have left something outside; 0 if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lasting: Option<u64>,
    /// Behind which record the last visit of each state begins.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    begun: BTreeMap<String, u64>,
}

impl Landmarks {
    /// Those of a run that has only been started.
    pub fn from(start: &str) -> Self {
        Self { turned: Some(0), lasting: Some(0), begun: BTreeMap::from([(start.to_owned(), 1)]) }
    }

    /// Notes a record.
    pub fn note(&mut self, record: &Record) {
        let n = record.n;
        match &record.body {
            Body::Event(happened) if happened.step == Step::Visit => match self.begun.get_mut(&happened.to) {
                Some(begun) => *begun = n,
                None => {
                    self.begun.insert(happened.to.clone(), n);
                }
            },
            Body::Rewound(_) | Body::Migrated(_) | Body::Forked(_) => self.turned = Some(n),
            Body::Child(_) => self.lasting = Some(n),
            Body::Intent(intent) if intent.after_crash.lasts() => self.lasting = Some(n),
            _ => {}
        }
    }

    /// Behind which record the last visit of a state begins, if that is known. It may have been taken back since.
    pub fn begun(&self, state: &str) -> Option<u64> {
        self.begun.get(state).copied()
    }

    /// Whether the run certainly goes straight on behind a record.
    pub fn straight_behind(&self, n: u64) -> bool {
        self.turned.is_some_and(|turned| turned < n)
    }

    /// Whether certainly nothing was left outside behind a record.
    pub fn nothing_left_behind(&self, n: u64) -> bool {
        self.lasting.is_some_and(|lasting| lasting <= n)
    }
}
