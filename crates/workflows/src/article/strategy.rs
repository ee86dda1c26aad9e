//! The strategy: makes a plan fit its time and its budget, and says what that saved. Pure.

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use super::brief::Assignment;
use super::demand::Demand;
use super::plan::{Mode, Plan, cents};
use super::workers::{Category, Worker};

/// Optional workers in the order they are given up.
pub const GIVEN_UP: [Worker; 13] = [
    Worker::SocialMedia,
    Worker::SeoOptimizer,
    Worker::PlagiarismChecker,
    Worker::ReadabilityChecker,
    Worker::Summarization,
    Worker::InsightExtractor,
    Worker::ConclusionWriter,
    Worker::IntroductionWriter,
    Worker::WebScraper,
    Worker::NewsSearch,
    Worker::AcademicSearch,
    Worker::CitationFormatter,
    Worker::ContentSynthesizer,
];

/// What optimising a plan saved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Savings {
    /// Seconds.
    pub time_saved: f64,
    /// US dollars.
    pub cost_saved: f64,
    /// Steps that were merged into another.
    pub merged: usize,
    /// Workers that were given up.
    pub removed: Vec<Worker>,
    /// Whether budget and time are kept.
    pub feasible: bool,
}

/// Makes a plan fit. `left` is what may still be spent, in US dollars. What a demand asks for is given up last.
#[must_use]
pub fn optimise(
    mut plan: Plan,
    assignment: &Assignment,
    demand: Option<&Demand>,
    left: f64,
) -> (Plan, Savings) {
    let (cost, time) = (plan.estimated_total_cost, plan.estimated_total_time);
    let mut savings = Savings::default();
    merge(&mut plan, &mut savings);
    parallelise(&mut plan);
    plan.estimate(assignment);
    let budget = assignment.brief.max_budget.min(left);
    cheapen(&mut plan, assignment, demand, &mut savings, budget);
    hasten(&mut plan, assignment, demand, &mut savings);
    plan.number();
    plan.estimate(assignment);
    savings.time_saved = time - plan.estimated_total_time;
    savings.cost_saved = cents(cost - plan.estimated_total_cost);
    savings.feasible = plan.estimated_total_cost <= budget + 1e-9
        && plan.estimated_total_time <= assignment.brief.max_time as f64;
    if plan.optimization_notes.is_empty() {
        plan.optimization_notes.push("No optimization needed (under budget)".to_owned());
    }
    (plan, savings)
}

/// Reading in full only needs what the searches bring, and the graph knows that: no step of its own.
fn merge(plan: &mut Plan, savings: &mut Savings) {
    let Some(at) = plan.steps.iter().position(|step| step.worker_ids == [Worker::WebScraper]) else { return };
    let before = at.checked_sub(1).filter(|before| plan.steps[*before].phase == Category::Research);
    let Some(before) = before else { return };
    plan.steps.remove(at);
    plan.steps[before].worker_ids.push(Worker::WebScraper);
    plan.steps[before].execution_mode = Mode::Parallel;
    savings.merged += 1;
    plan.optimization_notes.push("Merged finding and reading into one step".to_owned());
    plan.number();
}

/// Whoever needs nothing of the others in a step need not wait for them.
fn parallelise(plan: &mut Plan) {
    for step in &mut plan.steps {
        if step.execution_mode == Mode::Sequential && step.worker_ids.len() > 1 {
            step.execution_mode = Mode::Parallel;
            let what = format!("{:?}", step.phase).to_lowercase();
            plan.optimization_notes.push(format!("Parallelized {what}; who needs another still waits"));
        }
    }
}

fn cheapen(
    plan: &mut Plan,
    assignment: &Assignment,
    demand: Option<&Demand>,
    savings: &mut Savings,
    budget: f64,
) {
    if plan.estimated_total_cost <= budget + 1e-9 {
        return;
    }
    let over = format!("Over budget: {:.2} USD of {budget:.2}", plan.estimated_total_cost);
    plan.optimization_notes.push(over);
    let costs = |worker: Worker| worker.estimate(assignment).usd > 0.0;
    let is_over = |plan: &Plan| plan.estimated_total_cost > budget + 1e-9;
    give_up(plan, assignment, demand, savings, costs, is_over);
    if plan.estimated_total_cost > budget + 1e-9 {
        plan.optimization_notes.push("Cannot reduce cost further".to_owned());
    }
}

fn hasten(plan: &mut Plan, assignment: &Assignment, demand: Option<&Demand>, savings: &mut Savings) {
    let most = assignment.brief.max_time as f64;
    if plan.estimated_total_time <= most {
        return;
    }
    plan.optimization_notes.push(format!("Over time: {:.0} s of {most:.0}", plan.estimated_total_time));
    give_up(plan, assignment, demand, savings, |_| true, |plan| plan.estimated_total_time > most);
}

/// Gives up optional workers, in order, while the plan is over; those a demand asks for only in a second round.
fn give_up(
    plan: &mut Plan,
    assignment: &Assignment,
    demand: Option<&Demand>,
    savings: &mut Savings,
    helps: impl Fn(Worker) -> bool,
    is_over: impl Fn(&Plan) -> bool,
) {
    let demanded = demand.map(Demand::workers).unwrap_or_default();
    let first = GIVEN_UP.iter().filter(|worker| !demanded.contains(worker));
    let last = GIVEN_UP.iter().filter(|worker| demanded.contains(worker));
    for worker in first.chain(last) {
        if !is_over(plan) {
            return;
        }
        if plan.has(*worker) && helps(*worker) {
            for step in &mut plan.steps {
                step.worker_ids.retain(|one| one != worker);
            }
            savings.removed.push(*worker);
            plan.optimization_notes.push(format!("Removed optional {} worker", worker.name()));
            plan.number();
            plan.estimate(assignment);
        }
    }
}
