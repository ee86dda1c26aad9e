//! Telling how far a run is by what it has learnt: the fold every follower shares. What is told stands with each workflow.

use baton_engine::driver::{Vault, unwrap};
use baton_engine::record::{Body, Payload};
use baton_machine::Workflow;
use serde::de::DeserializeOwned;

use crate::presenter::Follower;

/// What there is to tell about the runs of a workflow.
pub trait Telling<W: Workflow>: Default + 'static {
    /// An event that memory has just learnt; a line where there is something to say about it.
    fn line(&mut self, memory: &W::Memory, event: &W::Event) -> Option<String>;
    /// How far the run is, for a view that is drawn over itself.
    fn lines(&self, memory: &W::Memory) -> Vec<String>;
}

/// Follows a run by folding its events as the run itself folds them.
pub fn telling<W: Workflow, T: Telling<W>>() -> Option<Box<dyn Follower>> {
    Some(Box::new(Folded::<W, T> { memory: None, telling: T::default() }))
}

struct Folded<W: Workflow, T> {
    memory: Option<W::Memory>,
    telling: T,
}

impl<W: Workflow, T: Telling<W>> Follower for Folded<W, T> {
    /// A record that cannot be read changes nothing here: the driver says what is wrong with it.
    fn take(&mut self, body: &Body, vault: &dyn Vault) -> Option<String> {
        match body {
            Body::Started(started) => {
                self.memory = Some(W::begin(&read(&started.input, vault)?));
                None
            }
            Body::Event(happened) => {
                let event: W::Event = read(&happened.event, vault)?;
                let memory = self.memory.as_mut()?;
                W::learn(memory, &event);
                self.telling.line(memory, &event)
            }
            _ => None,
        }
    }

    fn lines(&self) -> Vec<String> {
        self.memory.as_ref().map_or_else(Vec::new, |memory| self.telling.lines(memory))
    }
}

fn read<T: DeserializeOwned>(payload: &Payload, vault: &dyn Vault) -> Option<T> {
    serde_json::from_value(unwrap(payload, vault).ok()?).ok()
}
