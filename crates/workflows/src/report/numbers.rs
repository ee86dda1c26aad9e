//! Numbers as they are written in a text, and whether one is a figure's value.

use std::ops::Range;

use baton_figures::{Decimal, Figure};

use super::naming::rounded;

/// A number in a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Where it stands, without its unit.
    pub range: Range<usize>,
    /// Its value, with "million" counted in.
    pub value: Decimal,
    /// Digits behind the point, less those that "million" moves it.
    pub places: i32,
    /// What stands directly before or behind it as a unit, in lower case.
    pub unit: Option<String>,
}

/// Words that multiply the number before them, by powers of ten.
const POWERS: &[(&str, u32)] = &[
    ("thousand", 3),
    ("k", 3),
    ("million", 6),
    ("millions", 6),
    ("m", 6),
    ("mn", 6),
    ("billion", 9),
    ("bn", 9),
    ("trillion", 12),
];

/// The numbers of a text, in order. A hyphen between digits parts numbers; letters that cling to digits make a name.
#[must_use]
pub fn numbers(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    let mut at = 0;
    while at < letters.len() {
        let (start, letter) = letters[at];
        let before = at.checked_sub(1).map(|before| letters[before].1);
        if !letter.is_ascii_digit() || before.is_some_and(|it| it.is_alphanumeric() || it == '_') {
            at += 1;
            continue;
        }
        let mut digits = String::new();
        let mut places: Option<i32> = None;
        let mut end = at;
        while let Some((_, letter)) = letters.get(end) {
            let next = letters.get(end + 1).is_some_and(|(_, next)| next.is_ascii_digit());
            match letter {
                digit if digit.is_ascii_digit() => {
                    digits.push(*digit);
                    places = places.map(|count| count + 1);
                }
                ',' if next && places.is_none() && groups_of_three(&letters, end) => {}
                '.' if next && places.is_none() => {
                    digits.push('.');
                    places = Some(0);
                }
                _ => break,
            }
            end += 1;
        }
        let clings = letters.get(end).is_some_and(|(_, next)| next.is_alphabetic() || *next == '_');
        let stop = letters.get(end).map_or(text.len(), |(place, _)| *place);
        let ordinal = ["st", "nd", "rd", "th"].iter().any(|it| text[stop..].starts_with(it));
        if clings && !ordinal && !is_power(&text[stop..]) {
            at = end.max(at + 1);
            continue;
        }
        let negative = matches!(before, Some('-' | '\u{2212}'))
            && !at.checked_sub(2).is_some_and(|it| letters[it].1.is_alphanumeric());
        if let Ok(mut value) = digits.parse::<Decimal>() {
            let (power, behind) = power(&text[stop..]);
            if power > 0 {
                value = value.times(Decimal::new(10_i128.pow(power), 0)).unwrap_or(value);
            }
            if negative {
                value = value.negated();
            }
            found.push(Found {
                range: start..stop,
                value,
                places: places.unwrap_or(0) - i32::try_from(power).unwrap_or(0),
                unit: unit(text, start, stop + behind),
            });
        }
        at = end.max(at + 1);
    }
    found
}

/// Whether three digits and no fourth follow a comma.
fn groups_of_three(letters: &[(usize, char)], comma: usize) -> bool {
    let digit = |at: usize| letters.get(at).is_some_and(|(_, letter)| letter.is_ascii_digit());
    digit(comma + 1) && digit(comma + 2) && digit(comma + 3) && !digit(comma + 4)
}

fn is_power(rest: &str) -> bool {
    power(rest).0 > 0
}

/// The power of ten that a word behind a number says, and how many bytes it takes.
fn power(rest: &str) -> (u32, usize) {
    let gap = rest.len() - rest.trim_start_matches([' ', '\u{a0}', '\u{202f}']).len();
    let word: String = rest[gap..].chars().take_while(|letter| letter.is_alphabetic()).collect();
    // A bare letter counts only where it clings: "5 m" may be metres.
    let known = POWERS.iter().find(|(name, _)| {
        let lower = word.to_lowercase();
        *name == lower && (word.len() > 2 || (gap == 0 && word.len() < 3) || lower == "mn" || lower == "bn")
    });
    known.map_or((0, 0), |(name, power)| (*power, gap + name.len()))
}

