//! What a sentence names (groups, measures, times), its clauses, and which of the names each of its numbers stands with.

use std::ops::Range;

use baton_agents::rules::words::word_ranges;

use super::Known;
use super::times::{When, times};
use crate::report::numbers::{Found, numbers};
use crate::report::tell::group_name;
use baton_figures::Date;
use baton_figures::question::WEEKDAYS;

/// Something that is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A time.
    When(When),
    /// A value of a column.
    Group(String, String),
    /// What is measured.
    Measure(String),
}

/// Which kind of thing is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// Times.
    Time,
    /// Groups.
    Group,
    /// Measures.
    Measure,
}

/// A name and where it stands.
#[derive(Clone, Debug)]
pub struct Mention {
    /// Where.
    pub range: Range<usize>,
    /// What.
    pub what: What,
}

impl Mention {
    /// Its kind.
    pub fn of(&self) -> Of {
        match self.what {
            What::When(_) => Of::Time,
            What::Group(..) => Of::Group,
            What::Measure(_) => Of::Measure,
        }
    }

    /// Whether a figure is about it.
    pub fn fits(&self, known: &Known<'_>, alone: bool) -> bool {
        // A group or a measure that a figure compares with stands in its label.
        let has = |whole: &str, part: &str| whole.to_lowercase().contains(&part.to_lowercase());
        let labelled = |name: &str| {
            places(&known.figure.label, name).next().is_some()
                && !known.facet.groups.iter().any(|(_, own)| has(own, name))
        };
        match &self.what {
            What::When(when) => when.fits(known, alone),
            What::Group(_, value) => {
                known.facet.groups.iter().any(|(_, own)| own.eq_ignore_ascii_case(value)) || labelled(value)
            }
            What::Measure(name) => known.facet.measures.contains(name),
        }
    }

    /// Why a figure is not about it.
    pub fn misfit(&self, known: &Known<'_>) -> String {
        match &self.what {
            What::When(_) => format!("{} is about {}", known.figure.id, known.facet.times().join(" and ")),
            What::Group(column, value) => {
                format!("{} is not about {}", known.figure.id, group_name(column, value))
            }
            What::Measure(name) => format!("{} is not {name}", known.figure.id),
        }
    }
}

/// A sentence, taken apart.
pub struct Parsed<'t> {
    /// Its words.
    pub text: &'t str,
    /// Its clauses.
    pub clauses: Vec<Range<usize>>,
    /// What it names, in order.
    pub mentions: Vec<Mention>,
    /// Its numbers, without those that are part of a name.
    pub numbers: Vec<Found>,
    /// Everything that is measured, by name.
    measures: Vec<String>,
}

/// Words that begin another clause.
const JOINTS: &[&str] =
    &[" and ", " while ", " whereas ", " but ", " ahead of ", " followed by ", " versus ", " against "];
/// Words that tie what follows them to the number before them.
const TIES: &[&str] = &["of", "at", "in", "for", "from", "through", "by", "on", "a", "an", "per"];

/// Words of names that tell no column from another.
const COMMON: &[&str] =
    &["average", "mean", "median", "total", "number", "per", "for", "the", "and", "sold", "made"];

impl<'t> Parsed<'t> {
    /// Takes a sentence apart. `groups` and `measures` are all there are.
    pub fn new(text: &'t str, groups: &[(String, String)], measures: &[String]) -> Self {
        let mut mentions: Vec<Mention> =
            times(text).into_iter().map(|(range, when)| Mention { range, what: What::When(when) }).collect();
        let mut named: Vec<Mention> = Vec::new();
        for (column, value) in groups {
            let what = What::Group(column.clone(), value.clone());
            named.extend(places(text, value).map(|range| Mention { range, what: what.clone() }));
        }
        for name in measures {
            let what = What::Measure(name.clone());
            named.extend(places(text, name).map(|range| Mention { range, what: what.clone() }));
        }
        // The longest name wins where names overlap.
        named.sort_by_key(|mention| (std::cmp::Reverse(mention.range.len()), mention.range.start));
        for mention in named {
            let is_free = mentions.iter().all(|other| !overlap(&other.range, &mention.range));
            if is_free && !is_weekday_of(&mention, &mentions) {
                mentions.push(mention);
            }
        }
        mentions.sort_by_key(|mention| mention.range.start);
        let is_name = |range: &Range<usize>| mentions.iter().any(|mention| overlap(&mention.range, range));
        let numbers: Vec<Found> = numbers(text).into_iter().filter(|it| !is_name(&it.range)).collect();
        let clauses = cuts(text, &mentions);
        Self { text, clauses, mentions, numbers, measures: measures.to_vec() }
    }

