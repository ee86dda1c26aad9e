//! What the rules twins and checks of this folder share: sentences, content words, numbers.

use std::collections::BTreeSet;

use crate::rules;
use crate::rules::words::{fold, is_stop, words};

/// The sentences of a text, each verbatim and trimmed.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let all = rules::sentences::sentences(text).into_iter().map(|range| text[range].trim());
    all.filter(|sentence| sentence.chars().any(char::is_alphanumeric)).collect()
}

/// The words of a text that carry meaning, stemmed, in order.
pub(super) fn content_words(text: &str) -> Vec<String> {
    let tells = |word: &str| word.chars().count() > 1 && !is_stop(&fold(word));
    words(text).into_iter().filter(|word| tells(&text[word.range.clone()])).map(|word| word.stem).collect()
}

/// The numbers of a text, as written but without thousands separators.
pub(super) fn numbers(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',')))
        .map(|n| n.trim_matches(['.', ',']).replace(',', ""))
        .filter(|n| !n.is_empty())
        .collect()
}

/// The numbers of `claim` that `source` does not hold.
pub(super) fn missing_numbers(claim: &str, source: &str) -> Vec<String> {
    let known = numbers(source);
    numbers(claim).into_iter().filter(|n| !known.contains(n)).collect()
}

/// How many of the words of `wanted` a sentence shares.
pub(super) fn overlap(wanted: &BTreeSet<String>, sentence: &str) -> usize {
    content_words(sentence).into_iter().collect::<BTreeSet<_>>().intersection(wanted).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_they_end() {
        let text = "Dr. Ada met J. Smith. It cost 1.5 million! Why?\n\nA heading\n\nThe end";
        let want = ["Dr. Ada met J. Smith.", "It cost 1.5 million!", "Why?", "A heading", "The end"];
        assert_eq!(sentences(text), want);
    }

    #[test]
    fn numbers_compare_by_value_as_written() {
        assert_eq!(missing_numbers("1,200 people in 1999.", "1200 people came"), ["1999"]);
        assert!(missing_numbers("no numbers", "").is_empty());
    }
}
