//! One try of one visit: polls the node, takes what it asks for, feeds it what the world did.
//!
//! While the journal still holds records of this try (the script), records that node code makes are
//! compared with it and completions are taken from it; after that the host takes over. Nothing here
//! tells live from replayed in any other way.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use baton_machine::{Happening, Target, Word, rows_for};
use serde_json::Value;

use super::head::event_value;
use super::ledger::Stage;
use super::open::{Doing, Open, Opened};
use super::payload::wrap;
use super::{Driver, Halt};
use crate::cx::{Delivered, Facing, Mailbox, Request};
use crate::record::{self, Body, Step};
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
pub(super) type Said<W> = Result<<W as baton_machine::Workflow>::Event, Fault>;

/// What is to be recorded next: a request of the node, or what the driver makes of a completion.
pub(super) enum Todo<W: Work> {
    Asked(Request<W>),
    Opens { name: String, body: Body },
}

pub(super) struct Try<W: Work> {
    pub(super) mailbox: Arc<Mailbox<W>>,
    node: Option<NodeFuture<W>>,
    flag: Arc<Flag>,
    pub(super) requests: VecDeque<Todo<W>>,
    tickets: BTreeMap<u64, String>,
    pub(super) open: BTreeMap<String, Opened>,
    pub(super) ready: VecDeque<String>,
    used: BTreeSet<String>,
    live: bool,
}

