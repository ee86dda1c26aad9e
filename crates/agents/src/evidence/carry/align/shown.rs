//! Stretches of a quote as a person reads them.

use super::*;

/// Tokens as written, with marks where they belong.
pub(super) fn written(tokens: &[Token]) -> String {
    let mut text = String::new();
    for token in tokens {
        let joins = matches!(token.kind, Kind::Mark(',' | ';' | ':' | '.' | ')'))
            || token.joined
            || token.word == "s";
        if !text.is_empty() && !text.ends_with('(') && !joins {
            text.push(' ');
        }
        text.push_str(match token.word.as_str() {
            _ if token.joined => "-",
            "s" => "’",
            _ => "",
        });
        // What was put together is shown with its first word.
        if !(token.skip && text.trim_end().ends_with(token.shown.as_str())) {
            text.push_str(&token.shown);
        }
    }
    text
}

/// The phrase from one word to another, with the small words before it.
pub(super) fn phrase(tokens: &[Token], first: usize, last: usize) -> String {
    let small = |at: usize| {
        lexicon::is_determiner(&tokens[at].word)
            || (lexicon::is_preposition(&tokens[at].word) && !tokens[at].skip)
    };
    let from = (0..first).rev().take_while(|at| small(*at)).last().unwrap_or(first);
    written(&tokens[from..=last])
}
