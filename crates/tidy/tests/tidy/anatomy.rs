//! Every workflow folder has the same parts, so that whoever has read one can read all.
//! That a diagram is up to date is tested by its workflow.

use crate::tree::Tree;

const WORKFLOWS: &str = "crates/workflows/src";

/// What each folder holds. `nodes` is a folder; `skills` and `prompts` are there when a workflow has them.
const PARTS: [&str; 6] = ["mod.rs", "memory.rs", "nodes", "files.rs", "tests.rs", "diagram.md"];

/// Parts that are missing. A folder below a module file, such as `asking/` below `asking.rs`, is a room that workflows
/// share and no workflow.
pub fn check(tree: &Tree) -> Vec<String> {
    let is_room = |folder: &str| tree.has(&format!("{WORKFLOWS}/{folder}.rs"));
    let workflows = tree.folders_in(WORKFLOWS).into_iter().filter(|folder| !is_room(folder));
    workflows.flat_map(|workflow| missing(tree, workflow)).collect()
}

fn missing(tree: &Tree, workflow: &str) -> Vec<String> {
    let path = |part: &str| format!("{WORKFLOWS}/{workflow}/{part}");
    let parts = PARTS.iter().filter(|part| !tree.has(&path(part)));
    parts.map(|part| format!("{} is missing from the workflow {workflow}", path(part))).collect()
}

#[test]
fn a_missing_part_is_found() {
    let tree = Tree::of(&[
        ("crates/workflows/src/lib.rs", ""),
        ("crates/workflows/src/asking.rs", ""),
        ("crates/workflows/src/asking/tests.rs", ""),
        ("crates/workflows/src/debate/mod.rs", ""),
        ("crates/workflows/src/debate/memory.rs", ""),
        ("crates/workflows/src/debate/nodes.rs", ""),
        ("crates/workflows/src/debate/files.rs", ""),
        ("crates/workflows/src/debate/tests.rs", ""),
    ]);
    assert_eq!(
        check(&tree),
        [
            "crates/workflows/src/debate/nodes is missing from the workflow debate",
            "crates/workflows/src/debate/diagram.md is missing from the workflow debate",
        ]
    );
}
