//! Article: a brief in, a measured article out, planned again until it is good enough.
//!
//! Read [`Article::TABLE`] first; everything else serves it.

pub mod bibliography;
mod brief;
mod demand;
mod draft;
mod files;
mod memory;
mod nodes;
mod numbering;
mod outcome;
mod plan;
mod planner;
mod profile;
mod rehearsal;
mod score;
mod skills;
mod strategy;
mod transition;
pub mod verification;
mod workers;

#[cfg(test)]
mod tests;

use baton_engine::{Fault, Node, RunFile, View, Work, node};
use baton_machine::{Kind, Outcome, Row, Verdict, Workflow, events, transitions, words};

pub use brief::form::{Form, Mistake, Terms};
pub use brief::{Assignment, Brief, ContentType, Depth, Roles, SourceKind, Style, Tone};
pub use demand::{Demand, Need};
pub use draft::{Draft, Paragraph, Section, Sentence, Table, Voice};
pub use memory::{Action, Memory, PhaseChange, Revision, TaskRecord, WorkerTask};
pub use outcome::{ErrorType, FailureReport, FinalOutput, Status};
pub use plan::{Analysis, Mode, Plan, PlanStep, Points, Stage};
pub use planner::{analyse, plan};
pub use score::{Evaluation, MarkdownText, Measure, ScoreInput, SourceText, evaluate};
pub use strategy::{Savings, optimise};
pub use transition::{NotAllowed, allowed, reason};
pub use workers::{Category, Check, Place, Worker, WorkerOutput, WorkerResult, kind_of};

/// The seed's bound: the first run counts as one.
pub const MAX_ITERATIONS: u32 = 3;

words! {
    /// The phases of the seed.
    pub enum State {
        Initialized = "INITIALIZED",
        Planning = "PLANNING",
        Strategy = "STRATEGY",
        Executing = "EXECUTING",
        Evaluating = "EVALUATING",
        RePlanning = "RE_PLANNING",
        Merging = "MERGING",
        Completed = "COMPLETED",
        Failed = "FAILED",
    }
}

events! {
    /// What can happen to it.
    pub enum Event as On {
        Began { execution_id: String } = "BEGAN",
        PlanCreated { plan: Box<Plan>, analysis: Analysis } = "PLAN_CREATED",
        PlanOptimized { plan: Box<Plan>, savings: Savings } = "PLAN_OPTIMIZED",
        WorkerStarted { task: WorkerTask } = "WORKER_STARTED",
        WorkerFinished { brought: Box<WorkerOutput> } = "WORKER_FINISHED",
        WorkersDone = "WORKERS_DONE",
        QualityMet { evaluation: Box<Evaluation> } = "QUALITY_MET",
        QualityLow { evaluation: Box<Evaluation>, demand: Demand } = "QUALITY_LOW",
        Forced { evaluation: Box<Evaluation> } = "FORCED",
        RePlanned { demand: Demand } = "RE_PLANNED",
        OutputCreated { output: Box<FinalOutput> } = "OUTPUT_CREATED",
        CriticalError { error: FailureReport } = "CRITICAL_ERROR",
    }
}

/// The article workflow of the seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Article;

impl Workflow for Article {
    const NAME: &'static str = "article";
    const START: State = State::Initialized;
    const TABLE: &'static [Row<Self>] = transitions! {
        // in state     + on event         if guard             => go to
        Initialized     + Began                                 => Planning;
        Planning        + PlanCreated                           => Strategy;
        Strategy        + PlanOptimized                         => Executing;

        Executing       + WorkerStarted                         => stay;
        Executing       + WorkerFinished                        => stay;
        Executing       + WorkersDone                           => Evaluating;

        Evaluating      + QualityMet                            => Merging;
        Evaluating      + QualityLow       if iterations_left   => RePlanning at most 2;
        Evaluating      + QualityLow                            => Merging;
        // The seed allows it; no node asks for it, so that there is always an output.
        Evaluating      + Forced                                => Completed;

        RePlanning      + RePlanned                             => Planning;
        Merging         + OutputCreated                         => Completed;

        any             + CriticalError                         => Failed;
    };

    type State = State;
    type On = On;
    type Event = Event;
    type Input = Assignment;
    type Memory = Memory;

    fn begin(assignment: &Assignment) -> Memory {
        Memory::new(assignment.clone())
    }

    fn learn(memory: &mut Memory, event: &Event) {
        memory.learn(event);
    }

    fn kind(state: State) -> Kind {
        match state {
            State::Completed => Kind::Ends(Outcome::Completed),
            State::Failed => Kind::Ends(Outcome::Failed),
            _ => Kind::Works,
        }
    }
}

fn iterations_left(memory: &Memory) -> Verdict {
    let verdict = Verdict::of(memory.iteration_count < MAX_ITERATIONS);
    verdict.saw("iteration", memory.iteration_count).saw("most", MAX_ITERATIONS)
}

impl Work for Article {
    const CODE_VERSION: u32 = 1;

    fn node(state: State) -> Option<Node<Self>> {
        match state {
            State::Initialized => Some(node(nodes::initialized::run)),
            State::Planning => Some(node(nodes::planning::run)),
            State::Strategy => Some(node(nodes::strategy::run)),
            State::Executing => Some(node(nodes::executing::run)),
            State::Evaluating => Some(node(nodes::evaluating::run)),
            State::RePlanning => Some(node(nodes::re_planning::run)),
            State::Merging => Some(node(nodes::merging::run)),
            State::Completed | State::Failed => None,
        }
    }

    /// What nobody foresaw ends the run with what there is; what a person or another process can mend stops it.
    fn on_fault(_state: State, fault: &Fault) -> Option<Event> {
        match fault {
            Fault::Budget { .. } => Some(Event::CriticalError {
                error: FailureReport::new(ErrorType::BudgetExceeded, fault.to_string()),
            }),
            _ => None,
        }
    }

    fn title(assignment: &Assignment) -> String {
        assignment.brief.topic.chars().take(120).collect()
    }

    fn files(view: &View<'_, Self>) -> Vec<RunFile> {
        files::files(view)
    }
}
