//! The report for paper, as data for the printer: the same sentences, charts and tables as the page, in the same order. Where
//! the page opens what a number rests on, paper has a note for each sentence.

use baton_charts::Language;
use baton_pdf::{Block, Column, Document, Note, Span, Table};

use super::held_together;
use super::report_html::is_quote;
use crate::citation::Facts;
use crate::report::Memory;
use crate::report::aggregation::{DataTable, Passage, Section};
use crate::report::charting::PlannedChart;
use crate::report::context::file_name;
use crate::report::naming::{day_name, written};
use crate::report::order::Style;
use crate::report::prose::{Piece, Sentence};

/// The document; empty before there is a report.
#[must_use]
pub fn document(memory: &Memory) -> Document {
    let brief = memory.brief_or_rules();
    let facts = memory.numbered();
    let mut paper = Paper { memory, facts: &facts, notes: Vec::new(), blocks: Vec::new() };
    paper.write();
    Document {
        title: brief.title.clone(),
        subtitle: String::new(),
        byline: String::new(),
        date: day_name(&memory.order.today),
        language: Language::of_code(&brief.language),
        accent: if brief.preferences.style == Style::Warp {
            "#C41E3A".to_owned()
        } else {
            "#0b57a4".to_owned()
        },
        contents: true,
        blocks: paper.blocks,
        notes: paper.notes,
    }
}

struct Paper<'a> {
    memory: &'a Memory,
    facts: &'a Facts<'a>,
    notes: Vec<Note>,
    blocks: Vec<Block>,
}

