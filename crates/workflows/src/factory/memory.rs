//! What a build learns. `memory/anew.rs` is how it goes on otherwise than planned.

mod anew;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Event;
use super::data::{Analysis, Assessment, Health, Issue, MergedEffort, Order, RecoveryOption, Strategy};
use super::efforts::{EffortState, EffortStatus};
use super::plan::{EffortPlan, Plan, branch};
use crate::coding::Work;
use crate::coding::order::{EffortReport, debt};
use crate::git::Delivered;

/// A decision, for the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// What was decided.
    pub what: String,
    /// On what grounds.
    pub grounds: String,
}

/// All that a build has learnt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// What it was started with.
    pub order: Order,
    /// The plan with everything that was adjusted.
    pub plan: Plan,
    /// Names the content of the plan's file that was last looked at; empty if there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub plan_seen: String,
    /// The present phase, from 0.
    pub phase: usize,
    /// The present wave, from 0: as many as are done.
    pub wave: usize,
    /// The commit the present phase began from.
    pub phase_base: String,
    /// The newest integrated commit.
    pub line: String,
    /// Its tree, where it is known.
    pub line_tree: String,
    /// Refs we moved, and where they stand.
    pub refs: BTreeMap<String, String>,
    /// Every effort, by id.
    pub efforts: BTreeMap<String, EffortState>,
    /// Their ids in the order they came up.
    pub sequence: Vec<String>,
    /// Issues that are being handled.
    pub issues: Vec<Issue>,
    /// The architect's last word.
    pub health: Health,
    /// When it was said.
    pub last_review: Option<u64>,
    /// Everything the architect said.
    pub assessments: Vec<Assessment>,
    /// What was decided, in order.
    pub decisions: Vec<Decision>,
    /// What was noticed on the way.
    pub notices: Vec<String>,
    /// Adjustments, by phase.
    pub adjustments: BTreeMap<usize, u32>,
    /// Recoveries that were begun.
    pub recoveries: u32,
    /// Recoveries that worked.
    pub recovered: u32,
    /// Resets.
    pub resets: u32,
    /// Efforts that were split.
    pub splits: u32,
    /// Reviews of the project.
    pub reviews: u32,
    /// Why there is one.
    pub trigger: String,
    /// Deviations of the present phase.
    pub deviations: Vec<String>,
    /// The last analysis.
    pub analysis: Option<Analysis>,
    /// The last strategy.
    pub strategy: Option<Strategy>,
    /// The way that was chosen.
    pub chosen: Option<RecoveryOption>,
    /// The commit a recovery has come to.
    pub recovery_commit: String,
    /// Efforts of the present recovery.
    pub recovery_efforts: Vec<String>,
    /// Refs that keep what was.
    pub checkpoints: Vec<String>,
    /// Where the result is.
    pub delivered: Option<Delivered>,
    /// Why it ended, if it is not complete.
    pub why: String,
}

impl Memory {
    /// What is known before anything has happened.
    pub fn new(order: Order) -> Self {
        let mut memory = Self {
            plan: order.plan.clone(),
            plan_seen: order.plan_hash.clone(),
            phase: 0,
            wave: 0,
            phase_base: order.base.clone(),
            line: order.base.clone(),
            line_tree: String::new(),
            refs: BTreeMap::new(),
            efforts: BTreeMap::new(),
            sequence: Vec::new(),
            issues: Vec::new(),
            health: Health::OnTrack,
            last_review: None,
            assessments: Vec::new(),
            decisions: Vec::new(),
            notices: Vec::new(),
            adjustments: BTreeMap::new(),
            recoveries: 0,
            recovered: 0,
            resets: 0,
            splits: 0,
            reviews: 0,
            trigger: String::new(),
            deviations: Vec::new(),
            analysis: None,
            strategy: None,
            chosen: None,
            recovery_commit: String::new(),
            recovery_efforts: Vec::new(),
            checkpoints: Vec::new(),
            delivered: None,
            why: String::new(),
            order,
        };
        memory.enlist();
        memory
    }

    /// Every effort of every wave, so that nothing of the plan can be forgotten.
    fn enlist(&mut self) {
        let planned: Vec<(usize, usize, EffortPlan)> =
            self.plan.efforts().map(|(phase, wave, effort)| (phase, wave, effort.clone())).collect();
        for (phase, wave, effort) in planned {
            let branch = branch(phase, wave, &effort.id);
            self.add(EffortState::new(effort, phase, Some(wave), branch));
        }
    }

    fn add(&mut self, effort: EffortState) {
        let id = effort.plan.id.clone();
        if !self.efforts.contains_key(&id) {
            self.sequence.push(id.clone());
            self.efforts.insert(id, effort);
        }
    }

    /// How many waves the present phase has.
    pub fn waves(&self) -> usize {
        self.plan.phases.get(self.phase).map_or(0, |phase| phase.waves.len())
    }

    /// Efforts of the present wave, in order.
    pub fn present(&self) -> Vec<&EffortState> {
        let here = |effort: &&EffortState| effort.phase == self.phase && effort.wave == Some(self.wave);
        self.sequence.iter().filter_map(|id| self.efforts.get(id)).filter(here).collect()
    }

