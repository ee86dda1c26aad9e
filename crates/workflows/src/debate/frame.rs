//! The decision frame: which slots must be decided, and between which options. Positions are taken in it.

pub mod words;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is to be decided.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Frame {
    /// The slots, in order.
    pub slots: Vec<Slot>,
}

/// One thing to be decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Slot {
    /// A short name: lower case, words joined by `-` or `_`.
    pub slot: String,
    /// The question it answers.
    #[serde(default)]
    pub question: String,
    /// The options. With none, a position may be any words.
    #[serde(default)]
    pub options: Vec<Choice>,
    /// Whether the decision needs it.
    #[serde(default = "yes")]
    pub required: bool,
}

/// One option of a slot; in a file either a word or a table with other words for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "WrittenChoice")]
pub struct Choice {
    /// What it is called in positions.
    pub option: String,
    /// Other words for it.
    pub also: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum WrittenChoice {
    Word(String),
    Table {
        option: String,
        #[serde(default)]
        also: Vec<String>,
    },
}

impl From<WrittenChoice> for Choice {
    fn from(written: WrittenChoice) -> Self {
        match written {
            WrittenChoice::Word(option) => Self { option, also: Vec::new() },
            WrittenChoice::Table { option, also } => Self { option, also },
        }
    }
}

fn yes() -> bool {
    true
}

impl Frame {
    /// The slot of this name.
    #[must_use]
    pub fn slot(&self, name: &str) -> Option<&Slot> {
        self.slots.iter().find(|slot| slot.slot.eq_ignore_ascii_case(name.trim()))
    }

    /// The slots a decision needs.
    pub fn required(&self) -> impl Iterator<Item = &Slot> {
        self.slots.iter().filter(|slot| slot.required)
    }

    /// What is wrong with it, in words.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (at, slot) in self.slots.iter().enumerate() {
            if slot.slot.trim().is_empty() {
                found.push(format!("slot {} has no name", at + 1));
            }
            if self.slots.iter().take(at).any(|other| other.slot.eq_ignore_ascii_case(&slot.slot)) {
                found.push(format!("two slots are called `{}`", slot.slot));
            }
            if slot.options.len() == 1 {
                found.push(format!("slot `{}` has one option, so there is nothing to decide", slot.slot));
            }
            for (n, choice) in slot.options.iter().enumerate() {
                let same = |other: &Choice| other.option.eq_ignore_ascii_case(&choice.option);
                if slot.options.iter().take(n).any(same) {
                    found.push(format!("slot `{}` has the option `{}` twice", slot.slot, choice.option));
                }
            }
        }
        found
    }

    /// The frame as lines for a prompt or a page.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let line = |slot: &Slot| {
            let options: Vec<&str> = slot.options.iter().map(|choice| choice.option.as_str()).collect();
            let options = if options.is_empty() { "any words".to_owned() } else { options.join(" | ") };
            let need = if slot.required { "" } else { " (optional)" };
            let question =
                if slot.question.is_empty() { String::new() } else { format!(" {}", slot.question) };
            format!("{}{need}:{question} [{options}]", slot.slot)
        };
        self.slots.iter().map(line).collect()
    }
}

impl Slot {
    /// The option these words name, exactly or after bringing numbers and other words to one form.
    #[must_use]
    pub fn option(&self, words: &str) -> Option<&str> {
        let wanted = super::positions::plain(words);
        let fits = |choice: &&Choice| {
            super::positions::plain(&choice.option) == wanted
                || choice.also.iter().any(|also| super::positions::plain(also) == wanted)
        };
        self.options.iter().find(fits).map(|choice| choice.option.as_str())
    }

    /// A position in one form: the option it names, or the words themselves where the slot is open or the
    /// words begin with `other:`. None where it names no option.
    #[must_use]
    pub fn normal(&self, words: &str) -> Option<String> {
        let words = words.trim();
        if words.is_empty() {
            return None;
        }
        if let Some(option) = self.option(words) {
            return Some(option.to_owned());
        }
        let other = words.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("other:"));
        (other || self.options.is_empty()).then(|| super::positions::kept(words))
    }
}
