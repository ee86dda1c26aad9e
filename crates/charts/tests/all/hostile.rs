//! What charts are given by strangers and by accident.

use baton_charts::svg::{Look, draw};
use baton_charts::{Annotation, Chart, ChartError, Kind, Panels, Positions, Series, faults, page};
use proptest::prelude::*;

use crate::picture::Picture;

const KINDS: [Kind; 4] = [Kind::Line, Kind::Bar, Kind::GroupedBar, Kind::StackedBar];

fn both(chart: &Chart) -> [Picture; 2] {
    [Look::print(), Look::adaptive().narrow()].map(|look| Picture::read(&draw(chart, &look).unwrap()))
}

#[test]
fn one_point_is_drawn() {
    for kind in KINDS {
        for label in ["2024-03-09", "a name"] {
            let chart = Chart::of(kind, &[label], &[("one", &[Some(12.0)])]);
            for picture in both(&chart) {
                assert_eq!(picture.series[0].marks.len(), 1, "{kind:?}");
                assert!(picture.words.iter().any(|words| words == "12"), "{kind:?} {:?}", picture.words);
            }
        }
    }
}

#[test]
fn ten_thousand_categories_are_cut_and_it_is_said() {
    let labels: Vec<String> = (0..10_000).map(|at| format!("name {at}")).collect();
    let values: Vec<Option<f64>> = (0..10_000).map(|at| Some(f64::from(at) - 5_000.0)).collect();
    let chart = Chart::of(Kind::Bar, &labels, &[("all", &values)]);
    for picture in both(&chart) {
        assert_eq!(picture.series[0].marks.len(), 25);
        assert!(picture.words.iter().any(|words| words == "The 25 largest of 10,000 are drawn."));
        assert!(picture.height < 1_000.0);
    }
    // The largest by size: of both ends.
    let drawn = draw(&chart, &Look::print()).unwrap();
    assert!(drawn.contains("name 0\"") && drawn.contains("name 9999\""));
    let page = page::write(&chart).unwrap();
    assert!(page.len() < 250_000, "{}", page.len());
    assert!(page.contains("9,000 more rows are not listed here."));
}

#[test]
fn ten_thousand_days_are_one_line() {
    let labels: Vec<String> = (0..10_000)
        .map(|at| format!("{:04}-{:02}-{:02}", 1900 + at / 336, at / 28 % 12 + 1, at % 28 + 1))
        .collect();
    let values: Vec<Option<f64>> = (0..10_000).map(|at| Some(f64::from(at % 97))).collect();
    let chart = Chart::of(Kind::Line, &labels, &[("all", &values)]);
    for picture in both(&chart) {
        assert_eq!(picture.series[0].way.len(), 10_000);
    }
}

#[test]
fn many_series_become_panels_and_very_many_are_cut() {
    let values: Vec<Option<f64>> = [1.0, 5.0, 3.0].map(Some).to_vec();
    let names: Vec<String> = (0..40).map(|at| format!("series {at}")).collect();
    for kind in KINDS {
        let series: Vec<(&str, &[Option<f64>])> =
            names.iter().map(|name| (name.as_str(), values.as_slice())).collect();
        let chart = Chart::of(kind, &["2022", "2023", "2024"], &series);
        for picture in both(&chart) {
            assert_eq!(picture.series.len(), 24, "{kind:?}");
            assert!(picture.words.iter().any(|words| words == "The first 24 of 40 are drawn."));
        }
        let together = Chart { panels: Panels::Never, ..chart };
        assert_eq!(Picture::read(&draw(&together, &Look::print()).unwrap()).series.len(), 40);
    }
}

#[test]
fn words_of_strangers_stay_words() {
    let attacks = [
        "</text><script>alert(1)</script>",
        "\" onload=\"alert(1)",
        "' data-x='",
        "&#x3c;b&#x3e;",
        "]]><!--",
        "a\u{0}b\u{1b}[31m\u{202e}c\u{ffff}",
        "<!DOCTYPE x [<!ENTITY y SYSTEM \"file:///etc/passwd\">]>&y;",
    ];
    for attack in attacks {
        for kind in KINDS {
            let mut chart = Chart::of(
                kind,
                &[attack, "other", "third"],
                &[(attack, &[Some(3.0), Some(2.0), None]), ("b", &[Some(1.0), None, Some(2.0)])],
            );
            chart.id = attack.to_owned();
            chart.title = attack.to_owned();
            chart.subtitle = attack.to_owned();
            chart.source = attack.to_owned();
            chart.description = attack.to_owned();
            for axis in [&mut chart.x, &mut chart.y] {
                axis.label = attack.to_owned();
                axis.unit = attack.to_owned();
            }
            chart.annotations = vec![
                Annotation::Level { y: 2.5, text: attack.to_owned() },
                Annotation::Point { series: String::new(), x: "other".to_owned(), text: attack.to_owned() },
                Annotation::Moment { x: "other".to_owned(), text: attack.to_owned() },
            ];
            for picture in both(&chart) {
                let visible: String = attack
                    .chars()
                    .filter(|letter| !letter.is_control() && !"\u{202e}\u{ffff}".contains(*letter))
                    .collect();
                assert_eq!(picture.title, visible);
                assert_eq!(picture.series[0].name, visible);
                assert!(picture.series[0].marks.iter().any(|mark| mark.label == visible));
            }
            let page = page::write(&chart).unwrap();
            assert_eq!(page.matches("<script").count(), 1, "{attack}");
            assert!(!page.contains("onload=\"alert") && !page.contains("<!DOCTYPE x"), "{attack}");
        }
    }
}

