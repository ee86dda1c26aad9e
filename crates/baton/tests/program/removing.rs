//! `diff`, `rm` and `gc`, as a person types them.

use crate::support::{Home, same};

/// Stages whose commands may be run again, so that nothing outside stands in the way.
const REPEATABLE: &str = r#"
title = "Release 1.4"
[[stages]]
name = "check"
commands = [{ name = "test", run = "echo tested", repeatable = true }]
[[stages]]
name = "publish"
ask = "Publish it?"
commands = [{ name = "upload", run = "echo uploaded", repeatable = true }]
"#;

/// A finished run, and a fork of it that was refused.
fn two(home: &Home) -> (String, String) {
    home.write("plan.toml", REPEATABLE);
    assert_eq!(home.baton(&["start", "approval", "plan.toml", "--yes"]).code, Some(0));
    let origin = home.runs().pop().expect("a run");
    assert_eq!(
        home.baton(&["fork", &origin, "--at", "AWAITING_APPROVAL", "--set", "parallel=2"]).code,
        Some(5)
    );
    let fork = home.runs().pop().expect("a fork");
    assert_eq!(home.baton(&["answer", &fork, "no"]).code, Some(8));
    (origin, fork)
}

#[test]
fn two_runs_are_compared_by_what_they_learnt() {
    let home = Home::new();
    let (origin, fork) = two(&home);
    let said = home.baton(&["diff", &origin, &fork, "--json"]).json();
    assert_eq!(said["shared"], 5, "{said}");
    assert_eq!(said["ways"][0].as_array().expect("a way").len(), 2, "{said}");
    assert_eq!(said["ways"][1], serde_json::json!(["REJECTED"]), "{said}");
    assert_eq!(said["settings"][0]["place"], "/parallel", "{said}");
    assert!(!said["learnt"].as_array().expect("a list").is_empty(), "{said}");
    let text = home.baton(&["diff", &origin, &fork]).out;
    assert!(text.contains("- WORKING > COMPLETED") && text.contains("+ REJECTED"), "{text}");
    // A run and a point of itself, and a run and itself.
    let point = home.baton(&["diff", &format!("{origin}@5"), &origin]).out;
    assert!(point.contains("+ WORKING > COMPLETED") && point.contains("no further state"), "{point}");
    assert!(home.baton(&["diff", &origin, &origin]).out.contains("They have learnt the same."));
    assert_eq!(home.baton(&["diff", &format!("{origin}@4"), &origin]).code, Some(2));
}

#[test]
fn a_removed_run_is_gone_and_its_forks_are_not() {
    let home = Home::new();
    let (origin, fork) = two(&home);
    let before = home.baton(&["log", &fork, "--json"]).out;
    let said = home.baton(&["rm", &origin]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.out.contains(&format!("stay with run {fork}, which shares them")), "{}", said.out);
    assert_eq!(home.runs(), std::slice::from_ref(&fork));
    assert!(!home.path().join("runs").join(&origin).exists());
    assert_eq!(home.baton(&["log", &fork, "--json"]).out, before);
    assert_eq!(home.baton(&["doctor"]).code, Some(0));
    assert_eq!(home.baton(&["rm", &origin]).code, Some(2));
    same("gc.txt", &home.transcript(&[&["gc", "--plan"], &["gc"]]));
}

#[test]
fn a_run_that_could_go_on_is_kept_unless_a_person_says_so() {
    let home = Home::new();
    let run = home.waiting();
    let said = home.baton(&["rm", &run]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.err.contains("--unfinished"), "{}", said.err);
    assert_eq!(home.baton(&["rm", &run, "--unfinished"]).code, Some(0));
    assert!(home.runs().is_empty());
}