impl<W: Work> Driver<'_, W> {
    /// Runs one try of the node to its end.
    pub(super) async fn attempt(&mut self, node: &crate::Node<W>) -> Result<Said<W>, Halt> {
        let mut this = self.new_try(node);
        let said = self.run_try(&mut this).await?;
        // What the node left behind is recorded, so that nothing stays open beyond its visit.
        this.node = None;
        this.collect();
        self.take_requests(&mut this)?;
        Ok(said)
    }

    fn new_try(&self, node: &crate::Node<W>) -> Try<W> {
        let facing = Facing {
            run: self.head.run.clone(),
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
            tickets: BTreeMap::new(),
            open: BTreeMap::new(),
            ready: VecDeque::new(),
            used: BTreeSet::new(),
            live: false,
        }
    }

    async fn run_try(&mut self, this: &mut Try<W>) -> Result<Said<W>, Halt> {
        let mut idle_polls = 0;
        loop {
            while this.flag.0.swap(false, Ordering::Relaxed) {
                if let Some(said) = poll(this)? {
                    return Ok(said);
                }
                idle_polls = if this.requests.is_empty() { idle_polls + 1 } else { 0 };
                if idle_polls > POLLS_WITHOUT_REQUEST {
                    return Err(self.broken("wakes itself again and again without asking for anything"));
                }
                self.take_requests(this)?;
            }
            if let Some(front) = self.script.front() {
                if front.record.body.made_by_node() {
                    let has = front.record.body.kind();
                    return Err(self.broken(&format!(
                        "is not deterministic: the journal has record {} ({has}), but the code did not ask for it",
                        front.record.n
                    )));
                }
                self.replay_world(this)?;
                continue;
            }
            if !this.live {
                self.take_requests(this)?;
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

    /// The script is over: records what waited for that, and takes up what a crash left open.
    fn go_live(&mut self, this: &mut Try<W>) -> Result<(), Halt> {
        this.live = true;
        while let Some((at, body)) = self.pending.pop_front() {
            self.append(at, body, Vec::new())?;
        }
        let names: Vec<String> = this.open.keys().cloned().collect();
        for name in names {
            let Some(opened) = this.open.get(&name).filter(|opened| !opened.submitted) else { continue };
            if matches!(&opened.what, Open::Step(step) if step.doing == Doing::Flying) {
                let attempt = self.ledger.get(&name).map_or(1, |entry| entry.attempts);
                let body = Body::Unknown(record::Unknown { key: self.key(&name), attempt });
                self.append(self.head.at, body.clone(), Vec::new())?;
                self.apply_world(this, &body)?;
            } else {
                self.submit(this, &name);
            }
        }
        Ok(())
    }

    /// Records what is to be recorded, in order, as far as the script allows.
    pub(super) fn take_requests(&mut self, this: &mut Try<W>) -> Result<(), Halt> {
        loop {
            if !this.live && self.script.is_empty() {
                self.go_live(this)?;
            }
            self.fill_slots(this)?;
            // What the world did next comes first, exactly as it did when it was recorded.
            if self.script.front().is_some_and(|front| !front.record.body.made_by_node()) {
                return Ok(());
            }
            match this.requests.pop_front() {
                Some(Todo::Asked(request)) => self.take(this, request)?,
                Some(Todo::Opens { name, body }) if this.open.contains_key(&name) => {
                    self.make(body, Vec::new())?;
                    self.submit_if_live(this, &name);
                }
                Some(Todo::Opens { .. }) => {}
                None => return Ok(()),
            }
        }
    }

    fn take(&mut self, this: &mut Try<W>, request: Request<W>) -> Result<(), Halt> {
        match request {
            Request::Step { ticket, name, effect, branch } => {
                self.claim(this, ticket, &name)?;
                let mut blobs = Vec::new();
                let input = wrap(effect.input.clone(), &mut blobs);
                match self.ledger.get(&name).cloned() {
                    Some(entry) if entry.kind != effect.kind || entry.input != input => {
                        return Err(
                            self.broken(&format!("asks for step `{name}` with another input than before"))
                        );
                    }
                    Some(entry) => match entry.stage {
                        Stage::Ok(payload) => {
                            let value = self.value(&payload)?;
                            this.close(&name, Ok(value));
                        }
                        Stage::Unclear => {
                            this.hold(&name, Open::step(effect, input, branch, blobs));
                            self.doubt(this, &name)?;
                        }
                        Stage::Idle | Stage::Flying => {
                            this.hold(&name, Open::step(effect, input, branch, blobs));
                            this.ready.push_back(name);
                        }
                    },
                    None => {
                        self.ledger.open(&name, &effect.kind, input.clone());
                        this.hold(&name, Open::step(effect, input, branch, blobs));
                        this.ready.push_back(name);
                    }
                }
                Ok(())
            }
            Request::Ask { ticket, name, question } => {
                self.claim(this, ticket, &name)?;
                let deadline = question.deadline(self.head.at);
                let asked = record::Asked { key: self.key(&name), question: question.clone(), deadline };
                self.make(Body::Asked(asked), Vec::new())?;
                this.hold(&name, Open::Ask { question, deadline });
                self.submit_if_live(this, &name);
                Ok(())
            }
            Request::Sleep { ticket, name, span } => {
                self.claim(this, ticket, &name)?;
                let until = self.head.at.plus(span);
                self.make(Body::Timer(record::Timer { key: self.key(&name), until }), Vec::new())?;
                this.hold(&name, Open::Sleep { until });
                self.submit_if_live(this, &name);
                Ok(())
            }
            Request::Emit { ticket, event } => {
                self.emit(&event)?;
                this.mailbox.deliver(ticket, Ok(Value::Null));
                Ok(())
            }
            Request::Drop { ticket } => self.drop_ticket(this, ticket),
        }
    }

    /// Ties a ticket to a name, which may be used once in a try.
    fn claim(&mut self, this: &mut Try<W>, ticket: u64, name: &str) -> Result<(), Halt> {
        if name.is_empty() || name.contains(['~', '?']) {
            return Err(
                self.broken(&format!("uses the name `{name}`; names may not be empty or contain ~ or ?"))
            );
        }
        if !this.used.insert(name.to_owned()) {
            return Err(self.broken(&format!("uses the name `{name}` twice in one visit")));
        }
        this.tickets.insert(ticket, name.to_owned());
        Ok(())
    }

    fn emit(&mut self, event: &W::Event) -> Result<(), Halt> {
        let payload = wrap(event_value(event), &mut Vec::new());
        if self.ledger.emitted_before(&payload) {
            return Ok(());
        }
        let state = self.head.position.state;
        let moves = rows_for(W::TABLE, state, event.on()).any(|(_, row)| !matches!(row.to, Target::Stay));
        if moves {
            return Err(self.broken(&format!(
                "emits {}, but the table has no `stay` row for it in {}",
                event.on().name(),
                state.name()
            )));
        }
        let step = self.happen(event)?;
        debug_assert_eq!(step, Step::Emit, "a group of stay rows can only emit");
        Ok(())
    }

    fn drop_ticket(&mut self, this: &mut Try<W>, ticket: u64) -> Result<(), Halt> {
        let Some(name) = this.tickets.remove(&ticket) else { return Ok(()) };
        this.ready.retain(|waiting| *waiting != name);
        // A step between two attempts has a timer or a question of its own; they go with it.
        let names: Vec<String> = this
            .open
            .iter()
            .filter(|(key, opened)| **key == name || opened.what.serves(&name))
            .map(|(key, _)| key.clone())
            .collect();
        for gone in names {
            let Some(opened) = this.open.remove(&gone) else { continue };
            if opened.what.leaves_trace() {
                let key = self.key(&gone);
                self.host.abandon(&key);
                self.make(Body::Abandoned(record::Closed { key }), Vec::new())?;
            }
        }
        Ok(())
    }

    pub(super) fn key(&self, name: &str) -> Key {
        Key { visit: self.head.position.visit, name: name.to_owned() }
    }
}

impl<W: Work> Try<W> {
    fn collect(&mut self) {
        self.requests.extend(self.mailbox.take_requests().into_iter().map(Todo::Asked));
    }

    /// Puts a step back in line for a slot.
    pub(super) fn queue(&mut self, name: &str) {
        if let Some(Opened { what: Open::Step(step), submitted }) = self.open.get_mut(name) {
            step.doing = Doing::Queued;
            *submitted = false;
            self.ready.push_back(name.to_owned());
        }
    }

    /// Opens something for the sake of a step; its record is made in turn.
    pub(super) fn open_for(&mut self, name: String, what: Open, body: Body) {
        self.open.insert(name.clone(), Opened { what, submitted: false });
        self.requests.push_back(Todo::Opens { name, body });
    }

    fn hold(&mut self, name: &str, what: Open) {
        self.open.insert(name.to_owned(), Opened { what, submitted: false });
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

    pub(super) fn is_live(&self) -> bool {
        self.live
    }

    /// Whether everything open waits for a person or a time.
    pub(super) fn only_waits(&self) -> bool {
        self.ready.is_empty() && self.open.values().all(|opened| !opened.what.works())
    }
}

fn poll<W: Work>(this: &mut Try<W>) -> Result<Option<Said<W>>, Halt> {
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
