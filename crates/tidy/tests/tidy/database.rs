//! The database is named where it is kept, and nowhere else: another keeper of runs can then stand in its place.

use crate::tree::Tree;

/// A folder, what its files may not say, and those of its files that may.
const RULES: [(&str, &str, &[&str]); 4] = [
    ("crates/engine/src/", "rusqlite", &["crates/engine/src/store/"]),
    (
        "crates/engine/src/",
        "store::",
        &[
            "crates/engine/src/store/",
            "crates/engine/src/local.rs",
            // These put a home's engine together.
            "crates/engine/src/engine.rs",
            "crates/engine/src/torture/",
        ],
    ),
    (
        "crates/baton/src/",
        "baton_engine::store::{",
        // One opens a home, the other looks after it.
        &["crates/baton/src/program.rs", "crates/baton/src/commands/doctor/"],
    ),
    ("crates/baton/src/", "engine.store", &["crates/baton/src/commands/doctor"]),
];

/// Lines that name it elsewhere, tests apart.
pub fn check(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (folder, word, allowed) in RULES {
        let held = |path: &str| {
            path.starts_with(folder)
                && !path.contains("/tests")
                && !allowed.iter().any(|it| path.starts_with(it))
        };
        for (path, text) in tree.sources().filter(|(path, _)| held(path)) {
            let lines = (1..).zip(text.lines()).filter(|(_, line)| line.contains(word));
            found.extend(lines.map(|(at, _)| format!("{path}:{at}: names the database (`{word}`)")));
        }
    }
    found
}

#[test]
fn it_is_found_outside_its_place_and_left_alone_inside() {
    let tree = Tree::of(&[
        ("crates/engine/src/host.rs", "use crate::store::StoreError;\n"),
        ("crates/engine/src/ids.rs", "\nuse rusqlite::types::FromSql;\n"),
        ("crates/engine/src/store/read.rs", "use rusqlite::Row;\n"),
        ("crates/baton/src/detail.rs", "use baton_engine::store::{Store};\n"),
        ("crates/baton/src/program.rs", "use baton_engine::store::{Store};\n"),
    ]);
    assert_eq!(
        check(&tree),
        [
            "crates/engine/src/ids.rs:2: names the database (`rusqlite`)",
            "crates/engine/src/host.rs:1: names the database (`store::`)",
            "crates/baton/src/detail.rs:1: names the database (`baton_engine::store::{`)",
        ]
    );
}
