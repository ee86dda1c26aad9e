//! How far a research run is: tasks, facts, sources, the last finding.

use std::collections::BTreeSet;

use baton_engine::dag::TaskEnding;
use baton_workflows::research::{Event, Memory, Research, TaskOutput};

use crate::telling::Telling;
use crate::text::{count, cut};

/// A finding is shown as a glance.
const GLANCE: usize = 90;

/// What there is to tell of a research run.
#[derive(Default)]
pub struct Findings {
    running: BTreeSet<String>,
    /// What was found so far, in words: counting takes longer than drawing.
    found: Option<String>,
    last: Option<String>,
}

impl Telling<Research> for Findings {
    fn lines(&self, memory: &Memory) -> Vec<String> {
        let mut lines = Vec::new();
        if !memory.duties.is_empty() {
            let done = memory.dag.tasks().filter(|task| task.status().is_final()).count();
            let running: Vec<&str> = self.running.iter().map(String::as_str).collect();
            let now = if running.is_empty() { String::new() } else { format!(", now {}", running.join(" ")) };
            lines.push(format!("tasks {done} of {} done{now}", memory.dag.tasks().count()));
        }
        lines.extend(self.found.clone());
        lines.extend(self.last.iter().map(|last| format!("last: {last}")));
        lines
    }

    fn line(&mut self, memory: &Memory, event: &Event) -> Option<String> {
        match event {
            Event::PlanDrafted { plan, why } => {
                let (parts, tasks) = (plan.dimensions.len(), plan.estimate());
                let things = if parts == 1 { "thing" } else { "things" };
                Some(format!(
                    "plan {} ({why}): {parts} {things} to find out, {}",
                    plan.revision,
                    count(tasks, "task")
                ))
            }
            Event::TaskDispatched { id, .. } => {
                self.running.insert(id.clone());
                None
            }
            Event::TaskFinished { brought } => {
                self.running.remove(&brought.end.id.0);
                let finding = brought.findings.first().map(|finding| cut(&finding.fact.statement, GLANCE));
                if finding.is_some() {
                    self.found = Some(found(memory));
                }
                let line = finished(brought, finding.as_deref(), self.found.as_deref());
                self.last = finding.or(self.last.take());
                Some(line)
            }
            Event::LimitReached { what } => Some(format!("a limit was reached: {what}")),
            _ => None,
        }
    }
}

/// A finished task in one line.
fn finished(brought: &TaskOutput, finding: Option<&str>, found: Option<&str>) -> String {
    let id = &brought.end.id;
    let end = match &brought.end.ending {
        TaskEnding::Completed => match (brought.leads.len(), finding) {
            (_, Some(finding)) => format!("{}: {finding}", found.unwrap_or_default()),
            (0, None) => "done".to_owned(),
            (leads, None) => format!("{} to read", count(leads, "document")),
        },
        TaskEnding::Failed { why } => format!("failed: {why}"),
        TaskEnding::Skipped { why } => format!("skipped: {why}"),
    };
    format!("{id}  {end}")
}

/// Counted as the end counts: the same fact twice is one.
fn found(memory: &Memory) -> String {
    let facts = memory.facts();
    format!("{} from {}", count(facts.all().len(), "fact"), count(facts.sources().len(), "source"))
}
