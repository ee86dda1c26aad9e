//! Facts: a statement, the words of the source that carry it, and where they stand.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::cited::{Cited, carries_cited};
use super::quote;
use super::source::Source;
use crate::rules::dates::dates;
use crate::rules::quantities::{Quantity, quantities};
use crate::rules::words::{fold, is_stop, stem, word_ranges};

/// A piece of evidence. Made only by [`admit`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// Name within a run.
    pub id: String,
    /// What is stated.
    pub statement: String,
    /// The words of the source, as given by who proposed the fact.
    pub quote: String,
    /// Id of the source.
    pub source: String,
    /// Where the quote stands in the archived text; more than one range across a page break.
    pub ranges: Vec<Range<usize>>,
    /// 0 to 1.
    pub confidence: f64,
}

/// Why a proposed fact does not exist.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// The quote is not in the text.
    #[error("the quote is not in {source_id}: \"{quote}\"")]
    QuoteNotFound {
        /// The source.
        source_id: String,
        /// What was looked for.
        quote: String,
    },
    /// A number of the statement is not in the quote.
    #[error("the number {0} is not in the quote")]
    Number(String),
    /// A date of the statement is not in the quote.
    #[error("the date {0} is not in the quote")]
    Date(String),
    /// A name of the statement is not in the quote.
    #[error("the name {0} is not in the quote")]
    Name(String),
    /// The quote says something else than the statement.
    #[error("the quote does not carry the statement: {0}")]
    NotCarried(String),
    /// Nothing is stated.
    #[error("the statement is empty")]
    Empty,
    /// Confidence outside 0 to 1.
    #[error("the confidence {0} is not between 0 and 1")]
    Confidence(f64),
}

/// Checks a proposed fact against the archived text of its source and makes it, or says why it does not exist.
pub fn admit(
    id: &str,
    statement: &str,
    words: &str,
    source: &Source,
    text: &str,
    confidence: f64,
) -> Result<Fact, Refusal> {
    if statement.trim().is_empty() {
        return Err(Refusal::Empty);
    }
    if !(0.0..=1.0).contains(&confidence) {
        return Err(Refusal::Confidence(confidence));
    }
    let not_found = || Refusal::QuoteNotFound { source_id: source.id.clone(), quote: words.to_owned() };
    let range = quote::find(text, words).ok_or_else(not_found)?;
    carried(statement, &text[range.clone()], source)?;
    Ok(Fact {
        id: id.to_owned(),
        statement: statement.to_owned(),
        quote: words.to_owned(),
        source: source.id.clone(),
        ranges: vec![range],
        confidence,
    })
}

/// The same for words whose place is known: they may go on behind a page break. The place is checked.
pub fn admit_at(
    id: &str,
    statement: &str,
    words: &str,
    ranges: &[Range<usize>],
    source: &Source,
    text: &str,
) -> Result<Fact, Refusal> {
    if statement.trim().is_empty() {
        return Err(Refusal::Empty);
    }
    if !quote::stands_at(text, ranges, words) {
        return Err(Refusal::QuoteNotFound { source_id: source.id.clone(), quote: words.to_owned() });
    }
    carried(statement, words, source)?;
    Ok(Fact {
        id: id.to_owned(),
        statement: statement.to_owned(),
        quote: words.to_owned(),
        source: source.id.clone(),
        ranges: ranges.to_vec(),
        confidence: 1.0,
    })
}

/// A statement is carried by its quote like any other sentence.
fn carried(statement: &str, quote: &str, source: &Source) -> Result<(), Refusal> {
    carries_cited(statement, &[Cited { quote, title: &source.title }]).map_err(|why| {
        // A number, a date or a name that is nowhere is the plainer thing to say.
        supported(statement, quote).err().unwrap_or(Refusal::NotCarried(why))
    })
}

/// Numbers, dates and names of the statement must occur in the quote.
pub fn supported(statement: &str, quote: &str) -> Result<(), Refusal> {
    let (quoted, quoted_dates) = (quantities(quote), dates(quote));
    for number in quantities(statement) {
        if !quoted.iter().any(|other| same_amount(&number, other)) {
            return Err(Refusal::Number(statement[number.range].to_owned()));
        }
    }
    for date in dates(statement) {
        let known = quoted_dates.iter().any(|other| other.date == date.date);
        if !known && !quote.contains(&statement[date.range.clone()]) {
            return Err(Refusal::Date(statement[date.range].to_owned()));
        }
    }
    let quoted_words: Vec<String> = word_ranges(quote).map(|range| stem(&fold(&quote[range]))).collect();
    match names(statement).into_iter().find(|name| !quoted_words.contains(&stem(&fold(name)))) {
        Some(name) => Err(Refusal::Name(name.to_owned())),
        None => Ok(()),
    }
}

fn same_amount(a: &Quantity, b: &Quantity) -> bool {
    use crate::rules::quantities::Dimension::Count;
    // What a bare number counts may be said elsewhere in the sentence; a unit may not change.
    let comparable =
        a.dimension == b.dimension || matches!((&a.dimension, &b.dimension), (Count(_), Count(_)));
    comparable && (a.value - b.value).abs() <= 1e-9 * a.value.abs().max(1.0)
}

/// Words that are names: capitalised inside a sentence, or with capitals or digits inside the word.
fn names(statement: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut end = 0;
    for (index, range) in word_ranges(statement).enumerate() {
        let word = &statement[range.clone()];
        let opens = index == 0 || statement[end..range.start].contains(['.', '!', '?', ':', '"', '“']);
        end = range.end;
        let inner = word.chars().skip(1).any(char::is_uppercase)
            || (word.contains(char::is_alphabetic) && word.contains(|c: char| c.is_ascii_digit()));
        let capital = word.starts_with(char::is_uppercase) && !opens && word.len() > 1;
        if (capital || inner)
            && !is_stop(&fold(word))
            && crate::rules::quantities::quantities(word).is_empty()
        {
            found.push(word);
        }
    }
    // Months and the like are checked as dates.
    found.retain(|word| !dates(statement).iter().any(|date| statement[date.range.clone()].contains(word)));
    found
}
