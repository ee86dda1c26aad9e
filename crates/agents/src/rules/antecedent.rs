//! Sentences that say nothing without the one before: "It must be paid back", "In nine out of ten houses, yes."

use super::words::{fold, word_ranges};

/// First words that point back, whatever follows.
const POINTING: &[&str] = &[
    "it",
    "its",
    "they",
    "their",
    "them",
    "he",
    "she",
    "his",
    "her",
    "both",
    "neither",
    "either",
    "such",
    "otherwise",
    "however",
    "therefore",
    "thus",
    "hence",
    "consequently",
    "moreover",
    "furthermore",
    "also",
    "besides",
    "instead",
    "nevertheless",
    "nonetheless",
    "similarly",
    "likewise",
    "conversely",
    "but",
    "and",
    "or",
    "so",
    "then",
    "yes",
    "no",
    "er",
    "sie",
    "dies",
    "diese",
    "dieser",
    "dieses",
    "dabei",
    "dazu",
    "daher",
    "deshalb",
    "dort",
    "allerdings",
    "jedoch",
    "außerdem",
    "ausserdem",
    "sonst",
    "elle",
    "ils",
    "elles",
    "cela",
    "celui",
    "celle",
    "ceux",
    "toutefois",
    "cependant",
    "ainsi",
    "esto",
    "ello",
    "ellos",
    "ellas",
    "asimismo",
    "además",
    "ademas",
    "tambien",
    "también",
];
/// Of these, words that only add: "Moreover, your licence is reinstated" leans as far as the rest of it does.
const ADDING: &[&str] =
    &["moreover", "furthermore", "also", "besides", "similarly", "likewise", "además", "ademas", "asimismo"];
/// First words that point back unless a noun of the same sentence follows them and carries it.
const DEMONSTRATIVE: &[&str] = &["this", "these", "that", "those"];
/// What follows a demonstrative that stands for itself.
const VERBS: &[&str] = &[
    "is", "are", "was", "were", "has", "have", "had", "can", "may", "must", "will", "would", "should",
    "could", "does", "do", "did", "means", "makes", "allows", "includes", "applies", "happens", "causes",
    "ensures", "helps", "leads", "saves", "gives", "takes", "works", "implies", "requires", "need", "needs",
];
/// "The latter", "the lower figure", "the same": told apart from something said before.
const COMPARING: &[&str] = &[
    "former",
    "latter",
    "same",
    "other",
    "others",
    "difference",
    "above",
    "lower",
    "higher",
    "second",
    "third",
    "rest",
    "reason",
    "result",
    "default",
];
/// A sentence of fewer words is an answer to something, or a piece of it.
const FEWEST_WORDS: usize = 4;

/// Words that tie a sentence to the one before it and take nothing from it when they go.
const TYING: [&str; 16] = [
    "however",
    "moreover",
    "furthermore",
    "also",
    "besides",
    "nevertheless",
    "nonetheless",
    "similarly",
    "likewise",
    "therefore",
    "consequently",
    "allerdings",
    "jedoch",
    "außerdem",
    "toutefois",
    "además",
];

/// A sentence without the word that ties it to the one before: "However, the limit stays." None if nothing ties it so.
#[must_use]
pub fn untied(sentence: &str) -> Option<String> {
    let (first, rest) = sentence.split_once(", ")?;
    let mut letters = rest.chars();
    let opening = letters.next().filter(|_| TYING.contains(&first.to_lowercase().as_str()))?;
    Some(opening.to_uppercase().chain(letters).collect())
}

