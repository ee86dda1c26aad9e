//! Why a chart cannot be drawn. Everything is looked at before anything is drawn, so that a picture is whole or is not there.

use crate::frame::Frame;
use crate::indicator::{self, Indicator};
use crate::spec::{Annotation, Chart};

/// Why a chart cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChartError {
    /// Nothing to draw.
    #[error("the chart has no values; nothing was drawn")]
    Empty,
    /// A series with more places than values, or fewer.
    #[error(
        "the series {series:?} has {places} places and {values} values; there must be one place for each value"
    )]
    Uneven {
        /// The series.
        series: String,
        /// How many places.
        places: usize,
        /// How many values.
        values: usize,
    },
    /// A histogram needs its edges.
    #[error(
        "the histogram {series:?} has {edges} edges and {counts} counts; it needs one edge more than counts, in rising order"
    )]
    Edges {
        /// The series.
        series: String,
        /// How many edges.
        edges: usize,
        /// How many counts.
        counts: usize,
    },
    /// A value that is infinite or not a number.
    #[error(
        "the series {series:?} has a value that is not a finite number (number {at}); leave it out or mend it"
    )]
    NotFinite {
        /// The series.
        series: String,
        /// Which, from 1.
        at: usize,
    },
    /// A place that cannot be read.
    #[error("{label:?} in the series {series:?} is not {wanted}")]
    Place {
        /// The series.
        series: String,
        /// The place.
        label: String,
        /// What it should be.
        wanted: &'static str,
    },
    /// The same place twice in one series: two values for one bar or one moment.
    #[error("the series {series:?} has two values at {label:?}; add them up or keep one")]
    Twice {
        /// The series.
        series: String,
        /// The place.
        label: String,
    },
    /// Two units on one axis.
    #[error("the series {series:?} is measured on a second axis, and the chart has none (y2)")]
    NoSecondAxis {
        /// The series.
        series: String,
    },
    /// An indicator that reports do not draw.
    #[error("{indicator} is an indicator of technical analysis and is not drawn ({place} {name:?})")]
    Forbidden {
        /// Which.
        indicator: Indicator,
        /// Where it stands: title, series, annotation.
        place: &'static str,
        /// What it is called there.
        name: String,
    },
    /// An average as a line.
    #[error("an average is a value and not a line; say it in a sentence (annotation {text:?})")]
    AverageLine {
        /// What the line is called.
        text: String,
    },
}

/// Everything that stands against drawing a chart; empty when nothing does.
pub fn faults(chart: &Chart) -> Vec<ChartError> {
    let (_, mut faults) = Frame::of(chart);
    faults.extend(refused(chart));
    faults
}

/// The frame of a chart that can be drawn.
pub(crate) fn frame(chart: &Chart) -> Result<Frame, ChartError> {
    let (frame, faults) = Frame::of(chart);
    match faults.into_iter().chain(refused(chart)).next() {
        Some(fault) => Err(fault),
        None => Ok(frame),
    }
}

fn refused(chart: &Chart) -> Vec<ChartError> {
    let mut names: Vec<(&'static str, &str)> = vec![("axis", &chart.y.label)];
    names.extend(chart.y2.iter().map(|axis| ("axis", axis.label.as_str())));
    names.extend(chart.series.iter().map(|series| ("series", series.name.as_str())));
    names.extend(chart.annotations.iter().map(|annotation| ("annotation", annotation.text())));
    let forbidden = |(place, name): (&'static str, &str)| {
        let indicator = indicator::forbidden(name)?;
        Some(ChartError::Forbidden { indicator, place, name: name.to_owned() })
    };
    let lines = chart.annotations.iter().filter(|annotation| matches!(annotation, Annotation::Level { .. }));
    let averages = lines.map(Annotation::text).filter(|text| names_average(text));
    let averages = averages.map(|text| ChartError::AverageLine { text: text.to_owned() });
    names.into_iter().filter_map(forbidden).chain(averages).collect()
}

/// Whether a text calls something an average.
fn names_average(text: &str) -> bool {
    const STEMS: [&str; 8] =
        ["average", "mean", "avg", "median", "средн", "durchschnitt", "moyenne", "promedio"];
    let text = text.to_lowercase();
    let mut words = text.split(|letter: char| !letter.is_alphabetic());
    words.any(|word| STEMS.iter().any(|stem| word == *stem || (stem.len() > 4 && word.starts_with(stem))))
}
