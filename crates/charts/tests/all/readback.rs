//! Values and geometry of pictures equal the data, for data nobody chose.

use baton_charts::svg::{Look, draw};
use baton_charts::{Behind, Chart, Kind, Order, Panels, Positions, Series};
use proptest::prelude::*;

use crate::picture::Picture;

/// Half a pixel, and the hundredth that coordinates are rounded to.
const NEAR: f64 = 0.5;

fn value() -> impl Strategy<Value = f64> {
    prop_oneof![
        -1000.0..1000.0_f64,
        (-1e9..1e9_f64).prop_map(f64::round),
        prop_oneof![Just(0.0), Just(1e-9), Just(-3.5e12), Just(4e300)],
        0.0..1.0_f64,
    ]
}

/// Values of about one size, as a chart has them.
fn values(count: usize) -> impl Strategy<Value = Vec<Option<f64>>> {
    (value(), prop::collection::vec((prop::option::weighted(0.9, -2.0..2.0_f64), any::<bool>()), count))
        .prop_map(|(size, shares)| {
            let size = if size == 0.0 { 1.0 } else { size };
            shares
                .into_iter()
                .map(|(share, whole)| {
                    share.map(|share| if whole { (size * share).round() } else { size * share })
                })
                .collect()
        })
}

fn months(count: usize) -> Vec<String> {
    (0..count).map(|at| format!("{}-{:02}", 1990 + at / 12, at % 12 + 1)).collect()
}

fn chart(kind: Kind, labels: &[String], series: Vec<Vec<Option<f64>>>) -> Chart {
    let series = series.into_iter().enumerate().map(|(at, y)| Series {
        name: format!("series {at}"),
        x: Positions::Labels(labels.to_vec()),
        y,
        secondary: false,
    });
    Chart {
        kind,
        title: "A finding".to_owned(),
        series: series.collect(),
        panels: Panels::Never,
        ..Chart::default()
    }
}

fn known(series: &Series) -> Vec<(String, f64)> {
    let Positions::Labels(labels) = &series.x else { panic!("labels") };
    labels.iter().zip(&series.y).filter_map(|(label, value)| Some((label.clone(), (*value)?))).collect()
}

