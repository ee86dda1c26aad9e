//! What a debate is started with, checked and frozen: the problem, the panel, the judge, the terms. Nothing is
//! read from outside after this.

use std::collections::BTreeMap;
use std::path::PathBuf;

use baton_agents::skill::Role;
use serde::{Deserialize, Serialize};

use super::contribution::Severity;
use super::frame::Frame;

/// Everything a debate is started with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setup {
    /// The problem, in words.
    pub problem: String,
    /// The panel.
    pub agents: Vec<Agent>,
    /// Who weighs the rounds and writes the decision.
    pub judge: Judge,
    /// How the debate is held.
    pub terms: Terms,
    /// What is to be decided, if it is known beforehand.
    #[serde(default)]
    pub frame: Option<Frame>,
    /// What a solution must do.
    #[serde(default)]
    pub requirements: Vec<Requirement>,
    /// Questions and answers that were settled before.
    #[serde(default)]
    pub clarifications: Vec<(String, String)>,
    /// The folder agents may look into.
    #[serde(default)]
    pub context: Option<String>,
    /// Things worth knowing that do not stop the debate.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// Where the decision is copied to when the run ends, as an absolute path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<PathBuf>,
    /// The debate this blind vote is held beside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compared: Option<Comparison>,
}

/// What a debate decided, for the blind vote beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    /// The run of the debate.
    pub run: String,
    /// What it decided, by slot.
    pub decided: BTreeMap<String, String>,
    /// Its agreement, per cent.
    pub agreement: Option<u8>,
}

impl Setup {
    /// The agents that take positions.
    pub fn voices(&self) -> impl Iterator<Item = &Agent> {
        self.agents.iter().filter(|agent| agent.kind.proposes())
    }

    /// Whether what agents say may hold text from a person's documents: it then stays on this machine, unless
    /// the configuration lets it go.
    #[must_use]
    pub fn holds_documents(&self) -> bool {
        self.context.is_some() || self.agents.iter().any(|agent| matches!(agent.kind, Kind::File(_)))
    }

    /// The agent of this id.
    #[must_use]
    pub fn agent(&self, id: &str) -> Option<&Agent> {
        self.agents.iter().find(|agent| agent.id == id)
    }
}

/// What an agent looks at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Trade {
    /// Structure and long-term change.
    Architect,
    /// Threats and trust.
    Security,
    /// Speed and load.
    Performance,
    /// What can be tested, and how.
    Testing,
    /// The simplest thing that works.
    Kiss,
    /// All of it.
    Generalist,
    /// Data, its shape and its life.
    Datamodeling,
}

impl Trade {
    /// Every trade.
    pub const ALL: [Self; 7] = [
        Self::Architect,
        Self::Security,
        Self::Performance,
        Self::Testing,
        Self::Kiss,
        Self::Generalist,
        Self::Datamodeling,
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Architect => "architect",
            Self::Security => "security",
            Self::Performance => "performance",
            Self::Testing => "testing",
            Self::Kiss => "kiss",
            Self::Generalist => "generalist",
            Self::Datamodeling => "datamodeling",
        }
    }

    /// The trade of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|trade| trade.name() == name)
    }

    /// What a model of this trade is told to look at.
    #[must_use]
    pub fn focus(self) -> &'static str {
        match self {
            Self::Architect => {
                "structure: components, their boundaries, and how the solution can change later"
            }
            Self::Security => {
                "security: what can be attacked, what is trusted, what happens when trust fails"
            }
            Self::Performance => "performance: load, latency, cost of growth, and what is measured",
            Self::Testing => "testing: what can be proven, how failures are found, what is hard to test",
            Self::Kiss => {
                "simplicity: the least that meets the requirements; everything else must earn its place"
            }
            Self::Generalist => "the whole: whether the parts fit and the requirements are met",
            Self::Datamodeling => "data: its shape, ownership, consistency, growth and deletion",
        }
    }
}

/// One member of the panel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Agent {
    /// Unique in the panel.
    pub id: String,
    /// For people.
    pub name: String,
    /// What it looks at first.
    pub trade: Trade,
    /// What it is.
    pub kind: Kind,
    /// What it is told about its part, from its trade or from a prompt file.
    pub focus: String,
    /// What it is told when it may ask questions, if it has its own prompt for that.
    #[serde(default)]
    pub clarify: Option<String>,
    /// What it is told when it sums up, if it has its own prompt for that.
    #[serde(default)]
    pub summarize: Option<String>,
    /// When and how far its history is shortened.
    pub summarization: Summarization,
}

