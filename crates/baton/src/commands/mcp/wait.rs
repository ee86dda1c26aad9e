//! Waiting for a run: until it rests, for a bounded time, telling of its moves meanwhile.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use baton_engine::store::OpenError;
use baton_engine::{Clock, Runs, RunsError};

use super::client::Client;
use crate::program::runs_of;
use crate::progress::TICK;
use crate::rest::Rest;
use crate::standing::Standing;

/// How long to wait, and for what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wait {
    /// At most this long.
    pub limit: Duration,
    /// Until more than this many records are there.
    pub seen: Option<u64>,
}

/// What matters of a run to somebody who waits for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glance {
    /// Its state.
    pub state: String,
    /// Its status.
    pub standing: Standing,
    /// How many records it has.
    pub records: u64,
}

impl Glance {
    /// Whether nothing more comes by itself, and it is more than was seen before. A finished run gets no more.
    fn is_worth_telling(&self, seen: Option<u64>) -> bool {
        match self.standing {
            Standing::Finished(_) => true,
            Standing::New | Standing::Running => false,
            Standing::Interrupted | Standing::Waiting | Standing::Stopped(_) => {
                seen.is_none_or(|seen| self.records > seen)
            }
        }
    }
}

/// Waits for a run of a home. The home is only looked into.
pub async fn for_run(
    home: &Path,
    run: &str,
    clock: &Arc<dyn Clock>,
    wait: Wait,
    client: &Client,
) -> Result<(), OpenError> {
    let runs = runs_of(home, clock)?;
    let run = runs.find(run)?;
    let mut rest = Rest::default();
    let glance = || {
        let row = runs.run(&run)?;
        // Whoever waits for a run waits for those below it.
        let rests = rest.is_reached(&runs, &run)?;
        let standing = if rests { Standing::of(&row) } else { Standing::Running };
        Ok(Glance { standing, state: row.state, records: row.records })
    };
    Ok(until_rest(glance, &**clock, wait, client).await?)
}

/// Looks until there is something to tell, or the time is over, or nobody waits any more.
async fn until_rest(
    mut glance: impl FnMut() -> Result<Glance, RunsError> + Send,
    clock: &dyn Clock,
    wait: Wait,
    client: &Client,
) -> Result<(), RunsError> {
    let end = clock.now().plus(wait.limit);
    let mut last = None;
    loop {
        let now = glance()?;
        if last.as_ref() != Some(&now) {
            client.notify(format!("{}, {}, {} records", now.state, now.standing.words(), now.records)).await;
        }
        if now.is_worth_telling(wait.seen) || clock.now() >= end {
            return Ok(());
        }
        last = Some(now);
        tokio::select! {
            biased;
            () = client.gone() => return Ok(()),
            () = clock.until(clock.now().plus(TICK).min(end)) => {}
        }
    }
}

#[cfg(test)]
mod tests;