    /// The clause a place lies in.
    pub fn clause_of(&self, at: usize) -> usize {
        self.clauses.iter().position(|clause| clause.contains(&at)).unwrap_or_default()
    }

    /// The names of a kind that a number stands with: those tied to it, those before it, those of the clauses before.
    pub fn with(&self, number: usize, of: Of) -> Vec<&Mention> {
        let Some(found) = self.numbers.get(number) else { return Vec::new() };
        if of == Of::Group
            && let Some(own) = self.paired(number)
        {
            return vec![own];
        }
        let clause_at = self.clause_of(found.range.start);
        let clause = &self.clauses[clause_at];
        let start = number
            .checked_sub(1)
            .map(|before| self.numbers[before].range.end)
            .map_or(clause.start, |end| end.max(clause.start));
        let end = self.numbers.get(number + 1).map_or(clause.end, |next| next.range.start.min(clause.end));
        let has_before = start > clause.start;
        let own_end = self.tied(found.range.end, end, of);
        let start = if has_before { self.tied(start, found.range.start, of) } else { start };
        let trailing = self.between(found.range.end, own_end, of);
        let leading = self.between(start, found.range.start, of);
        let first = self.numbers.iter().find(|it| clause.contains(&it.range.start));
        let opening = self.between(clause.start, first.map_or(clause.end, |it| it.range.start), of);
        let tries = if of == Of::Time { [trailing, leading, opening] } else { [leading, trailing, opening] };
        if let Some(own) = tries.into_iter().find(|own| !own.is_empty()) {
            return if of == Of::Measure { own.into_iter().rev().take(1).collect() } else { own };
        }
        self.before(clause_at, of)
    }

    /// "this and that had 1 and 2": the first number is the first one's.
    fn paired(&self, number: usize) -> Option<&Mention> {
        let is_list = |from: usize, to: usize, column: &str| {
            let words = self.text[from..to].split(|letter: char| !letter.is_alphanumeric());
            words.filter(|word| !word.is_empty()).all(|word| {
                let is_unit = word.len() == 3 && word.chars().all(|letter| letter.is_ascii_uppercase());
                word == "and" || is_unit || word.eq_ignore_ascii_case(column)
            })
        };
        let joined = |at: usize| is_list(self.numbers[at].range.end, self.numbers[at + 1].range.start, "");
        let first = (0..number).rev().take_while(|at| joined(*at)).last().unwrap_or(number);
        let last = (number..self.numbers.len().saturating_sub(1)).take_while(|at| joined(*at)).last();
        let count = last.map_or(number, |at| at + 1) - first + 1;
        let begins = self.numbers[first].range.start;
        let groups: Vec<&Mention> =
            self.mentions.iter().filter(|it| it.of() == Of::Group && it.range.end <= begins).collect();
        // "state NM and state WA"
        let alike = |pair: &[&Mention]| {
            let What::Group(column, _) = &pair[0].what else { return false };
            same_column(pair[0], pair[1]) && is_list(pair[0].range.end, pair[1].range.start, column)
        };
        let run = 1 + groups.windows(2).rev().take_while(|pair| alike(pair)).count();
        let own = groups.get(groups.len().checked_sub(count)?..)?;
        (count > 1 && run == count).then(|| own[number - first])
    }

