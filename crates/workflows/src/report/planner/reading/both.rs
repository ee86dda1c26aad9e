//! Two things asked in one question: the most and the fewest, revenue and cost, regions and categories.

use baton_agents::rules::words::stem;
use baton_figures::reading::Kind;
use baton_figures::{Ask, Profiles, Question};

use super::plain;
use crate::report::naming::named;

/// Words for one end, and for the other.
const ENDS: &[(&str, &str)] = &[
    ("most", "fewest"),
    ("most", "least"),
    ("highest", "lowest"),
    ("largest", "smallest"),
    ("biggest", "smallest"),
    ("greatest", "smallest"),
    ("greatest", "least"),
    ("longest", "shortest"),
    ("oldest", "youngest"),
    ("maximum", "minimum"),
];
/// Words that begin another question.
const ASKING: &[&str] = &["how", "which", "what", "who", "when", "where", "why"];
/// Most words of a thing beside another.
const LONGEST: usize = 7;

fn bare(word: &str) -> String {
    word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase()
}

/// "Which states sold the most and the fewest packs?" is asked of both ends.
pub fn ends(question: &str, profiles: &Profiles) -> Option<Vec<Question>> {
    let words: Vec<&str> = question.split_whitespace().collect();
    let is_pair = |one: &str, other: &str| {
        ENDS.iter()
            .any(|(most, least)| (one == *most && other == *least) || (one == *least && other == *most))
    };
    for joint in 1..words.len().saturating_sub(1) {
        let behind = joint + 1 + usize::from(bare(words[joint + 1]) == "the");
        let (Some(other), one) = (words.get(behind), words[joint - 1]) else { continue };
        if !matches!(bare(words[joint]).as_str(), "and" | "or") || !is_pair(&bare(one), &bare(other)) {
            continue;
        }
        let rest = &words[behind + 1..];
        let first = [&words[..joint], rest].concat().join(" ");
        let second = [&words[..joint - 1], &[*other], rest].concat().join(" ");
        let found: Vec<Question> =
            [first, second].iter().filter_map(|text| plain(text, profiles).ok()).collect();
        let seeks = |question: &Question| matches!(question.ask, Ask::Ranking { .. } | Ask::Peak { .. });
        if found.len() == 2 && found.iter().all(seeks) {
            return Some(found);
        }
    }
    None
}

/// An end that a question asks for beside another, and that none of these typed questions seeks.
pub fn missing_end(question: &str, asks: &[&Question]) -> Option<String> {
    let words: Vec<String> = question.split_whitespace().map(bare).collect();
    let has = |word: &str| words.iter().any(|it| it == word);
    let (most, least) = ENDS.iter().find(|(most, least)| has(most) && has(least))?;
    let seeks = |wanted: bool| {
        asks.iter().any(|it| match &it.ask {
            Ask::Ranking { ascending, .. } => *ascending == wanted,
            Ask::Peak { lowest, .. } => *lowest == wanted,
            _ => false,
        })
    };
    let left = if !seeks(true) { least } else { most };
    (seeks(true) != seeks(false)).then(|| format!("the {left}"))
}

/// "In which countries did it fall" is answered by countries: what none of these typed questions tells apart.
pub fn missing_group(question: &str, asks: &[&Question], profiles: &Profiles) -> Option<String> {
    let words: Vec<String> = question.split_whitespace().map(bare).collect();
    let asked = words.windows(2).find(|pair| pair[0] == "which").map(|pair| pair[1].clone())?;
    let stem = stem(&asked);
    let is_called =
        |name: &str| named(name).split(' ').next_back().is_some_and(|word| self::stem(word) == stem);
    let texts = profiles.tables.iter().flat_map(|table| &table.columns).filter(|it| it.kind == Kind::Text);
    let is_group = texts.into_iter().any(|column| is_called(&column.name));
    let told = asks.iter().any(|it| it.ask.by().is_some());
    (is_group && !asks.is_empty() && !told).then(|| format!("which {asked}"))
}

/// "Which regions and categories earn most" is asked of regions and of categories, "How did the average price and the tax
/// develop" of both. The fewest words that make two questions of one kind are the things.
pub fn things(question: &str, profiles: &Profiles) -> Option<Vec<Question>> {
    let words: Vec<&str> = question.split_whitespace().collect();
    for joint in (1..words.len()).filter(|at| bare(words[*at]) == "and") {
        let (left, right) = (&words[..joint], &words[joint + 1..]);
        // "and how many" asks something of its own.
        if right.iter().any(|word| ASKING.contains(&bare(word).as_str())) {
            continue;
        }
        let firsts = (1..=LONGEST.min(right.len()))
            .filter_map(|taken| plain(&[left, &right[taken..]].concat().join(" "), profiles).ok());
        for first in firsts {
            let seconds = (1..=LONGEST.min(left.len())).filter_map(|taken| {
                plain(&[&left[..left.len() - taken], right].concat().join(" "), profiles).ok()
            });
            for second in seconds {
                if are_two(&first, &second) {
                    return Some(vec![first, second]);
                }
            }
        }
    }
    None
}

/// Whether two questions ask the same of two things.
fn are_two(one: &Question, other: &Question) -> bool {
    std::mem::discriminant(&one.ask) == std::mem::discriminant(&other.ask)
        && (one.ask.by() != other.ask.by()) != (one.ask.columns() != other.ask.columns())
}
