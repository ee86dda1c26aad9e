//! The wire shapes of three providers, from the server's side: reading a request, writing an answer.

use serde_json::{Value, json};

/// Whose shapes a request uses, told by its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `/v1/chat/completions`
    OpenAi,
    /// `/v1/messages`
    Anthropic,
    /// `/v1beta/models/NAME:generateContent` and `:streamGenerateContent`
    Gemini,
}

/// One request as the server understood it.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Whose shapes it uses.
    pub shape: Shape,
    /// The step the caller named in `x-baton-step`; empty if none.
    pub step: String,
    /// The model it wants.
    pub model: String,
    /// Whether it wants a stream.
    pub stream: bool,
    /// Whether it asks for a schema to be enforced.
    pub with_schema: bool,
    /// All texts of the conversation, in order.
    pub texts: Vec<String>,
    /// The whole request.
    pub body: Value,
}

impl Asked {
    /// Reads a request.
    #[must_use]
    pub fn read(path: &str, step: &str, body: Value) -> Option<Self> {
        let shape = match path {
            p if p.ends_with("/chat/completions") => Shape::OpenAi,
            p if p.ends_with("/messages") => Shape::Anthropic,
            p if p.contains("enerateContent") => Shape::Gemini,
            _ => return None,
        };
        let text = |v: &Value| v.as_str().map(str::to_owned);
        let messages = |key: &str| body[key].as_array().cloned().unwrap_or_default();
        let (model, stream, with_schema, texts) = match shape {
            Shape::OpenAi => {
                let texts = messages("messages").iter().filter_map(|m| text(&m["content"])).collect();
                (text(&body["model"]), body["stream"] == true, body.get("response_format").is_some(), texts)
            }
            Shape::Anthropic => {
                let said = messages("messages");
                let texts =
                    text(&body["system"]).into_iter().chain(said.iter().filter_map(|m| text(&m["content"])));
                (text(&body["model"]), body["stream"] == true, body.get("tools").is_some(), texts.collect())
            }
            Shape::Gemini => {
                let name = path.rsplit('/').next().and_then(|n| n.split(':').next()).map(str::to_owned);
                let system = text(&body["systemInstruction"]["parts"][0]["text"]);
                let said = messages("contents");
                let texts =
                    system.into_iter().chain(said.iter().filter_map(|m| text(&m["parts"][0]["text"])));
                let schema = body["generationConfig"].get("responseSchema").is_some();
                (name, path.contains(":stream"), schema, texts.collect())
            }
        };
        let model = model.unwrap_or_default();
        Some(Self { shape, step: step.to_owned(), model, stream, with_schema, texts, body })
    }

    /// Tokens the server counts for the question: one for every four bytes.
    #[must_use]
    pub fn tokens_in(&self) -> u64 {
        self.texts.iter().map(|t| tokens(t)).sum()
    }
}

/// Tokens the server counts for a text.
pub(crate) fn tokens(text: &str) -> u64 {
    text.len().div_ceil(4) as u64
}

/// How an answer ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Stop,
    Length,
    Refusal,
}

fn reason(shape: Shape, end: End) -> &'static str {
    match (shape, end) {
        (Shape::OpenAi, End::Stop) => "stop",
        (Shape::OpenAi, End::Length) => "length",
        (Shape::OpenAi, End::Refusal) => "content_filter",
        (Shape::Anthropic, End::Stop) => "end_turn",
        (Shape::Anthropic, End::Length) => "max_tokens",
        (Shape::Anthropic, End::Refusal) => "refusal",
        (Shape::Gemini, End::Stop) => "STOP",
        (Shape::Gemini, End::Length) => "MAX_TOKENS",
        (Shape::Gemini, End::Refusal) => "SAFETY",
    }
}

/// A whole answer.
pub(crate) fn whole(asked: &Asked, text: &str, end: End) -> Value {
    let (read, written) = (asked.tokens_in(), tokens(text));
    let why = reason(asked.shape, end);
    match asked.shape {
        Shape::OpenAi => json!({
            "id": "chat-1", "object": "chat.completion", "model": asked.model,
            "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": why}],
            "usage": {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written},
        }),
        Shape::Anthropic => json!({
            "id": "msg-1", "type": "message", "role": "assistant", "model": asked.model,
            "content": [anthropic_block(asked, text)], "stop_reason": why,
            "usage": {"input_tokens": read, "output_tokens": written},
        }),
        Shape::Gemini => json!({
            "responseId": "gem-1", "modelVersion": asked.model,
            "candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": why}],
            "usageMetadata": {"promptTokenCount": read, "candidatesTokenCount": written},
        }),
    }
}

