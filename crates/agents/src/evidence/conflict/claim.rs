//! What a statement claims: the things it is about, and each of its values with unit, bound, period and the words that
//! stand nearest to it.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::opposites::opposite_free;
use crate::rules::dates::dates;
use crate::rules::lines::bullet_len;
use crate::rules::quantities::{Dimension, Quantity, quantities};
use crate::rules::words::{fold, is_stop, stem, word_ranges};

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
    "together",
    "altogether",
    "total",
    "mostly",
    "mainly",
    "however",
    "therefore",
    "also",
    "instead",
    "per",
    "cent",
    "percent",
    "end",
    "beginning",
    "year",
    "years",
];
/// A plan, a limit or a mean is another property than what came of it.
const MODALITIES: &[&str] = &[
    "plan",
    "expect",
    "goal",
    "target",
    "budget",
    "forecast",
    "estim",
    "would",
    "limit",
    "maximum",
    "minimum",
    "guarante",
    "averag",
    "mean",
    "median",
    "default",
    "recommend",
    "theoret",
    "former",
    "previous",
    "longest",
    "shortest",
    "highest",
    "lowest",
    "largest",
    "smallest",
    "first",
    "last",
];

/// How a value is meant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Bound {
    Exact,
    About,
    AtLeast,
    AtMost,
    /// Up to this other end.
    To(f64),
}

/// A value of a statement.
#[derive(Debug, Clone)]
pub(super) struct Value {
    pub(super) quantity: Quantity,
    pub(super) bound: Bound,
    /// Half the step of the last printed digit, in the unit of the dimension.
    pub(super) rounding: f64,
    /// What held before: "instead of 9.4", "from 80 to".
    pub(super) former: bool,
    /// The time it is measured over: "a day".
    pub(super) pace: Option<String>,
    /// The years it holds for; empty when none is said.
    pub(super) years: BTreeSet<i32>,
    /// The stems nearest to it: between the value before and the value behind.
    pub(super) near: HashSet<String>,
}

/// A statement taken apart.
#[derive(Debug)]
pub(super) struct Claim {
    /// Meaningful words without numbers, units, dates and negations.
    pub(super) words: HashSet<String>,
    /// Those that are names or identifiers.
    pub(super) names: HashSet<String>,
    pub(super) modalities: BTreeSet<&'static str>,
    pub(super) years: BTreeSet<i32>,
    pub(super) values: Vec<Value>,
}

macro_rules! pattern {
    ($name:ident, $text:expr) => {
        static $name: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new($text).ok());
    };
}

// What stands before a number that only names or counts places.
pattern!(
    REFERENCE,
    r"(?i)(\b(section|sections|sect|chapter|table|figure|fig|page|pages|p|pp|version|versions|v|release|clause|article|art|appendix|annex|step|item|note|line|lines|no|nr|number|rfc|iso|part|volume|vol|rule|paragraph|meeting|decision|question|regulation|directive|level|option|type|class|layer|day|week|room|floor|heat pump|boiler|exercise|example|listing|port|code|status|signal|uid|errno|error)\.?|§|#)\s*$"
);
pattern!(YEAR, r"\b(1[89]\d{2}|20\d{2})\b");
pattern!(
    FORMER,
    r"(?i)\b(instead of|rather than|down from|up from|compared (with|to)|against|formerly|previously|used to be|earlier|after|than)\s+(a plan of |a value of |about |the |its )?$"
);
pattern!(FROM, r"(?i)\bfrom\s+(about )?$");
pattern!(TO, r"(?i)^[^.;]{0,30}?\bto\s");
pattern!(BETWEEN, r"(?i)^\s*(to|–|—|-|and|bis|à|a)\s*$");
pattern!(
    AT_LEAST,
    r"(?i)\b(at least|no less than|not less than|minimum of|more than|over|above|from|exceeds?)\s*$"
);
pattern!(
    AT_MOST,
    r"(?i)\b(at most|no more than|not more than|not exceed|maximum of|up to|less than|fewer than|under|below|within)\s*$"
);
pattern!(ABOUT, r"(?i)\b(about|roughly|approximately|nearly|almost|around|some|circa|ca\.?|close to|~)\s*$");

fn ends(pattern: &LazyLock<Option<Regex>>, text: &str) -> bool {
    pattern.as_ref().is_some_and(|regex| regex.is_match(text))
}

