//! What a workflow shows and asks beyond what every run shows and asks. A workflow without a presenter is shown by its
//! states, steps and questions alone.

use baton_engine::Engine;
use baton_engine::driver::Vault;
use baton_engine::record::Body;
use baton_engine::store::OpenQuestion;
use serde_json::Value;

use crate::detail::Detail;
use crate::exit::Exit;
use crate::page::Page;
use crate::program::Program;
use crate::trouble::Trouble;

/// What a workflow adds.
pub trait Presenter: Sync {
    /// Follows a run's records from the first; none to show the moves of every run alone.
    fn follower(&self) -> Option<Box<dyn Follower>>;
    /// The last words about a run that rests; none to say what is said of every run.
    fn closing(
        &self,
        program: &Program,
        engine: &Engine,
        detail: &Detail,
    ) -> Result<Option<Closing>, Trouble>;
    /// How a question is put to a person; none to ask it as it stands.
    fn interview(
        &self,
        program: &Program,
        engine: &Engine,
        open: &OpenQuestion,
    ) -> Result<Option<Box<dyn Interview>>, Trouble>;
}

/// Follows the records of a run, for the progress view.
pub trait Follower {
    /// One more record; a line where there is something to say about it.
    fn take(&mut self, body: &Body, vault: &dyn Vault) -> Option<String>;
    /// How far the run is, for a view that is drawn over itself.
    fn lines(&self) -> Vec<String>;
}

/// The last words about a run that rests.
pub struct Closing {
    /// For programs.
    pub value: Value,
    /// For people.
    pub page: Page,
    /// How the process ends, if not by the run's status.
    pub exit: Option<Exit>,
}

/// A question that takes more than one line.
pub trait Interview {
    /// What is to be seen first.
    fn page(&self) -> Page;
    /// What can be typed.
    fn choices(&self) -> &'static str;
    /// What a line means.
    fn read(&mut self, line: &str) -> Result<Reply, Trouble>;
}

/// What a line means.
pub enum Reply {
    /// The answer.
    Answer(Value),
    /// Nothing yet; what to say before asking again.
    AskAgain(String),
}
