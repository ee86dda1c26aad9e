//! What other processes want a run to know: answers and cancellations. The driver journals them.

use rusqlite::OptionalExtension;
use serde_json::Value;

use super::Store;
use super::error::sqlite;
use super::read::run_id;
use crate::host::HostError;
use crate::record::Body;
use crate::runs::{RunsError, Submitted};
use crate::{Key, Millis, Reads, RunId};

/// Something for a run's driver.
#[derive(Clone, Debug, PartialEq)]
pub enum Letter {
    /// An answer to a question.
    Answer {
        /// The question.
        key: Key,
        /// The answer.
        answer: Value,
        /// Who gave it.
        by: String,
    },
    /// The run shall stop.
    Cancel {
        /// Who wants it.
        by: String,
    },
    /// The run shall stop until its parent goes on.
    Halt,
}

const CANCEL: &str = "cancel";
/// What a cancellation says that comes from a parent which was stopped.
const WITH_PARENT: &str = "with its parent";

impl Store {
    /// Answers a question: checks that it is open and that the answer fits its schema. Only the first answer counts.
    pub fn answer(
        &self,
        run: &RunId,
        key: &Key,
        answer: &Value,
        by: &str,
        now: Millis,
    ) -> Result<Submitted, RunsError> {
        self.answer_readable(run, key, answer, (by, now), None)
    }

    /// The same, and that the parser that is going to read the answer can.
    pub(crate) fn answer_readable(
        &self,
        run: &RunId,
        key: &Key,
        answer: &Value,
        (by, now): (&str, Millis),
        reads: Option<Reads>,
    ) -> Result<Submitted, RunsError> {
        if let Some((earlier, who)) = self.given(run, key)? {
            if let Some(why) = self.taken_back(run, key)? {
                return Err(RunsError::NotOpen(why));
            }
            if earlier == *answer {
                return Ok(Submitted::Again);
            }
            return Err(RunsError::NotOpen(format!(
                "question {key} of run {run} was already answered by {who} with {earlier}; the first answer counts"
            )));
        }
        let Some(open) = self.questions(Some(run))?.into_iter().find(|open| open.key == *key) else {
            return Err(RunsError::NotOpen(self.why_not_open(run, key)?));
        };
        if let Some(deadline) = open.deadline.filter(|deadline| *deadline <= now) {
            let late = now.since(deadline).as_secs();
            return Err(RunsError::NotOpen(format!(
                "question {key} of run {run} expired {late} s ago; `baton resume {run}` lets the run go on without an answer"
            )));
        }
        open.question
            .check(answer)
            .and_then(|()| reads.map_or(Ok(()), |reads| reads.check(answer)))
            .map_err(|wrong| RunsError::WrongAnswer { wrong, hint: open.question.hint() })?;
        self.post(run, &format!("answer:{key}"), answer.to_string(), by, now)?;
        Ok(Submitted::Taken)
    }

    /// Forgets an answer that cannot be read, so that the question can be answered again.
    pub(crate) fn forget_answer(&self, run: i64, key: &Key) -> Result<(), HostError> {
        let what = format!("answer:{key}");
        self.writer()?
            .run(move |connection| {
                connection.execute("DELETE FROM inbox WHERE run = ?1 AND what = ?2", (run, &what))
            })
            .map(|_| ())
    }

    /// An answer that nobody has taken in goes to another question.
    pub(crate) fn readdress(&self, run: &RunId, from: &Key, to: &Key) -> Result<(), HostError> {
        let (name, from, to) = (run.0.clone(), format!("answer:{from}"), format!("answer:{to}"));
        self.writer()?
            .run(move |connection| {
                connection.execute(
                    "UPDATE OR REPLACE inbox SET what = ?3
                     WHERE what = ?2 AND run = (SELECT id FROM run WHERE name = ?1)",
                    (&name, &from, &to),
                )
            })
            .map(|_| ())
    }

    /// Asks the driver of a run to stop it.
    pub fn post_cancel(&self, run: &RunId, by: &str, now: Millis) -> Result<(), RunsError> {
        self.post(run, CANCEL, String::new(), by, now)
    }

    /// Asks whoever drives an open child of this run to stop it until the run goes on. One that nobody drives stays as it
    /// is: nobody takes it up meanwhile.
    pub(crate) fn stop_driven_children(&self, parent: i64, now: Millis) -> Result<(), RunsError> {
        let names: Vec<RunId> = self.read(|connection| {
            let sql = "SELECT name FROM child WHERE run = ?1";
            connection.prepare_cached(sql)?.query_map([parent], |row| row.get(0))?.collect()
        })?;
        for name in names {
            if self.is_driven(&name).unwrap_or(false) {
                self.post(&name, CANCEL, WITH_PARENT.to_owned(), "its parent", now)?;
            }
        }
        Ok(())
    }

