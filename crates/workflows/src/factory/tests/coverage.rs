//! Every row of the table is taken by some list of events, so that no edge of the drawing is there by hope alone.

use std::collections::BTreeSet;

use baton_machine::{Position, Row, Workflow, advance};

use super::*;

/// The rows that a list takes, by their number.
fn taken(order: &Order, steps: &[(Event, State)]) -> BTreeSet<usize> {
    let mut position = Position::<Factory>::start();
    let mut memory = Factory::begin(order);
    let mut rows = BTreeSet::new();
    for (event, state) in steps {
        let moved = advance(Factory::TABLE, &mut position, &mut memory, event).expect("a row takes it");
        assert_eq!(moved.to, *state, "{event:?}");
        rows.insert(moved.row);
    }
    rows
}

/// The row behind one that has been taken as often as it may be.
fn used_up(order: &Order, state: State, event: &Event) -> usize {
    let mut position = Position::<Factory> { state, ..Position::start() };
    let bounded = Factory::TABLE.iter().enumerate().filter_map(|(at, row)| Some((at, row.at_most?)));
    position.fired = bounded.collect();
    let mut memory = Factory::begin(order);
    advance(Factory::TABLE, &mut position, &mut memory, event).expect("a row takes it").row
}

fn off() -> Steps {
    vec![(OffTrack { assessment: assessment(Health::OffTrack) }, IntegrationReview)]
}

fn debt() -> Event {
    DebtExceeded { assessment: assessment(Health::OffTrack) }
}

fn on_track() -> Event {
    OnTrack { assessment: assessment(Health::OnTrack) }
}

/// Lists that lead everywhere.
fn lists() -> Vec<Steps> {
    let join = |parts: &[Steps]| parts.concat();
    let needs = || NeedsAdjustment { assessment: assessment(Health::NeedsAdjustment) };
    let minor = || MinorCorrection { assessment: assessment(Health::NeedsAdjustment) };
    let efforts = order().plan.phases[0].adjustment.clone();
    let effort = |event: Event| (event, RecoveryImplementation);
    let begun = EffortBegun { effort: "a".to_owned(), base: "base".to_owned(), granted: 0 };
    let delivered = Delivered { at: "baton/x".to_owned(), see: String::new() };
    let mut tried = under_way();
    for _ in 0..3 {
        tried.extend([(issues("a"), ErrorRecovery), (retry("a"), Monitor)]);
    }
    tried.extend([(issues("a"), ErrorRecovery), (retry("a"), IntegrationReview)]);
    let split = SizeViolation { efforts: vec!["a".to_owned()] };
    let listed = (DeviationsListed { deviations: Vec::new() }, AdjustmentPlanning);
    let planned = (AdjustmentPlanned { efforts: efforts.clone() }, ArchitectFeedback);
    let thrice = vec![
        (approved(), ExecuteRecovery),
        (CheckpointTaken { refs: Vec::new() }, RecoveryPlanning),
        (RecoveryFailed { why: "no".to_owned() }, IntegrationReview),
    ];
    let thrice =
        join(&[reviewed(), thrice.clone(), reviewed(), thrice.clone(), reviewed(), thrice, reviewed()]);
    let reset = vec![(ProjectReset { refs: Vec::new() }, Planning)];
    let again = join(&[vec![(PlanApproved { by: "me".to_owned() }, PhaseInit)], phase_done()[2..].to_vec()]);
    let mut recovering = recovered();
    recovering.splice(3..3, [effort(begun), effort(ended("a", "QUEUED"))]);
    let mut broken = phase_done();
    broken.pop();
    broken.push((PhaseBroken { why: "no".to_owned() }, IntegrationReview));
    vec![
        tried,
        join(&[
            under_way(),
            vec![
                (split, HandleSplits),
                (SplitsReady { efforts: Vec::new() }, Monitor),
                (debt(), IntegrationReview),
            ],
        ]),
        join(&[under_way(), wave_done("a")[..3].to_vec(), vec![(issues("a"), ErrorRecovery)]]),
        join(&[under_way(), wave_done("a"), vec![(issues("a"), ErrorRecovery)]]),
        join(&[under_way(), wave_done("a"), vec![(debt(), IntegrationReview)]]),
        broken,
        join(&[phase_done(), vec![(on_track(), NextPhase), (MorePhases { at: 1 }, PhaseInit)]]),
        join(&[phase_done(), vec![(on_track(), NextPhase), (ProjectVerified { delivered }, Complete)]]),
        join(&[
            phase_done(),
            vec![(on_track(), NextPhase), (VerificationFailed { why: String::new() }, IntegrationReview)],
        ]),
        join(&[
            phase_done(),
            vec![
                (needs(), ReviewPlanDeviations),
                listed.clone(),
                planned.clone(),
                (AdjustmentApproved { by: String::new() }, PhaseInit),
            ],
        ]),
        join(&[
            phase_done(),
            vec![
                (needs(), ReviewPlanDeviations),
                listed,
                planned,
                (AdjustmentRejected { why: String::new() }, IntegrationReview),
            ],
        ]),
        join(&[phase_done(), vec![(minor(), AdjustmentPlanning), (AdjustmentTaken { efforts }, PhaseInit)]]),
        join(&[phase_done(), off(), reviewed(), recovering, vec![(PhaseStarted { at: 1 }, PhaseComplete)]]),
        join(&[
            phase_done(),
            off(),
            thrice,
            vec![(approved(), ResetProject)],
            reset.clone(),
            again.clone(),
            off(),
            reviewed(),
            vec![(approved(), Abandoned)],
        ]),
        join(&[
            phase_done(),
            off(),
            reviewed(),
            vec![(ResetApproved { by: String::new() }, ResetProject)],
            reset,
            again,
            off(),
            reviewed(),
            vec![(ResetApproved { by: String::new() }, Abandoned)],
        ]),
        vec![
            (Noticed { what: String::new(), plan: None }, Init),
            (Abandon { why: String::new() }, Abandoned),
        ],
    ]
}

#[test]
fn every_row_is_taken() {
    let mut rows: BTreeSet<usize> = lists().iter().flat_map(|list| taken(&order(), list)).collect();
    let mut strict = order();
    strict.plan.policy.adjustments = 0;
    let needs = NeedsAdjustment { assessment: assessment(Health::NeedsAdjustment) };
    let minor = MinorCorrection { assessment: assessment(Health::NeedsAdjustment) };
    for last in [needs, minor] {
        rows.extend(taken(&strict, &[phase_done(), vec![(last, IntegrationReview)]].concat()));
    }
    let efforts = Vec::new;
    for (state, event) in [
        (HandleSplits, SplitsReady { efforts: efforts() }),
        (NextPhase, MorePhases { at: 1 }),
        (AdjustmentPlanning, AdjustmentTaken { efforts: Vec::new() }),
        (ArchitectFeedback, AdjustmentApproved { by: String::new() }),
        (ResetProject, ProjectReset { refs: efforts() }),
    ] {
        rows.insert(used_up(&order(), state, &event));
    }
    let left: Vec<String> = Factory::TABLE
        .iter()
        .enumerate()
        .filter(|(at, _)| !rows.contains(at))
        .map(|(at, row): (usize, &Row<Factory>)| format!("{at}: {:?}", row.on))
        .collect();
    assert_eq!(left, Vec::<String>::new());
}
