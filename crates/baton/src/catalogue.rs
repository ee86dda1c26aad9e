//! The workflows of this program, and what they can do to the world. A new workflow is one line in each list.

use std::path::Path;
use std::sync::Arc;

use baton_agents::clock::RealClock;
use baton_agents::read::extract::ChildCommand;
use baton_engine::torture::{Child, Ending, Rehearse, Report, Rigour, Spawn, TortureError, child, torture};
use baton_engine::{Catalogue, Clock, Effects, Work};
use baton_workflows::approval::Approval;
use baton_workflows::debate::Debate;
use baton_workflows::process::Processes;
use baton_workflows::research::{LocalWorld, Research};
use tokio::runtime::Runtime;

/// Every workflow.
pub fn catalogue() -> Catalogue {
    Catalogue::default().with::<Approval>().with::<Debate>().with::<Research>()
}

/// Every act this program can perform without a model; a run brings its own models.
pub fn effects(home: &Path, child: ChildCommand, clock: Arc<dyn Clock>) -> Effects {
    let processes = Processes::of_this_program(Arc::new(RealClock::new()));
    LocalWorld::new(home, child, clock).effects(baton_workflows::effects(&processes))
}

/// The workflows that can be tortured.
pub fn rehearsals() -> Vec<Rehearsed> {
    vec![Rehearsed::of::<Approval>(), Rehearsed::of::<Debate>(), Rehearsed::of::<Research>()]
}

/// A workflow that can be tortured, with its types forgotten.
pub struct Rehearsed {
    /// Its name.
    pub name: &'static str,
    /// Tortures it in a folder.
    pub torture: fn(&Runtime, &Path, Rigour, Option<Spawn<'_>>) -> Result<Report, TortureError>,
    /// Runs it in this process until it dies.
    pub child: fn(&Runtime, &Child) -> Result<Ending, TortureError>,
}

impl Rehearsed {
    fn of<W: Work + Rehearse>() -> Self {
        Self {
            name: W::NAME,
            torture: |runtime, folder, rigour, spawn| runtime.block_on(torture::<W>(folder, rigour, spawn)),
            child: |runtime, told| runtime.block_on(child::<W>(told)),
        }
    }
}
