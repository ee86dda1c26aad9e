//! Words that may stand for each other in a sentence, words of which one denies the other, and pairs of directions:
//! our own lists, read once.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::words::{fold, stem, word_ranges};

static LISTS: LazyLock<Lists> = LazyLock::new(|| Lists::read(include_str!("synonyms.txt")));

/// Number of a group of words that mean the same.
pub type Group = u16;

/// How two words relate by the lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// They may stand for each other.
    Same,
    /// One denies the other.
    Denies,
    /// They are two directions, or two ends.
    Opposite,
}

#[derive(Debug, Default)]
struct Lists {
    /// By the stem of the first word: the other stems of a phrase, and its group.
    phrases: HashMap<String, Vec<(Vec<String>, Group)>>,
    /// How a group stands to the other side of its line, whose number differs in the last bit.
    against: HashMap<Group, Relation>,
}

impl Lists {
    fn read(text: &str) -> Self {
        let mut lists = Self::default();
        let mut next: Group = 0;
        for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
            let (left, right, relation) = match (line.split_once("<>"), line.split_once("><")) {
                (Some((left, right)), _) => (left, Some(right), Relation::Denies),
                (_, Some((left, right))) => (left, Some(right), Relation::Opposite),
                _ => (line, None, Relation::Same),
            };
            lists.group(left, next);
            if let Some(right) = right {
                lists.group(right, next + 1);
                lists.against.insert(next, relation);
                lists.against.insert(next + 1, relation);
            }
            next += 2;
        }
        lists
    }

    fn group(&mut self, words: &str, group: Group) {
        for phrase in words.split(',') {
            let mut stems = word_ranges(phrase).map(|range| base(&fold(&phrase[range])));
            let Some(first) = stems.next() else { continue };
            self.phrases.entry(first).or_default().push((stems.collect(), group));
        }
    }
}

/// The stem of a lower-case word as the lists have it: an adverb counts as its adjective.
#[must_use]
pub fn base(word: &str) -> String {
    match word.strip_suffix("ly").filter(|rest| rest.len() > 4) {
        Some(adjective) => stem(adjective),
        None => stem(word),
    }
}

/// The groups of the longest phrase that begins with these stems, and how many of them it takes.
#[must_use]
pub fn groups(stems: &[&str]) -> (Vec<Group>, usize) {
    let Some((first, rest)) = stems.split_first() else { return (Vec::new(), 0) };
    let Some(phrases) = LISTS.phrases.get(*first) else { return (Vec::new(), 1) };
    let fits = |phrase: &[String]| {
        phrase.len() <= rest.len() && phrase.iter().zip(rest).all(|(own, other)| own == other)
    };
    let longest =
        phrases.iter().filter(|(phrase, _)| fits(phrase)).map(|(phrase, _)| phrase.len()).max().unwrap_or(0);
    let found = phrases
        .iter()
        .filter(|(phrase, _)| phrase.len() == longest && fits(phrase))
        .map(|(_, group)| *group)
        .collect();
    (found, longest + 1)
}

/// How words of these groups relate; None when the lists do not say.
#[must_use]
pub fn relation(left: &[Group], right: &[Group]) -> Option<Relation> {
    if left.iter().any(|group| right.contains(group)) {
        return Some(Relation::Same);
    }
    // The two sides of a line have neighbouring numbers, so most pairs need no look into the lists.
    let against = left.iter().filter(|group| right.contains(&(*group ^ 1)));
    let mut found = None;
    for group in against {
        match LISTS.against.get(group) {
            Some(Relation::Denies) => return Some(Relation::Denies),
            Some(relation) => found = Some(*relation),
            None => {}
        }
    }
    found
}
