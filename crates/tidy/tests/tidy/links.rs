//! Links between documents must lead somewhere.

use crate::markdown::link_targets;
use crate::tree::{Tree, is_test_file};

/// Relative links that lead nowhere.
pub fn check(tree: &Tree) -> Vec<String> {
    tree.files()
        .filter(|(path, _)| is_document(path))
        .flat_map(|(path, text)| broken(tree, path, text))
        .collect()
}

/// Prompts, samples and seeds hold links that belong to other texts; they stand below `src`, `tests` and `corpus`.
fn is_document(path: &str) -> bool {
    let foreign = path.split('/').any(|part| part == "src" || part == "corpus");
    path.ends_with(".md") && !is_test_file(path) && !foreign
}

fn broken(tree: &Tree, document: &str, text: &str) -> Vec<String> {
    link_targets(text)
        .into_iter()
        .filter_map(|link| Some((link.line, link.text, resolve(document, link.text)?)))
        .filter(|(_, _, path)| !path.as_deref().is_some_and(|path| tree.has(path)))
        .map(|(line, target, _)| format!("{document}:{line}: the link to {target} leads nowhere"))
        .collect()
}

/// The path a link leads to. `None` for links that leave the repository or stay on the page, `Some(None)` for
/// those that climb out of it.
fn resolve(document: &str, target: &str) -> Option<Option<String>> {
    let target = target.trim_start_matches('<').trim_end_matches('>');
    let path = target.split('#').next().unwrap_or_default();
    if path.is_empty() || path.contains(':') {
        return None;
    }
    let mut parts: Vec<&str> = document.split('/').collect();
    parts.pop();
    if path.starts_with('/') {
        parts.clear();
    }
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                if parts.pop().is_none() {
                    return Some(None);
                }
            }
            name => parts.push(name),
        }
    }
    Some(Some(parts.join("/")))
}

#[test]
fn a_link_that_leads_nowhere_is_found() {
    let tree = Tree::of(&[
        ("README.md", "[a](docs/a.md#part) [b](docs/b.md) [c](https://example.org/x) [d](#here)"),
        ("docs/a.md", "[up](../README.md) [root](/docs/a.md)\n[out](../../x.md) [gone](gone.md)"),
        ("crates/workflows/src/research/prompts/plan.md", "[title](url)"),
    ]);
    assert_eq!(
        check(&tree),
        [
            "README.md:1: the link to docs/b.md leads nowhere",
            "docs/a.md:2: the link to ../../x.md leads nowhere",
            "docs/a.md:2: the link to gone.md leads nowhere",
        ]
    );
}
