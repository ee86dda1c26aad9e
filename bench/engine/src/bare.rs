//! The baselines: the same promise with nothing around it. One SQLite file, WAL, `synchronous=FULL`.

use std::path::Path;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;

use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::oneshot;

use crate::BenchError;

/// As many as the engine's writer takes at once.
const GROUP: usize = 512;

/// A database with runs and their events, and no more.
pub struct Bare {
    connection: Connection,
}

impl Bare {
    /// A new file with room for these runs.
    pub fn make(file: &Path, runs: i64) -> Result<Self, BenchError> {
        let connection = Connection::open(file)?;
        let mode: String = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
        connection.execute_batch("PRAGMA synchronous = FULL")?;
        let sync: i64 = connection.query_row("PRAGMA synchronous", [], |row| row.get(0))?;
        if mode != "wal" || sync != 2 {
            return Err(BenchError::Void(format!(
                "the baseline runs with journal_mode {mode} and synchronous {sync}"
            )));
        }
        connection.execute_batch(
            "CREATE TABLE run (id INTEGER PRIMARY KEY, state TEXT NOT NULL, n INTEGER NOT NULL) STRICT;
             CREATE TABLE event (seq INTEGER PRIMARY KEY, run INTEGER NOT NULL, n INTEGER NOT NULL, body TEXT NOT NULL) STRICT;",
        )?;
        for run in 0..runs {
            connection.execute("INSERT INTO run (id, state, n) VALUES (?1, 'PLANNING', 0)", [run])?;
        }
        Ok(Self { connection })
    }

    /// One transition in a transaction of its own: the row moves from `n - 1` to `n`, and the event is kept.
    pub fn transition(&mut self, run: i64, n: i64, body: &str) -> Result<(), BenchError> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        move_run(&transaction, run, n)?;
        keep_event(&transaction, run, n, body)?;
        transaction.commit()?;
        Ok(())
    }

    fn commit(&mut self, moves: bool, rows: &[Row]) -> Result<(), BenchError> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for row in rows {
            if moves {
                move_run(&transaction, row.run, row.n)?;
            }
            keep_event(&transaction, row.run, row.n, &row.body)?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// How many events there are.
    pub fn count(&self) -> Result<i64, BenchError> {
        Ok(self.connection.query_row("SELECT count(*) FROM event", [], |row| row.get(0))?)
    }
}

fn move_run(connection: &Connection, run: i64, n: i64) -> Result<(), BenchError> {
    let moved = connection
        .prepare_cached("UPDATE run SET state = ?1, n = ?2 WHERE id = ?3 AND n = ?4")?
        .execute(("DRAFTING", n, run, n - 1))?;
    if moved == 1 {
        Ok(())
    } else {
        Err(BenchError::Void(format!("the bare run {run} was not at {}", n - 1)))
    }
}

fn keep_event(connection: &Connection, run: i64, n: i64, body: &str) -> Result<(), BenchError> {
    connection
        .prepare_cached("INSERT INTO event (run, n, body) VALUES (?1, ?2, ?3)")?
        .execute((run, n, body))?;
    Ok(())
}

struct Row {
    run: i64,
    n: i64,
    body: String,
    done: oneshot::Sender<()>,
}

/// What each row of a group commit writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The event row alone.
    Event,
    /// The event row, and its run moves.
    Transition,
}

/// A writing thread that commits whatever waits. Clones send to the same thread.
#[derive(Clone)]
pub struct Grouped {
    rows: Sender<Row>,
}

impl Grouped {
    /// Starts the thread. It gives the database back when the last sender is gone.
    pub fn spawn(bare: Bare, shape: Shape) -> (Self, JoinHandle<Result<Bare, BenchError>>) {
        let (rows, inbox) = mpsc::channel();
        let thread = std::thread::spawn(move || write(bare, shape == Shape::Transition, &inbox));
        (Self { rows }, thread)
    }

    /// Sends one row and waits until it is durable.
    pub async fn keep(&self, run: i64, n: i64, body: &str) -> Result<(), BenchError> {
        let (done, durable) = oneshot::channel();
        let gone = || BenchError::Void("the bare writer has ended".to_owned());
        self.rows.send(Row { run, n, body: body.to_owned(), done }).map_err(|_| gone())?;
        durable.await.map_err(|_| gone())
    }
}

fn write(mut bare: Bare, moves: bool, inbox: &Receiver<Row>) -> Result<Bare, BenchError> {
    while let Ok(first) = inbox.recv() {
        let mut rows = vec![first];
        while rows.len() < GROUP
            && let Ok(more) = inbox.try_recv()
        {
            rows.push(more);
        }
        bare.commit(moves, &rows)?;
        for row in rows {
            // A task that was dropped does not wait for its answer.
            let _ = row.done.send(());
        }
    }
    Ok(bare)
}
