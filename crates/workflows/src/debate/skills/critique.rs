//! Skill: what is wrong with other proposals. Proposals carry letters, not names. Its twin checks what can be
//! counted: positions that are missing, requirements whose words never occur.

use baton_agents::skill::{Piece, Problem, Skill, Var, Vars};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Brief, Desk, Looking, PARTS, lines, with_positions};
use crate::debate::contribution::{Excerpt, Severity};
use crate::debate::tools::ToolCall;

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct Critique;

/// What to criticise.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToCritique {
    /// The brief.
    pub brief: Brief,
    /// The proposals, by letter.
    pub targets: Vec<Shown>,
    /// Objections this critic has raised before and must look at again, as `id (severity): claim -> answer`.
    pub raised: Vec<String>,
    /// What the critic knows from earlier rounds.
    pub history: String,
    /// Whether it must argue against what everybody agrees on.
    pub dissent: bool,
    /// What it has looked up.
    #[serde(default)]
    pub desk: Desk,
}

/// A proposal without its author.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Shown {
    /// Its letter.
    pub letter: String,
    /// Its words.
    pub text: String,
    /// Its positions.
    pub positions: Vec<(String, String)>,
    /// Requirements it says it meets.
    pub covers: Vec<String>,
}

/// A critique.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Review {
    /// The critique in a few sentences.
    pub critique: String,
    /// The objections, the heaviest first.
    pub objections: Vec<Raised>,
    /// Ids of earlier objections whose answer settles them.
    pub settled: Vec<String>,
    /// What to look up before saying anything else; empty unless it is allowed here.
    #[serde(default)]
    pub look: Vec<ToolCall>,
}

impl Looking for Review {
    fn look(&self) -> &[ToolCall] {
        &self.look
    }
}

/// An objection as a critic writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Raised {
    /// The letter of the proposal.
    pub target: String,
    /// The slot it is about; empty if none.
    pub slot: String,
    /// How much it weighs.
    pub severity: Severity,
    /// The objection in one sentence.
    pub claim: String,
    /// Words of the context folder it rests on, if it rests on any.
    #[serde(default)]
    pub quote: Option<Excerpt>,
}

impl Skill for Critique {
    const NAME: &'static str = "debate_critique";
    const PROMPT: &'static str = include_str!("../prompts/critique.md");
    const PARTS: &'static [(&'static str, &'static str)] = PARTS;
    const MAX_TOKENS: u32 = 1536;
    type Input = ToCritique;
    type Output = Review;

    fn vars(input: &ToCritique) -> Vars {
        let letters: Vec<Var> = input.targets.iter().map(|target| Var::id(&target.letter)).collect();
        let vars = input.brief.vars().with("letters", letters).with("dissent", input.dissent);
        input.desk.vars(vars)
    }

    fn material(input: &ToCritique) -> Vec<Piece> {
        let mut pieces = input.brief.pieces();
        for target in &input.targets {
            let taken = target.positions.iter().map(|(slot, option)| (slot, option));
            pieces.push(Piece::tagged("proposal", &target.letter, with_positions(&target.text, taken), 0));
        }
        if !input.raised.is_empty() {
            pieces.push(Piece::new(
                "your earlier objections and the answers to them",
                lines(&input.raised),
                0,
            ));
        }
        if !input.history.is_empty() {
            pieces.push(Piece::new("what you know from earlier rounds", &input.history, 4));
        }
        pieces.extend(input.desk.pieces());
        pieces
    }

    fn check(input: &ToCritique, output: &Review) -> Vec<Problem> {
        if input.desk.is_wish(&output.look) {
            return Vec::new();
        }
        let mut problems = Vec::new();
        for (at, raised) in output.objections.iter().enumerate() {
            if !input.targets.iter().any(|target| target.letter == raised.target) {
                let what = format!("there is no proposal {:?} here", raised.target);
                problems.push(Problem::new(format!("/objections/{at}/target"), what));
            }
            if !raised.slot.is_empty() && input.brief.frame.slot(&raised.slot).is_none() {
                let what = format!("there is no slot {:?}; leave it empty if none fits", raised.slot);
                problems.push(Problem::new(format!("/objections/{at}/slot"), what));
            }
            if raised.claim.trim().is_empty() {
                problems.push(Problem::new(format!("/objections/{at}/claim"), "the claim is empty"));
            }
            if let Some(given) = &raised.quote {
                let path = format!("/objections/{at}/quote");
                problems.extend(input.desk.check_quote(&path, given));
            }
        }
        for (at, id) in output.settled.iter().enumerate() {
            if !input.raised.iter().any(|line| line.split(' ').next() == Some(id.as_str())) {
                let what = format!("you have no earlier objection {id:?} here");
                problems.push(Problem::new(format!("/settled/{at}"), what));
            }
        }
        if input.dissent && output.objections.is_empty() {
            problems.push(Problem::new(
                "/objections",
                "it is your turn to dissent; raise at least one objection",
            ));
        }
        problems
    }

    fn rules(input: &ToCritique) -> Option<Review> {
        let objections: Vec<Raised> =
            input.targets.iter().flat_map(|target| gaps(&input.brief, target)).collect();
        let critique = format!("Checked by rules: {} found.", objections.len());
        Some(Review { critique, objections, settled: Vec::new(), look: Vec::new() })
    }
}

/// What can be counted against a proposal: required slots it leaves open, requirements it does not cover.
#[must_use]
pub fn gaps(brief: &Brief, target: &Shown) -> Vec<Raised> {
    let raise = |slot: &str, severity, claim| Raised {
        target: target.letter.clone(),
        slot: slot.to_owned(),
        severity,
        claim,
        quote: None,
    };
    let open =
        brief.frame.required().filter(|slot| !target.positions.iter().any(|(name, _)| *name == slot.slot));
    let open = open
        .map(|slot| raise(&slot.slot, Severity::Major, format!("It takes no position on {}.", slot.slot)));
    let uncovered = brief.requirements.iter().filter_map(|line| {
        let (id, text) = line.split_once(':')?;
        let optional = line.ends_with("(optional)");
        let severity = if optional { Severity::Minor } else { Severity::Major };
        let claim = format!("It does not say how {id} is met:{text}");
        (!target.covers.iter().any(|covered| covered == id)).then(|| raise("", severity, claim))
    });
    open.chain(uncovered).collect()
}