/// The unit of a number: a sign or a code before it, or a sign or words behind it.
fn unit(text: &str, start: usize, stop: usize) -> Option<String> {
    let before = text[..start].trim_end_matches(['-', '\u{2212}']).trim_end_matches([' ', '\u{a0}']);
    if let Some(sign) = before.chars().next_back().filter(|letter| "€$£¥".contains(*letter)) {
        return Some(sign.to_string());
    }
    let code: String = before.chars().rev().take_while(char::is_ascii_uppercase).collect();
    if code.len() == 3 && !text[..start].ends_with('\n') {
        return Some(code.chars().rev().collect::<String>().to_lowercase());
    }
    let behind = text[stop..].trim_start_matches([' ', '\u{a0}', '\u{202f}']);
    if behind.starts_with('%') {
        return Some("%".to_owned());
    }
    let word: String =
        behind.chars().take_while(|letter| letter.is_alphabetic() || "€$£¥".contains(*letter)).collect();
    match word.to_lowercase().as_str() {
        "" => None,
        "percentage" | "pp" => Some("percentage points".to_owned()),
        "percent" | "per" if behind.starts_with("percent") || behind.starts_with("per cent") => {
            Some("%".to_owned())
        }
        other => Some(other.to_owned()),
    }
}

/// Names of one unit.
const SAME: &[&[&str]] = &[
    &["eur", "€", "euro", "euros"],
    &["usd", "$", "dollar", "dollars"],
    &["gbp", "£", "pound", "pounds"],
    &["jpy", "¥", "yen"],
    &["%", "percent"],
    &["percentage points", "pp"],
    &["kg", "kilogram", "kilograms", "kilos"],
    &["g", "gram", "grams"],
    &["km", "kilometre", "kilometres", "kilometer", "kilometers"],
    &["m", "metre", "metres", "meter", "meters"],
    &["mm", "millimetre", "millimetres", "millimeter", "millimeters"],
    &["hours", "h", "hour"],
    &["days", "day"],
];

fn same_unit(left: &str, right: &str) -> bool {
    left == right || SAME.iter().any(|names| names.contains(&left) && names.contains(&right))
}

/// Whether a word is a unit somebody might write.
fn is_unit(word: &str) -> bool {
    SAME.iter().any(|names| names.contains(&word))
}

impl Found {
    /// Whether a unit is written with it.
    #[must_use]
    pub fn has_unit(&self) -> bool {
        self.unit.as_deref().is_some_and(is_unit)
    }

    /// Whether it is a figure's value: the same at the digits that are written, and in no other unit.
    #[must_use]
    pub fn is(&self, figure: &Figure) -> bool {
        self.shows(figure) && self.fits_unit(figure.unit.as_deref())
    }

    /// The same, its unit aside. 39.038 % is shown as 39 %, and may be written as it is shown.
    #[must_use]
    pub fn shows(&self, figure: &Figure) -> bool {
        let shown = rounded(figure.value, figure.unit.as_deref());
        self.has_value(figure.value) || shown.abs() == self.value.abs()
    }

    /// The same number, its sign aside, at the digits that are written.
    #[must_use]
    pub fn has_value(&self, value: Decimal) -> bool {
        let (own, other) = (self.value.abs(), value.abs());
        if own == other {
            return true;
        }
        match u32::try_from(self.places) {
            // A number without digits behind the point is rounded only from a hundred on, or where nothing is lost.
            Ok(places) => other.rounded(places) == own && (places > 0 || own.to_f64() >= 100.0),
            Err(_) => {
                let step = Decimal::new(10_i128.pow(self.places.unsigned_abs()), 0);
                other.over(step, 0).and_then(|steps| steps.times(step)) == Some(own)
            }
        }
    }

    /// Whether what is written as its unit is the figure's; a word that is no unit says nothing.
    #[must_use]
    pub fn fits_unit(&self, unit: Option<&str>) -> bool {
        let own = self.unit.as_deref();
        let other = unit.map(|unit| unit.trim().to_lowercase()).filter(|unit| !unit.is_empty());
        match (own, other.as_deref()) {
            (Some(own), Some(other)) if same_unit(own, other) => true,
            // A percentage or money without its sign is another number.
            (own, Some(other)) if is_unit(other) && !is_bare(own) => false,
            (None, Some("%" | "percentage points")) => false,
            (Some(own), None) => !is_unit(own),
            _ => true,
        }
    }
}

/// Whether nothing that could be a unit is written.
fn is_bare(own: Option<&str>) -> bool {
    own.is_none_or(|own| !is_unit(own))
}
