//! Where a run rests, by its records alone: what the list of runs says of it.

use std::collections::{BTreeMap, BTreeSet};

use baton_machine::{Kind, TableText};

use super::{Label, ParcelError};
use crate::driver::Reserved;
use crate::points::Way;
use crate::record::{Body, Chained, FORMAT, Origin, Started};
use crate::{Hash, Key, Millis, Purse, Record, RunId, Spend, Status};

/// What the list of runs says of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestsAt {
    /// Its state.
    pub state: String,
    /// Its status.
    pub status: Status,
    /// What it has spent.
    pub spent: Spend,
    /// When it was started.
    pub started: Millis,
    /// When it last did something.
    pub updated: Millis,
}

/// Follows the records of a run as they come.
#[derive(Default)]
pub(super) struct Standings {
    begun: Option<Begun>,
}

struct Begun {
    /// Whose records these are by now: a run that went off from another begins with the other's.
    run: RunId,
    origin: Origin,
    started: Millis,
    at: Millis,
    table: TableText,
    way: Way,
    purse: Purse,
    reserved: Reserved,
    status: Status,
    /// What it waits for, by key.
    open: BTreeSet<Key>,
}

fn damaged(what: impl Into<String>) -> ParcelError {
    ParcelError::Damaged(what.into())
}

impl Standings {
    /// Follows one more record.
    pub fn take(
        &mut self,
        label: &Label,
        record: &Chained,
        tables: &BTreeMap<Hash, (String, TableText)>,
    ) -> Result<(), ParcelError> {
        let n = record.n;
        let body = record.open().map_err(|error| {
            record.unknown_kind().map_or_else(
                || damaged(format!("record {n} of run {} cannot be read: {error}", label.run)),
                |kind| ParcelError::Newer { what: format!("record {n} is of the unknown kind `{kind}`") },
            )
        })?;
        let table = |hash: &Hash| {
            let known = tables.get(hash).map(|(_, table)| table.clone());
            known.ok_or_else(|| damaged(format!("the table {} is not in it", hash.short())))
        };
        match (&mut self.begun, &body.body) {
            (begun @ None, Body::Started(started)) => {
                *begun = Some(Begun::of(label, started, record.at, table(&started.table)?)?);
                Ok(())
            }
            (None, _) | (Some(_), Body::Started(_)) => {
                Err(damaged(format!("record {n} of run {} is not where it belongs", label.run)))
            }
            (Some(begun), body_of) => {
                if let Body::Migrated(migrated) = body_of {
                    begun.table = table(&migrated.table)?;
                }
                begun.follow(&body)
            }
        }
    }

    /// What the list of runs says, once all of them have come.
    pub fn finish(self, label: &Label, records: &[Chained]) -> Result<RestsAt, ParcelError> {
        let last = records.last().map_or((0, Hash::ZERO), |last| (last.n, last.hash));
        let Some(begun) = self.begun.filter(|_| last == (label.records, label.head)) else {
            return Err(damaged(format!("run {} does not have the records its label says", label.run)));
        };
        if begun.run != label.run {
            return Err(damaged(format!("the records of run {} are those of run {}", label.run, begun.run)));
        }
        if let Origin::Child { run, .. } = &begun.origin
            && label.parent.as_ref() != Some(run)
        {
            return Err(damaged(format!(
                "run {} belongs to run {run}, which its label does not say",
                label.run
            )));
        }
        let Begun { started, at, way, purse, status, open, table, .. } = begun;
        let state = way.state().to_owned();
        let kind = table.states.iter().find(|known| known.name == state).map(|known| known.kind);
        let status = match (kind, status) {
            (Some(Kind::Ends(outcome)), _) => Status::Finished(outcome),
            (_, Status::Running) if !open.is_empty() => Status::Waiting,
            (_, status) => status,
        };
        Ok(RestsAt { state, status, spent: purse.spent, started, updated: at })
    }
}

impl Begun {
    fn of(label: &Label, started: &Started, at: Millis, table: TableText) -> Result<Self, ParcelError> {
        if started.format > FORMAT {
            let what = format!("records of format {}; this one knows up to {FORMAT}", started.format);
            return Err(ParcelError::Newer { what });
        }
        if (&started.workflow, &started.title) != (&label.workflow, &label.title)
            || table.workflow != label.workflow
        {
            return Err(damaged(format!("the label of run {} is not that of its first record", label.run)));
        }
        Ok(Self {
            run: started.run.clone(),
            origin: started.origin.clone(),
            started: at,
            at,
            way: Way::from(&table.start),
            table,
            purse: Purse::default(),
            reserved: Reserved::default(),
            status: Status::Running,
            open: BTreeSet::new(),
        })
    }

    fn follow(&mut self, record: &Record) -> Result<(), ParcelError> {
        self.reserved.note(&mut self.purse, record, self.at);
        self.at = self.at.max(record.at);
        if let Body::Event(happened) = &record.body
            && (happened.from != self.way.state() || !self.knows(&happened.to))
        {
            let (n, from, to) = (record.n, &happened.from, &happened.to);
            return Err(damaged(format!(
                "record {n} leads from {from} to {to}, which its table does not have there"
            )));
        }
        self.way.follow(record.n, &record.body);
        match &record.body {
            Body::Forked(forked) => {
                (self.run, self.origin) = (forked.run.clone(), Origin::Fresh);
                self.status = Status::Running;
                self.open.clear();
            }
            Body::Stopped(stopped) => self.status = Status::Stopped(stopped.reason),
            Body::Resumed(_) => self.status = Status::Running,
            Body::Rewound(_) | Body::Changed(_) => {
                self.status = Status::Running;
                self.open.clear();
            }
            Body::Migrated(_) => self.open.clear(),
            Body::Asked(asked) => self.open_up(&asked.key),
            Body::Timer(timer) => self.open_up(&timer.key),
            Body::Child(begun) => self.open_up(&begun.key),
            Body::Answered(answered) => self.close(&answered.key),
            Body::Expired(closed) | Body::Fired(closed) | Body::Abandoned(closed) => self.close(&closed.key),
            Body::ChildEnded(ended) => self.close(&ended.key),
            _ => {}
        }
        Ok(())
    }

    fn knows(&self, state: &str) -> bool {
        self.table.states.iter().any(|known| known.name == state)
    }

    fn open_up(&mut self, key: &Key) {
        self.open.insert(key.clone());
    }

    fn close(&mut self, key: &Key) {
        self.open.remove(key);
    }
}
