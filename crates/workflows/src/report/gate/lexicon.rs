//! The words of statements about figures: which of them claim something, and which say nothing by themselves. A word that
//! stands neither here nor with the figures is not known, and what is not known is not let through; so no cause gets by.

use std::collections::HashSet;

use baton_agents::rules::words::{content_stems, fold, is_stop, stems, word_ranges};
use baton_figures::Direction;

use super::causes::CAUSAL;

/// What a clause claims beside its numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// It went this way.
    Way(Direction),
    /// It became so many per cent more, from and to.
    Times(i32, i32),
    /// It is the most, or the least.
    First {
        /// The least.
        lowest: bool,
    },
    /// It has this place.
    Rank(u32),
    /// It is a part of a whole.
    Share,
    /// Two things move together.
    Together,
    /// They do so in the same way, or in opposite ways; a number is above nothing, or below.
    Sign {
        /// In the same way.
        positive: bool,
    },
    /// Two things are as much.
    Equal,
    /// It is a small change, or two things are close.
    Slight,
    /// It is a large change, or two things are far apart.
    Large,
    /// It is an average.
    Average,
    /// It is a median.
    Median,
}

const UP: &[&str] = &[
    "rose",
    "rise",
    "rises",
    "risen",
    "rising",
    "grew",
    "grow",
    "grows",
    "grown",
    "growing",
    "growth",
    "increased",
    "increase",
    "increases",
    "increasing",
    "climbed",
    "climb",
    "climbs",
    "gained",
    "gain",
    "gains",
    "up",
    "upward",
    "upwards",
    "expanded",
    "added",
    "improved",
    "advanced",
    "jumped",
    "jump",
    "surged",
    "surge",
    "soared",
];
const DOWN: &[&str] = &[
    "fell",
    "fall",
    "falls",
    "fallen",
    "falling",
    "dropped",
    "drop",
    "drops",
    "declined",
    "decline",
    "declines",
    "declining",
    "decreased",
    "decrease",
    "decreases",
    "decreasing",
    "shrank",
    "shrink",
    "shrunk",
    "down",
    "downward",
    "downwards",
    "lost",
    "loses",
    "reduced",
    "reduction",
    "slid",
    "sank",
    "slipped",
    "dipped",
    "dip",
    "eased",
    "contracted",
    "plunged",
    "slumped",
    "tumbled",
];
const FLAT: &[&str] = &["unchanged", "flat", "stable", "stayed"];
const MOST: &[&str] = &[
    "highest",
    "most",
    "largest",
    "biggest",
    "top",
    "leads",
    "led",
    "leading",
    "leader",
    "strongest",
    "peak",
    "peaked",
    "best",
    "maximum",
    "busiest",
];
/// Words of the least of several.
pub const LEAST: &[&str] =
    &["lowest", "least", "smallest", "fewest", "weakest", "minimum", "quietest", "worst"];
const SHARE: &[&str] = &["share", "shares", "proportion", "portion"];
const EQUAL: &[&str] = &["same", "similar", "equal", "equally", "alike", "identical"];
/// Words of a small size: what they say can be looked up, so they are no mere manner of speaking.
const SLIGHT: &[&str] = &[
    "weakly",
    "weak",
    "slightly",
    "slight",
    "marginally",
    "marginal",
    "barely",
    "hardly",
    "little",
    "small",
    "tiny",
    "minor",
    "modest",
    "modestly",
    "narrow",
    "narrowly",
    "close",
    "closely",
    "slipped",
    "dipped",
    "dip",
    "eased",
];
/// Words of a large size.
const LARGE: &[&str] = &[
    "strong",
    "sharply",
    "sharp",
    "steeply",
    "steep",
    "strongly",
    "markedly",
    "marked",
    "considerably",
    "considerable",
    "substantially",
    "substantial",
    "far",
    "much",
    "jumped",
    "jump",
    "surged",
    "surge",
    "soared",
    "plunged",
    "slumped",
    "tumbled",
    "widely",
    "wide",
];
/// Words of an average; a median is not one.
const AVERAGE: &[&str] = &["average", "averaged", "averages", "averaging", "mean"];
const MEDIAN: &[&str] = &["median", "medians"];
/// Words that say how much it became, as per cent that were added, from and to.
const TIMES: &[(&str, i32, i32)] =
    &[("doubled", 90, 115), ("tripled", 185, 215), ("halved", -55, -45), ("quadrupled", 280, 320)];
