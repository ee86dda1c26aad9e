//! A software factory: a plan in, a merged, gated and reviewed project out.
//!
//! Read [`Factory::TABLE`] first; everything else serves it. [`plan`] makes a plan of a file. Each effort is a run of its
//! own that MONITOR begins and waits for; this one merges what they bring, has it gated, compares plan and tree, and knows
//! what to do when the two part. What does not live here: how one effort is done, and how git is called.

mod architect;
mod data;
mod documents;
mod efforts;
mod files;
mod memory;
mod money;
mod nodes;
pub mod plan;
mod profile;
mod rehearsal;
pub(crate) mod skills;
mod strategy;

#[cfg(test)]
mod tests;

use baton_engine::record::Change;
use baton_engine::{Changeable, Node, RunFile, View, Work};
use baton_machine::{Group, Kind, Outcome, Row, Verdict, Workflow, events, transitions, words};

use crate::coding::order::EffortReport;
use crate::git::Delivered;
pub use data::{
    Analysis, Assessment, Health, Issue, MergedEffort, Order, Overruled, RecoveryOption, SecondVerdict,
    Strategy,
};
pub use efforts::{EffortState, EffortStatus};
pub use memory::Memory;
use plan::{EffortPlan, PlanSeen};
pub use skills::draft_plan::{DraftPlan, Roadmap};

words! {
    /// Where a build can stand.
    pub enum State {
        Init = "INIT",
        Planning = "PLANNING",
        PhaseInit = "PHASE_INIT",
        WaveInit = "WAVE_INIT",
        SetupEffortInfrastructure = "SETUP_EFFORT_INFRASTRUCTURE",
        SpawnAgents = "SPAWN_AGENTS",
        Monitor = "MONITOR",
        ErrorRecovery = "ERROR_RECOVERY",
        HandleSplits = "HANDLE_SPLITS",
        WaveComplete = "WAVE_COMPLETE",
        WaveReview = "WAVE_REVIEW",
        PhaseComplete = "PHASE_COMPLETE",
        PhaseReview = "PHASE_REVIEW",
        NextPhase = "NEXT_PHASE",
        ReviewPlanDeviations = "REVIEW_PLAN_DEVIATIONS",
        AdjustmentPlanning = "ADJUSTMENT_PLANNING",
        ArchitectFeedback = "ARCHITECT_FEEDBACK",
        IntegrationReview = "INTEGRATION_REVIEW",
        AnalyzeProjectDeviations = "ANALYZE_PROJECT_DEVIATIONS",
        CreateRecoveryStrategy = "CREATE_RECOVERY_STRATEGY",
        ArchitectIntegration = "ARCHITECT_INTEGRATION",
        ExecuteRecovery = "EXECUTE_RECOVERY",
        RecoveryPlanning = "RECOVERY_PLANNING",
        RecoveryImplementation = "RECOVERY_IMPLEMENTATION",
        RecoveryValidation = "RECOVERY_VALIDATION",
        RecoveryIntegration = "RECOVERY_INTEGRATION",
        ResetProject = "RESET_PROJECT",
        Complete = "COMPLETE",
        Abandoned = "ABANDONED",
    }
}

events! {
    /// What can happen to it.
    pub enum Event as On {
        EnvironmentReady { at: u64 } = "ENVIRONMENT_READY",
        PlanApproved { by: String } = "PLAN_APPROVED",
        PhaseStarted { at: u64 } = "PHASE_STARTED",
        WaveStarted { at: u64 } = "WAVE_STARTED",
        InfrastructureReady = "INFRASTRUCTURE_READY",
        AgentsAssigned { agents: Vec<(String, String)> } = "AGENTS_ASSIGNED",
        EffortBegun {
            effort: String,
            base: String,
            #[serde(default, skip_serializing_if = "is_zero")]
            granted: u64,
        } = "EFFORT_BEGUN",
        EffortEnded { effort: String, report: EffortReport } = "EFFORT_ENDED",
        Noticed {
            what: String,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            plan: Option<PlanSeen>,
        } = "NOTICED",
        SizeViolation { efforts: Vec<String> } = "SIZE_VIOLATION",
        IssuesFound { issues: Vec<Issue> } = "ISSUES_FOUND",
        DebtExceeded { assessment: Assessment } = "DEBT_EXCEEDED",
        AllComplete = "ALL_COMPLETE",
        SplitsReady { efforts: Vec<String> } = "SPLITS_READY",
        RetryReady { efforts: Vec<String> } = "RETRY_READY",
        EffortMerged { merged: MergedEffort } = "EFFORT_MERGED",
        WaveMerged = "WAVE_MERGED",
        WaveApproved { assessment: Assessment } = "WAVE_APPROVED",
        PhaseMerged { commit: String, reference: String } = "PHASE_MERGED",
        PhaseBroken { why: String } = "PHASE_BROKEN",
        OnTrack { assessment: Assessment } = "ON_TRACK",
        NeedsAdjustment { assessment: Assessment } = "NEEDS_ADJUSTMENT",
        MinorCorrection { assessment: Assessment } = "MINOR_CORRECTION",
        OffTrack { assessment: Assessment } = "OFF_TRACK",
        MorePhases { at: u64 } = "MORE_PHASES",
        ProjectVerified { delivered: Delivered } = "PROJECT_VERIFIED",
        VerificationFailed { why: String } = "VERIFICATION_FAILED",
        DeviationsListed { deviations: Vec<String> } = "DEVIATIONS_LISTED",
        AdjustmentPlanned { efforts: Vec<EffortPlan> } = "ADJUSTMENT_PLANNED",
        AdjustmentTaken { efforts: Vec<EffortPlan> } = "ADJUSTMENT_TAKEN",
        AdjustmentApproved { by: String } = "ADJUSTMENT_APPROVED",
        AdjustmentRejected { why: String } = "ADJUSTMENT_REJECTED",
        CheckpointCreated { refs: Vec<String>, conflicts: Vec<String> } = "CHECKPOINT_CREATED",
        DeviationsAnalyzed { analysis: Analysis } = "DEVIATIONS_ANALYZED",
        StrategyCreated { strategy: Strategy } = "STRATEGY_CREATED",
        RecoveryApproved { option: RecoveryOption, by: String } = "RECOVERY_APPROVED",
        ResetApproved { by: String } = "RESET_APPROVED",
        CheckpointTaken { refs: Vec<String> } = "CHECKPOINT_TAKEN",
        RecoveryPlanned { efforts: Vec<EffortPlan>, again: Vec<String> } = "RECOVERY_PLANNED",
        RecoveryImplemented = "RECOVERY_IMPLEMENTED",
        ValidationPassed { commit: String, merged: Vec<MergedEffort> } = "VALIDATION_PASSED",
        RecoveryFailed { why: String } = "RECOVERY_FAILED",
        RecoveryIntegrated { commit: String, reference: String } = "RECOVERY_INTEGRATED",
        ProjectReset { refs: Vec<String> } = "PROJECT_RESET",
        Abandon { why: String } = "ABANDON",
    }
}

