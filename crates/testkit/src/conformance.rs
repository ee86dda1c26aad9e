//! What any durability host must do, as a suite: the SQLite host and every later one are held to it.
//!
//! A host is given as a [`Stand`], which can make one, read back what is durable, and play the world.

#![expect(clippy::panic, reason = "a suite fails by panicking, as tests do")]

use std::collections::BTreeSet;
use std::time::Duration;

use async_trait::async_trait;
use baton_engine::host::{Done, Host, Op, OpResult, Shown, Status, Stop};
use baton_engine::record::{Body, Chained, Note, Record};
use baton_engine::{Call, Hash, Key, Millis, Question, Reads, RunId, Spend};
use serde_json::{Value, json};

/// A place where a host can be tried.
#[async_trait]
pub trait Stand: Send {
    /// The run the host drives; it has one record.
    fn run(&self) -> RunId;
    /// A host for the run, which leaves when everything waits.
    async fn host(&mut self) -> Box<dyn Host>;
    /// What is durable, read by another than the host.
    fn durable(&self) -> Vec<Chained>;
    /// Somebody answers.
    fn answer(&self, key: &Key, value: &Value);
    /// Somebody wants the run cancelled.
    fn cancel(&self);
    /// Another driver takes the run over.
    fn take_over(&mut self);
    /// Time passes.
    fn pass(&self, span: Duration);
    /// Now.
    fn now(&self) -> Millis;
}

/// One thing a host must do.
pub type Case = fn(&mut dyn Stand) -> futures::future::BoxFuture<'_, ()>;

/// Every case, by name. Each wants a stand of its own.
pub const CASES: &[(&str, Case)] = &[
    ("what is appended is durable before what is submitted starts", |stand| Box::pin(durable_first(stand))),
    ("flush makes durable without starting anything", |stand| Box::pin(flush_only(stand))),
    ("every step comes back exactly once", |stand| Box::pin(all_come_back(stand))),
    ("what is abandoned does not come back", |stand| Box::pin(abandoned_stays_away(stand))),
    ("waits end in the order of their times, never early", |stand| Box::pin(timers_in_order(stand))),
    ("a host that only waits for a person leaves", |stand| Box::pin(leaves_when_idle(stand))),
    ("an answer comes with who gave it", |stand| Box::pin(answers_arrive(stand))),
    ("an answer nobody can read is none", |stand| Box::pin(unreadable_answers_are_none(stand))),
    ("a deadline that passed while nobody looked takes effect", |stand| Box::pin(deadlines_pass(stand))),
    ("times never go backwards", |stand| Box::pin(times_are_monotone(stand))),
    ("a cancellation stops the run and keeps what came back", |stand| Box::pin(cancel_stops(stand))),
    ("a host that was taken over writes nothing", |stand| Box::pin(fenced_out(stand))),
];

fn record(stand: &dyn Stand, text: &str) -> Chained {
    let last = stand.durable().last().cloned();
    let (n, hash) = last.map_or((0, Hash::ZERO), |last| (last.n, last.hash));
    chain(n + 1, hash, text)
}

fn chain(n: u64, previous: Hash, text: &str) -> Chained {
    let record = Record { n, at: Millis(1), body: Body::Note(Note { text: text.to_owned(), data: None }) };
    Chained::after(previous, &record).unwrap_or(Chained {
        n,
        at: Millis(1),
        text: String::new(),
        hash: Hash::ZERO,
    })
}

fn show(host: &mut dyn Host) {
    host.show(Shown { state: "WORKING".into(), status: Status::Running, spent: Spend::NONE, at: Millis(1) });
}

fn key(name: &str) -> Key {
    Key { visit: 1, name: name.to_owned() }
}

fn step(run: RunId, name: &str) -> Op {
    let input = json!(crate::puppet::poke(name));
    Op::Step(Call { run, key: key(name), attempt: 1, kind: "poke".to_owned(), input })
}

fn ask(deadline: Option<Millis>) -> Op {
    Op::Ask { question: Question::yes_no("Well?"), deadline, reads: Reads::of::<bool>() }
}

async fn next(host: &mut dyn Host) -> Done {
    match host.next().await {
        Ok(done) => done,
        Err(stop) => panic!("the host stopped: {stop}"),
    }
}

async fn durable_first(stand: &mut dyn Stand) {
    let mut host = stand.host().await;
    let note = record(stand, "first");
    show(host.as_mut());
    host.append(note.clone(), Vec::new());
    assert!(!stand.durable().contains(&note), "append only buffers");
    host.submit(key("a"), step(stand.run(), "a"));
    let done = next(host.as_mut()).await;
    assert_eq!(done.key, key("a"));
    assert!(stand.durable().contains(&note), "it must be durable before the step started");
}

async fn flush_only(stand: &mut dyn Stand) {
    let mut host = stand.host().await;
    let note = record(stand, "flushed");
    show(host.as_mut());
    host.append(note.clone(), Vec::new());
    assert!(host.flush().await.is_ok());
    assert_eq!(stand.durable().last(), Some(&note));
    assert!(host.flush().await.is_ok(), "flushing nothing is fine");
    assert_eq!(stand.durable().last(), Some(&note));
}

