//! Skill: scores for a finished debate, from 1 to 10. Its twin scores only what the ledger counts.

use std::collections::BTreeMap;

use baton_agents::skill::{Piece, Problem, Skill, Vars, Words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What is scored.
pub const CRITERIA: [&str; 8] = [
    "functional_completeness",
    "performance_scalability",
    "security",
    "maintainability_evolvability",
    "regulatory_compliance",
    "testability",
    "requirements_fulfillment",
    "overall",
];

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct Evaluate;

/// What to score.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToEvaluate {
    /// The problem.
    pub problem: String,
    /// The decision as Markdown.
    pub decision: String,
    /// The evaluator's own instructions, if it has any.
    pub instructions: String,
    /// How many requirements there were.
    pub requirements: usize,
    /// How many of them are not met.
    pub unmet: usize,
}

/// The scores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scores {
    /// By criterion, from 1 to 10.
    pub scores: BTreeMap<String, Value>,
}

impl Scores {
    /// The scores that are numbers, brought into 1 to 10.
    #[must_use]
    pub fn numbers(&self) -> BTreeMap<&'static str, f64> {
        let number = |name: &&'static str| Some((*name, self.scores.get(*name)?.as_f64()?.clamp(1.0, 10.0)));
        CRITERIA.iter().filter_map(number).collect()
    }
}

impl Skill for Evaluate {
    const NAME: &'static str = "debate_evaluate";
    const PROMPT: &'static str = include_str!("../prompts/evaluate.md");
    const MAX_TOKENS: u32 = 512;
    type Input = ToEvaluate;
    type Output = Scores;

    fn vars(input: &ToEvaluate) -> Vars {
        Vars::new()
            .with("problem", Words::typed(&input.problem))
            .with("instructions", Words::typed(&input.instructions))
            .with("criteria", CRITERIA.to_vec())
    }

    fn material(input: &ToEvaluate) -> Vec<Piece> {
        vec![Piece::new("the decision", &input.decision, 0)]
    }

    fn check(_input: &ToEvaluate, output: &Scores) -> Vec<Problem> {
        let none = output.numbers().is_empty();
        none.then(|| Problem::new("/scores", "there is not one number from 1 to 10")).into_iter().collect()
    }

    fn rules(input: &ToEvaluate) -> Option<Scores> {
        if input.requirements == 0 {
            return None;
        }
        let met = input.requirements.saturating_sub(input.unmet) as f64 / input.requirements as f64;
        let score = ((1.0 + 9.0 * met) * 10.0).round() / 10.0;
        let scores = BTreeMap::from([("requirements_fulfillment".to_owned(), json!(score))]);
        Some(Scores { scores })
    }
}
