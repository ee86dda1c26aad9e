//! A plan: phases, waves and efforts, who does them, what must pass. `read.rs` makes one of a file and names everything
//! that is wrong with it at once, `check.rs` what only the whole can show, `draft.rs` writes one from a roadmap.

mod check;
mod draft;
mod edit;
mod file;
mod read;
mod table;
mod terms;
mod work;

#[cfg(test)]
mod tests;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use draft::{Drafted, DraftedEffort, DraftedGate, DraftedPhase, outline};
pub use edit::{Edit, PlanSeen, compare, may_change};
pub use file::{PlanFiles, PlanRead, ReadPlan, hash};
pub use read::read;
pub use terms::{Budget, ReviewTerms};

use crate::coding::order::{Acceptance, Sandbox, SizeLimits};
use crate::coding::{AgentSpec, Gate, TurnLimits, Work};
use crate::git::Delivery;

/// Something wrong with a plan, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Mistake {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong, and what would be right.
    pub what: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.what)
    }
}

/// What is to be built.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// What it is about.
    pub title: String,
    /// The commit or branch to begin from; what is checked out if none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// Whether a program wrote it: its commands need a person's yes.
    #[serde(default)]
    pub drafted: bool,
    /// Who can do work.
    pub agents: Vec<AgentSpec>,
    /// What can be asked to pass.
    pub gates: Vec<Gate>,
    /// Gates that must pass on the whole before it is delivered.
    pub integration: Vec<String>,
    /// Which files are tests.
    pub tests: Vec<String>,
    /// Which files configure the gates.
    pub protected: Vec<String>,
    /// How large an effort may be.
    pub size: SizeLimits,
    /// What is done when.
    pub policy: Policy,
    /// Who reviews beside the rules.
    #[serde(default, skip_serializing_if = "ReviewTerms::is_none")]
    pub review: ReviewTerms,
    /// What may be spent.
    #[serde(default, skip_serializing_if = "Budget::is_none")]
    pub budget: Budget,
    /// The phases, in order.
    pub phases: Vec<Phase>,
}

/// What is done when, and how often.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// How many agents work at once.
    pub parallel: usize,
    /// Adjustments of one phase.
    pub adjustments: u32,
    /// Recoveries of the project.
    pub recoveries: u32,
    /// Resets of the project.
    pub resets: u32,
    /// Tries of one effort before the project is reviewed.
    pub retries: u32,
    /// The debt above which the project is reviewed: blocker 8, major 3, minor 1.
    pub debt: u64,
    /// Which way out of trouble is taken.
    pub recovery: Choice,
    /// Whether a reset needs a person's word.
    pub reset: Consent,
    /// Whether an adjustment is looked at by the architect before it is made.
    pub adjust: Adjust,
    /// Whether agents and gates are confined.
    pub sandbox: Sandbox,
    /// How the result is delivered.
    pub deliver: Delivery,
    /// What one turn may take.
    pub turn: TurnLimits,
    /// Whether a person is asked before a verdict counts that is not ON_TRACK; if it is not said, where questions are
    /// asked at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdicts>,
    /// What is done when the plan's file is edited while it is built.
    #[serde(default, skip_serializing_if = "Edited::is_ask")]
    pub edited: Edited,
    /// The agent that says how an effort is cut, before the rules do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<String>,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            parallel: 2,
            adjustments: 3,
            recoveries: 3,
            resets: 1,
            retries: 3,
            debt: 50,
            recovery: Choice::Ask,
            reset: Consent::Ask,
            adjust: Adjust::Review,
            sandbox: Sandbox::Prefer,
            deliver: Delivery::Branch,
            turn: TurnLimits::default(),
            verdict: None,
            edited: Edited::Ask,
            split: None,
        }
    }
}

/// Whether a person may overrule the architect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdicts {
    /// They are asked.
    Ask,
    /// The verdict counts.
    Stands,
}

/// What is done with an edited plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edited {
    /// A person is asked; with `--yes` it is not taken over.
    #[default]
    Ask,
    /// A person is asked between two phases.
    Defer,
    /// It is taken over, unless it adds commands: then a person is asked.
    Take,
    /// It is not taken over.
    Refuse,
}

impl Edited {
    fn is_ask(&self) -> bool {
        *self == Self::Ask
    }
}

/// Which way out of trouble is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// A person says.
    Ask,
    /// The one the strategy recommends.
    Recommended,
    /// What is critical and no more.
    Minimal,
    /// That, and what is bad.
    Standard,
    /// The phase from its beginning.
    Complete,
}

