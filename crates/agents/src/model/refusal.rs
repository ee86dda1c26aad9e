//! Reading a server's refusal: its words, and which kind of fault it is.

use serde_json::Value;

use super::FaultKind;

/// The sentence inside an error body, whichever of the usual shapes it has.
pub(super) fn words(body: &str) -> String {
    let Ok(value) = serde_json::from_str::<Value>(body) else { return body.trim().to_owned() };
    let value = value.get(0).unwrap_or(&value);
    let found = ["/error/message", "/message", "/error", "/detail", "/error/metadata/raw"]
        .iter()
        .find_map(|path| value.pointer(path).and_then(Value::as_str));
    found.map_or_else(|| value.to_string(), str::to_owned)
}

/// The status a server wrote into an error inside a good answer; 500 when it did not.
pub(super) fn status_within(error: &Value) -> u16 {
    let code = error.pointer("/error/code").or_else(|| error.get("code")).and_then(Value::as_u64);
    let by_name = match error.pointer("/error/type").or_else(|| error.get("type")).and_then(Value::as_str) {
        Some("overloaded_error") => Some(529),
        Some("rate_limit_error") => Some(429),
        Some("invalid_request_error") => Some(400),
        _ => None,
    };
    by_name.or_else(|| code.and_then(|c| u16::try_from(c).ok())).unwrap_or(500)
}

/// Which kind of fault a status with these words is.
pub(super) fn kind(status: u16, words: &str) -> FaultKind {
    let words = words.to_lowercase();
    let says = |any: &[&str]| any.iter().any(|w| words.contains(w));
    let no_money = says(&["insufficient_quota", "exceeded your current quota", "credit balance", "billing"]);
    match status {
        429 | 402 | 403 | 400 if no_money => FaultKind::QuotaSpent,
        402 => FaultKind::QuotaSpent,
        429 | 529 => FaultKind::RateLimited,
        401 | 403 => FaultKind::Unauthorized,
        404 => FaultKind::NoSuchModel,
        413 => FaultKind::TooLong,
        400 | 422
            if says(&[
                "context length",
                "context_length",
                "context size",
                "too many tokens",
                "prompt is too long",
            ]) =>
        {
            FaultKind::TooLong
        }
        400 | 422 if says(&["schema", "response_format", "grammar", "tool_choice"]) => {
            FaultKind::SchemaRefused
        }
        300..=399 => FaultKind::Rejected,
        400..=499 if status != 408 => FaultKind::Rejected,
        _ => FaultKind::ServerError,
    }
}
