//! What every command works with: the home, the configuration, the clock, the workflows, the output.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use baton_agents::read::extract::ChildCommand;
use baton_engine::store::{OpenError, Store, StoreOptions};
use baton_engine::{
    Catalogue, Clock, DriveError, Effects, Engine, Flow, Key, RunId, Runs, RunsError, Submitted, SystemClock,
    SystemDice, WrongShape, folder,
};
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};

use crate::args::Global;
use crate::catalogue::{catalogue, effects};
use crate::config::{Config, Places};
use crate::crew::ProgramCrew;
use crate::home::{Home, NamedBy};
use crate::output::Output;
use crate::text::quoted;
use crate::trouble::Trouble;

/// What was typed, resolved: everything a command needs.
#[derive(Clone)]
pub struct Program {
    /// The one place that prints.
    pub out: Output,
    /// Where runs are kept.
    pub home: Home,
    /// What is configured.
    pub config: Config,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// The workflows.
    pub catalogue: Catalogue,
    /// Who types.
    pub who: String,
}

impl Program {
    /// Resolves what holds for every command. Opens and makes nothing yet.
    pub fn new(global: &Global, heeds_project: bool, out: Output) -> Result<Self, Trouble> {
        let env = |name: &str| std::env::var_os(name);
        let project = heeds_project.then_some(Path::new(""));
        let config = Config::read(&Places { project, home: global.home.as_deref(), env: &env })?;
        let home = Home::choose(global.home.as_deref(), config.home.as_deref(), &env)?;
        let who = ["USER", "LOGNAME", "USERNAME"].iter().find_map(|name| std::env::var(name).ok());
        let who = who.filter(|name| !name.is_empty()).unwrap_or_else(|| "somebody".to_owned());
        Ok(Self { out, home, config, clock: Arc::new(SystemClock), catalogue: catalogue(), who })
    }

    /// Says which limits of the project's file do not count.
    pub fn tell_held_back(&self, is_budget_typed: bool) {
        for limit in self.config.held_back(is_budget_typed) {
            self.out.note(format!("note: {limit}"));
        }
    }

    /// Opens the home to drive its runs, making it if there is none.
    pub fn engine(&self) -> Result<Engine, Trouble> {
        self.home.ready()?;
        let store = Store::open(&self.home.path, &StoreOptions::default())?;
        let child = ChildCommand::this_program().map_err(Trouble::Runtime)?;
        let effects = effects(&self.home.path, child, Arc::clone(&self.clock));
        let effects = effects.with_crew(Arc::new(ProgramCrew(self.clone())));
        Ok(Engine { store, clock: Arc::clone(&self.clock), dice: Arc::new(SystemDice), effects })
    }

    /// Opens the home to look at its runs, also where it may not be written.
    pub fn runs(&self) -> Result<impl Runs + use<>, Trouble> {
        self.home.ready()?;
        Ok(runs_of(&self.home.path, &self.clock)?)
    }

    /// The folder in which a run shows its files.
    pub fn folder_of(&self, run: &RunId) -> PathBuf {
        folder::path(&self.home.path, run)
    }

    /// The workflow of this name.
    pub fn flow(&self, name: &str) -> Result<&Arc<dyn Flow>, Trouble> {
        self.catalogue.get(name).ok_or_else(|| Trouble::NoWorkflow {
            name: name.to_owned(),
            known: self.catalogue.iter().map(|flow| flow.name()).collect(),
        })
    }

    /// The workflow of a run.
    pub fn flow_of(&self, runs: &dyn Runs, run: &RunId) -> Result<&Arc<dyn Flow>, Trouble> {
        let workflow = runs.run(run)?.workflow;
        self.catalogue.get(&workflow).ok_or_else(|| Trouble::Unknown { run: run.clone(), workflow })
    }

    /// Answers a question in the name of whoever runs the program. Only what the run can read is recorded.
    pub fn answer(
        &self,
        runs: &dyn Runs,
        run: &RunId,
        key: &Key,
        answer: &Value,
    ) -> Result<Submitted, AnswerError> {
        self.answer_by(&self.who, runs, run, key, answer)
    }

    /// The same for whoever only let the program say yes: the record tells the two apart.
    pub fn answer_unseen(
        &self,
        runs: &dyn Runs,
        run: &RunId,
        key: &Key,
        answer: &Value,
    ) -> Result<Submitted, AnswerError> {
        self.answer_by(&format!("{} (--yes)", self.who), runs, run, key, answer)
    }

    fn answer_by(
        &self,
        by: &str,
        runs: &dyn Runs,
        run: &RunId,
        key: &Key,
        answer: &Value,
    ) -> Result<Submitted, AnswerError> {
        let flow = self.flow_of(runs, run).map_err(AnswerError::Other)?;
        flow.answer(runs, run, key, answer, by).map_err(|error| match error {
            DriveError::Runs(RunsError::NotOpen(why)) => AnswerError::NotOpen(why),
            DriveError::Runs(RunsError::WrongAnswer { wrong, hint }) => AnswerError::Wrong { wrong, hint },
            error => AnswerError::Other(error.into()),
        })
    }

    /// What to type for this, exactly: a home that was typed must be typed again.
    pub fn command(&self, words: &str) -> String {
        match self.home.named_by {
            NamedBy::Flag => {
                format!("baton {words} --home {}", quoted(&self.home.path.display().to_string()))
            }
            NamedBy::Environment | NamedBy::Config | NamedBy::Platform => format!("baton {words}"),
        }
    }

    /// A runtime for driving and waiting.
    pub fn runtime(&self) -> Result<Runtime, Trouble> {
        Builder::new_current_thread().enable_all().build().map_err(Trouble::Runtime)
    }
}

/// The runs of a home, for those who only look. One that may not be written is opened as it lies.
pub fn runs_of(home: &Path, clock: &Arc<dyn Clock>) -> Result<impl Runs + use<>, OpenError> {
    let store = match Store::open(home, &StoreOptions::default()) {
        Err(error) if error.is_unwritable() && home.is_dir() => Store::look(home),
        opened => opened,
    }?;
    let (clock, dice, effects) = (Arc::clone(clock), Arc::new(SystemDice), Effects::default());
    Ok(Engine { store, clock, dice, effects })
}

/// An answer that was not taken, by what can be done about it.
#[derive(Debug)]
pub enum AnswerError {
    /// The question is not open, and why.
    NotOpen(String),
    /// The answer does not fit.
    Wrong {
        /// What does not fit.
        wrong: WrongShape,
        /// What an answer looks like.
        hint: String,
    },
    /// It could not even be tried.
    Other(Trouble),
}
