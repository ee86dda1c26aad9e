//! Questions to a person: what is asked, what shape the answer has, and what happens if none comes.

use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{Act, Millis};

/// A question a node puts to a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// What is asked, in a sentence or two.
    pub text: String,
    /// The JSON schema an answer must fit.
    pub schema: Value,
    /// How long to wait, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within_ms: Option<u64>,
    /// The answer that is taken at the deadline; without one the question fails there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub otherwise: Option<Value>,
}

impl Question {
    /// A question whose answer must fit `schema`.
    pub fn new(text: impl Into<String>, schema: Value) -> Self {
        Self { text: text.into(), schema, within_ms: None, otherwise: None }
    }

    /// A question answered with true or false.
    pub fn yes_no(text: impl Into<String>) -> Self {
        Self::new(text, json!({"type": "boolean"}))
    }

    /// A question answered in words, whichever; an empty answer is none.
    pub fn words(text: impl Into<String>) -> Self {
        Self::new(text, any_words())
    }

    /// A question answered in words, or with nothing at all.
    pub fn words_or_nothing(text: impl Into<String>) -> Self {
        Self::new(text, maybe_words())
    }

    /// Whether nothing at all is an answer.
    pub fn takes_nothing(&self) -> bool {
        self.schema == maybe_words()
    }

    /// A question answered with one of these words.
    pub fn choice(text: impl Into<String>, options: &[&str]) -> Self {
        Self::new(text, json!({"enum": options}))
    }

    /// Waits this long; then the question fails, or takes [`Question::otherwise`].
    #[must_use]
    pub fn within(mut self, span: Duration) -> Self {
        self.within_ms = Some(u64::try_from(span.as_millis()).unwrap_or(u64::MAX));
        self
    }

    /// The answer that is taken at the deadline.
    #[must_use]
    pub fn otherwise(mut self, answer: impl Into<Value>) -> Self {
        self.otherwise = Some(answer.into());
        self
    }

    /// The moment the question expires if it is asked now.
    pub fn deadline(&self, now: Millis) -> Option<Millis> {
        self.within_ms.map(|span| now.plus(Duration::from_millis(span)))
    }

    /// Checks an answer against the schema.
    pub fn check(&self, answer: &Value) -> Result<(), WrongShape> {
        let validator = jsonschema::validator_for(&self.schema).map_err(|error| WrongShape {
            problems: vec![format!("the question's own schema is wrong: {error}")],
        })?;
        let problems: Vec<String> = validator
            .iter_errors(answer)
            .map(|error| {
                let place = error.instance_path().to_string();
                if place.is_empty() { error.to_string() } else { format!("{place}: {error}") }
            })
            .collect();
        if problems.is_empty() { Ok(()) } else { Err(WrongShape { problems }) }
    }

    /// Reads what a person typed: JSON where it is JSON, yes/no for booleans, a sentence where one kind of answer is
    /// made of one, otherwise the words as they are.
    pub fn read(&self, typed: &str) -> Value {
        let typed = typed.trim();
        if self.schema.get("type") == Some(&json!("boolean")) {
            match typed.to_ascii_lowercase().as_str() {
                "y" | "yes" => return json!(true),
                "n" | "no" => return json!(false),
                _ => {}
            }
        }
        match serde_json::from_str(typed) {
            Ok(value) if self.check(&value).is_ok() => value,
            Ok(value) if self.check(&json!(typed)).is_err() => value,
            _ => self.as_sentence(typed).unwrap_or_else(|| json!(typed)),
        }
    }

    /// The one kind of answer that holds nothing but a sentence, with this as its sentence.
    /// One word is more likely a slip of a choice, so it stays a word.
    fn as_sentence(&self, typed: &str) -> Option<Value> {
        if !typed.contains(char::is_whitespace) || self.check(&json!(typed)).is_ok() {
            return None;
        }
        let kinds = self.schema.get("anyOf").and_then(Value::as_array)?;
        let mut names = kinds.iter().filter_map(sentence_of);
        let (Some(name), None) = (names.next(), names.next()) else { return None };
        Some(json!({ name: typed }))
    }

    /// What an answer looks like, for a person.
    pub fn hint(&self) -> String {
        hint(&self.schema)
    }
}

fn any_words() -> Value {
    json!({"type": "string", "pattern": "\\S"})
}

fn maybe_words() -> Value {
    json!({"type": "string"})
}

/// The name of the sentence in an object that holds nothing else.
fn sentence_of(schema: &Value) -> Option<&str> {
    let [Value::String(name)] = schema.get("required")?.as_array()?.as_slice() else { return None };
    let properties = schema.get("properties")?.as_object()?;
    let takes_words = properties.get(name)?.get("type") == Some(&json!("string"));
    (properties.len() == 1 && takes_words).then_some(name)
}

