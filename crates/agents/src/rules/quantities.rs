//! Numbers with their units, brought to one measure per dimension so that they can be compared.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// What a number measures; values of one dimension are in one unit.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Dimension {
    /// Bytes.
    Bytes,
    /// Seconds.
    Time,
    /// Percent.
    Percent,
    /// Metres.
    Length,
    /// Grams.
    Mass,
    /// Degrees Celsius.
    Temperature,
    /// Money in a currency.
    Money(&'static str),
    /// A count of things, by the stem of their name; empty when nothing is named.
    Count(String),
}

/// A number found in a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// In the unit of its dimension.
    pub value: f64,
    /// What it measures.
    pub dimension: Dimension,
    /// Where it stands.
    pub range: Range<usize>,
}

const UNITS: &[(&str, Dimension, f64)] = &[
    ("bytes|byte|b", Dimension::Bytes, 1.0),
    ("kilobytes|kilobyte|kb", Dimension::Bytes, 1e3),
    ("megabytes|megabyte|mb", Dimension::Bytes, 1e6),
    ("gigabytes|gigabyte|gb", Dimension::Bytes, 1e9),
    ("terabytes|terabyte|tb", Dimension::Bytes, 1e12),
    ("kib|kibibytes", Dimension::Bytes, 1024.0),
    ("mib|mebibytes", Dimension::Bytes, 1_048_576.0),
    ("gib|gibibytes", Dimension::Bytes, 1_073_741_824.0),
    ("tib|tebibytes", Dimension::Bytes, 1_099_511_627_776.0),
    ("milliseconds|millisecond|msecs|ms", Dimension::Time, 1e-3),
    ("microseconds|us|µs", Dimension::Time, 1e-6),
    ("seconds|second|secs|sec|s", Dimension::Time, 1.0),
    ("minutes|minute|mins|min", Dimension::Time, 60.0),
    ("hours|hour|hrs|h", Dimension::Time, 3600.0),
    ("days|day|d", Dimension::Time, 86_400.0),
    ("weeks|week", Dimension::Time, 604_800.0),
    ("months|month", Dimension::Time, 2_629_746.0),
    ("years|year", Dimension::Time, 31_556_952.0),
    ("percent|per cent|%", Dimension::Percent, 1.0),
    ("kilometres|kilometers|kilometre|kilometer|km", Dimension::Length, 1e3),
    ("metres|meters|metre|meter|m", Dimension::Length, 1.0),
    ("centimetres|centimeters|cm", Dimension::Length, 1e-2),
    ("millimetres|millimeters|mm", Dimension::Length, 1e-3),
    ("miles|mile", Dimension::Length, 1609.344),
    ("feet|foot|ft", Dimension::Length, 0.3048),
    ("kilograms|kilogram|kg", Dimension::Mass, 1e3),
    ("grams|gram|g", Dimension::Mass, 1.0),
    ("milligrams|mg", Dimension::Mass, 1e-3),
    ("tonnes|tonne|tons", Dimension::Mass, 1e6),
    ("°c|degrees celsius", Dimension::Temperature, 1.0),
    ("dollars|usd|us dollars", Dimension::Money("USD"), 1.0),
    ("euros|euro|eur", Dimension::Money("EUR"), 1.0),
    ("pounds sterling|gbp", Dimension::Money("GBP"), 1.0),
];

const SMALL: &[&str] = &[
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: &[&str] = &["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const SCALES: &[(&str, f64)] =
    &[("hundred", 1e2), ("thousand", 1e3), ("million", 1e6), ("billion", 1e9), ("trillion", 1e12)];

static NUMBER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = [SMALL, TENS].concat().join("|");
    Regex::new(&format!(
        r"(?i)(?P<money>[$€£]\s?)?(?:(?P<digits>-?\b\d{{1,3}}(?:[,\u{{202f}}\u{{a0}}]\d{{3}})+(?:\.\d+)?|-?\b\d+(?:\.\d+)?)|\b(?P<word>{words})(?:[ -](?P<unitword>{words}))?\b)(?:\s?(?P<scale>hundred|thousand|million|billion|trillion|bn|k)\b)?"
    ))
    .ok()
});

