//! The checked text as a page: every judged sentence is marked where it stands, and its mark opens what it rests on.

use std::fmt::Write;

use super::{Checked, Quote, Ruling, Sheet};
use crate::markup::html::{escaped, styled};
use crate::markup::hypertext;

const STYLE: &str = include_str!("style.css");

/// The page.
pub fn render(sheet: &Sheet) -> String {
    // Writing to a String cannot fail, here and below.
    let mut body = format!(
        "<h1>{}</h1>\n<p class=\"about\">{}, held against {}</p>\n{}<main>\n",
        hypertext(&sheet.name),
        hypertext(&sheet.tally().words()),
        hypertext(&sheet.against),
        legend(),
    );
    text(&mut body, sheet);
    list(&mut body, sheet);
    body.push_str("</main>\n");
    styled(&sheet.name, STYLE, &body)
}

fn legend() -> String {
    let mark = |ruling: Ruling, what: &str| {
        format!("<li><span class=\"said {}\">{}</span> {what}</li>\n", class(ruling), ruling.words())
    };
    format!(
        "<ul class=\"legend\">\n{}{}{}<li>Everything else was not judged. A mark opens its quotes on hover, focus or tap.</li>\n</ul>\n",
        mark(Ruling::Carried, "quotes say so"),
        mark(Ruling::Contradicted, "a quote says something else"),
        mark(Ruling::NotFound, "nothing that was looked at says so"),
    )
}

fn class(ruling: Ruling) -> &'static str {
    match ruling {
        Ruling::Carried => "carried",
        Ruling::Contradicted => "contradicted",
        Ruling::NotFound => "missing",
        Ruling::Skipped => "aside",
    }
}

/// The text as it was given, its paragraphs apart, its sentences marked.
fn text(body: &mut String, sheet: &Sheet) {
    body.push_str("<p class=\"words\">");
    let mut at = 0;
    for (index, checked) in sheet.sentences.iter().enumerate() {
        if checked.range.start < at {
            continue;
        }
        gap(body, &sheet.text[at..checked.range.start]);
        let words = kept(&sheet.text[checked.range.clone()]);
        match checked.verdict {
            Ruling::Skipped => body.push_str(&words),
            ruling => {
                let _ = write!(
                    body,
                    "<span class=\"said {}\" tabindex=\"0\" aria-describedby=\"n{index}\">{words}<span class=\"pop\" \
                     role=\"note\">{}</span></span>",
                    class(ruling),
                    card(checked),
                );
            }
        }
        at = checked.range.end;
    }
    gap(body, &sheet.text[at..]);
    body.push_str("</p>\n");
}

/// What stands between sentences. A blank line ends a paragraph.
fn gap(body: &mut String, text: &str) {
    let mut pieces = text.split("\n\n");
    body.push_str(&kept(pieces.next().unwrap_or_default()));
    for piece in pieces {
        let _ = write!(body, "</p>\n<p class=\"words\">{}", kept(piece.trim_start_matches('\n')));
    }
}

/// Words with their line breaks, without what would turn or hide them.
fn kept(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(line).collect();
    lines.join("\n")
}

fn line(text: &str) -> String {
    let lead = if text.starts_with(' ') { " " } else { "" };
    let trail = if text.len() > 1 && text.ends_with(' ') { " " } else { "" };
    let words = hypertext(text);
    if words.is_empty() { lead.to_owned() } else { format!("{lead}{words}{trail}") }
}

/// What a mark opens.
fn card(checked: &Checked) -> String {
    let mut card = format!("<b>{}</b>", checked.verdict.words());
    if let Some(why) = &checked.why {
        let _ = write!(card, ": {}", hypertext(why));
    }
    card.push_str("<br>");
    checked.quotes.iter().for_each(|quote| card.push_str(&quoted(quote, "")));
    checked
        .disputed_by
        .iter()
        .for_each(|quote| card.push_str(&quoted(quote, "another source says otherwise: ")));
    if let Some(nearest) = &checked.nearest {
        card.push_str(&quoted(nearest, "nearest: "));
    }
    card
}

fn quoted(quote: &Quote, lead: &str) -> String {
    let place = quote.place.as_ref().map(|place| hypertext(&place.words())).unwrap_or_default();
    format!("<q>{}</q><small>{}{place}</small>", hypertext(&quote.text), escaped(lead))
}

/// Every judged sentence with its quotes: what a mark opens, for paper and for those who read in order.
fn list(body: &mut String, sheet: &Sheet) {
    body.push_str("<h2>Sentences</h2>\n<ul class=\"refs\">\n");
    for (index, checked) in sheet.sentences.iter().enumerate() {
        if checked.verdict != Ruling::Skipped {
            let _ = writeln!(
                body,
                "<li id=\"n{index}\">line {}: <span class=\"said {}\">{}</span><br>{}</li>",
                checked.line,
                class(checked.verdict),
                hypertext(&checked.sentence),
                card(checked),
            );
        }
    }
    body.push_str("</ul>\n");
}
