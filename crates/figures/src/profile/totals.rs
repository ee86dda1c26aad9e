//! Rows that sum up all others under a name of their own: "All natural disasters" among its kinds. The name only says where to
//! look; the sums decide.

mod heap;
pub mod labelled;

use std::ops::ControlFlow;

use super::column::ColumnState;
use super::guess::{is_part_of_date, words};
use super::sums::adds_up;
use crate::compute::column::Column;
use crate::error::FiguresError;
use crate::reading::{Kind, LeaveOut, TableReading};
use crate::source::{self, Context};

/// First words of names for a whole.
const WHOLES: [&str; 12] =
    ["all", "any", "both", "world", "overall", "whole", "every", "total", "global", "alle", "gesamt", "все"];
/// A sum is the sum of the others if it is no further off.
const CLOSE: f64 = 0.002;

/// What the rows of a label come to, and all other rows.
type Sums = (f64, f64);

/// Labels whose rows come to what all other rows come to.
pub fn found(
    table: &TableReading,
    states: &[ColumnState],
    context: &Context,
) -> Result<Vec<LeaveOut>, FiguresError> {
    let numbers: Vec<Column> = table
        .columns
        .iter()
        .enumerate()
        .filter(|(_, column)| {
            let adds = adds_up(&column.name, column.unit.as_deref()) && !is_part_of_date(&column.name);
            column.kind == Kind::Number && adds
        })
        .map(|(at, column)| Column::own(at, column))
        .collect();
    let mut sums: Vec<(Column, String, Vec<Sums>)> = Vec::new();
    for (at, (column, state)) in table.columns.iter().zip(states).enumerate() {
        if column.kind != Kind::Text || state.categories.len() < 3 {
            continue;
        }
        let labels = state.categories.keys().map(|label| String::from_utf8_lossy(label).into_owned());
        let whole = |label: &String| words(label).first().is_some_and(|word| WHOLES.contains(&word.as_str()));
        sums.extend(
            labels
                .filter(whole)
                .map(|label| (Column::own(at, column), label, vec![(0.0, 0.0); numbers.len()])),
        );
    }
    if sums.is_empty() || numbers.is_empty() {
        return Ok(Vec::new());
    }
    source::each_row(table, context, &mut |_, record| {
        let values: Vec<Option<f64>> =
            numbers.iter().map(|column| column.number(record).map(crate::Decimal::to_f64)).collect();
        for (column, label, sums) in &mut sums {
            let is_whole = column.text(record).is_some_and(|text| text == label.as_str());
            for ((whole, others), value) in sums.iter_mut().zip(&values) {
                *(if is_whole { whole } else { others }) += value.unwrap_or(0.0);
            }
        }
        Ok(ControlFlow::Continue(()))
    })?;
    let is_total = |(whole, others): &Sums| *whole != 0.0 && (whole - others).abs() <= CLOSE * whole.abs();
    let totals = sums.into_iter().filter(|(_, _, sums)| sums.iter().any(is_total));
    let mut totals: Vec<LeaveOut> = totals
        .map(|(column, label, _)| LeaveOut { column: column.reading.name, labels: vec![label] })
        .collect();
    totals.sort_by(|one, two| (&one.column, &one.labels).cmp(&(&two.column, &two.labels)));
    Ok(totals)
}
