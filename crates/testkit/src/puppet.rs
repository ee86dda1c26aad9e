//! A workflow that does what it is told: its input is a list of instructions, one list per visit.
//!
//! Engine tests are then data: instructions in, journal out. The other side of its steps is [`OtherSide`].

mod children;
mod rehearsal;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use baton_engine::record::Change;
use baton_engine::{
    Act, AfterCrash, Call, Catalogue, Changeable, Cx, Effects, Failure, Fault, Found, Limits, Node, Paid,
    Perform, Purpose, Question, Retry, RunFile, Spend, View, Work, node,
};
use baton_machine::{Kind, Outcome, Row, Verdict, Workflow, events, transitions, words};
use futures::future::{Either, join_all, select};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use children::{Order, child};

words! {
    /// Where a puppet can stand.
    pub enum State { Working = "WORKING", Aside = "ASIDE", Done = "DONE", Partial = "PARTIAL", Failed = "FAILED" }
}

events! {
    /// What can happen to it.
    pub enum Event as On {
        Said { words: String } = "SAID",
        Next = "NEXT",
        Again = "AGAIN",
        Over = "OVER",
        Short = "SHORT",
        Divert = "DIVERT",
        Stray = "STRAY",
    }
}

/// One instruction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Do {
    /// Takes a step and says what came of it.
    Step(Poke),
    /// Takes several at once.
    All(Vec<Poke>),
    /// Takes a step against a time.
    Race(Poke, u64),
    /// Begins a step and walks away from it after a time.
    Leave(Poke, u64),
    /// Asks for a text.
    Ask {
        /// The question's name.
        name: String,
        /// How long to wait.
        within_ms: Option<u64>,
        /// The answer at the deadline.
        otherwise: Option<String>,
    },
    /// Waits.
    Sleep(String, u64),
    /// Says something.
    Say(String),
    /// Says a long thing of this many bytes.
    SayLong(usize),
    /// Charges what follows to a branch with this many calls.
    Branch(u64, Poke),
    /// Panics, unless the visit was panicked in before.
    PanicOnce,
    /// Waits for something that is not a step.
    Hang,
    /// Wakes itself for ever.
    Spin,
    /// Emits an event that moves the run.
    EmitMove,
    /// Ends with this event at once.
    End(Event),
    /// Fails with the step's own fault.
    Must(Poke),
    /// Gives the beginning of the visit a name.
    Mark(String),
    /// Begins puppets and waits for all of them.
    Children(Vec<Order>),
    /// Begins puppets, waits for the first that is over and cancels the others.
    First(Vec<Order>),
    /// Begins a puppet and walks away from it.
    Orphan(Order),
    /// Begins a run of a workflow that is not there.
    Stranger(String),
    /// Begins a puppet that begins a puppet, so many deep.
    Nest(u32),
}

/// The act of a puppet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Poke {
    /// Its name.
    pub name: String,
    /// What follows a crash.
    pub after_crash: AfterCrash,
    /// How many attempts fail before one succeeds.
    #[serde(default)]
    pub fails: u32,
    /// Whether failing is for good.
    #[serde(default)]
    pub lasting: bool,
    /// How long the other side asks to wait.
    #[serde(default)]
    pub asks_wait_ms: Option<u64>,
    /// What it reserves; it costs half of that.
    #[serde(default)]
    pub reserve: Spend,
    /// Whether it is the final answer.
    #[serde(default)]
    pub last: bool,
    /// The length of what it gives back.
    #[serde(default)]
    pub length: usize,
}

/// A step that may simply be repeated.
pub fn poke(name: &str) -> Poke {
    Poke {
        name: name.to_owned(),
        after_crash: AfterCrash::Retry,
        fails: 0,
        lasting: false,
        asks_wait_ms: None,
        reserve: Spend::NONE,
        last: false,
        length: 0,
    }
}

impl Act for Poke {
    const KIND: &'static str = "poke";
    type Out = String;

    fn after_crash(&self) -> AfterCrash {
        self.after_crash
    }
    fn reserve(&self) -> Spend {
        self.reserve
    }
    fn purpose(&self) -> Purpose {
        if self.last { Purpose::Last } else { Purpose::Work }
    }
    fn retry(&self) -> Retry {
        Retry::default()
    }
}

/// What a puppet is started with.
pub type Script = Vec<Vec<Do>>;

/// What a puppet remembers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// The instructions.
    pub script: Script,
    /// Visits of WORKING that have ended.
    pub visits: usize,
    /// What was said, in order of saying.
    pub said: Vec<String>,
}

/// A workflow that does what it is told. `CODE` is the version of its node code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Puppet<const CODE: u32 = 1>;

