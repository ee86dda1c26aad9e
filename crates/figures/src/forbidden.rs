//! Calculations that a report must not contain, refused by what they compute and not by how they are spelt.

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
