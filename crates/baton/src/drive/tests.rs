use std::sync::atomic::{AtomicUsize, Ordering};

use baton_engine::driver::Vault;
use baton_engine::record::Chained;
use baton_engine::runs::{Journal, NewRun};
use baton_engine::{Filter, Hash, Key, OpenQuestion, Reads, RunSummary, RunsError, Submitted};
use baton_machine::TableText;
use baton_workflows::research::{Brief, Research};
use serde_json::json;

use super::*;
use crate::args::Global;
use crate::output::Output;

#[test]
fn yes_is_said_only_where_it_is_one_of_a_few_answers() {
    let approve = json!({"anyOf": [{"enum": ["yes", "abort"]}, {"type": "object", "required": ["modify"]}]});
    let cases = [
        (json!({"type": "boolean"}), Some(json!(true))),
        (json!({"enum": ["yes", "no"]}), Some(json!("yes"))),
        (approve, Some(json!("yes"))),
        (json!({"enum": ["again", "skip"]}), None),
        (json!({"type": "string"}), None),
        (json!({"type": "object"}), None),
    ];
    for (schema, want) in cases {
        assert_eq!(yes_to(&Question::new("?", schema.clone())), want, "{schema}");
    }
}

/// The runs of a home, counting how often a journal is read to be folded.
struct Counted {
    inner: Engine,
    folds: AtomicUsize,
}

impl Runs for Counted {
    fn create(&self, new: NewRun) -> Result<(), RunsError> {
        self.inner.create(new)
    }
    fn find(&self, typed: &str) -> Result<RunId, RunsError> {
        self.inner.find(typed)
    }
    fn run(&self, run: &RunId) -> Result<RunSummary, RunsError> {
        self.inner.run(run)
    }
    fn list(&self, filter: Filter<'_>) -> Result<Vec<RunSummary>, RunsError> {
        self.inner.list(filter)
    }
    fn records(&self, run: &RunId, from: u64) -> Result<Vec<Chained>, RunsError> {
        self.inner.records(run, from)
    }
    fn journal(&self, run: &RunId) -> Result<Journal, RunsError> {
        self.folds.fetch_add(1, Ordering::SeqCst);
        self.inner.journal(run)
    }
    fn journal_from_start(&self, run: &RunId) -> Result<Journal, RunsError> {
        self.folds.fetch_add(1, Ordering::SeqCst);
        self.inner.journal_from_start(run)
    }
    fn table(&self, hash: &Hash) -> Result<Option<TableText>, RunsError> {
        self.inner.table(hash)
    }
    fn vault(&self) -> &dyn Vault {
        self.inner.vault()
    }
    fn questions(&self, run: Option<&RunId>) -> Result<Vec<OpenQuestion>, RunsError> {
        self.inner.questions(run)
    }
    fn answer_to(&self, run: &RunId, key: &Key) -> Result<Option<(Value, String)>, RunsError> {
        self.inner.answer_to(run, key)
    }
    fn submit_answer(
        &self,
        run: &RunId,
        key: &Key,
        answer: &Value,
        by: &str,
        reads: Option<Reads>,
    ) -> Result<Submitted, RunsError> {
        self.inner.submit_answer(run, key, answer, by, reads)
    }
    fn request_cancel(&self, run: &RunId, by: &str) -> Result<(), RunsError> {
        self.inner.request_cancel(run, by)
    }
}

#[test]
fn what_is_told_of_a_run_is_folded_once() {
    let folder = tempfile::tempdir().unwrap();
    let global = Global { home: Some(folder.path().join("kept")), json: true };
    let program = Program::new(&global, false, Output::new(true)).unwrap();
    let runs = Counted { inner: program.engine().unwrap(), folds: AtomicUsize::new(0) };
    let brief = Brief::new("How warm is Quayside?", Vec::new());
    let run = runs.inner.start::<Research>(&brief, Settings::default()).unwrap();
    // Where it stands, its memory, its figures and its files: all of that is asked for.
    report(&program, &runs, &run).unwrap();
    assert_eq!(runs.folds.load(Ordering::SeqCst), 1);
}
