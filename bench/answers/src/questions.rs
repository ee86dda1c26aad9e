//! The question files and what counts as answered.

use regex::Regex;
use serde::Deserialize;

/// One question with the documents and patterns of its answer.
#[derive(Debug, Deserialize)]
pub struct Question {
    pub id: String,
    pub q: String,
    pub gold: Vec<String>,
    pub answer: Vec<String>,
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
            .map(|piece| one_line(&piece.text))
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

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn bare(path: &str) -> &str {
    let path = path.strip_suffix(".gz").unwrap_or(path);
    [".txt", ".html", ".htm", ".md", ".pdf"].iter().find_map(|end| path.strip_suffix(end)).unwrap_or(path)
}
