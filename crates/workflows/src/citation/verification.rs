//! Checks a report offline: every sentence of report.md is a claim of its evidence, every citation leads to a
//! fact of that source, every fact to words in an archived text that still has its hash.

use std::collections::{BTreeMap, BTreeSet};

use baton_agents::evidence::{Archived, Cited, Claim, EvidenceFlaw, carries_cited, verify};
use baton_agents::hash::sha256_hex;
use serde::{Deserialize, Serialize};

use super::evidence::Evidence;
use super::markdown::{REFERENCES, shown};
use crate::markup::plain;

/// What checking a report brought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verification {
    /// Sentences of the report that claim something.
    pub claims: usize,
    /// Citations in them.
    pub citations: usize,
    /// Citations that hold.
    pub verified: usize,
    /// What is shown as near and claims nothing; held against its source and counted nowhere else.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub nearest: usize,
    /// What does not hold; empty when all of it does.
    #[serde(rename = "findings")]
    pub flaws: Vec<Flaw>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde wants a reference
fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Verification {
    /// Whether everything holds.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.flaws.is_empty()
    }
}

/// Something that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Flaw {
    /// In the report itself.
    Report(ReportFlaw),
    /// In its evidence.
    Evidence(EvidenceFlaw),
}

/// What is wrong with the text of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "problem", rename_all = "snake_case")]
pub enum ReportFlaw {
    /// report.md is not the file that was written.
    ReportChanged,
    /// A sentence stands in the report that was not written there.
    UnknownSentence {
        /// The line, from 1.
        line: usize,
        /// The sentence.
        sentence: String,
    },
    /// A sentence that must be cited is not.
    UncitedSentence {
        /// The line.
        line: usize,
        /// The sentence.
        sentence: String,
    },
    /// A sentence cites other sources than it was written with.
    WrongCitations {
        /// The line.
        line: usize,
        /// The sentence.
        sentence: String,
        /// What it should cite.
        expected: Vec<String>,
        /// What it cites.
        found: Vec<String>,
    },
    /// A sentence that was written is gone.
    MissingSentence {
        /// The sentence.
        sentence: String,
    },
    /// The quotes do not carry the sentence.
    NotCarried {
        /// The sentence.
        sentence: String,
        /// Why not.
        reason: String,
    },
}

/// Checks a report against its evidence and the archive.
#[must_use]
pub fn check(evidence: &Evidence, report_md: &str, archive: &dyn Archived) -> Verification {
    let (facts, sources) = (evidence.as_facts(), evidence.as_sources());
    let written: Vec<Claim> = evidence.claims.iter().chain(&evidence.nearest).cloned().collect();
    let in_evidence = verify(&written, &facts, &sources, archive);
    let broken = broken_facts(evidence, &in_evidence);
    let mut flaws: Vec<Flaw> = Vec::new();
    if sha256_hex(report_md.as_bytes()) != evidence.report_hash {
        flaws.push(Flaw::Report(ReportFlaw::ReportChanged));
    }
    let titles: BTreeMap<&str, &str> =
        evidence.sources.iter().map(|source| (source.id.as_str(), source.title.as_str())).collect();
    let title = |source: &str| titles.get(source).copied().unwrap_or_default();
    let quotes: Quotes<'_> = evidence
        .facts
        .iter()
        .map(|fact| {
            (
                fact.id.as_str(),
                (fact.source.as_str(), Cited { quote: &fact.quote, title: title(&fact.source) }),
            )
        })
        .collect();
    let mut waiting: Vec<&Claim> = written.iter().collect();
    let mut sentences = sentences(report_md, &evidence.claiming);
    sentences.retain(|sentence| !sentence.labels.is_empty() || !evidence.notes.contains(&sentence.text));
    let (mut citations, mut verified, mut near) = (0, 0, 0);
    for sentence in &sentences {
        let claim = matching(sentence, &mut waiting, &quotes);
        let is_nearest = claim.as_ref().is_ok_and(|claim| evidence.nearest.contains(claim));
        near += usize::from(is_nearest);
        citations += if is_nearest { 0 } else { sentence.labels.len() };
        match claim {
            Ok(claim) => match carried(claim, &quotes) {
                Ok(()) if is_nearest => {}
                Ok(()) => verified += sentence.holding(claim, &quotes, &broken),
                Err(reason) => {
                    flaws.push(Flaw::Report(ReportFlaw::NotCarried { sentence: claim.text.clone(), reason }));
                }
            },
            Err(problem) => flaws.push(Flaw::Report(problem)),
        }
    }
    let gone = waiting.iter().map(|claim| ReportFlaw::MissingSentence { sentence: claim.text.clone() });
    flaws.extend(gone.map(Flaw::Report));
    flaws.extend(in_evidence.into_iter().map(Flaw::Evidence));
    Verification { claims: sentences.len() - near, citations, verified, nearest: near, flaws }
}

/// By fact: its source and its words.
type Quotes<'a> = BTreeMap<&'a str, (&'a str, Cited<'a>)>;

/// Facts whose words are no longer where they were.
fn broken_facts(evidence: &Evidence, flaws: &[EvidenceFlaw]) -> BTreeSet<String> {
    let mut broken = BTreeSet::new();
    for flaw in flaws {
        match flaw {
            EvidenceFlaw::QuoteMoved { fact } | EvidenceFlaw::UnknownSource { fact, .. } => {
                broken.insert(fact.clone());
            }
            EvidenceFlaw::Archive { source, .. } => {
                let own = evidence.facts.iter().filter(|fact| fact.source == *source);
                broken.extend(own.map(|fact| fact.id.clone()));
            }
            EvidenceFlaw::Uncited { .. }
            | EvidenceFlaw::UnknownFact { .. }
            | EvidenceFlaw::Unsupported { .. } => {}
        }
    }
    broken
}

