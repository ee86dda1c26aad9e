//! What an agent or the judge of a debate can be asked, one file per skill: input, output, prompt, checks and the
//! rules twin. What they share stands here: the brief every prompt opens with.

pub mod clarify;
pub mod condense;
pub mod critique;
pub mod evaluate;
pub mod find_frame;
pub mod judge;
pub mod look;
pub mod propose;
pub mod refine;
pub mod synthesize;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use baton_agents::skill::{Piece, Problem, Vars, Words, one_line};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use baton_agents::evidence::quote;

use super::contribution::Excerpt;
use super::frame::Frame;
use super::memory::Memory;
use super::setup::Requirement;
use super::tools::ToolCall;

/// The parts that prompts share.
const PARTS: &[(&str, &str)] =
    &[("problem", include_str!("../prompts/problem.md")), ("looking", include_str!("../prompts/looking.md"))];

/// What everybody is told first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Brief {
    /// The problem.
    pub problem: String,
    /// What the one who is asked looks at first.
    pub focus: String,
    /// What is to be decided.
    pub frame: Frame,
    /// What a solution must do, as `id: words`.
    pub requirements: Vec<String>,
    /// Questions that were answered, as `question -> answer`.
    pub clarifications: Vec<String>,
    /// The round, from 1.
    pub round: u32,
}

impl Brief {
    /// The brief of a debate as it stands.
    #[must_use]
    pub fn of(memory: &Memory, focus: &str) -> Self {
        let answered = memory.clarifications.iter().filter(|asked| !asked.answer.trim().is_empty());
        let line = |requirement: &Requirement| {
            let weight = if requirement.major { "" } else { " (optional)" };
            format!("{}: {}{weight}", requirement.id, requirement.text)
        };
        Self {
            problem: memory.setup.problem.clone(),
            focus: focus.to_owned(),
            frame: memory.frame.clone().unwrap_or_default(),
            requirements: memory.setup.requirements.iter().map(line).collect(),
            clarifications: answered.map(|asked| format!("{} -> {}", asked.question, asked.answer)).collect(),
            round: memory.round,
        }
    }

    /// The ids of the requirements.
    pub fn requirement_ids(&self) -> impl Iterator<Item = &str> {
        self.requirements.iter().filter_map(|line| Some(line.split_once(':')?.0))
    }

    /// What the person who holds the debate has set.
    fn vars(&self) -> Vars {
        let requirements: Vec<Words> = self.requirements.iter().map(Words::typed).collect();
        Vars::new()
            .with("problem", Words::typed(&self.problem))
            .with("focus", Words::typed(&self.focus))
            .with("requirements", requirements)
            .with("round", self.round)
    }

    /// What models may have written: the frame and the questions.
    fn pieces(&self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        if !self.frame.slots.is_empty() {
            pieces.push(Piece::new(
                "the decision frame: one slot on each line",
                lines(&self.frame.lines()),
                0,
            ));
        }
        if !self.clarifications.is_empty() {
            pieces.push(Piece::new("questions and answers", lines(&self.clarifications), 1));
        }
        pieces
    }
}

/// A list as a prompt shows it: each entry on one line, so that none can pass for two.
fn lines(entries: &[String]) -> String {
    entries.iter().map(|entry| one_line(entry)).collect::<Vec<_>>().join("\n")
}

/// A text and the positions it takes.
pub(super) fn with_positions<'a>(
    text: &str,
    taken: impl Iterator<Item = (&'a String, &'a String)>,
) -> String {
    let taken: Vec<String> = taken.map(|(slot, option)| one_line(&format!("- {slot}: {option}"))).collect();
    format!("{text}\n\nPositions:\n{}", taken.join("\n"))
}

/// A position as a model writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Position {
    /// The slot of the frame.
    pub slot: String,
    /// One of its options, or `other: ` and a few words.
    pub option: String,
}

/// Positions in one form; what names no slot or no option is left out.
#[must_use]
pub fn normal(frame: &Frame, positions: &[Position]) -> BTreeMap<String, String> {
    let read = |position: &Position| {
        let slot = frame.slot(&position.slot)?;
        Some((slot.slot.clone(), slot.normal(&position.option)?))
    };
    positions.iter().filter_map(read).collect()
}

/// What is wrong with positions: unknown slots, unknown options, required slots left open.
fn check_positions(frame: &Frame, positions: &[Position]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (at, position) in positions.iter().enumerate() {
        let path = format!("/positions/{at}");
        match frame.slot(&position.slot) {
            None if frame.slots.is_empty() => {}
            None => problems
                .push(Problem::new(path, format!("there is no slot {:?} in the frame", position.slot))),
            Some(slot) if slot.normal(&position.option).is_none() => {
                let options: Vec<&str> = slot.options.iter().map(|choice| choice.option.as_str()).collect();
                let what = format!("{:?} is no option; take one of {}", position.option, options.join(", "));
                problems.push(Problem::new(path, what));
            }
            Some(_) => {}
        }
    }
    let taken = normal(frame, positions);
    for slot in frame.required().filter(|slot| !taken.contains_key(&slot.slot)) {
        problems
            .push(Problem::new("/positions", format!("there is no position on the slot {:?}", slot.slot)));
    }
    problems
}

fn check_covers(brief: &Brief, covers: &[String]) -> Vec<Problem> {
    let unknown =
        covers.iter().enumerate().filter(|(_, id)| !brief.requirement_ids().any(|known| known == *id));
    unknown
        .map(|(at, id)| Problem::new(format!("/covers/{at}"), format!("there is no requirement {id:?}")))
        .collect()
}

/// What one who is asked has looked up, and how often it still may.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Desk {
    /// What was found, oldest first.
    pub found: Vec<String>,
    /// How many calls are left; none where there is nothing to look into.
    pub left: u32,
}

impl Desk {
    fn vars(&self, vars: Vars) -> Vars {
        vars.with("left", self.left)
    }

    fn pieces(&self) -> impl Iterator<Item = Piece> {
        self.found.iter().map(|found| Piece::new("found so far", found, 3))
    }

    /// Whether an answer is only a wish to look things up; it is then checked no further.
    fn is_wish(&self, look: &[ToolCall]) -> bool {
        self.left > 0 && !look.is_empty()
    }

    /// What is wrong with words that are said to stand in the folder. What is argued from them is its author's.
    fn check_quote(&self, path: &str, given: &Excerpt) -> Vec<Problem> {
        let stands = |found: &String| {
            found.contains(given.source.trim()) && quote::find(found, &given.quote).is_some()
        };
        if !given.source.trim().is_empty() && self.found.iter().any(stands) {
            return Vec::new();
        }
        let what = format!(
            "{:?} stands in nothing that was found in {:?}; copy words exactly",
            given.quote, given.source
        );
        vec![Problem::new(path, what)]
    }
}

/// An answer that may be a wish to look things up first.
pub trait Looking {
    /// What it wants to look up.
    fn look(&self) -> &[ToolCall];
}
