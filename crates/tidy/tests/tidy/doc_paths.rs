//! Documents drift when the tree moves: every path they name in backticks must exist.

use crate::markdown::code_spans;
use crate::tree::Tree;

/// Documents that must exist, and whose paths are read beside those below `docs/`.
const DOCUMENTS: [&str; 4] = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"];

/// A code span that begins with one of these names a path of this repository.
const FOLDERS: [&str; 6] = ["crates/", "docs/", "examples/", "tests/", "bench/", "scripts/"];

/// Paths named in documents that lead nowhere, and documents that are missing.
pub fn check(tree: &Tree) -> Vec<String> {
    let missing = DOCUMENTS.iter().filter(|document| tree.text(document).is_none());
    let missing = missing.map(|document| format!("{document}: the document itself is missing"));
    let pages = tree.below("docs/").filter(|path| path.ends_with(".md"));
    missing.chain(DOCUMENTS.into_iter().chain(pages).flat_map(|document| dangling(tree, document))).collect()
}

fn dangling(tree: &Tree, document: &str) -> Vec<String> {
    let text = tree.text(document).unwrap_or_default();
    code_spans(text)
        .into_iter()
        .filter_map(|span| Some((span.line, named_path(span.text)?)))
        .filter(|(_, path)| !tree.has(certain_part(path)))
        .map(|(line, path)| format!("{document}:{line}: `{path}` does not exist"))
        .collect()
}

/// The path a code span names: its first word, without a line number or an anchor.
fn named_path(span: &str) -> Option<&str> {
    let word = span.split_whitespace().next()?;
    let path = word.split(['#', ':']).next()?;
    FOLDERS.iter().any(|folder| path.starts_with(folder)).then_some(path)
}

/// The folders before the first placeholder: of `crates/<name>/src` only `crates` can be looked for.
fn certain_part(path: &str) -> &str {
    match path.find(['<', '*', '{', '…']) {
        Some(at) => path.split_at(at).0.rsplit_once('/').map_or("", |(folder, _)| folder),
        None => path,
    }
}

#[test]
fn a_path_that_does_not_exist_is_found() {
    let tree = Tree::of(&[
        ("README.md", "See `docs/gone.md`."),
        (
            "ARCHITECTURE.md",
            "`crates/machine/src/lib.rs:12` `crates/machine/` `crates/<name>/src` `cargo test` `crates/none/*.rs`",
        ),
        ("docs/decisions/0001.md", "`examples/none.rs --flag`"),
        ("crates/machine/src/lib.rs", ""),
    ]);
    assert_eq!(
        check(&tree),
        [
            "CONTRIBUTING.md: the document itself is missing",
            "SECURITY.md: the document itself is missing",
            "README.md:1: `docs/gone.md` does not exist",
            "ARCHITECTURE.md:1: `crates/none/*.rs` does not exist",
            "docs/decisions/0001.md:1: `examples/none.rs` does not exist",
        ]
    );
}
