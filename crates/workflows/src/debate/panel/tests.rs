//! Letters instead of names, histories of one's own, tools that stay in their folder.

use std::collections::BTreeSet;

use crate::debate::contribution::{Severity, Type};
use crate::debate::panel::{letter, number, perspective};
use crate::debate::tests::support::{memory, objects, on_paper, setup, takes};
use crate::debate::tools::confined;

#[test]
fn agents_are_shown_by_letter_and_number() {
    let mut setup = setup();
    setup.agents.extend((0..30).map(|n| on_paper(&format!("x{n}"), "store: sqlite")));
    let memory = memory(&setup, 1, vec![]);
    let ids = || setup.agents.iter().map(|agent| agent.id.as_str());
    let letters: BTreeSet<String> = ids().map(|id| letter(&memory, id)).collect();
    let numbers: BTreeSet<usize> = ids().map(|id| number(&memory, id)).collect();
    assert_eq!((letters.len(), numbers.len()), (33, 33), "everybody has their own");
    assert!(letters.contains("A") && letters.contains("G1"), "after Z it begins again: {letters:?}");
    assert_eq!((numbers.first(), numbers.last()), (Some(&1), Some(&33)));
    let in_order = ids().enumerate().filter(|(at, id)| number(&memory, id) == at + 1).count();
    assert!(in_order < 10, "neither tells the order of the panel: {in_order}");
}

#[test]
fn a_perspective_is_what_one_said_and_was_told() {
    let said = vec![
        takes(1, Type::Proposal, "ann", "sqlite"),
        takes(1, Type::Proposal, "bob", "postgres"),
        {
            let mut told = objects(1, "bob", "ann", "r1", Severity::Minor, "slow");
            told.text = "too slow".to_owned();
            told
        },
        {
            let mut other = objects(1, "ann", "bob", "r2", Severity::Minor, "big");
            other.text = "too big".to_owned();
            other
        },
        takes(2, Type::Proposal, "ann", "sqlite"),
    ];
    let seen = perspective(&memory(&setup(), 2, said), "ann");
    assert!(seen.contains("ann wants sqlite") && seen.contains("too slow"), "{seen}");
    assert!(!seen.contains("postgres") && !seen.contains("too big") && !seen.contains("Round 2"), "{seen}");
}

#[cfg(unix)]
#[test]
fn paths_stay_in_their_folder() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("in");
    std::fs::create_dir(&inner).unwrap();
    std::fs::write(folder.path().join("secret"), "x").unwrap();
    std::fs::write(inner.join("note"), "x").unwrap();
    std::os::unix::fs::symlink("../secret", inner.join("link")).unwrap();
    std::os::unix::fs::symlink("..", inner.join("up")).unwrap();
    let ok = |path: &str| confined(&inner, path, "the folder").is_ok();
    assert!(ok("note") && ok("./note") && ok("."));
    for path in ["../secret", "link", "up/secret", "/etc/passwd", "in/../../secret", "gone"] {
        assert!(!ok(path), "{path}");
    }
}
