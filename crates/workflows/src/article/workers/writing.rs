//! What the writers share: facts as material for prose. Which of them can stand as a sentence, which need the one before
//! them, what they are about, when it was; and in whose voice a sentence is said so that nobody's words pass as ours.

mod compose;
mod units;

#[cfg(test)]
mod tests;

pub use compose::{Composer, Outline};
pub use units::{Unit, units};

use std::collections::HashSet;

use baton_agents::rules::quantities::quantities;
use baton_agents::rules::words::{content_stems, fold, is_stop, overlap};

use crate::article::draft::{Sentence, Voice};
use crate::article::score::LONGEST_RUN;
use crate::citation::NumberedFact;

/// A sentence of more words than this is not set beside others.
const LONGEST: usize = 42;
/// A sentence of fewer words says too little.
const SHORTEST: usize = 5;
/// From this share of common words on, with the same numbers, two sentences say the same.
const SAME: f64 = 0.75;

/// First words that point back at a sentence before.
const POINTS_BACK: &[&str] = &[
    "it",
    "its",
    "they",
    "their",
    "this",
    "these",
    "that",
    "those",
    "he",
    "she",
    "his",
    "her",
    "such",
    "both",
    "here",
    "there",
    "but",
    "and",
    "so",
    "or",
    "however",
    "therefore",
    "then",
    "thus",
    "also",
    "instead",
    "otherwise",
    "neither",
    "another",
    "others",
    "similarly",
    "likewise",
    "moreover",
    "furthermore",
    "nevertheless",
    "still",
    "yet",
    "consequently",
    "again",
    "further",
    "second",
    "third",
    "first",
    "finally",
    "them",
    "same",
    "former",
    "latter",
    "hence",
];

/// First words that speak of who speaks, or to whom.
const PERSONAL: &[&str] =
    &["we", "our", "us", "i", "my", "me", "you", "your", "ours", "myself", "ourselves", "yourself"];

/// Verbs enough to see that a line is a sentence.
const VERBS: &[&str] = &[
    "is", "are", "was", "were", "be", "been", "has", "have", "had", "does", "do", "did", "can", "could",
    "may", "might", "must", "shall", "should", "will", "would", "cannot", "costs", "cost", "says", "say",
    "said", "takes", "take", "took", "gives", "give", "gave", "makes", "make", "made", "uses", "use", "used",
    "pays", "pay", "paid", "became", "become", "becomes", "rose", "fell", "grew", "came", "come", "comes",
    "went", "goes", "go", "holds", "hold", "held", "needs", "need", "runs", "run", "ran", "works", "work",
    "stands", "stand", "stood", "shows", "show", "found", "finds", "find", "means", "begins", "began",
    "ends", "gets", "got", "leads", "led", "brings", "brought", "keeps", "kept", "lies", "lay", "set",
    "sets", "puts", "put", "reads", "writes", "wrote", "contains", "returns", "return", "allows", "provides",
    "requires",
];

