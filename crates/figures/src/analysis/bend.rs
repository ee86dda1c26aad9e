//! Where a series bends. A step beside the bend takes up what a bend tried at a wrong place leaves over, so the place is
//! looked for again without one; and what grows by equal amounts is curved in logarithms, which draws the place away from
//! where the series turns, so both ways of growing are tried and the better one says where.

#![allow(clippy::cast_precision_loss)] // counts of periods

use super::statistics::{Base, median, smooth};

/// Periods on each side whose median is the level that noise is measured in.
const AROUND: usize = 15;

/// The place from `margin` on, counted from both ends, where a line that bends once fits best; values have no seasons left
/// in them and are logarithms where `by_parts`.
pub fn place(values: &[f64], places: &[f64], by_parts: bool, margin: usize) -> Option<usize> {
    let alike = vec![1.0; values.len()];
    let by_ratio = best(values, places, &alike, margin);
    if !by_parts {
        return by_ratio.map(|(_, at)| at);
    }
    let middle = median(values);
    let levels: Vec<f64> = smooth(values, AROUND).iter().map(|level| (level - middle).exp()).collect();
    let amounts: Vec<f64> = values.iter().map(|value| (value - middle).exp()).collect();
    // In parts of the level, so that what is left over compares with what is left over in logarithms.
    let by_amount = best(&amounts, places, &levels, margin);
    by_ratio.into_iter().chain(by_amount).min_by(|one, two| one.0.total_cmp(&two.0)).map(|(_, at)| at)
}

/// The least that is left over, and at which place.
fn best(values: &[f64], places: &[f64], levels: &[f64], margin: usize) -> Option<(f64, usize)> {
    let over = |cells: &mut dyn Iterator<Item = f64>| -> Vec<f64> {
        cells.zip(levels).map(|(cell, level)| cell / level).collect()
    };
    let line = [over(&mut std::iter::repeat(1.0)), over(&mut places.iter().copied())];
    let wanted = over(&mut values.iter().copied());
    let base = Base::new(&line, &wanted);
    let last = values.len().checked_sub(margin)?;
    let tries = (margin..=last).filter_map(|at| {
        let edge = places.get(at).copied()?;
        let bend = over(&mut places.iter().map(|place| (place - edge).max(0.0)));
        base.squares_with(&[bend]).map(|squares| (squares, at))
    });
    tries.min_by(|one, two| one.0.total_cmp(&two.0))
}

#[cfg(test)]
mod tests;
