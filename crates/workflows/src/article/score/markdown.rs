//! An article read back from its Markdown: title, opening, sections, closing, without its list of references.

use std::collections::HashSet;

use baton_agents::rules::sentences::sentences;
use baton_agents::rules::words::content_stems;

use crate::markup::unmarked;

/// Headings behind which nothing is claimed.
const LISTS: [&str; 6] = ["references", "works cited", "bibliography", "sources", "reference list", "notes"];
/// Headings of a closing.
const CLOSINGS: [&str; 7] =
    ["conclusion", "conclusions", "summary", "outlook", "closing", "in short", "what comes next"];
/// Share of a wish's words that must stand in one part for it to be spoken of.
const SPOKEN: f64 = 0.6;

/// A part under a heading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Part {
    heading: String,
    paragraphs: Vec<String>,
}

/// An article, as a reader sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MarkdownText {
    /// Its title.
    pub title: String,
    opening: Vec<String>,
    parts: Vec<Part>,
}

impl MarkdownText {
    /// Reads an article. Front matter, lists of references and what is only a link are not part of it.
    #[must_use]
    pub fn parse(markdown: &str) -> Self {
        let mut text = Self::default();
        let body = match markdown.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")) {
            Some((_, body)) => body,
            None => markdown,
        };
        let mut block = String::new();
        for line in body.lines().chain([""]) {
            let line = line.trim();
            if let Some(heading) = line.strip_prefix('#') {
                text.close(&mut block);
                let heading = unmarked(heading.trim_start_matches('#').trim());
                if LISTS.contains(&heading.to_lowercase().as_str()) {
                    break;
                }
                if text.title.is_empty() && line.starts_with("# ") {
                    text.title = heading;
                } else {
                    text.parts.push(Part { heading, paragraphs: Vec::new() });
                }
            } else if line.is_empty() {
                text.close(&mut block);
            } else if !line.starts_with("|--") && !line.starts_with("| --") {
                let item = line.strip_prefix("- ").or_else(|| line.strip_prefix("> ")).unwrap_or(line);
                if item.len() != line.len() || line.starts_with('|') {
                    text.close(&mut block);
                }
                block.push_str(item);
                block.push(' ');
                if line.starts_with('|') {
                    text.close(&mut block);
                }
            }
        }
        text.close(&mut block);
        text
    }

    fn close(&mut self, block: &mut String) {
        let shown = unmarked(block.trim());
        block.clear();
        if shown.is_empty() {
            return;
        }
        match self.parts.last_mut() {
            Some(part) => part.paragraphs.push(shown),
            None => self.opening.push(shown),
        }
    }

    /// Every paragraph, in order.
    pub fn paragraphs(&self) -> impl Iterator<Item = &String> {
        self.opening.iter().chain(self.parts.iter().flat_map(|part| &part.paragraphs))
    }

    /// All paragraphs of prose in one text.
    #[must_use]
    pub fn all(&self) -> String {
        let prose = self.paragraphs().filter(|paragraph| !paragraph.starts_with('|'));
        prose.map(String::as_str).collect::<Vec<_>>().join("\n\n")
    }

    /// Every sentence of prose, in order.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let all = self.all();
        sentences(&all)
            .into_iter()
            .map(|range| all[range].trim().to_owned())
            .filter(|it| !it.is_empty())
            .collect()
    }

    /// The sentences of prose of each paragraph.
    pub fn sentences_by_paragraph(&self) -> impl Iterator<Item = Vec<String>> {
        let prose = self.paragraphs().filter(|paragraph| !paragraph.starts_with('|'));
        prose.map(|text| sentences(text).into_iter().map(|range| text[range].trim().to_owned()).collect())
    }

    /// Words, headings and tables included, references not: whatever stands between spaces and has a letter or a digit.
    #[must_use]
    pub fn words(&self) -> usize {
        let headings = self.parts.iter().map(|part| &part.heading);
        let count =
            |text: &String| text.split_whitespace().filter(|it| it.contains(char::is_alphanumeric)).count();
        self.paragraphs().chain(headings).map(count).sum()
    }

    /// The headings.
    pub fn headings(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().map(|part| part.heading.as_str())
    }

    fn is_closing(part: &Part) -> bool {
        CLOSINGS.contains(&part.heading.to_lowercase().as_str())
    }

    fn is_opening(part: &Part) -> bool {
        part.heading.to_lowercase().starts_with("introduction")
    }

    /// Sections between the opening and the closing that say something.
    #[must_use]
    pub fn body_sections(&self) -> usize {
        let says =
            |part: &&Part| !Self::is_closing(part) && !Self::is_opening(part) && !part.paragraphs.is_empty();
        self.parts.iter().filter(says).count()
    }

    /// Whether it opens: a paragraph before the first heading, or a part called so.
    #[must_use]
    pub fn has_introduction(&self) -> bool {
        !self.opening.is_empty()
            || self.parts.iter().any(|part| Self::is_opening(part) && !part.paragraphs.is_empty())
    }

    /// Whether it closes.
    #[must_use]
    pub fn has_conclusion(&self) -> bool {
        self.parts.last().is_some_and(|part| Self::is_closing(part) && !part.paragraphs.is_empty())
    }

    /// Whether it speaks of something: most of its words stand together in one part, and where several things are listed,
    /// most of the words of each stand in its paragraphs; a heading that lists them says nothing of them.
    #[must_use]
    pub fn speaks_of(&self, wish: &str) -> bool {
        let wanted = content_stems(wish);
        if wanted.is_empty() {
            return true;
        }
        let most = |wanted: &HashSet<String>, own: &HashSet<String>| {
            wanted.intersection(own).count() as f64 >= SPOKEN * wanted.len() as f64
        };
        let things = listed(wish);
        if !things.is_empty() {
            let said = content_stems(&self.paragraphs().cloned().collect::<Vec<_>>().join(" "));
            if !things.iter().all(|thing| most(thing, &said)) {
                return false;
            }
        }
        let opening = Part { heading: String::new(), paragraphs: self.opening.clone() };
        self.parts.iter().chain([&opening]).filter(|part| !part.paragraphs.is_empty()).any(|part| {
            most(&wanted, &content_stems(&format!("{} {}", part.heading, part.paragraphs.join(" "))))
        })
    }
}

/// The things a wish lists, each by its stems; none where it names but one.
fn listed(wish: &str) -> Vec<HashSet<String>> {
    let list = wish.rsplit(": ").next().unwrap_or(wish);
    let things = list.split(", ").flat_map(|it| it.split(" and ")).flat_map(|it| it.split(" or "));
    let things: Vec<HashSet<String>> = things.map(content_stems).filter(|it| !it.is_empty()).collect();
    if things.len() > 1 { things } else { Vec::new() }
}
