//! Letters instead of names, histories of one's own, tools that stay in their folder.

use crate::debate::contribution::{Severity, Type};
use crate::debate::panel::{letter, number, perspective};
use crate::debate::tests::support::{memory, objects, on_paper, setup, takes};
use crate::debate::tools::confined;

#[test]
fn agents_are_shown_by_letter_and_number() {
    let mut setup = setup();
    setup.agents.extend((0..30).map(|n| on_paper(&format!("x{n}"), "store: sqlite")));
    let memory = memory(&setup, 1, vec![]);
    assert_eq!((letter(&memory, "ann"), letter(&memory, "cid")), ("A".to_owned(), "C".to_owned()));
    assert_eq!(letter(&memory, "x25"), "C1", "after Z it begins again");
    assert_eq!(number(&memory, "bob"), 2);
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
