//! Research: a question in, a cited report out, nothing claimed that was not found.
//!
//! Read [`Research::TABLE`] first; everything else serves it.

mod brief;
mod changes;
mod dispute;
mod draft;
mod edits;
mod files;
mod memory;
mod nodes;
mod plan;
mod profile;
mod reflection;
mod rehearsal;
mod relevance;
pub(crate) mod skills;
mod wishes;

#[cfg(test)]
mod tests;

use baton_engine::record::Change;
use baton_engine::{Changeable, Fault, Node, RunFile, View, Work, node};
use baton_machine::{Kind, Outcome, Row, Verdict, Workflow, events, transitions, words};

pub use brief::{Brief, Carried, Depth, MAX_ITERATIONS, Roles};
pub use dispute::{Dispute, Resolution, Severity};
pub use draft::{AnswerBlock, Report, Section};
pub use files::{nearest_in, task_md, unanswered};
pub use memory::{Approval, Memory, RunError, RunErrorKind, TaskOutput};
pub use plan::{Dimension, Duty, Plan, TaskKind, covering, order};
pub use reflection::{Decision, Gap, Reflection, reflect};
pub use skills::plan::clauses as parts;

words! {
    /// Where research can stand: the seed's six, and the two ends it has no word for.
    pub enum State {
        Planning = "PLANNING",
        Researching = "RESEARCHING",
        Reflecting = "REFLECTING",
        Synthesizing = "SYNTHESIZING",
        Completed = "COMPLETED",
        Error = "ERROR",
        Aborted = "ABORTED",
        NoEvidence = "NO_EVIDENCE",
    }
}

events! {
    /// What can happen to it.
    pub enum Event as On {
        PlanDrafted { plan: Plan, why: String } = "PLAN_DRAFTED",
        Approved { approval: Approval } = "APPROVED",
        Refused { by: String } = "REFUSED",
        TaskDispatched { id: String, agent: String, query: String } = "TASK_DISPATCHED",
        TaskFinished { brought: Box<TaskOutput> } = "TASK_FINISHED",
        CheckedIn { by: String, iteration: u32, goes_on: bool } = "CHECKED_IN",
        TasksDone = "TASKS_DONE",
        LimitReached { what: String } = "LIMIT_REACHED",
        GapsFound { reflection: Box<Reflection>, add: Vec<Duty> } = "GAPS_FOUND",
        Complete { reflection: Box<Reflection> } = "COMPLETE",
        NothingFound {
            tried: Vec<String>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            nearest: Option<Box<Report>>,
        } = "NOTHING_FOUND",
        ReportWritten { report: Box<Report> } = "REPORT_WRITTEN",
        Failed { trouble: RunError } = "FAILED",
        ErrorTold = "ERROR_TOLD",
        Resumed = "RESUMED",
    }
}

/// The deep research of the seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Research;

impl Workflow for Research {
    const NAME: &'static str = "research";
    const START: State = State::Planning;
    const TABLE: &'static [Row<Self>] = transitions! {
        // in state     + on event        if guard      => go to
        Planning        + PlanDrafted                   => stay;
        Planning        + Approved                      => Researching;
        Planning        + Refused                       => Aborted;

        Researching     + TaskDispatched                => stay;
        Researching     + TaskFinished                  => stay;
        Researching     + CheckedIn                     => stay;
        Researching     + TasksDone                     => Reflecting;
        Researching     + LimitReached    if has_facts  => Synthesizing;
        Researching     + LimitReached                  => Error;
        Researching     + Refused         if has_facts  => Synthesizing;
        Researching     + Refused                       => Aborted;

        Reflecting      + GapsFound                     => Researching at most 12;
        Reflecting      + GapsFound       if has_facts  => Synthesizing;
        Reflecting      + GapsFound                     => NoEvidence;
        Reflecting      + Complete                      => Synthesizing;
        Reflecting      + NothingFound                  => NoEvidence;
        Reflecting      + LimitReached    if has_facts  => Synthesizing;
        Reflecting      + LimitReached                  => Error;

        Synthesizing    + ReportWritten                 => Completed;
        Synthesizing    + NothingFound                  => NoEvidence;

        Error           + ErrorTold                     => stay;
        Error           + Resumed                       => back at most 100;
        Error           + Resumed                       => Aborted;

        any             + Failed                        => Error;
    };

    type State = State;
    type On = On;
    type Event = Event;
    type Input = Brief;
    type Memory = Memory;

    fn begin(brief: &Brief) -> Memory {
        Memory::new(brief.clone())
    }

    fn learn(memory: &mut Memory, event: &Event) {
        memory.learn(event);
    }

    fn kind(state: State) -> Kind {
        match state {
            State::Planning | State::Researching | State::Reflecting | State::Synthesizing => Kind::Works,
            State::Error => Kind::Waits,
            State::Completed => Kind::Ends(Outcome::Completed),
            State::Aborted => Kind::Ends(Outcome::Aborted),
            State::NoEvidence => Kind::Ends(Outcome::NoEvidence),
        }
    }
}

fn has_facts(memory: &Memory) -> Verdict {
    let facts = memory.findings.len();
    Verdict::of(facts > 0).saw("verified facts", facts)
}

impl Work for Research {
    const CODE_VERSION: u32 = 2;

    fn node(state: State) -> Option<Node<Self>> {
        match state {
            State::Planning => Some(node(nodes::plan::run)),
            State::Researching => Some(node(nodes::research::run)),
            State::Reflecting => Some(node(nodes::reflect::run)),
            State::Synthesizing => Some(node(nodes::synthesize::run)),
            State::Error => Some(node(nodes::error::run)),
            State::Completed | State::Aborted | State::NoEvidence => None,
        }
    }

    /// At the budget what was found is written up; the share kept for the last answer pays for it.
    fn on_fault(state: State, fault: &Fault) -> Option<Event> {
        match (state, fault) {
            (State::Researching | State::Reflecting, Fault::Budget { .. }) => {
                Some(Event::LimitReached { what: fault.to_string() })
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

    fn title(brief: &Brief) -> String {
        brief.topic.chars().take(120).collect()
    }

    fn files(view: &View<'_, Self>) -> Vec<RunFile> {
        files::files(view)
    }
}
