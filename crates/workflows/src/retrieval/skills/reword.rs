//! Skill: other words for a search that brought nothing. Its twin keeps the telling words and drops the rest.

use baton_agents::rules::words::{fold, is_stop};
use baton_agents::skill::{Piece, Problem, Skill, Vars, Words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct Reword;

/// What was searched in vain.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToReword {
    /// The question behind the search.
    pub question: Words,
    /// What was tried.
    pub tried: String,
    /// Words that belong to it.
    pub focus: Vec<String>,
}

/// Another way to say it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reworded {
    /// The words to search with.
    pub query: String,
}

impl Skill for Reword {
    const NAME: &'static str = "reword_query";
    const PROMPT: &'static str = include_str!("../prompts/reword.md");
    const MAX_TOKENS: u32 = 256;
    type Input = ToReword;
    type Output = Reworded;

    fn vars(input: &ToReword) -> Vars {
        let focus = input.focus.join(", ");
        Vars::new().with("question", &input.question).with("tried", &input.tried).with("focus", focus)
    }

    fn material(_input: &ToReword) -> Vec<Piece> {
        Vec::new()
    }

    fn check(input: &ToReword, output: &Reworded) -> Vec<Problem> {
        let query = output.query.trim();
        if query.is_empty() || query.chars().count() > 400 {
            return vec![Problem::new("/query", "1 to 400 characters are wanted")];
        }
        if query.eq_ignore_ascii_case(input.tried.trim()) {
            return vec![Problem::new("/query", "this was tried already")];
        }
        Vec::new()
    }

    fn rules(input: &ToReword) -> Option<Reworded> {
        let telling = telling(input.question.as_str(), usize::MAX);
        let query = if telling.is_empty() { input.focus.join(" ") } else { telling };
        (!query.trim().is_empty()).then_some(Reworded { query })
    }
}

/// The telling words of a question in their order, at most so many: names before numbers before long words.
pub fn telling(question: &str, most: usize) -> String {
    let inside = |letter: char| letter.is_alphanumeric() || letter == '-';
    let trimmed = |word: &'_ str| word.trim_matches(|letter: char| !inside(letter)).to_owned();
    let apart = |letter: char| letter.is_whitespace() || "()[]{}\"“”/".contains(letter);
    let words = question.split(apart).map(trimmed).map(|word| match word.strip_suffix("'s") {
        Some(owner) => owner.to_owned(),
        None => word,
    });
    let tells = |word: &String| !is_stop(&fold(word)) && (word.len() > 3 || is_number(word) || is_name(word));
    let words: Vec<String> = words.filter(|word| !word.is_empty()).filter(tells).collect();
    // The first word of a question has a capital anyway.
    let weight =
        |at: usize| (is_name(&words[at]) && !question.starts_with(&words[at]), is_number(&words[at]));
    let mut best: Vec<usize> = (0..words.len()).collect();
    best.sort_by_key(|at| std::cmp::Reverse((weight(*at), words[*at].len())));
    best.truncate(most);
    best.sort_unstable();
    best.into_iter().map(|at| words[at].as_str()).collect::<Vec<_>>().join(" ")
}

fn is_number(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_ascii_digit())
}

fn is_name(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}