impl<const CODE: u32> Workflow for Puppet<CODE> {
    const NAME: &'static str = "puppet";
    const START: State = State::Working;
    const TABLE: &'static [Row<Self>] = transitions! {
        Working + Said                    => stay;
        Working + Next   if visits_left   => Working at most 100_000;
        Working + Next                    => Done;
        Working + Again                   => same at most 3;
        Working + Again                   => Failed;
        Working + Over                    => Done;
        Working + Short                   => Partial;
        Working + Divert                  => Aside;
        Aside   + Stray                   => Done;
    };

    type State = State;
    type On = On;
    type Event = Event;
    type Input = Script;
    type Memory = Memory;

    fn begin(script: &Script) -> Memory {
        Memory { script: script.clone(), visits: 0, said: Vec::new() }
    }

    fn learn(memory: &mut Memory, event: &Event) {
        match event {
            Event::Said { words } => memory.said.push(words.clone()),
            Event::Next => memory.visits += 1,
            _ => {}
        }
    }

    fn kind(state: State) -> Kind {
        match state {
            State::Working | State::Aside => Kind::Works,
            State::Done => Kind::Ends(Outcome::Completed),
            State::Partial => Kind::Ends(Outcome::Partial),
            State::Failed => Kind::Ends(Outcome::Failed),
        }
    }
}

fn visits_left(memory: &Memory) -> Verdict {
    let (done, all) = (memory.visits, memory.script.len());
    Verdict::of(done < all).saw("visits", done).saw("of", all)
}

impl<const CODE: u32> Work for Puppet<CODE> {
    const CODE_VERSION: u32 = CODE;

    fn node(state: State) -> Option<Node<Self>> {
        match state {
            State::Working => Some(node(work)),
            State::Aside => Some(node(async |_cx: Cx<Self>| Ok(Event::Stray))),
            State::Done | State::Partial | State::Failed => None,
        }
    }

    fn on_fault(_state: State, fault: &Fault) -> Option<Event> {
        matches!(fault, Fault::Budget { .. }).then_some(Event::Short)
    }

    fn brings(memory: &Memory) -> Value {
        memory.said.join(", ").into()
    }

    fn changeable() -> &'static [Changeable] {
        &[Changeable { key: "script", hint: "a list of visits", says: "what it is told to do" }]
    }

    fn change(memory: &mut Memory, change: &Change) -> Result<(), String> {
        if change.key != "script" {
            return Err(format!("puppet has nothing called `{}`", change.key));
        }
        let script = serde_json::from_value(change.value.clone());
        memory.script = script.map_err(|error| format!("`script` cannot be that: {error}"))?;
        Ok(())
    }

    fn title(script: &Script) -> String {
        format!("a puppet with {} visits", script.len())
    }

    fn files(view: &View<'_, Self>) -> Vec<RunFile> {
        vec![RunFile::text("said.txt", view.memory.said.join("\n"))]
    }
}

async fn work<const CODE: u32>(cx: Cx<Puppet<CODE>>) -> Result<Event, Fault> {
    let todo = cx.read(|memory| memory.script.get(memory.visits).cloned().unwrap_or_default());
    for instruction in todo {
        if let Some(end) = perform(&cx, instruction).await? {
            return Ok(end);
        }
    }
    Ok(Event::Next)
}

async fn say<const CODE: u32>(cx: &Cx<Puppet<CODE>>, words: impl Into<String>) -> Result<(), Fault> {
    cx.emit(Event::Said { words: words.into() }).await
}

async fn tell<const CODE: u32>(cx: &Cx<Puppet<CODE>>, poke: &Poke) -> Result<String, Fault> {
    Ok(match cx.step(poke.name.as_str(), poke).await {
        Ok(out) => format!("{}: {}", poke.name, &out[..out.len().min(20)]),
        Err(fault @ Fault::Budget { .. }) => return Err(fault),
        Err(fault) => format!("{}: {fault}", poke.name),
    })
}

