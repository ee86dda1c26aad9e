//! The fold: where a run stands after each of its records. Running and replaying both go through here.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use baton_machine::{Position, Recorded, Refused, Target, Word, advance, describe, follow};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::open::OpenStep;
use super::payload::{Blobs, Vault, unwrap, wrap};
use super::reserved::Reserved;
use super::{DriveError, Outline, Stretch};
use crate::cx::lock;
use crate::points::Landmarks;
use crate::record::{
    Body, Chained, Change, Forked, Happened, Origin, Record, Rewound, Settings, Started, Step, table_hash,
};
use crate::{Hash, Key, Limits, Millis, Purse, RunId, Short, Status, Work};

/// A run as its journal tells it.
pub struct Head<W: Work> {
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
    /// The run that began it all, if it went off from another.
    pub root: RunId,
    /// The run it went off from, and the last record they share.
    pub forked: Option<(RunId, u64)>,
    /// How often each state was entered.
    pub entries: BTreeMap<String, u32>,
    /// How deep it is nested: 0 unless a node of another run began it.
    pub depth: u32,
    /// What whoever looks for one of its points has to know of.
    landmarks: Landmarks,
    /// Where it stood after records that it may be taken back to.
    pub(super) marks: BTreeMap<u64, Mark<W>>,
    /// What calls in flight and children have reserved.
    reserved: Reserved,
}

/// What a run that is taken back gets back.
#[derive(Clone)]
pub struct Mark<W: Work> {
    position: Position<W>,
    memory: W::Memory,
    entries: BTreeMap<String, u32>,
}

/// The fold at the beginning of a visit, as a snapshot keeps it.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct Kept<W: Work> {
    run: RunId,
    at: Millis,
    position: Position<W>,
    memory: W::Memory,
    purse: Purse,
    settings: Settings,
    table: Hash,
    code: u32,
    root: RunId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    forked: Option<(RunId, u64)>,
    entries: BTreeMap<String, u32>,
    #[serde(default)]
    depth: u32,
    #[serde(default)]
    landmarks: Landmarks,
}

