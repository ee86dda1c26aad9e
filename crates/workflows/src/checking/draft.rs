//! A text somebody wrote, cut into sentences: which of them state something, and where each stands. Markdown and plain
//! text are both read; what is markup is left out of the words and stays in the text.

mod blocks;
mod words;

use std::ops::Range;

use baton_agents::rules::sentences::sentences;
use serde::Serialize;

use blocks::{is_table_row, skipped_blocks};
use words::{marker_len, spoken};

/// A text and its sentences.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The text as it was given.
    pub text: String,
    /// Its pieces, in order.
    pub pieces: Vec<Piece>,
}

/// A sentence, or something in its place that is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where it stands in the text.
    pub range: Range<usize>,
    /// Its first line, from 1.
    pub line: usize,
    /// What it says, without markup.
    pub words: String,
    /// Why it is not judged, if it is not.
    pub skip: Option<Skip>,
}

/// Why a piece of a text is not judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Skip {
    /// A title.
    Heading,
    /// The block of settings on top of a Markdown file.
    FrontMatter,
    /// Code.
    Code,
    /// A comment, a script or a style sheet.
    Markup,
    /// A row of a table.
    TableRow,
    /// It asks.
    Question,
    /// It opens a list.
    LeadIn,
    /// It speaks of the text, of its writer or to its reader.
    Aside,
    /// Too little to state anything.
    Fragment,
}

impl Skip {
    /// For people.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Heading => "a heading",
            Self::FrontMatter => "front matter",
            Self::Code => "code",
            Self::Markup => "markup",
            Self::TableRow => "a row of a table",
            Self::Question => "a question",
            Self::LeadIn => "opens a list",
            Self::Aside => "speaks of the text, its writer or its reader",
            Self::Fragment => "states nothing",
        }
    }
}

impl Draft {
    /// A text of any length.
    #[must_use]
    pub fn of(text: String) -> Self {
        let blocks = skipped_blocks(&text);
        let prose = without(&text, &blocks);
        let mut pieces: Vec<Piece> = blocks
            .into_iter()
            .filter(|(_, skip)| skip.is_some())
            .map(|(range, skip)| Piece { words: spoken(&text[range.clone()]), line: 0, range, skip })
            .collect();
        for range in sentences(&prose).into_iter().flat_map(|range| at_small_letters(&prose, range)) {
            pieces.extend(piece(&prose, range));
        }
        pieces.sort_by_key(|piece| piece.range.start);
        number_lines(&text, &mut pieces);
        Self { text, pieces }
    }

    /// Sentences somebody typed: whatever does not ask is judged.
    #[must_use]
    pub fn typed(text: String) -> Self {
        let mut draft = Self::of(text);
        for piece in &mut draft.pieces {
            piece.skip = piece.skip.filter(|skip| *skip == Skip::Question);
        }
        draft
    }

    /// The sentences that state something.
    pub fn stated(&self) -> impl Iterator<Item = &Piece> {
        self.pieces.iter().filter(|piece| piece.skip.is_none())
    }
}

