//! What one ask costs above a bare HTTP call to the same scripted server, 8 at once, in one run. Prints JSON.
//!
//! `cargo run --release -p bench-asking`; `BENCH_CALLS` sets how many calls each side makes (default 500).

use std::sync::Arc;
use std::time::{Duration, Instant};

use baton_agents::clock::{Clock, RealClock};
use baton_agents::model::secret::{GivenKeys, Keys};
use baton_agents::model::{Limits, ModelCard, Models, Price, Provider, Structured, client_for};
use baton_agents::skill::{AskRequest, Budget, DirectPort, Role, Summarize, ToSummarize, ask};
use baton_testkit::model_server::ModelServer;
use futures::stream::{self, StreamExt as _};
use serde_json::{Value, json};

const AT_ONCE: usize = 8;
const ROUNDS: usize = 5;
const TEXT: &str = "Ada Lovelace was born in London in 1815. She wrote notes on the Analytical Engine. \
                    The notes hold what many call the first program.";
const ANSWER: &str =
    r#"{"summary": "Ada was born in 1815.", "quotes": ["Ada Lovelace was born in London in 1815."]}"#;

type Failure = Box<dyn std::error::Error>;

/// Runs `one` so many times, so many at once, and returns the time each took on average over the batch.
async fn batch<F, W>(calls: usize, one: F) -> Result<(Duration, Duration), Failure>
where
    F: Fn(usize) -> W,
    W: Future<Output = Result<(), Failure>>,
{
    let start = now();
    let mut lengths: Vec<Duration> = Vec::with_capacity(calls);
    let one = &one;
    let mut work = stream::iter(0..calls)
        .map(|i| async move {
            let start = now();
            one(i).await.map(|()| start.elapsed())
        })
        .buffer_unordered(AT_ONCE);
    while let Some(length) = work.next().await {
        lengths.push(length?);
    }
    lengths.sort_unstable();
    Ok((start.elapsed() / u32::try_from(calls)?, lengths[lengths.len() / 2]))
}

#[allow(clippy::disallowed_methods)] // a benchmark measures real time
fn now() -> Instant {
    Instant::now()
}

fn card(base_url: String) -> ModelCard {
    ModelCard {
        name: "m".to_owned(),
        provider: Provider::OpenAi,
        base_url,
        model: "m".to_owned(),
        key_env: Some("KEY".to_owned()),
        price: Some(Price { input: 1, output: 1, cached: None }),
        context_tokens: 8192,
        max_output_tokens: 1024,
        temperature: Some(0.0),
        structured: Structured::Schema,
        stream: false,
        limits: Limits { at_once: 64, ..Limits::default() },
        on_this_machine: true,
        may_see_documents: true,
    }
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> Result<(), Failure> {
    let calls: usize = std::env::var("BENCH_CALLS").ok().map_or(Ok(500), |n| n.parse())?;
    let server = ModelServer::start().await?;
    server.answer(|_| ANSWER.to_owned());
    let card = card(server.v1());
    let clock: Arc<dyn Clock> = Arc::new(RealClock::new());
    let keys: Arc<dyn Keys> = Arc::new(GivenKeys::default().with("KEY", "k"));
    let models = Models::over_http([card.clone()], &keys, &clock)?;
    let budget = Budget { microusd: Some(u64::MAX / 2), ..Budget::default() };
    let port = &DirectPort::new(models, clock, budget, [7; 32]);
    let role = &Role { name: "bench".to_owned(), chain: vec![card], rules: false };
    let input = &ToSummarize { text: TEXT.to_owned(), sentences: 2 };

    // The bare side sends the very bytes an ask sends.
    ask::<Summarize>(port, role, AskRequest { key: "first", input, carries_documents: false }).await?;
    let body = server.served().first().map(|s| s.asked.body.to_string()).ok_or("nothing was served")?;
    let client = client_for(true)?;
    let url = format!("{}/chat/completions", server.v1());
    let bare = |_: usize| {
        let request = client.post(&url).header("content-type", "application/json").body(body.clone());
        async move {
            let answer: Value = serde_json::from_slice(&request.send().await?.bytes().await?)?;
            answer.pointer("/choices/0/message/content").map(drop).ok_or_else(|| "no content".into())
        }
    };
    let asked = |i: usize| async move {
        let key = format!("ask-{i}");
        let question = AskRequest { key: &key, input, carries_documents: false };
        ask::<Summarize>(port, role, question).await.map(drop).map_err(Failure::from)
    };

    batch(calls / 10 + 1, bare).await?;
    batch(calls / 10 + 1, asked).await?;
    let mut rounds = Vec::new();
    for round in 0..ROUNDS {
        // Sides take turns to go first, so that a drift of the machine favours neither.
        let (b, a) = if round % 2 == 0 {
            let b = batch(calls, bare).await?;
            (b, batch(calls, asked).await?)
        } else {
            let a = batch(calls, asked).await?;
            (batch(calls, bare).await?, a)
        };
        rounds.push((b, a));
    }
    rounds.sort_by_key(|(b, a)| a.1.saturating_sub(b.1));
    let ((bare_each, bare_median), (ask_each, ask_median)) = rounds[ROUNDS / 2];
    let ms = |d: Duration| (d.as_secs_f64() * 1e6).round() / 1e3;
    let report = json!({
        "calls_per_side_per_round": calls, "at_once": AT_ONCE, "rounds": ROUNDS,
        "bare_ms_median": ms(bare_median), "ask_ms_median": ms(ask_median),
        "overhead_ms_median": ms(ask_median.saturating_sub(bare_median)),
        "bare_wall_ms_per_call": ms(bare_each), "ask_wall_ms_per_call": ms(ask_each),
        "ratio": (ask_median.as_secs_f64() / bare_median.as_secs_f64() * 100.0).round() / 100.0,
        "limit_ms": 1.5,
        "within_limit": ask_median.saturating_sub(bare_median) < Duration::from_micros(1500),
    });
    #[allow(clippy::print_stdout)] // the report is what this program is for
    {
        println!("{report:#}");
    }
    Ok(())
}
