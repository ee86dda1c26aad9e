//! The one thread that writes. It takes everything that waits, commits it at once, and tells everybody.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::Blobs;
use super::anchor::Anchor;
use super::batch::{Batch, Ends, Statements};
use super::error::sqlite;
use super::lease::give_back;
use crate::cx::lock;
use crate::host::HostError;

/// Where the crash test wants the process to die: at one commit, before or after it reaches the disk.
#[derive(Debug)]
pub struct CrashPlan {
    /// The commit, counted from 1; 0 only counts.
    pub at: u64,
    /// Die after the commit rather than before it.
    pub after: bool,
    /// End the process for real, rather than only this store.
    pub abort: bool,
    /// Commits so far.
    pub commits: AtomicU64,
    /// Whether the store has died.
    pub dead: AtomicBool,
}

impl CrashPlan {
    /// A plan that dies at commit `at`, before or after it.
    pub fn new(at: u64, after: bool, abort: bool) -> Self {
        Self { at, after, abort, commits: AtomicU64::new(0), dead: AtomicBool::new(false) }
    }

    fn dies(&self, commit: u64, after: bool) -> bool {
        if commit != self.at || after != self.after {
            return false;
        }
        if self.abort {
            std::process::abort();
        }
        self.dead.store(true, Ordering::SeqCst);
        true
    }
}

/// Why a batch was not taken.
#[derive(Debug)]
pub(crate) enum Unwritten {
    LostLease,
    Host(HostError),
}

type Reply = Result<(), Unwritten>;
type Writing = Box<dyn FnOnce(&Connection) -> rusqlite::Result<()> + Send>;

/// Something to be written, and who is told whether it became durable.
struct Job {
    work: Work,
    tell: Box<dyn FnOnce(Reply) + Send>,
}

enum Work {
    /// What a driver wants durable.
    Batch(Box<Batch>),
    /// Any other short piece of writing.
    Do(Writing),
    /// A driver is done with a run.
    GiveBack { run: i64, fence: i64 },
}

/// The way to the writing thread. The thread ends when the last one of these is dropped.
#[derive(Debug)]
pub(crate) struct Writer {
    jobs: Option<Sender<Job>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Writer {
    pub fn spawn(
        connection: Connection,
        blobs: Blobs,
        anchor: Arc<Anchor>,
        crash: Option<Arc<CrashPlan>>,
    ) -> Result<Self, HostError> {
        let (jobs, inbox) = mpsc::channel();
        let thread = std::thread::Builder::new()
            .name("baton-journal".to_owned())
            .spawn(move || Thread { connection, blobs, anchor, crash, ends: Ends::default() }.run(&inbox))
            .map_err(|error| HostError::Unusable { what: "starting its writer", why: error.to_string() })?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Makes a batch durable together with whatever else waits.
    pub fn commit(&self, batch: Batch) -> impl Future<Output = Reply> + use<> {
        self.hand_over(Work::Batch(Box::new(batch)))
    }

    /// Gives a run back, whether or not anybody waits for it, and has the anchor on the disk.
    pub fn give_back(&self, run: i64, fence: i64) -> impl Future<Output = Reply> + use<> {
        self.hand_over(Work::GiveBack { run, fence })
    }

    fn hand_over(&self, work: Work) -> impl Future<Output = Reply> + use<> {
        let (reply, answer) = oneshot::channel();
        // A driver that was dropped meanwhile does not wait for its answer.
        let sent = self.send(Job { work, tell: Box::new(move |written| drop(reply.send(written))) });
        async move {
            sent.map_err(Unwritten::Host)?;
            answer.await.unwrap_or_else(|_| Err(Unwritten::Host(gone())))
        }
    }

    /// Does one short piece of writing in the next transaction and waits for it to be durable.
    pub fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, HostError> {
        let (reply, answer) = mpsc::sync_channel(1);
        self.send(task(work, move |value| drop(reply.send(value))))?;
        answer.recv().map_err(|_| gone())?
    }

    /// The same, without holding up the thread meanwhile.
    pub async fn run_async<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, HostError> {
        let (reply, answer) = oneshot::channel();
        self.send(task(work, move |value| drop(reply.send(value))))?;
        answer.await.unwrap_or_else(|_| Err(gone()))
    }

    fn send(&self, job: Job) -> Result<(), HostError> {
        self.jobs.as_ref().ok_or_else(gone)?.send(job).map_err(|_| gone())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // Waits until what was sent is written: a clean stop leaves nothing behind.
            let _ = thread.join();
        }
    }
}

/// A job whose asker is told the value its work gave, once that is durable.
fn task<T: Send + 'static>(
    work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    tell: impl FnOnce(Result<T, HostError>) + Send + 'static,
) -> Job {
    let slot = Arc::new(Mutex::new(None));
    let value = Arc::clone(&slot);
    let work = move |connection: &Connection| {
        *lock(&slot) = Some(work(connection)?);
        Ok(())
    };
    let tell = move |written: Reply| {
        tell(match written {
            Ok(()) => lock(&value).take().ok_or_else(gone),
            Err(Unwritten::Host(error)) => Err(error),
            Err(Unwritten::LostLease) => Err(gone()),
        });
    };
    Job { work: Work::Do(Box::new(work)), tell: Box::new(tell) }
}

