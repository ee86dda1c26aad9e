//! `torture`: the crash test as users run it, with processes that really die.

use std::path::Path;

use crate::support::Home;

#[test]
fn the_sample_workflow_survives_every_crash() {
    let home = Home::new();
    let mut command = home.command(&["torture", "approval", "--seed", "3", "--chains", "20", "--json"]);
    // Where there is a disk in memory the commits cost nothing; what is tested is their order.
    let memory = Path::new("/dev/shm");
    let folder =
        if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.expect("a folder");
    let output = command.env("TMPDIR", folder.path()).output().expect("it runs");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one value");
    let number = |name: &str| report[name].as_u64().unwrap_or_else(|| panic!("{name}: {report}"));
    assert_eq!(report["workflow"], "approval");
    assert_eq!(number("survived"), number("crash_points"));
    assert_eq!((number("chains"), number("chains_survived")), (20, 20));
    assert!(number("chained_crashes") > 20, "{report}");
    assert!(number("aborts") > 0 && number("crash_points") > number("commits"), "{report}");
    assert_eq!((number("paid_twice"), &report["identical"]), (0, &true.into()));
    // What passed leaves nothing behind, and touches no run.
    assert_eq!(std::fs::read_dir(folder.path()).expect("readable").count(), 0);
    assert!(!home.path().exists());
}

#[test]
fn a_workflow_without_a_rehearsal_is_named() {
    let said = Home::new().baton(&["torture", "nothing"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("`nothing`") && said.err.contains("approval"), "{}", said.err);
}
