//! What the records of a run say is going on: steps in flight, waits, settings. Only for showing; the
//! engine folds journals its own way.

use std::collections::BTreeMap;

use baton_engine::record::{Body, Chained, Step as RowStep};
use baton_engine::{AfterCrash, Key, Millis, Record, RunId, Settings, StopReason};

/// What is going on in a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sight {
    /// The number of the last record seen.
    pub seen: u64,
    /// The present visit.
    pub visit: u32,
    /// Steps that have begun and not come back.
    pub steps: BTreeMap<Key, OpenStep>,
    /// Waits, and when they end.
    pub waits: BTreeMap<Key, Millis>,
    /// Children that are not over.
    pub children: BTreeMap<Key, RunId>,
    /// The settings that hold.
    pub settings: Settings,
    /// The last stop, if the run has not gone on since.
    pub stop: Option<(StopReason, String)>,
}

/// A step that has not come back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenStep {
    /// The kind of act.
    pub kind: String,
    /// Which attempt.
    pub attempt: u32,
    /// When it began.
    pub since: Millis,
    /// What follows a crash.
    pub after_crash: AfterCrash,
    /// Whether its process ended before it came back.
    pub unknown: bool,
}

impl Sight {
    /// What these records say.
    pub fn of(records: &[Chained]) -> Self {
        let mut sight = Self { visit: 1, ..Self::default() };
        for chained in records {
            sight.take(chained);
        }
        sight
    }

    /// Follows one more record. One that cannot be read changes nothing: `baton doctor` finds it.
    pub fn take(&mut self, chained: &Chained) -> Option<Record> {
        self.seen = chained.n;
        let record = chained.open().ok()?;
        self.follow(record.at, &record.body);
        Some(record)
    }

    fn follow(&mut self, at: Millis, body: &Body) {
        match body {
            Body::Started(started) => self.settings = started.settings.clone(),
            Body::Setting(setting) => self.settings = setting.settings.clone(),
            Body::Event(happened) if happened.step == RowStep::Visit => {
                self.visit += 1;
                self.forget();
            }
            Body::Rewound(_) | Body::Changed(_) => {
                self.visit += 1;
                self.stop = None;
                self.forget();
            }
            Body::Migrated(_) => {
                self.visit += 1;
                self.forget();
            }
            Body::Forked(forked) => {
                self.settings = forked.settings.clone();
                self.stop = None;
                self.forget();
            }
            Body::Intent(intent) => {
                let step = OpenStep {
                    kind: intent.kind.clone(),
                    attempt: intent.attempt,
                    since: at,
                    after_crash: intent.after_crash,
                    unknown: false,
                };
                self.steps.insert(intent.key.clone(), step);
            }
            Body::Receipt(receipt) => self.close(&receipt.key),
            Body::Looked(looked) if looked.unclear.is_none() => self.close(&looked.key),
            Body::Abandoned(closed) | Body::Fired(closed) => self.close(&closed.key),
            Body::Unknown(unknown) => {
                if let Some(step) = self.steps.get_mut(&unknown.key) {
                    step.unknown = true;
                }
            }
            Body::Timer(timer) => {
                self.waits.insert(timer.key.clone(), timer.until);
            }
            Body::Stopped(stopped) => {
                self.stop = Some((stopped.reason, stopped.detail.clone()));
                self.lose_sight();
            }
            Body::Resumed(_) => self.stop = None,
            Body::Event(_)
            | Body::Refused(_)
            | Body::Denied(_)
            | Body::Looked(_)
            | Body::Asked(_)
            | Body::Answered(_)
            | Body::Expired(_)
            | Body::Note(_)
            | Body::ChildRaised(_)
            | Body::Checkpoint(_) => {}
            Body::Child(begun) => {
                self.children.insert(begun.key.clone(), begun.run.clone());
            }
            Body::ChildEnded(ended) => {
                self.children.remove(&ended.key);
            }
        }
    }

    /// The process that drove the run is gone: nobody will hear from what was in flight.
    pub fn lose_sight(&mut self) {
        for step in self.steps.values_mut() {
            step.unknown = true;
        }
    }

    /// Nothing is under way any more.
    fn forget(&mut self) {
        self.steps.clear();
        self.waits.clear();
    }

    fn close(&mut self, key: &Key) {
        self.steps.remove(key);
        self.waits.remove(key);
    }
}

impl OpenStep {
    /// What becomes of it when the run goes on, if its outcome is unknown.
    pub fn on_resume(&self) -> &'static str {
        match self.after_crash {
            AfterCrash::Retry => "it is done again when the run goes on",
            AfterCrash::Reconcile => "its traces are looked for when the run goes on",
            AfterCrash::Ask => "you are asked about it when the run goes on",
            AfterCrash::OnceMore => {
                "it is tried once more when the run goes on, and the first call stays charged"
            }
        }
    }
}

#[cfg(test)]
mod tests;
