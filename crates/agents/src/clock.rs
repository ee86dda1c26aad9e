//! Time, injected. Nothing in this crate reads a clock or sleeps except through [`Clock`], so a test can
//! let twenty minutes pass without waiting. What lives here: the trait, the real clock and a hand-moved one.

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use tokio::sync::watch;

/// A source of time: how long since some fixed moment, and a way to wait.
#[async_trait]
pub trait Clock: Send + Sync {
    /// Time passed since a moment that stays the same for the life of this clock.
    fn now(&self) -> Duration;
    /// Returns when at least `how_long` has passed.
    async fn sleep(&self, how_long: Duration);
}

/// Runs `work` for at most `limit` on `clock`; `None` means the time ran out first.
pub async fn within<T>(clock: &dyn Clock, limit: Duration, work: impl Future<Output = T>) -> Option<T> {
    tokio::select! {
        biased;
        done = work => Some(done),
        () = clock.sleep(limit) => None,
    }
}

/// The machine's clock: it never goes back while it lives, and counts from 1970, so that processes can compare.
#[derive(Debug)]
pub struct RealClock {
    start: tokio::time::Instant,
    began: Duration,
}

impl RealClock {
    /// A clock set by the machine's.
    #[allow(clippy::disallowed_methods)] // the one place where the real clock enters this crate
    #[must_use]
    pub fn new() -> Self {
        let began = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { start: tokio::time::Instant::now(), began }
    }
}

impl Default for RealClock {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl Clock for RealClock {
    fn now(&self) -> Duration {
        self.began + self.start.elapsed()
    }

    #[allow(clippy::disallowed_methods)] // the one place that waits on the real clock
    async fn sleep(&self, how_long: Duration) {
        tokio::time::sleep(how_long).await;
    }
}

/// A clock that moves only when told to. Clones share the same time.
#[derive(Clone, Debug)]
pub struct HandClock {
    time: Arc<watch::Sender<Duration>>,
    sleepers: Arc<watch::Sender<usize>>,
    waits: Arc<Mutex<Vec<Duration>>>,
}

impl HandClock {
    /// A clock standing at zero.
    #[must_use]
    pub fn new() -> Self {
        Self {
            time: Arc::new(watch::Sender::new(Duration::ZERO)),
            sleepers: Arc::new(watch::Sender::new(0)),
            waits: Arc::default(),
        }
    }

    /// Moves the time forward and wakes whoever waited for it.
    pub fn advance(&self, by: Duration) {
        self.time.send_modify(|now| *now += by);
    }

    /// Returns once at least `count` sleeps are pending: the moment when moving the clock matters.
    pub async fn until_sleeping(&self, count: usize) {
        // The sender lives in self, so the wait cannot fail.
        let _ = self.sleepers.subscribe().wait_for(|n| *n >= count).await;
    }

    /// Every sleep ever asked for, in order.
    #[must_use]
    pub fn waits(&self) -> Vec<Duration> {
        self.waits.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Default for HandClock {
    fn default() -> Self {
        Self::new()
    }
}

/// Counts one sleeper for as long as its sleep is alive, dropped or done.
struct Sleeper<'a>(&'a watch::Sender<usize>);

impl Drop for Sleeper<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|n| *n -= 1);
    }
}

#[async_trait]
impl Clock for HandClock {
    fn now(&self) -> Duration {
        *self.time.borrow()
    }

    async fn sleep(&self, how_long: Duration) {
        let until = self.now() + how_long;
        self.waits.lock().unwrap_or_else(PoisonError::into_inner).push(how_long);
        let mut time = self.time.subscribe();
        self.sleepers.send_modify(|n| *n += 1);
        let _sleeper = Sleeper(&self.sleepers);
        let _ = time.wait_for(|now| *now >= until).await;
    }
}
