//! Makes `src/rules/thesaurus.txt` from the database files of WordNet 3.0 (on Debian the package wordnet-base):
//!
//!     cargo run -p baton-agents --example thesaurus -- /usr/share/wordnet > crates/agents/src/rules/thesaurus.txt
//!
//! and `src/evidence/carry/verbs.txt` with `-- /usr/share/wordnet verbs`.
//!
//! Kept are the usual meanings of words, and of phrases of two words that are no terms; light verbs, names and numbers are
//! left out. Lines with ~ are wider: every meaning that was met in texts, the words derived from it, and behind the
//! semicolon what it is a kind of.

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
# Words that can mean the same (lines with =), words of opposite meaning (lines with !), and meanings with their families and
# wider meanings (lines with ~), by dictionary form.
# Made by examples/thesaurus.rs from WordNet 3.0. Copyright 2006 by Princeton University. All rights reserved.
# The licence, docs/licences/WordNet.txt, goes with this file.
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("name the folder of WordNet's data files")?;
    if std::env::args().nth(2).as_deref() == Some("verbs") {
        println!("{}", verbs(Path::new(&folder))?);
        return Ok(());
    }
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
    let families = families(Path::new(&folder))?;
    print!("{NOTICE}");
    let lines = same.iter().map(|(word, groups)| {
        let groups: Vec<String> = groups.iter().map(|group| format!("{group:x}")).collect();
        format!("{word}={}", groups.join(" "))
    });
    let others = opposite.iter().map(|(word, others)| {
        let others: Vec<&str> = others.iter().map(String::as_str).collect();
        format!("{word}!{}", others.join(","))
    });
    let mut lines: Vec<String> = lines.chain(others).chain(families).collect();
    lines.sort_unstable();
    println!("{}", lines.join("\n"));
    Ok(())
}

const VERBS_NOTICE: &str = "\
# Verbs met at least four times as often as a noun of the same form, and those without one. From WordNet 3.0; see
# examples/thesaurus.rs. Copyright 2006 by Princeton University. All rights reserved.
# The licence, docs/licences/WordNet.txt, goes with this file.
";

/// Verbs by the counts, whose third person is as often a plural in manuals and news.
const PLURALS: &str = "ache brush bud bump cling crumble dart dab doze drip float gleam glance growl howl hum itch jerk kick kneel lick limp link nod \
plot pat peek peep plunge pump scan score scout shove shrug sip skip slap slip smile sneer sniff snort spray squeeze stir stroll stumble tap tease \
thump tug twist wail wink yawn yell offer build help";
/// Verbs that the counts do not know, though their noun is rare.
const MORE_VERBS: &str = "revoke";
/// Letters in a row of the list.
const WIDTH: usize = 138;

/// Verbs that are met far more often than a noun or adjective of the same form.
fn verbs(folder: &Path) -> Result<String, Box<dyn std::error::Error>> {
    // By word: how often it was met as noun, verb, adjective.
    let mut counts: BTreeMap<String, [f64; 3]> = BTreeMap::new();
    for line in std::fs::read_to_string(folder.join("cntlist.rev"))?.lines() {
        let mut fields = line.split_whitespace();
        let (Some(key), _, Some(count)) = (fields.next(), fields.next(), fields.next()) else { continue };
        let Some((word, rest)) = key.split_once('%') else { continue };
        let place = match rest.chars().next() {
            Some('1') => 0,
            Some('2') => 1,
            Some('3' | '5') => 2,
            _ => continue,
        };
        counts.entry(word.to_owned()).or_default()[place] += count.parse::<f64>()?;
    }
    let words = |part: &str| -> Result<BTreeSet<String>, Box<dyn std::error::Error>> {
        let text = std::fs::read_to_string(folder.join(format!("index.{part}")))?;
        let lines = text.lines().filter(|line| !line.starts_with(' '));
        Ok(lines.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect())
    };
    let (nouns, adjectives) = (words("noun")?, words("adj")?);
    let listed = |list: &str, word: &str| list.split_whitespace().any(|other| other == word);
    let is_verb = |word: &String| {
        let [noun, verb, adjective] = counts.get(word).copied().unwrap_or_default();
        let met =
            verb >= 1.0 && verb >= 2.0 * adjective && (verb >= 4.0 * noun.max(0.5) || !nouns.contains(word));
        let alone = word.len() > 3 && !nouns.contains(word) && !adjectives.contains(word);
        let plain = word.len() > 2 && word.chars().all(|letter| letter.is_ascii_lowercase());
        plain && ((met && !listed(PLURALS, word)) || alone)
    };
    let mut found: BTreeSet<String> = words("verb")?.into_iter().filter(is_verb).collect();
    found.extend(MORE_VERBS.split_whitespace().map(str::to_owned));
    let (mut text, mut width) = (VERBS_NOTICE.to_owned(), 0);
    for word in &found {
        if width > 0 {
            let breaks = width + 1 + word.len() > WIDTH;
            text.push(if breaks { '\n' } else { ' ' });
            width = if breaks { 0 } else { width + 1 };
        }
        text.push_str(word);
        width += word.len();
    }
    Ok(text)
}

