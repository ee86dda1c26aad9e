//! Scales: from values to pixels, and the round numbers an axis shows.

/// A straight scale from values to pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Linear {
    pub from: (f64, f64),
    pub to: (f64, f64),
}

impl Linear {
    pub fn at(self, value: f64) -> f64 {
        let (low, high) = self.from;
        let span = high - low;
        let share = if span == 0.0 { 0.5 } else { (value - low) / span };
        self.to.0 + share * (self.to.1 - self.to.0)
    }
}

/// What an axis shows: its ends and its round numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ticks {
    pub low: f64,
    pub high: f64,
    pub values: Vec<f64>,
    pub decimals: usize,
}

/// How an axis of values begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    /// At zero: the length of a bar is its value.
    Zero,
    /// Where the values are.
    Free,
}

impl Ticks {
    /// For values between two ends, about so many steps. `whole` when only whole numbers make sense.
    pub fn of(low: f64, high: f64, steps: usize, base: Base, whole: bool) -> Self {
        let (low, high) = ends(low, high, base);
        let mut step = round_step((high - low) / steps.max(1) as f64);
        if whole {
            step = step.max(1.0);
        }
        // Both ends lie on round numbers, so that a reader can measure anywhere.
        let (first, last) = ((low / step + 1e-9).floor(), (high / step - 1e-9).ceil());
        let count = (last - first).clamp(1.0, 100.0) as usize;
        let values: Vec<f64> = (0..=count).map(|at| rounded((first + at as f64) * step, step)).collect();
        let decimals = (-step.log10()).ceil().clamp(0.0, 12.0) as usize;
        let decimals = if fits(step, decimals) { decimals } else { decimals + 1 };
        Self {
            low: values.first().copied().unwrap_or(low),
            high: values.last().copied().unwrap_or(high),
            values,
            decimals,
        }
    }
}

fn ends(low: f64, high: f64, base: Base) -> (f64, f64) {
    let (mut low, mut high) =
        if low.is_finite() && high.is_finite() { (low.min(high), low.max(high)) } else { (0.0, 1.0) };
    let near_zero = low > 0.0 && low < 0.35 * high || high < 0.0 && high > 0.35 * low;
    if base == Base::Zero || near_zero {
        low = low.min(0.0);
        high = high.max(0.0);
    }
    let size = low.abs().max(high.abs());
    if high - low <= size * 1e-9 {
        let room = if size == 0.0 { 1.0 } else { size * 0.1 };
        if base == Base::Free {
            low -= room;
        }
        high += room;
    }
    (low, high)
}

/// 1, 2, 2.5 or 5 times a power of ten.
fn round_step(rough: f64) -> f64 {
    let power = 10f64.powf(rough.log10().floor());
    let ratio = rough / power;
    let round =
        [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().find(|round| ratio <= round * 1.000_001).unwrap_or(10.0);
    round * power
}

/// A multiple of a step without the dust of binary fractions.
fn rounded(value: f64, step: f64) -> f64 {
    let decimals = (2.0 - step.log10().floor()).clamp(0.0, 15.0) as usize;
    format!("{value:.decimals$}").parse().unwrap_or(value)
}

fn fits(step: f64, decimals: usize) -> bool {
    let shown: f64 = format!("{step:.decimals$}").parse().unwrap_or(0.0);
    (shown - step).abs() < step * 1e-6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_hold_the_values() {
        let ticks = Ticks::of(3.0, 97.0, 5, Base::Zero, false);
        assert_eq!(ticks.values, [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        let ticks = Ticks::of(0.1, 0.72, 5, Base::Free, false);
        assert_eq!((ticks.low, ticks.decimals), (0.0, 1));
        let ticks = Ticks::of(-5.0, 8.0, 5, Base::Zero, false);
        assert!(ticks.values.contains(&0.0) && ticks.low <= -5.0 && ticks.high >= 8.0, "{ticks:?}");
        let ticks = Ticks::of(1.0, 3.0, 5, Base::Zero, true);
        assert_eq!(ticks.values, [0.0, 1.0, 2.0, 3.0]);
    }

    #[test]
    fn a_single_value_and_no_range_still_make_an_axis() {
        for value in [0.0, 5.0, -5.0, 1e-3, 999.0] {
            for base in [Base::Zero, Base::Free] {
                let ticks = Ticks::of(value, value, 5, base, false);
                assert!(
                    ticks.low < ticks.high && ticks.low <= value && value <= ticks.high,
                    "{value} {ticks:?}"
                );
                assert!((2..=12).contains(&ticks.values.len()), "{ticks:?}");
            }
        }
    }

    #[test]
    fn decimals_show_every_step() {
        assert_eq!(Ticks::of(0.0, 10.0, 4, Base::Zero, false).decimals, 1);
        assert_eq!(Ticks::of(0.0, 1.0, 4, Base::Zero, false).decimals, 2);
        assert_eq!(Ticks::of(0.0, 100.0, 5, Base::Zero, false).decimals, 0);
    }
}
