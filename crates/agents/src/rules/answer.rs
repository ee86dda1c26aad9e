//! Whether a sentence answers what was asked: the kind of answer a question wants, what it is about, and how far a
//! sentence, with what it leans on, has both.
//!
//! [`asked`] takes a question apart, [`Asked::answers`] judges one sentence. A value that belongs to something else (the
//! parameter next to the one that was named, the other plant) is no answer, however near it stands.

mod kind;
mod parts;
mod signs;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::light::is_light;
use super::question::{ParsedQuestion, Term};
use super::terms::{is_derived, is_joined, related};
use super::words::{fold, is_stop, stem, word_ranges};
pub use kind::Kind;
pub use parts::{completed, parts};

/// What a term weighs at least, however many documents have it.
const LEAST_WEIGHT: f64 = 0.05;
/// What a name weighs beside a word.
const NAME_WEIGHT: f64 = 2.0;
/// A term met in the heading or the sentence before counts for this much of one in the sentence itself.
const ABOVE: f64 = 0.8;
const BEFORE: f64 = 0.7;
const TITLE: f64 = 0.6;
/// A related word, or one that is joined with the term to a longer one, for this much of the term itself.
const NEARLY: f64 = 0.6;
/// A shorter name is not taken for a part of a longer one.
const SHORTEST_NAME: usize = 5;
/// Below this share of what is asked about, a sentence is about something else.
pub const ABOUT_FROM: f64 = 0.5;
/// From this share on, with all that is named, a passage is near what is asked about.
const TOUCHES_FROM: f64 = 0.3;
/// The part of the names that must stand near a sentence.
const NAMED_FROM: f64 = 0.5;
/// Signs from here on show the kind that is wanted.
pub const KIND_FROM: f64 = 0.5;

/// One thing that is asked.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The question, complete in itself.
    pub question: ParsedQuestion,
    /// The kind of answer it wants.
    pub kind: Kind,
    /// What is counted ("how many *buildings*"), in lower case; empty when nothing is.
    pub head: String,
    /// Names and identifiers in it, in lower case: an answer about another of their kind is none.
    pub names: Vec<String>,
    /// What each term weighs, in the order of the question's terms.
    weights: Vec<f64>,
}

/// A sentence and what it leans on.
#[derive(Debug, Clone, Copy, Default)]
pub struct Candidate<'a> {
    /// The sentence, or a row of a table as `column: value` pairs.
    pub sentence: &'a str,
    /// What stands before it in the same passage; empty when nothing does.
    pub before: &'a str,
    /// The headings above it, outermost first, joined with " > ".
    pub heading: &'a str,
    /// The title of its document.
    pub title: &'a str,
}

/// How well a sentence answers, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// 0 to 1; comparable between sentences for one question.
    pub score: f64,
    /// How much of what is asked about the sentence and what it leans on mention, 0 to 1.
    pub about: f64,
    /// How far it shows the kind that is wanted, 0 to 1.
    pub kind: f64,
    /// The value that answers, as bytes of the sentence, for kinds that have one.
    pub value: Option<Range<usize>>,
    /// What speaks for and against it.
    pub reasons: Vec<Reason>,
}

/// Why a sentence answers or does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// It shows the kind of answer that is wanted.
    RightKind,
    /// It does not.
    WrongKind,
    /// It mentions what is asked about.
    RightSubject,
    /// It mentions too little of it.
    WrongSubject,
    /// It speaks of another of the things the question names one of.
    OtherName,
    /// Its value counts something else than what is to be counted.
    OtherThing,
    /// It says nothing without the sentence before it.
    Leans,
}

impl Fit {
    /// Does it answer: the kind that is wanted, about what is asked?
    #[must_use]
    pub fn answers(&self) -> bool {
        self.kind >= KIND_FROM
            && self.about >= ABOUT_FROM
            && !self.reasons.iter().any(|reason| matches!(reason, Reason::OtherName | Reason::OtherThing))
    }
}

/// Takes one thing that is asked apart. For questions that ask several, see [`parts`].
#[must_use]
pub fn asked(text: &str) -> Asked {
    let question = ParsedQuestion::new(text);
    let kind = kind::of(text);
    let head = kind::head(text, kind, question.language);
    let names = names(&question);
    let weights = question
        .terms
        .iter()
        .map(|term| if names.iter().any(|name| holds(name, &term.word)) { NAME_WEIGHT } else { 1.0 })
        .collect();
    Asked { question, kind, head, names, weights }
}

impl Asked {
    /// The same, its terms weighed by how rare they are: `rarity` gives what the term at a place of the question weighs.
    #[must_use]
    pub fn weighed(mut self, rarity: impl Fn(usize) -> f64) -> Self {
        for (at, weight) in self.weights.iter_mut().enumerate() {
            *weight *= rarity(at).max(LEAST_WEIGHT);
        }
        self
    }

