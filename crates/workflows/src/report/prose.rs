//! Sentences whose numbers know where they come from.

use std::collections::BTreeSet;

use baton_figures::Figure;
use serde::{Deserialize, Serialize};

use super::numbers::{Found, numbers};

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// Words.
    Words(String),
    /// A number that is one of the figures.
    Number {
        /// As it is written.
        text: String,
        /// The figure's id.
        figure: String,
    },
}

/// A sentence of a report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sentence {
    /// Its pieces, in order.
    pub pieces: Vec<Piece>,
    /// The facts it rests on, by key.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<String>,
    /// Figures it rests on beside those it writes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rests_on: Vec<String>,
    /// Times it names that are no figure's own: the day of a break.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// Whether a model worded it.
    #[serde(default)]
    pub by_model: bool,
    /// Whether it is a remark of the program: it states nothing about the subject.
    #[serde(default)]
    pub remark: bool,
}

impl Sentence {
    /// Plain words that rest on facts.
    #[must_use]
    pub fn quoting(text: &str, facts: Vec<String>) -> Self {
        Self { pieces: vec![Piece::Words(text.to_owned())], facts, ..Self::default() }
    }

    /// A remark of the program.
    #[must_use]
    pub fn remark(text: &str) -> Self {
        Self { pieces: vec![Piece::Words(text.to_owned())], remark: true, ..Self::default() }
    }

    /// A sentence whose numbers are looked for among these figures; none if one of them is not there.
    #[must_use]
    pub fn over(text: &str, figures: &[&Figure]) -> Option<Self> {
        let mut pieces = Vec::new();
        let mut at = 0;
        for found in numbers(text) {
            let figure = figures.iter().find(|figure| found.is(figure));
            match figure {
                Some(figure) => {
                    push_words(&mut pieces, &text[at..found.range.start]);
                    let number = text[found.range.clone()].to_owned();
                    pieces.push(Piece::Number { text: number, figure: figure.id.clone() });
                    at = found.range.end;
                }
                None if is_named(&found, text, figures) => {}
                None => return None,
            }
        }
        push_words(&mut pieces, &text[at..]);
        let rests_on = figures.iter().map(|figure| figure.id.clone()).collect();
        Some(Self { pieces, rests_on, ..Self::default() })
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Words(words) => words.clone(),
            Piece::Number { text, .. } => text.clone(),
        };
        self.pieces.iter().map(piece).collect()
    }

    /// The figure of its first number.
    #[must_use]
    pub fn first_figure(&self) -> Option<&str> {
        self.pieces.iter().find_map(|piece| match piece {
            Piece::Number { figure, .. } => Some(figure.as_str()),
            Piece::Words(_) => None,
        })
    }

    /// Whether the number of a figure stands in it.
    #[must_use]
    pub fn writes(&self, id: &str) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Number { figure, .. } if figure == id))
    }

    /// Every figure it rests on.
    #[must_use]
    pub fn figures(&self) -> BTreeSet<&str> {
        let written = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Number { figure, .. } => Some(figure.as_str()),
            Piece::Words(_) => None,
        });
        written.chain(self.rests_on.iter().map(String::as_str)).collect()
    }
}

fn push_words(pieces: &mut Vec<Piece>, words: &str) {
    if !words.is_empty() {
        pieces.push(Piece::Words(words.to_owned()));
    }
}

/// Whether a number is part of a name: a year or a day of a figure's time, or a value of its group.
pub(super) fn is_named(found: &Found, text: &str, figures: &[&Figure]) -> bool {
    let written = &text[found.range.clone()];
    figures.iter().any(|figure| {
        let groups = figure
            .group
            .values()
            .any(|value| value.split(|letter: char| !letter.is_alphanumeric()).any(|part| part == written));
        groups || super::facet::Facet::of(figure).times_say(written)
    })
}

/// Builds a sentence piece by piece.
#[derive(Debug, Default)]
pub struct Line {
    pieces: Vec<Piece>,
    names: Vec<String>,
}

impl Line {
    /// With these words behind it.
    #[must_use]
    pub fn words(mut self, words: &str) -> Self {
        match self.pieces.last_mut() {
            Some(Piece::Words(last)) => last.push_str(words),
            _ => push_words(&mut self.pieces, words),
        }
        self
    }

    /// With the name of a time behind it.
    #[must_use]
    pub fn time(mut self, name: &str) -> Self {
        self.names.push(name.to_owned());
        self.words(name)
    }

    /// With a figure's number behind it.
    #[must_use]
    pub fn number(self, figure: &Figure) -> Self {
        let text = super::naming::written(figure.value, figure.unit.as_deref());
        self.numbered(figure, text)
    }

    /// With a figure's number behind it, without its sign.
    #[must_use]
    pub fn size(self, figure: &Figure) -> Self {
        let text = super::naming::written(figure.value.abs(), figure.unit.as_deref());
        self.numbered(figure, text)
    }

    fn numbered(mut self, figure: &Figure, text: String) -> Self {
        self.pieces.push(Piece::Number { text, figure: figure.id.clone() });
        self
    }

    /// The sentence.
    #[must_use]
    pub fn end(mut self) -> Sentence {
        if let Some(Piece::Words(first)) = self.pieces.first_mut() {
            *first = super::naming::capital(first);
        }
        let names = std::mem::take(&mut self.names);
        Sentence { pieces: self.words(".").pieces, names, ..Sentence::default() }
    }
}
