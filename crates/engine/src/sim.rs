//! A clock that only moves when told, or when everybody waits for it. For rehearsals and tests.

use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::watch;

use crate::{Clock, Millis};

/// A simulated clock.
#[derive(Debug)]
pub struct SimClock {
    time: watch::Sender<Time>,
    jumps: bool,
}

#[derive(Clone, Copy, Debug)]
struct Time {
    now: Millis,
    steady: Duration,
}

impl Time {
    fn pass(&mut self, span: Duration) {
        self.now = self.now.plus(span);
        self.steady = self.steady.saturating_add(span);
    }
}

/// So often everybody else may move before a jumping clock believes that all wait for it.
const PATIENCE: u32 = 200;

impl SimClock {
    /// A clock that stands still until it is moved.
    pub fn standing(now: Millis) -> Self {
        Self::new(now, false)
    }

    /// A clock that jumps to whatever is waited for, once nothing else goes on.
    pub fn jumping(now: Millis) -> Self {
        Self::new(now, true)
    }

    fn new(now: Millis, jumps: bool) -> Self {
        Self { time: watch::Sender::new(Time { now, steady: Duration::ZERO }), jumps }
    }

    /// Moves it on.
    pub fn pass(&self, span: Duration) {
        self.time.send_modify(|time| time.pass(span));
    }

    /// Sets it, backwards too, as a corrected machine clock would: no time passes by that.
    pub fn set(&self, now: Millis) {
        self.time.send_modify(|time| time.now = now);
    }
}

#[async_trait]
impl Clock for SimClock {
    fn now(&self) -> Millis {
        self.time.borrow().now
    }

    fn steady(&self) -> Duration {
        self.time.borrow().steady
    }

    async fn until(&self, at: Millis) {
        if self.jumps {
            for _ in 0..PATIENCE {
                tokio::task::yield_now().await;
            }
            self.time.send_modify(|time| time.pass(at.since(time.now)));
            return;
        }
        let mut time = self.time.subscribe();
        let end = self.steady().saturating_add(at.since(self.now()));
        // The sender lives as long as the clock, so waiting can only end by reaching the time.
        if time.wait_for(|time| time.now >= at || time.steady >= end).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
