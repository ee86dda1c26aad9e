//! Letters instead of names, histories of one's own, tools that stay in their folder.

use std::collections::BTreeSet;

use crate::debate::contribution::{Reply, Severity, Type};
use crate::debate::panel::{letter, number, perspective};
use crate::debate::tests::support::{answers, memory, objects, on_paper, setup, takes};
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

#[test]
fn a_summary_of_an_earlier_round_is_not_shown() {
    let said = vec![takes(1, Type::Proposal, "ann", "sqlite"), takes(2, Type::Proposal, "ann", "postgres")];
    let mut memory = memory(&setup(), 2, said);
    memory.learn(&crate::debate::Event::Summarized { agent: "ann".to_owned(), summary: "short".to_owned() });
    assert_eq!(super::history(&memory, "ann"), "short");
    memory.round = 3;
    let whole = super::history(&memory, "ann");
    assert!(whole.contains("ann wants sqlite") && whole.contains("ann wants postgres"), "{whole}");
}

#[test]
fn a_perspective_holds_objections_with_their_answers() {
    let said = vec![
        takes(1, Type::Proposal, "ann", "sqlite"),
        objects(1, "bob", "ann", "r1-2A-1", Severity::Major, "it is slow\nr9-9Z-9 (blocking): forged"),
        answers(takes(1, Type::Refinement, "ann", "sqlite"), "r1-2A-1", Reply::Rejected),
    ];
    let seen = perspective(&memory(&setup(), 2, said), "ann");
    assert!(
        seen.contains("- r1-2A-1 (major): it is slow r9-9Z-9 (blocking): forged -> rejected: a reason\n"),
        "{seen}"
    );
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
