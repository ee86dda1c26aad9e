//! Files stay small enough to be read in one sitting.

use crate::tree::{Tree, is_test_file};

/// A source file over this is listed.
const LONG: usize = 400;
/// A source file over this fails.
const TOO_LONG: usize = 500;
/// Tests are lists, and lists are easier to read long.
const TOO_LONG_TESTS: usize = 900;

/// Files over their limit.
pub fn check(tree: &Tree) -> Vec<String> {
    let over = |(path, lines): &(&str, usize)| *lines > limit(path);
    lengths(tree)
        .filter(over)
        .map(|(path, lines)| format!("{path}: {lines} lines, at most {}", limit(path)))
        .collect()
}

/// Files that will be over it soon.
pub fn getting_long(tree: &Tree) -> Vec<String> {
    let close = |(path, lines): &(&str, usize)| !is_test_file(path) && *lines > LONG && *lines <= TOO_LONG;
    lengths(tree)
        .filter(close)
        .map(|(path, lines)| format!("{path}: {lines} lines; split it before {TOO_LONG}"))
        .collect()
}

fn lengths(tree: &Tree) -> impl Iterator<Item = (&str, usize)> {
    tree.sources().map(|(path, text)| (path, text.lines().count()))
}

fn limit(path: &str) -> usize {
    if is_test_file(path) { TOO_LONG_TESTS } else { TOO_LONG }
}

#[test]
fn long_files_are_found_and_growing_ones_are_listed() {
    let lines = |count: usize| "\n".repeat(count);
    let tree = Tree::of(&[
        ("a/src/fits.rs", &lines(400)),
        ("a/src/grows.rs", &lines(401)),
        ("a/src/last.rs", &lines(500)),
        ("a/src/long.rs", &lines(501)),
        ("a/src/long/tests.rs", &lines(900)),
        ("a/tests/long.rs", &lines(901)),
        ("a/notes.md", &lines(2000)),
    ]);
    assert_eq!(
        check(&tree),
        ["a/src/long.rs: 501 lines, at most 500", "a/tests/long.rs: 901 lines, at most 900"]
    );
    assert_eq!(
        getting_long(&tree),
        ["a/src/grows.rs: 401 lines; split it before 500", "a/src/last.rs: 500 lines; split it before 500"]
    );
}