fn looks() -> [Look; 3] {
    [Look::print(), Look::adaptive(), Look::print().narrow()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn lines_go_through_their_values(series in prop::collection::vec(values(17), 1..5)) {
        let chart = chart(Kind::Line, &months(17), series);
        prop_assume!(chart.points() > 0);
        for look in looks() {
            let picture = Picture::read(&draw(&chart, &look).unwrap());
            let y = picture.measured("y");
            for (series, drawn) in chart.series.iter().zip(&picture.series) {
                let read: Vec<(String, f64)> = drawn.marks.iter().map(|mark| (mark.label.clone(), mark.value)).collect();
                prop_assert_eq!(&read, &known(series));
                for mark in &drawn.marks {
                    prop_assert!((y(mark.value) - mark.y).abs() <= NEAR, "{mark:?} {}", y(mark.value));
                    let corner = drawn.way.iter().chain(&drawn.dots).any(|(x, y)| (x - mark.x).abs() <= NEAR && (y - mark.y).abs() <= NEAR);
                    prop_assert!(corner, "nothing is drawn at {mark:?}");
                    prop_assert!(mark.x >= 0.0 && mark.x <= picture.width && mark.y >= 0.0 && mark.y <= picture.height);
                }
                for (x, y) in &drawn.way {
                    let stands = drawn.marks.iter().any(|mark| (x - mark.x).abs() <= NEAR && (y - mark.y).abs() <= NEAR);
                    prop_assert!(stands, "the line turns at {x} {y}, where no value is");
                }
            }
        }
    }

    #[test]
    fn bars_are_as_long_as_their_values(series in prop::collection::vec(values(9), 1..4), stacked: bool, timed: bool, given: bool) {
        let labels = if timed { months(9) } else { (0..9).map(|at| format!("name {at}")).collect() };
        let kind = if stacked { Kind::StackedBar } else { Kind::GroupedBar };
        let mut chart = chart(kind, &labels, series);
        chart.order = if given { Order::Given } else { Order::Sorted };
        prop_assume!(chart.points() > 0);
        for look in looks() {
            let picture = Picture::read(&draw(&chart, &look).unwrap());
            let upright = picture.ticks.iter().any(|(axis, _, _)| axis == "y");
            let scale = picture.measured(if upright { "y" } else { "x" });
            for (series, drawn) in chart.series.iter().zip(&picture.series) {
                let mut read: Vec<(String, f64)> = drawn.marks.iter().map(|mark| (mark.label.clone(), mark.value)).collect();
                let mut wanted = known(series);
                read.sort_by(|a, b| a.0.cmp(&b.0));
                wanted.sort_by(|a, b| a.0.cmp(&b.0));
                prop_assert_eq!(read, wanted);
                prop_assert_eq!(drawn.rects.len(), drawn.marks.len());
                for (mark, [left, top, width, height]) in drawn.marks.iter().zip(&drawn.rects) {
                    let length = (scale(mark.value) - scale(0.0)).abs();
                    let shown = if upright { *height } else { *width };
                    prop_assert!((length - shown).abs() <= NEAR, "{mark:?}: {shown} instead of {length}");
                    if !stacked {
                        let (begin, end) = if upright { (*top, top + height) } else { (*left, left + width) };
                        let zero = scale(0.0);
                        prop_assert!((begin - zero).abs() <= NEAR || (end - zero).abs() <= NEAR, "a bar that does not begin at zero");
                    }
                }
            }
        }
    }

    #[test]
    fn dots_stand_at_both_of_their_numbers(points in prop::collection::vec((-500.0..500.0_f64, value()), 1..60)) {
        let (x, y): (Vec<f64>, Vec<Option<f64>>) = points.iter().map(|(x, y)| (*x, Some(*y))).unzip();
        let series = vec![Series { name: "all".to_owned(), x: Positions::Numbers(x), y, secondary: false }];
        let chart = Chart { kind: Kind::Scatter, series, ..Chart::default() };
        let picture = Picture::read(&draw(&chart, &Look::print()).unwrap());
        let (across, up) = (picture.measured("x"), picture.measured("y"));
        let drawn = &picture.series[0];
        prop_assert_eq!(drawn.marks.len(), points.len());
        for ((mark, dot), (x, y)) in drawn.marks.iter().zip(&drawn.dots).zip(&points) {
            prop_assert_eq!((mark.label.parse::<f64>().unwrap(), mark.value), (*x, *y));
            prop_assert!((across(*x) - dot.0).abs() <= NEAR && (up(*y) - dot.1).abs() <= NEAR, "{mark:?} {dot:?}");
        }
    }

    #[test]
    fn a_histogram_counts_every_value_between_its_edges(values in prop::collection::vec(-1e4..1e4_f64, 1..400)) {
        let chart = Chart::histogram("all", &values);
        let Positions::Numbers(edges) = &chart.series[0].x else { panic!("edges") };
        for (at, count) in chart.series[0].y.iter().enumerate() {
            let last = at + 2 == edges.len();
            let inside = values.iter().filter(|value| **value >= edges[at] && (**value < edges[at + 1] || last)).count();
            prop_assert_eq!(*count, Some(inside as f64));
        }
        let picture = Picture::read(&draw(&chart, &Look::print()).unwrap());
        let (across, up) = (picture.measured("x"), picture.measured("y"));
        for (at, [left, top, width, height]) in picture.series[0].rects.iter().enumerate() {
            prop_assert!((across(edges[at]) - left).abs() <= 0.51 + NEAR && (across(edges[at + 1]) - left - width).abs() <= 0.51 + NEAR);
            let count = picture.series[0].marks[at].value;
            prop_assert!((up(count) - top).abs() <= NEAR && (up(0.0) - top - height).abs() <= NEAR);
        }
    }

    #[test]
    fn the_table_behind_has_every_value(series in prop::collection::vec(values(11), 1..4)) {
        let chart = chart(Kind::Line, &months(11), series);
        prop_assume!(chart.points() > 0);
        let behind = Behind::of(&chart).unwrap();
        for (row, (label, values)) in behind.rows.iter().enumerate() {
            prop_assert_eq!(label, &months(11)[row]);
            for (column, value) in values.iter().enumerate() {
                prop_assert_eq!(*value, chart.series[column].y[row]);
            }
        }
    }
}
