//! Answers and findings drawn: which kind of chart, which series, which words.

use baton_charts::{Annotation, Axis, Chart, Kind, Order as BarOrder, Positions, Scale, Series as Drawn};
use baton_figures::question::{MONTHS, WEEKDAYS};
use baton_figures::{Answer, Ask, Figure, Finding, FindingKind, Grain, Period, Series};

use crate::report::evidence::group;
use crate::report::facet::{Facet, Shape};
use crate::report::memory::Memory;
use crate::report::naming::{averaged, capital, named, period_name};
use crate::report::tell::{counted, first_of, group_name, tell, tell_finding};

/// More days than these are drawn by month.
const LONG: usize = 120;

/// Bars that a picture has room for.
const BARS: usize = 25;

/// A long series of days or weeks by month: their sums, which are exact. What is no sum stays as it is.
#[must_use]
pub fn by_month(series: &Series) -> Option<Series> {
    let is_long = series.values.len() > LONG && matches!(series.grain, Grain::Day);
    let adds_up = series.measure.starts_with("sum of ") || series.measure.starts_with("number of ");
    if !is_long || !adds_up {
        return None;
    }
    let whole = series.values.len().saturating_sub(series.partial);
    let mut coarse =
        Series { grain: Grain::Month, periods: Vec::new(), values: Vec::new(), partial: 0, ..series.clone() };
    for (period, value) in series.periods.iter().zip(&series.values).take(whole) {
        let month = Grain::Month.period(period.from);
        if coarse.periods.last() != Some(&month) {
            coarse.periods.push(month);
            coarse.values.push(None);
        }
        if let (Some(sum), Some(value)) = (coarse.values.last_mut(), value) {
            *sum = Some(sum.map_or(Some(*value), |sum| sum.plus(*value))?);
        }
    }
    // Months that the days do not fill would look like falls.
    let (first, last) = (series.periods.first()?.from, series.periods.get(whole.checked_sub(1)?)?.to);
    if coarse.periods.last().is_some_and(|month| month.to > last) {
        coarse.periods.pop();
        coarse.values.pop();
    }
    if coarse.periods.first().is_some_and(|month| month.from < first) {
        coarse.periods.remove(0);
        coarse.values.remove(0);
    }
    (coarse.values.len() > 2).then_some(coarse)
}

/// The chart of an answer, if it shows more than one number.
pub(super) fn of_answer(answer: &Answer, memory: &Memory) -> Option<Chart> {
    let title = headline(&tell(answer).first()?.text());
    let drawn: Vec<Series> =
        answer.series.iter().map(|series| by_month(series).unwrap_or_else(|| series.clone())).collect();
    let lines: Vec<&Series> = drawn.iter().filter(|series| series.values.len() > 2).collect();
    let mut chart = match &answer.question.ask {
        Ask::Ranking { by, .. } | Ask::Comparison { by, .. } | Ask::Share { by, .. } => {
            bars(&answer.figures, by, BarOrder::Sorted)?
        }
        Ask::Seasonality { .. } => bars(&answer.figures, "", BarOrder::Given)?,
        _ => line(&lines)?,
    };
    chart.title = match &answer.question.ask {
        Ask::Comparison { measure, by, .. } => {
            first_of(&answer.figures, measure, by).map_or(title, |it| headline(&it.text()))
        }
        _ => title,
    };
    chart.source = sources(&answer.figures, memory, &answer.question.table);
    Some(chart)
}

