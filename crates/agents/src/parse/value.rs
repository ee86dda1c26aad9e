//! The lenient grammar: JSON, and the mistakes that have one reading only.

use serde_json::{Map, Number, Value};

use super::{Reason, Refused, Repair};

/// Deeper values are refused rather than recursed into.
const MOST_DEEP: usize = 100;

/// What encloses the value being read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Around {
    Nothing,
    Object,
    Array,
}

/// Reads one value from a place in a reply.
pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    /// The whole reply is valid JSON: then nothing in it may be read another way.
    pub(super) strict: bool,
    stack: Vec<Around>,
    repairs: Vec<Repair>,
}

impl<'a> Reader<'a> {
    pub fn new(text: &'a str, at: usize, strict: bool) -> Self {
        Self { text, at, strict, stack: Vec::new(), repairs: Vec::new() }
    }

    /// Where reading stopped.
    pub fn at(&self) -> usize {
        self.at
    }

    /// What was repaired on the way.
    pub fn repairs(self) -> Vec<Repair> {
        self.repairs
    }

    /// Reads the value that begins here.
    pub fn value(&mut self) -> Result<Value, Refused> {
        self.space()?;
        match self.peek() {
            None => self.refuse(Reason::Truncated),
            Some('{') => self.nested(Around::Object),
            Some('[') => self.nested(Around::Array),
            Some(c) if self.opens_string(c) => Ok(Value::String(self.string()?)),
            Some(c) if c.is_ascii_digit() || matches!(c, '-' | '+') => self.number(),
            Some('.') if self.rest().starts_with("...") => self.refuse(Reason::Elided),
            Some('.') => self.number(),
            Some('…') => self.refuse(Reason::Elided),
            Some(c) if c.is_alphabetic() => self.word(),
            Some(_) => self.refuse(Reason::Syntax),
        }
    }

    fn nested(&mut self, kind: Around) -> Result<Value, Refused> {
        if self.stack.len() >= MOST_DEEP {
            return self.refuse(Reason::TooDeep);
        }
        self.at += 1;
        self.stack.push(kind);
        let value = match kind {
            Around::Object => self.object().map(Value::Object),
            _ => self.array().map(Value::Array),
        };
        self.stack.pop();
        value
    }

    fn object(&mut self) -> Result<Map<String, Value>, Refused> {
        let mut map = Map::new();
        while !self.closes('}', map.is_empty())? {
            let key_at = self.at;
            let key = self.key()?;
            self.space()?;
            match self.peek() {
                Some(':') => self.at += 1,
                None => return self.refuse(Reason::Truncated),
                Some(_) => return self.refuse(Reason::Syntax),
            }
            let value = self.value()?;
            match map.get(&key) {
                Some(old) if *old != value => {
                    self.at = key_at;
                    return self.refuse(Reason::DuplicateKey);
                }
                _ => drop(map.insert(key, value)),
            }
        }
        Ok(map)
    }

    fn array(&mut self) -> Result<Vec<Value>, Refused> {
        let mut items = Vec::new();
        while !self.closes(']', items.is_empty())? {
            items.push(self.value()?);
        }
        Ok(items)
    }

    /// Between members: takes the comma or the closing bracket. True when the container is finished.
    fn closes(&mut self, closer: char, first: bool) -> Result<bool, Refused> {
        let new_line = self.space()?;
        let mut comma = false;
        if !first && self.peek() == Some(',') {
            comma = true;
            self.at += 1;
            self.space()?;
        }
        match self.peek() {
            Some(c) if c == closer => {
                self.at += 1;
                if comma {
                    self.repair(Repair::ExtraComma);
                }
                Ok(true)
            }
            // After a comma more was coming; a bare number may have lost digits.
            None if comma
                || first
                || self.text[..self.at].trim_end().ends_with(|c: char| c.is_ascii_digit()) =>
            {
                self.refuse(Reason::Truncated)
            }
            None => {
                self.repair(Repair::Closed);
                Ok(true)
            }
            // The bracket of the container around this one: ours was forgotten.
            Some(c @ ('}' | ']')) if !comma && self.around_closes_with(c) => {
                self.repair(Repair::Closed);
                Ok(true)
            }
            Some(_) if comma || first => Ok(false),
            Some(c) if new_line || (closer == '}' && self.opens_string(c)) => {
                self.repair(Repair::MissingComma);
                Ok(false)
            }
            Some(_) => self.refuse(Reason::Syntax),
        }
    }

    fn around_closes_with(&self, closer: char) -> bool {
        let around = self.stack.len().checked_sub(2).map(|i| self.stack[i]);
        matches!((around, closer), (Some(Around::Object), '}') | (Some(Around::Array), ']'))
    }

