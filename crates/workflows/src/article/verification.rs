//! Checks an article offline: every sentence of article.md is one that was written, every claim is carried by its quotes or
//! computed again from them, every cell of a table stands in its quote, every quote in an archived text that has its hash.

use std::ops::Range;
use std::path::PathBuf;

use baton_agents::evidence::{
    Archived, Authority, Cited, Derived, EvidenceFlaw, Fact, Source, Verdict, carries_cited, recompute,
    verify,
};
use baton_agents::hash::sha256_hex;
use baton_agents::search::Location;
use serde::{Deserialize, Serialize};

use super::score::MarkdownText;
use crate::citation::verification::{Flaw, ReportFlaw, Verification};
use crate::markup::{marked, unmarked};

/// A sentence and what it rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownClaim {
    /// As it is read.
    pub text: String,
    /// What is claimed in it.
    pub claim: String,
    /// Labels of its facts.
    pub facts: Vec<String>,
    /// What they say of it.
    pub verdict: Verdict,
    /// How it was computed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derived: Option<Derived>,
}

/// A row of a table and the fact it is copied from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownRow {
    /// Its cells.
    pub cells: Vec<String>,
    /// The label of the fact.
    pub fact: String,
}

/// A fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownFact {
    /// `Fact-001`.
    pub id: String,
    /// Its key within the run.
    pub key: String,
    /// Its words.
    pub quote: String,
    /// `S01`.
    pub source: String,
    /// Where they stand in the archived text.
    pub ranges: Vec<Range<usize>>,
}

/// A source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownSource {
    /// `S01`.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Where it was found.
    pub place: String,
    /// The hash of its bytes.
    pub raw_hash: String,
    /// The hash of its text.
    pub text_hash: String,
    /// Its copy in the run's folder.
    pub copy: String,
}

/// evidence.json.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ArticleEvidence {
    /// The topic.
    pub topic: String,
    /// The hash of article.md.
    pub article_hash: String,
    /// Every sentence that claims something.
    pub claims: Vec<ShownClaim>,
    /// Sentences about the article itself, and captions.
    #[serde(default)]
    pub frames: Vec<String>,
    /// Rows of its tables.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<ShownRow>,
    /// The facts that are cited.
    pub facts: Vec<ShownFact>,
    /// The sources.
    pub sources: Vec<ShownSource>,
}

/// Checks an article against its evidence and the archive.
#[must_use]
pub fn check(evidence: &ArticleEvidence, article_md: &str, archive: &dyn Archived) -> Verification {
    let mut flaws: Vec<Flaw> = Vec::new();
    if sha256_hex(article_md.as_bytes()) != evidence.article_hash {
        flaws.push(Flaw::Report(ReportFlaw::ReportChanged));
    }
    flaws.extend(sentences(evidence, article_md).into_iter().map(Flaw::Report));
    let in_archive = verify(&[], &facts(evidence), &sources(evidence), archive);
    let moved = |label: &String| {
        in_archive.iter().any(|flaw| match flaw {
            EvidenceFlaw::QuoteMoved { fact } | EvidenceFlaw::UnknownSource { fact, .. } => fact == label,
            EvidenceFlaw::Archive { source, .. } => {
                evidence.facts.iter().any(|fact| fact.id == *label && fact.source == *source)
            }
            _ => false,
        })
    };
    let mut verified = 0;
    for claim in &evidence.claims {
        match holds(evidence, claim) {
            Ok(()) => verified += claim.facts.iter().filter(|label| !moved(label)).count(),
            Err(reason) => {
                let sentence = claim.text.clone();
                flaws.push(Flaw::Report(ReportFlaw::NotCarried { sentence, reason }));
            }
        }
    }
    flaws.extend(evidence.rows.iter().filter_map(|row| misplaced(evidence, row)).map(Flaw::Report));
    flaws.extend(in_archive.into_iter().map(Flaw::Evidence));
    let citations = evidence.claims.iter().map(|claim| claim.facts.len()).sum();
    Verification { claims: evidence.claims.len(), citations, verified, nearest: 0, flaws }
}

