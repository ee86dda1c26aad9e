//! The figures of a research run, by the names programs know.

use std::path::PathBuf;

use baton_agents::evidence::ConflictKind;
use baton_engine::RunFile;
use baton_workflows::citation::{Facts, Line};
use baton_workflows::research::{Dispute, Memory};
use serde::Serialize;

use crate::commands::verify::verification;
use crate::detail::Detail;
use crate::program::Program;
use crate::standing::Standing;
use crate::trouble::Trouble;

/// The figures.
#[derive(Debug, Serialize)]
pub struct Figures {
    /// `DR-YYYYMMDD-NNN`.
    pub mission: String,
    /// How it ended.
    pub outcome: Option<&'static str>,
    /// Where the report is.
    pub report: Option<PathBuf>,
    /// Verified facts.
    pub facts: usize,
    /// The sources they come from.
    pub sources: usize,
    /// Pairs of facts that cannot both hold.
    pub conflicts: usize,
    /// Citations in the report: one for each source of each sentence.
    pub citations: usize,
    /// Those whose sentence holds against the archived texts.
    pub citations_verified: usize,
    /// Sentences that were not let through.
    pub sentences_dropped: usize,
    /// Tasks dispatched.
    pub iterations: u32,
    /// Tokens in and out.
    pub tokens: u64,
    /// Dollars.
    pub cost_usd: f64,
    /// The limits that were reached.
    pub limits_reached: Vec<String>,
    /// What was tried, where nothing was found.
    pub tried: Vec<String>,
}

impl Figures {
    /// Counts, and holds every sentence of the report against the archive.
    pub fn of(
        program: &Program,
        detail: &Detail,
        files: &[RunFile],
        memory: &Memory,
    ) -> Result<Self, Trouble> {
        let facts = memory.facts();
        let report = memory.report.as_ref();
        let checked = verification(program, &detail.run.run, files)?;
        let file = program.folder_of(&detail.run.run).join("report.md");
        Ok(Self {
            mission: memory.brief.mission.clone(),
            outcome: match detail.run.standing {
                Standing::Finished(_) => detail.run.why,
                _ => None,
            },
            report: (report.is_some() && file.exists()).then_some(file),
            facts: facts.all().len(),
            sources: facts.sources().len(),
            conflicts: memory.disputes.values().filter(|dispute| is_open(dispute)).count(),
            citations: checked.as_ref().map_or(0, |checked| checked.citations),
            citations_verified: checked.as_ref().map_or(0, |checked| checked.verified),
            sentences_dropped: report.map_or(0, |report| report.dropped.len()),
            iterations: memory.iteration,
            tokens: detail.run.spent.tokens,
            cost_usd: detail.run.spent.usd,
            limits_reached: memory.limits.iter().cloned().collect(),
            tried: memory.tried.clone(),
        })
    }
}

/// Whether neither side was replaced by the other.
pub fn is_open(dispute: &Dispute) -> bool {
    dispute.conflict.kind != ConflictKind::Superseded
}

/// The sources of a sentence, each once: `S01`.
pub fn cited(facts: &Facts<'_>, line: &Line) -> Vec<String> {
    let mut labels = Vec::new();
    for label in line.facts.iter().filter_map(|key| facts.fact(key)).map(|fact| fact.source_label()) {
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    labels
}