    /// Forgets a cancellation that has been carried out or overtaken.
    pub(crate) fn clear_cancel(&self, run: &RunId) -> Result<(), HostError> {
        let name = run.0.clone();
        self.writer()?
            .run(move |connection| {
                connection.execute(
                    "DELETE FROM inbox WHERE what = 'cancel' AND run = (SELECT id FROM run WHERE name = ?1)",
                    [&name],
                )
            })
            .map(|_| ())
    }

    /// The letters for a run: a cancellation first, then answers to the given questions, oldest first.
    pub(crate) fn letters(&self, run: i64, open: &[&Key]) -> Result<Vec<Letter>, HostError> {
        let read = self.query(|connection| {
            connection
                .prepare_cached("SELECT what, body, by FROM inbox WHERE run = ?1 ORDER BY at, what")?
                .query_map([run], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
                .collect()
        });
        let rows: Vec<(String, String, String)> = read.map_err(|error| sqlite("read", &error))?;
        let mut letters = Vec::new();
        for (what, body, by) in rows {
            if what == CANCEL && body == WITH_PARENT {
                letters.insert(0, Letter::Halt);
            } else if what == CANCEL {
                letters.insert(0, Letter::Cancel { by });
            } else if let Some(key) = what.strip_prefix("answer:").and_then(|key| key.parse::<Key>().ok())
                && open.contains(&&key)
                && let Ok(answer) = serde_json::from_str(&body)
            {
                letters.push(Letter::Answer { key, answer, by });
            }
        }
        Ok(letters)
    }

    fn post(&self, run: &RunId, what: &str, body: String, by: &str, now: Millis) -> Result<(), RunsError> {
        let (name, what, by) = (run.clone(), what.to_owned(), by.to_owned());
        let posted = self.writer()?.run(move |connection| {
            let Some(id) = run_id(connection, &name)? else { return Ok(false) };
            connection.execute(
                "INSERT OR IGNORE INTO inbox (run, what, body, by, at) VALUES (?1, ?2, ?3, ?4, ?5)",
                (id, what, body, by, now.0.cast_signed()),
            )?;
            Ok(true)
        })?;
        self.ring();
        if posted { Ok(()) } else { Err(RunsError::NoRun(run.0.clone())) }
    }

    /// The answer that counts, and who gave it, if a question has been answered.
    pub fn given(&self, run: &RunId, key: &Key) -> Result<Option<(Value, String)>, RunsError> {
        let what = format!("answer:{key}");
        let row: Option<(String, String)> = self.read(|connection| {
            let sql =
                "SELECT body, by FROM inbox WHERE what = ?2 AND run = (SELECT id FROM run WHERE name = ?1)";
            connection.query_row(sql, (&run.0, &what), |row| Ok((row.get(0)?, row.get(1)?))).optional()
        })?;
        Ok(row.map(|(body, by)| (serde_json::from_str(&body).unwrap_or(Value::Null), by)))
    }

    /// Why a question can never be answered again: the part of the run that asked it was taken back.
    fn taken_back(&self, run: &RunId, key: &Key) -> Result<Option<String>, RunsError> {
        let (mut asked, mut back) = (None, None);
        for record in self.records(run, 1)? {
            // Few records are of a kind that matters; the others are not even read.
            if !record.text.starts_with("{\"asked\"") && !record.text.starts_with("{\"rewound\"") {
                continue;
            }
            match record.open().map(|record| record.body) {
                Ok(Body::Asked(put)) if put.key == *key => (asked, back) = (Some(record.n), None),
                Ok(Body::Rewound(rewound)) if asked.is_some_and(|n| n > rewound.to) => {
                    back = Some((record.n, rewound.to));
                }
                _ => {}
            }
        }
        Ok(back.map(|(n, to)| {
            format!(
                "question {key} of run {run} belongs to a part that was taken back (record {n} took the run back to \
                 record {to}); what it asks now has another key: `baton show {run}`"
            )
        }))
    }

    fn why_not_open(&self, run: &RunId, key: &Key) -> Result<String, RunsError> {
        if let Some(why) = self.taken_back(run, key)? {
            return Ok(why);
        }
        let open = self.questions(Some(run))?;
        if open.is_empty() {
            return Ok(format!("run {run} has no open question; `baton show {run}` says what it does"));
        }
        let keys: Vec<String> = open.iter().map(|question| question.key.to_string()).collect();
        Ok(format!("question {key} of run {run} is not open; open are: {}", keys.join(", ")))
    }
}
