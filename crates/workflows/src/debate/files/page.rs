//! A page as data, drawn as Markdown and as HTML: headings and lines of our own, words of others in quotation marks, and
//! texts of others that keep their Markdown, marked as theirs.

use std::fmt::Write;

use super::theirs;
use crate::markup::html::{self, escaped};
use crate::markup::{marked, plain};

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Words of our own, or names.
    Plain(String),
    /// Words that matter.
    Strong(String),
    /// Words of somebody else, in quotation marks.
    Quote(String),
}

/// A line.
pub type Line = Vec<Part>;

/// A block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A heading of level 2 or deeper.
    Heading(usize, String),
    /// A paragraph.
    Text(Line),
    /// A list.
    List(Vec<Line>),
    /// A table with its head.
    Table(Vec<&'static str>, Vec<Vec<String>>),
    /// A text of somebody else, in their own Markdown.
    Theirs(String),
}

/// A page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Its title.
    pub title: String,
    /// What it is about, in one line.
    pub about: String,
    /// Its blocks.
    pub blocks: Vec<Block>,
}

/// Words of our own.
pub fn say(words: impl Into<String>) -> Part {
    Part::Plain(words.into())
}

/// Words that matter.
pub fn strong(words: impl Into<String>) -> Part {
    Part::Strong(words.into())
}

/// Words of somebody else.
pub fn quote(words: impl Into<String>) -> Part {
    Part::Quote(words.into())
}

impl Page {
    /// Adds a heading.
    pub fn heading(&mut self, level: usize, words: impl Into<String>) {
        self.blocks.push(Block::Heading(level, words.into()));
    }

    /// Adds a paragraph.
    pub fn text(&mut self, line: Line) {
        self.blocks.push(Block::Text(line));
    }

    /// Adds a list; nothing for an empty one.
    pub fn list(&mut self, lines: Vec<Line>) {
        if !lines.is_empty() {
            self.blocks.push(Block::List(lines));
        }
    }

    /// Adds a table.
    pub fn table(&mut self, head: &[&'static str], rows: Vec<Vec<String>>) {
        self.blocks.push(Block::Table(head.to_vec(), rows));
    }

    /// Adds a text of somebody else.
    pub fn theirs(&mut self, text: &str) {
        self.blocks.push(Block::Theirs(text.to_owned()));
    }

    /// The page as Markdown. Writing to a String cannot fail, here and below.
    pub fn markdown(&self) -> String {
        let mut out = format!("# {}\n\n", marked(&self.title));
        if !self.about.is_empty() {
            let _ = writeln!(out, "{}\n", marked(&self.about));
        }
        for block in &self.blocks {
            match block {
                Block::Heading(level, words) => {
                    let _ = writeln!(out, "{} {}\n", "#".repeat(*level), marked(words));
                }
                Block::Text(line) => {
                    let _ = writeln!(out, "{}\n", in_markdown(line));
                }
                Block::List(lines) => {
                    for line in lines {
                        let _ = writeln!(out, "- {}", in_markdown(line));
                    }
                    out.push('\n');
                }
                Block::Table(head, rows) => {
                    let _ = writeln!(out, "| {} |\n|{}", head.join(" | "), "---|".repeat(head.len()));
                    for row in rows {
                        let cells: Vec<String> = row.iter().map(|cell| marked(cell)).collect();
                        let _ = writeln!(out, "| {} |", cells.join(" | "));
                    }
                    out.push('\n');
                }
                Block::Theirs(text) => {
                    let _ = writeln!(out, "{}\n", theirs::markdown(text));
                }
            }
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
        out
    }

    /// The page as HTML.
    pub fn html(&self) -> String {
        let mut body = format!(
            "<h1>{}</h1>\n<p class=\"about\">{}</p>\n<main>\n",
            escaped(&plain(&self.title)),
            escaped(&plain(&self.about))
        );
        for block in &self.blocks {
            let _ = match block {
                Block::Heading(level, words) => {
                    writeln!(body, "<h{level}>{}</h{level}>", escaped(&plain(words)))
                }
                Block::Text(line) => writeln!(body, "<p>{}</p>", in_html(line)),
                Block::List(lines) => {
                    let items: String =
                        lines.iter().map(|line| format!("<li>{}</li>\n", in_html(line))).collect();
                    writeln!(body, "<ul>\n{items}</ul>")
                }
                Block::Table(head, rows) => writeln!(body, "{}", table(head, rows)),
                Block::Theirs(text) => {
                    writeln!(body, "<blockquote class=\"theirs\">\n{}</blockquote>", theirs::html(text))
                }
            };
        }
        body.push_str("</main>\n");
        html::page(&self.title, &body)
    }
}

fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let cells = |open: &str, close: &str, cells: Vec<String>| {
        let all: String = cells.iter().map(|cell| format!("{open}{cell}{close}")).collect();
        format!("<tr>{all}</tr>\n")
    };
    // The words of a head stay whole, however narrow their column.
    let head =
        cells("<th style=\"white-space:nowrap\">", "</th>", head.iter().map(|cell| escaped(cell)).collect());
    let rows: String = rows
        .iter()
        .map(|row| cells("<td>", "</td>", row.iter().map(|cell| escaped(&plain(cell))).collect()))
        .collect();
    format!("<table>\n{head}{rows}</table>")
}

fn in_markdown(line: &Line) -> String {
    let part = |part: &Part| match part {
        Part::Plain(words) => spaced(words, marked),
        Part::Strong(words) => format!("**{}**", marked(words)),
        Part::Quote(words) => format!("“{}”", marked(&theirs::unadorned(words))),
    };
    line.iter().map(part).collect()
}

fn in_html(line: &Line) -> String {
    let part = |part: &Part| match part {
        Part::Plain(words) => spaced(words, |words| escaped(&plain(words))),
        Part::Strong(words) => format!("<b>{}</b>", escaped(&plain(words))),
        Part::Quote(words) => format!("<q>{}</q>", escaped(&plain(&theirs::unadorned(words)))),
    };
    line.iter().map(part).collect()
}

/// Words made safe, with the space around them kept: they stand between other parts of their line.
fn spaced(words: &str, safe: impl Fn(&str) -> String) -> String {
    let before = if words.starts_with(' ') { " " } else { "" };
    let after = if words.len() > 1 && words.ends_with(' ') { " " } else { "" };
    format!("{before}{}{after}", safe(words))
}
