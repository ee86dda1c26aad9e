//! HTML to readable text: headings as `#`, list items as `- `, code indented, tables as rows; navigation, scripts
//! and page furniture left out. Works through the tree with its own stack, so depth cannot exhaust ours.

use std::ops::Range;
use std::sync::LazyLock;

use dom_query::{Document, NodeRef};
use dom_smoothie::Readability;
use regex::Regex;

use super::encoding::{decode, language};
use super::{ReadError, Reading};

/// Elements that never hold what a page says.
const NEVER: &[&str] = &[
    "script", "style", "nav", "footer", "head", "svg", "noscript", "template", "iframe", "form", "button",
    "select", "dialog", "object", "canvas", "math",
];
/// Elements that begin and end a paragraph.
const BLOCKS: &[&str] = &[
    "p",
    "div",
    "ul",
    "ol",
    "dl",
    "table",
    "section",
    "article",
    "main",
    "blockquote",
    "figure",
    "figcaption",
    "caption",
    "thead",
    "tbody",
    "address",
    "details",
    "summary",
    "header",
    "center",
    "hr",
];

static FURNITURE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)(^|[\s_-])(sphinxsidebar|sphinxsidebarwrapper|nav|navbar|navheader|navfooter|navigation|breadcrumbs?|headerlink|menu|mainmenu|searchmenu|nosearch|searchbox|footer|cookie|cookies|consent|banner|advert|advertisement|social|share|sharing|newsletter|comments|pagination|skip-link|toolbar|popup|modal|hidden|visually-hidden|sr-only)([\s_-]|$)").ok()
});

/// Names that some pages give to their navigation and others to boxes of text beside it.
static BESIDE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)(^|[\s_-])(sidebar|aside|related)([\s_-]|$)").ok());
/// A box beside the text says something when it has this many words...
const BESIDE_WORDS: usize = 30;
/// ...and no more than one in this many belongs to a link.
const BESIDE_WORDS_PER_LINK_WORD: usize = 4;
/// Nodes of a box that are looked at.
const BESIDE_NODES: usize = 500;

/// A cell up to this many bytes of text...
const CELL_BYTES: usize = 400;
/// ...in up to this many nodes...
const CELL_NODES: usize = 60;
/// ...without any of these is written in one row.
const CELL_BREAKS: &[&str] =
    &["table", "pre", "ul", "ol", "dl", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote"];

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

struct Writer {
    out: String,
    /// Nesting of `pre`.
    pre: usize,
    /// Inside a plain cell of a table, whose paragraphs do not break the row.
    in_cell: bool,
    /// Text of the innermost `pre`, written indented when it closes.
    code: String,
}

/// The text of the page's main part.
fn body_text(document: &Document) -> (String, Vec<Range<usize>>) {
    let main = ["main", "[role=main]", "article"]
        .iter()
        .map(|s| document.select(s))
        .find(|found| found.length() == 1);
    let root = main.unwrap_or_else(|| document.select("body"));
    let root = if root.exists() { root } else { document.select("html") };
    let mut writer = Writer { out: String::new(), pre: 0, in_cell: false, code: String::new() };
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
                if is_contents(&node) {
                    writer.out.push_str("\n\n\u{2}\n\n");
                    tasks.push(Task::Leave("contents"));
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

fn is_furniture(node: &NodeRef<'_>, name: &str) -> bool {
    if NEVER.contains(&name) {
        return true;
    }
    if matches!(name, "body" | "html" | "main" | "article" | "h1" | "h2" | "h3" | "h4") {
        return false;
    }
    let role = node.attr("role").unwrap_or_default();
    let hidden = node.has_attr("hidden") || node.attr("aria-hidden").is_some_and(|value| &*value == "true");
    let class = node.class().unwrap_or_default();
    hidden
        || matches!(&*role, "navigation" | "search" | "banner" | "contentinfo" | "complementary")
        || FURNITURE.as_ref().is_some_and(|regex| regex.is_match(&class))
        || ((name == "aside" || BESIDE.as_ref().is_some_and(|regex| regex.is_match(&class)))
            && !is_prose(node))
}

/// Is this box made of sentences rather than of links? Looks at its beginning only, so that boxes within boxes
/// cannot make a page slow to read.
fn is_prose(node: &NodeRef<'_>) -> bool {
    let (mut all, mut linked) = (0, 0);
    for text in node.descendants_it().take(BESIDE_NODES).filter(NodeRef::is_text) {
        let words = text.text().split_whitespace().count();
        all += words;
        if text.ancestors_it(Some(2)).any(|above| above.has_name("a")) {
            linked += words;
        }
    }
    all >= BESIDE_WORDS && linked * BESIDE_WORDS_PER_LINK_WORD <= all
}

/// Is this a cell of a table of facts: little text, and no structure but paragraphs? Others lay out a page.
fn is_plain_cell(node: &NodeRef<'_>) -> bool {
    let (mut bytes, mut nodes) = (0, 0);
    for below in node.descendants_it().take(CELL_NODES + 1) {
        nodes += 1;
        if below.is_text() {
            bytes += below.text().trim().len();
        } else if below.node_name().is_some_and(|name| CELL_BREAKS.contains(&&*name)) {
            return false;
        }
    }
    nodes <= CELL_NODES && bytes <= CELL_BYTES
}

/// Is this a table of contents?
fn is_contents(node: &NodeRef<'_>) -> bool {
    static CONTENTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?i)(^|[\s_-])(toctree-wrapper|toctree|toc|table-of-contents|contents local)([\s_-]|$)")
            .ok()
    });
    let class = node.class().unwrap_or_default();
    CONTENTS.as_ref().is_some_and(|regex| regex.is_match(&class))
}

