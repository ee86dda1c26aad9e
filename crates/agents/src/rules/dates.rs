//! Dates written in a text, to the day, the month or the year.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// A date as far as it is given. Orders by time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct Date {
    /// Year.
    pub year: i32,
    /// Month from 1, 0 when not given.
    pub month: u32,
    /// Day from 1, 0 when not given.
    pub day: u32,
}

/// A date and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dated {
    /// The date.
    pub date: Date,
    /// Where.
    pub range: Range<usize>,
}

const MONTHS: &str = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec";

static DATE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let month = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?";
    Regex::new(&format!(
        r"(?i)\b(?P<y1>\d{{4}})-(?P<m1>\d{{2}})(?:-(?P<d1>\d{{2}}))?\b|\b(?P<d2>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<m2>{month}),? (?P<y2>\d{{4}})\b|\b(?P<m3>{month}) (?P<d3>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y3>\d{{4}})\b|\b(?P<m4>{month}),? (?P<y4>\d{{4}})\b|\b(?:in|since|until|from|by|of|year|after|before|during|\() ?(?P<y5>(?:1[89]|20)\d{{2}})\b"
    ))
    .ok()
});

/// All dates of a text, in order.
#[must_use]
pub fn dates(text: &str) -> Vec<Dated> {
    let Some(regex) = DATE.as_ref() else { return Vec::new() };
    let mut found = Vec::new();
    for capture in regex.captures_iter(text) {
        let first = |names: &[&str]| names.iter().find_map(|name| capture.name(name));
        let Some(year) = first(&["y1", "y2", "y3", "y4", "y5"]) else { continue };
        let month = first(&["m1", "m2", "m3", "m4"]).map_or(Some(0), |m| month_number(m.as_str()));
        let day = first(&["d1", "d2", "d3"]).map_or(Some(0), |d| d.as_str().parse().ok());
        let (Ok(number), Some(month), Some(day)) = (year.as_str().parse(), month, day) else { continue };
        if month > 12 || day > 31 {
            continue;
        }
        let whole = capture.get(0).map_or(year.range(), |m| m.range());
        let range = if capture.name("y5").is_some() { year.range() } else { whole };
        found.push(Dated { date: Date { year: number, month, day }, range });
    }
    found
}

/// Reads one date, such as the date of a document.
#[must_use]
pub fn parse(text: &str) -> Option<Date> {
    dates(text).first().map(|dated| dated.date).or_else(|| {
        let year = text.trim().parse().ok().filter(|year| (1000..3000).contains(year))?;
        Some(Date { year, month: 0, day: 0 })
    })
}

fn month_number(text: &str) -> Option<u32> {
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    let start = text.get(..3)?.to_lowercase();
    MONTHS.split('|').position(|month| month == start).and_then(|at| u32::try_from(at + 1).ok())
}

impl Date {
    /// The first day it can mean, written out.
    #[must_use]
    pub fn first_day(self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month.max(1), self.day.max(1))
    }

    /// The last day it can mean, written out.
    #[must_use]
    pub fn last_day(self) -> String {
        let month = if self.month == 0 { 12 } else { self.month };
        let day = if self.day == 0 { days_of(self.year, month) } else { self.day };
        format!("{:04}-{month:02}-{day:02}", self.year)
    }

    /// Days since 1970-01-01, taking the middle of what is not given.
    #[must_use]
    pub fn days(self) -> i64 {
        let month = if self.month == 0 { 7 } else { i64::from(self.month) };
        let day = if self.day == 0 { 15 } else { i64::from(self.day) };
        // Civil-from-days arithmetic with March as the first month, so leap days fall at the end.
        let year = i64::from(self.year) - i64::from(month <= 2);
        let era = year.div_euclid(400);
        let of_era = year - era * 400;
        let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
    }
}

/// How many days a month has.
#[must_use]
pub fn days_of(year: i32, month: u32) -> u32 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl std::fmt::Display for Date {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.month, self.day) {
            (0, _) => write!(out, "{:04}", self.year),
            (month, 0) => write!(out, "{:04}-{month:02}", self.year),
            (month, day) => write!(out, "{:04}-{month:02}-{day:02}", self.year),
        }
    }
}
