//! The children of a run as its host sees them: begun once, over when the list of runs says so.

use std::collections::{BTreeMap, VecDeque};

use serde_json::Value;

use crate::child::{ChildEnd, ChildEnding};
use crate::engine::Engine;
use crate::host::{HostError, OverChild};
use crate::record::{ChildBegun, Origin};
use crate::{Key, RunId, Status};

/// The children a driver waits for.
#[derive(Default)]
pub struct Children {
    open: BTreeMap<Key, RunId>,
    /// Those that could not be begun, and why.
    failed: VecDeque<(Key, String)>,
}

impl Children {
    pub fn is_empty(&self) -> bool {
        self.open.is_empty() && self.failed.is_empty()
    }

    /// Begins a child that is not there yet.
    pub fn begin(&mut self, engine: &Engine, parent: RunId, begun: ChildBegun, input: Value, depth: u32) {
        let (key, run) = (begun.key.clone(), begun.run.clone());
        match start(engine, parent, begun, input, depth) {
            Ok(()) => {
                self.open.insert(key, run);
                // Somebody here may want to drive it.
                engine.store.ring();
            }
            Err(why) => self.failed.push_back((key, why)),
        }
    }

    /// Asks a child to stop. If that cannot be posted the child ends by itself, and that is heard.
    pub fn cancel(&self, engine: &Engine, key: &Key) {
        if let Some(run) = self.open.get(key) {
            let _ = engine.store.post_cancel(run, "the run that began it", engine.clock.now());
        }
    }

    /// The next child that is over.
    pub fn over(&mut self, engine: &Engine, parent: i64) -> Result<Option<(Key, OverChild)>, HostError> {
        if let Some((key, why)) = self.failed.pop_front() {
            return Ok(Some((key, Err(why))));
        }
        for over in engine.store.over_children(parent)? {
            let ending = match over.status {
                Status::Finished(outcome) => ChildEnding::Finished(outcome),
                _ => ChildEnding::Cancelled,
            };
            if self.open.remove(&over.key).is_none() {
                continue;
            }
            let flow = engine.effects.crew().and_then(|crew| crew.flow(&over.workflow));
            let output = flow.map_or(Ok(Value::Null), |flow| flow.brings(engine, &over.run));
            let end = match output {
                Ok(output) => Ok(ChildEnd { run: over.run, ending, output, spent: over.spent }),
                Err(error) => Err(format!("what child {} brought cannot be read: {error}", over.run)),
            };
            return Ok(Some((over.key, end)));
        }
        Ok(None)
    }
}

fn start(engine: &Engine, parent: RunId, begun: ChildBegun, input: Value, depth: u32) -> Result<(), String> {
    let crew = engine.effects.crew().ok_or("this process begins no runs inside runs")?;
    let flow = crew
        .flow(&begun.workflow)
        .ok_or_else(|| format!("this process does not have the workflow `{}`", begun.workflow))?;
    let origin = Origin::Child { run: parent, key: begun.key, depth };
    let started = flow.start_child(engine, begun.run, input, begun.settings, origin);
    started.map(drop).map_err(|error| error.to_string())
}
