//! Conflicts by rules: statements about the same thing that cannot both hold.
//!
//! Same subject with different numbers of one dimension or different dates; one statement denying what the other
//! says; and a later document that replaces an earlier one. The rules compare words, they do not reason: what they
//! show is for a reader to settle.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::dates::{self, dates};
use crate::rules::quantities::{Dimension, Quantity, quantities};
use crate::rules::words::{fold, is_stop, stem, word_ranges};

/// Shared part of the smaller statement's words from which two statements are about the same thing.
const SAME_SUBJECT: f64 = 0.6;
/// Relative difference up to which two numbers agree: rounding.
const ROUNDING: f64 = 0.01;

/// Why two statements conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConflictKind {
    /// Different numbers of the same thing.
    Numbers,
    /// Different dates of the same event.
    Dates,
    /// One denies what the other says.
    Negation,
    /// They differ, and one comes from a later document.
    Superseded,
}

/// Two statements that cannot both hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conflict {
    /// Why.
    pub kind: ConflictKind,
    /// Id of the first statement.
    pub left: String,
    /// Id of the second.
    pub right: String,
    /// The statement that the later document makes, when both are dated.
    pub later: Option<String>,
    /// One sentence for a reader.
    pub explanation: String,
}

/// A statement as the rules see it.
#[derive(Debug, Clone)]
pub struct Statement<'a> {
    /// Id of the fact.
    pub id: &'a str,
    /// What is stated.
    pub text: &'a str,
    /// Date of its document.
    pub date: Option<&'a str>,
}

/// All conflicts between statements, in order.
#[must_use]
pub fn conflicts(statements: &[Statement<'_>]) -> Vec<Conflict> {
    let mut found = Vec::new();
    for (index, left) in statements.iter().enumerate() {
        found.extend(statements[index + 1..].iter().filter_map(|right| conflict(left, right)));
    }
    found
}

/// The conflict between two statements, if there is one.
#[must_use]
pub fn conflict(left: &Statement<'_>, right: &Statement<'_>) -> Option<Conflict> {
    let (a, b) = (Subject::of(left.text), Subject::of(right.text));
    if !a.same_as(&b) {
        return None;
    }
    let difference = numbers_differ(left.text, right.text)
        .map(|(x, y)| (ConflictKind::Numbers, format!("{x} against {y}")))
        .or_else(|| {
            dates_differ(left.text, right.text)
                .map(|(x, y)| (ConflictKind::Dates, format!("{x} against {y}")))
        })
        .or_else(|| {
            denied(&a, &b, left.text, right.text)
                .then(|| (ConflictKind::Negation, "one denies what the other says".to_owned()))
        });
    let (kind, what) = difference?;
    let later = later(left, right);
    let kind = if later.is_some() { ConflictKind::Superseded } else { kind };
    let explanation = match &later {
        Some(id) => format!("{what}; {id} comes from the later document"),
        None => what,
    };
    Some(Conflict { kind, left: left.id.to_owned(), right: right.id.to_owned(), later, explanation })
}

/// What a statement is about: its meaningful words without numbers, units, dates and negations.
struct Subject {
    words: HashSet<String>,
    names: HashSet<String>,
}

/// Words of measuring and denying that say nothing about the subject.
const MEASURING: &[&str] = &[
    "not",
    "no",
    "never",
    "cannot",
    "isn",
    "doesn",
    "don",
    "won",
    "can",
    "without",
    "neither",
    "nor",
    "about",
    "roughly",
    "approximately",
    "nearly",
    "almost",
    "around",
    "least",
    "most",
    "up",
    "only",
    "exactly",
    "longer",
    "than",
    "now",
    "currently",
    "still",
    "since",
    "new",
    "old",
    "version",
    "release",
];

impl Subject {
    fn of(text: &str) -> Self {
        let skip: Vec<std::ops::Range<usize>> = quantities(text)
            .into_iter()
            .map(|q| q.range)
            .chain(dates(text).into_iter().map(|d| d.range))
            .collect();
        let mut words = HashSet::new();
        let mut names = HashSet::new();
        for (index, range) in word_ranges(text).enumerate() {
            let raw = &text[range.clone()];
            let word = fold(raw);
            if skip.iter().any(|s| s.start <= range.start && range.end <= s.end)
                || MEASURING.contains(&word.as_str())
            {
                continue;
            }
            if is_stop(&word) {
                continue;
            }
            let stem = opposite_free(&stem(&word));
            if raw.starts_with(char::is_uppercase) && index > 0
                || raw.chars().skip(1).any(char::is_uppercase)
                || raw.contains(|c: char| c.is_ascii_digit())
            {
                names.insert(stem.clone());
            }
            words.insert(stem);
        }
        Self { words, names }
    }

    /// Most words shared, and no name in one that contradicts a name in the other.
    fn same_as(&self, other: &Self) -> bool {
        let smaller = self.words.len().min(other.words.len());
        if smaller == 0 {
            return false;
        }
        let shared = self.words.intersection(&other.words).count();
        let own = self.names.difference(&other.words).count();
        let theirs = other.names.difference(&self.words).count();
        // A different word in the subject place ("read timeout", "write timeout") makes it another subject.
        let extra =
            self.words.difference(&other.words).count().min(other.words.difference(&self.words).count());
        shared as f64 / smaller as f64 >= SAME_SUBJECT
            && !(own > 0 && theirs > 0)
            && extra * 3 <= shared.max(1)
    }
}

/// Pairs that deny one another; both map to one word so that they count as the same subject.
const OPPOSITES: &[(&str, &str)] = &[
    ("disabl", "enabl"),
    ("deni", "allow"),
    ("forbid", "allow"),
    ("forbidden", "allow"),
    ("prohibit", "allow"),
    ("decreas", "increas"),
    ("fell", "rose"),
    ("fall", "rise"),
    ("slower", "faster"),
    ("unsaf", "safe"),
    ("unsupport", "support"),
    ("option", "requir"),
    ("option", "mandatori"),
    ("fals", "true"),
    ("reject", "accept"),
    ("fail", "succe"),
    ("insecur", "secur"),
    ("imposs", "possibl"),
    ("exclud", "includ"),
    ("ineffect", "effect"),
    ("inact", "activ"),
    ("lose", "keep"),
    ("lost", "kept"),
    ("off", "on"),
];

fn opposite_free(stem: &str) -> String {
    OPPOSITES
        .iter()
        .find(|(negative, _)| *negative == stem)
        .map_or_else(|| stem.to_owned(), |(_, positive)| (*positive).to_owned())
}

static DENIAL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(not|no|never|cannot|can't|n't|isn't|aren't|doesn't|don't|won't|wasn't|didn't|without|neither|nor|no longer|none)\b|n't\b").ok()
});