/// Words that compare, and whether with less.
pub const COMPARES: &[(&str, bool)] = &[
    ("more", false),
    ("higher", false),
    ("larger", false),
    ("bigger", false),
    ("greater", false),
    ("stronger", false),
    ("faster", false),
    ("quicker", false),
    ("less", true),
    ("fewer", true),
    ("lower", true),
    ("smaller", true),
    ("weaker", true),
    ("slower", true),
    ("slowly", true),
    ("longer", false),
    ("older", false),
    ("heavier", false),
    ("shorter", true),
    ("younger", true),
    ("lighter", true),
];
/// Words of them that compare how things changed.
pub const OF_CHANGE: &[&str] = &["faster", "quicker", "slower", "slowly"];
/// Words that deny.
pub const DENIES: &[&str] = &[
    "not", "no", "never", "neither", "nor", "without", "none", "nobody", "cannot", "n't", "didn", "doesn",
    "isn", "wasn", "weren", "hasn", "hadn", "haven", "don", "won", "couldn", "wouldn",
];
const RANKS: &[(&str, u32)] = &[("second", 2), ("third", 3), ("fourth", 4), ("fifth", 5)];
/// Words of two things that move together.
pub const TOGETHER: &[&str] = &[
    "correlation",
    "correlated",
    "correlates",
    "correlate",
    "associated",
    "association",
    "related",
    "relationship",
    "connected",
    "connection",
    "tended",
    "tend",
    "tends",
];
const POSITIVE: &[&str] = &["positive", "positively"];
const NEGATIVE: &[&str] = &["negative", "negatively", "inverse", "inversely", "opposite"];

/// Parts of a whole, in per cent.
pub const PARTS: &[(&str, f64)] = &[
    ("half", 50.0),
    ("third", 100.0 / 3.0),
    ("thirds", 100.0 / 3.0),
    ("quarter", 25.0),
    ("quarters", 25.0),
    ("fifth", 20.0),
    ("fifths", 20.0),
    ("tenth", 10.0),
];

/// Words that say nothing by themselves in a statement about figures.
const PLAIN: &str = include_str!("plain.txt");

