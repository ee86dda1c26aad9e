//! Facts as lines of prose: every sentence of every fact that can stand in an article, once, with its place in its source.
//! Only what the quote of its fact carries is a line, so whoever writes with them writes nothing that is not carried.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{LazyLock, Mutex, PoisonError};

use baton_agents::evidence::{Verdict, judge};
use baton_agents::rules::sentences::sentences;
use baton_agents::rules::words::content_stems;

use super::pointing::points_back;
use super::sentence::{is_spoken, looks_ahead, sentence_of, years};
use super::{Essence, Said};
use crate::article::brief::Brief;
use crate::article::workers::is_english;
use crate::citation::{Facts, NumberedFact};

/// A sentence of a fact.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The fact's key.
    pub key: String,
    /// The sentence.
    pub text: String,
    /// The source.
    pub source: String,
    /// The headings above it in the source, outermost first.
    pub heading: String,
    /// Where it begins in the source.
    pub start: usize,
    /// Where it ends there.
    pub end: usize,
    /// How near it is to what was searched for.
    pub score: f64,
    /// The year it speaks of, or else the year of its source; 0 if neither is known.
    pub year: i32,
    /// Whether it needs the line before it.
    pub leans: bool,
    /// Whether somebody speaks in it.
    pub personal: bool,
    /// Whether it speaks of what is still to come.
    pub ahead: bool,
    /// What it says, to be compared.
    pub essence: Essence,
}

impl Line {
    /// Its words.
    #[must_use]
    pub fn words(&self) -> usize {
        self.text.split_whitespace().count()
    }
}

/// The lines of facts, by source and place. What the brief excludes, and what a later document replaced, is left out.
#[must_use]
pub fn lines(facts: &Facts<'_>, brief: &Brief, today: &str) -> Vec<Line> {
    let this_year = today.get(..4).and_then(|year| year.parse().ok()).unwrap_or(i32::MAX);
    let excluded: Vec<HashSet<String>> =
        brief.exclude_topics.iter().map(|topic| content_stems(topic)).filter(|it| !it.is_empty()).collect();
    // The shortest quote that has a sentence is the one it is cited by.
    let mut all: Vec<&NumberedFact<'_>> = facts.all().iter().filter(|fact| !fact.superseded).collect();
    all.sort_by_key(|fact| (fact.found.fact.quote.len(), fact.number));
    let foreign = foreign(facts);
    let mut found: BTreeMap<(String, String), Line> = BTreeMap::new();
    for fact in all {
        let near = fact.parts.values().copied().fold(0.0, f64::max);
        if foreign.contains(fact.card.key()) {
            continue;
        }
        for (text, place) in said(fact) {
            let end = place + text.trim_end().len();
            let Some(text) = sentence_of(&text) else { continue };
            let stems = content_stems(&text);
            if excluded.iter().any(|topic| topic.is_subset(&stems)) {
                continue;
            }
            let key = (fact.card.key().to_owned(), text.to_lowercase());
            if let Some(known) = found.get_mut(&key) {
                known.score = known.score.max(near);
                continue;
            }
            if !is_carried(&text, &fact.found.fact.quote) {
                continue;
            }
            let dated = fact.card.source.date.as_deref().and_then(|date| date.get(..4)?.parse().ok());
            let line = Line {
                key: fact.found.key().to_owned(),
                source: fact.card.key().to_owned(),
                heading: fact.found.heading.clone(),
                start: place,
                end,
                score: near,
                year: years(&text).into_iter().max().or(dated).unwrap_or(0),
                leans: points_back(&text),
                personal: is_spoken(&text, brief.tone) && super::is_of(&text, &fact.found.fact.quote),
                ahead: looks_ahead(&text, this_year),
                essence: Said::essence(&text),
                text,
            };
            found.insert(key, line);
        }
    }
    let mut lines: Vec<Line> = found.into_values().collect();
    lines.sort_by(|a, b| (&a.source, a.start, &a.key).cmp(&(&b.source, b.start, &b.key)));
    lines
}

/// Judgements that are remembered: the writers of an article, and of the next plan, read the same facts.
const REMEMBERED: usize = 10_000;
/// A sentence and its quote, and whether it is carried.
type Judged = HashMap<(String, String), bool>;