    /// A word with a number that tells another measure from the one its figure is of: "away" where home goals are told.
    pub fn tells_another(&self, number: usize, known: &Known<'_>) -> Option<&str> {
        let clause = &self.clauses[self.clause_of(self.numbers.get(number)?.range.start)];
        let own = format!("{} {}", known.facet.measures.join(" "), known.figure.label).to_lowercase();
        let groups: Vec<String> = known.facet.groups.iter().map(|(_, value)| value.to_lowercase()).collect();
        let is_own = |word: &str| own.contains(word) || groups.iter().any(|group| group.contains(word));
        let others =
            || self.measures.iter().filter(|name| name.contains(' ')).flat_map(|name| name.split(' '));
        word_ranges(&self.text[clause.clone()])
            .map(|at| clause.start + at.start..clause.start + at.end)
            .filter(|at| !self.mentions.iter().any(|it| overlap(&it.range, at)))
            .map(|at| &self.text[at])
            .find(|word| {
                let lower = word.to_lowercase();
                // "average price" is told by its price: any column has an average.
                lower.len() > 2
                    && !COMMON.contains(&lower.as_str())
                    && !is_own(&lower)
                    && others().any(|other| other.to_lowercase() == lower)
            })
    }

    /// How far what stands behind a number belongs to it.
    fn tied(&self, from: usize, to: usize, of: Of) -> usize {
        if of == Of::Time {
            return to;
        }
        let gap = self.text[from..to].trim_start_matches([' ', '%', '\u{a0}']);
        let begins = to - gap.len();
        let next = gap.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
        let is_last = !self.numbers.iter().any(|it| it.range.start == to);
        // "1,890 orders" names what it counts.
        let is_counted = self.mentions.iter().any(|it| it.of() == of && it.range.start == begins);
        if is_last || is_counted || TIES.contains(&next) { to } else { from }
    }

    fn between(&self, from: usize, to: usize, of: Of) -> Vec<&Mention> {
        self.mentions
            .iter()
            .filter(|it| it.of() == of && it.range.start >= from && it.range.start < to)
            .collect()
    }

    /// What the nearest clause before this one names: its times as far as no number has taken them, its first group of each
    /// column, its first measure.
    fn before(&self, clause: usize, of: Of) -> Vec<&Mention> {
        let words = &self.text[self.clauses[clause].clone()];
        // "this than that: 1 against 2" gives the second number to the second thing.
        let second = [" against ", " versus "].iter().any(|joint| words.starts_with(joint));
        for clause in self.clauses[..clause].iter().rev() {
            let first = self.numbers.iter().find(|it| clause.contains(&it.range.start));
            let end = match (of, first) {
                (Of::Time, Some(first)) => first.range.start,
                _ => clause.end,
            };
            let named = self.between(clause.start, end, of);
            match of {
                Of::Time if !named.is_empty() => return named,
                Of::Measure | Of::Group if second && named.len() > 1 => return vec![named[1]],
                Of::Measure if !named.is_empty() => return named.into_iter().take(1).collect(),
                Of::Group if !named.is_empty() => {
                    let mut firsts: Vec<&Mention> = Vec::new();
                    for mention in named {
                        if !firsts.iter().any(|it| same_column(it, mention)) {
                            firsts.push(mention);
                        }
                    }
                    return firsts;
                }
                _ => {}
            }
        }
        Vec::new()
    }

    /// What a clause names itself, or takes over from those before it.
    pub fn about(&self, clause: usize) -> Vec<&Mention> {
        let range = &self.clauses[clause];
        let mut all: Vec<&Mention> = Vec::new();
        for of in [Of::Time, Of::Group, Of::Measure] {
            let own = self.between(range.start, range.end, of);
            all.extend(if own.is_empty() { self.before(clause, of) } else { own });
        }
        all
    }

