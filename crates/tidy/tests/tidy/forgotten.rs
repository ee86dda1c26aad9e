//! A file that no `mod` names is not compiled, and a test in it never runs. Each crate also has one integration-test
//! binary: every further one links everything again.

use std::collections::BTreeSet;

use crate::manifest::{Manifest, manifests};
use crate::tree::Tree;

/// Files no crate reaches, and crates with more than one integration-test binary.
pub fn check(tree: &Tree) -> Vec<String> {
    manifests(tree).iter().flat_map(|manifest| in_crate(tree, manifest)).collect()
}

fn in_crate(tree: &Tree, manifest: &Manifest<'_>) -> Vec<String> {
    let folder = &manifest.folder;
    let tests = manifest.roots("test", "tests");
    let mut roots = tests.clone();
    roots.extend(manifest.roots("bin", "src/bin"));
    roots.extend(["lib.rs", "main.rs"].map(|name| format!("{folder}/src/{name}")));

    let mut findings = Vec::new();
    if tests.len() > 1 {
        findings.push(format!(
            "{folder}: {} integration-test binaries ({}); use one, tests/NAME/main.rs with its modules beside it",
            tests.len(),
            tests.join(", ")
        ));
    }
    let reached = reach(tree, roots);
    let homes = [format!("{folder}/src/"), format!("{folder}/tests/")];
    let files = homes.iter().flat_map(|home| tree.below(home)).filter(|path| path.ends_with(".rs"));
    findings.extend(
        files
            .filter(|path| !reached.contains(*path))
            .map(|path| format!("{path}: no `mod` names it, so it is not compiled")),
    );
    findings
}

/// The files reached from the roots by following `mod name;`. Inline modules and `#[path]` are not followed: the
/// house does without both.
fn reach(tree: &Tree, roots: Vec<String>) -> BTreeSet<String> {
    let mut open: Vec<(String, String)> =
        roots.into_iter().map(|root| (parent(&root).to_owned(), root)).collect();
    let mut reached = BTreeSet::new();
    while let Some((home, path)) = open.pop() {
        let Some(text) = tree.text(&path) else { continue };
        if reached.insert(path) {
            open.extend(modules(text).flat_map(|name| places(&home, name)));
        }
    }
    reached
}

/// Where a module can stand, each with the folder its own modules stand in.
fn places(home: &str, name: &str) -> [(String, String); 2] {
    let inner = format!("{home}/{name}");
    [(inner.clone(), format!("{inner}.rs")), (inner.clone(), format!("{inner}/mod.rs"))]
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The names in `mod name;`, whatever their visibility and attributes on the same line.
fn modules(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let declared = line.trim().strip_suffix(';')?;
        let (before, name) = declared.rsplit_once(' ').unwrap_or(("", declared));
        let is_declaration = before == "mod" || before.ends_with(" mod");
        (is_declaration && !before.starts_with("//")).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKAGE: &str = "[package]\nname = 'a'\n";

    #[test]
    fn a_file_nobody_names_is_found() {
        let tree = Tree::of(&[
            ("crates/a/Cargo.toml", PACKAGE),
            (
                "crates/a/src/lib.rs",
                "pub mod one;\npub(crate) mod two;\n#[cfg(test)] mod tests;\n// mod lost;\n",
            ),
            ("crates/a/src/one.rs", "mod inner;\n"),
            ("crates/a/src/one/inner.rs", ""),
            ("crates/a/src/one/tests.rs", "#[test] fn never_runs() {}"),
            ("crates/a/src/two/mod.rs", ""),
            ("crates/a/src/tests.rs", ""),
            ("crates/a/src/lost.rs", ""),
            ("crates/a/tests/whole/main.rs", "mod part;\n"),
            ("crates/a/tests/whole/part.rs", ""),
            ("crates/a/tests/whole/other.rs", ""),
        ]);
        assert_eq!(
            check(&tree),
            [
                "crates/a/src/lost.rs: no `mod` names it, so it is not compiled",
                "crates/a/src/one/tests.rs: no `mod` names it, so it is not compiled",
                "crates/a/tests/whole/other.rs: no `mod` names it, so it is not compiled",
            ]
        );
    }

    #[test]
    fn a_second_test_binary_is_found() {
        let tree = Tree::of(&[
            ("crates/a/Cargo.toml", PACKAGE),
            ("crates/a/tests/main.rs", "mod part;\n"),
            ("crates/a/tests/part.rs", ""),
        ]);
        assert_eq!(
            check(&tree),
            ["crates/a: 2 integration-test binaries (crates/a/tests/main.rs, crates/a/tests/part.rs); \
              use one, tests/NAME/main.rs with its modules beside it"]
        );
    }

    #[test]
    fn one_declared_binary_with_modules_beside_it_is_fine() {
        let declared =
            format!("{PACKAGE}autotests = false\n[[test]]\nname = 'main'\npath = 'tests/main.rs'\n");
        let tree = Tree::of(&[
            ("crates/a/Cargo.toml", &declared),
            ("crates/a/tests/main.rs", "mod part;\n"),
            ("crates/a/tests/part.rs", ""),
        ]);
        assert_eq!(check(&tree), Vec::<String>::new());
    }
}
