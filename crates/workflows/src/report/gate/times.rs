//! Times as a sentence names them, and whether a figure is about one: a year, months, a day, the whole of the data.

use std::ops::Range;

use baton_agents::rules::words::word_ranges;
use baton_figures::question::MONTHS;
use baton_figures::{Date, Period};

use super::Known;
use crate::report::facet::Shape;
use crate::report::naming::THIRDS;

/// A time that is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// A year.
    Year(i32),
    /// From one year to another.
    Years(i32, i32),
    /// Whole months, from the first to the last, with their years where they are said.
    Months((Option<i32>, u32), (Option<i32>, u32)),
    /// Parts of months, from one day to another, with their year where it is said.
    Parts(Option<i32>, (u32, u32), (u32, u32)),
    /// A day.
    Day(Option<i32>, u32, u32),
    /// All of it.
    Whole,
}

impl When {
    /// Its first day, where its year is said.
    pub fn begins(self) -> Option<Date> {
        match self {
            Self::Year(year) | Self::Years(year, _) => Date::of(year, 1, 1),
            Self::Months((year, month), _) => Date::of(year?, month, 1),
            Self::Day(year, month, day) | Self::Parts(year, (month, day), _) => Date::of(year?, month, day),
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
    if let Some(found) = rough(words) {
        return Some(found);
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
    if let (true, Some(first), "and", Some(last)) =
        (lower(0) == "between", after(1), lower(2).as_str(), after(3))
    {
        return Some((When::Years(first, last), 4));
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

/// The third of a month that begins with the first of these words: its month, its days, how many words name it.
fn third(words: &[(Range<usize>, &str)]) -> Option<(u32, (u32, u32), usize)> {
    let said = words.iter().take(4).map(|(_, word)| word.to_lowercase()).collect::<Vec<_>>().join(" ");
    let names = [("early ", 0), ("mid ", 1), ("the middle of ", 1), ("late ", 2)];
    let (name, at) = names.iter().find(|(name, _)| said.starts_with(name))?;
    let taken = name.split_whitespace().count();
    let month = month(words.get(taken)?.1)?;
    let days = (THIRDS.get(*at)?.0, THIRDS.get(at + 1).map_or(31, |(next, _)| next - 1));
    Some((month, days, taken + 1))
}

/// "early March 2025", "late February and the middle of March 2025".
fn rough(words: &[(Range<usize>, &str)]) -> Option<(When, usize)> {
    let word = |at: usize| words.get(at).map_or("", |(_, word)| *word);
    let (first, (from, to), taken) = third(words)?;
    let own = year(word(taken));
    let next = taken + usize::from(own.is_some());
    let joined = ["to", "and", "or"].contains(&word(next));
    if let Some((last, (_, end), more)) = words.get(next + 1..).filter(|_| joined).and_then(third) {
        let behind = next + 1 + more;
        let ends = year(word(behind));
        // Across the turn of a year the first part alone can be placed.
        let same = own.is_none() || ends.is_none() || own == ends;
        let to = if same { (last, end) } else { (12, 31) };
        let when = When::Parts(own.or(ends), (first, from), to);
        return Some((when, behind + usize::from(ends.is_some())));
    }
    Some((When::Parts(own, (first, from), (first, to)), next))
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
            // Of two that are named each is an end: a year between them is not what it changed to.
            Self::Year(year) if compares => known
                .periods
                .iter()
                .any(|period| [period.from, period.to].iter().any(|end| end.parts().0 == year)),
            Self::Year(year) => known.periods.iter().any(|period| is_in(*period, year)),
            Self::Years(first, last) => {
                let year = |date: Date| date.parts().0;
                let reaches = |period: &Period| (year(period.from), year(period.to)) == (first, last);
                let ends = known.periods.first().zip(known.periods.last());
                let apart = ends.is_some_and(|(from, to)| (year(from.from), year(to.to)) == (first, last));
                compares && apart
                    || known.periods.iter().any(reaches)
                    || known.turn.is_some_and(|turn| reaches(&turn))
            }
            // Of each year the same month: a season.
            Self::Months((None, month), to) if (None, month) == to && is_slot(known, month) => true,
            Self::Months(from, to) => {
                known.periods.iter().any(|period| are(*period, from, to))
                    || known.turn.is_some_and(|turn| covers(turn, from.0, (from.1, 1), (to.1, 31)))
            }
            Self::Parts(year, from, to) => {
                let short = known.periods.iter().copied().filter(|period| period.days() <= SHORT);
                known.turn.into_iter().chain(short).any(|period| covers(period, year, from, to))
            }
            Self::Day(year, month, day) => {
                let is = |date: &Date| {
                    let own = date.parts();
                    year.is_none_or(|year| own.0 == year) && (own.1, own.2) == (month, day)
                };
                // About a day in the stretch in which it turned.
                let turned = known.turn.is_some_and(|turn| covers_day(turn, year, month, day));
                turned || known.dates.iter().any(is)
            }
            Self::Whole => known.span.is_none_or(|span| {
                known.periods.iter().map(|period| period.days()).sum::<i32>() * 10 >= span.days() * 9
            }),
        }
    }
}

/// Whether a figure is that of a month of every year.
fn is_slot(known: &Known<'_>, month: u32) -> bool {
    let name = MONTHS.get(month as usize).copied().unwrap_or_default();
    known.facet.groups.iter().any(|(_, value)| value == name)
}

/// Whether days that are named, of a year that may be, are most of a stretch.
fn covers(stretch: Period, year: Option<i32>, from: (u32, u32), to: (u32, u32)) -> bool {
    let is_named = |day: &Date| {
        let (own, month, day) = day.parts();
        year.is_none_or(|year| year == own) && (from..=to).contains(&(month, day))
    };
    let days = (0..stretch.days()).map(|at| stretch.from.plus(at)).filter(is_named).count();
    i32::try_from(days * 2).unwrap_or(i32::MAX) >= stretch.days()
}

fn covers_day(stretch: Period, year: Option<i32>, month: u32, day: u32) -> bool {
    let years = stretch.from.parts().0..=stretch.to.parts().0;
    let dates = years.filter(|own| year.is_none_or(|year| year == *own));
    dates.filter_map(|year| Date::of(year, month, day)).any(|date| stretch.holds(date))
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
