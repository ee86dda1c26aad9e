//! The keys of a debate file: which there are, which are read as other tools write them, and where a wrong one stands.

use std::ops::Range;

use baton_agents::nearest::nearest;
use serde_json::{Map, Value};
use toml::de::{DeTable, DeValue};

/// A mistake, and the way to where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    pub path: Vec<Step>,
    pub what: String,
}

/// A step on the way to a place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Key(String),
    Entry(usize),
}

const TERMS: &[&str] = &[
    "rounds",
    "minRounds",
    "terminationCondition",
    "interactiveClarifications",
    "clarificationsMaxIterations",
    "clarificationsMaxPerAgent",
    "critique",
    "quorum",
    "summarization",
    "frame",
    "frameFrom",
    "requirements",
    "clarifications",
    "context",
    "agents",
    "judge",
    "evaluators",
];
const AGENT: &[&str] = &[
    "id",
    "name",
    "role",
    "kind",
    "model",
    "temperature",
    "toolCallLimit",
    "systemPromptPath",
    "summaryPromptPath",
    "clarificationPromptPath",
    "summarization",
    "enabled",
    "who",
    "file",
    "command",
    "timeout",
    "banned",
    "limits",
];
const JUDGE: &[&str] = &["model", "samples", "systemPromptPath", "summarization"];
const SUMMARIZATION: &[&str] = &["enabled", "threshold", "maxLength"];

/// What becomes of a key that is not ours.
enum Foreign {
    /// It says what is so anyway, or it is looked at elsewhere; it is left out.
    Read,
    /// It cannot be heeded; what to write instead.
    Refused(String),
}

/// What other tools write, and what it means here.
fn foreign(place: &str, key: &str, value: &Value) -> Option<Foreign> {
    use Foreign::{Read, Refused};
    let only = |good: &[&str], hint: &str| {
        let fits = value.as_str().is_some_and(|word| good.contains(&word));
        Some(if fits { Read } else { Refused(hint.to_owned()) })
    };
    match (place, key) {
        ("debate", "synthesisMethod") => {
            only(&["judge"], "the decision is written by the judge, or counted where there is none")
        }
        ("debate", "orchestratorType") => {
            only(&["state-machine"], "there is one kind of debate; leave it out")
        }
        ("debate", "includeFullHistory") => Some(match value {
            Value::Bool(true) => Read,
            _ => Refused("histories are whole or shortened; see `summarization`".to_owned()),
        }),
        ("debate", "timeoutPerRound") => Some(Refused(
            "a round has no time limit; write `timeout` for a command, or [limits] in baton.toml for models"
                .to_owned(),
        )),
        ("debate", "trace") => Some(Refused("every run keeps a journal; `baton log` prints it".to_owned())),
        ("summarization", "method") => only(&["length-based"], "histories are shortened by their length"),
        ("summarization", "promptPath") => {
            Some(Refused("write `summaryPromptPath` for the agent instead".to_owned()))
        }
        ("agents", "provider") | ("judge", "provider") => Some(match value {
            Value::String(_) => Read,
            _ => Refused("providers belong to [models] in baton.toml".to_owned()),
        }),
        ("agents", "tools") | ("judge", "tools") => Some(tools(value)),
        ("judge", "id" | "name" | "role" | "temperature" | "toolCallLimit" | "summaryPromptPath") => {
            Some(Read)
        }
        ("judge", "enabled") => Some(match value {
            Value::Bool(true) => Read,
            _ => Refused("to do without a judge, write `model = \"rules\"`".to_owned()),
        }),
        _ => None,
    }
}

/// The tools of a debate under the names other tools give them.
fn tools(value: &Value) -> Foreign {
    const KNOWN: [&str; 3] = ["context_search", "file_read", "list_files"];
    let names = value.as_array().into_iter().flatten().filter_map(|tool| tool["name"].as_str());
    match names.into_iter().find(|name| !KNOWN.contains(name)) {
        Some(name) => Foreign::Refused(format!("there is no tool `{name}`; known are: {}", KNOWN.join(", "))),
        None => Foreign::Read,
    }
}

/// Brings a file to the one form we read: what stands under `debate` counts as if it stood at the top, what other tools
/// write is left out where it says what is so, and everything else is refused with the nearest right key.
pub(super) fn settle(file: Value) -> Result<Value, Wrong> {
    let Value::Object(mut top) = file else {
        return Err(Wrong { path: Vec::new(), what: "it is no table of keys".to_owned() });
    };
    let inner = top.remove("debate");
    let mut whole = checked(top, "debate", &[])?;
    match inner {
        None => {}
        Some(Value::Object(inner)) => {
            whole.extend(checked(inner, "debate", &[Step::Key("debate".to_owned())])?);
        }
        Some(_) => {
            let path = vec![Step::Key("debate".to_owned())];
            return Err(Wrong { path, what: "`debate` is no table of keys".to_owned() });
        }
    }
    Ok(Value::Object(whole))
}