impl Paper<'_> {
    fn write(&mut self) {
        let Some(aggregation) = self.memory.aggregation() else { return };
        let open = super::left_open(self.memory).map(|text| Sentence::remark(&text));
        self.list("In short", aggregation.takeaways.iter().chain(&open));
        for (at, section) in aggregation.sections.iter().enumerate() {
            self.heading(1, &format!("{}. {}", at + 1, section.title));
            self.section(section);
        }
        self.list(
            "Where data and documents disagree",
            aggregation.contradictions.iter().map(|it| &it.sentence),
        );
        self.list("What the sources advise", aggregation.recommendations.iter().map(|it| &it.sentence));
        self.plain_list("What stays open", self.memory.open_questions());
        self.glossary();
        self.list("About the data", aggregation.remarks.iter());
        self.sources();
    }

    fn heading(&mut self, level: u8, text: &str) {
        self.blocks.push(Block::Heading { level, text: text.to_owned() });
    }

    fn list<'s>(&mut self, name: &str, sentences: impl Iterator<Item = &'s Sentence>) {
        let items: Vec<Vec<Span>> = sentences.map(|it| self.spans(it)).collect();
        if !items.is_empty() {
            self.heading(1, name);
            self.blocks.push(Block::List { ordered: false, items });
        }
    }

    fn plain_list(&mut self, name: &str, lines: Vec<String>) {
        if !lines.is_empty() {
            self.heading(1, name);
            let items = lines.into_iter().map(|it| vec![Span::Text(it)]).collect();
            self.blocks.push(Block::List { ordered: false, items });
        }
    }

    fn section(&mut self, section: &Section) {
        let all = self.memory.charts();
        let charts: Vec<&PlannedChart> =
            all.iter().filter(|it| section.chart_ids.contains(&it.chart.id)).collect();
        let several = section.passages.len() > 1;
        for passage in &section.passages {
            if several {
                self.heading(2, &passage.question);
            }
            self.passage(passage);
            let own = charts.iter().filter(|chart| chart.question == passage.question);
            self.blocks.extend(own.map(|planned| Block::Chart(Box::new(planned.chart.clone()))));
        }
        let is_asked = |chart: &&&PlannedChart| {
            section.passages.iter().any(|passage| passage.question == chart.question)
        };
        let rest = charts.iter().filter(|chart| !is_asked(chart));
        self.blocks.extend(rest.map(|planned| Block::Chart(Box::new(planned.chart.clone()))));
        self.blocks.extend(section.data_tables.iter().map(table));
    }

    fn passage(&mut self, passage: &Passage) {
        let mut spans: Vec<Span> = Vec::new();
        for sentence in passage.sentences.iter().filter(|it| !is_quote(it)) {
            if !spans.is_empty() {
                spans.push(Span::Text(" ".to_owned()));
            }
            spans.extend(self.spans(sentence));
        }
        if !spans.is_empty() {
            self.blocks.push(Block::Paragraph(spans));
        }
        for quote in passage.sentences.iter().filter(|it| is_quote(it)) {
            let spans = self.spans(quote);
            self.blocks.push(Block::Quote(spans));
        }
    }

    fn glossary(&mut self) {
        let terms = self.memory.aggregation().map(|it| it.glossary.as_slice()).unwrap_or_default();
        if terms.is_empty() {
            return;
        }
        self.heading(1, "Glossary");
        let items = terms.iter().map(|term| {
            let mut spans =
                vec![Span::Strong(term.term.clone()), Span::Text(format!(": {}", term.definition))];
            spans.extend(self.note(&[], std::slice::from_ref(&term.context)));
            spans
        });
        let items = items.collect::<Vec<_>>();
        self.blocks.push(Block::List { ordered: false, items });
    }

    fn sources(&mut self) {
        self.heading(1, "Sources");
        let cited = self.memory.cited(self.facts);
        let cards = cited.iter().filter_map(|number| self.facts.source(*number)).map(|card| {
            let date =
                card.source.date.as_deref().map(|it| format!(", {}", day_name(it))).unwrap_or_default();
            let read = day_name(&card.accessed);
            vec![Span::Text(format!("{} ({}{date}, read on {read})", card.source.title, card.shown))]
        });
        let tables = self.memory.context.iter().flat_map(|context| &context.profiles.tables);
        let files = tables.map(|table| {
            let name = file_name(&table.reading.file);
            vec![Span::Text(format!("{name} (table {}, {} rows)", table.reading.name, table.rows))]
        });
        let items = cards.chain(files).collect();
        self.blocks.push(Block::List { ordered: false, items });
    }

    /// A sentence, and the mark of its note.
    fn spans(&mut self, sentence: &Sentence) -> Vec<Span> {
        let mut spans = Vec::new();
        let mut figures: Vec<&str> = Vec::new();
        for piece in &sentence.pieces {
            match piece {
                Piece::Words(words) => spans.push(Span::Text(held_together(words))),
                Piece::Number { text, figure } => {
                    if !figures.contains(&figure.as_str()) {
                        figures.push(figure);
                    }
                    spans.push(Span::Number { text: text.clone(), note: String::new() });
                }
            }
        }
        spans.extend(self.note(&figures, &sentence.facts));
        spans
    }

    /// The mark of the note about these figures and facts; the same words have one note.
    fn note(&mut self, figures: &[&str], facts: &[String]) -> Option<Span> {
        let mut text: Vec<Span> = Vec::new();
        for figure in figures.iter().filter_map(|id| self.memory.figure(id)) {
            if !text.is_empty() {
                text.push(Span::Break);
            }
            let value = written(figure.value, figure.unit.as_deref());
            text.push(Span::Strong(value));
            text.push(Span::Text(format!(" = {}", figure.formula.words)));
            if !figure.formula.cells.is_empty() && figure.formula.cells.len() <= 160 {
                text.push(Span::Text(": ".to_owned()));
                text.push(Span::Code(figure.formula.cells.clone()));
            }
        }
        for fact in facts.iter().filter_map(|key| self.facts.fact(key)) {
            if !text.is_empty() {
                text.push(Span::Break);
            }
            let page = fact.found.page.map(|page| format!(", page {page}")).unwrap_or_default();
            text.push(Span::Text(format!("\u{201c}{}\u{201d} ", fact.found.fact.quote)));
            text.push(Span::Emphasis(format!("{}{page}", fact.card.source.title)));
        }
        if text.is_empty() {
            return None;
        }
        let known = self.notes.iter().find(|note| note.text == text).map(|note| note.id.clone());
        let id = known.unwrap_or_else(|| {
            let id = format!("n{}", self.notes.len() + 1);
            self.notes.push(Note { id: id.clone(), text });
            id
        });
        Some(Span::Reference { note: id })
    }
}

fn table(table: &DataTable) -> Block {
    let columns = table.headers.iter().enumerate();
    Block::Table(Table {
        caption: table.name.clone(),
        columns: columns.map(|(at, name)| Column { name: name.clone(), numeric: at > 0 }).collect(),
        rows: table
            .rows
            .iter()
            .map(|row| row.iter().map(|cell| vec![Span::Text(cell.text.clone())]).collect())
            .collect(),
        source: String::new(),
    })
}
