//! Asking the index: the best passages for a question, and the sentences of them that answer it.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};

use super::write::path_of;
use super::{IndexError, LocalIndex};
use crate::rules::answer::{Asked, asked};
use crate::rules::language::Language;
use crate::rules::pages::View;
use crate::rules::question::ParsedQuestion;
use crate::rules::rank::{self, Candidate, Ranked, Rarity};
use crate::rules::table::{self, Cell};
use crate::rules::terms::related;
use crate::search::{Anchor, Hit, Location};

/// Passages scored for one question.
const POOL: i64 = 300;
/// Documents scored for one question.
const DOCUMENT_POOL: i64 = 200;
/// Passages the full-text search may visit: in a large index the commonest terms fetch no candidates of their own,
/// though they count in the score...
const VISITS: u64 = 60_000;
/// ...as long as this many rarer ones remain.
const FETCHING: usize = 3;

/// What a passage counts whose document another one replaces, and one in another language than the question.
const REPLACED: f64 = 0.8;
const FOREIGN: f64 = 0.8;

/// How far the documents address a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The best passages mention most of what was asked.
    Addressed,
    /// They mention part of it: show them with a warning.
    Weak,
    /// They do not address it: this is no evidence.
    NoEvidence,
}

/// What the documents say to a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Whether they address it.
    pub verdict: Verdict,
    /// What the verdict rests on, 0 to 1: how far the documents have what is asked about, and the kind that is wanted.
    #[serde(default)]
    pub evidence: f64,
    /// Weighted share of the question's terms in the best passage, 0 to 1.
    pub coverage: f64,
    /// Names in the question that no document contains.
    pub unknown: Vec<String>,
    /// Chosen sentences, best first; empty without evidence.
    pub quotes: Vec<Quote>,
    /// Without evidence, what comes nearest, if it has something of the subject. It is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest: Option<Quote>,
}

/// A sentence and exactly where it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Quote {
    /// As in the document, page furniture left out.
    pub text: String,
    /// Document, below its folder.
    pub path: PathBuf,
    /// Title of the document.
    pub title: String,
    /// Headings above it.
    pub heading: String,
    /// Date of the document, if it gives one.
    pub date: Option<String>,
    /// SHA-256 of the archived text.
    pub text_hash: String,
    /// Byte ranges in the archived text: two or more when a page break is inside.
    pub ranges: Vec<Range<usize>>,
    /// Page of the first byte, from 1, for paginated documents.
    pub page: Option<usize>,
    /// Another document says it replaces this one.
    pub replaced: bool,
    /// Larger is better, within one answer.
    pub score: f64,
    /// How many of the first bytes of the text are only what the sentence that answers leans on.
    #[serde(default)]
    pub lead: usize,
    /// For rows of a table: each value with its column and its row, to be shown instead of the bars.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<Cell>,
    /// For rows of a table: where the names of the columns stand, in the archived text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub header: Vec<Range<usize>>,
    /// How far it answers: the kind that is wanted, about what is asked; 0 to 1, comparable between answers.
    #[serde(default)]
    pub fit: f64,
}

/// A document as the ranking needs it.
pub(super) struct DocRow {
    folder: PathBuf,
    pub(super) path: PathBuf,
    shown: String,
    pub(super) title: String,
    pub(super) date: Option<String>,
    pub(super) text_hash: String,
    trust: f64,
    language: Option<Language>,
    pub(super) replaced: bool,
    pub(super) pages: Vec<usize>,
    pub(super) furniture: Vec<Range<usize>>,
}

/// Passages found for a question and what is needed to quote from them.
struct Found {
    asked: Asked,
    rarity: Rarity,
    ranked: Vec<Ranked>,
    views: HashMap<i64, View>,
    docs: HashMap<i64, DocRow>,
}

