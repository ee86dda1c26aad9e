//! `baton verify`: holds everything a run shows a reader against its journal and the archive, offline.

mod folder;

use std::collections::BTreeSet;
use std::path::Path;

use baton_agents::evidence::EvidenceFlaw;
use baton_agents::read::archive::Archive;
use baton_agents::read::bounded;
use baton_agents::read::extract::ChildCommand;
use baton_engine::{RunFile, RunId, RunSummary, Runs};
use baton_workflows::article::verification::{ArticleEvidence, check as check_article};
use baton_workflows::citation::Evidence;
use baton_workflows::citation::verification::{Flaw, ReportFlaw, Verification, check};
use baton_workflows::debate::Memory;
use baton_workflows::debate::quotes::{QuoteCheck, QuoteFlaw, check as check_quotes};
use baton_workflows::report::{self, DataWorld, Redrawn, Verified};
use folder::{Compared, FileFlaw};
use serde::Serialize;
use serde_json::Value;

use crate::exit::Exit;
use crate::page::{Ink, Page, inked, plain};
use crate::program::Program;
use crate::standing::Standing;
use crate::text::count;
use crate::trouble::Trouble;

/// Check what a run wrote against its journal and the archived texts
///
/// Every file of the run's folder must be what the journal renders, byte for byte, and every copy of a source
/// what was archived; a changed byte is named with its file and place. In a report, every sentence must be one
/// that was written, every citation must lead to a fact of that source, and the words of every fact must stand
/// in its archived text. Nothing is fetched and no model is asked. It ends with 1 if anything was edited, lost
/// or damaged. Files of your own in the folder are only mentioned. After an update of Baton files may be
/// rendered in another way; `baton files` writes them again.
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
    /// Files that were compared; none if there is no folder, or if the run is not at rest.
    files: Option<usize>,
    extra: &'a [String],
    claims: usize,
    citations: usize,
    verified: usize,
    /// Passages that are shown as near and answer nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    nearest: Option<usize>,
    /// Quotes in the record of a debate, or in a report over data.
    #[serde(skip_serializing_if = "Option::is_none")]
    quotes: Option<usize>,
    /// Figures of a report over data, and those that were computed again and came out equal.
    #[serde(skip_serializing_if = "Option::is_none")]
    figures: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    figures_verified: Option<usize>,
    /// Series and charts of a report over data that were computed again and read back.
    #[serde(skip_serializing_if = "Option::is_none")]
    series: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    charts: Option<usize>,
    findings: Vec<Finding<'a>>,
}