/// A software factory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factory;

/// The four parts of EXECUTE_RECOVERY.
static RECOVERING: Group<Factory> = Group {
    name: "recovering",
    states: &[
        State::RecoveryPlanning,
        State::RecoveryImplementation,
        State::RecoveryValidation,
        State::RecoveryIntegration,
    ],
};

impl Workflow for Factory {
    const NAME: &'static str = "factory";
    const START: State = State::Init;
    const TABLE: &'static [Row<Self>] = transitions! {
        // in state                + on event            if guard             => go to
        Init                       + EnvironmentReady                         => Planning;
        Planning                   + PlanApproved                             => PhaseInit;

        PhaseInit                  + PhaseStarted        if waves_left        => WaveInit;
        PhaseInit                  + PhaseStarted                             => PhaseComplete;
        WaveInit                   + WaveStarted                              => SetupEffortInfrastructure;
        SetupEffortInfrastructure  + InfrastructureReady                      => SpawnAgents;
        SpawnAgents                + AgentsAssigned                           => Monitor;

        Monitor                    + EffortBegun                              => stay;
        Monitor                    + EffortEnded                              => stay;
        Monitor                    + IssuesFound                              => ErrorRecovery;
        Monitor                    + SizeViolation                            => HandleSplits;
        Monitor                    + DebtExceeded                             => IntegrationReview;
        Monitor                    + AllComplete                              => WaveComplete;
        ErrorRecovery              + RetryReady          if retries_left      => Monitor at most 2000;
        ErrorRecovery              + RetryReady                               => IntegrationReview;
        HandleSplits               + SplitsReady                              => Monitor at most 2000;
        HandleSplits               + SplitsReady                              => IntegrationReview;

        WaveComplete               + EffortMerged                             => stay;
        WaveComplete               + IssuesFound                              => ErrorRecovery;
        WaveComplete               + WaveMerged                               => WaveReview;
        WaveReview                 + WaveApproved        if waves_left        => WaveInit at most 2000;
        WaveReview                 + WaveApproved                             => PhaseComplete;
        WaveReview                 + IssuesFound                              => ErrorRecovery;
        WaveReview                 + DebtExceeded                             => IntegrationReview;

        PhaseComplete              + PhaseMerged                              => PhaseReview;
        PhaseComplete              + PhaseBroken                              => IntegrationReview;
        PhaseReview                + OnTrack                                  => NextPhase;
        PhaseReview                + NeedsAdjustment     if adjustments_left  => ReviewPlanDeviations;
        PhaseReview                + NeedsAdjustment                          => IntegrationReview;
        PhaseReview                + MinorCorrection     if adjustments_left  => AdjustmentPlanning;
        PhaseReview                + MinorCorrection                          => IntegrationReview;
        PhaseReview                + OffTrack                                 => IntegrationReview;
        NextPhase                  + MorePhases                               => PhaseInit at most 200;
        NextPhase                  + MorePhases                               => Abandoned;
        NextPhase                  + ProjectVerified                          => Complete;
        NextPhase                  + VerificationFailed                       => IntegrationReview;

