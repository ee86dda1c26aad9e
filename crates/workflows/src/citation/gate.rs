//! From a draft to a report: every sentence is held against the facts it cites, and dropped if they do not
//! carry it. The one gate between whoever writes and what a reader sees.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use baton_agents::evidence::conflict::is_negated;
use baton_agents::evidence::fact::supported;
use baton_agents::rules::words::content_stems;
use serde::{Deserialize, Serialize};

use super::graph::Graph;
use super::skills::write::Draft;

/// A sentence and the facts it rests on, by key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// The sentence, without citations.
    pub text: String,
    /// Keys of its facts; never empty.
    pub facts: Vec<String>,
}

/// The part of a report about one dimension.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// The dimension, counted from 0.
    pub dimension: usize,
    /// What is said of it.
    pub lines: Vec<Line>,
}

/// A sentence that was not let through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dropped {
    /// The sentence.
    pub text: String,
    /// Why.
    pub why: String,
}

/// What is written, before anything is rendered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The answer, first.
    pub answer: Vec<Line>,
    /// Then each dimension.
    pub sections: Vec<Section>,
    /// What was not let through.
    pub dropped: Vec<Dropped>,
    /// Who wrote it: `rules` or a model's name.
    pub by: String,
}

impl Report {
    /// Every sentence.
    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        self.answer.iter().chain(self.sections.iter().flat_map(|section| &section.lines))
    }
}

/// Part of a sentence's words that must stand in the quotes it cites.
const SHARED: f64 = 0.5;

/// Whether quotes carry a sentence: its numbers, dates and names stand in them, most of its words do, and it
/// does not deny what they say.
pub fn faithful(text: &str, quotes: &[&str]) -> Result<(), String> {
    supported(text, &quotes.join("\n")).map_err(|refusal| refusal.to_string())?;
    let own = content_stems(text);
    let theirs: BTreeSet<String> = quotes.iter().flat_map(|quote| content_stems(quote)).collect();
    let shared = own.iter().filter(|stem| theirs.contains(*stem)).count();
    if own.is_empty() || (shared as f64) < SHARED * own.len() as f64 {
        return Err(format!("only {shared} of its {} words stand in what it cites", own.len()));
    }
    if let [quote] = quotes
        && is_negated(text) != is_negated(quote)
    {
        return Err("it denies what its quote says, or the other way round".to_owned());
    }
    Ok(())
}

/// Lets through what the graph carries.
#[must_use]
pub fn weigh(draft: &Draft, graph: &Graph<'_>, by: &str) -> Report {
    let mut dropped = Vec::new();
    let mut said = BTreeSet::new();
    let mut line = |text: &str, labels: &[String]| -> Option<Line> {
        match check(text, labels, graph) {
            // What was said before is not wrong, it is only not said again.
            Ok(line) => said.insert(line.text.to_lowercase()).then_some(line),
            Err(why) => {
                dropped.push(Dropped { text: text.to_owned(), why });
                None
            }
        }
    };
    let answer = draft.answer.iter().filter_map(|one| line(&one.text, &one.facts)).collect();
    let mut sections: Vec<Section> = Vec::new();
    for part in &draft.sections {
        let lines: Vec<Line> = part.sentences.iter().filter_map(|one| line(&one.text, &one.facts)).collect();
        if !lines.is_empty() {
            sections.push(Section { dimension: part.dimension, lines });
        }
    }
    Report { answer, sections, dropped, by: by.to_owned() }
}

fn check(text: &str, labels: &[String], graph: &Graph<'_>) -> Result<Line, String> {
    let text = without_citations(text);
    if labels.is_empty() {
        return Err("it cites nothing".to_owned());
    }
    let mut quotes = Vec::new();
    let mut facts = Vec::new();
    for label in labels {
        let fact = graph.labelled(label).ok_or_else(|| format!("{label} does not exist"))?;
        quotes.push(fact.finding.fact.quote.as_str());
        facts.push(fact.finding.key().to_owned());
    }
    faithful(&text, &quotes)?;
    Ok(Line { text, facts })
}

/// Citations are written by the program: what a model put in brackets goes.
fn without_citations(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('[') {
        plain.push_str(&rest[..at]);
        let inner = &rest[at + 1..];
        match inner.find(']') {
            Some(end) if is_citation(&inner[..end]) => rest = &inner[end + 1..],
            _ => {
                plain.push('[');
                rest = inner;
            }
        }
    }
    plain.push_str(rest);
    plain.split_whitespace().collect::<Vec<_>>().join(" ").replace(" .", ".").replace(" ,", ",")
}

fn is_citation(inner: &str) -> bool {
    let one = |part: &str| {
        let part = part.trim();
        let digits = part.strip_prefix("Fact-").or_else(|| part.strip_prefix('S'));
        digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
    };
    inner.split([',', ';']).all(one)
}
