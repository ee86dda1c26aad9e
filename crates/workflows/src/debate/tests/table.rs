//! The flows of the table, as lists of events.

use std::collections::BTreeMap;

use baton_machine::{Position, Refused, Workflow, advance, defects, describe, mermaid};

use super::support::{check, question, setup, solution};
use crate::debate::Event::{self, *};
use crate::debate::State::{self, *};
use crate::debate::contribution::Type;
use crate::debate::setup::Setup;
use crate::debate::{Debate, Memory};

fn pending(ids: &[&str], iteration: u32) -> Event {
    QuestionsPending { questions: ids.iter().map(|id| question(id)).collect(), iteration }
}

fn answered(ids: &[&str]) -> Event {
    let answer = |id: &&str| ((*id).to_owned(), "NA".to_owned());
    AnswersSubmitted { answers: ids.iter().map(answer).collect::<BTreeMap<_, _>>() }
}

fn opening() -> Vec<(Event, State)> {
    vec![(Start, Clarification), (AllClear, RoundManager)]
}

fn round() -> Vec<(Event, State)> {
    vec![
        (BeginRound, Summarization),
        (ContextsReady, Proposal),
        (ProposalsComplete, Critique),
        (CritiquesComplete, Refinement),
        (RefinementsComplete, Evaluation),
    ]
}

fn over() -> (Event, State) {
    (Complete { solution: solution() }, Completed)
}

fn rounds(number: u32) -> Setup {
    let mut setup = setup();
    setup.terms.rounds = number;
    setup
}

#[test]
fn fixed_rounds_end_at_the_evaluation_of_the_last() {
    let last = [(MaxRoundsReached, Synthesis), over()];
    let steps = [opening(), round(), vec![(Continue, RoundManager)], round(), last.to_vec()].concat();
    let memory = check(&rounds(2), &steps);
    assert_eq!(memory.round, 2);
    assert_eq!(memory.ending.unwrap().why, "all 2 rounds were held");
}

#[test]
fn convergence_ends_when_the_panel_agrees() {
    let agreed = ConsensusReached { why: "agreement 90 reached the threshold 80".to_owned() };
    check(&rounds(3), &[opening(), round(), vec![(agreed, Synthesis), over()]].concat());
}

#[test]
fn below_the_threshold_the_round_manager_counts_the_rounds() {
    let end = vec![(Continue, RoundManager), (MaxRoundsReached, Synthesis), over()];
    check(&rounds(2), &[opening(), round(), vec![(Continue, RoundManager)], round(), end].concat());
}

#[test]
fn a_round_too_many_is_not_begun() {
    let extra = vec![(Continue, RoundManager), (BeginRound, Synthesis)];
    check(&rounds(1), &[opening(), round(), extra].concat());
}

#[test]
fn clarification_with_two_follow_ups() {
    let waiting = WaitingForInput { open: vec!["ann-1".to_owned()] };
    let steps = [
        (Start, Clarification),
        (pending(&["ann-1", "ann-2"], 1), ClarificationInput),
        (waiting, ClarificationInput),
        (answered(&["ann-1", "ann-2"]), Clarification),
        (pending(&["f2-ann-1"], 2), ClarificationInput),
        (answered(&["f2-ann-1"]), Clarification),
        (pending(&["f3-ann-1"], 3), ClarificationInput),
        (answered(&["f3-ann-1"]), Clarification),
        (AllClear, RoundManager),
    ];
    let memory = check(&rounds(1), &steps);
    assert_eq!(memory.clarification_iterations, 3);
    assert_eq!(memory.clarifications.len(), 4);
    assert_eq!(memory.unanswered().count(), 0, "NA is an answer");
}

#[test]
fn an_impasse_and_a_budget_lead_to_the_synthesis() {
    let why = || "nobody moves".to_owned();
    check(
        &rounds(3),
        &[opening(), round(), vec![(ImpasseReached { why: why() }, Synthesis), over()]].concat(),
    );
    let cut = vec![(BudgetReached { why: why() }, Synthesis), (Complete { solution: solution() }, Partial)];
    check(&rounds(3), &[opening(), cut.clone()].concat());
    check(&rounds(3), &[opening(), round(), cut].concat());
}

