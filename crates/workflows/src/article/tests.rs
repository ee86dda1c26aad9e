//! The table pair by pair, lists of events and where they lead, and what every workflow has to show.

mod briefs;
mod driving;
mod earnest;
mod examples;
mod looping;
mod support;
mod working;

use std::collections::BTreeSet;

use baton_engine::torture::Rigour;
use baton_machine::Word;
use baton_testkit::suite::{leads_to, refuses};
use baton_testkit::workflow_suite;

use super::Event::{self, *};
use super::State::{self, *};
use super::transition::pairs;
use super::{
    Article, Demand, ErrorType, FailureReport, MAX_ITERATIONS, allowed, analyse, optimise, plan, reason,
};
use support::{assignment, evaluation, output};

workflow_suite!(Article, Rigour { seed: 3, chains: 8, pairs: false });

/// The nine pairs the seed names.
const NAMED: [(State, State); 9] = [
    (Initialized, Planning),
    (Planning, Strategy),
    (Strategy, Executing),
    (Executing, Evaluating),
    (Evaluating, RePlanning),
    (Evaluating, Merging),
    (Evaluating, Completed),
    (RePlanning, Planning),
    (Merging, Completed),
];

#[test]
fn sixteen_pairs_are_allowed_and_sixty_five_refused_with_a_reason() {
    let mut expected: BTreeSet<(State, State)> = NAMED.into_iter().collect();
    let open = State::ALL.iter().copied().filter(|state| !matches!(state, Completed | Failed));
    expected.extend(open.map(|state| (state, Failed)));
    assert_eq!(expected.len(), 16);
    assert_eq!(pairs(), expected);
    let mut refused = 0;
    for from in State::ALL {
        for to in State::ALL {
            match allowed(*from, *to) {
                Ok(()) => assert!(expected.contains(&(*from, *to)), "{from:?} {to:?}"),
                Err(why) => {
                    refused += 1;
                    assert!(why.reason.len() > 12 && why.reason != "The table has no such row", "{why}");
                    let words = format!("Cannot transition from {} to {}", from.name(), to.name());
                    assert!(why.to_string().starts_with(&words), "{why}");
                }
            }
        }
    }
    assert_eq!(refused, 65);
}

#[test]
fn the_reasons_of_the_seed_are_word_for_word() {
    assert_eq!(reason(Initialized, Executing), "Must go through PLANNING and STRATEGY");
    assert_eq!(reason(Executing, Planning), "Can only go back via EVALUATING → RE_PLANNING");
    assert_eq!(reason(Executing, Completed), "Must evaluate quality first");
}

fn begin() -> Event {
    Began { execution_id: "exec_20241125_143022".to_owned() }
}

/// The events of one iteration up to the evaluation.
fn iteration(number: u32) -> Vec<(Event, State)> {
    let assignment = assignment();
    let analysis = analyse(&assignment);
    let first = plan(&assignment, &analysis, None, number);
    let (second, savings) = optimise(first.clone(), &assignment, None, 1.0);
    vec![
        (PlanCreated { plan: Box::new(first), analysis }, Strategy),
        (PlanOptimized { plan: Box::new(second), savings }, Executing),
        (WorkersDone, Evaluating),
    ]
}

fn met(quality: f64) -> Event {
    QualityMet { evaluation: Box::new(evaluation(quality)) }
}

fn low(quality: f64) -> Event {
    QualityLow { evaluation: Box::new(evaluation(quality)), demand: Demand::default() }
}

fn again() -> Event {
    RePlanned { demand: Demand::default() }
}

fn created(quality: f64) -> Event {
    OutputCreated { output: Box::new(output(quality)) }
}

#[test]
fn the_four_patterns_of_the_seed() {
    // Simple linear.
    let mut steps = vec![(begin(), Planning)];
    steps.extend(iteration(1));
    steps.extend([(met(0.91), Merging), (created(0.91), Completed)]);
    let memory = leads_to::<Article>(&assignment(), &steps);
    assert_eq!((memory.iteration_count, memory.quality()), (1, Some(0.91)));
    let agents: Vec<(&str, &str)> =
        memory.agent_actions.iter().map(|it| (it.agent.as_str(), it.action.as_str())).collect();
    for own in [
        ("Controller", "initialize"),
        ("Planner", "create_plan"),
        ("Strategy", "optimize_plan"),
        ("Supervisor", "evaluate"),
        ("Merger", "create_output"),
    ] {
        assert!(agents.contains(&own), "{own:?}: {agents:?}");
    }
    assert_eq!(agents.iter().filter(|it| **it == ("StateManager", "transition_phase")).count(), 6);
    assert_eq!(memory.phase_history.len(), 6);

    // Single iteration.
    let mut steps = vec![(begin(), Planning)];
    steps.extend(iteration(1));
    steps.extend([(low(0.65), RePlanning), (again(), Planning)]);
    steps.extend(iteration(2));
    steps.extend([(met(0.88), Merging), (created(0.88), Completed)]);
    let memory = leads_to::<Article>(&assignment(), &steps);
    assert_eq!((memory.iteration_count, memory.plan_history.len()), (2, 1));
    assert_eq!(memory.plan_history[0].quality, 0.65);
    assert_eq!(memory.plan_history[0].plan.plan_id, "plan_001");

    // Max iterations: forced completion goes through MERGING.
    let mut steps = vec![(begin(), Planning)];
    for (number, quality) in [(1, 0.65), (2, 0.72)] {
        steps.extend(iteration(number));
        steps.extend([(low(quality), RePlanning), (again(), Planning)]);
    }
    steps.extend(iteration(3));
    steps.extend([(low(0.78), Merging), (created(0.78), Completed)]);
    let memory = leads_to::<Article>(&assignment(), &steps);
    assert_eq!(memory.iteration_count, MAX_ITERATIONS);
    assert_eq!(memory.feedback.as_deref(), Some("Max iterations reached"));
    assert!(!memory.should_continue);

    // Critical failure.
    let mut steps = vec![(begin(), Planning)];
    steps.extend(iteration(1).into_iter().take(2));
    let error = FailureReport::new(ErrorType::WorkerExecutionError, "article_writer failed after 3 retries");
    steps.push((CriticalError { error }, Failed));
    let memory = leads_to::<Article>(&assignment(), &steps);
    assert_eq!(memory.failure.and_then(|it| it.phase).as_deref(), Some("EXECUTING"));
}

#[test]
fn nothing_else_begins_a_run() {
    refuses::<Article>(&assignment(), &[WorkersDone, met(0.9), again(), created(0.9)]);
}
