//! What a journal holds: records, each hashed over the one before it in its run.
//!
//! A record is what happened, never what it means; meaning is the fold in [`crate::driver`]. Formats are
//! stored forever: a change here needs a new [`FORMAT`] and a golden journal of the old one.

mod bodies;
mod children;
mod started;
mod turns;

use baton_machine::TableText;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

pub use bodies::*;
pub use children::{ChildBegun, ChildEnded, ChildRaised};
pub use started::{Origin, Settings, Started};
pub use turns::{Change, Changed, Checkpoint, Forked, LeftEffect, Migrated, Reused, Rewound, RowMoved};

use crate::{Hash, Millis};

/// The version of the record format written by this build.
pub const FORMAT: u32 = 1;

/// Payloads longer than this go to the blob folder.
pub const INLINE_LIMIT: usize = 16 * 1024;

/// One record with its place in the run.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its number in the run, from 1.
    pub n: u64,
    /// The journaled time of the last completion before it.
    pub at: Millis,
    /// What happened.
    pub body: Body,
}

/// A record as it is stored: the exact bytes, and their place in the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chained {
    /// Its number in the run.
    pub n: u64,
    /// Its time.
    pub at: Millis,
    /// The body as JSON.
    pub text: String,
    /// The hash over the one before it, and this.
    pub hash: Hash,
}

impl Chained {
    /// Puts a record behind the one with hash `previous`.
    pub fn after(previous: Hash, record: &Record) -> Result<Self, serde_json::Error> {
        let text = serde_json::to_string(&record.body)?;
        let hash = link(previous, record.n, record.at, &text);
        Ok(Self { n: record.n, at: record.at, text, hash })
    }

    /// Whether it follows on from `previous` undamaged.
    pub fn follows(&self, previous: Hash) -> bool {
        link(previous, self.n, self.at, &self.text) == self.hash
    }

    /// The long payload it names. Few records name one, and only those are read for it.
    pub fn long_payload(&self) -> Option<Hash> {
        let may = self.text.contains(r#"{"blob":""#);
        may.then(|| self.open().ok()?.body.long_payload().copied()).flatten()
    }

    /// The kind of a record that cannot be read, if it is one that this build does not know: a newer one wrote it.
    pub fn unknown_kind(&self) -> Option<String> {
        let body: serde_json::Map<String, Value> = serde_json::from_str(&self.text).ok()?;
        let kind = body.keys().next().filter(|_| body.len() == 1)?;
        let bare = serde_json::json!({ kind: null });
        // A known kind without its content is told apart by what serde says of it.
        let told = serde_json::from_value::<Body>(bare).err()?.to_string();
        told.starts_with("unknown variant").then(|| kind.clone())
    }

    /// The record in it.
    pub fn open(&self) -> Result<Record, serde_json::Error> {
        Ok(Record { n: self.n, at: self.at, body: serde_json::from_str(&self.text)? })
    }
}

fn link(previous: Hash, n: u64, at: Millis, text: &str) -> Hash {
    let mut hasher = Sha256::new();
    hasher.update(previous.0);
    hasher.update(n.to_be_bytes());
    hasher.update(at.0.to_be_bytes());
    hasher.update(text.as_bytes());
    Hash(hasher.finalize().into())
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// The run began.
    Started(Box<Started>),
    /// A row of the table was taken.
    Event(Happened),
    /// An event came that no row takes.
    Refused(Refusal),
    /// A call is about to be made.
    Intent(Intent),
    /// A call came back.
    Receipt(Receipt),
    /// A call was not made, because a limit would have been crossed.
    Denied(Denied),
    /// A crash hid what a call did.
    Unknown(Unknown),
    /// Looking after a crash found that the call did not happen, or could not tell.
    Looked(Looked),
    /// A node no longer waits for this; a reservation stays charged.
    Abandoned(Closed),
    /// A wait began.
    Timer(Timer),
    /// A wait ended.
    Fired(Closed),
    /// A person was asked.
    Asked(Asked),
    /// A person answered.
    Answered(Answered),
    /// A question's deadline passed.
    Expired(Closed),
    /// The run was stopped in its state.
    Stopped(Stopped),
    /// Somebody made the run go on.
    Resumed(Resumed),
    /// A frozen setting was changed by a person.
    Setting(Setting),
    /// Words for the reader of the log.
    Note(Note),
    /// A run went off from another.
    Forked(Box<Forked>),
    /// A part of the run was taken back.
    Rewound(Rewound),
    /// The beginning of the present visit was given a name.
    Checkpoint(Checkpoint),
    /// A child run was begun.
    Child(Box<ChildBegun>),
    /// A child run is over.
    ChildEnded(ChildEnded),
    /// A child run may spend more.
    ChildRaised(ChildRaised),
    /// A person changed something the workflow lets be changed.
    Changed(Changed),
    /// The run goes on with another table.
    Migrated(Box<Migrated>),
}

/// A value, or where it is kept if it is long.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Payload {
    /// The value itself.
    #[serde(rename = "is")]
    Inline(Value),
    /// The hash of its JSON text in the blob folder.
    #[serde(rename = "blob")]
    Blob(Hash),
}

