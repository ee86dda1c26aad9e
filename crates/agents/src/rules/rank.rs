//! ParsedQuestion-focused ranking: which passages speak to a question, which of their sentences to quote, and whether
//! the best of them address it at all.
//!
//! The weights were set on development questions over manuals; each part was kept only because leaving it out
//! measured worse. Everything here is arithmetic over text already found; it opens no index.

use std::collections::HashSet;
use std::ops::Range;

use super::answer::{self, Asked, Fit, Reason};
use super::antecedent::leans;
use super::diversity;
use super::question::ParsedQuestion;
use super::sentences::{LONGEST, cut_long, sentences};
use super::structure::labels::{LABEL_BYTES, LABEL_WORDS, is_field};
pub use super::terms::Rarity;
use super::terms::{Counts, Finder};
use super::words::{content_stems, overlap};

/// How many passages an answer is drawn from.
pub const PASSAGES: usize = 10;
/// Candidates whose text is searched for the signs of an answer.
const CLOSE_LOOK: usize = 120;
/// Candidates among which the passages are chosen.
const FOR_CHOICE: usize = 30;
/// Evidence below this: nothing here addresses the question. Chosen on the curve in bench/SEARCH.md.
pub const ABSTAIN_BELOW: f64 = 0.58;
/// Evidence below this: what comes nearest is about something else, and is not shown either.
pub const NEAR_FROM: f64 = 0.4;
/// Evidence below this: say that it is weak.
pub const WEAK_BELOW: f64 = 0.70;
/// What a name of the question counts that stands in the passage, but neither near the sentence nor above it.
const NAMED_IN_PASSING: f64 = 0.6;
/// What a name counts that a passage has in its text alone: the document is about something else.
const NAMED_IN_TEXT: f64 = 0.85;
/// What a word that no document has takes from the evidence, for its share of the question.
const UNKNOWN: f64 = 0.4;
/// What each of the three signs of evidence weighs.
const MENTIONED: f64 = 0.5;
const SAID: f64 = 0.25;
const MET: f64 = 0.25;
/// Bytes on each side of a sentence that count as standing around it.
const AROUND: usize = 400;
/// What a sentence counts that is about another of the things the question names, or counts something else.
const OF_ANOTHER: f64 = 0.6;
/// Sentences that are looked at for evidence.
const FOR_EVIDENCE: usize = 20;

/// List items and rows up to this many bytes are quoted together with their neighbours.
const SHORT_ITEM: usize = 100;
/// A name of fewer bytes is quoted with whatever follows it.
const SHORT_NAME: usize = 45;
/// A piece of fewer words ("Default: 10.") says nothing without the sentence before it.
const FRAGMENT_WORDS: usize = 6;
/// A sentence of so many words that gives a value is quoted with the one that tells of what.
const VALUE_WORDS: usize = 9;
/// What it counts that a sentence answers: the kind that is wanted, about what is asked.
const FIT: f64 = 0.35;
/// At most this many sentences of one passage while others have something to say.
const PER_PASSAGE: usize = 3;

/// A passage the index proposes for a question.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Identifies the passage to the caller.
    pub id: i64,
    /// Identifies its document.
    pub document: i64,
    /// The text, page furniture removed.
    pub text: String,
    /// Heading path.
    pub heading: String,
    /// Title of the document and the words of its path.
    pub title: String,
    /// BM25 of the document, larger is better; 0 when it was not among the best documents.
    pub document_bm25: f64,
    /// Below 1 for change logs, indexes and documents that another one replaces.
    pub trust: f64,
}

/// A passage with its score.
#[derive(Debug, Clone)]
pub struct Ranked {
    /// The passage.
    pub passage: Candidate,
    /// Larger is better; comparable within one question only.
    pub score: f64,
    /// Weighted share of the question's terms in text, headings, title and path.
    pub coverage: f64,
    stems: HashSet<String>,
}

/// A sentence chosen as part of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen {
    /// Index of the passage in the ranked list.
    pub passage: usize,
    /// Where it stands in the passage's text, with the sentence it leans on.
    pub range: Range<usize>,
    /// How many of the first bytes are only what it leans on.
    pub lead: usize,
    /// Larger is better.
    pub score: f64,
    /// How well it answers.
    pub fit: Fit,
}

