//! What a build finds when it is resumed: each row of the table of what was wanted and what is there.

use std::path::Path;

use serde_json::Value;

use super::site::{Build, git};
use crate::support::{Running, until};

/// A plan of one effort whose agent, when it runs for the first time, does `first`, says that it began, and waits until it is
/// killed; later it does `later`.
fn waits(desk: &Path, first: &str, later: &str) -> String {
    let desk = desk.display();
    let line = format!(
        "if [ ! -f {desk}/began ]; then {first}; echo $$ > {desk}/pid; touch {desk}/began; read word < {desk}/never; fi; {later}"
    );
    format!(
        "title = \"x\"\n[agents.bot]\nkind = \"command\"\nrun = '''{line}'''\n[gates.test]\nrun = \"true\"\n\
         [policy]\nsandbox = \"off\"\n[[phase]]\nname = \"p\"\n[[phase.effort]]\nid = \"w\"\npaths = [\"**\"]\nagent = \"bot\"\n"
    )
}

/// Kills a build while its agent works; when this returns, nothing of it lives.
fn killed_at_work(first: &str, later: &str) -> Build {
    let build = Build::new(|desk| waits(desk, first, later));
    let never = build.home.desk().join("never");
    rustix::fs::mkfifoat(rustix::fs::CWD, &never, rustix::fs::Mode::RWXU).expect("a pipe");
    let running: Running = build.home.spawn(&["resume", &build.run, "--yes", "--json"]);
    until("the agent begins", || {
        // Each question is a look at the disk and a process, so nothing spins.
        build.home.baton(&["runs", "--json"]).code == Some(0) && build.home.desk().join("began").exists()
    });
    running.kill();
    let pid = std::fs::read_to_string(build.home.desk().join("pid")).expect("its number");
    let alive = Path::new("/proc").join(pid.trim());
    until("the agent is gone with its build", || {
        build.home.baton(&["runs", "--json"]).code == Some(0) && !alive.exists()
    });
    build
}

/// How the turns of the effort ended, in order, and where it stands.
fn told(build: &Build) -> (Vec<String>, String, Vec<Value>) {
    let run = build.efforts().pop().expect("an effort");
    let journal = build.journal(&run);
    let mut events = journal.iter().filter(|record| record["kind"] == "event");
    let ends = events.clone().map(|record| &record["body"]["event"]["is"]["TURN_ENDED"]["end"]["end"]);
    let ends = ends.filter_map(|end| end.as_str().map(str::to_owned)).collect();
    let stands =
        events.next_back().map(|record| record["body"]["to"].as_str().unwrap_or_default().to_owned());
    (ends, stands.unwrap_or_default(), journal)
}

#[test]
fn dead_with_work_in_its_worktree_is_committed_and_measured() {
    let mut build = killed_at_work("echo done >> a.txt", "echo never >> a.txt");
    let value = build.live(None).expect("it ends").json();
    assert_eq!(value["state"], "COMPLETE", "{value}");
    assert_eq!(told(&build).0, ["cut_short"]);
    let line = value["commit"].as_str().expect("a commit");
    assert_eq!(git(&build.store(), &["show", &format!("{line}:a.txt")]), "one\ndone");
}

#[test]
fn dead_with_nothing_done_is_tried_again() {
    let mut build = killed_at_work("true", "echo again >> a.txt");
    let value = build.live(None).expect("it ends").json();
    assert_eq!(value["state"], "COMPLETE", "{value}");
    assert_eq!(told(&build).0, ["completed"]);
}

#[test]
fn a_worktree_that_is_gone_is_made_again_from_its_branch() {
    let mut build = killed_at_work("echo lost >> a.txt", "echo again >> a.txt");
    std::fs::remove_dir_all(build.workshop().join("trees/w")).expect("removed");
    let value = build.live(None).expect("it ends").json();
    assert_eq!(value["state"], "COMPLETE", "{value}");
    let line = value["commit"].as_str().expect("a commit");
    assert_eq!(git(&build.store(), &["show", &format!("{line}:a.txt")]), "one\nagain");
}

