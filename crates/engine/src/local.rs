//! A host on one machine: the journal in the SQLite store, effects as tasks of this process.

mod children;

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures::FutureExt;
use serde_json::Value;
use tokio::sync::watch;
use tokio::task::{AbortHandle, JoinSet};

use crate::engine::{Drive, Engine, Idle, Pace, StopSignal};
use crate::host::{Done, Host, Op, OpResult, Shown, Stop};
use crate::notice::heard;
use crate::record::Chained;
use crate::store::Unwritten;
use crate::store::{Batch, Lease, Letter, QuestionChange, Store, question_change};
use crate::{
    Call, Clock, Effects, Failure, Found, Hash, Key, Millis, Question, Reads, Spend, Status, StopReason,
    SystemDice,
};
use children::Children;

/// Drives one leased run on the store.
pub struct LocalHost {
    store: Store,
    lease: Lease,
    effects: Effects,
    clock: Arc<dyn Clock>,
    idle: Idle,
    pace: Pace,
    stop: StopSignal,
    shown: Shown,
    /// What lists show at the moment.
    listed: (Cow<'static, str>, Status, Spend),
    records: Vec<Chained>,
    blobs: Vec<(Hash, Vec<u8>)>,
    changes: Vec<QuestionChange>,
    snapshot: Option<(u64, Hash, String)>,
    outline: Option<(u64, Hash, String)>,
    submitted: VecDeque<(Key, Op)>,
    flying: JoinSet<(Key, OpResult)>,
    handles: BTreeMap<Key, AbortHandle>,
    questions: BTreeMap<Key, Waiting>,
    timers: BTreeMap<Key, Millis>,
    children: Children,
    /// Tells calls in flight that the run winds down.
    notice: watch::Sender<bool>,
    /// A time of the run, and the steady time then.
    base: (Millis, Duration),
}

/// A question that nobody has answered.
struct Waiting {
    question: Question,
    deadline: Option<Millis>,
    reads: Reads,
}

impl Waiting {
    fn takes(&self, answer: &Value) -> bool {
        self.question.check(answer).is_ok() && self.reads.check(answer).is_ok()
    }
}

impl LocalHost {
    /// A host for the run of this lease. `shown` is what lists show of it now.
    pub(crate) fn new(
        lease: Lease,
        store: Store,
        effects: Effects,
        clock: Arc<dyn Clock>,
        how: &Drive,
        shown: Shown,
    ) -> Self {
        let base = (shown.at, clock.steady());
        let listed = (shown.state.clone(), shown.status.clone(), shown.spent);
        Self {
            store,
            lease,
            effects,
            clock,
            idle: how.idle,
            pace: how.pace,
            stop: how.stop.clone(),
            shown,
            listed,
            records: Vec::new(),
            blobs: Vec::new(),
            changes: Vec::new(),
            snapshot: None,
            outline: None,
            submitted: VecDeque::new(),
            flying: JoinSet::new(),
            handles: BTreeMap::new(),
            questions: BTreeMap::new(),
            timers: BTreeMap::new(),
            children: Children::default(),
            notice: watch::channel(false).0,
            base,
        }
    }

    /// Gives the run back.
    pub(crate) async fn release(self) {
        self.lease.release().await;
    }

    /// The run's time: never behind its journal, never behind the machine's clock, and never standing still, whatever
    /// is done to that clock.
    fn now(&mut self) -> Millis {
        let (wall, steady) = (self.clock.now(), self.clock.steady());
        let passed = self.base.0.plus(steady.saturating_sub(self.base.1));
        if wall > passed {
            self.base = (wall, steady);
        }
        passed.max(wall)
    }

    /// Lets a span of time pass: the run's time may be ahead of the machine's clock, so no time is waited for.
    async fn pass(clock: Arc<dyn Clock>, span: Duration) {
        clock.until(clock.now().plus(span)).await;
    }

    fn start_submitted(&mut self) {
        while let Some((key, op)) = self.submitted.pop_front() {
            match op {
                Op::Step(call) => self.fly(key, call, false),
                Op::Look(call) => self.fly(key, call, true),
                Op::Ask { question, deadline, reads } => {
                    self.questions.insert(key, Waiting { question, deadline, reads });
                }
                Op::Sleep { until } => {
                    self.timers.insert(key, until);
                }
                Op::Child { begun, input, depth, cancelled } => {
                    let engine = self.engine();
                    self.children.begin(&engine, self.lease.name.run(), begun, input, depth);
                    if cancelled {
                        self.children.cancel(&engine, &key);
                    }
                }
            }
        }
    }

    fn fly(&mut self, key: Key, call: Call, look: bool) {
        let effects = self.effects.clone();
        let (task_key, notice) = (key.clone(), self.notice.subscribe());
        let handle = self.flying.spawn(async move {
            let result = heard(notice, perform(&effects, &call, look)).await;
            (task_key, result)
        });
        self.handles.insert(key, handle);
    }

