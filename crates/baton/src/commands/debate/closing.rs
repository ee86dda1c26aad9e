//! The last words about a debate that is over: the decision.

use std::path::PathBuf;

use baton_engine::Runs;
use baton_workflows::debate::Debate;
use baton_workflows::debate::files::decision::record;
use serde::Serialize;

use crate::detail::Detail;
use crate::presenter::{Closing, Presenter};
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
}

impl Presenter for DebatePresenter {
    fn closing(
        &self,
        _program: &Program,
        _runs: &dyn Runs,
        detail: &Detail,
    ) -> Result<Option<Closing>, Trouble> {
        let memory = detail.present.as_ref().and_then(|present| present.memory_of::<Debate>());
        let (Standing::Finished(_), Some(memory)) = (detail.run.standing, memory) else { return Ok(None) };
        let mut page = detail.closing();
        page.text("");
        record(&memory).lines().for_each(|line| page.text(line));
        let decided = Decided { detail, decision: detail.folder.join("decision.md") };
        let value = serde_json::to_value(decided).map_err(|error| Trouble::Print(error.into()))?;
        Ok(Some(Closing { value, page, exit: None }))
    }
}
