//! The workflows of this program, one row each: everything the program knows of a workflow by name. What a workflow says
//! of itself comes from its profile; a row adds how the program shows it and how an assistant starts it.

use std::path::Path;
use std::sync::Arc;

use baton_agents::clock::RealClock;
use baton_agents::model::secret::EnvKeys;
use baton_agents::read::extract::ChildCommand;
use baton_engine::torture::{
    Child, LifeEnd, Rehearse, Report, Rigour, Spawn, TortureError, child, torture_family,
};
use baton_engine::{Catalogue, Clock, Effects, RunId, Runs, Settings};
use baton_workflows::approval::Approval;
use baton_workflows::article::Article;
use baton_workflows::debate::Debate;
use baton_workflows::effort::Effort;
use baton_workflows::factory::Factory;
use baton_workflows::process::Processes;
use baton_workflows::profile::{Export, Profile, Stakes};
use baton_workflows::report::{DataWorld, RemoteWorld, Report as ReportFlow};
use baton_workflows::research::Research;
use baton_workflows::retrieval::LocalWorld;
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::allowance::Allowance;
use crate::commands::mcp::StartTool;
use crate::commands::{article, build, debate, report, research};
use crate::presenter::Presenter;
use crate::trouble::Trouble;

/// Every workflow. A new one is one row here, and its command.
pub static ROWS: [Row; 7] = [
    Row {
        presenter: Some(&research::ResearchPresenter),
        tool: Some(&research::TOOL),
        ..Row::of::<Research>()
    },
    Row { presenter: Some(&article::PRESENTER), tool: Some(&article::TOOL), ..Row::of::<Article>() },
    Row { presenter: Some(&debate::DebatePresenter), tool: Some(&debate::TOOL), ..Row::of::<Debate>() },
    Row { presenter: Some(&report::PRESENTER), tool: Some(&report::TOOL), ..Row::of::<ReportFlow>() },
    Row { presenter: Some(&build::PRESENTER), ..Row::of::<Factory>() },
    Row::of::<Effort>(),
    Row::of::<Approval>(),
];

/// A workflow with its types forgotten.
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// Tortures its rehearsal in a folder.
    pub torture: fn(&Runtime, &Path, Rigour, Option<Spawn<'_>>) -> Result<Report, TortureError>,
    /// Runs its rehearsal in this process until it dies.
    pub child: fn(&Runtime, &Child) -> Result<LifeEnd, TortureError>,
    /// What a run with this input may use; none if the input cannot be read, and the driver says why.
    pub allowance: fn(Value) -> Option<Allowance>,
    /// The same for a run as it stands, with what was changed since it was started.
    pub allowance_now: fn(&dyn Runs, &RunId) -> Option<Allowance>,
    /// What can be copied where a person wants it when a run ends.
    pub exports: &'static [Export],
    /// The settings of a run, made from those that are configured.
    pub settings: fn(Settings) -> Settings,
    /// How it shows itself, if not like every other.
    pub presenter: Option<&'static dyn Presenter>,
    /// How an assistant starts it, if it has a tool of its own.
    pub tool: Option<&'static StartTool>,
    enlist: fn(Catalogue) -> Catalogue,
    performers: fn(Effects, &Processes) -> Effects,
    stakes: fn(&str) -> Stakes,
}

impl Row {
    const fn of<W: Profile + Rehearse>() -> Self {
        Self {
            name: W::NAME,
            torture: |runtime, folder, rigour, spawn| {
                runtime.block_on(torture_family::<W>(folder, rigour, spawn, Some(Arc::new(catalogue()))))
            },
            child: |runtime, order| runtime.block_on(child::<W>(order, Some(Arc::new(catalogue())))),
            allowance: Allowance::of::<W>,
            allowance_now: Allowance::now::<W>,
            exports: W::EXPORTS,
            settings: W::settings,
            presenter: None,
            tool: None,
            enlist: Catalogue::with::<W>,
            performers: W::performers,
            stakes: W::stakes,
        }
    }
}

/// The row of a workflow.
pub fn row(workflow: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.name == workflow)
}

/// The row of a workflow that was named.
pub fn find(workflow: &str) -> Result<&'static Row, Trouble> {
    let known = || ROWS.iter().map(|row| row.name).collect();
    row(workflow).ok_or_else(|| Trouble::NoWorkflow { name: workflow.to_owned(), known: known() })
}

/// How a workflow shows itself, if not like every other.
pub fn presenter(workflow: &str) -> Option<&'static dyn Presenter> {
    row(workflow)?.presenter
}

/// What is at stake in a question of a workflow, by its name (the part of its key behind the slash). What is not known
/// asks for an approval.
pub fn stakes(workflow: &str, name: &str) -> Stakes {
    match row(workflow) {
        // The engine's own question whether a step happened, in any workflow.
        _ if name.contains('?') => Stakes::Approval,
        Some(row) => (row.stakes)(name),
        None => Stakes::Approval,
    }
}

/// Every workflow, as the engine knows them.
pub fn catalogue() -> Catalogue {
    ROWS.iter().fold(Catalogue::default(), |catalogue, row| (row.enlist)(catalogue))
}

/// Every act this program can perform without a model; a run brings its own models and places.
pub fn effects(home: &Path, child: ChildCommand, clock: Arc<dyn Clock>) -> Effects {
    let processes = Processes::of_this_program(Arc::new(RealClock::new()));
    let effects =
        DataWorld::new(home, &child).printing(&processes).effects(baton_workflows::effects(&processes));
    let effects = RemoteWorld::new(home, Arc::new(EnvKeys), Arc::new(RealClock::new())).effects(effects);
    let effects = LocalWorld::new(home, child, clock).effects(effects);
    ROWS.iter().fold(effects, |effects, row| (row.performers)(effects, &processes))
}

#[cfg(test)]
mod tests;
