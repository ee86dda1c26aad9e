//! `baton verify`: holds a report against the archived texts it was written from, offline.

use baton_agents::evidence::EvidenceFlaw;
use baton_agents::read::archive::Archive;
use baton_agents::read::bounded;
use baton_engine::{RunFile, RunId, Runs};
use baton_workflows::citation::Evidence;
use baton_workflows::citation::verification::{Flaw, ReportFlaw, Verification, check};
use serde::Serialize;

use crate::exit::Exit;
use crate::page::{Ink, Page, inked, plain};
use crate::program::Program;
use crate::text::count;
use crate::trouble::Trouble;

/// Check a report against the archived texts it was written from
///
/// Every sentence must be one that was written, every citation must lead to a fact of that source, and the
/// words of every fact must stand in its archived text. Nothing is fetched and no model is asked. A report
/// that was edited, or an archive that was damaged, ends with 1.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton verify last
  baton verify 7kq --json"
)]
pub struct Args {
    /// The run
    pub run: String,
}

#[derive(Serialize)]
struct VerifyOutput<'a> {
    run: &'a RunId,
    holds: bool,
    #[serde(flatten)]
    verification: &'a Verification,
}

/// Verifies.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let runs = program.runs()?;
    let run = runs.find(&args.run)?;
    let files = program.flow_of(&runs, &run)?.files(&runs, &run)?;
    let verification = verification(program, &run, &files)?.ok_or_else(|| Trouble::NotOpen {
        what: format!("run {run} has written no report, so there is nothing to verify"),
        next: format!("See where it stands with `{}`", program.command(&format!("show {run}"))),
    })?;
    let holds = verification.holds();
    program
        .out
        .give(&VerifyOutput { run: &run, holds, verification: &verification }, &page(&verification))?;
    Ok(if holds { Exit::Done } else { Exit::Failed })
}

/// What checking a run's report brings; none if it has written none. The evidence is rendered from the journal and
/// stands in `files`; the report is the file a person reads, where there is one.
pub fn verification(
    program: &Program,
    run: &RunId,
    files: &[RunFile],
) -> Result<Option<Verification>, Trouble> {
    let rendered = |name: &str| files.iter().find(|file| file.path == name).map(|file| &file.content);
    let (Some(evidence), Some(report)) = (rendered("evidence.json"), rendered("report.md")) else {
        return Ok(None);
    };
    let evidence: Evidence =
        serde_json::from_slice(evidence).map_err(|error| Trouble::Print(error.into()))?;
    let file = program.folder_of(run).join("report.md");
    let report = match bounded::bytes(&file, bounded::WRITTEN) {
        Ok(bytes) => bytes,
        Err(refusal) if refusal.is_missing() => report.clone(),
        Err(refusal) => return Err(Trouble::File { what: "read", path: file, why: refusal.into() }),
    };
    let archive = Archive::of_home(&program.home.path);
    Ok(Some(check(&evidence, &String::from_utf8_lossy(&report), &archive)))
}

fn page(verification: &Verification) -> Page {
    let Verification { claims, citations, verified, flaws } = verification;
    let mut page = Page::default();
    let ink = if flaws.is_empty() { Ink::Good } else { Ink::Bad };
    let words = format!("{verified} of {} hold", count(*citations, "citation"));
    page.line([inked(ink, words), plain(format!(", in {}", count(*claims, "sentence")))]);
    for flaw in flaws {
        page.text(format!("  {}", in_words(flaw)));
    }
    page
}

fn in_words(flaw: &Flaw) -> String {
    let flaw = match flaw {
        Flaw::Report(flaw) => flaw,
        Flaw::Evidence(flaw) => return in_evidence(flaw),
    };
    match flaw {
        ReportFlaw::ReportChanged => "report.md is not the file that was written".to_owned(),
        ReportFlaw::UnknownSentence { line, sentence } => {
            format!("line {line} was not written there: {sentence}")
        }
        ReportFlaw::UncitedSentence { line, sentence } => format!("line {line} cites nothing: {sentence}"),
        ReportFlaw::WrongCitations { line, sentence, expected, found } => {
            let (expected, found) = (expected.join(", "), found.join(", "));
            format!("line {line} cites {found} and was written with {expected}: {sentence}")
        }
        ReportFlaw::MissingSentence { sentence } => format!("a sentence is gone: {sentence}"),
        ReportFlaw::NotCarried { sentence, reason } => {
            format!("not carried by its quotes ({reason}): {sentence}")
        }
    }
}

fn in_evidence(flaw: &EvidenceFlaw) -> String {
    match flaw {
        EvidenceFlaw::Uncited { claim } => format!("cites nothing: {claim}"),
        EvidenceFlaw::UnknownFact { claim, fact } => format!("cites {fact}, which does not exist: {claim}"),
        EvidenceFlaw::Unsupported { claim, reason } => format!("not in its quotes ({reason}): {claim}"),
        EvidenceFlaw::UnknownSource { fact, source } => {
            format!("{fact} names the source {source}, which does not exist")
        }
        EvidenceFlaw::Archive { source, reason } => format!("the archived text of {source}: {reason}"),
        EvidenceFlaw::QuoteMoved { fact } => format!("the words of {fact} do not stand where it says"),
    }
}
