//! Each module begins by saying what lives there.

use crate::tree::{Tree, is_test_file};

/// Sources of our crates that do not begin with `//!`.
pub fn check(tree: &Tree) -> Vec<String> {
    tree.sources()
        .filter(|(path, text)| is_module(path) && !begins_with_docs(text))
        .map(|(path, _)| format!("{path}: does not begin with `//!` and what lives here"))
        .collect()
}

fn is_module(path: &str) -> bool {
    let mut parts = path.split('/');
    parts.next() == Some("crates") && parts.nth(1) == Some("src") && !is_test_file(path)
}

/// A sentence must follow: an empty `//!` says nothing.
fn begins_with_docs(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    first.strip_prefix("//!").is_some_and(|rest| !rest.trim().is_empty())
}

#[test]
fn a_module_without_docs_is_found() {
    let tree = Tree::of(&[
        ("crates/a/src/lib.rs", "//! What a is.\n"),
        ("crates/a/src/bare.rs", "use std::fmt;\n//! Too late.\n"),
        ("crates/a/src/empty.rs", "//!\n"),
        ("crates/a/src/lib/tests.rs", "use super::*;\n"),
        ("crates/a/tests/main.rs", "mod one;\n"),
    ]);
    assert_eq!(
        check(&tree),
        [
            "crates/a/src/bare.rs: does not begin with `//!` and what lives here",
            "crates/a/src/empty.rs: does not begin with `//!` and what lives here",
        ]
    );
}
