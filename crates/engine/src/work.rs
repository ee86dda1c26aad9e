//! What a workflow adds to its table so that it can be driven: the nodes, and the files people see.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use baton_machine::{Position, Workflow};
use serde_json::Value;

use crate::driver::{Vault, unwrap};
use crate::history::{self, Entry};
use crate::record::{Change, Payload};
use crate::{Cx, Fault, Purse, Record, RunId, Status};

/// The work of one visit, under way.
pub type NodeFuture<W> = Pin<Box<dyn Future<Output = Result<<W as Workflow>::Event, Fault>> + Send>>;

/// The work of a state. Made from an async function by [`node`].
pub struct Node<W: Workflow>(Arc<dyn Fn(Cx<W>) -> NodeFuture<W> + Send + Sync>);

impl<W: Workflow> Node<W> {
    /// Begins a visit.
    pub fn begin(&self, cx: Cx<W>) -> NodeFuture<W> {
        (self.0)(cx)
    }
}

/// Makes a node of an async function.
pub fn node<W, F, R>(work: F) -> Node<W>
where
    W: Workflow,
    F: Fn(Cx<W>) -> R + Send + Sync + 'static,
    R: Future<Output = Result<W::Event, Fault>> + Send + 'static,
{
    Node(Arc::new(move |cx| Box::pin(work(cx))))
}

/// A workflow that can be driven.
pub trait Work: Workflow {
    /// The version of the node code. Raise it when nodes ask for other steps than before: a run in
    /// flight is pinned to the version it began with.
    const CODE_VERSION: u32;

    /// The work of a state; none for final states.
    fn node(state: Self::State) -> Option<Node<Self>>;

    /// The event that a fault becomes. Without one the run stops in its state and can be resumed.
    fn on_fault(_state: Self::State, _fault: &Fault) -> Option<Self::Event> {
        None
    }

    /// What the run is about, for lists.
    fn title(_input: &Self::Input) -> String {
        Self::NAME.to_owned()
    }

    /// What a run that is over brings the run that began it.
    fn brings(_memory: &Self::Memory) -> Value {
        Value::Null
    }

    /// What may be changed in a run that has begun, beside the engine's own settings.
    fn changeable() -> &'static [Changeable] {
        &[]
    }

    /// Changes what a run knows. Like learning it is part of the fold, so it must be pure; what it refuses is never
    /// recorded.
    fn change(_memory: &mut Self::Memory, change: &Change) -> Result<(), String> {
        Err(format!("{} has nothing called `{}`", Self::NAME, change.key))
    }

    /// What the run's folder shows a person. A projection of the journal: deleting it loses nothing.
    fn files(_view: &View<'_, Self>) -> Vec<RunFile> {
        Vec::new()
    }
}

/// Something that may be changed in a run that has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Changeable {
    /// Its name; one that ends in a dot stands for a family, like `model.` for `model.writer`.
    pub key: &'static str,
    /// What a value looks like.
    pub hint: &'static str,
    /// What it means, in a few words.
    pub says: &'static str,
}

/// A run as its files see it.
pub struct View<'a, W: Workflow> {
    /// The run.
    pub run: &'a RunId,
    /// Where it stands.
    pub position: &'a Position<W>,
    /// What it has learnt.
    pub memory: &'a W::Memory,
    /// What the engine says of it.
    pub status: &'a Status,
    /// What it has spent.
    pub purse: &'a Purse,
    /// Reads its records so far; only called by files that tell the whole story.
    pub records: &'a dyn Fn() -> Vec<Record>,
    /// Where long payloads are read from.
    pub vault: &'a dyn Vault,
}

impl<W: Workflow> View<'_, W> {
    /// The way it went so far, without what was taken back. Read when it is asked for, and each long event when its
    /// turn comes.
    pub fn history(&self) -> impl Iterator<Item = Entry<W>> {
        let kept = history::kept((self.records)());
        kept.into_iter().map(|record| Entry::read(record, self.vault))
    }

    /// The value a record names, wherever it is kept; none if it is lost.
    pub fn value(&self, payload: &Payload) -> Option<Value> {
        unwrap(payload, self.vault).ok()
    }
}

/// One file of a run's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFile {
    /// Its path below the folder, with `/`.
    pub path: String,
    /// Its content; empty for a copy.
    pub content: Vec<u8>,
    /// The file of the home it is a copy of, as a path below the home.
    pub copy_of: Option<String>,
    /// Whether it tells the way a run went rather than what came of it: two runs with the same end may
    /// differ in it.
    pub is_history: bool,
}

impl RunFile {
    /// A text file.
    pub fn text(path: impl Into<String>, content: impl Into<String>) -> Self {
        Self { path: path.into(), content: content.into().into_bytes(), copy_of: None, is_history: false }
    }

    /// A text file that tells the way the run went.
    pub fn history(path: impl Into<String>, content: impl Into<String>) -> Self {
        Self { is_history: true, ..Self::text(path, content) }
    }

    /// A copy of a file below the home; it is not held in memory.
    pub fn copy(path: impl Into<String>, copy_of: impl Into<String>) -> Self {
        Self { copy_of: Some(copy_of.into()), ..Self::text(path, "") }
    }
}
