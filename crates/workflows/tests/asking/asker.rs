//! A workflow that asks one skill several times at once, and a home to run it in.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use baton_agents::clock::Clock as AgentClock;
use baton_agents::model::secret::{GivenKeys, Keys};
use baton_agents::model::{Limits as Rates, ModelCard, Models, Price, Provider, Structured};
use baton_agents::skill::{AskRequest, By, Role, Summarize, ToSummarize, ask};
use baton_engine::engine::Pace;
use baton_engine::sim::SimClock;
use baton_engine::store::{CrashPlan, Store, StoreOptions};
use baton_engine::{
    Cx, Drive, DriveError, Effects, End, Engine, Fault, Idle, Millis, Node, RunId, SeededDice, Settings,
    Work, node,
};
use baton_machine::{Kind, Outcome, Row, Workflow, events, transitions, words};
use baton_testkit::model_server::ModelServer;
use baton_workflows::asking::{self, Ask, CallModel, CallModels, Material, StepPort};
use futures::future::join_all;
use serde::{Deserialize, Serialize};

pub const TEXT: &str = "Ada Lovelace was born in London in 1815. She wrote notes on the Analytical Engine.";
pub const GOOD: &str =
    r#"{"summary": "Ada was born in 1815.", "quotes": ["Ada Lovelace was born in London in 1815."]}"#;
pub const WRONG: &str = r#"{"summary": "Ada was born in 1795.", "quotes": ["Ada was born in 1795."]}"#;
pub const KEY: &str = "sk-very-secret-0123456789";

words! { pub enum State { Asking = "ASKING", Done = "DONE" } }
events! { pub enum Event as On { Heard { words: String } = "HEARD", Over = "OVER" } }

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asker;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    pub role: Role,
    pub asks: usize,
    /// One after the other, as workflows ask.
    #[serde(default)]
    pub in_turn: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    pub task: Task,
    pub heard: Vec<String>,
}

impl Workflow for Asker {
    const NAME: &'static str = "asker";
    const START: State = State::Asking;
    const TABLE: &'static [Row<Self>] = transitions! {
        Asking + Heard => stay;
        Asking + Over  => Done;
    };
    type State = State;
    type On = On;
    type Event = Event;
    type Input = Task;
    type Memory = Memory;
    fn begin(task: &Task) -> Memory {
        Memory { task: task.clone(), heard: Vec::new() }
    }
    fn learn(memory: &mut Memory, event: &Event) {
        if let Event::Heard { words } = event {
            memory.heard.push(words.clone());
        }
    }
    fn kind(state: State) -> Kind {
        match state {
            State::Asking => Kind::Works,
            State::Done => Kind::Ends(Outcome::Completed),
        }
    }
}

impl Work for Asker {
    const CODE_VERSION: u32 = 1;
    fn node(state: State) -> Option<Node<Self>> {
        (state == State::Asking).then(|| node(work))
    }
}

async fn work(cx: Cx<Asker>) -> Result<Event, Fault> {
    let task = cx.read(|memory| memory.task.clone());
    let keys: Vec<String> = (0..task.asks).map(|number| format!("q{number}")).collect();
    if task.in_turn {
        for key in &keys {
            let words = through_the_room(&cx, &task.role, key).await?;
            cx.emit(Event::Heard { words }).await?;
        }
        return Ok(Event::Over);
    }
    for words in join_all(keys.iter().map(|key| one(&cx, &task.role, key))).await {
        cx.emit(Event::Heard { words: words? }).await?;
    }
    Ok(Event::Over)
}

async fn one(cx: &Cx<Asker>, role: &Role, key: &str) -> Result<String, Fault> {
    let input = ToSummarize { text: TEXT.to_owned(), sentences: 1 };
    let question = AskRequest { key, input: &input, carries_documents: false };
    Ok(match ask::<Summarize>(&StepPort::new(cx), role, question).await {
        Ok(answer) => {
            let by = match answer.by {
                By::Model { name, .. } => name,
                By::Rules => "rules".to_owned(),
            };
            format!("{key} by {by} in {}: {}", answer.tries.len(), answer.output.summary)
        }
        Err(failure) => format!("{key}: {failure}"),
    })
}

