//! The other side: counts every call it gets, and lets calls come back in an order of its own.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use serde_json::Value;

use crate::cx::lock;
use crate::{AnyPerform, Call, Dice, Effects, Failure, Found, Paid, SeededDice};

/// Counts calls by step in a file, so that the count outlives the process that made them.
#[derive(Debug)]
pub struct Counter {
    path: PathBuf,
    file: Mutex<std::fs::File>,
}

impl Counter {
    /// A counter that goes on from what the file says.
    pub fn open(path: &Path) -> std::io::Result<Self> {
        let file = std::fs::OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Self { path: path.to_owned(), file: Mutex::new(file) })
    }

    fn count(&self, call: &Call) -> std::io::Result<()> {
        writeln!(lock(&self.file), "{}", call.token())
    }

    /// Calls so far, by step.
    pub fn calls(&self) -> std::io::Result<BTreeMap<String, u64>> {
        let mut calls = BTreeMap::new();
        for line in std::fs::read_to_string(&self.path)?.lines() {
            *calls.entry(line.to_owned()).or_insert(0) += 1;
        }
        Ok(calls)
    }
}

struct Counted {
    inner: Arc<dyn AnyPerform>,
    counter: Arc<Counter>,
    dice: Arc<SeededDice>,
}

#[async_trait]
impl AnyPerform for Counted {
    async fn perform(&self, call: &Call) -> Result<Paid<Value>, Failure> {
        self.counter
            .count(call)
            .map_err(|error| Failure::lasting(format!("the call cannot be counted: {error}")))?;
        // Giving way a few times shuffles the order in which calls in flight come back.
        for _ in 0..self.dice.roll() % 16 {
            tokio::task::yield_now().await;
        }
        self.inner.perform(call).await
    }

    async fn reconcile(&self, call: &Call) -> Found<Value> {
        self.inner.reconcile(call).await
    }
}

/// The same performers, counted and shuffled.
pub(super) fn counted(effects: Effects, counter: &Arc<Counter>, seed: u64) -> Effects {
    let dice = Arc::new(SeededDice::new(seed));
    effects
        .wrapped(|inner| Arc::new(Counted { inner, counter: Arc::clone(counter), dice: Arc::clone(&dice) }))
}
