//! Gemini generateContent. The key travels in a header, never in the address.

use reqwest::header::HeaderName;
use serde_json::{Value, json};

use super::draft::{Counted, Draft, number, text};
use super::http::Dialect;
use super::{Finish, ModelCall, ModelCard, Speaker, Structured, schema};

pub(super) struct Gemini;

impl Dialect for Gemini {
    fn url(&self, card: &ModelCard, stream: bool) -> String {
        let verb = if stream { "streamGenerateContent?alt=sse" } else { "generateContent" };
        format!("{}/models/{}:{verb}", card.base_url.trim_end_matches('/'), card.model)
    }

    fn key_header(&self, key: &str) -> (HeaderName, String) {
        (HeaderName::from_static("x-goog-api-key"), key.to_owned())
    }

    fn body(&self, card: &ModelCard, call: &ModelCall) -> Value {
        let part = |text: &str| json!([{"text": text}]);
        let (mut contents, mut system) = (Vec::new(), Vec::new());
        for message in &call.messages {
            match message.speaker {
                Speaker::System => system.push(message.text.as_str()),
                Speaker::User => contents.push(json!({"role": "user", "parts": part(&message.text)})),
                Speaker::Assistant => contents.push(json!({"role": "model", "parts": part(&message.text)})),
            }
        }
        let mut settings = json!({"maxOutputTokens": call.max_tokens});
        if let Some(temperature) = call.temperature {
            settings["temperature"] = temperature.into();
        }
        if let (Some(shape), Structured::Schema) = (&call.schema, card.structured) {
            settings["responseMimeType"] = "application/json".into();
            // A schema that refers to itself has no form this server takes; the instruction remains.
            if let Some(flat) = schema::openapi(&shape.schema) {
                settings["responseSchema"] = flat;
            }
        }
        let mut body = json!({"contents": contents, "generationConfig": settings});
        if !system.is_empty() {
            body["systemInstruction"] = json!({"parts": part(&system.join("\n\n"))});
        }
        body
    }

    fn whole(&self, body: &Value, draft: &mut Draft) {
        self.take(body, draft);
    }

    fn event(&self, data: &Value, draft: &mut Draft) {
        self.take(data, draft);
    }
}

impl Gemini {
    /// A chunk has the shape of a whole answer.
    fn take(&self, value: &Value, draft: &mut Draft) {
        if value.get("error").is_some_and(|e| !e.is_null()) {
            draft.error = Some(value.clone());
        }
        let parts = value.pointer("/candidates/0/content/parts").and_then(Value::as_array);
        for part in parts.into_iter().flatten() {
            let words = text(part, "/text").unwrap_or("");
            if part["thought"] == true { draft.aside(words) } else { draft.say(words) }
        }
        if let Some(reason) = value.pointer("/candidates/0/finishReason").and_then(Value::as_str) {
            draft.finish = Some(match reason {
                "STOP" => Finish::Stop,
                "MAX_TOKENS" => Finish::Length,
                "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" => Finish::Refused,
                _ => Finish::Unknown,
            });
        }
        if value.pointer("/promptFeedback/blockReason").is_some() {
            draft.finish = Some(Finish::Refused);
        }
        if let Some(usage) = value.get("usageMetadata") {
            draft.counted.and(Counted {
                input: number(usage, "/promptTokenCount"),
                cached: number(usage, "/cachedContentTokenCount"),
                output: number(usage, "/candidatesTokenCount"),
                hidden: number(usage, "/thoughtsTokenCount"),
            });
        }
        let name = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        draft.served_by = draft.served_by.take().or_else(|| name("modelVersion"));
        draft.id = draft.id.take().or_else(|| name("responseId"));
    }
}
