//! What changes is written down as it changes, not at the release.

use crate::tree::Tree;

const CHANGELOG: &str = "CHANGELOG.md";

/// Whether the changelog has a place for what is not released yet.
pub fn check(tree: &Tree) -> Vec<String> {
    match tree.text(CHANGELOG) {
        None => vec![format!("{CHANGELOG} is missing")],
        Some(text) if text.lines().any(|line| matches!(line.trim(), "## [Unreleased]" | "## Unreleased")) => {
            Vec::new()
        }
        Some(_) => vec![format!("{CHANGELOG} has no heading `## Unreleased`")],
    }
}

#[test]
fn a_changelog_that_is_missing_or_closed_is_found() {
    assert_eq!(check(&Tree::of(&[])), ["CHANGELOG.md is missing"]);
    assert_eq!(
        check(&Tree::of(&[(CHANGELOG, "## 0.1.0\nUnreleased\n")])),
        ["CHANGELOG.md has no heading `## Unreleased`"]
    );
    assert_eq!(check(&Tree::of(&[(CHANGELOG, "# Changelog\n\n## Unreleased\n")])), Vec::<String>::new());
}
