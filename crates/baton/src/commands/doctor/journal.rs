//! What stands inside the home: the file, every chain of records, long payloads, locks.

use baton_engine::RunId;
use baton_engine::driver::Vault;
use baton_engine::store::{Damage, Loss, Store};
use serde::Serialize;

use super::Check;
use crate::program::Program;
use crate::standing::Standing;
use crate::text::{bytes, count};
use crate::trouble::Trouble;

/// A run whose records are not what they were.
#[derive(Debug, Serialize)]
pub struct RunDamage {
    run: RunId,
    record: u64,
    what: String,
    /// Whether nothing whole stands behind it, so that the run can be rolled back to the record before.
    is_last: bool,
    /// What was durable once and is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<Loss>,
}

impl From<Loss> for RunDamage {
    fn from(loss: Loss) -> Self {
        let (run, record, what) = (loss.run.clone(), loss.kept + 1, loss.to_string());
        Self { run, record, what, is_last: false, lost: Some(loss) }
    }
}

impl RunDamage {
    /// In words.
    pub fn words(&self) -> String {
        let Self { run, record, what, is_last, lost } = self;
        if lost.is_some() {
            return format!(
                "{what}; restore the home from a copy, or go on from what there is with `baton doctor --accept-loss {run}`"
            );
        }
        let then = if *is_last {
            format!("`baton resume {run}` goes on from record {}", record.saturating_sub(1))
        } else {
            "records after it are whole, so the run stays as it is: restore the home from a copy".to_owned()
        };
        format!("run {run}, record {record}: {what}; {then}")
    }
}

/// How the file is kept.
pub fn keeping(store: &Store) -> Check {
    const RESTORE: &str = "restore the home from a copy; the records below say which runs are whole";
    let keeping = match store.keeping() {
        Ok(keeping) => keeping,
        Err(error) => return Check::bad("journal", error.to_string(), RESTORE),
    };
    let what = format!(
        "SQLite {}, journal_mode {}, synchronous {}, format {}, {}",
        keeping.sqlite,
        keeping.journal_mode,
        keeping.synchronous,
        keeping.format,
        bytes(keeping.bytes)
    );
    if !keeping.damage.is_empty() {
        return Check::bad(
            "journal",
            format!("{what}; SQLite finds: {}", keeping.damage.join("; ")),
            RESTORE,
        );
    }
    Check::good("journal", what)
}

/// The first damage of every run.
pub fn damage(store: &Store) -> Result<Vec<RunDamage>, Trouble> {
    let mut found = Vec::new();
    for row in store.runs(None)? {
        let verified = store.verify(&row.name)?;
        if let Some(loss) = verified.loss {
            found.push(RunDamage::from(loss));
            continue;
        }
        let damage = verified.damage.or_else(|| lost_payload(store, &row.name));
        found.extend(damage.map(|Damage { n, what, is_last }| RunDamage {
            run: row.name,
            record: n,
            what,
            is_last,
            lost: None,
        }));
    }
    found.extend(store.lost_runs()?.into_iter().map(RunDamage::from));
    Ok(found)
}

/// A record of a whole chain that names a payload which is gone or changed.
fn lost_payload(store: &Store, run: &RunId) -> Option<Damage> {
    let records = store.records(run, 1).ok()?;
    records.iter().find_map(|chained| {
        let record = match chained.open() {
            Ok(record) => record,
            Err(error) => {
                return Some(Damage {
                    n: chained.n,
                    what: format!("it cannot be read: {error}"),
                    is_last: false,
                });
            }
        };
        let hash = record.body.long_payload()?;
        let error = store.blobs().fetch(hash).err()?;
        Some(Damage { n: record.n, what: error.to_string(), is_last: false })
    })
}

/// Whether every record is what it was.
pub fn chains(program: &Program, store: &Store, damage: &[RunDamage]) -> Result<Check, Trouble> {
    let rows = store.runs(None)?;
    let records: u64 = rows.iter().map(|row| row.records).sum();
    let what = format!("{} with {records} records", count(rows.len(), "run"));
    let unanchored: Vec<String> = store.unanchored()?.into_iter().map(String::from).collect();
    if damage.is_empty() && unanchored.is_empty() {
        return Ok(Check::good("records", format!("{what}, every hash fits and none is missing at the end")));
    }
    if damage.is_empty() {
        let what = format!(
            "{what}, every hash fits; whether any is missing at the end of {} cannot be told, because the anchor is damaged there",
            unanchored.join(", ")
        );
        return Ok(Check::bad("records", what, "`baton doctor --accept-loss all` writes the anchor anew"));
    }
    let names: Vec<&str> = damage.iter().map(|damage| damage.run.as_str()).collect();
    let next =
        format!("see below where; the others can be driven, for example {}", program.command("runs --all"));
    Ok(Check::bad("records", format!("{what}; damaged: {}", names.join(", ")), next))
}

/// Runs whose process is gone. Nothing is wrong with them.
pub fn interrupted(program: &Program, store: &Store) -> Result<Check, Trouble> {
    let rows = store.runs(None)?;
    let gone = rows.iter().filter(|row| Standing::of(row) == Standing::Interrupted);
    let gone: Vec<String> = gone.map(|row| program.command(&format!("resume {}", row.name))).collect();
    if gone.is_empty() {
        return Ok(Check::good("drivers", "no run was left behind by its process"));
    }
    let what = format!("{} left behind by a process that ended; nothing is lost", count(gone.len(), "run"));
    let next = gone.into_iter().take(5).collect::<Vec<_>>().join("; ");
    Ok(Check { next: Some(next), ..Check::good("drivers", what) })
}

/// Processes at work in this home, and what dead ones left.
pub fn locks(store: &Store) -> Check {
    let locks = match store.lock_files() {
        Ok(locks) => locks,
        Err(error) => return Check::bad("locks", error.to_string(), "look at the permissions of the home"),
    };
    let living = locks.iter().filter(|lock| lock.lives).count();
    let dead: Vec<&str> = locks.iter().filter(|lock| !lock.lives).map(|lock| lock.process.as_str()).collect();
    let what = format!(
        "{} at work here, this one included",
        count(living, "process").replace("processs", "processes")
    );
    if dead.is_empty() {
        return Check::good("locks", what);
    }
    Check::good("locks", format!("{what}; left by dead ones, and harmless: {}", dead.join(", ")))
}
