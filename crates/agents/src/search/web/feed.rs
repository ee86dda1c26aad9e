//! Entries of Atom 1.0, RSS 2.0 and RSS 1.0: the few parts that search needs. No entity of a document's own is ever
//! expanded, and nothing outside the document is read.

use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};

use super::text::unescape;
use crate::read::encoding;

/// Entries of one document that are read; no feed of news comes near.
const MOST_ENTRIES: usize = 2000;

/// One entry, text as written (HTML where the feed holds HTML).
#[derive(Debug, Default)]
pub(super) struct Entry {
    pub id: String,
    pub title: String,
    pub link: String,
    pub summary: String,
    pub date: Option<String>,
    pub doi: Option<String>,
}

/// The entries of a feed, in its order.
pub(super) fn entries(body: &[u8]) -> Result<Vec<Entry>, String> {
    let text = encoding::decode(body, declared(body).as_deref()).text;
    let mut reader = Reader::from_str(&text);
    // A page with `<br>` or a bare `&` is no feed, but feeds with small faults are common.
    reader.config_mut().check_end_names = false;
    let mut walk = Walk::default();
    while walk.done.len() < MOST_ENTRIES {
        match reader.read_event().map_err(|error| format!("its feed cannot be read: {error}"))? {
            Event::Start(tag) => walk.start(&tag)?,
            Event::Empty(tag) => {
                walk.start(&tag)?;
                walk.end();
            }
            Event::End(_) => walk.end(),
            Event::Text(words) => walk.text.push_str(&words),
            Event::CData(words) => walk.text.push_str(&words),
            Event::GeneralRef(name) => walk.text.push_str(&entity(&name)),
            Event::Eof => break,
            _ => {}
        }
    }
    if walk.is_feed { Ok(walk.done) } else { Err("it answered with something that is no feed".to_owned()) }
}

/// The encoding its first line names.
fn declared(body: &[u8]) -> Option<String> {
    let start = String::from_utf8_lossy(&body[..body.len().min(200)]).into_owned();
    let after = start.strip_prefix("<?xml")?.split("?>").next()?.split("encoding=").nth(1)?;
    after.split(['"', '\'']).nth(1).map(str::to_owned)
}

/// The state of one walk through a feed.
#[derive(Default)]
struct Walk {
    is_feed: bool,
    /// Names of the open elements.
    open: Vec<String>,
    entry: Option<Entry>,
    text: String,
    done: Vec<Entry>,
}

impl Walk {
    fn start(&mut self, tag: &BytesStart<'_>) -> Result<(), String> {
        let name = tag.local_name().as_ref().to_owned();
        if self.open.is_empty() && !self.is_feed {
            self.is_feed = matches!(name.as_str(), "feed" | "rss" | "RDF");
            if !self.is_feed {
                return Err(format!("it answered with <{name}> where a feed was due"));
            }
        }
        match name.as_str() {
            "entry" | "item" => self.entry = Some(Entry::default()),
            "link" => self.link(tag),
            _ => {}
        }
        self.open.push(name);
        // Text inside text (XHTML in a summary) is kept; an element of the entry itself begins anew.
        if self.within_entry() <= 1 {
            self.text.clear();
        }
        Ok(())
    }

    /// How many elements are open inside the entry.
    fn within_entry(&self) -> usize {
        let at = self.open.iter().rposition(|name| matches!(name.as_str(), "entry" | "item"));
        at.map_or(0, |at| self.open.len() - at - 1)
    }

    /// Atom keeps the address in an attribute; the page itself is the link of no or of this relation.
    fn link(&mut self, tag: &BytesStart<'_>) {
        let attribute = |name: &str| {
            let found = tag.attributes().flatten().find(|a| a.key.local_name().as_ref() == name)?;
            Some(unescape(&found.value))
        };
        let is_page = matches!(attribute("rel").as_deref(), None | Some("alternate"));
        if let (Some(entry), Some(href), true) = (self.entry.as_mut(), attribute("href"), is_page)
            && entry.link.is_empty()
        {
            entry.link = href;
        }
    }

    fn end(&mut self) {
        let depth = self.within_entry();
        let Some(name) = self.open.pop() else { return };
        if matches!(name.as_str(), "entry" | "item") {
            self.done.extend(self.entry.take());
            return;
        }
        if depth == 1
            && let Some(entry) = self.entry.as_mut()
        {
            note(entry, &name, std::mem::take(&mut self.text).trim());
        }
    }
}

fn note(entry: &mut Entry, name: &str, text: &str) {
    let first = |place: &mut String| {
        if place.is_empty() {
            text.clone_into(place);
        }
    };
    match name {
        "id" | "guid" => first(&mut entry.id),
        "title" => first(&mut entry.title),
        "link" => first(&mut entry.link),
        "summary" | "description" | "content" | "encoded" => first(&mut entry.summary),
        "doi" => entry.doi = Some(text.to_owned()),
        // When it appeared counts for more than when it was last touched.
        "published" | "pubDate" | "date" => entry.date = Some(text.to_owned()),
        "updated" if entry.date.is_none() => entry.date = Some(text.to_owned()),
        _ => {}
    }
}

fn entity(name: &BytesRef<'_>) -> String {
    if let Ok(Some(letter)) = name.resolve_char_ref() {
        return letter.to_string();
    }
    match quick_xml::escape::resolve_xml_entity(name) {
        Some(known) => known.to_owned(),
        // Kept as written: what it stands for was the document's own claim.
        None => format!("&{};", &**name),
    }
}
