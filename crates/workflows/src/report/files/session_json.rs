//! session.json: where the run stands, in the seed's shape.

use baton_engine::View;
use baton_machine::Word;
use serde_json::{Value, json};

use crate::report::Report;
use crate::report::coverage::most_rounds;

/// The session.
pub fn render(view: &View<'_, Report>) -> Value {
    let memory = view.memory;
    let brief = memory.brief_or_rules();
    let coverage = memory.coverage();
    let all: Vec<String> = memory.plan.iter().flat_map(crate::report::Plan::ids).collect();
    let pending: Vec<&String> = all.iter().filter(|id| !memory.results.contains_key(*id)).collect();
    let completed: Vec<&String> = all.iter().filter(|id| memory.results.contains_key(*id)).collect();
    let (first, last) = times(view);
    let by_scope: serde_json::Map<String, Value> =
        coverage.by_scope.iter().map(|(id, scope)| (id.clone(), json!(scope.coverage_percent))).collect();
    json!({
        "id": view.run.as_str(),
        "query": memory.order.query,
        "phase": view.position.state.name(),
        "tags": memory.context.as_ref().map(|context| context.tags.clone()).unwrap_or_default(),
        "entities": memory.context.as_ref().map(|context| context.entities.clone()).unwrap_or_default(),
        "language": brief.language,
        "domain": brief.domain,
        "preferences": {
            "output_format": brief.preferences.output_format,
            "style": brief.preferences.style.name(),
            "depth": brief.preferences.depth.name(),
            "audience": brief.preferences.audience,
            "tone": brief.preferences.tone,
            "components": brief.preferences.components,
        },
        "execution": {
            "iteration": memory.round,
            "max_iterations": most_rounds(memory),
            "tasks_pending": pending,
            "tasks_completed": completed,
        },
        "coverage": {
            "current": coverage.overall_coverage,
            "target": coverage.target,
            "by_scope": by_scope,
        },
        "is_continuation": memory.order.continued.is_some(),
        "continued_from": memory.order.continued.as_ref().map(|it| it.run.clone()),
        "created_at": first,
        "updated_at": last,
    })
}

/// When the run began, and when something last happened to it.
pub fn times(view: &View<'_, Report>) -> (Option<String>, Option<String>) {
    let records = (view.records)();
    let time = |at: baton_engine::Millis| format!("{}T{}Z", at.day(), at.time_of_day());
    (records.first().map(|it| time(it.at)), records.last().map(|it| time(it.at)))
}