/// Whether a claim is carried by its quotes, or computed from them.
fn holds(evidence: &ArticleEvidence, claim: &ShownClaim) -> Result<(), String> {
    if let Some(derived) = &claim.derived {
        let quote =
            |key: &str| evidence.facts.iter().find(|fact| fact.key == key).map(|fact| fact.quote.as_str());
        if derived.statement != claim.claim {
            return Err("it does not say what was computed".to_owned());
        }
        return recompute(derived, quote).map_err(|flaw| flaw.to_string());
    }
    let cited = |label: &String| {
        let fact = evidence.facts.iter().find(|fact| fact.id == *label)?;
        let source = evidence.sources.iter().find(|source| source.id == fact.source)?;
        Some(Cited { quote: &fact.quote, title: &source.title })
    };
    let quotes: Option<Vec<Cited<'_>>> = claim.facts.iter().map(cited).collect();
    match quotes {
        Some(quotes) if !quotes.is_empty() => carries_cited(&claim.claim, &quotes),
        _ => Err("it cites what does not exist, or nothing".to_owned()),
    }
}

/// What is wrong with a row: a cell that its quote does not have.
fn misplaced(evidence: &ArticleEvidence, row: &ShownRow) -> Option<ReportFlaw> {
    let quote = evidence.facts.iter().find(|fact| fact.id == row.fact).map(|fact| fact.quote.to_lowercase());
    let stands = |cell: &String| quote.as_ref().is_some_and(|quote| quote.contains(&cell.to_lowercase()));
    let strange = row.cells.iter().find(|cell| !stands(cell))?;
    let reason = format!("the cell {strange} does not stand in its quote");
    Some(ReportFlaw::NotCarried { sentence: row.cells.join(", "), reason })
}

/// Sentences of the article that were not written, and written ones that are gone.
fn sentences(evidence: &ArticleEvidence, article_md: &str) -> Vec<ReportFlaw> {
    let plain = |text: &str| unmarked(&marked(text)).split_whitespace().collect::<Vec<_>>().join(" ");
    let written = evidence
        .claims
        .iter()
        .map(|claim| plain(&claim.text))
        .chain(evidence.frames.iter().map(|it| plain(it)));
    let mut waiting: Vec<String> = written.collect();
    let mut flaws = Vec::new();
    let text = MarkdownText::parse(article_md);
    for paragraph in text.paragraphs().filter(|paragraph| !paragraph.starts_with('|')) {
        let paragraph = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut rest = paragraph.as_str();
        while !rest.is_empty() {
            // The longest that fits: one sentence may begin as another does.
            let fits = (0..waiting.len()).filter(|at| rest.starts_with(waiting[*at].as_str()));
            let Some(at) = fits.max_by_key(|at| waiting[*at].len()) else {
                let line = article_md.lines().position(|line| line.contains(rest)).map_or(0, |at| at + 1);
                flaws.push(ReportFlaw::UnknownSentence { line, sentence: rest.to_owned() });
                break;
            };
            rest = rest[waiting[at].len()..].trim_start();
            waiting.remove(at);
        }
    }
    flaws.extend(waiting.into_iter().map(|sentence| ReportFlaw::MissingSentence { sentence }));
    flaws
}

fn facts(evidence: &ArticleEvidence) -> Vec<Fact> {
    let fact = |shown: &ShownFact| Fact {
        id: shown.id.clone(),
        statement: shown.quote.clone(),
        quote: shown.quote.clone(),
        source: shown.source.clone(),
        ranges: shown.ranges.clone(),
        confidence: 1.0,
    };
    evidence.facts.iter().map(fact).collect()
}

fn sources(evidence: &ArticleEvidence) -> Vec<Source> {
    let source = |shown: &ShownSource| Source {
        id: shown.id.clone(),
        location: Location::Path(PathBuf::from(&shown.place)),
        title: shown.title.clone(),
        date: None,
        authority: Authority::Blog,
        raw_hash: shown.raw_hash.clone(),
        text_hash: shown.text_hash.clone(),
    };
    let cited = |shown: &&ShownSource| evidence.facts.iter().any(|fact| fact.source == shown.id);
    evidence.sources.iter().filter(cited).map(source).collect()
}