/// Scores candidates and keeps the best [`PASSAGES`] that differ from one another, best first.
#[must_use]
pub fn passages(question: &ParsedQuestion, rarity: &Rarity, candidates: Vec<Candidate>) -> Vec<Ranked> {
    let finder = Finder::new(question);
    let counts: Vec<Counts> =
        candidates.iter().map(|c| finder.count([&c.text, &c.heading, &c.title])).collect();
    let average = counts.iter().map(|c| c.length as f64).sum::<f64>() / counts.len().max(1) as f64;
    let bm25: Vec<f64> = counts.iter().map(|c| rarity.bm25(c, average)).collect();
    let bm25_max = bm25.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let document_max = candidates.iter().map(|c| c.document_bm25).fold(f64::MIN_POSITIVE, f64::max);
    let mut ranked: Vec<Ranked> = candidates
        .into_iter()
        .zip(counts.iter().zip(bm25))
        .map(|(passage, (counts, bm25))| {
            let coverage = rarity.coverage(counts);
            let score = bm25 / bm25_max + 0.4 * passage.document_bm25 / document_max + 0.3 * coverage;
            Ranked { score: score * passage.trust, coverage, stems: HashSet::new(), passage }
        })
        .collect();
    ranked.sort_by(by_score);
    ranked.truncate(CLOSE_LOOK);
    for item in &mut ranked {
        let signs = 0.3 * question.cue(&item.passage.text)
            + 0.2 * question.identifier_share(&item.passage.text.to_lowercase())
            + if question.compares_section(&item.passage.heading) { 0.3 } else { 0.0 };
        item.score += signs * item.passage.trust;
    }
    ranked.sort_by(by_score);
    ranked.truncate(FOR_CHOICE);
    for item in &mut ranked {
        item.stems = content_stems(&item.passage.text);
    }
    diversity::choose(ranked, PASSAGES, 0.1, |r| r.score, |a, b| overlap(&a.stems, &b.stems))
}

fn by_score(a: &Ranked, b: &Ranked) -> std::cmp::Ordering {
    b.score.total_cmp(&a.score).then(a.passage.id.cmp(&b.passage.id))
}

/// Best coverage among the passages: how much of the question the best of them mentions.
#[must_use]
pub fn best_coverage(ranked: &[Ranked]) -> f64 {
    ranked.iter().map(|r| r.coverage).fold(0.0, f64::max)
}

/// How far the passages address a question, 0 to 1: what the best of them mentions of it, what the best sentence of the
/// wanted kind is about, each as far as it has the names that the question gives, and how far such a sentence, with what
/// stands around it, has both the subject and the property. A word that no document has, and no related one either, speaks
/// against it.
#[must_use]
pub fn evidence(asked: &Asked, rarity: &Rarity, ranked: &[Ranked]) -> f64 {
    let place = |passage: &Candidate| format!("{}\n{}", passage.heading, passage.title);
    let mentioned = ranked
        .iter()
        .map(|it| {
            let above = asked.named(&place(&it.passage));
            let passing = asked.named(&format!("{}\n{}", it.passage.text, place(&it.passage)));
            it.coverage * above.max(NAMED_IN_TEXT * passing)
        })
        .fold(0.0, f64::max);
    let chosen = choose_sentences(asked, rarity, ranked, FOR_EVIDENCE);
    let of_kind = || chosen.iter().filter(|chosen| chosen.fit.kind >= answer::KIND_FROM);
    let said = of_kind()
        .map(|chosen| {
            let passage = &ranked[chosen.passage].passage;
            let near = asked.named(&format!("{}\n{}", &passage.text[chosen.range.clone()], place(passage)));
            let passing = asked.named(&format!("{}\n{}", passage.text, place(passage)));
            chosen.fit.about * near.max(NAMED_IN_PASSING * passing)
        })
        .fold(0.0, f64::max);
    let met = of_kind().map(|chosen| met(asked, &ranked[chosen.passage].passage, chosen)).fold(0.0, f64::max);
    let found = MENTIONED * mentioned + SAID * said + MET * met;
    (found - UNKNOWN * rarity.unknown_share()).max(0.0)
}

/// How far a sentence, with what stands around it, has both the subject and the property that are asked.
fn met(asked: &Asked, passage: &Candidate, chosen: &Chosen) -> f64 {
    let (text, at) = (&passage.text, &chosen.range);
    let before = &text[text.floor_char_boundary(at.start.saturating_sub(AROUND))..at.start];
    let behind = &text[at.end..text.floor_char_boundary((at.end + AROUND).min(text.len()))];
    let places = [
        (&text[at.clone()], 1.0),
        (passage.heading.as_str(), 0.8),
        (before, 0.7),
        (behind, 0.6),
        (passage.title.as_str(), 0.6),
        (text.as_str(), 0.4),
    ];
    let other = chosen.fit.reasons.iter().any(|why| matches!(why, Reason::OtherName | Reason::OtherThing));
    asked.meets(&places) * if other { OF_ANOTHER } else { 1.0 }
}

