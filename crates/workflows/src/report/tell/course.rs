//! What lies between the first and the last year: a low or a high that two ends do not tell.

use baton_figures::{Figure, Grain, Period};

use crate::report::facet::{Facet, Shape};
use crate::report::naming::period_name;
use crate::report::prose::Line;

/// ", with a low of 95.03 in 1994 and a high of 125 in 1986"; nothing where the ends are the highest and the lowest.
pub(super) fn turned(line: Line, figures: &[Figure], from: &Figure, to: &Figure) -> Line {
    let (Some(first), Some(last)) = (from.period, to.period) else { return line };
    let years: Vec<(&Figure, Period)> = figures
        .iter()
        .filter(|figure| matches!(Facet::of(figure).shape, Shape::Amount(_)) && figure.unit == from.unit)
        .filter_map(|figure| Some((figure, figure.period?)))
        .filter(|(_, period)| period.grain() == Some(Grain::Year))
        .filter(|(_, period)| period.from > first.to && period.to < last.from)
        .collect();
    let low = years.iter().min_by_key(|(figure, _)| figure.value);
    let high = years.iter().max_by_key(|(figure, _)| figure.value);
    let low = low.filter(|(it, _)| it.value < from.value.min(to.value)).map(|it| ("low", it));
    let high = high.filter(|(it, _)| it.value > from.value.max(to.value)).map(|it| ("high", it));
    let mut line = line;
    for (at, (name, (figure, period))) in low.into_iter().chain(high).enumerate() {
        let joint = if at == 0 { ", with a" } else { " and a" };
        line = line
            .words(&format!("{joint} {name} of "))
            .number(figure)
            .words(&format!(" in {}", period_name(*period)));
    }
    line
}