    /// Every effort in order.
    pub fn in_order(&self) -> impl Iterator<Item = &EffortState> {
        self.sequence.iter().filter_map(|id| self.efforts.get(id))
    }

    /// The ref of the present wave.
    pub fn wave_ref(&self) -> String {
        format!("refs/heads/wave-{}-{}-integration", self.phase + 1, self.wave + 1)
    }

    /// The most often an effort with an issue was tried.
    pub fn worst_try(&self) -> u32 {
        let tries = self.issues.iter().filter_map(|issue| self.efforts.get(&issue.effort)).map(|it| it.tries);
        tries.max().unwrap_or(0)
    }

    /// Adjustments of the present phase.
    pub fn adjustments_here(&self) -> u32 {
        self.adjustments.get(&self.phase).copied().unwrap_or(0)
    }

    /// Weighted open findings of what is merged, and what the architect misses.
    pub fn debt(&self) -> u64 {
        let merged = self.efforts.values().filter(|effort| effort.status == EffortStatus::Merged);
        debt(merged.flat_map(|effort| &effort.findings))
    }

    fn decide(&mut self, what: impl Into<String>, grounds: impl Into<String>) {
        self.decisions.push(Decision { what: what.into(), grounds: grounds.into() });
    }

    fn assess(&mut self, assessment: &Assessment) {
        self.health = assessment.health;
        self.last_review = Some(assessment.at);
        let whole = assessment.wave.map_or_else(
            || format!("phase {}", assessment.phase),
            |wave| format!("phase {}, wave {wave}", assessment.phase),
        );
        let grounds = assessment.grounds.join("; ");
        match &assessment.overruled {
            None => self.decide(format!("{whole}: {}", assessment.health.word()), grounds),
            Some(word) => self.decide(
                format!("{whole}: {}, overruled by {}", assessment.health.word(), word.by),
                format!("{}; it was {} ({grounds})", word.reason, word.was.word()),
            ),
        }
        self.assessments.push(assessment.clone());
    }

    fn effort(&mut self, id: &str, change: impl FnOnce(&mut EffortState)) {
        if let Some(effort) = self.efforts.get_mut(id) {
            change(effort);
        }
    }

    /// Takes an effort up again from where the project stands now.
    fn again(&mut self, id: &str) {
        self.effort(id, |effort| {
            effort.attempt += 1;
            effort.tries += 1;
            effort.status = EffortStatus::Planned;
            effort.base.clear();
        });
    }

    /// Folds one event.
    pub fn learn(&mut self, event: &Event) {
        match event {
            Event::EnvironmentReady { .. } | Event::PhaseStarted { .. } | Event::WaveStarted { .. } => {}
            Event::InfrastructureReady | Event::AllComplete => {}
            Event::PlanApproved { by } => self.decide("the plan is approved", format!("by {by}")),
            Event::AgentsAssigned { agents } => {
                for (effort, worker) in agents {
                    self.effort(effort, |effort| effort.worker.clone_from(worker));
                }
            }
            Event::EffortBegun { effort, base, granted } => self.effort(effort, |effort| {
                effort.status = EffortStatus::Implementing;
                effort.base.clone_from(base);
                effort.granted = *granted;
            }),
            Event::EffortEnded { effort, report } => self.ended(effort, report),
            Event::Noticed { what, plan } => self.notice(what, plan.as_ref()),
            Event::SizeViolation { efforts } => {
                self.decide(format!("{} are split", efforts.join(", ")), "they are above the hard limit");
            }
            Event::IssuesFound { issues } => self.issues.clone_from(issues),
            Event::SplitsReady { efforts } => {
                for effort in efforts.clone() {
                    self.split(&effort);
                }
            }
            Event::RetryReady { efforts } => self.retry(&efforts.clone()),
            Event::EffortMerged { merged } => self.merged(merged),
            Event::WaveMerged => {}
            Event::WaveApproved { assessment } => {
                self.assess(assessment);
                self.wave += 1;
                self.issues.clear();
            }
            Event::DebtExceeded { assessment } => {
                self.assess(assessment);
                self.trigger = format!("the debt is {}", assessment.debt);
            }
            Event::PhaseMerged { commit, reference } => {
                self.refs.insert(reference.clone(), commit.clone());
                self.line.clone_from(commit);
            }
            Event::PhaseBroken { why } | Event::VerificationFailed { why } => self.trigger.clone_from(why),
            Event::OnTrack { assessment } => self.assess(assessment),
            Event::NeedsAdjustment { assessment } | Event::MinorCorrection { assessment } => {
                self.assess(assessment);
                self.trigger = "its adjustments are used up".to_owned();
                self.deviations.clone_from(&assessment.missing);
            }
            Event::OffTrack { assessment } => {
                self.assess(assessment);
                self.trigger = format!("phase {} is off its track", assessment.phase);
            }
            Event::MorePhases { .. } => {
                self.phase += 1;
                self.wave = 0;
                self.phase_base.clone_from(&self.line);
            }
            Event::ProjectVerified { delivered } => self.delivered = Some(delivered.clone()),
            Event::DeviationsListed { deviations } => self.deviations.clone_from(deviations),
            Event::AdjustmentPlanned { efforts } | Event::AdjustmentTaken { efforts } => self.adjust(efforts),
            Event::AdjustmentApproved { by } => self.decide("the adjustment is made", format!("by {by}")),
            Event::AdjustmentRejected { why } => {
                self.trigger = format!("the adjustment was rejected: {why}");
                self.decide("the adjustment is not made", why);
            }
            Event::CheckpointCreated { refs, conflicts } => {
                self.reviews += 1;
                self.checkpoints.extend(refs.iter().cloned());
                self.notices
                    .extend(conflicts.iter().map(|file| format!("in the checkpoint, {file} conflicts")));
            }
            Event::DeviationsAnalyzed { analysis } => self.analysis = Some(analysis.clone()),
            Event::StrategyCreated { strategy } => self.strategy = Some(strategy.clone()),
            Event::RecoveryApproved { option, by } => {
                self.recoveries += 1;
                self.chosen = Some(*option);
                self.decide(format!("recovery {}: {}", self.recoveries, option.word()), format!("by {by}"));
            }
            Event::ResetApproved { by } => self.decide("the project is reset", format!("by {by}")),
            Event::CheckpointTaken { refs } => self.checkpoints.extend(refs.iter().cloned()),
            Event::RecoveryPlanned { efforts, again } => self.plan_recovery(efforts, again),
            Event::RecoveryImplemented => {}
            Event::ValidationPassed { commit, merged } => {
                self.recovery_commit.clone_from(commit);
                for merged in merged {
                    self.effort(&merged.effort, |effort| effort.status = EffortStatus::Merged);
                }
            }
            Event::RecoveryFailed { why } => {
                self.trigger = format!("the recovery failed: {why}");
                self.decide("the recovery failed", why);
            }
            Event::RecoveryIntegrated { commit, reference } => self.recovered(commit, reference),
            Event::ProjectReset { refs } => self.reset(refs),
            Event::Abandon { why } => {
                self.why.clone_from(why);
                self.decide("the project is abandoned", why);
            }
        }
    }

