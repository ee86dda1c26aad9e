//! Going on without records that are gone: only a person can decide that.

use std::collections::BTreeSet;

use baton_engine::store::{OpenError, Store};
use baton_engine::{RunId, RunsError};

use crate::program::Program;
use crate::trouble::Trouble;

/// Accepts what was lost of a run, or of all of them.
pub fn accept(program: &Program, typed: &str) -> Result<(), Trouble> {
    let engine = match program.engine() {
        Err(Trouble::Open(OpenError::Emptied { .. })) if typed == "all" => {
            let aside = Store::accept_empty(&program.home.path)?;
            program.out.note(format!(
                "the home begins anew; what is known of the runs it held is kept in {}",
                aside.display()
            ));
            return Ok(());
        }
        engine => engine?,
    };
    let runtime = program.runtime()?;
    for run in meant(&engine.store, typed)? {
        let said = match runtime.block_on(engine.store.accept_loss(&run))? {
            Some(loss) if loss.kept == 0 => format!("accepted: {loss}"),
            Some(loss) => {
                let resume = program.command(&format!("resume {run}"));
                format!("accepted: {loss}. Go on with: {resume}")
            }
            None => format!("nothing of run {run} was lost"),
        };
        program.out.note(said);
    }
    Ok(())
}

/// The runs a person means.
fn meant(store: &Store, typed: &str) -> Result<BTreeSet<RunId>, Trouble> {
    if typed != "all" {
        return match store.find(typed) {
            Ok(run) => Ok([run].into()),
            Err(RunsError::Lost(loss)) => Ok([loss.run].into()),
            Err(error) => Err(error.into()),
        };
    }
    let mut runs: BTreeSet<RunId> = store.unanchored()?.into_iter().collect();
    runs.extend(store.lost_runs()?.into_iter().map(|loss| loss.run));
    for row in store.runs(None)? {
        runs.extend(store.verify(&row.name)?.loss.map(|loss| loss.run));
    }
    Ok(runs)
}
