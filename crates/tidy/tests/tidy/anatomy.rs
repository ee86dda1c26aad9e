//! Every workflow folder has the same parts, so that whoever has read one can read all. Beside them stand rooms that workflows
//! share. No workflow knows another, and no room knows a workflow: what two need belongs to neither.
//! That a diagram is up to date is tested by its workflow.

use crate::tree::Tree;

const FOLDER: &str = "crates/workflows/src";

/// The workflows.
const WORKFLOWS: [&str; 7] = ["approval", "article", "debate", "effort", "factory", "report", "research"];

/// The rooms they share.
const ROOMS: [&str; 9] =
    ["asking", "checking", "citation", "coding", "command", "git", "markup", "process", "retrieval"];

/// What each workflow holds. `nodes` is a folder; `skills` and `prompts` are there when a workflow has them.
const PARTS: [&str; 6] = ["mod.rs", "memory.rs", "nodes", "files.rs", "tests.rs", "diagram.md"];

/// Parts that are missing, folders nobody decided on, and imports that must not be.
pub fn check(tree: &Tree) -> Vec<String> {
    let mut faults = Vec::new();
    for folder in tree.folders_in(FOLDER) {
        if WORKFLOWS.contains(&folder) {
            faults.extend(missing(tree, folder));
        } else if !ROOMS.contains(&folder) {
            faults.push(format!("{FOLDER}/{folder} is neither a workflow nor a room; decide which, here"));
        }
    }
    faults.extend(imports(tree));
    faults
}

fn missing(tree: &Tree, workflow: &str) -> Vec<String> {
    let path = |part: &str| format!("{FOLDER}/{workflow}/{part}");
    let parts = PARTS.iter().filter(|part| !tree.has(&path(part)));
    parts.map(|part| format!("{} is missing from the workflow {workflow}", path(part))).collect()
}

/// Places in a workflow or a room that name a workflow other than their own.
fn imports(tree: &Tree) -> Vec<String> {
    let mut faults = Vec::new();
    for (path, text) in tree.sources() {
        let Some((own, _)) = path.strip_prefix(&format!("{FOLDER}/")).and_then(|below| below.split_once('/'))
        else {
            continue;
        };
        for (at, line) in text.lines().enumerate() {
            let others = WORKFLOWS.into_iter().filter(|other| *other != own && names(line, other));
            faults.extend(others.map(|other| format!("{path}:{}: {own} knows the workflow {other}", at + 1)));
        }
    }
    faults
}

/// Whether a line of code names a module at the top of the crate.
fn names(line: &str, module: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    let ends = |rest: &str| !rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_');
    ["crate::", "super::", "crate::{", "baton_workflows::"].iter().any(|path| {
        code.match_indices(path).any(|(at, _)| code[at + path.len()..].strip_prefix(module).is_some_and(ends))
    })
}

#[test]
fn a_missing_part_and_a_folder_nobody_decided_on_are_found() {
    let tree = Tree::of(&[
        ("crates/workflows/src/lib.rs", "pub mod debate;"),
        ("crates/workflows/src/asking/mod.rs", ""),
        ("crates/workflows/src/helpers/mod.rs", ""),
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
            "crates/workflows/src/helpers is neither a workflow nor a room; decide which, here",
        ]
    );
}

#[test]
fn a_workflow_or_a_room_that_knows_a_workflow_is_found() {
    let tree = Tree::of(&[
        ("crates/workflows/src/lib.rs", "pub use crate::research::Research;"),
        ("crates/workflows/src/asking/mod.rs", "use crate::debate::Memory;\nuse crate::research_notes::X;"),
        (
            "crates/workflows/src/debate/files/page.rs",
            "use crate::debate::Memory;\n// like crate::research::files",
        ),
        ("crates/workflows/src/debate/files/more.rs", "use crate::{research, markup};"),
        ("crates/workflows/src/research/nodes/a.rs", "let x = super::super::debate::vote();"),
    ]);
    assert_eq!(
        imports(&tree),
        [
            "crates/workflows/src/asking/mod.rs:1: asking knows the workflow debate",
            "crates/workflows/src/debate/files/more.rs:1: debate knows the workflow research",
            "crates/workflows/src/research/nodes/a.rs:1: research knows the workflow debate",
        ]
    );
}
