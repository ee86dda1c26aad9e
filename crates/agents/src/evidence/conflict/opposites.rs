//! Denial: words that turn a statement round, and pairs of words that deny one another.

use std::sync::LazyLock;

use regex::Regex;

use crate::rules::words::{fold, stem, word_ranges};

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
    ("close", "open"),
];

/// The positive of a pair that denies, or the stem itself.
pub(super) fn opposite_free(stem: &str) -> String {
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

/// Does one statement deny what the other says? A word of a pair counts where the other statement has its opposite.
pub(super) fn is_denied(left: &str, right: &str) -> bool {
    let denials = |text: &str| DENIAL.as_ref().map_or(0, |regex| regex.find_iter(text).count());
    let stems =
        |text: &str| -> Vec<String> { word_ranges(text).map(|range| stem(&fold(&text[range]))).collect() };
    let (a, b) = (stems(left), stems(right));
    let has = |stems: &[String], word: &str| stems.iter().any(|stem| stem == word);
    let turned = OPPOSITES
        .iter()
        .filter(|(negative, positive)| {
            (has(&a, negative) && has(&b, positive) && !has(&b, negative))
                || (has(&b, negative) && has(&a, positive) && !has(&a, negative))
        })
        .count();
    (denials(left) + denials(right) + turned) % 2 == 1
}

/// What holds only under a condition, or is only asked, neither denies nor is denied.
pub(super) fn is_conditional(text: &str) -> bool {
    text.trim_end().ends_with('?')
        || word_ranges(text).any(|range| {
            matches!(fold(&text[range]).as_str(), "if" | "unless" | "whenever" | "when" | "except")
        })
}
