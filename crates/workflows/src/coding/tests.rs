//! Patterns of paths, and a turn for the tests of adapters.

use super::paths::{covers, overlap};
use super::{AgentSpec, Role, Session, TurnLimits, TurnRequest};
use crate::process::Confinement;

/// A turn of an agent of this kind.
pub(super) fn request(kind: &str, role: Role) -> TurnRequest {
    TurnRequest {
        agent: AgentSpec { name: "coder".to_owned(), kind: kind.to_owned(), ..AgentSpec::recipe() },
        role,
        effort: "one".to_owned(),
        attempt: 1,
        worktree: "/nowhere/worktree".into(),
        workshop: "/nowhere".into(),
        base: String::new(),
        tip: String::new(),
        prompt: "Write it.".to_owned(),
        work: Vec::new(),
        session: Session::New("s".to_owned()),
        answers: Vec::new(),
        limits: TurnLimits::default(),
        confinement: Confinement::off(),
    }
}

#[test]
fn patterns_mean_what_people_expect() {
    let yes = [
        ("src", "src/a/b.rs"),
        ("src/", "src/a"),
        ("src/**", "src/a/b"),
        ("**/*.rs", "a/b/c.rs"),
        ("*.md", "README.md"),
        ("tests/test_*.py", "tests/test_a.py"),
        ("**", "anything/at/all"),
        ("a/**/z", "a/z"),
        ("a/**/z", "a/b/c/z"),
        ("./a", "a"),
    ];
    let no = [
        ("src", "srcs/a"),
        ("*.md", "docs/a.txt"),
        ("src/*.rs", "lib/a.rs"),
        ("a/b", "a"),
        ("tests/x*", "tests/y"),
    ];
    for (pattern, path) in yes {
        assert!(covers(pattern, path), "{pattern} {path}");
    }
    for (pattern, path) in no {
        assert!(!covers(pattern, path), "{pattern} {path}");
    }
}

#[test]
fn patterns_overlap_where_they_may_mean_the_same_file() {
    for (one, other) in
        [("src/**", "src/lib.rs"), ("src", "src/a/*.rs"), ("a/*", "a/b"), ("**", "x"), ("a", "a")]
    {
        assert!(overlap(one, other) && overlap(other, one), "{one} {other}");
    }
    for (one, other) in [("src/a/**", "src/b/**"), ("a.rs", "b.rs"), ("docs", "src/docs.rs")] {
        assert!(!overlap(one, other) && !overlap(other, one), "{one} {other}");
    }
}
