//! A scripted server, cards that point to it, and a port over them.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use baton_agents::clock::Clock;
use baton_agents::model::secret::{GivenKeys, Keys};
use baton_agents::model::{
    Bounds, Limits, Message, ModelCall, ModelCard, Models, OutputSchema, Price, Provider, Speaker, Structured,
};
use baton_agents::skill::{AskRequest, Budget, DirectPort, Role, ToSummarize};
use baton_testkit::model_server::ModelServer;
use serde_json::json;

pub const TEXT: &str = "Ada Lovelace was born in London in 1815. She wrote notes on the Analytical Engine. \
                        The notes hold what many call the first program.";
pub const GOOD: &str =
    r#"{"summary": "Ada was born in 1815.", "quotes": ["Ada Lovelace was born in London in 1815."]}"#;
pub const WRONG: &str = r#"{"summary": "Ada was born in 1795.", "quotes": ["Ada was born in 1795."]}"#;

pub fn card(server: &ModelServer, name: &str, provider: Provider) -> ModelCard {
    let base_url = if provider == Provider::Gemini { server.v1beta() } else { server.v1() };
    ModelCard {
        name: name.to_owned(),
        provider,
        base_url,
        model: format!("{name}-large"),
        key_env: Some("TEST_KEY".to_owned()),
        price: Some(Price { input: 1_000_000, output: 4_000_000, cached: None }),
        context_tokens: 8192,
        max_output_tokens: 1024,
        temperature: Some(0.0),
        structured: Structured::Schema,
        stream: true,
        limits: Limits { at_once: 64, ..Limits::default() },
        on_this_machine: true,
        may_see_documents: true,
    }
}

pub fn keys() -> Arc<dyn Keys> {
    Arc::new(GivenKeys::default().with("TEST_KEY", "sk-very-secret-1234"))
}

pub fn models(cards: &[ModelCard]) -> Models {
    models_on(cards, Arc::new(Unhurried::default()))
}

#[allow(clippy::needless_pass_by_value)] // so that callers can hand over any clock
pub fn models_on(cards: &[ModelCard], clock: Arc<dyn Clock>) -> Models {
    Models::over_http(cards.iter().cloned(), &keys(), &clock).unwrap()
}

pub fn call(model: &str, stream: bool) -> ModelCall {
    let shape = json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]});
    ModelCall {
        model: model.to_owned(),
        role: "tester".to_owned(),
        skill: "none".to_owned(),
        step: "step-1".to_owned(),
        prompt_hash: "0".to_owned(),
        messages: vec![
            Message { speaker: Speaker::System, text: "Be brief.".to_owned() },
            Message { speaker: Speaker::User, text: "What is a?".to_owned() },
        ],
        schema: Some(OutputSchema { name: "answer".to_owned(), schema: shape }),
        max_tokens: 100,
        temperature: Some(0.0),
        stream,
        carries_documents: false,
        bounds: Bounds::default(),
    }
}

pub fn role(chain: Vec<ModelCard>) -> Role {
    Role { name: "writer".to_owned(), chain, rules: false }
}

pub fn port(cards: &[ModelCard], budget: Budget) -> DirectPort {
    DirectPort::new(models(cards), Arc::new(Unhurried::default()), budget, [7; 32])
}

pub fn asked(input: &ToSummarize) -> AskRequest<'_, ToSummarize> {
    AskRequest { key: "q", input, carries_documents: false }
}

pub fn input() -> ToSummarize {
    ToSummarize { text: TEXT.to_owned(), sentences: 2 }
}

/// A clock on which short waits are over at once, and kept; a minute of silence never passes.
#[derive(Default)]
pub struct Unhurried(pub Mutex<Vec<Duration>>);

#[async_trait]
impl Clock for Unhurried {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    async fn sleep(&self, how_long: Duration) {
        if how_long >= Duration::from_secs(60) {
            std::future::pending::<()>().await;
        }
        self.0.lock().unwrap().push(how_long);
    }
}
