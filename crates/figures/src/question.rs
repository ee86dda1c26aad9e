//! Typed questions over tables. A person's words become one of these (`words`), or a model proposes one; only
//! `compute` answers them. Columns are named as the profile names them; `customers.region` names a column of another
//! table that is looked up through the join the profile found.

use serde::{Deserialize, Serialize};

use crate::date::{Grain, Period};
use crate::decimal::Decimal;
use crate::profile::TableProfile;

/// One question over one table, and what it may look up in others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Question {
    /// The name the answer is given back under.
    pub id: String,
    /// The table whose rows are counted.
    pub table: String,
    /// What is asked of them.
    pub ask: Ask,
    /// Only rows that pass all of these.
    #[serde(default)]
    pub filters: Vec<Filter>,
    /// Only rows of these days, by the table's time column.
    #[serde(default)]
    pub period: Option<Period>,
}

/// What is computed from a column over many rows.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Measure {
    /// How the cells become one number.
    pub how: Aggregate,
    /// Which cells; none counts rows.
    #[serde(default)]
    pub column: Option<String>,
}

/// How cells become one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Aggregate {
    /// Their sum; exact.
    Sum,
    /// Sum over count; exact before one rounding.
    Mean,
    /// The middle one, or half the sum of the middle two; exact.
    Median,
    /// The smallest; exact.
    Min,
    /// The largest; exact.
    Max,
    /// How many cells hold something; exact.
    Count,
    /// How many different ones; exact.
    Distinct,
    /// Standard deviation of a sample; floating.
    Deviation,
    /// The smallest cell that at least so many percent of the cells do not exceed; exact.
    Quantile(u8),
}

/// What is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Ask {
    /// One number over all rows that are left.
    Total {
        /// Which number.
        measure: Measure,
    },
    /// The number of the last period that is complete.
    Latest {
        /// Which number.
        measure: Measure,
        /// Length of a period; the table's own frequency when none is given.
        #[serde(default)]
        grain: Option<Grain>,
    },
    /// How the number changed from one period to another: difference and percent.
    Change {
        /// Which number.
        measure: Measure,
        /// Before; the first complete period when none is given.
        #[serde(default)]
        from: Option<Period>,
        /// After; the last complete period when none is given.
        #[serde(default)]
        to: Option<Period>,
        /// Length of a period where none is given.
        #[serde(default)]
        grain: Option<Grain>,
    },
    /// Which part of the whole belongs to some values of a column.
    Share {
        /// The number that is divided up.
        measure: Measure,
        /// The column that divides it.
        by: String,
        /// Whose part; the share of every value when empty.
        #[serde(default)]
        of: Vec<String>,
    },
    /// Who has most or least.
    Ranking {
        /// By which number.
        measure: Measure,
        /// Whose.
        by: String,
        /// How many are wanted.
        top: usize,
        /// The least first.
        #[serde(default)]
        ascending: bool,
    },
    /// Least, quartiles, most, mean and spread of a column.
    Distribution {
        /// Which column.
        column: String,
    },
    /// The number period by period, with its direction.
    Trend {
        /// Which number.
        measure: Measure,
        /// Length of a period; the table's own frequency when none is given.
        #[serde(default)]
        grain: Option<Grain>,
    },
    /// Which months or weekdays are high and low.
    Seasonality {
        /// Which number.
        measure: Measure,
    },
    /// Whether two columns move together: row by row, or summed by period.
    Correlation {
        /// One column.
        x: String,
        /// The other.
        y: String,
        /// Sum both by periods of this length first.
        #[serde(default)]
        grain: Option<Grain>,
    },
    /// The number of each of some groups, and the difference of the first two.
    Comparison {
        /// Which number.
        measure: Measure,
        /// The column with the groups.
        by: String,
        /// Which groups; the largest when empty.
        #[serde(default)]
        groups: Vec<String>,
    },
    /// One number over another.
    Ratio {
        /// Above the line.
        above: Measure,
        /// Below it.
        below: Measure,
    },
    /// How much of a target is reached.
    Target {
        /// What was reached.
        measure: Measure,
        /// What was wanted.
        target: Goal,
    },
    /// The period in which the number was largest or smallest.
    Peak {
        /// Which number.
        measure: Measure,
        /// Length of a period.
        grain: Grain,
        /// The smallest is wanted.
        #[serde(default)]
        lowest: bool,
    },
}

impl Ask {
    /// The columns whose numbers it takes.
    #[must_use]
    pub fn columns(&self) -> Vec<String> {
        let column = |measure: &Measure| measure.column.clone();
        match self {
            Self::Total { measure }
            | Self::Latest { measure, .. }
            | Self::Change { measure, .. }
            | Self::Share { measure, .. }
            | Self::Ranking { measure, .. }
            | Self::Trend { measure, .. }
            | Self::Seasonality { measure }
            | Self::Comparison { measure, .. }
            | Self::Target { measure, .. }
            | Self::Peak { measure, .. } => column(measure).into_iter().collect(),
            Self::Distribution { column } => vec![column.clone()],
            Self::Correlation { x, y, .. } => vec![x.clone(), y.clone()],
            Self::Ratio { above, below } => [column(above), column(below)].into_iter().flatten().collect(),
        }
    }

