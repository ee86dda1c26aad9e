//! What people get wrong: each gives a clear sentence and a next step.

use std::sync::Arc;

use baton_agents::clock::Clock;
use baton_agents::model::secret::{GivenKeys, Keys};
use baton_agents::model::{FaultKind, Models, Provider};
use baton_agents::skill::{AskRequest, Budget, Cause, Piece, Problem, Role, Skill, Summarize, Vars, ask};
use baton_testkit::model_server::ModelServer;
use serde_json::Value;

use crate::common::{Unhurried, asked, call, card, input, port, role};

async fn only_fault(
    change: impl FnOnce(&mut baton_agents::model::ModelCard),
    keys: GivenKeys,
) -> (FaultKind, String) {
    let server = ModelServer::start().await.unwrap();
    let mut card = card(&server, "m", Provider::OpenAi);
    change(&mut card);
    let clock: Arc<dyn Clock> = Arc::new(Unhurried::default());
    let keys: Arc<dyn Keys> = Arc::new(keys);
    let fault =
        Models::over_http([card], &keys, &clock).unwrap().perform(&call("m", true), &()).await.unwrap_err();
    (fault.kind, fault.to_string())
}

fn with_key() -> GivenKeys {
    GivenKeys::default().with("TEST_KEY", "sk-very-secret-1234")
}

#[tokio::test]
async fn a_missing_key_names_its_variable() {
    let (kind, text) = only_fault(|_| (), GivenKeys::default()).await;
    assert_eq!(kind, FaultKind::KeyMissing);
    assert!(text.contains("TEST_KEY is not set. Set that variable"), "{text}");
}

#[tokio::test]
async fn a_server_that_is_down_is_unreachable() {
    let (kind, text) = only_fault(|c| c.base_url = "http://127.0.0.1:1/v1".into(), with_key()).await;
    assert_eq!(kind, FaultKind::Unreachable, "{text}");
    assert!(text.contains("127.0.0.1:1") && text.contains("Check that the server runs"), "{text}");
}

#[tokio::test]
async fn a_server_without_tls_is_a_tls_fault() {
    let (kind, text) = only_fault(|c| c.base_url = c.base_url.replace("http:", "https:"), with_key()).await;
    assert_eq!(kind, FaultKind::Tls, "{text}");
    assert!(text.contains("Check the certificate"), "{text}");
}

#[tokio::test]
async fn an_unknown_price_is_refused_under_a_money_budget_and_fine_without() {
    let server = ModelServer::start().await.unwrap();
    server.answer(|_| crate::common::GOOD.to_owned());
    let mut card = card(&server, "m", Provider::OpenAi);
    card.price = None;
    let cards = [card];
    let limited = port(&cards, Budget { microusd: Some(1_000_000), ..Budget::default() });
    let failure = ask::<Summarize>(&limited, &role(cards.to_vec()), asked(&input())).await.unwrap_err();
    assert_eq!(failure.cause.fault(), Some(FaultKind::PriceUnknown));
    assert!(failure.to_string().contains("Give the model a price"), "{failure}");
    assert!(server.served().is_empty());
    let free = port(&cards, Budget::default());
    assert!(ask::<Summarize>(&free, &role(cards.to_vec()), asked(&input())).await.is_ok());
}

/// A skill whose prompt names a variable it does not give.
struct Forgetful;

impl Skill for Forgetful {
    const NAME: &'static str = "forgetful";
    const PROMPT: &'static str = "Hello\n{{ whom }}";
    type Input = Value;
    type Output = Value;
    fn vars(_: &Value) -> Vars {
        Vars::new().with("who", "Ada")
    }
    fn material(_: &Value) -> Vec<Piece> {
        Vec::new()
    }
    fn check(_: &Value, _: &Value) -> Vec<Problem> {
        Vec::new()
    }
    fn rules(_: &Value) -> Option<Value> {
        Some(Value::Null)
    }
}

#[tokio::test]
async fn a_missing_prompt_variable_is_named_and_rules_do_not_hide_it() {
    let server = ModelServer::start().await.unwrap();
    let cards = [card(&server, "m", Provider::OpenAi)];
    let role = Role { rules: true, ..role(cards.to_vec()) };
    let question = AskRequest { key: "q", input: &Value::Null, carries_documents: false };
    let failure = ask::<Forgetful>(&port(&cards, Budget::default()), &role, question).await.unwrap_err();
    let text = failure.to_string();
    assert!(text.contains("forgetful") && text.contains("line 2") && text.contains("whom"), "{text}");
    assert!(server.served().is_empty());
}

#[tokio::test]
async fn a_role_without_models_uses_rules_or_says_so() {
    let port = port(&[], Budget::default());
    let by_rules = ask::<Summarize>(&port, &Role::rules_only("writer"), asked(&input())).await.unwrap();
    assert_eq!(by_rules.output.quotes.len(), 2);
    let failure = ask::<Summarize>(&port, &role(vec![]), asked(&input())).await.unwrap_err();
    assert_eq!(failure.cause, Cause::NoModel);
}

#[tokio::test]
async fn a_model_that_can_read_too_little_is_passed_over() {
    let server = ModelServer::start().await.unwrap();
    server.answer(|_| crate::common::GOOD.to_owned());
    let mut small = card(&server, "small", Provider::OpenAi);
    small.context_tokens = 2400;
    let cards = [small, card(&server, "large", Provider::OpenAi)];
    let answer = ask::<Summarize>(&port(&cards, Budget::default()), &role(cards.to_vec()), asked(&input()))
        .await
        .unwrap();
    assert_eq!((answer.tries.len(), server.served().len()), (2, 1));
}
