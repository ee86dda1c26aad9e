//! Which time a sentence speaks of.

use super::mentions::Token;
use crate::cell::day::month;
use crate::date::{Date, Grain, Period};

/// Times in a sentence.
#[derive(Debug, Clone, Default)]
pub struct When {
    /// Periods that are named, in order.
    pub periods: Vec<Period>,
    /// Whether two of them are the ends of one.
    pub range: bool,
    /// From this day on.
    pub since: Option<Date>,
    /// Up to this day.
    pub until: Option<Date>,
    /// Months without a year.
    pub months: Vec<u32>,
    /// Weekdays, Monday 0.
    pub weekdays: Vec<u32>,
    /// Places in the sentence.
    pub places: Vec<usize>,
}

const WEEKDAYS: [&[&str]; 7] = [
    &["monday", "mondays", "montag", "montags", "понедельник", "понедельникам"],
    &["tuesday", "tuesdays", "dienstag", "dienstags", "вторник", "вторникам"],
    &["wednesday", "wednesdays", "mittwoch", "mittwochs", "среда", "средам", "среду"],
    &["thursday", "thursdays", "donnerstag", "donnerstags", "четверг", "четвергам"],
    &["friday", "fridays", "freitag", "freitags", "пятница", "пятницам", "пятницу"],
    &["saturday", "saturdays", "samstag", "samstags", "суббота", "субботам", "субботу"],
    &["sunday", "sundays", "sonntag", "sonntags", "воскресенье", "воскресеньям"],
];

fn year(word: &str) -> Option<i32> {
    let plausible = word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit());
    plausible.then(|| word.parse().ok()).flatten().filter(|year| (1500..2200).contains(year))
}

fn quarter(word: &str) -> Option<u32> {
    word.strip_prefix('q').and_then(|number| number.parse().ok()).filter(|number| (1..=4).contains(number))
}

/// Finds times. Numbers that belong to a comparison ("above 2000") are left to it.
#[must_use]
pub fn when(tokens: &[Token], compared: &[usize]) -> When {
    let mut found = When::default();
    let word = |at: usize| tokens.get(at).map(|token| token.word.as_str()).unwrap_or_default();
    let mut at = 0;
    while at < tokens.len() {
        let start = at;
        let period;
        if compared.contains(&at) {
            at += 1;
            continue;
        }
        if let Ok(day) = word(at).parse::<Date>() {
            period = Some(Period { from: day, to: day });
            at += 1;
        } else if let (Some(number), Some(of)) = (quarter(word(at)), year(word(at + 1))) {
            period = Date::of(of, number * 3 - 2, 1).map(|day| Grain::Quarter.period(day));
            at += 2;
        } else if let Some(number) = month(word(at)).filter(|_| {
            !["mai", "may", "mar", "art"].contains(&word(at))
                || year(word(at + 1)).is_some()
                || is_written_large(tokens, at)
        }) {
            let day = |at: usize| {
                word(at)
                    .trim_end_matches(['s', 't', 'n', 'd', 'r', 'h'])
                    .parse::<u32>()
                    .ok()
                    .filter(|day| *day <= 31)
            };
            if let (Some(of_month), Some(of)) = (day(at + 1), year(word(at + 2))) {
                period = Date::of(of, number, of_month).map(|day| Period { from: day, to: day });
                at += 3;
            } else if let Some(of) = year(word(at + 1)) {
                let before = at.checked_sub(1).and_then(day).filter(|_| !found.places.contains(&(at - 1)));
                period = match before {
                    Some(of_month) => Date::of(of, number, of_month).map(|day| Period { from: day, to: day }),
                    None => Date::of(of, number, 1).map(|day| Grain::Month.period(day)),
                };
                if before.is_some() {
                    found.places.push(at - 1);
                }
                at += 2;
            } else {
                found.months.push(number);
                found.places.push(at);
                at += 1;
                continue;
            }
        } else if let Some(of) = year(word(at)) {
            period = Date::of(of, 1, 1).map(|day| Grain::Year.period(day));
            at += 1;
        } else if let Some(day) = WEEKDAYS.iter().position(|names| names.contains(&word(at))) {
            found.weekdays.push(u32::try_from(day).unwrap_or(0));
            found.places.push(at);
            at += 1;
            continue;
        } else {
            at += 1;
            continue;
        }
        let Some(period) = period else { continue };
        found.places.extend(start..at);
        let before = start.checked_sub(1).map(word).unwrap_or_default();
        match before {
            "since" | "seit" => found.since = Some(period.from),
            "с" if !tokens.iter().skip(at).any(|token| token.word == "по" || token.word == "до") => {
                found.since = Some(period.from);
            }
            "after" | "nach" | "после" => found.since = Some(period.to.plus(1)),
            "before" | "vor" => found.until = Some(period.from.plus(-1)),
            "until" | "bis" if found.periods.is_empty() => found.until = Some(period.to),
            _ => found.periods.push(period),
        }
    }
    let joined = |at: usize| matches!(word(at), "and" | "to" | "until" | "und" | "bis" | "и" | "по" | "до");
    let opened = tokens
        .iter()
        .any(|token| matches!(token.word.as_str(), "between" | "from" | "zwischen" | "von" | "между" | "с"));
    found.range = found.periods.len() == 2 && opened && tokens.iter().enumerate().any(|(at, _)| joined(at));
    found
}

fn is_written_large(tokens: &[Token], at: usize) -> bool {
    at > 0 && tokens.get(at).is_some_and(|token| token.written.starts_with(char::is_uppercase))
}
