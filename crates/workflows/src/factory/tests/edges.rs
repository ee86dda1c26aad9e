//! Every edge of the drawing.

use super::*;

#[test]
fn the_plain_way_through_two_phases() {
    let memory = check(&[
        phase_done(),
        vec![
            (OnTrack { assessment: assessment(Health::OnTrack) }, NextPhase),
            (MorePhases { at: 1 }, PhaseInit),
            (PhaseStarted { at: 1 }, WaveInit),
        ],
        again_under_way(),
        wave_done("e"),
        vec![
            (WaveApproved { assessment: assessment(Health::OnTrack) }, PhaseComplete),
            (PhaseMerged { commit: "q".to_owned(), reference: "r".to_owned() }, PhaseReview),
            (OnTrack { assessment: assessment(Health::OnTrack) }, NextPhase),
            (
                ProjectVerified { delivered: Delivered { at: "baton/x".to_owned(), see: String::new() } },
                Complete,
            ),
        ],
    ]);
    assert!(memory.efforts.values().filter(|effort| effort.wave.is_some()).all(|effort| !effort.is_open()));
    assert_eq!(memory.line, "q");
}

#[test]
fn issues_are_tried_again_three_times_then_the_project_is_reviewed() {
    let mut steps = under_way();
    for _ in 0..3 {
        steps.extend([(issues("a"), ErrorRecovery), (retry("a"), Monitor)]);
    }
    steps.extend([(issues("a"), ErrorRecovery), (retry("a"), IntegrationReview)]);
    check(&[steps]);
    for from in [wave_done("a")[..3].to_vec(), wave_done("a")] {
        check(&[under_way(), from, vec![(issues("a"), ErrorRecovery), (retry("a"), Monitor)]]);
    }
}

#[test]
fn what_is_too_large_is_split_and_monitoring_goes_on() {
    let large = SizeViolation { efforts: vec!["a".to_owned()] };
    check(&[
        under_way(),
        vec![(large, HandleSplits), (SplitsReady { efforts: vec!["a".to_owned()] }, Monitor)],
    ]);
}

#[test]
fn debt_stops_everything_wherever_it_is_seen() {
    let debt = || DebtExceeded { assessment: assessment(Health::OffTrack) };
    check(&[under_way(), vec![(debt(), IntegrationReview)]]);
    check(&[under_way(), wave_done("a"), vec![(debt(), IntegrationReview)]]);
}

#[test]
fn a_phase_is_adjusted_three_times_and_reviewed_then() {
    let plan = order().plan.phases[0].adjustment.clone();
    let needs = || NeedsAdjustment { assessment: assessment(Health::NeedsAdjustment) };
    let adjusted = |number: usize| {
        let mut effort = plan[0].clone();
        effort.id = format!("c{number}");
        vec![
            (needs(), ReviewPlanDeviations),
            (DeviationsListed { deviations: vec!["x".to_owned()] }, AdjustmentPlanning),
            (AdjustmentPlanned { efforts: vec![effort] }, ArchitectFeedback),
            (AdjustmentApproved { by: "rules".to_owned() }, PhaseInit),
            (PhaseStarted { at: 1 }, WaveInit),
        ]
    };
    let round = |number: usize| {
        let mut steps = adjusted(number);
        steps.extend(again_under_way());
        steps.extend(wave_done(&format!("c{number}")));
        steps.push((WaveApproved { assessment: assessment(Health::OnTrack) }, PhaseComplete));
        steps.push((PhaseMerged { commit: "p".to_owned(), reference: "r".to_owned() }, PhaseReview));
        steps
    };
    check(&[phase_done(), round(1), round(2), round(3), vec![(needs(), IntegrationReview)]]);
    let rejected = vec![
        (needs(), ReviewPlanDeviations),
        (DeviationsListed { deviations: Vec::new() }, AdjustmentPlanning),
        (AdjustmentPlanned { efforts: Vec::new() }, ArchitectFeedback),
        (AdjustmentRejected { why: "no".to_owned() }, IntegrationReview),
    ];
    check(&[phase_done(), rejected]);
}

#[test]
fn an_adjustment_may_be_made_as_it_stands_in_the_plan() {
    let efforts = order().plan.phases[0].adjustment.clone();
    let minor = MinorCorrection { assessment: assessment(Health::NeedsAdjustment) };
    check(&[
        phase_done(),
        vec![
            (minor, AdjustmentPlanning),
            (AdjustmentTaken { efforts }, PhaseInit),
            (PhaseStarted { at: 1 }, WaveInit),
        ],
    ]);
}

