//! Reading TOML with places: every value that is not what it should be is noted where it stands, and reading goes on.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Mistake;

/// A value where it stands.
pub type Node<'a> = Spanned<DeValue<'a>>;

/// A text where it stands.
pub type Placed = (String, usize);

/// Notes what is wrong.
pub struct Notes<'a> {
    text: &'a str,
    pub mistakes: Vec<Mistake>,
}

impl<'a> Notes<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, mistakes: Vec::new() }
    }

    /// Notes a mistake at a byte of the text.
    pub fn wrong(&mut self, at: usize, what: impl Into<String>) {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        self.mistakes.push(Mistake { line, column, what: what.into() });
    }

    /// Notes every key that is none of these.
    pub fn keys(&mut self, table: &DeTable<'_>, known: &[&str], whose: &str) {
        for key in table.keys() {
            let name: &str = key.get_ref();
            if !known.contains(&name) {
                let near = baton_agents::nearest::nearest(name, known.iter().copied());
                let hint = near.map_or_else(
                    || format!("there are {}", known.join(", ")),
                    |near| format!("did you mean `{near}`?"),
                );
                self.wrong(key.span().start, format!("{whose} has no `{name}`; {hint}"));
            }
        }
    }

    /// The table a value is.
    pub fn table<'t>(&mut self, node: &'t Node<'a>, what: &str) -> Option<&'t DeTable<'a>> {
        match node.get_ref() {
            DeValue::Table(table) => Some(table),
            other => {
                self.wrong(node.span().start, format!("{what} must be a table, not {}", kind(other)));
                None
            }
        }
    }

    /// The values of a list.
    pub fn list<'t>(&mut self, table: &'t DeTable<'a>, key: &str) -> Vec<&'t Node<'a>> {
        match table.get(key).map(|node| (node, node.get_ref())) {
            None => Vec::new(),
            Some((_, DeValue::Array(items))) => items.iter().collect(),
            Some((node, other)) => {
                self.wrong(node.span().start, format!("`{key}` must be a list, not {}", kind(other)));
                Vec::new()
            }
        }
    }

    /// The tables of a list of tables.
    pub fn tables<'t>(&mut self, table: &'t DeTable<'a>, key: &str) -> Vec<(usize, &'t DeTable<'a>)> {
        let nodes = self.list(table, key);
        nodes
            .into_iter()
            .filter_map(|node| Some((node.span().start, self.table(node, &format!("`{key}`"))?)))
            .collect()
    }

    /// A text.
    pub fn text(&mut self, table: &DeTable<'a>, key: &str) -> Option<Placed> {
        let node = table.get(key)?;
        match node.get_ref() {
            DeValue::String(text) => Some((text.to_string(), node.span().start)),
            other => {
                self.wrong(
                    node.span().start,
                    format!("`{key}` must be a text in quotes, not {}", kind(other)),
                );
                None
            }
        }
    }

    /// A text that must be there and not be empty.
    pub fn needed(&mut self, table: &DeTable<'a>, key: &str, at: usize, whose: &str) -> Placed {
        match self.text(table, key) {
            Some((text, at)) if text.trim().is_empty() => {
                self.wrong(at, format!("`{key}` is empty"));
                (String::new(), at)
            }
            Some(text) => text,
            None => {
                if !table.contains_key(key) {
                    self.wrong(at, format!("{whose} needs `{key}`"));
                }
                (String::new(), at)
            }
        }
    }

    /// A list of texts.
    pub fn texts(&mut self, table: &DeTable<'a>, key: &str) -> Vec<Placed> {
        let nodes = self.list(table, key);
        let mut texts = Vec::new();
        for node in nodes {
            match node.get_ref() {
                DeValue::String(text) => texts.push((text.to_string(), node.span().start)),
                other => self.wrong(node.span().start, format!("`{key}` holds texts, not {}", kind(other))),
            }
        }
        texts
    }

    /// A whole number of at least `least`.
    pub fn number(&mut self, table: &DeTable<'a>, key: &str, least: u64) -> Option<u64> {
        let node = table.get(key)?;
        let read = match node.get_ref() {
            DeValue::Integer(number) => {
                u64::from_str_radix(&number.as_str().replace('_', ""), number.radix()).ok()
            }
            _ => None,
        };
        match read.filter(|number| *number >= least) {
            Some(number) => Some(number),
            None => {
                self.wrong(node.span().start, format!("`{key}` must be a whole number from {least} up"));
                None
            }
        }
    }

    /// An amount in dollars, in millionths.
    pub fn dollars(&mut self, table: &DeTable<'a>, key: &str) -> Option<u64> {
        let node = table.get(key)?;
        let read = match node.get_ref() {
            DeValue::Integer(number) => number.as_str().replace('_', "").parse::<f64>().ok(),
            DeValue::Float(number) => number.as_str().replace('_', "").parse::<f64>().ok(),
            _ => None,
        };
        let micro = read.and_then(crate::coding::micro_usd);
        if micro.is_none() {
            self.wrong(node.span().start, format!("`{key}` must be an amount in dollars such as 2.50"));
        }
        micro
    }

    /// Seconds: a number, or a text such as `90s`, `5m`, `1h`.
    pub fn seconds(&mut self, table: &DeTable<'a>, key: &str) -> Option<u64> {
        let node = table.get(key)?;
        let DeValue::String(text) = node.get_ref() else { return self.number(table, key, 1) };
        let (digits, unit) = text.split_at(text.trim_end_matches(char::is_alphabetic).len());
        let factor = match unit {
            "s" => Some(1),
            "m" => Some(60),
            "h" => Some(3600),
            _ => None,
        };
        let seconds = digits.trim().parse::<u64>().ok().zip(factor).map(|(number, factor)| number * factor);
        match seconds.filter(|seconds| *seconds > 0) {
            Some(seconds) => Some(seconds),
            None => {
                self.wrong(node.span().start, format!("`{key}` must be a time such as \"90s\" or \"5m\""));
                None
            }
        }
    }

    /// Yes or no.
    pub fn flag(&mut self, table: &DeTable<'a>, key: &str) -> bool {
        match table.get(key).map(|node| (node.span(), node.get_ref())) {
            Some((_, DeValue::Boolean(yes))) => *yes,
            Some((Range { start, .. }, _)) => {
                self.wrong(start, format!("`{key}` must be true or false"));
                false
            }
            None => false,
        }
    }

    /// One of a few words.
    pub fn word<T: Copy>(&mut self, table: &DeTable<'a>, key: &str, words: &[(&str, T)]) -> Option<T> {
        let (text, at) = self.text(table, key)?;
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
        if found.is_none() {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            self.wrong(at, format!("`{key}` is one of {}, not `{text}`", known.join(", ")));
        }
        found
    }
}

fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
