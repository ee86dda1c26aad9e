//! Skill: what is missing. Its twin adds nothing to the gaps that code has found.

use baton_agents::skill::{Piece, Problem, Skill, Vars, Words, one_line};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct FindGaps;

/// What has been found so far.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SoFar {
    /// The question.
    pub question: Words,
    /// The dimensions, each with its facts in brief.
    pub dimensions: Vec<Covered>,
}

/// A dimension and what is known of it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Covered {
    /// Its name.
    pub name: String,
    /// Its facts, each a sentence.
    pub facts: Vec<String>,
}

/// Something that is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Missing {
    /// The dimension, counted from 0.
    pub dimension: usize,
    /// What is missing, in a sentence.
    pub what: String,
    /// Words to search with.
    pub query: String,
}

/// What is missing; nothing is a good answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Gaps {
    /// At most three.
    pub gaps: Vec<Missing>,
}

impl Skill for FindGaps {
    const NAME: &'static str = "find_gaps";
    const PROMPT: &'static str = include_str!("../prompts/reflect.md");
    type Input = SoFar;
    type Output = Gaps;

    fn vars(input: &SoFar) -> Vars {
        Vars::new().with("question", &input.question)
    }

    fn material(input: &SoFar) -> Vec<Piece> {
        let piece = |(at, covered): (usize, &Covered)| {
            let facts: Vec<String> =
                covered.facts.iter().map(|fact| format!("- {}", one_line(fact))).collect();
            let facts = if facts.is_empty() { "(nothing found)".to_owned() } else { facts.join("\n") };
            Piece::tagged("dimension", &at, format!("{}\n{facts}", one_line(&covered.name)), 0)
        };
        input.dimensions.iter().enumerate().map(piece).collect()
    }

    fn check(input: &SoFar, output: &Gaps) -> Vec<Problem> {
        let mut problems = Vec::new();
        if output.gaps.len() > 3 {
            problems.push(Problem::new("/gaps", "at most 3 are wanted"));
        }
        for (at, gap) in output.gaps.iter().enumerate() {
            if gap.dimension >= input.dimensions.len() {
                problems.push(Problem::new(format!("/gaps/{at}/dimension"), "there is no such dimension"));
            }
            if gap.query.trim().is_empty() {
                problems.push(Problem::new(format!("/gaps/{at}/query"), "words to search with are missing"));
            }
        }
        problems
    }

    fn rules(_input: &SoFar) -> Option<Gaps> {
        Some(Gaps { gaps: Vec::new() })
    }
}
