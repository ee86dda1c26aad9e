//! Makes `src/rules/thesaurus.txt` from the database files of WordNet 3.0 (on Debian the package wordnet-base):
//!
//!     cargo run -p baton-agents --example thesaurus -- /usr/share/wordnet > crates/agents/src/rules/thesaurus.txt
//!
//! Kept are the usual meanings of words, and of phrases of two words that are no terms; light verbs, names and numbers are
//! left out.

#![allow(clippy::print_stdout, reason = "it prints the table it makes")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A part of speech, and how many meanings of a word count as usual.
const PARTS: [(&str, usize); 4] = [("noun", 2), ("verb", 6), ("adj", 4), ("adv", 3)];

/// Verbs that mean whatever stands behind them.
const LIGHT: [&str; 24] = [
    "be", "have", "do", "make", "get", "take", "go", "give", "put", "set", "run", "come", "hold", "keep",
    "let", "cause", "bring", "turn", "see", "say", "work", "pass", "draw", "play",
];

const NOTICE: &str = "\
# Words that can mean the same (lines with =) and words of opposite meaning (lines with !), by dictionary form.
# Made by examples/thesaurus.rs from WordNet 3.0. Copyright 2006 by Princeton University. All rights reserved.
# The licence, docs/licences/WordNet.txt, goes with this file.
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("name the folder of WordNet's data files")?;
    let mut same: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    let mut opposite: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut groups = 0;
    for (part, usual) in PARTS {
        let index = ranks(&std::fs::read_to_string(Path::new(&folder).join(format!("index.{part}")))?);
        let data = std::fs::read_to_string(Path::new(&folder).join(format!("data.{part}")))?;
        let sets: BTreeMap<&str, Vec<String>> = data.lines().filter_map(members).collect();
        let key = |offset: &str, lemma: &str| {
            let rank = *index.get(&(lemma.to_lowercase(), offset.to_owned()))?;
            let is_light = part == "verb" && LIGHT.contains(&lemma);
            let is_term = part == "noun" && lemma.contains([' ', '-']);
            (rank < usual && !is_light && !is_term).then(|| kept(lemma)).flatten()
        };
        for (offset, lemmas) in &sets {
            let words: BTreeSet<String> = lemmas.iter().filter_map(|lemma| key(offset, lemma)).collect();
            if words.len() > 1 {
                for word in words {
                    same.entry(word).or_default().insert(groups);
                }
                groups += 1;
            }
        }
        for line in data.lines() {
            for (offset, lemma, other_offset, at) in opposites(line) {
                let other = sets.get(other_offset).and_then(|lemmas| lemmas.get(at));
                let pair = key(offset, lemma).zip(other.and_then(|other| key(other_offset, other)));
                if let Some((left, right)) = pair.filter(|(left, right)| left != right) {
                    opposite.entry(left).or_default().insert(right);
                }
            }
        }
    }
    print!("{NOTICE}");
    let lines = same.iter().map(|(word, groups)| {
        let groups: Vec<String> = groups.iter().map(|group| format!("{group:x}")).collect();
        format!("{word}={}", groups.join(" "))
    });
    let others = opposite.iter().map(|(word, others)| {
        let others: Vec<&str> = others.iter().map(String::as_str).collect();
        format!("{word}!{}", others.join(","))
    });
    let mut lines: Vec<String> = lines.chain(others).collect();
    lines.sort_unstable();
    println!("{}", lines.join("\n"));
    Ok(())
}

/// For each word and set of synonyms, the how-maniest meaning of the word it is, from 0.
fn ranks(index: &str) -> BTreeMap<(String, String), usize> {
    let mut ranks = BTreeMap::new();
    for line in index.lines().filter(|line| !line.starts_with(' ')) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let offsets = fields.iter().skip(4).filter(|field| field.len() == 8);
        for (rank, offset) in offsets.enumerate() {
            ranks.insert((fields[0].replace('_', " "), (*offset).to_owned()), rank);
        }
    }
    ranks
}

/// The offset of a set and its words.
fn members(line: &str) -> Option<(&str, Vec<String>)> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let count = usize::from_str_radix(fields.get(3)?, 16).ok().filter(|_| !line.starts_with(' '))?;
    let words = (0..count).filter_map(|at| fields.get(4 + 2 * at));
    // "galore(ip)": where an adjective may stand.
    let plain = words.map(|word| word.split('(').next().unwrap_or(word).replace('_', " "));
    Some((fields[0], plain.collect()))
}

/// Words of a set with the set and place of their opposites.
fn opposites(line: &str) -> Vec<(&str, &str, &str, usize)> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let Some(count) = fields.get(3).and_then(|field| usize::from_str_radix(field, 16).ok()) else {
        return Vec::new();
    };
    let head = line.split('|').next().unwrap_or_default();
    let fields_of_head: Vec<&str> = head.split_whitespace().collect();
    let mut found = Vec::new();
    for pointer in fields_of_head.get(5 + 2 * count..).unwrap_or_default().chunks(4) {
        let [symbol, offset, _, places] = pointer else { continue };
        let places = (
            usize::from_str_radix(&places[..places.len().min(2)], 16),
            usize::from_str_radix(places.get(2..).unwrap_or("0"), 16),
        );
        if let ("!", (Ok(own @ 1..), Ok(other @ 1..))) = (*symbol, places)
            && let Some(word) = fields.get(4 + 2 * (own - 1))
        {
            found.push((fields[0], *word, *offset, other - 1));
        }
    }
    found
}

/// A word or a phrase of two; nothing for names, numbers and longer phrases.
fn kept(lemma: &str) -> Option<String> {
    let plain = |letter: char| letter.is_ascii_lowercase() || letter == ' ' || letter == '-';
    let fits = lemma.chars().all(plain) && lemma.split([' ', '-']).count() <= 2 && lemma.len() > 2;
    fits.then(|| lemma.replace('-', " "))
}
