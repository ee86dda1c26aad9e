//! Skill: sentences that were not let through, said again. Its twin leaves them out.

use baton_agents::skill::{Piece, Problem, Skill, Vars, Words, one_line};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::write::{CARRIED, ToWrite};

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct MendSentences;

/// A sentence that was not let through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rejected {
    /// Its number, counted from 1.
    pub number: usize,
    /// The sentence.
    pub text: String,
    /// The facts it named.
    pub facts: Vec<String>,
    /// Why not.
    pub why: String,
}

/// What is to be mended, and what may be used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToMend {
    /// The question, its parts and the facts.
    pub known: ToWrite,
    /// The sentences.
    pub rejected: Vec<Rejected>,
}

/// A sentence in the place of a rejected one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Mended {
    /// The number of the rejected one.
    pub number: usize,
    /// The sentence.
    pub text: String,
    /// Labels of its facts.
    pub facts: Vec<String>,
}

/// What takes their places.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Mending {
    /// At most one for each; one that is missing is given up.
    pub sentences: Vec<Mended>,
}

impl Skill for MendSentences {
    const NAME: &'static str = "mend_sentences";
    const PROMPT: &'static str = include_str!("../prompts/mend.md");
    const PARTS: &'static [(&'static str, &'static str)] = &[("carried.md", CARRIED)];
    const MAX_TOKENS: u32 = 4096;
    type Input = ToMend;
    type Output = Mending;

    fn vars(input: &ToMend) -> Vars {
        let question: &Words = &input.known.question;
        Vars::new().with("question", question)
    }

    fn material(input: &ToMend) -> Vec<Piece> {
        let rejected = |it: &Rejected| {
            let facts = it.facts.iter().map(|fact| one_line(fact)).collect::<Vec<_>>().join(", ");
            format!(
                "{}. {} ({facts})\n  not let through: {}",
                it.number,
                one_line(&it.text),
                one_line(&it.why)
            )
        };
        let list: Vec<String> = input.rejected.iter().map(rejected).collect();
        let mut pieces = vec![Piece::new("sentences that were not let through", list.join("\n"), 0)];
        pieces.extend(input.known.pieces());
        pieces
    }

    fn check(input: &ToMend, output: &Mending) -> Vec<Problem> {
        let mut problems = Vec::new();
        for (at, one) in output.sentences.iter().enumerate() {
            let known = input.rejected.iter().any(|rejected| rejected.number == one.number);
            let again = output.sentences[..at].iter().any(|before| before.number == one.number);
            if !known || again {
                let what = if again { "this number is there already" } else { "there is no such number" };
                problems.push(Problem::new(format!("/sentences/{at}/number"), what));
            }
        }
        problems
    }

    fn rules(_input: &ToMend) -> Option<Mending> {
        Some(Mending { sentences: Vec::new() })
    }
}
