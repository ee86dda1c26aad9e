//! Charts as the workbook draws them itself, from cells beside the tables.

use rust_xlsxwriter::{
    Chart as Native, ChartAxisDateUnitType, ChartAxisLabelPosition, ChartAxisTickType, ChartEmptyCells,
    ChartFont, ChartFormat, ChartLegendPosition, ChartLine, ChartMarker, ChartMarkerType, ChartSolidFill,
    ChartType, Color, Worksheet,
};

use super::WorkbookError;
use super::cells;
use super::map::{HEAD, Map};
use super::pack::{Cell, Column, DataPack, Table};
use crate::behind::{self, Behind, with_unit};
use crate::spec::{Chart, Kind, Positions};
use crate::svg;
use crate::time::{self, Grain};

/// A native chart shows so many categories; its table has all.
const MOST: u32 = 25;
/// Pixels of a chart, and of the step to the next one.
const SIZE: (u32, u32) = (640, 360);
const ROWS_EACH: u32 = 19;
/// What a workbook allows.
const LONGEST_DESCRIPTION: usize = 255;

/// The table behind each chart, as cells.
pub(super) fn tables(pack: &DataPack) -> Result<Vec<Table>, WorkbookError> {
    pack.charts.iter().enumerate().map(|(at, chart)| table(at, chart)).collect()
}

fn table(at: usize, chart: &Chart) -> Result<Table, WorkbookError> {
    let fault = |error| WorkbookError::Chart { id: chart.id.clone(), error };
    let title = if chart.title.is_empty() { chart.id.clone() } else { chart.title.clone() };
    let name = format!("{}. {title}", at + 1);
    let plain = |name: String| Column { name, ..Column::default() };
    if chart.kind == Kind::Scatter {
        return scatter(name, chart).map_err(fault);
    }
    let behind = Behind::of(chart).map_err(fault)?;
    let first = behind.head.first().cloned().unwrap_or_default();
    let columns = [first].into_iter().chain(behind.head.into_iter().skip(1)).map(plain).collect();
    let label = |label: String| if is_day(&label) { Cell::Date(label) } else { Cell::Text(label) };
    let cell = |value: Option<f64>| value.map_or(Cell::Empty, Cell::Number);
    let rows = behind.rows.into_iter();
    let rows = rows
        .map(|(name, values)| [label(name)].into_iter().chain(values.into_iter().map(cell)).collect())
        .collect();
    Ok(Table { name, note: chart.subtitle.clone(), columns, rows })
}

/// A scatter plot has two columns for each series: where, and how much.
fn scatter(name: String, chart: &Chart) -> Result<Table, crate::ChartError> {
    Behind::of(chart)?;
    let mut columns = Vec::new();
    let longest = chart.series.iter().map(|series| series.y.len()).max().unwrap_or_default();
    let mut rows = vec![Vec::new(); longest];
    for series in &chart.series {
        columns.push(Column { name: with_unit(&chart.x.label, &chart.x.unit), ..Column::default() });
        columns.push(Column { name: with_unit(&series.name, &chart.y.unit), ..Column::default() });
        let places: Vec<Option<f64>> = match &series.x {
            Positions::Numbers(numbers) => numbers.iter().copied().map(Some).collect(),
            Positions::Labels(labels) => labels.iter().map(|label| label.trim().parse().ok()).collect(),
        };
        for (at, row) in rows.iter_mut().enumerate() {
            for values in [&places, &series.y] {
                row.push(values.get(at).copied().flatten().map_or(Cell::Empty, Cell::Number));
            }
        }
    }
    Ok(Table { name, note: chart.subtitle.clone(), columns, rows })
}

fn is_day(label: &str) -> bool {
    time::read(label).is_some_and(|moment| moment.grain == Grain::Day)
}

/// Where a page of the summary ends when it is printed: never inside a chart.
pub(super) fn page_breaks(pack: &DataPack) -> Vec<u32> {
    let below = HEAD + 3 + pack.summary.len().max(1) as u32;
    let rows = pack.charts.len().div_ceil(2) as u32;
    (2..rows).step_by(2).map(|row| below + row * ROWS_EACH).collect()
}

/// Puts a chart on the summary, two side by side below its figures.
pub(super) fn insert(
    sheet: &mut Worksheet,
    pack: &DataPack,
    at: usize,
    chart: &Chart,
    table: &Table,
    map: &Map,
) -> Result<(), WorkbookError> {
    let mut native = native(chart, table, map)?;
    let below = HEAD + 3 + pack.summary.len().max(1) as u32;
    let (column, shift) = if at.is_multiple_of(2) { (0, 0) } else { (3, 120) };
    let row = below + (at / 2) as u32 * ROWS_EACH;
    native.set_width(SIZE.0).set_height(SIZE.1);
    sheet.insert_chart_with_offset(row, column, &native, shift, 0)?;
    Ok(())
}

