//! What the writers share: facts as material for prose. Which of them can stand as a sentence, which need the one before
//! them, what they are about, when it was; and in whose voice a sentence is said so that nobody's words pass as ours.

mod compose;
mod figures;
mod headings;
mod lines;
mod outline;
mod passages;
mod pointing;
mod sentence;
mod voices;

#[cfg(test)]
mod tests;

pub use compose::{Composer, Outline};
pub use figures::{Figure, figures, is_total};
pub use lines::lines;
pub use passages::{Passage, aspects, leaf, passages, telling, weights, wishes};
pub use pointing::points_back;
use sentence::bare;
pub use sentence::sentence_of;
pub use voices::{Turn, alone, carried, is_of};

use std::collections::{BTreeMap, HashSet};

use baton_agents::rules::quantities::quantities;
use baton_agents::rules::words::{content_stems, fold, is_stop, overlap, stem};

use crate::citation::Facts;

/// From this share of common words on, with the same numbers, two sentences say the same.
const SAME: f64 = 0.75;

/// What a sentence says, as far as two are compared: its telling words and its numbers.
pub type Essence = (HashSet<String>, Vec<u64>);

/// What was said, so that nothing is said twice.
#[derive(Clone, Debug, Default)]
pub struct Said {
    said: Vec<Essence>,
}

impl Said {
    /// What a sentence says.
    #[must_use]
    pub fn essence(text: &str) -> Essence {
        let mut numbers: Vec<u64> = quantities(text).iter().map(|it| it.value.to_bits()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        (content_stems(text), numbers)
    }

    /// Whether a sentence says something new: other words, or other numbers.
    #[must_use]
    pub fn is_new(&self, text: &str) -> bool {
        self.lacks(&Self::essence(text))
    }

    /// The same of a sentence whose essence is known.
    #[must_use]
    pub fn lacks(&self, (stems, numbers): &Essence) -> bool {
        let same = |(other, theirs): &Essence| {
            let near = overlap(other, stems);
            let shared = if numbers.len() > 1 { 0.4 } else { 0.6 };
            let within = !numbers.is_empty() && numbers.iter().all(|it| theirs.contains(it)) && near > shared;
            within || (theirs == numbers && near > SAME)
        };
        !self.said.iter().any(same)
    }

    /// Remembers a sentence.
    pub fn say(&mut self, text: &str) {
        self.keep(Self::essence(text));
    }

    /// The same of a sentence whose essence is known.
    pub fn keep(&mut self, essence: Essence) {
        self.said.push(essence);
    }
}

/// Words that are never names, and that few sentences have inside them.
const NO_NAMES: &str = "unlike although though whereas whenever wherever unless until once despite during within without since because while \
now today one two three four five six seven eight nine ten normally usually typically generally originally initially historically currently recently traditionally alternatively additionally";

/// Whether the first word of a sentence is written small inside another: it is no name, and begins none.
#[must_use]
pub fn lowers(sentence: &str, names: &HashSet<String>) -> bool {
    let mut words = sentence.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let known = |list: &str| sentence::listed(list, &fold(first));
    if is_stop(&fold(first)) || known(NO_NAMES) || known(sentence::BEFORE_ARTICLES) {
        return first != "I";
    }
    let inner = first.chars().skip(1).any(|letter| letter.is_uppercase() || letter.is_numeric());
    let parted = sentence[first.len().min(sentence.len())..].starts_with(',');
    let begins_name = second.starts_with(char::is_uppercase) && !first.ends_with("ing") && !parted;
    !inner && !begins_name && !names.contains(first)
}

/// Words of the material that are names: they stand large inside sentences, or they are never written small, nor is any
/// other form of them.
#[must_use]
pub fn names(facts: &Facts<'_>) -> HashSet<String> {
    let (mut large, mut small): (BTreeMap<String, usize>, BTreeMap<String, usize>) = Default::default();
    let (mut first, mut stems): (HashSet<String>, HashSet<String>) = Default::default();
    for fact in facts.all() {
        for row in fact.found.fact.quote.lines() {
            let words: Vec<&str> = row.split(' ').collect();
            let is_large = |word: &&&str| bare(word).starts_with(char::is_uppercase);
            // A heading writes all of its words large.
            let heads = words.len() > 1 && words.iter().filter(is_large).count() * 2 > words.len();
            let mut opens = true;
            for word in words {
                let plain = bare(word);
                if plain.starts_with(char::is_lowercase) {
                    *small.entry(plain.to_owned()).or_default() += 1;
                    stems.insert(stem(&fold(plain)));
                } else if opens {
                    first.insert(plain.to_owned());
                } else if !heads {
                    *large.entry(plain.to_owned()).or_default() += 1;
                }
                opens = word.is_empty() || word.ends_with(['.', '?', '!', ':', '“', '"', '|']);
            }
        }
    }
    // What is more often written small is no name, only at times part of one.
    let usual = |(word, count): &(String, usize)| small.get(&fold(word)).is_none_or(|other| count > other);
    let shaped = |word: &str| word.len() > 5 && (word.ends_with("ing") || word.ends_with("ly"));
    let known = |word: &str| stems.contains(&stem(&fold(word)));
    let inside = large.into_iter().filter(usual).map(|(word, _)| word).filter(|it| !shaped(it) || !known(it));
    let unseen = first.into_iter().filter(|word| !shaped(word) && !known(word));
    inside.chain(unseen).collect()
}
