//! The question files and what counts as answered.

use regex::Regex;
use serde::Deserialize;

/// A reader who wants one answer reads so many words.
pub const BLOCK: usize = 90;

/// One question with the documents and patterns of its answer.
#[derive(Debug, Deserialize)]
pub struct Question {
    pub id: String,
    pub q: String,
    pub gold: Vec<String>,
    pub answer: Vec<String>,
    /// The documents it is about, in files with questions over several sets.
    #[serde(default)]
    pub set: Option<String>,
}

/// A piece of shown text and the document it comes from.
pub struct Piece {
    pub path: String,
    pub text: String,
}

impl Question {
    pub fn is_answerable(&self) -> bool {
        !self.gold.is_empty()
    }

    /// Every pattern occurs in the text that comes from gold documents.
    pub fn is_answered(&self, pieces: &[Piece]) -> Result<bool, regex::Error> {
        let from_gold: Vec<String> = pieces
            .iter()
            .filter(|piece| self.is_gold(&piece.path))
            .flat_map(|piece| {
                [piece.text.split_whitespace().collect::<Vec<_>>().join(" "), one_line(&piece.text)]
            })
            .collect();
        let text = from_gold.join("\n");
        for pattern in &self.answer {
            if !Regex::new(pattern)?.is_match(&text) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_gold(&self, path: &str) -> bool {
        let path = bare(path);
        self.gold.iter().any(|gold| path == bare(gold) || path.ends_with(&format!("/{}", bare(gold))))
    }
}

/// The first [`BLOCK`] words of pieces.
pub fn block(pieces: &[Piece]) -> Vec<Piece> {
    let mut left = BLOCK;
    let mut kept = Vec::new();
    for piece in pieces {
        let words: Vec<&str> = piece.text.split_whitespace().take(left).collect();
        left -= words.len();
        if !words.is_empty() {
            kept.push(Piece { path: piece.path.clone(), text: words.join(" ") });
        }
    }
    kept
}

/// On one line, with the escapes of Markdown undone.
fn one_line(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == '\\' && letters.peek().is_some_and(char::is_ascii_punctuation) {
            continue;
        }
        plain.push(letter);
    }
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn bare(path: &str) -> &str {
    let path = path.strip_suffix(".gz").unwrap_or(path);
    [".txt", ".html", ".htm", ".md", ".pdf"].iter().find_map(|end| path.strip_suffix(end)).unwrap_or(path)
}