async fn all_come_back(stand: &mut dyn Stand) {
    let mut host = stand.host().await;
    let names: BTreeSet<String> = (0..20).map(|number| format!("s{number}")).collect();
    for name in &names {
        host.submit(key(name), step(stand.run(), name));
    }
    let mut back = BTreeSet::new();
    for _ in 0..names.len() {
        let done = next(host.as_mut()).await;
        assert!(matches!(done.result, OpResult::Back(Ok(_))), "{done:?}");
        assert!(back.insert(done.key.name.clone()), "{} came back twice", done.key);
    }
    assert_eq!(back, names);
    assert!(matches!(host.next().await, Err(Stop::Suspended)), "nothing is left");
}

async fn abandoned_stays_away(stand: &mut dyn Stand) {
    let mut host = stand.host().await;
    host.submit(key("a"), step(stand.run(), "a"));
    host.submit(key("b"), step(stand.run(), "b"));
    host.submit(key("t"), Op::Sleep { until: stand.now() });
    host.abandon(&key("a"));
    host.abandon(&key("t"));
    assert_eq!(next(host.as_mut()).await.key, key("b"));
    assert!(matches!(host.next().await, Err(Stop::Suspended)));
}

async fn timers_in_order(stand: &mut dyn Stand) {
    let mut host = stand.host().await;
    let now = stand.now();
    for (name, ms) in [("late", 30), ("early", 10), ("middle", 20)] {
        host.submit(key(name), Op::Sleep { until: now.plus(Duration::from_millis(ms)) });
    }
    stand.pass(Duration::from_millis(30));
    for name in ["early", "middle", "late"] {
        let done = next(host.as_mut()).await;
        assert_eq!((done.key, done.result), (key(name), OpResult::Fired));
    }
}

async fn leaves_when_idle(stand: &mut dyn Stand) {
    let mut host = stand.host().await;
    host.submit(key("q"), ask(None));
    assert!(matches!(host.next().await, Err(Stop::Suspended)));
}

/// A host with a question that is open in the journal.
async fn asking(stand: &mut dyn Stand, question: Question) -> Option<Box<dyn Host>> {
    let mut host = stand.host().await;
    let asked = baton_engine::record::Asked { key: key("q"), question, deadline: None };
    let last = stand.durable().last().cloned();
    let (n, hash) = last.map_or((0, Hash::ZERO), |last| (last.n, last.hash));
    let body = Record { n: n + 1, at: Millis(1), body: Body::Asked(asked) };
    let chained = Chained::after(hash, &body).ok()?;
    show(host.as_mut());
    host.append(chained, Vec::new());
    Some(host)
}

async fn answers_arrive(stand: &mut dyn Stand) {
    let Some(mut host) = asking(stand, Question::yes_no("Well?")).await else { return };
    host.submit(key("q"), ask(None));
    assert!(matches!(host.next().await, Err(Stop::Suspended)));
    stand.answer(&key("q"), &json!(true));
    let done = next(host.as_mut()).await;
    assert_eq!(done.result, OpResult::Answer { answer: json!(true), by: "the suite".to_owned() });
}

async fn unreadable_answers_are_none(stand: &mut dyn Stand) {
    let question = Question::words("How many?");
    let Some(mut host) = asking(stand, question.clone()).await else { return };
    let reads = Reads::of::<std::num::NonZeroU32>();
    host.submit(key("q"), Op::Ask { question, deadline: None, reads });
    assert!(matches!(host.next().await, Err(Stop::Suspended)));
    stand.answer(&key("q"), &json!("many"));
    assert!(matches!(host.next().await, Err(Stop::Suspended)));
    // Nothing was taken, so another answer can be given.
    stand.answer(&key("q"), &json!("a few"));
    assert!(matches!(host.next().await, Err(Stop::Suspended)));
}

async fn deadlines_pass(stand: &mut dyn Stand) {
    let mut host = stand.host().await;
    let deadline = stand.now().plus(Duration::from_secs(3600));
    host.submit(key("q"), ask(Some(deadline)));
    assert!(matches!(host.next().await, Err(Stop::Suspended)));
    stand.pass(Duration::from_secs(7200));
    assert_eq!(next(host.as_mut()).await.result, OpResult::Expired);
}

async fn times_are_monotone(stand: &mut dyn Stand) {
    let mut host = stand.host().await;
    let mut last = Millis(0);
    for name in ["a", "b", "c"] {
        host.submit(key(name), step(stand.run(), name));
        let at = next(host.as_mut()).await.at;
        assert!(at >= last);
        last = at;
        stand.pass(Duration::from_millis(5));
    }
}

async fn cancel_stops(stand: &mut dyn Stand) {
    let mut host = stand.host().await;
    host.submit(key("q"), ask(None));
    stand.cancel();
    match host.next().await {
        Err(Stop::Wanted { reason, .. }) => assert_eq!(reason, baton_engine::StopReason::Cancelled),
        other => panic!("expected a stop, got {other:?}"),
    }
}

async fn fenced_out(stand: &mut dyn Stand) {
    let mut host = stand.host().await;
    let note = record(stand, "from the old driver");
    stand.take_over();
    show(host.as_mut());
    host.append(note.clone(), Vec::new());
    assert!(matches!(host.flush().await, Err(Stop::LostLease)));
    assert!(!stand.durable().contains(&note));
}
