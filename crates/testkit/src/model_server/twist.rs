//! Changes to good answers: other counts, and the key where it does not belong.

use serde_json::{Value, json};

use super::act::{Counts, Leak};

/// A streamed event with the JSON in it changed.
pub(crate) fn event(event: &str, twist: &impl Fn(&mut Value)) -> String {
    let line = |line: &str| match line.strip_prefix("data: ").map(serde_json::from_str::<Value>) {
        Some(Ok(mut value)) => {
            twist(&mut value);
            format!("data: {value}")
        }
        _ => line.to_owned(),
    };
    event.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Counts otherwise, wherever the value holds counts; `read` is what the question really has.
pub(crate) fn count(value: &mut Value, counts: Counts, read: u64) {
    let Value::Object(fields) = value else { return };
    for name in ["usage", "usageMetadata"] {
        match counts {
            Counts::Missing => drop(fields.remove(name)),
            _ => {
                if let Some(usage) = fields.get_mut(name) {
                    recount(usage, counts, read);
                }
            }
        }
    }
    // Anthropic counts inside the message that a stream begins with.
    if let Some(message) = fields.get_mut("message") {
        count(message, counts, read);
    }
}

fn recount(usage: &mut Value, counts: Counts, read: u64) {
    match counts {
        Counts::Missing => {}
        Counts::Null => *usage = Value::Null,
        Counts::NoObject => *usage = json!("12 tokens"),
        Counts::Text => each(usage, |n| json!(n.to_string())),
        Counts::Negative => each(usage, |n| json!(-1 - i64::try_from(n).unwrap_or(0))),
        Counts::Fraction => each(usage, |n| json!(f64::from(u32::try_from(n).unwrap_or(0)) + 0.5)),
        Counts::Zero => each(usage, |_| json!(0)),
        Counts::One => each(usage, |_| json!(1)),
        Counts::Huge => each(usage, |_| json!(u64::MAX)),
        Counts::AllCached => cached(usage, Some(0), read),
        Counts::MoreCached => cached(usage, None, read * 1000),
        Counts::OnlyCached => {
            cached(usage, None, read * 1000);
            for name in ["prompt_tokens", "input_tokens", "promptTokenCount"] {
                if let Some(read) = usage.get_mut(name) {
                    *read = if name == "input_tokens" { json!("none") } else { json!(0) };
                }
            }
        }
        Counts::Dear => usage["cost"] = json!(0.01),
        Counts::Gratis => usage["cost"] = json!(0),
        Counts::NegativePrice => usage["cost"] = json!(-5),
    }
}

fn each(usage: &mut Value, other: impl Fn(u64) -> Value) {
    for count in usage.as_object_mut().into_iter().flat_map(|fields| fields.values_mut()) {
        if let Some(number) = count.as_u64() {
            *count = other(number);
        }
    }
}

/// Says how much came from the cache. Anthropic counts that beside what was read anew, which is `fresh`.
fn cached(usage: &mut Value, fresh: Option<u64>, cached: u64) {
    if usage.get("prompt_tokens").is_some() {
        usage["prompt_tokens_details"] = json!({"cached_tokens": cached});
    } else if usage.get("promptTokenCount").is_some() {
        usage["cachedContentTokenCount"] = json!(cached);
    } else if let Some(input) = usage.get_mut("input_tokens") {
        if let Some(fresh) = fresh {
            *input = json!(fresh);
        }
        usage["cache_read_input_tokens"] = json!(cached);
    }
}

/// Writes the key into a name of the answer.
pub(crate) fn leak(value: &mut Value, leak: Leak, key: &str) {
    let names: &[&str] = match leak {
        Leak::Model => &["model", "modelVersion"],
        Leak::Id => &["id", "responseId"],
        _ => &["finish_reason", "stop_reason", "finishReason"],
    };
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields.iter_mut() {
                if names.contains(&name.as_str()) && inner.is_string() {
                    *inner = json!(key);
                } else {
                    self::leak(inner, leak, key);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| self::leak(item, leak, key)),
        _ => {}
    }
}

/// Base64 as headers carry it.
pub(crate) fn base64(text: &str) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in text.as_bytes().chunks(3) {
        let at = |index: usize| u32::from(three.get(index).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for digit in 0..=three.len() {
            out.push(char::from(DIGITS[(bits >> (18 - 6 * digit) & 63) as usize]));
        }
        out.push_str(&"=="[..3 - three.len()]);
    }
    out
}
