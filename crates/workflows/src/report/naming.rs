//! Names of columns, numbers and days as a reader sees them.

use baton_figures::question::MONTHS;
use baton_figures::{Decimal, Grain, Period};

/// Endings of column names that are units and not part of the name.
const UNITS: &[&str] = &[
    "eur", "usd", "gbp", "chf", "sek", "nok", "dkk", "rub", "jpy", "pct", "percent", "kg", "g", "km", "m",
    "cm", "mm", "kwh", "mwh", "gwh", "twh", "hours", "h", "sec", "s", "ms", "c", "celsius",
];
/// Units written before the number.
const BEFORE: &[&str] = &["EUR", "USD", "GBP", "CHF", "SEK", "NOK", "DKK", "RUB", "JPY", "$", "€", "£", "¥"];

/// `staff_cost_eur` is `staff cost`, `shops.town` is `town`, `shops.name` is `shop`.
#[must_use]
pub fn named(column: &str) -> String {
    let own = match column.rsplit_once('.') {
        // The names of shops are shops.
        Some((table, "name" | "title" | "label")) => table.strip_suffix('s').unwrap_or(table),
        Some((_, own)) => own,
        None => column,
    };
    let mut words: Vec<String> = Vec::new();
    for part in own.split(|letter: char| !letter.is_alphanumeric()) {
        words.extend(humps(part));
    }
    if words.len() > 1 && words.last().is_some_and(|last| UNITS.contains(&last.to_lowercase().as_str())) {
        words.pop();
    }
    let shown: Vec<String> = words
        .into_iter()
        .map(|word| {
            let is_acronym =
                word.len() > 1 && word.chars().all(|letter| letter.is_uppercase() || letter.is_numeric());
            if is_acronym { word } else { word.to_lowercase() }
        })
        .collect();
    if shown.is_empty() { own.to_owned() } else { shown.join(" ") }
}

/// `bodyMass` is two words.
fn humps(word: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before_lower = false;
    for letter in word.chars() {
        if words.is_empty() || (letter.is_uppercase() && before_lower) {
            words.push(String::new());
        }
        before_lower = letter.is_lowercase();
        if let Some(last) = words.last_mut() {
            last.push(letter);
        }
    }
    words
}

/// "average price"; what is called an average already is not called so twice.
#[must_use]
pub fn averaged(name: &str) -> String {
    if name.starts_with("average ") { name.to_owned() } else { format!("average {name}") }
}

/// With a capital first.
#[must_use]
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// A value with as many digits as a reader wants: whole from a thousand on, at most two places below.
#[must_use]
pub fn rounded(value: Decimal, unit: Option<&str>) -> Decimal {
    let size = value.abs().to_f64();
    let places = match unit {
        Some("%" | "percentage points") => 1,
        _ if size >= 1000.0 => 0,
        Some(unit) if BEFORE.contains(&unit) => 2,
        _ if size >= 100.0 => 1,
        _ if size >= 0.1 || size == 0.0 => 2,
        _ => 4,
    };
    // A share of 0.04 % is not 0.0 %.
    let places = if places == 1 && size < 0.1 && size > 0.0 { 3 } else { places };
    if value.places() <= places { value } else { value.rounded(places) }
}

/// `1,457,048`, `-0.5`.
#[must_use]
pub fn digits(value: Decimal) -> String {
    let text = value.to_string();
    let (sign, bare) = text.strip_prefix('-').map_or(("", text.as_str()), |bare| ("\u{2212}", bare));
    let (whole, fraction) = bare.split_once('.').map_or((bare, None), |(whole, rest)| (whole, Some(rest)));
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    match fraction {
        Some(fraction) => format!("{sign}{grouped}.{fraction}"),
        None => format!("{sign}{grouped}"),
    }
}

/// A number with its unit: `EUR 1,457,048`, `9.4 %`, `36.5 kg`.
#[must_use]
pub fn written(value: Decimal, unit: Option<&str>) -> String {
    let shown = cents(digits(rounded(value, unit)), unit);
    match unit.map(str::trim).filter(|unit| !unit.is_empty()) {
        None => shown,
        Some(unit) if BEFORE.contains(&unit) => format!("{unit} {shown}"),
        Some(unit) => format!("{shown} {unit}"),
    }
}

