//! An answer as far as it has arrived, and what its server says of its size. Servers write anything where a
//! number is due; what is no whole number from zero up is not there.

use serde_json::Value;

use super::Finish;

/// An answer as far as it has arrived.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub text: String,
    /// Bytes of text received, also of text that is no part of the answer: it is paid for all the same.
    pub heard: usize,
    pub finish: Option<Finish>,
    pub counted: Counted,
    pub cost_microusd: Option<u64>,
    pub served_by: Option<String>,
    pub id: Option<String>,
    /// An error the server reported inside an otherwise good answer.
    pub error: Option<Value>,
    /// Whether the server said that this is all.
    pub done: bool,
}

impl Draft {
    /// The next piece of the answer.
    pub fn say(&mut self, text: &str) {
        self.text.push_str(text);
        self.aside(text);
    }

    /// Text that is no part of the answer, such as shown reasoning.
    pub fn aside(&mut self, text: &str) {
        self.heard += text.len();
    }

    /// The server's own price of the call; of several the highest.
    pub fn costs(&mut self, microusd: Option<u64>) {
        self.cost_microusd = self.cost_microusd.max(microusd);
    }
}

/// Tokens as a server counts them, as far as it does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counted {
    /// Tokens read, cached ones included.
    pub input: Option<u64>,
    /// Of these, from the provider's cache.
    pub cached: Option<u64>,
    /// Tokens written.
    pub output: Option<u64>,
    /// Tokens written and not shown, where they are counted beside `output`.
    pub hidden: Option<u64>,
}

impl Counted {
    /// Takes in a later count of the same answer. Counts grow as an answer does, so the higher one holds.
    pub fn and(&mut self, later: Self) {
        self.input = self.input.max(later.input);
        self.cached = self.cached.max(later.cached);
        self.output = self.output.max(later.output);
        self.hidden = self.hidden.max(later.hidden);
    }
}

/// A whole number at a path; anything else is nothing.
pub(super) fn number(holder: &Value, path: &str) -> Option<u64> {
    holder.pointer(path).and_then(Value::as_u64)
}

/// A text at a path.
pub(super) fn text<'a>(holder: &'a Value, path: &str) -> Option<&'a str> {
    holder.pointer(path).and_then(Value::as_str)
}
