//! Lists of events and the states they lead to, and what every workflow has to show.

use baton_engine::torture::{Rehearse, Rigour};
use baton_testkit::suite::leads_to;
use baton_testkit::workflow_suite;

use super::Event::*;
use super::State::{self, *};
use super::*;
use crate::coding::order::{Finding, Review, Severity, SplitPart};

mod coverage;
mod edges;
mod learning;
mod skills;
mod terms;

workflow_suite!(Factory, Rigour { seed: 1, chains: 20, pairs: false });

/// A plan with two phases of two waves of one effort each.
pub(super) fn order() -> Order {
    let mut order = Factory::rehearsal().input;
    let text = r#"
title = "Two phases"
[gates.test]
run = "true"
[[phase]]
name = "One"
[[phase.wave]]
[[phase.wave.effort]]
id = "a"
paths = ["a"]
work = [{ write = "a", content = "a" }]
[[phase.wave]]
[[phase.wave.effort]]
id = "b"
paths = ["b"]
work = [{ write = "b", content = "b" }]
[[phase.adjustment]]
id = "c"
paths = ["c"]
work = [{ write = "c", content = "c" }]
[[phase.recovery]]
id = "d"
paths = ["d"]
work = [{ write = "d", content = "d" }]
[[phase]]
name = "Two"
[[phase.effort]]
id = "e"
paths = ["e"]
work = [{ write = "e", content = "e" }]
"#;
    order.plan = plan::read(text, std::path::Path::new(""), &["recipe"]).unwrap();
    order
}

fn assessment(health: Health) -> Assessment {
    Assessment {
        phase: 1,
        wave: None,
        health,
        commit: "c".to_owned(),
        tree: "t".to_owned(),
        missing: vec!["x is not there".to_owned()],
        debt: 0,
        grounds: vec!["because".to_owned()],
        at: 1,
        second: None,
        overruled: None,
    }
}

fn report(state: &str) -> EffortReport {
    EffortReport {
        state: state.to_owned(),
        tip: "tip".to_owned(),
        why: "why".to_owned(),
        ..EffortReport::default()
    }
}

fn ended(effort: &str, state: &str) -> Event {
    EffortEnded { effort: effort.to_owned(), report: report(state) }
}

fn merged(effort: &str) -> Event {
    EffortMerged {
        merged: MergedEffort {
            effort: effort.to_owned(),
            commit: format!("m-{effort}"),
            tree: "t".to_owned(),
            reference: "refs/heads/wave-1-1-integration".to_owned(),
        },
    }
}

fn issues(effort: &str) -> Event {
    IssuesFound {
        issues: vec![Issue {
            effort: effort.to_owned(),
            kind: "failed".to_owned(),
            what: "broken".to_owned(),
        }],
    }
}

fn retry(effort: &str) -> Event {
    RetryReady { efforts: vec![effort.to_owned()] }
}

type Steps = Vec<(Event, State)>;

/// To the first wave under way.
fn under_way() -> Steps {
    vec![
        (EnvironmentReady { at: 1 }, Planning),
        (PlanApproved { by: "me".to_owned() }, PhaseInit),
        (PhaseStarted { at: 1 }, WaveInit),
        (WaveStarted { at: 1 }, SetupEffortInfrastructure),
        (InfrastructureReady, SpawnAgents),
        (AgentsAssigned { agents: vec![("a".to_owned(), "sw-engineer-1".to_owned())] }, Monitor),
    ]
}

/// From MONITOR of a wave with one effort to the review of the wave.
fn wave_done(effort: &str) -> Steps {
    vec![
        (EffortBegun { effort: effort.to_owned(), base: "base".to_owned(), granted: 0 }, Monitor),
        (ended(effort, "QUEUED"), Monitor),
        (AllComplete, WaveComplete),
        (merged(effort), WaveComplete),
        (WaveMerged, WaveReview),
    ]
}

/// To the review of the first phase.
fn phase_done() -> Steps {
    let mut steps = under_way();
    steps.extend(wave_done("a"));
    steps.push((WaveApproved { assessment: assessment(Health::OnTrack) }, WaveInit));
    steps.extend(again_under_way());
    steps.extend(wave_done("b"));
    steps.push((WaveApproved { assessment: assessment(Health::OnTrack) }, PhaseComplete));
    steps.push((
        PhaseMerged { commit: "p".to_owned(), reference: "refs/heads/phase-1-integration".to_owned() },
        PhaseReview,
    ));
    steps
}

fn again_under_way() -> Steps {
    vec![
        (WaveStarted { at: 1 }, SetupEffortInfrastructure),
        (InfrastructureReady, SpawnAgents),
        (AgentsAssigned { agents: Vec::new() }, Monitor),
    ]
}

/// From INTEGRATION_REVIEW to the choice of a way out.
fn reviewed() -> Steps {
    vec![
        (CheckpointCreated { refs: vec!["r".to_owned()], conflicts: Vec::new() }, AnalyzeProjectDeviations),
        (DeviationsAnalyzed { analysis: Analysis::default() }, CreateRecoveryStrategy),
        (StrategyCreated { strategy: Strategy::default() }, ArchitectIntegration),
    ]
}

fn approved() -> Event {
    RecoveryApproved { option: RecoveryOption::Standard, by: "me".to_owned() }
}

/// From the choice to the end of a recovery.
fn recovered() -> Steps {
    vec![
        (approved(), ExecuteRecovery),
        (CheckpointTaken { refs: Vec::new() }, RecoveryPlanning),
        (RecoveryPlanned { efforts: Vec::new(), again: Vec::new() }, RecoveryImplementation),
        (RecoveryImplemented, RecoveryValidation),
        (ValidationPassed { commit: "v".to_owned(), merged: Vec::new() }, RecoveryIntegration),
        (RecoveryIntegrated { commit: "v".to_owned(), reference: "r".to_owned() }, PhaseInit),
    ]
}

#[track_caller]
fn check(parts: &[Steps]) -> Memory {
    leads_to::<Factory>(&order(), &parts.concat())
}
