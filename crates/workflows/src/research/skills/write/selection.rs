//! What the twin takes of the facts: the one that answers first, what explains it, and what adds to it; nothing twice.

use std::collections::HashSet;

use baton_agents::rules::language::Language;
use baton_agents::rules::lines;
use baton_agents::rules::quantities::quantities;
use baton_agents::rules::words::{content_stems, overlap};
use baton_agents::skill::one_line;

use super::{AskedPart, KnownFact, RankedFact, Sentence, ToWrite};
use crate::research::relevance::is_whole;

/// Words of one block.
const BLOCK_WORDS: usize = 90;
/// Words up to which the first sentence is explained by those behind it.
const EXPLAINED_WORDS: usize = 70;
/// Sentences of one block. Beyond the first each must have something of the question that those before it lack, or be
/// another value: over six sets that answers 252 of 315 questions with 1.16 sentences on average, where three near ones
/// answer 262 with 1.68 and one alone 243; by eye one in five of the others helped.
const BLOCK_LINES: usize = 3;
/// Part of the best score from which a further sentence of another document still adds something.
const NEAR: f64 = 0.9;
/// The same for what stands in the document of the first sentence, which goes on with its subject.
const BESIDE: f64 = 0.85;
/// The same for what others contradict.
const DISPUTED: f64 = 0.7;
/// Sentences that are near and were not asked.
const ALSO: usize = 1;
/// Words of each of them.
const ALSO_WORDS: usize = 40;
/// From this share of common words on two sentences say the same.
const SAME: f64 = 0.8;

impl ToWrite {
    /// Whether a further fact adds something to the first of a block. Beside a value that is sure stands only another one of
    /// the same document, for another case; beside what is no value only what has more of the question than was told.
    fn adds(&self, ranked: &RankedFact, first: &RankedFact, told: &HashSet<&String>) -> bool {
        let beside = ranked.source == first.source;
        let disputed = self.is_disputed(&ranked.label);
        let least = match () {
            // What others contradict about the very thing is told, though it may be a little further off.
            () if disputed => DISPUTED,
            () if beside => BESIDE,
            () => NEAR,
        };
        let needed = match first.value {
            true => !first.sure || (beside && ranked.value),
            false => has_more(ranked, told),
        };
        // Where a value was asked, another by somebody else is told though its sentence has few of the words.
        let contradicts = disputed && (ranked.adds || first.value);
        (contradicts || (needed && ranked.adds && is_other_value(ranked, first)))
            && ranked.score >= least * first.score
            && self.is_readable_after(&ranked.label, &first.label)
    }

    /// Whether a further statement is a sentence, in the language of the first.
    fn is_readable_after(&self, label: &str, first: &str) -> bool {
        let (Some(fact), Some(first)) = (self.fact(label), self.fact(first)) else { return false };
        let (language, wanted) =
            (Language::of_question(&fact.statement), Language::of_question(&first.statement));
        is_whole(&fact.statement) && language == wanted
    }
}

/// Whether a further fact gives another value than the first; where the first gives none, it need not give one.
fn is_other_value(ranked: &RankedFact, first: &RankedFact) -> bool {
    !first.value || (ranked.value && (ranked.given.is_none() || ranked.given != first.given))
}

/// Whether a fact has something of the question that was not told yet; where nothing is known of that, it may.
fn has_more(ranked: &RankedFact, told: &HashSet<&String>) -> bool {
    told.is_empty() || ranked.has.iter().any(|stem| !told.contains(stem))
}

/// Words of a first sentence up to which it only opens what the next one says.
const OPENING_WORDS: usize = 8;

/// Whether a statement says little without the next: a heading of an entry, a few words.
fn only_opens(statement: &str) -> bool {
    !is_whole(statement) || statement.split_whitespace().count() <= OPENING_WORDS
}

/// The words and the numbers of a sentence: two sentences with other numbers never say the same.
pub(super) struct Essence {
    text: String,
    stems: HashSet<String>,
    numbers: Vec<u64>,
}

impl Essence {
    pub(super) fn of(text: &str) -> Self {
        let mut numbers: Vec<u64> = quantities(text).iter().map(|it| it.value.to_bits()).collect();
        numbers.sort_unstable();
        Self { text: one_line(text), stems: content_stems(text), numbers }
    }

