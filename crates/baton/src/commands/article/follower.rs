//! How far an article is: phase, workers, cost against the budget.

use std::collections::BTreeSet;

use baton_engine::dag::TaskEnding;
use baton_workflows::article::{Article, Event, Memory, Worker, WorkerOutput, WorkerResult};

use crate::telling::Telling;
use crate::text::count;

/// What there is to tell of an article.
#[derive(Default)]
pub struct Progress {
    running: BTreeSet<Worker>,
}

impl Telling<Article> for Progress {
    fn lines(&self, memory: &Memory) -> Vec<String> {
        let mut lines = Vec::new();
        let tasks = memory.dag.tasks().count();
        if tasks > 0 {
            let done = memory.dag.tasks().filter(|task| task.status().is_final()).count();
            let now: Vec<&str> = self.running.iter().map(|worker| worker.name()).collect();
            let now = if now.is_empty() { String::new() } else { format!(", now {}", now.join(" ")) };
            lines.push(format!("iteration {}, workers {done} of {tasks} done{now}", memory.iteration_count));
        }
        if !memory.facts.is_empty() {
            lines.push(format!(
                "{} from {}",
                count(memory.facts.len(), "fact"),
                count(memory.sources.len(), "source")
            ));
        }
        let quality = memory.quality().map(|quality| {
            format!("quality {quality:.2} of {:.2}", memory.assignment.brief.min_quality_score)
        });
        lines.extend(quality);
        lines
    }

    fn line(&mut self, memory: &Memory, event: &Event) -> Option<String> {
        match event {
            Event::PlanCreated { plan, analysis } => Some(format!(
                "{}: complexity {:.2}, {}, {}",
                plan.plan_id,
                analysis.complexity_score,
                count(plan.steps.len(), "step"),
                count(plan.workers().count(), "worker")
            )),
            Event::PlanOptimized { plan, .. } => Some(format!(
                "strategy: {}; estimated {:.4} USD of {:.2}",
                plan.optimization_notes.join(", "),
                plan.estimated_total_cost,
                memory.assignment.brief.max_budget
            )),
            Event::WorkerStarted { task } => {
                self.running.insert(task.worker);
                None
            }
            Event::WorkerFinished { brought } => {
                self.running.remove(&brought.worker);
                Some(finished(brought))
            }
            Event::QualityMet { evaluation } => Some(format!("quality {:.2}: COMPLETE", evaluation.overall)),
            Event::QualityLow { evaluation, demand } => {
                let decision = if memory.should_continue { "CONTINUE" } else { "FORCE COMPLETE" };
                Some(format!("quality {:.2}: {decision}; {}", evaluation.overall, demand.feedback()))
            }
            _ => None,
        }
    }
}

/// A finished worker in one line.
fn finished(brought: &WorkerOutput) -> String {
    let name = brought.worker.name();
    let what = match (&brought.end.ending, &brought.result) {
        (TaskEnding::Failed { why }, _) => {
            format!("failed after {}: {why}", count(brought.attempts as usize, "attempt"))
        }
        (TaskEnding::Skipped { why }, _) => format!("skipped: {why}"),
        (_, WorkerResult::Sources { sources, facts, .. }) => {
            // Several searches of one worker find the same document.
            let documents: BTreeSet<&str> = sources.iter().map(|card| card.key()).collect();
            format!("{} from {}", count(facts.len(), "fact"), count(documents.len(), "document"))
        }
        (_, WorkerResult::Themes { key_themes, .. }) => count(key_themes.len(), "theme"),
        (_, WorkerResult::Checked { check, .. }) => {
            check.score.map_or_else(|| "not measured".to_owned(), |score| format!("{score:.2}"))
        }
        (_, WorkerResult::Written { draft, .. }) => count(draft.sentences().count(), "sentence"),
        _ => "done".to_owned(),
    };
    let kept = if brought.kept { " (kept)" } else { "" };
    format!("{name}  {what}{kept}")
}
