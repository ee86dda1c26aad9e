//! An approval chain: stages of commands, and a person's yes between them.
//!
//! Read [`Approval::TABLE`] first; everything else serves it.

mod files;
mod memory;
mod nodes;
mod profile;
mod rehearsal;

#[cfg(test)]
mod tests;

use baton_engine::{Fault, Node, RunFile, View, Work, node};
use baton_machine::{Kind, Outcome, Row, Verdict, Workflow, events, transitions, words};

pub use memory::{Command, Finished, Memory, Plan, Stage};

words! {
    /// Where an approval chain can stand.
    pub enum State {
        Working = "WORKING",
        AwaitingApproval = "AWAITING_APPROVAL",
        AwaitingRepair = "AWAITING_REPAIR",
        Completed = "COMPLETED",
        Rejected = "REJECTED",
        Failed = "FAILED",
    }
}

events! {
    /// What can happen to it.
    pub enum Event as On {
        CommandFinished { result: Finished } = "COMMAND_FINISHED",
        StageDone = "STAGE_DONE",
        StageFailed = "STAGE_FAILED",
        Approved { by: String } = "APPROVED",
        Rejected { why: String } = "REJECTED",
        RepairedTryAgain = "REPAIRED_TRY_AGAIN",
        SkipStage = "SKIP_STAGE",
        GaveUp { why: String } = "GAVE_UP",
    }
}

/// Stages of commands with approvals between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Approval;

impl Workflow for Approval {
    const NAME: &'static str = "approval";
    const START: State = State::Working;
    const TABLE: &'static [Row<Self>] = transitions! {
        // in state         + on event          if guard        => go to
        Working             + CommandFinished                   => stay;
        Working             + StageDone         if stages_left  => AwaitingApproval;
        Working             + StageDone                         => Completed;
        Working             + StageFailed                       => AwaitingRepair;

        AwaitingApproval    + Approved                          => Working;
        AwaitingApproval    + Rejected                          => Rejected;

        AwaitingRepair      + RepairedTryAgain                  => back at most 20;
        AwaitingRepair      + RepairedTryAgain                  => Failed;
        AwaitingRepair      + SkipStage         if stages_left  => AwaitingApproval;
        AwaitingRepair      + SkipStage                         => Completed;
        AwaitingRepair      + Rejected                          => Rejected;

        any                 + GaveUp                            => Failed;
    };

    type State = State;
    type On = On;
    type Event = Event;
    type Input = Plan;
    type Memory = Memory;

    fn begin(plan: &Plan) -> Memory {
        Memory::new(plan.clone())
    }

    fn learn(memory: &mut Memory, event: &Event) {
        memory.learn(event);
    }

    fn kind(state: State) -> Kind {
        match state {
            State::Working => Kind::Works,
            State::AwaitingApproval | State::AwaitingRepair => Kind::Waits,
            State::Completed => Kind::Ends(Outcome::Completed),
            State::Rejected => Kind::Ends(Outcome::Aborted),
            State::Failed => Kind::Ends(Outcome::Failed),
        }
    }
}

fn stages_left(memory: &Memory) -> Verdict {
    let (done, all) = (memory.stage, memory.plan.stages.len());
    Verdict::of(done < all).saw("stages done", done).saw("stages", all)
}

impl Work for Approval {
    const CODE_VERSION: u32 = 1;

    fn node(state: State) -> Option<Node<Self>> {
        match state {
            State::Working => Some(node(nodes::work::run)),
            State::AwaitingApproval => Some(node(nodes::approve::run)),
            State::AwaitingRepair => Some(node(nodes::repair::run)),
            State::Completed | State::Rejected | State::Failed => None,
        }
    }

    fn on_fault(_state: State, fault: &Fault) -> Option<Event> {
        match fault {
            Fault::Expired { .. } => Some(Event::GaveUp { why: fault.to_string() }),
            _ => None,
        }
    }

    fn title(plan: &Plan) -> String {
        plan.title.clone()
    }

    fn files(view: &View<'_, Self>) -> Vec<RunFile> {
        files::files(view)
    }
}