    fn landed(&mut self, landed: Result<(Key, OpResult), tokio::task::JoinError>) -> Option<Done> {
        // A task only fails to join when it was cut off, and nobody waits for what was cut off.
        let (key, result) = landed.ok()?;
        self.handles.remove(&key);
        let at = self.now();
        Some(Done { key, result, at })
    }

    /// An answer that is there, or a wish to stop.
    fn open_letters(&mut self) -> Result<Option<Done>, Stop> {
        let open: Vec<&Key> = self.questions.keys().collect();
        for letter in self.store.letters(self.lease.run, &open)? {
            match letter {
                Letter::Cancel { by } => {
                    let detail = format!("cancelled by {by}");
                    return Err(Stop::Wanted { reason: StopReason::Cancelled, detail, late: Vec::new() });
                }
                Letter::Halt => {
                    let detail = "the run that began it was stopped".to_owned();
                    return Err(Stop::Wanted { reason: StopReason::Interrupted, detail, late: Vec::new() });
                }
                Letter::Answer { key, answer, by } => {
                    let Some(waiting) = self.questions.get(&key) else { continue };
                    if !waiting.takes(&answer) {
                        // Nobody could read it if it were recorded; the question stays open for another.
                        self.store.forget_answer(self.lease.run, &key)?;
                        continue;
                    }
                    self.questions.remove(&key);
                    let at = self.now();
                    return Ok(Some(Done { key, result: OpResult::Answer { answer, by }, at }));
                }
            }
        }
        Ok(None)
    }

    /// This host's means as an engine, for the children it begins.
    fn engine(&self) -> Engine {
        let (store, effects, clock) = (self.store.clone(), self.effects.clone(), Arc::clone(&self.clock));
        Engine { store, clock, dice: Arc::new(SystemDice), effects }
    }

    /// A child that is over.
    fn child_over(&mut self) -> Result<Option<Done>, Stop> {
        if self.children.is_empty() {
            return Ok(None);
        }
        let engine = self.engine();
        let over = self.children.over(&engine, self.lease.run)?;
        let at = self.now();
        Ok(over.map(|(key, over)| Done { key, result: OpResult::ChildOver(over), at }))
    }

    /// A wait or a deadline that is over; the earliest first.
    fn due(&mut self) -> Option<Done> {
        let now = self.now();
        let timer =
            self.timers.iter().min_by_key(|(_, until)| **until).map(|(key, until)| (key.clone(), *until));
        if let Some((key, _)) = timer.filter(|(_, until)| *until <= now) {
            self.timers.remove(&key);
            return Some(Done { key, result: OpResult::Fired, at: now });
        }
        let late = self.questions.iter().find(|(_, it)| it.deadline.is_some_and(|at| at <= now));
        let key = late.map(|(key, _)| key.clone())?;
        self.questions.remove(&key);
        Some(Done { key, result: OpResult::Expired, at: now })
    }

    /// Whether nothing will happen soon and nobody wants to wait here for it.
    fn may_leave(&self, now: Millis) -> bool {
        const SOON: Duration = Duration::from_secs(600);
        let soon = self.timers.values().any(|until| *until <= now.plus(SOON));
        self.idle == Idle::Leave && self.flying.is_empty() && !soon
    }

    fn earliest(&self) -> Option<Millis> {
        let deadlines = self.questions.values().filter_map(|waiting| waiting.deadline);
        self.timers.values().copied().chain(deadlines).min()
    }

    /// Somebody wants the run stopped: calls in flight get a moment to come back, so that they are not paid in vain.
    async fn wind_down(&mut self, reason: StopReason, detail: String) -> Stop {
        let mut late = Vec::new();
        self.notice.send_replace(true);
        let grace = Self::pass(Arc::clone(&self.clock), self.pace.grace);
        tokio::pin!(grace);
        while !self.flying.is_empty() {
            tokio::select! {
                biased;
                landed = self.flying.join_next() => {
                    let done = landed.and_then(|landed| self.landed(landed));
                    late.extend(done);
                }
                () = self.stop.again() => break,
                () = &mut grace => break,
            }
        }
        self.flying.abort_all();
        Stop::Wanted { reason, detail, late }
    }

    async fn pass_some(clock: Arc<dyn Clock>, span: Option<Duration>) {
        match span {
            Some(span) => Self::pass(clock, span).await,
            None => std::future::pending().await,
        }
    }

