//! How often one provider is asked: evenly spaced, never above its limit, left alone for a while after a failure, and
//! not at all once it is clear that only a person can help. It waits on the clock it is given; it never asks again.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::web::{WebFault, WebFaultKind};
use crate::clock::Clock;
use crate::shared::Shared;

/// Failures in a row after which a provider is left alone for long.
const STRIKES: u32 = 3;
/// How long that is, at least.
const LONG: Duration = Duration::from_secs(900);
/// The longest that a provider is left alone.
const FARTHEST: Duration = Duration::from_secs(3600);

/// Why there is no turn now.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoTurn {
    /// It is left alone for this long, after this failure.
    #[error("left alone for {} s after {_1}", _0.as_secs())]
    Cooling(Duration, String),
    /// Its limit leaves the next turn this far away.
    #[error("its limit leaves no turn for {} s", _0.as_secs())]
    Full(Duration),
    /// It will not work until a person acts.
    #[error("it cannot work: {0}")]
    Off(String),
}

/// The pace of one provider, shared by everybody who asks it.
#[derive(Debug)]
pub struct Pace {
    every: Duration,
    state: Shared<State>,
    /// Why only a person can help; asked again by the next process, when the person may have.
    off: Mutex<Option<String>>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct State {
    next: Duration,
    cool_until: Duration,
    strikes: u32,
    last_fault: String,
}

impl Pace {
    /// A pace of so many turns a minute, for this process.
    #[must_use]
    pub fn new(per_minute: u32) -> Self {
        Self::over(per_minute, Shared::own())
    }

    /// The same for all processes that keep it in this file.
    #[must_use]
    pub fn kept_in(file: &Path, per_minute: u32) -> Self {
        Self::over(per_minute, Shared::in_file(file))
    }

    fn over(per_minute: u32, state: Shared<State>) -> Self {
        // Rounded up: sixty seconds divided by seven must not fit seven and a bit.
        let every = Duration::from_nanos(60_000_000_000_u64.div_ceil(u64::from(per_minute.max(1))));
        Self { every, state, off: Mutex::default() }
    }

    /// Waits for a turn, but never longer than `patience`.
    pub async fn enter(&self, clock: &dyn Clock, patience: Duration) -> Result<(), NoTurn> {
        let mut left = patience;
        loop {
            let wait = self.book(clock.now(), left)?;
            if wait.is_zero() {
                return Ok(());
            }
            clock.sleep(wait).await;
            // Another query may have failed meanwhile; its pause holds for this one too.
            if self.state.change(|state| state.cool_until) <= clock.now() && self.is_off().is_none() {
                return Ok(());
            }
            left = left.saturating_sub(wait);
        }
    }

    fn book(&self, now: Duration, patience: Duration) -> Result<Duration, NoTurn> {
        if let Some(why) = self.is_off() {
            return Err(NoTurn::Off(why));
        }
        self.state.change(|state| {
            // A machine whose clock was set back must not leave a provider alone for days.
            let far = now + FARTHEST;
            (state.next, state.cool_until) = (state.next.min(far), state.cool_until.min(far));
            let at = now.max(state.next).max(state.cool_until);
            let wait = at - now;
            if wait <= patience {
                state.next = at + self.every;
                Ok(wait)
            } else if state.cool_until > now {
                Err(NoTurn::Cooling(state.cool_until - now, state.last_fault.clone()))
            } else {
                Err(NoTurn::Full(wait))
            }
        })
    }

    /// It answered.
    pub fn succeeded(&self) {
        self.state.change(|state| state.strikes = 0);
    }

    /// It failed; the kind of failure decides how long it is left alone.
    pub fn failed(&self, fault: &WebFault, now: Duration) {
        if fault.kind.is_lasting() {
            *self.off.lock().unwrap_or_else(PoisonError::into_inner) = Some(fault.detail.clone());
            return;
        }
        self.state.change(|state| {
            state.last_fault.clone_from(&fault.detail);
            let strikes = match fault.kind {
                // Not met at all: we may be offline ourselves.
                WebFaultKind::Unreachable => 0,
                // One answer that makes no sense may be the query's fault; one after the other is not.
                WebFaultKind::Unreadable => 1,
                kind if kind.retriable() => 1,
                _ => return,
            };
            state.strikes = state.strikes.saturating_add(strikes);
            // Who said how long it needs is taken at its word.
            let long = state.strikes >= STRIKES && strikes > 0 && fault.retry_after_ms.is_none();
            let pause = if long { fault.pause().max(LONG) } else { fault.pause() };
            state.cool_until = state.cool_until.max(now.saturating_add(pause.min(FARTHEST)));
        });
    }

    fn is_off(&self) -> Option<String> {
        self.off.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
