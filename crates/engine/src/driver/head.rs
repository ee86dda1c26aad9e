//! The fold: where a run stands after each of its records. Running and replaying both go through here.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use baton_machine::{Position, Recorded, Refused, Target, Word, Workflow, advance, follow};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::open::OpenStep;
use super::payload::{Blobs, Vault, unwrap, wrap};
use super::{DriveError, Stretch};
use crate::cx::lock;
use crate::record::{Body, Chained, Happened, Record, Settings, Started, Step};
use crate::{Hash, Key, Limits, Millis, Purse, RunId, Short, Spend, Status};

/// A run as its journal tells it.
pub struct Head<W: Workflow> {
    /// The run.
    pub run: RunId,
    /// The number of its last record.
    pub n: u64,
    /// The hash of its last record.
    pub hash: Hash,
    /// The journaled time.
    pub at: Millis,
    /// Where it stands.
    pub position: Position<W>,
    /// What it has learnt; shared with the node's mailbox.
    pub memory: Arc<Mutex<W::Memory>>,
    /// What it has spent and reserved.
    pub purse: Purse,
    /// Its settings.
    pub settings: Settings,
    /// What the engine says of it.
    pub status: Status,
    /// The table it is pinned to.
    pub table: Hash,
    /// The node code it is pinned to.
    pub code: u32,
    /// Reservations of calls in flight, by step.
    open: BTreeMap<Key, (Spend, Option<String>)>,
}

/// The fold at the beginning of a visit, as a snapshot keeps it.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct Kept<W: Workflow> {
    run: RunId,
    at: Millis,
    position: Position<W>,
    memory: W::Memory,
    purse: Purse,
    settings: Settings,
    table: Hash,
    code: u32,
}

impl<W: Workflow> Head<W> {
    /// A run that has only been started.
    pub fn begin(started: &Started, at: Millis, vault: &dyn Vault) -> Result<Self, DriveError> {
        let input: W::Input = parse(1, unwrap(&started.input, vault)?)?;
        Ok(Self {
            run: started.run.clone(),
            n: 1,
            hash: Hash::ZERO,
            at,
            position: Position::start(),
            memory: Arc::new(Mutex::new(W::begin(&input))),
            purse: Purse::default(),
            settings: started.settings.clone(),
            status: Status::Running,
            table: started.table,
            code: started.code,
            open: BTreeMap::new(),
        })
    }

    /// The run as a snapshot kept it; `None` if the snapshot cannot be read, which only costs time.
    pub fn from_snapshot(n: u64, hash: Hash, text: &str) -> Option<Self> {
        let kept: Kept<W> = serde_json::from_str(text).ok()?;
        Some(Self {
            run: kept.run,
            n,
            hash,
            at: kept.at,
            position: kept.position,
            memory: Arc::new(Mutex::new(kept.memory)),
            purse: kept.purse,
            settings: kept.settings,
            status: Status::Running,
            table: kept.table,
            code: kept.code,
            open: BTreeMap::new(),
        })
    }

    /// What a snapshot keeps. Only asked at the beginning of a visit, when nothing is in flight.
    pub fn snapshot(&self) -> Result<String, DriveError> {
        let kept = Kept::<W> {
            run: self.run.clone(),
            at: self.at,
            position: self.position.clone(),
            memory: lock(&self.memory).clone(),
            purse: self.purse.clone(),
            settings: self.settings.clone(),
            table: self.table,
            code: self.code,
        };
        serde_json::to_string(&kept).map_err(|error| DriveError::Unstorable(error.to_string()))
    }

    /// What it has learnt.
    pub fn into_memory(self) -> W::Memory {
        match Arc::try_unwrap(self.memory) {
            Ok(memory) => memory.into_inner().unwrap_or_else(PoisonError::into_inner),
            Err(shared) => lock(&shared).clone(),
        }
    }

    /// Folds a stored record.
    pub fn fold(&mut self, stretch: &Stretch, vault: &dyn Vault) -> Result<(), DriveError> {
        let record = &stretch.record;
        if let Body::Event(happened) = &record.body {
            self.follow(record.n, happened, vault)?;
        } else {
            self.account(record);
        }
        self.n = record.n;
        self.hash = stretch.hash;
        self.at = self.at.max(record.at);
        Ok(())
    }

    /// Puts a new record behind the last one, and folds it. Events come through [`Head::decide`].
    pub fn seal(&mut self, at: Millis, body: Body) -> Result<(Record, Chained), DriveError> {
        let record = Record { n: self.n + 1, at: self.at.max(at), body };
        let chained =
            Chained::after(self.hash, &record).map_err(|error| DriveError::Unstorable(error.to_string()))?;
        if !matches!(record.body, Body::Event(_)) {
            self.account(&record);
        }
        self.n = record.n;
        self.hash = chained.hash;
        self.at = record.at;
        Ok((record, chained))
    }

