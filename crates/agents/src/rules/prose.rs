//! How a text is written, by rules: words that are doubled or known to be misspelt, sentences that are too long, the
//! share in the passive, sentences that begin alike, lists that go on without an end. English; what cannot be seen by
//! rules is not looked at and not counted.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::sentences::sentences;
use super::words::{fold, word_ranges};

/// A sentence of more words than this is too long.
pub const LONG: usize = 40;
/// So many sentences in a row that begin with the same two words are noticed.
const ALIKE: usize = 3;

/// What kind of flaw it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProseFlaw {
    /// The same word twice in a row.
    DoubledWord,
    /// A spelling that is known to be wrong.
    Misspelt,
    /// A sentence of too many words.
    LongSentence,
    /// Sentences in a row that begin with the same words.
    SameOpening,
    /// A sentence that does not end, or begins in the middle.
    Fragment,
    /// `a` before a vowel, or `an` before a consonant.
    Article,
}

/// A flaw and where it is.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ProseFinding {
    /// What kind it is.
    pub flaw: ProseFlaw,
    /// Where it stands.
    pub range: Range<usize>,
    /// What to do about it.
    pub advice: String,
}

/// What was seen in a text.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Prose {
    /// Sentences that were looked at.
    pub sentences: usize,
    /// The share of them in the passive, 0 to 1.
    pub passive: f64,
    /// Flaws, in order.
    pub findings: Vec<ProseFinding>,
}

impl Prose {
    /// The share of sentences without a flaw, 0 to 1; a text without sentences has none.
    #[must_use]
    pub fn sound(&self) -> f64 {
        if self.sentences == 0 {
            return 0.0;
        }
        (1.0 - self.findings.len() as f64 / self.sentences as f64).max(0.0)
    }
}

/// Spellings that are always wrong.
const MISSPELT: &[(&str, &str)] = &[
    ("accomodate", "accommodate"),
    ("acheive", "achieve"),
    ("acknowledgement", "acknowledgment"),
    ("adress", "address"),
    ("alot", "a lot"),
    ("apparant", "apparent"),
    ("arguement", "argument"),
    ("begining", "beginning"),
    ("beleive", "believe"),
    ("calender", "calendar"),
    ("catagory", "category"),
    ("comittee", "committee"),
    ("commited", "committed"),
    ("concensus", "consensus"),
    ("definately", "definitely"),
    ("dependance", "dependence"),
    ("desparate", "desperate"),
    ("dissapear", "disappear"),
    ("embarass", "embarrass"),
    ("enviroment", "environment"),
    ("existance", "existence"),
    ("familar", "familiar"),
    ("goverment", "government"),
    ("grammer", "grammar"),
    ("harrass", "harass"),
    ("immediatly", "immediately"),
    ("independant", "independent"),
    ("knowlege", "knowledge"),
    ("liason", "liaison"),
    ("maintainance", "maintenance"),
    ("millenium", "millennium"),
    ("neccessary", "necessary"),
    ("noticable", "noticeable"),
    ("occured", "occurred"),
    ("occurence", "occurrence"),
    ("persistant", "persistent"),
    ("posession", "possession"),
    ("prefered", "preferred"),
    ("recieve", "receive"),
    ("recomend", "recommend"),
    ("refered", "referred"),
    ("relevent", "relevant"),
    ("seperate", "separate"),
    ("succesful", "successful"),
    ("supercede", "supersede"),
    ("suprise", "surprise"),
    ("teh", "the"),
    ("tommorow", "tomorrow"),
    ("truely", "truly"),
    ("untill", "until"),
    ("wich", "which"),
    ("wierd", "weird"),
];

/// Words that may stand twice in a row.
const MAY_DOUBLE: &[&str] = &["that", "had", "is", "very", "long"];

static PASSIVE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:is|are|was|were|be|been|being)\s+(?:\w+ly\s+)?(?:\w{2,}ed|built|made|found|given|taken|known|sent|set|held|kept|put|paid|sold|told|shown|seen|done|written|drawn|driven|lost|met|run|read)\b").ok()
});