/// Whether a person has to say yes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Consent {
    /// They have to.
    Ask,
    /// The plan says it.
    Allow,
}

/// How an adjustment is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Adjust {
    /// Deviations are listed, and the architect looks at the adjustment.
    Review,
    /// It is made as it stands in the plan.
    Direct,
}

/// A phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phase {
    /// Its name.
    pub name: String,
    /// Its waves, in order.
    pub waves: Vec<Wave>,
    /// What must be there at its end.
    #[serde(default)]
    pub acceptance: Acceptance,
    /// Efforts for when it needs an adjustment.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub adjustment: Vec<EffortPlan>,
    /// Efforts for when it is off its track.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recovery: Vec<EffortPlan>,
    /// What it may spend, if not what every phase may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<u64>,
}

impl Phase {
    /// Every effort of its waves.
    pub fn efforts(&self) -> impl Iterator<Item = &EffortPlan> {
        self.waves.iter().flat_map(|wave| &wave.efforts)
    }
}

/// Efforts that can be done at the same time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wave {
    /// Its name.
    pub name: String,
    /// Its efforts.
    pub efforts: Vec<EffortPlan>,
}

/// One piece of work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffortPlan {
    /// Its id, unique in the plan.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// What is to be done, in words.
    pub task: String,
    /// Where it may change files.
    pub paths: Vec<String>,
    /// Efforts that must be merged before it begins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<String>,
    /// Who does it.
    pub agent: String,
    /// What a recipe does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub work: Vec<Work>,
    /// What a recipe does when something has to be mended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fix: Vec<Work>,
    /// What must pass.
    pub gates: Vec<String>,
    /// What must be there when it is merged.
    #[serde(default)]
    pub acceptance: Acceptance,
    /// Whether it may change tests that were there before.
    #[serde(default)]
    pub changes_tests: bool,
    /// Its own limits of size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<SizeLimits>,
    /// The agent that reviews it, if not the one that reviews every effort.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reviewer: Option<String>,
    /// What it may spend, if not what every effort may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<u64>,
}

impl Plan {
    /// Every effort of every wave, with its phase and wave counted from 0.
    pub fn efforts(&self) -> impl Iterator<Item = (usize, usize, &EffortPlan)> {
        self.phases.iter().enumerate().flat_map(|(phase, it)| {
            it.waves
                .iter()
                .enumerate()
                .flat_map(move |(wave, it)| it.efforts.iter().map(move |effort| (phase, wave, effort)))
        })
    }

    /// Every effort it names, also those for trouble.
    pub fn all_efforts(&self) -> impl Iterator<Item = &EffortPlan> {
        self.phases.iter().flat_map(|phase| phase.efforts().chain(&phase.adjustment).chain(&phase.recovery))
    }

    /// The agent of this name.
    pub fn agent(&self, name: &str) -> AgentSpec {
        self.agents.iter().find(|agent| agent.name == name).cloned().unwrap_or_else(AgentSpec::recipe)
    }

    /// The gates of these names.
    pub fn gates_named(&self, names: &[String]) -> Vec<Gate> {
        self.gates.iter().filter(|gate| names.contains(&gate.name)).cloned().collect()
    }

    /// Every line it would have the shell run, with who wants it.
    pub fn commands(&self) -> Vec<(String, String)> {
        let gates = self.gates.iter().map(|gate| (format!("gate {}", gate.name), gate.run.clone()));
        let agents = self.agents.iter().filter(|agent| !agent.run.is_empty());
        let agents = agents.map(|agent| (format!("agent {}", agent.name), agent.run.clone()));
        let efforts = self.all_efforts().flat_map(|effort| {
            let runs = effort.work.iter().chain(&effort.fix).filter_map(|work| match work {
                Work::Run { line, .. } => Some(line.clone()),
                _ => None,
            });
            let accepted = effort.acceptance.commands.iter().map(|gate| gate.run.clone());
            runs.chain(accepted).map(|line| (format!("effort {}", effort.id), line)).collect::<Vec<_>>()
        });
        let phases = self.phases.iter().flat_map(|phase| {
            let wanted = phase.acceptance.commands.iter();
            wanted.map(|gate| (format!("phase {}", phase.name), gate.run.clone())).collect::<Vec<_>>()
        });
        gates.chain(agents).chain(efforts).chain(phases).collect()
    }
}

/// The branch of an effort, as people know it: `wave-PHASE-WAVE-ID`.
pub fn branch(phase: usize, wave: usize, id: &str) -> String {
    format!("wave-{}-{}-{id}", phase + 1, wave + 1)
}
