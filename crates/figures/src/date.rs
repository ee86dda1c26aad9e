//! Days and periods of the proleptic Gregorian calendar. No clock and no time zone: what a table says is taken as it
//! stands.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A day, counted from 1 January 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(i32);

impl Date {
    /// The day of this year, month and day; none when there is no such day.
    #[must_use]
    pub fn of(year: i32, month: u32, day: u32) -> Option<Self> {
        let possible = (1..=9999).contains(&year) && (1..=12).contains(&month) && day >= 1;
        (possible && day <= days_in_month(year, month)).then(|| Self(days_from_civil(year, month, day)))
    }

    /// So many days after 1 January 1970.
    #[must_use]
    pub fn from_days(days: i32) -> Self {
        Self(days)
    }

    /// Days since 1 January 1970.
    #[must_use]
    pub fn days(self) -> i32 {
        self.0
    }

    /// Year, month from 1, day from 1.
    #[must_use]
    pub fn parts(self) -> (i32, u32, u32) {
        civil_from_days(self.0)
    }

    /// The day so many days later.
    #[must_use]
    pub fn plus(self, days: i32) -> Self {
        Self(self.0.saturating_add(days))
    }

    /// The same day so many months later, or the last of a shorter month.
    #[must_use]
    pub fn plus_months(self, months: i32) -> Self {
        let (year, month, day) = self.parts();
        let index = year * 12 + i32::try_from(month).unwrap_or(1) - 1 + months;
        let (year, month) = (index.div_euclid(12), index.rem_euclid(12).unsigned_abs() + 1);
        Self(days_from_civil(year, month, day.min(days_in_month(year, month))))
    }

    /// Monday is 0.
    #[must_use]
    pub fn weekday(self) -> u32 {
        (self.0 + 3).rem_euclid(7).unsigned_abs()
    }
}

fn days_in_month(year: i32, month: u32) -> u32 {
    let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

// Both after Howard Hinnant's calendar algorithms: years begin in March, so that the leap day is the last.
fn days_from_civil(year: i32, month: u32, day: u32) -> i32 {
    let year = year - i32::from(month <= 2);
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let month = i32::try_from(month).unwrap_or(1);
    let of_year =
        (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + i32::try_from(day).unwrap_or(1) - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

fn civil_from_days(days: i32) -> (i32, u32, u32) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = (of_year - (153 * shifted + 2) / 5 + 1).unsigned_abs();
    let month = (if shifted < 10 { shifted + 3 } else { shifted - 9 }).unsigned_abs();
    (year + era * 400 + i32::from(month <= 2), month, day)
}

impl fmt::Display for Date {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.parts();
        write!(out, "{year:04}-{month:02}-{day:02}")
    }
}

/// A text is no day written as `2025-04-03`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is no day written as 2025-04-03")]
pub struct NotDate(pub String);

impl FromStr for Date {
    type Err = NotDate;

    fn from_str(text: &str) -> Result<Self, NotDate> {
        iso(text).ok_or_else(|| NotDate(text.to_owned()))
    }
}

fn iso(text: &str) -> Option<Date> {
    let mut parts = text.split('-').map(|part| part.parse::<u32>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    if parts.next().is_some() { None } else { Date::of(i32::try_from(year).ok()?, month, day) }
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl schemars::JsonSchema for Date {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Date".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "format": "date" })
    }
}

/// How long a period of a series is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Grain {
    /// One day.
    Day,
    /// Monday to Sunday.
    Week,
    /// A calendar month.
    Month,
    /// A calendar quarter.
    Quarter,
    /// A calendar year.
    Year,
}

impl Grain {
    /// As a noun.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::Year => "year",
        }
    }

    /// The period of this length that holds a day.
    #[must_use]
    pub fn period(self, day: Date) -> Period {
        let (year, month, _) = day.parts();
        let from = match self {
            Self::Day => Some(day),
            Self::Week => Some(day.plus(-i32::try_from(day.weekday()).unwrap_or(0))),
            Self::Month => Date::of(year, month, 1),
            Self::Quarter => Date::of(year, (month - 1) / 3 * 3 + 1, 1),
            Self::Year => Date::of(year, 1, 1),
        }
        .unwrap_or(day);
        Period { from, to: self.after(from).plus(-1) }
    }

    /// The first day of the period after the one that begins on this day.
    #[must_use]
    pub fn after(self, first: Date) -> Date {
        match self {
            Self::Day => first.plus(1),
            Self::Week => first.plus(7),
            Self::Month => first.plus_months(1),
            Self::Quarter => first.plus_months(3),
            Self::Year => first.plus_months(12),
        }
    }
}

/// Days from one to another, both included.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
pub struct Period {
    /// The first day.
    pub from: Date,
    /// The last day.
    pub to: Date,
}

impl Period {
    /// Whether a day is in it.
    #[must_use]
    pub fn holds(self, day: Date) -> bool {
        self.from <= day && day <= self.to
    }

    /// The calendar length it has, if it is exactly one.
    #[must_use]
    pub fn grain(self) -> Option<Grain> {
        [Grain::Day, Grain::Week, Grain::Month, Grain::Quarter, Grain::Year]
            .into_iter()
            .find(|grain| grain.period(self.from) == self)
    }

    /// How many days.
    #[must_use]
    pub fn days(self) -> i32 {
        self.to.days() - self.from.days() + 1
    }
}

impl fmt::Display for Period {
    /// `2025`, `Q2 2025`, `2025-04`, `2025-04-03`, or `2025-04-03 to 2025-05-17`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, _) = self.from.parts();
        match self.grain() {
            Some(Grain::Year) => write!(out, "{year}"),
            Some(Grain::Quarter) => write!(out, "Q{} {year}", (month - 1) / 3 + 1),
            Some(Grain::Month) => write!(out, "{year:04}-{month:02}"),
            Some(Grain::Day) => write!(out, "{}", self.from),
            Some(Grain::Week) => write!(out, "week of {}", self.from),
            None => write!(out, "{} to {}", self.from, self.to),
        }
    }
}

#[cfg(test)]
mod tests;