async fn through_the_room(cx: &Cx<Asker>, role: &Role, key: &str) -> Result<String, Fault> {
    let input = ToSummarize { text: TEXT.to_owned(), sentences: 1 };
    let asked = asking::ask::<Summarize, _>(cx, role, Ask::new(key, &input, Material::Public)).await;
    Ok(match asked {
        Ok(answered) => format!("{key} by {:?}; {}", answered.by, answered.note.unwrap_or_default()),
        Err(fault) => format!("{key}: {fault}"),
    })
}

/// A home with a scripted model server beside it.
pub struct Home {
    pub folder: tempfile::TempDir,
    pub server: ModelServer,
    pub settings: Settings,
    pub crash: Option<Arc<CrashPlan>>,
    pub rules: bool,
    pub in_turn: bool,
}

impl Home {
    pub async fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            server: ModelServer::start().await.unwrap(),
            settings: Settings::default(),
            crash: None,
            rules: false,
            in_turn: false,
        }
    }

    fn card(&self, name: &str) -> ModelCard {
        ModelCard {
            name: name.to_owned(),
            provider: Provider::OpenAi,
            base_url: self.server.v1(),
            model: format!("{name}-large"),
            key_env: Some("TEST_KEY".to_owned()),
            price: Some(Price { input: 1_000_000, output: 4_000_000, cached: None }),
            context_tokens: 8192,
            max_output_tokens: 256,
            temperature: Some(0.0),
            structured: Structured::Schema,
            stream: true,
            limits: Rates { at_once: 64, ..Rates::default() },
            on_this_machine: true,
            may_see_documents: true,
        }
    }

    pub fn engine(&self) -> Engine {
        let options = StoreOptions { crash: self.crash.clone(), ..StoreOptions::default() };
        let keys: Arc<dyn Keys> = Arc::new(GivenKeys::default().with("TEST_KEY", KEY));
        let clock: Arc<dyn AgentClock> = Arc::new(Patient);
        let models = Models::over_http([self.card("first"), self.card("second")], &keys, &clock).unwrap();
        Engine {
            store: Store::open(self.folder.path(), &options).unwrap(),
            clock: Arc::new(SimClock::jumping(Millis(1_700_000_000_000))),
            dice: Arc::new(SeededDice::new(5)),
            effects: Effects::default().with::<CallModel>(CallModels::new(models, Arc::new(()))),
        }
    }

    pub fn task(&self, asks: usize) -> Task {
        let chain = vec![self.card("first"), self.card("second")];
        Task {
            role: Role { name: "writer".to_owned(), chain, rules: self.rules },
            asks,
            in_turn: self.in_turn,
        }
    }

    /// Starts the run if there is none, and drives it.
    pub async fn drive(&self, asks: usize) -> (Engine, Option<RunId>, Result<End, DriveError>) {
        let engine = self.engine();
        let known = engine.store.runs(Some(1)).unwrap().pop().map(|row| row.name);
        let started = known.or_else(|| engine.start::<Asker>(&self.task(asks), self.settings.clone()).ok());
        let Some(run) = started else { return (engine, None, Err(DriveError::LostLease)) };
        let how = Drive {
            idle: Idle::Leave,
            pace: Pace { poll: None, grace: Duration::ZERO },
            by: "the test".to_owned(),
            ..Drive::default()
        };
        let end = engine.drive::<Asker>(&run, how, &mut ()).await;
        (engine, Some(run), end)
    }
}

pub fn heard(engine: &Engine, run: &RunId) -> Vec<String> {
    let head = engine.present::<Asker>(run).unwrap();
    let memory = head.memory.lock().unwrap();
    memory.heard.clone()
}

/// A clock on which short waits are over at once, and a minute of silence never passes.
pub struct Patient;

#[async_trait]
impl AgentClock for Patient {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    async fn sleep(&self, how_long: Duration) {
        if how_long >= Duration::from_secs(60) {
            std::future::pending::<()>().await;
        }
    }
}
