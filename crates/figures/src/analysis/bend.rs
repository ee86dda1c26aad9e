//! Where a series bends. A step beside the bend takes up what a bend tried at a wrong place leaves over, so the place is
//! looked for again without one; and what grows by equal amounts is curved in logarithms, which draws the place away from
//! where the series turns, so several ways of growing are tried and the best one says where. How well other places fit says
//! how exactly it is known.

#![allow(clippy::cast_precision_loss)] // counts of periods

use super::statistics::{Base, fit, median, memory, smooth};

/// Periods on each side whose median is the level that noise is measured in.
const AROUND: usize = 15;
/// How much worse, in units of the noise, a place may fit and still be where it bends. Were the series nothing but a bent line
/// it would be outside once in a hundred; growth and seasons over it make that about one in ten.
const LIKELY: f64 = 6.63;

/// Where a series bends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Where it fits best.
    pub at: usize,
    /// The first place that fits about as well, and the last.
    pub likely: (usize, usize),
}

/// Powers in which what grows may be a line: none is parts of itself, one is equal amounts.
const POWERS: [f64; 3] = [0.0, 0.5, 1.0];

/// The place from `margin` on, counted from both ends, where a line that bends once fits best; values have no seasons left
/// in them and are logarithms where `by_parts`.
pub fn place(values: &[f64], places: &[f64], by_parts: bool, margin: usize) -> Option<Place> {
    let middle = median(values);
    let levels: Vec<f64> = smooth(values, AROUND).iter().map(|level| level - middle).collect();
    let mut tries: Vec<(f64, usize)> = Vec::new();
    let mut best: Option<(f64, usize, f64)> = None;
    for power in POWERS.iter().take(if by_parts { POWERS.len() } else { 1 }) {
        // In parts of the level, so that what is left over compares with what is left over in logarithms.
        let raised =
            |value: &f64| if *power > 0.0 { (power * (value - middle)).exp() / power } else { *value };
        let bends = Bends {
            values: values.iter().map(raised).collect(),
            places,
            levels: levels.iter().map(|level| (power * level).exp()).collect(),
        };
        let tried = bends.tried(margin);
        let (squares, at) = least(&tried)?;
        if best.is_none_or(|(known, ..)| squares < known) {
            best = Some((squares, at, bends.memory(at)?));
        }
        tries.extend(tried);
    }
    let (squares, at, memory) = best?;
    // Noise that remembers makes fewer values of many.
    let most = squares * (LIKELY * memory / values.len() as f64).exp();
    let likely = || tries.iter().filter(|(squares, _)| *squares <= most).map(|(_, at)| *at);
    Some(Place { at, likely: (likely().min()?, likely().max()?) })
}

fn least(tries: &[(f64, usize)]) -> Option<(f64, usize)> {
    tries.iter().copied().min_by(|one, two| one.0.total_cmp(&two.0))
}

/// Lines that bend once, tried at one place after another.
struct Bends<'a> {
    values: Vec<f64>,
    places: &'a [f64],
    /// What values are told in parts of.
    levels: Vec<f64>,
}

impl Bends<'_> {
    fn over(&self, cells: &mut dyn Iterator<Item = f64>) -> Vec<f64> {
        cells.zip(&self.levels).map(|(cell, level)| cell / level).collect()
    }

    fn line(&self) -> [Vec<f64>; 2] {
        [self.over(&mut std::iter::repeat(1.0)), self.over(&mut self.places.iter().copied())]
    }

    fn bend(&self, at: usize) -> Option<Vec<f64>> {
        let edge = self.places.get(at).copied()?;
        Some(self.over(&mut self.places.iter().map(|place| (place - edge).max(0.0))))
    }

    /// What is left over at each place.
    fn tried(&self, margin: usize) -> Vec<(f64, usize)> {
        let line = self.line();
        let wanted = self.over(&mut self.values.iter().copied());
        let base = Base::new(&line, &wanted);
        let last = self.values.len().saturating_sub(margin);
        let squares = |at: usize| base.squares_with(&[self.bend(at)?]).map(|squares| (squares, at));
        (margin..=last).filter_map(squares).collect()
    }

    /// How much the noise around a line that bends here remembers.
    fn memory(&self, at: usize) -> Option<f64> {
        let [one, two] = self.line();
        let fit = fit(&[one, two, self.bend(at)?], &self.over(&mut self.values.iter().copied()))?;
        Some(memory(&fit.residuals))
    }
}

#[cfg(test)]
mod tests;
