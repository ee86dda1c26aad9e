//! The way a run went, for files that tell it: its records, with events as the workflow knows them.

use baton_machine::{Word, Workflow};

use crate::Millis;
use crate::driver::{Vault, unwrap};
use crate::record::{Body, Happened, Record};

/// The records of a run without those that were taken back. A record that takes some back stays, and says so.
pub fn kept(records: Vec<Record>) -> Vec<Record> {
    let mut kept: Vec<Record> = Vec::with_capacity(records.len());
    for record in records {
        if let Body::Rewound(rewound) = &record.body {
            kept.retain(|earlier| earlier.n <= rewound.to);
        }
        kept.push(record);
    }
    kept
}

/// One record of a run.
pub struct Entry<W: Workflow> {
    /// Its number in the run.
    pub n: u64,
    /// Its time.
    pub at: Millis,
    /// What happened.
    pub body: EntryBody<W>,
}

/// What happened.
pub enum EntryBody<W: Workflow> {
    /// A row of the table was taken.
    Transition(Box<Transition<W>>),
    /// Anything else, as it is recorded; also an event that cannot be read any more.
    Other(Box<Body>),
}

/// A row of the table that was taken.
pub struct Transition<W: Workflow> {
    /// The state it left.
    pub from: W::State,
    /// The state it led to.
    pub to: W::State,
    /// The event, wherever it is kept.
    pub event: W::Event,
}

impl<W: Workflow> Entry<W> {
    /// A record with its event read, from the vault if it is long.
    pub fn read(record: Record, vault: &dyn Vault) -> Self {
        let Record { n, at, body } = record;
        let transition = match &body {
            Body::Event(happened) => Transition::read(happened, vault),
            _ => None,
        };
        let body = match transition {
            Some(transition) => EntryBody::Transition(Box::new(transition)),
            None => EntryBody::Other(Box::new(body)),
        };
        Self { n, at, body }
    }
}

impl<W: Workflow> Transition<W> {
    fn read(happened: &Happened, vault: &dyn Vault) -> Option<Self> {
        Some(Self {
            from: W::State::named(&happened.from)?,
            to: W::State::named(&happened.to)?,
            event: serde_json::from_value(unwrap(&happened.event, vault).ok()?).ok()?,
        })
    }
}
