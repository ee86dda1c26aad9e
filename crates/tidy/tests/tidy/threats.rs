//! A promise is worth what holds it: every test that `docs/threats.md` names stands in the file it is named with.

use crate::tree::Tree;

const DOCUMENT: &str = "docs/threats.md";

/// Tests that are named and do not exist, and rows that name none.
pub fn check(tree: &Tree) -> Vec<String> {
    let text = tree.text(DOCUMENT).unwrap_or_default();
    let rows =
        text.lines().enumerate().filter(|(_, line)| line.starts_with("| ") && !line.contains("| held by |"));
    rows.flat_map(|(at, line)| in_row(tree, at + 1, line)).collect()
}

/// The last cell says `file.rs`: `test`, `test`; and so on.
fn in_row(tree: &Tree, at: usize, line: &str) -> Vec<String> {
    let cell = line.trim_end_matches(['|', ' ']).rsplit(" | ").next().unwrap_or_default();
    let mut file = None;
    let mut found = Vec::new();
    let mut named = 0;
    for span in cell.split('`').skip(1).step_by(2) {
        if span.ends_with(".rs") {
            file = tree.text(span);
        } else if let Some(text) = file {
            named += 1;
            if !text.contains(&format!("fn {span}(")) {
                found.push(format!("{DOCUMENT}:{at}: there is no test `{span}`"));
            }
        }
    }
    if named == 0 {
        found.push(format!("{DOCUMENT}:{at}: no test holds this"));
    }
    found
}

#[test]
fn a_promise_without_its_test_is_found() {
    let tree = Tree::of(&[
        (
            DOCUMENT,
            "| what | happens | held by |\n|---|---|---|\n| a | b | `crates/a/tests/a.rs`: `holds`, `gone` |\n| c | d | by luck |\n",
        ),
        ("crates/a/tests/a.rs", "#[test]\nfn holds() {}"),
    ]);
    assert_eq!(
        check(&tree),
        ["docs/threats.md:3: there is no test `gone`", "docs/threats.md:4: no test holds this"]
    );
}