impl Claim {
    pub(super) fn of(text: &str) -> Self {
        let dated = dates(text);
        let all: Vec<Quantity> =
            quantities(text).into_iter().filter(|quantity| !is_reference(text, quantity)).collect();
        let skip: Vec<Range<usize>> = quantities(text)
            .into_iter()
            .map(|quantity| quantity.range)
            .chain(dated.iter().map(|date| date.range.clone()))
            .collect();
        let inside = |range: &Range<usize>| {
            skip.iter().any(|skipped| skipped.start <= range.start && range.end <= skipped.end)
        };
        let mut words = HashSet::new();
        let mut names = HashSet::new();
        let mut modalities = BTreeSet::new();
        for (index, range) in word_ranges(text).enumerate() {
            let raw = &text[range.clone()];
            let word = fold(raw);
            let stemmed = stem(&word);
            modalities.extend(MODALITIES.iter().copied().filter(|known| *known == stemmed));
            if inside(&range) || MEASURING.contains(&word.as_str()) || is_stop(&word) || word.len() < 2 {
                continue;
            }
            let stemmed = opposite_free(&stemmed);
            if is_name(text, raw, &range, index) {
                names.insert(stemmed.clone());
            }
            words.insert(stemmed);
        }
        let years = years(text, 0..text.len());
        let values = values(text, &all, &years);
        Self { words, names, modalities, years, values }
    }
}

/// A word that is capitalised inside a sentence, or has capitals or digits inside, or is joined by signs as settings are.
fn is_name(text: &str, raw: &str, range: &Range<usize>, index: usize) -> bool {
    let joined = |c: Option<char>| c.is_some_and(|c| c == '_');
    (raw.starts_with(char::is_uppercase) && index > 0)
        || raw.chars().skip(1).any(char::is_uppercase)
        || (raw.contains(|c: char| c.is_ascii_digit()) && raw.contains(char::is_alphabetic))
        || joined(text[..range.start].chars().next_back())
        || joined(text[range.end..].chars().next())
}

/// A list marker, a section, version or page number, a year, or the number in a name.
fn is_reference(text: &str, quantity: &Quantity) -> bool {
    let bare = matches!(&quantity.dimension, Dimension::Count(_));
    let before = &text[..quantity.range.start];
    let after = &text[quantity.range.end..];
    let marker = bullet_len(text.trim_start()) + (text.len() - text.trim_start().len());
    let opens = before.trim().is_empty();
    let section = opens
        && bare
        && text[quantity.range.clone()].starts_with(|c: char| c.is_ascii_digit())
        && (after.starts_with(['.', ')', ']']) || text[quantity.range.clone()].contains('.'));
    let uncounted = matches!(&quantity.dimension, Dimension::Count(noun) if noun.is_empty());
    let year = uncounted && (1500.0..2101.0).contains(&quantity.value) && quantity.value.fract() == 0.0 && {
        let written = &text[quantity.range.clone()];
        written.len() == 4 && written.bytes().all(|b| b.is_ascii_digit())
    };
    // "Python 3.11", "Debian 12": the number belongs to the name before it.
    let named = bare
        && before.ends_with(' ')
        && before.split_whitespace().last().is_some_and(|word| {
            word.starts_with(char::is_uppercase)
                && before.split_whitespace().count() > 1
                && !word.ends_with(['.', ',', ':', ';'])
        });
    let joined = before.ends_with(['-', '_', '.', '/', '#', '$', '%', '@', '[', '<', '='])
        || after.starts_with(['-', '_', '/', '=', '(', '>']);
    let one = bare && text[quantity.range.clone()].eq_ignore_ascii_case("one");
    quantity.range.start < marker
        || section
        || year
        || (bare && (ends(&REFERENCE, before) || named || joined || one))
}

fn years(text: &str, within: Range<usize>) -> BTreeSet<i32> {
    let Some(regex) = YEAR.as_ref() else { return BTreeSet::new() };
    let part = &text[within];
    let bare = regex.find_iter(part).filter(|found| {
        // "2000 columns" is no year.
        !part[found.end()..].trim_start().starts_with(|c: char| c.is_alphabetic())
            || dates(part)
                .iter()
                .any(|date| date.range.start <= found.start() && found.end() <= date.range.end)
            || part[found.end()..].trim_start().split(|c: char| !c.is_alphabetic()).next().is_some_and(
                |word| is_stop(&word.to_lowercase()) || word.to_lowercase().ends_with("ed") || word == "the",
            )
    });
    bare.filter_map(|found| found.as_str().parse().ok()).collect()
}

