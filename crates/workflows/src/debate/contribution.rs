//! What an agent brings to a round: a proposal, a critique or a refinement, with the structured part that the
//! ledger counts. One contribution stands for one round, type, agent and target: bringing it again changes nothing.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which of the three it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Type {
    /// A solution.
    Proposal,
    /// What is wrong with somebody else's.
    Critique,
    /// One's own solution after the critiques.
    Refinement,
}

impl Type {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Proposal => "proposal",
            Self::Critique => "critique",
            Self::Refinement => "refinement",
        }
    }
}

/// How much an objection weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// It should be looked at.
    Minor,
    /// It must be answered.
    Major,
    /// The solution cannot be accepted with it.
    Blocking,
}

impl Severity {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Minor => "minor",
            Self::Major => "major",
            Self::Blocking => "blocking",
        }
    }
}

/// What a critic holds against a proposal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Objection {
    /// From round, critic, target and number.
    pub id: String,
    /// The slot it is about, if it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slot: Option<String>,
    /// How much it weighs.
    pub severity: Severity,
    /// The objection.
    pub claim: String,
    /// Words of the context folder it rests on, if it rests on any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<Excerpt>,
}

/// Words that stand in a file of the context folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Excerpt {
    /// The path of the file, as it was listed or read.
    pub source: String,
    /// The words, copied exactly.
    pub quote: String,
}

/// What became of an objection, in the eyes of the one it was put to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Reply {
    /// It is right, and the solution was changed.
    Accepted,
    /// Part of it is right.
    Partially,
    /// It is not right, for a reason.
    Rejected,
}

impl Reply {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Partially => "partially accepted",
            Self::Rejected => "rejected",
        }
    }
}

/// An answer to an objection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Response {
    /// The objection's id.
    pub objection: String,
    /// What becomes of it.
    pub reply: Reply,
    /// Why.
    #[serde(default)]
    pub reason: String,
}

/// A contribution to a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Contribution {
    /// The round, from 1.
    pub round: u32,
    /// Which of the three it is.
    #[serde(rename = "type")]
    pub kind: Type,
    /// Whose it is.
    pub agent: String,
    /// Whose proposal is criticised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The words.
    pub text: String,
    /// The positions taken, by slot.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub positions: BTreeMap<String, String>,
    /// Requirements the words say are met, by id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub covers: Vec<String>,
    /// What a critique holds against its target.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objections: Vec<Objection>,
    /// Earlier objections of this critic that it was shown again, with what became of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reviewed: Vec<String>,
    /// Earlier objections of this critic that are settled.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settled: Vec<String>,
    /// A refinement's answers to objections.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub responses: Vec<Response>,
    /// Words of the context folder it rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quotes: Vec<Excerpt>,
    /// Who wrote it: a model, a person, a file, a command, rules.
    pub by: String,
    /// Tokens it took, as far as they are known.
    #[serde(default)]
    pub tokens: u64,
}

impl Contribution {
    /// An empty one.
    #[must_use]
    pub fn new(round: u32, kind: Type, agent: &str, target: Option<&str>) -> Self {
        Self {
            round,
            kind,
            agent: agent.to_owned(),
            target: target.map(str::to_owned),
            text: String::new(),
            positions: BTreeMap::new(),
            covers: Vec::new(),
            objections: Vec::new(),
            reviewed: Vec::new(),
            settled: Vec::new(),
            responses: Vec::new(),
            quotes: Vec::new(),
            by: String::new(),
            tokens: 0,
        }
    }

    /// What makes it the same contribution: round, type, agent and target.
    #[must_use]
    pub fn key(&self) -> String {
        key(self.round, self.kind, &self.agent, self.target.as_deref())
    }
}

/// The key of a contribution; in the order of rounds and phases.
#[must_use]
pub fn key(round: u32, kind: Type, agent: &str, target: Option<&str>) -> String {
    format!("{round:03}/{}-{}/{agent}/{}", kind as u8 + 1, kind.name(), target.unwrap_or("-"))
}
