//! What a workflow is: its words, its memory and its table. Data only; nothing here decides.

use std::fmt::Debug;

use serde::{Serialize, de::DeserializeOwned};

use crate::{Happening, Word};

/// A workflow as a table. The work of each state is bound to it elsewhere.
pub trait Workflow: Copy + Debug + Eq + Send + Sync + 'static {
    /// The name people type and journals store.
    const NAME: &'static str;
    /// Where a run begins.
    const START: Self::State;
    /// The rows, in order: the first that fits moves the run.
    const TABLE: &'static [Row<Self>];
    /// The version of the stored form of [`Self::Event`]; raise it when an old journal would not parse.
    const EVENT_VERSION: u32 = 1;

    /// Where a run can stand.
    type State: Word + Serialize + DeserializeOwned;
    /// What can happen, without data.
    type On: Word + Serialize + DeserializeOwned;
    /// What can happen, with data.
    type Event: Happening<On = Self::On>
        + Clone
        + Debug
        + Send
        + Sync
        + Serialize
        + DeserializeOwned
        + 'static;
    /// What a run is started with; frozen in its first record.
    type Input: Clone + Debug + Send + Sync + Serialize + DeserializeOwned + 'static;
    /// All that a run has learnt: the fold of its events over [`Workflow::begin`].
    type Memory: Clone + Debug + Send + Sync + Serialize + DeserializeOwned + 'static;

    /// What a run knows before anything has happened.
    fn begin(input: &Self::Input) -> Self::Memory;
    /// Folds one event into memory. Running and replaying both use this, so it must be pure and total.
    fn learn(memory: &mut Self::Memory, event: &Self::Event);
    /// What kind of place a state is.
    fn kind(state: Self::State) -> Kind;
}

/// What kind of place a state is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A node works here.
    Works,
    /// The run waits here for somebody; a cycle through a waiting state cannot spin.
    Waits,
    /// The run is over, and this is how it ended.
    Ends(Outcome),
}

/// How a finished run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It did what was asked.
    Completed,
    /// A limit was reached; what there was has been delivered.
    Partial,
    /// It could not do what was asked.
    Failed,
    /// A person said no.
    Aborted,
    /// There was nothing to base an answer on.
    NoEvidence,
}

/// One row: in these states, on this event, if the guard holds, go there.
#[derive(Debug)]
pub struct Row<W: Workflow> {
    /// The states it applies to.
    pub from: Source<W>,
    /// The event it takes.
    pub on: W::On,
    /// The question that must be answered with yes.
    pub guard: Option<Guard<W>>,
    /// Where the run goes.
    pub to: Target<W>,
    /// How often it may fire in one run; rows that close a cycle must say so.
    pub at_most: Option<u32>,
}

/// Which states a row applies to.
#[derive(Debug)]
pub enum Source<W: Workflow> {
    /// Every state that is not final.
    Any,
    /// One state.
    One(W::State),
    /// The states of a group.
    In(&'static Group<W>),
}

/// Where a row leads.
#[derive(Debug)]
pub enum Target<W: Workflow> {
    /// To this state, as a new visit.
    To(W::State),
    /// The node is tried again; the visit goes on, so finished steps are not repeated.
    Same,
    /// Progress inside a state: the node that emitted the event goes on.
    Stay,
    /// To the state from which the present one was entered.
    Back,
}

/// States that belong together: one row can speak for all of them, and they are drawn in one box.
#[derive(Debug)]
pub struct Group<W: Workflow> {
    /// Its name.
    pub name: &'static str,
    /// Its members.
    pub states: &'static [W::State],
}

/// A named question to the memory.
#[derive(Debug)]
pub struct Guard<W: Workflow> {
    /// Its name, as written in the table.
    pub name: &'static str,
    /// The question. Must be pure.
    pub ask: fn(&W::Memory) -> Verdict,
}

impl<W: Workflow> Source<W> {
    /// Whether the row applies in this state.
    pub fn covers(&self, state: W::State) -> bool {
        match self {
            Self::Any => !matches!(W::kind(state), Kind::Ends(_)),
            Self::One(one) => *one == state,
            Self::In(group) => group.states.contains(&state),
        }
    }
}

/// A guard's answer and the values it looked at, so that a person can be told why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Yes or no.
    pub holds: bool,
    /// What was looked at, by name.
    pub saw: Vec<(&'static str, String)>,
}

impl Verdict {
    /// A verdict that has not yet said what it looked at.
    pub fn of(holds: bool) -> Self {
        Self { holds, saw: Vec::new() }
    }