/// What comes nearest to a question that nothing answers: the best sentence that has something of its subject, if one has
/// the kind that is wanted one of these.
#[must_use]
pub fn nearest(asked: &Asked, rarity: &Rarity, ranked: &[Ranked]) -> Option<Chosen> {
    let mut chosen = choose_sentences(asked, rarity, ranked, FOR_EVIDENCE);
    chosen.retain(|chosen| {
        let passage = &ranked[chosen.passage].passage;
        let (text, at) = (&passage.text, &chosen.range);
        let candidate = answer::Candidate {
            sentence: &text[at.clone()],
            before: &text[text.floor_char_boundary(at.start.saturating_sub(AROUND))..at.start],
            heading: &passage.heading,
            title: &passage.title,
        };
        asked.touches(&candidate) && asked.has_rarest(&candidate)
    });
    let of_kind = chosen.iter().position(|chosen| chosen.fit.kind >= answer::KIND_FROM);
    (!chosen.is_empty()).then(|| chosen.swap_remove(of_kind.unwrap_or(0)))
}

struct Scored {
    chosen: Chosen,
    stems: HashSet<String>,
    tokens: usize,
}

/// Chooses up to `limit` sentences by score: at most [`PER_PASSAGE`] of one passage, none that repeats another.
#[must_use]
pub fn choose_sentences(asked: &Asked, rarity: &Rarity, ranked: &[Ranked], limit: usize) -> Vec<Chosen> {
    let scored: Vec<Scored> = score_sentences(asked, rarity, ranked);
    let mut order: Vec<usize> = (0..scored.len()).collect();
    order.sort_by(|&a, &b| scored[b].chosen.score.total_cmp(&scored[a].chosen.score).then(a.cmp(&b)));
    let mut picked: Vec<usize> = Vec::new();
    // A second, free round fills what is left when a few passages hold everything.
    for per_passage in [PER_PASSAGE, usize::MAX] {
        for &index in &order {
            let same =
                picked.iter().filter(|&&p| scored[p].chosen.passage == scored[index].chosen.passage).count();
            if picked.len() < limit
                && same < per_passage
                && !picked.contains(&index)
                && !repeats(&scored, &picked, index)
            {
                picked.push(index);
            }
        }
    }
    picked.into_iter().map(|index| scored[index].chosen.clone()).collect()
}

fn repeats(scored: &[Scored], picked: &[usize], index: usize) -> bool {
    picked.iter().any(|&p| {
        overlap(&scored[p].stems, &scored[index].stems) > 0.95 && scored[p].tokens >= scored[index].tokens
    })
}

fn score_sentences(asked: &Asked, rarity: &Rarity, ranked: &[Ranked]) -> Vec<Scored> {
    let question = &asked.question;
    let best = ranked.iter().map(|r| r.score).fold(f64::MIN_POSITIVE, f64::max);
    let mut all = Vec::new();
    for (index, passage) in ranked.iter().enumerate() {
        let text = &passage.passage.text;
        let units = quotable(text);
        let sets: Vec<HashSet<String>> =
            units.iter().map(|unit| question.stems(&text[unit.clone()]).into_iter().collect()).collect();
        let above: HashSet<String> = [&passage.passage.heading, &passage.passage.title]
            .into_iter()
            .flat_map(|p| question.stems(p))
            .collect();
        for (at, unit) in units.iter().cloned().enumerate() {
            let sentence = &text[unit.clone()];
            let before = at.checked_sub(1).map(|before| units[before].clone());
            let fit = asked.answers(&answer::Candidate {
                sentence,
                before: before.clone().map_or("", |range| &text[range]),
                heading: &passage.passage.heading,
                title: &passage.passage.title,
            });
            let near = [at.checked_sub(1), Some(at + 1)]
                .into_iter()
                .flatten()
                .filter_map(|i| sets.get(i))
                .collect::<Vec<_>>();
            let context = context_share(question, rarity, &sets[at], &near, &above);
            let lower = sentence.to_lowercase();
            // The power sets the best passages further apart: what they say is quoted before the rest is tried.
            let mut score = 0.85 * (passage.score / best).powf(1.4)
                + 0.15 * context
                + 0.25 * question.cue(sentence)
                + 0.1 * question.identifier_share(&lower)
                + FIT * fit.score;
            let tokens = sentence.split_whitespace().count();
            if tokens < 5 {
                // "Since: version 0.5" says something, though it is short.
                score *= if is_field(sentence) { 0.8 } else { 0.5 };
            }
            if super::lines::ends_program(sentence) {
                score *= 0.8;
            }
            let stems = content_stems(sentence);
            let range = with_antecedent(text, unit.clone(), before);
            let lead = unit.start - range.start;
            all.push(Scored { chosen: Chosen { passage: index, range, lead, score, fit }, stems, tokens });
        }
    }
    all
}

