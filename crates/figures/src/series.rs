//! Series by period, and what the report's chart analysis says of them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::date::{Grain, Period};
use crate::decimal::Decimal;
use crate::figure::{Calculation, Direction};
use crate::question::Filter;

/// One number per period, without gaps in the list of periods.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// "sum of revenue, region north".
    pub name: String,
    /// The table it was computed from.
    pub table: String,
    /// How cells become one number, in words.
    pub measure: String,
    /// The group, if it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<Filter>,
    /// Unit of the values.
    pub unit: Option<String>,
    /// Length of a period.
    pub grain: Grain,
    /// The periods.
    pub periods: Vec<Period>,
    /// The values; none where a period has no rows.
    pub values: Vec<Option<Decimal>>,
    /// How many periods at the end are not complete; they are no part of any change or trend.
    pub partial: usize,
    /// How a value is computed: this over the days of its period. Series of older runs have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calculation: Option<Calculation>,
}

/// A series as the file gives it now, for the same periods.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SeriesAgain {
    /// The values; none where a period has no rows.
    pub values: Vec<Option<Decimal>>,
    /// Why there are no values, where it could not be computed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A trend over some days at the end of a series.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trend {
    /// Which way; flat below one percent.
    pub direction: Direction,
    /// Last value less first.
    pub change: Decimal,
    /// The same as percent of the first; none when that is zero.
    pub percent: Option<Decimal>,
    /// From which period to which.
    pub period: Period,
}

/// Least, most and average.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeyLevels {
    /// The smallest value.
    pub min: Decimal,
    /// The largest value.
    pub max: Decimal,
    /// Mean of the last 90 days, or of what the frequency allows; a value, never a line.
    pub avg_90d: Decimal,
}

/// What a series did, as `charts_analyzed.json` has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SeriesAnalysis {
    /// Name of the series.
    pub series: String,
    /// How many values.
    pub data_points: usize,
    /// From the first to the last period.
    pub period: Option<Period>,
    /// The last value of a complete period.
    pub current_value: Option<Decimal>,
    /// `trend_7d`, `trend_30d`, `trend_90d`; those the frequency and the length allow.
    pub trends: BTreeMap<String, Trend>,
    /// `volatile_up`, `volatile_down`, `consolidation`, `accumulation`, `distribution`, `plateau`; none below three values.
    pub pattern: Option<String>,
    /// The same in a sentence.
    pub pattern_description: String,
    /// Least, most, average.
    pub key_levels: Option<KeyLevels>,
    /// What could not be said, and why.
    pub notes: Vec<String>,
}

/// Two series that move together, or apart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// One series.
    pub first: String,
    /// The other.
    pub second: String,
    /// Pearson's coefficient of the changes from period to period; floating.
    pub coefficient: Decimal,
    /// Over how many common periods.
    pub periods: usize,
    /// In a sentence that does not speak of causes.
    pub text: String,
}

/// What several series say together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CrossAnalysis {
    /// Pairs that move together, or against each other.
    pub correlations: Vec<Pair>,
    /// Pairs of which one rose and the other fell over the same days.
    pub divergences: Vec<Pair>,
}