/// A fact's statement as a sentence of an article, if it can be one.
#[must_use]
pub fn sentence_of(statement: &str) -> Option<String> {
    let joined = statement.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = joined.trim_start_matches(['-', '*', '•', '>', '–', ' ']).trim();
    let words: Vec<&str> = text.split(' ').collect();
    let begins = text.chars().next().is_some_and(|letter| letter.is_uppercase() || letter.is_ascii_digit());
    let ends = text.ends_with('.');
    let furniture =
        text.contains('|') || text.contains("](") || text.contains("```") || text.contains(" :: ");
    let lettered =
        text.chars().filter(|letter| letter.is_alphabetic()).count() * 10 >= text.chars().count() * 6;
    let numbered = words.first().is_some_and(|word| word.ends_with(['.', ')']) && word.len() <= 4);
    let balanced = text.matches('(').count() == text.matches(')').count()
        && text.matches('“').count() == text.matches('”').count()
        && text.matches('"').count().is_multiple_of(2);
    let verbal = is_finite(&words);
    let single = baton_agents::rules::sentences::sentences(text).len() == 1;
    let fits = (SHORTEST..=LONGEST).contains(&words.len());
    let label = text.split(' ').take(4).any(|word| word.ends_with(':'));
    // A glossary's term and its explanation run into one another: a second beginning in the middle.
    let begun_twice = words.windows(2).any(|pair| {
        let open = pair[0].ends_with(|letter: char| letter.is_alphanumeric());
        let begins = ["The", "A", "An", "It", "This", "These", "In", "For"].contains(&pair[1])
            || (pair[1].len() > 5 && pair[1].ends_with("ing") && pair[1].starts_with(char::is_uppercase));
        open && begins && pair[0].starts_with(char::is_lowercase)
    });
    let sound = begins
        && ends
        && !furniture
        && lettered
        && !numbered
        && balanced
        && verbal
        && single
        && fits
        && !label
        && !begun_twice;
    sound.then(|| text.to_owned())
}

/// Words behind which an `-ed` is more likely a participle than a verb.
const PREPOSITIONS: &[&str] = &[
    "by", "with", "from", "for", "to", "in", "on", "of", "under", "at", "between", "into", "as", "through",
    "and", "or",
];

/// Whether the main clause has a verb that says what its subject does: a line of a list often has none.
fn is_finite(words: &[&str]) -> bool {
    let folded: Vec<String> =
        words.iter().map(|word| fold(word.trim_matches(|letter: char| !letter.is_alphanumeric()))).collect();
    let clause = folded
        .iter()
        .skip(1)
        .position(|word| matches!(word.as_str(), "that" | "which" | "who" | "whose" | "where"));
    let main = &folded[..clause.map_or(folded.len(), |at| at + 1)];
    main.iter().enumerate().skip(1).any(|(at, word)| {
        let next = folded.get(at + 1).map_or("", String::as_str);
        let past =
            word.len() > 4 && word.ends_with("ed") && !word.contains('-') && !PREPOSITIONS.contains(&next);
        VERBS.contains(&word.as_str()) || past
    })
}

/// Whether a sentence needs the one before it to be understood.
#[must_use]
pub fn points_back(sentence: &str) -> bool {
    let mut words = sentence
        .split(|letter: char| !letter.is_alphanumeric() && letter != '\'')
        .filter(|it| !it.is_empty());
    let first = words.next().map(fold).unwrap_or_default();
    let second = words.next().map(fold).unwrap_or_default();
    let compares = first == "the"
        && [
            "same",
            "other",
            "others",
            "latter",
            "former",
            "lower",
            "higher",
            "difference",
            "remaining",
            "rest",
            "second",
            "third",
            "new",
            "above",
            "following",
            "two",
        ]
        .contains(&second.as_str());
    let conditional = ["if", "when", "because", "since", "while", "after", "before"]
        .contains(&first.as_str())
        && ["it", "they", "this", "he", "she"].contains(&second.as_str());
    // A number without its subject counts something the sentence before has named.
    let counts = first.starts_with(|letter: char| letter.is_ascii_digit())
        && years(sentence).first().is_none_or(|year| !first.starts_with(&year.to_string()));
    POINTS_BACK.contains(&first.as_str()) || compares || conditional || counts
}

/// Whether a sentence speaks as somebody, or to somebody.
#[must_use]
pub fn is_personal(sentence: &str) -> bool {
    sentence.split(|letter: char| !letter.is_alphanumeric() && letter != '’' && letter != '\'').any(|word| {
        PERSONAL.contains(&fold(word).as_str()) || word.starts_with("I’") || word.starts_with("I'")
    })
}

/// The years a sentence names.
#[must_use]
pub fn years(sentence: &str) -> Vec<i32> {
    let numbers = sentence.split(|letter: char| !letter.is_ascii_digit());
    numbers
        .filter(|word| word.len() == 4)
        .filter_map(|word| word.parse().ok())
        .filter(|year| (1800..2100).contains(year))
        .collect()
}

