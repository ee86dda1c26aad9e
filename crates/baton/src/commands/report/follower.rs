//! How far a report is: phase, tasks, coverage.

use baton_engine::driver::{Vault, unwrap};
use baton_engine::record::Body;
use baton_machine::Workflow;
use baton_workflows::report::{Event, Memory, Order, Report};

use crate::presenter::Follower;
use crate::text::count;

/// What a run has done so far, folded as the run itself folds it.
#[derive(Default)]
pub struct Progress {
    memory: Option<Memory>,
}

impl Follower for Progress {
    /// A record that cannot be read changes nothing here: the driver says what is wrong with it.
    fn take(&mut self, body: &Body, vault: &dyn Vault) -> Option<String> {
        match body {
            Body::Started(started) => {
                let order: Order = serde_json::from_value(unwrap(&started.input, vault).ok()?).ok()?;
                self.memory = Some(Report::begin(&order));
                None
            }
            Body::Event(happened) => {
                let event: Event = serde_json::from_value(unwrap(&happened.event, vault).ok()?).ok()?;
                Report::learn(self.memory.as_mut()?, &event);
                self.line(&event)
            }
            _ => None,
        }
    }

    fn lines(&self) -> Vec<String> {
        let Some(memory) = &self.memory else { return Vec::new() };
        let mut lines = Vec::new();
        let (done, all) = memory.progress();
        if all > 0 {
            lines.push(format!("round {}, {done} of {} done", memory.round(), count(all, "task")));
        }
        let figures = memory.figures().count();
        if figures > 0 || !memory.facts.is_empty() {
            let sources = count(memory.sources.len(), "source");
            lines.push(format!(
                "{}, {} from {sources}",
                count(figures, "figure"),
                count(memory.facts.len(), "fact")
            ));
        }
        lines
    }
}

impl Progress {
    fn line(&mut self, event: &Event) -> Option<String> {
        let memory = self.memory.as_ref()?;
        match event {
            Event::ContextGathered { context } => Some(context.in_a_line()),
            Event::BriefBuilt { brief, .. } => Some(format!(
                "brief: {}, {}",
                brief.preferences.depth.name(),
                count(brief.scope_items.len(), "scope item")
            )),
            Event::PlanMade { plan, .. } => Some(format!(
                "plan: {}, {}, {}",
                count(plan.overview_tasks.len(), "overview task"),
                count(plan.data_tasks.len(), "data task"),
                count(plan.research_tasks.len(), "research task")
            )),
            Event::TaskFinished { brought } => Some(brought.in_a_line()),
            Event::CoverageLow { review } | Event::CoverageOk { review } => Some(format!(
                "coverage {:.0} %: {}",
                review.coverage.overall_coverage, review.coverage.reason
            )),
            Event::ChartsAnalyzed { .. } | Event::Aggregated { .. } => {
                Some(count(memory.charts().len(), "chart"))
            }
            _ => None,
        }
    }
}