    /// The last thing of two kinds that is named before a place, and the first behind another: "profits of this were higher
    /// than profits of that" names what is measured twice and holds this against that.
    pub fn around(&self, before: usize, behind: usize) -> Option<(&Mention, &Mention)> {
        let things = || self.mentions.iter().filter(|it| it.of() != Of::Time);
        let subjects = |object: &Mention| {
            let of_kind = object.of();
            things().filter(move |it: &&Mention| it.range.end <= before && it.of() == of_kind)
        };
        let is_repeated = |object: &&Mention| subjects(object).any(|it| it.what == object.what);
        let objects = || things().filter(|it| it.range.start >= behind);
        let with_subject = |object| Some((subjects(object).rfind(|it| it.what != object.what)?, object));
        let found = objects().filter(|it| !is_repeated(it)).find_map(with_subject);
        found.or_else(|| objects().find_map(with_subject))
    }
}

/// Whether two groups are of one column.
fn same_column(left: &Mention, right: &Mention) -> bool {
    matches!((&left.what, &right.what), (What::Group(a, _), What::Group(b, _)) if a == b)
}

/// A weekday beside a day that is one: it says nothing more.
fn is_weekday_of(mention: &Mention, times: &[Mention]) -> bool {
    let What::Group(_, value) = &mention.what else { return false };
    times.iter().any(|time| {
        let What::When(When::Day(Some(year), month, day)) = time.what else { return false };
        let near = time.range.start.saturating_sub(mention.range.end) <= 2;
        let own = Date::of(year, month, day).map(|date| date.weekday() as usize);
        near && own.and_then(|at| WEEKDAYS.get(at)).is_some_and(|name| name.eq_ignore_ascii_case(value))
    })
}

fn overlap(left: &Range<usize>, right: &Range<usize>) -> bool {
    left.start < right.end && right.start < left.end
}

/// Letters up to which a name in capitals is a code: "IN" is a state, "in" is not.
const CODE: usize = 3;

/// Whether a name is a code.
pub fn is_code(name: &str) -> bool {
    name.chars().count() <= CODE && name.chars().all(char::is_uppercase)
}

/// Where a name stands as words of its own, in either number.
fn places<'t>(text: &'t str, name: &str) -> impl Iterator<Item = Range<usize>> + 't {
    let code = is_code(name).then(|| name.to_owned());
    // A name may be written with spaces where the data have underscores.
    let lower = text.to_lowercase().replace('_', " ");
    let is_same = lower.len() == text.len();
    let one = name.to_lowercase().replace('_', " ");
    let one = if one.len() > 3 { one.strip_suffix('s').unwrap_or(&one).to_owned() } else { one };
    let found: Vec<Range<usize>> = lower
        .match_indices(&one)
        .filter_map(|(at, _)| {
            let edge = |letter: Option<char>| letter.is_none_or(|it| !it.is_alphanumeric());
            let rest = &lower[at + one.len()..];
            let behind = rest.strip_prefix('s').unwrap_or(rest);
            let end = lower.len() - behind.len();
            (edge(lower[..at].chars().next_back()) && edge(behind.chars().next())).then_some(at..end)
        })
        .collect();
    let is_written = move |at: &Range<usize>| code.as_ref().is_none_or(|code| text[at.clone()] == **code);
    found.into_iter().filter(move |_| is_same).filter(is_written)
}

/// Where the clauses stand: cut where another subject can begin, and never inside a name.
fn cuts(text: &str, mentions: &[Mention]) -> Vec<Range<usize>> {
    let mut places: Vec<usize> = Vec::new();
    for (at, letter) in text.char_indices() {
        let next = text[at + letter.len_utf8()..].chars().next();
        if matches!(letter, ',' | ';' | ':' | '(' | '\u{2014}') && !next.is_some_and(|it| it.is_ascii_digit())
        {
            places.push(at);
        }
    }
    for joint in JOINTS {
        places.extend(text.match_indices(joint).map(|(at, _)| at));
    }
    places.retain(|at| !mentions.iter().any(|it| it.range.contains(at)));
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

#[cfg(test)]
mod tests;
