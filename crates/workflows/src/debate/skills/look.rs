//! Skill: what to look up in the context folder before proposing. Its twin searches for the words of the problem.

use baton_agents::rules::phrases::key_phrases;
use baton_agents::skill::{Piece, Problem, Skill, Vars};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Brief, PARTS};
use crate::debate::tools::{Tool, ToolCall};

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct Look;

/// What can be looked up.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToLook {
    /// The brief.
    pub brief: Brief,
    /// What was found so far.
    pub found: Vec<String>,
    /// How many calls are left.
    pub left: u32,
}

/// What to look up next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Wanted {
    /// The calls; empty when enough is known.
    pub calls: Vec<ToolCall>,
}

impl Skill for Look {
    const NAME: &'static str = "debate_look";
    const PROMPT: &'static str = include_str!("../prompts/look.md");
    const PARTS: &'static [(&'static str, &'static str)] = PARTS;
    const MAX_TOKENS: u32 = 512;
    type Input = ToLook;
    type Output = Wanted;

    fn vars(input: &ToLook) -> Vars {
        input.brief.vars().with("left", input.left)
    }

    fn material(input: &ToLook) -> Vec<Piece> {
        let mut pieces = input.brief.pieces();
        pieces.extend(input.found.iter().map(|found| Piece::new("found so far", found, 3)));
        pieces
    }

    fn check(_input: &ToLook, _output: &Wanted) -> Vec<Problem> {
        Vec::new()
    }

    fn rules(input: &ToLook) -> Option<Wanted> {
        let search = |phrase: baton_agents::rules::phrases::Phrase| ToolCall {
            tool: Tool::Search,
            argument: phrase.text,
        };
        let calls = if input.found.is_empty() {
            key_phrases(&input.brief.problem, 2).into_iter().map(search).collect()
        } else {
            Vec::new()
        };
        Some(Wanted { calls })
    }
}