    /// Lets the table decide on an event. The returned record must be sealed next.
    pub fn decide(&mut self, event: &W::Event) -> Result<(Happened, Blobs), Refused> {
        let mut blobs = Vec::new();
        let payload = wrap(event_value(event), &mut blobs);
        let taken = advance(W::TABLE, &mut self.position, &mut lock(&self.memory), event)?;
        let step = match W::TABLE.get(taken.row).map(|row| &row.to) {
            Some(Target::Same) => Step::Retry,
            Some(Target::Stay) => Step::Emit,
            _ => Step::Visit,
        };
        let happened = Happened {
            from: taken.from.name().to_owned(),
            row: taken.row,
            to: taken.to.name().to_owned(),
            event: payload,
            guards: taken.asked,
            step,
        };
        Ok((happened, blobs))
    }

    fn follow(&mut self, n: u64, happened: &Happened, vault: &dyn Vault) -> Result<(), DriveError> {
        let state = |name: &str| {
            W::State::named(name)
                .ok_or_else(|| DriveError::Unfit { n, what: format!("there is no state {name}") })
        };
        let recorded = Recorded::<W> {
            from: state(&happened.from)?,
            row: happened.row,
            to: state(&happened.to)?,
            event: parse(n, unwrap(&happened.event, vault)?)?,
        };
        follow(W::TABLE, &mut self.position, &mut lock(&self.memory), &recorded)
            .map_err(|mismatch| DriveError::Unfit { n, what: mismatch.what })
    }

    /// What a record does to purse, settings and status.
    fn account(&mut self, record: &Record) {
        match &record.body {
            Body::Intent(intent) => {
                self.purse.reserve(intent.branch.as_deref(), intent.reserve);
                self.open.insert(intent.key.clone(), (intent.reserve, intent.branch.clone()));
            }
            Body::Receipt(receipt) => {
                let (reserve, branch) = self.open.remove(&receipt.key).unwrap_or_default();
                self.purse.settle(branch.as_deref(), reserve, receipt.spend);
                let worked = u64::try_from(record.at.since(self.at).as_millis()).unwrap_or(u64::MAX);
                self.purse.work_ms = self.purse.work_ms.saturating_add(worked);
            }
            Body::Unknown(unknown) => self.lose(&unknown.key),
            Body::Abandoned(closed) => self.lose(&closed.key),
            Body::Setting(setting) => self.settings = setting.settings.clone(),
            Body::Stopped(stopped) => self.status = Status::Stopped(stopped.reason),
            Body::Resumed(_) => self.status = Status::Running,
            _ => {}
        }
    }

    /// Steps whose intent has no receipt.
    pub(super) fn flying(&self) -> impl Iterator<Item = &Key> {
        self.open.keys()
    }

    /// Whether the budgets allow one more attempt at a step.
    pub(super) fn room(&self, step: &OpenStep) -> Result<(), Short> {
        fits(&self.purse, &self.settings.limits, step)
    }

    /// The same if every call in flight turned out to cost nothing.
    pub(super) fn room_at_best(&self, step: &OpenStep) -> Result<(), Short> {
        let mut purse = self.purse.clone();
        for (reserve, branch) in self.open.values() {
            purse.settle(branch.as_deref(), *reserve, Spend::NONE);
        }
        fits(&purse, &self.settings.limits, step)
    }

    fn lose(&mut self, key: &Key) {
        if let Some((reserve, branch)) = self.open.remove(key) {
            self.purse.charge_unknown(branch.as_deref(), reserve);
        }
    }
}

fn fits(purse: &Purse, limits: &Limits, step: &OpenStep) -> Result<(), Short> {
    let effect = &step.effect;
    if let Some(branch) = &step.branch {
        purse.room_in(&branch.name, &branch.limits, effect.reserve)?;
    }
    purse.room(limits, effect.reserve, effect.purpose)
}

/// An event as it is stored. Events are plain data with string keys: writing one to memory cannot fail.
pub(super) fn event_value<E: Serialize>(event: &E) -> Value {
    serde_json::to_value(event).unwrap_or_default()
}

fn parse<T: serde::de::DeserializeOwned>(n: u64, value: Value) -> Result<T, DriveError> {
    serde_json::from_value(value).map_err(|error| DriveError::Unfit { n, what: error.to_string() })
}
