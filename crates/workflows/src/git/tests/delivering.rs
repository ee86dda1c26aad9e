//! The person's repository is written once, at the end, and never under somebody's hands.

use super::*;

fn deliver_of(bench: &Bench, commit: &str, how: Delivery, branch: &str) -> Deliver {
    Deliver {
        workshop: bench.shop(),
        repo: bench.repo().join(".git"),
        base: bench.base(),
        commit: commit.to_owned(),
        how,
        branch: branch.to_owned(),
        folder: bench.folder.path().join("out"),
        title: "A build".to_owned(),
    }
}

#[tokio::test]
async fn a_branch_is_made_once_and_nothing_else_changes() {
    let bench = Bench::new().await;
    let tip = bench.effort("x", "x.txt", "x\n").await;
    write(&bench.repo(), ".git/hooks/reference-transaction", "#!/bin/sh\ntouch HOOKED\n");
    let act = deliver_of(&bench, &tip, Delivery::Branch, "baton/run");
    assert_eq!(deliver::delivered(&bench.hand, act.clone()).await.unwrap(), None);
    deliver::deliver(&bench.hand, act.clone()).await.unwrap();
    assert!(deliver::delivered(&bench.hand, act.clone()).await.unwrap().is_some());
    assert_eq!(
        git(&bench.repo(), &["for-each-ref", "--format=%(refname)"]),
        "refs/heads/baton/run\nrefs/heads/main"
    );
    assert_eq!(git(&bench.repo(), &["rev-parse", "baton/run"]), tip);
    assert_eq!(git(&bench.repo(), &["status", "--porcelain"]), "");
    deliver::deliver(&bench.hand, act).await.unwrap();
}

#[tokio::test]
async fn merging_refuses_a_branch_that_is_checked_out_or_moved() {
    let bench = Bench::new().await;
    let tip = bench.effort("x", "x.txt", "x\n").await;
    let refused = deliver::deliver(&bench.hand, deliver_of(&bench, &tip, Delivery::Merge, "main")).await;
    assert!(refused.unwrap_err().to_string().contains("main is checked out"));
    git(&bench.repo(), &["branch", "target"]);
    git(&bench.repo(), &["branch", "moved"]);
    let act = deliver_of(&bench, &tip, Delivery::Merge, "target");
    deliver::deliver(&bench.hand, act.clone()).await.unwrap();
    assert_eq!(git(&bench.repo(), &["rev-parse", "target"]), tip);
    git(&bench.repo(), &["switch", "-q", "moved"]);
    git(&bench.repo(), &["commit", "-q", "--allow-empty", "-m", "theirs"]);
    git(&bench.repo(), &["switch", "-q", "main"]);
    let refused = deliver::deliver(&bench.hand, Deliver { branch: "moved".to_owned(), ..act }).await;
    let refused = refused.unwrap_err().to_string();
    assert!(refused.contains("moved moved to") && refused.contains("left alone"), "{refused}");
    // What it says to type works, and the person's branch stands where the person left it.
    let line = refused.split("by hand: ").nth(1).unwrap();
    let fetch: Vec<&str> = line.split(" && ").next().unwrap().split(' ').skip(1).collect();
    git(&bench.repo(), &fetch);
    assert_eq!(git(&bench.repo(), &["rev-parse", "FETCH_HEAD"]), tip);
    assert_eq!(git(&bench.repo(), &["log", "-1", "--format=%s", "moved"]), "theirs");
}

#[tokio::test]
async fn patches_lead_from_the_base_to_the_result() {
    let bench = Bench::new().await;
    let tip = bench.effort("x", "x.txt", "x\n").await;
    deliver::deliver(&bench.hand, deliver_of(&bench, &tip, Delivery::Patches, "")).await.unwrap();
    let out = bench.folder.path().join("out");
    for entry in std::fs::read_dir(&out).unwrap().flatten() {
        git(&bench.repo(), &["apply", "--index", entry.path().to_str().unwrap()]);
    }
    let tree = git(&bench.repo(), &["write-tree"]);
    assert_eq!(tree, git(&bench.store(), &["rev-parse", &format!("{tip}^{{tree}}")]));
    deliver::deliver(&bench.hand, deliver_of(&bench, &tip, Delivery::PrFiles, "")).await.unwrap();
    assert!(std::fs::read_to_string(out.join("BODY.md")).unwrap().contains("A build"));
}
