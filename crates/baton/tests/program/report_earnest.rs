//! A report that was written in earnest: every prompt answered by hand through `scripts/bridge`, every sentence labelled
//! faithful or not before the gate had seen it. Its traffic plays back here.

use std::path::{Path, PathBuf};

use baton_testkit::model_server::Recording;
use serde_json::Value;

use crate::modelled::Modelled;

const TRAFFIC: &str = include_str!("earnest_report/traffic.jsonl");
const LABELS: &str = include_str!("earnest_report/labels.jsonl");
const QUERY: &str = include_str!("earnest_report/query.md");
const TABLE: &str = include_str!("earnest_report/energy.csv");

fn texts(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(texts(&path));
        } else {
            let bytes = std::fs::read(&path).expect("read");
            found.push((path, String::from_utf8_lossy(&bytes).replace('\u{a0}', " ")));
        }
    }
    found
}

#[test]
fn what_is_faithful_is_kept_and_what_is_not_is_in_no_file() {
    let modelled = Modelled::new();
    modelled.server.replay(Recording::read(TRAFFIC).expect("recorded traffic"));
    modelled.home.write("energy.csv", TABLE);
    let model = "local = true\ncontext_tokens = 64000\nmax_output_tokens = 8000";
    let model = modelled.model("bridge", model).replace("model = \"large\"", "model = \"me\"");
    modelled.configure(&format!("{model}[roles]\ndefault = [\"bridge\"]\n"));
    let said = modelled.baton(&["report", QUERY, "--data", "energy.csv", "--yes", "--json"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let told = said.json();
    let folder = PathBuf::from(told["folder"].as_str().expect("a folder"));
    let method = std::fs::read_to_string(folder.join("output/method.md")).expect("written");
    assert!(method.contains("sections: Model(\"bridge\")"), "{method}");
    let labels: Vec<Value> =
        LABELS.lines().map(|line| serde_json::from_str(line).expect("a label")).collect();
    let files = texts(&folder);
    let is_kept = |label: &&Value| {
        let text = label["text"].as_str().expect("a text");
        files.iter().any(|(_, content)| content.contains(text))
    };
    let (faithful, lies): (Vec<&Value>, Vec<&Value>) =
        labels.iter().partition(|label| label["faithful"] == true);
    let lost: Vec<&&Value> = faithful.iter().filter(|label| !is_kept(label)).collect();
    assert!(faithful.len() >= 20 && lies.len() >= 4, "{} and {}", faithful.len(), lies.len());
    assert!(lost.len() * 10 <= faithful.len(), "{} of {} lost: {lost:#?}", lost.len(), faithful.len());
    let passed: Vec<&&Value> = lies.iter().filter(|label| is_kept(label)).collect();
    assert!(passed.is_empty(), "{passed:#?}");
    let verified = modelled.home.baton(&["verify", "last"]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
}
