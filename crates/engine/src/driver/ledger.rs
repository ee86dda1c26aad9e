//! What a visit has done so far, by step name: the reason a finished step is never repeated.

use std::collections::{BTreeMap, BTreeSet};

use crate::record::{Body, ChildBegun, ChildEnded, Payload, Step};
use crate::{Hash, Record};

/// One step of the visit.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The kind of act.
    pub kind: String,
    /// Its input; the same name with another input is a mistake of the node.
    pub input: Payload,
    /// Attempts so far.
    pub attempts: u32,
    /// How often a crash hid the outcome.
    pub unknown: u32,
    /// Whether its result is a person's word.
    pub testified: bool,
    /// Where it stands.
    pub stage: Stage,
}

/// Where a step stands.
#[derive(Clone, Debug, PartialEq)]
pub enum Stage {
    /// No attempt is in flight, and none has succeeded.
    Idle,
    /// An attempt is in flight.
    Flying,
    /// An attempt was left behind: nobody knows what it did.
    Unclear,
    /// It succeeded.
    Ok(Payload),
}

/// A child of the visit.
#[derive(Clone, Debug, PartialEq)]
pub struct ChildEntry {
    /// What was begun.
    pub begun: ChildBegun,
    /// How it ended.
    pub ended: Option<ChildEnded>,
}

/// The steps and emitted events of a visit.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    entries: BTreeMap<String, Entry>,
    emitted: BTreeMap<Hash, u32>,
    emitted_now: BTreeMap<Hash, u32>,
    children: BTreeMap<String, ChildEntry>,
    /// A person changed something meanwhile: a step with another input is another step, not a mistake.
    is_changed: bool,
    /// The names the visit's beginning was given by its node.
    checkpoints: BTreeSet<String>,
}

impl Ledger {
    /// The ledger that earlier tries of this visit left behind.
    pub fn of_earlier_tries<'a>(records: impl IntoIterator<Item = &'a Record>) -> Self {
        let mut ledger = Self::default();
        ledger.absorb(records);
        ledger.next_try();
        ledger
    }

    /// Takes in records of a try whose node is not polled for them.
    pub fn absorb<'a>(&mut self, records: impl IntoIterator<Item = &'a Record>) {
        for record in records {
            self.note(&record.body);
            if let Body::Event(happened) = &record.body
                && happened.step == Step::Emit
            {
                *self.emitted_now.entry(happened.event.hash()).or_insert(0) += 1;
            }
        }
    }

    /// The node begins anew: results are kept, calls in flight are nobody's any more.
    pub fn next_try(&mut self) {
        for (hash, times) in std::mem::take(&mut self.emitted_now) {
            let before = self.emitted.entry(hash).or_insert(0);
            *before = times.max(*before);
        }
        for entry in self.entries.values_mut().filter(|entry| entry.stage == Stage::Flying) {
            entry.stage = Stage::Unclear;
        }
    }

    /// Forgets what is known of a step if that was asked for with another kind or input before a change.
    pub fn forget_other(&mut self, name: &str, kind: &str, input: &Payload) {
        let other = self.get(name).is_some_and(|entry| (entry.kind.as_str(), &entry.input) != (kind, input));
        if self.is_changed && other {
            self.entries.remove(name);
        }
    }

    /// The step with this name.
    pub fn get(&self, name: &str) -> Option<&Entry> {
        self.entries.get(name)
    }

    /// Notes a step that is asked for the first time in this visit.
    pub fn open(&mut self, name: &str, kind: &str, input: Payload) {
        let kind = kind.to_owned();
        let entry = Entry { kind, input, attempts: 0, unknown: 0, testified: false, stage: Stage::Idle };
        self.entries.insert(name.to_owned(), entry);
    }

    /// Follows a record.
    pub fn note(&mut self, body: &Body) {
        match body {
            Body::Changed(_) | Body::Migrated(_) => self.is_changed = true,
            Body::Intent(intent) => {
                let same = |entry: &Entry| (&entry.kind, &entry.input) == (&intent.kind, &intent.input);
                if !self.get(&intent.key.name).is_some_and(same) {
                    self.open(&intent.key.name, &intent.kind, intent.input.clone());
                }
                if let Some(entry) = self.entries.get_mut(&intent.key.name) {
                    entry.attempts = intent.attempt;
                    entry.testified = false;
                    entry.stage = Stage::Flying;
                }
            }
            Body::Receipt(receipt) => {
                let stage = receipt.out.as_ref().map_or(Stage::Idle, |payload| Stage::Ok(payload.clone()));
                self.set(&receipt.key.name, stage);
            }
            Body::Unknown(unknown) => {
                self.set(&unknown.key.name, Stage::Unclear);
                if let Some(entry) = self.entries.get_mut(&unknown.key.name) {
                    entry.unknown += 1;
                }
            }
            Body::Abandoned(closed) if self.is_flying(&closed.key.name) => {
                self.set(&closed.key.name, Stage::Unclear);
            }
            // Names of steps hold no `?`; what is in front of one is the step a person was asked about.
            Body::Answered(answered) => {
                let step = answered.key.name.split_once('?').map(|(step, _)| step);
                if let Some(entry) = step.and_then(|step| self.entries.get_mut(step)) {
                    entry.testified = true;
                }
            }
            Body::Child(begun) => {
                let entry = ChildEntry { begun: (**begun).clone(), ended: None };
                self.children.insert(begun.key.name.clone(), entry);
            }
            Body::ChildEnded(ended) => {
                if let Some(child) = self.children.get_mut(&ended.key.name) {
                    child.ended = Some(ended.clone());
                }
            }
            Body::Checkpoint(checkpoint) if checkpoint.by.is_none() => {
                self.checkpoints.insert(checkpoint.name.clone());
            }
            Body::Looked(looked) if looked.unclear.is_none() => self.set(&looked.key.name, Stage::Idle),
            _ => {}
        }
    }

    /// Whether an earlier try of this visit has already journaled the next emission of this event.
    pub fn has_emitted(&self, event: &Payload) -> bool {
        let hash = event.hash();
        let times = |counts: &BTreeMap<Hash, u32>| counts.get(&hash).copied().unwrap_or(0);
        times(&self.emitted_now) < times(&self.emitted)
    }

    /// The same, and counts the emission.
    pub fn emitted_before(&mut self, event: &Payload) -> bool {
        let before = self.has_emitted(event);
        *self.emitted_now.entry(event.hash()).or_insert(0) += 1;
        before
    }

    /// The child with this name.
    pub fn child(&self, name: &str) -> Option<&ChildEntry> {
        self.children.get(name)
    }

    /// Whether the node has given this name in this visit.
    pub fn has_checkpoint(&self, name: &str) -> bool {
        self.checkpoints.contains(name)
    }

    fn is_flying(&self, name: &str) -> bool {
        self.get(name).is_some_and(|entry| entry.stage == Stage::Flying)
    }

    fn set(&mut self, name: &str, stage: Stage) {
        if let Some(entry) = self.entries.get_mut(name) {
            entry.stage = stage;
        }
    }
}