fn known(place: &str) -> Option<&'static [&'static str]> {
    match place {
        "debate" => Some(TERMS),
        "agents" => Some(AGENT),
        "judge" => Some(JUDGE),
        "summarization" => Some(SUMMARIZATION),
        "evaluators" => Some(&["id", "name", "model", "systemPromptPath", "enabled"]),
        "terminationCondition" => Some(&["type", "threshold"]),
        "clarifications" => Some(&["question", "answer"]),
        "frame" => Some(&["slot", "question", "options", "required"]),
        "requirements" => Some(&["id", "text", "major"]),
        "banned" => Some(&["slot", "option", "why"]),
        "limits" => Some(&["slot", "least", "most"]),
        _ => None,
    }
}

fn checked(table: Map<String, Value>, place: &str, path: &[Step]) -> Result<Map<String, Value>, Wrong> {
    let Some(known) = known(place) else { return Ok(table) };
    let mut kept = Map::new();
    for (key, value) in table {
        let way: Vec<Step> = path.iter().cloned().chain([Step::Key(key.clone())]).collect();
        match foreign(place, &key, &value) {
            Some(Foreign::Read) if !known.contains(&key.as_str()) => continue,
            Some(Foreign::Refused(hint)) => {
                return Err(Wrong { path: way, what: format!("`{key}` cannot be heeded: {hint}") });
            }
            _ => {}
        }
        if !known.contains(&key.as_str()) {
            let hint = match nearest(&key, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known are: {}", known.join(", ")),
            };
            return Err(Wrong { path: way, what: format!("unknown key `{key}`; {hint}") });
        }
        let value = below(value, &key, &way)?;
        kept.insert(key, value);
    }
    Ok(kept)
}

fn below(value: Value, place: &str, path: &[Step]) -> Result<Value, Wrong> {
    match value {
        Value::Object(table) => Ok(Value::Object(checked(table, place, path)?)),
        Value::Array(entries) => {
            let entry = |(at, value): (usize, Value)| {
                let way: Vec<Step> = path.iter().cloned().chain([Step::Entry(at)]).collect();
                below(value, place, &way)
            };
            Ok(Value::Array(entries.into_iter().enumerate().map(entry).collect::<Result<_, _>>()?))
        }
        other => Ok(other),
    }
}

/// Where a path stands in a file, as line and column from 1; none if it cannot be found.
pub(super) fn place(text: &str, path: &[Step]) -> Option<(usize, usize)> {
    let span = in_toml(text, path).or_else(|| in_json(text, path))?;
    let before = text.get(..span.start)?;
    let line = before.matches('\n').count() + 1;
    Some((line, before.chars().rev().take_while(|letter| *letter != '\n').count() + 1))
}

fn in_toml(text: &str, path: &[Step]) -> Option<Range<usize>> {
    let table = DeTable::parse(text).ok()?;
    let mut span = None;
    let mut here: Option<DeValue<'_>> = Some(DeValue::Table(table.into_inner()));
    for step in path {
        let (next, found) = match (here.take()?, step) {
            (DeValue::Table(table), Step::Key(wanted)) => {
                let (key, value) = table.into_iter().find(|(key, _)| key.get_ref() == wanted)?;
                (value.into_inner(), key.span())
            }
            (DeValue::Array(entries), Step::Entry(at)) => {
                let value = entries.into_iter().nth(*at)?;
                let found = value.span();
                (value.into_inner(), found)
            }
            _ => return None,
        };
        span = Some(found);
        here = Some(next);
    }
    span
}

/// The place of a key or an entry in JSON that is known to be right.
fn in_json(text: &str, path: &[Step]) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = skip(bytes, 0);
    let mut span = None;
    for step in path {
        let open = *bytes.get(at)?;
        at = skip(bytes, at + 1);
        let mut entry = 0;
        loop {
            let start = at;
            match (open, step) {
                (b'{', Step::Key(wanted)) => {
                    let end = string_end(bytes, at)?;
                    let key: String = serde_json::from_str(text.get(at..end)?).ok()?;
                    at = skip(bytes, skip(bytes, end) + 1);
                    if key == *wanted {
                        span = Some(start..end);
                        break;
                    }
                }
                (b'[', Step::Entry(wanted)) if entry == *wanted => {
                    span = Some(start..start + 1);
                    break;
                }
                (b'[', Step::Entry(_)) => {}
                _ => return None,
            }
            at = skip(bytes, value_end(bytes, at)?);
            if *bytes.get(at)? != b',' {
                return None;
            }
            at = skip(bytes, at + 1);
            entry += 1;
        }
    }
    span
}

fn skip(bytes: &[u8], at: usize) -> usize {
    at + bytes.iter().skip(at).take_while(|byte| byte.is_ascii_whitespace()).count()
}

fn string_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut next = at + 1;
    while *bytes.get(next)? != b'"' {
        next += if bytes[next] == b'\\' { 2 } else { 1 };
    }
    Some(next + 1)
}

fn value_end(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at)? {
        b'"' => string_end(bytes, at),
        b'{' | b'[' => {
            let mut depth = 0;
            let mut next = at;
            loop {
                match bytes.get(next)? {
                    b'"' => next = string_end(bytes, next)? - 1,
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => depth -= 1,
                    _ => {}
                }
                next += 1;
                if depth == 0 {
                    return Some(next);
                }
            }
        }
        _ => Some(at + bytes[at..].iter().take_while(|byte| !b",]} \n\r\t".contains(byte)).count()),
    }
}
