//! The runs this program can begin and drive inside others: every workflow it has, each run with what it may use.

use std::sync::Arc;

use baton_engine::{Crew, DriveError, Engine, Flow, RunId};

use crate::allowance::Allowance;
use crate::program::Program;
use crate::trouble::Trouble;

/// This program as a crew.
pub struct ProgramCrew(pub Program);

impl Crew for ProgramCrew {
    fn flow(&self, workflow: &str) -> Option<Arc<dyn Flow>> {
        self.0.catalogue.get(workflow).cloned()
    }

    fn equip(&self, engine: &Engine, run: &RunId) -> Result<Engine, DriveError> {
        let equipped = Allowance::of_run(engine, run).and_then(|allowance| allowance.equip(&self.0, engine));
        equipped.map_err(|trouble| match trouble {
            Trouble::Runs(error) => DriveError::Runs(error),
            Trouble::Drive(error) => error,
            other => DriveError::Unequipped(other.to_string()),
        })
    }
}