/// Does a statement deny something? An even number of denials cancels out.
#[must_use]
pub fn is_negated(text: &str) -> bool {
    let denials = DENIAL.as_ref().map_or(0, |regex| regex.find_iter(text).count());
    let opposites = word_ranges(text)
        .filter(|range| OPPOSITES.iter().any(|(negative, _)| *negative == stem(&fold(&text[range.clone()]))))
        .count();
    (denials + opposites) % 2 == 1
}

/// What holds only under a condition neither denies nor is denied.
fn is_conditional(text: &str) -> bool {
    word_ranges(text).any(|range| matches!(fold(&text[range]).as_str(), "if" | "unless" | "whenever"))
}

fn denied(a: &Subject, b: &Subject, left: &str, right: &str) -> bool {
    let shared = a.words.intersection(&b.words).count();
    let smaller = a.words.len().min(b.words.len());
    is_negated(left) != is_negated(right)
        && shared * 4 >= smaller * 3
        && !is_conditional(left)
        && !is_conditional(right)
}

/// Numbers of one dimension that disagree, as written; None when any pair agrees.
fn numbers_differ(left: &str, right: &str) -> Option<(String, String)> {
    let (a, b) = (quantities(left), quantities(right));
    for x in &a {
        let comparable: Vec<&Quantity> = b
            .iter()
            .filter(|y| comparable(&x.dimension, &y.dimension) && pace(left, x) == pace(right, y))
            .collect();
        if comparable.is_empty() || comparable.iter().any(|y| agree(x, y)) {
            continue;
        }
        // A number that the other statement also has elsewhere is no disagreement.
        let y = comparable.iter().find(|y| !a.iter().any(|other| comparable_agree(other, y)))?;
        return Some((left[x.range.clone()].to_owned(), right[y.range.clone()].to_owned()));
    }
    None
}

/// The time a quantity is measured over: "44 tonnes of wheat a day" and "11,200 tonnes in all" are two things.
fn pace<'a>(text: &'a str, quantity: &Quantity) -> Option<&'a str> {
    const TIMES: [&str; 8] = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"];
    let behind: Vec<&str> = text[quantity.range.end..]
        .split([' ', '\n'])
        .filter(|word| !word.is_empty())
        .take(6)
        .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()))
        .collect();
    let pairs = behind
        .windows(2)
        .find(|pair| matches!(pair[0], "a" | "an" | "per" | "each" | "every") && TIMES.contains(&pair[1]));
    pairs.map(|pair| pair[1])
}

fn comparable_agree(a: &Quantity, b: &Quantity) -> bool {
    comparable(&a.dimension, &b.dimension) && agree(a, b)
}

fn comparable(a: &Dimension, b: &Dimension) -> bool {
    match (a, b) {
        (Dimension::Count(x), Dimension::Count(y)) => x == y || x.is_empty() || y.is_empty(),
        (a, b) => a == b,
    }
}

fn agree(a: &Quantity, b: &Quantity) -> bool {
    (a.value - b.value).abs() <= ROUNDING * a.value.abs().max(b.value.abs())
}

fn dates_differ(left: &str, right: &str) -> Option<(String, String)> {
    let (a, b) = (dates(left), dates(right));
    let (x, y) = (a.first()?, b.first()?);
    // "2021" and "March 2021" agree as far as both are given.
    let same_year = x.date.year == y.date.year;
    let same_month = x.date.month == 0 || y.date.month == 0 || x.date.month == y.date.month;
    let same_day = x.date.day == 0 || y.date.day == 0 || x.date.day == y.date.day;
    (a.len() == b.len() && !(same_year && same_month && same_day))
        .then(|| (x.date.to_string(), y.date.to_string()))
}

/// The id of the statement from the later document, when both are dated and differ by more than a month.
fn later(left: &Statement<'_>, right: &Statement<'_>) -> Option<String> {
    let (a, b) = (dates::parse(left.date?)?, dates::parse(right.date?)?);
    let days = b.days() - a.days();
    (days.abs() > 31).then(|| if days > 0 { right.id.to_owned() } else { left.id.to_owned() })
}
