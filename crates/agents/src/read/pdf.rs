//! PDF to text, page by page; pages are divided by form feeds and their offsets kept.

use super::encoding::language;
use super::{ReadError, Reading};

/// Reads a PDF.
pub fn read(bytes: &[u8]) -> Result<Reading, ReadError> {
    let parsed =
        unpdf::Unpdf::new().lenient().sequential().with_images(false).parse_bytes(bytes).map_err(refused)?;
    let document = parsed.document;
    if document.pages.is_empty() {
        return Err(ReadError::Empty("the PDF has no pages".to_owned()));
    }
    let mut text = String::new();
    let mut pages = Vec::with_capacity(document.pages.len());
    for page in &document.pages {
        if !pages.is_empty() {
            text.push('\x0c');
        }
        pages.push(text.len());
        for block in &page.elements {
            let mut part = String::new();
            block.append_plain_text(&mut part);
            let part = part.replace('\r', "");
            if !part.trim().is_empty() {
                text.push_str(part.trim_end());
                text.push_str("\n\n");
            }
        }
    }
    if text.trim().is_empty() {
        let pictures = document.pages.iter().any(|page| page.image_op_count > 0);
        let why = if pictures {
            "its pages are pictures; it would need character recognition"
        } else {
            "its pages hold no words"
        };
        return Err(ReadError::Empty(why.to_owned()));
    }
    let meta = document.metadata;
    let date = meta.modified.or(meta.created).map(|time| time.format("%Y-%m-%d").to_string());
    let filled = |value: Option<String>| value.filter(|v| !v.trim().is_empty());
    Ok(Reading {
        title: filled(meta.title),
        author: filled(meta.author),
        date,
        language: language(&text),
        encoding: None,
        text,
        pages,
        contents: Vec::new(),
    })
}

#[allow(clippy::needless_pass_by_value)] // shaped for map_err
fn refused(error: unpdf::Error) -> ReadError {
    match error {
        unpdf::Error::Encrypted | unpdf::Error::InvalidPassword => ReadError::Password,
        other => ReadError::Malformed { format: "PDF".to_owned(), reason: other.to_string() },
    }
}
