//! What an element of a page is: navigation, a box beside the text, a cell of facts, a table of contents.

use std::sync::LazyLock;

use dom_query::NodeRef;
use regex::Regex;

/// Elements that never hold what a page says.
const NEVER: &[&str] = &[
    "script", "style", "nav", "footer", "head", "svg", "noscript", "template", "iframe", "form", "button",
    "select", "dialog", "object", "canvas", "math",
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

/// Does this element hold nothing of what the page says?
pub(super) fn is_furniture(node: &NodeRef<'_>, name: &str) -> bool {
    if NEVER.contains(&name) {
        return true;
    }
    if matches!(name, "body" | "html" | "main" | "article" | "h1" | "h2" | "h3" | "h4") {
        return false;
    }
    let role = node.attr("role").unwrap_or_default();
    let style = node.attr("style").unwrap_or_default().replace(' ', "");
    let hidden = node.has_attr("hidden")
        || node.attr("aria-hidden").is_some_and(|value| &*value == "true")
        || style.contains("display:none");
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
pub(super) fn is_plain_cell(node: &NodeRef<'_>) -> bool {
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

/// Raised text that would change a number if it were written straight after it.
pub(super) enum Raised {
    /// The mark of a footnote.
    Note(String),
    /// The power of the number before it.
    Power,
}

/// What raised text is; ordinals ("5th") and marks in brackets may follow a number as they are.
pub(super) fn raised(node: &NodeRef<'_>, name: &str) -> Option<Raised> {
    if name != "sup" {
        return None;
    }
    let text = node.text();
    let text = text.trim();
    let linked = node.ancestors_it(Some(2)).chain(node.children_it(false)).any(|near| near.has_name("a"));
    let number = !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || "+-−n".contains(c));
    match (linked, number) {
        (true, true) => Some(Raised::Note(text.to_owned())),
        (false, true) => Some(Raised::Power),
        _ => None,
    }
}

/// Is this a table of contents? A heading's link back to the table is called after it too, but holds the heading.
pub(super) fn is_contents(node: &NodeRef<'_>, name: &str) -> bool {
    static CONTENTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i)(^|[\s_-])(toctree-wrapper|toctree|toc|table-of-contents|contents (local|topic))([\s_-]|$)",
        )
        .ok()
    });
    // A page that shows its table at its side says so of its whole body.
    if matches!(name, "body" | "main" | "article" | "a" | "span" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6") {
        return false;
    }
    let class = node.class().unwrap_or_default();
    CONTENTS.as_ref().is_some_and(|regex| regex.is_match(&class))
}
