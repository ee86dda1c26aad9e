//! What a workflow shows and asks beyond what every run shows and asks, as data: a page that any view can draw, lines of
//! progress, the choices of an interview. A workflow without a presenter is shown by its states, steps and questions
//! alone.

use std::path::PathBuf;

use baton_engine::driver::Vault;
use baton_engine::record::{Body, Chained};
use baton_engine::{OpenQuestion, Runs, RunsError};
use serde_json::Value;

use crate::detail::Detail;
use crate::exit::Exit;
use crate::page::Page;
use crate::program::Program;
use crate::trouble::Trouble;

/// What a workflow adds; nothing, unless it says so.
pub trait Presenter: Sync {
    /// Follows a run's records from the first, for the progress view.
    fn follower(&self) -> Option<Box<dyn Follower>> {
        None
    }

    /// The last words about a run that rests; none to say what is said of every run.
    fn closing(
        &self,
        _program: &Program,
        _runs: &dyn Runs,
        _detail: &Detail,
    ) -> Result<Option<Closing>, Trouble> {
        Ok(None)
    }

    /// The first record whose content nobody may see yet; none if all may be seen. Only where the state says that there
    /// may be one are the records of the run read.
    fn withheld(&self, _state: &str, _records: Records<'_>) -> Result<Option<u64>, RunsError> {
        Ok(None)
    }

    /// What may be seen now of what a run has learnt.
    fn seen(&self, _state: &str, memory: Value) -> Value {
        memory
    }

    /// How a question is put to a person; none to ask it as it stands.
    fn interview(
        &self,
        _program: &Program,
        _runs: &dyn Runs,
        _open: &OpenQuestion,
    ) -> Result<Option<Interview>, Trouble> {
        Ok(None)
    }
}

/// The presenter of a workflow that shows its progress and its last words, and asks and withholds nothing of its own.
pub struct Shown {
    /// How its runs are followed.
    pub follower: fn() -> Option<Box<dyn Follower>>,
    /// The last words about a run that rests.
    pub closing: fn(&Program, &Detail) -> Result<Option<Closing>, Trouble>,
}

impl Presenter for Shown {
    fn follower(&self) -> Option<Box<dyn Follower>> {
        (self.follower)()
    }

    fn closing(
        &self,
        program: &Program,
        _runs: &dyn Runs,
        detail: &Detail,
    ) -> Result<Option<Closing>, Trouble> {
        (self.closing)(program, detail)
    }
}

/// All records of a run, once somebody needs them.
pub type Records<'a> = &'a dyn Fn() -> Result<Vec<Chained>, RunsError>;

/// Follows the records of a run.
pub trait Follower {
    /// One more record; a line where there is something to say about it.
    fn take(&mut self, body: &Body, vault: &dyn Vault) -> Option<String>;
    /// How far the run is, for a view that is drawn over itself.
    fn lines(&self) -> Vec<String>;
}

/// The last words about a run that rests.
#[derive(Debug)]
pub struct Closing {
    /// For programs.
    pub value: Value,
    /// For people.
    pub page: Page,
    /// How the process ends, if not by the run's status.
    pub exit: Option<Exit>,
}

/// A question that is answered by one of several choices, or in a sentence.
#[derive(Clone, Debug)]
pub struct Interview {
    /// What is to be seen first.
    pub page: Page,
    /// What can be chosen.
    pub choices: Vec<Choice>,
    /// What a sentence means that is none of the choices.
    pub sentence: Sentence,
}

/// Something that can be chosen.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The word for it, and what else may be typed.
    pub words: &'static [&'static str],
    /// What choosing it leads to.
    pub then: Then,
}

/// What a choice leads to.
#[derive(Clone, Debug)]
pub enum Then {
    /// This is the answer.
    Answer(Value),
    /// A text is edited and becomes the answer.
    Edit(Draft),
    /// A sentence is asked for.
    Ask,
}

/// A sentence as an answer: `{name: sentence}`.
#[derive(Clone, Copy, Debug)]
pub struct Sentence {
    /// The name it is given under.
    pub name: &'static str,
    /// What it says.
    pub says: &'static str,
    /// What to write, with an example.
    pub example: &'static str,
}

/// A text to be edited.
#[derive(Clone, Debug)]
pub struct Draft {
    /// What it is.
    pub what: &'static str,
    /// Where it is edited; what cannot be read stays there for another try.
    pub file: PathBuf,
    /// What stands in it at first.
    pub text: String,
    /// The answer that an edited text is, or what is wrong with it.
    pub read: fn(&str) -> Result<Value, String>,
}
