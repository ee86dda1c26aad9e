//! What is ordered of one effort and what it reports back: the words a factory and its efforts share.

use baton_agents::skill::Role as ModelRole;
use serde::{Deserialize, Serialize};

use super::{AgentSpec, Gate, GateResult, Opinion, TurnLimits, Work};
pub use crate::process::Sandbox;

/// How large an effort may be: added lines by `git diff --numstat -M`, tests included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SizeLimits {
    /// Above this it is warned about.
    pub soft: u64,
    /// Above this it is split.
    pub hard: u64,
    /// Paths that are not counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
}

impl Default for SizeLimits {
    fn default() -> Self {
        Self { soft: 700, hard: 800, exclude: Vec::new() }
    }
}

/// What must be there when something is done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acceptance {
    /// Files, as paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Words that must stand in a file: `path: words`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub symbols: Vec<Symbol>,
    /// Commands that must succeed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<Gate>,
}

impl Acceptance {
    /// Whether nothing is asked for.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.symbols.is_empty() && self.commands.is_empty()
    }
}

/// Words that must stand in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Symbol {
    /// The file.
    pub path: String,
    /// The words.
    pub words: String,
}

/// An effort to be done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EffortOrder {
    /// Its id in the plan; a part of a split effort has `--split-001` behind it.
    pub effort: String,
    /// Its name for people.
    pub name: String,
    /// Its branch.
    pub branch: String,
    /// The folder of the build's own repository and worktrees.
    pub workshop: String,
    /// The commit it begins from.
    pub base: String,
    /// Which try of it this is, from 1.
    pub attempt: u32,
    /// What is to be done, in words.
    pub task: String,
    /// Who does it.
    pub agent: AgentSpec,
    /// Who reviews it beside the rules, if anybody does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reviewer: Option<AgentSpec>,
    /// The model that reviews it beside the rules, if one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<ModelRole>,
    /// Who says how it is cut if it is too large, before the rules do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub splitter: Option<AgentSpec>,
    /// Whether nothing is approved without a sound review by them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub needs_review: bool,
    /// What is reserved for one turn of somebody who is paid, in millionths of a dollar; none for a quarter of what the
    /// effort may spend.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_micro_usd: Option<u64>,
    /// What a recipe does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub work: Vec<Work>,
    /// What a recipe does when gates or reviewers found something.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fix: Vec<Work>,
    /// Where it may change files.
    pub paths: Vec<String>,
    /// How large it may be.
    pub size: SizeLimits,
    /// What must pass.
    pub gates: Vec<Gate>,
    /// Which files are tests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<String>,
    /// Whether the plan lets it change tests that were there before.
    #[serde(default)]
    pub changes_tests: bool,
    /// What configures the gates, and is not an effort's to change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub protected: Vec<String>,
    /// What one turn may take.
    pub limits: TurnLimits,
    /// Whether agents and gates are confined.
    pub sandbox: Sandbox,
    /// What went wrong before: conflicts, what a gate printed, findings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub told: Vec<String>,
    /// Who commits.
    pub committer: Identity,
}

/// The name under which commits are made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// A name.
    pub name: String,
    /// An address.
    pub email: String,
}

impl Default for Identity {
    fn default() -> Self {
        Self { name: "Baton".to_owned(), email: "baton@localhost".to_owned() }
    }
}

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth knowing.
    Minor,
    /// Should be mended.
    Major,
    /// Must be mended before anything is merged.
    Blocker,
}

impl Severity {
    /// Its weight in the debt.
    pub fn weight(self) -> u64 {
        match self {
            Self::Minor => 1,
            Self::Major => 3,
            Self::Blocker => 8,
        }
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Minor => "minor",
            Self::Major => "major",
            Self::Blocker => "blocker",
        }
    }
}

/// Something a reviewer found. Rules, agents and models all report in this shape.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Its rule, in a word or two.
    pub rule: String,
    /// How much it weighs.
    pub severity: Severity,
    /// Where, if it has a place.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// What was found.
    pub what: String,
    /// Who found it.
    pub by: String,
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({}", self.rule, self.severity.word())?;
        if !self.path.is_empty() {
            write!(f, ", {}", self.path)?;
        }
        write!(f, "): {}", self.what)
    }
}

/// The weighted sum of findings.
pub fn debt<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> u64 {
    findings.into_iter().map(|finding| finding.severity.weight()).sum()
}

/// A verdict on one tree, and on no other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    /// The commit that was reviewed.
    pub commit: String,
    /// Its tree.
    pub tree: String,
    /// What was found.
    pub findings: Vec<Finding>,
    /// What the gates said.
    pub gates: Vec<GateResult>,
    /// What reviewers beside the rules said; it is among the findings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opinions: Vec<Opinion>,
}

impl Review {
    /// Whether it may be merged: every gate passed and nothing is in the way.
    pub fn approves(&self) -> bool {
        self.gates.iter().all(GateResult::passed)
            && self.findings.iter().all(|finding| finding.severity < Severity::Blocker)
    }

    /// What must be mended, in words for whoever mends it.
    pub fn complaints(&self) -> Vec<String> {
        let gates = self.gates.iter().filter(|gate| !gate.passed()).map(GateResult::told);
        let blockers = self.findings.iter().filter(|finding| finding.severity == Severity::Blocker);
        gates.chain(blockers.map(ToString::to_string)).collect()
    }

    /// What is wrong, without the figures that differ each time: times, counts, addresses.
    pub fn signature(&self) -> String {
        let mut signature = String::new();
        for letter in self.complaints().join("\n").chars() {
            match (letter.is_ascii_digit(), signature.ends_with('#')) {
                (true, true) => {}
                (true, false) => signature.push('#'),
                (false, _) => signature.push(letter),
            }
        }
        signature
    }
}

/// One part of an effort that was too large: what lies between two commits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SplitPart {
    /// Its number, from 1.
    pub number: usize,
    /// The commit before it.
    pub from: String,
    /// The commit with it.
    pub to: String,
    /// The tree of that.
    pub tree: String,
    /// The files it changes.
    pub files: Vec<String>,
    /// Added lines.
    pub lines: u64,
}

/// What became of an effort.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffortReport {
    /// Where it ended: the name of its last state.
    pub state: String,
    /// Its newest commit.
    pub tip: String,
    /// The commit it began from.
    pub base: String,
    /// Added lines, by the stated definition.
    pub lines: u64,
    /// How often it was reviewed.
    pub reviews: u32,
    /// The last review.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<Review>,
    /// Parts in its place, if it was too large.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<SplitPart>,
    /// Why it did not come to an end, if it did not.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// What it has spent, in millionths of a dollar.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub micro_usd: u64,
    /// Turns and reviews whose cost nobody knows; they were charged at their reservation.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unknown_costs: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this signature")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}
