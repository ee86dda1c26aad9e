//! What an answer says, in sentences by rules: the figure that was asked for first, its size and its way, and nothing that
//! was not computed.

mod course;
mod findings;
mod ranking;
mod rows;
mod together;

use baton_figures::figure::Calculation;
use baton_figures::{Aggregate, Answer, Ask, Direction, Figure, Measure};

use super::facet::{Facet, Shape};
use super::naming::{averaged, in_period, named, period_name};
use super::prose::{Line, Sentence};

pub use findings::{measure_of, tell_finding};
pub use rows::counted;
pub use together::{same_way, yes_or_no};

/// Groups that a sentence lists.
const LISTED: usize = 4;

/// The sentences of an answer; none if it was refused.
#[must_use]
pub fn tell(answer: &Answer) -> Vec<Sentence> {
    tell_along(answer, None)
}

/// The same, beside the course of what is told: the years between the first and the last count too.
#[must_use]
pub fn tell_along(answer: &Answer, course: Option<&Answer>) -> Vec<Sentence> {
    let figures = &answer.figures;
    let Some(first) = figures.first() else { return Vec::new() };
    let between = course.map_or(figures.as_slice(), |course| &course.figures);
    let told = match &answer.question.ask {
        Ask::Total { measure } => vec![amount(first, measure)],
        Ask::Latest { measure, .. } => vec![amount(first, measure)],
        Ask::Change { measure, .. } => change(figures, between, measure),
        Ask::Share { measure, by, .. } => shares(figures, measure, by),
        Ask::Ranking { measure, by, ascending, .. } => ranking::ranking(figures, measure, by, *ascending),
        Ask::Distribution { column } => distribution(figures, column),
        Ask::Trend { measure, .. } => change(figures, figures, measure),
        Ask::Seasonality { measure } => season(figures, measure),
        Ask::Correlation { x, y, .. } => vec![correlation(first, x, y)],
        Ask::Comparison { measure, by, .. } => comparison(figures, measure, by),
        Ask::Ratio { above, below } => vec![ratio(first, above, below)],
        Ask::Target { measure, .. } => vec![target(first, measure)],
        Ask::Peak { measure, lowest, .. } => vec![peak(first, measure, *lowest)],
    };
    let told: Vec<Sentence> = told.into_iter().filter(|sentence| !sentence.pieces.is_empty()).collect();
    let told = rows::called(told, figures);
    if told.is_empty() { vec![labelled(first)] } else { told }
}

/// A sentence with the names of columns as a reader has them.
fn readable(text: &str) -> String {
    text.split(' ')
        .map(|word| {
            let bare = word.trim_end_matches([',', '.', ';', ':', ')']);
            let is_column = bare.contains('_') && !bare.contains("__");
            if is_column { format!("{}{}", named(bare), &word[bare.len()..]) } else { word.to_owned() }
        })
        .collect::<Vec<_>>()
        .join(" ")
}

/// A figure by its label.
pub(super) fn labelled(figure: &Figure) -> Sentence {
    Line::default().words(&readable(&figure.label)).words(": ").number(figure).end()
}

/// "total revenue", "average body mass", "the number of sales".
#[must_use]
pub fn measured(measure: &Measure) -> String {
    let Some(column) = &measure.column else { return "the number of rows".to_owned() };
    let name = named(column);
    match measure.how {
        Aggregate::Sum => name,
        Aggregate::Mean => averaged(&name),
        Aggregate::Median => format!("median {name}"),
        Aggregate::Min => format!("smallest {name}"),
        Aggregate::Max => format!("largest {name}"),
        Aggregate::Count => format!("the number of {name} entries"),
        Aggregate::Distinct => format!("the number of different {name} values"),
        Aggregate::Deviation => format!("the standard deviation of {name}"),
        Aggregate::Quantile(percent) => format!("the {percent} % quantile of {name}"),
    }
}

/// " for Harbour", " for shop id 01 where orders is above 5"; nothing where all rows are meant.
fn of_whom(facet: &Facet) -> String {
    beside(facet, "")
}

