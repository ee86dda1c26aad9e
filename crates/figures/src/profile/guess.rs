//! What a column is, guessed from some of its cells. A guess is a proposal: the pass over all rows confirms it or
//! brings the evidence against it.

use crate::cell::{self, Hint, day};
use crate::reading::{DateForm, Kind};

/// What is proposed for a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guess {
    /// What its cells are.
    pub kind: Kind,
    /// What stands before a fraction.
    pub decimal: char,
    /// What stands between thousands.
    pub thousands: Option<char>,
    /// How days are written.
    pub date: Option<DateForm>,
    /// Why, where it needs saying: a sentence without the column's name.
    pub reasons: Vec<String>,
    /// What its separators say.
    pub separators: Separators,
}

/// What the cells of a column say about separators.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Separators {
    /// Cells that can only have a point before the fraction.
    pub point: u64,
    /// Cells that can only have a comma before the fraction.
    pub comma: u64,
    /// Cells like `1,234`.
    pub either_comma: u64,
    /// Cells like `1.234`.
    pub either_point: u64,
    /// What was seen between thousands, in cells that leave no doubt.
    pub grouping: Option<char>,
    /// A cell that decided, and its row.
    pub witness: Option<(u64, String)>,
}

impl Separators {
    /// Takes a cell into account.
    pub fn see(&mut self, text: &str, row: u64) {
        let Some((hint, grouping)) = cell::hint(text) else { return };
        let count = match hint {
            Hint::None => None,
            Hint::Point => Some(&mut self.point),
            Hint::Comma => Some(&mut self.comma),
            Hint::EitherComma => Some(&mut self.either_comma),
            Hint::EitherPoint => Some(&mut self.either_point),
        };
        if let Some(count) = count {
            *count += 1;
        }
        self.grouping = self.grouping.or(grouping);
        if self.witness.is_none() && matches!(hint, Hint::Point | Hint::Comma) {
            self.witness = Some((row, text.trim().to_owned()));
        }
    }

    /// The separators these cells ask for. A table whose other columns write a comma decides what cannot be decided.
    #[must_use]
    pub fn decide(&self, comma_elsewhere: bool) -> (char, Option<char>) {
        let comma = if self.comma == self.point {
            comma_elsewhere && self.comma == 0
        } else {
            self.comma > self.point
        };
        let grouping = match self.grouping {
            Some(mark) if mark != if comma { ',' } else { '.' } => Some(mark),
            _ if comma && self.either_point > 0 => Some('.'),
            _ if !comma && self.either_comma > 0 => Some(','),
            _ => None,
        };
        (if comma { ',' } else { '.' }, grouping)
    }
}

/// Words in a name that speak of time.
const TIME_WORDS: [&str; 26] = [
    "date",
    "datum",
    "day",
    "tag",
    "time",
    "zeit",
    "month",
    "monat",
    "week",
    "woche",
    "period",
    "timestamp",
    "дата",
    "день",
    "месяц",
    "fecha",
    "jour",
    "mois",
    "quarter",
    "quartal",
    "created",
    "updated",
    "ordered",
    "shipped",
    "ds",
    "when",
];
const YEAR_WORDS: [&str; 7] = ["year", "jahr", "год", "yr", "annee", "ano", "season"];
const NAME_WORDS: [&str; 22] = [
    "id",
    "ids",
    "zip",
    "zipcode",
    "plz",
    "postcode",
    "postal",
    "code",
    "phone",
    "telefon",
    "isbn",
    "ean",
    "sku",
    "iban",
    "nr",
    "no",
    "uuid",
    "guid",
    "fips",
    "ticket",
    "ssn",
    "номер",
];

