use super::*;

/// Grants as the flags would give them.
pub fn granted(start: &[&str], answer: &[&str], approve: bool, roots: &[&Path]) -> Grants {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    Grants {
        start: owned(start),
        roots: roots.iter().map(|path| path.canonicalize().expect("a folder")).collect(),
        places: vec!["library".to_owned()],
        answer: owned(answer),
        approve,
        started: Mutex::default(),
    }
}

#[test]
fn only_what_was_granted_may_be_answered() {
    // Workflows to answer, whether approvals may be, whose run, the question, and whether it may be answered.
    let cases = [
        ("", false, "own", "research", "approve-1-ab", false),
        ("research", false, "own", "research", "approve-1-ab", true),
        ("research", true, "other", "research", "approve-1-ab", false),
        ("debate", true, "own", "research", "approve-1-ab", false),
        ("approval", false, "own", "approval", "approve", false),
        ("approval", true, "own", "approval", "approve", true),
        ("research", false, "own", "research", "survey?1", false),
        ("research", true, "own", "research", "survey?1", true),
        ("", true, "own", "approval", "approve", false),
    ];
    for (answer, approve, run, workflow, name, may) in cases {
        let grants = granted(&[], &[answer], approve, &[]);
        grants.began("own");
        let said = grants.may_answer(run, workflow, name);
        assert_eq!(said.is_ok(), may, "{answer:?} {approve} {run} {workflow} {name}: {said:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_path_must_lie_below_a_root_after_dots_and_links() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    for name in ["root/in", "root-beside", "secret"] {
        std::fs::create_dir_all(at(name)).expect("a folder");
    }
    std::os::unix::fs::symlink(at("secret"), at("root/out")).expect("a link");
    std::os::unix::fs::symlink(at("root/in"), at("way-in")).expect("a link");
    let grants = granted(&[], &[], false, &[&at("root")]);
    let inside = |name: &str| grants.inside("docs", at(name).to_str().expect("text"));
    for name in ["root", "root/in", "root/in/../in", "way-in"] {
        assert!(inside(name).is_ok(), "{name}");
    }
    for name in ["secret", "root/../secret", "root/out", "root-beside", "root/missing", ""] {
        let refused = inside(name).expect_err(name);
        assert!(refused.contains("baton mcp --root FOLDER"), "{name}: {refused}");
    }
    let none = granted(&[], &[], false, &[]);
    let refused = none.inside("docs", ".").expect_err("no root, no path");
    assert!(refused.contains("given no folder"), "{refused}");
}