#[test]
fn a_branch_that_is_gone_or_elsewhere_parks_the_effort_and_nothing_is_touched() {
    for elsewhere in [false, true] {
        let mut build = killed_at_work("echo done >> a.txt", "true");
        let reference = "refs/heads/wave-1-1-w";
        let base = git(&build.store(), &["rev-parse", reference]);
        if elsewhere {
            let tree = git(&build.store(), &["rev-parse", &format!("{base}^{{tree}}")]);
            let other = git(&build.store(), &["commit-tree", &tree, "-m", "somebody else's"]);
            git(&build.store(), &["update-ref", reference, &other]);
        } else {
            git(&build.store(), &["update-ref", "-d", reference]);
        }
        build.seen.clear();
        let said = build.live(None).expect("it ends");
        assert_eq!(said.code, Some(5), "{said:?}");
        let (_, stands, journal) = told(&build);
        assert_eq!(stands, "PARKED");
        let asked = journal.iter().rfind(|record| record["kind"] == "asked").expect("a question").to_string();
        let word = if elsewhere { "stands at" } else { "is gone" };
        assert!(asked.contains("its branch wave-1-1-w") && asked.contains(word), "{asked}");
        let kept = std::fs::read_to_string(build.workshop().join("trees/w/a.txt")).expect("a file");
        assert_eq!(kept, "one\ndone\n");
    }
}

/// A ref that cannot be moved stops the build behind a merge that was made; the merge is made anew, later, and goes through.
#[test]
fn a_step_that_failed_is_taken_again_later_though_commits_have_another_date() {
    let mut build = Build::new(|desk| {
        let lock = "for heads in $trees/../kept/workshops/*/repo.git/refs/heads; do touch $heads/wave-1-1-integration.lock; done";
        let gate = format!(
            "trees={desk}; test -f {desk}/once || {{ touch {desk}/once; {lock}; }}",
            desk = desk.display()
        );
        super::site::plan(&[vec![super::site::Kind::Plain]], desk).replace("sh tests/t.sh", &gate)
    });
    let said = build.live(None).expect("it ends");
    assert!(said.code != Some(0) && said.out.contains(".lock"), "{said:?}");
    let lock = build.store().join("refs/heads/wave-1-1-integration.lock");
    std::fs::remove_file(lock).expect("removed");
    // Dates of commits count seconds.
    super::site::a_second_passes();
    let value = build.live(None).expect("it ends").json();
    assert_eq!(value["state"], "COMPLETE", "{value}");
}

#[test]
fn a_worktree_that_nobody_wants_is_told_and_left_alone() {
    let mut build = Build::new(|desk| {
        let stranger = format!(
            "for trees in {}/../kept/workshops/*/trees; do mkdir -p $trees/stranger; done",
            desk.display()
        );
        format!(
            "title = \"x\"\n[gates.test]\nrun = \"true\"\n[policy]\nsandbox = \"off\"\nretries = 1\n[[phase]]\nname = \"p\"\n\
             [[phase.effort]]\nid = \"v\"\npaths = [\"v.txt\"]\nwork = [{{ write = \"v.txt\", content = \"v\\n\" }}]\n\
             [[phase.effort]]\nid = \"w\"\npaths = [\"w.txt\"]\n\
             work = [{{ run = '''{stranger}; test -f {desk}/second || {{ touch {desk}/second; exit 1; }}; echo w > w.txt''' }}]\n",
            desk = desk.display()
        )
    });
    let value = build.live(None).expect("it ends").json();
    assert_eq!(value["state"], "COMPLETE", "{value}");
    let journal = build.journal(&build.run);
    let told =
        journal.iter().any(|record| record["body"].to_string().contains("stranger belongs to no effort"));
    assert!(told, "nobody told of it");
    assert!(build.workshop().join("trees/stranger").exists());
}
