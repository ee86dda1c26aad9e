//! In whose voice a text speaks: whether its tone is kept, and whether words of sources are marked as theirs.

use std::collections::HashSet;

use baton_agents::rules::originality::{Originality, originality};

use super::{LONGEST_RUN, MarkdownText, ScoreInput};
use crate::article::brief::Tone;

/// How well sentences keep to a tone, by what can be counted: contractions, exclamation marks, who is spoken to.
pub fn tone(tone: Tone, sentences: &[String]) -> (f64, String) {
    let personal = |sentence: &&String| {
        // What somebody else said in quotation marks is their tone.
        let own = without_quotes(sentence).to_lowercase();
        let words: HashSet<&str> =
            own.split(|letter: char| !letter.is_alphanumeric() && letter != '’' && letter != '\'').collect();
        own.contains('!')
            || ["you", "your", "i", "let’s", "let's"].iter().any(|word| words.contains(word))
            || words.iter().any(|word| {
                ["n’t", "n't", "’re", "'re", "’ll", "'ll", "’ve", "'ve"].iter().any(|end| word.ends_with(end))
            })
    };
    let count = sentences.iter().filter(personal).count();
    let share = count as f64 / sentences.len().max(1) as f64;
    let value = match tone {
        Tone::Professional | Tone::Technical | Tone::Academic => 1.0 - 2.0 * share,
        Tone::Casual | Tone::Conversational => 0.7 + 3.0 * share,
    };
    (
        value.clamp(0.0, 1.0),
        format!("{count} of {} sentences speak to the reader or are informal", sentences.len()),
    )
}

fn without_quotes(text: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for letter in text.chars() {
        match letter {
            '“' => inside = true,
            '”' => inside = false,
            letter if !inside => out.push(letter),
            _ => {}
        }
    }
    out
}

/// The share of words in long runs of a source that neither quotation marks nor its name show to be its own, and the
/// longest of these runs.
pub fn unattributed(input: &ScoreInput<'_>, text: &MarkdownText) -> (f64, usize) {
    let texts: Vec<&str> = input.sources.iter().map(|source| source.text.as_str()).collect();
    let (mut copied, mut words, mut longest) = (0, 0, 0);
    let names = |said: &str| {
        input.sources.iter().any(|source| !source.name.is_empty() && said.contains(source.name.as_str()))
    };
    for sentences in text.sentences_by_paragraph() {
        let mut named = false;
        for sentence in sentences {
            let Originality { words: own, runs, .. } = originality(&sentence, &texts);
            words += own;
            // What goes on telling of the source that the sentences before it named is told as its own.
            let names_it = names(&without_brackets(&sentence));
            let told = names_it || (named && goes_on(&sentence));
            named |= names_it;
            for run in runs.iter().filter(|run| run.words > LONGEST_RUN && !told) {
                copied += run.words;
                longest = longest.max(run.words);
            }
        }
    }
    (if words == 0 { 0.0 } else { (copied as f64 / words as f64).min(1.0) }, longest)
}

/// Whether a sentence goes on telling what a source says: "It also says that", "The report adds that", ", the page says."
fn goes_on(sentence: &str) -> bool {
    let first: Vec<&str> = sentence.split_whitespace().take(6).collect();
    let tells = ["adds", "says", "notes", "states", "explains", "reports", "writes"];
    let begins = matches!(first.first(), Some(&("It" | "The")))
        && first.windows(2).any(|pair| tells.contains(&pair[0]) && pair[1] == "that");
    let end = sentence.trim_end_matches('.').rsplit_once(", the ").map_or("", |(_, end)| end);
    let last: Vec<&str> = end.split(' ').collect();
    begins || ((2..=4).contains(&last.len()) && last.last().is_some_and(|word| tells.contains(word)))
}

/// A citation in brackets does not name a source in the sentence.
pub fn without_brackets(text: &str) -> String {
    let mut out = String::new();
    let mut depth = 0_usize;
    for letter in text.chars() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            letter if depth == 0 => out.push(letter),
            _ => {}
        }
    }
    out
}
