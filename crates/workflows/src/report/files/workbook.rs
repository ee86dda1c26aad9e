//! data_pack.xlsx: the figures, the series behind the charts, the comparisons, terms and sources, with native charts.

use baton_charts::Language;
use baton_charts::workbook::{Cell, Column, DataPack, Format, KeyFigure, Source, Table, Term, write};
use baton_figures::{Decimal, Figure};

use super::state_json::labels;
use crate::report::Memory;
use crate::report::charting::{all_series, series_name};
use crate::report::naming::{capital, period_name};

/// The workbook; none if it cannot be written.
pub fn render(memory: &Memory) -> Option<Vec<u8>> {
    write(&pack(memory)).ok()
}

fn pack(memory: &Memory) -> DataPack {
    let brief = memory.brief_or_rules();
    let facts = memory.numbered();
    let shown = memory.shown_figures();
    let used = |key: &str| {
        let cites = memory.facts.values().filter(|fact| fact.fact.source == key).count();
        crate::markup::count(cites, "fact")
    };
    let mut sources: Vec<Source> = facts
        .sources()
        .iter()
        .enumerate()
        .map(|(at, card)| Source {
            id: format!("[{}]", at + 1),
            title: card.source.title.clone(),
            url: card.shown.clone(),
            accessed: card.accessed.clone(),
            used_for: used(card.key()),
        })
        .collect();
    sources.extend(memory.context.iter().flat_map(|context| &context.profiles.tables).map(|table| Source {
        id: table.reading.name.clone(),
        title: crate::report::context::file_name(&table.reading.file),
        url: String::new(),
        accessed: memory.order.today.clone(),
        used_for: "figures".to_owned(),
    }));
    DataPack {
        title: brief.title.clone(),
        subtitle: brief.goal.clone(),
        language: Language::of_code(&brief.language),
        created: memory.order.today.clone(),
        summary: shown.iter().map(|figure| key_figure(memory, figure)).collect(),
        data: series(memory),
        comparison: comparisons(memory),
        glossary: memory
            .aggregation()
            .map(|it| it.glossary.as_slice())
            .unwrap_or_default()
            .iter()
            .map(|term| Term {
                term: term.term.clone(),
                definition: term.definition.clone(),
                source: term.context.clone(),
            })
            .collect(),
        sources,
        charts: memory.charts().iter().map(|planned| planned.chart.clone()).collect(),
    }
}

fn format(figure: &Figure) -> Format {
    match figure.unit.as_deref() {
        Some(unit) if unit.len() == 3 && unit.chars().all(|letter| letter.is_ascii_uppercase()) => {
            Format::Money(unit.to_owned(), 2)
        }
        _ if figure.value.places() == 0 => Format::Whole,
        _ => Format::Decimal(2),
    }
}

fn key_figure(memory: &Memory, figure: &Figure) -> KeyFigure {
    let file = figure.cells.first().map(|cells| memory.file_of(&cells.table)).unwrap_or_default();
    KeyFigure {
        label: figure.label.clone(),
        value: Cell::Number(figure.value.to_f64()),
        format: format(figure),
        unit: figure.unit.clone().unwrap_or_default(),
        period: figure.period.map(period_name).unwrap_or_default(),
        origin: format!("{file}: {}", figure.formula.words),
    }
}

/// A table for each series of the charts.
fn series(memory: &Memory) -> Vec<Table> {
    let drawn: Vec<&String> = memory.charts().iter().flat_map(|planned| &planned.series_files).collect();
    all_series(memory)
        .into_iter()
        .filter(|named| drawn.contains(&&named.file))
        .map(|named| {
            let series = &named.series;
            let name = series_name(series);
            let unit = series.unit.clone().unwrap_or_default();
            Table {
                name: format!("{name} by {} ({})", series.grain.name(), named.file.trim_end_matches(".json")),
                note: memory.file_of(&series.table),
                columns: vec![
                    Column { name: capital(series.grain.name()), ..Column::default() },
                    Column { name, unit, format: Format::Decimal(2) },
                ],
                rows: labels(series)
                    .into_iter()
                    .zip(&series.values)
                    .map(|(label, value)| {
                        let value = value.map(Decimal::to_f64).map_or(Cell::Empty, Cell::Number);
                        vec![Cell::Text(label), value]
                    })
                    .collect(),
            }
        })
        .collect()
}

/// A table for each chart of bars.
fn comparisons(memory: &Memory) -> Vec<Table> {
    let mut tables = Vec::new();
    for planned in memory.charts().iter().filter(|it| it.series_files.is_empty()) {
        let Ok(behind) = baton_charts::Behind::of(&planned.chart) else { continue };
        tables.push(Table {
            name: planned.chart.title.clone(),
            note: planned.chart.source.clone(),
            columns: behind
                .head
                .iter()
                .enumerate()
                .map(|(at, name)| Column {
                    name: name.clone(),
                    unit: if at == 0 { String::new() } else { planned.chart.y.unit.clone() },
                    format: if at == 0 { Format::Plain } else { Format::Decimal(2) },
                })
                .collect(),
            rows: behind
                .rows
                .iter()
                .map(|(label, values)| {
                    let values = values.iter().map(|value| value.map_or(Cell::Empty, Cell::Number));
                    std::iter::once(Cell::Text(label.clone())).chain(values).collect()
                })
                .collect(),
        });
    }
    tables
}
