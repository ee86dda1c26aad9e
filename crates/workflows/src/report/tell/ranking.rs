//! Who is first, and who comes behind.

use baton_figures::{Aggregate, Figure, Measure};

use super::{LISTED, all_of, at_time, measured, subject, was};
use crate::report::prose::{Line, Sentence};

/// An average of one cell is the cell itself.
pub(super) fn of_cells(measure: &Measure, figures: &[&Figure]) -> Measure {
    let is_cell = |figure: &&Figure| figure.cells.iter().map(|cells| cells.count).sum::<u64>() == 1;
    match measure.how {
        Aggregate::Mean if !figures.is_empty() && figures.iter().all(is_cell) => {
            Measure { how: Aggregate::Sum, ..measure.clone() }
        }
        _ => measure.clone(),
    }
}

/// "Harbour had the highest revenue with 3, ahead of Mill with 2".
pub(super) fn ranking(figures: &[Figure], measure: &Measure, by: &str, ascending: bool) -> Vec<Sentence> {
    let mut ranked: Vec<&Figure> = figures.iter().filter(|figure| figure.rank.is_some()).collect();
    ranked.sort_by_key(|figure| figure.rank);
    let Some(first) = ranked.first() else { return Vec::new() };
    let measure = &of_cells(measure, &ranked);
    let bare = measured(measure);
    let bare = if measure.column.is_none() { "rows" } else { bare.strip_prefix("the ").unwrap_or(&bare) };
    // Goals are many, revenue is high.
    let counts = measure.column.is_none()
        || measure.how == Aggregate::Sum && was(bare) == "were" && first.unit.is_none();
    let most = match (counts, ascending) {
        (true, false) => "most",
        (true, true) => "fewest",
        (false, false) => "highest",
        (false, true) => "lowest",
    };
    let mut line = Line::default()
        .words(&format!(
            "{} had the {most} {bare}{}{} with ",
            subject(first, by),
            all_of(first, by),
            at_time(first)
        ))
        .number(first);
    let rest: Vec<&&Figure> = ranked.iter().skip(1).take(LISTED - 1).collect();
    for (at, other) in rest.iter().enumerate() {
        let joint = match at {
            0 => ", ahead of ",
            _ if at + 1 == rest.len() => " and ",
            _ => ", ",
        };
        let joint = if ascending && at == 0 { ", followed by " } else { joint };
        line = line.words(&format!("{joint}{} with ", subject(other, by))).number(other);
    }
    vec![line.end()]
}
