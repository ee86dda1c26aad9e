//! Whether a run can be taken over, and what would be recorded.

use std::collections::BTreeSet;

use baton_machine::{RowText, TableText, describe};
use serde::Serialize;

use super::{Mapping, event_name, translate};
use crate::driver::{Vault, load_coming, unwrap};
use crate::record::{Body, Chained, Migrated, RowMoved, table_hash};
use crate::{Hash, Millis, Record, RunId, Work};

/// What can be said of a run that is not finished.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// The run.
    pub run: RunId,
    /// Its workflow.
    pub workflow: String,
    /// Where it stands.
    pub state: String,
    /// The table it is pinned to, and that of this build.
    pub tables: (Hash, Hash),
    /// The node code it is pinned to, and that of this build.
    pub code: (u32, u32),
    /// What can be done.
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// What can be done with a run under another table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// It is pinned to what this build has.
    Current,
    /// Its records lead where they led: all of them were followed.
    Compatible {
        /// How many records.
        records: u64,
        /// How many of its rows stand elsewhere.
        rows: usize,
    },
    /// It names what the new table does not have.
    NeedsMapping {
        /// States that are gone.
        states: Vec<String>,
        /// Events that are gone.
        events: Vec<String>,
        /// States that are new.
        new_states: Vec<String>,
        /// Events that are new.
        new_events: Vec<String>,
    },
    /// It cannot be taken over.
    Blocked {
        /// Why.
        why: String,
    },
}

/// A plan, and the record that would carry it out.
pub struct Prospect {
    /// The plan.
    pub plan: Plan,
    /// The record.
    pub record: Option<Migrated>,
}

/// A run to be looked at.
pub struct Subject<'a> {
    /// The run.
    pub run: &'a RunId,
    /// Its records, from the first on.
    pub chained: &'a [Chained],
    /// The table it is pinned to, if that is stored.
    pub old: Option<TableText>,
    /// Who would do it, and when.
    pub by: (&'a str, Millis),
}

/// What a run is pinned to.
pub fn pinned(chained: &[Chained]) -> Option<(Hash, u32)> {
    let told = |chained: &Chained| {
        // Few records can say it; the others are not even read.
        let may = chained.n == 1 || chained.text.starts_with("{\"migrated\"");
        match may.then(|| chained.open().ok()).flatten()?.body {
            Body::Started(started) => Some((started.table, started.code)),
            Body::Migrated(migrated) => Some((migrated.table, migrated.code)),
            _ => None,
        }
    };
    chained.iter().rev().find_map(told)
}

/// Says what can be done with a run under the table of `W`.
pub fn plan<W: Work>(subject: &Subject<'_>, mapping: &Mapping, vault: &dyn Vault) -> Prospect {
    let new = describe(W::TABLE);
    let here = (table_hash(&new), W::CODE_VERSION);
    let was = pinned(subject.chained).unwrap_or((Hash::ZERO, 0));
    let prospect = |state: &str, verdict, record| {
        let plan = Plan {
            run: subject.run.clone(),
            workflow: W::NAME.to_owned(),
            state: state.to_owned(),
            tables: (was.0, here.0),
            code: (was.1, here.1),
            verdict,
        };
        Prospect { plan, record }
    };
    let blocked = |state: &str, why: String| prospect(state, Verdict::Blocked { why }, None);
    let mut records = Vec::with_capacity(subject.chained.len());
    for chained in subject.chained {
        match (chained.open(), chained.unknown_kind()) {
            (Ok(record), _) => records.push(record),
            (Err(_), Some(kind)) => {
                return blocked(
                    "",
                    format!("record {} is of the kind `{kind}`: a newer Baton wrote it", chained.n),
                );
            }
            (Err(error), None) => {
                return blocked("", format!("record {} cannot be read: {error}", chained.n));
            }
        }
    }
    if let Err(error) = translate(&mut records.iter_mut().collect::<Vec<_>>(), None, vault) {
        return blocked("", error.to_string());
    }
    let state = state_of(&records, subject.old.as_ref().map_or(&new, |old| old));
    if was == here {
        return prospect(&state, Verdict::Current, None);
    }
    let Some(old) = &subject.old else {
        return blocked(&state, format!("its table {} is not stored in this home", was.0.short()));
    };
    if let Err(bad) = mapping.fits(subject.run.as_str(), old, &new) {
        return blocked(&state, bad.to_string());
    }
    let names = match Names::of(&records, &state, mapping, vault) {
        Ok(names) => names,
        Err(why) => return blocked(&state, why),
    };
    if let Some(needs) = names.missing_in(old, &new) {
        return prospect(&state, needs, None);
    }
    let rows = match matched(&records, (old, &new), mapping) {
        Ok(rows) => rows,
        Err(why) => return blocked(&state, why),
    };
    let record = Migrated {
        table: here.0,
        code: here.1,
        states: mapping.states.clone(),
        events: mapping.events.clone(),
        rows,
        by: subject.by.0.to_owned(),
    };
    // The proof: everything it has recorded is followed under the new table, and this record behind it.
    match load_coming::<W>(subject.chained, vault, &record).and_then(|loaded| loaded.into_present(vault)) {
        Ok(head)
            if describe(W::TABLE)
                .states
                .iter()
                .all(|known| known.name != mapped(&mapping.states, &state)) =>
        {
            drop(head);
            blocked(&state, format!("there is no state {state} any more"))
        }
        Ok(_) => {
            let verdict =
                Verdict::Compatible { records: subject.chained.len() as u64, rows: record.rows.len() };
            prospect(&state, verdict, Some(record))
        }
        Err(error) => blocked(&state, error.to_string()),
    }
}