    /// Judges a sentence.
    #[must_use]
    pub fn answers(&self, candidate: &Candidate<'_>) -> Fit {
        let about = self.about(candidate);
        let leans = super::antecedent::leans(candidate.sentence);
        let mut signs = signs::of(self, candidate);
        // A question is no answer.
        if candidate.sentence.trim_end().ends_with('?') {
            signs = signs::Signs::default();
        }
        let mut reasons = Vec::new();
        reasons.push(if signs.strength >= KIND_FROM { Reason::RightKind } else { Reason::WrongKind });
        reasons.push(if about >= ABOUT_FROM { Reason::RightSubject } else { Reason::WrongSubject });
        let mut score = 0.6 * about + 0.4 * signs.strength;
        if self.names_another(candidate) {
            reasons.push(Reason::OtherName);
            score *= 0.3;
        }
        if signs.counts_another {
            reasons.push(Reason::OtherThing);
            score *= 0.7;
        }
        if leans && candidate.before.is_empty() {
            reasons.push(Reason::Leans);
            score *= 0.8;
        }
        Fit { score, about, kind: signs.strength, value: signs.value, reasons }
    }

    /// Share of the names in the question that a text has, each by what it weighs; 1 when the question gives none. A name and
    /// its longer form ("postgres", "PostgreSQL") are one.
    #[must_use]
    pub fn named(&self, text: &str) -> f64 {
        if self.names.is_empty() {
            return 1.0;
        }
        let words: HashSet<String> = word_ranges(text).map(|range| fold(&text[range])).collect();
        let stems: HashSet<String> = words.iter().map(|word| self.question.stem(word)).collect();
        let alike = |a: &str, b: &str| {
            a.len().min(b.len()) >= SHORTEST_NAME && (a.starts_with(b) || b.starts_with(a))
        };
        let has = |name: &&String| {
            word_ranges(name).any(|range| {
                let part = fold(&name[range]);
                stems.contains(&self.question.stem(&part)) || words.iter().any(|word| alike(word, &part))
            })
        };
        let weight = |name: &String| {
            let own =
                self.question.terms.iter().zip(&self.weights).filter(|(term, _)| holds(name, &term.word));
            own.map(|(_, weight)| *weight).fold(0.0, f64::max).max(LEAST_WEIGHT)
        };
        let all: f64 = self.names.iter().map(weight).sum();
        self.names.iter().filter(has).map(weight).sum::<f64>() / all
    }

    /// Weighted share of the terms in the sentence and what it leans on.
    fn about(&self, candidate: &Candidate<'_>) -> f64 {
        let (sum, total) = self
            .found(&[
                (candidate.sentence, 1.0),
                (candidate.heading, ABOVE),
                (candidate.before, BEFORE),
                (candidate.title, TITLE),
            ])
            .fold((0.0, 0.0), |(sum, total), (_, weight, part)| (sum + weight * part, total + weight));
        if total > 0.0 { sum / total } else { 0.0 }
    }

    /// Whether a passage that does not answer has something of the subject: what the question names, if it names something,
    /// and some of the rest, a word of it that tells something in the sentence itself.
    #[must_use]
    pub fn touches(&self, candidate: &Candidate<'_>) -> bool {
        let Candidate { sentence, before, heading, title } = candidate;
        let tells = |term: &Term| !is_light(self.question.language, &term.stem);
        let has = self.found(&[(sentence, 1.0)]).any(|(term, _, part)| part > 0.0 && tells(term));
        has && self.about(candidate) >= TOUCHES_FROM
            && self.named(&[*sentence, before, heading, title].join("\n")) >= NAMED_FROM
    }

    /// Whether a passage has, anywhere, the word of the question that tells most.
    #[must_use]
    pub fn has_rarest(&self, candidate: &Candidate<'_>) -> bool {
        let Candidate { sentence, before, heading, title } = candidate;
        self.found(&[(sentence, 1.0), (before, 1.0), (heading, 1.0), (title, 1.0)])
            .filter(|(term, ..)| !is_light(self.question.language, &term.stem))
            .max_by(|one, other| one.1.total_cmp(&other.1))
            .is_none_or(|(.., part)| part > 0.0)
    }

    /// How far these places have both what the question names and what it wants to know of that: the smaller share of the
    /// two. The right subject with another property is no answer, nor is the property of another subject.
    #[must_use]
    pub fn meets(&self, places: &[(&str, f64)]) -> f64 {
        let (mut subject, mut property) = ((0.0, 0.0), (0.0, 0.0));
        for (term, weight, part) in self.found(places) {
            let named = self.names.iter().any(|name| holds(name, &term.word));
            let side = if named { &mut subject } else { &mut property };
            side.0 += weight * part;
            side.1 += weight;
        }
        let share = |(sum, total): (f64, f64)| if total > 0.0 { sum / total } else { 1.0 };
        share(subject).min(share(property))
    }

