//! Markdown that somebody else has written, made safe: it keeps its paragraphs, lists, tables and emphasis, and can forge
//! nothing of ours. Headings become bold lines, links become words, tags become text.

use std::fmt::Write;

use crate::markup::html::escaped;
use crate::markup::plain;

/// A block of a stranger's text.
enum Block<'a> {
    Heading(&'a str),
    Item { depth: usize, number: Option<String>, text: String },
    Row(&'a str),
    Code(Vec<&'a str>),
    Words(String),
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut found: Vec<Block<'_>> = Vec::new();
    let mut lines = text.lines();
    let mut fresh = true;
    while let Some(line) = lines.next() {
        let inner = line.trim_start_matches(['>', ' ', '\t']);
        let depth = (line.len() - line.trim_start().len()) / 2;
        if inner.starts_with("```") || inner.starts_with("~~~") {
            let fence = &inner[..3];
            let code = lines.by_ref().take_while(|line| !line.trim_start().starts_with(fence)).collect();
            found.push(Block::Code(code));
            fresh = true;
        } else if inner.trim().is_empty() || is_rule(inner) {
            fresh = true;
        } else if let Some(words) = heading(inner) {
            found.push(Block::Heading(words));
            fresh = true;
        } else if let Some((number, words)) = item(inner) {
            found.push(Block::Item { depth: depth.min(3), number, text: words.to_owned() });
            fresh = false;
        } else if inner.starts_with('|') {
            found.push(Block::Row(inner.trim()));
            fresh = true;
        } else {
            match found.last_mut().filter(|_| !fresh) {
                Some(Block::Item { text, .. } | Block::Words(text)) => {
                    text.push(' ');
                    text.push_str(inner.trim());
                }
                _ => found.push(Block::Words(inner.trim().to_owned())),
            }
            fresh = false;
        }
    }
    found
}

fn heading(line: &str) -> Option<&str> {
    let level = line.len() - line.trim_start_matches('#').len();
    (1..=6).contains(&level).then(|| line.trim_matches(['#', ' '])).filter(|words| !words.is_empty())
}

/// A line of dashes or the like: a rule, or what would make a heading of the line before it.
fn is_rule(line: &str) -> bool {
    let line: String = line.split_whitespace().collect();
    line.len() > 1 && ['-', '=', '*', '_'].iter().any(|mark| line.chars().all(|letter| letter == *mark))
}

/// An entry of a list and its number, if it has one.
fn item(line: &str) -> Option<(Option<String>, &str)> {
    let bullet = line.strip_prefix(['-', '*', '+']).and_then(|rest| rest.strip_prefix(' '));
    let numbered = || {
        let (head, rest) = line.split_once(['.', ')'])?;
        let is_number = !head.is_empty() && head.len() < 4 && head.bytes().all(|byte| byte.is_ascii_digit());
        Some((Some(head.to_owned()), rest.strip_prefix(' ').filter(|_| is_number)?))
    };
    let (number, words) = bullet.map(|words| (None, words)).or_else(numbered)?;
    Some((number, words.trim())).filter(|(_, words)| !words.is_empty())
}

fn is_divider(row: &str) -> bool {
    row.chars().all(|letter| matches!(letter, '|' | '-' | ':' | ' '))
}

fn cells(row: &str) -> Vec<&str> {
    row.trim_matches('|').split('|').map(str::trim).collect()
}

/// The text as Markdown inside a block quotation.
pub fn markdown(text: &str) -> String {
    let mut out = String::new();
    let mut before = "";
    for block in blocks(text) {
        let is_row = matches!(block, Block::Row(_));
        let is_item = matches!(block, Block::Item { .. });
        let goes_on = is_row && before == "row" || is_item && before == "item";
        if !out.is_empty() && !goes_on {
            out.push_str(">\n");
        }
        match block {
            Block::Heading(words) => {
                let _ = writeln!(out, "> **{}**", inline(words).replace('*', ""));
            }
            Block::Item { depth, number, text } => {
                let mark = number.map_or("-".to_owned(), |number| format!("{number}."));
                let _ = writeln!(out, "> {}{mark} {}", "  ".repeat(depth), inline(&text));
            }
            Block::Row(row) if is_divider(row) => {
                let _ = writeln!(out, "> |{}", "---|".repeat(cells(row).len()));
            }
            Block::Row(row) => {
                let _ = writeln!(
                    out,
                    "> | {} |",
                    cells(row).iter().map(|cell| inline(cell)).collect::<Vec<_>>().join(" | ")
                );
            }
            Block::Code(lines) => {
                for line in lines {
                    let _ = writeln!(out, ">     {line}");
                }
            }
            Block::Words(words) => {
                let _ = writeln!(out, "> {}", inline(&words));
            }
        }
        before = if is_row {
            "row"
        } else if is_item {
            "item"
        } else {
            ""
        };
    }
    out.truncate(out.trim_end().len());
    out
}

/// Words with their emphasis, and nothing else of Markdown or HTML.
fn inline(words: &str) -> String {
    let words = plain(words);
    let mut safe = String::with_capacity(words.len() + 8);
    for letter in words.chars() {
        if matches!(letter, '<' | '[' | ']' | '|' | '&' | '\\')
            || safe.is_empty() && matches!(letter, '#' | '=' | '>')
        {
            safe.push('\\');
        }
        safe.push(letter);
    }
    safe
}

/// The text as HTML.
pub fn html(text: &str) -> String {
    let mut out = String::new();
    let mut open = "";
    let mut head = true;
    for block in blocks(text) {
        let wants = match &block {
            Block::Item { number: Some(_), .. } => "ol",
            Block::Item { .. } => "ul",
            Block::Row(_) => "table",
            _ => "",
        };
        if open != wants {
            if !open.is_empty() {
                let _ = writeln!(out, "</{open}>");
            }
            if !wants.is_empty() {
                let _ = writeln!(out, "<{wants}>");
            }
            open = wants;
            head = true;
        }
        let _ = match block {
            Block::Heading(words) => writeln!(out, "<p><b>{}</b></p>", escaped(&unadorned(words))),
            Block::Item { depth: 0, text, .. } => writeln!(out, "<li>{}</li>", emphasised(&text)),
            Block::Item { depth, text, .. } => {
                writeln!(out, "<li class=\"deeper{depth}\">{}</li>", emphasised(&text))
            }
            Block::Row(row) if is_divider(row) => Ok(()),
            Block::Row(row) => {
                let tag = if std::mem::take(&mut head) { "th" } else { "td" };
                let cells: String =
                    cells(row).iter().map(|cell| format!("<{tag}>{}</{tag}>", emphasised(cell))).collect();
                writeln!(out, "<tr>{cells}</tr>")
            }
            Block::Code(lines) => writeln!(out, "<pre><code>{}</code></pre>", escaped(&lines.join("\n"))),
            Block::Words(words) => writeln!(out, "<p>{}</p>", emphasised(&words)),
        };
    }
    if !open.is_empty() {
        let _ = writeln!(out, "</{open}>");
    }
    out
}

/// Escaped words in which `**bold**` and `` `code` `` are drawn.
fn emphasised(words: &str) -> String {
    let pair = |text: &str, mark: &str, tag: &str| {
        let parts: Vec<&str> = text.split(mark).collect();
        if parts.len() < 3 || parts.len().is_multiple_of(2) {
            return text.to_owned();
        }
        let drawn = |(at, part): (usize, &&str)| match at % 2 {
            0 => (*part).to_owned(),
            _ => format!("<{tag}>{part}</{tag}>"),
        };
        parts.iter().enumerate().map(drawn).collect()
    };
    pair(&pair(&escaped(&plain(words)), "**", "b"), "`", "code")
}

/// Words without the marks of their emphasis, for a quotation inside a line.
pub fn unadorned(words: &str) -> String {
    plain(words).replace("**", "").replace("__", "").replace('`', "")
}