/// Something that does not hold, whatever it is.
#[derive(Serialize)]
#[serde(untagged)]
enum Finding<'a> {
    File(&'a FileFlaw),
    Report(&'a Flaw),
    Quote(&'a QuoteFlaw),
    Figure(&'a String),
}

/// What was found out about a run.
struct Outcome {
    /// None for a run without a report.
    report: Option<Verification>,
    /// None for a run without the record of a debate.
    quotes: Option<QuoteCheck>,
    /// None for a run without a report over data.
    computed: Option<Verified>,
    /// None for a run without charts or series.
    redrawn: Option<Redrawn>,
    /// None if the files were not compared.
    folder: Option<Compared>,
    /// Why not.
    unseen: Option<String>,
}

/// Verifies.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let runs = program.runs()?;
    let run = runs.find(&args.run)?;
    let files = program.flow_of(&runs, &run)?.files(&runs, &run)?;
    if files.is_empty() {
        return Err(Trouble::NotOpen {
            what: format!("run {run} has written nothing, so there is nothing to verify"),
            next: format!("See where it stands with `{}`", program.command(&format!("show {run}"))),
        });
    }
    let (folder, unseen) = compared(program, &runs.run(&run)?, &files);
    let report = verification(program, &run, &files)?;
    let seen = if folder.is_some() { as_found(&program.folder_of(&run), &files) } else { files.clone() };
    let (computed, redrawn) = computed(program, &files, &seen)?.unzip();
    let outcome = Outcome { report, quotes: quotes(&files)?, computed, redrawn, folder, unseen };
    let findings = outcome.findings();
    let holds = findings.is_empty();
    let figures = outcome.report.as_ref();
    let value = VerifyOutput {
        run: &run,
        holds,
        files: outcome.folder.as_ref().map(|folder| folder.files),
        extra: outcome.folder.as_ref().map_or(&[], |folder| &folder.extra),
        claims: figures.map_or(0, |report| report.claims),
        citations: figures.map_or(0, |report| report.citations),
        verified: figures.map_or(0, |report| report.verified),
        nearest: figures.map(|report| report.nearest).filter(|nearest| *nearest > 0),
        quotes: outcome.quotes.as_ref().map(|it| it.quotes).or(outcome.computed.as_ref().map(|it| it.quotes)),
        figures: outcome.computed.as_ref().map(|it| it.figures),
        figures_verified: outcome.computed.as_ref().map(|it| it.equal),
        series: outcome.redrawn.as_ref().map(|it| it.series),
        charts: outcome.redrawn.as_ref().map(|it| it.charts),
        findings,
    };
    program.out.give(&value, &outcome.page(&value.findings))?;
    Ok(if holds { Exit::Done } else { Exit::Failed })
}

/// What comparing the folder brings, or why it is not compared.
fn compared(
    program: &Program,
    summary: &RunSummary,
    files: &[RunFile],
) -> (Option<Compared>, Option<String>) {
    let (run, folder) = (&summary.name, program.folder_of(&summary.name));
    if !folder.exists() {
        let next = program.command(&format!("files {run}"));
        return (None, Some(format!("the run's folder is not there; `{next}` writes it")));
    }
    if matches!(Standing::of(summary), Standing::New | Standing::Running | Standing::Interrupted) {
        return (None, Some("its files were not compared: the run is not at rest".to_owned()));
    }
    (Some(folder::compare(&folder, files, &Archive::of_home(&program.home.path))), None)
}

impl Outcome {
    fn findings(&self) -> Vec<Finding<'_>> {
        let files = self.folder.iter().flat_map(|folder| &folder.flaws).map(Finding::File);
        let report = self.report.iter().flat_map(|report| &report.flaws).map(Finding::Report);
        let quotes = self.quotes.iter().flat_map(|checked| &checked.flaws).map(Finding::Quote);
        let computed = self.computed.iter().flat_map(|it| &it.flaws).map(Finding::Figure);
        let redrawn = self.redrawn.iter().flat_map(|it| &it.flaws).map(Finding::Figure);
        files.chain(report).chain(quotes).chain(computed).chain(redrawn).collect()
    }

    fn page(&self, findings: &[Finding<'_>]) -> Page {
        let mut page = Page::default();
        if let Some(Verification { claims, citations, verified, nearest, flaws }) = &self.report {
            let ink = if flaws.is_empty() { Ink::Good } else { Ink::Bad };
            let words = format!("{verified} of {} hold", count(*citations, "citation"));
            page.line([inked(ink, words), plain(format!(", in {}", count(*claims, "sentence")))]);
            if *nearest > 0 {
                page.text(format!("{} shown as near; that is no answer", count(*nearest, "passage")));
            }
        }
        if let Some(QuoteCheck { quotes, flaws }) = &self.quotes {
            let ink = if flaws.is_empty() { Ink::Good } else { Ink::Bad };
            let stand = quotes - flaws.len();
            page.line([inked(
                ink,
                format!("{stand} of {} stand where the record says", count(*quotes, "quote")),
            )]);
        }
        if let Some(Verified { figures, equal, quotes, flaws }) = &self.computed {
            let ink = if flaws.is_empty() { Ink::Good } else { Ink::Bad };
            let told = format!(
                "{equal} of {} computed again and equal, {} in place",
                count(*figures, "figure"),
                count(*quotes, "quote")
            );
            page.line([inked(ink, told)]);
        }
        if let Some(Redrawn { series, charts, flaws }) = &self.redrawn {
            let (ink, told) =
                if flaws.is_empty() { (Ink::Good, "as the data give them") } else { (Ink::Bad, "looked at") };
            page.line([inked(ink, format!("{series} series and {} {told}", count(*charts, "chart")))]);
        }
        if let Some(Compared { files, flaws, .. }) = &self.folder {
            let named: BTreeSet<&str> = flaws.iter().map(FileFlaw::file).collect();
            let ink = if flaws.is_empty() { Ink::Good } else { Ink::Bad };
            let same = files - named.len();
            page.line([inked(ink, format!("{same} of {} as they were written", count(*files, "file")))]);
        }
        // That the report is not the one of its evidence is no news when its bytes are named already.
        let named =
            |file: &str| findings.iter().any(|one| matches!(one, Finding::File(flaw) if flaw.file() == file));
        let changed = Flaw::Report(ReportFlaw::ReportChanged);
        let is_news = |one: &&Finding<'_>| !matches!(one, Finding::Report(flaw) if **flaw == changed && named("report.md"));
        for finding in findings.iter().filter(is_news) {
            page.text(format!("  {}", finding.words()));
        }
        if let Some(unseen) = &self.unseen {
            page.line([inked(Ink::Warn, unseen)]);
        }
        for name in self.folder.iter().flat_map(|folder| &folder.extra) {
            page.line([inked(Ink::Faint, format!("not written by the run: {name}"))]);
        }
        page
    }
}

impl Finding<'_> {
    fn words(&self) -> String {
        match self {
            Self::File(flaw) => flaw.words(),
            Self::Report(flaw) => in_words(flaw),
            Self::Quote(QuoteFlaw { place, quote, why }) => format!("{place}: {why}: {quote}"),
            Self::Figure(flaw) => (*flaw).clone(),
        }
    }
}

/// What checking the quotes of a debate's record brings; none for a run that is no debate.
fn quotes(files: &[RunFile]) -> Result<Option<QuoteCheck>, Trouble> {
    let Some(state) = files.iter().find(|file| file.path == "debate.json") else { return Ok(None) };
    let unread = |error: serde_json::Error| Trouble::Print(error.into());
    let mut state: Value = serde_json::from_slice(&state.content).map_err(unread)?;
    let memory: Memory = serde_json::from_value(state["memory"].take()).map_err(unread)?;
    Ok(Some(check_quotes(&memory)))
}

/// The files as they stand in the folder; what cannot be read there is empty, and named as such beside.
fn as_found(folder: &Path, files: &[RunFile]) -> Vec<RunFile> {
    let read = |file: &RunFile| {
        let content = bounded::bytes(&folder.join(&file.path), bounded::WRITTEN).unwrap_or_default();
        RunFile { content, ..file.clone() }
    };
    files.iter().map(read).collect()
}

/// What computing the figures, series and charts of a report again brings; none for a run that is no report over data.
/// `seen` are the files as a reader finds them.
fn computed(
    program: &Program,
    files: &[RunFile],
    seen: &[RunFile],
) -> Result<Option<(Verified, Redrawn)>, Trouble> {
    let is_report = files.iter().any(|file| file.path == "output/report.html");
    let evidence = files.iter().find(|file| file.path == "evidence.json").filter(|_| is_report);
    let Some(evidence) = evidence else { return Ok(None) };
    let evidence: report::Evidence =
        serde_json::from_slice(&evidence.content).map_err(|error| Trouble::Print(error.into()))?;
    let child = ChildCommand::this_program().map_err(Trouble::Print)?;
    let world = DataWorld::new(&program.home.path, &child);
    let verified = report::verify(&evidence, &world, &Archive::of_home(&program.home.path));
    Ok(Some((verified, report::verify_drawn(&evidence, seen, &world))))
}

/// What checking a run's report brings; none if it has written none. The evidence is rendered from the journal and
/// stands in `files`; the report is the file a person reads, where there is one.
pub fn verification(
    program: &Program,
    run: &RunId,
    files: &[RunFile],
) -> Result<Option<Verification>, Trouble> {
    let rendered = |name: &str| files.iter().find(|file| file.path == name).map(|file| &file.content);
    let Some(evidence) = rendered("evidence.json") else { return Ok(None) };
    let texts = ["report.md", "article.md"].into_iter().find_map(|name| Some((name, rendered(name)?)));
    let Some((name, report)) = texts else { return Ok(None) };
    let file = program.folder_of(run).join(name);
    let report = match bounded::bytes(&file, bounded::WRITTEN) {
        Ok(bytes) => bytes,
        Err(refusal) if refusal.is_missing() => report.clone(),
        Err(refusal) => return Err(Trouble::File { what: "read", path: file, why: refusal.into() }),
    };
    let (archive, report) = (Archive::of_home(&program.home.path), String::from_utf8_lossy(&report));
    let unread = |error: serde_json::Error| Trouble::Print(error.into());
    if name == "article.md" {
        let evidence: ArticleEvidence = serde_json::from_slice(evidence).map_err(unread)?;
        return Ok(Some(check_article(&evidence, &report, &archive)));
    }
    let evidence: Evidence = serde_json::from_slice(evidence).map_err(unread)?;
    Ok(Some(check(&evidence, &report, &archive)))
}

fn in_words(flaw: &Flaw) -> String {
    let flaw = match flaw {
        Flaw::Report(flaw) => flaw,
        Flaw::Evidence(flaw) => return in_evidence(flaw),
    };
    match flaw {
        ReportFlaw::ReportChanged => "the text is not the file that was written".to_owned(),
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
