//! The figures of a research run, by the names programs know.

use std::path::PathBuf;

use baton_engine::RunFile;
use baton_workflows::citation::{Facts, Line, NumberedFact};
use baton_workflows::research::{AnswerBlock, Memory, Report};
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
    /// What is said to each thing that was asked, in order.
    pub answer: Vec<Answered>,
    /// Verified facts.
    pub facts: usize,
    /// The sources they come from.
    pub sources: usize,
    /// Conflicts that stand in the report.
    pub conflicts: usize,
    /// Citations in the report: one for each source of each sentence.
    pub citations: usize,
    /// Those whose sentence holds against the archived texts.
    pub citations_verified: usize,
    /// Things that were asked.
    pub parts: usize,
    /// Those without an answer.
    pub parts_missing: usize,
    /// For those, what comes nearest and is no answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nearest: Vec<Nearest>,
    /// Sentences that were not let through.
    pub sentences_dropped: usize,
    /// Parts whose answer is a fact word for word because their writer's was dropped.
    pub parts_filled: usize,
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

/// What is said to one thing that was asked.
#[derive(Debug, Serialize)]
pub struct Answered {
    /// What was asked.
    pub part: String,
    /// The answer first; empty if nothing answers it.
    pub sentences: Vec<Said>,
}

/// A sentence of the answer.
#[derive(Debug, Serialize)]
pub struct Said {
    /// Its words.
    pub text: String,
    /// Its sources: `S01`.
    pub sources: Vec<String>,
}

fn answer(memory: &Memory, report: &Report) -> Vec<Answered> {
    let facts = memory.facts();
    let said = |line: &Line| Said { text: line.text.clone(), sources: cited(&facts, line) };
    let one = |block: &AnswerBlock| Answered {
        part: memory.label(block.dimension),
        sentences: block.lines.iter().map(said).collect(),
    };
    report.blocks.iter().map(one).collect()
}

/// A passage near a part that nothing answers.
#[derive(Debug, Serialize)]
pub struct Nearest {
    /// What was asked.
    pub part: String,
    /// The words of the source.
    pub text: String,
    /// `S01`.
    pub source: String,
    /// Its title.
    pub title: String,
    /// Its path below its folder, or its address.
    pub place: String,
}

/// What comes nearest to a part without an answer, and its fact.
pub fn near<'b, 'f>(
    facts: &'f Facts<'f>,
    block: &'b AnswerBlock,
) -> Option<(&'b Line, &'f NumberedFact<'f>)> {
    let line = block.nearest.as_ref()?;
    Some((line, facts.fact(line.facts.first()?)?))
}

fn nearest(memory: &Memory, report: &Report) -> Vec<Nearest> {
    let facts = memory.facts_and_nearest();
    let shown = |block: &AnswerBlock| {
        let (line, fact) = near(&facts, block)?;
        Some(Nearest {
            part: memory.label(block.dimension),
            text: line.text.clone(),
            source: fact.source_label(),
            title: fact.card.source.title.clone(),
            place: fact.card.shown.clone(),
        })
    };
    report.blocks.iter().filter_map(shown).collect()
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
            answer: report.map_or_else(Vec::new, |report| answer(memory, report)),
            facts: facts.all().len(),
            sources: facts.sources().len(),
            conflicts: memory.told_disputes(&facts).len(),
            citations: checked.as_ref().map_or(0, |checked| checked.citations),
            citations_verified: checked.as_ref().map_or(0, |checked| checked.verified),
            parts: report.map_or(0, |report| report.blocks.len()),
            parts_missing: report.map_or(0, |report| report.gaps().count()),
            nearest: report.map_or_else(Vec::new, |report| nearest(memory, report)),
            sentences_dropped: report.map_or(0, |report| report.dropped.len()),
            parts_filled: report.map_or(0, Report::filled),
            iterations: memory.iteration,
            tokens: detail.run.spent.tokens,
            cost_usd: detail.run.spent.usd,
            limits_reached: memory.limits.iter().cloned().collect(),
            tried: memory.tried.clone(),
        })
    }
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
