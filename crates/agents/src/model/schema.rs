//! One JSON schema, written the way each provider will take it.

use serde_json::{Map, Value, json};

/// Words that only annotate, or that strict servers refuse.
const NOISE: [&str; 6] = ["$schema", "title", "default", "format", "examples", "minimum"];

/// How the instruction names the schema, before and behind it; see `prompts/frame.md`.
const NAMED: (&str, &str) = ("The object must match this JSON schema:\n\n", "\n\n");
/// What stands there instead where the schema goes with the request.
const ELSEWHERE: &str = "The JSON schema it must match comes with this request.\n\n";

/// An instruction without the schema it names, for a server that is handed the schema beside it.
pub(super) fn said_once(text: &str, schema: &Value) -> String {
    let named = format!("{}{schema}{}", NAMED.0, NAMED.1);
    text.replace(&named, ELSEWHERE)
}

/// The schema without annotations: what a tool's input wants.
pub(super) fn plain(schema: &Value) -> Value {
    walk(schema, &|object| {
        for word in ["$schema", "title"] {
            // A property may be called "title": only annotations are texts.
            if object.get(word).is_some_and(Value::is_string) {
                object.remove(word);
            }
        }
    })
}

/// The strict form: every object closed, every property required. Optional ones already admit null.
pub(super) fn strict(schema: &Value) -> Value {
    walk(schema, &|object| {
        if is_schema_of_object(object) {
            let names: Vec<Value> = match object.get("properties").and_then(Value::as_object) {
                Some(properties) => properties.keys().cloned().map(Value::from).collect(),
                None => Vec::new(),
            };
            object.insert("required".to_owned(), names.into());
            object.insert("additionalProperties".to_owned(), false.into());
        }
        drop_noise(object);
    })
}

/// The OpenAPI subset Gemini takes: no references, null as a flag. `None` if the schema refers to itself.
pub(super) fn openapi(schema: &Value) -> Option<Value> {
    let definitions = schema.get("$defs").cloned().unwrap_or(Value::Null);
    let flat = inline(schema, &definitions, 0)?;
    Some(walk(&flat, &|object| {
        drop_noise(object);
        object.remove("additionalProperties");
        object.remove("$defs");
        nullable_type(object);
        nullable_choice(object);
        if let Some(only) = object.remove("const") {
            object.insert("enum".to_owned(), json!([only]));
        }
    }))
}

fn is_schema_of_object(object: &Map<String, Value>) -> bool {
    object
        .get("type")
        .is_some_and(|t| t == "object" || t.as_array().is_some_and(|a| a.contains(&"object".into())))
}

fn drop_noise(object: &mut Map<String, Value>) {
    for word in NOISE {
        // Under "properties" these may be names of properties, whose values are schemas, not annotations.
        if object.get(word).is_some_and(|v| !v.is_object()) {
            object.remove(word);
        }
    }
}

/// `{"type": ["string", "null"]}` becomes `{"type": "string", "nullable": true}`.
fn nullable_type(object: &mut Map<String, Value>) {
    let Some(kinds) = object.get("type").and_then(Value::as_array) else { return };
    let rest: Vec<Value> = kinds.iter().filter(|k| *k != "null").cloned().collect();
    if let ([one], true) = (rest.as_slice(), rest.len() < kinds.len()) {
        object.insert("type".to_owned(), one.clone());
        object.insert("nullable".to_owned(), true.into());
    }
}

/// `{"anyOf": [X, {"type": "null"}]}` becomes X with the flag.
fn nullable_choice(object: &mut Map<String, Value>) {
    let Some(choices) = object.get("anyOf").and_then(Value::as_array) else { return };
    let rest: Vec<Value> = choices.iter().filter(|c| c["type"] != "null").cloned().collect();
    if let ([Value::Object(one)], true) = (rest.as_slice(), rest.len() < choices.len()) {
        object.remove("anyOf");
        object.extend(one.clone());
        object.insert("nullable".to_owned(), true.into());
    }
}

fn inline(schema: &Value, definitions: &Value, depth: usize) -> Option<Value> {
    if depth > 32 {
        return None;
    }
    let follow = |v: &Value| inline(v, definitions, depth + 1);
    match schema {
        Value::Object(object) => {
            if let Some(name) = object.get("$ref").and_then(Value::as_str) {
                return follow(definitions.get(name.strip_prefix("#/$defs/")?)?);
            }
            let kept = object.iter().filter(|(k, _)| *k != "$defs");
            let pairs: Option<Map<_, _>> = kept.map(|(k, v)| Some((k.clone(), follow(v)?))).collect();
            Some(Value::Object(pairs?))
        }
        Value::Array(items) => items.iter().map(follow).collect::<Option<Vec<_>>>().map(Value::Array),
        other => Some(other.clone()),
    }
}

/// Rewrites every object of a schema, innermost first.
fn walk(schema: &Value, change: &dyn Fn(&mut Map<String, Value>)) -> Value {
    match schema {
        Value::Object(object) => {
            let mut object: Map<_, _> = object.iter().map(|(k, v)| (k.clone(), walk(v, change))).collect();
            change(&mut object);
            Value::Object(object)
        }
        Value::Array(items) => items.iter().map(|v| walk(v, change)).collect(),
        other => other.clone(),
    }
}