fn native(chart: &Chart, table: &Table, map: &Map) -> Result<Native, WorkbookError> {
    let place = map.place(&table.name)?;
    let cut = chart.kind != Kind::Line && chart.kind != Kind::Scatter && chart.kind != Kind::Histogram;
    let (first, last) = place.span();
    let last = if cut && !chart.is_timed() { last.min(first + MOST - 1) } else { last };
    let upright = chart.is_timed() || table.rows.len() <= 8;
    let mut native = Native::new(kind(chart.kind, upright));
    let scattered = chart.kind == Kind::Scatter;
    let forced = chart.y2.as_ref().is_some_and(|y2| y2.unit != chart.y.unit);
    for (at, series) in chart.series.iter().enumerate() {
        let (names, values) = if scattered { (2 * at as u16, 2 * at as u16 + 1) } else { (0, at as u16 + 1) };
        let (names, values) = (place.left + names, place.left + values);
        let colour = svg::colour(at);
        let added = native
            .add_series()
            .set_name((place.sheet, HEAD, values))
            .set_categories((place.sheet, first, names, last, names))
            .set_values((place.sheet, first, values, last, values))
            .set_secondary_axis(series.secondary && forced)
            .set_format(&mut look(chart.kind, colour));
        match chart.kind {
            Kind::Histogram => {
                added.set_gap(4);
            }
            Kind::Line | Kind::Scatter => {
                let mut marker = ChartMarker::new();
                if scattered || series.y.len() == 1 {
                    let mut fill = ChartFormat::new();
                    fill.set_solid_fill(ChartSolidFill::new().set_color(Color::RGB(colour))).set_no_border();
                    marker.set_type(ChartMarkerType::Circle).set_size(6).set_format(&mut fill);
                } else {
                    marker.set_none();
                }
                added.set_marker(&marker);
            }
            _ => {
                added.set_gap(50);
            }
        }
    }
    dress(&mut native, chart, upright);
    Ok(native)
}

fn kind(kind: Kind, upright: bool) -> ChartType {
    match (kind, upright) {
        (Kind::Line, _) => ChartType::Line,
        (Kind::Bar | Kind::GroupedBar, true) | (Kind::Histogram, _) => ChartType::Column,
        (Kind::Bar | Kind::GroupedBar, false) => ChartType::Bar,
        (Kind::StackedBar, true) => ChartType::ColumnStacked,
        (Kind::StackedBar, false) => ChartType::BarStacked,
        (Kind::Scatter, _) => ChartType::Scatter,
    }
}

fn look(kind: Kind, colour: u32) -> ChartFormat {
    let mut format = ChartFormat::new();
    match kind {
        Kind::Line => format.set_line(ChartLine::new().set_color(Color::RGB(colour)).set_width(2.0)),
        Kind::Scatter => format.set_no_line(),
        _ => format.set_solid_fill(ChartSolidFill::new().set_color(Color::RGB(colour))),
    };
    format
}

/// A name that would be taken for a formula or for a cell (`x!A1`) gets a space that nobody sees.
fn name(text: &str) -> String {
    let text = cells::words(text);
    match text.starts_with('=') || text.contains('!') {
        true => format!("\u{a0}{text}\u{a0}"),
        false => text,
    }
}

fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most - 1).collect();
    format!("{kept}…")
}

/// Titles, axes and the words for whoever cannot see it.
fn dress(native: &mut Native, chart: &Chart, upright: bool) {
    let mut bold = ChartFont::new();
    bold.set_size(13).set_bold();
    let mut small = ChartFont::new();
    small.set_size(10);
    native.title().set_name(name(&chart.title).as_str()).set_font(&bold);
    let description =
        if chart.description.is_empty() { behind::describe(chart) } else { chart.description.clone() };
    native.set_alt_text(shortened(&cells::words(&description), LONGEST_DESCRIPTION));
    native.show_empty_cells_as(ChartEmptyCells::Gaps);
    if chart.series.len() > 1 {
        native.legend().set_position(ChartLegendPosition::Bottom);
    } else {
        native.legend().set_hidden();
    }
    let grid = {
        let mut line = ChartLine::new();
        line.set_color(Color::RGB(0x00df_e3e8));
        line
    };
    let rows = !upright && matches!(chart.kind, Kind::Bar | Kind::GroupedBar | Kind::StackedBar);
    let from_zero = matches!(chart.kind, Kind::Bar | Kind::GroupedBar | Kind::StackedBar | Kind::Histogram)
        && chart.series.iter().flat_map(|series| &series.y).flatten().all(|value| *value >= 0.0);
    let is_days = |positions: &Positions| matches!(positions, Positions::Labels(labels) if labels.iter().all(|label| is_day(label)));
    let daily = chart.kind == Kind::Line && chart.series.iter().all(|series| is_days(&series.x));
    // In a chart of rows the two axes change places.
    let values = if rows { native.x_axis() } else { native.y_axis() };
    values.set_name_font(&small).set_major_gridlines(true).set_major_gridlines_line(&grid);
    let value_name = name(&with_unit(&chart.y.label, &chart.y.unit));
    if !value_name.is_empty() {
        values.set_name(value_name.as_str());
    }
    if from_zero {
        values.set_min(0);
    }
    let places = if rows { native.y_axis() } else { native.x_axis() };
    places.set_name_font(&small);
    places.set_major_tick_type(ChartAxisTickType::None).set_minor_tick_type(ChartAxisTickType::None);
    if chart.kind == Kind::Scatter {
        places.set_major_gridlines(true).set_major_gridlines_line(&grid);
    }
    let place_name = name(&with_unit(&chart.x.label, &chart.x.unit));
    if !place_name.is_empty() {
        places.set_name(place_name.as_str());
    }
    if daily {
        places.set_date_axis(true).set_num_format("mmm yyyy");
        let days = chart.series.iter().map(|series| series.y.len()).max().unwrap_or_default();
        if days > 60 {
            places
                .set_major_unit((days / 360 + 1) as u32)
                .set_major_unit_date_type(ChartAxisDateUnitType::Months);
        }
    }
    if rows {
        // Read from the top, with the numbers below and the names at the left of what is negative.
        places.set_reverse().set_label_position(ChartAxisLabelPosition::Low);
        native.x_axis().set_label_position(ChartAxisLabelPosition::High);
    }
    if let Some(second) = chart.y2.as_ref().filter(|second| second.unit != chart.y.unit) {
        native
            .y2_axis()
            .set_name(name(&with_unit(&second.label, &second.unit)).as_str())
            .set_name_font(&small);
    }
}
