//! Bins for a histogram: as wide as the spread and the number of the values ask for, with round edges.

use crate::scale::{Base, Ticks};

/// No histogram has more.
const MOST: f64 = 60.0;

/// Edges and the counts between them. A value on an edge counts above it; the last bin holds its upper edge too.
pub(crate) fn of(values: &[f64]) -> (Vec<f64>, Vec<Option<f64>>) {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let (Some(low), Some(high)) = (sorted.first().copied(), sorted.last().copied()) else {
        return (vec![0.0, 1.0], vec![None]);
    };
    let quarter =
        |share: f64| sorted.get((share * (sorted.len() - 1) as f64).round() as usize).copied().unwrap_or(low);
    let spread = quarter(0.75) - quarter(0.25);
    // Freedman and Diaconis; where half of the values are one, by their number alone.
    let width = 2.0 * spread / (sorted.len() as f64).cbrt();
    let by_number = (sorted.len() as f64).log2().ceil() + 1.0;
    let bins = if width > 0.0 { ((high - low) / width).ceil() } else { by_number };
    let ticks = Ticks::of(low, high, bins.clamp(1.0, MOST) as usize, Base::Free, false);
    let edges = ticks.values;
    let mut counts = vec![0.0; edges.len().saturating_sub(1)];
    for value in sorted {
        let at = edges
            .partition_point(|edge| *edge <= value)
            .saturating_sub(1)
            .min(counts.len().saturating_sub(1));
        if let Some(count) = counts.get_mut(at) {
            *count += 1.0;
        }
    }
    (edges, counts.into_iter().map(Some).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_counted_once() {
        for values in
            [vec![1.0], vec![2.0; 50], (0..1000).map(f64::from).collect(), vec![-3.0, 0.0, 7.5, 7.5, 1e6]]
        {
            let (edges, counts) = of(&values);
            assert_eq!(edges.len(), counts.len() + 1);
            assert!(edges.is_sorted_by(|a, b| a < b), "{edges:?}");
            assert_eq!(counts.iter().flatten().sum::<f64>(), values.len() as f64);
            assert!(edges[0] <= values.iter().copied().fold(f64::INFINITY, f64::min));
        }
    }
}
