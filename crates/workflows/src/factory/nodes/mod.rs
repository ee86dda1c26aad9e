//! The work of each state, one file each; `crew.rs` begins efforts and waits for them, `merging.rs` puts them together,
//! `judging.rs` is the verdict on a phase, `noticing.rs` looks whether the plan was edited.

mod adjustment_planning;
mod analyze_project_deviations;
mod architect_feedback;
mod architect_integration;
mod create_recovery_strategy;
mod crew;
mod error_recovery;
mod execute_recovery;
mod handle_splits;
mod init;
mod integration_review;
mod judging;
mod looking;
mod merging;
mod monitor;
mod next_phase;
mod noticing;
mod phase_complete;
mod phase_init;
mod phase_review;
mod planning;
mod recovery_implementation;
mod recovery_integration;
mod recovery_planning;
mod recovery_validation;
mod reset_project;
mod review_plan_deviations;
mod setup_effort_infrastructure;
mod spawn_agents;
mod wave_complete;
mod wave_init;
mod wave_review;

use std::path::PathBuf;

use baton_engine::{Cx, Node, node};

use super::{Factory, State};

/// The work of a state.
pub fn of(state: State) -> Option<Node<Factory>> {
    Some(match state {
        State::Init => node(init::run),
        State::Planning => node(planning::run),
        State::PhaseInit => node(phase_init::run),
        State::WaveInit => node(wave_init::run),
        State::SetupEffortInfrastructure => node(setup_effort_infrastructure::run),
        State::SpawnAgents => node(spawn_agents::run),
        State::Monitor => node(monitor::run),
        State::ErrorRecovery => node(error_recovery::run),
        State::HandleSplits => node(handle_splits::run),
        State::WaveComplete => node(wave_complete::run),
        State::WaveReview => node(wave_review::run),
        State::PhaseComplete => node(phase_complete::run),
        State::PhaseReview => node(phase_review::run),
        State::NextPhase => node(next_phase::run),
        State::ReviewPlanDeviations => node(review_plan_deviations::run),
        State::AdjustmentPlanning => node(adjustment_planning::run),
        State::ArchitectFeedback => node(architect_feedback::run),
        State::IntegrationReview => node(integration_review::run),
        State::AnalyzeProjectDeviations => node(analyze_project_deviations::run),
        State::CreateRecoveryStrategy => node(create_recovery_strategy::run),
        State::ArchitectIntegration => node(architect_integration::run),
        State::ExecuteRecovery => node(execute_recovery::run),
        State::RecoveryPlanning => node(recovery_planning::run),
        State::RecoveryImplementation => node(recovery_implementation::run),
        State::RecoveryValidation => node(recovery_validation::run),
        State::RecoveryIntegration => node(recovery_integration::run),
        State::ResetProject => node(reset_project::run),
        State::Complete | State::Abandoned => return None,
    })
}

/// The workshop of a build.
fn workshop(cx: &Cx<Factory>) -> PathBuf {
    let run = cx.run().to_string();
    cx.read(|memory| PathBuf::from(&memory.order.workshops).join(run))
}

/// Seconds since 1970 of the last completion: the date of commits, so that a replay makes the same ones. Another try of a visit
/// comes later, so steps that carry it, or a commit that was made with it, carry it in their names too.
fn date(cx: &Cx<Factory>) -> u64 {
    cx.now().0 / 1000
}

/// What would be ordered of an effort, for tests.
#[cfg(test)]
pub(super) fn order_of(memory: &super::Memory, id: &str) -> Option<crate::coding::order::EffortOrder> {
    crew::order(memory, id, String::new())
}

/// A commit in the name of a step.
fn short(commit: &str) -> &str {
    commit.get(..12).unwrap_or(commit)
}
