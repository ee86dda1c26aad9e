//! What the rules twins and checks of this folder share: sentences, content words, numbers.

use std::collections::BTreeSet;

const COMMON: [&str; 60] = [
    "a", "about", "after", "all", "also", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by",
    "can", "did", "do", "does", "for", "from", "had", "has", "have", "he", "her", "his", "how", "in", "is",
    "it", "its", "more", "no", "not", "of", "on", "or", "she", "so", "than", "that", "the", "their", "there",
    "they", "this", "to", "was", "were", "what", "when", "where", "which", "who", "why", "will", "with",
    "would", "you",
];

const SHORT_FORMS: [&str; 14] =
    ["dr", "mr", "mrs", "ms", "st", "prof", "e.g", "i.e", "etc", "vs", "no", "fig", "al", "inc"];

/// The sentences of a text, each verbatim and trimmed. A blank line always ends one.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let after = &text[end..];
        let ends = match c {
            '!' | '?' | '.' => starts_sentence(after) && !(c == '.' && is_short_form(&text[start..at])),
            '。' | '！' | '？' => true,
            '\n' => after.trim_start_matches([' ', '\t', '\r']).starts_with('\n'),
            _ => false,
        };
        if ends {
            found.push(text[start..end].trim());
            start = end;
        }
    }
    found.push(text[start..].trim());
    found.retain(|s| s.chars().any(char::is_alphanumeric));
    found
}

fn starts_sentence(after: &str) -> bool {
    let rest = after.trim_start();
    rest.is_empty() || (rest.len() < after.len() && !rest.starts_with(char::is_lowercase))
}

fn is_short_form(before: &str) -> bool {
    let last = before.rsplit(char::is_whitespace).next().unwrap_or("").trim_start_matches(['(', '"', '“']);
    let initial = last.chars().count() == 1 && last.chars().all(char::is_uppercase);
    initial || SHORT_FORMS.contains(&last.to_lowercase().as_str())
}

/// The words of a text that carry meaning, in lower case, plural endings off.
pub(super) fn content_words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .map(str::to_lowercase)
        .filter(|w| w.chars().count() > 1 && !COMMON.contains(&w.as_str()))
        .map(|w| w.strip_suffix('s').filter(|s| s.len() > 3).map_or(w.clone(), str::to_owned))
        .collect()
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
