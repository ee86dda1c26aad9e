//! Repositories that bring programs along, and names that only capitals tell apart.

use super::*;

/// Writes a program that leaves a trace when somebody runs it; the trace.
fn trap(bench: &Bench, name: &str) -> (String, PathBuf) {
    let (file, trace) = (bench.folder.path().join(name), bench.folder.path().join(format!("{name}-ran")));
    std::fs::write(&file, format!("#!/bin/sh\ntouch {}\ncat\n", trace.display())).unwrap();
    std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    (file.display().to_string(), trace)
}

/// Everything a repository can name that git would run: none of it runs, from the first look to the delivery.
#[tokio::test]
async fn nothing_that_a_repository_configures_is_run() {
    let bench = Bench::new().await;
    let (program, trace) = trap(&bench, "trap");
    let repo = bench.repo();
    for (key, value) in [
        ("core.fsmonitor", program.as_str()),
        ("core.hooksPath", bench.folder.path().join("hooks").to_str().unwrap()),
        ("core.alternateRefsCommand", &program),
        ("core.pager", &program),
        ("core.editor", &program),
        ("core.sshCommand", &program),
        ("diff.external", &program),
        ("filter.evil.clean", &program),
        ("filter.evil.smudge", &program),
        ("filter.evil.process", &program),
        ("filter.evil.required", "true"),
        ("filter.a=b c.clean", &program),
        ("merge.evil.driver", &program),
        ("commit.gpgSign", "true"),
        ("gpg.program", &program),
        ("uploadpack.packObjectsHook", &program),
        ("gc.auto", "1"),
    ] {
        git(&repo, &["config", key, value]);
    }
    for hook in ["reference-transaction", "post-checkout", "pre-auto-gc", "post-update", "proc-receive"] {
        let file = bench.folder.path().join("hooks").join(hook);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::copy(bench.folder.path().join("trap"), &file).unwrap();
    }
    write(&repo, ".git/info/attributes", "* filter=evil merge=evil diff=evil\nsrc/* filter=\"a=b c\"\n");
    // Files whose times differ from the index are read again, which is when a filter would run.
    for file in ["a.txt", "src/b.txt"] {
        let text = std::fs::read_to_string(repo.join(file)).unwrap();
        std::fs::write(repo.join(file), text).unwrap();
    }
    let found = survey(&Processes::default(), &repo, None).await.unwrap();
    let act = OpenWorkshop { workshop: bench.shop(), repo: repo.join(".git"), base: found.base };
    workshop::open(&bench.hand, act).await.unwrap();
    let place = bench.provision("x", 1).await;
    write(&place.worktree, ".gitattributes", "* filter=evil merge=evil diff=evil\n");
    write(&place.worktree, "a.txt", "one\nTWO\nthree\n");
    let tip = bench.snapshot("x", &place.tip).await.tip;
    let onto = bench.effort("y", "a.txt", "one\ntwo\nTHREE\n").await;
    let merged = merge::candidate(&bench.hand, bench.candidate_of(&onto, &tip)).await.unwrap();
    assert!(matches!(merged, Merged::Conflict { .. }), "{merged:?}");
    let deliver = Deliver {
        workshop: bench.shop(),
        repo: repo.join(".git"),
        base: bench.base(),
        commit: tip,
        how: Delivery::Branch,
        branch: "baton/run".to_owned(),
        folder: bench.folder.path().join("out"),
        title: "x".to_owned(),
    };
    for how in [Delivery::Branch, Delivery::Patches, Delivery::PrFiles] {
        deliver::deliver(&bench.hand, Deliver { how, ..deliver.clone() }).await.unwrap();
    }
    assert!(!trace.exists(), "something of the repository was run");
    // The trap works: whoever does look at that configuration runs it.
    let _ = std::process::Command::new("git").current_dir(&repo).args(["status"]).output().unwrap();
    assert!(trace.exists(), "the trap does nothing");
}

/// A name whose capitals change is another name: it is committed, merged and delivered as one.
#[tokio::test]
async fn a_rename_that_changes_only_capitals_is_a_rename() {
    let bench = Bench::new().await;
    let place = bench.provision("x", 1).await;
    std::fs::rename(place.worktree.join("a.txt"), place.worktree.join("A.txt")).unwrap();
    let snapped = bench.snapshot("x", &place.tip).await;
    assert_eq!(git(&bench.store(), &["ls-tree", "-r", "--name-only", &snapped.tip]), "A.txt\nsrc/b.txt");
    let other = bench.effort("y", "a.txt", "one\ntwo\nthree\nfour\n").await;
    let merged = merge::candidate(&bench.hand, bench.candidate_of(&snapped.tip, &other)).await.unwrap();
    let Merged::Clean { commit, .. } = merged else { panic!("{merged:?}") };
    assert_eq!(git(&bench.store(), &["show", &format!("{commit}:A.txt")]), "one\ntwo\nthree\nfour");
    let size = Measure { workshop: bench.shop(), base: bench.base(), tip: snapped.tip, exclude: Vec::new() };
    assert_eq!(size::measure(&bench.hand, size).await.unwrap().lines, 0);
}

/// A submodule that an agent adds is told as a repository inside, and its link becomes no entry of ours unseen.
#[tokio::test]
async fn a_submodule_that_appears_is_told() {
    let bench = Bench::new().await;
    let place = bench.provision("x", 1).await;
    let inside = &place.worktree;
    let url = bench.repo().display().to_string();
    git(inside, &["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &url, "vendor"]);
    let snapped = bench.snapshot("x", &place.tip).await;
    assert!(snapped.nested.iter().any(|name| name.starts_with("vendor")), "{:?}", snapped.nested);
}

#[tokio::test]
async fn a_branch_to_merge_into_is_refused_before_and_after_while_it_is_checked_out() {
    let bench = Bench::new().await;
    let processes = Processes::default();
    let theirs = bench.repo().join(".git");
    let refused = may_merge_into(&processes, &theirs, "main").await.unwrap_err().to_string();
    assert!(
        refused.contains("main is checked out") && refused.contains("switch to another branch"),
        "{refused}"
    );
    git(&bench.repo(), &["branch", "target"]);
    may_merge_into(&processes, &theirs, "target").await.unwrap();
    let elsewhere = bench.folder.path().join("elsewhere");
    git(&bench.repo(), &["worktree", "add", "-q", elsewhere.to_str().unwrap(), "target"]);
    may_merge_into(&processes, &theirs, "target").await.unwrap_err();
    let found = survey(&processes, &bench.repo(), Some("target")).await.unwrap();
    assert_eq!(found.branch, "target", "a plan that names a branch as its base is merged into that");
}
