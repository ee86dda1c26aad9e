//! What a build is started with, and what its reviews say.

use baton_agents::skill::Role;
use serde::{Deserialize, Serialize};

use super::plan::Plan;
pub use crate::coding::Health;
use crate::coding::order::{Finding, Identity};
use crate::git::Delivery;

/// What a build is started with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Order {
    /// The plan.
    pub plan: Plan,
    /// The file it was read from.
    #[serde(default)]
    pub file: String,
    /// The folder of the person's repository itself (`.git`).
    pub repo: String,
    /// The branch that was checked out there.
    pub branch: String,
    /// The commit to begin from.
    pub base: String,
    /// Below this every build has its workshop.
    pub workshops: String,
    /// How the result is delivered.
    pub deliver: Delivery,
    /// Where files are delivered.
    #[serde(default)]
    pub folder: String,
    /// Whether questions that have a sensible answer are answered by it.
    #[serde(default)]
    pub yes: bool,
    /// In whose name commits are made.
    #[serde(default)]
    pub committer: Identity,
    /// The model that reviews efforts, if the plan wants one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<Role>,
    /// The model that judges phases, if the plan wants one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub architect: Option<Role>,
    /// Names the content of the plan's file; empty if there is none to look at again.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub plan_hash: String,
}

/// A verdict on one tree, with its grounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assessment {
    /// The phase, from 1.
    pub phase: usize,
    /// The wave, from 1; none for the whole phase.
    pub wave: Option<usize>,
    /// The verdict.
    pub health: Health,
    /// The commit that was looked at.
    pub commit: String,
    /// Its tree.
    pub tree: String,
    /// What is missing: files, words in files, commands that do not succeed.
    pub missing: Vec<String>,
    /// Weighted open findings.
    pub debt: u64,
    /// Why, in sentences.
    pub grounds: Vec<String>,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// What a model or an agent said that was asked beside the rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<SecondVerdict>,
    /// A person's word against the verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overruled: Option<Overruled>,
}

impl Assessment {
    /// The same with what somebody beside the rules said, which can only be worse. That it said nothing is a ground, and no more.
    #[must_use]
    pub fn seconded(mut self, second: SecondVerdict) -> Self {
        match second.health {
            Some(health) if health > self.health => {
                let said = second.grounds.iter().map(|ground| format!("{}: {ground}", second.by));
                self.grounds.extend(said);
                self.health = health;
            }
            Some(health) if health < self.health => {
                let (by, word) = (&second.by, health.word());
                self.grounds.push(format!("{by} says {word}, which makes no verdict better"));
            }
            Some(_) => self.grounds.push(format!("{} agrees", second.by)),
            None => self.grounds.push(format!(
                "rules alone judged, {} was not available: {}",
                second.by,
                second.grounds.join("; ")
            )),
        }
        self.second = Some(second);
        self
    }
}

/// What a model or an agent said of a phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondVerdict {
    /// Who.
    pub by: String,
    /// Its verdict; none if there was none to be had.
    pub health: Option<Health>,
    /// Why, or why there is none.
    pub grounds: Vec<String>,
}

impl SecondVerdict {
    /// Nobody said anything.
    pub fn missing(by: &str, why: String) -> Self {
        Self { by: by.to_owned(), health: None, grounds: vec![why] }
    }
}

/// A person's word against a verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overruled {
    /// Who.
    pub by: String,
    /// Why.
    pub reason: String,
    /// What the verdict was.
    pub was: Health,
}

/// Something that went wrong with an effort.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issue {
    /// The effort.
    pub effort: String,
    /// What kind: `failed`, `conflict`, `gate`, `acceptance`, `verdict`.
    pub kind: String,
    /// What, in words for whoever mends it.
    pub what: String,
}

/// An effort that was merged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergedEffort {
    /// The effort.
    pub effort: String,
    /// The merge.
    pub commit: String,
    /// Its tree, on which every gate passed.
    pub tree: String,
    /// The ref that moved there.
    pub reference: String,
}

/// How far plan and project have parted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Analysis {
    /// Which review of the project this is, from 1.
    pub number: u32,
    /// Why there is one.
    pub trigger: String,
    /// What is missing.
    pub missing: Vec<String>,
    /// What was asked for and is there, and how much was asked for.
    pub complete: (usize, usize),
    /// Efforts that are not merged.
    pub unmerged: Vec<String>,
    /// Files that are there, and how many of them are tests.
    pub files: (u64, u64),
    /// Open findings.
    pub inventory: Vec<Finding>,
    /// Their weighted sum.
    pub debt: u64,
    /// What lies behind it, by rules.
    pub causes: Vec<String>,
    /// What may happen, how likely, how bad.
    pub risks: Vec<(String, String, String)>,
}

/// Ways out of trouble.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecoveryOption {
    /// What is critical and no more.
    Minimal,
    /// That, and what is bad.
    Standard,
    /// The phase from its beginning.
    Complete,
}

impl RecoveryOption {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Minimal => "minimal",
            Self::Standard => "standard",
            Self::Complete => "complete",
        }
    }
}

/// One way out, as it is weighed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Way {
    /// Which.
    pub option: RecoveryOption,
    /// Efforts it takes.
    pub efforts: Vec<String>,
    /// What speaks for it.
    pub benefit: String,
    /// What speaks against it.
    pub risk: String,
    /// Where it begins.
    pub from: String,
    /// Whether it can be gone; otherwise why not.
    pub obstacle: String,
}

/// What can be done about it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strategy {
    /// The ways out.
    pub ways: Vec<Way>,
    /// The one that is recommended, if any can be gone.
    pub recommended: Option<RecoveryOption>,
    /// When it has worked.
    pub criteria: Vec<String>,
}
