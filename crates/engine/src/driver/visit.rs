//! One try of one visit: polls the node, lets what it asks for be recorded, feeds it what the world did.
//!
//! While the journal still holds records of this try (the script), it is followed; after that the host takes
//! over. The node is polled after each thing the world did, replayed or not, so that it sees the same order.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use super::donors::Donated;
use super::head::event_value;
use super::open::{Doing, Open, Pending};
use super::payload::wrap;
use super::{Driver, Halt};
use crate::cx::{Delivered, Mailbox, NodeContext, Request};
use crate::record::{self, Body};
use crate::work::NodeFuture;
use crate::{Cx, Fault, Key, Work};

/// A node that is polled this often without asking for anything is spinning.
const POLLS_WITHOUT_REQUEST: u32 = 10_000;

/// The node's waker: a flag, because the driver polls when it knows of news and not otherwise.
struct Flag(AtomicBool);

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// How a node ended its try.
pub(super) type NodeResult<W> = Result<<W as baton_machine::Workflow>::Event, Fault>;

pub(super) struct Try<W: Work> {
    pub(super) mailbox: Arc<Mailbox<W>>,
    node: Option<NodeFuture<W>>,
    flag: Arc<Flag>,
    /// What the node has asked for and nobody has looked at.
    pub(super) requests: VecDeque<Request<W>>,
    /// Waits and questions for the sake of steps that are still to be recorded.
    pub(super) openings: VecDeque<(String, Body)>,
    pub(super) tickets: BTreeMap<u64, String>,
    pub(super) open: BTreeMap<String, Pending>,
    /// Steps that wait for a slot.
    pub(super) ready: VecDeque<String>,
    /// Calls that a crash left in flight and nobody has taken up yet.
    pub(super) left: VecDeque<String>,
    /// Steps begun whose receipts come from another run, and those receipts.
    pub(super) given: VecDeque<(String, Donated)>,
    pub(super) used: BTreeSet<String>,
    /// The host performs what is opened from now on.
    pub(super) live: bool,
}

impl<W: Work> Driver<'_, W> {
    /// Runs one try of the node to its end.
    pub(super) async fn attempt(&mut self, node: &crate::Node<W>) -> Result<NodeResult<W>, Halt> {
        let mut this = self.new_try(node);
        let said = self.run_try(&mut this).await?;
        // What the node left behind is recorded, so that nothing stays open beyond its visit.
        this.node = None;
        this.collect();
        self.take_requests(&mut this)?;
        while self.world_is_next() {
            self.replay_world(&mut this)?;
        }
        self.leaves_no_child(&this)?;
        Ok(said)
    }

    pub(super) fn new_try(&self, node: &crate::Node<W>) -> Try<W> {
        let facing = NodeContext {
            run: self.head.run.clone(),
            root: self.head.root.clone(),
            visit: self.head.position.visit,
            now: self.head.at,
            purse: self.head.purse.clone(),
            limits: self.head.settings.limits,
        };
        let mailbox = Mailbox::new(Arc::clone(&self.head.memory), facing);
        Try {
            node: Some(node.begin(Cx::new(Arc::clone(&mailbox)))),
            mailbox,
            flag: Arc::new(Flag(AtomicBool::new(true))),
            requests: VecDeque::new(),
            openings: VecDeque::new(),
            tickets: BTreeMap::new(),
            open: BTreeMap::new(),
            ready: VecDeque::new(),
            left: VecDeque::new(),
            given: VecDeque::new(),
            used: BTreeSet::new(),
            live: false,
        }
    }

    async fn run_try(&mut self, this: &mut Try<W>) -> Result<NodeResult<W>, Halt> {
        if let Some(said) = self.replay(this)? {
            return Ok(said);
        }
        self.go_live(this)?;
        self.take_requests(this)?;
        loop {
            if let Some(said) = self.poll_node(this)? {
                return Ok(said);
            }
            if self.take_up_next(this)? || self.take_given(this)? {
                continue;
            }
            if this.open.is_empty() {
                return Err(self.broken("waits for something that is not a step"));
            }
            self.show_waiting_or_running(this);
            let done = self.next().await?;
            self.world_did(this, done)?;
        }
    }

    /// Polls the node for as long as it has news, and takes what it asks for. What it said, if it has ended.
    pub(super) fn poll_node(&mut self, this: &mut Try<W>) -> Result<Option<NodeResult<W>>, Halt> {
        let mut idle_polls = 0;
        while this.flag.0.swap(false, Ordering::Relaxed) {
            if let Some(said) = poll(this)? {
                return Ok(Some(said));
            }
            idle_polls = if this.requests.is_empty() { idle_polls + 1 } else { 0 };
            if idle_polls > POLLS_WITHOUT_REQUEST {
                return Err(self.broken("wakes itself again and again without asking for anything"));
            }
            self.take_requests(this)?;
        }
        Ok(None)
    }

    pub(super) fn key(&self, name: &str) -> Key {
        Key { visit: self.head.position.visit, name: name.to_owned() }
    }
}

impl<W: Work> Try<W> {
    fn collect(&mut self) {
        self.requests.extend(self.mailbox.take_requests());
    }

    /// Puts a step back in line for a slot.
    pub(super) fn queue(&mut self, name: &str) {
        if let Some(Pending { what: Open::Step(step), submitted }) = self.open.get_mut(name) {
            step.doing = Doing::Queued;
            *submitted = false;
            self.ready.push_back(name.to_owned());
        }
    }

    /// Opens something for the sake of a step; its record is made in turn.
    pub(super) fn open_for(&mut self, name: String, what: Open, body: Body) {
        self.open.insert(name.clone(), Pending { what, submitted: false });
        self.openings.push_back((name, body));
    }

    pub(super) fn hold(&mut self, name: &str, what: Open) {
        self.open.insert(name.to_owned(), Pending { what, submitted: false });
    }

    /// Gives the node what it waits for under this name.
    pub(super) fn close(&mut self, name: &str, value: Delivered) {
        self.open.remove(name);
        let ticket = self.tickets.iter().find(|(_, held)| *held == name).map(|(ticket, _)| *ticket);
        if let Some(ticket) = ticket {
            self.tickets.remove(&ticket);
            self.mailbox.deliver(ticket, value);
        }
    }

    /// Whether steps may begin: the node still wants them, and the fate of what a crash left is recorded.
    pub(super) fn may_begin_steps(&self) -> bool {
        self.live && self.left.is_empty() && self.node.is_some()
    }

    /// Whether everything open waits for a person or a time.
    pub(super) fn only_waits(&self) -> bool {
        self.ready.is_empty() && self.open.values().all(|opened| !opened.what.works())
    }
}

/// An event as it is stored.
pub(super) fn payload<E: serde::Serialize>(event: &E) -> record::Payload {
    wrap(event_value(event), &mut Vec::new())
}

fn poll<W: Work>(this: &mut Try<W>) -> Result<Option<NodeResult<W>>, Halt> {
    let Some(node) = this.node.as_mut() else { return Ok(None) };
    let waker = Waker::from(Arc::clone(&this.flag));
    let mut context = Context::from_waker(&waker);
    let polled = std::panic::catch_unwind(AssertUnwindSafe(|| node.as_mut().poll(&mut context)));
    this.collect();
    match polled {
        Ok(Poll::Pending) => Ok(None),
        Ok(Poll::Ready(said)) => Ok(Some(said)),
        Err(panic) => Err(Halt::Panic(words_of(panic.as_ref()))),
    }
}

fn words_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}
