//! How far a report is: phase, tasks, coverage.

use baton_workflows::report::{Event, Memory, Report};

use crate::telling::Telling;
use crate::text::count;

/// What there is to tell of a report.
#[derive(Default)]
pub struct Progress;

impl Telling<Report> for Progress {
    fn lines(&self, memory: &Memory) -> Vec<String> {
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

    fn line(&mut self, memory: &Memory, event: &Event) -> Option<String> {
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
