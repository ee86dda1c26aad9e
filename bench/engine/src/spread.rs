//! Several measurements of the same thing: the middle one, and how far the others lie from it.

use serde::Serialize;

/// The median and the range.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The middle.
    pub median: f64,
    /// The least.
    pub low: f64,
    /// The most.
    pub high: f64,
}

impl Spread {
    /// Of these samples; all zero if there are none.
    pub fn of(samples: &[f64]) -> Self {
        let mut sorted = samples.to_vec();
        sorted.sort_by(f64::total_cmp);
        let at = |index: usize| sorted.get(index).copied().unwrap_or_default();
        let middle = sorted.len() / 2;
        let median = if sorted.len().is_multiple_of(2) {
            (at(middle.saturating_sub(1)) + at(middle)) / 2.0
        } else {
            at(middle)
        };
        Self { median, low: at(0), high: at(sorted.len().saturating_sub(1)) }
    }

    /// Of one measurement.
    pub fn one(value: f64) -> Self {
        Self { median: value, low: value, high: value }
    }

    /// Of the quotients of two rows of samples taken in turn.
    pub fn of_ratios(samples: &[f64], baseline: &[f64]) -> Self {
        let ratios: Vec<f64> = samples.iter().zip(baseline).map(|(sample, base)| sample / base).collect();
        Self::of(&ratios)
    }
}

/// The value below which this share of the samples lies.
pub fn quantile(samples: &[f64], share: f64) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a place in a short list"
    )]
    let index = ((sorted.len().saturating_sub(1)) as f64 * share).round() as usize;
    sorted.get(index).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests;
