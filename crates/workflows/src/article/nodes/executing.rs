//! EXECUTING: the orchestrator. Runs the workers of the plan as a graph; three attempts each with 2 and 4 seconds between
//! them, then whoever stands in, then without them, unless there is no article without them.

use std::time::Duration;

use baton_agents::rules::words::content_stems;
use baton_engine::dag::{Done, Task, TaskEnd, TaskEnding, run as run_dag};
use baton_engine::{Cx, Fault, Limits};

use crate::article::memory::{WorkerTask, slot};
use crate::article::outcome::{ErrorType, FailureReport};
use crate::article::plan::Plan;
use crate::article::workers::{
    Category, Job, Trouble, Worker, WorkerOutput, WorkerResult, call, is_english, work,
};
use crate::article::{Article, Event, Memory};
use crate::retrieval::FoundFact;

/// Workers that may be under way at once.
const AT_ONCE: usize = 5;
/// Seconds before the second and the third attempt.
const WAITS: [u64; 2] = [2, 4];

/// What became of a worker.
struct Ended {
    call: String,
    kept: bool,
    attempts: u32,
    stood_in: Option<Worker>,
    result: Result<WorkerResult, TaskEnding>,
}

pub async fn run(cx: Cx<Article>) -> Result<Event, Fault> {
    let dag = cx.read(|memory| memory.dag.clone());
    let Some(plan) = cx.read(|memory| memory.current_plan.clone()) else {
        return Err(Fault::GaveUp("there is no plan to execute".to_owned()));
    };
    let iteration = cx.read(|memory| memory.iteration_count);
    let task = |task: Task| one(&cx, task, &plan, iteration);
    let report = |end: TaskEnd, ended: Option<Ended>| std::future::ready(Ok(finished(end, ended, iteration)));
    let dag = run_dag(&cx, dag, AT_ONCE, task, report).await?;
    if let Some(lost) = dag.lost().first() {
        let why = lost.why().unwrap_or("no reason given");
        let failed = format!("{} failed after 3 retries", lost.id);
        if let Some(error) = cx.read(nothing_found) {
            return Ok(Event::CriticalError { error });
        }
        let message = if why.is_empty() { failed } else { format!("{failed}: {why}") };
        return Ok(Event::CriticalError {
            error: FailureReport::new(ErrorType::WorkerExecutionError, message),
        });
    }
    match cx.read(nothing_found) {
        Some(error) => Ok(Event::CriticalError { error }),
        None => Ok(Event::WorkersDone),
    }
}

/// Whether what was found speaks of the topic: a search says so, or a fact has all the words of the topic in it or above
/// it. A topic is a name more often than a question, and a search judges questions.
fn is_addressed(memory: &Memory) -> bool {
    let mut topic = content_stems(&memory.assignment.brief.topic);
    // What an apostrophe leaves of a word says nothing.
    topic.retain(|stem| stem.len() > 1);
    let says = |fact: &FoundFact| {
        let title = memory.sources.get(&fact.fact.source).map_or("", |card| card.source.title.as_str());
        topic.is_subset(&content_stems(&format!("{title} {} {}", fact.heading, fact.fact.quote)))
    };
    memory.addressed || (!topic.is_empty() && memory.facts.values().any(says))
}

/// Why there is nothing to write from: nobody could look, or nobody found anything that speaks of the topic.
fn nothing_found(memory: &Memory) -> Option<FailureReport> {
    if !memory.facts.is_empty() && is_addressed(memory) && memory.draft().is_some() {
        return None;
    }
    let research = memory.outputs.values().filter(|output| output.worker.category() == Category::Research);
    let failed: Vec<&WorkerOutput> =
        research.clone().filter(|it| it.end.ending != TaskEnding::Completed).collect();
    if memory.facts.is_empty() && failed.len() == research.count() {
        let why = failed.iter().filter_map(|output| match &output.end.ending {
            TaskEnding::Failed { why } | TaskEnding::Skipped { why } => Some(why.as_str()),
            TaskEnding::Completed => None,
        });
        let why = why.collect::<Vec<_>>().first().copied().unwrap_or("no reason given");
        let message = format!("all research workers failed after 3 retries, the first because {why}");
        return Some(FailureReport::new(ErrorType::WorkerExecutionError, message));
    }
    let topic = &memory.assignment.brief.topic;
    if memory.facts.is_empty() || !is_addressed(memory) {
        let message = format!("nothing that was found addresses \"{topic}\", so no article was written");
        return Some(FailureReport::new(ErrorType::NoEvidence, message));
    }
    // A writer that gave up at once had nothing to write with; one that was tried again and again failed.
    let tried =
        memory.outputs.get(&slot(memory.iteration_count, Worker::ArticleWriter)).map_or(0, |it| it.attempts);
    if tried > 1 {
        return None;
    }
    // There are facts, and no article could be made of them: say so rather than write a list.
    let quotes: Vec<&str> = memory.facts.values().map(|fact| fact.fact.quote.as_str()).collect();
    let why = if is_english(&quotes.join(" ")) {
        "holds no sentence an article could be made of"
    } else {
        "is not in English, and rules write English alone: name a model as writer in [roles]"
    };
    let message = format!("what was found about \"{topic}\" {why}");
    Some(FailureReport::new(ErrorType::NoEvidence, message))
}

