//! When a run rests, for those who follow it: nobody drives it, nor anything below it.

use baton_engine::{RunId, RunSummary, Runs, RunsError};

use crate::standing::Standing;

/// Looks in a row at which nobody works on a family before it counts as resting: between two of its runs nobody does for
/// a moment.
const QUIET: u32 = 10;

/// Whether somebody drives a run, or one below it that the run waits for.
pub fn is_under_way(runs: &dyn Runs, row: &RunSummary) -> Result<bool, RunsError> {
    match Standing::of(row) {
        Standing::Running => Ok(true),
        Standing::Waiting => {
            for child in runs.children(&row.name)? {
                if is_under_way(runs, &child)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Standing::New | Standing::Interrupted | Standing::Stopped(_) | Standing::Finished(_) => Ok(false),
    }
}

/// Follows a run to its rest.
#[derive(Debug, Default)]
pub struct Rest {
    quiet: u32,
}

impl Rest {
    /// Looks once more; whether the run rests.
    pub fn is_reached(&mut self, runs: &dyn Runs, run: &RunId) -> Result<bool, RunsError> {
        let row = runs.run(run)?;
        if is_under_way(runs, &row)? {
            self.quiet = 0;
            return Ok(false);
        }
        self.quiet += 1;
        Ok(self.quiet > QUIET || !may_go_on(runs, &row)?)
    }
}

/// Whether a run waits for nobody but runs below it, so that it may be between two of them.
fn may_go_on(runs: &dyn Runs, row: &RunSummary) -> Result<bool, RunsError> {
    Ok(Standing::of(row) == Standing::Waiting
        && runs.questions_below(&row.name)?.is_empty()
        && !runs.children(&row.name)?.is_empty())
}
