//! Calculations that a report must not contain, refused by what they compute and not by how they are spelt: a word in a
//! sentence asks for an indicator only where it names one, and a series is one only where its values are.

use serde::{Deserialize, Serialize};

/// A technical indicator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Indicator {
    /// Relative strength index: mean gains over mean losses of a sliding window.
    Rsi,
    /// Difference of two exponential averages.
    Macd,
    /// A band of deviations around a sliding average.
    Bollinger,
    /// A sliding or exponential average drawn as a line.
    MovingAverage,
    /// Lines through lows or highs that are to hold in the future.
    SupportResistance,
    /// Figures such as head and shoulders.
    ChartPattern,
}

impl Indicator {
    /// How people call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Rsi => "the relative strength index",
            Self::Macd => "MACD",
            Self::Bollinger => "a Bollinger band",
            Self::MovingAverage => "a moving average",
            Self::SupportResistance => "a support or resistance line",
            Self::ChartPattern => "a chart pattern",
        }
    }
}

/// Names as sequences of whole words. Letters alone (RSI, SMA) count only in capitals: they are names, not words.
const NAMES: [(Indicator, &[&str]); 20] = [
    (Indicator::Rsi, &["RSI"]),
    (Indicator::Rsi, &["relative", "strength", "index"]),
    (Indicator::Macd, &["MACD"]),
    (Indicator::Macd, &["moving", "average", "convergence"]),
    (Indicator::Bollinger, &["bollinger"]),
    (Indicator::MovingAverage, &["moving", "average"]),
    (Indicator::MovingAverage, &["moving", "averages"]),
    (Indicator::MovingAverage, &["rolling", "average"]),
    (Indicator::MovingAverage, &["rolling", "mean"]),
    (Indicator::MovingAverage, &["SMA"]),
    (Indicator::MovingAverage, &["EMA"]),
    (Indicator::MovingAverage, &["gleitender", "durchschnitt"]),
    (Indicator::MovingAverage, &["gleitenden", "durchschnitt"]),
    (Indicator::MovingAverage, &["скользящее", "среднее"]),
    (Indicator::MovingAverage, &["скользящая", "средняя"]),
    (Indicator::SupportResistance, &["support", "and", "resistance"]),
    (Indicator::SupportResistance, &["resistance", "level"]),
    (Indicator::SupportResistance, &["support", "level"]),
    (Indicator::ChartPattern, &["head", "and", "shoulders"]),
    (Indicator::ChartPattern, &["double", "bottom"]),
];

/// Indicators that a text asks for by name, each once.
#[must_use]
pub fn asked(text: &str) -> Vec<Indicator> {
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let fits = |word: &str, wanted: &str| {
        let capitals = wanted.chars().all(char::is_uppercase);
        // RSI14 and MACD(12,26) are the same thing.
        if capitals {
            word.trim_end_matches(|c: char| c.is_ascii_digit()) == wanted
        } else {
            word.to_lowercase() == wanted
        }
    };
    let mut found = Vec::new();
    for (indicator, name) in NAMES {
        let there = words
            .windows(name.len())
            .any(|window| window.iter().zip(name).all(|(word, wanted)| fits(word, wanted)));
        if there && !found.contains(&indicator) {
            found.push(indicator);
        }
    }
    // MACD is spelt with the words of a moving average; it is not two requests.
    if found.contains(&Indicator::Macd) && text.to_lowercase().contains("convergence") {
        found.retain(|indicator| *indicator != Indicator::MovingAverage);
    }
    found
}

/// How close two numbers must be to be the same calculation, as part of the spread of the series.
const SAME: f64 = 1e-4;
/// Windows that are tried.
const WINDOWS: [usize; 16] = [2, 3, 4, 5, 6, 7, 9, 10, 12, 14, 20, 26, 30, 50, 100, 200];

