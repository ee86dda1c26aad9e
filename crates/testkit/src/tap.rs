//! A tap for servers of threads: lets out one drip at a time, when a test says so, without sleeping.

use std::sync::{Condvar, Mutex, PoisonError};

/// Drips let out and not yet taken.
#[derive(Default)]
pub(crate) struct Tap {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    drips: usize,
    closed: bool,
}

impl Tap {
    /// Lets out so many more drips.
    pub fn drip(&self, drips: usize) {
        self.change(|state| state.drips += drips);
    }

    /// Ends every wait.
    pub fn close(&self) {
        self.change(|state| state.closed = true);
    }

    /// Waits for a drip; false when the tap is closed.
    pub fn wait(&self) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.drips == 0 && !state.closed {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.drips = state.drips.saturating_sub(1);
        !state.closed
    }

    fn change(&self, how: impl FnOnce(&mut State)) {
        how(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }
}
