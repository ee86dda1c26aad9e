//! What is to be checked: a file, what somebody typed, or stdin.

use std::path::Path;

use baton_agents::read::bounded;
use baton_agents::read::extract::ChildCommand;
use baton_agents::read::files::{FileReader, Limits};
use baton_agents::read::{Format, ReadError};
use baton_workflows::checking::Draft;

use crate::sources::refuse;
use crate::trouble::Trouble;

/// The most a text may hold that is judged sentence by sentence: a thick book.
const MOST_BYTES: u64 = 4 << 20;

/// A text and what it is called.
pub struct Read {
    pub name: String,
    pub draft: Draft,
}

/// Reads what was typed.
pub fn read(typed: &str) -> Result<Read, Trouble> {
    let path = Path::new(typed);
    let read = if typed == "-" {
        let text = bounded::text_or_stdin(typed, MOST_BYTES)
            .map_err(|refusal| unreadable("stdin", &refusal.into()))?;
        Read { name: "stdin".to_owned(), draft: Draft::of(text) }
    } else if typed.len() < 4096 && path.symlink_metadata().is_ok() {
        let text = file(path).map_err(|problem| unreadable(typed, &problem))?;
        Read { name: typed.to_owned(), draft: Draft::of(text) }
    } else if looks_like_a_file(typed) {
        return refuse(format!("there is no file {typed}"), "Name one that exists, or type a sentence");
    } else {
        Read { name: "what was typed".to_owned(), draft: Draft::typed(typed.to_owned()) }
    };
    if read.draft.pieces.is_empty() {
        return refuse(format!("{} holds no sentence", read.name), "Give a text with something in it");
    }
    Ok(read)
}

fn file(path: &Path) -> Result<String, ReadError> {
    if Format::of_path(path).is_none() {
        // A name says nothing about a text; whether it is one is seen when it is read.
        return bounded::text(path, MOST_BYTES).map_err(ReadError::from);
    }
    let child = ChildCommand::this_program().map_err(|error| ReadError::Child(error.to_string()))?;
    let limits = Limits { raw_bytes: MOST_BYTES, unpacked_bytes: MOST_BYTES, ..Limits::default() };
    Ok(FileReader::new(limits, child).read(path)?.reading.text)
}

fn unreadable(name: &str, problem: &ReadError) -> Trouble {
    Trouble::Order {
        what: format!("{name} {problem}"),
        next: "Give a text of at most 4 MiB: txt, md, html, pdf or docx".to_owned(),
    }
}

/// One word that ends like a document, or that is a path.
fn looks_like_a_file(typed: &str) -> bool {
    let one_word = !typed.is_empty() && !typed.contains(char::is_whitespace);
    one_word && (Format::of_path(Path::new(typed)).is_some() || typed.contains('/'))
}
