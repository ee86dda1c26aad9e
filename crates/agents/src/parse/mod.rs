//! Reading JSON from what models really send: fenced, preceded by thinking, followed by chatter, quoted in
//! the Python way, cut short. Every repair is named. What has two readings is refused with its reason, for
//! a wrong answer read as a right one is worse than asking again.
//!
//! [`parse`] finds the one value the reply means; the lenient grammar is in `value`, strings in `text`.

mod text;
mod value;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use value::Reader;

/// The longest reply looked at.
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// Which kind of value the caller expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// `{…}`
    Object,
    /// `[…]`
    Array,
    /// Either.
    Any,
}

impl Wanted {
    /// What a schema asks for.
    #[must_use]
    pub fn by(schema: &Value) -> Self {
        match schema.get("type").and_then(Value::as_str) {
            Some("object") => Self::Object,
            Some("array") => Self::Array,
            _ => Self::Any,
        }
    }

    fn fits(self, value: &Value) -> bool {
        match self {
            Self::Object => value.is_object(),
            Self::Array => value.is_array(),
            Self::Any => value.is_object() || value.is_array(),
        }
    }
}

/// Something that was not JSON and was read as if it were.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Repair {
    /// Text, fences or thinking around the value.
    Surroundings,
    /// The same value more than once.
    Repeated,
    /// A JSON text inside a JSON string, or with its quotes escaped.
    Unwrapped,
    /// Quotes other than `"` around a string.
    Quotes,
    /// A key without quotes.
    BareKey,
    /// A `"` inside a string, not escaped.
    InnerQuote,
    /// A backslash that escapes nothing.
    Backslash,
    /// A raw newline or other control character inside a string.
    ControlCharacter,
    /// `True`, `None` and the like.
    Literal,
    /// A number written another way.
    Number,
    /// A comma too many.
    ExtraComma,
    /// A comma too few, where a new line or a key makes it plain.
    MissingComma,
    /// A comment.
    Comment,
    /// A closing bracket that was missing, every value before it being whole.
    Closed,
}

/// Why a reply was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Nothing in it.
    Empty,
    /// Too long to look at.
    TooLong,
    /// Thinking and no answer.
    OnlyThinking,
    /// No value of the wanted kind.
    NoJson,
    /// Several values that differ.
    Several,
    /// It ends inside a value.
    Truncated,
    /// A key twice with different values.
    DuplicateKey,
    /// `...` where values should be.
    Elided,
    /// A word where a value should be.
    BareWord,
    /// A number JSON cannot hold, or that has two readings.
    BadNumber,
    /// Half of a character.
    BadEscape,
    /// Nested too deep.
    TooDeep,
    /// Anything else that is not JSON and has no plain reading.
    Syntax,
}

/// A refusal: the reason, where, and what stands there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} at byte {at}: {near:?}", reason.sentence())]
pub struct Refused {
    /// Why.
    pub reason: Reason,
    /// The byte of the reply where reading stopped.
    pub at: usize,
    /// What stands there.
    pub near: String,
}

impl Reason {
    /// The reason in words a model understands too.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Empty => "the reply is empty",
            Self::TooLong => "the reply is too long to read",
            Self::OnlyThinking => "the reply is all thinking and no answer",
            Self::NoJson => "the reply holds no JSON of the wanted kind",
            Self::Several => "the reply holds several different JSON values",
            Self::Truncated => "the JSON is cut off",
            Self::DuplicateKey => "a key appears twice with different values",
            Self::Elided => "values were left out with dots",
            Self::BareWord => "a word stands where a JSON value should be",
            Self::BadNumber => "a number is not written as JSON writes numbers",
            Self::BadEscape => "a \\u escape is only half of a character",
            Self::TooDeep => "the JSON is nested too deep",
            Self::Syntax => "the JSON is malformed",
        }
    }
}

/// A value read from a reply, and what had to be repaired to read it.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    /// The value.
    pub value: Value,
    /// The repairs, each named once, in a fixed order. Empty for plain JSON.
    pub repairs: Vec<Repair>,
}

/// Reads the one JSON value that `reply` means.
pub fn parse(reply: &str, wanted: Wanted) -> Result<Parsed, Refused> {
    let refuse = |reason, at| Err(Refused::new(reason, reply, at));
    if reply.len() > MOST_BYTES {
        return refuse(Reason::TooLong, MOST_BYTES);
    }
    if reply.trim_matches(invisible).is_empty() {
        return refuse(Reason::Empty, 0);
    }
    scan(reply, wanted).or_else(|refused| unwrap_once(reply, wanted).ok_or(refused))
}

fn invisible(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}' | '\u{2060}')
}

/// A value found at the top level of a reply.
struct Found {
    value: Value,
    repairs: Vec<Repair>,
    fenced: bool,
    start: usize,
    end: usize,
}

