//! A thousand asks, eight at once, a fifth of all calls going wrong: every ask ends in an answer or a typed
//! failure, and the money adds up to the last millionth.

use std::collections::BTreeSet;

use baton_agents::model::Provider;
use baton_agents::skill::{AskFailure, AskRequest, Budget, By, Cause, MOST_CALLS, Role, Summarize, ask};
use baton_testkit::model_server::{Act, Fault, Faults, ModelServer, Served};
use futures::stream::{self, StreamExt as _};

use crate::common::{GOOD, WRONG, card, input, port, role};

fn everything_that_goes_wrong() -> Vec<Act> {
    let say = |t: &str| Act::Say(t.to_owned());
    let mut acts: Vec<Act> = [
        Fault::CutConnection,
        Fault::TooMany(Some(1)),
        Fault::TooMany(None),
        Fault::Internal,
        Fault::Unavailable,
        Fault::SchemaRefused,
        Fault::WebPage,
        Fault::NotJson,
        Fault::OtherShape,
    ]
    .map(Act::Fail)
    .to_vec();
    acts.extend([Act::Refuse, Act::Echo, say(WRONG), say("Certainly! Here you go."), say(r#"{"a": 1}"#)]);
    acts.push(Act::CutAtLimit(GOOD[..40].to_owned()));
    acts
}

/// What the provider would bill: a token for four bytes, reading at 1 and writing at 4, whole answers only.
fn billed_by_server(served: &Served) -> u64 {
    let said = match &served.act {
        Act::Say(text) | Act::CutAtLimit(text) => text.clone(),
        Act::Refuse => "I'm sorry, but I can't help with that.".to_owned(),
        Act::Echo => served.asked.texts.join("\n"),
        Act::Drip(_) | Act::Count(..) | Act::Leak(..) | Act::Fail(_) => return 0,
    };
    served.asked.tokens_in() + 4 * said.len().div_ceil(4) as u64
}

struct Result1000 {
    by_model: usize,
    by_rules: usize,
    failures: Vec<AskFailure>,
}

async fn thousand(budget: u64, rules: bool) -> Result1000 {
    let server = ModelServer::start().await.unwrap();
    server.answer(|_| GOOD.to_owned());
    server.faults(Faults::new(42, 200, everything_that_goes_wrong()));
    let cards = [card(&server, "a", Provider::OpenAi), card(&server, "b", Provider::Anthropic)];
    let role = Role { rules, ..role(cards.to_vec()) };
    let port = port(&cards, Budget { microusd: Some(budget), ..Budget::default() });
    let input = input();
    let (role, port_ref, input) = (&role, &port, &input);
    let came: Vec<_> = stream::iter(0..1000)
        .map(|i| async move {
            let key = format!("ask-{i}");
            let question = AskRequest { key: &key, input, carries_documents: false };
            let came = ask::<Summarize>(port_ref, role, question).await;
            assert!(port_ref.spent_microusd() <= budget, "over the budget at {key}");
            came
        })
        .buffer_unordered(8)
        .collect()
        .await;

    let receipts = port.receipts();
    let asked_for: u64 =
        came.iter().map(|c| c.as_ref().map_or_else(|f| f.cost_microusd(), |a| a.cost_microusd())).sum();
    let charged: u64 = receipts.iter().map(|r| r.microusd).sum();
    assert_eq!(port.spent_microusd(), charged, "spend is the sum of receipts");
    assert_eq!(asked_for, charged, "the asks' own bills say the same");
    assert_eq!(receipts.len(), server.served().len(), "one receipt for each call the server saw");
    let known: u64 = receipts.iter().filter(|r| r.fault.is_none()).map(|r| r.microusd).sum();
    assert_eq!(
        known,
        server.served().iter().map(billed_by_server).sum::<u64>(),
        "the provider's bill is the same"
    );
    assert!(server.calls_by_step().values().all(|n| *n == 1), "no step was paid for twice");
    let keys: BTreeSet<_> = receipts.iter().map(|r| &r.key).collect();
    assert_eq!(keys.len(), receipts.len());
    for came in &came {
        let tries = came.as_ref().map_or_else(|f| &f.tries, |a| &a.tries);
        assert!(tries.len() <= MOST_CALLS + 1, "{tries:?}");
    }
    let answers: Vec<_> = came.iter().flatten().collect();
    for answer in &answers {
        if answer.by != By::Rules {
            assert_eq!(answer.output.quotes, ["Ada Lovelace was born in London in 1815."]);
        }
    }
    let by_rules = answers.iter().filter(|a| a.by == By::Rules).count();
    let by_model = answers.len() - by_rules;
    println!(
        "budget {budget}: {} calls for 1000 asks, {by_model} answered by a model, {by_rules} by rules, {} failed, \
         {charged} millionths spent",
        receipts.len(),
        1000 - by_model - by_rules,
    );
    Result1000 { by_model, by_rules, failures: came.into_iter().filter_map(Result::err).collect() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_asks_with_a_fifth_of_calls_failing() {
    let came = thousand(u64::MAX / 2, false).await;
    assert_eq!((came.by_model + came.failures.len(), came.by_rules), (1000, 0));
    assert!(came.by_model > 950, "{} answered", came.by_model);
    let enough =
        |f: &AskFailure| !matches!(f.cause, Cause::OverBudget(_) | Cause::NoModel | Cause::Prompt(_));
    assert!(came.failures.iter().all(enough), "{:?}", came.failures);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_budget_that_runs_out_is_never_passed() {
    let came = thousand(300_000, false).await;
    let over = came.failures.iter().filter(|f| matches!(f.cause, Cause::OverBudget(_))).count();
    assert!(came.by_model > 100 && over > 100, "{} answered, {over} over budget", came.by_model);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rules_answer_where_models_fail_and_never_hide_a_budget_that_is_used_up() {
    let came = thousand(u64::MAX / 2, true).await;
    assert_eq!((came.by_model + came.by_rules, came.failures.len()), (1000, 0));
    assert!(came.by_rules > 0);
    let came = thousand(300_000, true).await;
    assert!(came.failures.iter().all(|f| matches!(f.cause, Cause::OverBudget(_))), "{:?}", came.failures);
    assert!(came.failures.len() > 100);
}

/// Money set aside for calls in flight is not there for others, and stays spent when a call breaks.
#[tokio::test]
async fn what_is_in_flight_counts() {
    let server = ModelServer::start().await.unwrap();
    server.faults(Faults::new(1, 1000, vec![Act::Fail(Fault::CutConnection)]));
    let cards = [card(&server, "a", Provider::OpenAi)];
    let (role, input) = (&role(cards.to_vec()), &input());
    let eight = async |budget: Budget| {
        let port = port(&cards, budget);
        let keys: Vec<String> = (0..8).map(|i| format!("ask-{i}")).collect();
        let asks = keys
            .iter()
            .map(|key| ask::<Summarize>(&port, role, AskRequest { key, input, carries_documents: false }));
        let failures = futures::future::join_all(asks).await.into_iter().filter_map(Result::err).count();
        assert_eq!(failures, 8);
        port
    };
    let one = eight(Budget::default()).await.receipts()[0].most.microusd.unwrap();
    let before = server.served().len();
    let budget = one * 7 / 2;
    let port = eight(Budget { microusd: Some(budget), ..Budget::default() }).await;
    assert_eq!(server.served().len() - before, 3, "three and a half calls' worth is three calls");
    assert_eq!(port.spent_microusd(), 3 * one);
}
