//! Times as a sentence names them, and whether a figure is about one: a year, months, a day, the whole of the data.

use std::ops::Range;

use baton_agents::rules::words::word_ranges;
use baton_figures::question::MONTHS;
use baton_figures::{Date, Period};

use super::Known;
use crate::report::facet::Shape;

/// A time that is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// A year.
    Year(i32),
    /// Whole months, from the first to the last, with their years where they are said.
    Months((Option<i32>, u32), (Option<i32>, u32)),
    /// A day.
    Day(Option<i32>, u32, u32),
    /// All of it.
    Whole,
}

impl When {
    /// Its first day, where its year is said.
    pub fn begins(self) -> Option<Date> {
        match self {
            Self::Year(year) => Date::of(year, 1, 1),
            Self::Months((year, month), _) => Date::of(year?, month, 1),
            Self::Day(year, month, day) => Date::of(year?, month, day),
            Self::Whole => None,
        }
    }
}

/// Numbers as words, from none on.
pub const COUNTS: &[&str] = &[
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];

/// A short time may be named by the longer one it lies in: a day by its year.
const SHORT: i32 = 7;

/// The times of a text, each with where it stands.
pub fn times(text: &str) -> Vec<(Range<usize>, When)> {
    let words: Vec<(Range<usize>, &str)> = word_ranges(text).map(|at| (at.clone(), &text[at])).collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        match one(&words[at..]) {
            Some((when, taken)) => {
                found.push((words[at].0.start..words[at + taken - 1].0.end, when));
                at += taken;
            }
            None => at += 1,
        }
    }
    found
}

/// The time that begins with the first of these words, and how many words it takes.
fn one(words: &[(Range<usize>, &str)]) -> Option<(When, usize)> {
    let word = |at: usize| words.get(at).map_or("", |(_, word)| *word);
    let lower = |at: usize| word(at).to_lowercase();
    let after = |at: usize| year(word(at));
    if let (Some(day), Some(month)) = (day(word(0)), month(word(1))) {
        return Some((When::Day(after(2), month, day), 2 + usize::from(after(2).is_some())));
    }
    if let Some(first) = month(word(0)) {
        if let (Some(day), None) = (day(word(1)), after(1)) {
            return Some((When::Day(after(2), first, day), 2 + usize::from(after(2).is_some())));
        }
        let own = after(1);
        let next = 1 + usize::from(own.is_some());
        if let (true, Some(last)) =
            (["to", "and", "until", "through"].contains(&word(next)), month(word(next + 1)))
        {
            let end = after(next + 2);
            let taken = next + 2 + usize::from(end.is_some());
            return Some((When::Months((own.or(end), first), (end.or(own), last)), taken));
        }
        return Some((When::Months((own, first), (own, first)), next));
    }
    if let Some(part) = part(&lower(0), &lower(1), &lower(2)) {
        let (from, to, taken) = part;
        let behind = taken + usize::from(word(taken) == "of");
        let own = after(behind);
        return Some((When::Months((own, from), (own, to)), if own.is_some() { behind + 1 } else { taken }));
    }
    if let Some(year) = year(word(0)) {
        return Some((When::Year(year), 1));
    }
    let whole = match (lower(0).as_str(), lower(1).as_str()) {
        ("both" | "all", "years") | ("whole" | "entire" | "full", "period") => true,
        (count, "years") => COUNTS.iter().skip(2).any(|it| *it == count),
        _ => false,
    };
    whole.then_some((When::Whole, 2))
}

/// A named part of a year: its months and how many words name it.
fn part(first: &str, second: &str, third: &str) -> Option<(u32, u32, usize)> {
    if let Some(quarter) =
        first.strip_prefix('q').and_then(|it| it.parse::<u32>().ok()).filter(|it| (1..=4).contains(it))
    {
        return Some((quarter * 3 - 2, quarter * 3, 1));
    }
    let place = ["first", "second", "third", "fourth"].iter().position(|it| *it == first);
    match (place, second) {
        (Some(place), "quarter") => u32::try_from(place).ok().map(|it| (it * 3 + 1, it * 3 + 3, 2)),
        (Some(0), "half") => Some((1, 6, 2)),
        (Some(1), "half") => Some((7, 12, 2)),
        _ if third == "months" && ["first", "last"].contains(&first) => {
            let named = COUNTS.iter().position(|it| *it == second).and_then(|it| u32::try_from(it).ok());
            let count = named.or_else(|| second.parse().ok()).filter(|it| (1..=12).contains(it))?;
            Some(if first == "first" { (1, count, 3) } else { (13 - count, 12, 3) })
        }
        _ => None,
    }
}

fn year(word: &str) -> Option<i32> {
    word.parse().ok().filter(|year| word.len() == 4 && (1900..2100).contains(year))
}

fn day(word: &str) -> Option<u32> {
    let digits = word.trim_end_matches(|letter: char| letter.is_ascii_lowercase());
    let ordinal = ["", "st", "nd", "rd", "th"].contains(&&word[digits.len()..]);
    digits.parse().ok().filter(|day| ordinal && digits.len() < 3 && (1..=31).contains(day))
}

/// "may" and "march" as verbs are not written with a capital.
fn month(word: &str) -> Option<u32> {
    let at = MONTHS.iter().position(|name| !name.is_empty() && *name == word)?;
    u32::try_from(at).ok()
}

impl When {
    /// Whether a figure is about this time; `alone` says that no other time is named with it.
    pub fn fits(self, known: &Known<'_>, alone: bool) -> bool {
        let compares = matches!(known.facet.shape, Shape::Change | Shape::Difference);
        let Some(last) = known.periods.last() else { return true };
        match self {
            // What changed from one year to the next changed in the later one.
            Self::Year(year) if compares && alone => last.to.parts().0 == year,
            Self::Year(year) if compares => known
                .periods
                .iter()
                .any(|period| (period.from.parts().0..=period.to.parts().0).contains(&year)),
            Self::Year(year) => known.periods.iter().any(|period| is_in(*period, year)),
            Self::Months(from, to) => known.periods.iter().any(|period| are(*period, from, to)),
            Self::Day(year, month, day) => known.dates.iter().any(|date| {
                let own = date.parts();
                year.is_none_or(|year| own.0 == year) && (own.1, own.2) == (month, day)
            }),
            Self::Whole => known.span.is_none_or(|span| {
                known.periods.iter().map(|period| period.days()).sum::<i32>() * 10 >= span.days() * 9
            }),
        }
    }
}

/// Whether a time is called by its year: it is all of it, or a few days.
fn is_in(period: Period, year: i32) -> bool {
    let (from, to) = (period.from.parts().0, period.to.parts().0);
    (from, to) == (year, year) && (period.days() > 300 || period.days() <= SHORT)
}

/// Whether a time is these months, a few days more or less; or, of one month, lies in it for the most part.
fn are(period: Period, from: (Option<i32>, u32), to: (Option<i32>, u32)) -> bool {
    let (first, last) = (period.from.parts(), period.to.parts());
    let is = |own: (i32, u32, u32), named: (Option<i32>, u32)| {
        own.1 == named.1 && named.0.is_none_or(|year| year == own.0)
    };
    if is(first, from) && is(last, to) && first.2 <= 12 && last.2 >= 19 {
        return true;
    }
    let middle = period.from.plus(period.days() / 2).parts();
    from == to && period.days() <= 31 && is(middle, from)
}