/// All numbers of a text, in order. Numbers inside names (`utf8`, `v2.4.1`, dates) are left out.
#[must_use]
pub fn quantities(text: &str) -> Vec<Quantity> {
    let Some(regex) = NUMBER.as_ref() else { return Vec::new() };
    let dates = super::dates::dates(text);
    let mut found = Vec::new();
    for capture in regex.captures_iter(text) {
        let Some(whole) = capture.get(0) else { continue };
        if dates.iter().any(|date| date.range.start <= whole.start() && whole.end() <= date.range.end)
            || is_part_of_name(text, whole.range())
        {
            continue;
        }
        let base = match (capture.name("digits"), capture.name("word")) {
            (Some(digits), _) => digits.as_str().replace([',', '\u{202f}', '\u{a0}'], "").parse().ok(),
            (None, Some(word)) => {
                Some(spelled(word.as_str()) + capture.name("unitword").map_or(0.0, |w| spelled(w.as_str())))
            }
            _ => None,
        };
        let Some(base) = base else { continue };
        let value = base * capture.name("scale").map_or(1.0, |scale| scale_of(scale.as_str()));
        found.push(with_unit(text, value, whole.range(), capture.name("money").map(|m| m.as_str().trim())));
    }
    found
}

fn spelled(word: &str) -> f64 {
    let word = word.to_lowercase();
    let small = SMALL.iter().position(|w| *w == word).map(|n| n as f64);
    small.or_else(|| TENS.iter().position(|w| *w == word).map(|n| (n as f64 + 2.0) * 10.0)).unwrap_or(0.0)
}

fn scale_of(word: &str) -> f64 {
    match word.to_lowercase().as_str() {
        "k" => 1e3,
        "bn" => 1e9,
        word => SCALES.iter().find(|(name, _)| *name == word).map_or(1.0, |(_, factor)| *factor),
    }
}

fn is_part_of_name(text: &str, range: Range<usize>) -> bool {
    let before = text[..range.start].chars().next_back();
    let mut after = text[range.end..].chars();
    let (next, second) = (after.next(), after.next());
    before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '.' || c == '/')
        || next.is_some_and(|c| c == '_' || c == '/')
        || (next == Some('.') && second.is_some_and(char::is_numeric))
}

/// Reads the unit after a number; without one, the noun after it says what is counted.
fn with_unit(text: &str, value: f64, range: Range<usize>, money: Option<&str>) -> Quantity {
    if let Some(sign) = money {
        let currency = match sign {
            "€" => "EUR",
            "£" => "GBP",
            _ => "USD",
        };
        return Quantity { value, dimension: Dimension::Money(currency), range };
    }
    let after = &text[range.end..];
    let unit_text = after.trim_start_matches([' ', '-', '\u{a0}', '\n']);
    let near = after.len() - unit_text.len() <= 2;
    if near && let Some((dimension, factor, len)) = unit(unit_text) {
        let end = text.len() - unit_text.len() + len;
        return Quantity { value: value * factor, dimension, range: range.start..end };
    }
    let noun = if near { counted(unit_text) } else { String::new() };
    Quantity { value, dimension: Dimension::Count(noun), range }
}

fn unit(text: &str) -> Option<(Dimension, f64, usize)> {
    let lower = text[..text.floor_char_boundary(24)].to_lowercase();
    for (names, dimension, factor) in UNITS {
        for name in names.split('|') {
            let whole = lower
                .strip_prefix(name)
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
            if whole {
                return Some((dimension.clone(), *factor, name.len()));
            }
        }
    }
    None
}

/// The stem of the first meaningful noun after a number: "2000 columns", "five open connections".
fn counted(text: &str) -> String {
    let clause = text.split(['.', ',', ';', ':', '(', ')', '\n']).next().unwrap_or_default();
    let words: Vec<String> =
        super::words::word_ranges(clause).take(3).map(|r| super::words::fold(&clause[r])).collect();
    let noun = words
        .iter()
        .take_while(|word| !super::words::is_stop(word))
        .find(|word| word.ends_with('s') && word.len() > 3);
    noun.map(|word| super::words::stem(word)).unwrap_or_default()
}
