//! The runs of a home, as a program sees them: the store, with the engine's clock.

use baton_machine::TableText;
use serde_json::Value;

use super::Engine;
use crate::driver::Vault;
use crate::record::Chained;
use crate::runs::{Filter, Glance, Journal, NewRun, OpenQuestion, RunSummary, Runs, RunsError, Submitted};
use crate::{Hash, Key, Reads, RunId};

impl Runs for Engine {
    fn create(&self, new: NewRun) -> Result<(), RunsError> {
        self.store.create(new)
    }

    fn find(&self, typed: &str) -> Result<RunId, RunsError> {
        self.store.find(typed)
    }

    fn run(&self, run: &RunId) -> Result<RunSummary, RunsError> {
        self.store.run(run)
    }

    fn list(&self, filter: Filter<'_>) -> Result<Vec<RunSummary>, RunsError> {
        self.store.list(filter)
    }

    fn records(&self, run: &RunId, from: u64) -> Result<Vec<Chained>, RunsError> {
        self.store.records(run, from)
    }

    fn journal(&self, run: &RunId) -> Result<Journal, RunsError> {
        self.store.journal(run)
    }

    fn journal_from_start(&self, run: &RunId) -> Result<Journal, RunsError> {
        self.store.journal_from_start(run)
    }

    fn recent(&self, run: &RunId) -> Result<Journal, RunsError> {
        self.store.recent(run)
    }

    fn glance(&self, run: &RunId) -> Result<Option<Glance>, RunsError> {
        let glance = self.store.outline(run, None)?;
        // A short run is folded at no cost, and more can be said of it then.
        let is_short = |glance: &Glance| {
            glance.tail.first().is_some_and(|first| first.n == 1 && first.long_payload().is_none())
        };
        Ok(glance.filter(|glance| !is_short(glance)))
    }

    fn table(&self, hash: &Hash) -> Result<Option<TableText>, RunsError> {
        let text = self.store.definition(hash)?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    }

    fn vault(&self) -> &dyn Vault {
        self.store.blobs()
    }

    fn questions(&self, run: Option<&RunId>) -> Result<Vec<OpenQuestion>, RunsError> {
        self.store.questions(run)
    }

    fn questions_below(&self, run: &RunId) -> Result<Vec<OpenQuestion>, RunsError> {
        self.store.questions_below(run)
    }

    fn children(&self, run: &RunId) -> Result<Vec<RunSummary>, RunsError> {
        self.store.children(run)
    }

    fn answer_to(&self, run: &RunId, key: &Key) -> Result<Option<(Value, String)>, RunsError> {
        self.store.given(run, key)
    }

    fn submit_answer(
        &self,
        run: &RunId,
        key: &Key,
        answer: &Value,
        by: &str,
        reads: Option<Reads>,
    ) -> Result<Submitted, RunsError> {
        self.store.answer_readable(run, key, answer, (by, self.clock.now()), reads)
    }

    fn request_cancel(&self, run: &RunId, by: &str) -> Result<(), RunsError> {
        self.store.post_cancel(run, by, self.clock.now())
    }
}