impl LocalIndex {
    /// The best passages as hits.
    pub fn hits(&self, text: &str, limit: usize) -> Result<Vec<Hit>, IndexError> {
        let found = self.find(text)?;
        let mut hits = Vec::new();
        for (index, ranked) in found.ranked.iter().take(limit).enumerate() {
            let passage = &ranked.passage;
            let Some(doc) = found.docs.get(&passage.document) else { continue };
            let range = found.views.get(&passage.id).and_then(|view| {
                view.original(&(0..view.text.len())).into_iter().reduce(|a, b| a.start..b.end)
            });
            hits.push(Hit {
                title: doc.title.clone(),
                location: Location::Path(doc.folder.join(&doc.path)),
                snippet: passage.text.clone(),
                date: doc.date.clone(),
                provider: "local".to_owned(),
                rank: index + 1,
                anchor: range.map(|range| Anchor {
                    text_hash: doc.text_hash.clone(),
                    range,
                    heading: passage.heading.clone(),
                }),
            });
        }
        Ok(hits)
    }

    /// The sentences that answer a question, or the verdict that there is no evidence.
    pub fn answer(&self, text: &str, sentences: usize) -> Result<Answer, IndexError> {
        let found = self.find(text)?;
        let coverage = rank::best_coverage(&found.ranked);
        let unknown = self.unknown_names(&found.asked.question)?;
        let evidence = rank::evidence(&found.asked, &found.rarity, &found.ranked);
        let verdict = match evidence {
            c if c < rank::ABSTAIN_BELOW => Verdict::NoEvidence,
            c if c < rank::WEAK_BELOW => Verdict::Weak,
            _ => Verdict::Addressed,
        };
        let refused = verdict == Verdict::NoEvidence;
        let quotes = if refused { Vec::new() } else { found.quotes(sentences) };
        let nearest = if refused && evidence >= rank::NEAR_FROM { found.nearest() } else { None };
        Ok(Answer { verdict, evidence, coverage, unknown, quotes, nearest })
    }

    /// The archived text of a document by the hash of that text.
    pub fn text(&self, text_hash: &str) -> Result<Option<String>, IndexError> {
        let sql = "SELECT text FROM texts JOIN docs ON docs.id = texts.doc WHERE text_hash = ? LIMIT 1";
        let bytes: Option<Vec<u8>> =
            self.connection.query_row(sql, [text_hash], |row| row.get(0)).optional()?;
        bytes
            .map(|bytes| String::from_utf8(bytes).map_err(|e| IndexError::Damaged(e.to_string())))
            .transpose()
    }

