//! Names and shapes of the files a run shows, held against `shapes.json`: programs of others read them.

use std::collections::BTreeSet;

use baton_engine::{End, RunFile};
use baton_machine::Outcome;
use jsonschema::Validator;
use serde_json::{Value, json};

use super::support::{order, query, run, world};
use crate::report::Depth;

/// One kind of file: how its path looks, which depths have it, what stands in it.
struct Shape {
    name: String,
    path: Validator,
    depths: Vec<Value>,
    optional: bool,
    schema: Validator,
}

fn shapes() -> Vec<Shape> {
    let all: Vec<Value> = serde_json::from_str(include_str!("shapes.json")).expect("shapes");
    all.iter()
        .map(|it| Shape {
            name: it["file"].as_str().expect("a path").to_owned(),
            path: pattern(&it["file"]),
            depths: it["depths"].as_array().expect("depths").clone(),
            optional: it["optional"] == true,
            schema: jsonschema::validator_for(&it["schema"]).expect("a schema"),
        })
        .collect()
}

fn pattern(of: &Value) -> Validator {
    jsonschema::validator_for(&json!({ "pattern": of })).expect("a pattern")
}

/// Files of the output beside the data: what a person opens.
fn is_output(path: &str) -> bool {
    let charts = pattern(&json!(r"^output/charts/c\d+_[^/]{1,40}\.html$"));
    let known = ["output/report.html", "output/method.md", "output/data_pack.xlsx", "results/tables.toml"];
    known.contains(&path)
        || path == "evidence.json"
        || path.starts_with("assets/text/")
        || charts.is_valid(&json!(path))
}

/// What is wrong with the files of a run of this depth.
fn flaws(files: &[RunFile], depth: &str) -> Vec<String> {
    let shapes = shapes();
    let mut flaws = Vec::new();
    let mut seen = BTreeSet::new();
    for file in files.iter().filter(|file| !is_output(&file.path)) {
        let Some(at) = shapes.iter().position(|shape| shape.path.is_valid(&json!(file.path))) else {
            flaws.push(format!("{}: no shape has such a name", file.path));
            continue;
        };
        seen.insert(at);
        let shape = &shapes[at];
        if !shape.depths.iter().any(|it| it == depth) {
            flaws.push(format!("{}: not a file of {depth}", file.path));
        }
        let value: Value = serde_json::from_slice(&file.content).expect("JSON");
        let wrong = shape.schema.iter_errors(&value);
        flaws.extend(wrong.map(|error| format!("{}{}: {error}", file.path, error.instance_path())));
        if file.path.starts_with("results/series/") {
            let count = |key: &str| value[key].as_array().map_or(0, Vec::len);
            if count("labels") != count("values") {
                flaws.push(format!("{}: labels and values differ in number", file.path));
            }
        }
    }
    for (at, shape) in shapes.iter().enumerate() {
        let wanted = shape.depths.iter().any(|it| it == depth) && !shape.optional;
        if wanted && !seen.contains(&at) {
            flaws.push(format!("no file is named {}", shape.name));
        }
    }
    flaws
}

#[tokio::test]
async fn files_of_both_depths_have_the_names_and_shapes_of_the_contract() {
    for (depth, query) in [
        (Depth::Standard, "How did revenue develop from 2024 to 2025? What is planned for 2026?".to_owned()),
        (Depth::DeepDive, query()),
    ] {
        let home = tempfile::tempdir().unwrap();
        let (end, memory, files) = run(home.path(), world(home.path()), &order(&query)).await;
        assert_eq!(end, End::Finished(Outcome::Completed), "{:?}", memory.nothing);
        assert_eq!(memory.depth(), depth);
        let flaws = flaws(&files, depth.name());
        assert!(flaws.is_empty(), "{}", flaws.join("\n"));
    }
}

#[tokio::test]
async fn a_round_more_leaves_its_plan_of_questions() {
    let home = tempfile::tempdir().unwrap();
    let asked = "# Coffee\n\n- How did revenue develop from 2024 to 2025?\n- How many penguins live in Antarctica?\n\
        - Who won the chess championship?";
    let (_, memory, files) = run(home.path(), world(home.path()), &order(asked)).await;
    assert!(memory.coverage_now() < 80.0, "{:#?}", memory.coverage());
    assert!(files.iter().any(|file| file.path == "state/questions_plan.json"));
    let flaws = flaws(&files, "standard");
    assert!(flaws.is_empty(), "{}", flaws.join("\n"));
}

#[test]
fn a_shape_that_is_broken_is_noticed() {
    let wrong = RunFile::text("session.json", r#"{"id": "x", "phase": "resting"}"#);
    let flaws = flaws(&[wrong], "standard");
    assert!(flaws.iter().any(|flaw| flaw.contains("resting")), "{flaws:?}");
    assert!(flaws.iter().any(|flaw| flaw.contains("no file is named ^state/plan")), "{flaws:?}");
}
