//! article.md: the article as a reader sees it, with citations in the style that was asked for and the list of references.

use std::fmt::Write;

use crate::article::Memory;
use crate::article::bibliography::References;
use crate::article::brief::Style;
use crate::article::draft::{CONCLUSION, Draft, Paragraph, REFERENCES, Sentence, Table};
use crate::markup::marked;

/// The article; none before it is written.
#[must_use]
pub fn render(memory: &Memory) -> Option<String> {
    let draft = memory.draft()?;
    let facts = memory.numbered();
    let references = References::of(&draft, &facts, memory.assignment.brief.citation_style);
    Some(text(&draft, &references, memory.assignment.brief.citation_style))
}

/// An article with its references, as Markdown.
#[must_use]
pub fn text(draft: &Draft, references: &References<'_>, style: Style) -> String {
    let mut text = format!("# {}\n\n", marked(&draft.title));
    // Writing to a String cannot fail, here and below.
    let _ = write!(text, "{}\n\n", paragraph(&draft.introduction, references));
    for section in &draft.sections {
        let _ = write!(text, "## {}\n\n", marked(&section.heading));
        for Paragraph { sentences, table } in &section.paragraphs {
            if !sentences.is_empty() {
                let _ = write!(text, "{}\n\n", paragraph(sentences, references));
            }
            if let Some(table) = table {
                text.push_str(&figures(table, references));
            }
        }
    }
    if !draft.conclusion.is_empty() {
        let _ = write!(text, "## {CONCLUSION}\n\n{}\n\n", paragraph(&draft.conclusion, references));
    }
    let _ = write!(text, "## {}\n\n", list_name(style));
    for at in 0..references.len() {
        let _ = writeln!(text, "- {}", references.listed(at));
    }
    text
}

/// What a style calls its list.
pub fn list_name(style: Style) -> &'static str {
    match style {
        Style::Apa | Style::Chicago => REFERENCES,
        Style::Mla => "Works Cited",
    }
}

fn paragraph(sentences: &[Sentence], references: &References<'_>) -> String {
    sentences.iter().map(|sentence| marked(&sentence.shown(references))).collect::<Vec<_>>().join(" ")
}

fn figures(table: &Table, references: &References<'_>) -> String {
    let cells = |cells: &[String]| {
        format!("| {} |\n", cells.iter().map(|it| marked(it)).collect::<Vec<_>>().join(" | "))
    };
    let mut text = cells(&table.head);
    let _ = writeln!(text, "|{}", "---|".repeat(table.head.len()));
    for (row, _) in &table.rows {
        text.push_str(&cells(row));
    }
    let _ = write!(text, "\n{}\n\n", marked(&caption(table, references)));
    text
}

/// What stands below a table: what it shows, and whose figures they are.
pub fn caption(table: &Table, references: &References<'_>) -> String {
    let keys: Vec<String> = table.rows.iter().map(|(_, key)| key.clone()).collect();
    format!("{} {}.", table.caption.trim_end_matches('.'), references.marks(&keys))
}