/// Money below a thousand shows both of its cents, or none.
fn cents(shown: String, unit: Option<&str>) -> String {
    let is_money = unit.is_some_and(|unit| BEFORE.contains(&unit.trim()));
    match shown.split_once('.') {
        Some((_, cents)) if is_money && cents.len() == 1 => format!("{shown}0"),
        _ => shown,
    }
}

/// A time as a reader names it: `2025`, `March 2025`, `Q2 2025`, `1 March 2025`, `March 2024 to May 2025`.
#[must_use]
pub fn period_name(period: Period) -> String {
    let (year, month, day) = period.from.parts();
    let name = |month: u32| MONTHS.get(month as usize).copied().unwrap_or_default();
    match period.grain() {
        Some(Grain::Year) => format!("{year}"),
        Some(Grain::Quarter) => format!("Q{} {year}", (month - 1) / 3 + 1),
        Some(Grain::Month) => format!("{} {year}", name(month)),
        Some(Grain::Day) => format!("{day} {} {year}", name(month)),
        Some(Grain::Week) => format!("the week of {day} {} {year}", name(month)),
        None => {
            let (last_year, last_month, last_day) = period.to.parts();
            if day == 1 && period.to.plus(1).parts().2 == 1 {
                // Whole months, or whole years.
                if month == 1 && last_month == 12 {
                    return format!("{year} to {last_year}");
                }
                if year == last_year {
                    return format!("{} to {} {year}", name(month), name(last_month));
                }
                return format!("{} {year} to {} {last_year}", name(month), name(last_month));
            }
            format!("{day} {} {year} to {last_day} {} {last_year}", name(month), name(last_month))
        }
    }
}

/// The thirds of a month, by the day each begins with.
pub const THIRDS: [(u32, &str); 3] = [(1, "early"), (11, "the middle of"), (21, "late")];

/// When something turned, no nearer than it is known: `about 3 March 2025`, `in early March 2025`, `between late February and
/// the middle of March 2025`.
#[must_use]
pub fn roughly(stretch: Period) -> String {
    if stretch.grain().is_some() {
        return format!("about {}", period_name(stretch));
    }
    let month = |month: u32| MONTHS.get(month as usize).copied().unwrap_or_default();
    let ((year, first, day), (last_year, last, last_day)) = (stretch.from.parts(), stretch.to.parts());
    let whole_months = day == 1 && stretch.to.plus(1).parts().2 == 1;
    if whole_months && (first, last) == (1, 12) {
        return format!("between {year} and {last_year}");
    }
    let third =
        |day: u32| THIRDS.iter().rev().find(|(begins, _)| day >= *begins).map_or("", |(_, name)| *name);
    let part = |name: &str, of: u32| {
        if whole_months { month(of).to_owned() } else { format!("{name} {}", month(of)) }
    };
    let (begins, ends) = (part(third(day), first), part(third(last_day), last));
    if year != last_year {
        return format!("between {begins} {year} and {ends} {last_year}");
    }
    match (begins == ends, first == last) {
        (true, _) => format!("in {begins} {year}"),
        (false, true) => format!("in {} {year}", month(first)),
        (false, false) => format!("between {begins} and {ends} {year}"),
    }
}

/// A day written as `2025-03-01`, as a reader names it; what is no day stays as it is.
#[must_use]
pub fn day_name(written: &str) -> String {
    let day: Option<baton_figures::Date> = written.parse().ok();
    day.map_or_else(|| written.to_owned(), |day| period_name(Period { from: day, to: day }))
}

/// The same behind a preposition: `in 2025`, `on 1 March 2025`, `from 2024 to 2025`.
#[must_use]
pub fn in_period(period: Period) -> String {
    let name = period_name(period);
    match period.grain() {
        Some(Grain::Day) => format!("on {name}"),
        Some(_) => format!("in {name}"),
        None => format!("from {name}"),
    }
}