/// A forced tool answers with its input, if the text is JSON at all.
fn anthropic_block(asked: &Asked, text: &str) -> Value {
    match serde_json::from_str::<Value>(text) {
        Ok(input) if asked.with_schema && input.is_object() => {
            json!({"type": "tool_use", "id": "t1", "name": "answer", "input": input})
        }
        _ => json!({"type": "text", "text": text}),
    }
}

/// A streamed answer: events before the text, one for each piece of it, events after it.
pub(crate) struct Events {
    pub before: Vec<String>,
    pub pieces: Vec<String>,
    pub after: Vec<String>,
}

/// Where a streamed text is cut besides its spaces; it is not sent.
pub(crate) const CUT: char = '\u{1f}';

/// Splits a text after every space and at every cut, so that pieces look like tokens.
pub(crate) fn pieces(text: &str) -> Vec<String> {
    text.split_inclusive([' ', CUT]).map(|piece| piece.replace(CUT, "")).collect()
}

/// A streamed answer.
pub(crate) fn events(asked: &Asked, text: &str, end: End) -> Events {
    let (read, written) = (asked.tokens_in(), tokens(text));
    let why = reason(asked.shape, end);
    let data = |v: &Value| format!("data: {v}\n\n");
    let named = |name: &str, v: &Value| format!("event: {name}\ndata: {v}\n\n");
    match asked.shape {
        Shape::OpenAi => {
            let chunk = |delta: Value, why: Value| {
                json!({"id": "chat-1", "model": asked.model,
                       "choices": [{"index": 0, "delta": delta, "finish_reason": why}]})
            };
            let usage = json!({"id": "chat-1", "choices": [],
                               "usage": {"prompt_tokens": read, "completion_tokens": written}});
            Events {
                before: vec![data(&chunk(json!({"role": "assistant"}), Value::Null))],
                pieces: pieces(text)
                    .iter()
                    .map(|p| data(&chunk(json!({"content": p}), Value::Null)))
                    .collect(),
                after: vec![data(&chunk(json!({}), why.into())), data(&usage), "data: [DONE]\n\n".to_owned()],
            }
        }
        Shape::Anthropic => {
            let tool = asked.with_schema && serde_json::from_str::<Value>(text).is_ok_and(|v| v.is_object());
            let kind = if tool { "tool_use" } else { "text" };
            let delta = |p: &String| {
                let delta = if tool {
                    json!({"type": "input_json_delta", "partial_json": p})
                } else {
                    json!({"type": "text_delta", "text": p})
                };
                named(
                    "content_block_delta",
                    &json!({"type": "content_block_delta", "index": 0, "delta": delta}),
                )
            };
            let start = json!({"type": "message_start", "message": {
                "id": "msg-1", "model": asked.model, "usage": {"input_tokens": read, "output_tokens": 1}}});
            let open = json!({"type": "content_block_start", "index": 0, "content_block": {"type": kind}});
            let end = json!({"type": "message_delta", "delta": {"stop_reason": why},
                             "usage": {"output_tokens": written}});
            Events {
                before: vec![
                    named("message_start", &start),
                    named("content_block_start", &open),
                    named("ping", &json!({"type": "ping"})),
                ],
                pieces: pieces(text).iter().map(delta).collect(),
                after: vec![
                    named("content_block_stop", &json!({"type": "content_block_stop", "index": 0})),
                    named("message_delta", &end),
                    named("message_stop", &json!({"type": "message_stop"})),
                ],
            }
        }
        Shape::Gemini => {
            let chunk = |p: &String| json!({"modelVersion": asked.model, "candidates": [{"content": {"parts": [{"text": p}]}}]});
            let last = json!({"candidates": [{"content": {"parts": []}, "finishReason": why}],
                              "usageMetadata": {"promptTokenCount": read, "candidatesTokenCount": written}});
            Events {
                before: Vec::new(),
                pieces: pieces(text).iter().map(|p| data(&chunk(p))).collect(),
                after: vec![data(&last)],
            }
        }
    }
}