impl Writer {
    /// Writes what opens an element; the name of those that must also close.
    fn enter(&mut self, name: &str) -> Option<&'static str> {
        if let Some(level) =
            name.strip_prefix('h').and_then(|n| n.parse::<usize>().ok()).filter(|n| (1..=6).contains(n))
        {
            self.out.push_str(&format!("\n\n{} ", "#".repeat(level)));
            return Some("block");
        }
        match name {
            "pre" => {
                self.pre += 1;
                return Some("pre");
            }
            "br" if self.pre > 0 => self.code.push('\n'),
            "br" if self.in_cell => self.out.push(' '),
            "br" => self.out.push('\n'),
            "li" => self.out.push_str("\n\n- "),
            "dt" => self.out.push_str("\n\n"),
            "dd" => self.out.push_str("\n  "),
            "tr" => self.out.push('\n'),
            "td" | "th" => self.out.push_str(" | "),
            _ if BLOCKS.contains(&name) && self.in_cell => {
                self.out.push(' ');
                return Some("block");
            }
            _ if BLOCKS.contains(&name) => {
                self.out.push_str("\n\n");
                return Some("block");
            }
            _ => {}
        }
        None
    }

    fn leave(&mut self, name: &str) {
        if name == "cell" {
            self.in_cell = false;
        } else if self.in_cell && name == "block" {
            self.out.push(' ');
        } else if name == "contents" {
            self.out.push_str("\n\n\u{3}\n\n");
        } else if name == "pre" {
            self.pre -= 1;
            if self.pre == 0 {
                self.write_code();
            }
        } else {
            self.out.push_str("\n\n");
        }
    }

    fn write_code(&mut self) {
        let code = std::mem::take(&mut self.code);
        self.out.push_str("\n\n");
        for line in code.trim_matches('\n').lines() {
            // The mark keeps `finish` from folding the white space of code.
            self.out.push_str(&format!("\u{1}{}\n", line.trim_end()));
        }
        self.out.push('\n');
    }

    fn text(&mut self, text: &str) {
        if self.pre > 0 {
            self.code.push_str(text);
            return;
        }
        let mut space = false;
        for c in text.chars().filter(|c| *c != '¶' && *c != '\u{ad}' && *c > '\u{3}') {
            if c.is_whitespace() {
                space = true;
            } else {
                if std::mem::take(&mut space) {
                    self.out.push(' ');
                }
                self.out.push(c);
            }
        }
        if space {
            self.out.push(' ');
        }
    }

    /// Folds white space and blank lines; also the ranges of tables of contents.
    fn finish(self) -> (String, Vec<Range<usize>>) {
        let mut text = String::with_capacity(self.out.len());
        let mut contents = Vec::new();
        let mut open = Vec::new();
        let mut blank = true;
        for line in self.out.lines() {
            match line {
                "\u{2}" => open.push(text.len()),
                "\u{3}" => {
                    // An outer table holds the ones inside it.
                    if let Some(start) = open.pop()
                        && open.is_empty()
                        && start < text.len()
                    {
                        contents.push(start..text.len());
                    }
                }
                _ => {}
            }
            let line = if matches!(line, "\u{2}" | "\u{3}") { "" } else { line };
            let folded = match line.strip_prefix('\u{1}') {
                Some(code) if code.trim().is_empty() => String::new(),
                Some(code) => format!("    {code}"),
                None => {
                    let indent = if line.starts_with("  ") { "  " } else { "" };
                    let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
                    if words.is_empty() || words == "-" || words == "|" {
                        String::new()
                    } else {
                        format!("{indent}{words}")
                    }
                }
            };
            if folded.is_empty() {
                if !std::mem::replace(&mut blank, true) {
                    text.push('\n');
                }
            } else {
                blank = false;
                text.push_str(&folded);
                text.push('\n');
            }
        }
        let end = text.trim_end().len();
        text.truncate(end);
        text.push('\n');
        for range in &mut contents {
            range.end = range.end.min(text.len());
        }
        (text, contents)
    }
}