/// Where the run stands, by the names it was recorded with.
fn state_of(records: &[Record], table: &TableText) -> String {
    let mut way = crate::points::Way::from(&table.start);
    for record in records {
        way.follow(record.n, &record.body);
    }
    way.state().to_owned()
}

fn mapped<'a>(names: &'a std::collections::BTreeMap<String, String>, name: &'a str) -> &'a str {
    names.get(name).map_or(name, String::as_str)
}

/// The names a run's records use, as they are called now.
struct Names {
    states: BTreeSet<String>,
    events: BTreeSet<String>,
}

impl Names {
    fn of(records: &[Record], state: &str, mapping: &Mapping, vault: &dyn Vault) -> Result<Self, String> {
        let mut names = Self { states: BTreeSet::new(), events: BTreeSet::new() };
        names.states.insert(mapped(&mapping.states, state).to_owned());
        for record in records {
            let Body::Event(happened) = &record.body else { continue };
            for state in [&happened.from, &happened.to] {
                names.states.insert(mapped(&mapping.states, state).to_owned());
            }
            let event = unwrap(&happened.event, vault).map_err(|error| error.to_string())?;
            let name = event_name(&event).ok_or_else(|| format!("record {} holds no event", record.n))?;
            names.events.insert(mapped(&mapping.events, name).to_owned());
        }
        Ok(names)
    }

    fn missing_in(self, old: &TableText, new: &TableText) -> Option<Verdict> {
        let states: BTreeSet<String> = new.states.iter().map(|state| state.name.clone()).collect();
        let events: BTreeSet<String> = new.events.iter().cloned().collect();
        let gone: Vec<String> = self.states.difference(&states).cloned().collect();
        let gone_events: Vec<String> = self.events.difference(&events).cloned().collect();
        if gone.is_empty() && gone_events.is_empty() {
            return None;
        }
        let before: BTreeSet<String> = old.states.iter().map(|state| state.name.clone()).collect();
        let before_events: BTreeSet<String> = old.events.iter().cloned().collect();
        Some(Verdict::NeedsMapping {
            states: gone,
            events: gone_events,
            new_states: states.difference(&before).cloned().collect(),
            new_events: events.difference(&before_events).cloned().collect(),
        })
    }
}

/// Where the rows that records name stand in the new table: the first with the same state, event, guard and target.
fn matched(
    records: &[Record],
    (old, new): (&TableText, &TableText),
    mapping: &Mapping,
) -> Result<Vec<RowMoved>, String> {
    let mut moved: Vec<RowMoved> = Vec::new();
    let mut seen = BTreeSet::new();
    for record in records {
        let Body::Event(happened) = &record.body else { continue };
        if !seen.insert((happened.from.clone(), happened.row)) {
            continue;
        }
        let Some(row) = old.rows.get(happened.row) else {
            return Err(format!(
                "record {} names row {}, which its table does not have",
                record.n, happened.row
            ));
        };
        let from = mapped(&mapping.states, &happened.from);
        let same = |now: &RowText| {
            now.covers(from)
                && now.on == mapped(&mapping.events, &row.on)
                && now.guard == row.guard
                && now.to == row.target().map_or(row.to.as_str(), |to| mapped(&mapping.states, to))
        };
        let Some(is) = new.rows.iter().position(same) else {
            return Err(format!(
                "record {} went by `{}`, and there is no such row from {from} any more",
                record.n,
                row.line()
            ));
        };
        if is != happened.row {
            moved.push(RowMoved { from: happened.from.clone(), row: happened.row, is });
        }
    }
    Ok(moved)
}
