//! report.html: the report in one file that loads nothing and runs nothing. A citation shows its quote, source,
//! page and weight on hover, focus or tap; on paper the quotes stand in the list of evidence.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::facts::{NumberedFact, source_label};
use super::reference;
use crate::citation::report::{Block, CitedReport, Setting, Statement, excerpts};
use crate::markup::{self, hypertext, link};
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
        body.push_str(&rendered(block, if is_claims { std::mem::take(&mut class) } else { "" }));
    }
    evidence(&mut body, report);
    references(&mut body, report);
    body.push_str("</main>\n");
    markup::html::page(&report.title, &body)
}

fn rendered(block: &Block<'_>, class: &str) -> String {
    let items = |lines: &[String]| lines.iter().map(|line| format!("<li>{line}</li>\n")).collect::<String>();
    match block {
        Block::Heading(level, name) => format!("<h{level}>{}</h{level}>\n", hypertext(name)),
        Block::Note(note) => format!("<p>{}</p>\n", hypertext(note)),
        Block::Notes(notes) => {
            let notes: Vec<String> = notes.iter().map(|note| hypertext(note)).collect();
            format!("<ul>\n{}</ul>\n", items(&notes))
        }
        Block::Quote(quote) => quoted(quote),
        Block::Nearest(quote) => format!("<blockquote>{}</blockquote>\n", cited(quote)),
        Block::Claims(setting, lines) => {
            let strong = |line: &Statement<'_>| {
                format!("<strong>{}</strong> {}", hypertext(&line.text), citations(line))
            };
            let excerpts = || excerpts(lines, strong, cited);
            let all = || -> Vec<String> { lines.iter().map(cited).collect() };
            match setting {
                Setting::Excerpts => format!("<ul{class}>\n{}</ul>\n", items(&excerpts())),
                Setting::List => format!("<ul{class}>\n{}</ul>\n", items(&all())),
                Setting::Prose => format!("<p{class}>\n{}\n</p>\n", all().join("\n")),
            }
        }
    }
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
        report.citing().flat_map(|statement| &statement.facts).map(|fact| (fact.number, *fact)).collect();
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
    for number in report.cited() {
        let Some(card) = report.facts.source(number) else { continue };
        let label = source_label(number);
        let _ = writeln!(text, "<li id=\"{label}\"><b>[{label}]</b> {}</li>", reference(card));
    }
    text.push_str("</ul>\n");
}

fn reference(card: &SourceCard) -> String {
    let title = hypertext(&card.source.title);
    let title = match reference::target(card) {
        Some(target) => format!("<a href=\"{}\" rel=\"noreferrer noopener\">{title}</a>", hypertext(&target)),
        None => title,
    };
    let copy = card.copy();
    let copy = format!("<a href=\"{}\">{}</a>", hypertext(&link(&copy)), hypertext(&copy));
    format!("{title}<br><small>{}</small>", reference::details(card, hypertext, &copy).join(" · "))
}
