//! An effort: one piece of a build, from a branch of its own to the queue of what is merged.
//!
//! Read [`Effort::TABLE`] first; everything else serves it. An agent changes files; commits, counting, gates and the
//! verdict are ours. What does not live here: merging, which belongs to the build the effort is a part of.

mod files;
mod memory;
mod nodes;
mod profile;
mod rehearsal;
pub mod review;
pub(crate) mod skills;
pub mod split;
mod task;

#[cfg(test)]
mod tests;

use baton_engine::record::Change;
use baton_engine::{Changeable, Fault, Node, RunFile, View, Work, node};
use baton_machine::{Kind, Outcome, Row, Verdict, Workflow, events, transitions, words};
use serde_json::Value;

use crate::changing;
use crate::coding::order::{EffortOrder, Review, SplitPart};
use crate::coding::{Role, Turned};
use crate::git::{Provisioned, Size, Snapped};
pub use memory::Memory;

words! {
    /// Where an effort can stand.
    pub enum State {
        Planned = "PLANNED",
        Provisioning = "PROVISIONING",
        Implementing = "IMPLEMENTING",
        NeedsInput = "NEEDS_INPUT",
        Measuring = "MEASURING",
        Splitting = "SPLITTING",
        Reviewing = "REVIEWING",
        Fixing = "FIXING",
        Parked = "PARKED",
        Queued = "QUEUED",
        Merged = "MERGED",
        Superseded = "SUPERSEDED",
        Failed = "FAILED",
    }
}

events! {
    /// What can happen to it.
    pub enum Event as On {
        Begun = "BEGUN",
        Provisioned { place: Provisioned } = "PROVISIONED",
        AlreadyContained { tip: String } = "ALREADY_CONTAINED",
        TurnEnded { role: Role, end: Turned } = "TURN_ENDED",
        Committed { snapped: Snapped } = "COMMITTED",
        WorkDone = "WORK_DONE",
        InputNeeded { question: String } = "INPUT_NEEDED",
        Answered { text: String, by: String } = "ANSWERED",
        Stuck { why: String, again: bool } = "STUCK",
        Measured { size: Size } = "MEASURED",
        SplitPlanned {
            parts: Vec<SplitPart>,
            #[serde(default, skip_serializing_if = "String::is_empty")]
            by: String,
            #[serde(default, skip_serializing_if = "String::is_empty")]
            note: String,
        } = "SPLIT_PLANNED",
        CannotSplit { why: String } = "CANNOT_SPLIT",
        Approved { review: Review } = "APPROVED",
        ChangesRequired { review: Review } = "CHANGES_REQUIRED",
        TryAgain { by: String } = "TRY_AGAIN",
        GaveUp { why: String } = "GAVE_UP",
    }
}

/// One piece of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort;

impl Workflow for Effort {
    const NAME: &'static str = "effort";
    const START: State = State::Planned;
    const TABLE: &'static [Row<Self>] = transitions! {
        // in state     + on event            if guard         => go to
        Planned         + Begun                                => Provisioning;
        Provisioning    + Provisioned                          => Implementing;
        Provisioning    + AlreadyContained                     => Merged;

        Implementing    + TurnEnded                            => stay;
        Implementing    + Committed                            => stay;
        Implementing    + WorkDone                             => Measuring;
        Implementing    + InputNeeded                          => NeedsInput;
        Implementing    + Stuck               if turns_left    => Implementing at most 8;
        Implementing    + Stuck               if is_recipe     => Failed;
        Implementing    + Stuck                                => Parked;
        NeedsInput      + Answered                             => back at most 100;
        NeedsInput      + Answered                             => Failed;

        Measuring       + Measured            if too_large     => Splitting;
        Measuring       + Measured                             => Reviewing;
        Splitting       + SplitPlanned                         => Superseded;
        Splitting       + CannotSplit                          => Parked;

        Reviewing       + Approved                             => Queued;
        Reviewing       + ChangesRequired     if fixes_left    => Fixing at most 9;
        Reviewing       + ChangesRequired     if is_recipe     => Failed;
        Reviewing       + ChangesRequired                      => Parked;
        Fixing          + TurnEnded                            => stay;
        Fixing          + Committed                            => stay;
        Fixing          + WorkDone                             => Measuring;
        Fixing          + InputNeeded                          => NeedsInput;
        Fixing          + Stuck               if is_recipe     => Failed;
        Fixing          + Stuck                                => Parked;