/// Recognises a series whose values are an indicator of another, whatever it is called: sliding and exponential
/// averages, differences of two of them, bands, and the relative strength index.
#[must_use]
pub fn recognise(of: &[f64], line: &[f64]) -> Option<Indicator> {
    let count = line.len();
    if count < 8 || of.len() < count {
        return None;
    }
    // The line may begin where its window is full, so ends are compared.
    let agrees = |candidate: &[f64]| {
        let compared = count.min(candidate.len()) * 3 / 4;
        if compared < 6 {
            return false;
        }
        let (one, two) = (&line[count - compared..], &candidate[candidate.len() - compared..]);
        let span =
            two.iter().copied().fold(f64::MIN, f64::max) - two.iter().copied().fold(f64::MAX, f64::min);
        span > 0.0 && one.iter().zip(two).all(|(a, b)| (a - b).abs() <= SAME * span)
    };
    if agrees(of) {
        return None; // the series itself
    }
    let usable: Vec<usize> = WINDOWS.into_iter().filter(|window| *window * 2 < of.len()).collect();
    for window in &usable {
        let mean = sliding(of, *window);
        if agrees(&mean) || agrees(&exponential(of, *window)) {
            return Some(Indicator::MovingAverage);
        }
        for sign in [2.0, -2.0] {
            if agrees(&band(of, *window, sign)) {
                return Some(Indicator::Bollinger);
            }
        }
        if agrees(&strength(of, *window, false)) || agrees(&strength(of, *window, true)) {
            return Some(Indicator::Rsi);
        }
    }
    for fast in &usable {
        for slow in usable.iter().filter(|slow| *slow > fast) {
            let (one, two) = (exponential(of, *fast), exponential(of, *slow));
            let difference: Vec<f64> = one.iter().zip(&two).map(|(a, b)| a - b).collect();
            if agrees(&difference) {
                return Some(Indicator::Macd);
            }
        }
    }
    None
}

#[allow(clippy::cast_precision_loss)] // windows are small
fn sliding(values: &[f64], window: usize) -> Vec<f64> {
    values.windows(window).map(|part| part.iter().sum::<f64>() / window as f64).collect()
}

#[allow(clippy::cast_precision_loss)]
fn exponential(values: &[f64], window: usize) -> Vec<f64> {
    let weight = 2.0 / (window as f64 + 1.0);
    let mut last = values.first().copied().unwrap_or(0.0);
    values
        .iter()
        .map(|value| {
            last += weight * (value - last);
            last
        })
        .collect()
}

#[allow(clippy::cast_precision_loss)]
fn band(values: &[f64], window: usize, width: f64) -> Vec<f64> {
    let of = |part: &[f64]| {
        let mean = part.iter().sum::<f64>() / window as f64;
        let squares: f64 = part.iter().map(|value| (value - mean).powi(2)).sum();
        mean + width * (squares / window as f64).sqrt()
    };
    values.windows(window).map(of).collect()
}

/// Gains over gains and losses, as plain means or smoothed as Wilder does.
#[allow(clippy::cast_precision_loss)]
fn strength(values: &[f64], window: usize, smoothed: bool) -> Vec<f64> {
    let changes: Vec<f64> = values.windows(2).map(|pair| pair[1] - pair[0]).collect();
    if changes.len() < window {
        return Vec::new();
    }
    let index = |gain: f64, loss: f64| if gain + loss == 0.0 { 50.0 } else { 100.0 * gain / (gain + loss) };
    let sums = |part: &[f64]| {
        let gain: f64 = part.iter().filter(|change| **change > 0.0).sum();
        let loss: f64 = -part.iter().filter(|change| **change < 0.0).sum::<f64>();
        (gain, loss)
    };
    if !smoothed {
        return changes.windows(window).map(sums).map(|(gain, loss)| index(gain, loss)).collect();
    }
    let (mut gain, mut loss) = sums(&changes[..window]);
    let keep = (window as f64 - 1.0) / window as f64;
    let mut found = vec![index(gain, loss)];
    for change in &changes[window..] {
        gain = gain * keep + change.max(0.0);
        loss = loss * keep + (-change).max(0.0);
        found.push(index(gain, loss));
    }
    found
}

#[cfg(test)]
mod tests;