#[test]
fn what_no_run_names_is_freed_and_nothing_else() {
    let home = Home::new();
    let run = home.waiting();
    let stray = home.path().join("blobs/ab");
    std::fs::create_dir_all(&stray).expect("a shelf");
    let stray = stray.join("c".repeat(62));
    std::fs::write(&stray, "nobody names this").expect("written");
    std::fs::write(home.path().join("blobs/ab/notes.txt"), "not ours").expect("written");
    let gathered = home.path().join("data").join("d".repeat(16));
    std::fs::create_dir_all(&gathered).expect("a folder");
    std::fs::write(gathered.join("prices.csv"), "day,price").expect("written");
    std::fs::create_dir_all(home.path().join("data/mine")).expect("a folder");
    std::fs::write(home.path().join("data/mine/prices.csv"), "not ours").expect("written");
    let plan = home.baton(&["gc", "--plan", "--json"]).json();
    assert_eq!((plan["payloads"].as_u64(), plan["done"].as_bool()), (Some(1), Some(false)), "{plan}");
    assert_eq!(plan["gathered"].as_u64(), Some(1), "{plan}");
    assert!(stray.exists() && gathered.exists());
    assert_eq!(home.baton(&["gc"]).code, Some(0));
    assert!(!stray.exists() && home.path().join("blobs/ab/notes.txt").exists());
    assert!(!gathered.exists() && home.path().join("data/mine/prices.csv").exists());
    assert_eq!(home.baton(&["answer", &run, "yes"]).code, Some(0), "the run goes on");
}

/// What is in a folder, by name.
fn names(folder: &std::path::Path) -> Vec<String> {
    let listed = std::fs::read_dir(folder).expect("a folder").flatten();
    let mut names: Vec<String> =
        listed.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_build_that_is_over_gives_its_worktrees_back_and_keeps_its_commits() {
    let home = Home::new();
    let repo = crate::building::ledger(&home);
    let value = home.baton(&["build", &crate::building::plan(), "--repo", "repo", "--yes", "--json"]).json();
    let run = value["run"].as_str().expect("an id").to_owned();
    let workshop = home.path().join("workshops").join(&run);
    let commits = || crate::building::git(&workshop.join("repo.git"), &["rev-list", "--all"]);
    let (before, trees) = (commits(), names(&workshop.join("trees")));
    assert!(trees.len() > 1, "{trees:?}");
    let (mine, other) = (workshop.join("trees").join(&trees[0]), workshop.join("trees").join(&trees[1]));
    std::fs::write(mine.join("notes.txt"), "mine\n").expect("written");
    let planned = home.baton(&["gc", "--plan", "--json"]).json();
    assert!(planned["workshops"][0]["bytes"].as_u64().is_some_and(|bytes| bytes > 0), "{planned}");
    assert!(other.exists(), "nothing is done yet");
    let said = home.baton(&["gc"]).out;
    let kept = format!("kept {}: it holds work that is in no commit", mine.display());
    assert!(said.contains(&kept) && said.contains("every commit of the build"), "{said}");
    assert!(mine.join("notes.txt").exists() && !other.exists());
    std::fs::remove_file(mine.join("notes.txt")).expect("removed");
    home.baton(&["gc"]);
    for part in ["trees", "attic", "tmp", "index", "passes"] {
        assert_eq!(names(&workshop.join(part)), Vec::<String>::new(), "{part}");
    }
    assert_eq!(commits(), before);
    assert_eq!(home.baton(&["gc"]).out.matches("kept").count(), 0, "there is nothing left to say");
    // The run is as it was, and removing it removes nothing that is nowhere else.
    assert_eq!(home.baton(&["resume", &run, "--json"]).json()["state"], "COMPLETE");
    assert_eq!(home.baton(&["rm", &run]).code, Some(0));
    assert_eq!(commits(), before);
    crate::building::git(&repo, &["rev-parse", &format!("baton/{run}")]);
}

#[test]
fn the_workshop_of_a_build_that_waits_is_nobody_s_to_free() {
    let home = Home::new();
    crate::building::small(&home);
    let plan = "title = \"x\"\n[agents.me]\nkind = \"person\"\n[gates.test]\nrun = \"true\"\n[[phase]]\nname = \"p\"\n\
                [[phase.effort]]\nid = \"w\"\nagent = \"me\"\npaths = [\"**\"]\n";
    let value = crate::building::builds(&home, plan, &[]).json();
    let run = value["run"].as_str().expect("an id").to_owned();
    let tree = home.path().join("workshops").join(&run).join("trees/w");
    std::fs::write(tree.join("half.txt"), "half\n").expect("written");
    assert_eq!(home.baton(&["gc", "--json"]).json()["workshops"], serde_json::json!([]));
    let said = home.baton(&["rm", &run, "--unfinished"]).out;
    assert!(said.contains("it holds work that is in no commit") && tree.join("half.txt").exists(), "{said}");
}