pub(super) fn of_finding(finding: &Finding, memory: &Memory) -> Option<Chart> {
    let title = headline(&tell_finding(finding)?.text());
    let source = sources(&finding.figures, memory, &finding.table);
    if finding.kind == FindingKind::Season {
        let ranked: Vec<Figure> =
            finding.figures.iter().filter(|figure| figure.rank.is_some()).cloned().collect();
        return bars(&ranked, "", BarOrder::Given).map(|chart| Chart { title, source, ..chart });
    }
    // A single day is seen among days, a turn among months.
    let drawn: Vec<Series> = finding
        .series
        .iter()
        .map(|series| match finding.kind {
            FindingKind::Outlier => series.clone(),
            _ => by_month(series).unwrap_or_else(|| series.clone()),
        })
        .collect();
    let lines: Vec<&Series> = drawn.iter().filter(|series| series.values.len() > 2).collect();
    let mut chart = Chart { title, source, ..line(&lines)? };
    let grain = lines.first()?.grain;
    let at = finding.at?;
    // The middle of the stretch in which a bend lies.
    let x = label(grain.period(at.from.plus((at.days() - 1) / 2)), grain);
    let known = chart.series.first().is_some_and(|series| match &series.x {
        Positions::Labels(labels) => labels.contains(&x),
        Positions::Numbers(_) => false,
    });
    if known {
        chart.annotations.push(match finding.kind {
            FindingKind::Outlier => Annotation::Point { series: String::new(), x, text: period_name(at) },
            FindingKind::ShareFlip => Annotation::Moment { x, text: "overtaken".to_owned() },
            _ => Annotation::Moment { x, text: "turn".to_owned() },
        });
    }
    Some(chart)
}

/// "Revenue rose by 9.4 %, from EUR 1 to EUR 2." is "Revenue rose by 9.4 %".
#[must_use]
pub fn headline(sentence: &str) -> String {
    let bare = sentence.trim_end_matches('.');
    let cuts = [
        ", from ",
        ", ahead of ",
        ", followed by ",
        "; it says",
        ", on average ",
        ", and lowest",
        ": its ",
        ": it ",
    ];
    let listed = bare.find(" made up ").and_then(|at| Some(at + bare.get(at..)?.find(", ")?));
    let cut = cuts.iter().filter_map(|cut| bare.find(cut)).chain(listed).min().unwrap_or(bare.len());
    bare[..cut].to_owned()
}

/// Where the values come from: files and columns.
fn sources(figures: &[Figure], memory: &Memory, table: &str) -> String {
    let mut columns: Vec<String> = Vec::new();
    for cells in figures.iter().flat_map(|figure| &figure.cells) {
        let name = cells.column.as_ref().map_or(cells.table.clone(), |column| {
            if column.contains('.') { column.clone() } else { format!("{}.{column}", cells.table) }
        });
        if !columns.contains(&name) {
            columns.push(name);
        }
    }
    columns.truncate(3);
    let file = memory.file_of(table);
    if columns.is_empty() { file } else { format!("{file} ({})", columns.join(", ")) }
}

fn line(lines: &[&Series]) -> Option<Chart> {
    let first = lines.first()?;
    let mut chart = Chart { kind: Kind::Line, ..Chart::default() };
    for series in lines.iter().filter(|series| series.unit == first.unit && series.grain == first.grain) {
        let whole = series.values.len().saturating_sub(series.partial);
        let known = series.values.iter().take(whole).flatten().count();
        // Of a census every five years nothing is missing in between.
        let sparse = known * 2 < whole;
        let points = series.periods.iter().zip(&series.values).take(whole);
        let (labels, values): (Vec<String>, Vec<Option<f64>>) = points
            .filter(|(_, value)| !sparse || value.is_some())
            .map(|(period, value)| (label(*period, series.grain), value.map(baton_figures::Decimal::to_f64)))
            .unzip();
        let name = series_name(series);
        if chart.series.iter().any(|known| known.name == name) {
            continue;
        }
        chart.series.push(Drawn { name, x: Positions::Labels(labels), y: values, secondary: false });
    }
    let grain = first.grain;
    chart.x = Axis { label: String::new(), unit: String::new(), scale: Scale::Time };
    let measure = capital(&measure_words(first));
    chart.y =
        Axis { label: measure.clone(), unit: first.unit.clone().unwrap_or_default(), scale: Scale::Auto };
    chart.subtitle = match (first.periods.first(), first.periods.last()) {
        (Some(from), Some(to)) => {
            let unit = first.unit.as_deref().map(|unit| format!(", {unit}")).unwrap_or_default();
            let (from, to) = (period_name(*from), period_name(*to));
            format!("{measure} by {}{unit}, {from} to {to}", grain.name())
        }
        _ => String::new(),
    };
    (chart.points() > 2).then_some(chart)
}

