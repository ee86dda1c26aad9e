//! Skill: other words for a search that brought nothing. Its twin keeps the telling words and drops the rest.

use baton_agents::rules::words::{fold, is_stop};
use baton_agents::skill::{Piece, Problem, Skill};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct Reword;

/// What was searched in vain.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToReword {
    /// The question behind the search.
    pub question: String,
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
    const PROMPT: &'static str = include_str!("../prompts/queries.md");
    const MAX_TOKENS: u32 = 256;
    type Input = ToReword;
    type Output = Reworded;

    fn vars(input: &ToReword) -> Value {
        json!({"question": input.question, "tried": input.tried, "focus": input.focus})
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
        let words = input.question.split(|letter: char| !letter.is_alphanumeric() && letter != '-');
        let telling: Vec<&str> = words.filter(|word| word.len() > 3 && !is_stop(&fold(word))).collect();
        let query = if telling.is_empty() { input.focus.join(" ") } else { telling.join(" ") };
        (!query.trim().is_empty()).then_some(Reworded { query })
    }
}
