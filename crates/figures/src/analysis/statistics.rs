//! A little statistics in floating point: medians, and least squares with what is needed to test a part of a model.

#![allow(clippy::cast_precision_loss)] // counts of periods

/// The middle value.
#[must_use]
pub fn median(values: &[f64]) -> f64 {
    let mut sorted: Vec<f64> = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let count = sorted.len();
    let at = |place: usize| sorted.get(place).copied().unwrap_or(0.0);
    if count == 0 { 0.0 } else { f64::midpoint(at((count - 1) / 2), at(count / 2)) }
}

/// Spread that a few wild values do not change: for normal noise its standard deviation.
#[must_use]
pub fn spread(values: &[f64]) -> f64 {
    let middle = median(values);
    let off: Vec<f64> = values.iter().map(|value| (value - middle).abs()).collect();
    1.4826 * median(&off)
}

/// The median of each value and its neighbours on both sides.
#[must_use]
pub fn smooth(values: &[f64], reach: usize) -> Vec<f64> {
    (0..values.len())
        .map(|at| {
            median(
                values.get(at.saturating_sub(reach)..(at + reach + 1).min(values.len())).unwrap_or_default(),
            )
        })
        .collect()
}

/// A least-squares fit.
#[derive(Debug, Clone)]
pub struct Fit {
    /// One for each column.
    pub coefficients: Vec<f64>,
    /// What is left.
    pub residuals: Vec<f64>,
    /// Sum of their squares.
    pub squares: f64,
}

/// Fits columns to values; none when there are too few values.
#[must_use]
pub fn fit(columns: &[Vec<f64>], values: &[f64]) -> Option<Fit> {
    let width = columns.len();
    if values.len() <= width + 2 {
        return None;
    }
    let mut matrix: Vec<Vec<f64>> =
        columns.iter().map(|one| columns.iter().map(|two| dot(one, two)).collect()).collect();
    for (at, row) in matrix.iter_mut().enumerate() {
        if let Some(diagonal) = row.get_mut(at) {
            *diagonal += 1e-9;
        }
    }
    let inverse = invert(matrix)?;
    let right: Vec<f64> = columns.iter().map(|column| dot(column, values)).collect();
    let coefficients: Vec<f64> = inverse.iter().map(|row| dot(row, &right)).collect();
    let mut residuals = values.to_vec();
    for (column, coefficient) in columns.iter().zip(&coefficients) {
        for (residual, cell) in residuals.iter_mut().zip(column) {
            *residual -= coefficient * cell;
        }
    }
    let squares = dot(&residuals, &residuals);
    Some(Fit { coefficients, residuals, squares })
}

/// Columns that stay while others are tried beside them.
#[derive(Debug)]
pub struct Base<'a> {
    columns: &'a [Vec<f64>],
    values: &'a [f64],
    matrix: Vec<Vec<f64>>,
    right: Vec<f64>,
}

fn dot(one: &[f64], two: &[f64]) -> f64 {
    one.iter().zip(two).map(|(a, b)| a * b).sum()
}

impl<'a> Base<'a> {
    /// Prepares what all tries share.
    #[must_use]
    pub fn new(columns: &'a [Vec<f64>], values: &'a [f64]) -> Self {
        let matrix = columns.iter().map(|one| columns.iter().map(|two| dot(one, two)).collect()).collect();
        let right = columns.iter().map(|column| dot(column, values)).collect();
        Self { columns, values, matrix, right }
    }

    /// The sum of squares that is left with these columns beside; values should be around zero.
    #[must_use]
    pub fn squares_with(&self, more: &[Vec<f64>]) -> Option<f64> {
        let mut matrix = self.matrix.clone();
        let mut right = self.right.clone();
        for (row, column) in matrix.iter_mut().zip(self.columns) {
            row.extend(more.iter().map(|other| dot(column, other)));
        }
        for one in more {
            let old = self.columns.iter().map(|column| dot(column, one));
            matrix.push(old.chain(more.iter().map(|two| dot(one, two))).collect());
            right.push(dot(one, self.values));
        }
        for (at, row) in matrix.iter_mut().enumerate() {
            if let Some(diagonal) = row.get_mut(at) {
                *diagonal += 1e-9;
            }
        }
        let inverse = invert(matrix)?;
        let explained: f64 = inverse.iter().zip(&right).map(|(row, part)| dot(row, &right) * part).sum();
        Some(dot(self.values, self.values) - explained)
    }
}

/// Gauss and Jordan, with pivots.
fn invert(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    for (at, row) in matrix.iter_mut().enumerate() {
        row.extend((0..size).map(|other| if other == at { 1.0 } else { 0.0 }));
    }
    for at in 0..size {
        let size_of = |row: usize| matrix.get(row).and_then(|row| row.get(at)).map_or(0.0, |cell| cell.abs());
        let best = (at..size).max_by(|one, two| size_of(*one).total_cmp(&size_of(*two)))?;
        if size_of(best) < 1e-12 {
            return None;
        }
        matrix.swap(at, best);
        let pivot = matrix.get(at)?.get(at).copied()?;
        let row: Vec<f64> = matrix.get(at)?.iter().map(|cell| cell / pivot).collect();
        for (other, target) in matrix.iter_mut().enumerate() {
            if other == at {
                target.clone_from(&row);
            } else {
                let factor = target.get(at).copied().unwrap_or(0.0);
                for (cell, part) in target.iter_mut().zip(&row) {
                    *cell -= factor * part;
                }
            }
        }
    }
    Some(matrix.into_iter().map(|row| row.into_iter().skip(size).collect()).collect())
}

/// How much noise that remembers its last value inflates what seems certain.
#[must_use]
pub fn memory(residuals: &[f64]) -> f64 {
    let all: f64 = residuals.iter().map(|value| value * value).sum();
    let next: f64 = residuals.windows(2).map(|pair| pair[0] * pair[1]).sum();
    let link = if all > 0.0 { (next / all).clamp(0.0, 0.95) } else { 0.0 };
    (1.0 + link) / (1.0 - link)
}

/// Pearson's coefficient.
#[must_use]
pub fn correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let mut sums = crate::compute::pass::Pairs::default();
    for (x, y) in pairs {
        sums.add(*x, *y);
    }
    sums.coefficient()
}