fn values(text: &str, all: &[Quantity], sentence_years: &BTreeSet<i32>) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::new();
    for (index, quantity) in all.iter().enumerate() {
        let before = &text[..quantity.range.start];
        let after = &text[quantity.range.end..];
        let previous = index.checked_sub(1).map(|at| &all[at]);
        if let (Some(previous), Some(last)) = (previous, values.last_mut()) {
            let between = &text[previous.range.end..quantity.range.start];
            let range = ends(&BETWEEN, between) && !ends(&FROM, &text[..previous.range.start]);
            if range && last.quantity.range == previous.range && previous.range.end <= quantity.range.start {
                // "178 to 179 million euros": the unit of the second is the unit of both.
                let ratio = scale(previous, quantity);
                last.quantity.value *= ratio;
                last.quantity.dimension = quantity.dimension.clone();
                last.bound = Bound::To(quantity.value);
                last.quantity.range.end = quantity.range.end;
                continue;
            }
        }
        let start = previous.map_or(0, |previous| previous.range.end);
        let end = all.get(index + 1).map_or(text.len(), |next| next.range.start);
        let segment = segment(text, start, end, &quantity.range);
        let own = years(text, segment.clone());
        let former = ends(&FORMER, before)
            || (ends(&FROM, before) && TO.as_ref().is_some_and(|regex| regex.is_match(after)));
        values.push(Value {
            bound: bound(before),
            rounding: rounding(&text[quantity.range.clone()], quantity.value),
            former,
            pace: pace(after),
            years: if own.is_empty() { sentence_years.clone() } else { own },
            near: near(text, segment, all),
            quantity: quantity.clone(),
        });
    }
    values
}

/// What the number before a range has to be multiplied with to be in the unit of the one behind.
fn scale(first: &Quantity, second: &Quantity) -> f64 {
    let bare = matches!(&first.dimension, Dimension::Count(noun) if noun.is_empty());
    if !bare || first.dimension == second.dimension || first.value == 0.0 {
        return 1.0;
    }
    let ratio = second.value / first.value;
    10_f64.powf(ratio.abs().max(f64::MIN_POSITIVE).log10().floor())
}

/// The stretch around a value: back to the clause or the value before, on to the clause or the value behind.
fn segment(text: &str, start: usize, end: usize, value: &Range<usize>) -> Range<usize> {
    let clause = |c: char| matches!(c, ';' | ':' | ',');
    let from = text[start..value.start].rfind(clause).map_or(start, |at| start + at + 1);
    let to = text[value.end..end].find(clause).map_or(end, |at| value.end + at);
    from..to
}

fn near(text: &str, segment: Range<usize>, all: &[Quantity]) -> HashSet<String> {
    let inside = |range: &Range<usize>| {
        all.iter().any(|quantity| quantity.range.start <= range.start && range.end <= quantity.range.end)
    };
    word_ranges(&text[segment.clone()])
        .map(|range| range.start + segment.start..range.end + segment.start)
        .filter(|range| !inside(range))
        .map(|range| fold(&text[range]))
        .filter(|word| !is_stop(word) && !MEASURING.contains(&word.as_str()) && word.len() > 1)
        .filter(|word| !word.bytes().all(|b| b.is_ascii_digit()))
        .map(|word| opposite_free(&stem(&word)))
        .collect()
}

fn bound(before: &str) -> Bound {
    match () {
        () if ends(&AT_LEAST, before) && !ends(&FROM, before) => Bound::AtLeast,
        () if ends(&AT_MOST, before) => Bound::AtMost,
        () if ends(&ABOUT, before) => Bound::About,
        () => Bound::Exact,
    }
}

/// Half of the last printed digit, in the unit of the value: "9.4" is good to 0.05, "1.2 million" to 50,000.
fn rounding(written: &str, value: f64) -> f64 {
    let digits: String = written
        .chars()
        .skip_while(|c| !c.is_ascii_digit())
        .take_while(|c| c.is_ascii_digit() || *c == '.' || *c == ',')
        .filter(|c| *c != ',')
        .collect();
    let Ok(printed) = digits.trim_end_matches('.').parse::<f64>() else { return 0.0 };
    let decimals = digits.trim_end_matches('.').split_once('.').map_or(0, |(_, part)| part.len());
    if printed == 0.0 {
        return 0.0;
    }
    let unit = (value / printed).abs();
    // Whole numbers are printed in full; only a decimal point or a scale or a larger unit shows rounding.
    let places = 10_f64.powi(-i32::try_from(decimals).unwrap_or(0));
    if decimals == 0 && (unit - 1.0).abs() < 1e-9 { 0.5 * places * unit * 0.999 } else { 0.5 * places * unit }
}

/// The time a quantity is measured over: "44 tonnes of wheat a day" and "11,200 tonnes in all" are two things.
fn pace(after: &str) -> Option<String> {
    const TIMES: [&str; 8] = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"];
    let clause = after.split(['.', ';', ',']).next().unwrap_or_default();
    let behind: Vec<String> = clause
        .split_whitespace()
        .take(6)
        .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase())
        .collect();
    let per = behind.windows(2).find_map(|pair| match (pair[0].as_str(), pair[1].as_str()) {
        ("per", unit) => Some(unit.to_owned()),
        ("a" | "an" | "each" | "every", unit) if TIMES.contains(&unit) => Some(unit.to_owned()),
        _ => None,
    });
    let slashed = after
        .trim_start()
        .strip_prefix('/')
        .map(|rest| rest.chars().take_while(|c| c.is_alphanumeric()).collect::<String>().to_lowercase());
    per.or(slashed)
}