/// The same without the group that the sentence names itself.
fn beside(facet: &Facet, subject: &str) -> String {
    let names: Vec<String> = facet
        .groups
        .iter()
        .map(|(column, value)| group_name(column, value))
        .filter(|name| name != subject)
        .collect();
    let mut text = if names.is_empty() { String::new() } else { format!(" for {}", names.join(" and ")) };
    for condition in &facet.conditions {
        text.push_str(&format!(" {condition}"));
    }
    text
}

/// What all figures of a list are about, beside the group of each.
fn all_of(figure: &Figure, by: &str) -> String {
    beside(&Facet::of(figure), &subject(figure, by))
}

/// A group as a reader names it: a bare number, a short code, a yes or a no needs its column.
#[must_use]
pub fn group_name(column: &str, value: &str) -> String {
    let answers = ["yes", "true", "false"].contains(&value.to_lowercase().as_str());
    let tells = !answers && value.chars().filter(|letter| letter.is_alphabetic()).count() > 2;
    let shown = value.replace('_', " ");
    if tells { shown } else { format!("{column} {shown}") }
}

/// "revenue was", "orders were".
pub(super) fn was(subject: &str) -> &'static str {
    let noun = subject.split(" for ").next().unwrap_or(subject);
    let noun = noun.split(" per ").next().unwrap_or(noun);
    let noun = noun.split(" of ").next().unwrap_or(noun);
    // "packs sold" are packs.
    let noun = noun.strip_suffix(" sold").or_else(|| noun.strip_suffix(" made")).unwrap_or(noun);
    let plural = noun.ends_with('s') && !["ss", "us", "is"].iter().any(|end| noun.ends_with(end));
    if plural && !noun.starts_with("the number") { "were" } else { "was" }
}

fn at_time(figure: &Figure) -> String {
    figure.period.map(|period| format!(" {}", in_period(period))).unwrap_or_default()
}

fn amount(figure: &Figure, measure: &Measure) -> Sentence {
    let facet = Facet::of(figure);
    let is_called = measured(measure).starts_with("total ");
    let total = if measure.how == Aggregate::Sum && !is_called { "total " } else { "" };
    Line::default()
        .words(&format!(
            "{total}{}{}{} {} ",
            measured(measure),
            of_whom(&facet),
            at_time(figure),
            was(&measured(measure))
        ))
        .number(figure)
        .end()
}

fn shaped(figures: &[Figure], wanted: fn(Shape) -> bool) -> Vec<&Figure> {
    figures.iter().filter(|figure| wanted(Facet::of(figure).shape)).collect()
}

/// "rose by 9.4 % from 2024 to 2025, from EUR 1 to EUR 2".
fn change(figures: &[Figure], between: &[Figure], measure: &Measure) -> Vec<Sentence> {
    let changes = shaped(figures, |shape| shape == Shape::Change);
    let Some(percent) = changes.first() else {
        return figures.first().map(|figure| amount(figure, measure)).into_iter().collect();
    };
    let facet = Facet::of(percent);
    let amounts = shaped(figures, |shape| matches!(shape, Shape::Amount(_) | Shape::Ratio));
    let (from, to) = ends(percent, &amounts);
    let measure = &ranking::of_cells(measure, &from.into_iter().chain(to).collect::<Vec<_>>());
    let verb = match facet.direction {
        Some(Direction::Up) => "rose",
        Some(Direction::Down) => "fell",
        _ => "did not change",
    };
    let mut line = Line::default().words(&format!("{}{} {verb}", measured(measure), of_whom(&facet)));
    // Per cent of per cent mislead: what is a share already changes by points.
    let points = shaped(figures, |shape| shape == Shape::Difference)
        .into_iter()
        .find(|figure| figure.unit.as_deref() == Some("percentage points"));
    if verb != "did not change" {
        line = line.words(" by ").size(points.unwrap_or(percent));
    }
    if let (Some(first), Some(last)) = (facet.periods.first(), facet.periods.last())
        && first != last
    {
        line = line.words(&format!(" from {} to {}", period_name(*first), period_name(*last)));
    }
    if let (Some(from), Some(to)) = (from, to) {
        line = line.words(", from ").number(from).words(" to ").number(to);
        line = course::turned(line, between, from, to);
    }
    vec![line.end()]
}

