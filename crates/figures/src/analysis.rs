//! What series and tables say without being asked.

use crate::error::FiguresError;
use crate::finding::Finding;
use crate::profile::Profiles;
use crate::series::{CrossAnalysis, Series, SeriesAnalysis};
use crate::source::Context;

/// What the data say without being asked, the strongest first.
///
/// # Errors
/// When the scratch folder cannot be written.
pub fn findings(_profiles: &Profiles, _context: &Context) -> Result<Vec<Finding>, FiguresError> {
    Ok(Vec::new())
}

/// Trends, pattern and key levels of one series.
#[must_use]
pub fn analyse(series: &Series) -> SeriesAnalysis {
    SeriesAnalysis {
        series: series.name.clone(),
        data_points: series.values.iter().flatten().count(),
        period: None,
        current_value: None,
        trends: std::collections::BTreeMap::new(),
        pattern: None,
        pattern_description: String::new(),
        key_levels: None,
        notes: Vec::new(),
    }
}

/// Correlations and divergences of several series.
#[must_use]
pub fn compare(_series: &[Series]) -> CrossAnalysis {
    CrossAnalysis { correlations: Vec::new(), divergences: Vec::new() }
}