/// Whether a sentence looks ahead.
#[must_use]
pub fn looks_ahead(sentence: &str) -> bool {
    let lower = format!(" {} ", sentence.to_lowercase());
    [
        " will ",
        " plan ",
        " plans ",
        " planned ",
        " expect",
        " intend",
        " from 2026",
        " from 2027",
        " by 2030",
        " by 2028",
        " forecast",
        " future",
        " next year",
        " proposed",
    ]
    .iter()
    .any(|sign| lower.contains(sign))
}

/// What was said, so that nothing is said twice.
#[derive(Clone, Debug, Default)]
pub struct Said {
    said: Vec<(HashSet<String>, Vec<u64>)>,
}

impl Said {
    fn essence(text: &str) -> (HashSet<String>, Vec<u64>) {
        let mut numbers: Vec<u64> = quantities(text).iter().map(|it| it.value.to_bits()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        (content_stems(text), numbers)
    }

    /// Whether a sentence says something new: other words, or other numbers.
    #[must_use]
    pub fn is_new(&self, text: &str) -> bool {
        let (stems, numbers) = Self::essence(text);
        let same = |(other, theirs): &(HashSet<String>, Vec<u64>)| {
            let near = overlap(other, &stems);
            let shared = if numbers.len() > 1 { 0.4 } else { 0.6 };
            let within = !numbers.is_empty() && numbers.iter().all(|it| theirs.contains(it)) && near > shared;
            within || (*theirs == numbers && near > SAME)
        };
        !self.said.iter().any(same)
    }

    /// Remembers a sentence.
    pub fn say(&mut self, text: &str) {
        self.said.push(Self::essence(text));
    }
}

/// Whether the first word of a sentence is written small inside another: it is no name, and begins none.
#[must_use]
pub fn lowers(sentence: &str, names: &HashSet<String>) -> bool {
    let mut words = sentence.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    if is_stop(&fold(first)) {
        return first != "I";
    }
    let inner = first.chars().skip(1).any(|letter| letter.is_uppercase() || letter.is_numeric());
    let begins_name = second.starts_with(char::is_uppercase);
    !inner && !begins_name && !names.contains(first)
}

/// Words that stand large somewhere inside a sentence of the material: names.
#[must_use]
pub fn names(facts: &[&NumberedFact<'_>]) -> HashSet<String> {
    let mut found = HashSet::new();
    for fact in facts {
        let words = fact.found.fact.statement.split(' ');
        let mut opens = true;
        for word in words {
            let plain = word.trim_matches(|letter: char| !letter.is_alphanumeric());
            if !opens && plain.starts_with(char::is_uppercase) {
                found.insert(plain.to_owned());
            }
            opens = word.ends_with(['.', '?', '!', ':', '“', '"']);
        }
    }
    found
}

/// The voice of the next sentence of a source: its own words are never ours. `again` counts its sentences in a row.
#[must_use]
pub fn voice(sentence: &str, again: usize, turn: usize) -> Voice {
    let words = sentence.split_whitespace().count();
    if is_personal(sentence) {
        return Voice::Writes;
    }
    if words <= LONGEST_RUN {
        return Voice::Plain;
    }
    match (again, turn % 3) {
        (0, 0) => Voice::According,
        (0, 1) => Voice::Reports,
        (0, _) => Voice::Notes,
        (1, _) => Voice::Adds,
        (_, 0) => Voice::Quoted,
        (_, 1) => Voice::According,
        (_, _) => Voice::Notes,
    }
}

/// A sentence of one fact, in a voice.
#[must_use]
pub fn spoken(claim: &str, key: &str, voice: Voice, names: &HashSet<String>) -> Sentence {
    Sentence {
        claim: claim.to_owned(),
        facts: vec![key.to_owned()],
        voice,
        lowers: lowers(claim, names),
        derived: None,
    }
}
