//! `baton search`: the sentences of a folder's documents that answer a question, word for word; or what places beyond
//! this machine find.

mod beyond;

use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use baton_agents::read::extract::ChildCommand;
use baton_agents::read::files::Limits;
use baton_agents::search::local::{Answer, LocalIndex, Progress, Quote, Skipped, Update, Verdict};
use serde::Serialize;

use crate::exit::Exit;
use crate::page::{Ink, Page, inked, plain};
use crate::program::Program;
use crate::sources::{SourceArgs, refuse};
use crate::text::count;
use crate::trouble::Trouble;

/// Find the sentences in a folder of documents that answer a question
///
/// Reads txt, md, html, pdf, docx and csv, also packed with gzip. The index is kept in the home and brought
/// up to date at each search. No model is asked and nothing leaves this machine. If no document addresses the
/// question, it says so and ends with 7. With --sources the words are sent to these places instead, and what
/// they find is listed, not read.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton search \"How many columns may a table have?\" --docs manuals
  baton search \"port of the server\" --docs . --limit 3 --json
  baton search \"district heating\" --sources wikipedia,openalex"
)]
pub struct Args {
    /// Words or a question
    pub words: String,
    /// The folder of documents
    #[arg(long, value_name = "FOLDER", required_unless_present = "sources", conflicts_with = "sources")]
    pub docs: Option<PathBuf>,
    #[command(flatten)]
    pub sources: SourceArgs,
    /// At most this many sentences, or results
    #[arg(long, value_name = "N", default_value_t = 12)]
    pub limit: usize,
}

#[derive(Serialize)]
struct Found<'a> {
    documents: usize,
    left_out: Vec<LeftOut>,
    #[serde(flatten)]
    answer: &'a Answer,
}

/// A file that was not searched, and why.
#[derive(Serialize)]
pub struct LeftOut {
    path: String,
    reason: String,
}

impl LeftOut {
    /// As it was found in the folder.
    pub fn of(file: &Skipped) -> Self {
        Self { path: file.path.display().to_string(), reason: file.reason.clone() }
    }

    /// For people.
    pub fn words(&self) -> String {
        format!("left out: {} {}", self.path, self.reason)
    }
}

/// Searches.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    program.home.make()?;
    let Some(docs) = &args.docs else { return beyond::run(program, args) };
    if args.sources.choose() {
        return refuse(
            "with --docs everything in the folder is searched",
            "Sites, tiers, dates and languages choose among what --sources find",
        );
    }
    let mut index = LocalIndex::for_folder(&program.home.path, docs)?;
    let update = bring_up_to_date(program, docs, &mut index)?;
    let answer = index.answer(&args.words, args.limit)?;
    let left_out: Vec<LeftOut> = update.skipped.iter().map(LeftOut::of).collect();
    if !program.out.is_json() {
        left_out.iter().for_each(|file| program.out.note(file.words()));
    }
    program.out.give(
        &Found { documents: update.documents, left_out, answer: &answer },
        &page(&answer, update.documents),
    )?;
    Ok(if answer.verdict == Verdict::NoEvidence { Exit::NoEvidence } else { Exit::Done })
}

/// Reads what is new or changed, with a count on a terminal when there is anything to do.
pub fn bring_up_to_date(program: &Program, docs: &Path, index: &mut LocalIndex) -> Result<Update, Trouble> {
    let child = ChildCommand::this_program().map_err(Trouble::Runtime)?;
    let now = UNIX_EPOCH + Duration::from_millis(program.clock.now().0);
    let mut shown = Ok(());
    let mut progress = |at: Progress| {
        // A line for every document would cost more than reading it.
        if program.out.is_live() && shown.is_ok() && (at.done.is_multiple_of(20) || at.done == at.total) {
            let line = Page::of(format!("reading documents: {} of {}", at.done, at.total));
            shown = program.out.redraw(&line);
        }
    };
    let update = index.update(docs, &Limits::default(), &child, now, &mut progress)?;
    shown?;
    if program.out.is_live() {
        program.out.redraw(&Page::default())?;
    }
    Ok(update)
}

fn page(answer: &Answer, documents: usize) -> Page {
    let mut page = Page::default();
    for name in &answer.unknown {
        page.line([inked(Ink::Warn, format!("No document mentions \"{name}\"."))]);
    }
    match answer.verdict {
        Verdict::NoEvidence => {
            let documents = count(documents, "document");
            page.text(format!("No evidence: nothing in {documents} addresses the question."));
        }
        Verdict::Weak => {
            let words = "Weak evidence: the documents mention only part of what was asked.";
            page.line([inked(Ink::Warn, words)]);
        }
        Verdict::Addressed => {}
    }
    for quote in &answer.quotes {
        if !page.is_empty() {
            page.text("");
        }
        add_quote(&mut page, quote);
    }
    page
}

fn add_quote(page: &mut Page, quote: &Quote) {
    let number = quote.page.map(|number| format!(", page {number}")).unwrap_or_default();
    let date = quote.date.as_ref().map(|date| format!(", {date}")).unwrap_or_default();
    let mut place = vec![plain(format!("{}{number}{date}", quote.path.display()))];
    if quote.replaced {
        place.push(inked(Ink::Warn, " (replaced by a later document)"));
    }
    page.line(place);
    if !quote.heading.is_empty() {
        page.line([inked(Ink::Faint, format!("  {}", quote.heading))]);
    }
    let words: Vec<&str> = quote.text.split_whitespace().collect();
    page.text(format!("  “{}”", words.join(" ")));
}
