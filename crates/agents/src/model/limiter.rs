//! One limiter per provider host, shared by every run of the process: calls at once, calls per minute, and
//! the pause a provider asked for. It delays and refuses; it never retries.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::card::Limits;
use crate::clock::Clock;
use crate::retry_after::LONGEST;

/// Waits longer than this are not waited for: the caller hears of them and decides.
const PATIENCE: Duration = Duration::from_secs(60);

/// Keeps calls to one host within its limits.
pub struct Limiter {
    clock: Arc<dyn Clock>,
    gate: Arc<Semaphore>,
    /// The least time between two calls, and how far ahead of it a burst may run.
    pace: Option<(Duration, Duration)>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// When the next call would be due if all came evenly.
    due: Duration,
    /// Until when the provider wants to be left alone.
    pause_until: Duration,
}

impl Limiter {
    /// A limiter for one host.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>, limits: Limits) -> Self {
        let pace = limits.per_minute.filter(|n| *n > 0).map(|n| {
            let every = Duration::from_secs(60) / n;
            (every, every * (n / 10).max(1))
        });
        let gate = Arc::new(Semaphore::new(limits.at_once.max(1) as usize));
        Self { clock, gate, pace, state: Mutex::default() }
    }

    /// Waits for a turn. `Err` is a wait too long to sit out; nothing was sent.
    pub async fn enter(&self) -> Result<OwnedSemaphorePermit, Duration> {
        // The gate is never closed; if it were, waiting would be wrong and so would going on.
        let permit = Arc::clone(&self.gate).acquire_owned().await.map_err(|_| PATIENCE)?;
        let wait = self.book()?;
        if !wait.is_zero() {
            self.clock.sleep(wait).await;
        }
        Ok(permit)
    }

    /// Notes that the provider wants no calls for a while.
    pub fn pause(&self, how_long: Duration) {
        let until = self.clock.now().saturating_add(how_long.min(LONGEST));
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.pause_until = state.pause_until.max(until);
    }

    /// Books the next free moment and says how far away it is.
    fn book(&self) -> Result<Duration, Duration> {
        let now = self.clock.now();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut at = now.max(state.pause_until);
        if let Some((every, burst)) = self.pace {
            at = at.max((state.due + every).saturating_sub(burst));
            if at - now <= PATIENCE {
                state.due = state.due.max(at) + every;
            }
        }
        if at - now > PATIENCE { Err(at - now) } else { Ok(at - now) }
    }
}

/// All limiters of a process, by host.
pub struct Limiters {
    clock: Arc<dyn Clock>,
    by_host: Mutex<BTreeMap<String, Arc<Limiter>>>,
}

impl Limiters {
    /// No limiters yet.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, by_host: Mutex::default() }
    }

    /// The limiter of `host`. The first model of a host sets its limits.
    pub fn of(&self, host: &str, limits: Limits) -> Arc<Limiter> {
        let mut by_host = self.by_host.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || Arc::new(Limiter::new(Arc::clone(&self.clock), limits));
        Arc::clone(by_host.entry(host.to_owned()).or_insert_with(make))
    }
}
