//! Runs a graph inside a node: what is ready, under a limit, one journaled event for each task that ends.
//!
//! Nothing here waits for anything but the [`Cx`], and polling is in a fixed order, so a replay takes the
//! same turns. Names derive from task ids, never from the order in which tasks come back.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use baton_machine::Workflow;
use futures::StreamExt;
use futures::future::{Either, select};
use futures::stream::FuturesUnordered;

use super::graph::Dag;
use super::task::{Task, TaskEnd, TaskEnding, TaskId};
use crate::{Cx, Fault, StopReason};

/// What the work of a task came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Done<T> {
    /// It did what it was for, and brought this.
    Completed(T),
    /// It did not.
    Failed {
        /// What went wrong.
        why: String,
    },
    /// It gave up on purpose.
    Skipped {
        /// The reason.
        why: String,
    },
}

impl<T> Done<T> {
    /// Takes a provider that failed, or a person who did not answer, as a failed task. A budget that is used
    /// up, or code that is broken, concerns the whole node and stays a fault.
    pub fn of(result: Result<T, Fault>) -> Result<Self, Fault> {
        match result {
            Ok(value) => Ok(Self::Completed(value)),
            Err(fault) if fault.stop_reason() == StopReason::Provider => {
                Ok(Self::Failed { why: fault.to_string() })
            }
            Err(fault) => Err(fault),
        }
    }

    fn split(self) -> (TaskEnding, Option<T>) {
        match self {
            Self::Completed(value) => (TaskEnding::Completed, Some(value)),
            Self::Failed { why } => (TaskEnding::Failed { why }, None),
            Self::Skipped { why } => (TaskEnding::Skipped { why }, None),
        }
    }
}

/// Runs a graph until every task is final, at most `limit` tasks at a time (and never fewer than one).
///
/// * `work` does a task. It names its steps `{id}` or `{id}/something`; `{id}/timeout` is taken.
/// * `report` is told how a task ended and what it brought. It returns that end, with what follows from it
///   (added tasks, a fallback found late, everything else called off), and the event to journal. The end is
///   applied to the graph first, so one that does not fit is a fault and is never journaled.
///
/// The workflow folds each end into its memory with [`Dag::apply`], and passes the remembered graph when its
/// node is tried again: tasks that are final are left alone, those that were IN_PROGRESS are done again.
///
/// A fault of `work` or `report` ends the node, but not at once: nothing new begins, what is under way is
/// brought to its end and journaled, and then the first fault is returned. Its task is not final.
///
/// A timeout counts from the beginning of the task, also while its steps wait for a free slot or the process
/// is down; a task that is tried again gets its whole time again.
pub async fn run<W, T, F, Worked, R, Reported>(
    cx: &Cx<W>,
    mut dag: Dag,
    limit: usize,
    work: F,
    report: R,
) -> Result<Dag, Fault>
where
    W: Workflow,
    F: Fn(Task) -> Worked,
    Worked: Future<Output = Result<Done<T>, Fault>>,
    R: Fn(TaskEnd, Option<T>) -> Reported,
    Reported: Future<Output = Result<(TaskEnd, W::Event), Fault>>,
{
    dag.begin_again();
    let mut flying = FuturesUnordered::new();
    let mut fault = None;
    loop {
        if fault.is_none() {
            for task in dag.start_ready(limit.max(1).saturating_sub(flying.len())) {
                flying.push(one(cx, task, &work, &report));
            }
        }
        let Some((id, ended)) = flying.next().await else { break };
        let journaled = match ended {
            Ok((end, event)) => journal(cx, &mut dag, &id, end, event).await,
            Err(fault) => Err(fault),
        };
        match journaled {
            Ok(true) => flying.clear(),
            Ok(false) => {}
            Err(new) => _ = fault.get_or_insert(new),
        }
    }
    fault.map_or(Ok(dag), Err)
}

/// One task from its beginning to the event that tells of its end.
async fn one<W, T, F, Worked, R, Reported>(
    cx: &Cx<W>,
    task: Task,
    work: &F,
    report: &R,
) -> (TaskId, Result<(TaskEnd, W::Event), Fault>)
where
    W: Workflow,
    F: Fn(Task) -> Worked,
    Worked: Future<Output = Result<Done<T>, Fault>>,
    R: Fn(TaskEnd, Option<T>) -> Reported,
    Reported: Future<Output = Result<(TaskEnd, W::Event), Fault>>,
{
    let (id, timeout) = (task.id.clone(), task.timeout_ms);
    let reported = match in_time(cx, &id, timeout, work(task)).await {
        Ok(done) => {
            let (ending, value) = done.split();
            report(TaskEnd::new(id.clone(), ending), value).await
        }
        Err(fault) => Err(fault),
    };
    (id, reported)
}

/// Races the work against its timeout. Both are asked for in the same breath.
async fn in_time<W: Workflow, T>(
    cx: &Cx<W>,
    id: &TaskId,
    timeout_ms: Option<u64>,
    work: impl Future<Output = Result<Done<T>, Fault>>,
) -> Result<Done<T>, Fault> {
    let Some(timeout) = timeout_ms else { return work.await };
    let alarm = cx.sleep(format!("{id}/timeout"), Duration::from_millis(timeout));
    match select(pin!(work), pin!(alarm)).await {
        Either::Left((done, _)) => done,
        Either::Right((rung, _)) => {
            rung.map(|()| Done::Failed { why: format!("it took longer than {timeout} ms") })
        }
    }
}

/// Applies an end and journals its event; true if everything else was called off.
async fn journal<W: Workflow>(
    cx: &Cx<W>,
    dag: &mut Dag,
    id: &TaskId,
    end: TaskEnd,
    event: W::Event,
) -> Result<bool, Fault> {
    if end.id != *id {
        return Err(Fault::GaveUp(format!("task {id} ended, but the end of {} was reported", end.id)));
    }
    dag.apply(&end).map_err(|error| Fault::GaveUp(format!("the end of task {id} does not fit: {error}")))?;
    cx.emit(event).await?;
    Ok(end.cancel_rest.is_some())
}