fn gone() -> HostError {
    HostError::Unusable { what: "recording", why: "its writer has ended".to_owned() }
}

struct Thread {
    connection: Connection,
    blobs: Blobs,
    anchor: Arc<Anchor>,
    crash: Option<Arc<CrashPlan>>,
    ends: Ends,
}

/// More than this in one transaction only makes the first ones wait longer.
const GROUP: usize = 512;

impl Thread {
    fn run(mut self, inbox: &Receiver<Job>) {
        while let Ok(first) = inbox.recv() {
            let mut jobs = vec![first];
            while jobs.len() < GROUP
                && let Ok(more) = inbox.try_recv()
            {
                jobs.push(more);
            }
            self.write(jobs);
        }
        // A clean stop. If it fails, the anchor is behind after a power cut, and nothing else.
        let _ = self.anchor.sync();
    }

    fn write(&mut self, jobs: Vec<Job>) {
        if self.crash.as_ref().is_some_and(|plan| plan.dead.load(Ordering::SeqCst)) {
            return; // dropping the jobs tells their askers that the writer is gone
        }
        let (works, tells): (Vec<Work>, Vec<_>) = jobs.into_iter().map(|job| (job.work, job.tell)).unzip();
        let mut replies = Vec::with_capacity(works.len());
        let mut heads = Vec::with_capacity(works.len());
        let given_back: Vec<i64> = works
            .iter()
            .filter_map(|work| if let Work::GiveBack { run, .. } = work { Some(*run) } else { None })
            .collect();
        let mut ends = std::mem::take(&mut self.ends);
        let done = self.keep_blobs(&works).and_then(|()| {
            self.transaction(|connection| {
                let mut statements = Statements::new(connection, &self.blobs)?;
                for work in works {
                    let reaches = if let Work::Batch(batch) = &work { batch.reaches() } else { None };
                    let reply = write_one(connection, &mut statements, work, &mut ends)?;
                    heads.extend(reaches.filter(|_| reply.is_ok()));
                    replies.push(reply);
                }
                Ok(())
            })
        });
        if done.is_err() {
            ends.clear();
        }
        given_back.iter().for_each(|run| ends.forget(*run));
        self.ends = ends;
        match done {
            Ok(()) => {
                // Before anybody goes on: what is acknowledged from here on is missed when it is gone.
                self.anchor.keep(&heads);
                given_back.iter().for_each(|run| self.anchor.let_go(*run));
                if !given_back.is_empty() {
                    let _ = self.anchor.sync();
                }
                tells.into_iter().zip(replies).for_each(|(tell, reply)| tell(reply));
            }
            Err(error) => tells.into_iter().for_each(|tell| tell(Err(Unwritten::Host(error.clone())))),
        }
    }

    fn keep_blobs(&self, works: &[Work]) -> Result<(), HostError> {
        for work in works {
            if let Work::Batch(batch) = work {
                batch.blobs.iter().try_for_each(|(hash, bytes)| self.blobs.keep(hash, bytes))?;
            }
        }
        Ok(())
    }

    /// One transaction, with the crash test's say before and after its commit.
    fn transaction(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<()>) -> Result<(), HostError> {
        let trouble = |error: rusqlite::Error| sqlite("recording", &error);
        self.connection
            .prepare_cached("BEGIN IMMEDIATE")
            .and_then(|mut begin| begin.execute([]))
            .map_err(trouble)?;
        let commit = self.crash.as_ref().map_or(0, |plan| plan.commits.fetch_add(1, Ordering::SeqCst) + 1);
        let dies = |after| self.crash.as_ref().is_some_and(|plan| plan.dies(commit, after));
        let done = work(&self.connection);
        if done.is_err() || dies(false) {
            // SQLite may have rolled back by itself; a second time is an error that says nothing new.
            let _ = self.connection.execute_batch("ROLLBACK");
            return Err(done.err().map_or_else(gone, trouble));
        }
        if let Err(error) = self.connection.prepare_cached("COMMIT").and_then(|mut commit| commit.execute([]))
        {
            let _ = self.connection.execute_batch("ROLLBACK");
            return Err(trouble(error));
        }
        if dies(true) { Err(gone()) } else { Ok(()) }
    }
}

/// Writes one job. What only concerns the job is its reply; what concerns the file fails the whole group.
fn write_one(
    connection: &Connection,
    statements: &mut Statements<'_>,
    work: Work,
    ends: &mut Ends,
) -> rusqlite::Result<Reply> {
    let task = match work {
        Work::Batch(batch) => {
            return Ok(if statements.write(&batch, ends)? { Ok(()) } else { Err(Unwritten::LostLease) });
        }
        Work::GiveBack { run, fence } => return give_back(connection, run, fence).map(|_| Ok(())),
        Work::Do(task) => task,
    };
    connection.execute_batch("SAVEPOINT task")?;
    match task(connection) {
        Ok(()) => connection.execute_batch("RELEASE task").map(Ok),
        Err(error) => {
            let sorted = sqlite("write", &error);
            if sorted.is_unwritable() {
                return Err(error);
            }
            connection.execute_batch("ROLLBACK TO task; RELEASE task")?;
            Ok(Err(Unwritten::Host(sorted)))
        }
    }
}