/// Looks at a text.
#[must_use]
pub fn prose(text: &str) -> Prose {
    let ranges: Vec<Range<usize>> =
        sentences(text).into_iter().filter(|range| word_ranges(&text[range.clone()]).count() > 2).collect();
    let mut findings = Vec::new();
    let mut passive = 0_usize;
    let mut openings: Vec<String> = Vec::new();
    for range in &ranges {
        let sentence = &text[range.clone()];
        passive += usize::from(PASSIVE.as_ref().is_some_and(|regex| regex.is_match(sentence)));
        let words: Vec<(Range<usize>, String)> = word_ranges(sentence)
            .map(|word| (range.start + word.start..range.start + word.end, fold(&sentence[word])))
            .collect();
        spelling(text, &words, &mut findings);
        if words.len() > LONG {
            let advice = format!("{} words; cut it in two", words.len());
            findings.push(ProseFinding { flaw: ProseFlaw::LongSentence, range: range.clone(), advice });
        }
        if !is_whole(sentence) {
            let advice = "it begins in the middle or does not end".to_owned();
            findings.push(ProseFinding { flaw: ProseFlaw::Fragment, range: range.clone(), advice });
        }
        openings.push(words.iter().take(2).map(|(_, word)| word.as_str()).collect::<Vec<_>>().join(" "));
        let same = openings.iter().rev().take_while(|opening| Some(*opening) == openings.last()).count();
        if same >= ALIKE {
            let opening = openings.last().map_or("", String::as_str);
            let advice = format!("{same} sentences in a row begin with \"{opening}\"");
            findings.push(ProseFinding { flaw: ProseFlaw::SameOpening, range: range.clone(), advice });
        }
    }
    let share = if ranges.is_empty() { 0.0 } else { passive as f64 / ranges.len() as f64 };
    Prose { sentences: ranges.len(), passive: share, findings }
}

fn spelling(text: &str, words: &[(Range<usize>, String)], findings: &mut Vec<ProseFinding>) {
    for (at, (range, word)) in words.iter().enumerate() {
        if let Some((_, right)) = MISSPELT.iter().find(|(wrong, _)| wrong == word) {
            let advice = format!("write \"{right}\"");
            findings.push(ProseFinding { flaw: ProseFlaw::Misspelt, range: range.clone(), advice });
        }
        let Some((next, following)) = words.get(at + 1) else { continue };
        let apart = &text[range.end..next.start];
        let only_space = !apart.is_empty() && apart.chars().all(char::is_whitespace);
        let is_word = word.chars().all(char::is_alphabetic);
        if word == following && only_space && is_word && !MAY_DOUBLE.contains(&word.as_str()) {
            let advice = format!("\"{word}\" stands twice");
            let range = range.start..next.end;
            findings.push(ProseFinding { flaw: ProseFlaw::DoubledWord, range, advice });
        }
        if only_space && wrong_article(word, following) {
            let right = if word == "a" { "an" } else { "a" };
            let advice = format!("write \"{right} {following}\"");
            let range = range.start..next.end;
            findings.push(ProseFinding { flaw: ProseFlaw::Article, range, advice });
        }
    }
}

/// Only where spelling tells the sound: `a` before a, e, i, o; `an` before a consonant that is never silent.
fn wrong_article(word: &str, next: &str) -> bool {
    let first = next.chars().next().unwrap_or(' ');
    let open = "aei".contains(first) && !next.starts_with("eu") && !next.starts_with("ewe");
    let closed = "bcdgjkpqtvwz".contains(first) && next.len() > 3;
    (word == "a" && open && next.len() > 3) || (word == "an" && closed)
}

fn is_whole(sentence: &str) -> bool {
    let begun = sentence.trim_start_matches(['"', '“', '(', '*', '‘', '[']).chars().next();
    // A source may be called by a name in lower case: “borg init”.
    let is_name = sentence.starts_with('“') && sentence.contains('”');
    let begins = is_name || begun.is_some_and(|letter| letter.is_uppercase() || letter.is_numeric());
    let ended = sentence.trim_end_matches(['"', '”', ')', '*', '’', ']']);
    begins && ended.ends_with(['.', '!', '?', ':', '…'])
}

#[cfg(test)]
mod tests {
    use super::{ProseFlaw, prose};

    #[test]
    fn each_flaw_is_seen_where_it_is() {
        let cases = [
            ("The mill grinds grinds wheat.", ProseFlaw::DoubledWord, "grinds grinds"),
            ("The mill is definately old.", ProseFlaw::Misspelt, "definately"),
            ("It is a example of a mill.", ProseFlaw::Article, "a example"),
            ("which is why the mill stands", ProseFlaw::Fragment, "which is why the mill stands"),
        ];
        for (text, flaw, place) in cases {
            let found = prose(text);
            let finding = found.findings.iter().find(|it| it.flaw == flaw);
            assert_eq!(finding.map(|it| &text[it.range.clone()]), Some(place), "{text}: {found:?}");
        }
        let long = format!("The mill {}.", "grinds wheat and rye ".repeat(12).trim());
        assert_eq!(prose(&long).findings[0].flaw, ProseFlaw::LongSentence);
        let alike = "The mill is old. The mill is red. The mill is loud.";
        assert_eq!(prose(alike).findings[0].flaw, ProseFlaw::SameOpening);
    }

    #[test]
    fn good_prose_has_no_flaw_and_the_passive_is_counted() {
        let text = "The mill was built in 1911. It grinds wheat. An hour is long. Users of a university know that that is so.";
        let found = prose(text);
        assert_eq!(found.findings, []);
        assert!((found.passive - 0.25).abs() < 1e-9, "{found:?}");
        assert!((found.sound() - 1.0).abs() < 1e-9);
        assert!(prose("").sound() < 0.1);
    }
}
