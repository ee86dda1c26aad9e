//! The checked text as Markdown: every judged sentence is followed by its mark, and the marks are explained below.

use std::fmt::Write;

use super::{Checked, Quote, Ruling, Sheet, Skip};
use crate::markup::marked;

/// The page.
pub fn render(sheet: &Sheet) -> String {
    // Writing to a String cannot fail, here and below.
    let mut page = format!(
        "# Checked: {}\n\n{}, held against {}.\n\n{} carried, {} contradicted, {} not found; the number leads to its quotes.\n\n---\n\n",
        marked(&sheet.name),
        sheet.tally().words(),
        marked(&sheet.against),
        sign(Ruling::Carried),
        sign(Ruling::Contradicted),
        sign(Ruling::NotFound),
    );
    page.push_str(&text(sheet));
    page.push_str("\n---\n\n## Sentences\n\n");
    for (number, checked) in numbered(sheet) {
        let _ = writeln!(page, "{number}. {}", entry(checked));
    }
    page
}

fn sign(ruling: Ruling) -> &'static str {
    match ruling {
        Ruling::Carried => "✓",
        Ruling::Contradicted => "✗",
        Ruling::NotFound => "?",
        Ruling::Skipped => "",
    }
}

fn numbered(sheet: &Sheet) -> impl Iterator<Item = (usize, &Checked)> {
    (1..).zip(sheet.sentences.iter().filter(|checked| checked.verdict != Ruling::Skipped))
}

/// Skipped pieces that no reader of the text sees.
const HIDDEN: [Skip; 2] = [Skip::FrontMatter, Skip::Markup];

/// The sentences in their paragraphs, headings among them.
fn text(sheet: &Sheet) -> String {
    let mut page = String::new();
    let (mut at, mut number) = (0, 0);
    let shown = |checked: &&Checked| !HIDDEN.iter().any(|skip| checked.why.as_deref() == Some(skip.words()));
    for checked in sheet.sentences.iter().filter(shown) {
        let between = sheet.text.get(at..checked.range.start).unwrap_or_default();
        if !page.is_empty() {
            let broken = between.contains("\n\n") || is_heading(checked);
            page.push_str(if broken {
                "\n\n"
            } else if between.contains('\n') {
                "\n"
            } else {
                " "
            });
        }
        at = checked.range.end;
        match checked.verdict {
            Ruling::Skipped if is_heading(checked) => {
                let _ =
                    write!(page, "### {}\n\n", marked(checked.sentence.trim_matches(['#', ' ', '-', '='])));
            }
            Ruling::Skipped => page.push_str(&marked(&checked.sentence)),
            ruling => {
                number += 1;
                let _ = write!(page, "{} **{}{number}**", marked(&checked.sentence), sign(ruling));
            }
        }
    }
    page.push('\n');
    page
}

fn is_heading(checked: &Checked) -> bool {
    checked.verdict == Ruling::Skipped && checked.why.as_deref() == Some(Skip::Heading.words())
}

fn entry(checked: &Checked) -> String {
    let mut entry =
        format!("{} **{}** (line {})", sign(checked.verdict), checked.verdict.words(), checked.line);
    if let Some(why) = &checked.why {
        let _ = write!(entry, ": {}", marked(why));
    }
    let _ = write!(entry, "\n   {}", marked(&checked.sentence));
    checked.quotes.iter().for_each(|quote| entry.push_str(&quoted(quote, "")));
    checked
        .disputed_by
        .iter()
        .for_each(|quote| entry.push_str(&quoted(quote, "another source says otherwise: ")));
    if let Some(nearest) = &checked.nearest {
        entry.push_str(&quoted(nearest, "nearest: "));
    }
    entry
}

fn quoted(quote: &Quote, lead: &str) -> String {
    let place =
        quote.place.as_ref().map(|place| format!(" ({})", marked(&place.words()))).unwrap_or_default();
    format!("\n   - {lead}“{}”{place}", marked(&quote.text))
}
