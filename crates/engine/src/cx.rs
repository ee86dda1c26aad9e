//! The mailbox through which a node speaks with its driver.
//!
//! A node never touches the journal or the world. It posts requests here and waits for slots to be
//! filled; the driver polls it, takes the requests in order, and fills one slot per journaled
//! completion. So ordinary `futures` combinators work inside a node, and anything else a node might
//! wait for is noticed.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use baton_machine::Workflow;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::child::ChildOrder;
use crate::{
    Act, Answer, Child, ChildEnd, Effect, Fault, Hash, Key, Limits, Millis, Purse, Question, Reads, RunId,
    Share, Spend,
};

/// Locks without caring whether a node panicked while it read: the data is only ever replaced whole.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a node asks of its driver.
pub(crate) enum Request<W: Workflow> {
    Step { ticket: u64, name: String, effect: Effect, branch: Option<Arc<Branch>>, reads: Reads },
    Ask { ticket: u64, name: String, question: Question, reads: Reads },
    Sleep { ticket: u64, name: String, span: Duration },
    Emit { ticket: u64, event: W::Event },
    Mark { ticket: u64, name: String },
    Child { ticket: u64, name: String, order: ChildOrder, branch: Option<Arc<Branch>> },
    AwaitChild { ticket: u64, name: String },
    CancelChild { ticket: u64, name: String },
    Drop { ticket: u64 },
}

/// A part of a run with limits of its own.
#[derive(Debug)]
pub(crate) struct Branch {
    pub name: String,
    pub limits: Limits,
}

/// What fills a slot.
pub(crate) type Delivered = Result<Value, Fault>;

#[derive(Default)]
struct Slot {
    value: Option<Delivered>,
    waker: Option<Waker>,
}

/// What the driver tells every node without being asked.
#[derive(Clone, Debug)]
pub(crate) struct NodeContext {
    pub run: RunId,
    /// The run that began it all, if this one went off from another.
    pub root: RunId,
    pub visit: u32,
    pub now: Millis,
    pub purse: Purse,
    pub limits: Limits,
}

pub(crate) struct Mailbox<W: Workflow> {
    memory: Arc<Mutex<W::Memory>>,
    context: Mutex<NodeContext>,
    post: Mutex<Post<W>>,
    counts: Mutex<BTreeMap<String, u32>>,
}

struct Post<W: Workflow> {
    requests: Vec<Request<W>>,
    slots: BTreeMap<u64, Slot>,
    next: u64,
}

impl<W: Workflow> Mailbox<W> {
    pub fn new(memory: Arc<Mutex<W::Memory>>, context: NodeContext) -> Arc<Self> {
        let post = Post { requests: Vec::new(), slots: BTreeMap::new(), next: 1 };
        let (context, post) = (Mutex::new(context), Mutex::new(post));
        Arc::new(Self { memory, context, post, counts: Mutex::default() })
    }

    pub fn take_requests(&self) -> Vec<Request<W>> {
        std::mem::take(&mut lock(&self.post).requests)
    }

