//! data_pack.xlsx: the figures, the series behind the charts, the comparisons, terms and sources, with native charts.

use baton_charts::Language;
use baton_charts::workbook::{
    Cell, Column, DataPack, Format, Formula, KeyFigure, Operator, Source, Table, Term, write,
};
use baton_figures::{Calculation, Decimal, Figure, Series};

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
        subtitle: super::about(memory),
        language: Language::of_code(&brief.language),
        created: memory.order.today.clone(),
        summary: key_figures(memory),
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
                source: memory
                    .facts
                    .get(&term.context)
                    .and_then(|fact| memory.sources.get(&fact.fact.source))
                    .map(|card| card.source.title.clone())
                    .unwrap_or_default(),
            })
            .collect(),
        sources,
        charts: memory.charts().iter().map(|planned| planned.chart.clone()).collect(),
    }
}

/// Whole numbers without decimals; the unit stands beside them.
fn format(mut values: impl Iterator<Item = f64>) -> Format {
    if values.all(|value| value.fract() == 0.0) { Format::Whole } else { Format::Decimal(2) }
}

/// The figures of the report, each once: two questions may have the same answer.
fn key_figures(memory: &Memory) -> Vec<KeyFigure> {
    let mut shown: Vec<&Figure> = Vec::new();
    for figure in memory.shown_figures() {
        if !shown.iter().any(|known| known.label == figure.label && known.calculation == figure.calculation) {
            shown.push(figure);
        }
    }
    shown.iter().map(|figure| key_figure(memory, figure, &shown)).collect()
}

/// How a figure follows from others of the list; none where its parts are not there.
fn derived(figure: &Figure, shown: &[&Figure]) -> Option<Formula> {
    let part = |wanted: &Calculation| match wanted {
        Calculation::Constant { value } => Some((Formula::Number(value.to_f64()), *value)),
        _ => {
            let row = shown.iter().position(|it| it.calculation == *wanted)?;
            Some((Formula::Figure(row), shown.get(row)?.value))
        }
    };
    let of =
        |left: Formula, sign: Operator, right: Formula| Formula::Of(Box::new(left), sign, Box::new(right));
    match &figure.calculation {
        Calculation::Difference { first, second } => {
            Some(of(part(first)?.0, Operator::Minus, part(second)?.0))
        }
        Calculation::Quotient { above, below, factor, .. } => {
            let ratio = of(part(above)?.0, Operator::Over, part(below)?.0);
            Some(of(ratio, Operator::Times, Formula::Number(factor.to_f64())))
        }
        Calculation::Change { from, to, .. } => {
            let ((before, size), (after, _)) = (part(from)?, part(to)?);
            // Of what is below zero the size counts, which takes more than the four signs.
            let rise = of(after, Operator::Minus, before.clone());
            (size > Decimal::ZERO)
                .then(|| of(of(rise, Operator::Over, before), Operator::Times, Formula::Number(100.0)))
        }
        _ => None,
    }
}

fn key_figure(memory: &Memory, figure: &Figure, shown: &[&Figure]) -> KeyFigure {
    let value = figure.value.to_f64();
    let file = figure.cells.first().map(|cells| memory.file_of(&cells.table)).unwrap_or_default();
    KeyFigure {
        label: figure.label.clone(),
        value: derived(figure, shown).map_or(Cell::Number(value), |formula| Cell::Derived { formula, value }),
        format: format(std::iter::once(value)),
        unit: figure.unit.clone().unwrap_or_default(),
        period: figure.period.map(period_name).unwrap_or_default(),
        origin: format!("{file}: {}", figure.formula.words),
    }
}

/// A table for each series of the charts.
fn series(memory: &Memory) -> Vec<Table> {
    let drawn: Vec<&String> = memory.charts().iter().flat_map(|planned| &planned.series_files).collect();
    let mut shown: Vec<Series> = Vec::new();
    for named in all_series(memory).into_iter().filter(|named| drawn.contains(&&named.file)) {
        if !shown.contains(&named.series) {
            shown.push(named.series);
        }
    }
    let title = |series: &Series| format!("{} by {}", series_name(series), series.grain.name());
    shown
        .iter()
        .enumerate()
        .map(|(at, series)| {
            let name = series_name(series);
            let unit = series.unit.clone().unwrap_or_default();
            let alike = shown.iter().take(at).filter(|other| title(other) == title(series)).count();
            let number = if alike == 0 { String::new() } else { format!(" ({})", alike + 1) };
            Table {
                name: format!("{}{number}", title(series)),
                note: format!("{}, {}", memory.file_of(&series.table), series.measure),
                columns: vec![
                    Column { name: capital(series.grain.name()), ..Column::default() },
                    Column {
                        name,
                        unit,
                        format: format(series.values.iter().flatten().map(|value| value.to_f64())),
                    },
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
                    // The head has its unit in it already.
                    name: name.clone(),
                    unit: String::new(),
                    format: match at {
                        0 => Format::Plain,
                        _ => format(
                            behind.rows.iter().flat_map(|(_, values)| values.iter().flatten().copied()),
                        ),
                    },
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