/// The claim a sentence was written from, taken off the list.
fn matching<'a>(
    sentence: &Sentence,
    waiting: &mut Vec<&'a Claim>,
    quotes: &Quotes<'_>,
) -> Result<&'a Claim, ReportFlaw> {
    let same = |claim: &&Claim| claim.text == sentence.text;
    let exact = |claim: &&Claim| same(claim) && labels(claim, quotes) == sentence.labels;
    if let Some(at) = waiting.iter().position(exact) {
        return Ok(waiting.remove(at));
    }
    let (line, text) = (sentence.line, sentence.text.clone());
    if let Some(at) = waiting.iter().position(same) {
        let expected = labels(waiting.remove(at), quotes);
        return Err(ReportFlaw::WrongCitations {
            line,
            sentence: text,
            expected,
            found: sentence.labels.clone(),
        });
    }
    Err(if sentence.labels.is_empty() {
        ReportFlaw::UncitedSentence { line, sentence: text }
    } else {
        ReportFlaw::UnknownSentence { line, sentence: text }
    })
}

/// The sources a claim cites, each once.
fn labels(claim: &Claim, quotes: &Quotes<'_>) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    for (source, _) in claim.facts.iter().filter_map(|fact| quotes.get(fact.as_str())) {
        if !labels.iter().any(|label| label == source) {
            labels.push((*source).to_owned());
        }
    }
    labels
}

/// Whether the quotes of a claim carry it; a quote carries itself.
fn carried(claim: &Claim, quotes: &Quotes<'_>) -> Result<(), String> {
    let own: Vec<Cited<'_>> =
        claim.facts.iter().filter_map(|fact| quotes.get(fact.as_str())).map(|(_, cited)| *cited).collect();
    if own.iter().any(|cited| plain(cited.quote) == claim.text) {
        return Ok(());
    }
    carries_cited(&claim.text, &own)
}

/// A sentence of a report and the sources it cites.
struct Sentence {
    line: usize,
    text: String,
    labels: Vec<String>,
}

impl Sentence {
    /// How many of its citations lead to a fact that is whole.
    fn holding(&self, claim: &Claim, quotes: &Quotes<'_>, broken: &BTreeSet<String>) -> usize {
        let whole = |label: &&String| {
            let mut own = claim
                .facts
                .iter()
                .filter(|fact| quotes.get(fact.as_str()).is_some_and(|(source, _)| source == *label))
                .peekable();
            own.peek().is_some() && own.all(|fact| !broken.contains(fact))
        };
        self.labels.iter().filter(whole).count()
    }
}

/// The sentences of a report that claim something: all below the headings that claim, and whatever cites a source
/// elsewhere.
fn sentences(report: &str, claiming: &[String]) -> Vec<Sentence> {
    let mut found = Vec::new();
    let mut must_cite = false;
    for (line, block) in blocks(report) {
        if block.starts_with('#') {
            if let Some(name) = block.strip_prefix("## ") {
                let name = shown(name);
                must_cite = claiming.iter().any(|one| plain(one) == name);
            }
            continue;
        }
        let block = block.strip_prefix("- ").or_else(|| block.strip_prefix("> ")).unwrap_or(&block);
        for (text, labels) in pieces(block) {
            let text = shown(&text);
            if !labels.is_empty() || (must_cite && !text.is_empty()) {
                found.push(Sentence { line, text, labels });
            }
        }
    }
    found
}

/// Paragraphs, headings and list items up to the references, each with its first line.
fn blocks(report: &str) -> Vec<(usize, String)> {
    let mut blocks: Vec<(usize, String)> = Vec::new();
    let mut in_head = report.starts_with("---\n");
    let mut open = false;
    for (index, line) in report.lines().enumerate() {
        let line = line.trim();
        if in_head {
            in_head = index == 0 || line != "---";
            continue;
        }
        if line == REFERENCES {
            break;
        }
        let begins = line.starts_with("- ") || line.starts_with("> ") || line.starts_with('#');
        match blocks.last_mut() {
            _ if line.is_empty() => open = false,
            Some((_, block)) if open && !begins => {
                block.push(' ');
                block.push_str(line);
            }
            _ => {
                blocks.push((index + 1, line.to_owned()));
                open = !line.starts_with('#');
            }
        }
    }
    blocks
}

/// A block cut behind each group of citations.
fn pieces(block: &str) -> Vec<(String, Vec<String>)> {
    let mut pieces: Vec<(String, Vec<String>)> = vec![(String::new(), Vec::new())];
    let mut rest = block;
    while let Some(letter) = rest.chars().next() {
        if let Some(label) = citation(rest) {
            if let Some((_, labels)) = pieces.last_mut() {
                labels.push(label.to_owned());
            }
            rest = &rest[label.len() + 2..];
            continue;
        }
        let escaped = letter == '\\';
        let taken = rest.char_indices().nth(if escaped { 2 } else { 1 }).map_or(rest.len(), |(at, _)| at);
        let cited = pieces.last().is_some_and(|(_, labels)| !labels.is_empty());
        if cited && !letter.is_whitespace() {
            pieces.push((String::new(), Vec::new()));
        }
        if let Some((text, labels)) = pieces.last_mut()
            && labels.is_empty()
        {
            text.push_str(&rest[..taken]);
        }
        rest = &rest[taken..];
    }
    pieces.retain(|(text, labels)| !text.trim().is_empty() || !labels.is_empty());
    pieces
}

/// The label of a citation that begins here.
fn citation(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('[')?;
    let label = &inner[..inner.find(']')?];
    let digits = label.strip_prefix('S')?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && !inner[label.len() + 1..].starts_with('(')).then_some(label)
}
