//! Yes or no to a question whether two things go together: "Is a higher price associated with fewer packs?". The sign that
//! is asked for and the size of the correlation decide; a cause is never told.

use baton_agents::rules::words::{fold, word_ranges};
use baton_figures::{Answer, Ask};

use super::{of_whom, was};
use crate::report::facet::Facet;
use crate::report::naming::named;
use crate::report::prose::{Line, Sentence};

/// A correlation nearer to nothing than this is no connection to speak of.
const HARDLY: f64 = 0.1;
/// Words a question begins with that wants a yes or a no.
const OPENERS: &[&str] = &["is", "are", "was", "were", "do", "does", "did", "has", "have"];
/// Words for more of something.
const MORE: &[&str] = &[
    "more", "higher", "larger", "greater", "bigger", "longer", "heavier", "older", "rising", "high", "large",
];
/// Words for less of it.
const LESS: &[&str] =
    &["fewer", "less", "lower", "smaller", "shorter", "lighter", "younger", "falling", "low", "small"];

/// The answer to such a question; none to any other.
#[must_use]
pub fn yes_or_no(question: &str, answer: &Answer) -> Option<Sentence> {
    let Ask::Correlation { x, y, grain } = &answer.question.ask else { return None };
    let figure = answer.figures.first()?;
    let asked = same_way(question)?;
    let size = figure.value.abs().to_f64();
    let how = grain.map_or_else(|| "row by row".to_owned(), |grain| format!("by {}", grain.name()));
    let (x, y) = (named(x), named(y));
    let whom = of_whom(&Facet::of(figure));
    let line = if size < HARDLY {
        Line::default().words(&format!(
            "hardly: {} and {} have no connection to speak of{whom} (correlation ",
            article(&x),
            article(&y)
        ))
    } else {
        let is_same = !figure.value.is_negative();
        let (verdict, way) =
            (if is_same == asked { "yes" } else { "no" }, if is_same { "higher too" } else { "lower" });
        Line::default().words(&format!(
            "{verdict}: where {} {} higher, {} tended to be {way}{whom} (correlation ",
            article(&x),
            was(&x),
            article(&y)
        ))
    };
    Some(line.number(figure).words(&format!(", {how}); this says nothing about a cause")).end())
}

/// "the average price", "packs sold per head".
fn article(name: &str) -> String {
    if was(name) == "were" { name.to_owned() } else { format!("the {name}") }
}

/// Whether a question asks if two things rise together (or if one falls where the other rises); none where it asks neither.
#[must_use]
pub fn same_way(question: &str) -> Option<bool> {
    let words: Vec<String> = word_ranges(question).map(|at| fold(&question[at])).collect();
    let opens = words.first().is_some_and(|word| OPENERS.contains(&word.as_str()));
    let ways: Vec<bool> = words
        .iter()
        .filter_map(|word| match word.as_str() {
            more if MORE.contains(&more) => Some(true),
            less if LESS.contains(&less) => Some(false),
            _ => None,
        })
        .collect();
    match ways.as_slice() {
        [one, other] if opens => Some(one == other),
        _ => None,
    }
}