/// Walks over the reply outside of values: skips thinking and foreign code blocks, reads each value.
fn scan(reply: &str, wanted: Wanted) -> Result<Parsed, Refused> {
    let body = reply.trim_matches(invisible);
    let strict = serde_json::from_str::<serde::de::IgnoredAny>(body).is_ok();
    if strict && body.starts_with('"') {
        // A plain JSON string: what it quotes is not the answer, unless all of it is.
        return Err(Refused::new(Reason::NoJson, reply, 0));
    }
    let mut found: Vec<Found> = Vec::new();
    let (mut at, mut fenced) = (if strict { 0 } else { after_thinking(reply) }, false);
    let mut thought = at > 0;
    while at < reply.len() {
        let rest = &reply[at..];
        if let Some(open) = thinking(rest) {
            thought = true;
            let close = rest.find(&format!("</{}", &open[1..]));
            let Some(close) = close else {
                // Some models open the tag only in their template, and some never close it.
                return Err(Refused::new(Reason::OnlyThinking, reply, at));
            };
            at += close + open.len() + 1;
        } else if let Some(after) = rest.strip_prefix("```") {
            let label: String = after.chars().take_while(|c| c.is_alphanumeric()).collect();
            at += 3 + label.len();
            if fenced {
                fenced = false;
            } else if opens_json(&label) {
                fenced = true;
            } else {
                at = reply[at..].find("```").map_or(reply.len(), |end| at + end + 3);
            }
        } else if (strict && rest.starts_with(['{', '['])) || looks_like_value(rest) {
            let mut reader = Reader::new(reply, at, strict);
            let value = reader.value()?;
            let (start, end) = (at, reader.at());
            at = end;
            if wanted.fits(&value) {
                found.push(Found { value, repairs: reader.repairs(), fenced, start, end });
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    choose(reply, found, thought)
}

const THINKING: [&str; 4] = ["<think>", "<thinking>", "<reasoning>", "<thought>"];

/// The opening tag of a block of thinking.
fn thinking(rest: &str) -> Option<&'static str> {
    THINKING.into_iter().find(|tag| rest.starts_with(tag))
}

/// Where the answer begins when the thinking before it was opened by the prompt and only closed here.
fn after_thinking(reply: &str) -> usize {
    let orphan = |open: &&'static str| {
        let close = format!("</{}", &open[1..]);
        let at = reply.find(&close)?;
        (!reply[..at].contains(*open)).then_some(at + close.len())
    };
    THINKING.iter().filter_map(orphan).max().unwrap_or(0)
}

fn opens_json(label: &str) -> bool {
    ["", "json", "json5", "jsonc", "js", "javascript", "JSON"].contains(&label)
}

/// Whether a bracket begins a value rather than a word in brackets: `{x, y}` and `[sic]` are prose.
fn looks_like_value(rest: &str) -> bool {
    let inside = |c: char| rest[c.len_utf8()..].trim_start();
    match rest.chars().next() {
        Some('{') => {
            let inside = inside('{');
            let word = inside.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).unwrap_or(0);
            let key = word > 0 && inside[word..].trim_start().starts_with(':');
            key || inside.starts_with(['"', '\'', '“', '‘', '}', '/', '#']) || inside.is_empty()
        }
        Some('[') => {
            let inside = inside('[');
            inside.starts_with(['"', '\'', '“', '{', '[', ']', '-'])
                || inside.starts_with(|c: char| c.is_ascii_digit())
        }
        _ => false,
    }
}

fn choose(reply: &str, mut found: Vec<Found>, thought: bool) -> Result<Parsed, Refused> {
    let mut repeated = false;
    if found.len() > 1 {
        let same = found.iter().all(|f| f.value == found[0].value);
        let in_fences = found.iter().filter(|f| f.fenced).count();
        match (same, in_fences) {
            (true, _) => repeated = true,
            (false, 1) => found.retain(|f| f.fenced),
            _ => return Err(Refused::new(Reason::Several, reply, found[1].start)),
        }
    }
    let Some(first) = found.into_iter().next() else {
        let reason = if thought { Reason::OnlyThinking } else { Reason::NoJson };
        return Err(Refused::new(reason, reply, 0));
    };
    let mut repairs = first.repairs;
    let alone = reply[..first.start].trim().is_empty() && reply[first.end..].trim().is_empty();
    if repeated {
        repairs.push(Repair::Repeated);
    } else if !alone {
        repairs.push(Repair::Surroundings);
    }
    repairs.sort_unstable();
    repairs.dedup();
    Ok(Parsed { value: first.value, repairs })
}

/// A JSON text inside a JSON string, or with every quote escaped, read once more without that layer.
fn unwrap_once(reply: &str, wanted: Wanted) -> Option<Parsed> {
    let text = reply.trim_matches(invisible).trim_matches('`');
    let text = text.strip_prefix("json").unwrap_or(text).trim();
    let quoted = if text.starts_with('"') { text.to_owned() } else { format!("\"{text}\"") };
    if !text.contains("\\\"") {
        return None;
    }
    let inner: String = serde_json::from_str(&quoted.replace('\n', "\\n")).ok()?;
    // One repair is enough, and what is refused without the layer is refused within it.
    let plain = scan(&inner, wanted).ok().filter(|parsed| parsed.repairs.is_empty())?;
    Some(Parsed { value: plain.value, repairs: vec![Repair::Unwrapped] })
}

impl Refused {
    fn new(reason: Reason, reply: &str, at: usize) -> Self {
        let mut at = at.min(reply.len());
        while !reply.is_char_boundary(at) {
            at -= 1;
        }
        Self { reason, at, near: reply[at..].chars().take(30).collect() }
    }
}
