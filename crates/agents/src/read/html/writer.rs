//! Writes the text of a page while its tree is walked, then folds white space. Lines begin with marks until then: where
//! code, tables of contents and the meanings of terms stand.

use std::ops::Range;

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

/// Begins a line of code, whose white space is kept.
const CODE: char = '\u{1}';
/// Alone in a line: a table of contents begins, or ends.
const CONTENTS: &str = "\u{2}";
const CONTENTS_END: &str = "\u{3}";
/// At the beginning of a line: what a term means begins, or ends.
const MEANING: char = '\u{4}';
const MEANING_END: char = '\u{5}';

/// How far from the margin the meaning of a term stands, by how deep such terms are nested.
const INDENT: &[&str] = &["", "  ", "    "];

#[derive(Default)]
pub(super) struct Writer {
    out: String,
    /// Nesting of `pre`.
    pre: usize,
    /// Inside a plain cell of a table, whose paragraphs do not break the row.
    pub(super) in_cell: bool,
    /// Text of the innermost `pre`, written indented when it closes.
    code: String,
}

impl Writer {
    /// Writes what opens an element; the name of those that must also close.
    pub(super) fn enter(&mut self, name: &str) -> Option<&'static str> {
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
            "dd" => {
                self.out.extend(['\n', MEANING]);
                return Some("dd");
            }
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

    pub(super) fn leave(&mut self, name: &str) {
        if name == "cell" {
            self.in_cell = false;
        } else if self.in_cell && name == "block" {
            self.out.push(' ');
        } else if name == "dd" {
            self.out.extend(['\n', MEANING_END, '\n']);
        } else if name == "contents" {
            self.out.push_str(&format!("\n\n{CONTENTS_END}\n\n"));
        } else if name == "pre" {
            self.pre -= 1;
            if self.pre == 0 {
                self.write_code();
            }
        } else {
            self.out.push_str("\n\n");
        }
    }

    /// What follows is the power of the number before it: 2^32, not 232.
    pub(super) fn power(&mut self) {
        let out = if self.pre > 0 { &mut self.code } else { &mut self.out };
        if out.ends_with(|c: char| c.is_ascii_digit()) {
            out.push('^');
        }
    }

    /// What follows, until `leave("contents")`, is a table of contents.
    pub(super) fn begin_contents(&mut self) {
        self.out.push_str(&format!("\n\n{CONTENTS}\n\n"));
    }

    fn write_code(&mut self) {
        let code = std::mem::take(&mut self.code);
        self.out.push_str("\n\n");
        for line in code.trim_matches('\n').lines() {
            self.out.push_str(&format!("{CODE}{}\n", line.trim_end()));
        }
        self.out.push('\n');
    }

    pub(super) fn text(&mut self, text: &str) {
        if self.pre > 0 {
            // A page can name a carriage return as a character; a text has line feeds only.
            self.code.extend(text.chars().filter(|c| *c != '\r'));
            return;
        }
        let mut space = false;
        for c in text.chars().filter(|c| *c != '¶' && *c != '\u{ad}' && *c > MEANING_END) {
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
    pub(super) fn finish(self) -> (String, Vec<Range<usize>>) {
        let mut text = String::with_capacity(self.out.len());
        let mut contents = Vec::new();
        let mut open = Vec::new();
        let mut blank = true;
        let mut depth: usize = 0;
        for line in self.out.lines() {
            let bare = line.trim_start_matches([MEANING, MEANING_END]);
            for mark in line[..line.len() - bare.len()].chars() {
                depth = if mark == MEANING { depth + 1 } else { depth.saturating_sub(1) };
            }
            match bare {
                CONTENTS => open.push(text.len()),
                CONTENTS_END => {
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
            let folded = fold(bare, depth);
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

/// A line as it is kept: code as it stands, of other text the words; empty when it only separates.
fn fold(line: &str, depth: usize) -> String {
    if let Some(code) = line.strip_prefix(CODE) {
        return if code.trim().is_empty() { String::new() } else { format!("    {code}") };
    }
    let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
    if matches!(words.as_str(), "" | "-" | "|" | CONTENTS | CONTENTS_END) {
        return String::new();
    }
    // Headings stand at the margin wherever they are.
    let depth = if words.starts_with('#') { 0 } else { depth.min(INDENT.len() - 1) };
    format!("{}{words}", INDENT[depth])
}
