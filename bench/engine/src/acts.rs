//! The acts that measured nodes ask for: nothing, waiting, and leaving a mark in a file outside.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use baton_engine::{Act, AfterCrash, Call, Effects, Failure, Paid, Perform, Retry};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

/// Does nothing: what remains is the cost of the ledger.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Nop {}

impl Act for Nop {
    const KIND: &'static str = "nop";
    type Out = ();

    fn after_crash(&self) -> AfterCrash {
        AfterCrash::Retry
    }
}

/// Stays open until everybody is let go.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Hold {}

impl Act for Hold {
    const KIND: &'static str = "hold";
    type Out = ();

    fn after_crash(&self) -> AfterCrash {
        AfterCrash::Retry
    }
}

/// Appends the step's key to a file outside the engine's reach: the witness of what was really done.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Append {
    /// The file.
    pub file: PathBuf,
}

impl Act for Append {
    const KIND: &'static str = "append";
    type Out = ();

    fn after_crash(&self) -> AfterCrash {
        AfterCrash::Retry
    }

    fn retry(&self) -> Retry {
        Retry::NEVER
    }
}

struct Idler;

#[async_trait]
impl Perform<Nop> for Idler {
    async fn perform(&self, _act: Nop, _call: &Call) -> Result<Paid<()>, Failure> {
        Ok(Paid::free(()))
    }
}

struct Appender;

#[async_trait]
impl Perform<Append> for Appender {
    async fn perform(&self, act: Append, call: &Call) -> Result<Paid<()>, Failure> {
        let line = format!("{}\n", call.key);
        let written = OpenOptions::new()
            .append(true)
            .create(true)
            .open(&act.file)
            .and_then(|mut file| file.write_all(line.as_bytes()));
        written.map(|()| Paid::free(())).map_err(|error| Failure::lasting(error.to_string()))
    }
}

/// Holds steps open, counts them, and lets all go at once.
#[derive(Clone)]
pub struct Holder {
    held: Arc<AtomicUsize>,
    gate: Arc<watch::Sender<bool>>,
}

impl Holder {
    /// A closed gate.
    pub fn new() -> Self {
        Self { held: Arc::default(), gate: Arc::new(watch::Sender::new(false)) }
    }

    /// How many have come so far.
    pub fn held(&self) -> usize {
        self.held.load(Ordering::SeqCst)
    }

    /// Opens the gate.
    pub fn let_go(&self) {
        self.gate.send_replace(true);
    }
}

impl Default for Holder {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl Perform<Hold> for Holder {
    async fn perform(&self, _act: Hold, _call: &Call) -> Result<Paid<()>, Failure> {
        let mut open = self.gate.subscribe();
        self.held.fetch_add(1, Ordering::SeqCst);
        open.wait_for(|open| *open).await.map_err(|error| Failure::lasting(error.to_string()))?;
        Ok(Paid::free(()))
    }
}

/// The performers of all three.
pub fn effects(holder: Holder) -> Effects {
    Effects::default().with::<Nop>(Idler).with::<Append>(Appender).with::<Hold>(holder)
}
