//! Taking in runs that were packed in another home: all of them in one transaction, as if they had been made here.

use rusqlite::Connection;

use super::anchor::{Name, Reached};
use super::batch::{QuestionChange, write_question};
use super::{Blobs, Store, named, question_change};
use crate::parcel::{Contents, Packed, ParcelError, Shelf, Sink};
use crate::record::Chained;
use crate::runs::RunsError;
use crate::{Hash, RunId, Spend};

impl Store {
    /// Keeps what a parcel holds beside its records.
    pub(crate) fn keeper<'a>(&'a self, shelf: &'a dyn Shelf) -> impl Sink + 'a {
        Keeper { blobs: self.blobs(), shelf }
    }

    /// Keeps a table by its hash, for runs that are taken over to it.
    pub(crate) fn keep_definition(&self, hash: Hash, text: String) -> Result<(), RunsError> {
        self.writer()?.run(move |connection| define(connection, &hash, &text))?;
        Ok(())
    }

    /// Takes in what a parcel holds; its long payloads are kept already.
    pub(crate) fn take_in(&self, contents: Contents) -> Result<(), RunsError> {
        let after = self.anchor().last_row()?;
        let names = contents.tally.runs.clone();
        let heads: Vec<(Name, u64, Hash, Spend)> = contents
            .runs
            .iter()
            .map(|Packed { label, rests, .. }| {
                (Name::from(&label.run), label.records, label.head, rests.spent)
            })
            .collect();
        let blobs = self.blobs().clone();
        let rows = self.writer()?.run(move |connection| insert(connection, &contents, after, &blobs))?;
        let Some(rows) = rows else {
            return Err(names
                .into_iter()
                .next()
                .map_or_else(|| RunsError::NoRun(String::new()), RunsError::Taken));
        };
        for (row, (name, n, hash, spent)) in rows.into_iter().zip(heads) {
            self.anchor().set(row, &Reached::at(name, n, hash, spent))?;
        }
        Ok(self.anchor().sync()?)
    }
}

struct Keeper<'a> {
    blobs: &'a Blobs,
    shelf: &'a dyn Shelf,
}

impl Sink for Keeper<'_> {
    fn payload(&mut self, hash: &Hash, bytes: &[u8]) -> Result<(), ParcelError> {
        Ok(self.blobs.keep(hash, bytes).map_err(RunsError::from)?)
    }

    fn archived(&mut self, _hash: &Hash, bytes: &[u8]) -> Result<(), ParcelError> {
        self.shelf.put(bytes).map_err(ParcelError::Shelf)
    }
}

/// Makes all runs behind all others; their rows, or nothing if one of the names is taken.
fn insert(
    connection: &Connection,
    contents: &Contents,
    after: i64,
    blobs: &Blobs,
) -> rusqlite::Result<Option<Vec<i64>>> {
    let taken = "SELECT EXISTS (SELECT 1 FROM run WHERE name = ?1)";
    for packed in &contents.runs {
        if connection.query_row(taken, [packed.label.run.as_str()], |row| row.get(0))? {
            return Ok(None);
        }
    }
    for (hash, text) in &contents.tables {
        define(connection, hash, text)?;
    }
    contents
        .runs
        .iter()
        .map(|packed| insert_run(connection, packed, after, blobs))
        .collect::<Result<Vec<_>, _>>()
        .map(Some)
}

fn define(connection: &Connection, hash: &Hash, text: &str) -> rusqlite::Result<usize> {
    connection.execute("INSERT OR IGNORE INTO definition (hash, body) VALUES (?1, ?2)", (&hash.0, text))
}

fn insert_run(connection: &Connection, packed: &Packed, after: i64, blobs: &Blobs) -> rusqlite::Result<i64> {
    let Packed { label, records, rests } = packed;
    let spent = [rests.spent.micro_usd, rests.spent.tokens, rests.spent.calls].map(u64::cast_signed);
    connection.execute(
        "INSERT INTO run (name, workflow, title, parent, status, started, micro_usd, tokens, calls, id)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 1 + max(?10, (SELECT coalesce(max(id), 0) FROM run)))",
        (
            label.run.as_str(),
            &label.workflow,
            &label.title,
            label.parent.as_ref().map(RunId::as_str),
            serde_json::to_string(&rests.status).unwrap_or_default(),
            rests.started.0.cast_signed(),
            spent[0],
            spent[1],
            spent[2],
            after,
        ),
    )?;
    let run = connection.last_insert_rowid();
    let mut last: Option<i64> = None;
    {
        let mut statement = connection.prepare_cached(
            "INSERT INTO record (run, n, at, body, hash, back) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?;
        for record in records {
            let Chained { n, at, text, hash } = record;
            statement.execute((run, n.cast_signed(), at.0.cast_signed(), text, &hash.0, last))?;
            let place = connection.last_insert_rowid();
            named::keep(connection, (place, record), &[], blobs)?;
            last = Some(place);
        }
    }
    for change in open_at_end(records) {
        write_question(connection, run, &change)?;
    }
    connection.execute(
        "INSERT INTO head (run, fence, state, updated, records, last) VALUES (?1, 0, ?2, ?3, ?4, ?5)",
        (run, &rests.state, rests.updated.0.cast_signed(), label.records.cast_signed(), last),
    )?;
    Ok(run)
}

/// What these records do to the lists of open questions and children. Those of a run that this one went off from are its own.
fn open_at_end(records: &[Chained]) -> Vec<QuestionChange> {
    let own = records.iter().rposition(|record| record.text.starts_with("{\"forked\"")).unwrap_or(0);
    records[own..].iter().filter_map(question_change).collect()
}
