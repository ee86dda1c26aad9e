//! state.json: the seed's AgentState, with times from the journal and costs from the ledger.

use baton_engine::View;
use baton_engine::history::EntryBody;
use baton_machine::Word;
use serde_json::{Value, json};

use super::output_json::{times, usd};
use crate::article::workers::Category;
use crate::article::{Article, MAX_ITERATIONS, State};

/// The state.
pub fn render(view: &View<'_, Article>) -> Value {
    let memory = view.memory;
    let (first, last) = times(view);
    let is_over = matches!(view.position.state, State::Completed | State::Failed);
    let time = |at: baton_engine::Millis| format!("{}T{}Z", at.day(), at.time_of_day());
    let changes: Vec<Value> = view
        .history()
        .filter_map(|entry| match entry.body {
            EntryBody::Transition(moved) if moved.from != moved.to => Some(json!({
                "from": moved.from.name().to_lowercase(),
                "to": moved.to.name().to_lowercase(),
                "timestamp": time(entry.at),
            })),
            _ => None,
        })
        .collect();
    let tasks = memory.tasks();
    let with = |status: &str| tasks.iter().filter(|task| task.status == status).count();
    let steps = memory.current_plan.as_ref().map_or(0, |plan| {
        let open = |worker| {
            tasks.iter().any(|task| {
                task.worker_id == worker
                    && task.iteration == memory.iteration_count
                    && matches!(task.status.as_str(), "PENDING" | "BLOCKED" | "IN_PROGRESS")
            })
        };
        plan.steps.iter().take_while(|step| !step.worker_ids.iter().any(|worker| open(*worker))).count()
    });
    json!({
        "execution_id": memory.assignment.execution_id,
        "current_phase": view.position.state.name().to_lowercase(),
        "brief": memory.assignment.brief,
        "brief_analysis": memory.brief_analysis,
        "current_plan": memory.current_plan,
        "plan_history": memory.plan_history,
        "iteration_count": memory.iteration_count,
        "max_iterations": MAX_ITERATIONS,
        "current_step_index": steps,
        "phase_history": changes,
        "agent_actions": memory.agent_actions,
        "all_tasks": tasks,
        "completed_tasks": with("COMPLETED"),
        "failed_tasks": with("FAILED"),
        "research_results": memory.results(Category::Research),
        "analysis_results": memory.results(Category::Analysis),
        "writing_results": memory.results(Category::Writing),
        "quality_results": memory.results(Category::Quality),
        "quality_score": memory.quality(),
        "completeness_score": memory.evaluations.last().map(|it| it.article.score),
        "should_continue": memory.should_continue,
        "feedback": memory.feedback,
        "total_cost": usd(view.purse.spent.micro_usd),
        "cost_by_worker": view.purse.branches.iter().map(|(name, spend)| (name.clone(), json!(usd(spend.micro_usd)))).collect::<serde_json::Map<_, _>>(),
        "total_tokens": view.purse.spent.tokens,
        "warnings": memory.warnings.values().collect::<Vec<_>>(),
        "errors": memory.failure.iter().map(|failure| &failure.message).collect::<Vec<_>>(),
        "started_at": first.map(time),
        "completed_at": last.filter(|_| is_over).map(time),
        "duration": first.zip(last).filter(|_| is_over).map(|(first, last)| last.since(first).as_secs_f64()),
    })
}
