//! RESEARCHING: runs the tasks of the graph. One dispatched task is one iteration; one finished task is one event.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use baton_engine::dag::{Done, Task, TaskEnd, TaskEnding, run as run_dag};
use baton_engine::{Cx, Fault, Question};
use serde_json::json;

use super::tasks;
use crate::markup::count;
use crate::research::plan::{Duty, TaskKind};
use crate::research::{Event, Memory, Research, RunError, RunErrorKind, TaskOutput};
use crate::retrieval::{FEW, telling};

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

/// How far dispatching is.
struct Pace {
    dispatched: AtomicU32,
    /// Whether a person is being asked about it.
    asks: AtomicBool,
}

pub async fn run(cx: Cx<Research>) -> Result<Event, Fault> {
    let (dag, dispatched) = cx.read(|memory| (memory.dag.clone(), memory.iteration));
    let pace = Pace { dispatched: AtomicU32::new(dispatched), asks: AtomicBool::new(false) };
    let halt: Mutex<Option<Halt>> = Mutex::new(None);
    let work = |task: Task| one(&cx, task, &pace, &halt);
    let report = |end: TaskEnd, output: Option<Result<TaskOutput, String>>| {
        std::future::ready(Ok(finished(&cx, end, output)))
    };
    let dag = run_dag(&cx, dag, AT_ONCE, work, report).await?;
    let halted = lock(&halt).take();
    match halted {
        Some(Halt::Limit(max)) => {
            return Ok(Event::LimitReached { what: limit(max) });
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

fn limit(max: u32) -> String {
    format!("the limit of {}", count(max as usize, "iteration"))
}

fn lock(halt: &Mutex<Option<Halt>>) -> MutexGuard<'_, Option<Halt>> {
    halt.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Dispatches a task and does it.
async fn one(
    cx: &Cx<Research>,
    task: Task,
    pace: &Pace,
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
    let iteration = pace.dispatched.load(Ordering::Relaxed) + 1;
    if iteration > max {
        *lock(halt) = Some(Halt::Limit(max));
        return Ok(Done::Skipped { why: limit(max) });
    }
    pace.dispatched.store(iteration, Ordering::Relaxed);
    let agent = duty.kind().agent().to_owned();
    cx.emit(Event::TaskDispatched { id: duty.id.0.clone(), agent, query: duty.query.clone() }).await?;
    // One question at a time: who has not answered the last is not asked the same again.
    if check_in && iteration.is_multiple_of(CHECK_IN) && !pace.asks.swap(true, Ordering::Relaxed) {
        let goes_on = goes_on(cx, iteration, halt).await?;
        pace.asks.store(false, Ordering::Relaxed);
        if !goes_on {
            return Ok(Done::Skipped { why: "the research was ended".to_owned() });
        }
    }
    let mut again = 0;
    loop {
        let done = attempt(cx, &duty, again).await?;
        let failed = match &done {
            Ok(TaskOutput { end: TaskEnd { ending: TaskEnding::Failed { why }, .. }, .. }) | Err(why) => {
                why.clone()
            }
            Ok(_) => return Ok(Done::Completed(done)),
        };
        if !cx.read(|memory| is_last_hope(&duty, memory)) {
            return Ok(Done::Completed(done));
        }
        match escalated(cx, &duty, &failed, again, halt).await? {
            Escalation::Again => again += 1,
            Escalation::GoOn => return Ok(Done::Completed(done)),
        }
    }
}

/// One try of a task; what a provider refused is its failure.
async fn attempt(cx: &Cx<Research>, duty: &Duty, again: u32) -> Result<Result<TaskOutput, String>, Fault> {
    let output = match duty.kind() {
        TaskKind::Plan => tasks::prepare(cx, duty).await,
        TaskKind::Search => tasks::search(cx, duty, again).await,
        TaskKind::Read => tasks::read(cx, duty).await,
        TaskKind::Conflict => tasks::resolve(cx, duty).await,
    };
    Ok(match Done::of(output)? {
        Done::Completed(output) => Ok(output),
        Done::Failed { why } | Done::Skipped { why } => Err(why),
    })
}

/// Whether a search was the second try for something that nothing else covers.
fn is_last_hope(duty: &Duty, memory: &Memory) -> bool {
    duty.kind() == TaskKind::Search
        && duty.critical
        && duty.makes_up_for.is_some()
        && !memory.every_search_failed()
}

enum Escalation {
    Again,
    GoOn,
}

/// Tries that a person may ask for, one after the other.
const MOST_AGAIN: u32 = 9;

/// Asks a person what to do about a critical task that failed twice.
async fn escalated(
    cx: &Cx<Research>,
    duty: &Duty,
    why: &str,
    again: u32,
    halt: &Mutex<Option<Halt>>,
) -> Result<Escalation, Fault> {
    if again == MOST_AGAIN {
        return Ok(Escalation::GoOn);
    }
    let part = cx.read(|memory| duty.dimension.map(|at| memory.label(at)).unwrap_or_default());
    let text = format!(
        "{} failed, and so did the second try with other words: {}. Nothing else covers \"{part}\". \
         Go on without it? (yes; no ends the research with what was found; again tries once more)",
        duty.makes_up_for.as_ref().unwrap_or(&duty.id),
        why.trim_end_matches('.'),
    );
    let question = Question::new(text, json!({"enum": ["yes", "no", "again"]}));
    let answer = cx.ask::<String>(format!("critical-{}-{again}", duty.id), question).await?;
    if answer.value == "no" {
        *lock(halt) = Some(Halt::Person(answer.by));
    }
    Ok(if answer.value == "again" { Escalation::Again } else { Escalation::GoOn })
}

async fn goes_on(cx: &Cx<Research>, iteration: u32, halt: &Mutex<Option<Halt>>) -> Result<bool, Fault> {
    let (facts, sources) = cx.read(|memory| {
        let facts = memory.facts();
        (count(facts.all().len(), "fact"), count(facts.sources().len(), "source"))
    });
    let text = format!("{iteration} iterations, {facts} from {sources} so far. Go on?");
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
        let again = duty.as_ref().map_or_else(Vec::new, compensation);
        if !again.is_empty() && !again.iter().any(known) {
            end.add.extend(again.iter().map(Duty::task));
            end.fallback = again.last().map(|duty| duty.id.clone());
            output.add.extend(again);
        }
    }

    output.end = end.clone();
    (end, Event::TaskFinished { brought: Box::new(output) })
}

/// What failed is tried once more in another way: a search with its most telling words alone, a reading with what such a
/// search finds.
fn compensation(failed: &Duty) -> Vec<Duty> {
    let number = failed.id.0.get(1..).and_then(|number| number.parse::<usize>().ok());
    let (Some(number), None) = (number, &failed.makes_up_for) else { return Vec::new() };
    // Named after the task it makes up for, so that the name does not depend on what failed first.
    let search = |more: usize| Duty {
        id: TaskKind::Search.id(number + more),
        description: format!("Make up for {}: {}", failed.id, failed.description),
        query: alternative(&failed.query),
        makes_up_for: Some(failed.id.clone()),
        ..failed.clone()
    };
    match failed.kind() {
        TaskKind::Search => vec![search(100)],
        // What a search of other words finds may be readable where this was not.
        TaskKind::Read => {
            let found =
                Duty { depends_on: BTreeSet::new(), critical: false, makes_up_for: None, ..search(200) };
            let read = Duty {
                id: TaskKind::Read.id(number + 100),
                query: failed.query.clone(),
                depends_on: [found.id.clone()].into(),
                ..search(100)
            };
            vec![found, read]
        }
        TaskKind::Plan | TaskKind::Conflict => Vec::new(),
    }
}

/// Other words for the same: the few that tell most, else half of them.
fn alternative(query: &str) -> String {
    let few = telling(query, FEW);
    let words: Vec<&str> = few.split_whitespace().collect();
    if few != query && !few.is_empty() { few } else { words[..words.len().div_ceil(2)].join(" ") }
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
