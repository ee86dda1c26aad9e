//! report.html: the report in one file that loads nothing and runs nothing. A citation shows its quote, source,
//! page and weight on hover, focus or tap; on paper the quotes stand in the list of evidence.

use std::collections::BTreeMap;
use std::fmt::Write;

use baton_agents::search::Location;

use super::facts::{NumberedFact, source_label};
use super::markdown::authority;
use super::report::{Block, CitedReport, Setting, Statement};
use crate::markup::{self, address, hypertext, link};
use crate::retrieval::SourceCard;

/// The page.
#[must_use]
pub fn render(report: &CitedReport<'_>) -> String {
    // Writing to a String cannot fail, here and below.
    let mut body = format!(
        "<h1>{}</h1>\n<p class=\"about\">{}</p>\n<main>\n",
        hypertext(&report.title),
        hypertext(&report.about)
    );
    // What is claimed first is what the reader came for.
    let mut class = " class=\"answer\"";
    for block in &report.blocks {
        let is_claims = matches!(block, Block::Claims(..));
        render_block(&mut body, block, if is_claims { std::mem::take(&mut class) } else { "" });
    }
    evidence(&mut body, report);
    references(&mut body, report);
    body.push_str("</main>\n");
    markup::html::page(&report.title, &body)
}

fn render_block(text: &mut String, block: &Block<'_>, class: &str) {
    let _ = match block {
        Block::Heading(level, name) => writeln!(text, "<h{level}>{}</h{level}>", hypertext(name)),
        Block::Note(note) => writeln!(text, "<p>{}</p>", hypertext(note)),
        Block::Notes(notes) => {
            let items: Vec<String> =
                notes.iter().map(|note| format!("<li>{}</li>\n", hypertext(note))).collect();
            writeln!(text, "<ul>\n{}</ul>", items.concat())
        }
        Block::Quote(quote) => write!(text, "{}", quoted(quote)),
        Block::Claims(Setting::List, lines) => {
            let items: Vec<String> = lines.iter().map(|line| format!("<li>{}</li>\n", cited(line))).collect();
            writeln!(text, "<ul{class}>\n{}</ul>", items.concat())
        }
        Block::Claims(Setting::Prose, lines) => {
            let lines: Vec<String> = lines.iter().map(cited).collect();
            writeln!(text, "<p{class}>\n{}\n</p>", lines.join("\n"))
        }
    };
}

fn cited(line: &Statement<'_>) -> String {
    format!("{} {}", hypertext(&line.text), citations(line))
}

fn quoted(quote: &Statement<'_>) -> String {
    let Some(fact) = quote.facts.first() else { return String::new() };
    format!("<p class=\"origin\">{}</p>\n<blockquote>{}</blockquote>\n", origin(fact), cited(quote))
}

/// One focusable mark per source, with a card for each fact.
fn citations(statement: &Statement<'_>) -> String {
    let mut marks = String::new();
    for number in statement.sources() {
        let label = source_label(number);
        let _ = write!(
            marks,
            "<span class=\"cite\" tabindex=\"0\" aria-label=\"source {label}\">[{label}]<span class=\"pop\" role=\"note\">"
        );
        for fact in statement.facts.iter().filter(|fact| fact.source == number) {
            let _ =
                write!(marks, "<q>{}</q><small>{}</small>", hypertext(&fact.found.fact.quote), origin(fact));
        }
        let _ = write!(marks, "<a href=\"#{label}\">{label} in the references</a></span></span>");
    }
    marks
}

/// Where a fact comes from, in one line.
fn origin(fact: &NumberedFact<'_>) -> String {
    let mut parts = vec![hypertext(&fact.card.source.title)];
    parts.extend(fact.card.source.date.as_deref().map(hypertext));
    parts.extend(fact.found.page.map(|page| format!("page {page}")));
    let heading = hypertext(&fact.found.heading);
    if !heading.is_empty() && !parts.contains(&heading) {
        parts.push(heading);
    }
    parts.push(format!("weight {:.2}", fact.weight));
    parts.push(format!("confidence {}", fact.confidence.name().to_lowercase()));
    if fact.independent > 1 {
        parts.push(format!("said by {} independent sources", fact.independent));
    }
    parts.join(" · ")
}

/// Every cited fact with its quote: what a popover shows, for paper and for those who read in order.
fn evidence(text: &mut String, report: &CitedReport<'_>) {
    let cited: BTreeMap<usize, &NumberedFact<'_>> =
        report.statements().flat_map(|statement| &statement.facts).map(|fact| (fact.number, *fact)).collect();
    text.push_str("<h2>Evidence</h2>\n<ul class=\"refs\">\n");
    for fact in cited.values() {
        let _ = writeln!(
            text,
            "<li id=\"{label}\"><b>{label}</b> [{}] <q>{}</q><br><small>{}</small></li>",
            fact.source_label(),
            hypertext(&fact.found.fact.quote),
            origin(fact),
            label = fact.label(),
        );
    }
    text.push_str("</ul>\n");
}

fn references(text: &mut String, report: &CitedReport<'_>) {
    text.push_str("<h2>References</h2>\n<ul class=\"refs\">\n");
    for (index, card) in report.facts.sources().iter().enumerate() {
        let label = source_label(index + 1);
        let _ = writeln!(text, "<li id=\"{label}\"><b>[{label}]</b> {}</li>", reference(card));
    }
    text.push_str("</ul>\n");
}

fn reference(card: &SourceCard) -> String {
    let title = hypertext(&card.source.title);
    let target = match &card.source.location {
        Location::Url(url) => address(url),
        Location::Path(_) => Some(link(&card.copy())),
    };
    let title = match target {
        Some(target) => format!("<a href=\"{}\" rel=\"noreferrer noopener\">{title}</a>", hypertext(&target)),
        None => title,
    };
    let mut parts = Vec::new();
    parts.extend(card.author.as_deref().map(hypertext));
    parts.push(hypertext(card.source.date.as_deref().unwrap_or("no date")));
    parts.push(hypertext(&card.shown));
    if !card.references.is_empty() {
        parts.push(format!("found by {}", hypertext(&card.found_by().join(", "))));
    }
    parts.push(format!("accessed {}", hypertext(&card.accessed)));
    let copy = card.copy();
    parts.push(format!("local copy <a href=\"{}\">{}</a>", hypertext(&link(&copy)), hypertext(&copy)));
    parts.push(format!("authority {} {:.1}", authority(card.authority()), card.authority().value()));
    if card.replaced {
        parts.push("replaced by a later document".to_owned());
    }
    format!("{title}<br><small>{}</small>", parts.join(" · "))
}
