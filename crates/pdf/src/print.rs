//! The document as a page that an installed browser prints, tagged for screen readers. Whoever calls starts the browser; here is
//! what it is given. Browsers do not know in time on which page a heading will stand, so the page is printed twice, the second
//! time with what [`crate::places`] found in the first print.

use std::collections::BTreeMap;
use std::path::Path;

use baton_charts::svg::{self, Look};

use crate::PdfError;
use crate::document::{Block, Document, Note, Span, Table};
use crate::plain::{accent, cleaned, headings, safe_url};

/// Programs that can print, in the order to look for them.
pub const BROWSERS: [&str; 9] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
];

/// Who keeps a browser from what does not concern it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// The browser itself, as it always does.
    ByItself,
    /// Whoever starts it: it cannot do so as the administrator, nor where the system gives it no namespaces.
    ByUs,
}

/// Whether a browser said that it cannot keep itself in here.
#[must_use]
pub fn wants_keeping(told: &str) -> bool {
    told.contains("--no-sandbox") || told.contains("No usable sandbox")
}

const STYLE: &str = include_str!("print.css");

/// What a browser is told: print this file into that one, and reach nothing.
#[must_use]
pub fn arguments(page: &Path, pdf: &Path, profile: &Path, kept: Kept) -> Vec<String> {
    let own = [
        "--headless=new",
        "--disable-gpu",
        "--no-first-run",
        "--disable-extensions",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-dev-shm-usage",
        "--host-resolver-rules=MAP * ~NOTFOUND",
        "--no-pdf-header-footer",
        "--generate-pdf-document-outline",
    ];
    let mut arguments: Vec<String> = own.iter().map(|argument| (*argument).to_owned()).collect();
    if kept == Kept::ByUs {
        arguments.push("--no-sandbox".to_owned());
    }
    arguments.push(format!("--user-data-dir={}", profile.display()));
    arguments.push(format!("--print-to-pdf={}", pdf.display()));
    arguments.push(page.display().to_string());
    arguments
}