fn hint(schema: &Value) -> String {
    if schema.get("type") == Some(&json!("boolean")) {
        return "yes or no".to_owned();
    }
    if *schema == any_words() || *schema == maybe_words() {
        return "in words".to_owned();
    }
    let list = |key: &str| schema.get(key).and_then(Value::as_array);
    if let Some(options) = list("enum") {
        let word = |option: &Value| option.as_str().map_or(option.to_string(), str::to_owned);
        return format!("one of: {}", options.iter().map(word).collect::<Vec<_>>().join(", "));
    }
    if let Some(kinds) = list("anyOf") {
        return kinds.iter().map(hint).collect::<Vec<_>>().join("; or ");
    }
    if sentence_of(schema).is_some() {
        return "a sentence".to_owned();
    }
    // A pattern is for programs; the question says in words what is wanted.
    if schema.get("type") == Some(&json!("string")) && schema.get("pattern").is_some() {
        return "in the words that are asked for".to_owned();
    }
    format!("JSON that fits {schema}")
}

/// Reads a value as node code will read it: with its parser, so that what is recorded can be read for ever.
#[derive(Clone, Copy)]
pub struct Reads {
    parse: fn(&Value) -> Result<(), String>,
    worth: fn(&Value) -> bool,
    testimony: bool,
}

impl Reads {
    /// Whatever parses as `T`.
    pub fn of<T: DeserializeOwned>() -> Self {
        let parse = |value: &Value| T::deserialize(value).map(drop).map_err(|error| error.to_string());
        Self { parse, worth: |_| true, testimony: false }
    }

    /// What an act gives.
    pub(crate) fn out_of<A: Act>() -> Self {
        let worth = |value: &Value| A::Out::deserialize(value).is_ok_and(|out| A::is_worth_reusing(&out));
        Self { worth, ..Self::of::<A::Out>() }
    }

    /// Whether another run may take this result.
    pub(crate) fn is_worth_reusing(&self, value: &Value) -> bool {
        (self.worth)(value)
    }

    /// What a person says of a step whose outcome a crash hid; the result they give is read by `self`.
    #[must_use]
    pub(crate) fn as_testimony(self) -> Self {
        Self { testimony: true, ..self }
    }

    /// Checks that the value can be read.
    pub fn check(&self, value: &Value) -> Result<(), WrongShape> {
        let read = if self.testimony {
            Testimony::read(value).and_then(|said| match said {
                Testimony::Happened(result) => (self.parse)(&result).map_err(|why| {
                    format!(r#"result: {why}; give it as {{"happened": true, "result": RESULT}}"#)
                }),
                Testimony::Again | Testimony::GiveUp => Ok(()),
            })
        } else {
            (self.parse)(value)
        };
        read.map_err(|problem| WrongShape { problems: vec![problem] })
    }
}

impl std::fmt::Debug for Reads {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.testimony { "Reads(testimony)" } else { "Reads" })
    }
}

/// What a person says of a step whose outcome a crash hid.
pub(crate) enum Testimony {
    /// It happened, and gave this.
    Happened(Value),
    /// It did not happen; it is done now.
    Again,
    /// Nobody shall do it, whatever it did.
    GiveUp,
}

/// The words for what a person can say of it.
const TESTIMONIES: [&str; 3] = ["again", "happened", "give up"];

impl Testimony {
    /// What was said, in a word or with a result.
    pub fn read(value: &Value) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Told {
            happened: bool,
            #[serde(default)]
            result: Value,
        }
        match value.as_str() {
            Some("again") => return Ok(Self::Again),
            Some("happened") => return Ok(Self::Happened(Value::Null)),
            Some("give up") => return Ok(Self::GiveUp),
            _ => {}
        }
        let told = Told::deserialize(value).map_err(|error| error.to_string())?;
        Ok(if told.happened { Self::Happened(told.result) } else { Self::Again })
    }
}

/// What an answer to the question whether a step happened looks like.
pub(crate) fn testimony_schema() -> Value {
    json!({"anyOf": [
        {"enum": TESTIMONIES},
        {
            "type": "object",
            "properties": {"happened": {"type": "boolean"}, "result": {}},
            "required": ["happened"]
        }
    ]})
}

/// What a person said, and who it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer<T> {
    /// The answer.
    pub value: T,
    /// Who gave it; at a deadline, [`DEADLINE`].
    pub by: String,
}

/// Who answers when nobody does.
pub const DEADLINE: &str = "the deadline";

/// An answer that does not fit its question.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the answer does not fit the question: {}", problems.join("; "))]
pub struct WrongShape {
    /// What does not fit, each with its place in the answer.
    pub problems: Vec<String>,
}
