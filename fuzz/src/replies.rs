//! What servers answer: models (streamed and whole, and the JSON inside), search providers, MCP tools.

use baton_agents::model::sse::{Event, Parser};
use baton_agents::model::{Bounds, Limits, ModelCall, ModelCard, Price, Provider, Structured, charged};
use baton_agents::parse::{Reason, Wanted, parse};
use baton_agents::search::web::{Answer, Kind, read_answer};
use baton_agents::search::{Location, Query, mcp as tools};
use serde_json::Value;

/// Server-sent events: the same however the bytes are cut.
pub fn sse(bytes: &[u8]) {
    let whole = events(&[bytes]);
    let size = usize::from(bytes.first().copied().unwrap_or(0)) % 7 + 1;
    for size in [1, size] {
        assert_eq!(whole, events(&bytes.chunks(size).collect::<Vec<_>>()), "cut into pieces of {size}");
    }
    // A byte that is no text becomes a sign of three.
    let length: usize = whole.iter().map(|event| event.name.len() + event.data.len()).sum();
    assert!(length <= 3 * bytes.len(), "{length} bytes of events from {}", bytes.len());
}

fn events(pieces: &[&[u8]]) -> Vec<Event> {
    let mut parser = Parser::default();
    let mut events: Vec<Event> = pieces.iter().flat_map(|piece| parser.feed(piece)).collect();
    events.extend(parser.finish());
    events
}

/// The answer of a model server, whole and as the events of a stream: no text but the server's, no charge below our own
/// price, no sum that runs over. The first byte chooses the provider.
pub fn answer(bytes: &[u8]) {
    let Some((first, body)) = bytes.split_first() else { return };
    let provider = [Provider::OpenAi, Provider::Anthropic, Provider::Gemini][usize::from(*first) % 3];
    let whole: Vec<Value> = serde_json::from_slice(body).ok().into_iter().collect();
    let streamed: Vec<Value> =
        events(&[body]).iter().filter_map(|event| serde_json::from_str(&event.data).ok()).collect();
    let price = Price { input: 2_000_000, output: 8_000_000, cached: Some(500_000) };
    let card = card(provider, price);
    for (parts, stream) in [(whole, false), (streamed, true)] {
        let (text, usage, cost) = charged(&card, &call(stream), &parts);
        assert!(text.len() <= body.len(), "more text than the server sent");
        assert!(usage.cached <= usage.input, "more from the cache than was read");
        assert!(cost >= price.cost(&usage).min(1_000_000_000_000), "charged less than its price");
    }
}

fn card(provider: Provider, price: Price) -> ModelCard {
    ModelCard {
        name: "m".to_owned(),
        provider,
        base_url: "http://127.0.0.1:1".to_owned(),
        model: "m".to_owned(),
        key_env: None,
        price: Some(price),
        context_tokens: 8192,
        max_output_tokens: 2048,
        temperature: None,
        structured: Structured::default(),
        stream: true,
        limits: Limits::default(),
        on_this_machine: true,
        may_see_documents: true,
    }
}

fn call(stream: bool) -> ModelCall {
    let word = || "w".to_owned();
    ModelCall {
        model: word(),
        role: word(),
        skill: word(),
        step: word(),
        prompt_hash: word(),
        messages: Vec::new(),
        schema: None,
        max_tokens: 100,
        temperature: None,
        stream,
        carries_documents: false,
        bounds: Bounds::default(),
    }
}

/// The JSON in a model's reply: what was wanted, readable again without repair, and what plain JSON says where the reply
/// is plain JSON. A refusal points into the reply.
pub fn reply(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for wanted in [Wanted::Object, Wanted::Array, Wanted::Any] {
        let parsed = match parse(text, wanted) {
            Ok(parsed) => parsed,
            Err(refused) => {
                assert!(
                    text.get(refused.at..).is_some_and(|rest| rest.starts_with(&refused.near)),
                    "{refused}"
                );
                let plain = serde_json::from_str::<Value>(text).is_ok_and(|value| fits(wanted, &value));
                assert!(!plain || refused.reason != Reason::NoJson, "plain JSON is overlooked");
                continue;
            }
        };
        assert!(fits(wanted, &parsed.value), "{wanted:?} was wanted");
        let plain = serde_json::to_string(&parsed.value).expect("JSON");
        // A control character is six bytes in JSON, a number with an exponent up to twenty.
        assert!(plain.len() <= 16 * text.len() + 64, "{} bytes from {}", plain.len(), text.len());
        let again = parse(&plain, wanted).expect("its own JSON is readable");
        assert_eq!((&again.value, again.repairs.len()), (&parsed.value, 0), "read again: {plain}");
        if let (true, Ok(value)) = (parsed.repairs.is_empty(), serde_json::from_str::<Value>(text)) {
            assert_eq!(value, parsed.value, "plain JSON has one reading");
        }
    }
}

fn fits(wanted: Wanted, value: &Value) -> bool {
    match wanted {
        Wanted::Object => value.is_object(),
        Wanted::Array => value.is_array(),
        Wanted::Any => value.is_object() || value.is_array(),
    }
}

/// Answers of search providers. The first byte chooses the provider.
pub fn search(bytes: &[u8]) {
    const KINDS: [Kind; 8] = [
        Kind::Wikipedia,
        Kind::Arxiv,
        Kind::Openalex,
        Kind::Crossref,
        Kind::Searxng,
        Kind::Brave,
        Kind::Tavily,
        Kind::Feed,
    ];
    let Some((first, body)) = bytes.split_first() else { return };
    let kind = KINDS[usize::from(*first) % KINDS.len()];
    if let Ok(answer) = read_answer(kind, body, &Query::new("heat pump", 5)) {
        is_safe(&answer, 5);
    }
}

/// Results of MCP tools.
pub fn mcp(bytes: &[u8]) {
    if let Some(Ok(answer)) = tools::read_result(bytes, 5) {
        is_safe(&answer, 5);
    }
    let text = String::from_utf8_lossy(bytes);
    let said = serde_json::json!({"content": [{"type": "text", "text": text}]}).to_string();
    if let Some(Ok(answer)) = tools::read_result(said.as_bytes(), 5) {
        is_safe(&answer, 5);
    }
}

/// At most so many hits, numbered, on the web, of bounded words without control characters.
fn is_safe(answer: &Answer, limit: usize) {
    assert!(answer.found.len() <= limit, "more hits than were asked for");
    for (at, found) in answer.found.iter().enumerate() {
        let hit = &found.hit;
        assert_eq!(hit.rank, at + 1);
        assert!(
            matches!(&hit.location, Location::Url(url) if url.starts_with("http://") || url.starts_with("https://")),
            "{} is no address of the web",
            hit.location
        );
        for words in [&hit.title, &hit.snippet] {
            assert!(words.chars().count() <= 2001, "{} bytes of words", words.len());
            assert!(!words.contains(char::is_control), "a control character in {words:?}");
        }
    }
}
