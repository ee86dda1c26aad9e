//! Which words of a question are its verbs, where the form of the language shows them. What somebody does with a thing is told in
//! many words, what the thing is called in few: a verb that is not found says less than a noun that is not. English shows no
//! verb by its form; by its place alone near misses were answered ("Does Stow encrypt …?"), so there it is left out.

use std::collections::HashSet;

use super::super::language::Language;
use super::super::words::{fold, word_ranges};

/// Before what is done, in French and in Spanish.
const FRENCH_BEFORE: &[&str] = &[
    "pour", "de", "d", "à", "peut", "peux", "puis", "dois", "doit", "faut", "il", "on", "je", "sans", "se",
    "s", "comment",
];
const SPANISH_BEFORE: &[&str] = &[
    "para", "de", "a", "al", "puede", "puedo", "pueden", "debe", "debo", "deben", "hay", "que", "se", "cómo",
    "sin",
];

/// The verbs of a question, stemmed as it is.
pub(super) fn verbs(text: &str, language: Language) -> HashSet<String> {
    let words: Vec<&str> = word_ranges(text).map(|range| &text[range]).collect();
    let is_verb: fn(&[&str], usize) -> bool = match language {
        // German writes its nouns with a capital; where nothing has one, nobody kept to that.
        Language::German if words.iter().skip(1).any(|word| is_capital(word)) => in_german,
        Language::French => in_french,
        Language::Spanish => in_spanish,
        _ => return HashSet::new(),
    };
    let found = (0..words.len()).filter(|at| is_verb(&words, *at));
    found.map(|at| language.stem(words[at])).collect()
}

fn is_capital(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

fn is_lower(word: &str) -> bool {
    word.chars().all(char::is_lowercase)
}

/// What is written small and not first is a verb, or tells how something is.
fn in_german(words: &[&str], at: usize) -> bool {
    at > 0 && is_lower(words[at])
}

fn in_french(words: &[&str], at: usize) -> bool {
    let ends = ["er", "ir", "re"].iter().any(|end| words[at].ends_with(end));
    behind(words, at, FRENCH_BEFORE) && is_lower(words[at]) && ends
}

fn in_spanish(words: &[&str], at: usize) -> bool {
    let bare = words[at].trim_end_matches("lo").trim_end_matches("la").trim_end_matches("se");
    let ends = ["ar", "er", "ir"].iter().any(|end| bare.ends_with(end));
    behind(words, at, SPANISH_BEFORE) && is_lower(words[at]) && ends
}

fn behind(words: &[&str], at: usize, before: &[&str]) -> bool {
    at.checked_sub(1).is_some_and(|last| before.contains(&fold(words[last]).as_str()))
}

#[cfg(test)]
mod tests {
    use super::{Language, verbs};

    #[test]
    fn verbs_show_by_their_form() {
        for (question, language, wanted) in [
            ("Welche Dateien kann man in Grisbi importieren?", Language::German, "importieren"),
            ("¿Cómo puedo escribir una fecha?", Language::Spanish, "escribir"),
            ("Combien demande un notaire pour rédiger un Pacs ?", Language::French, "rédiger"),
        ] {
            assert!(verbs(question, language).contains(&language.stem(wanted)), "{question}");
        }
        assert!(!verbs("Welche Dateien kann man importieren?", Language::German).contains("datei"));
        // Who writes nothing with a capital shows nothing by it.
        assert!(verbs("welche dateien kann man importieren?", Language::German).is_empty());
        assert!(verbs("Does Stow encrypt the packages?", Language::English).is_empty());
    }
}