    /// The column it divides rows by.
    #[must_use]
    pub fn by(&self) -> Option<&str> {
        match self {
            Self::Share { by, .. } | Self::Ranking { by, .. } | Self::Comparison { by, .. } => Some(by),
            _ => None,
        }
    }

    /// Where each period it tells of has one row, the cell of the row is no average.
    pub fn settle(&mut self, table: &TableProfile) {
        let own = table.time.as_ref().and_then(|time| time.frequency);
        let (measure, grain) = match self {
            Self::Peak { measure, grain, .. } => (measure, Some(*grain)),
            Self::Trend { measure, grain } => (measure, *grain),
            Self::Latest { measure, grain } => (measure, grain.or(own)),
            _ => return,
        };
        if measure.how == Aggregate::Mean && grain.is_some_and(|grain| table.has_one_row_each(grain)) {
            measure.how = Aggregate::Sum;
        }
    }
}

/// What was wanted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// A number somebody named.
    Value(Decimal),
    /// Another number of the same rows, such as the sum of a budget column.
    Measure(Measure),
}

/// A test that a row must pass.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Filter {
    /// The column that is tested.
    pub column: String,
    /// The test.
    pub test: Test,
}

/// What a cell must be. An empty cell passes none of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Test {
    /// One of these, letter by letter.
    Is(Vec<String>),
    /// None of these.
    IsNot(Vec<String>),
    /// A number not below this.
    AtLeast(Decimal),
    /// A number not above this.
    AtMost(Decimal),
    /// A number above this.
    Above(Decimal),
    /// A number below this.
    Below(Decimal),
    /// A day in one of these months, from 1.
    Month(Vec<u32>),
    /// A day that is one of these weekdays, Monday 0.
    Weekday(Vec<u32>),
}

impl Aggregate {
    /// As words before "of".
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Sum => "sum".to_owned(),
            Self::Mean => "mean".to_owned(),
            Self::Median => "median".to_owned(),
            Self::Min => "smallest value".to_owned(),
            Self::Max => "largest value".to_owned(),
            Self::Count => "count".to_owned(),
            Self::Distinct => "number of different values".to_owned(),
            Self::Deviation => "standard deviation".to_owned(),
            Self::Quantile(percent) => format!("{percent} % quantile"),
        }
    }

    /// As a spreadsheet writes it.
    #[must_use]
    pub fn function(self) -> String {
        match self {
            Self::Sum => "SUM".to_owned(),
            Self::Mean => "AVERAGE".to_owned(),
            Self::Median => "MEDIAN".to_owned(),
            Self::Min => "MIN".to_owned(),
            Self::Max => "MAX".to_owned(),
            Self::Count => "COUNTA".to_owned(),
            Self::Distinct => "COUNTUNIQUE".to_owned(),
            Self::Deviation => "STDEV.S".to_owned(),
            Self::Quantile(percent) => format!("QUANTILE{percent}"),
        }
    }

    /// Whether it can be said of cells that are no numbers.
    #[must_use]
    pub fn takes_text(self) -> bool {
        matches!(self, Self::Count | Self::Distinct)
    }
}

impl Measure {
    /// The number of rows.
    #[must_use]
    pub fn rows() -> Self {
        Self { how: Aggregate::Count, column: None }
    }

    /// The sum of a column.
    #[must_use]
    pub fn sum(column: &str) -> Self {
        Self { how: Aggregate::Sum, column: Some(column.to_owned()) }
    }

    /// In words: "sum of revenue", "number of rows".
    #[must_use]
    pub fn words(&self) -> String {
        self.words_of(None)
    }

    /// The same where rows are called something: "number of companies".
    #[must_use]
    pub fn words_of(&self, rows: Option<&str>) -> String {
        match &self.column {
            None => format!("number of {}", rows.unwrap_or("rows")),
            Some(column) => format!("{} of {column}", self.how.name()),
        }
    }
}

impl Test {
    /// In words, to stand behind the name of the column.
    #[must_use]
    pub fn words(&self) -> String {
        let list =
            |names: &[String]| names.iter().map(|n| format!("\"{n}\"")).collect::<Vec<_>>().join(" or ");
        let numbers = |list: &[u32], names: &[&str]| {
            let name = |n: &u32| names.get(*n as usize).copied().unwrap_or("?").to_owned();
            list.iter().map(name).collect::<Vec<_>>().join(" or ")
        };
        match self {
            Self::Is(values) => format!("is {}", list(values)),
            Self::IsNot(values) => format!("is not {}", list(values)),
            Self::AtLeast(bound) => format!("is at least {bound}"),
            Self::AtMost(bound) => format!("is at most {bound}"),
            Self::Above(bound) => format!("is above {bound}"),
            Self::Below(bound) => format!("is below {bound}"),
            Self::Month(months) => format!("is in {}", numbers(months, &MONTHS)),
            Self::Weekday(days) => format!("is a {}", numbers(days, &WEEKDAYS)),
        }
    }
}

/// Names of months, from 1.
pub const MONTHS: [&str; 13] = [
    "",
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Names of weekdays, Monday 0.
pub const WEEKDAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