/// Letters of the parts of speech in WordNet's pointers, and how many meanings that were met in texts are taken.
const MET: [(&str, &str, usize); 4] = [("noun", "n", 3), ("verb", "v", 8), ("adj", "a", 5), ("adv", "r", 3)];

/// A set of synonyms, by part of speech and offset.
type Set = (String, String);

/// Lines with the meanings of each word, those of words derived from it, and what they are kinds of.
fn families(folder: &Path) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let mut own: BTreeMap<String, BTreeSet<Set>> = BTreeMap::new();
    let mut wider: BTreeMap<String, BTreeSet<Set>> = BTreeMap::new();
    for (part, letter, most) in MET {
        let text = std::fs::read_to_string(folder.join(format!("index.{part}")))?;
        let (index, met) = (ranks(&text), met(&text));
        for line in std::fs::read_to_string(folder.join(format!("data.{part}")))?.lines() {
            let Some((offset, lemmas)) = members(line) else { continue };
            for (place, lemma) in lemmas.iter().enumerate() {
                let rank = index.get(&(lemma.to_lowercase(), offset.to_owned()));
                let usual =
                    rank.is_some_and(|rank| *rank < most.min(*met.get(&lemma.to_lowercase()).unwrap_or(&0)));
                let is_term = part == "noun" && lemma.contains([' ', '-']);
                let is_light = part == "verb" && LIGHT.contains(&lemma.as_str());
                let Some(word) = kept(lemma).filter(|_| usual && !is_term && !is_light) else { continue };
                let set = |letter: &str, offset: &str| (letter.replace('s', "a"), offset.to_owned());
                own.entry(word.clone()).or_default().insert(set(letter, offset));
                for (symbol, other, other_part, from) in pointers(line) {
                    match symbol {
                        // Derived from it, or what an adverb comes from.
                        "+" | "\\" if from == place + 1 => {
                            own.entry(word.clone()).or_default().insert(set(other_part, other))
                        }
                        "$" | "&" => wider.entry(word.clone()).or_default().insert(set(other_part, other)),
                        "@" if part == "verb" => {
                            wider.entry(word.clone()).or_default().insert(set(other_part, other))
                        }
                        _ => false,
                    };
                }
            }
        }
    }
    let mut used: BTreeMap<&Set, usize> = BTreeMap::new();
    for set in own.values().flatten().chain(wider.values().flatten()) {
        *used.entry(set).or_default() += 1;
    }
    let owned: BTreeSet<&Set> = own.values().flatten().collect();
    let shared = used.iter().filter(|(set, count)| **count > 1 && owned.contains(*set));
    let numbers: BTreeMap<&Set, usize> =
        shared.enumerate().map(|(number, (set, _))| (*set, number)).collect();
    let listed = |sets: Option<&BTreeSet<Set>>, but: &BTreeSet<Set>| {
        let sets = sets.into_iter().flatten().filter(|set| !but.contains(*set));
        let numbers: Vec<String> =
            sets.filter_map(|set| numbers.get(set)).map(|number| format!("{number:x}")).collect();
        numbers.join(" ")
    };
    let lines = own.iter().map(|(word, sets)| {
        format!("{word}~{};{}", listed(Some(sets), &BTreeSet::new()), listed(wider.get(word), sets))
    });
    Ok(lines.filter(|line| !line.ends_with("~;")).collect())
}

/// How many meanings of each word were met in texts.
fn met(index: &str) -> BTreeMap<String, usize> {
    let lines = index.lines().filter(|line| !line.starts_with(' ')).filter_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let pointers: usize = fields.get(3)?.parse().ok()?;
        let met = fields.get(5 + pointers)?.parse().ok()?;
        Some((fields[0].replace('_', " "), met))
    });
    lines.collect()
}

/// The pointers of a set: symbol, offset, part of speech, and the place of the word they start from (0 for all).
fn pointers(line: &str) -> Vec<(&str, &str, &str, usize)> {
    let head: Vec<&str> = line.split('|').next().unwrap_or_default().split_whitespace().collect();
    let count = head.get(3).and_then(|field| usize::from_str_radix(field, 16).ok()).unwrap_or(0);
    let rows = head.get(5 + 2 * count..).unwrap_or_default().chunks(4);
    rows.filter_map(|row| {
        let [symbol, offset, part, places] = row else { return None };
        let from = usize::from_str_radix(places.get(..2)?, 16).ok()?;
        Some((*symbol, *offset, *part, from))
    })
    .collect()
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