async fn perform<const CODE: u32>(cx: &Cx<Puppet<CODE>>, instruction: Do) -> Result<Option<Event>, Fault> {
    match instruction {
        Do::Step(poke) => {
            let words = tell(cx, &poke).await?;
            say(cx, words).await?;
        }
        Do::All(pokes) => {
            for words in join_all(pokes.iter().map(|poke| tell(cx, poke))).await {
                say(cx, words?).await?;
            }
        }
        Do::Race(poke, ms) => {
            let step = std::pin::pin!(tell(cx, &poke));
            let timer = std::pin::pin!(cx.sleep(format!("{} timeout", poke.name), Duration::from_millis(ms)));
            let words = match select(step, timer).await {
                Either::Left((words, _)) => words?,
                Either::Right(_) => format!("{}: too late", poke.name),
            };
            say(cx, words).await?;
        }
        Do::Leave(poke, ms) => {
            let step = std::pin::pin!(tell(cx, &poke));
            let timer = std::pin::pin!(cx.sleep("leave", Duration::from_millis(ms)));
            drop(select(step, timer).await);
        }
        Do::Ask { name, within_ms, otherwise } => {
            let mut question = Question::new(
                format!("What about {name}?"),
                serde_json::json!({"type": "string", "minLength": 2}),
            );
            question.within_ms = within_ms;
            question.otherwise = otherwise.map(Into::into);
            let words = match cx.ask::<String>(name.as_str(), question).await {
                Ok(answer) => format!("{name}: {} ({})", answer.value, answer.by),
                Err(fault) => format!("{name}: {fault}"),
            };
            say(cx, words).await?;
        }
        Do::Sleep(name, ms) => cx.sleep(name, Duration::from_millis(ms)).await?,
        Do::Say(words) => say(cx, words).await?,
        Do::SayLong(bytes) => say(cx, "x".repeat(bytes)).await?,
        Do::Branch(calls, poke) => {
            let limits = Limits { calls: Some(calls), ..Limits::NONE };
            let words = tell(&cx.branch("branch", limits), &poke).await?;
            say(cx, words).await?;
        }
        Do::PanicOnce => {
            let before = cx.read(|memory| memory.said.iter().any(|words| words == "about to panic"));
            if !before {
                say(cx, "about to panic").await?;
                #[expect(clippy::panic, reason = "this is what it was told to do")]
                {
                    panic!("told to panic");
                }
            }
        }
        Do::Hang => std::future::pending().await,
        Do::Spin => {
            futures::future::poll_fn::<(), _>(|context| {
                context.waker().wake_by_ref();
                std::task::Poll::Pending
            })
            .await;
        }
        Do::EmitMove => cx.emit(Event::Over).await?,
        Do::End(event) => return Ok(Some(event)),
        Do::Mark(name) => cx.checkpoint(name).await?,
        Do::Children(_) | Do::First(_) | Do::Orphan(_) | Do::Stranger(_) | Do::Nest(_) => {
            children::perform(cx, instruction).await?;
        }
        Do::Must(poke) => {
            cx.step(poke.name.as_str(), &poke).await?;
        }
    }
    Ok(None)
}

/// The other side of a puppet's steps: counts calls, fails as told, and can hold calls back.
#[derive(Clone, Debug, Default)]
pub struct OtherSide {
    calls: Arc<Mutex<BTreeMap<String, u32>>>,
    /// Steps whose calls never come back.
    held: Arc<Mutex<Vec<String>>>,
    /// Steps whose calls fail for good.
    lost: Arc<Mutex<Vec<String>>>,
}

impl OtherSide {
    /// Performers that act on this side.
    pub fn effects(&self) -> Effects {
        Effects::default()
            .with::<Poke>(self.clone())
            .with_crew(Arc::new(Catalogue::default().with::<Puppet>()))
    }

    /// How often each step was called.
    pub fn calls(&self) -> BTreeMap<String, u32> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Calls of these steps never come back from now on.
    pub fn hold(&self, names: &[&str]) {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) =
            names.iter().map(|name| (*name).to_owned()).collect();
    }

    /// Calls of these steps fail for good from now on.
    pub fn lose(&self, names: &[&str]) {
        *self.lost.lock().unwrap_or_else(PoisonError::into_inner) =
            names.iter().map(|name| (*name).to_owned()).collect();
    }

    fn count(&self, name: &str) -> u32 {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let times = calls.entry(name.to_owned()).or_insert(0);
        *times += 1;
        *times
    }

    fn holds(&self, name: &str) -> bool {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).iter().any(|held| held == name)
    }
}

#[async_trait]
impl Perform<Poke> for OtherSide {
    async fn perform(&self, act: Poke, call: &Call) -> Result<Paid<String>, Failure> {
        self.count(&act.name);
        if self.holds(&act.name) {
            std::future::pending::<()>().await;
        }
        if self.lost.lock().unwrap_or_else(PoisonError::into_inner).contains(&act.name) {
            return Err(Failure {
                text: "it is away".to_owned(),
                retriable: false,
                after_ms: None,
                spend: Spend::NONE,
            });
        }
        let half = Spend {
            micro_usd: act.reserve.micro_usd / 2,
            tokens: act.reserve.tokens / 2,
            calls: act.reserve.calls,
        };
        if call.attempt <= act.fails {
            let text = format!("told to fail {} times", act.fails);
            return Err(Failure { text, retriable: !act.lasting, after_ms: act.asks_wait_ms, spend: half });
        }
        let out = if act.length == 0 { format!("done {}", act.name) } else { "y".repeat(act.length) };
        Ok(Paid { out, spend: half })
    }

    async fn reconcile(&self, act: Poke, _call: &Call) -> Found<String> {
        // Names tell what is found, so that tests are data.
        match act.name.split('-').next() {
            Some("happened") => Found::Happened(Paid::free(format!("found {}", act.name))),
            Some("absent") => Found::Absent,
            _ => Found::Unclear("no trace either way".to_owned()),
        }
    }
}