/// What an agent is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "is")]
pub enum Kind {
    /// A chain of models.
    Model {
        /// Who is asked, in which order.
        role: Role,
        /// How often it may look into the context folder in one phase.
        tool_calls: u32,
    },
    /// A person.
    Person {
        /// The only user name that may answer, if that matters.
        who: Option<String>,
    },
    /// Positions written beforehand.
    File(Written),
    /// A program: JSON in, JSON out.
    Command {
        /// The line for the shell.
        line: String,
        /// The folder it runs in.
        folder: Option<String>,
        /// How long it may take.
        seconds: u64,
    },
    /// A critic by rules.
    Rules(Checklist),
}

impl Kind {
    /// Whether it takes positions, or only criticises.
    #[must_use]
    pub fn proposes(&self) -> bool {
        !matches!(self, Self::Rules(_))
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Model { .. } => "model",
            Self::Person { .. } => "person",
            Self::File(_) => "file",
            Self::Command { .. } => "command",
            Self::Rules(_) => "rules",
        }
    }
}

/// What a file agent brings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Written {
    /// The proposal in words.
    pub text: String,
    /// Its positions, by slot; without any they are read from the words.
    #[serde(default)]
    pub positions: BTreeMap<String, String>,
    /// What it holds against others, raised once.
    #[serde(default)]
    pub objections: Vec<WrittenObjection>,
}

/// An objection written beforehand: against everybody who takes that position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenObjection {
    /// The slot.
    pub slot: String,
    /// The option that is objected to.
    pub option: String,
    /// How much it weighs.
    pub severity: Severity,
    /// The objection.
    pub claim: String,
}

/// What a rules critic checks beside requirements and missing positions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checklist {
    /// Options that may not be taken, as `slot = option`.
    #[serde(default)]
    pub banned: Vec<Ban>,
    /// Numbers that must keep within bounds.
    #[serde(default)]
    pub limits: Vec<Bound>,
}

/// An option that may not be taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ban {
    /// The slot.
    pub slot: String,
    /// The option.
    pub option: String,
    /// Why.
    #[serde(default)]
    pub why: String,
}

/// A bound on a number in a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bound {
    /// The slot whose position holds the number.
    pub slot: String,
    /// The least, with its unit, such as `30 days`.
    #[serde(default)]
    pub least: Option<String>,
    /// The most.
    #[serde(default)]
    pub most: Option<String>,
}

/// Who weighs the rounds and writes the decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judge {
    /// The models to ask; none means that the ledger judges.
    pub role: Role,
    /// How often each round is judged; the median counts.
    pub samples: u32,
    /// What it is told about its part.
    pub focus: String,
    /// When and how far the history is shortened for it.
    pub summarization: Summarization,
}

/// When and how far a history is shortened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct Summarization {
    /// Whether it is.
    pub enabled: bool,
    /// From how many characters on.
    pub threshold: usize,
    /// To how many at most.
    pub max_length: usize,
}

impl Default for Summarization {
    fn default() -> Self {
        Self { enabled: true, threshold: 5000, max_length: 2500 }
    }
}

/// A requirement a solution must meet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Requirement {
    /// Its id, such as `R1`.
    pub id: String,
    /// In words.
    pub text: String,
    /// Whether the decision fails without it.
    #[serde(default = "major")]
    pub major: bool,
}

fn major() -> bool {
    true
}

/// When a debate ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Termination {
    /// After exactly so many rounds.
    Fixed,
    /// When the panel agrees.
    Convergence,
    /// When the solution is ready.
    Quality,
}

/// Who criticises whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Critiques {
    /// Each everybody else, one at a time.
    Pairwise,
    /// Each everybody else, all at once.
    Batched,
    /// Each the next two.
    Ring,
    /// Nobody anybody: a blind vote.
    None,
}

/// How the debate is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The most rounds.
    pub rounds: u32,
    /// Rounds before a consensus counts; none lets the blind proposals say.
    pub min_rounds: Option<u32>,
    /// When it ends.
    pub termination: Termination,
    /// The confidence at which it ends.
    pub threshold: u8,
    /// Whether agents may ask the person questions first.
    pub clarify: bool,
    /// How often they may.
    pub clarify_iterations: u32,
    /// How many questions each may ask at a time.
    pub clarify_per_agent: usize,
    /// Who criticises whom.
    pub critiques: Critiques,
    /// Per cent of the panel that must take the same position.
    pub quorum: u8,
    /// Whether the person gives the frame if nobody else has.
    pub frame_from_person: bool,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            rounds: 3,
            min_rounds: None,
            termination: Termination::Convergence,
            threshold: 80,
            clarify: false,
            clarify_iterations: 3,
            clarify_per_agent: 5,
            critiques: Critiques::Pairwise,
            quorum: 100,
            frame_from_person: false,
        }
    }
}

impl Terms {
    /// Rounds before a consensus counts: two, unless the panel agreed before anybody had read anybody.
    #[must_use]
    pub fn least_rounds(&self, blind_agreed: bool) -> u32 {
        self.min_rounds.unwrap_or(if blind_agreed { 1 } else { 2.min(self.rounds) })
    }
}