/// What a clause claims.
pub fn claims(clause: &str) -> Vec<Claim> {
    let places: Vec<std::ops::Range<usize>> = word_ranges(clause).collect();
    let words: Vec<String> = places.iter().map(|at| fold(&clause[at.clone()])).collect();
    let mut found: Vec<Claim> = Vec::new();
    let mut put = |claim: Claim| {
        if !found.contains(&claim) {
            found.push(claim);
        }
    };
    for (at, word) in words.iter().enumerate() {
        let word = word.as_str();
        let next = words.get(at + 1).map_or("", String::as_str);
        let before = at.checked_sub(1).and_then(|before| words.get(before)).map_or("", String::as_str);
        // "made up" and "added up" go no way; "at most" is a bound; "led to" is a cause and is told elsewhere.
        let idle = (word == "up"
            && ["made", "make", "makes", "making", "added", "add", "adds"].contains(&before))
            || (word == "added" && next == "up")
            || (word == "most" && before == "at")
            || (word == "least" && before == "at");
        if idle {
            continue;
        }
        if let Some((_, from, to)) = TIMES.iter().find(|(name, ..)| *name == word) {
            put(Claim::Times(*from, *to));
        } else if let Some((_, rank)) =
            RANKS.iter().find(|(name, _)| *name == word && !["a", "one"].contains(&before))
        {
            put(Claim::Rank(*rank));
        } else if EQUAL.contains(&word) && next.starts_with("direction") {
            put(Claim::Sign { positive: true });
        } else if EQUAL.contains(&word) {
            put(Claim::Equal);
        } else if let Some((_, less)) = COMPARES.iter().find(|(name, _)| *name == word) {
            // "the bigger of the two"
            let of_two = next == "of" && words.get(at + 2).is_some_and(|it| it == "the");
            // "12 % more", "12 % higher"; what is more than something else is looked at as a whole.
            let direction = if *less { Direction::Down } else { Direction::Up };
            if of_two {
                put(Claim::First { lowest: *less });
            } else if (["more", "less", "fewer"].contains(&word) || is_number(before))
                && !words[at..].iter().any(|it| it == "than")
            {
                put(Claim::Way(direction));
            }
        }
        // "21.1 % below its level of 1985"
        let of_per_cent = || ends_in_per_cent(&clause[..places[at].start]);
        if word == "below" && of_per_cent() {
            put(Claim::Way(Direction::Down));
        } else if UP.contains(&word) || word == "above" && of_per_cent() {
            put(Claim::Way(Direction::Up));
        } else if DOWN.contains(&word) {
            put(Claim::Way(Direction::Down));
        } else if FLAT.contains(&word) {
            put(Claim::Way(Direction::Flat));
        } else if MOST.contains(&word) {
            put(Claim::First { lowest: false });
        } else if LEAST.contains(&word) {
            put(Claim::First { lowest: true });
        } else if SHARE.contains(&word) {
            put(Claim::Share);
        } else if TOGETHER.contains(&word) {
            put(Claim::Together);
        } else if POSITIVE.contains(&word) || NEGATIVE.contains(&word) {
            put(Claim::Sign { positive: POSITIVE.contains(&word) });
        } else if AVERAGE.contains(&word) {
            put(Claim::Average);
        } else if MEDIAN.contains(&word) {
            put(Claim::Median);
        }
        // "jumped" says which way and how far.
        if SLIGHT.contains(&word) {
            put(Claim::Slight);
        } else if LARGE.contains(&word) {
            put(Claim::Large);
        }
    }
    found
}

/// Whether a text ends with a number of per cent: "28.1 %" before "below the level of 1985".
pub fn ends_in_per_cent(text: &str) -> bool {
    let text = text.trim_end();
    let number = ["%", "percent", "per cent"].iter().find_map(|unit| text.strip_suffix(unit));
    number.is_some_and(|number| number.trim_end().ends_with(|letter: char| letter.is_ascii_digit()))
}

/// "25.1 % higher" says which way.
fn is_number(word: &str) -> bool {
    ["percent", "cent"].contains(&word) || word.chars().next().is_some_and(|letter| letter.is_ascii_digit())
}

/// A word of a text that is neither a word of statements nor one of the vocabulary.
pub fn unknown_word(text: &str, vocabulary: &str) -> Option<String> {
    let lower = text.to_lowercase();
    if let Some(cause) = [" led to ", " leads to ", " as a result", " thanks to ", " due to "]
        .iter()
        .find(|it| lower.contains(**it))
    {
        return Some(cause.trim().to_owned());
    }
    let known: HashSet<String> = content_stems(vocabulary).into_iter().chain(stems(vocabulary)).collect();
    let listed = |word: &str| {
        [UP, DOWN, FLAT, MOST, LEAST, SHARE, TOGETHER, EQUAL, SLIGHT, LARGE, AVERAGE, MEDIAN]
            .iter()
            .chain(&[POSITIVE, NEGATIVE])
            .any(|list| list.contains(&word))
            || TIMES.iter().any(|(name, ..)| *name == word)
            || COMPARES.iter().any(|(name, _)| *name == word)
            || PARTS.iter().any(|(name, _)| *name == word)
            || PLAIN.split_whitespace().any(|plain| plain == word)
    };
    word_ranges(text).map(|at| &text[at]).find_map(|word| {
        let folded = fold(word);
        // What is left of "the app's".
        if folded == "s" {
            return None;
        }
        if CAUSAL.contains(&folded.as_str()) {
            return Some(word.to_owned());
        }
        if folded.chars().all(|letter| letter.is_numeric()) || listed(&folded) {
            return None;
        }
        let is_known = is_stop(&folded) || stems(word).iter().all(|stem| known.contains(stem));
        (!is_known).then(|| word.to_owned())
    })
}
