//! What stands in the placeholders of a prompt, and whose words it is. Numbers, the program's own words and what a
//! person typed stand as they are; every other text is fenced where it stands, so that forgetting it is safe.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Fence;
use super::fence::without_controls;

/// Words and whose they are. Read from anywhere they are somebody else's; only who knows better says [`Words::typed`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "String", into = "String")]
pub struct Words {
    text: String,
    typed: bool,
}

impl Words {
    /// Words a person typed or set: a question, a wish, instructions. They may steer.
    #[must_use]
    pub fn typed(text: impl Into<String>) -> Self {
        Self { text: text.into(), typed: true }
    }

    /// Words of anybody else: of documents, servers, programs, models.
    #[must_use]
    pub fn foreign(text: impl Into<String>) -> Self {
        Self { text: text.into(), typed: false }
    }

    /// Whether the person who asks typed them.
    #[must_use]
    pub fn is_typed(&self) -> bool {
        self.typed
    }

    /// The words.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl From<String> for Words {
    fn from(text: String) -> Self {
        Self::foreign(text)
    }
}

impl From<Words> for String {
    fn from(words: Words) -> Self {
        words.text
    }
}

/// What a placeholder holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Var(VarValue);

#[derive(Clone, Debug, PartialEq)]
enum VarValue {
    Own(Value),
    Foreign(String),
    List(Vec<Var>),
}

impl Var {
    /// An id this program made: so short and plain that it says nothing else.
    #[must_use]
    pub fn id(id: &str) -> Self {
        Self(VarValue::Own(tag(id).into()))
    }

    fn foreign(&self) -> Vec<&str> {
        match &self.0 {
            VarValue::Own(_) => Vec::new(),
            VarValue::Foreign(text) => vec![text],
            VarValue::List(items) => items.iter().flat_map(Self::foreign).collect(),
        }
    }

    fn shown(&self, name: &'static str, fence: &Fence) -> Value {
        match &self.0 {
            VarValue::Own(value) => value.clone(),
            VarValue::Foreign(text) if text.trim().is_empty() => "".into(),
            VarValue::Foreign(text) => fence.around(name, text).into(),
            VarValue::List(items) => items.iter().map(|item| item.shown(name, fence)).collect(),
        }
    }
}

/// Letters and digits of an id, as many as an id has.
pub(super) fn tag(id: &str) -> String {
    id.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')).take(24).collect()
}

impl From<&'static str> for Var {
    fn from(word: &'static str) -> Self {
        Self(VarValue::Own(word.into()))
    }
}

impl From<&Words> for Var {
    fn from(words: &Words) -> Self {
        Self(if words.typed {
            VarValue::Own(without_controls(&words.text).into())
        } else {
            VarValue::Foreign(words.text.clone())
        })
    }
}

impl From<Words> for Var {
    fn from(words: Words) -> Self {
        Self::from(&words)
    }
}

impl From<String> for Var {
    fn from(text: String) -> Self {
        Self(VarValue::Foreign(text))
    }
}

impl From<&String> for Var {
    fn from(text: &String) -> Self {
        Self(VarValue::Foreign(text.clone()))
    }
}

impl<T: Into<Self>> From<Vec<T>> for Var {
    fn from(items: Vec<T>) -> Self {
        Self(VarValue::List(items.into_iter().map(Into::into).collect()))
    }
}

macro_rules! own {
    ($($kind:ty),*) => {$(
        impl From<$kind> for Var {
            fn from(value: $kind) -> Self {
                Self(VarValue::Own(value.into()))
            }
        }
    )*};
}

own!(bool, u8, u32, u64, usize);

/// The variables of a prompt.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vars(Vec<(&'static str, Var)>);

impl Vars {
    /// None.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// These and one more.
    #[must_use]
    pub fn with(mut self, name: &'static str, var: impl Into<Var>) -> Self {
        self.0.push((name, var.into()));
        self
    }

    /// Their names.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|(name, _)| *name)
    }

    /// Every text that is fenced.
    pub(super) fn foreign(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flat_map(|(_, var)| var.foreign())
    }

    /// As the template sees them.
    pub(super) fn shown(&self, fence: &Fence) -> serde_json::Map<String, Value> {
        self.0.iter().map(|(name, var)| ((*name).to_owned(), var.shown(name, fence))).collect()
    }
}
