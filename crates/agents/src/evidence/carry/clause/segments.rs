//! Where clauses may begin: the stretches of a sentence between openers, commas and brackets.

use super::super::lexicon::Operator;
use super::super::token::{Kind, Token};
use super::is_reporting;

/// A stretch between two places where a clause may begin.
pub(super) struct Segment {
    pub(super) opener: String,
    pub(super) comma: bool,
    pub(super) bracket: bool,
    pub(super) tokens: Vec<usize>,
    /// The word before it.
    pub(super) after: Option<usize>,
}

pub(super) fn opener_of(tokens: &[Token], index: usize) -> Option<&'static str> {
    const OPENERS: &[&str] = &[
        "and",
        "or",
        "but",
        "nor",
        "while",
        "whereas",
        "although",
        "though",
        "because",
        "if",
        "unless",
        "when",
        "whenever",
        "where",
        "which",
        "who",
        "whom",
        "whose",
        "that",
        "until",
        "once",
        "since",
        "before",
        "after",
        "so",
        "as",
        "provided",
        "therefore",
        "thus",
        "then",
        "whether",
    ];
    let token = &tokens[index];
    if !token.is_word() || token.rate || (token.skip && token.word != "that") {
        return None;
    }
    // "even if it rains": what may be so or not.
    if token.operator == Some(Operator::EvenIf) {
        return Some("whether");
    }
    OPENERS.iter().find(|word| **word == token.word).copied()
}

/// "61 percent said they trusted it": where somebody's words begin without a "that".
fn begins_report(tokens: &[Token], index: usize) -> bool {
    let subject = matches!(tokens[index].word.as_str(), "they" | "he" | "she" | "it" | "we" | "there");
    let told = index > 0
        && is_reporting(&tokens[index - 1])
        && (tokens[index - 1].word.ends_with('d') || tokens[index - 1].word.ends_with('s'));
    subject && told
}

pub(super) fn segments(tokens: &[Token]) -> Vec<Segment> {
    let mut segments = Vec::new();
    let mut open =
        Segment { opener: String::new(), comma: false, bracket: false, tokens: vec![], after: None };
    let mut brackets = 0_usize;
    for (index, token) in tokens.iter().enumerate() {
        let after = index.checked_sub(1);
        let empty = open.tokens.is_empty();
        let comma = empty && matches!(open.opener.as_str(), "," | ";" | "—" | ":" | "(");
        let weak = empty && matches!(open.opener.as_str(), "and" | "but" | "or");
        if weak && let Some(word) = opener_of(tokens, index) {
            open.opener = word.to_owned();
            open.tokens.push(index);
            continue;
        }
        let mut begin = |opener: &str, comma: bool, bracket: bool| {
            let next = Segment { opener: opener.to_owned(), comma, bracket, tokens: vec![], after };
            let done = std::mem::replace(&mut open, next);
            if !done.tokens.is_empty() || !done.opener.is_empty() {
                segments.push(done);
            }
        };
        match token.kind {
            Kind::Mark('(') => {
                brackets += 1;
                begin("(", true, true);
            }
            Kind::Mark(')') => {
                brackets = brackets.saturating_sub(1);
                begin(")", true, brackets > 0);
            }
            // ", most of whom", ", of which 200"
            Kind::Mark(',')
                if tokens[index + 1..]
                    .iter()
                    .take(5)
                    .take_while(|token| !token.is_mark())
                    .any(|token| matches!(token.word.as_str(), "whom" | "which"))
                    && tokens[index + 1..].iter().take(4).any(|token| token.word == "of") =>
            {
                begin("which", true, brackets > 0);
            }
            Kind::Mark(mark @ (',' | ';' | ':' | '—' | '|')) => {
                begin(&mark.to_string(), true, brackets > 0);
            }
            Kind::Mark(_) => {}
            _ => {
                let related = index > 0
                    && tokens[index - 1].word == "of"
                    && matches!(token.word.as_str(), "whom" | "which");
                if let Some(word) = opener_of(tokens, index).filter(|_| !related) {
                    begin(word, comma, brackets > 0);
                } else if begins_report(tokens, index) {
                    begin("that", comma, brackets > 0);
                }
                open.tokens.push(index);
            }
        }
    }
    segments.push(open);
    segments
}