/// The words of a column's name, in lower case.
#[must_use]
pub fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for letter in name.chars() {
        let joint = before.is_lowercase() && letter.is_uppercase();
        if !letter.is_alphanumeric() || joint {
            words.push(String::new());
        }
        if letter.is_alphanumeric()
            && let Some(last) = words.last_mut()
        {
            last.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

pub(super) fn speaks_of(name: &str, list: &[&str]) -> bool {
    words(name).iter().any(|word| list.contains(&word.as_str()))
}

/// Whether a name says that numbers below it name things instead of counting them.
#[must_use]
pub fn names_things(name: &str) -> bool {
    speaks_of(name, &NAME_WORDS) && !speaks_of(name, &["count", "number", "total"])
}

/// Whether a name speaks of time.
#[must_use]
pub fn speaks_of_time(name: &str) -> bool {
    speaks_of(name, &TIME_WORDS) || speaks_of(name, &YEAR_WORDS)
}

/// Whether a column is a part of a date written beside it: its numbers say when a row is, and nothing can be summed up of them.
#[must_use]
pub fn is_part_of_date(name: &str) -> bool {
    let parts = [
        "year", "quarter", "month", "week", "weekday", "day", "hour", "jahr", "quartal", "monat", "woche",
        "tag",
    ];
    matches!(words(name).as_slice(), [only] if parts.contains(&only.as_str()))
}

/// Most of them: at most one in twenty may be odd.
fn most(count: usize, of: usize) -> bool {
    count > 0 && count * 20 >= of * 19
}

/// Proposes what a column is, from its name and some of its cells with their rows.
#[must_use]
pub fn guess(name: &str, cells: &[(u64, &str)]) -> Guess {
    // A total's label in a column of days or numbers says nothing about the others.
    let told = |text: &str| !cell::is_missing(text) && !cell::is_total(text);
    let filled: Vec<(u64, &str)> = cells.iter().filter(|(_, text)| told(text)).copied().collect();
    let all = filled.len();
    let mut separators = Separators::default();
    for (row, text) in &filled {
        separators.see(text, *row);
    }
    let (decimal, thousands) = separators.decide(false);
    let mut found =
        Guess { kind: Kind::Text, decimal, thousands, date: None, reasons: Vec::new(), separators };
    if all == 0 {
        found.kind = Kind::Empty;
        return found;
    }
    let count = |test: &dyn Fn(&str) -> bool| filled.iter().filter(|(_, text)| test(text)).count();
    if let Some(form) = date_form(name, &filled) {
        found.kind = Kind::Date;
        found.date = Some(form);
        return found;
    }
    let numbers = count(&|text| cell::hint(text).is_some());
    let zeros = filled.iter().find(|(_, text)| {
        cell::plain(text.trim().as_bytes(), b'.').is_some_and(|(_, s, zero)| zero && s == 0)
    });
    if let (Some((row, text)), true) = (zeros, most(numbers, all)) {
        found.reasons.push(format!(
            "{} (row {row}) begins with a zero, so these are names, not numbers, and are kept as they stand",
            text.trim()
        ));
        return found;
    }
    if most(numbers, all) {
        let fractions = count(&|text| text.contains(['.', ',', '%', '$', '€', '£', '(']));
        if names_things(name) && fractions == 0 {
            found
                .reasons
                .push("its name says that the numbers name things, so they are not added up".to_owned());
            return found;
        }
        found.kind = Kind::Number;
        return found;
    }
    if most(count(&|text| cell::truth(text).is_some()), all) {
        found.kind = Kind::Truth;
        return found;
    }
    if numbers * 2 >= all {
        let odd = filled.iter().find(|(_, text)| cell::hint(text).is_none());
        let example =
            odd.map_or_else(String::new, |(row, text)| format!(", such as \"{}\" in row {row}", short(text)));
        found.reasons.push(format!("it mixes numbers ({numbers} of {all} cells looked at) and words{example}, so it is read as words and nothing is computed from it"));
    }
    found
}

fn date_form(name: &str, filled: &[(u64, &str)]) -> Option<DateForm> {
    let all = filled.len();
    let count = |test: &dyn Fn(&str) -> bool| filled.iter().filter(|(_, text)| test(text)).count();
    let whole = |text: &str| {
        cell::plain(text.trim().as_bytes(), b'.').filter(|(_, scale, _)| *scale == 0).map(|(value, ..)| value)
    };
    let within = |low: i64, high: i64| {
        move |text: &str| whole(text).is_some_and(|value| (low..=high).contains(&value))
    };
    if most(count(&|text| day::year_first(text).is_some()), all) {
        return Some(DateForm::YearFirst);
    }
    if most(count(&|text| day::triple(text).is_some()), all) {
        return Some(triple_form(filled));
    }
    if most(count(&|text| day::quarter(text).is_some()), all) {
        return Some(DateForm::Quarter);
    }
    if most(count(&|text| day::named(text).is_some()), all) {
        return Some(DateForm::Named);
    }
    let timely = speaks_of_time(name);
    if most(count(&|text| day::compact(text).is_some()), all) && (timely || all >= 20) {
        return Some(DateForm::Compact);
    }
    if !timely {
        return None;
    }
    if speaks_of(name, &YEAR_WORDS) && most(count(&within(1500, 2200)), all) {
        return Some(DateForm::Year);
    }
    let serial =
        |text: &str| text.trim().parse::<f64>().is_ok_and(|value| (20_000.0..80_000.0).contains(&value));
    let by_date = speaks_of(name, &["date", "datum", "day", "tag", "дата", "день", "fecha", "jour"]);
    if by_date && most(count(&serial), all) {
        return Some(DateForm::Serial1900);
    }
    if most(count(&within(100_000_000, 4_000_000_000)), all) {
        return Some(DateForm::UnixSeconds);
    }
    most(count(&within(100_000_000_000, 4_000_000_000_000)), all).then_some(DateForm::UnixMilliseconds)
}

/// Day first unless a cell shows that it cannot be; a point between the numbers is always day first.
fn triple_form(filled: &[(u64, &str)]) -> DateForm {
    let (mut first, mut second, mut points) = (0, 0, 0);
    for (_, text) in filled {
        if let Some(triple) = day::triple(text) {
            first += usize::from(triple.parts[0] > 12);
            second += usize::from(triple.parts[1] > 12);
            points += usize::from(text.contains('.'));
        }
    }
    if second > first && points == 0 { DateForm::MonthFirst } else { DateForm::DayFirst }
}

/// A cell short enough to stand in a sentence.
#[must_use]
pub fn short(text: &str) -> String {
    let text = text.trim();
    if text.chars().count() <= 40 {
        text.to_owned()
    } else {
        format!("{}…", text.chars().take(39).collect::<String>())
    }
}

/// Unit in a column's name: `price (EUR)`, `weight [kg]`, `revenue_usd`, `share in %`.
#[must_use]
pub fn unit(header: &str) -> Option<String> {
    for (open, close) in [('(', ')'), ('[', ']')] {
        if let Some((_, rest)) = header.rsplit_once(open)
            && let Some((inner, _)) = rest.split_once(close)
        {
            let inner = inner.trim().trim_start_matches("in ");
            if !inner.is_empty() && inner.chars().count() <= 12 && !inner.chars().all(|c| c.is_ascii_digit())
            {
                return Some(normal_unit(inner));
            }
        }
    }
    if header.contains('%') {
        return Some("%".to_owned());
    }
    let words = words(header);
    let last = words.last()?;
    let known = [
        "kg",
        "g",
        "t",
        "km",
        "m",
        "cm",
        "mm",
        "mi",
        "miles",
        "lb",
        "lbs",
        "kwh",
        "mwh",
        "gwh",
        "mw",
        "gw",
        "hours",
        "minutes",
        "seconds",
        "days",
        "celsius",
        "fahrenheit",
        "liters",
        "litres",
        "ml",
        "mpg",
        "hp",
        "bytes",
        "mb",
        "gb",
        "ms",
        "pct",
        "percent",
        "percentage",
        "prozent",
        "stunden",
        "tage",
        "chf",
    ];
    if words.len() >= 2
        && (known.contains(&last.as_str()) || cell::currency(last).is_some() && last.len() == 3)
    {
        return Some(normal_unit(last));
    }
    matches!(last.as_str(), "percent" | "percentage" | "pct" | "prozent").then(|| "%".to_owned())
}

fn normal_unit(unit: &str) -> String {
    match unit.to_lowercase().as_str() {
        "pct" | "percent" | "percentage" | "prozent" | "%" => "%".to_owned(),
        _ => cell::currency(unit).map_or_else(|| unit.to_owned(), str::to_owned),
    }
}

#[cfg(test)]
mod tests;
