//! What a clause of a sentence names: groups and times. A number must be of the groups and the time that stand nearest to it.

use std::ops::Range;

use baton_figures::question::MONTHS;

use super::super::tell::group_name;
use super::Known;

/// A clause and what it names.
pub struct Clause {
    /// Where it stands.
    pub range: Range<usize>,
    /// The groups it names; those of the clause before it where it names none.
    groups: Vec<(String, String)>,
    /// The years it names, in the same way.
    years: Vec<i32>,
    /// The months it names.
    months: Vec<u32>,
}

impl Clause {
    /// Its words.
    pub fn words<'t>(&self, text: &'t str) -> &'t str {
        &text[self.range.clone()]
    }

    /// Why a figure cannot be meant here.
    pub fn misfit(&self, known: &Known<'_>) -> Option<String> {
        let facet = &known.facet;
        for (column, value) in &self.groups {
            let has = facet.groups.iter().any(|(_, own)| own.eq_ignore_ascii_case(value));
            // A group that a figure compares with stands in its label.
            let label = known.figure.label.to_lowercase();
            if !has && !label.contains(&value.to_lowercase()) {
                return Some(format!("{} is not about {}", known.figure.id, group_name(column, value)));
            }
        }
        let years = facet.years();
        if !years.is_empty() && self.years.iter().any(|year| !years.contains(year)) {
            return Some(format!("{} is about {}", known.figure.id, facet.times().join(" and ")));
        }
        let covers = |month: &u32| {
            facet.periods.iter().any(|period| {
                let (from, to) = (period.from.parts(), period.to.parts());
                to.0 > from.0 || (from.1..=to.1).contains(month)
            })
        };
        if !facet.periods.is_empty() && !self.months.iter().all(covers) {
            return Some(format!("{} is about {}", known.figure.id, facet.times().join(" and ")));
        }
        // A month was named and the figure is about longer: that is another number.
        let is_long = facet.periods.iter().all(|period| period.days() > 100);
        if !self.months.is_empty() && !facet.periods.is_empty() && is_long {
            return Some(format!("{} is about {}", known.figure.id, facet.times().join(" and ")));
        }
        None
    }
}

/// The clauses of a sentence, cut where another subject can begin.
pub fn clauses(text: &str, groups: &[(String, String)], figures: &[Known<'_>]) -> Vec<Clause> {
    let mut known: Vec<(String, String)> = figures.iter().flat_map(|it| it.facet.groups.clone()).collect();
    known.extend(groups.iter().cloned());
    let mut found: Vec<Clause> = Vec::new();
    for range in cuts(text) {
        let words = &text[range.clone()];
        let mut named: Vec<(String, String)> = Vec::new();
        for (column, value) in &known {
            if stands(words, value) && !named.iter().any(|(_, other)| other.eq_ignore_ascii_case(value)) {
                named.push((column.clone(), value.clone()));
            }
        }
        let (years, months) = (years(words), months(words));
        let before = found.last();
        let groups =
            if named.is_empty() { before.map(|it| it.groups.clone()).unwrap_or_default() } else { named };
        let (years, months) = match (years.is_empty() && months.is_empty(), before) {
            (true, Some(before)) => (before.years.clone(), before.months.clone()),
            _ => (years, months),
        };
        found.push(Clause { range, groups, years, months });
    }
    found
}

/// Words that begin another clause.
const JOINTS: &[&str] =
    &[" and ", " while ", " whereas ", " but ", " ahead of ", " followed by ", " versus ", " against "];

/// Where the clauses stand.
fn cuts(text: &str) -> Vec<Range<usize>> {
    let mut places: Vec<usize> = Vec::new();
    for (at, letter) in text.char_indices() {
        let next = text[at + letter.len_utf8()..].chars().next();
        if matches!(letter, ',' | ';' | ':' | '(' | '\u{2014}')
            && next != Some(' ').filter(|_| false)
            && !next.is_some_and(|it| it.is_ascii_digit())
        {
            places.push(at);
        }
    }
    for joint in JOINTS {
        places.extend(text.match_indices(joint).map(|(at, _)| at));
    }
    places.push(text.len());
    places.sort_unstable();
    places.dedup();
    let mut start = 0;
    let mut ranges = Vec::new();
    for place in places {
        if text[start..place].chars().any(char::is_alphanumeric) {
            ranges.push(start..place);
            start = place;
        }
    }
    ranges
}

/// Whether a value stands in a text as words of its own.
fn stands(text: &str, value: &str) -> bool {
    let (text, value) = (text.to_lowercase(), value.to_lowercase());
    text.match_indices(&value).any(|(at, _)| {
        let edge = |letter: Option<char>| letter.is_none_or(|it| !it.is_alphanumeric());
        let behind = text[at + value.len()..].trim_start_matches('s').chars().next();
        edge(text[..at].chars().next_back()) && edge(behind)
    })
}

fn years(text: &str) -> Vec<i32> {
    let word = |word: &str| (word.len() == 4).then(|| word.parse().ok()).flatten();
    let found = text.split(|letter: char| !letter.is_ascii_alphanumeric()).filter_map(word);
    found.filter(|year| (1900..2100).contains(year)).collect()
}

fn months(text: &str) -> Vec<u32> {
    let mut found = Vec::new();
    for word in text.split(|letter: char| !letter.is_alphabetic()) {
        // "may" and "march" as verbs are not written with a capital.
        if let Some(at) = MONTHS.iter().position(|name| !name.is_empty() && *name == word) {
            found.extend(u32::try_from(at));
        }
    }
    found
}