#[test]
fn no_word_leaves_the_picture() {
    let labels = [
        "القاهرة",
        "北部地区的配送量在三月之后下降了三分之一",
        "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk",
        "x",
    ];
    for kind in KINDS {
        let mut chart = Chart::of(
            kind,
            &labels,
            &[
                ("A series with quite a long name", &[Some(1e6), Some(-2e6), None, Some(3e5)]),
                ("b", &[Some(1e5); 4]),
            ],
        );
        chart.title = "W".repeat(400);
        chart.source = "источник данных ".repeat(60);
        for picture in both(&chart) {
            assert!(picture.height < 900.0, "{kind:?} {}", picture.height);
            assert!(picture.words.iter().all(|words| words.chars().count() < 130));
        }
    }
}

#[test]
fn huge_and_tiny_numbers_have_readable_axes() {
    for size in [f64::MAX, 1e300, 1e15, 1e-5, 1e-300, f64::MIN_POSITIVE] {
        for kind in KINDS {
            let chart = Chart::of(kind, &["a", "b"], &[("x", &[Some(size), Some(size / 3.0)])]);
            for picture in both(&chart) {
                assert!(
                    picture.words.iter().all(|words| words.chars().count() < 30),
                    "{size}: {:?}",
                    picture.words
                );
                assert!(
                    picture.words.iter().any(|words| words.contains("×10") || words.contains("trillion")),
                    "{size}: {:?}",
                    picture.words
                );
            }
        }
    }
}

#[test]
fn what_cannot_be_drawn_is_refused_and_all_of_it_is_told() {
    let series = |name: &str, labels: &[&str], y: &[Option<f64>]| Series {
        name: name.to_owned(),
        x: Positions::Labels(labels.iter().map(|label| (*label).to_owned()).collect()),
        y: y.to_vec(),
        secondary: false,
    };
    let mut chart = Chart {
        series: vec![
            series("short", &["a"], &[Some(1.0), Some(2.0)]),
            series("twice", &["a", "a"], &[Some(1.0), Some(2.0)]),
            series("endless", &["a", "b"], &[Some(f64::INFINITY), Some(f64::NAN)]),
            series("MACD", &["a"], &[Some(1.0)]),
        ],
        annotations: vec![Annotation::Level { y: 1.0, text: "average of all years".to_owned() }],
        ..Chart::default()
    };
    chart.series[0].secondary = true;
    let found = faults(&chart);
    let has = |test: fn(&ChartError) -> bool| found.iter().any(test);
    assert!(has(|fault| matches!(fault, ChartError::Uneven { .. })));
    assert!(has(|fault| matches!(fault, ChartError::Twice { .. })));
    assert!(has(|fault| matches!(fault, ChartError::NotFinite { at: 1, .. })));
    assert!(has(|fault| matches!(fault, ChartError::Forbidden { .. })));
    assert!(has(|fault| matches!(fault, ChartError::AverageLine { .. })));
    assert!(has(|fault| matches!(fault, ChartError::NoSecondAxis { .. })));
    assert!(draw(&chart, &Look::print()).is_err());
    assert_eq!(draw(&Chart::default(), &Look::print()), Err(ChartError::Empty));
    let stack = Chart::of(Kind::StackedBar, &["a"], &[("x", &[Some(f64::MAX)]), ("y", &[Some(f64::MAX)])]);
    assert_eq!(faults(&stack), [ChartError::NotFinite { series: "y".to_owned(), at: 1 }]);
    assert_eq!(faults(&Chart::of(Kind::Line, &["a"], &[("x", &[None])])), [ChartError::Empty]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_words_and_any_finite_values_make_a_whole_picture(
        words in prop::collection::vec(any::<String>(), 6),
        labels in prop::collection::btree_set("\\PC{0,40}", 1..12),
        values in prop::collection::vec(prop::option::of(prop::num::f64::NORMAL | prop::num::f64::ZERO | prop::num::f64::SUBNORMAL), 24),
    ) {
        let labels: Vec<String> = labels.into_iter().collect();
        let (one, two) = (&values[..labels.len()], &values[12..12 + labels.len()]);
        for kind in KINDS {
            let mut chart = Chart::of(kind, &labels, &[(&words[0], one), (&words[1], two)]);
            chart.title.clone_from(&words[2]);
            chart.source.clone_from(&words[3]);
            chart.y.unit.clone_from(&words[4]);
            chart.annotations = vec![
                Annotation::Point { series: String::new(), x: labels[0].clone(), text: words[5].clone() },
                Annotation::Span { from: labels[0].clone(), to: labels[labels.len() - 1].clone(), text: words[5].clone() },
            ];
            if !faults(&chart).is_empty() {
                continue;
            }
            for picture in both(&chart) {
                prop_assert_eq!(picture.series.len(), 2);
                for mark in picture.series.iter().flat_map(|series| &series.marks) {
                    prop_assert!(mark.x.is_finite() && mark.y.is_finite() && mark.x >= -1.0 && mark.x <= picture.width + 1.0, "{mark:?}");
                    prop_assert!(mark.y >= -1.0 && mark.y <= picture.height + 1.0, "{mark:?}");
                }
            }
        }
    }
}
