//! Days as they stand in cells.

use crate::date::Date;
use crate::reading::DateForm;

/// Three numbers that could be a day, before anybody decided which is which.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Triple {
    /// First, second and third number.
    pub parts: [u32; 3],
    /// Whether the third had only two digits.
    pub short_year: bool,
}

impl Triple {
    /// Day first or month first.
    #[must_use]
    pub fn day(self, form: DateForm) -> Option<Date> {
        let [first, second, year] = self.parts;
        let year = i32::try_from(year).ok()?;
        // A year of two digits turns over at 69, as POSIX has it.
        let year = if !self.short_year {
            year
        } else if year < 69 {
            2000 + year
        } else {
            1900 + year
        };
        match form {
            DateForm::DayFirst => Date::of(year, second, first),
            DateForm::MonthFirst => Date::of(year, first, second),
            _ => None,
        }
    }
}

/// `03/04/2025`, `3.4.25`, `03-04-2025`, with or without a time behind.
#[must_use]
pub fn triple(text: &str) -> Option<Triple> {
    let text = without_time(text.trim());
    let mark = text.chars().find(|c| !c.is_ascii_digit())?;
    if !matches!(mark, '/' | '.' | '-') {
        return None;
    }
    let mut parts = text.split(mark);
    let (first, second, third) = (parts.next()?, parts.next()?, parts.next()?);
    let fits = |part: &str| (1..=2).contains(&part.len());
    if parts.next().is_some() || !fits(first) || !fits(second) || !matches!(third.len(), 2 | 4) {
        return None;
    }
    let number = |part: &str| part.parse::<u32>().ok();
    let parts = [number(first)?, number(second)?, number(third)?];
    let possible =
        (1..=31).contains(&parts[0]) && (1..=31).contains(&parts[1]) && (parts[0] <= 12 || parts[1] <= 12);
    possible.then_some(Triple { parts, short_year: third.len() == 2 })
}

/// `2025-04-03`, `2025/4/3`, `2025.04.03`, `2025-04`, with or without a time behind.
#[must_use]
pub fn year_first(text: &str) -> Option<Date> {
    let text = without_time(text.trim());
    let year = text.get(..4)?;
    let mark = text.get(4..)?.chars().next()?;
    if !matches!(mark, '-' | '/' | '.') || !year.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let mut parts = text.get(5..)?.split(mark);
    let month = parts.next()?;
    let day = parts.next();
    let short = |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    if parts.next().is_some() || !short(month) || day.is_some_and(|day| !short(day)) {
        return None;
    }
    let day = day.map_or(Some(1), |day| day.parse().ok())?;
    Date::of(year.parse().ok()?, month.parse().ok()?, day)
}

/// What stands before `T12:30`, ` 12:30:00`.
fn without_time(text: &str) -> &str {
    let is_time = |rest: &str| {
        let bytes = rest.as_bytes();
        bytes.len() >= 3 && bytes[0].is_ascii_digit() && rest.contains(':')
    };
    match text.find(['T', ' ']) {
        Some(at) if text.get(at + 1..).is_some_and(is_time) => text.get(..at).unwrap_or(text),
        _ => text,
    }
}

/// Whether a time stands behind the day, and whether it says how far from Greenwich.
#[must_use]
pub fn time_behind(text: &str) -> (bool, bool) {
    let text = text.trim();
    let day = without_time(text);
    let rest = text.get(day.len()..).unwrap_or_default();
    let midnight =
        rest.trim_start_matches(['T', ' ']).bytes().all(|b| matches!(b, b'0' | b':' | b'.' | b'Z'));
    let offset = rest.ends_with('Z') || rest.get(1..).is_some_and(|rest| rest.contains(['+', '-']));
    (!rest.is_empty() && !midnight, offset && !rest.is_empty())
}

const MONTHS: [&[&str]; 12] = [
    &["jan", "январ", "янв", "jän"],
    &["feb", "феврал", "фев"],
    &["mar", "mär", "mrz", "март"],
    &["apr", "апрел", "апр"],
    &["may", "mai", "май", "мая", "мае"],
    &["jun", "июн"],
    &["jul", "июл"],
    &["aug", "август", "авг"],
    &["sep", "сентябр", "сен"],
    &["oct", "okt", "октябр", "окт"],
    &["nov", "ноябр", "ноя"],
    &["dec", "dez", "декабр", "дек"],
];

/// Letters a month's name may have after its first three.
const REST: [&str; 12] = [
    "uaryuarв",
    "ruaryuar",
    "chärzта",
    "ilля",
    "",
    "eniяья",
    "yiля",
    "ustа",
    "tembert",
    "oberя",
    "emberь",
    "emberзь",
];

