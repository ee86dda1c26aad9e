//! Series and charts of the example held against its data, as they are and with one number changed.

use baton_engine::RunFile;

use super::{Evidence, verify_drawn};
use crate::report::DataWorld;
use crate::report::tests::support::{order, query, run, text, world};

fn changed(files: &[RunFile], path: &str, from: &str, to: &str) -> Vec<RunFile> {
    let mut files = files.to_vec();
    let file = files.iter_mut().find(|file| file.path == path).unwrap();
    let text = String::from_utf8(file.content.clone()).unwrap();
    assert!(text.contains(from), "{path} has no {from}");
    file.content = text.replacen(from, to, 1).into_bytes();
    files
}

#[tokio::test]
async fn series_and_charts_are_what_the_data_give_and_a_changed_value_is_named() {
    let home = tempfile::tempdir().unwrap();
    let (_, _, files) = run(home.path(), world(home.path()), &order(&query())).await;
    let evidence: Evidence = serde_json::from_str(text(&files, "evidence.json")).unwrap();
    let data = DataWorld::in_this_process(home.path());
    let found = verify_drawn(&evidence, &files, &data);
    assert_eq!(found.flaws, [] as [String; 0]);
    assert!(found.series > 5 && found.charts > 5, "{found:?}");

    let drawn_from = evidence.charts.iter().find_map(|chart| chart.series.first()).unwrap();
    let series = &format!("results/series/{drawn_from}");
    let told: serde_json::Value = serde_json::from_str(text(&files, series)).unwrap();
    let value = told["values"][1].to_string();
    let page = format!("output/charts/{}", evidence.charts[0].page);
    let drawn = text(&files, &page).split("data-points='[[").nth(1).unwrap().split(']').next().unwrap();
    let (label, number) = drawn.split_once(',').unwrap();
    let number = number.split(',').next().unwrap();
    let point = format!("{label},{number},");
    let in_report = point.replace('"', "&quot;");
    let cases = [
        (series.as_str(), format!("    {value}"), "    7.25".to_owned(), format!("{series} says 7.25 at")),
        (
            series.as_str(),
            told["labels"][1].to_string(),
            "\"soon\"".to_owned(),
            "could not be computed again".to_owned(),
        ),
        (&page, point, format!("{label},7.25,"), format!("{page} draws 7.25 for")),
        (
            "output/report.html",
            in_report.clone(),
            in_report.replace(number, "7.25"),
            "output/report.html draws 7.25 for".to_owned(),
        ),
        (
            "output/report.html",
            "<figure id=\"c1\">".to_owned(),
            "<figure id=\"c99\">".to_owned(),
            "does not show c1".to_owned(),
        ),
        ("state/chart_data.json", number.to_owned(), "7.25".to_owned(), "chart c1 draws 7.25 for".to_owned()),
        (
            "state/chart_data.json",
            "\"charts\"".to_owned(),
            "\"chart\"".to_owned(),
            "state/chart_data.json".to_owned(),
        ),
    ];
    for (path, from, to, wanted) in cases {
        let found = verify_drawn(&evidence, &changed(&files, path, &from, &to), &data);
        assert!(found.flaws.iter().any(|flaw| flaw.contains(&wanted)), "{path}: {wanted}: {:?}", found.flaws);
    }
    // Nothing that cannot be read passes.
    for gone in [series.as_str(), &page, "state/chart_data.json", "output/report.html"] {
        let rest: Vec<RunFile> = files.iter().filter(|file| file.path != gone).cloned().collect();
        assert!(!verify_drawn(&evidence, &rest, &data).flaws.is_empty(), "{gone}");
    }
    let mut without = evidence.clone();
    without.tables.clear();
    assert!(!verify_drawn(&without, &files, &data).flaws.is_empty());
}