/// The amounts before and after a change.
fn ends<'f>(change: &Figure, amounts: &[&'f Figure]) -> (Option<&'f Figure>, Option<&'f Figure>) {
    let Calculation::Change { from, to, .. } = &change.calculation else { return (None, None) };
    let is = |wanted: &Calculation| amounts.iter().find(|figure| figure.calculation == *wanted).copied();
    (is(from), is(to))
}

/// "The app made up 54 % of orders in 2025, the counter 46 %".
fn shares(figures: &[Figure], measure: &Measure, by: &str) -> Vec<Sentence> {
    let parts = shaped(figures, |shape| shape == Shape::Share);
    let Some(first) = parts.first() else { return Vec::new() };
    let whole = if measure.column.is_none() { "the rows".to_owned() } else { measured(measure) };
    let mut line = Line::default()
        .words(&format!("{} made up ", subject(first, by)))
        .number(first)
        .words(&format!(" of {whole}{}{}", all_of(first, by), at_time(first)));
    for (at, part) in parts.iter().enumerate().skip(1).take(LISTED) {
        let joint = if at + 1 == parts.len() && at > 1 { ", and " } else { ", " };
        line = line.words(&format!("{joint}{} ", subject(part, by))).number(part);
    }
    vec![line.end()]
}

/// Whose number it is.
pub(super) fn subject(figure: &Figure, by: &str) -> String {
    if let Some(value) = figure.group.get(by) {
        return group_name(&named(by), value);
    }
    let facet = Facet::of(figure);
    let own: Vec<(&String, &String)> = figure.group.iter().collect();
    match own.as_slice() {
        [(column, value)] => group_name(&named(column), value),
        _ => facet.groups.last().map(|(column, value)| group_name(column, value)).unwrap_or_default(),
    }
}

fn distribution(figures: &[Figure], column: &str) -> Vec<Sentence> {
    let with =
        |wanted: Aggregate| figures.iter().find(|figure| Facet::of(figure).shape == Shape::Amount(wanted));
    let name = named(column);
    let mut told = Vec::new();
    if let (Some(least), Some(most)) = (with(Aggregate::Min), with(Aggregate::Max)) {
        let mut line = Line::default()
            .words(&format!("{name}{} ranged from ", of_whom(&Facet::of(least))))
            .number(least)
            .words(" to ")
            .number(most);
        if let Some(median) = with(Aggregate::Median) {
            line = line.words(", with a median of ").number(median);
        }
        if let Some(mean) = with(Aggregate::Mean) {
            line = line.words(" and an average of ").number(mean);
        }
        told.push(line.end());
    }
    told
}

/// "Orders were highest on Saturday with a mean of 900 and lowest on Sunday with 370".
fn season(figures: &[Figure], measure: &Measure) -> Vec<Sentence> {
    let grouped: Vec<&Figure> = figures
        .iter()
        .filter(|figure| matches!(Facet::of(figure).shape, Shape::Amount(_) | Shape::Ratio))
        .collect();
    let most = grouped.iter().max_by(|a, b| a.value.cmp(&b.value));
    let least = grouped.iter().min_by(|a, b| a.value.cmp(&b.value));
    let (Some(most), Some(least)) = (most, least) else { return Vec::new() };
    if most.id == least.id {
        return vec![labelled(most)];
    }
    let when = |figure: &Figure| {
        let name = season_of(figure);
        let is_day = baton_figures::question::WEEKDAYS.contains(&name.as_str());
        if is_day { format!("on {name}s") } else { format!("in {name}") }
    };
    let line = Line::default()
        .words(&format!(
            "{}{} {} highest {}, on average ",
            measured(measure),
            beside(&Facet::of(most), &season_of(most)),
            was(&measured(measure)),
            when(most)
        ))
        .number(most)
        .words(&format!(", and lowest {}, on average ", when(least)))
        .number(least);
    vec![line.end()]
}