/// Whether a quote carries a sentence. What the gate says of two texts does not change, so it is asked once.
fn is_carried(text: &str, quote: &str) -> bool {
    static JUDGED: LazyLock<Mutex<Judged>> = LazyLock::new(Mutex::default);
    let key = (text.to_owned(), quote.to_owned());
    let known = JUDGED.lock().unwrap_or_else(PoisonError::into_inner).get(&key).copied();
    known.unwrap_or_else(|| {
        let carried = matches!(judge(text, &[quote]), Verdict::Carried { .. });
        let mut judged = JUDGED.lock().unwrap_or_else(PoisonError::into_inner);
        if judged.len() >= REMEMBERED {
            judged.clear();
        }
        judged.insert(key, carried);
        carried
    })
}

/// Sources that are not in English: rules say who speaks in English, and around words of another language that is neither.
fn foreign<'a>(facts: &Facts<'a>) -> HashSet<&'a str> {
    let mut quotes: BTreeMap<&'a str, String> = BTreeMap::new();
    for fact in facts.all() {
        let own = quotes.entry(fact.card.key()).or_default();
        own.push_str(&fact.found.fact.quote);
        own.push(' ');
    }
    quotes.into_iter().filter(|(_, text)| !is_english(text)).map(|(source, _)| source).collect()
}

/// The sentences of a fact, each with its place in the source.
fn said(fact: &NumberedFact<'_>) -> Vec<(String, usize)> {
    let (quote, statement) = (&fact.found.fact.quote, &fact.found.fact.statement);
    let begin = fact.found.ranges().first().map_or(0, |range| range.start);
    if quote.contains('|') {
        return Vec::new();
    }
    let same = quote.split_whitespace().eq(statement.split_whitespace());
    // A model's statement has no place of its own but its quote's.
    let text = if same { without_headings(&unheaded(quote, &fact.found.heading)) } else { statement.clone() };
    sentences(&text)
        .into_iter()
        .map(|range| (text[range.clone()].to_owned(), begin + if same { range.start } else { 0 }))
        .collect()
}

/// A quote without the heading it stands under, where a short sentence was brought with it. Offsets stay what they are.
fn unheaded(quote: &str, heading: &str) -> String {
    let leaf = heading.rsplit(" > ").next().unwrap_or_default().trim();
    match quote.strip_prefix(leaf).filter(|_| !leaf.is_empty()) {
        Some(rest) if rest.trim_start().starts_with(char::is_uppercase) => " ".repeat(leaf.len()) + rest,
        _ => quote.to_owned(),
    }
}

/// A quote with the lines blanked that are headings or the terms of a glossary: short, not ended, and followed by a
/// beginning. Offsets stay what they are.
fn without_headings(quote: &str) -> String {
    let rows: Vec<&str> = quote.split('\n').collect();
    let mut kept: Vec<String> = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let next = rows[at + 1..].iter().map(|row| row.trim()).find(|row| !row.is_empty());
        let before = rows[..at].iter().rev().map(|row| row.trim()).find(|row| !row.is_empty());
        let opens = before.is_none_or(|row| row.ends_with(['.', '!', '?', ':']));
        let ended = row.trim_end().ends_with(['.', '!', '?', ':', ',', ';']);
        let short = (1..=7).contains(&row.split_whitespace().count());
        let followed = next.is_some_and(|row| row.starts_with(char::is_uppercase));
        let heading = opens && !ended && short && followed;
        kept.push(if heading { " ".repeat(row.len()) } else { (*row).to_owned() });
    }
    kept.join("\n")
}

#[cfg(test)]
mod tests {
    use super::{unheaded, without_headings};

    #[test]
    fn headings_are_no_part_of_a_sentence() {
        let term = "Trench length\nThe length of pipe is twice as large.";
        assert_eq!(without_headings(term).trim(), "The length of pipe is twice as large.");
        assert_eq!(without_headings(term).len(), term.len());
        let second = "Nordvik makes an offer.\nReference plants\n\nMachines are in operation.";
        assert!(!without_headings(second).contains("Reference"));
        let short = "What Harlund uses No plant contains a fluorinated gas.";
        assert_eq!(
            unheaded(short, "Briefing > What Harlund uses").trim(),
            "No plant contains a fluorinated gas."
        );
        let named = "Heat pumps move heat.";
        assert_eq!(unheaded(named, "Heat pumps"), named);
        let wrapped = "The heat of the plant comes from the River\nVenna and from data centres.";
        assert_eq!(without_headings(wrapped), wrapped);
    }
}
