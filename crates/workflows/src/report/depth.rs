//! How deep a report goes, told from the query: structure before keywords.

use baton_agents::rules::words::{fold, word_ranges};
use serde::{Deserialize, Serialize};

/// The two modes of the seed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Depth {
    /// The usual.
    #[default]
    Standard,
    /// With charts analysed, a story and an editor.
    DeepDive,
}

impl Depth {
    /// As session.json writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::DeepDive => "deep_dive",
        }
    }

    /// The one with this name; the levels of earlier programs are the nearest of the two.
    #[must_use]
    pub fn named(text: &str) -> Option<Self> {
        match text.trim().to_lowercase().replace(['-', ' '], "_").as_str() {
            "standard" | "executive" => Some(Self::Standard),
            "deep_dive" | "deep" | "comprehensive" | "detailed" => Some(Self::DeepDive),
            _ => None,
        }
    }

    /// Tasks of a kind for one scope item.
    #[must_use]
    pub fn tasks_per_scope(self) -> usize {
        match self {
            Self::Standard => 2,
            Self::DeepDive => 4,
        }
    }

    /// How often the tasks may be added to.
    #[must_use]
    pub fn max_iterations(self) -> u32 {
        match self {
            Self::Standard => 2,
            Self::DeepDive => 4,
        }
    }
}

/// What in a query asks for a deep dive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// `## 1.`, `## 2.`
    NumberedSections,
    /// `6-8 charts`
    ChartCount,
    /// `┌─`, `│`, `└─`
    Tables,
    /// More than a thousand letters with headings, lists or tables.
    LongAndStructured,
    /// `comprehensive`, `detailed`, `deep`
    Keyword,
}

impl Trigger {
    /// Whether it is told from the structure, which no keyword outweighs.
    #[must_use]
    pub fn is_structural(self) -> bool {
        self != Self::Keyword
    }

    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::NumberedSections => "the query has numbered sections",
            Self::ChartCount => "the query says how many charts",
            Self::Tables => "the query holds a table",
            Self::LongAndStructured => "the query is long and structured",
            Self::Keyword => "the query asks for depth by name",
        }
    }
}

const DEEP: &[&str] = &["comprehensive", "detailed", "deep"];
const SHORT: &[&str] = &["executive", "brief", "short", "quick"];
/// A query this long is long.
const LONG: usize = 1000;

/// How deep a query wants to go, and what says so.
#[must_use]
pub fn depth_of(query: &str) -> (Depth, Vec<Trigger>) {
    let found = triggers(query);
    let says = |words: &[&str]| word_ranges(query).any(|at| words.contains(&fold(&query[at]).as_str()));
    let structural = found.iter().any(|trigger| trigger.is_structural());
    let deep = structural || (found.contains(&Trigger::Keyword) && !says(SHORT));
    (if deep { Depth::DeepDive } else { Depth::Standard }, found)
}

/// Everything in a query that asks for a deep dive.
#[must_use]
pub fn triggers(query: &str) -> Vec<Trigger> {
    let says = |words: &[&str]| word_ranges(query).any(|at| words.contains(&fold(&query[at]).as_str()));
    let mut found = Vec::new();
    let mut put = |trigger: Trigger, holds: bool| {
        if holds {
            found.push(trigger);
        }
    };
    put(Trigger::NumberedSections, query.lines().any(|line| numbered_heading(line).is_some()));
    put(Trigger::ChartCount, chart_count(query).is_some());
    put(Trigger::Tables, has_table(query));
    put(Trigger::LongAndStructured, query.chars().count() > LONG && is_structured(query));
    put(Trigger::Keyword, says(DEEP));
    found
}

/// `2` and the title of a line like `## 2. Title`.
#[must_use]
pub fn numbered_heading(line: &str) -> Option<(u32, &str)> {
    let rest = line.trim_start();
    let marks = rest.bytes().take_while(|byte| *byte == b'#').count();
    if !(1..=6).contains(&marks) {
        return None;
    }
    let rest = rest[marks..].trim_start();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let number = rest[..digits].parse().ok()?;
    let title = rest[digits..].strip_prefix(['.', ')'])?;
    Some((number, title.trim()))
}

/// The charts a query asks for, least and most: `6-8 charts`, `six charts`, `6-8 графиков`.
#[must_use]
pub fn chart_count(query: &str) -> Option<(usize, usize)> {
    let spaced: String = query.chars().map(|c| if matches!(c, '–' | '—' | '−') { '-' } else { c }).collect();
    let words: Vec<String> = spaced
        .split(|c: char| !(c.is_alphanumeric() || c == '-'))
        .filter(|word| !word.is_empty())
        .map(fold)
        .collect();
    for (at, word) in words.iter().enumerate() {
        if !is_chart(word) {
            continue;
        }
        // `6-8 charts`, `6 to 8 charts`, `6 line charts`
        for back in 1..=2 {
            let Some(before) = at.checked_sub(back).and_then(|before| words.get(before)) else { break };
            if let Some((low, high)) = range(before) {
                let from = (low == high)
                    .then(|| {
                        let joint = words.get(at.checked_sub(back + 1)?)?;
                        matches!(joint.as_str(), "to" | "до" | "or").then_some(())?;
                        number(words.get(at.checked_sub(back + 2)?)?)
                    })
                    .flatten();
                let low = from.filter(|from| *from <= high).unwrap_or(low);
                return (high > 0 && high <= 100).then_some((low.max(1), high));
            }
            if back == 1 && !before.chars().all(char::is_alphabetic) {
                break;
            }
        }
    }
    None
}

fn is_chart(word: &str) -> bool {
    const ENGLISH: &[&str] =
        &["chart", "charts", "graph", "graphs", "plot", "plots", "diagram", "diagrams", "graphics"];
    ENGLISH.contains(&word) || word.starts_with("график") || word.starts_with("диаграмм")
}

fn range(word: &str) -> Option<(usize, usize)> {
    match word.split_once('-') {
        Some((low, high)) => {
            let (low, high) = (number(low)?, number(high)?);
            (low <= high).then_some((low, high))
        }
        None => number(word).map(|one| (one, one)),
    }
}

fn number(word: &str) -> Option<usize> {
    const NAMES: [&str; 12] =
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    let named = || NAMES.iter().position(|name| *name == word).map(|at| at + 1);
    // A year is no count.
    word.parse().ok().filter(|count| *count <= 100).or_else(named)
}

/// A corner or two lines of a drawn table, or the rule of a Markdown one. A lone bar may stand in prose.
fn has_table(query: &str) -> bool {
    let drawn = |letter: char| ('\u{2500}'..='\u{257f}').contains(&letter);
    let corner = |letter: char| "┌┐└┘├┤┬┴┼╔╗╚╝".contains(letter);
    if query.chars().any(corner) || query.chars().filter(|letter| drawn(*letter)).count() >= 2 {
        return true;
    }
    query.lines().any(|line| {
        let line = line.trim();
        line.contains('|')
            && line.contains("---")
            && line.chars().all(|letter| matches!(letter, '|' | '-' | ':' | ' '))
    })
}

/// Headings, lists or tables.
fn is_structured(query: &str) -> bool {
    let structured = |line: &str| {
        let line = line.trim_start();
        let listed = line.split_once([' ', '\t']).is_some_and(|(mark, _)| {
            matches!(mark, "-" | "*" | "+" | "•")
                || mark.strip_suffix(['.', ')']).is_some_and(|digits| {
                    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
                })
        });
        listed || (line.starts_with('#') && line.trim_start_matches('#').starts_with(' '))
    };
    query.lines().any(structured) || has_table(query)
}
