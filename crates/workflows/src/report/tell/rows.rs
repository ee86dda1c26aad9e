//! Rows by what they are, where the question said it: companies, not rows.

use baton_figures::Figure;

use crate::report::prose::{Piece, Sentence};

/// How a count names what it counts.
const COUNT: &str = "number of ";

/// Sentences that say what is counted.
pub(super) fn called(sentences: Vec<Sentence>, figures: &[Figure]) -> Vec<Sentence> {
    match figures.iter().find_map(counted) {
        Some(noun) if noun != "rows" => sentences.into_iter().map(|it| said(it, &noun)).collect(),
        _ => sentences,
    }
}

/// What a figure counts.
pub fn counted(figure: &Figure) -> Option<String> {
    let counts = figure.cells.iter().any(|cells| cells.column.is_none());
    let (_, behind) = figure.measure.split_once(COUNT).filter(|_| counts)?;
    let noun = behind.split([',', ' ']).next()?;
    (!noun.is_empty()).then(|| noun.to_owned())
}

fn said(mut sentence: Sentence, noun: &str) -> Sentence {
    for piece in &mut sentence.pieces {
        if let Piece::Words(words) = piece {
            for before in [COUNT, "of the ", "the most ", "the fewest "] {
                *words = words.replace(&format!("{before}rows"), &format!("{before}{noun}"));
            }
            *words = words.replace("Number of rows", &format!("Number of {noun}"));
        }
    }
    sentence
}
