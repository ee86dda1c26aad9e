//! Anthropic messages. An answer of a given shape is asked for as the input of a single forced tool.

use reqwest::header::HeaderName;
use serde_json::{Value, json};

use super::draft::{Counted, Draft, number, text};
use super::http::Dialect;
use super::{Finish, ModelCall, ModelCard, Speaker, Structured, schema};

pub(super) struct Anthropic;

impl Dialect for Anthropic {
    fn url(&self, card: &ModelCard, _stream: bool) -> String {
        format!("{}/messages", card.base_url.trim_end_matches('/'))
    }

    fn key_header(&self, key: &str) -> (HeaderName, String) {
        (HeaderName::from_static("x-api-key"), key.to_owned())
    }

    fn headers(&self) -> Vec<(&'static str, &'static str)> {
        vec![("anthropic-version", "2023-06-01")]
    }

    fn body(&self, card: &ModelCard, call: &ModelCall) -> Value {
        let says =
            |wanted: bool| call.messages.iter().filter(move |m| (m.speaker == Speaker::System) == wanted);
        let system: Vec<&str> = says(true).map(|m| m.text.as_str()).collect();
        let messages: Vec<Value> =
            says(false).map(|m| json!({"role": role(m.speaker), "content": m.text})).collect();
        let mut body = json!({
            "model": card.model, "max_tokens": call.max_tokens, "messages": messages, "stream": call.stream,
        });
        if !system.is_empty() {
            body["system"] = system.join("\n\n").into();
        }
        if let Some(temperature) = call.temperature {
            body["temperature"] = temperature.into();
        }
        if let (Some(shape), Structured::Schema) = (&call.schema, card.structured) {
            let plain = schema::plain(&shape.schema);
            let about = "Give the answer by calling this tool.";
            body["tools"] = json!([{"name": shape.name, "description": about, "input_schema": plain}]);
            body["tool_choice"] = json!({"type": "tool", "name": shape.name});
        }
        body
    }

    fn whole(&self, body: &Value, draft: &mut Draft) {
        if body.get("error").is_some_and(|e| !e.is_null()) {
            draft.error = Some(body.clone());
        }
        for block in body.get("content").and_then(Value::as_array).into_iter().flatten() {
            match block.get("type").and_then(Value::as_str) {
                Some("text") => draft.say(text(block, "/text").unwrap_or("")),
                Some("tool_use") => {
                    draft.text.clear();
                    draft.say(&block.get("input").map(Value::to_string).unwrap_or_default());
                }
                _ => draft.aside(text(block, "/thinking").unwrap_or("")),
            }
        }
        self.start(body, draft);
        self.end(body, draft);
    }

    fn event(&self, data: &Value, draft: &mut Draft) {
        match data.get("type").and_then(Value::as_str) {
            Some("message_start") => self.start(&data["message"], draft),
            // Words before the forced tool are chatter; the tool's input is the answer.
            Some("content_block_start") if data["content_block"]["type"] == "tool_use" => draft.text.clear(),
            Some("content_block_delta") => {
                let delta = &data["delta"];
                draft.say(text(delta, "/text").or_else(|| text(delta, "/partial_json")).unwrap_or(""));
                draft.aside(text(delta, "/thinking").unwrap_or(""));
            }
            Some("message_delta") => {
                self.end(&data["delta"], draft);
                self.count(data, draft);
            }
            Some("message_stop") => draft.done = true,
            Some("error") => {
                draft.error = Some(data.clone());
                draft.done = true;
            }
            _ => {}
        }
    }
}

impl Anthropic {
    fn start(&self, message: &Value, draft: &mut Draft) {
        draft.served_by = text(message, "/model").map(str::to_owned);
        draft.id = text(message, "/id").map(str::to_owned);
        self.count(message, draft);
    }

    fn end(&self, holder: &Value, draft: &mut Draft) {
        draft.finish = match holder.get("stop_reason").and_then(Value::as_str) {
            None => draft.finish,
            Some("end_turn" | "tool_use" | "stop_sequence") => Some(Finish::Stop),
            Some("max_tokens" | "model_context_window_exceeded") => Some(Finish::Length),
            Some("refusal") => Some(Finish::Refused),
            Some(_) => Some(Finish::Unknown),
        };
    }

    /// Anthropic counts cached tokens beside `input_tokens`, and counts again as a stream goes on.
    fn count(&self, holder: &Value, draft: &mut Draft) {
        let Some(usage) = holder.get("usage") else { return };
        let cached = number(usage, "/cache_read_input_tokens");
        let kept = number(usage, "/cache_creation_input_tokens");
        let all = |fresh: u64| fresh.saturating_add(cached.unwrap_or(0)).saturating_add(kept.unwrap_or(0));
        draft.counted.and(Counted {
            input: number(usage, "/input_tokens").map(all),
            cached,
            output: number(usage, "/output_tokens"),
            hidden: None,
        });
    }
}

fn role(speaker: Speaker) -> &'static str {
    if speaker == Speaker::Assistant { "assistant" } else { "user" }
}
