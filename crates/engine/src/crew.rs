//! Who can begin and drive runs of other workflows in this process: what runs inside runs need.

use std::sync::Arc;

use crate::RunId;
use crate::driver::DriveError;
use crate::engine::Engine;
use crate::flow::{Catalogue, Flow};

/// The workflows of a process, and what their runs may use.
pub trait Crew: Send + Sync {
    /// The workflow of this name.
    fn flow(&self, workflow: &str) -> Option<Arc<dyn Flow>>;

    /// The engine, able to use what this run may use and no more.
    fn equip(&self, engine: &Engine, run: &RunId) -> Result<Engine, DriveError>;
}

/// Workflows whose runs use what the engine has.
impl Crew for Catalogue {
    fn flow(&self, workflow: &str) -> Option<Arc<dyn Flow>> {
        self.get(workflow).cloned()
    }

    fn equip(&self, engine: &Engine, _run: &RunId) -> Result<Engine, DriveError> {
        Ok(engine.clone())
    }
}
