//! Skill: facts from a text, each with the words it rests on. Its twin quotes sentences and claims no more
//! than they say.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words::{content_words, missing_numbers, overlap, sentences};
use super::{Piece, Problem, Skill, Vars, Words};

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct ExtractFacts;

/// What to read, and what for.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// What the facts should be about.
    pub question: String,
    /// The text.
    pub text: String,
    /// How many facts at most.
    #[serde(default = "five")]
    pub most: u8,
}

fn five() -> u8 {
    5
}

/// One fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fact {
    /// The fact as one plain sentence.
    pub statement: String,
    /// The words it rests on, copied exactly from the text.
    pub quote: String,
}

/// The facts found; none is an honest answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Facts {
    /// The facts.
    pub facts: Vec<Fact>,
}

impl Skill for ExtractFacts {
    const NAME: &'static str = "extract_facts";
    const PROMPT: &'static str = include_str!("../../prompts/extract_facts.md");
    type Input = Reading;
    type Output = Facts;

    fn vars(input: &Reading) -> Vars {
        Vars::new().with("question", Words::typed(&input.question)).with("most", input.most)
    }

    fn material(input: &Reading) -> Vec<Piece> {
        vec![Piece::new("text", &input.text, 0)]
    }

    fn check(input: &Reading, output: &Facts) -> Vec<Problem> {
        let mut problems = Vec::new();
        let (has, may) = (output.facts.len(), usize::from(input.most));
        if has > may {
            problems.push(Problem::new("/facts", format!("{has} facts; at most {may} are wanted")));
        }
        for (i, fact) in output.facts.iter().enumerate() {
            let quote = fact.quote.as_str();
            if quote.trim().is_empty() || !input.text.contains(quote) {
                let what = format!("{quote:?} is not in the text; copy the words exactly");
                problems.push(Problem::new(format!("/facts/{i}/quote"), what));
                continue;
            }
            if fact.statement.trim().is_empty() {
                problems.push(Problem::new(format!("/facts/{i}/statement"), "the statement is empty"));
            }
            for number in missing_numbers(&fact.statement, quote) {
                let what = format!("the number {number} is not in its quote");
                problems.push(Problem::new(format!("/facts/{i}/statement"), what));
            }
        }
        problems
    }

    /// The sentences nearest to the question, each its own statement.
    fn rules(input: &Reading) -> Option<Facts> {
        let asked: BTreeSet<String> = content_words(&input.question).into_iter().collect();
        let all = sentences(&input.text);
        let mut near: Vec<usize> = (0..all.len()).filter(|i| overlap(&asked, all[*i]) > 0).collect();
        near.sort_by_key(|i| (std::cmp::Reverse(overlap(&asked, all[*i])), *i));
        near.truncate(usize::from(input.most));
        near.sort_unstable();
        let fact = |i: usize| Fact { statement: all[i].to_owned(), quote: all[i].to_owned() };
        Some(Facts { facts: near.into_iter().map(fact).collect() })
    }
}
