//! Random tables and random events for property tests.
//!
//! The words are fixed, for they are types: twelve states, six events, six guards. What is random is the
//! table over them: how many of the words it uses, and every part of every row. Most such tables have defects;
//! the interpreter must be exact about those as well.

use baton_machine::{
    Group, Guard, Kind, Outcome, Row, Source, Target, Verdict, Word, Workflow, events, words,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::subsequence;
use serde::{Deserialize, Serialize};

words! {
    /// Twelve places. Which of them wait and which are final is spread, so that small tables have both.
    pub enum State {
        S0 = "S0", S1 = "S1", S2 = "S2", S3 = "S3", S4 = "S4", S5 = "S5",
        S6 = "S6", S7 = "S7", S8 = "S8", S9 = "S9", S10 = "S10", S11 = "S11",
    }
}

events! {
    /// Six things that can happen, each with a number.
    pub enum Event as On {
        E0 { n: u8 } = "E0", E1 { n: u8 } = "E1", E2 { n: u8 } = "E2",
        E3 { n: u8 } = "E3", E4 { n: u8 } = "E4", E5 { n: u8 } = "E5",
    }
}

/// A small memory that shows what was learnt, in which order and how often.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// How many events were learnt.
    pub count: u32,
    /// The sum of their numbers.
    pub sum: u32,
    /// The last number.
    pub last: u8,
    /// All of it in order, folded into one number.
    pub trail: u64,
}

/// The workflow the random tables belong to. Its own table is empty: use one from [`tables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Random;

impl Workflow for Random {
    const NAME: &'static str = "random";
    const START: State = State::S0;
    const TABLE: &'static [Row<Self>] = &[];

    type State = State;
    type On = On;
    type Event = Event;
    type Input = ();
    type Memory = Memory;

    fn begin((): &()) -> Memory {
        Memory::default()
    }

    fn learn(memory: &mut Memory, event: &Event) {
        let (kind, n) = match event {
            Event::E0 { n } => (0, *n),
            Event::E1 { n } => (1, *n),
            Event::E2 { n } => (2, *n),
            Event::E3 { n } => (3, *n),
            Event::E4 { n } => (4, *n),
            Event::E5 { n } => (5, *n),
        };
        memory.count += 1;
        memory.sum += u32::from(n);
        memory.last = n;
        memory.trail = memory.trail.wrapping_mul(1_000_003).wrapping_add(kind * 256 + u64::from(n) + 1);
    }

    fn kind(state: State) -> Kind {
        match state {
            State::S2 | State::S7 => Kind::Waits,
            State::S4 => Kind::Ends(Outcome::Completed),
            State::S9 => Kind::Ends(Outcome::Failed),
            _ => Kind::Works,
        }
    }
}

/// The guards a row can have.
pub const GUARDS: [Guard<Random>; 6] = [
    Guard {
        name: "sum_is_even",
        ask: |memory| Verdict::of(memory.sum.is_multiple_of(2)).saw("sum", memory.sum),
    },
    Guard { name: "last_is_big", ask: |memory| Verdict::of(memory.last > 5).saw("last", memory.last) },
    Guard {
        name: "every_third",
        ask: |memory| Verdict::of(memory.count.is_multiple_of(3)).saw("count", memory.count),
    },
    Guard { name: "still_early", ask: |memory| Verdict::of(memory.count < 8).saw("count", memory.count) },
    Guard { name: "trail_is_odd", ask: |memory| Verdict::of(memory.trail % 2 == 1) },
    Guard { name: "never", ask: |_| Verdict::of(false) },
];

/// What a guard answers, found by its name; a name of no guard is no.
pub fn holds(guard: &str, memory: &Memory) -> bool {
    GUARDS.iter().any(|other| other.name == guard && (other.ask)(memory).holds)
}

/// Tables over 5 to 12 states and 3 to 6 events.
pub fn tables() -> impl Strategy<Value = Vec<Row<Random>>> {
    (5..=State::ALL.len(), 3..=On::ALL.len())
        .prop_flat_map(|(states, events)| vec(row(states, events), 4..28))
}

/// Lists of up to `most` events.
pub fn happenings(most: usize) -> impl Strategy<Value = Vec<Event>> {
    let event = (0..6_u8, 0..10_u8).prop_map(|(kind, n)| match kind {
        0 => Event::E0 { n },
        1 => Event::E1 { n },
        2 => Event::E2 { n },
        3 => Event::E3 { n },
        4 => Event::E4 { n },
        _ => Event::E5 { n },
    });
    vec(event, 0..=most)
}

fn row(states: usize, events: usize) -> impl Strategy<Value = Row<Random>> {
    let on = (0..events).prop_map(|event| On::ALL[event]);
    let guard = proptest::option::weighted(0.4, 0..GUARDS.len()).prop_map(|guard| guard.map(guard_at));
    let at_most = proptest::option::weighted(0.3, 0..4_u32);
    (source(states), on, guard, target(states), at_most).prop_map(|(from, on, guard, to, at_most)| Row {
        from,
        on,
        guard,
        to,
        at_most,
    })
}

fn guard_at(index: usize) -> Guard<Random> {
    let Guard { name, ask } = GUARDS[index];
    Guard { name, ask }
}

fn source(states: usize) -> impl Strategy<Value = Source<Random>> {
    let members = subsequence(State::ALL[..states].to_vec(), 1..=4);
    prop_oneof![
        6 => state(states).prop_map(Source::One),
        1 => Just(()).prop_map(|()| Source::Any),
        2 => (0..3_usize, members).prop_map(|(name, members)| Source::In(group(name, members))),
    ]
}

/// Tables are static in real workflows, so groups are too: the few bytes of a test's groups are never freed.
fn group(name: usize, members: Vec<State>) -> &'static Group<Random> {
    Box::leak(Box::new(Group { name: ["FIRST", "SECOND", "THIRD"][name], states: members.leak() }))
}

fn target(states: usize) -> impl Strategy<Value = Target<Random>> {
    prop_oneof![
        6 => state(states).prop_map(Target::To),
        1 => Just(()).prop_map(|()| Target::Same),
        1 => Just(()).prop_map(|()| Target::Stay),
        1 => Just(()).prop_map(|()| Target::Back),
    ]
}

fn state(states: usize) -> impl Strategy<Value = State> {
    (0..states).prop_map(|state| State::ALL[state])
}
