//! OpenAI-compatible chat completions: OpenAI, OpenRouter, Ollama, llama.cpp, vLLM and many more.

use reqwest::header::{AUTHORIZATION, HeaderName};
use serde_json::{Value, json};

use super::draft::{Counted, Draft, number};
use super::http::Dialect;
use super::{Finish, ModelCall, ModelCard, Provider, Speaker, Structured, schema};

pub(super) struct OpenAi;

impl Dialect for OpenAi {
    fn url(&self, card: &ModelCard, _stream: bool) -> String {
        format!("{}/chat/completions", card.base_url.trim_end_matches('/'))
    }

    fn key_header(&self, key: &str) -> (HeaderName, String) {
        (AUTHORIZATION, format!("Bearer {key}"))
    }

    fn body(&self, card: &ModelCard, call: &ModelCall) -> Value {
        let enforced = call.schema.as_ref().filter(|_| card.structured == Structured::Schema);
        // A server that takes no notice of it sees the schema with the repair.
        let once = enforced.filter(|_| call.step.ends_with(".0"));
        let text =
            |said: &str| once.map_or_else(|| said.to_owned(), |shape| schema::said_once(said, &shape.schema));
        let messages: Vec<Value> = call
            .messages
            .iter()
            .map(|m| json!({"role": role(m.speaker), "content": text(&m.text)}))
            .collect();
        let mut body = json!({"model": card.model, "messages": messages, "stream": call.stream});
        // OpenAI's own server renamed the limit; compatible ones mostly know the old name only.
        let at_home = card.base_url.starts_with(Provider::OpenAi.home());
        body[if at_home { "max_completion_tokens" } else { "max_tokens" }] = call.max_tokens.into();
        if call.stream {
            body["stream_options"] = json!({"include_usage": true});
        }
        if let Some(temperature) = call.temperature {
            body["temperature"] = temperature.into();
        }
        if let Some(shape) = enforced {
            let strict = schema::strict(&shape.schema);
            let shape = json!({"name": shape.name, "strict": true, "schema": strict});
            body["response_format"] = json!({"type": "json_schema", "json_schema": shape});
        }
        body
    }

    fn whole(&self, body: &Value, draft: &mut Draft) {
        self.take(body, "/choices/0/message", draft);
    }

    fn event(&self, data: &Value, draft: &mut Draft) {
        self.take(data, "/choices/0/delta", draft);
    }
}

impl OpenAi {
    /// A chunk and a whole answer differ only in where the text stands.
    fn take(&self, value: &Value, message: &str, draft: &mut Draft) {
        if value.get("error").is_some_and(|e| !e.is_null()) {
            draft.error = Some(value.clone());
        }
        let text = |path: &str| value.pointer(&format!("{message}{path}")).and_then(Value::as_str);
        draft.say(text("/content").unwrap_or(""));
        // Two names for one thing; whoever sends both sends the same twice.
        draft.aside(text("/reasoning_content").or_else(|| text("/reasoning")).unwrap_or(""));
        if let Some(refusal) = text("/refusal").filter(|r| !r.is_empty()) {
            draft.say(refusal);
            draft.finish = Some(Finish::Refused);
        }
        if let Some(reason) = value.pointer("/choices/0/finish_reason").and_then(Value::as_str)
            && draft.finish != Some(Finish::Refused)
        {
            draft.finish = Some(finish(reason));
        }
        if let Some(usage) = value.get("usage").filter(|u| u.is_object()) {
            draft.counted.and(counted(usage));
            draft.costs(usage.get("cost").and_then(Value::as_f64).and_then(micro_usd));
        }
        let name = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        draft.served_by = draft.served_by.take().or_else(|| name("model"));
        draft.id = draft.id.take().or_else(|| name("id"));
    }
}

fn role(speaker: Speaker) -> &'static str {
    match speaker {
        Speaker::System => "system",
        Speaker::User => "user",
        Speaker::Assistant => "assistant",
    }
}

fn finish(reason: &str) -> Finish {
    match reason {
        "stop" | "tool_calls" => Finish::Stop,
        "length" => Finish::Length,
        "content_filter" => Finish::Refused,
        _ => Finish::Unknown,
    }
}

fn counted(usage: &Value) -> Counted {
    Counted {
        input: number(usage, "/prompt_tokens"),
        cached: number(usage, "/prompt_tokens_details/cached_tokens"),
        output: number(usage, "/completion_tokens"),
        hidden: None,
    }
}

/// Dollars as routers report them, rounded up to whole millionths.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked to be finite and positive
fn micro_usd(dollars: f64) -> Option<u64> {
    (dollars.is_finite() && (0.0..1e6).contains(&dollars)).then(|| (dollars * 1e6).ceil() as u64)
}
