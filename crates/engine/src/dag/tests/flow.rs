//! A tiny workflow whose one node runs a graph. What each task does is part of the input.

use std::collections::BTreeMap;

use async_trait::async_trait;
use baton_machine::{Kind, Outcome, Row, Verdict, Workflow, events, transitions, words};
use serde::{Deserialize, Serialize};

use crate::dag::{Dag, Done, Task, TaskEnd, run};
use crate::{Act, AfterCrash, Call, Cx, Failure, Fault, Node, Paid, Perform, Work, node};

words! {
    pub enum State { Working = "WORKING", Completed = "COMPLETED", Failed = "FAILED" }
}

events! {
    pub enum Event as On {
        TaskStarted { id: String } = "TASK_STARTED",
        TaskEnded { end: TaskEnd, brought: Option<String> } = "TASK_ENDED",
        TryAgain { why: String } = "TRY_AGAIN",
        Over = "OVER",
    }
}

/// What a task does besides completing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Does {
    /// Its second step fails.
    Fails,
    /// Its second step never comes back.
    Hangs,
    /// It gives up on purpose.
    GivesUp,
    /// It is the node's fault the first time, and completes when the node is tried again.
    Breaks,
    /// Adds tasks when it ends.
    Adds(Vec<Task>),
    /// Fails, and adds a task that stands in for it.
    Finds(Task),
    /// Fails, and everything else is called off.
    CallsOff,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    pub tasks: Vec<Task>,
    pub limit: usize,
    pub does: BTreeMap<String, Does>,
    /// Whether a broken node is tried again by the table, rather than stopped.
    pub again: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    pub plan: Plan,
    pub dag: Dag,
    pub brought: BTreeMap<String, String>,
    pub ends: BTreeMap<String, u32>,
    pub tries: u32,
    pub broke: Vec<String>,
    pub trouble: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Errands;

impl Workflow for Errands {
    const NAME: &'static str = "errands";
    const START: State = State::Working;
    const TABLE: &'static [Row<Self>] = transitions! {
        Working + TaskStarted               => stay;
        Working + TaskEnded                 => stay;
        Working + TryAgain                  => same at most 3;
        Working + TryAgain                  => Failed;
        Working + Over      if nothing_lost => Completed;
        Working + Over                      => Failed;
    };

    type State = State;
    type On = On;
    type Event = Event;
    type Input = Plan;
    type Memory = Memory;

    fn begin(plan: &Plan) -> Memory {
        let (dag, trouble) = match Dag::new(plan.tasks.clone()) {
            Ok(dag) => (dag, Vec::new()),
            Err(error) => (Dag::default(), vec![error.to_string()]),
        };
        let (brought, ends) = (BTreeMap::new(), BTreeMap::new());
        Memory { plan: plan.clone(), dag, brought, ends, tries: 0, broke: Vec::new(), trouble }
    }

    fn learn(memory: &mut Memory, event: &Event) {
        let folded = match event {
            Event::TaskStarted { id } => memory.dag.start(&id.as_str().into()),
            Event::TaskEnded { end, brought } => {
                *memory.ends.entry(end.id.0.clone()).or_insert(0) += 1;
                memory.brought.extend(brought.clone().map(|brought| (end.id.0.clone(), brought)));
                memory.dag.apply(end)
            }
            Event::TryAgain { why } => {
                memory.tries += 1;
                memory.broke.push(why.clone());
                Ok(())
            }
            Event::Over => Ok(()),
        };
        memory.trouble.extend(folded.err().map(|error| error.to_string()));
    }

    fn kind(state: State) -> Kind {
        match state {
            State::Working => Kind::Works,
            State::Completed => Kind::Ends(Outcome::Completed),
            State::Failed => Kind::Ends(Outcome::Failed),
        }
    }
}

fn nothing_lost(memory: &Memory) -> Verdict {
    let lost = memory.dag.lost().len();
    Verdict::of(lost == 0).saw("lost", lost)
}

impl Work for Errands {
    const CODE_VERSION: u32 = 1;

    fn node(state: State) -> Option<Node<Self>> {
        (state == State::Working).then(|| node(working))
    }

    fn title(_plan: &Plan) -> String {
        "errands".to_owned()
    }
}

async fn working(cx: Cx<Errands>) -> Result<Event, Fault> {
    let (dag, limit) = cx.read(|memory| (memory.dag.clone(), memory.plan.limit));
    let ran =
        run(&cx, dag, limit, |task| work(cx.clone(), task), |end, brought| report(cx.clone(), end, brought));
    match ran.await {
        Ok(dag) => {
            let same = cx.read(|memory| memory.dag == dag);
            assert!(same, "memory and the graph that was run tell the same story");
            Ok(Event::Over)
        }
        Err(Fault::GaveUp(why)) if cx.read(|memory| memory.plan.again) => Ok(Event::TryAgain { why }),
        Err(fault) => Err(fault),
    }
}

fn does(cx: &Cx<Errands>, task: &str) -> Option<Does> {
    cx.read(|memory| memory.plan.does.get(task).cloned())
}

/// A task takes two steps; the first always succeeds.
async fn work(cx: Cx<Errands>, task: Task) -> Result<Done<String>, Fault> {
    let id = task.id.0;
    let does = does(&cx, &id);
    cx.emit(Event::TaskStarted { id: id.clone() }).await?;
    cx.step(format!("{id}/go"), &Errand { task: id.clone(), fails: false, hangs: false }).await?;
    match does {
        Some(Does::GivesUp) => return Ok(Done::Skipped { why: "not today".to_owned() }),
        Some(Does::Breaks) if cx.read(|memory| memory.tries == 0) => {
            return Err(Fault::GaveUp(format!("{id} broke the node")));
        }
        _ => {}
    }
    let fails = matches!(does, Some(Does::Fails | Does::Finds(_) | Does::CallsOff));
    let errand = Errand { task: id.clone(), fails, hangs: does == Some(Does::Hangs) };
    Done::of(cx.step(format!("{id}/fetch"), &errand).await)
}

async fn report(
    cx: Cx<Errands>,
    mut end: TaskEnd,
    brought: Option<String>,
) -> Result<(TaskEnd, Event), Fault> {
    match does(&cx, &end.id.0) {
        Some(Does::Adds(tasks)) => end.add = tasks,
        Some(Does::Finds(task)) => {
            end.fallback = Some(task.id.clone());
            end.add = vec![task];
        }
        Some(Does::CallsOff) => end.cancel_rest = Some(format!("{} is lost", end.id)),
        _ => {}
    }
    Ok((end.clone(), Event::TaskEnded { end, brought }))
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Errand {
    task: String,
    fails: bool,
    hangs: bool,
}

impl Act for Errand {
    const KIND: &'static str = "errand";
    type Out = String;
    fn after_crash(&self) -> AfterCrash {
        AfterCrash::OnceMore
    }
}

/// Does what the errand says, after giving way a few times so that others are in flight beside it.
pub struct Runner;

#[async_trait]
impl Perform<Errand> for Runner {
    async fn perform(&self, act: Errand, call: &Call) -> Result<Paid<String>, Failure> {
        tokio::task::yield_now().await;
        if act.hangs {
            std::future::pending::<()>().await;
        }
        if act.fails {
            return Err(Failure::lasting(format!("{} is out of stock", act.task)));
        }
        Ok(Paid::free(format!("{} for {}", call.key.name, act.task)))
    }
}
