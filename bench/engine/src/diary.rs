//! The same ring, but every event teaches it 200 bytes that it never forgets.

use baton_engine::{Cx, Fault, Node, Work, node};
use baton_machine::{Kind, Row, Workflow, events, transitions};
use serde::{Deserialize, Serialize};

use crate::prose::sentence;
use crate::ring::{self, State};

/// How much each event teaches.
pub const LESSON: usize = 200;

events! {
    /// What can happen to it.
    pub enum Event as On {
        Learnt { text: String } = "LEARNT",
        Ended = "ENDED",
    }
}

/// What it is started with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// How many transitions.
    pub transitions: u64,
}

/// What it has learnt: everything.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// When to end.
    pub transitions: u64,
    /// Every lesson.
    pub lessons: Vec<String>,
}

/// Ten states in a circle, and a memory that grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diary;

impl Workflow for Diary {
    const NAME: &'static str = "diary";
    const START: State = State::Planning;
    const TABLE: &'static [Row<Self>] = transitions! {
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
        any         + Ended  => Done;
    };

    type State = State;
    type On = On;
    type Event = Event;
    type Input = Plan;
    type Memory = Memory;

    fn begin(plan: &Plan) -> Memory {
        Memory { transitions: plan.transitions, lessons: Vec::new() }
    }

    fn learn(memory: &mut Memory, event: &Event) {
        if let Event::Learnt { text } = event {
            memory.lessons.push(text.clone());
        }
    }

    fn kind(state: State) -> Kind {
        ring::kind(state)
    }
}

impl Work for Diary {
    const CODE_VERSION: u32 = 1;

    fn node(state: State) -> Option<Node<Self>> {
        (state != State::Done).then(|| node(write))
    }

    fn title(plan: &Plan) -> String {
        format!("a diary of {} lessons", plan.transitions)
    }
}

async fn write(cx: Cx<Diary>) -> Result<Event, Fault> {
    let (learnt, wanted) = cx.read(|memory| (memory.lessons.len() as u64, memory.transitions));
    Ok(if learnt >= wanted { Event::Ended } else { Event::Learnt { text: sentence(learnt, LESSON) } })
}
