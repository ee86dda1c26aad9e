use super::*;

const DATA: &str = r#"{"charts": [
  {"chart_id": "c1", "chart_type": "line", "title": "Prices rose", "series": [
     {"file": "results/series/a.json", "label": "A", "secondary_y": false}, {"file": "b.json", "label": "B", "secondary_y": true}]},
  {"chart_id": "c2", "chart_type": "bar", "title": "Towns", "data": {"labels": ["x", "y"], "datasets": [{"label": "n", "data": [1, null]}]},
   "source_citation": "[1]"},
  {"chart_id": "c3", "chart_type": "line", "title": "From a file", "source_files": ["a.json"]},
  {"chart_id": "c4", "chart_type": "line", "title": "Missing", "source_files": ["gone.json"]},
  {"chart_id": "c5", "chart_type": "radar", "title": "Unknown"},
  {"chart_id": "c6", "chart_type": "line", "title": "Empty", "data": {"labels": [], "datasets": []}},
  {"chart_id": "c7", "chart_type": "line", "title": "RSI", "data": {"labels": ["2024"], "datasets": [{"label": "BTC RSI (14)", "data": [55]}]}},
  {"chart_id": "c8", "chart_type": "line", "title": "Escape", "source_files": ["../../etc/passwd"]},
  {"chart_id": "c9", "chart_type": "line", "title": "Words", "calculations": ["50-day moving average"],
   "data": {"labels": ["2024"], "datasets": [{"label": "x", "data": [1]}]}},
  {"chart_id": "c10", "chart_type": "bar", "title": "Dates", "data": {"labels": ["2023", "2024"], "datasets": [{"label": "x", "data": [1, 2]}]}},
  "nonsense",
  {"chart_id": "c1", "chart_type": "line", "title": "Prices rose", "source_files": ["a.json"]}
], "total": 12}"#;

fn series(name: &str) -> Result<String, String> {
    let (unit, values) = match name {
        "a.json" => ("EUR", "[1.5, null, 3]"),
        "b.json" => ("%", "[10, 20, 30]"),
        _ => return Err("not found".to_owned()),
    };
    Ok(format!(
        r#"{{"asset": "X", "metric": "price", "unit": "{unit}", "frequency": "monthly", "source": "a.csv",
            "labels": ["2024-01", "2024-02", "2024-03"], "values": {values}, "updated_at": "2024-04-01"}}"#
    ))
}

fn rendered() -> Rendered {
    let mut asked = Vec::new();
    let rendered = render(&ChartData::parse(DATA).unwrap(), &mut |name| {
        asked.push(name.to_owned());
        series(name)
    });
    // Each file once, and never with a folder.
    assert_eq!(asked, ["a.json", "b.json", "gone.json", "passwd"]);
    rendered
}

#[test]
fn good_charts_are_drawn_and_bad_ones_say_why() {
    let summary = rendered().summary;
    let errors: Vec<(&str, &str)> = summary
        .charts
        .iter()
        .filter_map(|chart| Some((chart.chart_id.as_str(), chart.error.as_deref()?)))
        .collect();
    assert_eq!(
        errors,
        [
            ("c4", "the series file gone.json cannot be used: not found"),
            (
                "c5",
                "\"radar\" is no kind of chart; use line, bar, grouped_bar, stacked_bar, histogram or scatter"
            ),
            ("c6", "the chart has no values; nothing was drawn"),
            (
                "c7",
                "the relative strength index (RSI) is an indicator of technical analysis and is not drawn (series \"BTC RSI (14)\")"
            ),
            ("c8", "the series file passwd cannot be used: not found"),
            (
                "c9",
                "a moving average is an indicator of technical analysis and is not drawn (calculation \"50-day moving average\")"
            ),
            (
                "chart_11",
                "the chart cannot be read: invalid type: string \"nonsense\", expected struct Entry"
            ),
        ]
    );
    assert_eq!((summary.charts_rendered, summary.charts_failed, summary.series_files_processed), (5, 7, 2));
}

#[test]
fn pages_are_named_after_id_and_title_and_never_twice() {
    let names: Vec<String> = rendered().pages.into_iter().map(|page| page.name).collect();
    assert_eq!(
        names,
        [
            "c1_prices_rose.html",
            "c2_towns.html",
            "c3_from_a_file.html",
            "c10_dates.html",
            "c1_prices_rose_2.html"
        ]
    );
    assert_eq!(
        file_name("c1", "A title that is longer than thirty letters"),
        "c1_a_title_that_is_longer_than_th.html"
    );
    assert_eq!(file_name("../c/1", "Рост цен: на 5 %"), "c_1_рост_цен_на_5.html");
    assert_eq!(file_name("", "<>"), "chart.html");
}

#[test]
fn series_files_bring_units_axes_and_sources() {
    let charts = rendered().charts;
    assert_eq!(charts[0].y.unit, "EUR");
    assert_eq!(charts[0].y2.as_ref().unwrap().unit, "%");
    assert_eq!(charts[0].source, "a.csv");
    assert_eq!(charts[0].series[0].y, [Some(1.5), None, Some(3.0)]);
    assert_eq!(charts[2].series[0].name, "X price");
    assert_eq!(charts[1].source, "[1]");
}

#[test]
fn dates_are_drawn_as_lines_and_it_is_said() {
    let rendered = rendered();
    assert_eq!(rendered.charts[3].kind, Kind::Line);
    assert_eq!(rendered.summary.charts[9].notes, ["drawn as a line: its places are dates"]);
}

#[test]
fn two_units_on_one_axis_are_refused() {
    let data = r#"{"charts": [{"chart_id": "c", "chart_type": "line", "title": "t", "source_files": ["a.json", "b.json"]}]}"#;
    let rendered = render(&ChartData::parse(data).unwrap(), &mut series);
    let error = rendered.summary.charts[0].error.clone().unwrap();
    assert!(error.starts_with("b.json is measured in \"%\" and its axis in \"EUR\""), "{error}");
}

#[test]
fn a_file_of_charts_is_read_back_as_it_was_written() {
    let charts = rendered().charts;
    let data = ChartData::of(&charts);
    let text = serde_json::to_string(&data).unwrap();
    let again = render(&ChartData::parse(&text).unwrap(), &mut |name| Err(name.to_owned()));
    assert_eq!(again.charts, charts);
}

#[test]
fn what_is_no_chart_data_is_an_error() {
    for text in ["", "[]", "{}", "{\"charts\": 5}", "<html>"] {
        assert!(ChartData::parse(text).is_err(), "{text}");
    }
}
