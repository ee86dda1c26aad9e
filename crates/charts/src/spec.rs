//! What a chart is, as data: the one specification from which every picture, page and workbook chart is made.
//! Labels and values are plain; where they come from is the caller's business.

use serde::{Deserialize, Serialize};

use crate::bins;
use crate::frame::{Frame, Places};

/// One chart.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Chart {
    /// Its name among others, `c1`: used in file names and anchors.
    pub id: String,
    /// How it is drawn.
    pub kind: Kind,
    /// The finding, as a sentence: "Exports fell by a third after March".
    pub title: String,
    /// What is measured, where and when: "Monthly exports, million euros, 2023 to 2024". May be empty.
    pub subtitle: String,
    /// Where the values come from: "customs.csv, column value". May be empty.
    pub source: String,
    /// The picture in words, for whoever cannot see it. Written from the data where it is empty.
    pub description: String,
    /// The axis along which things stand: time, categories or numbers.
    pub x: Axis,
    /// The axis of the values.
    pub y: Axis,
    /// A second axis of values. Drawn only where a series that asks for it has another unit than [`Chart::y`].
    pub y2: Option<Axis>,
    /// What is drawn, in order of importance.
    pub series: Vec<Series>,
    /// What is pointed out.
    pub annotations: Vec<Annotation>,
    /// Whether each series has a panel of its own.
    pub panels: Panels,
    /// In which order bars of categories stand.
    pub order: Order,
    /// Whose words and number formats are used.
    pub language: Language,
}

/// How a chart is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A line through values in order; what dates get.
    #[default]
    Line,
    /// One bar for each category, or one column for each period.
    #[serde(alias = "column")]
    Bar,
    /// Bars of several series side by side.
    #[serde(alias = "grouped")]
    GroupedBar,
    /// Bars of several series on top of each other: parts of a whole.
    #[serde(alias = "stacked")]
    StackedBar,
    /// Counts between edges: [`Positions::Numbers`] holds one edge more than there are counts.
    Histogram,
    /// One dot for each pair of numbers.
    Scatter,
}

/// A sequence of values with their places.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Series {
    /// What a legend calls it.
    pub name: String,
    /// Where each value stands.
    pub x: Positions,
    /// The values; `None` is missing, and is shown as a gap.
    pub y: Vec<Option<f64>>,
    /// Measured on [`Chart::y2`].
    pub secondary: bool,
}

/// Places along the horizontal axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Positions {
    /// Numbers: of a scatter plot, or the edges of a histogram.
    Numbers(Vec<f64>),
    /// Dates (`2024`, `2024-Q1`, `2024-03`, `2024-W05`, `2024-03-09`, `2024-03-09T14:00`) or names of categories.
    Labels(Vec<String>),
}

impl Default for Positions {
    fn default() -> Self {
        Self::Labels(Vec::new())
    }
}

/// What an axis measures.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Axis {
    /// Its name: "Exports". May be empty.
    pub label: String,
    /// The unit of its values: "million EUR", "%", "days". Empty where they have none.
    pub unit: String,
    /// How positions are read. Values are always numbers.
    pub scale: Scale,
}

/// How the positions of an axis are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// Numbers as numbers, labels as dates where all of them are, as categories otherwise.
    #[default]
    Auto,
    /// Dates; a label that is none is a fault.
    Time,
    /// Names, in the order they come.
    Category,
}

/// Something pointed out in a chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "at", rename_all = "snake_case")]
pub enum Annotation {
    /// One value of a series.
    Point {
        /// Name of the series; the first where it is empty.
        #[serde(default)]
        series: String,
        /// Its place, as the series has it.
        x: String,
        /// What is said there.
        text: String,
    },
    /// A place along the horizontal axis: the day of a change.
    Moment {
        /// The place.
        x: String,
        /// What is said there.
        text: String,
    },
    /// A stretch of the horizontal axis.
    Span {
        /// Its first place.
        from: String,
        /// Its last place.
        to: String,
        /// What is said there.
        text: String,
    },
    /// A value that was set by somebody: a target, a limit. An average is a number in a sentence and never a line here.
    Level {
        /// The value, on the first axis of values.
        y: f64,
        /// What is said there.
        text: String,
    },
}

/// Whether each series has a panel of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Panels {
    /// When there are more series than a reader can tell apart in one panel.
    #[default]
    Auto,
    /// One panel for all.
    Never,
    /// One panel for each, on the same axes.
    Always,
}

/// In which order bars of categories stand. Dates stand in their own order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// The largest first.
    #[default]
    Sorted,
    /// As they come: for categories that have an order of their own, such as age groups.
    Given,
}

/// Whose words and number formats a chart uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// English: 1,234.5
    #[default]
    En,
    /// German: 1.234,5
    De,
    /// Spanish: 1.234,5
    Es,
    /// French: 1 234,5
    Fr,
    /// Russian: 1 234,5
    Ru,
}

impl Language {
    /// The language of a code such as `ru` or `de-AT`; English where we have no words for it.
    pub fn of_code(code: &str) -> Self {
        match code.get(..2).unwrap_or_default().to_ascii_lowercase().as_str() {
            "de" => Self::De,
            "es" => Self::Es,
            "fr" => Self::Fr,
            "ru" => Self::Ru,
            _ => Self::En,
        }
    }

    /// The code that HTML and PDF want.
    pub fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::De => "de",
            Self::Es => "es",
            Self::Fr => "fr",
            Self::Ru => "ru",
        }
    }
}

impl Chart {
    /// A chart of series that share their labels.
    pub fn of(kind: Kind, labels: &[impl ToString], series: &[(&str, &[Option<f64>])]) -> Self {
        let labels: Vec<String> = labels.iter().map(ToString::to_string).collect();
        let series = series
            .iter()
            .map(|(name, values)| Series {
                name: (*name).to_owned(),
                x: Positions::Labels(labels.clone()),
                y: values.to_vec(),
                secondary: false,
            })
            .collect();
        Self { kind, series, ..Self::default() }
    }

    /// A histogram of values, in bins as wide as the spread and the number of the values ask for.
    pub fn histogram(name: &str, values: &[f64]) -> Self {
        let (edges, counts) = bins::of(values);
        let series =
            Series { name: name.to_owned(), x: Positions::Numbers(edges), y: counts, secondary: false };
        Self { kind: Kind::Histogram, series: vec![series], ..Self::default() }
    }

    /// Whether its places are dates.
    pub fn is_timed(&self) -> bool {
        matches!(Frame::of(self).0.places, Places::Time { .. })
    }

    /// How many values it has, missing ones aside.
    pub fn points(&self) -> usize {
        self.series.iter().map(|series| series.y.iter().flatten().count()).sum()
    }
}

impl Annotation {
    /// What it says.
    pub fn text(&self) -> &str {
        match self {
            Self::Point { text, .. }
            | Self::Moment { text, .. }
            | Self::Span { text, .. }
            | Self::Level { text, .. } => text,
        }
    }
}
