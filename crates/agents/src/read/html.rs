//! HTML to readable text: headings as `#`, list items as `- `, code indented, tables as rows; navigation, scripts
//! and page furniture left out. Works through the tree with its own stack, so depth cannot exhaust ours.

use std::ops::Range;
use std::sync::LazyLock;

use dom_query::{Document, NodeRef};
use dom_smoothie::Readability;
use regex::Regex;

use super::encoding::{decode, language};
use super::{ReadError, Reading};
use elements::{Raised, is_contents, is_furniture, is_plain_cell, raised};
use writer::Writer;

mod elements;
mod writer;

/// Signs that a page wants a login or a payment before it says anything.
static WALL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(sign in|log ?in|subscribe|create an account|enable javascript|verify you are human|access denied|captcha|just a moment)\b").ok()
});

/// Reads an HTML page. `declared` is the encoding its server named.
pub fn read(bytes: &[u8], declared: Option<&str>) -> Result<Reading, ReadError> {
    let declared = declared.map(str::to_owned).or_else(|| declared_in_page(bytes));
    let decoded = decode(bytes, declared.as_deref());
    let document = Document::from(decoded.text.as_str());
    let (text, contents) = body_text(&document);
    let has_password_field = document.select("input[type=password]").exists();
    if text.trim().is_empty() || is_wall(&text, has_password_field) {
        return Err(ReadError::Empty(why_empty(&document, &text, has_password_field)));
    }
    let meta = metadata(document);
    let language = language(&text).or(meta.language);
    Ok(Reading {
        title: meta.title,
        author: meta.author,
        date: meta.date,
        language,
        encoding: Some(decoded.encoding.to_owned()),
        text,
        pages: Vec::new(),
        contents,
    })
}

/// The encoding a page declares in its first kilobyte.
fn declared_in_page(bytes: &[u8]) -> Option<String> {
    static CHARSET: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r#"(?i)charset\s*=\s*["']?\s*([\w-]+)"#).ok());
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(1024)]);
    CHARSET.as_ref()?.captures(&head).map(|found| found[1].to_owned())
}

/// Very little text, and what there is asks for a login.
fn is_wall(text: &str, has_password_field: bool) -> bool {
    let short = text.split_whitespace().count() < 60;
    short && (has_password_field || WALL.as_ref().is_some_and(|regex| regex.is_match(text)))
}

fn why_empty(document: &Document, text: &str, has_password_field: bool) -> String {
    if has_password_field {
        "the page asks for a login".to_owned()
    } else if let Some(found) = WALL.as_ref().and_then(|regex| regex.find(text)) {
        format!("the page only says \"{}\"", found.as_str())
    } else if document.select("script").exists() {
        "the page is made by scripts, which are not run".to_owned()
    } else {
        "the page holds no words".to_owned()
    }
}

struct Meta {
    title: Option<String>,
    author: Option<String>,
    date: Option<String>,
    language: Option<String>,
}

fn metadata(document: Document) -> Meta {
    let plain = document.select("title").text().split_whitespace().collect::<Vec<_>>().join(" ");
    let time = document.select("time[datetime]").attr("datetime").map(|value| value.to_string());
    let filled = |text: String| (!text.trim().is_empty()).then(|| text.trim().to_owned());
    let Ok(readability) = Readability::with_document(document, None, None) else {
        return Meta { title: filled(plain), author: None, date: None, language: None };
    };
    let meta = readability.get_article_metadata(readability.parse_json_ld());
    let date = meta.published_time.or(meta.modified_time).or(time);
    let title = filled(plain).or_else(|| filled(meta.title));
    Meta { title, author: meta.byline.and_then(filled), date: date.map(|d| day(&d)), language: meta.lang }
}

/// The day of a time stamp.
fn day(stamp: &str) -> String {
    stamp.split(['T', ' ']).next().unwrap_or(stamp).to_owned()
}

enum Task<'a> {
    Enter(NodeRef<'a>),
    Leave(&'static str),
}

/// The text of the page's main part.
fn body_text(document: &Document) -> (String, Vec<Range<usize>>) {
    let main = ["main", "[role=main]", "article"]
        .iter()
        .map(|s| document.select(s))
        .find(|found| found.length() == 1);
    let root = main.unwrap_or_else(|| document.select("body"));
    let root = if root.exists() { root } else { document.select("html") };
    let mut writer = Writer::default();
    let mut tasks: Vec<Task<'_>> = root.nodes().first().map(|node| Task::Enter(*node)).into_iter().collect();
    while let Some(task) = tasks.pop() {
        match task {
            Task::Leave(name) => writer.leave(name),
            Task::Enter(node) if node.is_text() => writer.text(&node.text()),
            Task::Enter(node) if node.is_element() => {
                let name = node.node_name().map(|name| name.to_string()).unwrap_or_default();
                if is_furniture(&node, &name) {
                    continue;
                }
                if is_contents(&node, &name) {
                    writer.begin_contents();
                    tasks.push(Task::Leave("contents"));
                }
                match raised(&node, &name) {
                    Some(Raised::Note(mark)) => {
                        writer.text(&format!("[{mark}]"));
                        continue;
                    }
                    Some(Raised::Power) => writer.power(),
                    None => {}
                }
                if !writer.in_cell && matches!(name.as_str(), "td" | "th") && is_plain_cell(&node) {
                    tasks.push(Task::Leave("cell"));
                    writer.enter(&name);
                    writer.in_cell = true;
                } else if let Some(known) = writer.enter(&name) {
                    tasks.push(Task::Leave(known));
                }
                tasks.extend(node.children_it(true).map(Task::Enter));
            }
            Task::Enter(_) => {}
        }
    }
    writer.finish()
}
