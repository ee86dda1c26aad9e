//! Anthropic messages. An answer of a given shape is asked for as the input of a single forced tool.

use reqwest::header::HeaderName;
use serde_json::{Value, json};

use super::http::{Dialect, Draft};
use super::{Finish, ModelCall, ModelCard, Speaker, Structured, Usage, schema};

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
                Some("text") => draft.text.push_str(block.get("text").and_then(Value::as_str).unwrap_or("")),
                Some("tool_use") => {
                    draft.text = block.get("input").map(Value::to_string).unwrap_or_default();
                }
                _ => {}
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
                let piece = data["delta"].get("text").or_else(|| data["delta"].get("partial_json"));
                draft.text.push_str(piece.and_then(Value::as_str).unwrap_or(""));
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
        draft.served_by = message.get("model").and_then(Value::as_str).map(str::to_owned);
        draft.id = message.get("id").and_then(Value::as_str).map(str::to_owned);
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

    /// Anthropic counts cached tokens beside `input_tokens`, and corrects its counts as a stream goes on.
    fn count(&self, holder: &Value, draft: &mut Draft) {
        let Some(usage) = holder.get("usage").filter(|u| u.is_object()) else { return };
        let number = |key: &str| usage.get(key).and_then(Value::as_u64);
        let known = draft.usage.get_or_insert_default();
        if let Some(fresh) = number("input_tokens") {
            known.cached = number("cache_read_input_tokens").unwrap_or(0);
            known.input = fresh + known.cached + number("cache_creation_input_tokens").unwrap_or(0);
        }
        *known = Usage { output: number("output_tokens").unwrap_or(known.output), ..*known };
    }
}

fn role(speaker: Speaker) -> &'static str {
    if speaker == Speaker::Assistant { "assistant" } else { "user" }
}
