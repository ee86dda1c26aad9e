//! report.html: the report in one file that loads nothing and runs nothing. A citation shows its quote, source,
//! page and weight on hover, focus or tap; on paper the quotes stand in the list of evidence.

use std::collections::BTreeMap;
use std::fmt::Write;

use baton_agents::search::Location;

use super::limits::limits;
use super::page::{Page, Said};
use super::report_md::authority;
use super::text::{address, count, html, link};
use crate::research::SourceCard;
use crate::research::graph::{Numbered, source_label};

const STYLE: &str = include_str!("report.css");
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// The page.
pub fn render(page: &Page<'_, '_>) -> String {
    let brief = &page.memory.brief;
    let title = html(&brief.topic);
    // Writing to a String cannot fail, here and below.
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n<h1>{title}</h1>\n<p class=\"about\">{} · confidence {} · {}, {}</p>\n<main>\n<h2>Answer</h2>\n",
        html(&brief.today),
        page.confidence().name().to_lowercase(),
        count(page.graph.sources().len(), "source"),
        count(page.graph.facts().len(), "fact"),
    );
    said(&mut text, &page.answer, page.report.by == "rules", "answer");
    for (name, lines) in &page.sections {
        let _ = writeln!(text, "<h2>{}</h2>", html(name));
        said(&mut text, lines, true, "");
    }
    disputed(&mut text, page);
    replaced(&mut text, page);
    text.push_str("<h2>Limits</h2>\n<ul>\n");
    for limit in limits(page) {
        let _ = writeln!(text, "<li>{}</li>", html(&limit));
    }
    text.push_str("</ul>\n");
    evidence(&mut text, page);
    references(&mut text, page);
    text.push_str("</main>\n</body>\n</html>\n");
    text
}

fn said(text: &mut String, lines: &[Said<'_, '_>], as_list: bool, class: &str) {
    let (open, close) = if as_list { ("ul", "ul") } else { ("p", "p") };
    let _ = writeln!(text, "<{open} class=\"{class}\">");
    for line in lines {
        let words = format!("{} {}", html(&line.text), citations(line));
        let _ = if as_list { writeln!(text, "<li>{words}</li>") } else { writeln!(text, "{words}") };
    }
    let _ = writeln!(text, "</{close}>");
}

/// One focusable mark per source, with a card for each fact.
fn citations(said: &Said<'_, '_>) -> String {
    let mut marks = String::new();
    for number in said.sources() {
        let label = source_label(number);
        let _ = write!(
            marks,
            "<span class=\"cite\" tabindex=\"0\" aria-label=\"source {label}\">[{label}]<span class=\"pop\" role=\"note\">"
        );
        for fact in said.facts.iter().filter(|fact| fact.source == number) {
            let _ = write!(marks, "<q>{}</q><small>{}</small>", html(&fact.finding.fact.quote), origin(fact));
        }
        let _ = write!(marks, "<a href=\"#{label}\">{label} in the references</a></span></span>");
    }
    marks
}

/// Where a fact comes from, in one line.
fn origin(fact: &Numbered<'_>) -> String {
    let mut parts = vec![html(&fact.card.source.title)];
    parts.extend(fact.card.source.date.as_deref().map(html));
    parts.extend(fact.finding.page.map(|page| format!("page {page}")));
    let heading = html(&fact.finding.heading);
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

fn quote(text: &mut String, side: &Said<'_, '_>) {
    let Some(fact) = side.facts.first() else { return };
    let _ = write!(
        text,
        "<p class=\"origin\">{}</p>\n<blockquote>{} {}</blockquote>\n",
        origin(fact),
        html(&side.text),
        citations(side)
    );
}

fn disputed(text: &mut String, page: &Page<'_, '_>) {
    if page.disputed.is_empty() {
        return;
    }
    text.push_str("<h2>Conflicting information</h2>\n");
    for disputed in &page.disputed {
        let _ = writeln!(text, "<h3>{}</h3>", html(&disputed.what));
        for side in &disputed.sides {
            quote(text, side);
        }
        let _ = match &disputed.verdict {
            Some(verdict) => writeln!(text, "<p>Weighed by {}.</p>", html(verdict.trim_end_matches('.'))),
            None => writeln!(text, "<p>Nobody weighed the two sides.</p>"),
        };
    }
}

fn replaced(text: &mut String, page: &Page<'_, '_>) {
    if page.replaced.is_empty() {
        return;
    }
    text.push_str("<h2>Superseded</h2>\n");
    for replaced in &page.replaced {
        let Some(card) = page.graph.sources().get(replaced.source.saturating_sub(1)) else { continue };
        let _ = write!(
            text,
            "<h3>{}</h3>\n<p>A later document says it replaces {}; it is not used as current. It said:</p>\n",
            html(&card.source.title),
            source_label(replaced.source),
        );
        for said in &replaced.said {
            quote(text, said);
        }
        if !replaced.now.is_empty() {
            text.push_str("<p>What says so now:</p>\n");
        }
        for said in &replaced.now {
            quote(text, said);
        }
    }
}

/// Every cited fact with its quote: what a popover shows, for paper and for those who read in order.
fn evidence(text: &mut String, page: &Page<'_, '_>) {
    let cited: BTreeMap<usize, &Numbered<'_>> =
        page.said().flat_map(|said| &said.facts).map(|fact| (fact.number, *fact)).collect();
    text.push_str("<h2>Evidence</h2>\n<ul class=\"refs\">\n");
    for fact in cited.values() {
        let _ = writeln!(
            text,
            "<li id=\"{label}\"><b>{label}</b> [{}] <q>{}</q><br><small>{}</small></li>",
            fact.source_label(),
            html(&fact.finding.fact.quote),
            origin(fact),
            label = fact.label(),
        );
    }
    text.push_str("</ul>\n");
}

fn references(text: &mut String, page: &Page<'_, '_>) {
    text.push_str("<h2>References</h2>\n<ul class=\"refs\">\n");
    for (index, card) in page.graph.sources().iter().enumerate() {
        let label = source_label(index + 1);
        let _ = writeln!(text, "<li id=\"{label}\"><b>[{label}]</b> {}</li>", reference(card));
    }
    text.push_str("</ul>\n");
}

fn reference(card: &SourceCard) -> String {
    let title = html(&card.source.title);
    let target = match &card.source.location {
        Location::Url(url) => address(url),
        Location::Path(_) => Some(link(&card.copy())),
    };
    let title = match target {
        Some(target) => format!("<a href=\"{}\" rel=\"noreferrer noopener\">{title}</a>", html(&target)),
        None => title,
    };
    let mut parts = Vec::new();
    parts.extend(card.author.as_deref().map(html));
    parts.push(html(card.source.date.as_deref().unwrap_or("no date")));
    parts.push(html(&card.shown));
    if !card.references.is_empty() {
        parts.push(format!("found by {}", html(&card.found_by().join(", "))));
    }
    parts.push(format!("accessed {}", html(&card.accessed)));
    let copy = card.copy();
    parts.push(format!("local copy <a href=\"{}\">{}</a>", html(&link(&copy)), html(&copy)));
    parts.push(format!("authority {} {:.1}", authority(card.authority()), card.authority().value()));
    if card.replaced {
        parts.push("replaced by a later document".to_owned());
    }
    format!("{title}<br><small>{}</small>", parts.join(" · "))
}
