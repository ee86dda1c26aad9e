//! The last words about a debate that is over: the decision.

use std::path::PathBuf;

use baton_engine::Runs;
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
        let decided = Decided { detail, decision: detail.folder.join("decision.md"), page: detail.folder.join("decision.html") };
        let value = serde_json::to_value(decided).map_err(|error| Trouble::Print(error.into()))?;
        Ok(Some(Closing { value, page, exit: None }))
    }
}
