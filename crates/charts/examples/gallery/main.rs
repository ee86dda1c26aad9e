//! Draws one chart of every kind, and the hard cases, into a folder: `cargo run -p baton-charts --example gallery -- FOLDER`.

mod hard;
mod pack;

use std::error::Error;
use std::path::PathBuf;

use baton_charts::page;
use baton_charts::svg::{self, Look};
use baton_charts::workbook;
use baton_charts::{Annotation, Axis, Chart, Kind, Panels, Positions, Series};

use crate::hard::{chinese, crowd, gaps, huge, long_labels, many, negative, one_point, right_to_left, tiny};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "gallery".to_owned()));
    std::fs::create_dir_all(&folder)?;
    for chart in charts() {
        let picture = svg::draw(&chart, &Look::print())?;
        std::fs::write(folder.join(format!("{}.svg", chart.id)), picture)?;
        std::fs::write(folder.join(format!("{}.html", chart.id)), page::write(&chart)?)?;
        let narrow = svg::draw(&chart, &Look::print().narrow())?;
        std::fs::write(folder.join(format!("{}-narrow.svg", chart.id)), narrow)?;
    }
    std::fs::write(folder.join("data_pack.xlsx"), workbook::write(&pack::pack())?)?;
    Ok(())
}

fn axis(label: &str, unit: &str) -> Axis {
    Axis { label: label.to_owned(), unit: unit.to_owned(), ..Axis::default() }
}

/// Values that look like data and are the same every time.
fn wobble(at: usize, seed: u64) -> f64 {
    let mut state = (at as u64)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(seed.wrapping_mul(0xbf58_476d_1ce4_e5b9));
    state ^= state >> 30;
    state = state.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state ^= state >> 27;
    (state % 10_000) as f64 / 10_000.0 - 0.5
}

fn days(count: usize) -> Vec<String> {
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let all = (2023..2030).flat_map(|year| {
        (1..=12).flat_map(move |month| {
            (1..=lengths[month - 1]).map(move |day| format!("{year}-{month:02}-{day:02}"))
        })
    });
    all.take(count).collect()
}

fn months(count: usize) -> Vec<String> {
    (0..count).map(|at| format!("{}-{:02}", 2023 + at / 12, at % 12 + 1)).collect()
}

fn named(id: &str, chart: Chart, title: &str, subtitle: &str, y: Axis) -> Chart {
    Chart {
        id: id.to_owned(),
        title: title.to_owned(),
        subtitle: subtitle.to_owned(),
        source: "sales.csv, columns date and revenue_eur; 730 rows".to_owned(),
        y,
        ..chart
    }
}

fn charts() -> Vec<Chart> {
    let mut all = vec![
        daily(),
        three_lines(),
        dual(),
        sorted(),
        grouped(),
        stacked(),
        stacked_months(),
        histogram(),
        scatter(),
        multiples(),
    ];
    all.extend([
        one_point(),
        many(),
        negative(),
        huge(),
        tiny(),
        gaps(),
        long_labels(),
        right_to_left(),
        chinese(),
        columns(),
        crowd(),
    ]);
    all
}

fn daily() -> Chart {
    let labels = days(730);
    let value = |at: usize| {
        let level = if at < 424 { 41_000.0 } else { 33_500.0 };
        level + 5_000.0 * ((at % 365) as f64 / 365.0 * std::f64::consts::TAU).sin() + 5_000.0 * wobble(at, 3)
    };
    let values: Vec<Option<f64>> = (0..730).map(|at| Some(value(at).round())).collect();
    let chart = Chart::of(Kind::Line, &labels, &[("Revenue", &values)]);
    let mut chart = named(
        "line-daily",
        chart,
        "Revenue fell by a fifth at the end of February 2024 and has not come back",
        "Revenue of all shops by day, January 2023 to December 2024",
        axis("Revenue", "EUR"),
    );
    chart.annotations = vec![
        Annotation::Moment { x: "2024-02-29".to_owned(), text: "Harbour bridge closed".to_owned() },
        Annotation::Span {
            from: "2023-06-01".to_owned(),
            to: "2023-08-31".to_owned(),
            text: "Summer sale".to_owned(),
        },
        Annotation::Level { y: 30_000.0, text: "Break-even 30,000".to_owned() },
    ];
    chart
}

