//! What only a workflow can say about itself and a program must know to run it: who performs its acts, whom and what its
//! runs may ask, what its questions are about, what it keeps of a budget. The program has one row for each workflow,
//! made from this.

use std::path::Path;

use baton_agents::skill::Role;
use baton_engine::{Effects, Settings, Work};
use serde::Serialize;

use crate::process::Processes;
use crate::retrieval::Beyond;

/// What an answer to a question can bring about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stakes {
    /// What is to be found out or decided on paper.
    Ordinary,
    /// Whether something is done to the world or was done, or what a person thinks: theirs alone to say.
    Approval,
}

/// A file of a finished run that is copied where a person wants it, chosen by the ending of the name they give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Export {
    /// The file in the run's folder.
    pub file: &'static str,
    /// The endings that choose it.
    pub endings: &'static [&'static str],
}

/// A workflow as a program sees it. Whatever is not said here is refused: no model, no place, no ordinary question.
pub trait Profile: Work {
    /// What can be copied where a person wants it; a name without an ending chooses the first.
    const EXPORTS: &'static [Export] = &[];

    /// Adds the performers of acts that only this workflow has.
    #[must_use]
    fn performers(effects: Effects, _processes: &Processes) -> Effects {
        effects
    }

    /// The settings of a run, made from those that are configured.
    #[must_use]
    fn settings(configured: Settings) -> Settings {
        configured
    }

    /// Every role that a run with this input may ask.
    fn roles(_input: &Self::Input) -> Vec<&Role> {
        Vec::new()
    }

    /// The places beyond this machine that a run with this input may ask.
    fn beyond(_input: &Self::Input) -> Option<&Beyond> {
        None
    }

    /// What a run goes by now: its input with what was changed since. None if nothing of it can be changed.
    fn order(_memory: &Self::Memory) -> Option<&Self::Input> {
        None
    }

    /// Where the result of a run with this input is copied to when it ends.
    fn output(_input: &Self::Input) -> Option<&Path> {
        None
    }

    /// What is at stake in a question, by its name: the part of its key behind the slash.
    fn stakes(_question: &str) -> Stakes {
        Stakes::Approval
    }
}
