//! A clock that only moves when told, or when everybody waits for it. For rehearsals and tests.

use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::watch;

use crate::{Clock, Millis};

/// A simulated clock.
#[derive(Debug)]
pub struct SimClock {
    now: watch::Sender<Millis>,
    jumps: bool,
}

/// So often everybody else may move before a jumping clock believes that all wait for it.
const PATIENCE: u32 = 200;

impl SimClock {
    /// A clock that stands still until it is moved.
    pub fn standing(now: Millis) -> Self {
        Self { now: watch::Sender::new(now), jumps: false }
    }

    /// A clock that jumps to whatever is waited for, once nothing else goes on.
    pub fn jumping(now: Millis) -> Self {
        Self { now: watch::Sender::new(now), jumps: true }
    }

    /// Moves it on.
    pub fn pass(&self, span: Duration) {
        self.now.send_modify(|now| *now = now.plus(span));
    }

    /// Sets it, backwards too, as a corrected machine clock would.
    pub fn set(&self, now: Millis) {
        self.now.send_replace(now);
    }
}

#[async_trait]
impl Clock for SimClock {
    fn now(&self) -> Millis {
        *self.now.borrow()
    }

    async fn until(&self, at: Millis) {
        if self.jumps {
            for _ in 0..PATIENCE {
                tokio::task::yield_now().await;
            }
            self.now.send_modify(|now| *now = at.max(*now));
            return;
        }
        let mut now = self.now.subscribe();
        // The sender lives as long as the clock, so waiting can only end by reaching the time.
        if now.wait_for(|now| *now >= at).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
