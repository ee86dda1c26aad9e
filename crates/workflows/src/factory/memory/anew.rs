//! How a build goes on otherwise than planned: adjustments, recoveries, resets, and a plan that was edited.

use std::collections::BTreeSet;

use super::Memory;
use crate::factory::data::{Health, RecoveryOption};
use crate::factory::efforts::{EffortState, EffortStatus};
use crate::factory::plan::{EffortPlan, Plan, PlanSeen, Wave, branch, may_change};

impl Memory {
    pub(super) fn notice(&mut self, what: &str, plan: Option<&PlanSeen>) {
        if !what.is_empty() {
            self.notices.push(what.to_owned());
        }
        let Some(seen) = plan else { return };
        self.plan_seen.clone_from(&seen.hash);
        if let Some(plan) = &seen.taken {
            self.decide("the edited plan is taken over", what);
            self.take_over(plan);
        } else if !what.is_empty() {
            self.decide("the plan stays as it was", what);
        }
    }

    /// Goes by another plan from here on; what is done is not touched.
    fn take_over(&mut self, plan: &Plan) {
        self.plan = plan.clone();
        let planned: Vec<(usize, usize, EffortPlan)> =
            plan.efforts().map(|(phase, wave, effort)| (phase, wave, effort.clone())).collect();
        for (phase, wave, effort) in &planned {
            match self.efforts.get_mut(&effort.id).filter(|state| may_change(state)) {
                Some(state) => {
                    (state.phase, state.wave, state.plan) = (*phase, Some(*wave), effort.clone());
                    if state.attempt == 1 {
                        state.branch = branch(*phase, *wave, &effort.id);
                    }
                }
                None => self.add(EffortState::new(
                    effort.clone(),
                    *phase,
                    Some(*wave),
                    branch(*phase, *wave, &effort.id),
                )),
            }
        }
        let there: BTreeSet<&str> = planned.iter().map(|(_, _, effort)| effort.id.as_str()).collect();
        self.efforts.retain(|id, state| {
            state.wave.is_none()
                || state.part_of.is_some()
                || !may_change(state)
                || there.contains(id.as_str())
        });
        let efforts = &self.efforts;
        self.sequence.retain(|id| efforts.contains_key(id));
    }

    pub(super) fn adjust(&mut self, efforts: &[EffortPlan]) {
        *self.adjustments.entry(self.phase).or_insert(0) += 1;
        let number = self.adjustments_here();
        let phase = self.phase;
        let Some(here) = self.plan.phases.get_mut(phase) else { return };
        let wave = here.waves.len();
        here.waves.push(Wave { name: format!("Adjustment {number}"), efforts: efforts.to_vec() });
        for effort in efforts {
            let branch = branch(phase, wave, &effort.id);
            self.add(EffortState::new(effort.clone(), phase, Some(wave), branch));
        }
    }

    pub(super) fn plan_recovery(&mut self, efforts: &[EffortPlan], again: &[String]) {
        let number = self.recoveries;
        self.recovery_efforts =
            efforts.iter().map(|effort| effort.id.clone()).chain(again.iter().cloned()).collect();
        for effort in efforts {
            let branch = format!("recovery-{number}-{}", effort.id);
            self.add(EffortState::new(effort.clone(), self.phase, None, branch));
        }
        for id in again {
            self.again(id);
        }
    }

    pub(super) fn recovered(&mut self, commit: &str, reference: &str) {
        self.recovered += 1;
        self.refs.insert(reference.to_owned(), commit.to_owned());
        self.line = commit.to_owned();
        self.line_tree.clear();
        self.issues.clear();
        self.health = Health::OnTrack;
        let phase = self.phase;
        if self.chosen == Some(RecoveryOption::Complete) {
            self.wave = 0;
            self.begin_again(|effort| effort.phase == phase && effort.wave.is_some());
        } else {
            let open = |effort: &EffortState| effort.phase == phase && effort.is_open();
            self.begin_again(open);
            // A wave whose efforts are all in is done.
            while self.wave < self.waves() && self.present().iter().all(|effort| !effort.is_open()) {
                self.wave += 1;
            }
        }
    }

    /// Lets efforts begin again with all their tries before them.
    fn begin_again(&mut self, which: impl Fn(&EffortState) -> bool) {
        for effort in self.efforts.values_mut().filter(|effort| which(effort)) {
            // Parts are made again if their whole is too large again.
            let is_part = effort.part_of.is_some();
            effort.status = if is_part { EffortStatus::Superseded } else { EffortStatus::Planned };
            effort.attempt += 1;
            effort.tries = 1;
            effort.base.clear();
        }
    }

    pub(super) fn reset(&mut self, refs: &[String]) {
        self.resets += 1;
        self.checkpoints.extend(refs.iter().cloned());
        (self.phase, self.wave) = (0, 0);
        self.phase_base.clone_from(&self.order.base);
        self.line.clone_from(&self.order.base);
        self.line_tree.clear();
        self.adjustments.clear();
        self.issues.clear();
        self.health = Health::OnTrack;
        self.begin_again(|effort| effort.wave.is_some());
        self.decide("the project begins again", "everything that was is kept under refs/baton/archive");
    }
}
