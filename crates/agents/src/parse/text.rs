//! Strings: the quotes models use, the characters they forget to escape, and where a string really ends.

use super::value::{Around, Reader};
use super::{Reason, Refused, Repair};

/// What may close a string that `open` began.
fn closers(open: char) -> &'static [char] {
    match open {
        '\'' => &['\''],
        '“' | '”' => &['”', '“'],
        '‘' | '’' => &['’', '‘'],
        _ => &['"'],
    }
}

impl Reader<'_> {
    pub(super) fn opens_string(&self, c: char) -> bool {
        matches!(c, '"' | '\'' | '“' | '”' | '‘' | '’')
    }

    /// Reads the string that begins here.
    pub(super) fn string(&mut self) -> Result<String, Refused> {
        let Some(open) = self.peek() else { return self.refuse(Reason::Truncated) };
        for triple in ["\"\"\"", "'''"] {
            if self.rest().starts_with(triple) && !self.strict {
                return self.triple(triple);
            }
        }
        self.at += open.len_utf8();
        if open != '"' {
            self.repair(Repair::Quotes);
        }
        let mut out = String::new();
        while let Some(c) = self.peek() {
            match c {
                '\\' => self.escape(&mut out)?,
                c if closers(open).contains(&c) => {
                    self.at += c.len_utf8();
                    if self.joined_by_plus() {
                        return self.refuse(Reason::Syntax);
                    }
                    if self.strict || self.string_ends(c) {
                        return Ok(out);
                    }
                    self.repair(Repair::InnerQuote);
                    out.push(c);
                }
                c => {
                    if c.is_control() && (c as u32) < 0x20 {
                        self.repair(Repair::ControlCharacter);
                    }
                    out.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
        self.refuse(Reason::Truncated)
    }

    /// A Python string over several lines.
    fn triple(&mut self, quotes: &str) -> Result<String, Refused> {
        self.at += quotes.len();
        let Some(end) = self.rest().find(quotes) else { return self.refuse(Reason::Truncated) };
        let inside = self.rest()[..end].to_owned();
        self.at += end + quotes.len();
        self.repair(Repair::Quotes);
        Ok(inside)
    }

    /// `"a" + "b"` is a program, not a value.
    fn joined_by_plus(&self) -> bool {
        let after = self.rest().trim_start().strip_prefix('+').map(str::trim_start);
        !self.strict && after.is_some_and(|a| a.starts_with(['"', '\'']))
    }

    /// Whether the quote just passed closes the string: what follows must be what follows a string.
    fn string_ends(&self, quote: char) -> bool {
        let rest = self.rest();
        let after = rest.trim_start();
        let new_line = rest[..rest.len() - after.len()].contains('\n');
        match after.chars().next() {
            None | Some('}' | ']' | ':') => true,
            Some(',') => self.comma_separates(&after[1..]),
            Some('/') => after.starts_with("//") || after.starts_with("/*"),
            Some('#') => new_line,
            // A forgotten comma: on a new line anything may follow, on the same line only a key.
            Some(c) if c == quote || self.opens_string(c) => new_line || key_follows(after, c),
            Some(_) => new_line && self.around() == Around::Array,
        }
    }

    /// Whether the comma after a quote separates members rather than standing in the middle of a text.
    fn comma_separates(&self, after: &str) -> bool {
        let after = after.trim_start();
        let Some(c) = after.chars().next() else { return true };
        match self.around() {
            Around::Object => {
                let word = after.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(after.len());
                let bare_key = word > 0 && after[word..].trim_start().starts_with(':');
                self.opens_string(c) || bare_key || matches!(c, '}' | '/' | '#' | '.' | '…' | ',')
            }
            _ => true,
        }
    }

    /// Reads what a backslash begins.
    fn escape(&mut self, out: &mut String) -> Result<(), Refused> {
        let mut ahead = self.rest().chars().skip(1);
        let Some(letter) = ahead.next() else { return self.refuse(Reason::Truncated) };
        let word_goes_on = ahead.next().is_some_and(|c| c.is_ascii_alphabetic());
        let plain = match letter {
            '"' | '\\' | '/' => Some(letter),
            'n' => Some('\n'),
            't' => Some('\t'),
            'r' => Some('\r'),
            // In a reply with other mistakes, "\frac" and "\beta" are LaTeX, not control characters.
            'b' if self.strict || !word_goes_on => Some('\u{8}'),
            'f' if self.strict || !word_goes_on => Some('\u{c}'),
            'u' => return self.unicode(out),
            _ => None,
        };
        if let Some(plain) = plain {
            out.push(plain);
            self.at += 2;
        } else if letter == '\'' {
            self.repair(Repair::Backslash);
            out.push('\'');
            self.at += 2;
        } else {
            self.repair(Repair::Backslash);
            out.push('\\');
            self.at += 1;
        }
        Ok(())
    }

    fn unicode(&mut self, out: &mut String) -> Result<(), Refused> {
        let unit = |text: &str| {
            text.get(2..6)
                .filter(|h| h.bytes().all(|b| b.is_ascii_hexdigit()))
                .and_then(|h| u32::from_str_radix(h, 16).ok())
        };
        let Some(first) = unit(self.rest()) else {
            if self.rest().len() < 6 {
                return self.refuse(Reason::Truncated);
            }
            self.repair(Repair::Backslash);
            out.push('\\');
            self.at += 1;
            return Ok(());
        };
        if let Some(c) = char::from_u32(first) {
            out.push(c);
            self.at += 6;
            return Ok(());
        }
        let second = self.rest().get(6..).filter(|t| t.starts_with("\\u")).and_then(unit);
        let both = second.filter(|s| first < 0xDC00 && (0xDC00..0xE000).contains(s));
        let joined = both.and_then(|s| char::from_u32(0x10000 + ((first - 0xD800) << 10) + (s - 0xDC00)));
        let Some(c) = joined else { return self.refuse(Reason::BadEscape) };
        out.push(c);
        self.at += 12;
        Ok(())
    }
}

/// Whether a quoted key and its colon stand here.
fn key_follows(after: &str, quote: char) -> bool {
    let inside = &after[quote.len_utf8()..];
    let Some(end) = inside.find(['"', '\'', '”', '’', '\n']) else { return false };
    inside[end..]
        .chars()
        .next()
        .is_some_and(|c| c != '\n' && inside[end + c.len_utf8()..].trim_start().starts_with(':'))
}
