//! What an approval chain is started with, and what it learns.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Event;
use crate::command::RunCommand;

/// What is to be done, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// What it is about.
    pub title: String,
    /// The stages; a person is asked between them.
    pub stages: Vec<Stage>,
}

/// Commands that may run at the same time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// Its name.
    pub name: String,
    /// Its commands.
    pub commands: Vec<Command>,
    /// What the person is asked before this stage begins; a sentence is made up if none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ask: Option<String>,
    /// How long the answer may take, in hours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within_hours: Option<u64>,
}

/// One command of a stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Command {
    /// Its name, unique in its stage.
    pub name: String,
    /// The line for the shell.
    pub run: String,
    /// The folder it runs in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Whether it may be run again if a crash hides its outcome; otherwise a person is asked.
    #[serde(default)]
    pub repeatable: bool,
}

impl Command {
    /// The act of running it.
    pub fn act(&self) -> RunCommand {
        RunCommand { line: self.run.clone(), folder: self.folder.clone(), repeatable: self.repeatable }
    }
}

/// A command that has run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finished {
    /// Its stage, counted from 0.
    pub stage: usize,
    /// Its name.
    pub name: String,
    /// Its exit code.
    pub code: Option<i32>,
    /// The end of what it printed.
    pub output: String,
}

impl Finished {
    /// Whether it succeeded.
    pub fn ok(&self) -> bool {
        self.code == Some(0)
    }
}

/// All that the run has learnt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// The plan.
    pub plan: Plan,
    /// Stages that are done.
    pub stage: usize,
    /// What each command left behind, by stage and name: the last time it ran.
    pub results: BTreeMap<String, Finished>,
    /// Who approved, by the stage that began after it.
    pub approvals: BTreeMap<usize, String>,
    /// Stages that were skipped after a failure.
    pub skipped: Vec<usize>,
    /// Why the run ended, if it was not completed.
    pub why: Option<String>,
}

impl Memory {
    /// What is known before anything has happened.
    pub fn new(plan: Plan) -> Self {
        Self {
            plan,
            stage: 0,
            results: BTreeMap::new(),
            approvals: BTreeMap::new(),
            skipped: Vec::new(),
            why: None,
        }
    }

    /// Folds one event.
    pub fn learn(&mut self, event: &Event) {
        match event {
            Event::CommandFinished { result } => {
                self.results.insert(slot(result.stage, &result.name), result.clone());
            }
            Event::StageDone => self.stage += 1,
            Event::SkipStage => {
                self.skipped.push(self.stage);
                self.stage += 1;
            }
            Event::Approved { by } => {
                self.approvals.insert(self.stage, by.clone());
            }
            Event::Rejected { why } | Event::GaveUp { why } => self.why = Some(why.clone()),
            Event::StageFailed | Event::RepairedTryAgain => {}
        }
    }

    /// The stage at work, if any is left.
    pub fn present(&self) -> Option<&Stage> {
        self.plan.stages.get(self.stage)
    }

    /// What a command left behind the last time it ran.
    pub fn result(&self, stage: usize, name: &str) -> Option<&Finished> {
        self.results.get(&slot(stage, name))
    }
}

fn slot(stage: usize, name: &str) -> String {
    format!("{stage:03}/{name}")
}
