//! `baton build` as a person types it: the example, agents that misbehave, repositories that cannot be built on, kills.

use std::path::{Path, PathBuf};
use std::process::Command;

use baton_machine::Word as _;
use baton_workflows::factory::State;
use serde_json::Value;

use crate::support::{Home, Output};

/// Calls git as a person would.
pub fn git(folder: &Path, args: &[&str]) -> String {
    let done = Command::new("git")
        .current_dir(folder)
        .args(["-c", "user.name=A Person", "-c", "user.email=person@example.org"])
        .args(args)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .expect("git");
    assert!(done.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8_lossy(&done.stdout).trim().to_owned()
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/factory")
}

/// The example's repository in the folder of a home.
pub fn ledger(home: &Home) -> PathBuf {
    let repo = home.desk().join("repo");
    let made = Command::new(examples().join("make.sh")).arg(&repo).output().expect("the script");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    repo
}

pub fn plan() -> String {
    examples().join("plan.toml").display().to_string()
}

/// A repository of one file.
pub fn small(home: &Home) -> PathBuf {
    let repo = home.desk().join("repo");
    std::fs::create_dir(&repo).expect("a folder");
    git(&repo, &["init", "-q", "-b", "main"]);
    std::fs::create_dir(repo.join("tests")).expect("a folder");
    std::fs::write(repo.join("a.txt"), "one\n").expect("a file");
    std::fs::write(repo.join("tests/t.sh"), "test -f a.txt\n").expect("a file");
    git(&repo, &["add", "-A"]);
    git(&repo, &["commit", "-qm", "first"]);
    repo
}

pub fn builds(home: &Home, plan: &str, more: &[&str]) -> Output {
    home.write("plan.toml", plan);
    let mut words = vec!["build", "plan.toml", "--repo", "repo", "--yes", "--json"];
    words.extend(more);
    home.baton(&words)
}

/// Whoever watches a build sees it to its end, although it waits for its efforts most of the time.
#[test]
fn a_build_is_watched_to_its_end() {
    let home = Home::new();
    ledger(&home);
    let mut build = home.spawn(&["build", &plan(), "--repo", "repo", "--yes"]);
    build.line();
    let mut watcher = home.spawn(&["watch", "last"]);
    assert!(watcher.line().starts_with("watching run "));
    let (status, told, _) = watcher.end();
    assert_eq!(status.code(), Some(0), "{told}");
    assert!(told.contains("NEXT_PHASE -> COMPLETE on PROJECT_VERIFIED"), "{told}");
    assert_eq!(build.code(), Some(0));
}

#[test]
fn the_example_goes_to_its_end_without_a_model() {
    let home = Home::new();
    let repo = ledger(&home);
    let before = git(&repo, &["rev-parse", "main"]);
    let said = home.baton(&["build", &plan(), "--repo", "repo", "--yes", "--json"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let value = said.json();
    let seen: Vec<&Value> = ["state", "outcome", "efforts", "merged", "splits", "recoveries", "cost_usd"]
        .iter()
        .map(|key| &value[key])
        .collect();
    assert_eq!(
        format!("{seen:?}"),
        r#"[String("COMPLETE"), String("completed"), Number(11), Number(11), Number(1), Number(1), Number(0.0)]"#
    );
    let delivered = value["delivered"].as_str().expect("a branch");
    assert_eq!(delivered, format!("baton/{}", value["run"].as_str().expect("an id")));
    assert_eq!(git(&repo, &["show", &format!("{delivered}:ledger/version.py")]), "VERSION = \"1.0.0\"");
    assert_eq!(git(&repo, &["rev-parse", "main"]), before, "theirs is left alone");
    assert_eq!(git(&repo, &["status", "--porcelain"]), "");
    let folder = PathBuf::from(value["folder"].as_str().expect("a folder"));
    for file in [
        "state.yaml",
        "todos/orchestrator.todo",
        "recovery/DEVIATION_ANALYSIS.md",
        "recovery/RECOVERY_STRATEGY.md",
    ] {
        assert!(folder.join(file).exists(), "{file}");
    }
    let log = home.baton(&["log", value["run"].as_str().expect("an id")]).out;
    for state in ["ERROR_RECOVERY", "HANDLE_SPLITS", "INTEGRATION_REVIEW", "RECOVERY_INTEGRATION"] {
        assert!(log.contains(state), "{state}");
    }
}

#[test]
fn killed_again_and_again_it_loses_nothing_and_merges_nothing_twice() {
    let home = Home::new();
    ledger(&home);
    home.baton(&["build", &plan(), "--repo", "repo", "--yes", "--no-drive"]);
    let run = home.runs().pop().expect("a run");
    let store = home.path().join("workshops").join(&run).join("repo.git");
    let commits = || -> std::collections::BTreeSet<String> {
        if store.exists() {
            git(&store, &["rev-list", "--all"]).lines().map(str::to_owned).collect()
        } else {
            Default::default()
        }
    };
    let mut seen = std::collections::BTreeSet::new();
    let mut kills = 0;
    for kill in 0..12_u64 {
        let running = home.spawn(&["resume", &run, "--yes", "--json"]);
        std::thread::park_timeout(std::time::Duration::from_millis(300 + kill * 137 % 900));
        kills += usize::from(running.kill_unless_over());
        let now = commits();
        assert!(seen.is_subset(&now), "a commit is gone after kill {kill}");
        seen.extend(now);
    }
    assert!(kills > 2, "it was killed {kills} times only");
    let said = home.baton(&["resume", &run, "--yes", "--json"]);
    let value = said.json();
    assert_eq!(value["state"], "COMPLETE", "{value}");
    assert!(seen.is_subset(&commits()));
    let line = value["commit"].as_str().expect("a commit");
    let merged = git(&store, &["log", "--merges", "--format=%(trailers:key=Baton-Effort,valueonly)", line]);
    let mut efforts: Vec<&str> = merged.split_whitespace().collect();
    assert_eq!(efforts.len(), 11);
    efforts.sort_unstable();
    efforts.dedup();
    assert_eq!(efforts.len(), 11, "{merged}");
}

/// A plan with one effort that an agent of this line does.
pub fn by_agent(line: &str, more: &str) -> String {
    format!(
        "title = \"x\"\ntests = [\"tests/**\"]\n[agents.bot]\nkind = \"command\"\nrun = '''{line}'''\n[gates.test]\nrun = \"sh tests/t.sh\"\ntests = true\n[policy]\nturn_limit = 3\nidle_limit = 2\n[[phase]]\nname = \"p\"\n[[phase.wave]]\n[[phase.wave.effort]]\nid = \"w\"\npaths = [\"**\"]\nagent = \"bot\"\n{more}"
    )
}

/// Agents that misbehave: how the effort stands afterwards, and a word of why.
#[test]
fn agents_that_misbehave_come_to_a_typed_end_and_touch_nothing_outside() {
    let cases = [
        ("hangs", "sleep 1000", "PARKED", "no sign of life"),
        ("babbles", "while :; do echo babble; done", "PARKED", "time was over"),
        ("does nothing", "echo done; exit 0", "PARKED", "changed nothing"),
        ("deletes tests", "echo new > a.txt; rm tests/t.sh", "PARKED", "removed test"),
        (
            "writes outside",
            "echo x > ../../../outside; echo x > \"$HOME/outside\"; echo new > a.txt",
            "QUEUED",
            "",
        ),
        ("commits itself", "echo new > a.txt; git add -A; git commit -qm mine", "QUEUED", ""),
        ("leaves a process", "echo new > a.txt; (setsid sleep 987654 &) ; true", "QUEUED", ""),
        (
            "plants a hook",
            "echo new > a.txt; mkdir -p .git/hooks; printf '#!/bin/sh\\ntouch /tmp/planted' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; git config core.fsmonitor 'touch x'",
            "QUEUED",
            "",
        ),
        ("rewrites .git", "echo new > a.txt; rm -rf .git; echo 'gitdir: /nowhere' > .git", "QUEUED", ""),
        ("links outward", "echo new > a.txt; ln -s /etc/passwd secrets", "PARKED", "outward link"),
        (
            "nests a repository",
            "echo new > a.txt; mkdir sub; cd sub; git init -q; echo x > x; git add x; git -c user.name=a -c user.email=a@b commit -qm x",
            "PARKED",
            "nested repository",
        ),
        (
            "hides its work",
            "echo new > a.txt; echo 'hidden/' > .gitignore; mkdir hidden; echo 'exit 0' > hidden/t.sh; sed -i 's/.*/sh hidden\\/t.sh/' tests/t.sh",
            "PARKED",
            "gate `test` failed",
        ),
    ];
    for (name, line, state, word) in cases {
        let home = Home::new();
        let repo = small(&home);
        let before = git(&repo, &["rev-parse", "HEAD"]);
        let said = builds(&home, &by_agent(line, ""), &[]);
        let value = said.json();
        let ended = if state == "QUEUED" { "COMPLETE" } else { "MONITOR" };
        assert_eq!(value["state"], ended, "{name}: {value}");
        assert_eq!(said.code, Some(if state == "QUEUED" { 0 } else { 5 }), "{name}");
        let runs = home.baton(&["runs", "--json"]).json();
        let effort =
            runs.as_array().expect("runs").iter().find(|run| run["workflow"] == "effort").expect("an effort");
        assert_eq!(effort["state"], state, "{name}");
        let told = home.baton(&["show", effort["run"].as_str().expect("an id")]).out;
        assert!(told.contains(word), "{name}: {told}");
        assert_eq!(git(&repo, &["rev-parse", "HEAD"]), before, "{name}");
        assert_eq!(git(&repo, &["status", "--porcelain"]), "", "{name}");
        assert!(!home.path().join("outside").exists() && !home.desk().join("outside").exists(), "{name}");
        let left = Command::new("pgrep").args(["-f", "sleep 987654"]).output().expect("pgrep");
        assert!(!left.status.success(), "{name}: a process is left");
    }
}

#[test]
fn a_person_is_an_agent_too() {
    let home = Home::new();
    let repo = small(&home);
    let plan = by_agent("", "").replace("kind = \"command\"\nrun = ''''''", "kind = \"person\"");
    let said = builds(&home, &plan, &[]);
    assert_eq!(said.code, Some(5), "{said:?}");
    let runs = home.baton(&["runs", "--json"]).json();
    let of = |name: &str| {
        let found = runs.as_array().expect("runs").iter().find(|run| run["workflow"] == name).expect("a run");
        found["run"].as_str().expect("an id").to_owned()
    };
    let worktree = home.path().join("workshops").join(of("factory")).join("trees/w");
    std::fs::write(worktree.join("a.txt"), "by hand\n").expect("a file");
    home.baton(&["answer", &of("effort"), "done"]);
    let value = home.baton(&["resume", &of("factory"), "--json"]).json();
    assert_eq!(value["state"], "COMPLETE", "{value}");
    assert_eq!(git(&repo, &["show", &format!("baton/{}:a.txt", of("factory"))]), "by hand");
}

#[test]
fn a_gate_that_never_ends_is_ended_and_a_plan_that_failed_delivers_nothing() {
    let home = Home::new();
    let repo = small(&home);
    let plan = "title = \"x\"\n[gates.test]\nrun = \"sleep 1000\"\ntimeout = \"1s\"\n[policy]\nretries = 0\nresets = 0\n[[phase]]\nname = \"p\"\n[[phase.effort]]\nid = \"w\"\npaths = [\"a.txt\"]\nwork = [{ append = \"a.txt\", content = \"two\\n\" }]\n";
    let said = builds(&home, plan, &[]);
    let value = said.json();
    assert_eq!((said.code, &value["state"]), (Some(1), &Value::from("ABANDONED")), "{value}");
    assert_eq!(git(&repo, &["for-each-ref", "--format=%(refname)"]), "refs/heads/main");
    let store = PathBuf::from(value["workshop"].as_str().expect("a folder")).join("repo.git");
    assert!(git(&store, &["for-each-ref", "refs/baton/checkpoints"]).contains("integration-1"));
}

#[test]
fn what_cannot_be_built_on_is_refused_before_there_is_a_run() {
    let home = Home::new();
    std::fs::create_dir(home.desk().join("repo")).expect("a folder");
    let said = home.baton(&["build", &plan(), "--repo", "repo", "--yes"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("is not a git repository"), "{}", said.err);
    home.write("bad.toml", "title = \"x\"\n[[phase]]\nnam = \"p\"\n");
    let said = home.baton(&["build", "validate", "bad.toml"]);
    assert_eq!(said.code, Some(2));
    assert!(
        said.err.contains("line 3, column 1: a phase has no `nam`; did you mean `name`?"),
        "{}",
        said.err
    );
    assert_eq!(home.runs(), Vec::<String>::new());
    let good = home.baton(&["build", "validate", &plan(), "--json"]).json();
    assert_eq!((good["phases"].as_u64(), good["efforts"].as_array().map(Vec::len)), (Some(3), Some(9)));
}

#[test]
fn a_draft_runs_no_command_without_a_word() {
    let home = Home::new();
    small(&home);
    home.write("ROADMAP.md", "# Bread\n\n## Dough\n\n- Mix in `a.txt`\n");
    assert_eq!(home.baton(&["build", "plan", "--from", "ROADMAP.md", "-o", "draft.toml"]).code, Some(0));
    let said = home.baton(&["build", "draft.toml", "--repo", "repo", "--yes", "--json"]);
    assert_eq!((said.code, &said.json()["state"]), (Some(5), &Value::from("PLANNING")));
}

/// Every state a build can stand in is one that some whole run stood in.
#[test]
fn every_state_is_stood_in_by_whole_runs_of_recipes() {
    let phase = |more: &str, acceptance: &str| {
        format!(
            "title = \"x\"\n[gates.test]\nrun = \"sh tests/t.sh\"\n[policy]\nreset = \"allow\"\n[[phase]]\nname = \"p\"\nacceptance = {{ {acceptance} }}\n\
             [[phase.effort]]\nid = \"w\"\npaths = [\"a.txt\"]\nwork = [{{ append = \"a.txt\", content = \"two\\n\" }}]\n{more}"
        )
    };
    let mending = "[[phase.adjustment]]\nid = \"m\"\npaths = [\"b.txt\"]\nwork = [{ write = \"b.txt\", content = \"b\\n\" }]\n";
    let cases = [
        (phase(mending, "files = [\"a.txt\", \"b.txt\"]"), "COMPLETE", "adjustments"),
        (phase("", "commands = [\"false\"]"), "ABANDONED", "resets"),
    ];
    let mut logs = String::new();
    for (plan, state, counted) in cases {
        let home = Home::new();
        small(&home);
        let value = builds(&home, &plan, &[]).json();
        assert_eq!((&value["state"], &value[counted]), (&Value::from(state), &Value::from(1)), "{value}");
        logs.push_str(&home.baton(&["log", value["run"].as_str().expect("an id")]).out);
    }
    let home = Home::new();
    ledger(&home);
    let said = home.baton(&["build", &plan(), "--repo", "repo", "--yes", "--json"]).json();
    logs.push_str(&home.baton(&["log", said["run"].as_str().expect("an id")]).out);
    for state in State::ALL {
        assert!(logs.contains(state.name()), "no whole run stood in {}", state.name());
    }
}
