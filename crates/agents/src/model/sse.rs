//! Server-sent events, as far as model servers use them: `event:` and `data:` lines, events ended by an
//! empty line, any line ending, comments skipped. Bytes may arrive in any pieces.

/// One event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The event's name; empty when the server gave none.
    pub name: String,
    /// Its data lines, joined by newlines.
    pub data: String,
}

/// Collects bytes and gives out whole events.
#[derive(Default)]
pub struct Parser {
    line: Vec<u8>,
    after_cr: bool,
    name: String,
    data: Vec<String>,
}

impl Parser {
    /// Takes the next bytes and returns the events they complete.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        for &byte in bytes {
            let skip = byte == b'\n' && self.after_cr;
            self.after_cr = byte == b'\r';
            match byte {
                _ if skip => {}
                b'\n' | b'\r' => events.extend(self.end_line()),
                _ => self.line.push(byte),
            }
        }
        events
    }

    /// The event a server left open by ending without an empty line; many local servers do.
    pub fn finish(&mut self) -> Option<Event> {
        if !self.line.is_empty() {
            self.take_line();
        }
        self.take_event()
    }

    fn end_line(&mut self) -> Option<Event> {
        if self.line.is_empty() {
            return self.take_event();
        }
        self.take_line();
        None
    }

    fn take_line(&mut self) {
        let line = String::from_utf8_lossy(&std::mem::take(&mut self.line)).into_owned();
        let (field, value) = line.split_once(':').unwrap_or((line.as_str(), ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.name),
            "data" => self.data.push(value.to_owned()),
            _ => {}
        }
    }

    fn take_event(&mut self) -> Option<Event> {
        let name = std::mem::take(&mut self.name);
        let data = std::mem::take(&mut self.data);
        (!data.is_empty()).then(|| Event { name, data: data.join("\n") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(chunks: &[&[u8]]) -> Vec<(String, String)> {
        let mut parser = Parser::default();
        let mut events: Vec<Event> = chunks.iter().flat_map(|c| parser.feed(c)).collect();
        events.extend(parser.finish());
        events.into_iter().map(|e| (e.name, e.data)).collect()
    }

    #[test]
    fn any_line_ending_any_pieces() {
        let want = vec![("a".to_owned(), "1\n2".to_owned()), (String::new(), "ü".to_owned())];
        for end in ["\n", "\r\n", "\r"] {
            let text = ["event: a", "data: 1", "data:2", "", ": ping", "", "data: ü", "", ""].join(end);
            for size in 1..text.len() {
                let chunks: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
                assert_eq!(parse(&chunks), want, "{end:?} in pieces of {size}");
            }
        }
    }

    #[test]
    fn an_event_without_its_empty_line_still_counts() {
        assert_eq!(parse(&[b"data: [DONE]"]), vec![(String::new(), "[DONE]".to_owned())]);
    }
}