/// A sentence with the one it leans on, if it leans and the other stands right before it.
fn with_antecedent(text: &str, unit: Range<usize>, before: Option<Range<usize>>) -> Range<usize> {
    match before {
        Some(before)
            if leans(&text[unit.clone()])
                && !text[before.end..unit.start].contains("\n\n")
                && unit.end - before.start <= LONGEST + LONGEST / 2
                && !super::lines::is_table_row(
                    text[before.clone()].lines().last().unwrap_or_default().trim(),
                ) =>
        {
            before.start..unit.end
        }
        _ => unit,
    }
}

/// Weighted share of the terms in the sentence, counting its neighbours and headings for less.
fn context_share(
    question: &ParsedQuestion,
    rarity: &Rarity,
    own: &HashSet<String>,
    near: &[&HashSet<String>],
    above: &HashSet<String>,
) -> f64 {
    let part = |stem: &String| {
        if own.contains(stem) {
            1.0
        } else if above.contains(stem) {
            0.6
        } else if near.iter().any(|set| set.contains(stem)) {
            0.4
        } else {
            0.0
        }
    };
    rarity.share(question.terms.iter().map(|term| part(&term.stem)))
}

/// Sentences of a passage; a label, a line of a program and an introduction ("as follows:") are joined to what they
/// announce, short list items and short rows of a table to one another, a fragment to the sentence before it.
fn quotable(text: &str) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    // What a head line says of the document answers nothing, and must not be quoted with the sentence after it.
    for range in
        sentences(text).into_iter().filter(|range| !super::fields::is_head_field(&text[range.clone()]))
    {
        cut_long(text, range, &mut pieces);
    }
    let mut units: Vec<Range<usize>> = Vec::new();
    for range in pieces {
        let joins = units.last().is_some_and(|last| {
            let (before, here) = (&text[last.clone()], &text[range.clone()]);
            let between = &text[last.end..range.start];
            let close = !between.contains("\n\n");
            // A head line that was left out stands between them.
            between.trim().is_empty()
                && ((announces(before, here) && (close || !is_lone_field(before)))
                    || is_run(before, here)
                    || (is_fragment(here) && (close || is_field(here)))
                    || is_value(here))
                && range.end - last.start <= LONGEST
        });
        match units.last_mut() {
            Some(last) if joins => last.end = range.end,
            _ => units.push(range),
        }
    }
    units
}

/// Does a piece only name or announce what comes after it? A longer name only a sentence: lines of a letterhead, one
/// after the other, name nothing.
fn announces(piece: &str, next: &str) -> bool {
    let aligned = |piece: &str| super::lines::is_aligned(piece.lines().last().unwrap_or_default());
    if aligned(piece) && !aligned(next) {
        return false;
    }
    let unended = !super::lines::ends_sentence(piece);
    let open = unended || super::lines::is_program(piece);
    let name = piece.len() < LABEL_BYTES && piece.split_whitespace().count() <= LABEL_WORDS;
    let short = piece.len() < SHORT_NAME || (name && super::lines::ends_sentence(next));
    let command = unended && super::lines::is_program(next);
    (open && short) || command || piece.ends_with(':')
}

/// Are two pieces short items of one list, or short rows of one table? A value means little without its row.
fn is_run(before: &str, here: &str) -> bool {
    let item = |piece: &str| super::lines::bullet_len(piece) > 0;
    let row = |piece: &str| super::lines::is_table_row(piece.lines().last().unwrap_or_default().trim());
    here.len() <= SHORT_ITEM && ((item(before) && item(here)) || (row(before) && row(here)))
}

/// "The default value is 300 seconds.": says nothing without the sentence that tells of what.
fn is_value(piece: &str) -> bool {
    ["The default ", "Default ", "Defaults to ", "By default it ", "The minimum ", "The maximum "]
        .iter()
        .any(|beginning| piece.starts_with(beginning))
        && piece.split_whitespace().count() <= VALUE_WORDS
}

/// "Available since: version 20.8", in a paragraph of its own: unlike a default it does not open what is said of an entry.
fn is_lone_field(piece: &str) -> bool {
    is_field(piece) && !piece.contains('\n') && !piece.starts_with("Default")
}

fn is_fragment(piece: &str) -> bool {
    piece.split_whitespace().count() < FRAGMENT_WORDS && super::lines::bullet_len(piece) == 0
}
