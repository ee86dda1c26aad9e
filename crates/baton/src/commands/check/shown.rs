//! What a person sees of a checked text: every judged sentence in order, and what it rests on.

use baton_workflows::checking::{Checked, Quote, Ruling, Sheet};

use crate::page::{Ink, Page, inked, plain};

/// The page.
pub fn page(sheet: &Sheet) -> Page {
    let mut page = Page::default();
    for checked in sheet.sentences.iter().filter(|checked| checked.verdict != Ruling::Skipped) {
        add(&mut page, checked);
    }
    let tally = sheet.tally();
    let ink = if tally.holds() { Ink::Good } else { Ink::Bad };
    page.line([inked(ink, tally.words()), plain(format!(", held against {}", sheet.against))]);
    page
}

fn add(page: &mut Page, checked: &Checked) {
    let ink = match checked.verdict {
        Ruling::Carried if checked.is_outdated() => Ink::Warn,
        Ruling::Carried => Ink::Good,
        Ruling::Contradicted => Ink::Bad,
        Ruling::NotFound | Ruling::Skipped => Ink::Warn,
    };
    let words = format!("  line {}: {}", checked.line, checked.sentence);
    page.line([inked(ink, format!("{:<12}", checked.verdict.words())), plain(words)]);
    if let Some(why) = &checked.why {
        page.line([inked(Ink::Faint, format!("              {why}"))]);
    }
    checked.quotes.iter().for_each(|quote| add_quote(page, quote, ""));
    checked.disputed_by.iter().for_each(|quote| add_quote(page, quote, "another source says otherwise: "));
    if let Some(nearest) = &checked.nearest {
        add_quote(page, nearest, "nearest: ");
    }
    page.text("");
}

fn add_quote(page: &mut Page, quote: &Quote, lead: &str) {
    let words: Vec<&str> = quote.text.split_whitespace().collect();
    let place = quote.place.as_ref().map(|place| format!(" {}", place.words())).unwrap_or_default();
    page.line([
        inked(Ink::Faint, format!("              {lead}")),
        plain(format!("“{}”", words.join(" "))),
        inked(Ink::Faint, place),
    ]);
}
