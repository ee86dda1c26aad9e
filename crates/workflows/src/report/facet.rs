//! What a figure is about, taken from how it was computed: the measure, the groups, the times, the way it went. Sentences
//! are made of this, and held against it.

use baton_figures::figure::{Calculation, Selection};
use baton_figures::question::{Test, WEEKDAYS};
use baton_figures::{Aggregate, Decimal, Direction, Figure, Period};

use super::naming::{named, period_name};

/// What kind of number it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Cells put together.
    Amount(Aggregate),
    /// Part of a whole, in per cent.
    Share,
    /// One number over another.
    Ratio,
    /// From one time to another, in per cent.
    Change,
    /// The same as a difference.
    Difference,
    /// How two columns move together.
    Correlation,
    /// Given, not computed.
    Constant,
}

/// What a figure is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Facet {
    /// What kind of number it is.
    pub shape: Shape,
    /// Columns it reads, as a reader names them; a count of rows names its table.
    pub measures: Vec<String>,
    /// Column and value of each group.
    pub groups: Vec<(String, String)>,
    /// What else is true of its cells, as it stands behind a subject: "where mpg is above 30", "in July".
    pub conditions: Vec<String>,
    /// The times it is about, the earlier first.
    pub periods: Vec<Period>,
    /// Which way it went.
    pub direction: Option<Direction>,
}

impl Facet {
    /// What a figure is about.
    #[must_use]
    pub fn of(figure: &Figure) -> Self {
        let mut facet = Self {
            shape: shape(&figure.calculation),
            measures: Vec::new(),
            groups: figure.group.iter().map(|(column, value)| (named(column), value.clone())).collect(),
            conditions: Vec::new(),
            periods: Vec::new(),
            direction: figure.direction,
        };
        facet.read(&figure.calculation);
        facet.periods.extend(figure.period);
        facet.periods.sort_by_key(|period| (period.from, period.to));
        facet.periods.dedup();
        if facet.direction.is_none() && matches!(facet.shape, Shape::Change | Shape::Difference) {
            facet.direction = Some(way(figure.value));
        }
        facet
    }

    fn read(&mut self, calculation: &Calculation) {
        match calculation {
            Calculation::Aggregate { of, .. } => self.select(of),
            Calculation::Constant { .. } => {}
            Calculation::Difference { first, second } => {
                self.read(first);
                self.read(second);
            }
            Calculation::Quotient { above, below, .. } => {
                self.read(above);
                self.read(below);
            }
            Calculation::Change { from, to, .. } => {
                self.read(from);
                self.read(to);
            }
            Calculation::Correlation { x, y, .. } => {
                self.select(x);
                self.select(y);
            }
        }
    }

    fn select(&mut self, selection: &Selection) {
        let name = named(selection.column.as_deref().unwrap_or(&selection.table));
        if !self.measures.contains(&name) {
            self.measures.push(name);
        }
        self.periods.extend(selection.period);
        for filter in &selection.filters {
            let values: Vec<String> = match &filter.test {
                Test::Is(values) => values.clone(),
                Test::Weekday(days) => days
                    .iter()
                    .filter_map(|day| WEEKDAYS.get(*day as usize).map(|name| (*name).to_owned()))
                    .collect(),
                other => {
                    let words = other.words().replace('"', "");
                    let condition = match other {
                        Test::Month(_) => words.trim_start_matches("is ").to_owned(),
                        _ => format!("where {} {words}", named(&filter.column)),
                    };
                    if !self.conditions.contains(&condition) {
                        self.conditions.push(condition);
                    }
                    continue;
                }
            };
            for value in values {
                let group = (named(&filter.column), value);
                if !self.groups.contains(&group) {
                    self.groups.push(group);
                }
            }
        }
    }

    /// Whether a number is how a year or a day of its times is written.
    #[must_use]
    pub fn times_say(&self, written: &str) -> bool {
        self.periods.iter().any(|period| {
            [period.from, period.to].iter().any(|date| {
                let (year, _, day) = date.parts();
                written == year.to_string() || written == day.to_string()
            }) || (period.from.parts().0..=period.to.parts().0).any(|year| written == year.to_string())
        })
    }

    /// Its times as a reader names them.
    #[must_use]
    pub fn times(&self) -> Vec<String> {
        self.periods.iter().map(|period| period_name(*period)).collect()
    }
}

/// Which way a change went.
#[must_use]
pub fn way(value: Decimal) -> Direction {
    if value.is_zero() {
        Direction::Flat
    } else if value.is_negative() {
        Direction::Down
    } else {
        Direction::Up
    }
}

fn shape(calculation: &Calculation) -> Shape {
    match calculation {
        Calculation::Aggregate { how, .. } => Shape::Amount(*how),
        Calculation::Constant { .. } => Shape::Constant,
        Calculation::Difference { .. } => Shape::Difference,
        Calculation::Quotient { factor, .. } if *factor == Decimal::HUNDRED => Shape::Share,
        Calculation::Quotient { .. } => Shape::Ratio,
        Calculation::Change { .. } => Shape::Change,
        Calculation::Correlation { .. } => Shape::Correlation,
    }
}