/// "sum of revenue_eur" is "revenue".
fn measure_words(series: &Series) -> String {
    let column = series.measure.rsplit(" of ").next().unwrap_or(&series.measure);
    match series.measure.strip_prefix("mean of ") {
        Some(column) => averaged(&named(column)),
        None => named(column),
    }
}

/// What a legend calls a series.
#[must_use]
pub fn series_name(series: &Series) -> String {
    use baton_figures::question::Test;
    match series.group.as_ref().map(|group| (&group.column, &group.test)) {
        Some((column, Test::Is(values))) => group_name(&named(column), &values.join(", ")),
        // A series of one group names it behind its measure.
        _ => match series.name.split_once(", ") {
            Some((_, group)) => group.to_owned(),
            None => capital(&measure_words(series)),
        },
    }
}

pub(super) fn is_drawn(series: &Series, chart: &Chart) -> bool {
    let whole = series.values.len().saturating_sub(series.partial);
    let known = series.values.iter().take(whole).flatten().count();
    chart.series.iter().any(|drawn| drawn.y.len() == whole || drawn.y.len() == known)
        && series.unit.as_deref().unwrap_or_default() == chart.y.unit
}

fn bars(figures: &[Figure], by: &str, order: BarOrder) -> Option<Chart> {
    let wanted = |figure: &&Figure| {
        let facet = Facet::of(figure);
        !figure.group.is_empty() && matches!(facet.shape, Shape::Amount(_) | Shape::Share | Shape::Ratio)
    };
    let all: Vec<&Figure> = figures.iter().filter(wanted).collect();
    let first = all.first()?;
    let shape = std::mem::discriminant(&Facet::of(first).shape);
    let mut points: Vec<(String, f64)> = Vec::new();
    for figure in all.iter().filter(|figure| {
        figure.unit == first.unit && std::mem::discriminant(&Facet::of(figure).shape) == shape
    }) {
        let name = group(figure);
        if !points.iter().any(|(known, _)| *known == name) {
            points.push((name, figure.value.to_f64()));
        }
    }
    if points.len() < 2 {
        return None;
    }
    // Weekdays and months stand in their own order.
    for calendar in [&WEEKDAYS[..], &MONTHS[..]] {
        let place = |name: &str| calendar.iter().position(|it| *it == name);
        if points.iter().all(|(name, _)| place(name).is_some()) {
            points.sort_by_key(|(name, _)| place(name));
        }
    }
    // A picture has no room for more, and what is not drawn is in the table.
    let largest = if points.len() > BARS { format!(", the {BARS} largest") } else { String::new() };
    points.truncate(BARS);
    let facet = Facet::of(first);
    let noun = counted(first).filter(|noun| noun != "rows");
    let measure = noun.as_deref().or(facet.measures.first().map(String::as_str));
    let measure = capital(measure.unwrap_or_default());
    let (labels, values): (Vec<String>, Vec<f64>) = points.into_iter().unzip();
    let name = match facet.shape {
        Shape::Share => format!("Share of {}", measure.to_lowercase()),
        _ => measure,
    };
    let unit = first.unit.clone().unwrap_or_default();
    let time = first.period.map(|period| format!(", {}", period_name(period))).unwrap_or_default();
    let along = if by.is_empty() { String::new() } else { format!(" by {}", named(by)) };
    let shown = if unit.is_empty() { String::new() } else { format!(", {unit}") };
    Some(Chart {
        kind: Kind::Bar,
        subtitle: format!("{name}{along}{shown}{time}{largest}"),
        x: Axis { label: capital(&named(by)), unit: String::new(), scale: Scale::Category },
        y: Axis { label: name.clone(), unit, scale: Scale::Auto },
        series: vec![Drawn {
            name,
            x: Positions::Labels(labels),
            y: values.into_iter().map(Some).collect(),
            secondary: false,
        }],
        order,
        ..Chart::default()
    })
}

/// A period as a place along an axis.
#[must_use]
pub fn label(period: Period, grain: Grain) -> String {
    let (year, month, _) = period.from.parts();
    match grain {
        Grain::Year => format!("{year:04}"),
        Grain::Quarter => format!("{year:04}-Q{}", (month - 1) / 3 + 1),
        Grain::Month => format!("{year:04}-{month:02}"),
        Grain::Week | Grain::Day => period.from.to_string(),
    }
}
