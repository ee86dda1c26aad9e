//! Findings in words, with the figures that carry them.

use super::detect::{self, Break, Detected};
use crate::compute::build::{Leaf, Maker, exact, mean_over};
use crate::compute::pass::Groups;
use crate::compute::periods::Periods;
use crate::date::{Grain, Period};
use crate::decimal::Decimal;
use crate::error::FiguresError;
use crate::figure::{Direction, Figure, FigureKind};
use crate::finding::{Finding, FindingKind};
use crate::question::{Filter, MONTHS, Test, WEEKDAYS};

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
    if let Some(broken) = detected.broken {
        found.extend(told_break(&line, broken)?);
    }
    for (strength, weekly) in [(detected.weekdays, true), (detected.months, false)] {
        if let Some(strength) = strength {
            found.extend(told_season(&line, strength, weekly)?);
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

/// None where the periods around a break do not show what the model says of it: then it is no finding.
fn told_break(line: &Line<'_>, broken: Break) -> Result<Option<Finding>, FiguresError> {
    let count = line.complete.len();
    let reach = window(line.listed.grain).min(broken.at).min(count - broken.at);
    let at = line.complete.get(broken.at).map(|(period, _)| *period);
    let when = at.map(|period| period.to_string()).unwrap_or_default();
    let way = if broken.up { Direction::Up } else { Direction::Down };
    let measure = line.complete.first().map(|(_, leaf)| leaf.measure.clone()).unwrap_or_default();
    let mut figures = Vec::new();
    let text = if broken.level {
        let before = line.mean(broken.at - reach, broken.at)?;
        let after = line.mean(broken.at, broken.at + reach)?;
        if (after.value > before.value) != broken.up {
            return Ok(None);
        }
        let change = after.change_from(&before).ok();
        let size =
            change.as_ref().map(|change| format!(" ({} %)", change.value.rounded(1))).unwrap_or_default();
        if let Some(change) = &change {
            figures.push(labelled(
                change,
                FigureKind::Change,
                format!("change of {measure} at {when}"),
                Some(way),
            ));
        }
        figures.push(labelled(
            &after.minus(&before)?,
            FigureKind::Difference,
            format!("difference of {measure} at {when}"),
            Some(way),
        ));
        figures.extend([before.figure(), after.figure()]);
        let verb = if broken.up { "rises" } else { "falls" };
        format!(
            "The {measure} {verb} to another level with {when}{size}: {} a {} in the {reach} {}s before, {} in the {reach} after.",
            shown(&before),
            line.listed.grain.name(),
            line.listed.grain.name(),
            shown(&after)
        )
    } else {
        let reach = reach.min(broken.at / 2).min((count - broken.at) / 2).max(1);
        let (first, edge, last) = (
            line.mean(0, reach)?,
            line.mean(
                broken.at.saturating_sub(reach / 2).max(1),
                (broken.at + reach.div_ceil(2)).min(count),
            )?,
            line.mean(count - reach, count)?,
        );
        let mut sentences = Vec::new();
        for (from, to, name) in [(&first, &edge, "before"), (&edge, &last, "after")] {
            if let Ok(change) = to.change_from(from) {
                let way = if change.value.is_negative() { Direction::Down } else { Direction::Up };
                sentences.push(format!("{} % {name} it", change.value.rounded(1)));
                figures.push(labelled(
                    &change,
                    FigureKind::Change,
                    format!("change of {measure} {name} {when}"),
                    Some(way),
                ));
            }
        }
        figures.reverse();
        figures.extend([first.figure(), edge.figure(), last.figure()]);
        let turn = if broken.up { "turns upward" } else { "turns downward" };
        format!("The {measure} {turn} about {when}: {}.", sentences.join(", "))
    };
    let mut finding = line.finding(FindingKind::TrendBreak, text, broken.strength);
    finding.at = at;
    finding.direction = Some(way);
    finding.figures = figures;
    Ok(Some(finding))
}

fn told_season(line: &Line<'_>, strength: f64, weekly: bool) -> Result<Option<Finding>, FiguresError> {
    let (slots, names): (Vec<u32>, &[&str]) =
        if weekly { ((0..7).collect(), &WEEKDAYS) } else { ((1..13).collect(), &MONTHS) };
    let (Some((first, _)), Some((last, _))) = (line.complete.first(), line.complete.last()) else {
        return Ok(None);
    };
    let span = Period { from: first.from, to: last.to };
    let time = line.maker.plan.selection.time.clone().unwrap_or_default();
    let mut means: Vec<(&str, Leaf)> = Vec::new();
    for slot in slots {
        let here = |period: &Period| {
            if weekly { period.from.weekday() == slot } else { period.from.parts().1 == slot }
        };
        let leaves: Vec<(&Leaf, Decimal)> = line
            .complete
            .iter()
            .filter(|(period, _)| here(period))
            .map(|(period, leaf)| (*leaf, exact(line.groups, line.by, *period, leaf)))
            .collect();
        if leaves.is_empty() {
            continue;
        }
        let name = names.get(slot as usize).copied().unwrap_or_default();
        let test = if weekly { Test::Weekday(vec![slot]) } else { Test::Month(vec![slot]) };
        let part = (Filter { column: time.clone(), test }, (if weekly { "weekday" } else { "month" }, name));
        means.push((name, mean_over(&leaves, Some(part), span, line.listed.grain)?));
    }
    means.sort_by_key(|(_, leaf)| std::cmp::Reverse(leaf.value));
    let (Some((high, most)), Some((low, least))) = (means.first(), means.last()) else { return Ok(None) };
    let measure = line.complete.first().map(|(_, leaf)| leaf.measure.clone()).unwrap_or_default();
    let mut figures = Vec::new();
    let mut size = String::new();
    if let Ok(change) = most.change_from(least) {
        size = format!(", {} % more", change.value.rounded(1));
        figures.push(labelled(
            &change,
            FigureKind::Change,
            format!("{high} against {low}, {measure}"),
            Some(Direction::Up),
        ));
    }
    for (rank, (_, leaf)) in (1..).zip(&means) {
        let mut figure = leaf.figure();
        figure.label.clone_from(&leaf.words);
        figure.rank = Some(rank);
        figures.push(figure);
    }
    let text = format!(
        "The {measure} is highest in {high} ({}{size}) and lowest in {low} ({}), again and again.",
        shown(most),
        shown(least)
    );
    let text = if weekly { text.replace(" in ", " on ") } else { text };
    let mut finding = line.finding(FindingKind::Season, text, strength);
    finding.figures = figures;
    finding.at = Some(span);
    Ok(Some(finding))
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
