//! Words without hidden marks, addresses that may be followed, colours, and the words of a language.

use baton_charts::Language;

use crate::document::{Block, Document, Span, Table};

/// The colour of the house.
const ACCENT: &str = "#1f55b5";

/// An address a reader may follow.
pub(crate) fn safe_url(url: &str) -> Option<&str> {
    let url = url.trim();
    ["http://", "https://", "mailto:"].iter().any(|scheme| url.starts_with(scheme)).then_some(url)
}

/// A colour as `#rrggbb`, ours where it is none.
pub(crate) fn accent(colour: &str) -> &str {
    let digits = colour.strip_prefix('#').unwrap_or_default();
    if digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) { colour } else { ACCENT }
}

/// "Contents", "Notes".
pub(crate) fn headings(language: Language) -> (&'static str, &'static str) {
    match language {
        Language::En => ("Contents", "Notes: where the numbers come from"),
        Language::De => ("Inhalt", "Anmerkungen: woher die Zahlen kommen"),
        Language::Es => ("Índice", "Notas: de dónde vienen los números"),
        Language::Fr => ("Sommaire", "Notes : d’où viennent les chiffres"),
        Language::Ru => ("Содержание", "Примечания: откуда взяты числа"),
    }
}

/// The document with every text of a stranger made plain: one line, no control characters, no marks that turn what follows.
pub(crate) fn cleaned(document: &Document) -> Document {
    let mut document = document.clone();
    for text in [&mut document.title, &mut document.subtitle, &mut document.byline, &mut document.date] {
        clean(text);
    }
    for block in &mut document.blocks {
        match block {
            Block::Heading { text, level } => {
                clean(text);
                *level = (*level).clamp(1, 3);
            }
            Block::Paragraph(spans) | Block::Quote(spans) => spans.iter_mut().for_each(clean_span),
            Block::Remark { label, text } => {
                clean(label);
                text.iter_mut().for_each(clean_span);
            }
            Block::List { items, .. } => items.iter_mut().flatten().for_each(clean_span),
            Block::Figures(figures) => {
                for figure in figures {
                    clean(&mut figure.value);
                    clean(&mut figure.label);
                }
            }
            Block::Table(table) => clean_table(table),
            Block::Chart(_) | Block::PageBreak => {}
        }
    }
    document.notes.iter_mut().flat_map(|note| &mut note.text).for_each(clean_span);
    document
}

fn clean_table(table: &mut Table) {
    clean(&mut table.caption);
    clean(&mut table.source);
    table.columns.iter_mut().for_each(|column| clean(&mut column.name));
    let width = table.columns.len();
    for row in &mut table.rows {
        row.resize(width, Vec::new());
        row.iter_mut().flatten().for_each(clean_span);
    }
}

fn clean_span(span: &mut Span) {
    match span {
        Span::Text(text) | Span::Strong(text) | Span::Emphasis(text) | Span::Code(text) => clean_inside(text),
        Span::Link { text, .. } | Span::Number { text, .. } => clean_inside(text),
        Span::Reference { .. } | Span::Break => {}
    }
}

fn clean(text: &mut String) {
    *text = baton_charts::plain(text);
}

/// Like [`clean`], but a space at either end stays: it parts this piece from the next.
fn clean_inside(text: &mut String) {
    let (before, after) = (text.starts_with(char::is_whitespace), text.ends_with(char::is_whitespace));
    clean(text);
    if before {
        text.insert(0, ' ');
    }
    if after && !text.ends_with(' ') {
        text.push(' ');
    }
}
