//! What needs no server: pace, prices, schemas, refusals.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use super::*;
use crate::clock::HandClock;

#[tokio::test]
async fn calls_per_minute_are_spaced() {
    let clock = HandClock::new();
    let limits = Limits { per_minute: Some(6), ..Limits::default() };
    let limiter = Arc::new(Limiter::new(Arc::new(clock.clone()), limits));
    drop(limiter.enter().await.unwrap());
    for _ in 0..3 {
        let next = Arc::clone(&limiter);
        let entered = tokio::spawn(async move { next.enter().await.map(drop) });
        clock.until_sleeping(1).await;
        clock.advance(Duration::from_secs(10));
        entered.await.unwrap().unwrap();
    }
    assert_eq!(clock.waits(), [Duration::from_secs(10); 3]);
}

#[tokio::test]
async fn a_burst_passes_and_then_the_pace_holds() {
    let clock = HandClock::new();
    let limits = Limits { per_minute: Some(60), ..Limits::default() };
    let limiter = Limiter::new(Arc::new(clock.clone()), limits);
    for _ in 0..6 {
        drop(limiter.enter().await.unwrap());
    }
    assert_eq!(clock.waits(), []);
    let seventh = limiter.enter();
    tokio::pin!(seventh);
    tokio::select! {
        _ = &mut seventh => panic!("the seventh call of a burst of six must wait"),
        () = clock.until_sleeping(1) => {}
    }
    assert_eq!(clock.waits(), [Duration::from_secs(1)]);
}

#[test]
fn costs_are_rounded_up_and_cached_tokens_are_cheaper() {
    let price = Price { input: 2_500_000, output: 10_000_000, cached: Some(1_250_000) };
    let usage = Usage { input: 1000, cached: 400, output: 100, estimated: false };
    assert_eq!(price.cost(&usage), 600 * 5 / 2 + 400 * 5 / 4 + 1000);
    assert_eq!(price.cost(&Usage { input: 1, ..Usage::default() }), 3);
    assert_eq!(Price::FREE.cost(&usage), 0);
    assert_eq!(Price { output: u64::MAX, ..price }.cost(&Usage { output: u64::MAX, ..usage }), u64::MAX);
}

#[test]
fn a_strict_schema_closes_every_object() {
    let loose = json!({
        "$schema": "x", "title": "T", "type": "object",
        "properties": {
            "title": {"type": "string", "format": "uint"},
            "in": {"type": "object", "properties": {"x": {"type": ["string", "null"]}}},
        },
        "required": ["title"],
    });
    let strict = schema::strict(&loose);
    assert_eq!(strict["required"], json!(["title", "in"]));
    assert_eq!(strict["additionalProperties"], false);
    assert_eq!(strict["properties"]["in"]["additionalProperties"], false);
    assert_eq!(strict["properties"]["title"], json!({"type": "string"}));
    assert!(strict.get("title").is_none() && strict.get("$schema").is_none());
}

#[test]
fn gemini_gets_no_references() {
    let referring = json!({
        "type": "object",
        "properties": {"f": {"type": "array", "items": {"$ref": "#/$defs/F"}}, "n": {"type": ["integer", "null"]}},
        "$defs": {"F": {"type": "object", "properties": {"k": {"const": "one"}}}},
    });
    let flat = schema::openapi(&referring).unwrap();
    assert_eq!(flat["properties"]["f"]["items"]["properties"]["k"], json!({"enum": ["one"]}));
    assert_eq!(flat["properties"]["n"], json!({"type": "integer", "nullable": true}));
    assert!(!flat.to_string().contains('$'));
    let endless =
        json!({"$ref": "#/$defs/L", "$defs": {"L": {"properties": {"next": {"$ref": "#/$defs/L"}}}}});
    assert_eq!(schema::openapi(&endless), None);
}

#[test]
fn refusals_are_told_apart_by_their_words() {
    let cases = [
        (429, "You exceeded your current quota, please check your plan and billing", FaultKind::QuotaSpent),
        (429, "slow down", FaultKind::RateLimited),
        (400, "Your credit balance is too low", FaultKind::QuotaSpent),
        (400, "This model's maximum context length is 8192 tokens", FaultKind::TooLong),
        (400, "Invalid schema for response_format 'x'", FaultKind::SchemaRefused),
        (400, "temperature must be at most 2", FaultKind::Rejected),
        (307, "", FaultKind::Rejected),
        (408, "timeout", FaultKind::ServerError),
        (529, "Overloaded", FaultKind::RateLimited),
    ];
    for (status, words, kind) in cases {
        assert_eq!(refusal::kind(status, words), kind, "{status} {words}");
    }
    let bodies = [
        r#"{"error":{"message":"m"}}"#,
        r#"[{"error":{"message":"m"}}]"#,
        r#"{"error":"m"}"#,
        r#"{"message":"m"}"#,
        "m",
    ];
    assert!(bodies.iter().all(|b| refusal::words(b) == "m"));
}