    /// Waits until something may have happened.
    async fn wait(&mut self) -> Option<Done> {
        let clock = Arc::clone(&self.clock);
        let store = self.store.clone();
        let now = self.now();
        let timer = Self::pass_some(Arc::clone(&clock), self.earliest().map(|at| at.since(now)));
        let mut stop = self.stop.clone();
        tokio::select! {
            biased;
            Some(landed) = self.flying.join_next() => self.landed(landed),
            () = stop.wanted() => None,
            () = store.bell().notified() => None,
            () = timer => None,
            () = Self::pass_some(clock, self.pace.poll) => None,
        }
    }

    /// Whether letters must be looked for at all: it costs a read.
    fn expects_letters(&self) -> bool {
        !self.questions.is_empty() || self.pace.poll.is_some()
    }
}

#[async_trait]
impl Host for LocalHost {
    fn append(&mut self, record: Chained, blobs: Vec<(Hash, Vec<u8>)>) {
        self.blobs.extend(blobs);
        self.changes.extend(question_change(&record));
        self.records.push(record);
    }

    fn show(&mut self, shown: Shown) {
        self.shown = shown;
    }

    fn snapshot(&mut self, n: u64, hash: Hash, text: String) {
        self.snapshot = Some((n, hash, text));
    }

    fn outline(&mut self, n: u64, hash: Hash, text: String) {
        self.outline = Some((n, hash, text));
    }

    fn submit(&mut self, key: Key, op: Op) {
        self.submitted.push_back((key, op));
    }

    fn abandon(&mut self, key: &Key) {
        self.submitted.retain(|(waiting, _)| waiting != key);
        self.questions.remove(key);
        self.timers.remove(key);
        if let Some(handle) = self.handles.remove(key) {
            handle.abort();
        }
    }

    fn stop_children(&mut self) {
        // Whoever cannot be told stops when it next looks at its parent.
        let _ = self.store.stop_driven_children(self.lease.run, self.clock.now());
    }

    async fn next(&mut self) -> Result<Done, Stop> {
        self.flush().await?;
        self.start_submitted();
        loop {
            if let Some((reason, detail)) = self.stop.reason() {
                return Err(self.wind_down(reason, detail).await);
            }
            if self.expects_letters() {
                match self.open_letters() {
                    Ok(Some(done)) => return Ok(done),
                    Ok(None) => {}
                    Err(Stop::Wanted { reason, detail, .. }) => {
                        return Err(self.wind_down(reason, detail).await);
                    }
                    Err(stop) => return Err(stop),
                }
            }
            if let Some(done) = self.due() {
                return Ok(done);
            }
            if let Some(done) = self.child_over()? {
                return Ok(done);
            }
            let now = self.now();
            if self.may_leave(now) {
                return Err(Stop::Suspended);
            }
            if let Some(done) = self.wait().await {
                return Ok(done);
            }
        }
    }

    async fn flush(&mut self) -> Result<(), Stop> {
        // A run that came back to where it waited has nothing new to record, but lists must say that it waits.
        let (state, status, spent) = &self.listed;
        let same_status = *status == self.shown.status && *spent == self.shown.spent;
        if self.records.is_empty() && self.snapshot.is_none() && same_status && *state == self.shown.state {
            return Ok(());
        }
        let rests = matches!(self.shown.status, Status::Finished(_) | Status::Stopped(_));
        self.listed = (self.shown.state.clone(), self.shown.status.clone(), self.shown.spent);
        let batch = Batch {
            run: self.lease.run,
            name: self.lease.name,
            fence: self.lease.fence,
            records: std::mem::take(&mut self.records),
            blobs: std::mem::take(&mut self.blobs),
            shown: self.shown.clone(),
            status: (!same_status).then(|| serde_json::to_string(&self.shown.status).unwrap_or_default()),
            questions: std::mem::take(&mut self.changes),
            snapshot: self.snapshot.take(),
            outline: self.outline.take(),
        };
        self.store.writer()?.commit(batch).await.map_err(|unwritten| match unwritten {
            Unwritten::LostLease => Stop::LostLease,
            Unwritten::Host(error) => Stop::Host(error),
        })?;
        if rests {
            // Its parent may wait for this.
            self.store.ring();
        }
        Ok(())
    }
}

async fn perform(effects: &Effects, call: &Call, look: bool) -> OpResult {
    let performer = match effects.get(&call.kind) {
        Ok(performer) => performer,
        Err(failure) if look => return OpResult::Looked(Found::Unclear(failure.text)),
        Err(failure) => return OpResult::Back(Err(failure)),
    };
    // A performer that panics fails its own step and nothing else.
    let work = async {
        if look {
            OpResult::Looked(performer.reconcile(call).await)
        } else {
            OpResult::Back(performer.perform(call).await)
        }
    };
    match AssertUnwindSafe(work).catch_unwind().await {
        Ok(result) => result,
        Err(_) => OpResult::Back(Err(Failure::lasting(format!("the performer of `{}` panicked", call.kind)))),
    }
}