    pub(super) fn is_said_by(&self, other: &Self) -> bool {
        // One of two excerpts of a place may be part of the other.
        if other.text.contains(&self.text) || self.text.contains(&other.text) {
            return true;
        }
        other.numbers == self.numbers
            && overlap(&other.stems, &self.stems) > SAME
            && other.stems.len() * 2 >= self.stems.len()
    }
}

/// What was said so far.
#[derive(Default)]
pub(super) struct Selection {
    labels: HashSet<String>,
    said: Vec<Essence>,
}

impl Selection {
    /// The facts that answer a part, as far as they are near the best and the words go. What explains the first of them
    /// stands right behind it in its source, and here.
    pub(super) fn block(&mut self, input: &ToWrite, part: &AskedPart) -> Vec<Sentence> {
        let mut sentences: Vec<Sentence> = Vec::new();
        let mut words = 0;
        let mut first: Option<&RankedFact> = None;
        let mut told: HashSet<&String> = HashSet::new();
        for ranked in part.facts.iter().filter(|ranked| ranked.answers && !ranked.leans) {
            let Some(fact) = input.fact(&ranked.label) else { continue };
            let length = fact.statement.split_whitespace().count();
            let fits = words + length <= BLOCK_WORDS && sentences.len() < BLOCK_LINES;
            let adds = first.is_none_or(|first| fits && input.adds(ranked, first, &told));
            if !adds || !self.is_new(fact) {
                continue;
            }
            words += length;
            sentences.push(self.take(fact));
            told.extend(&ranked.has);
            let opens = first.is_none();
            first.get_or_insert(ranked);
            if opens && !ranked.value {
                for next in self.explained(input, part, &ranked.label, &mut told) {
                    let length = next.statement.split_whitespace().count();
                    if words + length > EXPLAINED_WORDS || sentences.len() >= BLOCK_LINES {
                        break;
                    }
                    words += length;
                    sentences.push(self.take(next));
                }
            }
        }
        sentences
    }

    /// The facts that follow one in its source, as far as they were read and have more of the question.
    fn explained<'a>(
        &self,
        input: &'a ToWrite,
        part: &'a AskedPart,
        label: &str,
        told: &mut HashSet<&'a String>,
    ) -> Vec<&'a KnownFact> {
        let mut found: Vec<&KnownFact> = Vec::new();
        let mut last = label.to_owned();
        while let Some(next) = part.facts.iter().find(|ranked| ranked.follows.as_deref() == Some(&last)) {
            let Some(fact) = input.fact(&next.label).filter(|fact| self.is_new(fact)) else { break };
            let opened =
                found.is_empty() && input.fact(label).is_some_and(|fact| only_opens(&fact.statement));
            let is_list = lines::bullet_len(&fact.statement) > 0;
            let said = next.explains && has_more(next, told) && input.is_readable_after(&next.label, label);
            if !(opened || is_list || said) || found.iter().any(|known| known.label == fact.label) {
                break;
            }
            last.clone_from(&next.label);
            told.extend(&next.has);
            found.push(fact);
        }
        found
    }

    /// What is about the subject and was not asked, the parts in turn.
    pub(super) fn also(&mut self, input: &ToWrite) -> Vec<Sentence> {
        let near = |part: &AskedPart| -> Vec<String> {
            let close = part.facts.iter().filter(|ranked| ranked.near);
            close.map(|ranked| ranked.label.clone()).collect()
        };
        let lists: Vec<Vec<String>> = input.parts.iter().map(near).collect();
        let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
        let mut also = Vec::new();
        for label in (0..longest).flat_map(|rank| lists.iter().filter_map(move |list| list.get(rank))) {
            let Some(fact) = input.fact(label).filter(|fact| self.is_new(fact)) else { continue };
            let is_short =
                fact.statement.split_whitespace().count() <= ALSO_WORDS && is_whole(&fact.statement);
            if also.len() < ALSO && is_short {
                also.push(self.take(fact));
            }
        }
        also
    }

    fn is_new(&self, fact: &KnownFact) -> bool {
        let own = Essence::of(&fact.statement);
        !self.labels.contains(&fact.label) && !self.said.iter().any(|other| own.is_said_by(other))
    }

    fn take(&mut self, fact: &KnownFact) -> Sentence {
        self.labels.insert(fact.label.clone());
        self.said.push(Essence::of(&fact.statement));
        Sentence { text: fact.statement.clone(), facts: vec![fact.label.clone()] }
    }
}
