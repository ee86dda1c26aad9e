//! From plain words to typed questions. Rules, no model: what is mentioned of the tables, which time, what is asked.
//! A word that matters and was not understood makes a refusal, never a guess; what was chosen is said.

mod choose;
pub mod lexicon;
mod mentions;
mod shape;
mod when;

use serde::{Deserialize, Serialize};

use crate::profile::{Profiles, TableProfile};
use crate::question::Question;
use lexicon::{Sense, senses};
use mentions::{Stems, Token};

/// What was understood of a sentence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Understanding {
    /// The question, if the data can answer it.
    pub question: Option<Question>,
    /// What was understood, or what was looked for, in a sentence.
    pub understood: String,
    /// Why the data cannot answer it.
    pub refused: Option<String>,
    /// Choices that were made, each a sentence.
    pub notes: Vec<String>,
}

/// Reads a sentence over given tables. Deterministic; knows English, German and Russian question words and takes
/// column names and values in any language.
#[must_use]
pub fn understand(id: &str, text: &str, profiles: &Profiles) -> Understanding {
    let refuse = |reason: String| Understanding {
        question: None,
        understood: text.trim().to_owned(),
        refused: Some(reason),
        notes: Vec::new(),
    };
    if profiles.tables.is_empty() {
        return refuse("there is no table to ask".to_owned());
    }
    if let Some(indicator) = crate::forbidden::asked(text).first() {
        return refuse(format!("{} is a technical indicator, which is not computed", indicator.name()));
    }
    let tokens = mentions::tokens(text);
    if tokens.is_empty() {
        return refuse("there are no words in it".to_owned());
    }
    let stems = Stems::new();
    let beyond = tokens
        .iter()
        .find(|token| senses(&token.word).contains(&Sense::Beyond) && !mentioned(token, profiles, &stems));
    if let Some(word) = beyond {
        return refuse(format!(
            "\"{}\" asks for causes, advice or the future, and tables only tell what was",
            word.written
        ));
    }
    let mut readings: Vec<(usize, Result<shape::Read, String>)> =
        profiles.tables.iter().map(|table| shape::read(id, &tokens, table, profiles, &stems)).collect();
    // The table that explains most words; among equals the first.
    let best = (0..readings.len()).max_by_key(|at| {
        readings.get(*at).map(|(score, read)| (read.is_ok(), *score, std::cmp::Reverse(*at)))
    });
    let Some((_, read)) = best.map(|at| readings.swap_remove(at)) else {
        return refuse("there is no table to ask".to_owned());
    };
    match read {
        Err(reason) => refuse(reason),
        Ok(read) => Understanding {
            question: Some(read.question),
            understood: read.understood,
            refused: None,
            notes: read.notes,
        },
    }
}

/// Whether two words are forms of one, whatever their case.
pub(crate) fn same_word(one: &str, two: &str) -> bool {
    Stems::new().same(&one.to_lowercase(), &two.to_lowercase())
}

/// Whether a word that asks for what tables cannot tell is the name of something in them: a column "forecast".
fn mentioned(token: &Token, profiles: &Profiles, stems: &Stems) -> bool {
    let in_table = |table: &TableProfile| {
        table.columns.iter().any(|column| {
            crate::profile::guess::words(&column.name).iter().any(|word| stems.same(word, &token.word))
        })
    };
    profiles.tables.iter().any(in_table)
}

#[cfg(test)]
mod tests;
