//! A debate: several minds on one problem, and a decision with its dissent.
//!
//! Read [`Debate::TABLE`] first; everything else serves it. [`spec`] makes a setup of a debate file, [`panel`] has
//! the five kinds of agents, [`ledger`] computes agreement from positions, [`objections`] what became of each
//! objection, [`winning`] what was decided and whether it meets the requirements, [`assess`] what a round was worth. What does not live here: how a model is called, and how a run is driven.

pub mod assess;
mod changes;
pub mod contribution;
pub mod files;
pub mod frame;
pub mod ledger;
mod memory;
mod nodes;
pub mod objections;
pub mod panel;
mod passages;
pub mod plan;
pub mod positions;
mod profile;
pub mod quotes;
pub mod record;
mod rehearsal;
pub mod setup;
pub mod skills;
pub mod spec;
pub mod tools;
pub mod vote;
pub mod winning;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use baton_engine::record::Change;
use baton_engine::{Changeable, Fault, Node, RunFile, View, Work, node};
use baton_machine::{Group, Kind, Outcome, Row, Verdict, Workflow, events, transitions, words};

use assess::Assessment;
use contribution::Contribution;
pub use frame::{Frame, Slot};
pub use memory::{Bench, Clarification, Conclusion, LeftOut, Memory, Solution};
pub use setup::Setup;

words! {
    /// Where a debate can stand.
    pub enum State {
        Initialization = "Initialization",
        Clarification = "Clarification",
        ClarificationInput = "ClarificationInput",
        RoundManager = "RoundManager",
        Summarization = "Summarization",
        Proposal = "Proposal",
        Critique = "Critique",
        Refinement = "Refinement",
        Evaluation = "Evaluation",
        Synthesis = "Synthesis",
        Completed = "Completed",
        Partial = "Partial",
        Failed = "Failed",
    }
}

events! {
    /// What can happen to it.
    pub enum Event as On {
        Start = "START",
        QuestionsPending { questions: Vec<Clarification>, iteration: u32 } = "QUESTIONS_PENDING",
        WaitingForInput { open: Vec<String> } = "WAITING_FOR_INPUT",
        AnswersSubmitted { answers: BTreeMap<String, String> } = "ANSWERS_SUBMITTED",
        AllClear = "ALL_CLEAR",
        FrameSet { frame: Frame, by: String } = "FRAME_SET",
        BeginRound = "BEGIN_ROUND",
        Summarized { agent: String, summary: String } = "SUMMARIZED",
        ContextsReady = "CONTEXTS_READY",
        Contributed { contribution: Contribution } = "CONTRIBUTED",
        LeftOut { what: LeftOut } = "LEFT_OUT",
        ProposalsComplete = "PROPOSALS_COMPLETE",
        CritiquesComplete = "CRITIQUES_COMPLETE",
        RefinementsComplete = "REFINEMENTS_COMPLETE",
        Benched { who: String, why: String } = "BENCHED",
        Returned { who: String } = "RETURNED",
        Evaluated { assessment: Assessment } = "EVALUATED",
        Continue = "CONTINUE",
        ConsensusReached { why: String } = "CONSENSUS_REACHED",
        ImpasseReached { why: String } = "IMPASSE_REACHED",
        MaxRoundsReached = "MAX_ROUNDS_REACHED",
        BudgetReached { why: String } = "BUDGET_REACHED",
        Complete { solution: Solution } = "COMPLETE",
        Failed { why: String } = "FAILED",
        Retry { node: State, pieces: Vec<String>, why: String } = "RETRY",
        Fallback { node: State, pieces: Vec<String>, why: String } = "FALLBACK",
    }
}

/// A debate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Debate;

/// The nodes that work before the decision is written: the ones a budget can cut short.
static DEBATING: Group<Debate> = Group {
    name: "debating",
    states: &[
        State::Initialization,
        State::Clarification,
        State::RoundManager,
        State::Summarization,
        State::Proposal,
        State::Critique,
        State::Refinement,
        State::Evaluation,
    ],
};

impl Workflow for Debate {
    const NAME: &'static str = "debate";
    const START: State = State::Initialization;
    const TABLE: &'static [Row<Self>] = transitions! {
        // in state         + on event             if guard         => go to
        Initialization      + Start                                 => Clarification;

        Clarification       + QuestionsPending                      => ClarificationInput;
        Clarification       + LeftOut                               => stay;
        Clarification       + AllClear                              => RoundManager;
        ClarificationInput  + WaitingForInput                       => stay;
        ClarificationInput  + AnswersSubmitted                      => Clarification;

        RoundManager        + FrameSet                              => stay;
        RoundManager        + BeginRound           if rounds_left   => Summarization at most 100;
        RoundManager        + BeginRound                            => Synthesis;
        RoundManager        + MaxRoundsReached                      => Synthesis;

