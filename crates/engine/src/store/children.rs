//! Runs inside runs, as the list of runs knows them: whose child is whose, which are over, who has news.

use rusqlite::{OptionalExtension, Row};

use super::Store;
use super::error::sqlite;
use crate::host::HostError;
use crate::runs::{OpenQuestion, RunSummary, RunsError};
use crate::{Key, RunId, Spend, Status};

/// A child that is over, of which its parent's journal does not say so yet.
#[derive(Clone, Debug)]
pub struct OverChild {
    /// Its key in the parent.
    pub key: Key,
    /// The child.
    pub run: RunId,
    /// Its workflow.
    pub workflow: String,
    /// How it ended.
    pub status: Status,
    /// What it has spent.
    pub spent: Spend,
}

/// A run is over for its parent if it is finished or was cancelled.
const OVER: &str = r#"(child_run.status LIKE '%"finished"%' OR child_run.status LIKE '%"cancelled"%')"#;

impl Store {
    /// The children of a run that are over and whose end it has not recorded.
    pub(crate) fn over_children(&self, parent: i64) -> Result<Vec<OverChild>, HostError> {
        let sql = format!(
            "SELECT child.key, child_run.name, child_run.workflow, child_run.status,
                    child_run.micro_usd, child_run.tokens, child_run.calls
             FROM child JOIN run AS child_run ON child_run.name = child.name JOIN head ON head.run = child_run.id
             WHERE child.run = ?1 AND {OVER} ORDER BY head.updated, child.key"
        );
        let rows = self.query(|connection| {
            connection.prepare_cached(&sql)?.query_map([parent], over)?.collect::<rusqlite::Result<Vec<_>>>()
        });
        Ok(rows.map_err(|error| sqlite("read", &error))?.into_iter().flatten().collect())
    }

    /// The children of a run, oldest first.
    pub fn children(&self, parent: &RunId) -> Result<Vec<RunSummary>, RunsError> {
        let names: Vec<RunId> = self.read(|connection| {
            let sql = "SELECT name FROM run WHERE parent = ?1 ORDER BY id";
            connection.prepare_cached(sql)?.query_map([&parent.0], |row| row.get(0))?.collect()
        })?;
        names.iter().map(|name| self.run(name)).collect()
    }

    /// Everything below a run, parents before their children.
    pub fn descendants(&self, root: &RunId) -> Result<Vec<RunSummary>, RunsError> {
        let mut found = self.children(root)?;
        let mut next = 0;
        while let Some(row) = found.get(next) {
            let below = self.children(&row.name.clone())?;
            found.extend(below);
            next += 1;
        }
        Ok(found)
    }

    /// The parent of a run, if a node of another began it.
    pub fn parent(&self, run: &RunId) -> Result<Option<RunId>, RunsError> {
        let parent: Option<Option<RunId>> = self.read(|connection| {
            connection
                .prepare_cached("SELECT parent FROM run WHERE name = ?1")?
                .query_row([&run.0], |row| row.get(0))
                .optional()
        })?;
        Ok(parent.flatten())
    }

    /// The open children of a run: those whose end its journal does not hold.
    pub fn open_children(&self, run: &RunId) -> Result<Vec<(Key, RunId)>, RunsError> {
        let rows: Vec<(String, RunId)> = self.read(|connection| {
            let sql = "SELECT child.key, child.name FROM child JOIN run ON run.id = child.run
                       WHERE run.name = ?1 ORDER BY child.key";
            connection
                .prepare_cached(sql)?
                .query_map([&run.0], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect()
        })?;
        Ok(rows.into_iter().filter_map(|(key, name)| Some((key.parse().ok()?, name))).collect())
    }

    /// The open questions of a run and of everything below it.
    pub fn questions_below(&self, root: &RunId) -> Result<Vec<OpenQuestion>, RunsError> {
        let mut open = self.questions(Some(root))?;
        for row in self.descendants(root)? {
            open.extend(self.questions(Some(&row.name))?);
        }
        Ok(open)
    }

    /// Whether a run that waits has something to go on with: an answer, or a child that is over.
    pub fn has_news(&self, run: &RunId) -> Result<bool, RunsError> {
        let sql = format!(
            "SELECT EXISTS (SELECT 1 FROM run JOIN child ON child.run = run.id
                            JOIN run AS child_run ON child_run.name = child.name
                            WHERE run.name = ?1 AND {OVER})
                 OR EXISTS (SELECT 1 FROM run JOIN question ON question.run = run.id
                            JOIN inbox ON inbox.run = run.id AND inbox.what = 'answer:' || question.key
                            WHERE run.name = ?1)
                 OR EXISTS (SELECT 1 FROM run JOIN inbox ON inbox.run = run.id AND inbox.what = 'cancel'
                            WHERE run.name = ?1)"
        );
        self.read(|connection| connection.prepare_cached(&sql)?.query_row([&run.0], |row| row.get(0)))
    }

    /// Runs that anybody may drive on: children that nobody finished, and parents one of whose children is over.
    pub fn undriven(&self) -> Result<Vec<RunSummary>, RunsError> {
        let sql = format!(
            r#"SELECT name FROM run
               WHERE parent IS NOT NULL AND (status LIKE '%"running"%' OR status LIKE '%"waiting"%')
               UNION
               SELECT run.name FROM child JOIN run ON run.id = child.run
               JOIN run AS child_run ON child_run.name = child.name
               WHERE {OVER} AND run.status LIKE '%"waiting"%'"#
        );
        let names: Vec<RunId> = self
            .read(|connection| connection.prepare_cached(&sql)?.query_map([], |row| row.get(0))?.collect())?;
        let mut found = Vec::new();
        for name in names {
            let row = self.run(&name)?;
            if row.status == Status::Running || self.has_news(&name)? {
                found.push(row);
            }
        }
        Ok(found)
    }
}

fn over(row: &Row<'_>) -> rusqlite::Result<Option<OverChild>> {
    let number = |index| row.get::<_, i64>(index).map(i64::cast_unsigned);
    let (key, status): (String, String) = (row.get(0)?, row.get(3)?);
    let spent = Spend { micro_usd: number(4)?, tokens: number(5)?, calls: number(6)? };
    let (run, workflow) = (row.get(1)?, row.get(2)?);
    let parsed = key.parse().ok().zip(serde_json::from_str(&status).ok());
    Ok(parsed.map(|(key, status)| OverChild { key, run, workflow, status, spent }))
}
