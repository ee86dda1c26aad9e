//! Skill: which sentences their quotes do not carry. Its twin names none: rules have judged all of them before it is asked.

use std::collections::BTreeSet;

use baton_agents::skill::{Piece, Problem, Skill, Vars, one_line};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct ConfirmSentence;

/// A sentence and the words it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rests {
    /// The sentence.
    pub sentence: String,
    /// The words of its sources.
    pub quotes: Vec<String>,
}

/// Sentences that rules let through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToConfirm {
    /// The sentences; they are numbered from 1.
    pub sentences: Vec<Rests>,
}

/// A sentence that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Refused {
    /// Its number.
    pub number: usize,
    /// Why, in one sentence.
    pub reason: String,
}

/// What looking at them brought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Confirmed {
    /// The sentences that do not hold; none is a good answer.
    pub refused: Vec<Refused>,
}

impl Skill for ConfirmSentence {
    const NAME: &'static str = "confirm_sentence";
    const PROMPT: &'static str = include_str!("../prompts/confirm.md");
    const MAX_TOKENS: u32 = 1500;
    type Input = ToConfirm;
    type Output = Confirmed;

    fn vars(_input: &ToConfirm) -> Vars {
        Vars::new()
    }

    fn material(input: &ToConfirm) -> Vec<Piece> {
        let piece = |(number, rests): (usize, &Rests)| {
            let quotes: String =
                rests.quotes.iter().map(|quote| format!("\nquote: {}", one_line(quote))).collect();
            Piece::tagged("sentence", &number, format!("{}{quotes}", one_line(&rests.sentence)), 0)
        };
        (1..).zip(&input.sentences).map(piece).collect()
    }

    fn check(input: &ToConfirm, output: &Confirmed) -> Vec<Problem> {
        let mut seen = BTreeSet::new();
        let mut problems = Vec::new();
        for (index, refused) in output.refused.iter().enumerate() {
            if !(1..=input.sentences.len()).contains(&refused.number) {
                let what = format!("there is no sentence {}", refused.number);
                problems.push(Problem::new(format!("/refused/{index}/number"), what));
            } else if !seen.insert(refused.number) {
                let what = format!("sentence {} is named twice", refused.number);
                problems.push(Problem::new(format!("/refused/{index}/number"), what));
            }
            if refused.reason.trim().is_empty() {
                problems.push(Problem::new(
                    format!("/refused/{index}/reason"),
                    "a reason is wanted, in one sentence",
                ));
            }
        }
        problems
    }

    fn rules(_input: &ToConfirm) -> Option<Confirmed> {
        Some(Confirmed { refused: Vec::new() })
    }
}