fn retry(node: State) -> Event {
    Retry { node, pieces: vec!["proposal of ann".to_owned()], why: "garbage".to_owned() }
}

fn fallback(node: State) -> Event {
    Fallback { node, pieces: vec!["proposal of ann".to_owned()], why: "garbage".to_owned() }
}

#[test]
fn a_node_is_retried_twice_then_takes_its_second_way_then_fails() {
    let begun = [opening(), round()[..2].to_vec()].concat();
    let twice = vec![(retry(Proposal), Proposal), (retry(Proposal), Proposal)];
    let memory =
        check(&rounds(1), &[begun.clone(), twice.clone(), vec![(fallback(Proposal), Proposal)]].concat());
    assert!(memory.falls_back(Proposal));
    assert_eq!(memory.attempt(Proposal, "proposal of ann"), 2);
    assert_eq!(memory.gave_up(Proposal, "proposal of ann").unwrap(), "garbage");
    let failed = check(&rounds(1), &[begun.clone(), twice, vec![(retry(Proposal), State::Failed)]].concat());
    assert_eq!(failed.ending.unwrap().why, "Proposal could not go on: garbage");
    let both = vec![(fallback(Proposal), Proposal), (fallback(Proposal), State::Failed)];
    check(&rounds(1), &[begun, both].concat());
}

#[test]
fn retries_of_one_node_do_not_count_for_another() {
    let begun = [opening(), round()[..2].to_vec()].concat();
    let spent = vec![(retry(Proposal), Proposal), (retry(Proposal), Proposal), (ProposalsComplete, Critique)];
    check(
        &rounds(1),
        &[begun, spent, vec![(retry(Critique), Critique), (retry(Critique), Critique)]].concat(),
    );
}

#[test]
fn a_failure_ends_it_anywhere_and_keeps_its_reason() {
    let failed = || Event::Failed { why: "not one agent brought a proposal".to_owned() };
    let memory = check(&rounds(1), &[opening(), vec![(failed(), State::Failed)]].concat());
    assert_eq!(memory.ending.unwrap().why, "not one agent brought a proposal");
    check(&rounds(1), &[(failed(), State::Failed)]);
}

#[test]
fn what_no_row_takes_is_refused() {
    let mut position = Position::<Debate>::start();
    let mut memory = Debate::begin(&setup());
    for event in [AllClear, Continue, Complete { solution: solution() }, MaxRoundsReached, answered(&[])] {
        let refused: Refused = advance(Debate::TABLE, &mut position, &mut memory, &event).unwrap_err();
        assert_eq!(refused.state, "Initialization");
        assert_eq!(memory, Debate::begin(&setup()), "a refused event teaches nothing");
    }
}

#[test]
fn the_same_contribution_twice_counts_once() {
    let mut memory = Memory::new(setup());
    let first = super::support::takes(1, Type::Proposal, "ann", "sqlite");
    let second = super::support::takes(1, Type::Proposal, "ann", "postgres");
    for contribution in [first.clone(), second] {
        memory.learn(&Contributed { contribution });
    }
    assert_eq!(memory.contributions.len(), 1);
    assert_eq!(memory.contribution(1, Type::Proposal, "ann", None), Some(&first));
}

#[test]
fn the_table_is_sound() {
    assert_eq!(defects(&describe(Debate::TABLE)), []);
}

#[test]
fn the_diagram_is_current() {
    let drawn = format!("# debate\n\n```mermaid\n{}```\n", mermaid(&describe(Debate::TABLE), None));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/debate/diagram.md");
    if std::env::var_os("UPDATE_DIAGRAMS").is_some() {
        std::fs::write(path, &drawn).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(kept, drawn, "run the tests with UPDATE_DIAGRAMS=1 to draw it again");
}
