//! The transcript as one page of HTML: no script, no address, every word escaped. Headings, lists and tables of our
//! own Markdown are drawn; what agents wrote stays text.

use std::fmt::Write;

use crate::markup::html::{self, escaped};

/// A Markdown page as HTML.
pub fn page(title: &str, markdown: &str) -> String {
    let mut body = String::new();
    let mut lines = markdown.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with('|') {
            table(
                &mut body,
                std::iter::once(line)
                    .chain(std::iter::from_fn(|| lines.next_if(|line| line.starts_with('|')))),
            );
        } else if is_item(line) {
            body.push_str("<ul>\n");
            let _ = writeln!(body, "<li>{}</li>", escaped(item(line)));
            while let Some(line) = lines.next_if(|line| is_item(line)) {
                let _ = writeln!(body, "<li>{}</li>", escaped(item(line)));
            }
            body.push_str("</ul>\n");
        } else if let Some((level, text)) = heading(line) {
            let _ = writeln!(body, "<h{level}>{}</h{level}>", escaped(text));
        } else if !line.trim().is_empty() {
            let mut text = line.to_owned();
            while let Some(more) = lines
                .next_if(|line| !line.trim().is_empty() && !line.starts_with(['|', '#']) && !is_item(line))
            {
                text.push('\n');
                text.push_str(more);
            }
            let _ = writeln!(body, "<p class=\"words\">{}</p>", escaped(&text));
        }
    }
    html::page(title, &body)
}

fn is_item(line: &str) -> bool {
    line.trim_start().starts_with("- ")
}

fn item(line: &str) -> &str {
    line.trim_start().trim_start_matches("- ")
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.len() - line.trim_start_matches('#').len();
    (1..=6).contains(&level).then(|| (level, line.trim_start_matches('#').trim()))
}

fn table<'a>(body: &mut String, rows: impl Iterator<Item = &'a str>) {
    body.push_str("<table>\n");
    for (at, row) in rows.enumerate().filter(|(_, row)| !row.starts_with("|---")) {
        let tag = if at == 0 { "th" } else { "td" };
        let cells = row.trim_matches('|').split(" | ");
        let cells: String = cells.map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell.trim()))).collect();
        let _ = writeln!(body, "<tr>{cells}</tr>");
    }
    body.push_str("</table>\n");
}