impl Payload {
    /// The hash of the value's JSON text.
    pub fn hash(&self) -> Hash {
        match self {
            Self::Inline(value) => Hash::of(value.to_string().as_bytes()),
            Self::Blob(hash) => *hash,
        }
    }
}

impl Body {
    /// Whether node code (or the driver, following from it) made this record; the rest is what the world did.
    pub fn made_by_node(&self) -> bool {
        match self {
            Self::Event(_)
            | Self::Intent(_)
            | Self::Denied(_)
            | Self::Timer(_)
            | Self::Asked(_)
            | Self::Abandoned(_)
            | Self::Child(_) => true,
            Self::Checkpoint(checkpoint) => checkpoint.by.is_none(),
            Self::Started(_)
            | Self::Refused(_)
            | Self::Receipt(_)
            | Self::Unknown(_)
            | Self::Looked(_)
            | Self::Fired(_)
            | Self::Answered(_)
            | Self::Expired(_)
            | Self::Stopped(_)
            | Self::Resumed(_)
            | Self::Setting(_)
            | Self::Note(_)
            | Self::Forked(_)
            | Self::Rewound(_)
            | Self::ChildEnded(_)
            | Self::ChildRaised(_)
            | Self::Changed(_)
            | Self::Migrated(_) => false,
        }
    }

    /// The long payload it names, if it has one.
    pub fn long_payload(&self) -> Option<&Hash> {
        let payload = match self {
            Self::Started(started) => &started.input,
            Self::Event(happened) => &happened.event,
            Self::Refused(refusal) => &refusal.event,
            Self::Intent(intent) => &intent.input,
            Self::Receipt(receipt) => receipt.out.as_ref().ok()?,
            Self::Answered(answered) => &answered.answer,
            Self::Child(begun) => &begun.input,
            Self::ChildEnded(ended) => ended.end.as_ref().ok()?,
            _ => return None,
        };
        match payload {
            Payload::Blob(hash) => Some(hash),
            Payload::Inline(_) => None,
        }
    }

    /// The kind of record, for lists.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Started(_) => "started",
            Self::Event(_) => "event",
            Self::Refused(_) => "refused",
            Self::Intent(_) => "intent",
            Self::Receipt(_) => "receipt",
            Self::Denied(_) => "denied",
            Self::Unknown(_) => "unknown",
            Self::Looked(_) => "looked",
            Self::Abandoned(_) => "abandoned",
            Self::Timer(_) => "timer",
            Self::Fired(_) => "fired",
            Self::Asked(_) => "asked",
            Self::Answered(_) => "answered",
            Self::Expired(_) => "expired",
            Self::Stopped(_) => "stopped",
            Self::Resumed(_) => "resumed",
            Self::Setting(_) => "setting",
            Self::Note(_) => "note",
            Self::Forked(_) => "forked",
            Self::Rewound(_) => "rewound",
            Self::Checkpoint(_) => "checkpoint",
            Self::Child(_) => "child",
            Self::ChildEnded(_) => "child_ended",
            Self::ChildRaised(_) => "child_raised",
            Self::Changed(_) => "changed",
            Self::Migrated(_) => "migrated",
        }
    }
}

/// The content hash under which a table is stored and pinned.
pub fn table_hash(table: &TableText) -> Hash {
    // A table is plain strings and numbers: writing it to memory cannot fail, and an empty text would match nothing.
    Hash::of(serde_json::to_string(table).unwrap_or_default().as_bytes())
}