/// Does a sentence lean on what stands before it?
#[must_use]
pub fn leans(sentence: &str) -> bool {
    let bare = sentence.trim_start_matches(|c: char| !c.is_alphanumeric());
    let mut words = word_ranges(bare).map(|range| fold(&bare[range]));
    let Some(first) = words.next() else { return false };
    let second = words.next().unwrap_or_default();
    // A command or a setting begins in lower case too.
    let named = bare.split_whitespace().next().is_some_and(|word| {
        word.trim_end_matches(['.', ',', ':', ';']).contains(|c: char| !c.is_alphabetic() && c != '\'')
    });
    let bracketed = sentence.starts_with(['[', '(']);
    let cut = bare.starts_with(char::is_lowercase) && !named && !bracketed;
    if ADDING.contains(&first.as_str())
        && let Some((_, rest)) = bare.split_once(", ").filter(|(opening, _)| !opening.contains(' '))
    {
        return leans_after(rest);
    }
    if POINTING.contains(&first.as_str()) {
        // "It is recommended to" and "It is possible to" point at nothing.
        return !(first == "it" && is_empty_it(bare));
    }
    if DEMONSTRATIVE.contains(&first.as_str()) {
        return VERBS.contains(&second.as_str()) || is_bare_reference(&second);
    }
    if first == "the" && COMPARING.contains(&second.as_str()) {
        // "The reason that", "the difference between": told in the same sentence.
        let third = words.next().unwrap_or_default();
        return !["that", "of", "for", "why", "between"].contains(&third.as_str());
    }
    if (first == "in" || first == "for" || first == "after") && second == "this" {
        return true;
    }
    let count = word_ranges(bare).count();
    let ended = sentence.trim_end().ends_with(['.', '!']);
    let answers_only = ["yes.", "no.", "not.", "ja.", "nein.", "oui.", "non.", "sí."]
        .iter()
        .any(|end| bare.trim_end().to_lowercase().ends_with(&format!(" {end}")));
    (cut && ended) || answers_only || (ended && count < FEWEST_WORDS)
}

/// Does what follows an opening word lean? It begins in lower case by right.
fn leans_after(rest: &str) -> bool {
    let mut letters = rest.chars();
    let capital: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    leans(&capital)
}

/// "This option", "these terms" point back by their noun; "This document", "This manual" name themselves.
fn is_bare_reference(noun: &str) -> bool {
    !noun.is_empty()
        && ![
            "document",
            "manual",
            "chapter",
            "section",
            "report",
            "page",
            "guide",
            "book",
            "article",
            "file",
            "program",
            "specification",
            "standard",
            "law",
            "act",
            "regulation",
            "package",
        ]
        .contains(&noun)
}

fn is_empty_it(sentence: &str) -> bool {
    const STATES: &[&str] = &[
        "recommended",
        "possible",
        "impossible",
        "important",
        "necessary",
        "required",
        "advisable",
        "forbidden",
        "permitted",
        "allowed",
        "illegal",
        "safe",
        "unsafe",
        "common",
        "usual",
        "better",
        "best",
        "likely",
        "unlikely",
        "true",
        "clear",
        "known",
        "useful",
    ];
    word_ranges(sentence).take(6).any(|range| STATES.contains(&fold(&sentence[range]).as_str()))
}

#[cfg(test)]
mod tests {
    use super::{leans, untied};

    #[test]
    fn what_points_back_leans_and_what_stands_alone_does_not() {
        for sentence in [
            "It must be paid back within a year.",
            "In nine out of ten houses, yes.",
            "This is why the fee fell.",
            "These terms were changed in May.",
            "The lower figure at Quayside is due mainly to the blocked intake.",
            "However, the limit stays.",
            "Moreover, it may be paid in parts.",
            "and returns the number of rows.",
            "Sie gilt nur für Neubauten.",
            "Not always.",
            "The default is 300 seconds.",
        ] {
            assert!(leans(sentence), "{sentence}");
        }
        for sentence in [
            "The average customer was without heat for 1.9 hours in 2025.",
            "It is recommended to test the boilers every week.",
            "This document replaces version 1.",
            "There were 14 interruptions of supply.",
            "Moreover, your licence is reinstated after 30 days.",
            "The reason that there is one server is that it gives out addresses.",
            "max_connections sets how many clients may connect.",
            "In Denmark about two thirds of all homes are heated in this way.",
        ] {
            assert!(!leans(sentence), "{sentence}");
        }
    }

    #[test]
    fn what_only_ties_a_sentence_can_go() {
        assert_eq!(
            untied("However, if you comply, the rights return.").as_deref(),
            Some("If you comply, the rights return.")
        );
        assert_eq!(untied("Otherwise, the rights are lost."), None);
        assert_eq!(untied("However it is done, it works."), None);
    }
}
