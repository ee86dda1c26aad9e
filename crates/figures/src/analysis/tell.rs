//! Findings in words, with the figures that carry them.

mod breaks;
mod season;

use super::detect::{self, Detected};
use crate::compute::build::{Leaf, Maker, exact, mean_over};
use crate::compute::pass::Groups;
use crate::compute::periods::Periods;
use crate::date::{Grain, Period};
use crate::decimal::Decimal;
use crate::error::FiguresError;
use crate::figure::{Direction, Figure, FigureKind};
use crate::finding::{Finding, FindingKind};

/// Periods on each side of a break that are compared.
fn window(grain: Grain) -> usize {
    match grain {
        Grain::Day => 28,
        Grain::Week => 8,
        Grain::Month => 6,
        Grain::Quarter => 4,
        Grain::Year => 3,
    }
}

struct Line<'a> {
    maker: &'a Maker<'a>,
    groups: &'a Groups,
    listed: &'a Periods,
    complete: Vec<(Period, &'a Leaf)>,
    by: Option<&'a str>,
}

impl Line<'_> {
    fn detected(&self) -> Detected {
        let periods: Vec<Period> = self.complete.iter().map(|(period, _)| *period).collect();
        let values: Vec<f64> = self.complete.iter().map(|(_, leaf)| leaf.value.to_f64()).collect();
        detect::detect(&periods, &values, self.listed.grain)
    }

    /// The mean per period of a stretch.
    fn mean(&self, from: usize, to: usize) -> Result<Leaf, FiguresError> {
        let stretch = self.complete.get(from..to).unwrap_or_default();
        let (Some((first, _)), Some((last, _))) = (stretch.first(), stretch.last()) else {
            return Err(FiguresError::Refused("there is no period".to_owned()));
        };
        let leaves: Vec<(&Leaf, Decimal)> = stretch
            .iter()
            .map(|(period, leaf)| (*leaf, exact(self.groups, self.by, *period, leaf)))
            .collect();
        mean_over(&leaves, None, Period { from: first.from, to: last.to }, self.listed.grain)
    }

    fn finding(&self, kind: FindingKind, text: String, strength: f64) -> Finding {
        let sample = self.complete.first().map(|(_, leaf)| (*leaf).clone());
        let by = self.maker.plan.by.as_ref().map(|column| column.reading.name.clone());
        Finding {
            id: String::new(),
            kind,
            table: self.maker.table.name.clone(),
            measure: sample.map(|leaf| leaf.measure).unwrap_or_default(),
            group: by.zip(self.by).map(|(column, value)| format!("{column}: {value}")),
            text,
            at: None,
            direction: None,
            strength,
            figures: Vec::new(),
            series: self.listed.series(self.maker.plan).into_iter().collect(),
        }
    }
}

/// Breaks, seasons and outliers of a whole.
pub fn of_series(
    maker: &Maker<'_>,
    groups: &Groups,
    listed: &Periods,
    by: Option<&str>,
) -> Result<Vec<Finding>, FiguresError> {
    let line = Line { maker, groups, listed, complete: listed.complete(), by };
    let detected = line.detected();
    let mut found = Vec::new();
    if let Some(broken) = detected.broken.filter(|broken| !broken.doubtful) {
        found.extend(breaks::told(&line, broken, detected.months.is_some())?);
    }
    for (season, weekly) in [(&detected.weekdays, true), (&detected.months, false)] {
        if let Some(season) = season {
            found.extend(season::told(&line, season, detected.broken, weekly)?);
        }
    }
    for (at, far) in detected.outliers {
        found.push(told_outlier(&line, at, far)?);
    }
    Ok(found)
}

/// Outliers of one part, which may drown in the whole.
pub fn outliers_of_group(
    maker: &Maker<'_>,
    groups: &Groups,
    listed: &Periods,
    by: &str,
) -> Result<Vec<Finding>, FiguresError> {
    let line = Line { maker, groups, listed, complete: listed.complete(), by: Some(by) };
    // Parts are many, so they must stand out further than the whole.
    let outliers = line.detected().outliers.into_iter().filter(|(_, far)| far.abs() > 8.0);
    outliers.map(|(at, far)| told_outlier(&line, at, far)).collect()
}

fn labelled(leaf: &Leaf, kind: FigureKind, label: String, direction: Option<Direction>) -> Figure {
    let mut figure = leaf.figure();
    figure.kind = kind;
    figure.label = label;
    figure.direction = direction;
    figure
}

/// A number for a sentence: at most two places.
fn shown(leaf: &Leaf) -> String {
    let unit = leaf.unit.as_deref().map(|unit| format!(" {unit}")).unwrap_or_default();
    format!("{}{unit}", leaf.value.rounded(2))
}

fn told_outlier(line: &Line<'_>, at: usize, far: f64) -> Result<Finding, FiguresError> {
    let (period, leaf) = line
        .complete
        .get(at)
        .copied()
        .ok_or_else(|| FiguresError::Refused("there is no period".to_owned()))?;
    let way = if far > 0.0 { Direction::Up } else { Direction::Down };
    let count = line.complete.len();
    // Whole weeks on both sides, so that the weekday counts for as much as it does around it.
    let (from, to) = (at.saturating_sub(7), (at + 8).min(count));
    let mut figures = vec![labelled(leaf, FigureKind::Value, leaf.figure().label, Some(way))];
    let before = (at > from).then(|| line.mean(from, at)).transpose()?;
    let after = (to > at + 1).then(|| line.mean(at + 1, to)).transpose()?;
    let mut around = Vec::new();
    for (stretch, name) in [(before, "before"), (after, "after")] {
        let Some(stretch) = stretch else { continue };
        if let Ok(change) = leaf.change_from(&stretch) {
            figures.push(labelled(
                &change,
                FigureKind::Change,
                format!("{} against the mean {name}", leaf.figure().label),
                Some(way),
            ));
        }
        around.push(format!("{} {name}", shown(&stretch)));
        figures.push(stretch.figure());
    }
    let group = line.by.map(|by| format!(" of {by}")).unwrap_or_default();
    let far_word = if far > 0.0 { "above" } else { "below" };
    let text = format!(
        "The {}{group} is far {far_word} what is usual on {period}: {}; the mean of the periods around it is {}.",
        leaf.measure,
        shown(leaf),
        around.join(" and ")
    );
    let mut finding = line.finding(FindingKind::Outlier, text, far.abs());
    finding.at = Some(period);
    finding.direction = Some(way);
    finding.figures = figures;
    Ok(finding)
}
