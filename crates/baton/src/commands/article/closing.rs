//! The last words about an article that rests: what it is worth, where it is, or why there is none.

use std::path::PathBuf;

use baton_machine::Outcome;
use baton_workflows::article::{Article, ErrorType, Memory};
use serde::Serialize;

use crate::detail::Detail;
use crate::exit::Exit;
use crate::page::{Ink, Page, inked, plain};
use crate::presenter::Closing;
use crate::program::Program;
use crate::standing::Standing;
use crate::text::count;
use crate::trouble::Trouble;

/// The figures of an article, by the names programs know.
#[derive(Debug, Serialize)]
struct Figures {
    /// `completed`, `partial` or `failed`.
    result: Option<&'static str>,
    /// Where the article is.
    article: Option<PathBuf>,
    words: usize,
    quality: Option<f64>,
    article_quality: Option<f64>,
    source_quality: Option<f64>,
    factual_quality: Option<f64>,
    writing_quality: Option<f64>,
    iterations: u32,
    sources: usize,
    cited_sources: usize,
    citations: usize,
    claims: usize,
    claims_verified: usize,
    sentences_dropped: usize,
    warnings: Vec<String>,
    feedback: Option<String>,
    error_type: Option<ErrorType>,
    error: Option<String>,
}

#[derive(Serialize)]
struct Both<'a> {
    #[serde(flatten)]
    detail: &'a Detail,
    #[serde(flatten)]
    figures: &'a Figures,
}

/// The last words about a run; none if it is no article, or is not over.
pub fn closing(program: &Program, detail: &Detail) -> Result<Option<Closing>, Trouble> {
    let memory = detail.present.as_ref().and_then(|present| present.memory_of::<Article>());
    let (Standing::Finished(outcome), Some(memory)) = (detail.run.standing, memory) else { return Ok(None) };
    let figures = figures(detail, &memory);
    let is_partial = figures.result == Some("partial");
    let exit = match &memory.failure {
        Some(failure) if failure.kind == ErrorType::NoEvidence => Some(Exit::NoEvidence),
        Some(_) => None,
        None => (outcome == Outcome::Completed && is_partial).then_some(Exit::Partial),
    };
    let value = serde_json::to_value(Both { detail, figures: &figures })
        .map_err(|error| Trouble::Print(error.into()))?;
    Ok(Some(Closing { value, page: page(program, detail, &memory, &figures), exit }))
}

fn figures(detail: &Detail, memory: &Memory) -> Figures {
    let output = memory.final_output.as_ref();
    let last = memory.evaluations.last();
    let draft = memory.draft();
    let verified = last.and_then(|it| it.factual.part("verified")).unwrap_or(0.0);
    let claims = draft.as_ref().map_or(0, |draft| draft.sentences().filter(|it| it.is_claim()).count());
    let result = output.map(|output| match output.status {
        baton_workflows::article::Status::Completed => "completed",
        baton_workflows::article::Status::Partial => "partial",
    });
    Figures {
        result: result.or(memory.failure.as_ref().map(|_| "failed")),
        article: output.map(|_| detail.folder.join("article.md")),
        words: last.map_or(0, |it| it.words),
        quality: memory.quality(),
        article_quality: last.map(|it| it.article.score),
        source_quality: last.map(|it| it.source.score),
        factual_quality: last.map(|it| it.factual.score),
        writing_quality: last.map(|it| it.writing.score),
        iterations: memory.iteration_count,
        sources: memory.sources.len(),
        cited_sources: output.map_or(0, |output| output.article.bibliography.len()),
        citations: output.map_or(0, |output| output.article.citations),
        claims,
        claims_verified: (verified * claims as f64).round() as usize,
        sentences_dropped: draft.map_or(0, |draft| draft.dropped.len()),
        warnings: output.map(|output| output.warnings.clone()).unwrap_or_default(),
        feedback: memory.feedback.clone(),
        error_type: memory.failure.as_ref().map(|failure| failure.kind),
        error: memory.failure.as_ref().map(|failure| failure.message.clone()),
    }
}

fn page(program: &Program, detail: &Detail, memory: &Memory, figures: &Figures) -> Page {
    let mut page = Page::default();
    if let Some(failure) = &memory.failure {
        let none = failure.kind == ErrorType::NoEvidence;
        let head = if none { "No evidence" } else { "Failed" };
        page.line([inked(Ink::Bad, format!("{head}: {}.", failure.message.trim_end_matches('.')))]);
        page.field(
            "kept",
            plain(format!(
                "{}, {}",
                count(memory.sources.len(), "source"),
                count(memory.facts.len(), "fact")
            )),
        );
        page.field("spent", plain(format!("{}, {}", detail.spent(), detail.took())));
        page.line([inked(Ink::Faint, "Next:")]);
        if none {
            page.text("  name other documents with --docs, or other places with --sources");
        } else {
            page.command(&program.command(&format!("log {}", detail.run.run)));
        }
        return page;
    }
    let Some(output) = &memory.final_output else { return detail.closing() };
    page.paragraph(plain(&output.article.summary));
    page.text("");
    page.field("article", plain(detail.folder.join("article.md").display().to_string()));
    let least = memory.assignment.brief.min_quality_score;
    let quality = figures.quality.unwrap_or(0.0);
    let ink = if quality + 1e-9 >= least { Ink::Good } else { Ink::Warn };
    let times = count(memory.iteration_count as usize, "iteration");
    page.field("quality", inked(ink, format!("{quality:.2} of {least:.2}, after {times}")));
    if let Some(last) = memory.evaluations.last() {
        let scores = format!(
            "article {:.2}, sources {:.2}, facts {:.2}, writing {:.2}",
            last.article.score, last.source.score, last.factual.score, last.writing.score
        );
        page.field("scores", plain(scores));
    }
    let length = format!(
        "{} words of {}, {}",
        figures.words,
        memory.assignment.brief.target_length,
        count(output.article.bibliography.len(), "source")
    );
    page.field("length", plain(length));
    page.field(
        "checked",
        plain(format!(
            "{} of {} carried by their sources",
            figures.claims_verified,
            count(figures.claims, "sentence")
        )),
    );
    page.field("spent", plain(format!("{}, {}", detail.spent(), detail.took())));
    for warning in &output.warnings {
        page.field("warning", inked(Ink::Warn, warning));
    }
    if !output.system_notes.is_empty() {
        page.field("note", plain(&output.system_notes));
    }
    page.line([inked(Ink::Faint, "What would raise it:")]);
    page.text(format!("  {}", detail.folder.join("quality.md").display()));
    page
}