/// The text with these blocks blank, each byte at its place.
fn without(text: &str, blocks: &[(Range<usize>, Option<Skip>)]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for (range, _) in blocks {
        for byte in bytes.iter_mut().take(range.end).skip(range.start).filter(|byte| **byte != b'\n') {
            *byte = b' ';
        }
    }
    // Whole letters were replaced by as many spaces, so this is still text.
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Words that end with a full stop inside a sentence, beside those with other letters or fewer than three.
const SHORTENED: [&str; 12] =
    ["approx", "bzw", "dept", "esp", "etc", "excl", "incl", "max", "min", "resp", "usw", "vgl"];

/// A sentence cut where another begins with a small letter, as those about commands do: "It is fast. xz is slow."
fn at_small_letters(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let mut cut = Vec::new();
    let mut start = range.start;
    for (at, _) in text[range.clone()].match_indices(". ") {
        let at = range.start + at;
        let before =
            text[start..at].rsplit(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
        let ends = before.chars().count() >= 3
            && before.chars().all(char::is_lowercase)
            && !SHORTENED.contains(&before);
        let next = text[at + 2..range.end].trim_start();
        if ends && next.starts_with(char::is_lowercase) {
            cut.push(start..at + 1);
            start = range.end - next.len();
        }
    }
    cut.push(start..range.end);
    cut
}

/// A sentence without the marker of its list, if it says anything.
fn piece(text: &str, range: Range<usize>) -> Option<Piece> {
    let raw = &text[range.clone()];
    let marker = marker_len(raw);
    let range = range.start + marker..range.end;
    let words = spoken(&text[range.clone()]);
    if !words.contains(char::is_alphanumeric) {
        return None;
    }
    let stands = Stands { listed: marker > 0, alone: is_alone(text, &range) };
    let skip = if is_table_row(raw) { Some(Skip::TableRow) } else { skip(&words, stands) };
    // What follows a colon is judged by itself; the sentence before it has an end.
    let words = match words.strip_suffix(':') {
        Some(said) if skip.is_none() => format!("{said}."),
        _ => words,
    };
    Some(Piece { range, line: 0, words, skip })
}

/// How a sentence stands among others.
#[derive(Clone, Copy)]
struct Stands {
    /// As an entry of a list.
    listed: bool,
    /// With blank lines around it.
    alone: bool,
}

fn is_alone(text: &str, range: &Range<usize>) -> bool {
    let before = text[..range.start].rsplit('\n').next().unwrap_or_default();
    let after = text[range.end..].split('\n').next().unwrap_or_default();
    let blank_below = text[range.end..].split('\n').nth(1).is_none_or(|line| line.trim().is_empty());
    before.trim().is_empty() && after.trim().is_empty() && blank_below
}

/// The longest line without an end mark that is taken for a title.
const TITLE_WORDS: usize = 10;
/// The longest sentence that can be an aside.
const ASIDE_WORDS: usize = 30;

/// Why words state nothing that documents could carry. Whatever has a number in it is judged.
fn skip(words: &str, stands: Stands) -> Option<Skip> {
    let end = words.trim_end_matches(['"', '\'', ')', '”', '’', '»', '*', '_']);
    if end.ends_with('?') {
        return Some(Skip::Question);
    }
    if words.contains(|letter: char| letter.is_ascii_digit()) {
        return None;
    }
    let length = words.split_whitespace().count();
    let lower = words.to_lowercase();
    if end.ends_with(':') {
        return Some(Skip::LeadIn);
    }
    let closed = end.ends_with(['.', '!', '…', ';', '。']);
    if !closed && stands.alone && !stands.listed && length <= TITLE_WORDS {
        return Some(Skip::Heading);
    }
    if !closed && length <= 3 {
        return Some(Skip::Fragment);
    }
    (length <= ASIDE_WORDS && is_aside(&lower)).then_some(Skip::Aside)
}

/// Openings by which a text speaks of itself, or to its reader.
const ASIDES: &[&str] = &[
    "as described above",
    "as described below",
    "as mentioned",
    "as noted above",
    "as shown above",
    "as shown below",
    "below i ",
    "below we ",
    "below you ",
    "en este ",
    "for more, see",
    "for details, see",
    "i am going to ",
    "i believe",
    "i describe",
    "i have written",
    "i hope",
    "i think",
    "i thank",
    "i want to ",
    "i will ",
    "i would ",
    "i'll ",
    "ich danke",
    "ich glaube",
    "ich hoffe",
    "im folgenden",
    "in diesem abschnitt",
    "in diesem artikel",
    "in diesem bericht",
    "in diesem dokument",
    "in diesem text",
    "in the next section",
    "in the following",
    "let me ",
    "let us ",
    "let's ",
    "please ",
    "read on",
    "refer to ",
    "see ",
    "siehe ",
    "thank you",
    "thanks ",
    "the following ",
    "the next section ",
    "the rest of this ",
    "véase",
    "we believe",
    "we describe",
    "we explain",
    "we hope",
    "we look at",
    "we thank",
    "we think",
    "we turn to",
    "we want to ",
    "we will ",
    "we would like",
    "we'll ",
    "wir danken",
    "wir hoffen",
    "wir möchten",
    "wir werden",
];
/// What a text calls itself, and what it then says it does.
const ITSELF: &[&str] = &[
    "article", "chapter", "document", "guide", "memo", "note", "page", "paper", "post", "report", "section",
    "summary", "text",
];
const DOES: &[&str] = &[
    "collects",
    "compares",
    "covers",
    "deals",
    "describes",
    "discusses",
    "explains",
    "gives",
    "introduces",
    "is about",
    "is for",
    "lists",
    "looks",
    "shows",
    "sums",
    "summarises",
    "summarizes",
    "tells",
    "walks",
];

fn is_aside(lower: &str) -> bool {
    if ASIDES.iter().any(|opening| lower.starts_with(opening)) {
        return true;
    }
    let rest = lower.strip_prefix("in this ").or_else(|| lower.strip_prefix("this "));
    let Some(rest) = rest else { return false };
    let Some(after) = ITSELF.iter().find_map(|name| rest.strip_prefix(name)) else { return false };
    let after = after.trim_start_matches([',', ' ']);
    if lower.starts_with("in this ") {
        return ["we ", "i ", "you "].iter().any(|who| after.starts_with(who));
    }
    DOES.iter().any(|does| after.starts_with(does))
}

fn number_lines(text: &str, pieces: &mut [Piece]) {
    let (mut line, mut at) = (1, 0);
    for piece in pieces {
        line += text[at..piece.range.start].matches('\n').count();
        at = piece.range.start;
        piece.line = line;
    }
}

#[cfg(test)]
mod tests;
