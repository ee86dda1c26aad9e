//! One effort as a build knows it.

use serde::{Deserialize, Serialize};

use super::plan::EffortPlan;
use crate::coding::order::{Finding, SplitPart};

/// How far an effort is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EffortStatus {
    /// It has not begun.
    Planned,
    /// It is a run of its own.
    Implementing,
    /// It is reviewed and waits to be merged.
    Queued,
    /// It is merged.
    Merged,
    /// Parts of it are in its place.
    Superseded,
    /// It did not come to an end.
    Failed,
}

impl EffortStatus {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Planned => "planned",
            Self::Implementing => "implementing",
            Self::Queued => "queued",
            Self::Merged => "merged",
            Self::Superseded => "superseded",
            Self::Failed => "failed",
        }
    }
}

/// One effort as the build knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffortState {
    /// Its plan.
    pub plan: EffortPlan,
    /// Its phase, from 0.
    pub phase: usize,
    /// Its wave, from 0; none if it belongs to a recovery.
    pub wave: Option<usize>,
    /// Its branch.
    pub branch: String,
    /// Who does it, by the name in the team.
    pub worker: String,
    /// How far it is.
    pub status: EffortStatus,
    /// Which try of it this is, from 1.
    pub attempt: u32,
    /// Tries since the project last began or recovered.
    pub tries: u32,
    /// The commit it began from.
    pub base: String,
    /// Its newest commit.
    pub tip: String,
    /// Added lines.
    pub lines: u64,
    /// How often it was reviewed.
    pub reviews: u32,
    /// The tree its reviewer approved.
    pub reviewed: String,
    /// The commit its reviewer approved.
    pub reviewed_commit: String,
    /// Open findings.
    pub findings: Vec<Finding>,
    /// What went wrong before.
    pub told: Vec<String>,
    /// The effort it is a part of.
    pub part_of: Option<String>,
    /// The part that comes before it.
    pub after: Option<String>,
    /// Parts in its place.
    pub parts: Vec<SplitPart>,
    /// What it may spend while it is under way, in millionths of a dollar.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub granted: u64,
    /// What it has spent over all its tries.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub spent: u64,
    /// Turns and reviews whose cost nobody knows, charged at their reservation.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unknown_costs: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this signature")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl EffortState {
    pub(super) fn new(plan: EffortPlan, phase: usize, wave: Option<usize>, branch: String) -> Self {
        Self {
            plan,
            phase,
            wave,
            branch,
            worker: String::new(),
            status: EffortStatus::Planned,
            attempt: 1,
            tries: 1,
            base: String::new(),
            tip: String::new(),
            lines: 0,
            reviews: 0,
            reviewed: String::new(),
            reviewed_commit: String::new(),
            findings: Vec::new(),
            told: Vec::new(),
            part_of: None,
            after: None,
            parts: Vec::new(),
            granted: 0,
            spent: 0,
            unknown_costs: 0,
        }
    }

    /// Whether somebody still has to do something about it.
    pub fn is_open(&self) -> bool {
        !matches!(self.status, EffortStatus::Merged | EffortStatus::Superseded)
    }
}
