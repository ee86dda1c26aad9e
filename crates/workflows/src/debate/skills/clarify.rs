//! Skill: questions an agent must have answered before it can propose. Its twin has none.

use baton_agents::skill::{Piece, Problem, Skill, Vars, Words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Brief, PARTS};

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct Clarify;

/// What may be asked about.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToClarify {
    /// The brief, with the answers so far.
    pub brief: Brief,
    /// The agent's own instructions for asking, if it has any.
    pub instructions: String,
    /// How many questions it may ask.
    pub most: usize,
}

/// Questions to the person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Questions {
    /// The questions; empty if everything is clear.
    pub questions: Vec<Text>,
}

/// One question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Text {
    /// In words.
    pub text: String,
}

impl Skill for Clarify {
    const NAME: &'static str = "debate_clarify";
    const PROMPT: &'static str = include_str!("../prompts/clarify.md");
    const PARTS: &'static [(&'static str, &'static str)] = PARTS;
    const MAX_TOKENS: u32 = 512;
    type Input = ToClarify;
    type Output = Questions;

    fn vars(input: &ToClarify) -> Vars {
        input.brief.vars().with("most", input.most).with("instructions", Words::typed(&input.instructions))
    }

    fn material(input: &ToClarify) -> Vec<Piece> {
        input.brief.pieces()
    }

    /// Too many are cut off where they are used, with a word about it: they are no reason to pay again.
    fn check(_input: &ToClarify, output: &Questions) -> Vec<Problem> {
        let empty =
            output.questions.iter().enumerate().filter(|(_, question)| question.text.trim().is_empty());
        empty.map(|(at, _)| Problem::new(format!("/questions/{at}"), "the question is empty")).collect()
    }

    fn rules(_input: &ToClarify) -> Option<Questions> {
        Some(Questions { questions: Vec::new() })
    }
}