        Parked          + TryAgain                             => Implementing at most 20;
        Parked          + TryAgain                             => Failed;
        any             + GaveUp                               => Failed;
    };

    type State = State;
    type On = On;
    type Event = Event;
    type Input = EffortOrder;
    type Memory = Memory;

    fn begin(order: &EffortOrder) -> Memory {
        Memory::new(order.clone())
    }

    fn learn(memory: &mut Memory, event: &Event) {
        memory.learn(event);
    }

    fn kind(state: State) -> Kind {
        match state {
            State::NeedsInput | State::Parked => Kind::Waits,
            State::Queued | State::Merged => Kind::Ends(Outcome::Completed),
            State::Superseded => Kind::Ends(Outcome::Partial),
            State::Failed => Kind::Ends(Outcome::Failed),
            _ => Kind::Works,
        }
    }
}

/// How often an agent that got stuck is asked again.
pub const TURNS: u32 = 3;
/// How often a reviewed effort is sent back.
pub const FIXES: u32 = 3;

fn turns_left(memory: &Memory) -> Verdict {
    let again = memory.stuck_again;
    Verdict::of(again && memory.stuck < TURNS)
        .saw("may help", again)
        .saw("stuck", memory.stuck)
        .saw("at most", TURNS)
}

fn fixes_left(memory: &Memory) -> Verdict {
    let (has_way, is_stuck) = (memory.can_be_fixed(), memory.repeats > 0);
    Verdict::of(has_way && !is_stuck && memory.reviews <= FIXES)
        .saw("can be fixed", has_way)
        .saw("refused for the same as before", is_stuck)
        .saw("reviews", memory.reviews)
        .saw("at most", FIXES + 1)
}

/// Nobody has to look at a recipe that cannot be carried out before the build does.
fn is_recipe(memory: &Memory) -> Verdict {
    let kind = &memory.order.agent.kind;
    Verdict::of(kind == "recipe").saw("agent", kind)
}

fn too_large(memory: &Memory) -> Verdict {
    let (lines, hard) = (memory.size.lines, memory.order.size.hard);
    Verdict::of(lines > hard).saw("added lines", lines).saw("hard limit", hard)
}

impl Work for Effort {
    const CODE_VERSION: u32 = 1;

    fn node(state: State) -> Option<Node<Self>> {
        match state {
            State::Planned => Some(node(nodes::planned::run)),
            State::Provisioning => Some(node(nodes::provisioning::run)),
            State::Implementing => Some(node(nodes::implementing::run)),
            State::NeedsInput => Some(node(nodes::needs_input::run)),
            State::Measuring => Some(node(nodes::measuring::run)),
            State::Splitting => Some(node(nodes::splitting::run)),
            State::Reviewing => Some(node(nodes::reviewing::run)),
            State::Fixing => Some(node(nodes::fixing::run)),
            State::Parked => Some(node(nodes::parked::run)),
            State::Queued | State::Merged | State::Superseded | State::Failed => None,
        }
    }

    /// At the limit of its budget an effort waits for a person, whose money it is.
    fn on_fault(state: State, fault: &Fault) -> Option<Event> {
        match (state, fault) {
            (State::Implementing | State::Fixing, Fault::Budget { short, .. }) => {
                Some(Event::Stuck { why: format!("its budget does not allow it: {short}"), again: false })
            }
            _ => None,
        }
    }

    fn changeable() -> &'static [Changeable] {
        &[Changeable { key: "task", hint: "TEXT", says: "what is to be done, from the agent's next turn on" }]
    }

    fn change(memory: &mut Memory, change: &Change) -> Result<(), String> {
        match change.key.as_str() {
            "task" => memory.order.task = changing::words(change)?.to_owned(),
            other => return Err(format!("an effort has nothing called `{other}`; there is `task`")),
        }
        memory.task_changed = true;
        Ok(())
    }

    fn title(order: &EffortOrder) -> String {
        format!("{}: {}", order.branch, order.name)
    }

    fn brings(memory: &Memory) -> Value {
        serde_json::to_value(memory.report()).unwrap_or_default()
    }

    fn files(view: &View<'_, Self>) -> Vec<RunFile> {
        files::files(view)
    }
}
