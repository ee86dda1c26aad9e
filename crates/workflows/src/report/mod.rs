//! Report: data and documents in, an illustrated report out, every number recomputable.
//!
//! Read [`Report::TABLE`] first; everything else serves it.

mod acts;
mod aggregation;
mod brief;
mod charting;
mod context;
mod coverage;
mod depth;
mod editor;
mod evidence;
mod facet;
mod files;
mod gate;
mod gloss;
mod memory;
mod naming;
mod nodes;
mod numbers;
mod order;
mod plan;
mod planner;
mod profile;
mod prose;
mod query;
mod rehearsal;
mod relevance;
mod remote;
mod results;
mod skills;
mod story;
mod tell;
mod world;
mod writing;

#[cfg(test)]
mod tests;

use baton_engine::{Fault, Node, RunFile, View, Work, node};
use baton_machine::{Kind, Outcome, Row, Verdict, Workflow, events, transitions, words};

pub use aggregation::{Aggregation, Draft};
pub use brief::{Brief, ScopeItem};
pub use charting::PlannedChart;
pub use context::Context;
pub use coverage::{Coverage, Decision, Review};
pub use depth::{Depth, Trigger, depth_of, triggers};
pub use evidence::{Evidence, Redrawn, Verified, verify, verify_drawn};
pub use memory::Memory;
pub use order::{COVERAGE_TARGET, Continued, Format, MAX_ITERATIONS, Order, Roles, Style};
pub use plan::{Plan, TaskKind};
pub use remote::{Remote, RemoteWorld};
pub use results::{Outcome as TaskOutcome, TaskResult};
pub use story::Story;
pub use world::DataWorld;
pub use world::{CHILD_ARGUMENT, child_main};

use aggregation::Edited;
use charting::ChartsAnalyzed;
use memory::Finished;

/// The signal of the seed: said once, after the report is there.
pub const PROMISE: &str = "<promise>COMPLETE</promise>";

/// Drawing the charts of a chart_data.json alone.
pub mod charts {
    pub use baton_charts::render::{ChartData, render};
}

/// Whether a file is named as data that can be read.
#[must_use]
pub fn is_data(path: &std::path::Path) -> bool {
    const ENDINGS: &[&str] = &[
        "csv", "tsv", "tab", "json", "jsonl", "ndjson", "xlsx", "xlsm", "xlsb", "xls", "ods", "sqlite",
        "sqlite3", "db",
    ];
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()))
}

/// What is wrong with the text of a tables.toml.
#[must_use]
pub fn tables_flaw(text: &str) -> Option<String> {
    baton_figures::reading::file::read(text).err().map(|error| error.to_string())
}

words! {
    /// The phases of the seed, and the one end it has no word for.
    pub enum State {
        InitialResearch = "initial_research",
        BriefBuilder = "brief_builder",
        Planning = "planning",
        Execution = "execution",
        QuestionsReview = "questions_review",
        ChartAnalysis = "chart_analysis",
        StoryLining = "story_lining",
        Aggregation = "aggregation",
        Editing = "editing",
        Reporting = "reporting",
        Complete = "complete",
        NoEvidence = "no_evidence",
    }
}

events! {
    /// What can happen to it.
    pub enum Event as On {
        ContextGathered { context: Box<Context> } = "CONTEXT_GATHERED",
        BriefBuilt { brief: Box<Brief>, notes: Vec<String> } = "BRIEF_BUILT",
        PlanMade { plan: Box<Plan>, notes: Vec<String> } = "PLAN_MADE",
        TaskFinished { brought: Box<TaskResult> } = "TASK_FINISHED",
        TasksDone = "TASKS_DONE",
        CoverageLow { review: Box<Review> } = "COVERAGE_LOW",
        CoverageOk { review: Box<Review> } = "COVERAGE_OK",
        NothingFound { why: String } = "NOTHING_FOUND",
        ChartsAnalyzed { analyzed: Box<ChartsAnalyzed> } = "CHARTS_ANALYZED",
        StoryTold { story: Box<Story>, notes: Vec<String> } = "STORY_TOLD",
        Aggregated { draft: Box<Draft> } = "AGGREGATED",
        Edited { edited: Box<Edited> } = "EDITED",
        Reported { finished: Finished } = "REPORTED",
    }
}

