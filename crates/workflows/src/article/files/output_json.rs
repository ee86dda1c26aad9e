//! output.json: the seed's FinalOutput with what it cost and how long it took, or its error response.

use baton_engine::history::EntryBody;
use baton_engine::{Millis, View};
use serde_json::{Map, Value, json};

use crate::article::workers::Category;
use crate::article::{Article, Memory};

/// The output, or why there is none; nothing before the end.
pub fn render(view: &View<'_, Article>) -> Option<Value> {
    let memory = view.memory;
    if let Some(failure) = &memory.failure {
        return Some(json!({
            "status": "failed",
            "error": {
                "type": failure.kind,
                "message": failure.message,
                "phase": failure.phase,
                "execution_id": memory.assignment.execution_id,
            },
            "partial_results": {
                "research_results": memory.results(Category::Research),
                "analysis_results": memory.results(Category::Analysis),
                "writing_results": memory.results(Category::Writing),
                "cost_incurred": usd(view.purse.spent.micro_usd),
            },
        }));
    }
    let output = memory.final_output.as_ref()?;
    let mut value = serde_json::to_value(output).ok()?;
    let object = value.as_object_mut()?;
    let iterations = object.shift_remove("iteration_count");
    let improvement = object.shift_remove("improvement");
    let mut metrics = metrics(view, memory);
    metrics.insert("iteration_count".to_owned(), iterations.unwrap_or_default());
    metrics.extend(improvement.map(|words| ("improvement".to_owned(), words)));
    object.insert("metrics".to_owned(), Value::Object(metrics));
    Some(value)
}

/// Dollars of millionths.
pub fn usd(micro: u64) -> f64 {
    micro as f64 / 1e6
}

/// When the run began and when it came to where it stands.
pub fn times(view: &View<'_, Article>) -> (Option<Millis>, Option<Millis>) {
    let mut first = None;
    let mut last = None;
    for entry in view.history() {
        first.get_or_insert(entry.at);
        if matches!(entry.body, EntryBody::Transition(_)) {
            last = Some(entry.at);
        }
    }
    (first, last)
}

fn metrics(view: &View<'_, Article>, memory: &Memory) -> Map<String, Value> {
    let (first, last) = times(view);
    let took = first.zip(last).map(|(first, last)| last.since(first).as_secs_f64());
    let tasks = memory.tasks();
    let count = |status: &str| tasks.iter().filter(|task| task.status == status).count();
    let breakdown: Map<String, Value> =
        view.purse.branches.iter().map(|(name, spend)| (name.clone(), json!(usd(spend.micro_usd)))).collect();
    let mut workers: Vec<&str> = tasks.iter().map(|task| task.worker_id.name()).collect();
    workers.sort_unstable();
    workers.dedup();
    let metrics = json!({
        "total_duration_seconds": took,
        "total_cost": usd(view.purse.spent.micro_usd),
        "cost_breakdown": breakdown,
        "total_tokens": view.purse.spent.tokens,
        "workers_used": workers,
        "total_tasks": tasks.len(),
        "successful_tasks": count("COMPLETED"),
        "failed_tasks": count("FAILED"),
        "re_planning_count": memory.plan_history.len(),
    });
    match metrics {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
