//! What stands in a worktree is committed, whatever was done to the repository beside it.

use super::*;

#[tokio::test]
async fn new_changed_and_removed_files_are_committed_and_nothing_twice() {
    let bench = Bench::new().await;
    let place = bench.provision("x", 1).await;
    write(&place.worktree, "new/file.txt", "new\n");
    write(&place.worktree, "a.txt", "changed\n");
    std::fs::remove_file(place.worktree.join("src/b.txt")).unwrap();
    let first = bench.snapshot("x", &place.tip).await;
    let files = git(&bench.store(), &["ls-tree", "-r", "--name-only", &first.tip]);
    assert_eq!(files, "a.txt\nnew/file.txt");
    let second = bench.snapshot("x", &first.tip).await;
    assert_eq!((second.tip, second.changed), (first.tip, false));
}

/// The agent's own commits, hooks, configuration, filters and branches change nothing of ours.
#[tokio::test]
async fn what_is_done_to_the_repository_inside_does_not_reach_ours() {
    let bench = Bench::new().await;
    let place = bench.provision("x", 1).await;
    let inside = &place.worktree;
    write(inside, "work.txt", "work\n");
    git(inside, &["add", "-A"]);
    git(inside, &["commit", "-qm", "mine"]);
    write(inside, ".git/hooks/pre-commit", "#!/bin/sh\ntouch PLANTED\n");
    git(inside, &["config", "core.hooksPath", ".git/hooks"]);
    git(inside, &["config", "filter.evil.clean", "touch FILTERED"]);
    write(inside, ".gitattributes", "*.txt filter=evil\n");
    git(inside, &["branch", "-f", "other", "HEAD"]);
    let before = git(&bench.store(), &["for-each-ref"]);
    let config = std::fs::read_to_string(bench.store().join("config")).unwrap();
    let snapped = bench.snapshot("x", &place.tip).await;
    assert_eq!(git(&bench.store(), &["show", &format!("{}:work.txt", snapped.tip)]), "work");
    assert!(!inside.join("PLANTED").exists() && !inside.join("FILTERED").exists());
    assert_eq!(std::fs::read_to_string(bench.store().join("config")).unwrap(), config);
    let after = git(&bench.store(), &["for-each-ref"]);
    assert_eq!(after.replace(&snapped.tip, &place.tip), before, "only the branch of the effort moved");
    // A worktree without its repository is a worktree all the same.
    std::fs::remove_dir_all(inside.join(".git")).unwrap();
    write(inside, "more.txt", "more\n");
    assert!(bench.snapshot("x", &snapped.tip).await.changed);
}

#[tokio::test]
async fn nested_repositories_outward_links_and_ignored_files_are_told() {
    let bench = Bench::new().await;
    let place = bench.provision("x", 1).await;
    let inside = &place.worktree;
    for nested in ["sub", "empty"] {
        std::fs::create_dir(inside.join(nested)).unwrap();
        git(&inside.join(nested), &["init", "-q"]);
    }
    write(&inside.join("sub"), "f", "f\n");
    git(&inside.join("sub"), &["add", "-A"]);
    git(&inside.join("sub"), &["commit", "-qm", "inner"]);
    std::os::unix::fs::symlink("/etc/passwd", inside.join("out")).unwrap();
    std::os::unix::fs::symlink("../../elsewhere", inside.join("up")).unwrap();
    std::os::unix::fs::symlink("src/b.txt", inside.join("within")).unwrap();
    write(inside, ".gitignore", "hidden/\n");
    write(inside, "hidden/work.txt", "hidden\n");
    let snapped = bench.snapshot("x", &place.tip).await;
    assert_eq!(snapped.outward, ["out", "up"]);
    assert_eq!(snapped.ignored, ["hidden/"]);
    assert!(snapped.nested.iter().any(|name| name.starts_with("sub")), "{:?}", snapped.nested);
    let files = git(&bench.store(), &["ls-tree", "-r", "--name-only", &snapped.tip]);
    assert!(!files.contains("sub/") && !files.contains("hidden"), "{files}");
}

#[tokio::test]
async fn looking_after_a_crash_finds_the_commit_that_was_made() {
    let bench = Bench::new().await;
    let place = bench.provision("x", 1).await;
    write(&place.worktree, "x.txt", "x\n");
    let act = bench.snapshot_of("x", &place.tip);
    assert_eq!(snapshot::reconcile(&bench.hand, act.clone()).await.unwrap(), None);
    let made = snapshot::snapshot(&bench.hand, act.clone()).await.unwrap();
    assert_eq!(snapshot::reconcile(&bench.hand, act).await.unwrap(), Some(made));
}
