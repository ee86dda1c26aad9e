use std::path::{Path, PathBuf};

use super::*;

#[test]
fn what_is_not_known_to_be_ordinary_asks_for_an_approval() {
    let ordinary = [
        ("research", "approve-1-3f2a"),
        ("research", "check-10"),
        ("debate", "architect-1"),
        ("debate", "f2-architect-3"),
        ("debate", "frame"),
        ("debate", "frame.1"),
    ];
    let approval = [
        ("approval", "approve"),
        ("approval", "repair"),
        ("approval", "upload?1"),
        ("research", "survey?1"),
        ("research", "approve-1?1"),
        ("research", "pay"),
        ("debate", "ops:proposal"),
        ("debate", "ops:critique-1"),
        ("debate", "run-1?1"),
        ("debate", "go"),
        ("shop", "check-10"),
        ("", ""),
    ];
    for (workflow, name) in ordinary {
        assert_eq!(stakes(workflow, name), Stakes::Ordinary, "{workflow} {name}");
    }
    for (workflow, name) in approval {
        assert_eq!(stakes(workflow, name), Stakes::Approval, "{workflow} {name}");
    }
}

#[test]
fn every_row_is_found_by_its_name_and_known_to_the_engine() {
    let catalogue = catalogue();
    for row in &ROWS {
        assert!(catalogue.get(row.name).is_some(), "{}", row.name);
        assert_eq!(super::row(row.name).map(|found| found.name), Some(row.name));
    }
    assert_eq!(catalogue.iter().count(), ROWS.len(), "two rows of one name");
    assert!(super::row("shop").is_none());
}

/// Adding a workflow touches its own folder, its line in the crate, its row and its command; the smallest one shows it.
#[test]
fn the_smallest_workflow_is_named_in_three_places() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the crates");
    let own = "workflows/src/approval/";
    let is_source = |path: &str| path.contains("/src/") && !path.contains("tests") && !path.starts_with(own);
    let mut places: Vec<String> = sources(&crates)
        .iter()
        .map(|file| file.strip_prefix(&crates).expect("below").display().to_string())
        .filter(|path| is_source(path) && names_approval(&crates.join(path)))
        .collect();
    places.sort();
    assert_eq!(places, ["baton/src/catalogue.rs", "baton/src/commands/start.rs", "workflows/src/lib.rs"]);
}

fn names_approval(file: &Path) -> bool {
    let text = std::fs::read_to_string(file).expect("readable");
    // Research has an approval of its plan, and questions have stakes; neither names the workflow.
    ["approval::", "mod approval", "\"approval\"", "start approval", "torture approval", "diagram approval"]
        .iter()
        .any(|words| text.contains(words))
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let of_entry = |path: PathBuf| match path.extension() {
        Some(end) if end == "rs" => vec![path],
        _ if path.is_dir() => sources(&path),
        _ => Vec::new(),
    };
    entries.flat_map(of_entry).collect()
}
