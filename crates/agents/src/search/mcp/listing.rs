//! Results that a tool wrote as text for a reader: blocks of labelled lines, numbered lists, Markdown links, paragraphs
//! that hold an address.

use crate::search::web::Item;

/// How tools say that they looked and found nothing.
const NOTHING: [&str; 5] = ["no results", "no search results", "0 results", "no matches", "nothing found"];

/// Whether a text without an address says that there are no results.
pub(super) fn says_nothing_found(text: &str) -> bool {
    let text = text.to_lowercase();
    NOTHING.iter().any(|words| text.contains(words))
}

/// The results in a text, at most so many, in its order.
pub(super) fn items(text: &str, most: usize) -> Vec<Item> {
    blocks(text).iter().filter_map(|block| of_block(block)).take(most).collect()
}

/// Where titles are labelled, a block runs from one title to the next, and what stands before the first is no result.
/// Elsewhere a blank line, or the mark of a list at the margin, begins a block.
fn blocks(text: &str) -> Vec<Vec<&str>> {
    let is_title = |line: &str| matches!(labelled(line), Some((Label::Title, _)));
    let by_title = text.lines().any(is_title);
    let mut blocks = vec![Vec::new()];
    for line in text.lines() {
        if if by_title { is_title(line) } else { line.trim().is_empty() || is_marked(line) } {
            blocks.push(Vec::new());
        }
        if let Some(block) = blocks.last_mut() {
            block.push(line);
        }
    }
    blocks.split_off(usize::from(by_title))
}

fn of_block(lines: &[&str]) -> Option<Item> {
    let url = labelled_address(lines).or_else(|| lines.iter().find_map(|line| address(line)))?;
    let mut item = Item { url: url.to_owned(), ..Item::default() };
    let mut words: Vec<&str> = Vec::new();
    let mut plain: Vec<&str> = Vec::new();
    for line in lines {
        match labelled(line) {
            Some((Label::Title, title)) => title.clone_into(&mut item.title),
            Some((Label::Words, text)) => words.push(text),
            Some((Label::Date, date)) => item.date = Some(date.to_owned()),
            Some((Label::Address | Label::Beside, _)) => {}
            None => plain.push(line),
        }
    }
    let mut plain = plain.into_iter().flat_map(|line| without(line, url)).filter(|part| !part.is_empty());
    if item.title.is_empty() {
        plain.next().unwrap_or_default().clone_into(&mut item.title);
    }
    words.extend(plain);
    item.snippet = words.join(" ");
    Some(item)
}

/// What a labelled line holds.
#[derive(Clone, Copy)]
enum Label {
    Title,
    Address,
    Words,
    Date,
    /// Nothing a result needs.
    Beside,
}

/// The label of a line such as `URL: …` or `**Title:** …`, and what follows it.
fn labelled(line: &str) -> Option<(Label, &str)> {
    let (name, value) = unmarked(line).split_once(':')?;
    let label = match name.trim_matches('*').trim().to_ascii_lowercase().as_str() {
        "title" => Label::Title,
        "url" | "link" | "address" => Label::Address,
        "description" | "content" | "snippet" | "summary" | "text" => Label::Words,
        "date" | "published" | "published date" => Label::Date,
        "score" | "relevance score" | "engine" | "engines" | "category" | "id" | "rank" | "favicon" => {
            Label::Beside
        }
        _ => return None,
    };
    Some((label, value.trim_start_matches('*').trim()))
}

fn labelled_address<'a>(lines: &[&'a str]) -> Option<&'a str> {
    lines.iter().find_map(|line| match labelled(line) {
        Some((Label::Address, value)) => address(value),
        _ => None,
    })
}

/// Whether a list's mark stands at the margin; an indented one belongs to what it is indented under.
fn is_marked(line: &str) -> bool {
    !line.starts_with(char::is_whitespace) && unmarked(line).len() < line.trim_end().len()
}

/// A line without the mark of a heading, a list or a quotation.
fn unmarked(line: &str) -> &str {
    let line = line.trim();
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    if number.len() < line.len()
        && let Some(rest) = number.strip_prefix(['.', ')']).filter(|rest| rest.starts_with(' '))
    {
        return rest.trim_start();
    }
    let rest = line.trim_start_matches(['#', '-', '*', '•', '>']);
    if rest.len() < line.len() && rest.starts_with(' ') { rest.trim_start() } else { line }
}

/// The first address in a text. A closing bracket ends it unless it was opened inside, as in some names of articles.
fn address(text: &str) -> Option<&str> {
    let start = ["http://", "https://"].iter().filter_map(|scheme| text.find(scheme)).min()?;
    let rest = &text[start..];
    let mut open = 0_usize;
    let end = rest.find(|c: char| match c {
        '(' => {
            open += 1;
            false
        }
        ')' if open > 0 => {
            open -= 1;
            false
        }
        ')' | ']' | '>' | '"' | '`' => true,
        c => c.is_whitespace(),
    });
    Some(rest[..end.unwrap_or(rest.len())].trim_end_matches(['.', ',', ';']))
}

/// The words around an address in a line: of a Markdown link its text and what follows, else what is left.
fn without<'a>(line: &'a str, url: &str) -> Vec<&'a str> {
    let line = unmarked(line);
    let Some((before, after)) = line.split_once(url) else { return vec![line] };
    let edges: &[char] = &['(', ')', '[', ']', '<', '>', '*', '-', '–', '—', ':', ' '];
    vec![before.trim_matches(edges), after.trim_matches(edges)]
}
