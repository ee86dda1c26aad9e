//! execution: does the pending tasks. One finished task is one event; a failed one is a gap, not an end.

mod documents;

use baton_engine::dag::{Done, Task as Node, TaskEnd, TaskEnding, run as run_dag};
use baton_engine::{Cx, Fault};

use crate::report::acts::{ComputeAnswers, FindFindings};
use crate::report::plan::{DataTask, Task};
use crate::report::results::Outcome;
use crate::report::{Event, Report, TaskKind, TaskResult};

/// Tasks that may be under way at once.
const AT_ONCE: usize = 4;

pub async fn run(cx: Cx<Report>) -> Result<Event, Fault> {
    let (dag, round) = cx.read(|memory| (memory.dag.clone(), memory.round));
    let work = |task: Node| one(&cx, task, round);
    let report =
        |end: TaskEnd, result: Option<TaskResult>| std::future::ready(Ok(finished(end, result, round)));
    run_dag(&cx, dag, AT_ONCE, work, report).await?;
    Ok(Event::TasksDone)
}

async fn one(cx: &Cx<Report>, node: Node, round: u32) -> Result<Done<TaskResult>, Fault> {
    let plan = cx.read(|memory| memory.plan.clone());
    let end = TaskEnd::new(node.id.clone(), TaskEnding::Completed);
    let done = match plan.as_ref().and_then(|plan| plan.task(&node.id.0)) {
        None => return Ok(Done::Skipped { why: "nobody knows what it is".to_owned() }),
        Some(Task::Data(task)) => data(cx, task, end, round).await,
        Some(Task::Overview(task)) => documents::overview(cx, task, end, round).await,
        Some(Task::Research(task)) => documents::research(cx, task, end, round).await,
    };
    Done::of(done)
}

/// The end of a task and its event.
fn finished(end: TaskEnd, result: Option<TaskResult>, round: u32) -> (TaskEnd, Event) {
    let brought = match result {
        Some(result) => TaskResult { end: end.clone(), ..result },
        None => {
            let why = match &end.ending {
                TaskEnding::Failed { why } | TaskEnding::Skipped { why } => why.clone(),
                TaskEnding::Completed => String::new(),
            };
            let kind = match end.id.0.chars().next() {
                Some('o') => TaskKind::Overview,
                Some('r') => TaskKind::Research,
                _ => TaskKind::Data,
            };
            let mut nothing = TaskResult::nothing(end.clone(), kind, "", "", round);
            nothing.errors.push(why);
            nothing
        }
    };
    (end, Event::TaskFinished { brought: Box::new(brought) })
}

/// Computes what a data task asks.
async fn data(cx: &Cx<Report>, task: &DataTask, end: TaskEnd, round: u32) -> Result<TaskResult, Fault> {
    let mut result = TaskResult::nothing(end, TaskKind::Data, &task.scope_item_id, &task.question, round);
    let (kept, hashes) = cx.read(|memory| {
        let context = memory.context.as_ref();
        (context.and_then(|it| it.kept.clone()), context.map(|it| it.hashes.clone()).unwrap_or_default())
    });
    let Some(kept) = kept else {
        result.errors.push("there is no table to compute with".to_owned());
        return Ok(result);
    };
    if task.asks.is_empty() {
        match cx.step(format!("{}/find", task.id), &FindFindings { kept, hashes }).await {
            Ok(found) => {
                result.status = Outcome::Done;
                result.findings = found.findings;
            }
            Err(Fault::Failed { text, .. }) => result.errors.push(text),
            Err(fault) => return Err(fault),
        }
        return Ok(result);
    }
    let act = ComputeAnswers { kept, hashes, questions: task.asks.clone() };
    match cx.step(format!("{}/compute", task.id), &act).await {
        Ok(computed) => {
            let asked = computed.answers.first().is_some_and(|answer| !answer.figures.is_empty());
            let some = computed.answers.iter().any(|answer| !answer.figures.is_empty());
            result.status = match (asked, some) {
                (true, _) => Outcome::Done,
                (false, true) => Outcome::Partial,
                (false, false) => Outcome::Failed,
            };
            result.errors.extend(computed.answers.iter().filter_map(|answer| answer.refused.clone()));
            result.answers = computed.answers;
        }
        Err(Fault::Failed { text, .. }) => result.errors.push(text),
        Err(fault) => return Err(fault),
    }
    Ok(result)
}