/// The page; `places` has the page number of each anchor, as far as it is known.
pub fn page(document: &Document, places: &BTreeMap<String, usize>) -> Result<String, PdfError> {
    let document = cleaned(document);
    let (contents_title, notes_title) = headings(document.language);
    let line = |level: u8, anchor: &str, text: &str| {
        // Room is kept where the number is not known yet, so that both prints have the same pages.
        let number = places.get(anchor).map(usize::to_string).unwrap_or_default();
        format!(
            "<li class=\"l{level}\"><a href=\"#{anchor}\"><span>{}</span><i></i><b>{number}</b></a></li>\n",
            escape(text)
        )
    };
    let mut body = String::new();
    let mut contents = String::new();
    for (at, block) in document.blocks.iter().enumerate() {
        if let Block::Heading { level: level @ ..=2, text } = block {
            contents.push_str(&line(*level, &format!("h{at}"), text));
        }
        body.push_str(&shown(at, block, &document.notes)?);
    }
    let notes: String = (1..)
        .zip(&document.notes)
        .map(|(at, note)| format!("<li id=\"note-{at}\">{}</li>\n", pieces(&note.text, &document.notes)))
        .collect();
    let notes = if notes.is_empty() {
        notes
    } else {
        contents.push_str(&line(1, "notes", notes_title));
        format!(
            "<section class=\"notes\"><h1 id=\"notes\">{}</h1><ol>{notes}</ol></section>",
            escape(notes_title)
        )
    };
    let contents = if document.contents {
        format!("<nav><h2>{}</h2><ul>{contents}</ul></nav>", escape(contents_title))
    } else {
        String::new()
    };
    let lead = |class: &str, text: &str| {
        if text.is_empty() { String::new() } else { format!("<p class=\"{class}\">{}</p>", escape(text)) }
    };
    let by: Vec<&str> =
        [document.byline.as_str(), &document.date].into_iter().filter(|text| !text.is_empty()).collect();
    Ok(format!(
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>:root{{--accent:{}}}{STYLE}</style>\n</head>\n<body>\n\
         <header><p class=\"title\" role=\"heading\" aria-level=\"1\">{title}</p>{}{}</header>\n{contents}\n<main>{body}</main>\n{notes}\n</body>\n</html>\n",
        document.language.code(),
        accent(&document.accent),
        lead("subtitle", &document.subtitle),
        lead("by", &by.join(" · ")),
        title = escape(&document.title),
    ))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

fn shown(at: usize, block: &Block, notes: &[Note]) -> Result<String, PdfError> {
    Ok(match block {
        Block::Heading { level, text } => format!("<h{level} id=\"h{at}\">{}</h{level}>\n", escape(text)),
        Block::Paragraph(spans) => format!("<p>{}</p>\n", pieces(spans, notes)),
        Block::Quote(spans) => format!("<blockquote>{}</blockquote>\n", pieces(spans, notes)),
        Block::Remark { label, text } => {
            let label =
                if label.is_empty() { String::new() } else { format!("<b>{}</b><br>", escape(label)) };
            format!("<aside>{label}{}</aside>\n", pieces(text, notes))
        }
        Block::List { ordered, items } => {
            let tag = if *ordered { "ol" } else { "ul" };
            let items: String =
                items.iter().map(|item| format!("<li>{}</li>\n", pieces(item, notes))).collect();
            format!("<{tag}>{items}</{tag}>\n")
        }
        Block::Figures(figures) => {
            let figure = |figure: &crate::KeyFigure| {
                let number = Span::Number { text: figure.value.clone(), note: figure.note.clone() };
                format!(
                    "<div><strong>{}</strong><span>{}</span></div>",
                    piece(&number, notes),
                    escape(&figure.label)
                )
            };
            format!("<div class=\"figures\">{}</div>\n", figures.iter().map(figure).collect::<String>())
        }
        Block::Table(table) => table_of(table, notes),
        Block::Chart(chart) => {
            let picture = svg::draw(chart, &Look::print());
            let picture = picture.map_err(|error| PdfError::Chart { id: chart.id.clone(), error })?;
            format!("<figure>{picture}</figure>\n")
        }
        Block::PageBreak => "<div class=\"break\"></div>\n".to_owned(),
    })
}

fn table_of(table: &Table, notes: &[Note]) -> String {
    let class = |at: usize| {
        if table.columns.get(at).is_some_and(|column| column.numeric) { " class=\"n\"" } else { "" }
    };
    let head: String = table
        .columns
        .iter()
        .enumerate()
        .map(|(at, column)| format!("<th scope=\"col\"{}>{}</th>", class(at), escape(&column.name)))
        .collect();
    let row = |row: &Vec<Vec<Span>>| {
        let cells: String = row
            .iter()
            .enumerate()
            .map(|(at, cell)| format!("<td{}>{}</td>", class(at), pieces(cell, notes)))
            .collect();
        format!("<tr>{cells}</tr>\n")
    };
    let rows: String = table.rows.iter().map(row).collect();
    let caption = if table.caption.is_empty() {
        String::new()
    } else {
        format!("<caption>{}</caption>", escape(&table.caption))
    };
    let source = if table.source.is_empty() {
        String::new()
    } else {
        format!("<p class=\"source\">{}</p>", escape(&table.source))
    };
    format!("<table>{caption}<thead><tr>{head}</tr></thead><tbody>\n{rows}</tbody></table>{source}\n")
}

fn pieces(spans: &[Span], notes: &[Note]) -> String {
    spans.iter().map(|span| piece(span, notes)).collect()
}

fn piece(span: &Span, notes: &[Note]) -> String {
    let number = |id: &str| notes.iter().position(|note| note.id == id && !id.is_empty()).map(|at| at + 1);
    match span {
        Span::Text(text) => escape(text),
        Span::Strong(text) => format!("<strong>{}</strong>", escape(text)),
        Span::Emphasis(text) => format!("<em>{}</em>", escape(text)),
        Span::Code(text) => format!("<code>{}</code>", escape(text)),
        Span::Link { text, url } => match safe_url(url) {
            Some(url) => format!("<a href=\"{}\">{}</a>", escape(url), escape(text)),
            None => escape(text),
        },
        Span::Break => "<br>".to_owned(),
        Span::Number { text, note } => match number(note) {
            Some(at) => format!("<a class=\"number\" href=\"#note-{at}\">{}</a>", escape(text)),
            None => format!("<span class=\"number\">{}</span>", escape(text)),
        },
        Span::Reference { note } => number(note)
            .map(|at| format!("<a class=\"mark\" href=\"#note-{at}\">{at}</a>"))
            .unwrap_or_default(),
    }
}
