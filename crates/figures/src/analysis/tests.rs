use super::*;
use crate::planted::{judge, plant};
use crate::series::Series;
use crate::{Decimal, Direction, profile};

#[test]
fn planted_facts_are_found_and_nothing_is_found_where_nothing_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let context = Context::default();
    let (mut planted, mut found, mut alarms) = (0, 0, Vec::new());
    for seed in 0..4 {
        let set = plant(1000 + seed, seed >= 3);
        let path = folder.path().join(format!("sales{seed}.csv"));
        std::fs::write(&path, &set.csv).expect("written");
        let profiles = profile::of_files(&[path], &[], &context).expect("profiled");
        let findings = findings(&profiles, &context).expect("found");
        let (told, wrong) = judge(&set, &findings);
        planted += told.len();
        found += told.iter().filter(|told| **told).count();
        alarms.extend(wrong.into_iter().map(|finding| (seed, finding.text)));
        let tables = vec![profiles.tables[0].reading.clone()];
        for finding in &findings {
            for again in compute::recompute(&tables, &finding.figures, &context) {
                assert!(again.holds, "{}: {again:?}", finding.text);
            }
        }
    }
    assert!(found * 10 >= planted * 9, "{found} of {planted} found");
    assert!(alarms.len() <= 1, "{alarms:?}");
}

fn series(grain: Grain, values: &[i64]) -> Series {
    let mut periods = vec![grain.period("2024-01-01".parse().expect("a day"))];
    while periods.len() < values.len() {
        let next = grain.after(periods[periods.len() - 1].from);
        periods.push(grain.period(next));
    }
    Series {
        name: "sum of revenue".to_owned(),
        table: "sales".to_owned(),
        measure: "sum of revenue".to_owned(),
        group: None,
        unit: None,
        grain,
        periods,
        values: values.iter().map(|value| Some(Decimal::from(*value))).collect(),
        partial: 0,
        calculation: None,
    }
}

#[test]
fn trends_are_those_the_frequency_allows() {
    let daily: Vec<i64> = (0..120).map(|at| 1000 + at * 10).collect();
    let analysis = analyse(&series(Grain::Day, &daily));
    let change = |name: &str| analysis.trends.get(name).map(|trend| trend.change.to_string());
    assert_eq!(
        [change("trend_7d"), change("trend_30d"), change("trend_90d")].map(Option::unwrap_or_default),
        ["70", "300", "900"]
    );
    assert_eq!(analysis.pattern.as_deref(), Some("accumulation"));
    assert_eq!(analysis.key_levels.map(|levels| levels.avg_90d.to_string()).as_deref(), Some("1745"));

    let monthly = analyse(&series(Grain::Month, &[100, 100, 100, 100, 100, 100]));
    assert_eq!(monthly.trends.keys().collect::<Vec<_>>(), ["trend_30d", "trend_90d"]);
    assert!(monthly.trends.values().all(|trend| trend.direction == Direction::Flat));
    assert_eq!(monthly.pattern.as_deref(), Some("plateau"));

    let yearly = analyse(&series(Grain::Year, &[1, 2, 3]));
    assert_eq!((yearly.trends.len(), yearly.notes.len()), (0, 3));
    let single = analyse(&series(Grain::Day, &[5]));
    assert_eq!((single.pattern, single.data_points), (None, 1));
}

#[test]
fn series_that_move_together_or_apart_are_told_without_causes() {
    let wave: Vec<i64> = (0..40).map(|at| 1000 + (at * 37 % 11) * 20 - at * 10).collect();
    let twin: Vec<i64> = wave.iter().map(|value| value * 2).collect();
    let other: Vec<i64> = (0..40).map(|at| 500 + at * 10 + (at * 13 % 7)).collect();
    let mut all = vec![series(Grain::Week, &wave), series(Grain::Week, &twin), series(Grain::Week, &other)];
    for (line, name) in all.iter_mut().zip(["a", "b", "c"]) {
        line.name = name.to_owned();
    }
    let found = compare(&all);
    assert_eq!(found.correlations.len(), 1);
    assert!(found.correlations[0].text.contains("nothing about causes"));
    assert!(
        found.divergences.iter().any(|pair| pair.text.starts_with("c rose while a fell")),
        "{:?}",
        found.divergences
    );
}