    fn ended(&mut self, id: &str, report: &EffortReport) {
        let (status, told) = match report.state.as_str() {
            "QUEUED" => (EffortStatus::Queued, None),
            "MERGED" => (EffortStatus::Merged, None),
            "SUPERSEDED" => (EffortStatus::Superseded, None),
            _ => (EffortStatus::Failed, Some(report.why.clone())),
        };
        self.effort(id, |effort| {
            effort.status = status;
            effort.tip.clone_from(&report.tip);
            (effort.lines, effort.reviews) = (report.lines, report.reviews);
            effort.parts.clone_from(&report.parts);
            effort.granted = 0;
            effort.spent += report.micro_usd;
            effort.unknown_costs += report.unknown_costs;
            effort.told = told.into_iter().collect();
            if let Some(review) = &report.review {
                effort.findings.clone_from(&review.findings);
                (effort.reviewed, effort.reviewed_commit) = (review.tree.clone(), review.commit.clone());
            }
        });
    }

    fn split(&mut self, id: &str) {
        let Some(whole) = self.efforts.get(id).cloned() else { return };
        self.splits += 1;
        let many = whole.parts.len();
        let mut after = None;
        for part in &whole.parts {
            let mut plan = whole.plan.clone();
            plan.id = format!("{id}--split-{:03}", part.number);
            plan.name = format!("{} ({} of {many})", whole.plan.name, part.number);
            plan.agent = "recipe".to_owned();
            plan.work = vec![Work::CherryPick { what: format!("{}..{}", part.from, part.to) }];
            plan.fix = Vec::new();
            let branch = format!("{}--split-{:03}", whole.branch, part.number);
            let mut effort = EffortState::new(plan, whole.phase, whole.wave, branch);
            effort.worker.clone_from(&whole.worker);
            effort.part_of = Some(id.to_owned());
            effort.after = after.replace(effort.plan.id.clone());
            if let Some(before) = self.efforts.remove(&effort.plan.id) {
                effort.attempt = before.attempt + 1;
                self.efforts.insert(effort.plan.id.clone(), effort);
            } else {
                self.add(effort);
            }
        }
    }

    fn retry(&mut self, efforts: &[String]) {
        for id in efforts {
            let what: Vec<String> = self
                .issues
                .iter()
                .filter(|issue| issue.effort == *id)
                .map(|issue| issue.what.clone())
                .collect();
            self.again(id);
            self.effort(id, |effort| effort.told.clone_from(&what));
            self.decide(format!("{id} is tried again"), what.join("; "));
        }
        if self.worst_try() > self.plan.policy.retries + 1 {
            self.trigger = "an effort failed too often".to_owned();
        }
    }

    fn merged(&mut self, merged: &MergedEffort) {
        self.effort(&merged.effort, |effort| effort.status = EffortStatus::Merged);
        self.refs.insert(merged.reference.clone(), merged.commit.clone());
        self.line.clone_from(&merged.commit);
        self.line_tree.clone_from(&merged.tree);
    }
}
