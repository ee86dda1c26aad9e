//! The flows of the table, as lists of events.

use std::collections::BTreeMap;

use baton_testkit::suite::{leads_to, refuses};

use super::support::{question, setup, solution};
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

/// Nobody has voted in these flows, so nothing is decided.
fn over() -> (Event, State) {
    (Complete { solution: solution() }, Partial)
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
    let memory = leads_to::<Debate>(&rounds(2), &steps);
    assert_eq!(memory.round, 2);
    assert_eq!(memory.ending.unwrap().why, "all 2 rounds were held");
}

#[test]
fn convergence_ends_when_the_panel_agrees() {
    let agreed = ConsensusReached { why: "agreement 90 reached the threshold 80".to_owned() };
    leads_to::<Debate>(&rounds(3), &[opening(), round(), vec![(agreed, Synthesis), over()]].concat());
}

#[test]
fn below_the_threshold_the_round_manager_counts_the_rounds() {
    let end = vec![(Continue, RoundManager), (MaxRoundsReached, Synthesis), over()];
    leads_to::<Debate>(
        &rounds(2),
        &[opening(), round(), vec![(Continue, RoundManager)], round(), end].concat(),
    );
}

#[test]
fn a_round_too_many_is_not_begun() {
    let extra = vec![(Continue, RoundManager), (BeginRound, Synthesis)];
    leads_to::<Debate>(&rounds(1), &[opening(), round(), extra].concat());
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
    let memory = leads_to::<Debate>(&rounds(1), &steps);
    assert_eq!(memory.clarification_iterations, 3);
    assert_eq!(memory.clarifications.len(), 4);
    assert_eq!(memory.unanswered().count(), 0, "NA is an answer");
}

#[test]
fn what_decided_something_is_complete() {
    let said = super::support::takes(1, Type::Proposal, "ann", "sqlite");
    let mut steps = [opening(), round()].concat();
    steps.insert(4, (Contributed { contribution: said }, Proposal));
    let end = [(MaxRoundsReached, Synthesis), (Complete { solution: solution() }, Completed)];
    leads_to::<Debate>(&rounds(1), &[steps, end.to_vec()].concat());
}

#[test]
fn whoever_is_benched_may_come_back() {
    let benched = |who: &str| Benched { who: who.to_owned(), why: "garbage".to_owned() };
    let mut memory = Memory::new(rounds(30));
    memory.round = 2;
    memory.learn(&benched("ann"));
    let mut probed = Vec::new();
    for round in 2..=12 {
        memory.round = round;
        assert_eq!(memory.sits_out("ann"), !memory.is_probed("ann"));
        probed.extend(memory.is_probed("ann").then_some(round));
    }
    assert_eq!(probed, [5, 8, 11]);
    memory.learn(&Returned { who: "ann".to_owned() });
    assert!(memory.on_bench("ann").is_none() && memory.benched.contains_key("ann"), "it is not forgotten");
}

#[test]
fn an_impasse_and_a_budget_lead_to_the_synthesis() {
    let why = || "nobody moves".to_owned();
    leads_to::<Debate>(
        &rounds(3),
        &[opening(), round(), vec![(ImpasseReached { why: why() }, Synthesis), over()]].concat(),
    );
    let cut = vec![(BudgetReached { why: why() }, Synthesis), (Complete { solution: solution() }, Partial)];
    leads_to::<Debate>(&rounds(3), &[opening(), cut.clone()].concat());
    leads_to::<Debate>(&rounds(3), &[opening(), round(), cut].concat());
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
    let memory = leads_to::<Debate>(
        &rounds(1),
        &[begun.clone(), twice.clone(), vec![(fallback(Proposal), Proposal)]].concat(),
    );
    assert!(memory.falls_back(Proposal));
    assert_eq!(memory.attempt(Proposal, "proposal of ann"), 2);
    assert_eq!(memory.gave_up(Proposal, "proposal of ann").unwrap(), "garbage");
    let failed = leads_to::<Debate>(
        &rounds(1),
        &[begun.clone(), twice, vec![(retry(Proposal), State::Failed)]].concat(),
    );
    assert_eq!(failed.ending.unwrap().why, "Proposal could not go on: garbage");
    let both = vec![(fallback(Proposal), Proposal), (fallback(Proposal), State::Failed)];
    leads_to::<Debate>(&rounds(1), &[begun, both].concat());
}

#[test]
fn retries_of_one_node_do_not_count_for_another() {
    let begun = [opening(), round()[..2].to_vec()].concat();
    let spent = vec![(retry(Proposal), Proposal), (retry(Proposal), Proposal), (ProposalsComplete, Critique)];
    leads_to::<Debate>(
        &rounds(1),
        &[begun, spent, vec![(retry(Critique), Critique), (retry(Critique), Critique)]].concat(),
    );
}

#[test]
fn a_failure_ends_it_anywhere_and_keeps_its_reason() {
    let failed = || Event::Failed { why: "not one agent brought a proposal".to_owned() };
    let memory = leads_to::<Debate>(&rounds(1), &[opening(), vec![(failed(), State::Failed)]].concat());
    assert_eq!(memory.ending.unwrap().why, "not one agent brought a proposal");
    leads_to::<Debate>(&rounds(1), &[(failed(), State::Failed)]);
}

#[test]
fn what_no_row_takes_is_refused() {
    let early = [AllClear, Continue, Complete { solution: solution() }, MaxRoundsReached, answered(&[])];
    refuses::<Debate>(&setup(), &early);
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
