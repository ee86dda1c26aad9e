//! report.html: the report in one file that loads nothing. A number opens the cells it was computed from, a citation the
//! words it rests on; charts can be read value by value, and are pictures on paper.

mod evidence;

use std::fmt::Write;

use baton_charts::svg::Look;

use super::held_together;
use crate::citation::Facts;
use crate::markup::html::{escaped, framing};
use crate::markup::hypertext;
use crate::report::Memory;
use crate::report::aggregation::{DataTable, Passage, Section};
use crate::report::charting::PlannedChart;
use crate::report::order::Style;
use crate::report::prose::{Piece, Sentence};

const SHARED: &str = include_str!("report.css");
const WARP: &str = include_str!("warp.css");

/// The page; none before there is a report.
#[must_use]
pub fn render(memory: &Memory) -> Option<String> {
    let aggregation = memory.aggregation()?;
    let brief = memory.brief_or_rules();
    let facts = memory.numbered();
    let page = Page { memory, facts: &facts };
    let mut body = page.head(&brief.title);
    body.push_str("<main>\n");
    body.push_str(&page.contents());
    page.takeaways(&mut body);
    for (at, section) in aggregation.sections.iter().enumerate() {
        page.section(&mut body, at + 1, section);
    }
    page.rest(&mut body);
    body.push_str("</main>\n");
    let style = match brief.preferences.style {
        Style::Warp => format!("{SHARED}{WARP}"),
        Style::Default => SHARED.to_owned(),
    };
    Some(framing(&brief.title, &brief.language, baton_charts::page::script_hash(), &style, &body))
}

struct Page<'a> {
    memory: &'a Memory,
    facts: &'a Facts<'a>,
}