/// The weekday or the month of a figure.
pub(super) fn season_of(figure: &Figure) -> String {
    let kind = if figure.group.contains_key("weekday") { "weekday" } else { "month" };
    subject(figure, kind)
}

fn correlation(figure: &Figure, x: &str, y: &str) -> Sentence {
    Line::default()
        .words(&format!(
            "the correlation of {} and {}{}{} is ",
            named(x),
            named(y),
            of_whom(&Facet::of(figure)),
            at_time(figure)
        ))
        .number(figure)
        .words("; it says nothing about a cause")
        .end()
}

fn comparison(figures: &[Figure], measure: &Measure, by: &str) -> Vec<Sentence> {
    let groups: Vec<&Figure> = shaped(figures, |shape| matches!(shape, Shape::Amount(_)))
        .into_iter()
        .filter(|figure| !figure.group.is_empty())
        .collect();
    let Some(first) = groups.first() else { return Vec::new() };
    let mut line = Line::default()
        .words(&format!(
            "{}{}{} {} ",
            measured(measure),
            all_of(first, by),
            at_time(first),
            was(&measured(measure))
        ))
        .number(first)
        .words(&format!(" for {}", subject(first, by)));
    let rest: Vec<&&Figure> = groups.iter().skip(1).take(LISTED + 1).collect();
    let left = &groups[1 + rest.len()..];
    for (at, other) in rest.iter().enumerate() {
        let joint = if at + 1 == rest.len() && left.is_empty() { " and " } else { ", " };
        line = line.words(joint).number(other).words(&format!(" for {}", subject(other, by)));
    }
    // A list that ends says that there are no others.
    let least = rest.last().map_or(first.value, |last| last.value);
    line = match left {
        [] => line,
        _ if left.iter().all(|other| other.value < least) => line.words(" and less for the others"),
        _ => line.words(" and other amounts for the others"),
    };
    vec![line.end()]
}

/// The group a comparison is led by, as a title says it: "Revenue was highest for Harbour with EUR 949,493".
pub(super) fn first_of(figures: &[Figure], measure: &Measure, by: &str) -> Option<Sentence> {
    let groups: Vec<&Figure> = shaped(figures, |shape| matches!(shape, Shape::Amount(_)))
        .into_iter()
        .filter(|figure| !figure.group.is_empty())
        .collect();
    let (first, others) = groups.split_first()?;
    let leads = others.len() > 1 && others.iter().all(|other| other.value < first.value);
    leads.then(|| {
        let sentence = Line::default()
            .words(&format!(
                "{}{}{} {} highest for ",
                measured(measure),
                all_of(first, by),
                at_time(first),
                was(&measured(measure))
            ))
            .words(&format!("{} with ", subject(first, by)))
            .number(first)
            .end();
        rows::called(vec![sentence], figures).remove(0)
    })
}

fn ratio(figure: &Figure, above: &Measure, below: &Measure) -> Sentence {
    let facet = Facet::of(figure);
    let name = match &below.column {
        None => format!("{} per row", measured(above)),
        Some(column) => {
            let one = named(column);
            let one = one.strip_suffix('s').filter(|it| !it.ends_with('s')).unwrap_or(&one).to_owned();
            format!("{} per {one}", measured(above))
        }
    };
    Line::default().words(&format!("{name}{}{} was ", of_whom(&facet), at_time(figure))).number(figure).end()
}

fn target(figure: &Figure, measure: &Measure) -> Sentence {
    Line::default()
        .words(&format!("{}{}{} reached ", measured(measure), of_whom(&Facet::of(figure)), at_time(figure)))
        .number(figure)
        .words(" of its target")
        .end()
}

fn peak(figure: &Figure, measure: &Measure, lowest: bool) -> Sentence {
    let most = if lowest { "lowest" } else { "highest" };
    Line::default()
        .words(&format!(
            "{}{} {} {most}{} with ",
            measured(measure),
            of_whom(&Facet::of(figure)),
            was(&measured(measure)),
            at_time(figure)
        ))
        .number(figure)
        .end()
}
