//! Word documents to text: paragraphs, headings, list items and table rows of the main document part.

use std::io::{Cursor, Read};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;

use super::encoding::{language, line_feeds};
use super::{ReadError, Reading};

/// Reads a DOCX file whose parts unpack to no more than `limit` bytes each.
pub fn read(bytes: &[u8], limit: u64) -> Result<Reading, ReadError> {
    // Compound files are either old .doc files or encrypted .docx files.
    if bytes.starts_with(&[0xd0, 0xcf, 0x11, 0xe0]) {
        return Err(ReadError::Password);
    }
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(malformed)?;
    let body = part(&mut archive, "word/document.xml", limit)?
        .ok_or_else(|| malformed("word/document.xml is missing"))?;
    let text = body_text(&body)?;
    if text.trim().is_empty() {
        return Err(ReadError::Empty("the document holds no words".to_owned()));
    }
    let core = part(&mut archive, "docProps/core.xml", limit)?.unwrap_or_default();
    let field = |name| property(&core, name);
    let date = field("modified").or_else(|| field("created")).map(|stamp| stamp.chars().take(10).collect());
    Ok(Reading {
        title: field("title"),
        author: field("creator"),
        date,
        language: language(&text),
        encoding: None,
        text,
        pages: Vec::new(),
        contents: Vec::new(),
    })
}

#[allow(clippy::needless_pass_by_value)] // shaped for map_err
fn malformed(error: impl ToString) -> ReadError {
    ReadError::Malformed { format: "Word document".to_owned(), reason: error.to_string() }
}

/// One part of the package, never more than `limit` bytes whatever its header claims.
fn part(
    archive: &mut ZipArchive<Cursor<&[u8]>>,
    name: &str,
    limit: u64,
) -> Result<Option<String>, ReadError> {
    let Ok(file) = archive.by_name(name) else { return Ok(None) };
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(malformed)?;
    if bytes.len() as u64 > limit {
        return Err(ReadError::Bomb { limit });
    }
    String::from_utf8(bytes).map(Some).map_err(malformed)
}

/// The state of one walk through the document part.
#[derive(Default)]
struct Walk {
    out: String,
    paragraph: String,
    prefix: String,
    in_text: bool,
    cells: Vec<Vec<String>>,
}

/// The text of the document part: a door for the fuzz targets, which cannot mend the sums of an archive.
#[doc(hidden)]
pub fn body_text(xml: &str) -> Result<String, ReadError> {
    let mut reader = Reader::from_str(xml);
    let mut walk = Walk::default();
    loop {
        match reader.read_event().map_err(malformed)? {
            Event::Start(tag) => walk.start(&tag),
            Event::Empty(tag) => {
                walk.start(&tag);
                walk.end(tag.local_name().as_ref());
            }
            Event::End(tag) => walk.end(tag.local_name().as_ref()),
            Event::Text(text) if walk.in_text => walk.paragraph.push_str(&text),
            Event::GeneralRef(name) if walk.in_text => walk.paragraph.push_str(&entity(&name)),
            Event::Eof => return Ok(walk.out.trim_start().to_owned()),
            _ => {}
        }
    }
}

fn entity(name: &quick_xml::events::BytesRef<'_>) -> String {
    if let Ok(Some(letter)) = name.resolve_char_ref() {
        return letter.to_string();
    }
    quick_xml::escape::resolve_xml_entity(name).unwrap_or_default().to_owned()
}

impl Walk {
    fn start(&mut self, tag: &BytesStart<'_>) {
        match tag.local_name().as_ref() {
            "t" => self.in_text = true,
            "tab" => self.paragraph.push('\t'),
            "br" | "cr" => self.paragraph.push('\n'),
            "numPr" => self.prefix = "- ".to_owned(),
            "pStyle" => {
                if let Some(level) = style(tag).and_then(|name| heading_level(&name)) {
                    self.prefix = format!("{} ", "#".repeat(level));
                }
            }
            "tr" => self.cells.push(Vec::new()),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "t" => self.in_text = false,
            "p" => self.end_paragraph(),
            "tr" => {
                if let Some(row) = self.cells.pop() {
                    self.out.push_str(&format!("| {} |\n", row.join(" | ")));
                }
            }
            "tbl" => self.out.push('\n'),
            _ => {}
        }
    }

    fn end_paragraph(&mut self) {
        let paragraph = line_feeds(std::mem::take(&mut self.paragraph));
        let prefix = std::mem::take(&mut self.prefix);
        let words = paragraph.trim();
        if words.is_empty() {
            return;
        }
        match self.cells.last_mut() {
            Some(row) => row.push(words.replace('\n', " ")),
            None => self.out.push_str(&format!("{prefix}{words}\n\n")),
        }
    }
}

fn style(tag: &BytesStart<'_>) -> Option<String> {
    let value = tag.attributes().flatten().find(|attribute| attribute.key.local_name().as_ref() == "val")?;
    Some(value.value.into_owned())
}

fn heading_level(style: &str) -> Option<usize> {
    if style == "Title" {
        return Some(1);
    }
    style.strip_prefix("Heading")?.parse().ok().filter(|level| (1..=6).contains(level))
}

/// A property such as `dc:title` of the core part.
fn property(xml: &str, name: &str) -> Option<String> {
    let mut reader = Reader::from_str(xml);
    let mut inside = false;
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => inside = tag.local_name().as_ref() == name,
            Ok(Event::Text(text)) if inside => return Some(text.trim().to_owned()).filter(|t| !t.is_empty()),
            Ok(Event::End(_)) => inside = false,
            Ok(Event::Eof) | Err(_) => return None,
            Ok(_) => {}
        }
    }
}
