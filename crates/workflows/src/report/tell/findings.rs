//! What the tables say unasked, in sentences: a break, a season, an outlier, a share that changes places.

use baton_figures::question::WEEKDAYS;
use baton_figures::{Direction, Figure, Finding, FindingKind, Period};

use super::{group_name, labelled, season_of, subject, was};
use crate::report::facet::{Facet, Shape};
use crate::report::naming::{averaged, named, period_name, roughly};
use crate::report::prose::{Line, Sentence};

/// The column of a finding, without how its cells were put together.
#[must_use]
pub fn measure_of(finding: &Finding) -> &str {
    finding.measure.rsplit(" of ").next().unwrap_or(&finding.measure)
}

/// The sentence of a finding; none if it has no figures.
#[must_use]
pub fn tell_finding(finding: &Finding) -> Option<Sentence> {
    let told = match finding.kind {
        FindingKind::TrendBreak => trend_break(finding),
        FindingKind::Season => season(finding),
        FindingKind::Outlier => outlier(finding),
        FindingKind::ShareFlip => flip(finding),
    };
    told.or_else(|| finding.figures.first().map(labelled))
}

/// What it is about: "revenue", "orders for Harbour".
fn about(finding: &Finding) -> String {
    let name = named(measure_of(finding));
    let name = if finding.measure.starts_with("mean of ") { averaged(&name) } else { name };
    match finding.group.as_deref().and_then(|group| group.split_once(": ")) {
        Some((column, value)) => format!("{name} for {}", group_name(&named(column), value)),
        None => name,
    }
}

fn verb(direction: Option<Direction>) -> &'static str {
    match direction {
        Some(Direction::Up) => "rose",
        Some(Direction::Down) => "fell",
        _ => "stayed the same",
    }
}

fn when(at: Period) -> String {
    period_name(at)
}

/// A level that changed, or a trend that turned.
fn trend_break(finding: &Finding) -> Option<Sentence> {
    let changes: Vec<&Figure> =
        finding.figures.iter().filter(|figure| Facet::of(figure).shape == Shape::Change).collect();
    let at = finding.at?;
    match changes.as_slice() {
        [after, before] => {
            let what = match (before.direction, after.direction, finding.direction) {
                (Some(Direction::Up), Some(Direction::Up), Some(Direction::Down)) => "growth of {} slowed",
                (Some(Direction::Up), Some(Direction::Up), _) => "growth of {} quickened",
                (Some(Direction::Down), Some(Direction::Down), Some(Direction::Up)) => {
                    "the fall of {} slowed"
                }
                (Some(Direction::Down), Some(Direction::Down), _) => "the fall of {} quickened",
                (_, _, Some(Direction::Up)) => "the trend of {} turned upward",
                _ => "the trend of {} turned downward",
            };
            Some(
                Line::default()
                    .words(&format!("{} ", what.replace("{}", &about(finding))))
                    .time(&roughly(at))
                    .words(&format!(": it {} by ", verb(before.direction)))
                    .size(before)
                    .words(&format!(" before and {} by ", verb(after.direction)))
                    .size(after)
                    .words(" after")
                    .end(),
            )
        }
        [change] => Some(step(finding, at, change).end()),
        // Beside what happens at that time of year anyway.
        [beside, change, usual] => Some(
            step(finding, at, change)
                .words(&format!("; at the same time of another year it {} by ", verb(usual.direction)))
                .size(usual)
                .words(", so this was ")
                .size(beside)
                .words(if finding.direction == Some(Direction::Up) { " above" } else { " below" })
                .words(" the usual course")
                .end(),
        ),
        _ => None,
    }
}

/// "revenue rose by 5 % from 3 March 2025 on, from this to that on average".
fn step(finding: &Finding, at: Period, change: &Figure) -> Line {
    let is_level = |it: &&Figure| matches!(Facet::of(it).shape, Shape::Amount(_) | Shape::Ratio);
    let levels: Vec<&Figure> = finding.figures.iter().filter(is_level).collect();
    let line = Line::default()
        .words(&format!("{} {} by ", about(finding), verb(change.direction)))
        .size(change)
        .words(" from ")
        .time(&when(at))
        .words(" on");
    match levels.as_slice() {
        [before, after] => {
            line.words(", from ").number(before).words(" to ").number(after).words(" on average")
        }
        _ => line,
    }
}

/// The highest and the lowest weekday or month.
fn season(finding: &Finding) -> Option<Sentence> {
    let mut ranked: Vec<&Figure> = finding.figures.iter().filter(|figure| figure.rank.is_some()).collect();
    ranked.sort_by_key(|figure| figure.rank);
    let (most, least) = (ranked.first()?, ranked.last()?);
    let mean = if about(finding).starts_with("average ") { "" } else { " on average" };
    let on = |figure: &Figure| {
        let name = season_of(figure);
        if WEEKDAYS.contains(&name.as_str()) { format!("on {name}s") } else { format!("in {name}") }
    };
    Some(
        Line::default()
            .words(&format!("{} peaked {} with ", about(finding), on(most)))
            .number(most)
            .words(&format!("{mean} and {} lowest {} with ", was(&about(finding)), on(least)))
            .number(least)
            .end(),
    )
}

/// A day far from those around it.
fn outlier(finding: &Finding) -> Option<Sentence> {
    let value = finding.figures.first()?;
    let far = if finding.direction == Some(Direction::Up) { "above" } else { "below" };
    let at = finding.at?;
    let about = about(finding);
    let line = Line::default()
        .words(if at.from == at.to { "on " } else { "in " })
        .time(&when(at))
        .words(&format!(", {about} {} ", was(&about)))
        .number(value);
    let around = finding.figures.iter().find(|figure| Facet::of(figure).shape == Shape::Ratio);
    match around {
        Some(around) => {
            Some(line.words(&format!(", far {far} the average of ")).number(around).words(" before it").end())
        }
        None => Some(line.words(&format!(", far {far} what is usual")).end()),
    }
}

/// One group overtook another.
fn flip(finding: &Finding) -> Option<Sentence> {
    let shares: Vec<&Figure> =
        finding.figures.iter().filter(|figure| Facet::of(figure).shape == Shape::Share).collect();
    let [new_before, old_before, new_after, _] = shares.as_slice() else { return None };
    let (winner, loser) = (subject(new_before, ""), subject(old_before, ""));
    let at = when(finding.at?);
    let time = |figure: &Figure| {
        figure.period.map(|period| format!(" ({})", period_name(period))).unwrap_or_default()
    };
    Some(
        Line::default()
            .words(&format!("{winner} overtook {loser} in {} about ", named(measure_of(finding))))
            .time(&at)
            .words(": its share rose from ")
            .number(new_before)
            .words(&format!("{} to ", time(new_before)))
            .number(new_after)
            .words(&time(new_after))
            .end(),
    )
}
