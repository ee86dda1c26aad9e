//! The last words about a debate that is over: the decision.

use std::path::PathBuf;

use baton_engine::record::{Body, Payload};
use baton_engine::{Runs, RunsError};
use baton_machine::Word;
use baton_workflows::debate::State;
use baton_workflows::debate::files::is_voting;
use serde::Serialize;
use serde_json::Value;

use crate::detail::Detail;
use crate::presenter::{Closing, Presenter, Records};
use crate::program::Program;
use crate::standing::Standing;
use crate::trouble::Trouble;

/// What a debate shows of its runs.
pub struct DebatePresenter;

#[derive(Serialize)]
struct Decided<'a> {
    #[serde(flatten)]
    detail: &'a Detail,
    /// The file with the decision.
    decision: PathBuf,
    /// The same as a page.
    page: PathBuf,
}

impl Presenter for DebatePresenter {
    fn closing(
        &self,
        _program: &Program,
        runs: &dyn Runs,
        detail: &Detail,
    ) -> Result<Option<Closing>, Trouble> {
        let (Standing::Finished(_), Some(present)) = (detail.run.standing, &detail.present) else {
            return Ok(None);
        };
        let files = present.files(runs);
        let Some(record) = files.iter().find(|file| file.path == "decision.md") else { return Ok(None) };
        let mut page = detail.closing();
        page.text("");
        String::from_utf8_lossy(&record.content).lines().for_each(|line| page.text(line));
        let decided = Decided {
            detail,
            decision: detail.folder.join("decision.md"),
            page: detail.folder.join("decision.html"),
        };
        let value = serde_json::to_value(decided).map_err(|error| Trouble::Print(error.into()))?;
        Ok(Some(Closing { value, page, exit: None }))
    }

    /// Votes and critiques of a round are withheld until everybody has voted in it: who still has to must not look.
    fn withheld(&self, state: &str, records: Records<'_>) -> Result<Option<u64>, RunsError> {
        if !State::named(state).is_some_and(is_voting) {
            return Ok(None);
        }
        let (mut round, mut state) = (None, None);
        for record in records()?.iter().filter_map(|chained| chained.open().ok()) {
            let Body::Event(happened) = record.body else { continue };
            let begins = matches!(&happened.event, Payload::Inline(event) if *event == "BEGIN_ROUND");
            round = if begins { Some(record.n) } else { round };
            state = State::named(&happened.to);
        }
        Ok(round.filter(|_| state.is_some_and(is_voting)))
    }

    fn seen(&self, state: &str, mut memory: Value) -> Value {
        if State::named(state).is_some_and(is_voting) {
            let round = memory["round"].as_u64();
            if let Some(said) = memory["contributions"].as_object_mut() {
                said.retain(|_, one| one["round"].as_u64() < round);
            }
        }
        memory
    }
}
