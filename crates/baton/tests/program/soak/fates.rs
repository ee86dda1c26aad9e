//! One journal read from its first record to its last: what became of every intent, and what it all cost.

use std::collections::BTreeMap;

use baton_engine::driver::unwrap;
use baton_engine::record::{Body, Intent, Payload, Receipt};
use baton_engine::store::{RunSummary, Store};
use baton_engine::{Key, Record, Spend, Status, StopReason};
use serde_json::Value;

/// Everything a run did about one step.
pub struct Step {
    pub kind: String,
    pub input: Value,
    /// Intents, each of which allows one call.
    pub intents: usize,
    /// Receipts of something that came back good.
    pub good: usize,
    open: Option<(u32, Spend)>,
    /// A crash hid the last attempt; looking for it or a person's word may still bring its receipt.
    hidden: bool,
}

/// The fates of all intents of a run.
#[derive(Default)]
pub struct Fates {
    pub steps: BTreeMap<Key, Step>,
    pub spent: Spend,
    pub intents: usize,
    pub unknown: usize,
    pub findings: Vec<String>,
}

impl Fates {
    /// Reads the journal of a run.
    pub fn of(store: &Store, row: &RunSummary) -> Self {
        let mut fates = Self::default();
        for chained in store.records(&row.name, 1).expect("records") {
            match chained.open() {
                Ok(record) => fates.note(store, &record),
                Err(error) => fates.find(chained.n, &format!("unreadable: {error}")),
            }
        }
        let is_over = matches!(row.status, Status::Finished(_));
        for (key, step) in &fates.steps {
            if is_over && step.open.is_some() {
                fates.findings.push(format!("the intent of {key} has no fate although the run is over"));
            }
        }
        if fates.spent != row.spent {
            fates
                .findings
                .push(format!("the journal says {:?} was spent, the list {:?}", fates.spent, row.spent));
        }
        fates
    }

    fn note(&mut self, store: &Store, record: &Record) {
        match &record.body {
            Body::Intent(intent) => self.intended(record.n, intent, store),
            Body::Receipt(receipt) => self.came_back(record.n, receipt, store),
            Body::Unknown(unknown) => {
                self.unknown += 1;
                if !self.lose(&unknown.key) {
                    self.find(record.n, &format!("{} was not in flight", unknown.key));
                }
            }
            // Waits and questions are abandoned too; only calls have a fate.
            Body::Abandoned(closed) => drop(self.lose(&closed.key)),
            Body::Stopped(stopped)
                if stopped.reason == StopReason::Broken || stopped.reason == StopReason::Panic =>
            {
                self.find(record.n, &format!("stopped as {}: {}", stopped.reason.name(), stopped.detail));
            }
            _ => {}
        }
    }

    fn intended(&mut self, n: u64, intent: &Intent, store: &Store) {
        self.intents += 1;
        let step = self.steps.entry(intent.key.clone()).or_insert_with(|| Step {
            kind: intent.kind.clone(),
            input: value(store, &intent.input),
            intents: 0,
            good: 0,
            open: None,
            hidden: false,
        });
        let (was_good, was_open) = (step.good > 0, step.open.is_some());
        step.intents += 1;
        step.hidden = false;
        step.open = Some((intent.attempt, intent.reserve));
        if was_good {
            self.find(n, &format!("{} is done again although its receipt is there", intent.key));
        }
        if was_open {
            self.find(n, &format!("{} is tried again before the fate of the last try is known", intent.key));
        }
    }

    fn came_back(&mut self, n: u64, receipt: &Receipt, store: &Store) {
        self.spent = self.spent.plus(receipt.spend);
        let Some(step) = self.steps.get_mut(&receipt.key) else {
            return self.find(n, &format!("a receipt of {}, which nobody intended", receipt.key));
        };
        let fits = match step.open.take() {
            Some((attempt, _)) => attempt == receipt.attempt,
            None => std::mem::take(&mut step.hidden),
        };
        let is_good = receipt.out.as_ref().is_ok_and(|out| value(store, out).get("Err").is_none());
        step.good += usize::from(is_good);
        if !fits {
            self.find(n, &format!("a second receipt of {} attempt {}", receipt.key, receipt.attempt));
        }
    }

    /// The reservation of a call in flight stays charged; whether there was one.
    fn lose(&mut self, key: &Key) -> bool {
        let Some(step) = self.steps.get_mut(key) else { return false };
        let Some((_, reserve)) = step.open.take() else { return false };
        step.hidden = true;
        self.spent = self.spent.plus(reserve);
        true
    }

    fn find(&mut self, n: u64, what: &str) {
        self.findings.push(format!("record {n}: {what}"));
    }
}

fn value(store: &Store, payload: &Payload) -> Value {
    unwrap(payload, store.blobs()).expect("a payload")
}
