//! Taking an unfinished run over to another table: which of its names and rows are called what there, and the proof that
//! its records still lead where they led.
//!
//! Stored records are never changed. A `migrated` record says how those before it are to be read, and everybody who
//! reads a run's events reads them through [`translate`].

mod mapping;
mod plan;

use std::collections::BTreeMap;

use serde_json::Value;

pub use mapping::{BadMapping, Mapping};
pub use plan::{Plan, Verdict, pinned};
pub(crate) use plan::{Prospect, Subject, plan};

use crate::Record;
use crate::driver::{DriveError, Vault, unwrap};
use crate::record::{Body, Chained, Happened, Migrated, Payload};

/// Opens records and reads their events by the newest names. What cannot be read is left out.
pub fn open_all(chained: &[Chained], vault: &dyn Vault) -> Vec<Record> {
    let mut records: Vec<Record> = chained.iter().filter_map(|chained| chained.open().ok()).collect();
    // An event that cannot be had stays as it is recorded.
    let _ = translate(&mut records.iter_mut().collect::<Vec<_>>(), None, vault);
    records
}

/// Has events say what they are called after the migrations behind them, and after one that is still to come.
pub(crate) fn translate(
    records: &mut [&mut Record],
    coming: Option<&Migrated>,
    vault: &dyn Vault,
) -> Result<(), DriveError> {
    let mut behind: Vec<Migrated> = coming.cloned().into_iter().collect();
    for record in records.iter_mut().rev() {
        match &mut record.body {
            Body::Migrated(migrated) => behind.insert(0, (**migrated).clone()),
            Body::Event(happened) => {
                for migrated in &behind {
                    rename(happened, migrated, vault)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn rename(happened: &mut Happened, migrated: &Migrated, vault: &dyn Vault) -> Result<(), DriveError> {
    let Happened { from, row, to, event, .. } = happened;
    if let Some(moved) = migrated.rows.iter().find(|moved| (&moved.from, moved.row) == (from, *row)) {
        *row = moved.is;
    }
    for state in [from, to] {
        if let Some(now) = migrated.states.get(state) {
            state.clone_from(now);
        }
    }
    if !migrated.events.is_empty() {
        let value = unwrap(event, vault)?;
        if let Some(now) = renamed(&value, &migrated.events) {
            *event = Payload::Inline(now);
        }
    }
    Ok(())
}

/// The name of a stored event: alone, or with its data.
fn event_name(value: &Value) -> Option<&str> {
    match value {
        Value::String(name) => Some(name),
        Value::Object(fields) if fields.len() == 1 => fields.keys().next().map(String::as_str),
        _ => None,
    }
}

/// The same event under its new name, if it has one.
fn renamed(value: &Value, names: &BTreeMap<String, String>) -> Option<Value> {
    let now = names.get(event_name(value)?)?.clone();
    Some(match value {
        Value::Object(fields) => {
            let data = fields.values().next().cloned().unwrap_or_default();
            Value::Object(serde_json::Map::from_iter([(now, data)]))
        }
        _ => Value::String(now),
    })
}
