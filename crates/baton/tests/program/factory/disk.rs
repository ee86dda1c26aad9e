//! A disk that is full while an agent writes or while git does, and git that is not there: the build stops with what to type,
//! and goes on from where it stood.

use std::process::Command;

use super::site::{Build, git};
use crate::support::Home;

/// Whether this machine lets us have a small disk of our own.
fn can_mount() -> bool {
    let tried =
        Command::new("unshare").args(["-rm", "sh", "-c", "mount -t tmpfs -o size=64k none /mnt"]).output();
    tried.is_ok_and(|done| done.status.success())
}

/// Builds on a disk of two megabytes, makes it larger, and types what the program says; what it said at first and last. None where
/// no disk may be mounted.
fn with_little_room(line: &str) -> Option<(String, String)> {
    if !can_mount() {
        return None;
    }
    let home = Home::new();
    let repo = home.desk().join("repo");
    std::fs::create_dir(&repo).expect("a folder");
    git(&repo, &["init", "-q", "-b", "main"]);
    std::fs::write(repo.join("a.txt"), "one\n").expect("a file");
    git(&repo, &["add", "-A"]);
    git(&repo, &["commit", "-qm", "first"]);
    home.write(
        "plan.toml",
        &format!(
            "title = \"x\"\n[gates.test]\nrun = \"true\"\n[size]\nsoft = 100000\nhard = 200000\n[policy]\nsandbox = \"off\"\n\
             [[phase]]\nname = \"p\"\n[[phase.effort]]\nid = \"w\"\npaths = [\"**\"]\nwork = [{{ run = '''{line}''' }}]\n"
        ),
    );
    let program = home.command(&["build", "plan.toml", "--repo", "repo", "--yes"]);
    let script = "mkdir -m 700 \"$BATON_HOME\" && mkdir \"$BATON_HOME/workshops\" && mount -t tmpfs -o size=2m none \"$BATON_HOME/workshops\" || exit 99\n\
                  \"$0\" build plan.toml --repo repo --yes > first 2>&1; echo \"[$?]\" >> first\n\
                  mount -o remount,size=64m \"$BATON_HOME/workshops\"\n\
                  sed -n 's/^  baton resume //p' first > next\n\
                  while read -r run; do \"$0\" resume $run --yes >> second 2>&1 < /dev/null; echo \"[$?]\" >> second; done < next\n";
    let mut shell = Command::new("unshare");
    shell.args(["-rm", "sh", "-c", script]).arg(program.get_program()).current_dir(home.desk()).env_clear();
    shell.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let done = shell.output().expect("it runs");
    assert!(done.status.success(), "{done:?}");
    let read = |name: &str| std::fs::read_to_string(home.desk().join(name)).expect("what was said");
    Some((read("first"), read("second")))
}

#[track_caller]
fn stopped_for_want_of_room(first: &str) {
    for words in ["no room left on the disk", "is kept", "make room", "baton resume"] {
        assert!(first.contains(words), "{words}: {first}");
    }
    assert!(!first.contains("ABANDONED") && !first.contains("[0]"), "{first}");
}

#[test]
fn a_disk_that_is_full_while_an_agent_writes_costs_no_try() {
    let Some((first, second)) =
        with_little_room("head -c 6000000 /dev/zero > big.txt && echo small > big.txt")
    else {
        return;
    };
    stopped_for_want_of_room(&first);
    assert!(second.contains("1 of 1 effort") && second.ends_with("[0]\n"), "{second}");
}

#[test]
fn a_disk_that_is_full_while_git_writes_loses_nothing() {
    let Some((first, second)) = with_little_room("head -c 900000 /dev/urandom | base64 > big.txt") else {
        return;
    };
    stopped_for_want_of_room(&first);
    assert!(second.contains("1 of 1 effort") && second.ends_with("[0]\n"), "{second}");
}

#[test]
fn git_that_is_not_there_any_more_stops_the_build_with_what_to_type() {
    let mut build = Build::new(|desk| super::site::plan(&[vec![super::site::Kind::Plain]], desk));
    let words = ["resume", &build.run, "--yes", "--json"];
    let said = build.home.command(&words).env("PATH", build.home.desk()).output().expect("it runs");
    assert_ne!(said.status.code(), Some(0));
    let text = String::from_utf8_lossy(&[said.stdout, said.stderr].concat()).into_owned();
    assert!(text.contains("git is not there any more; install git 2.40 or later"), "{text}");
    let value = build.live(None).expect("it ends").json();
    assert_eq!(value["state"], "COMPLETE", "{value}");
}

#[test]
fn git_that_is_missing_or_too_old_is_told_before_there_is_a_run() {
    let home = Home::new();
    let repo = home.desk().join("repo");
    std::fs::create_dir(&repo).expect("a folder");
    git(&repo, &["init", "-q", "-b", "main"]);
    home.write("plan.toml", &super::site::plan(&[vec![super::site::Kind::Plain]], &home.desk()));
    let words = ["build", "plan.toml", "--repo", "repo", "--yes"];
    let said = |path: &std::path::Path| {
        let done = home.command(&words).env("PATH", path).output().expect("it runs");
        (done.status.code(), String::from_utf8_lossy(&done.stderr).into_owned())
    };
    let bin = home.desk().join("bin");
    std::fs::create_dir(&bin).expect("a folder");
    let (code, text) = said(&bin);
    assert!(code == Some(2) && text.contains("install git 2.40 or later"), "{text}");
    std::fs::write(bin.join("git"), "#!/bin/sh\necho git version 2.30.9\n").expect("written");
    std::fs::set_permissions(bin.join("git"), std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .expect("a program");
    let (code, text) = said(&bin);
    assert!(code == Some(2) && text.contains("git 2.30.9 is too old; 2.40 or later is needed"), "{text}");
    assert_eq!(home.runs(), Vec::<String>::new());
}
