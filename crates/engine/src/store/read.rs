//! Looking at runs: lists, one journal, open questions. Never writes.

use rusqlite::{Connection, OptionalExtension, Row};

use super::back::{Extent, Segment};
use super::cache::Cache;
use super::verify::Walk;
use super::{Store, back};
use crate::host::HostError;
use crate::record::Chained;
use crate::runs::{Filter, Journal, OpenQuestion, RunSummary, RunsError};
use crate::{Hash, Millis, RunId, Spend, Status};

const COLUMNS: &str =
    "name, workflow, title, state, status, started, updated, records, micro_usd, tokens, calls, owner, shared
                       FROM run JOIN head ON head.run = run.id";

impl Store {
    /// Runs, newest first.
    pub fn runs(&self, limit: Option<usize>) -> Result<Vec<RunSummary>, RunsError> {
        self.list(Filter { limit, ..Filter::default() })
    }

    /// The runs that fit, newest first.
    pub fn list(&self, filter: Filter<'_>) -> Result<Vec<RunSummary>, RunsError> {
        let limit = filter.limit.map_or(-1, |limit| i64::try_from(limit).unwrap_or(i64::MAX));
        // What is not asked for is not even looked at: a list may be long.
        let workflow = if filter.workflow.is_some() { "workflow = ?1" } else { "?1 IS NULL" };
        let waiting = if filter.waiting { r#"?2 AND status LIKE '%"waiting"%'"# } else { "NOT ?2" };
        self.read(|connection| {
            let sql = format!("SELECT {COLUMNS} WHERE {workflow} AND {waiting} ORDER BY id DESC LIMIT ?3");
            let arguments = (filter.workflow, filter.waiting, limit);
            connection.prepare_cached(&sql)?.query_map(arguments, |row| self.summary(row))?.collect()
        })
    }

    /// One run.
    pub fn run(&self, run: &RunId) -> Result<RunSummary, RunsError> {
        let sql = format!("SELECT {COLUMNS} WHERE name = ?1");
        let found = self.read(|connection| {
            let row = connection.prepare_cached(&sql)?.query_row([&run.0], |row| self.summary(row));
            row.optional()
        })?;
        found.ok_or_else(|| self.no_run(&run.0))
    }

    /// A row, and who drives its run now.
    fn summary(&self, row: &Row<'_>) -> rusqlite::Result<RunSummary> {
        let status: String = row.get(4)?;
        let number = |index| row.get::<_, i64>(index).map(i64::cast_unsigned);
        let owner: Option<String> = row.get(11)?;
        Ok(RunSummary {
            name: row.get(0)?,
            workflow: row.get(1)?,
            title: row.get(2)?,
            state: row.get(3)?,
            status: serde_json::from_str(&status).unwrap_or(Status::Running),
            started: Millis(number(5)?),
            updated: Millis(number(6)?),
            records: number(7)?,
            shared: number(12)?,
            spent: Spend { micro_usd: number(8)?, tokens: number(9)?, calls: number(10)? },
            driven_by: owner.and_then(|token| self.other(&token)),
        })
    }

    /// How many runs there are.
    pub fn count_runs(&self) -> Result<u64, RunsError> {
        self.read(|connection| {
            connection.query_row("SELECT count(*) FROM run", [], |row| row.get::<_, i64>(0))
        })
        .map(i64::cast_unsigned)
    }

    /// The run a person means: a whole name, an unambiguous prefix, or `last`, which is never a run that belongs to another.
    pub fn find(&self, typed: &str) -> Result<RunId, RunsError> {
        if typed == "last" {
            let newest = "SELECT id, name FROM run WHERE parent IS NULL ORDER BY id DESC LIMIT 1";
            let found: Option<(i64, RunId)> = self.read(|connection| {
                connection.query_row(newest, [], |row| Ok((row.get(0)?, row.get(1)?))).optional()
            })?;
            self.refuse_lost_after(found.as_ref().map_or(0, |(row, _)| *row))?;
            return found.map(|(_, run)| run).ok_or_else(|| RunsError::NoRun(typed.to_owned()));
        }
        let typed = typed.to_ascii_lowercase();
        let mut found: Vec<RunId> = self.read(|connection| {
            let sql = "SELECT name FROM run WHERE substr(name, 1, length(?1)) = ?1 ORDER BY id DESC LIMIT 6";
            connection.prepare(sql)?.query_map([&typed], |row| row.get(0))?.collect()
        })?;
        match (found.len(), found.pop()) {
            (1, Some(run)) if !typed.is_empty() => Ok(run),
            (0, _) | (_, None) => Err(self.no_run(&typed)),
            (_, Some(last)) => {
                found.push(last);
                let runs = found.into_iter().map(String::from).collect();
                Err(RunsError::Ambiguous { prefix: typed, runs })
            }
        }
    }

    /// The questions of a run, or of all runs, that wait for an answer.
    pub fn questions(&self, run: Option<&RunId>) -> Result<Vec<OpenQuestion>, RunsError> {
        let name = run.map(|run| run.0.as_str());
        let rows: Vec<(RunId, String, String, i64, Option<i64>)> = self.read(|connection| {
            let sql = "SELECT run.name, question.key, question.body, question.asked, question.deadline
                       FROM question JOIN run ON run.id = question.run
                       WHERE ?1 IS NULL OR run.name = ?1 ORDER BY question.asked, question.key";
            connection
                .prepare(sql)?
                .query_map([name], |row| {
                    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
                })?
                .collect()
        })?;
        rows.into_iter().map(open_question).collect()
    }

    /// A run's whole journal from record `from` on, unchecked: for logs and watching.
    pub fn records(&self, run: &RunId, from: u64) -> Result<Vec<Chained>, RunsError> {
        self.read(|connection| {
            let mut found = Vec::new();
            let all = back::walk(connection, run, |record| {
                let wanted = record.n >= from;
                if wanted {
                    found.push(record);
                }
                wanted
            })?;
            if all {
                found.reverse();
                return Ok(found);
            }
            let Some(Extent { segments, .. }) = back::extent(connection, run)? else { return Ok(Vec::new()) };
            let sql = "SELECT n, at, body, hash FROM record WHERE run = ?1 AND n > ?2 AND n <= ?3 ORDER BY n";
            let mut found = Vec::new();
            for Segment { run, after, to } in segments.into_iter().rev() {
                let after = after.max(from.cast_signed().saturating_sub(1));
                let mut statement = connection.prepare_cached(sql)?;
                for record in statement.query_map((run, after, to.unwrap_or(i64::MAX)), chained)? {
                    found.push(record?);
                }
            }
            Ok(found)
        })
    }

    /// A run's journal for driving: the whole chain is checked, only what is behind the snapshot is kept.
    pub fn journal(&self, run: &RunId) -> Result<Journal, RunsError> {
        let snapshots = self.cached(Cache::Snapshot, run, None)?;
        let (walk, loss, accepted) = self.compared(run, &snapshots)?;
        let Walk { tail, snapshot, damage, payloads, .. } = walk;
        match damage {
            // What a run shares with another, and the record in which it went off, cannot be rolled back here.
            Some(damage) if !damage.is_last || damage.n <= self.shared(run)? => {
                Err(RunsError::Damaged { run: run.clone(), n: damage.n })
            }
            torn => Ok(Journal { snapshot, tail, torn, payloads, loss, accepted }),
        }
    }

    /// A run's journal without any snapshot, for when one turns out unreadable.
    pub fn journal_from_start(&self, run: &RunId) -> Result<Journal, RunsError> {
        let Walk { tail, damage, payloads, .. } = self.walk(run, Vec::new(), 0)?;
        Ok(Journal { snapshot: None, tail, torn: damage, payloads, loss: None, accepted: None })
    }

    /// The last record that a run may not lose: that in which it went off from another; 0 if it did not.
    fn shared(&self, run: &RunId) -> Result<u64, RunsError> {
        let sql = "SELECT CASE WHEN origin IS NULL THEN 0 ELSE shared + 1 END FROM run WHERE name = ?1";
        self.read(|connection| connection.query_row(sql, [&run.0], |row| row.get::<_, i64>(0)))
            .map(i64::cast_unsigned)
    }

    /// The table a run is pinned to, as it was when the run began.
    pub fn definition(&self, table: &Hash) -> Result<Option<String>, RunsError> {
        self.read(|connection| {
            connection
                .query_row("SELECT body FROM definition WHERE hash = ?1", [&table.0], |row| row.get(0))
                .optional()
        })
    }
}

fn chained(row: &Row<'_>) -> rusqlite::Result<Chained> {
    let hash: Vec<u8> = row.get(3)?;
    Ok(Chained {
        n: row.get::<_, i64>(0)?.cast_unsigned(),
        at: Millis(row.get::<_, i64>(1)?.cast_unsigned()),
        text: row.get(2)?,
        hash: Hash::from_slice(&hash).unwrap_or(Hash::ZERO),
    })
}

fn open_question(row: (RunId, String, String, i64, Option<i64>)) -> Result<OpenQuestion, RunsError> {
    let (run, key, body, asked, deadline) = row;
    let unreadable = |why: String| HostError::Unusable { what: "reading a question", why };
    Ok(OpenQuestion {
        run,
        key: key.parse().map_err(|error: crate::BadKey| unreadable(error.to_string()))?,
        question: serde_json::from_str(&body).map_err(|error| unreadable(error.to_string()))?,
        asked: Millis(asked.cast_unsigned()),
        deadline: deadline.map(|at| Millis(at.cast_unsigned())),
    })
}

/// The run's row number.
pub(super) fn run_id(connection: &Connection, run: &RunId) -> rusqlite::Result<Option<i64>> {
    connection.query_row("SELECT id FROM run WHERE name = ?1", [&run.0], |row| row.get(0)).optional()
}