        Summarization       + Summarized                            => stay;
        Summarization       + LeftOut                               => stay;
        Summarization       + ContextsReady                         => Proposal;
        Proposal            + Contributed                           => stay;
        Proposal            + LeftOut                               => stay;
        Proposal            + ProposalsComplete                     => Critique;
        Critique            + Contributed                           => stay;
        Critique            + LeftOut                               => stay;
        Critique            + CritiquesComplete                     => Refinement;
        Refinement          + Contributed                           => stay;
        Refinement          + LeftOut                               => stay;
        Refinement          + RefinementsComplete                   => Evaluation;

        Evaluation          + Evaluated                             => stay;
        Evaluation          + Continue                              => RoundManager;
        Evaluation          + ConsensusReached                      => Synthesis;
        Evaluation          + ImpasseReached                        => Synthesis;
        Evaluation          + MaxRoundsReached                      => Synthesis;

        Synthesis           + Complete             if cut_short     => Partial;
        Synthesis           + Complete                              => Completed;

        in DEBATING         + BudgetReached                         => Synthesis;
        any                 + Retry                if tries_left    => same at most 60;
        any                 + Retry                                 => Failed;
        any                 + Fallback             if way_left      => same at most 60;
        any                 + Fallback                              => Failed;
        any                 + Failed                                => Failed;

        // Journals name rows by their number: new ones stand at the end.
        any                 + LeftOut                               => stay;
        any                 + Benched                               => stay;
        any                 + Returned                              => stay;
    };

    type State = State;
    type On = On;
    type Event = Event;
    type Input = Setup;
    type Memory = Memory;

    fn begin(setup: &Setup) -> Memory {
        Memory::new(setup.clone())
    }

    fn learn(memory: &mut Memory, event: &Event) {
        memory.learn(event);
    }

    fn kind(state: State) -> Kind {
        match state {
            State::ClarificationInput => Kind::Waits,
            State::Completed => Kind::Ends(Outcome::Completed),
            State::Partial => Kind::Ends(Outcome::Partial),
            State::Failed => Kind::Ends(Outcome::Failed),
            _ => Kind::Works,
        }
    }
}

fn rounds_left(memory: &Memory) -> Verdict {
    let (round, rounds) = (memory.round, memory.setup.terms.rounds);
    Verdict::of(round <= rounds).saw("round", round).saw("rounds", rounds)
}

/// Whether the budget ended it, or nothing was decided: what there is is a part of a result.
fn cut_short(memory: &Memory) -> Verdict {
    let decided = winning::decided(memory).len();
    Verdict::of(memory.over_budget() || decided == 0)
        .saw("stopped by", memory.ending.as_ref().map_or("", |e| e.by.as_str()))
        .saw("slots decided", decided)
}

fn tries_left(memory: &Memory) -> Verdict {
    let (retries, most) = (memory.retries_here, nodes::RETRIES);
    Verdict::of(retries <= most).saw("retries of this node", retries).saw("at most", most)
}

fn way_left(memory: &Memory) -> Verdict {
    let fallbacks = memory.fallbacks_here;
    Verdict::of(fallbacks <= 1).saw("fallbacks of this node", fallbacks).saw("at most", 1)
}

impl Work for Debate {
    const CODE_VERSION: u32 = 2;

    fn node(state: State) -> Option<Node<Self>> {
        match state {
            State::Initialization => Some(node(nodes::initialization::run)),
            State::Clarification => Some(node(nodes::clarification::run)),
            State::ClarificationInput => Some(node(nodes::clarification_input::run)),
            State::RoundManager => Some(node(nodes::round_manager::run)),
            State::Summarization => Some(node(nodes::summarization::run)),
            State::Proposal => Some(node(nodes::proposal::run)),
            State::Critique => Some(node(nodes::critique::run)),
            State::Refinement => Some(node(nodes::refinement::run)),
            State::Evaluation => Some(node(nodes::evaluation::run)),
            State::Synthesis => Some(node(nodes::synthesis::run)),
            State::Completed | State::Partial | State::Failed => None,
        }
    }

    fn on_fault(state: State, fault: &Fault) -> Option<Event> {
        match fault {
            Fault::Budget { .. } if DEBATING.states.contains(&state) => {
                Some(Event::BudgetReached { why: fault.to_string() })
            }
            _ => None,
        }
    }

    fn changeable() -> &'static [Changeable] {
        &changes::CHANGEABLE
    }

    fn change(memory: &mut Memory, change: &Change) -> Result<(), String> {
        changes::apply(memory, change)
    }

    fn title(setup: &Setup) -> String {
        let line = setup.problem.lines().find(|line| !line.trim().is_empty()).unwrap_or("a debate");
        line.trim_start_matches(['#', ' ']).chars().take(80).collect()
    }

    fn files(view: &View<'_, Self>) -> Vec<RunFile> {
        files::files(view)
    }
}