    /// Hands every document of the index to `take`, in the order they were added.
    pub fn each_text(
        &self,
        take: &mut dyn FnMut(&Path, &str) -> Result<(), rusqlite::Error>,
    ) -> Result<(), IndexError> {
        let mut statement = self
            .connection
            .prepare("SELECT docs.path, text FROM docs JOIN texts ON texts.doc = docs.id ORDER BY docs.id")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let bytes: Vec<u8> = row.get(1)?;
            let text = String::from_utf8(bytes).map_err(|error| IndexError::Damaged(error.to_string()))?;
            take(&path_of(row.get(0)?), &text)?;
        }
        Ok(())
    }

    fn find(&self, text: &str) -> Result<Found, IndexError> {
        let asked = asked(text);
        let question = &asked.question;
        let frequencies = self.frequencies(question)?;
        let counts: Vec<u64> = frequencies.iter().map(|(_, n)| *n).collect();
        let rarity = Rarity::new(self.passage_count()?, &counts)
            .with_unknown(self.unknown(&frequencies)?)
            .lightened(question);
        let documents = self.best_documents(question)?;
        let mut docs = HashMap::new();
        let mut views = HashMap::new();
        let mut candidates = Vec::new();
        for (id, doc, range, heading) in self.best_passages(question, &fetching(&frequencies), POOL)? {
            if let std::collections::hash_map::Entry::Vacant(slot) = docs.entry(doc) {
                slot.insert(self.doc_row(doc)?);
            }
            let row = &docs[&doc];
            let view = self.passage_view(doc, &range, &row.furniture)?;
            candidates.push(Candidate {
                id,
                document: doc,
                text: view.text.clone(),
                heading,
                title: format!("{} {}", row.title, row.shown),
                document_bm25: documents.get(&doc).copied().unwrap_or(0.0),
                trust: row.trust
                    * if row.replaced { REPLACED } else { 1.0 }
                    * if row.language.is_some_and(|own| own != question.language) { FOREIGN } else { 1.0 },
            });
            views.insert(id, view);
        }
        let ranked = rank::passages(question, &rarity, candidates);
        let asked = asked.weighed(|term| rarity.weight(term));
        Ok(Found { asked, rarity, ranked, views, docs })
    }

    fn passage_count(&self) -> Result<u64, IndexError> {
        let count: i64 =
            self.connection
                .query_row("SELECT coalesce(max(rowid), 0) FROM passages", [], |row| row.get(0))?;
        Ok(count.cast_unsigned())
    }

    pub(super) fn frequencies(&self, question: &ParsedQuestion) -> Result<Vec<(String, u64)>, IndexError> {
        question.terms.iter().map(|term| Ok((term.stem.clone(), self.frequency(&term.stem)?))).collect()
    }

    /// Which terms no passage has, neither as asked nor in a related word.
    fn unknown(&self, frequencies: &[(String, u64)]) -> Result<Vec<bool>, IndexError> {
        let mut unknown = Vec::new();
        for (stem, frequency) in frequencies {
            let mut known = *frequency > 0;
            for related in related(stem) {
                known = known || self.frequency(related)? > 0;
            }
            unknown.push(!known);
        }
        Ok(unknown)
    }

    /// In how many passages a stem occurs.
    fn frequency(&self, stem: &str) -> Result<u64, IndexError> {
        let mut statement = self.connection.prepare_cached("SELECT doc FROM fv WHERE term = ?")?;
        let found: Option<i64> = statement.query_row([stem], |row| row.get(0)).optional()?;
        Ok(found.unwrap_or(0).cast_unsigned())
    }

    /// Names of the question that no document has. A name keeps to no language, and a short question is easily taken for one
    /// of another: a document has it if it has it by the rules of the question's or of the usual one.
    fn unknown_names(&self, question: &ParsedQuestion) -> Result<Vec<String>, IndexError> {
        let mut unknown = Vec::new();
        for name in question.names() {
            let stems = [question.stem(&name), Language::default().stem(&name)];
            if self.frequency(&stems[0])? == 0 && self.frequency(&stems[1])? == 0 {
                unknown.push(name);
            }
        }
        Ok(unknown)
    }

    #[allow(clippy::type_complexity)] // one row: passage, document, range, heading
    pub(super) fn best_passages(
        &self,
        question: &ParsedQuestion,
        fetching: &HashSet<&str>,
        limit: i64,
    ) -> Result<Vec<(i64, i64, Range<usize>, String)>, IndexError> {
        let Some(expression) = expression(question, |stem| fetching.contains(stem)) else {
            return Ok(Vec::new());
        };
        let sql = "SELECT p.id, p.doc, p.start, p.end, p.heading FROM
                   (SELECT rowid AS id FROM f WHERE f MATCH ?1 ORDER BY rank LIMIT ?2) h
                   JOIN passages p ON p.id = h.id ORDER BY p.doc, p.start";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map(params![expression, limit], |row| {
            let (start, end): (i64, i64) = (row.get(2)?, row.get(3)?);
            Ok((row.get(0)?, row.get(1)?, start as usize..end as usize, row.get(4)?))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn best_documents(&self, question: &ParsedQuestion) -> Result<HashMap<i64, f64>, IndexError> {
        let Some(expression) = expression(question, |_| true) else { return Ok(HashMap::new()) };
        let sql = "SELECT rowid, -bm25(fd, 1, 3, 2, 0.2) AS score FROM fd WHERE fd MATCH ?1 ORDER BY score DESC LIMIT ?2";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows =
            statement.query_map(params![expression, DOCUMENT_POOL], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    pub(super) fn doc_row(&self, doc: i64) -> Result<DocRow, IndexError> {
        let sql = "SELECT f.path, d.path, d.shown, d.title, d.date, d.text_hash, d.trust, d.replaced, d.pages, d.furniture, d.language
                   FROM docs d JOIN folders f ON f.id = d.folder WHERE d.id = ?";
        let mut statement = self.connection.prepare_cached(sql)?;
        let (row, pages, furniture): (DocRow, String, String) = statement.query_row([doc], |row| {
            let doc = DocRow {
                folder: path_of(row.get(0)?),
                path: path_of(row.get(1)?),
                shown: row.get(2)?,
                title: row.get(3)?,
                date: row.get(4)?,
                text_hash: row.get(5)?,
                trust: row.get(6)?,
                replaced: row.get(7)?,
                language: row.get::<_, Option<String>>(10)?.as_deref().and_then(Language::of_code),
                pages: Vec::new(),
                furniture: Vec::new(),
            };
            Ok((doc, row.get(8)?, row.get(9)?))
        })?;
        let damaged = |error: serde_json::Error| IndexError::Damaged(error.to_string());
        let pages = serde_json::from_str(&pages).map_err(damaged)?;
        let furniture = serde_json::from_str(&furniture).map_err(damaged)?;
        Ok(DocRow { pages, furniture, ..row })
    }

    pub(super) fn passage_view(
        &self,
        doc: i64,
        range: &Range<usize>,
        furniture: &[Range<usize>],
    ) -> Result<View, IndexError> {
        let sql = "SELECT substr(text, ?2 + 1, ?3) FROM texts WHERE doc = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let bytes: Vec<u8> =
            statement.query_row(params![doc, range.start as i64, range.len() as i64], |row| row.get(0))?;
        let text = String::from_utf8(bytes).map_err(|error| IndexError::Damaged(error.to_string()))?;
        Ok(View::within(&text, range.start, furniture))
    }
}

impl Found {
    fn quotes(&self, limit: usize) -> Vec<Quote> {
        let chosen = rank::choose_sentences(&self.asked, &self.rarity, &self.ranked, limit);
        chosen.into_iter().filter_map(|chosen| self.quote(&chosen)).collect()
    }

    fn nearest(&self) -> Option<Quote> {
        rank::nearest(&self.asked, &self.rarity, &self.ranked).and_then(|chosen| self.quote(&chosen))
    }

    fn quote(&self, chosen: &rank::Chosen) -> Option<Quote> {
        let passage = &self.ranked.get(chosen.passage)?.passage;
        let doc = self.docs.get(&passage.document)?;
        let view = self.views.get(&passage.id)?;
        let ranges = view.original(&chosen.range);
        let said = passage.text.get(chosen.range.clone())?;
        let header = table::header_of(&passage.text, &chosen.range);
        let first = ranges.first()?.start;
        let page = doc.pages.partition_point(|&start| start <= first);
        Some(Quote {
            text: said.to_owned(),
            path: doc.path.clone(),
            title: doc.title.clone(),
            heading: passage.heading.clone(),
            date: doc.date.clone(),
            text_hash: doc.text_hash.clone(),
            ranges,
            page: (page > 0).then_some(page),
            replaced: doc.replaced,
            score: chosen.score,
            lead: chosen.lead,
            cells: table::cells(header.clone().and_then(|range| passage.text.get(range)), said),
            header: header.map(|range| view.original(&range)).unwrap_or_default(),
            fit: chosen.fit.score,
        })
    }
}

/// The terms that fetch candidates: from the rarest on, as many as can be visited, and always the rarest few.
pub(super) fn fetching(frequencies: &[(String, u64)]) -> HashSet<&str> {
    let mut known: Vec<(&str, u64)> =
        frequencies.iter().filter(|(_, n)| *n > 0).map(|(stem, n)| (stem.as_str(), *n)).collect();
    known.sort_by_key(|(_, n)| *n);
    let mut visits = 0;
    let mut terms = HashSet::new();
    for (stem, n) in known {
        visits += n;
        if visits > VISITS && terms.len() >= FETCHING {
            break;
        }
        terms.insert(stem);
    }
    terms
}

/// The full-text query: every wanted term, and every identifier as a phrase, any of them.
fn expression(question: &ParsedQuestion, wanted: impl Fn(&str) -> bool) -> Option<String> {
    let quoted = |word: &str| format!("\"{}\"", word.replace('"', " "));
    let terms = question.terms.iter().filter(|term| wanted(&term.stem)).map(|term| quoted(&term.word));
    let names = question
        .identifiers
        .iter()
        .filter(|name| name.contains(char::is_alphanumeric))
        .map(|name| quoted(name));
    let parts: Vec<String> = terms.chain(names).collect();
    (!parts.is_empty()).then(|| parts.join(" OR "))
}
