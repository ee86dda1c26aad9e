//! MERGING: packages the article with its quality, its sources and what a reader must know.

use baton_engine::{Cx, Fault};

use crate::article::bibliography::References;
use crate::article::files::article_text;
use crate::article::outcome::{ArticleResult, QualityScore, SourceResult, Status};
use crate::article::score::MarkdownText;
use crate::article::workers::{Worker, WorkerResult, description, kind_of, summary};
use crate::article::{Article, Evaluation, Event, FinalOutput, MAX_ITERATIONS, Memory};

/// Words a minute.
const READ: usize = 240;

pub async fn run(cx: Cx<Article>) -> Result<Event, Fault> {
    match cx.read(output) {
        Some(output) => Ok(Event::OutputCreated { output: Box::new(output) }),
        None => Err(Fault::GaveUp("there is no article to package".to_owned())),
    }
}

/// The output of the present article.
pub fn output(memory: &Memory) -> Option<FinalOutput> {
    let evaluation = memory.evaluations.last()?;
    let (warnings, notes) = told(memory);
    Some(FinalOutput {
        request_id: memory.assignment.request_id.clone(),
        execution_id: memory.assignment.execution_id.clone(),
        status: if is_met(memory) { Status::Completed } else { Status::Partial },
        article: article(memory)?,
        quality: quality(memory, evaluation),
        sources: sources(memory)?,
        source_count: memory.sources.len(),
        iteration_count: memory.iteration_count.min(MAX_ITERATIONS),
        improvement: improvement(memory),
        system_notes: notes.join(". ").replace(".. ", ". "),
        warnings,
        generated_at: memory.assignment.today.clone(),
        version: "1.0".to_owned(),
        attachments: Vec::new(),
    })
}

/// Whether the article is as good as was asked for.
fn is_met(memory: &Memory) -> bool {
    memory.quality().is_some_and(|quality| quality + 1e-9 >= memory.assignment.brief.min_quality_score)
}

/// What a reader must know, and what a reader should know of how it came about, in the seed's words.
pub fn told(memory: &Memory) -> (Vec<String>, Vec<String>) {
    let mut warnings: Vec<String> = memory.warnings.values().cloned().collect();
    let mut notes = Vec::new();
    if !is_met(memory) {
        let (quality, target) = (memory.quality().unwrap_or(0.0), memory.assignment.brief.min_quality_score);
        let below = format!("Quality {quality:.2} below target {target:.2}, but max iterations reached");
        warnings.splice(0..0, ["Quality below target".to_owned(), below]);
        notes.push("Max iterations reached".to_owned());
        notes.push("Consider lowering quality threshold or increasing budget".to_owned());
    } else if memory.iteration_count > 1 {
        notes.push(format!(
            "Generated after {} iterations to meet quality threshold.",
            memory.iteration_count
        ));
    }
    (warnings, notes)
}

/// `+23% quality (0.65 → 0.88)`.
fn improvement(memory: &Memory) -> Option<String> {
    let (first, last) = (memory.evaluations.first()?.overall, memory.evaluations.last()?.overall);
    let points = ((last - first) * 100.0).round();
    (memory.evaluations.len() > 1).then(|| format!("{points:+.0}% quality ({first:.2} → {last:.2})"))
}

fn article(memory: &Memory) -> Option<ArticleResult> {
    let draft = memory.draft()?;
    let content = article_text(memory)?;
    let text = MarkdownText::parse(&content);
    let facts = memory.numbered();
    let references = References::of(&draft, &facts, memory.assignment.brief.citation_style);
    let essence = match memory.last(Worker::Summarization).map(|output| &output.result) {
        Some(WorkerResult::Summary { sentences, .. }) => sentences.clone(),
        _ => summary(memory),
    };
    let check = |worker: Worker| match memory.last(worker).map(|output| &output.result) {
        Some(WorkerResult::Checked { check, .. }) => Some(check),
        _ => None,
    };
    let described =
        check(Worker::SeoOptimizer).and_then(|check| check.texts.get("meta_description").cloned());
    let words = text.words();
    Some(ArticleResult {
        title: draft.title.clone(),
        summary: essence.iter().map(|sentence| sentence.claim.as_str()).collect::<Vec<_>>().join(" "),
        sections: draft.sections.iter().map(|section| section.heading.clone()).collect(),
        word_count: words,
        reading_time_minutes: words.div_ceil(READ).max(1),
        keywords: memory.assignment.brief.keywords.clone(),
        meta_description: described.unwrap_or_else(|| description(&text.all())),
        citations: draft.sentences().filter(|sentence| sentence.is_claim()).map(|it| it.facts.len()).sum(),
        bibliography: (0..references.len()).map(|at| references.listed(at)).collect(),
        content,
    })
}

fn quality(memory: &Memory, evaluation: &Evaluation) -> QualityScore {
    let seo = match memory.last(Worker::SeoOptimizer).map(|output| &output.result) {
        Some(WorkerResult::Checked { check, .. }) => check.score,
        _ => None,
    };
    let measures = [
        ("article", &evaluation.article),
        ("sources", &evaluation.source),
        ("facts", &evaluation.factual),
        ("writing", &evaluation.writing),
    ];
    let strengths = measures.iter().filter(|(_, measure)| measure.score >= 0.9);
    QualityScore {
        overall: evaluation.overall,
        completeness: evaluation.article.score,
        citations: evaluation.source.score,
        accuracy: evaluation.factual.score,
        grammar: evaluation.writing.score,
        readability: evaluation.writing.part("readability"),
        seo,
        issues_found: evaluation.demand.needs.iter().map(crate::article::Need::words).collect(),
        strengths: strengths.map(|(name, measure)| format!("{name}: {:.2}", measure.score)).collect(),
        suggestions: evaluation
            .demand
            .needs
            .iter()
            .flat_map(|need| {
                need.workers().into_iter().map(|worker| format!("{}: {}", worker.name(), need.words()))
            })
            .collect(),
    }
}

/// The sources, each once, nearest first.
fn sources(memory: &Memory) -> Option<Vec<SourceResult>> {
    let draft = memory.draft()?;
    let facts = memory.numbered();
    let references = References::of(&draft, &facts, memory.assignment.brief.citation_style);
    let best = facts.all().iter().map(|fact| fact.found.score).fold(0.0, f64::max).max(1e-9);
    let mut found: Vec<SourceResult> = Vec::new();
    for (at, card) in facts.sources().iter().enumerate() {
        let own = facts.all().iter().filter(|fact| fact.card.key() == card.key());
        let near = own.max_by(|a, b| a.found.score.total_cmp(&b.found.score));
        found.push(SourceResult {
            source_id: crate::citation::source_label(at + 1),
            title: crate::markup::plain(&card.source.title),
            url: card.shown.clone(),
            author: card.author.clone(),
            publication_date: card.source.date.clone(),
            source_type: kind_of(&card.source.location, &card.source.title),
            relevance_score: near.map_or(0.0, |fact| (fact.found.score / best * 100.0).round() / 100.0),
            excerpt: near.map(|fact| crate::markup::plain(&fact.found.fact.quote)).unwrap_or_default(),
            cited: references.cards().any(|other| other.key() == card.key()),
        });
    }
    found.sort_by(|a, b| {
        b.relevance_score.total_cmp(&a.relevance_score).then_with(|| a.source_id.cmp(&b.source_id))
    });
    Some(found)
}