/// The month a word names, in English, German or Russian.
#[must_use]
pub fn month(word: &str) -> Option<u32> {
    let word = word.trim_end_matches('.').to_lowercase();
    if word.chars().count() < 3 || word.chars().count() > 9 {
        return None;
    }
    let at = MONTHS.iter().position(|names| names.iter().any(|name| word.starts_with(name)))?;
    // "marketing" begins like March and is none.
    let stem = MONTHS[at].iter().filter(|name| word.starts_with(*name)).map(|name| name.len()).max()?;
    let tail = word.get(stem..)?;
    let cyrillic = tail.chars().all(|c| "аеёиьяюмхв".contains(c));
    let fits = tail.is_empty() || cyrillic || tail.chars().all(|c| REST[at].contains(c));
    fits.then(|| u32::try_from(at + 1).unwrap_or(1))
}

/// `3 April 2025`, `April 3, 2025`, `3-Apr-25`, `Apr 2025`.
#[must_use]
pub fn named(text: &str) -> Option<Date> {
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | '-' | '/'))
        .filter(|w| !w.is_empty())
        .collect();
    let year = |word: &str| {
        let short = word.len() == 2;
        let number: i32 = word.parse().ok()?;
        (short || word.len() == 4)
            .then(|| if short { 2000 + number - if number < 69 { 0 } else { 100 } } else { number })
    };
    let day = |word: &str| word.trim_end_matches(['.', 's', 't', 'n', 'd', 'r', 'h']).parse::<u32>().ok();
    match *words.as_slice() {
        [one, two] => Date::of(year(two).filter(|_| two.len() == 4)?, month(one)?, 1),
        [one, two, three] => match (month(one), month(two)) {
            (Some(month), _) => Date::of(year(three)?, month, day(two)?),
            (_, Some(month)) => Date::of(year(three)?, month, day(one)?),
            _ => None,
        },
        _ => None,
    }
}

/// `20250403`.
#[must_use]
pub fn compact(text: &str) -> Option<Date> {
    let text = text.trim();
    if text.len() != 8 || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let year: i32 = text.get(..4)?.parse().ok()?;
    let day = Date::of(year, text.get(4..6)?.parse().ok()?, text.get(6..)?.parse().ok()?);
    day.filter(|_| (1800..=2200).contains(&year))
}

/// `Q2 2025`, `2025-Q2`, `2025Q2`, `2 кв. 2025`.
#[must_use]
pub fn quarter(text: &str) -> Option<Date> {
    let text = text.trim().to_uppercase();
    let compact: String = text.chars().filter(|c| !matches!(c, ' ' | '-' | '/' | '_' | '.')).collect();
    let (quarter, year) = match (compact.strip_prefix('Q'), compact.split_once('Q')) {
        (Some(rest), _) => (rest.get(..1)?, rest.get(1..)?),
        (None, Some((year, quarter))) => (quarter, year),
        (None, None) => compact.split_once("КВ")?,
    };
    let (quarter, year): (u32, i32) = (quarter.parse().ok()?, year.parse().ok()?);
    ((1..=4).contains(&quarter) && (1000..=2999).contains(&year))
        .then(|| Date::of(year, quarter * 3 - 2, 1))?
}

/// A day by the rule of its column.
#[must_use]
pub fn read(text: &str, form: DateForm) -> Option<Date> {
    let text = text.trim();
    let number = || text.parse::<f64>().ok();
    match form {
        DateForm::YearFirst => year_first(text),
        DateForm::DayFirst | DateForm::MonthFirst => triple(text)?.day(form),
        DateForm::Named => named(text),
        DateForm::Compact => compact(text),
        DateForm::Year => year(text),
        DateForm::Quarter => quarter(text),
        DateForm::Serial1900 => serial(number()?, false),
        DateForm::Serial1904 => serial(number()?, true),
        DateForm::UnixSeconds => unix(number()?, 86_400.0),
        DateForm::UnixMilliseconds => unix(number()?, 86_400_000.0),
    }
}

/// `2025`.
#[must_use]
pub fn year(text: &str) -> Option<Date> {
    let text = text.trim().trim_end_matches(".0");
    let plausible = text.len() == 4 && text.bytes().all(|b| b.is_ascii_digit());
    plausible.then(|| Date::of(text.parse().ok()?, 1, 1))?
}

#[allow(clippy::cast_possible_truncation)] // bounded before the cast
fn unix(number: f64, per_day: f64) -> Option<Date> {
    let days = (number / per_day).floor();
    (days.abs() < 200_000.0).then(|| Date::from_days(days as i32))
}

/// A spreadsheet's day number. The 1900 system counts a 29 February 1900 that never was: its day 60 is no day.
#[must_use]
#[allow(clippy::cast_possible_truncation)] // bounded before the cast
pub fn serial(number: f64, since_1904: bool) -> Option<Date> {
    let days = number.floor();
    if !(0.0..200_000.0).contains(&days) {
        return None;
    }
    let days = days as i32;
    let base = if since_1904 {
        Date::of(1904, 1, 1)?
    } else if days > 60 {
        Date::of(1899, 12, 30)?
    } else if (1..60).contains(&days) {
        Date::of(1899, 12, 31)?
    } else {
        return None;
    };
    Some(base.plus(days))
}

#[cfg(test)]
mod tests;
