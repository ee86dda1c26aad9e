//! Varied text that is the same on every run.

use baton_engine::{Dice, SeededDice};

const WORDS: [&str; 32] = [
    "source",
    "claims",
    "that",
    "the",
    "river",
    "rose",
    "by",
    "seven",
    "metres",
    "in",
    "March",
    "while",
    "another",
    "report",
    "names",
    "April",
    "and",
    "a",
    "different",
    "bridge",
    "as",
    "first",
    "to",
    "close",
    "because",
    "of",
    "debris",
    "upstream",
    "near",
    "old",
    "mill",
    "town",
];

/// Exactly `length` bytes of words that follow from `seed`.
pub fn sentence(seed: u64, length: usize) -> String {
    let dice = SeededDice::new(seed);
    let mut text = String::with_capacity(length + 16);
    while text.len() < length {
        let index = usize::try_from(dice.roll() % WORDS.len() as u64).unwrap_or_default();
        text.push_str(WORDS[index]);
        text.push(' ');
    }
    text.truncate(length);
    text
}

#[cfg(test)]
mod tests;
