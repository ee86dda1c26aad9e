//! A data pack with some of the charts.

use baton_charts::Positions;
use baton_charts::workbook::{
    Cell, Column, DataPack, Format, Formula, Function, KeyFigure, Operator, Source, Table, Term,
};

use crate::hard::negative;
use crate::{daily, dual, grouped, histogram, scatter, sorted, stacked, stacked_months, three_lines};

/// A data pack over the daily figures, with some of the charts.
pub fn pack() -> DataPack {
    let daily = daily();
    let Positions::Labels(days) = &daily.series[0].x else { return DataPack::default() };
    let town = |at: usize| ["Harlund", "Mosby", "Vestergate"][at % 3];
    let rows = days.iter().zip(&daily.series[0].y).enumerate().map(|(at, (day, value))| {
        vec![
            Cell::Date(day.clone()),
            Cell::Text(town(at).to_owned()),
            Cell::Number(value.unwrap_or_default()),
        ]
    });
    let column =
        |name: &str, unit: &str, format| Column { name: name.to_owned(), unit: unit.to_owned(), format };
    let sales = Table {
        name: "sales".to_owned(),
        note: "sales.csv, all rows".to_owned(),
        columns: vec![
            column("date", "", Format::Plain),
            column("town", "", Format::Plain),
            column("revenue", "EUR", Format::Whole),
        ],
        rows: rows.collect(),
    };
    let sum = |only: &[(&str, &str)]| Formula::Over {
        function: Function::Sum,
        table: "sales".to_owned(),
        column: "revenue".to_owned(),
        only: only.iter().map(|(column, words)| ((*column).to_owned(), (*words).to_owned())).collect(),
    };
    let values = || daily.series[0].y.iter().flatten();
    let total: f64 = values().sum();
    let of = |name: &str| -> f64 {
        values().enumerate().filter(|(at, _)| town(*at) == name).map(|(_, value)| value).sum()
    };
    let figure = |label: &str, formula, value, format, unit: &str| KeyFigure {
        label: label.to_owned(),
        value: Cell::Derived { formula, value },
        format,
        unit: unit.to_owned(),
        period: "2023 to 2024".to_owned(),
        origin: "Sum of revenue in sales.csv, 730 rows".to_owned(),
    };
    let share = Formula::Of(Box::new(sum(&[("town", "Harlund")])), Operator::Over, Box::new(sum(&[])));
    let towns = ["Harlund", "Mosby", "Vestergate"].map(|name| {
        vec![Cell::Text(name.to_owned()), Cell::Derived { formula: sum(&[("town", name)]), value: of(name) }]
    });
    DataPack {
        title: "Revenue of three towns".to_owned(),
        subtitle: "How did revenue develop, and where?".to_owned(),
        created: "2025-01-15".to_owned(),
        summary: vec![
            figure("Revenue", sum(&[]), total, Format::Whole, "EUR"),
            figure("Share of Harlund", share, of("Harlund") / total, Format::Percent(1), ""),
        ],
        data: vec![sales],
        comparison: vec![Table {
            name: "Revenue by town".to_owned(),
            columns: vec![column("town", "", Format::Plain), column("revenue", "EUR", Format::Whole)],
            rows: towns.to_vec(),
            ..Table::default()
        }],
        glossary: vec![Term {
            term: "Revenue".to_owned(),
            definition: "What customers paid, without tax.".to_owned(),
            source: "[1]".to_owned(),
        }],
        sources: vec![Source {
            id: "[1]".to_owned(),
            title: "sales.csv".to_owned(),
            url: "https://example.org/sales.csv".to_owned(),
            accessed: "2025-01-15".to_owned(),
            used_for: "All figures".to_owned(),
        }],
        charts: vec![
            daily,
            three_lines(),
            dual(),
            sorted(),
            grouped(),
            stacked(),
            stacked_months(),
            histogram(),
            scatter(),
            negative(),
        ],
        ..DataPack::default()
    }
}