/// The report of the seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report;

impl Workflow for Report {
    const NAME: &'static str = "report";
    const START: State = State::InitialResearch;
    const TABLE: &'static [Row<Self>] = transitions! {
        // in state        + on event         if guard       => go to
        InitialResearch    + ContextGathered                 => BriefBuilder;
        BriefBuilder       + BriefBuilt                      => Planning;
        Planning           + PlanMade                        => Execution;

        Execution          + TaskFinished                    => stay;
        Execution          + TasksDone                       => QuestionsReview;

        QuestionsReview    + CoverageLow                     => Execution at most 4;
        QuestionsReview    + CoverageLow      if deep_dive   => ChartAnalysis;
        QuestionsReview    + CoverageLow                     => Aggregation;
        QuestionsReview    + CoverageOk       if deep_dive   => ChartAnalysis;
        QuestionsReview    + CoverageOk                      => Aggregation;

        ChartAnalysis      + ChartsAnalyzed                  => StoryLining;
        StoryLining        + StoryTold                       => Aggregation;

        Aggregation        + Aggregated       if deep_dive   => Editing;
        Aggregation        + Aggregated                      => Reporting;
        Editing            + Edited                          => Reporting;
        Reporting          + Reported                        => Complete;

        // Data that cannot be read and documents that say nothing make no report.
        InitialResearch    + NothingFound                    => NoEvidence;
        QuestionsReview    + NothingFound                    => NoEvidence;
    };

    type State = State;
    type On = On;
    type Event = Event;
    type Input = Order;
    type Memory = Memory;

    fn begin(order: &Order) -> Memory {
        Memory::new(order.clone())
    }

    fn learn(memory: &mut Memory, event: &Event) {
        memory.learn(event);
    }

    fn kind(state: State) -> Kind {
        match state {
            State::Complete => Kind::Ends(Outcome::Completed),
            State::NoEvidence => Kind::Ends(Outcome::NoEvidence),
            _ => Kind::Works,
        }
    }
}

fn deep_dive(memory: &Memory) -> Verdict {
    Verdict::of(memory.depth() == Depth::DeepDive).saw("depth", memory.depth().name())
}

impl Work for Report {
    const CODE_VERSION: u32 = 1;

    fn node(state: State) -> Option<Node<Self>> {
        match state {
            State::InitialResearch => Some(node(nodes::initial_research::run)),
            State::BriefBuilder => Some(node(nodes::brief_builder::run)),
            State::Planning => Some(node(nodes::planning::run)),
            State::Execution => Some(node(nodes::execution::run)),
            State::QuestionsReview => Some(node(nodes::questions_review::run)),
            State::ChartAnalysis => Some(node(nodes::chart_analysis::run)),
            State::StoryLining => Some(node(nodes::story_lining::run)),
            State::Aggregation => Some(node(nodes::aggregation::run)),
            State::Editing => Some(node(nodes::editing::run)),
            State::Reporting => Some(node(nodes::reporting::run)),
            State::Complete | State::NoEvidence => None,
        }
    }

    /// At the budget the tasks end and what was found is written up; the share kept for the last answer pays for it.
    fn on_fault(state: State, fault: &Fault) -> Option<Event> {
        match (state, fault) {
            (State::Execution, Fault::Budget { .. }) => Some(Event::TasksDone),
            _ => None,
        }
    }

    fn title(order: &Order) -> String {
        brief::title_of(order).chars().take(120).collect()
    }

    fn files(view: &View<'_, Self>) -> Vec<RunFile> {
        files::files(view)
    }
}