async fn one(cx: &Cx<Article>, task: Task, plan: &Plan, iteration: u32) -> Result<Done<Ended>, Fault> {
    let Some(worker) = Worker::ALL.iter().copied().find(|worker| worker.name() == task.id.0) else {
        return Ok(Done::Skipped { why: "nobody knows who that is".to_owned() });
    };
    let step =
        plan.steps.iter().find(|step| step.worker_ids.contains(&worker)).map(|step| step.step_id.clone());
    let (name, earlier) = cx.read(|memory| {
        let name = call(worker, memory, plan);
        let earlier = memory.earlier(&name).map(|output| output.result.clone());
        (name, earlier)
    });
    if let Some(result) = earlier {
        return Ok(Done::Completed(Ended {
            call: name,
            kept: true,
            attempts: 0,
            stood_in: None,
            result: Ok(result),
        }));
    }
    let started = WorkerTask { worker, iteration, step: step.unwrap_or_default() };
    cx.emit(Event::WorkerStarted { task: started }).await?;
    attempts(cx, worker, plan, iteration, name).await.map(Done::Completed)
}

/// Up to three attempts, then whoever stands in.
async fn attempts(
    cx: &Cx<Article>,
    worker: Worker,
    plan: &Plan,
    iteration: u32,
    call: String,
) -> Result<Ended, Fault> {
    let mut why = String::new();
    let ended = |attempts: u32, stood_in: Option<Worker>, result: Result<WorkerResult, TaskEnding>| Ended {
        call: call.clone(),
        kept: false,
        attempts,
        stood_in,
        result,
    };
    for attempt in 1..=3_u32 {
        match attempted(cx, worker, plan, iteration, attempt).await {
            Ok(result) => return Ok(ended(attempt, None, Ok(result))),
            Err(Trouble::Nothing(why)) => {
                let ending = if worker.is_critical() {
                    TaskEnding::Failed { why }
                } else {
                    TaskEnding::Skipped { why }
                };
                return Ok(ended(attempt, None, Err(ending)));
            }
            // Money that is used up skips what is optional; what is not ends the run.
            Err(Trouble::Fault(fault @ Fault::Budget { .. })) if !worker.is_critical() => {
                return Ok(ended(attempt, None, Err(TaskEnding::Skipped { why: fault.to_string() })));
            }
            Err(Trouble::Fault(fault)) => return Err(fault),
            Err(Trouble::Failed(failed)) => why = failed,
        }
        if let Some(seconds) = WAITS.get(attempt as usize - 1) {
            cx.sleep(format!("{worker}/wait{attempt}"), Duration::from_secs(*seconds)).await?;
        }
    }
    if let Some(other) = worker.fallback() {
        let there = cx.read(|memory| {
            let output = memory.outputs.get(&slot(iteration, other));
            output.is_some_and(|output| output.end.ending == TaskEnding::Completed)
        });
        // What the other brought, or will bring, is what there is instead.
        if there || plan.has(other) {
            return Ok(ended(3, Some(other), Err(TaskEnding::Failed { why })));
        }
        if let Ok(result) = attempted(cx, other, plan, iteration, 4).await {
            return Ok(ended(3, Some(other), Ok(result)));
        }
    }
    Ok(ended(3, None, Err(TaskEnding::Failed { why })))
}

async fn attempted(
    cx: &Cx<Article>,
    worker: Worker,
    plan: &Plan,
    iteration: u32,
    attempt: u32,
) -> Result<WorkerResult, Trouble> {
    let assignment = cx.read(|memory| memory.assignment.clone());
    let charged = cx.branch(worker.name(), Limits::NONE);
    let letter = match worker {
        Worker::WebSearch => "W",
        Worker::AcademicSearch => "A",
        Worker::NewsSearch => "N",
        Worker::SocialMedia => "S",
        Worker::WebScraper => "F",
        // Nobody else brings facts.
        _ => "X",
    };
    let again = ["", "b", "c", "d"].get(attempt as usize - 1).copied().unwrap_or("e");
    let job = Job {
        cx: &charged,
        worker,
        id: format!("{worker}/{attempt}"),
        code: format!("{letter}{iteration}{again}"),
        plan,
        assignment: &assignment,
    };
    work(&job).await
}

/// The end of a task and its event.
fn finished(mut end: TaskEnd, ended: Option<Ended>, iteration: u32) -> (TaskEnd, Event) {
    let worker =
        Worker::ALL.iter().copied().find(|worker| worker.name() == end.id.0).unwrap_or(Worker::Editor);
    let nothing = Ended {
        call: String::new(),
        kept: false,
        attempts: 0,
        stood_in: None,
        result: Err(end.ending.clone()),
    };
    let Ended { call, kept, attempts, stood_in, result } = ended.unwrap_or(nothing);
    let result = match result {
        Ok(result) => result,
        Err(ending) => {
            end.ending = ending;
            WorkerResult::Nothing
        }
    };
    let brought =
        WorkerOutput { end: end.clone(), worker, iteration, call, kept, attempts, stood_in, result };
    (end, Event::WorkerFinished { brought: Box::new(brought) })
}