fn three_lines() -> Chart {
    let labels = months(24);
    let series = |start: f64, slope: f64, seed: u64| -> Vec<Option<f64>> {
        (0..24)
            .map(|at| Some(((start + slope * at as f64 + 3.0 * wobble(at, seed)) * 10.0).round() / 10.0))
            .collect()
    };
    let (north, south, west, east) =
        (series(20.0, 1.1, 1), series(45.0, -0.1, 2), series(31.0, 0.55, 5), series(44.0, -0.05, 9));
    let chart = Chart::of(
        Kind::Line,
        &labels,
        &[("North", &north), ("South", &south), ("West and islands", &west), ("East", &east)],
    );
    let mut chart = named(
        "line-four",
        chart,
        "North overtook every other region in two years",
        "Share of orders delivered within a day, by region and month",
        axis("Delivered within a day", "%"),
    );
    chart.annotations = vec![Annotation::Point {
        series: "North".to_owned(),
        x: "2024-03".to_owned(),
        text: "Second depot opens".to_owned(),
    }];
    chart
}

fn dual() -> Chart {
    let labels = months(18);
    let rain: Vec<Option<f64>> = (0..18)
        .map(|at| Some((60.0 + 40.0 * (at as f64 / 2.0).sin() + 20.0 * wobble(at, 4)).round()))
        .collect();
    let sold: Vec<Option<f64>> =
        (0..18).map(|at| Some((4_000.0 + 2_500.0 * (at as f64 / 2.0 - 0.3).sin()).round())).collect();
    let mut chart = Chart::of(Kind::Line, &labels, &[("Rain", &rain), ("Umbrellas sold", &sold)]);
    chart.series[1].secondary = true;
    chart.y2 = Some(axis("Umbrellas sold", "pieces"));
    named(
        "line-dual",
        chart,
        "Umbrellas follow the rain by about two weeks",
        "Monthly rain and umbrellas sold",
        axis("Rain", "mm"),
    )
}

fn sorted() -> Chart {
    let labels = [
        "Harlund",
        "Mosby",
        "Vestergate",
        "Port Ellen",
        "Sandnes",
        "Kirkwall",
        "Lyngby",
        "Aldershot",
        "Ferrol",
        "Ystad",
    ];
    let values = [412.0, 88.5, 301.2, 256.0, 199.9, 61.0, 143.3, 20.4, 118.0, 97.0].map(Some);
    let chart = Chart::of(Kind::Bar, &labels, &[("Revenue", &values)]);
    named(
        "bar-sorted",
        chart,
        "Four towns bring two thirds of the revenue",
        "Revenue by town, 2024",
        axis("Revenue", "thousand EUR"),
    )
}

fn grouped() -> Chart {
    let labels = ["Bread", "Cakes", "Coffee", "Sandwiches"];
    let chart = Chart::of(
        Kind::GroupedBar,
        &labels,
        &[
            ("2022", &[12.0, 8.0, 15.5, 6.0].map(Some)),
            ("2023", &[14.0, 7.5, 18.0, 9.0].map(Some)),
            ("2024", &[13.0, 7.0, 24.0, 14.5].map(Some)),
        ],
    );
    named(
        "bar-grouped",
        chart,
        "Coffee and sandwiches grew, bread and cakes did not",
        "Sales by product and year",
        axis("Sales", "million EUR"),
    )
}

fn stacked() -> Chart {
    let labels = [
        "Online shop",
        "High street",
        "Wholesale partners",
        "Market stalls",
        "Vending machines",
        "Catering",
        "Subscriptions",
        "Export",
        "Other",
    ];
    let chart = Chart::of(
        Kind::StackedBar,
        &labels,
        &[
            ("New customers", &[40.0, 22.0, 9.0, 12.0, 3.0, 5.0, 14.0, 6.0, 1.0].map(Some)),
            ("Returning", &[61.0, 48.0, 33.0, 8.0, 2.0, 17.0, 30.0, 4.0, 2.0].map(Some)),
            ("Staff", &[2.0, 6.0, 0.0, 1.0, 0.5, 1.0, 0.0, 0.0, 0.0].map(Some)),
        ],
    );
    named(
        "bar-stacked",
        chart,
        "Returning customers carry every large channel",
        "Orders by channel and customer, 2024",
        axis("Orders", "thousand"),
    )
}