#[test]
fn off_its_track_it_is_recovered_and_the_phase_is_reviewed_again() {
    let off = vec![(OffTrack { assessment: assessment(Health::OffTrack) }, IntegrationReview)];
    let memory =
        check(&[phase_done(), off, reviewed(), recovered(), vec![(PhaseStarted { at: 1 }, PhaseComplete)]]);
    assert_eq!((memory.recoveries, memory.recovered, memory.line.as_str()), (1, 1, "v"));
}

#[test]
fn each_part_of_a_recovery_can_fail_and_three_recoveries_are_all() {
    let off = || vec![(OffTrack { assessment: assessment(Health::OffTrack) }, IntegrationReview)];
    let fails = |at: usize| {
        let mut steps = recovered();
        steps.truncate(at);
        steps.push((RecoveryFailed { why: "no".to_owned() }, IntegrationReview));
        steps
    };
    for at in 2..=5 {
        check(&[phase_done(), off(), reviewed(), fails(at)]);
    }
    let thrice = [fails(3), reviewed(), fails(4), reviewed(), fails(5), reviewed()].concat();
    let reset = vec![
        (approved(), ResetProject),
        (ProjectReset { refs: Vec::new() }, Planning),
        (PlanApproved { by: "me".to_owned() }, PhaseInit),
        (PhaseStarted { at: 1 }, WaveInit),
    ];
    let memory = check(&[phase_done(), off(), reviewed(), thrice, reset]);
    assert_eq!((memory.resets, memory.phase, memory.wave, memory.line == memory.order.base), (1, 0, 0, true));
    assert!(memory.efforts["a"].is_open());
}

#[test]
fn a_reset_is_made_once_and_then_the_project_is_abandoned() {
    let off = || vec![(OffTrack { assessment: assessment(Health::OffTrack) }, IntegrationReview)];
    let reset = vec![
        (ResetApproved { by: "me".to_owned() }, ResetProject),
        (ProjectReset { refs: Vec::new() }, Planning),
        (PlanApproved { by: "me".to_owned() }, PhaseInit),
        (PhaseStarted { at: 1 }, WaveInit),
    ];
    let again = phase_done()[4..].to_vec();
    let again = [vec![(WaveStarted { at: 1 }, SetupEffortInfrastructure)], again].concat();
    check(&[
        phase_done(),
        off(),
        reviewed(),
        reset,
        again,
        off(),
        reviewed(),
        vec![(ResetApproved { by: "me".to_owned() }, Abandoned)],
    ]);
}

#[test]
fn a_broken_phase_and_a_failed_last_check_are_reviewed() {
    let mut steps = phase_done();
    steps.pop();
    steps.push((PhaseBroken { why: "no".to_owned() }, IntegrationReview));
    check(&[steps]);
    check(&[
        phase_done(),
        vec![
            (OnTrack { assessment: assessment(Health::OnTrack) }, NextPhase),
            (VerificationFailed { why: "no".to_owned() }, IntegrationReview),
        ],
    ]);
}

#[test]
fn it_can_be_abandoned_from_everywhere() {
    let abandon = || vec![(Abandon { why: "enough".to_owned() }, Abandoned)];
    check(&[abandon()]);
    let all = [
        phase_done(),
        vec![(OffTrack { assessment: assessment(Health::OffTrack) }, IntegrationReview)],
        reviewed(),
        recovered(),
    ]
    .concat();
    for at in 0..all.len() {
        check(&[all[..at].to_vec(), abandon()]);
    }
}

#[test]
fn only_what_the_table_has_is_taken() {
    use baton_machine::{Position, Word, Workflow, advance};
    let mut refused = 0;
    let events = [AllComplete, WaveMerged, InfrastructureReady, RecoveryImplemented];
    for state in State::ALL {
        for event in &events {
            let mut position = Position::<Factory>::start();
            position.state = *state;
            let mut memory = Factory::begin(&order());
            refused += usize::from(advance(Factory::TABLE, &mut position, &mut memory, event).is_err());
        }
    }
    assert_eq!(refused, State::ALL.len() * events.len() - events.len());
}