    fn key(&mut self) -> Result<String, Refused> {
        match self.peek() {
            Some(c) if self.opens_string(c) => self.string(),
            Some('.' | '…') => self.refuse(Reason::Elided),
            _ => {
                let name = |c: char| c.is_alphanumeric() || c == '_' || c == '-' || c == '$';
                let end = self.rest().find(|c| !name(c)).unwrap_or(self.rest().len());
                if end == 0 {
                    return self.refuse(Reason::Syntax);
                }
                if end == self.rest().len() {
                    return self.refuse(Reason::Truncated);
                }
                let key = self.rest()[..end].to_owned();
                self.at += end;
                self.repair(Repair::BareKey);
                Ok(key)
            }
        }
    }

    /// What encloses the value being read.
    pub(super) fn around(&self) -> Around {
        self.stack.last().copied().unwrap_or(Around::Nothing)
    }

    fn word(&mut self) -> Result<Value, Refused> {
        let end = self.rest().find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(self.rest().len());
        let word = &self.rest()[..end];
        let value = match word {
            "true" | "True" | "TRUE" => Value::Bool(true),
            "false" | "False" | "FALSE" => Value::Bool(false),
            "null" | "None" | "NULL" | "Null" | "undefined" => Value::Null,
            "NaN" | "nan" | "Infinity" | "inf" => return self.refuse(Reason::BadNumber),
            _ if end == self.rest().len() => return self.refuse(Reason::Truncated),
            _ => return self.refuse(Reason::BareWord),
        };
        if !matches!(word, "true" | "false" | "null") {
            self.repair(Repair::Literal);
        }
        self.at += end;
        self.ends_cleanly(Reason::BareWord)?;
        Ok(value)
    }

    fn number(&mut self) -> Result<Value, Refused> {
        let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.' | '_');
        let end = self.rest().find(|c| !part(c)).unwrap_or(self.rest().len());
        let raw = &self.rest()[..end];
        if end == self.rest().len() && self.around() != Around::Nothing {
            return self.refuse(Reason::Truncated);
        }
        if let Ok(number) = serde_json::from_str::<Number>(raw) {
            self.at += end;
            self.ends_cleanly(Reason::BadNumber)?;
            return Ok(Value::Number(number));
        }
        let Some(number) = rewrite(raw).and_then(|fixed| serde_json::from_str::<Number>(&fixed).ok()) else {
            return self.refuse(Reason::BadNumber);
        };
        self.at += end;
        self.ends_cleanly(Reason::BadNumber)?;
        self.repair(Repair::Number);
        Ok(Value::Number(number))
    }

    /// After a bare value only a comma, a bracket, space or a comment may stand: `45%` is not 45.
    fn ends_cleanly(&mut self, otherwise: Reason) -> Result<(), Refused> {
        match self.peek() {
            None => Ok(()),
            Some(c) if c.is_whitespace() || matches!(c, ',' | '}' | ']' | '/' | '#') => Ok(()),
            Some(_) => self.refuse(otherwise),
        }
    }

    /// Skips space and comments; true if a line ended on the way.
    pub(super) fn space(&mut self) -> Result<bool, Refused> {
        let mut new_line = false;
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start_matches(super::invisible).len();
            new_line |= rest[..blank].contains('\n');
            self.at += blank;
            let rest = self.rest();
            let end = if rest.starts_with("//") || rest.starts_with('#') {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                match rest.find("*/") {
                    Some(end) => end + 2,
                    None => return self.refuse(Reason::Truncated),
                }
            } else {
                return Ok(new_line);
            };
            self.repair(Repair::Comment);
            self.at += end;
        }
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn repair(&mut self, repair: Repair) {
        self.repairs.push(repair);
    }

    pub(super) fn refuse<T>(&self, reason: Reason) -> Result<T, Refused> {
        Err(Refused::new(reason, self.text, self.at))
    }
}

/// `+1`, `.5`, `1.` and `1_000` as JSON writes them; nothing with two readings, such as `007`.
fn rewrite(raw: &str) -> Option<String> {
    let unsigned = raw.strip_prefix('+').unwrap_or(raw);
    let well_grouped = |part: &str| part.split('_').skip(1).all(|g| g.len() == 3);
    if !well_grouped(unsigned.split('.').next()?) {
        return None;
    }
    let mut fixed = unsigned.replace('_', "");
    if fixed.starts_with('.') {
        fixed.insert(0, '0');
    } else if let Some(fraction) = fixed.strip_prefix("-.") {
        fixed = format!("-0.{fraction}");
    }
    if fixed.ends_with('.') {
        fixed.push('0');
    }
    Some(fixed)
}