impl Page<'_> {
    fn head(&self, title: &str) -> String {
        format!(
            "<header>\n<h1>{}</h1>\n<p class=\"about\">{}</p>\n</header>\n",
            hypertext(title),
            hypertext(&super::about(self.memory))
        )
    }

    /// Headings behind the sections, each with its anchor, as far as there is something under them.
    fn others(&self) -> Vec<(&'static str, &'static str)> {
        let Some(aggregation) = self.memory.aggregation() else { return Vec::new() };
        let mut others = Vec::new();
        let mut put = |has: bool, anchor, name| {
            if has {
                others.push((anchor, name));
            }
        };
        put(!aggregation.contradictions.is_empty(), "conflicts", "Where data and documents disagree");
        put(!aggregation.recommendations.is_empty(), "advice", "What the sources advise");
        put(!self.memory.open_questions().is_empty(), "open", "What stays open");
        put(!aggregation.glossary.is_empty(), "glossary", "Glossary");
        put(!aggregation.remarks.is_empty(), "about-data", "About the data");
        put(true, "sources", "Sources");
        put(!self.memory.shown_figures().is_empty(), "figures", "How the figures were computed");
        others
    }

    fn contents(&self) -> String {
        let sections = self.memory.aggregation().map(|it| it.sections.as_slice()).unwrap_or_default();
        let mut text = "<nav aria-label=\"Contents\">\n<h2>Contents</h2>\n<ol>\n".to_owned();
        for (at, section) in sections.iter().enumerate() {
            // Writing to a String cannot fail, here and below.
            let _ = writeln!(text, "<li><a href=\"#s{}\">{}</a></li>", at + 1, hypertext(&section.title));
        }
        text.push_str("</ol>\n<ul>\n");
        for (anchor, name) in self.others() {
            let _ = writeln!(text, "<li><a href=\"#{anchor}\">{name}</a></li>");
        }
        text.push_str("</ul>\n</nav>\n");
        text
    }

    fn takeaways(&self, body: &mut String) {
        let Some(aggregation) = self.memory.aggregation() else { return };
        if aggregation.takeaways.is_empty() && self.memory.open_questions().is_empty() {
            return;
        }
        body.push_str("<section class=\"short\">\n<h2>In short</h2>\n<ul>\n");
        for takeaway in &aggregation.takeaways {
            let _ = writeln!(body, "<li>{}</li>", self.sentence(takeaway));
        }
        if let Some(open) = super::left_open(self.memory) {
            let _ = writeln!(body, "<li><a href=\"#open\">{open}</a></li>");
        }
        body.push_str("</ul>\n</section>\n");
    }

    fn section(&self, body: &mut String, number: usize, section: &Section) {
        let _ = writeln!(
            body,
            "<section id=\"s{number}\">\n<h2><span class=\"no\">{number}</span> {}</h2>",
            hypertext(&section.title)
        );
        let charts: Vec<&PlannedChart> =
            self.memory.charts().iter().filter(|it| section.chart_ids.contains(&it.chart.id)).collect();
        let several = section.passages.len() > 1;
        for passage in &section.passages {
            self.passage(body, passage, several);
            for chart in charts.iter().filter(|chart| chart.question == passage.question) {
                self.chart(body, chart);
            }
        }
        let asked: Vec<&str> = section.passages.iter().map(|it| it.question.as_str()).collect();
        for chart in charts.iter().filter(|chart| !asked.contains(&chart.question.as_str())) {
            self.chart(body, chart);
        }
        for table in &section.data_tables {
            self.table(body, table);
        }
        body.push_str("</section>\n");
    }

    fn passage(&self, body: &mut String, passage: &Passage, several: bool) {
        if several {
            let _ = writeln!(body, "<h3>{}</h3>", hypertext(&passage.question));
        }
        let prose: Vec<&Sentence> = passage.sentences.iter().filter(|it| !is_quote(it)).collect();
        if !prose.is_empty() {
            let class = if passage.answered { "" } else { " class=\"open\"" };
            let text: Vec<String> = prose.iter().map(|sentence| self.sentence(sentence)).collect();
            let _ = writeln!(body, "<p{class}>{}</p>", text.join(" "));
        }
        for quote in passage.sentences.iter().filter(|it| is_quote(it)) {
            let _ = writeln!(body, "<blockquote>{}</blockquote>", self.sentence(quote));
        }
    }

    /// A sentence; its numbers and citations open what they rest on.
    fn sentence(&self, sentence: &Sentence) -> String {
        let mut text = String::new();
        for piece in &sentence.pieces {
            match piece {
                Piece::Words(words) => text.push_str(&spaced(words)),
                Piece::Number { text: number, figure } => text.push_str(&self.number(number, figure)),
            }
        }
        for key in &sentence.facts {
            text.push_str(&self.citation(key));
        }
        text
    }

    fn number(&self, written: &str, id: &str) -> String {
        let shown = hypertext(written).replace(' ', "\u{a0}");
        let Some(figure) = self.memory.figure(id) else { return shown };
        format!(
            "<span class=\"num\" tabindex=\"0\">{shown}<span class=\"pop\" role=\"note\">{}</span></span>",
            self.opened(figure)
        )
    }

    fn citation(&self, key: &str) -> String {
        let Some(fact) = self.facts.fact(key) else { return String::new() };
        let page = fact.found.page.map(|page| format!(", page {page}")).unwrap_or_default();
        format!(
            " <span class=\"cite\" tabindex=\"0\" aria-label=\"source {n}\">[{n}]<span class=\"pop\" role=\"note\">\
             <q>{}</q><small>{}{page}</small></span></span>",
            hypertext(&fact.found.fact.quote),
            hypertext(&fact.card.source.title),
            n = fact.source,
        )
    }

    fn chart(&self, body: &mut String, planned: &PlannedChart) {
        let chart = &planned.chart;
        let (Ok(page), Ok(picture), Ok((high, narrow))) = (
            baton_charts::page::write(chart),
            baton_charts::svg::draw(chart, &Look::print()),
            baton_charts::page::heights(chart),
        ) else {
            return;
        };
        let title = hypertext(&chart.title);
        let _ = writeln!(
            body,
            "<figure id=\"{id}\">\n<iframe class=\"screen\" sandbox=\"allow-scripts\" loading=\"lazy\" title=\"{title}\" \
             style=\"--high: {high}px; --narrow: {narrow:.3}\" srcdoc=\"{}\"></iframe>\n<div class=\"paper\" aria-hidden=\"true\">{picture}</div>\n</figure>",
            escaped(&page),
            id = hypertext(&chart.id),
        );
    }

    fn table(&self, body: &mut String, table: &DataTable) {
        let _ = writeln!(
            body,
            "<div class=\"wide\"><table>\n<caption>{}</caption>\n<thead><tr>",
            hypertext(&table.name)
        );
        for (at, header) in table.headers.iter().enumerate() {
            let class = if at == 0 { "" } else { " class=\"right\"" };
            let _ = write!(body, "<th scope=\"col\"{class}>{}</th>", hypertext(header));
        }
        body.push_str("</tr></thead>\n<tbody>\n");
        for row in &table.rows {
            body.push_str("<tr>");
            for cell in row {
                let shown = match &cell.figure {
                    Some(figure) => format!("<td class=\"right\">{}</td>", self.number(&cell.text, figure)),
                    None => format!("<th scope=\"row\">{}</th>", hypertext(&cell.text)),
                };
                body.push_str(&shown);
            }
            body.push_str("</tr>\n");
        }
        body.push_str("</tbody></table></div>\n");
    }
}

/// Words of a document as they stand, rather than a sentence about them.
pub(super) fn is_quote(sentence: &Sentence) -> bool {
    !sentence.facts.is_empty() && !sentence.by_model && sentence.figures().is_empty()
}

/// Escaped, with the blanks at its ends.
fn spaced(words: &str) -> String {
    let start = if words.starts_with(' ') { " " } else { "" };
    let end = if words.ends_with(' ') && words.trim() != "" { " " } else { "" };
    held_together(&format!("{start}{}{end}", hypertext(words)))
}