        ReviewPlanDeviations       + DeviationsListed                         => AdjustmentPlanning;
        AdjustmentPlanning         + AdjustmentPlanned                        => ArchitectFeedback;
        AdjustmentPlanning         + AdjustmentTaken                          => PhaseInit at most 200;
        AdjustmentPlanning         + AdjustmentTaken                          => IntegrationReview;
        ArchitectFeedback          + AdjustmentApproved                       => PhaseInit at most 200;
        ArchitectFeedback          + AdjustmentApproved                       => IntegrationReview;
        ArchitectFeedback          + AdjustmentRejected                       => IntegrationReview;

        IntegrationReview          + CheckpointCreated                        => AnalyzeProjectDeviations;
        AnalyzeProjectDeviations   + DeviationsAnalyzed                       => CreateRecoveryStrategy;
        CreateRecoveryStrategy     + StrategyCreated                          => ArchitectIntegration;
        ArchitectIntegration       + RecoveryApproved    if recoveries_left   => ExecuteRecovery at most 20;
        ArchitectIntegration       + RecoveryApproved    if resets_left       => ResetProject;
        ArchitectIntegration       + RecoveryApproved                         => Abandoned;
        ArchitectIntegration       + ResetApproved       if resets_left       => ResetProject;
        ArchitectIntegration       + ResetApproved                            => Abandoned;

        ExecuteRecovery            + CheckpointTaken                          => RecoveryPlanning;
        RecoveryPlanning           + RecoveryPlanned                          => RecoveryImplementation;
        RecoveryImplementation     + EffortBegun                              => stay;
        RecoveryImplementation     + EffortEnded                              => stay;
        RecoveryImplementation     + RecoveryImplemented                      => RecoveryValidation;
        RecoveryValidation         + ValidationPassed                         => RecoveryIntegration;
        RecoveryIntegration        + RecoveryIntegrated                       => PhaseInit;
        in RECOVERING              + RecoveryFailed                           => IntegrationReview;

        ResetProject               + ProjectReset                             => Planning at most 20;
        ResetProject               + ProjectReset                             => Abandoned;
        any                        + Noticed                                  => stay;
        any                        + Abandon                                  => Abandoned;
    };

    type State = State;
    type On = On;
    type Event = Event;
    type Input = Order;
    type Memory = Memory;

    fn begin(order: &Order) -> Memory {
        Memory::new(order.clone())
    }

    fn learn(memory: &mut Memory, event: &Event) {
        memory.learn(event);
    }

    fn kind(state: State) -> Kind {
        match state {
            State::Complete => Kind::Ends(Outcome::Completed),
            State::Abandoned => Kind::Ends(Outcome::Failed),
            _ => Kind::Works,
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this signature")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

fn waves_left(memory: &Memory) -> Verdict {
    let (wave, waves) = (memory.wave, memory.waves());
    Verdict::of(wave < waves).saw("waves done", wave).saw("waves", waves)
}

fn retries_left(memory: &Memory) -> Verdict {
    let (tries, most) = (memory.worst_try(), memory.plan.policy.retries);
    Verdict::of(tries <= most + 1).saw("tries", tries).saw("at most", most + 1)
}

fn adjustments_left(memory: &Memory) -> Verdict {
    let (made, most) = (memory.adjustments_here(), memory.plan.policy.adjustments);
    Verdict::of(made < most).saw("adjustments of this phase", made).saw("at most", most)
}

fn recoveries_left(memory: &Memory) -> Verdict {
    let (begun, most) = (memory.recoveries, memory.plan.policy.recoveries);
    Verdict::of(begun <= most).saw("recoveries", begun).saw("at most", most)
}

fn resets_left(memory: &Memory) -> Verdict {
    let (made, most) = (memory.resets, memory.plan.policy.resets);
    Verdict::of(made < most).saw("resets", made).saw("at most", most)
}

impl Work for Factory {
    const CODE_VERSION: u32 = 1;

    fn node(state: State) -> Option<Node<Self>> {
        nodes::of(state)
    }

    fn changeable() -> &'static [Changeable] {
        &[Changeable {
            key: "budget.",
            hint: "USD",
            says: "what project, phase, effort, attempt or turn may spend: budget.phase=12.50",
        }]
    }

    fn change(memory: &mut Memory, change: &Change) -> Result<(), String> {
        let budget = &mut memory.plan.budget;
        let limit = match change.key.as_str() {
            "budget.project" => &mut budget.project,
            "budget.phase" => &mut budget.phase,
            "budget.effort" => &mut budget.effort,
            "budget.attempt" => &mut budget.attempt,
            "budget.turn" => &mut budget.turn,
            other => {
                return Err(format!(
                    "a build has nothing called `{other}`; there is budget.phase and the like"
                ));
            }
        };
        let micro = change.value.as_f64().and_then(crate::coding::micro_usd);
        *limit = Some(micro.ok_or_else(|| {
            format!("`{}` cannot be {}: it takes an amount in dollars", change.key, change.value)
        })?);
        Ok(())
    }

    fn title(order: &Order) -> String {
        order.plan.title.clone()
    }

    fn files(view: &View<'_, Self>) -> Vec<RunFile> {
        files::files(view)
    }
}
