//! A run apart from what it has learnt: where it stands, what it has spent, its settings. It is small whatever a run has
//! learnt, so it is kept more often than a snapshot, and whoever only wants to know where a long run stands reads no more
//! of it. It is folded without its workflow; a test holds it against the real fold at every record.

use serde::{Deserialize, Serialize};

use super::Reserved;
use crate::points::Landmarks;
use crate::record::{Body, Chained, Settings, Started, Step};
use crate::{Hash, Millis, Purse, Record};

/// A run apart from what it has learnt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outline {
    /// The journaled time.
    pub at: Millis,
    /// Its state.
    pub state: String,
    /// Its visit.
    pub visit: u32,
    /// What it has spent and reserved.
    pub purse: Purse,
    /// Its settings.
    pub settings: Settings,
    /// The table it is pinned to.
    pub table: Hash,
    /// The node code it is pinned to.
    pub code: u32,
    /// What whoever looks for one of its points has to know of.
    #[serde(default)]
    pub landmarks: Landmarks,
}

impl Outline {
    /// A run that has only been started.
    pub fn of_start(started: &Started, at: Millis, start: &str) -> Self {
        Self {
            at,
            state: start.to_owned(),
            visit: 1,
            purse: Purse::default(),
            settings: started.settings.clone(),
            table: started.table,
            code: started.code,
            landmarks: Landmarks::from(start),
        }
    }

    /// This outline and the records behind it; none where they cannot be read, or say something that only the whole fold
    /// understands: that the run was taken back, or goes on with another table.
    pub fn after(self, records: &[Chained]) -> Option<Self> {
        let mut outline = self;
        let mut reserved = Reserved::default();
        records.iter().try_for_each(|chained| outline.follow(&chained.open().ok()?, &mut reserved))?;
        Some(outline)
    }

    fn follow(&mut self, record: &Record, reserved: &mut Reserved) -> Option<()> {
        reserved.note(&mut self.purse, record, self.at);
        self.landmarks.note(record);
        match &record.body {
            Body::Rewound(_) | Body::Migrated(_) => return None,
            Body::Forked(forked) => self.settings = forked.settings.clone(),
            Body::Event(happened) if happened.step == Step::Visit => {
                self.visit += 1;
                self.state.clone_from(&happened.to);
            }
            Body::Changed(_) => self.visit += 1,
            Body::Setting(setting) => self.settings = setting.settings.clone(),
            _ => {}
        }
        self.at = self.at.max(record.at);
        Some(())
    }
}
