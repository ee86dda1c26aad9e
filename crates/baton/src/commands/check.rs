//! `baton check`: holds every sentence of a text, whoever wrote it, against quotes or documents.

mod pairs;
mod shown;
mod text;

use std::path::{Path, PathBuf};

use baton_agents::search::local::{LocalIndex, Update};
use baton_workflows::checking::{Checked, Documents, GivenQuotes, Sheet, Tally, check};
use serde::Serialize;

use super::search::{LeftOut, bring_up_to_date};
use crate::exit::Exit;
use crate::export::ending;
use crate::program::Program;
use crate::sources::refuse;
use crate::text::count;
use crate::trouble::Trouble;

/// Check whether documents carry what a text says
///
/// Every sentence that states something is carried (with the quote and its place), contradicted (with the
/// quote that says otherwise) or not found. Questions, headings, lists' openings and remarks on the text itself
/// are not judged, and counted. No model is asked and nothing leaves this machine. Rules judge: they refuse
/// what they cannot follow, so `not found` means that no quote plainly says it.
///
/// TEXT is a file (txt, md, html, pdf, docx), a sentence, or `-` for stdin. It ends with 0 only if every
/// judged sentence is carried, else with 1; with --pairs, with 0 if every line could be judged, else with 2.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton check draft.md --docs manuals
  baton check draft.md --docs manuals -o checked.html
  baton check \"A table may have 2000 columns.\" --docs manuals --json
  baton check \"The fee rose.\" --quote \"In May the fee rose to 12 euros.\"
  baton check --pairs claims.jsonl"
)]
pub struct Args {
    /// A file, a sentence, or `-` for stdin
    #[arg(value_name = "TEXT", required_unless_present = "pairs", allow_hyphen_values = false)]
    pub text: Option<String>,
    /// A folder of documents to hold it against; may be given several times
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["quote", "pairs"])]
    pub docs: Vec<PathBuf>,
    /// Words to hold it against; may be given several times
    #[arg(long, value_name = "WORDS", conflicts_with = "pairs", allow_hyphen_values = true)]
    pub quote: Vec<String>,
    /// Judge lines {"quotes": [...], "sentence": "..."} of a file, or `-`, and print a line for each
    #[arg(long, value_name = "FILE", conflicts_with_all = ["text", "output"])]
    pub pairs: Option<String>,
    /// Write the text with its marks to this file: .md or .html
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Serialize)]
struct CheckOutput<'a> {
    text: &'a str,
    holds: bool,
    documents: usize,
    left_out: &'a [LeftOut],
    #[serde(flatten)]
    tally: Tally,
    sentences: &'a [Checked],
}

/// What a text was held against.
#[derive(Default)]
struct Held {
    documents: usize,
    left_out: Vec<LeftOut>,
}

/// Checks.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    if let Some(file) = &args.pairs {
        return pairs::run(program, file);
    }
    let output = args.output.as_deref().map(output_kind).transpose()?;
    let text::Read { name, draft } = text::read(args.text.as_deref().unwrap_or_default())?;
    let (sentences, against, held) = if args.docs.is_empty() {
        if args.quote.is_empty() {
            return refuse("nothing says what to hold it against", "Give --docs FOLDER or --quote WORDS");
        }
        let Ok(sentences) = check(&draft, &GivenQuotes::new(&args.quote));
        (sentences, count(args.quote.len(), "quote"), Held::default())
    } else {
        program.home.make()?;
        let (indexes, held) = open(program, &args.docs)?;
        let documents: Vec<Documents<'_>> = indexes.iter().map(Documents::new).collect();
        (check(&draft, &documents)?, count(held.documents, "document"), held)
    };
    let sheet = Sheet { name, against, text: draft.text, sentences };
    if let (Some(kind), Some(path)) = (output, &args.output) {
        write(&sheet, kind, path)?;
    }
    give(program, &sheet, &held)
}

/// Every folder's index, up to date.
fn open(program: &Program, folders: &[PathBuf]) -> Result<(Vec<LocalIndex>, Held), Trouble> {
    let (mut indexes, mut held) = (Vec::new(), Held::default());
    for folder in folders {
        let mut index = LocalIndex::for_folder(&program.home.path, folder)?;
        let Update { documents, skipped, .. } = bring_up_to_date(program, folder, &mut index)?;
        held.documents += documents;
        held.left_out.extend(skipped.iter().map(LeftOut::of));
        indexes.push(index);
    }
    Ok((indexes, held))
}

fn give(program: &Program, sheet: &Sheet, held: &Held) -> Result<Exit, Trouble> {
    let tally = sheet.tally();
    if !program.out.is_json() {
        held.left_out.iter().for_each(|file| program.out.note(file.words()));
    }
    let value = CheckOutput {
        text: &sheet.name,
        holds: tally.holds(),
        documents: held.documents,
        left_out: &held.left_out,
        tally,
        sentences: &sheet.sentences,
    };
    program.out.give(&value, &shown::page(sheet))?;
    Ok(if tally.holds() { Exit::Done } else { Exit::Failed })
}

/// How a marked text is written.
#[derive(Clone, Copy)]
enum Kind {
    Markdown,
    Html,
}

fn output_kind(path: &Path) -> Result<Kind, Trouble> {
    if path.is_dir() {
        return refuse(format!("{} is a folder", path.display()), "Name a file in it");
    }
    Ok(if ending(path, &["md", "html"])? == "html" { Kind::Html } else { Kind::Markdown })
}

fn write(sheet: &Sheet, kind: Kind, path: &Path) -> Result<(), Trouble> {
    let content = match kind {
        Kind::Markdown => sheet.markdown(),
        Kind::Html => sheet.html(),
    };
    std::fs::write(path, content).map_err(|why| Trouble::File { what: "write", path: path.to_owned(), why })
}
