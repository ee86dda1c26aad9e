//! `report` as a person types it: tables in, figures and pages out; going on from a report, correcting what was assumed,
//! drawing charts alone, and what is refused.

use serde_json::json;

use crate::support::Home;

/// Two years of months for two shops, growing.
fn tables(home: &Home) {
    let mut rows = "month,shop,revenue_eur\n".to_owned();
    for at in 0..24 {
        let month = format!("{}-{:02}-01", 2024 + at / 12, at % 12 + 1);
        rows.push_str(&format!("{month},Harbour,{}\n{month},Mill,{}\n", 1000 + at * 10, 500 + at));
    }
    home.write("sales.csv", &rows);
}

#[test]
fn a_report_is_written_continued_and_corrected() {
    let home = Home::new();
    tables(&home);
    let words =
        ["report", "How did revenue develop from 2024 to 2025?", "--data", "sales.csv", "--yes", "--json"];
    let told = home.baton(&words).json();
    assert_eq!((&told["state"], &told["outcome"]), (&json!("complete"), &json!("completed")), "{told}");
    assert_eq!(told["promise"], "<promise>COMPLETE</promise>");
    assert_eq!(told["figures"], told["figures_verified"]);
    assert_eq!((&told["pdf"], &told["workbook"]), (&json!(null), &json!(null)));
    let folder = std::path::PathBuf::from(told["folder"].as_str().unwrap());
    let page = std::fs::read_to_string(folder.join("output/report.html")).unwrap();
    // 12 months of 1,000 + 500 and what is added each month: 18,726 and then 20,310.
    assert!(page.contains("EUR\u{a0}18,726") && page.contains("EUR\u{a0}20,310"), "{page}");

    let words = ["report", "--continue", "last", "Which shop has the highest revenue?", "--yes", "--json"];
    let again = home.baton(&words).json();
    assert_eq!(again["outcome"], "completed", "{again}");
    let session = std::path::PathBuf::from(again["folder"].as_str().unwrap()).join("session.json");
    let session: serde_json::Value = serde_json::from_slice(&std::fs::read(session).unwrap()).unwrap();
    assert_eq!(session["is_continuation"], true, "{session}");

    // A person says that what was read as a number is a name: there is nothing left to add up.
    let assumed = std::fs::read_to_string(folder.join("results/tables.toml")).unwrap();
    let (before, column) = assumed.split_once("name = \"revenue_eur\"").unwrap();
    home.write(
        "tables.toml",
        &format!(
            "{before}name = \"revenue_eur\"{}",
            column.replacen("kind = \"number\"", "kind = \"text\"", 1)
        ),
    );
    let words = [
        "report",
        "How did revenue develop from 2024 to 2025?",
        "--data",
        "sales.csv",
        "--tables",
        "tables.toml",
        "--yes",
        "--json",
    ];
    let corrected = home.baton(&words);
    assert!(!corrected.out.contains("20,310"), "{corrected:?}");
    home.write("tables.toml", "[[table]]\nname = 3\n");
    let refused = home.baton(&words);
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("tables.toml cannot be used"), "{refused:?}");
}

#[test]
fn charts_are_drawn_alone_and_a_bad_one_is_told() {
    let home = Home::new();
    let series = |labels: &str, values: &str| {
        format!(
            r#"{{"chart_id":"c1","chart_type":"line","title":"One point","data":{{"labels":{labels},"datasets":[{{"label":"a","data":{values}}}]}}}}"#
        )
    };
    let bad = r#"{"chart_id":"c2","chart_type":"bar","title":"Lost","source_files":["nope.json"]}"#;
    home.write(
        "charts.json",
        &format!(r#"{{"charts":[{},{bad}],"total":2}}"#, series(r#"["2024-01-01"]"#, "[3]")),
    );
    let words =
        ["report", "charts", "--chart-data", "charts.json", "--series-dir", ".", "--output-dir", "drawn"];
    let said = home.baton(&words);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.starts_with("1 chart in drawn") && said.out.contains("c2 was not drawn: "), "{said:?}");
    assert!(home.desk().join("drawn/c1_one_point.html").is_file());
    home.write("charts.json", "{");
    let said = home.baton(&[&words[..], &["--json"]].concat());
    assert_eq!(said.code, Some(1));
    assert!(said.json()["error"].as_str().is_some_and(|why| why.contains("charts.json")), "{said:?}");
}

#[test]
fn what_makes_no_sense_is_refused_before_there_is_a_run() {
    let home = Home::new();
    tables(&home);
    let refusals: [(&[&str], &str); 3] = [
        (&["report", "How did revenue develop?", "--yes"], "there is no data and there are no documents"),
        (
            &["report", "x", "--data", "sales.csv", "--coverage-target", "120"],
            "120 per cent cannot be reached",
        ),
        (&["report", "x", "--data", "sales.csv", "--format", "docx"], "is not written as docx"),
    ];
    for (words, why) in refusals {
        let said = home.baton(words);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.err.contains(why), "{said:?}");
    }
    assert!(home.runs().is_empty());
}