fn stacked_months() -> Chart {
    let labels = months(12);
    let part = |base: f64, seed: u64| -> Vec<Option<f64>> {
        (0..12).map(|at| Some((base + base * wobble(at, seed)).round())).collect()
    };
    let chart = Chart::of(
        Kind::StackedBar,
        &labels,
        &[
            ("Gas", &part(300.0, 1)),
            ("Wind", &part(420.0, 2)),
            ("Sun", &part(180.0, 3)),
            ("Import", &part(90.0, 4)),
        ],
    );
    named(
        "bar-stacked-months",
        chart,
        "Wind was the largest source in nine of twelve months",
        "Electricity by source and month, 2023",
        axis("Electricity", "GWh"),
    )
}

fn columns() -> Chart {
    let labels: Vec<String> = (0..10).map(|at| format!("{}-Q{}", 2022 + at / 4, at % 4 + 1)).collect();
    let values: Vec<Option<f64>> = [3.0, 4.2, -1.1, 2.0, 2.4, 0.0, -2.8, 1.0, 1.9, 2.2].map(Some).to_vec();
    let chart = Chart::of(Kind::Bar, &labels, &[("Growth", &values)]);
    named(
        "bar-columns",
        chart,
        "Growth turned negative twice",
        "Change of revenue against the quarter before",
        axis("", "%"),
    )
}

fn histogram() -> Chart {
    let values: Vec<f64> = (0..900)
        .map(|at| {
            24.0 + 18.0 * (wobble(at, 1) + wobble(at, 2) + wobble(at, 3))
                + if at % 9 == 0 { 22.0 } else { 0.0 }
        })
        .collect();
    let chart = Chart::histogram("Deliveries", &values);
    let mut chart = named(
        "histogram",
        chart,
        "Most deliveries take about a day, one in nine takes two",
        "900 deliveries by time from order to door",
        axis("Deliveries", ""),
    );
    chart.x = axis("Time from order to door", "hours");
    chart
}

fn scatter() -> Chart {
    let series = |name: &str, count: usize, seed: u64, slope: f64, base: f64| Series {
        name: name.to_owned(),
        x: Positions::Numbers((0..count).map(|at| 20.0 + 60.0 * (wobble(at, seed) + 0.5)).collect()),
        y: (0..count)
            .map(|at| Some(base + slope * 60.0 * (wobble(at, seed) + 0.5) + 14.0 * wobble(at, seed + 50)))
            .collect(),
        secondary: false,
    };
    let chart = Chart {
        kind: Kind::Scatter,
        series: vec![series("Town shops", 60, 1, 0.9, 30.0), series("Country shops", 40, 7, 0.4, 20.0)],
        ..Chart::default()
    };
    let mut chart = named(
        "scatter",
        chart,
        "Larger shops sell more in town than in the country",
        "Floor area and revenue of 100 shops",
        axis("Revenue", "thousand EUR"),
    );
    chart.x = axis("Floor area", "m²");
    chart
}

fn multiples() -> Chart {
    let labels = months(24);
    let towns = [
        "Harlund",
        "Mosby",
        "Vestergate",
        "Port Ellen",
        "Sandnes",
        "Kirkwall",
        "Lyngby",
        "Aldershot",
        "Ferrol",
    ];
    let values: Vec<Vec<Option<f64>>> = (0..9)
        .map(|town| {
            (0..24)
                .map(|at| {
                    Some(
                        (50.0
                            + 6.0 * town as f64
                            + (town as f64 - 4.0) * at as f64 * 0.4
                            + 16.0 * wobble(at, town + 20))
                        .round(),
                    )
                })
                .collect()
        })
        .collect();
    let series: Vec<(&str, &[Option<f64>])> =
        towns.iter().zip(&values).map(|(town, values)| (*town, values.as_slice())).collect();
    let mut chart = named(
        "panels",
        Chart::of(Kind::Line, &labels, &series),
        "Five of nine towns lose visitors",
        "Visitors by town and month",
        axis("Visitors", "thousand"),
    );
    chart.panels = Panels::Auto;
    chart
}
