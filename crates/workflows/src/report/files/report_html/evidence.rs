//! The back of the report: what disagrees, what is advised, what stays open, terms, sources, and how each figure came about.

use std::fmt::Write;

use baton_figures::profile::TimeProfile;
use baton_figures::{Figure, Grain, Period};

use super::Page;
use crate::markup::{count, hypertext};
use crate::report::context::file_name;
use crate::report::naming::{day_name, period_name, written};

/// Runs of rows that are listed; the formula names all of them.
const RUNS: usize = 6;

impl Page<'_> {
    /// Everything behind the sections.
    pub(super) fn rest(&self, body: &mut String) {
        let Some(aggregation) = self.memory.aggregation() else { return };
        for (anchor, name) in self.others() {
            let _ = writeln!(body, "<section id=\"{anchor}\">\n<h2>{name}</h2>");
            match anchor {
                "conflicts" => {
                    let lines = aggregation.contradictions.iter().map(|it| self.sentence(&it.sentence));
                    list(body, lines, "");
                }
                "advice" => {
                    list(body, aggregation.recommendations.iter().map(|it| self.sentence(&it.sentence)), "");
                }
                "open" => {
                    body.push_str("<p>Neither the data nor the documents answer:</p>\n");
                    list(body, self.memory.open_questions().iter().map(|it| hypertext(it)), "");
                }
                "glossary" => self.glossary(body),
                "about-data" => list(body, aggregation.remarks.iter().map(|it| hypertext(&it.text())), ""),
                "sources" => self.sources(body),
                _ => self.figures(body),
            }
            body.push_str("</section>\n");
        }
    }

    fn glossary(&self, body: &mut String) {
        let terms = self.memory.aggregation().map(|it| it.glossary.as_slice()).unwrap_or_default();
        body.push_str("<dl>\n");
        for term in terms {
            let _ = writeln!(
                body,
                "<dt>{}</dt><dd>{}{}</dd>",
                hypertext(&term.term),
                hypertext(&term.definition),
                self.citation(&term.context)
            );
        }
        body.push_str("</dl>\n");
    }

    fn sources(&self, body: &mut String) {
        let cited = self.memory.cited(self.facts);
        body.push_str("<ol class=\"refs\">\n");
        for number in &cited {
            let Some(card) = self.facts.source(*number) else { continue };
            let date = card
                .source
                .date
                .as_deref()
                .map(|date| format!(", {}", hypertext(&day_name(date))))
                .unwrap_or_default();
            let _ = writeln!(
                body,
                "<li value=\"{number}\">{}<br><small>{}{date}, read on {}</small></li>",
                hypertext(&card.source.title),
                hypertext(&card.shown),
                hypertext(&day_name(&card.accessed))
            );
        }
        body.push_str("</ol>\n");
        let tables = self.memory.context.iter().flat_map(|context| &context.profiles.tables);
        let lines = tables.map(|table| {
            let time = table.time.as_ref().map(|time| format!(", {}", span(time))).unwrap_or_default();
            let rows = usize::try_from(table.rows).unwrap_or(usize::MAX);
            format!(
                "{}<br><small>table {}, {}{time}</small>",
                hypertext(&file_name(&table.reading.file)),
                hypertext(&table.reading.name),
                count(rows, "row")
            )
        });
        list(body, lines, " class=\"refs\"");
    }

    fn figures(&self, body: &mut String) {
        body.push_str(
            "<details>\n<summary>Every figure of this report, with its formula and cells</summary>\n",
        );
        // Two questions may have come to the same figure; a reader needs it once.
        let mut lines: Vec<String> = Vec::new();
        for figure in self.memory.shown_figures() {
            let value = written(figure.value, figure.unit.as_deref());
            let line = format!("<b>{}</b> {}", hypertext(&value), self.opened(figure));
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        list(body, lines.into_iter(), " class=\"refs\"");
        body.push_str("</details>\n");
    }

    /// What a number opens: what it is, how it was computed, from which cells.
    pub(super) fn opened(&self, figure: &Figure) -> String {
        let exact = figure.value.to_string();
        let unit = figure.unit.as_deref().map(|unit| format!(" {}", hypertext(unit))).unwrap_or_default();
        let mut text = format!("{}<small>{exact}{unit}", hypertext(&figure.label));
        let _ = write!(text, " = {}</small>", hypertext(&figure.formula.words));
        if !figure.formula.cells.is_empty() && figure.formula.cells.len() <= 160 {
            let _ = write!(text, "<small><code>{}</code></small>", hypertext(&figure.formula.cells));
        }
        for cells in &figure.cells {
            let runs: Vec<String> = cells
                .rows
                .iter()
                .take(RUNS)
                .map(
                    |(first, last)| {
                        if first == last { format!("{first}") } else { format!("{first}\u{2013}{last}") }
                    },
                )
                .collect();
            let more = if cells.rows.len() > RUNS || !cells.complete { " …" } else { "" };
            let column = cells
                .column
                .as_deref()
                .map(|column| format!(", column {}", hypertext(column)))
                .unwrap_or_default();
            let rows = usize::try_from(cells.count).unwrap_or(usize::MAX);
            let _ = write!(
                text,
                "<small>{}{column}: {} ({}{more})</small>",
                hypertext(&self.memory.file_of(&cells.table)),
                count(rows, "cell"),
                runs.join(", ")
            );
        }
        text
    }
}

fn list(body: &mut String, lines: impl Iterator<Item = String>, class: &str) {
    let _ = writeln!(body, "<ul{class}>");
    for line in lines {
        let _ = writeln!(body, "<li>{line}</li>");
    }
    body.push_str("</ul>\n");
}

/// From when to when a table goes: whole years are told as years.
fn span(time: &TimeProfile) -> String {
    let (first, last) = (Grain::Year.period(time.from), Grain::Year.period(time.to));
    if time.frequency == Some(Grain::Year) && (first.from, last.from) == (time.from, time.to) {
        return period_name(Period { from: first.from, to: last.to });
    }
    format!("{} to {}", day_name(&time.from.to_string()), day_name(&time.to.to_string()))
}
