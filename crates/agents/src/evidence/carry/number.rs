//! Numbers as the gate compares them: value, unit, and how far they are bounds rather than amounts.

use crate::rules::measures::{self, Unit};

/// What a number is said to be of the true amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    About,
    Nearly,
    AtLeast,
    AtMost,
    MoreThan,
    LessThan,
}

impl Bound {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Exact => "exactly",
            Self::About => "about",
            Self::Nearly => "nearly",
            Self::AtLeast => "at least",
            Self::AtMost => "at most",
            Self::MoreThan => "more than",
            Self::LessThan => "less than",
        }
    }

    /// The same under a denial: "not more than" is "at most".
    pub(super) fn denied(self) -> Self {
        match self {
            Self::MoreThan => Self::AtMost,
            Self::LessThan => Self::AtLeast,
            Self::AtLeast => Self::LessThan,
            Self::AtMost => Self::MoreThan,
            other => other,
        }
    }
}

/// A number of a text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Number {
    /// In the base unit of its dimension.
    pub(super) value: f64,
    /// What it measures; empty for a count.
    pub(super) dimension: &'static str,
    pub(super) bound: Bound,
}

impl Number {
    pub(super) fn is_same_amount(&self, other: &Self) -> bool {
        // What was counted is the same or it is not; only what was converted may differ a little.
        let close = |a: f64, b: f64| {
            let whole = a.fract() == 0.0 && b.fract() == 0.0;
            if whole { a == b } else { (a - b).abs() <= 1e-6 * a.abs().max(b.abs()).max(1e-9) }
        };
        if self.dimension == other.dimension {
            return close(self.value, other.value);
        }
        // A fraction in words is a share like any other: "a third", "half".
        match (self.dimension, other.dimension) {
            ("fraction", "percent") => close((self.value * 100.0).round(), other.value.round()),
            ("percent", "fraction") => close(self.value.round(), (other.value * 100.0).round()),
            _ => false,
        }
    }

    /// Is this the other amount rounded, as "about" allows?
    pub(super) fn rounds(&self, other: &Self) -> bool {
        self.dimension == other.dimension
            && other.value != 0.0
            && digits_of(self.value) < digits_of(other.value)
            && ((self.value - other.value) / other.value).abs() <= 0.05
    }
}

/// How many digits of a number say something: 2 of 560,000.
fn digits_of(value: f64) -> usize {
    format!("{:e}", value.abs()).chars().take_while(|sign| *sign != 'e').filter(char::is_ascii_digit).count()
}

const SMALL: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen \
eighteen nineteen";
const TENS: &str = "twenty thirty forty fifty sixty seventy eighty ninety";
const FRACTIONS: &[(&str, f64)] = &[
    ("half", 2.0),
    ("halves", 2.0),
    ("third", 3.0),
    ("thirds", 3.0),
    ("quarter", 4.0),
    ("quarters", 4.0),
    ("fifth", 5.0),
    ("fifths", 5.0),
    ("tenth", 10.0),
    ("tenths", 10.0),
];

/// The value of a number word.
pub(super) fn spelled(word: &str) -> Option<f64> {
    if let Some(value) = SMALL.split(' ').position(|other| other == word) {
        return Some(value as f64);
    }
    TENS.split(' ').position(|other| other == word).map(|at| (at as f64 + 2.0) * 10.0)
}

/// The factor of a scale word.
pub(super) fn scale(word: &str) -> Option<f64> {
    match word {
        "dozen" => Some(12.0),
        "hundred" | "hundreds" => Some(1e2),
        "thousand" | "thousands" | "k" => Some(1e3),
        "million" | "millions" | "mn" | "mio" => Some(1e6),
        "billion" | "billions" | "bn" => Some(1e9),
        "trillion" => Some(1e12),
        _ => None,
    }
}

/// What one is divided by in a fraction in words.
pub(super) fn fraction(word: &str) -> Option<f64> {
    FRACTIONS.iter().find(|(name, _)| *name == word).map(|(_, parts)| *parts)
}

/// Reads digits with their separators; None for versions, times and the like. Returns value and length.
pub(super) fn digits(text: &str) -> Option<(f64, usize)> {
    let bytes = text.as_bytes();
    let run = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = run(0);
    if end == 0 {
        return None;
    }
    let mut plain = text[..end].to_owned();
    // Groups of three behind commas or narrow spaces.
    loop {
        let rest = &text[end..];
        let mark = [",", "\u{202f}", "\u{a0}"].into_iter().find(|mark| rest.starts_with(mark));
        let Some(mark) = mark else { break };
        let from = end + mark.len();
        if run(from) != 3 || plain.len() > 15 {
            break;
        }
        plain.push_str(&text[from..from + 3]);
        end = from + 3;
    }
    if text[end..].starts_with('.') && run(end + 1) > 0 {
        let length = run(end + 1);
        plain.push_str(&text[end..=end + length]);
        end += 1 + length;
    }
    let next = text[end..].chars().next();
    let after = text[end..].chars().nth(1);
    let joined = matches!(next, Some('.' | ':' | '/' | ',')) && after.is_some_and(|c| c.is_ascii_digit());
    if joined || next == Some('_') {
        return None;
    }
    plain.parse().ok().map(|value| (value, end))
}

/// The unit behind a number, with the space or hyphen before it, and how many bytes both take.
pub(super) fn unit_behind(text: &str) -> Option<(Unit, usize)> {
    let unit = text.trim_start_matches([' ', '-', '\u{a0}', '\u{202f}', '\n']);
    let gap = text.len() - unit.len();
    if gap > 2 {
        return None;
    }
    measures::unit(unit).map(|(found, length)| (found, gap + length))
}
