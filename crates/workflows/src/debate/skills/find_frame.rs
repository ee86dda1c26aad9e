//! Skill: what is to be decided, as slots with options. Its twin finds options the problem itself lists.

use baton_agents::skill::{Piece, Problem, Skill, Vars};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Brief, PARTS};
use crate::debate::frame::{Choice, Frame, Slot};

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct FindFrame;

/// What to find it in.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToFrame {
    /// The brief.
    pub brief: Brief,
}

/// A frame as a model writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Found {
    /// The slots.
    pub slots: Vec<FoundSlot>,
}

/// A slot as a model writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FoundSlot {
    /// A short name.
    pub slot: String,
    /// The question it answers.
    pub question: String,
    /// The options.
    pub options: Vec<String>,
}

impl Found {
    /// As a frame.
    #[must_use]
    pub fn frame(&self) -> Frame {
        let choice = |option: &String| Choice { option: option.clone(), also: Vec::new() };
        let slot = |found: &FoundSlot| Slot {
            slot: found.slot.clone(),
            question: found.question.clone(),
            options: found.options.iter().map(choice).collect(),
            required: true,
        };
        Frame { slots: self.slots.iter().map(slot).collect() }
    }
}

impl Skill for FindFrame {
    const NAME: &'static str = "debate_frame";
    const PROMPT: &'static str = include_str!("../prompts/find_frame.md");
    const PARTS: &'static [(&'static str, &'static str)] = PARTS;
    type Input = ToFrame;
    type Output = Found;

    fn vars(input: &ToFrame) -> Vars {
        input.brief.vars()
    }

    fn material(input: &ToFrame) -> Vec<Piece> {
        input.brief.pieces()
    }

    fn check(_input: &ToFrame, output: &Found) -> Vec<Problem> {
        let mut problems: Vec<Problem> =
            output.frame().problems().into_iter().map(|what| Problem::new("/slots", what)).collect();
        if output.slots.is_empty() {
            problems.push(Problem::new("/slots", "there is no slot"));
        }
        problems
    }

    /// "A or B" and "A vs B" in the problem, and a list under a line that ends in `options:`.
    fn rules(input: &ToFrame) -> Option<Found> {
        let problem = &input.brief.problem;
        let options = listed(problem).or_else(|| alternatives(problem))?;
        let question = problem.lines().find(|line| !line.trim().is_empty())?.trim().to_owned();
        Some(Found { slots: vec![FoundSlot { slot: "decision".to_owned(), question, options }] })
    }
}

fn listed(problem: &str) -> Option<Vec<String>> {
    let mut lines = problem.lines().skip_while(|line| !line.trim().to_lowercase().ends_with("options:"));
    lines.next()?;
    let item = |line: &str| Some(line.trim().strip_prefix(['-', '*'])?.trim().to_owned());
    let options: Vec<String> = lines.map_while(item).filter(|option| !option.is_empty()).collect();
    (options.len() > 1).then_some(options)
}

/// The words around "or" and "vs", as long as they look like names: up to two words on each side.
fn alternatives(problem: &str) -> Option<Vec<String>> {
    let words: Vec<&str> = problem.split_whitespace().collect();
    let at = words
        .iter()
        .position(|word| matches!(word.to_lowercase().as_str(), "or" | "vs" | "vs." | "versus"))?;
    let clean = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let (left, right) = (clean(words.get(at.checked_sub(1)?)?), clean(words.get(at + 1)?));
    (!left.is_empty() && !right.is_empty() && left != right).then(|| vec![left, right])
}