    /// Each term with its weight and how far it is found in these places, each of which is worth so much.
    fn found<'a>(&'a self, places: &[(&str, f64)]) -> impl Iterator<Item = (&'a Term, f64, f64)> + 'a {
        let mut found: HashMap<String, f64> = HashMap::new();
        for &(text, worth) in places {
            for range in super::language::tokens(text) {
                let best = found.entry(self.question.stem(&text[range])).or_insert(worth);
                *best = best.max(worth);
            }
        }
        let language = self.question.language;
        let part = move |wanted: &str| {
            if let Some(worth) = found.get(wanted) {
                return *worth;
            }
            let related = related(wanted).filter_map(|other| found.get(other)).copied();
            let joined = found.iter().filter(|(other, _)| {
                is_joined(language, wanted, other) || is_derived(language, wanted, other)
            });
            NEARLY * related.chain(joined.map(|(_, worth)| *worth)).fold(0.0, f64::max)
        };
        self.question
            .terms
            .iter()
            .zip(&self.weights)
            .map(move |(term, weight)| (term, *weight, part(&term.stem)))
    }

    /// Does the sentence speak of another thing of the kind the question names: `reserved_connections` for
    /// `max_connections`, the Quayside plant for the Northgate plant?
    fn names_another(&self, candidate: &Candidate<'_>) -> bool {
        if self.names.is_empty() {
            return false;
        }
        let near = [candidate.sentence, candidate.before, candidate.heading].join("\n").to_lowercase();
        let missing: Vec<&String> = self.names.iter().filter(|name| !near.contains(name.as_str())).collect();
        if missing.is_empty() {
            return false;
        }
        let titled = candidate.title.to_lowercase();
        let subject = subject_of(candidate.sentence);
        missing.iter().any(|name| {
            if is_identifier(name) {
                identifiers(candidate.sentence)
                    .chain(identifiers(candidate.heading))
                    .any(|other| other != **name && alike(&other, name))
            } else {
                // Another name in the subject's place, and the asked one not even in the title.
                !titled.contains(name.as_str())
                    && subject.iter().any(|other| !self.names.contains(other) && other != *name)
            }
        })
    }
}

/// The names a question gives: its identifiers and the capitalised words behind its first.
fn names(question: &ParsedQuestion) -> Vec<String> {
    let mut found = question.identifiers.clone();
    for name in question.names().into_iter().map(|name| name.to_lowercase()) {
        if !found.iter().any(|other| holds(other, &name)) && !kind::is_unit(&name) {
            found.push(name);
        }
    }
    found
}

fn holds(name: &str, word: &str) -> bool {
    word_ranges(name).any(|range| fold(&name[range]) == word)
}

fn is_identifier(name: &str) -> bool {
    name.contains(['_', '.', '-', '/']) || name.contains(|c: char| c.is_ascii_digit())
}

/// Words joined by signs, as names of settings are.
fn identifiers(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| c.is_whitespace() || "`'\"(),;:<>[]{}=|".contains(c))
        .map(|word| word.trim_matches(['.', '*', '!', '?']).to_lowercase())
        .filter(|word| {
            is_identifier(word)
                && word.contains(|c: char| c.is_alphabetic())
                && word.parse::<f64>().is_err()
                && !word.starts_with("http")
        })
}

/// Two names of one family: joined by the same sign, with a part in common.
fn alike(a: &str, b: &str) -> bool {
    let shape = |name: &str| name.chars().find(|c| "_-./".contains(*c));
    let parts = |name: &str| -> Vec<String> {
        name.split(['_', '-', '.', '/']).filter(|part| part.len() > 2).map(str::to_owned).collect()
    };
    let (left, right) = (parts(a), parts(b));
    shape(a) == shape(b) && left.iter().any(|part| right.contains(part)) && a != b
}

/// The capitalised words in front of the first verb of a sentence, in lower case: mostly its subject.
fn subject_of(sentence: &str) -> Vec<String> {
    const VERBS: &[&str] = &[
        "is", "are", "was", "were", "has", "have", "had", "will", "can", "may", "must", "should", "does",
        "do", "did",
    ];
    let mut names = Vec::new();
    for (index, range) in word_ranges(sentence).enumerate().take(12) {
        let word = &sentence[range];
        let folded = fold(word);
        if VERBS.contains(&folded.as_str()) {
            break;
        }
        let capital = word.starts_with(char::is_uppercase) && word.chars().count() > 2;
        if capital && index > 0 && !is_stop(&folded) && !kind::is_month(&folded) {
            names.push(word.to_lowercase());
        }
    }
    names
}

/// The stem of a folded English word; what heads and signs are compared by.
fn stemmed(word: &str) -> String {
    stem(&fold(word))
}
