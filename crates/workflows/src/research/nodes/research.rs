//! RESEARCHING: runs the tasks of the graph. One dispatched task is one iteration; one finished task is one event.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use baton_engine::dag::{Done, Task, TaskEnd, TaskEnding, run as run_dag};
use baton_engine::{Cx, Fault, Question};

use super::tasks;
use crate::research::plan::{Duty, TaskKind};
use crate::research::{Event, Research, RunError, RunErrorKind, TaskOutput};

/// Tasks that may be under way at once; each has several steps, and the run has a limit for those.
const AT_ONCE: usize = 4;
/// Every this many iterations a person may be asked.
const CHECK_IN: u32 = 10;

/// Why nothing more is dispatched.
#[derive(Clone)]
enum Halt {
    Limit(u32),
    Person(String),
}

pub async fn run(cx: Cx<Research>) -> Result<Event, Fault> {
    let (dag, dispatched) = cx.read(|memory| (memory.dag.clone(), memory.iteration));
    let counter = AtomicU32::new(dispatched);
    let halt: Mutex<Option<Halt>> = Mutex::new(None);
    let work = |task: Task| one(&cx, task, &counter, &halt);
    let report = |end: TaskEnd, output: Option<Result<TaskOutput, String>>| {
        std::future::ready(Ok(finished(&cx, end, output)))
    };
    let dag = run_dag(&cx, dag, AT_ONCE, work, report).await?;
    let halted = lock(&halt).take();
    match halted {
        Some(Halt::Limit(max)) => {
            return Ok(Event::LimitReached { what: format!("the limit of {max} iterations") });
        }
        Some(Halt::Person(by)) => return Ok(Event::Refused { by }),
        None => {}
    }
    let prepared = TaskKind::Plan.id(1);
    match dag.lost().into_iter().find(|task| task.id == prepared) {
        Some(lost) => Ok(Event::Failed { trouble: unprepared(lost) }),
        None => Ok(Event::TasksDone),
    }
}

fn lock(halt: &Mutex<Option<Halt>>) -> MutexGuard<'_, Option<Halt>> {
    halt.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Dispatches a task and does it.
async fn one(
    cx: &Cx<Research>,
    task: Task,
    counter: &AtomicU32,
    halt: &Mutex<Option<Halt>>,
) -> Result<Done<Result<TaskOutput, String>>, Fault> {
    let (duty, max, check_in) = cx.read(|memory| {
        (memory.duties.get(&task.id).cloned(), memory.brief.max_iterations, memory.brief.check_in)
    });
    let Some(duty) = duty else { return Ok(Done::Skipped { why: "nobody knows what it is".to_owned() }) };
    if lock(halt).is_some() {
        return Ok(Done::Skipped { why: "the research was ended".to_owned() });
    }
    // Counted here and not read from memory: several tasks may be dispatched before one is journaled.
    let iteration = counter.load(Ordering::Relaxed) + 1;
    if iteration > max {
        *lock(halt) = Some(Halt::Limit(max));
        return Ok(Done::Skipped { why: format!("the limit of {max} iterations") });
    }
    counter.store(iteration, Ordering::Relaxed);
    let agent = duty.kind().agent().to_owned();
    cx.emit(Event::TaskDispatched { id: duty.id.0.clone(), agent, query: duty.query.clone() }).await?;
    if check_in && iteration.is_multiple_of(CHECK_IN) && !goes_on(cx, iteration, halt).await? {
        return Ok(Done::Skipped { why: "the research was ended".to_owned() });
    }
    let output = match duty.kind() {
        TaskKind::Plan => tasks::prepare(cx, &duty).await,
        TaskKind::Search => tasks::search(cx, &duty).await,
        TaskKind::Read => tasks::read(cx, &duty).await,
        TaskKind::Conflict => tasks::resolve(cx, &duty).await,
    };
    match Done::of(output)? {
        Done::Completed(output) => Ok(Done::Completed(Ok(output))),
        Done::Failed { why } | Done::Skipped { why } => Ok(Done::Completed(Err(why))),
    }
}

async fn goes_on(cx: &Cx<Research>, iteration: u32, halt: &Mutex<Option<Halt>>) -> Result<bool, Fault> {
    let (facts, sources) = cx.read(|memory| (memory.findings.len(), memory.sources.len()));
    let text = format!("{iteration} iterations, {facts} facts from {sources} sources so far. Go on?");
    let answer = cx.ask::<bool>(format!("check-{iteration}"), Question::yes_no(text)).await?;
    cx.emit(Event::CheckedIn { by: answer.by.clone(), iteration, goes_on: answer.value }).await?;
    if !answer.value {
        *lock(halt) = Some(Halt::Person(answer.by));
    }
    Ok(answer.value)
}

/// The end of a task and its event.
fn finished(
    cx: &Cx<Research>,
    mut end: TaskEnd,
    output: Option<Result<TaskOutput, String>>,
) -> (TaskEnd, Event) {
    let mut output = match output {
        Some(Ok(output)) => output,
        Some(Err(why)) => {
            end.ending = TaskEnding::Failed { why };
            TaskOutput::nothing(end.clone())
        }
        None => TaskOutput::nothing(end.clone()),
    };
    if let TaskEnding::Failed { .. } = &output.end.ending {
        end.ending = output.end.ending.clone();
        let duty = cx.read(|memory| memory.duties.get(&end.id).cloned());
        let known = |duty: &Duty| cx.read(|memory| memory.duties.contains_key(&duty.id));
        if let Some(duty) = duty.as_ref().and_then(compensation).filter(|duty| !known(duty)) {
            end.add.push(duty.task());
            end.fallback = Some(duty.id.clone());
            output.add.push(duty);
        }
    }

    output.end = end.clone();
    (end, Event::TaskFinished { brought: Box::new(output) })
}

/// A failed search is made up for once, with the telling words of its query alone.
fn compensation(failed: &Duty) -> Option<Duty> {
    if failed.kind() != TaskKind::Search || failed.makes_up_for.is_some() {
        return None;
    }
    let number: usize = failed.id.0.get(1..)?.parse().ok()?;
    Some(Duty {
        // Named after the task it makes up for, so that the name does not depend on what failed first.
        id: TaskKind::Search.id(number + 100),
        description: format!("Make up for {}: {}", failed.id, failed.description),
        makes_up_for: Some(failed.id.clone()),
        ..failed.clone()
    })
}

fn unprepared(lost: &Task) -> RunError {
    RunError {
        kind: RunErrorKind::Provider,
        message: format!(
            "the places to search could not be prepared: {}.",
            lost.why().unwrap_or("no reason given")
        ),
        recovery: "Nothing was lost; `baton resume` tries again.".to_owned(),
    }
}