    /// Fills a slot and wakes whoever polls it. A slot whose future was dropped is gone, and that is fine.
    pub fn deliver(&self, ticket: u64, value: Delivered) {
        let waker = {
            let mut post = lock(&self.post);
            let Some(slot) = post.slots.get_mut(&ticket) else { return };
            slot.value = Some(value);
            slot.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    pub fn tell(&self, now: Millis, purse: &Purse) {
        let mut context = lock(&self.context);
        context.now = now;
        context.purse.clone_from(purse);
    }

    fn send(&self, make: impl FnOnce(u64) -> Request<W>) -> u64 {
        let mut post = lock(&self.post);
        let ticket = post.next;
        post.next += 1;
        post.slots.insert(ticket, Slot::default());
        post.requests.push(make(ticket));
        ticket
    }
}

type Make<W> = Box<dyn FnOnce(u64) -> Request<W> + Send>;

/// Waits for one slot. Posts its request when first polled, takes it back when dropped unfinished.
struct Wait<W: Workflow> {
    mailbox: Arc<Mailbox<W>>,
    stage: Stage<W>,
}

enum Stage<W: Workflow> {
    New(Make<W>),
    Sent(u64),
    Over,
}

impl<W: Workflow> Future for Wait<W> {
    type Output = Delivered;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Delivered> {
        let mailbox = Arc::clone(&self.mailbox);
        let ticket = match std::mem::replace(&mut self.stage, Stage::Over) {
            Stage::New(make) => mailbox.send(make),
            Stage::Sent(ticket) => ticket,
            Stage::Over => return Poll::Pending,
        };
        let mut post = lock(&mailbox.post);
        let ready = post.slots.get_mut(&ticket).and_then(|slot| {
            let value = slot.value.take();
            if value.is_none() {
                slot.waker = Some(context.waker().clone());
            }
            value
        });
        match ready {
            Some(value) => {
                post.slots.remove(&ticket);
                Poll::Ready(value)
            }
            None => {
                self.stage = Stage::Sent(ticket);
                Poll::Pending
            }
        }
    }
}

impl<W: Workflow> Drop for Wait<W> {
    fn drop(&mut self) {
        if let Stage::Sent(ticket) = self.stage {
            let mut post = lock(&self.mailbox.post);
            post.slots.remove(&ticket);
            post.requests.push(Request::Drop { ticket });
        }
    }
}

/// What a node may do: read memory, take steps, ask, wait, and report progress.
///
/// Node code must be deterministic between completions: no clock but [`Cx::now`], no chance but
/// [`Cx::seed`], no combinator that picks at random, no waiting for anything else.
pub struct Cx<W: Workflow> {
    mailbox: Arc<Mailbox<W>>,
    branch: Option<Arc<Branch>>,
}

impl<W: Workflow> Clone for Cx<W> {
    fn clone(&self) -> Self {
        Self { mailbox: Arc::clone(&self.mailbox), branch: self.branch.clone() }
    }
}

impl<W: Workflow> Cx<W> {
    pub(crate) fn new(mailbox: Arc<Mailbox<W>>) -> Self {
        Self { mailbox, branch: None }
    }

    /// Looks at what the run has learnt.
    pub fn read<T>(&self, look: impl FnOnce(&W::Memory) -> T) -> T {
        look(&lock(&self.mailbox.memory))
    }

    /// The run.
    pub fn run(&self) -> RunId {
        lock(&self.mailbox.context).run.clone()
    }

    /// The run that began it all, if this one went off from another. What is asked in its name is asked with the same
    /// words in both.
    pub fn root(&self) -> RunId {
        lock(&self.mailbox.context).root.clone()
    }

    /// The number of this visit.
    pub fn visit(&self) -> u32 {
        lock(&self.mailbox.context).visit
    }

    /// The journaled time of the last completion: the only clock a node has.
    pub fn now(&self) -> Millis {
        lock(&self.mailbox.context).now
    }

    /// Bits that are the same on every replay of this visit, and in a run that went off from this one.
    pub fn seed(&self) -> u64 {
        let context = lock(&self.mailbox.context);
        let hash = Hash::of(format!("{}/{}", context.root, context.visit).as_bytes());
        hash.0.iter().take(8).fold(0, |bits, byte| (bits << 8) | u64::from(*byte))
    }

    /// What has been spent and reserved so far, and the limits.
    pub fn purse(&self) -> (Purse, Limits) {
        let context = lock(&self.mailbox.context);
        (context.purse.clone(), context.limits)
    }

    /// Numbers the present try keeps for itself. They follow from what came back, so a replay counts the same again.
    pub fn counts<T>(&self, use_them: impl FnOnce(&mut BTreeMap<String, u32>) -> T) -> T {
        use_them(&mut lock(&self.mailbox.counts))
    }

    /// Whether a call of this cost would be allowed now.
    pub fn affords(&self, need: Spend) -> bool {
        let (purse, limits) = self.purse();
        purse.room(&limits, need, crate::Purpose::Work).is_ok()
    }

    /// The same mailbox, charging steps to a branch with limits of its own.
    #[must_use]
    pub fn branch(&self, name: impl Into<String>, limits: Limits) -> Self {
        let branch = Branch { name: name.into(), limits };
        Self { mailbox: Arc::clone(&self.mailbox), branch: Some(Arc::new(branch)) }
    }

    /// Acts on the world. `name` must be unique within the visit and derive from data.
    /// If the journal holds a receipt for it, nothing is done and the receipt is returned.
    pub async fn step<A: Act>(&self, name: impl Into<String>, act: &A) -> Result<A::Out, Fault> {
        let name = name.into();
        let key = self.key(&name);
        let effect =
            Effect::of(act).map_err(|error| Fault::Shape { key: key.clone(), text: error.to_string() })?;
        let branch = self.branch.clone();
        let reads = Reads::out_of::<A>();
        let done = self.wait(move |ticket| Request::Step { ticket, name, effect, branch, reads });
        parse(key, done.await?)
    }

    /// Asks a person and reads the answer as `T`. Many questions may be open at once.
    pub async fn ask<T: DeserializeOwned>(
        &self,
        name: impl Into<String>,
        question: Question,
    ) -> Result<Answer<T>, Fault> {
        let name = name.into();
        let key = self.key(&name);
        let reads = Reads::of::<T>();
        let asked = self.wait(move |ticket| Request::Ask { ticket, name, question, reads });
        parse(key, asked.await?)
    }

    /// Waits; survives crashes and restarts.
    pub async fn sleep(&self, name: impl Into<String>, span: Duration) -> Result<(), Fault> {
        let name = name.into();
        self.wait(move |ticket| Request::Sleep { ticket, name, span }).await.map(|_| ())
    }

    /// Journals progress inside a state: the table must have a `stay` row for the event.
    pub async fn emit(&self, event: W::Event) -> Result<(), Fault> {
        self.wait(move |ticket| Request::Emit { ticket, event }).await.map(|_| ())
    }

    /// Gives the beginning of this visit a name: a person can go back or off from there.
    pub async fn checkpoint(&self, name: impl Into<String>) -> Result<(), Fault> {
        let name = name.into();
        self.wait(move |ticket| Request::Mark { ticket, name }).await.map(|_| ())
    }

    /// Begins a child run of any workflow, or finds the one begun before. Its share is reserved from this run and settled
    /// when it ends. A node must see every child end: wait for it, or cancel it and wait.
    pub async fn start_child(
        &self,
        name: impl Into<String>,
        workflow: &str,
        input: &impl Serialize,
        share: Share,
    ) -> Result<Child, Fault> {
        let name = name.into();
        let key = self.key(&name);
        let input = serde_json::to_value(input)
            .map_err(|error| Fault::Shape { key: key.clone(), text: error.to_string() })?;
        let order = ChildOrder { workflow: workflow.to_owned(), input, share };
        let (branch, told) = (self.branch.clone(), name.clone());
        let begun = self.wait(move |ticket| Request::Child { ticket, name: told, order, branch });
        Ok(Child { name, run: parse(key, begun.await?)? })
    }

    /// Waits until a child is over.
    pub async fn wait_child(&self, child: &Child) -> Result<ChildEnd, Fault> {
        let name = child.name.clone();
        let over = self.wait(move |ticket| Request::AwaitChild { ticket, name });
        parse(self.key(&child.name), over.await?)
    }

    /// Waits until all of these are over; their ends in the order of the children.
    pub async fn wait_children(&self, children: &[Child]) -> Result<Vec<ChildEnd>, Fault> {
        let ends = futures::future::join_all(children.iter().map(|child| self.wait_child(child))).await;
        ends.into_iter().collect()
    }

    /// Waits until one of these is over; which, and how it ended. None if there are none.
    pub async fn wait_any(&self, children: &[Child]) -> Result<Option<(usize, ChildEnd)>, Fault> {
        if children.is_empty() {
            return Ok(None);
        }
        let waits = children.iter().map(|child| Box::pin(self.wait_child(child)));
        let (end, which, _) = futures::future::select_all(waits).await;
        Ok(Some((which, end?)))
    }

    /// Asks a child to stop. Its end comes like any other, as cancelled; wait for it.
    pub async fn cancel_child(&self, child: &Child) -> Result<(), Fault> {
        let name = child.name.clone();
        self.wait(move |ticket| Request::CancelChild { ticket, name }).await.map(|_| ())
    }

    fn key(&self, name: &str) -> Key {
        Key { visit: self.visit(), name: name.to_owned() }
    }

    fn wait(&self, make: impl FnOnce(u64) -> Request<W> + Send + 'static) -> Wait<W> {
        Wait { mailbox: Arc::clone(&self.mailbox), stage: Stage::New(Box::new(make)) }
    }
}

fn parse<T: DeserializeOwned>(key: Key, value: Value) -> Result<T, Fault> {
    serde_json::from_value(value).map_err(|error| Fault::Shape { key, text: error.to_string() })
}
