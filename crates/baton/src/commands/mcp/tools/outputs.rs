//! What each tool gives, as JSON schemas. Only what is named as required is a promise; commands print more.

use baton_workflows::profile::Stakes;
use serde_json::{Value, json};

/// An object with these properties, all of them required.
fn object(properties: &Value) -> Value {
    let required: Vec<&String> = properties.as_object().into_iter().flat_map(|all| all.keys()).collect();
    json!({ "type": "object", "required": required, "properties": properties })
}

fn text() -> Value {
    json!({ "type": "string" })
}

fn maybe(kind: &str) -> Value {
    json!({ "type": [kind, "null"] })
}

fn count() -> Value {
    json!({ "type": "integer", "minimum": 0 })
}

fn list(items: &Value) -> Value {
    json!({ "type": "array", "items": items })
}

fn notice() -> Value {
    json!({ "type": "string", "description": "How to take the text beside it" })
}

fn brief() -> Value {
    json!({
        "run": text(), "workflow": text(), "title": text(), "state": text(),
        "status": { "enum": ["new", "running", "interrupted", "waiting", "stopped", "finished"] },
        "why": { "type": ["string", "null"], "description": "The reason of a stop or the outcome of a finished run" },
        "driven_by": maybe("string"), "started": text(), "updated": text(), "records": count(),
        "spent": object(&json!({ "usd": { "type": "number" }, "tokens": count(), "calls": count() })),
    })
}

/// A list of runs.
pub fn runs() -> Value {
    object(&json!({ "runs": list(&object(&brief())) }))
}

/// One run.
pub fn run() -> Value {
    let question = object(&json!({
        "key": text(), "text": text(), "expects": text(), "schema": {}, "asked": text(), "deadline": maybe("string"),
        "kind": { "enum": [Stakes::Ordinary, Stakes::Approval], "description": "What an answer can bring about" },
        "answered_by": { "type": ["string", "null"], "description": "Who has answered it, until the run takes that up" },
        "answer_by": { "enum": ["assistant", "person"], "description": "Who may answer it" },
        "commands": list(&text()),
    }));
    let mut all = brief();
    all["visit"] = count();
    all["detail"] = maybe("string");
    all["waits_for"] = list(&text());
    all["questions"] = list(&question);
    all["folder"] = text();
    all["trouble"] = maybe("string");
    all["next"] = json!({ "type": "array", "items": text(), "description": "What the person can type" });
    object(&all)
}

/// One run, after an answer.
pub fn answered() -> Value {
    let mut schema = run();
    schema["properties"]["answered"] = object(&json!({
        "key": text(), "answer": {}, "by": text(),
        "already": { "type": "boolean", "description": "It had been given before, and nothing changed" },
    }));
    if let Some(required) = schema["required"].as_array_mut() {
        required.push("answered".into());
    }
    schema
}

/// A file of a run, or the names of all.
pub fn file() -> Value {
    let one = object(&json!({ "notice": notice(), "run": text(), "path": text(), "text": text() }));
    json!({ "type": "object", "anyOf": [object(&json!({ "files": list(&text()) })), one] })
}

/// What a search found: sentences of documents, or leads of places.
pub fn found() -> Value {
    let here = object(&json!({
        "notice": notice(), "documents": count(),
        "verdict": { "enum": ["addressed", "weak", "no_evidence"] },
        "coverage": { "type": "number" },
        "unknown": list(&text()),
        "quotes": list(&object(&json!({ "text": text(), "path": text(), "title": text(), "text_hash": text() }))),
        "left_out": list(&object(&json!({ "path": text(), "reason": text() }))),
    }));
    let beyond = object(&json!({
        "notice": notice(),
        "leads": list(&object(&json!({ "title": text(), "location": {}, "snippet": text() }))),
        "left_out": list(&object(&json!({ "provider": text(), "what": text(), "why": text() }))),
        "ends": list(&object(&json!({ "provider": text(), "query": text(), "tries": count(), "end": {} }))),
    }));
    json!({ "type": "object", "anyOf": [here, beyond] })
}

/// A part of a document.
pub fn document() -> Value {
    object(&json!({
        "notice": notice(), "path": text(), "text": text(), "text_hash": text(),
        "title": maybe("string"), "author": maybe("string"), "date": maybe("string"), "language": maybe("string"),
        "from": count(), "total": count(),
        "next_from": { "type": ["integer", "null"], "description": "Where the next part begins" },
    }))
}

/// What holding a statement against a document brought.
pub fn checked() -> Value {
    object(&json!({
        "path": text(), "text_hash": text(),
        "stands": { "type": "boolean", "description": "The quote stands in the document word for word" },
        "fits": { "type": "boolean", "description": "Numbers, dates and names of the statement stand in the quote" },
        "why": { "type": ["string", "null"], "description": "What is wrong, if anything" },
        "checked": text(),
    }))
}

/// What judging a text sentence by sentence brought.
pub fn judged() -> Value {
    let sentence = object(&json!({
        "line": count(), "range": { "type": "object" }, "sentence": text(),
        "verdict": { "enum": ["carried", "contradicted", "not_found", "skipped"] },
        "quotes": list(&object(&json!({ "text": text() }))),
    }));
    object(&json!({
        "notice": notice(), "text": text(),
        "holds": { "type": "boolean", "description": "Everything that was judged is carried, and something was" },
        "documents": count(), "left_out": list(&object(&json!({ "path": text(), "reason": text() }))),
        "carried": count(), "contradicted": count(), "not_found": count(), "skipped": count(),
        "sentences": list(&sentence),
    }))
}

/// What verifying a run brought.
pub fn verified() -> Value {
    object(&json!({
        "notice": notice(), "run": text(), "holds": { "type": "boolean" },
        "files": { "type": ["integer", "null"], "description": "Files compared; null if there was nothing to compare" },
        "extra": list(&text()),
        "claims": count(), "citations": count(), "verified": count(), "findings": list(&json!({ "type": "object" })),
    }))
}
