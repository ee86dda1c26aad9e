//! Skill: an agent's own history in fewer words. Its twin keeps the first sentences that fit; it writes none.

use baton_agents::rules::sentences::sentences;
use baton_agents::skill::{Piece, Problem, Skill, Vars, Words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct Condense;

/// What to shorten.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToCondense {
    /// The history.
    pub history: String,
    /// Whose view counts.
    pub focus: String,
    /// The agent's own instructions for it, if it has any.
    pub instructions: String,
    /// The most characters.
    pub most: usize,
}

/// A shorter history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Condensed {
    /// The summary.
    pub summary: String,
}

impl Skill for Condense {
    const NAME: &'static str = "debate_condense";
    const PROMPT: &'static str = include_str!("../prompts/condense.md");
    type Input = ToCondense;
    type Output = Condensed;

    fn vars(input: &ToCondense) -> Vars {
        Vars::new()
            .with("focus", Words::typed(&input.focus))
            .with("instructions", Words::typed(&input.instructions))
            .with("most", input.most)
    }

    fn material(input: &ToCondense) -> Vec<Piece> {
        vec![Piece::new("the history", &input.history, 0)]
    }

    /// One that is too long is cut where it is used.
    fn check(_input: &ToCondense, output: &Condensed) -> Vec<Problem> {
        let empty = output.summary.trim().is_empty();
        empty.then(|| Problem::new("/summary", "the summary is empty")).into_iter().collect()
    }

    fn rules(input: &ToCondense) -> Option<Condensed> {
        let mut summary = String::new();
        for range in sentences(&input.history) {
            let sentence = &input.history[range];
            if summary.chars().count() + sentence.chars().count() + 1 > input.most {
                break;
            }
            summary.push_str(sentence.trim());
            summary.push(' ');
        }
        let summary = summary.trim_end().to_owned();
        (!summary.is_empty()).then_some(Condensed { summary })
    }
}