impl<W: Work> Head<W> {
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
            root: started.run.clone(),
            forked: None,
            entries: BTreeMap::from([(W::START.name().to_owned(), 1)]),
            depth: match &started.origin {
                Origin::Fresh => 0,
                Origin::Child { depth, .. } => *depth,
            },
            landmarks: Landmarks::from(W::START.name()),
            marks: BTreeMap::new(),
            reserved: Reserved::default(),
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
            root: kept.root,
            forked: kept.forked,
            entries: kept.entries,
            depth: kept.depth,
            landmarks: kept.landmarks,
            marks: BTreeMap::new(),
            reserved: Reserved::default(),
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
            root: self.root.clone(),
            forked: self.forked.clone(),
            entries: self.entries.clone(),
            depth: self.depth,
            landmarks: self.landmarks.clone(),
        };
        serde_json::to_string(&kept).map_err(|error| DriveError::Unstorable(error.to_string()))
    }

    /// The run apart from what it has learnt.
    pub fn outline(&self) -> Outline {
        Outline {
            at: self.at,
            state: self.position.state.name().to_owned(),
            visit: self.position.visit,
            purse: self.purse.clone(),
            settings: self.settings.clone(),
            table: self.table,
            code: self.code,
            landmarks: self.landmarks.clone(),
        }
    }

    /// What it has learnt.
    pub fn into_memory(self) -> W::Memory {
        match Arc::try_unwrap(self.memory) {
            Ok(memory) => memory.into_inner().unwrap_or_else(PoisonError::into_inner),
            Err(shared) => lock(&shared).clone(),
        }
    }

    /// Whether this build can drive it: the table and the code are those it is pinned to.
    pub fn is_ours(&self) -> Result<(), DriveError> {
        Self::fits_here(self.table, self.code)
    }

    /// Whether a run that is pinned to these can be driven by this build.
    pub(crate) fn fits_here(table: Hash, code: u32) -> Result<(), DriveError> {
        same_version::<W>((table, code), table_hash(&describe(W::TABLE)))
    }

    /// The same, given the hash of this build's table.
    pub(super) fn fits(&self, table: Hash) -> Result<(), DriveError> {
        same_version::<W>((self.table, self.code), table)
    }

    /// Folds a stored record. One that does not fit, of a run that is pinned to something else, only says that.
    pub(super) fn fold_ours(&mut self, stretch: &Stretch, vault: &dyn Vault) -> Result<(), DriveError> {
        self.fold(stretch, vault).map_err(|error| match error {
            DriveError::Unfit { .. } => self.is_ours().err().unwrap_or(error),
            error => error,
        })
    }

    /// Changes what the workflow lets be changed.
    pub fn change(&mut self, change: &Change) -> Result<(), String> {
        W::change(&mut lock(&self.memory), change)
    }

    /// Folds a stored record.
    pub fn fold(&mut self, stretch: &Stretch, vault: &dyn Vault) -> Result<(), DriveError> {
        let record = &stretch.record;
        if let Body::Event(happened) = &record.body {
            self.follow(record.n, happened, vault)?;
        } else {
            self.account(record)?;
        }
        self.landmarks.note(record);
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
            self.account(&record)?;
        }
        self.landmarks.note(&record);
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
        self.enter(step);
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
            .map_err(|mismatch| DriveError::Unfit { n, what: mismatch.what })?;
        self.enter(happened.step);
        Ok(())
    }

    /// Counts the state that was entered, if one was.
    fn enter(&mut self, step: Step) {
        if step == Step::Visit {
            *self.entries.entry(self.position.state.name().to_owned()).or_insert(0) += 1;
        }
    }

    /// How often the present state has been entered.
    pub fn entry(&self) -> u32 {
        self.entries.get(self.position.state.name()).copied().unwrap_or(0)
    }

    /// What taking the run back to here would give back.
    pub fn mark(&self) -> Mark<W> {
        let memory = lock(&self.memory).clone();
        Mark { position: self.position.clone(), memory, entries: self.entries.clone() }
    }

    /// What a record does to purse, settings and status, and to the way of the run.
    fn account(&mut self, record: &Record) -> Result<(), DriveError> {
        self.reserved.note(&mut self.purse, record, self.at);
        match &record.body {
            Body::Setting(setting) => self.settings = setting.settings.clone(),
            Body::Stopped(stopped) => self.status = Status::Stopped(stopped.reason),
            Body::Resumed(_) => self.status = Status::Running,
            Body::Changed(changed) => {
                changed.changes.iter().try_for_each(|change| self.change(change)).map_err(unfit(record.n))?;
                self.position.visit += 1;
                self.status = Status::Running;
            }
            Body::Migrated(migrated) => {
                (self.table, self.code) = (migrated.table, migrated.code);
                self.position.visit += 1;
            }
            Body::Forked(forked) => self.go_off(record.n, forked)?,
            Body::Rewound(rewound) => self.turn_back(record.n, rewound)?,
            _ => {}
        }
        Ok(())
    }

    /// The run is another from here on: it has spent nothing, and what was changed is changed.
    fn go_off(&mut self, n: u64, forked: &Forked) -> Result<(), DriveError> {
        self.run = forked.run.clone();
        self.forked = Some((forked.from.clone(), n - 1));
        self.settings = forked.settings.clone();
        self.status = Status::Running;
        forked.changes.iter().try_for_each(|change| self.change(change)).map_err(unfit(n))
    }

    /// The run stands where it stood. Visits are counted on, so that no step or question is taken for one of those
    /// that were taken back; what was spent stays spent.
    fn turn_back(&mut self, n: u64, rewound: &Rewound) -> Result<(), DriveError> {
        let to = rewound.to;
        let unmarked = || unfit(n)(format!("it goes back to record {to}, which was not folded"));
        let Mark { position, memory, entries } = self.marks.get(&to).cloned().ok_or_else(unmarked)?;
        self.position = Position { visit: self.position.visit + 1, ..position };
        *lock(&self.memory) = memory;
        self.entries = entries;
        self.status = Status::Running;
        Ok(())
    }

    /// Children that are not over.
    pub fn open_children(&self) -> impl Iterator<Item = &Key> {
        self.reserved.children()
    }

    /// Steps whose intent has no receipt.
    pub(super) fn flying(&self) -> impl Iterator<Item = &Key> {
        self.reserved.calls()
    }

    /// Whether the budgets allow one more attempt at a step.
    pub(super) fn room(&self, step: &OpenStep) -> Result<(), Short> {
        fits(&self.purse, &self.settings.limits, step)
    }

    /// The same if every call in flight turned out to cost nothing.
    pub(super) fn room_at_best(&self, step: &OpenStep) -> Result<(), Short> {
        let mut purse = self.purse.clone();
        self.reserved.give_back(&mut purse);
        fits(&purse, &self.settings.limits, step)
    }
}

fn same_version<W: Work>(pinned: (Hash, u32), table: Hash) -> Result<(), DriveError> {
    if pinned.0 != table {
        let (was, is) = (pinned.0.short(), table.short());
        return Err(DriveError::Changed { what: "table".to_owned(), was, is });
    }
    if pinned.1 != W::CODE_VERSION {
        let (was, is) = (pinned.1.to_string(), W::CODE_VERSION.to_string());
        return Err(DriveError::Changed { what: "node code version".to_owned(), was, is });
    }
    Ok(())
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

fn unfit(n: u64) -> impl Fn(String) -> DriveError {
    move |what| DriveError::Unfit { n, what }
}

fn parse<T: serde::de::DeserializeOwned>(n: u64, value: Value) -> Result<T, DriveError> {
    serde_json::from_value(value).map_err(|error| DriveError::Unfit { n, what: error.to_string() })
}
