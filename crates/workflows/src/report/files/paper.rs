//! The report for paper, as data for the printer: the same sentences, charts and notes as the page.

use std::collections::BTreeMap;

use baton_charts::Language;
use baton_pdf::{Block, Column, Document, Note, Span, Table};

use crate::citation::Facts;
use crate::report::Memory;
use crate::report::order::Style;
use crate::report::prose::{Piece, Sentence};

/// The document; empty before there is a report.
#[must_use]
pub fn document(memory: &Memory) -> Document {
    let brief = memory.brief_or_rules();
    let facts = memory.numbered();
    let mut paper = Paper { memory, facts: &facts, notes: BTreeMap::new() };
    let blocks = paper.blocks();
    Document {
        title: brief.title.clone(),
        subtitle: String::new(),
        byline: String::new(),
        date: memory.order.today.clone(),
        language: Language::of_code(&brief.language),
        accent: if brief.preferences.style == Style::Warp {
            "#C41E3A".to_owned()
        } else {
            "#0b57a4".to_owned()
        },
        contents: true,
        blocks,
        notes: paper.notes.into_iter().map(|(id, text)| Note { id, text }).collect(),
    }
}

struct Paper<'a> {
    memory: &'a Memory,
    facts: &'a Facts<'a>,
    notes: BTreeMap<String, Vec<Span>>,
}

impl Paper<'_> {
    fn blocks(&mut self) -> Vec<Block> {
        let Some(aggregation) = self.memory.aggregation() else { return Vec::new() };
        let heading = |level: u8, text: &str| Block::Heading { level, text: text.to_owned() };
        let mut blocks = vec![heading(1, "In short")];
        let items = aggregation.takeaways.iter().map(|it| self.spans(it)).collect();
        blocks.push(Block::List { ordered: false, items });
        for (at, section) in aggregation.sections.iter().enumerate() {
            blocks.push(heading(1, &format!("{}. {}", at + 1, section.title)));
            let several = section.passages.len() > 1;
            for passage in &section.passages {
                if several {
                    blocks.push(heading(2, &passage.question));
                }
                let mut spans: Vec<Span> = Vec::new();
                for sentence in &passage.sentences {
                    if !spans.is_empty() {
                        spans.push(Span::Text(" ".to_owned()));
                    }
                    spans.extend(self.spans(sentence));
                }
                blocks.push(Block::Paragraph(spans));
                let own =
                    self.memory.charts().iter().filter(|it| {
                        section.chart_ids.contains(&it.chart.id) && it.question == passage.question
                    });
                blocks.extend(own.map(|planned| Block::Chart(Box::new(planned.chart.clone()))));
            }
            for table in &section.data_tables {
                let columns = table.headers.iter().enumerate();
                blocks.push(Block::Table(Table {
                    caption: table.name.clone(),
                    columns: columns
                        .map(|(at, name)| Column { name: name.clone(), numeric: at > 0 })
                        .collect(),
                    rows: table
                        .rows
                        .iter()
                        .map(|row| row.iter().map(|cell| vec![Span::Text(cell.text.clone())]).collect())
                        .collect(),
                    source: String::new(),
                }));
            }
        }
        let lists: [(&str, Vec<&Sentence>); 3] = [
            (
                "Where data and documents disagree",
                aggregation.contradictions.iter().map(|it| &it.sentence).collect(),
            ),
            ("What the sources advise", aggregation.recommendations.iter().map(|it| &it.sentence).collect()),
            ("About the data", aggregation.remarks.iter().collect()),
        ];
        for (name, sentences) in lists {
            if !sentences.is_empty() {
                blocks.push(heading(1, name));
                let items = sentences.into_iter().map(|it| self.spans(it)).collect();
                blocks.push(Block::List { ordered: false, items });
            }
        }
        let open = self.memory.open_questions();
        if !open.is_empty() {
            blocks.push(heading(1, "What stays open"));
            let items = open.into_iter().map(|it| vec![Span::Text(it)]).collect();
            blocks.push(Block::List { ordered: false, items });
        }
        blocks.push(heading(1, "Sources"));
        let cards = self.facts.sources().iter().map(|card| {
            vec![Span::Text(format!("{}, {}, read on {}", card.source.title, card.shown, card.accessed))]
        });
        let tables = self.memory.context.iter().flat_map(|context| &context.profiles.tables);
        let files = tables.map(|table| {
            vec![Span::Text(format!(
                "{}, table {}",
                crate::report::context::file_name(&table.reading.file),
                table.reading.name
            ))]
        });
        blocks.push(Block::List { ordered: true, items: cards.chain(files).collect() });
        blocks
    }

    fn spans(&mut self, sentence: &Sentence) -> Vec<Span> {
        let mut spans = Vec::new();
        for piece in &sentence.pieces {
            match piece {
                Piece::Words(words) => spans.push(Span::Text(words.clone())),
                Piece::Number { text, figure } => {
                    if let Some(known) = self.memory.figure(figure) {
                        let note = format!("{}: {} = {}", known.label, known.value, known.formula.words);
                        self.notes.insert(figure.clone(), vec![Span::Text(note)]);
                    }
                    spans.push(Span::Number { text: text.clone(), note: figure.clone() });
                }
            }
        }
        for key in &sentence.facts {
            if let Some(fact) = self.facts.fact(key) {
                let note = format!("\u{201c}{}\u{201d} {}", fact.found.fact.quote, fact.card.source.title);
                self.notes.insert(fact.label(), vec![Span::Text(note)]);
                spans.push(Span::Reference { note: fact.label() });
            }
        }
        spans
    }
}
