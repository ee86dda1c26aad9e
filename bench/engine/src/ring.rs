//! A ring of ten states: the smallest workflow that goes on for as long as it is told to. Its events are empty, or
//! each teaches it something that it never forgets.

use std::path::PathBuf;

use baton_engine::{Cx, Fault, Node, Work, node};
use baton_machine::{Kind, Outcome, Row, Workflow, events, transitions, words};
use serde::{Deserialize, Serialize};

use crate::prose::sentence;
use crate::{Append, Hold, Nop};

/// How many bytes an event teaches, if it teaches any.
pub const LESSON: usize = 200;

words! {
    /// Where a ring can stand. The names are as long as those of real workflows: they are in every record.
    pub enum State {
        Planning = "PLANNING",
        Searching = "SEARCHING",
        Reading = "READING",
        Sorting = "SORTING",
        Drafting = "DRAFTING",
        Checking = "CHECKING",
        Reviewing = "REVIEWING",
        Revising = "REVISING",
        Rendering = "RENDERING",
        Delivering = "DELIVERING",
        Done = "DONE",
    }
}

events! {
    /// What can happen to it.
    pub enum Event as On {
        Moved = "MOVED",
        Learnt { text: String } = "LEARNT",
        Ended = "ENDED",
    }
}

/// What a ring does in each state before it moves on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Load {
    /// Nothing: a bare transition.
    Nothing,
    /// Nothing, but its event teaches it something.
    Learn,
    /// One ledgered step that does nothing.
    Step,
    /// Nothing, except in the last state: one step that stays open.
    HoldAtLast,
    /// One ledgered step that appends its key to this file.
    Mark(PathBuf),
}

/// What a ring is started with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// How many transitions.
    pub transitions: u64,
    /// What is done in each state.
    pub load: Load,
}

/// What it learns: how far it has come, and every lesson.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// What it was started with.
    pub plan: Plan,
    /// Transitions so far.
    pub moved: u64,
    /// What its events have taught.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lessons: Vec<String>,
}

/// Ten states in a circle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ring;

impl Workflow for Ring {
    const NAME: &'static str = "ring";
    const START: State = State::Planning;
    const TABLE: &'static [Row<Self>] = transitions! {
        Planning    + Moved => Searching;
        Searching   + Moved => Reading;
        Reading     + Moved => Sorting;
        Sorting     + Moved => Drafting;
        Drafting    + Moved => Checking;
        Checking    + Moved => Reviewing;
        Reviewing   + Moved => Revising;
        Revising    + Moved => Rendering;
        Rendering   + Moved => Delivering;
        Delivering  + Moved => Planning at most 1_000_000;
        Delivering  + Moved => Done;
        any         + Ended => Done;
        // Behind the empty ones, so that those are found as quickly as if these were not there.
        Planning    + Learnt => Searching;
        Searching   + Learnt => Reading;
        Reading     + Learnt => Sorting;
        Sorting     + Learnt => Drafting;
        Drafting    + Learnt => Checking;
        Checking    + Learnt => Reviewing;
        Reviewing   + Learnt => Revising;
        Revising    + Learnt => Rendering;
        Rendering   + Learnt => Delivering;
        Delivering  + Learnt => Planning at most 1_000_000;
        Delivering  + Learnt => Done;
    };

    type State = State;
    type On = On;
    type Event = Event;
    type Input = Plan;
    type Memory = Memory;

    fn begin(plan: &Plan) -> Memory {
        Memory { plan: plan.clone(), moved: 0, lessons: Vec::new() }
    }

    fn learn(memory: &mut Memory, event: &Event) {
        match event {
            Event::Moved => memory.moved += 1,
            Event::Learnt { text } => {
                memory.moved += 1;
                memory.lessons.push(text.clone());
            }
            Event::Ended => {}
        }
    }

    fn kind(state: State) -> Kind {
        match state {
            State::Done => Kind::Ends(Outcome::Completed),
            _ => Kind::Works,
        }
    }
}

impl Work for Ring {
    const CODE_VERSION: u32 = 1;

    fn node(state: State) -> Option<Node<Self>> {
        (state != State::Done).then(|| node(turn))
    }

    fn title(plan: &Plan) -> String {
        format!("a ring of {} transitions", plan.transitions)
    }
}

async fn turn(cx: Cx<Ring>) -> Result<Event, Fault> {
    let (moved, wanted, load) =
        cx.read(|memory| (memory.moved, memory.plan.transitions, memory.plan.load.clone()));
    let left = wanted.saturating_sub(moved);
    if left == 0 {
        return Ok(Event::Ended);
    }
    match load {
        Load::Nothing => {}
        Load::Learn => return Ok(Event::Learnt { text: sentence(moved, LESSON) }),
        Load::Step => cx.step("nop", &Nop {}).await?,
        Load::HoldAtLast if left == 1 => cx.step("hold", &Hold {}).await?,
        Load::HoldAtLast => {}
        Load::Mark(file) => cx.step("mark", &Append { file }).await?,
    }
    Ok(Event::Moved)
}