    /// Adds a value the guard looked at.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "guards read better without a & before every number")]
    pub fn saw(mut self, name: &'static str, value: impl ToString) -> Self {
        self.saw.push((name, value.to_string()));
        self
    }
}

/// Builds a table: `From + Event [if guard] => To [at most N];`
///
/// `From` is a state, `any`, or `in GROUP`; `To` is a state, `same`, `stay` or `back`. `State` and `On`
/// must be in scope. The macro makes data and no types.
///
/// ```
/// use baton_machine::{Kind, Outcome, Position, Row, Verdict, Workflow, advance, events, transitions, words};
///
/// words! { pub enum State { Off = "OFF", On = "ON", Burnt = "BURNT" } }
/// events! { pub enum Event as On { Pressed = "PRESSED", Heated { by: u32 } = "HEATED" } }
///
/// #[derive(Clone, Copy, Debug, PartialEq, Eq)]
/// struct Lamp;
///
/// impl Workflow for Lamp {
///     const NAME: &'static str = "lamp";
///     const START: State = State::Off;
///     const TABLE: &'static [Row<Self>] = transitions! {
///         Off + Pressed             => On at most 1000;
///         Off + Pressed             => Burnt;
///         On  + Pressed             => Off;
///         any + Heated  if too_hot  => Burnt;
///         any + Heated              => stay;
///     };
///     type State = State;
///     type On = On;
///     type Event = Event;
///     type Input = ();
///     type Memory = u32;
///
///     fn begin((): &()) -> u32 {
///         20
///     }
///     fn learn(degrees: &mut u32, event: &Event) {
///         if let Event::Heated { by } = event {
///             *degrees += by;
///         }
///     }
///     fn kind(state: State) -> Kind {
///         match state {
///             State::Off | State::On => Kind::Works,
///             State::Burnt => Kind::Ends(Outcome::Failed),
///         }
///     }
/// }
///
/// fn too_hot(degrees: &u32) -> Verdict {
///     Verdict::of(*degrees > 90).saw("degrees", degrees)
/// }
///
/// let mut position = Position::<Lamp>::start();
/// let mut degrees = Lamp::begin(&());
/// for (event, state) in [
///     (Event::Pressed, State::On),
///     (Event::Heated { by: 50 }, State::On),
///     (Event::Heated { by: 50 }, State::Burnt),
/// ] {
///     advance(Lamp::TABLE, &mut position, &mut degrees, &event)?;
///     assert_eq!(position.state, state);
/// }
/// assert_eq!(baton_machine::defects(&baton_machine::describe(Lamp::TABLE)), []);
/// # Ok::<(), baton_machine::Refused>(())
/// ```
#[macro_export]
macro_rules! transitions {
    ($($($from:ident)+ + $on:ident $(if $guard:ident)? => $to:ident $(at most $most:expr)?;)+) => {
        &[$($crate::Row {
            from: $crate::transitions!(@from $($from)+),
            on: On::$on,
            guard: $crate::transitions!(@guard $($guard)?),
            to: $crate::transitions!(@to $to),
            at_most: $crate::transitions!(@most $($most)?),
        }),+]
    };
    (@from any) => { $crate::Source::Any };
    (@from in $group:ident) => { $crate::Source::In(&$group) };
    (@from $state:ident) => { $crate::Source::One(State::$state) };
    (@guard) => { None };
    (@guard $guard:ident) => { Some($crate::Guard { name: stringify!($guard), ask: $guard }) };
    (@to same) => { $crate::Target::Same };
    (@to stay) => { $crate::Target::Stay };
    (@to back) => { $crate::Target::Back };
    (@to $state:ident) => { $crate::Target::To(State::$state) };
    (@most) => { None };
    (@most $most:expr) => { Some($most) };
}
