//! A small workflow that uses every word of a table: a text is planned, drafted, checked and reviewed.

use serde::{Deserialize, Serialize};

use crate::{Group, Kind, Outcome, Row, Verdict, Workflow, events, transitions, words};

words! {
    /// Where a text can stand.
    pub enum State {
        Planning = "PLANNING",
        Drafting = "DRAFTING",
        Checking = "CHECKING",
        Reviewing = "REVIEWING",
        Paused = "PAUSED",
        Done = "DONE",
        GaveUp = "GAVE_UP",
        Dropped = "DROPPED",
    }
}

events! {
    /// What can happen to a text.
    pub enum Event as On {
        PlanReady { cost: u32 } = "PLAN_READY",
        ParagraphDone { words: u32 } = "PARAGRAPH_DONE",
        DraftReady = "DRAFT_READY",
        ChecksPassed = "CHECKS_PASSED",
        ChecksFailed = "CHECKS_FAILED",
        ReviewsIn { approvals: u32, #[serde(default)] notes: Vec<String> } = "REVIEWS_IN",
        Outdated = "OUTDATED",
        PauseAsked = "PAUSE_ASKED",
        Resumed = "RESUMED",
        NodeFailed = "NODE_FAILED",
        Cancelled = "CANCELLED",
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    pub budget: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    pub budget: u32,
    pub cost: u32,
    pub words: u32,
    pub drafts: u32,
    pub approvals: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text;

const WRITING: Group<Text> = Group { name: "WRITING", states: &[State::Drafting, State::Checking] };

impl Workflow for Text {
    const NAME: &'static str = "text";
    const START: State = State::Planning;
    const TABLE: &'static [Row<Self>] = transitions! {
        Planning   + PlanReady     if fits_budget => Drafting;
        Planning   + PlanReady                    => GaveUp;

        Drafting   + ParagraphDone                => stay;
        Drafting   + DraftReady                   => Checking;

        Checking   + ChecksPassed                 => Reviewing;
        Checking   + ChecksFailed  if drafts_left => Drafting at most 3;
        Checking   + ChecksFailed                 => Paused;

        Reviewing  + ReviewsIn     if approved    => Done;
        Reviewing  + ReviewsIn                    => Drafting at most 1;
        Reviewing  + ReviewsIn                    => GaveUp;

        in WRITING + Outdated                     => Planning at most 1;
        in WRITING + Outdated                     => GaveUp;

        Paused     + Resumed                      => back;

        any        + NodeFailed                   => same at most 2;
        any        + NodeFailed                   => GaveUp;
        any        + PauseAsked                   => Paused;
        any        + Cancelled                    => Dropped;
    };

    type State = State;
    type On = On;
    type Event = Event;
    type Input = Input;
    type Memory = Memory;

    fn begin(input: &Input) -> Memory {
        Memory { budget: input.budget, cost: 0, words: 0, drafts: 0, approvals: 0 }
    }

    fn learn(memory: &mut Memory, event: &Event) {
        match event {
            Event::PlanReady { cost } => memory.cost = *cost,
            Event::ParagraphDone { words } => memory.words += words,
            Event::DraftReady => memory.drafts += 1,
            Event::ReviewsIn { approvals, .. } => memory.approvals = *approvals,
            _ => {}
        }
    }

    fn kind(state: State) -> Kind {
        match state {
            State::Planning | State::Drafting | State::Checking | State::Reviewing => Kind::Works,
            State::Paused => Kind::Waits,
            State::Done => Kind::Ends(Outcome::Completed),
            State::GaveUp => Kind::Ends(Outcome::Failed),
            State::Dropped => Kind::Ends(Outcome::Aborted),
        }
    }
}

fn fits_budget(memory: &Memory) -> Verdict {
    Verdict::of(memory.cost <= memory.budget).saw("cost", memory.cost).saw("budget", memory.budget)
}

fn drafts_left(memory: &Memory) -> Verdict {
    Verdict::of(memory.drafts < 3).saw("drafts", memory.drafts)
}

fn approved(memory: &Memory) -> Verdict {
    Verdict::of(memory.approvals >= 2).saw("approvals", memory.approvals)
}
