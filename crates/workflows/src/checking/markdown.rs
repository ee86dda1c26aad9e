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

/// The sentences in their paragraphs and lists, headings among them. What no reader of the text sees is left out.
fn text(sheet: &Sheet) -> String {
    let mut page = String::new();
    let (mut at, mut number) = (0, 0);
    let hidden = |checked: &&Checked| matches!(checked.skip, Some(Skip::FrontMatter | Skip::Markup));
    for checked in sheet.sentences.iter().filter(|checked| !hidden(checked)) {
        let between = sheet.text.get(at..checked.range.start).unwrap_or_default();
        at = checked.range.end;
        page.push_str(joint(between, page.is_empty(), checked));
        match checked.skip {
            Some(Skip::Heading) => {
                let title = checked.sentence.trim_matches(['#', ' ', '-', '=']);
                let _ = write!(page, "### {}", marked(title));
            }
            Some(_) => page.push_str(&marked(&checked.sentence)),
            None => {
                number += 1;
                let _ = write!(page, "{} **{}{number}**", marked(&checked.sentence), sign(checked.verdict));
            }
        }
    }
    page.push('\n');
    page
}

/// What joins a piece to the one before, given what stands between them.
fn joint(between: &str, first: bool, checked: &Checked) -> &'static str {
    let marker = between.rsplit('\n').next().unwrap_or_default().trim();
    let listed = marker.starts_with(['-', '*', '+', '•', '–']) || marker.ends_with(['.', ')']);
    match (first, listed) {
        (true, true) => "- ",
        (true, false) => "",
        (false, true) => "\n\n- ",
        (false, false) if between.contains("\n\n") || checked.skip == Some(Skip::Heading) => "\n\n",
        (false, false) if between.contains('\n') => "\n",
        (false, false) => " ",
    }
}

fn entry(checked: &Checked) -> String {
    let mut entry =
        format!("{} **{}** (line {})", sign(checked.verdict), checked.verdict.words(), checked.line);
    if let Some(why) = &checked.why {
        let _ = write!(entry, ": {}", marked(why));
    }
    let _ = write!(entry, "\n   {}", marked(&checked.sentence));
    checked.quotes.iter().for_each(|quote| entry.push_str(&quoted(quote, "")));
    checked.disputed_by.iter().for_each(|quote| entry.push_str(&quoted(quote, "says otherwise: ")));
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
