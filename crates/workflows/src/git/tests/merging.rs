//! Merges without a checkout.

use super::*;

#[tokio::test]
async fn the_same_acts_give_the_same_commits() {
    let bench = Bench::new().await;
    let tip = bench.effort("x", "x.txt", "x\n").await;
    let onto = bench.effort("y", "y.txt", "y\n").await;
    let first = merge::candidate(&bench.hand, bench.candidate_of(&onto, &tip)).await.unwrap();
    let second = merge::candidate(&bench.hand, bench.candidate_of(&onto, &tip)).await.unwrap();
    assert_eq!(first, second);
    let Merged::Clean { commit, tree } = first else { panic!("{first:?}") };
    assert_eq!(git(&bench.store(), &["rev-parse", &format!("{commit}^{{tree}}")]), tree);
    assert_eq!(
        git(&bench.store(), &["rev-parse", &format!("{commit}^1"), &format!("{commit}^2")]),
        format!("{onto}\n{tip}")
    );
}

#[tokio::test]
async fn a_conflict_names_its_files_and_what_is_in_is_not_merged_again() {
    let bench = Bench::new().await;
    let one = bench.effort("x", "a.txt", "one\nTWO\nthree\n").await;
    let other = bench.effort("y", "a.txt", "one\nzwei\nthree\n").await;
    let merged = merge::candidate(&bench.hand, bench.candidate_of(&one, &other)).await.unwrap();
    assert_eq!(merged, Merged::Conflict { files: vec!["a.txt".to_owned()] });
    let merged = merge::candidate(&bench.hand, bench.candidate_of(&one, &bench.base())).await.unwrap();
    assert_eq!(merged, Merged::Contained);
}

#[tokio::test]
async fn a_ref_moves_only_from_where_we_know_it_and_looking_finds_what_happened() {
    let bench = Bench::new().await;
    let (base, tip) = (bench.base(), bench.effort("x", "x.txt", "x\n").await);
    let advance = |new: &str, old: &str| Advance {
        workshop: bench.shop(),
        reference: "refs/heads/wave-1-1-integration".to_owned(),
        new: new.to_owned(),
        old: old.to_owned(),
    };
    assert_eq!(merge::advanced(&bench.hand, advance(&base, "")).await.unwrap(), None);
    merge::advance(&bench.hand, advance(&base, "")).await.unwrap();
    assert_eq!(merge::advanced(&bench.hand, advance(&base, "")).await.unwrap(), Some(base.clone()));
    let refused = merge::advance(&bench.hand, advance(&tip, &tip)).await.unwrap_err();
    assert!(matches!(refused, GitError::Moved { .. }), "{refused}");
    merge::advance(&bench.hand, advance(&tip, &base)).await.unwrap();
    merge::advance(&bench.hand, advance(&tip, &base)).await.unwrap();
}

#[tokio::test]
async fn old_tests_are_put_back_beside_new_ones() {
    let bench = Bench::new().await;
    let place = bench.provision("x", 1).await;
    write(&place.worktree, "src/b.txt", "weaker\n");
    write(&place.worktree, "src/c.txt", "new\n");
    let tip = bench.snapshot("x", &place.tip).await.tip;
    let act = MixTree { workshop: bench.shop(), tip, base: bench.base(), paths: vec!["src/**".to_owned()] };
    let mixed = merge::mix(&bench.hand, act).await.unwrap();
    assert_eq!(mixed.restored, ["src/b.txt"]);
    assert_eq!(git(&bench.store(), &["show", &format!("{}:src/b.txt", mixed.tree)]), "b");
    assert_eq!(git(&bench.store(), &["show", &format!("{}:src/c.txt", mixed.tree)]), "new");
}

#[tokio::test]
async fn parts_add_up_to_the_whole() {
    let bench = Bench::new().await;
    let place = bench.provision("x", 1).await;
    write(&place.worktree, "x.txt", "x\n");
    write(&place.worktree, "a.txt", "zero\none\ntwo\nthree\nfour\n");
    std::fs::remove_file(place.worktree.join("src/b.txt")).unwrap();
    let tip = bench.snapshot("x", &place.tip).await.tip;
    let part = |files: &[&str]| PartSpec {
        files: files.iter().map(|file| (*file).to_owned()).collect(),
        patches: Vec::new(),
        lines: 1,
    };
    let cut = |parts: Vec<PartSpec>| CutParts {
        workshop: bench.shop(),
        effort: "x".to_owned(),
        base: bench.base(),
        tip: tip.clone(),
        parts,
        at: 1,
        committer: Identity::default(),
    };
    let parts =
        merge::cut(&bench.hand, cut(vec![part(&["x.txt"]), part(&["a.txt", "src/b.txt"])])).await.unwrap();
    assert_eq!(parts.len(), 2);
    assert_eq!(git(&bench.store(), &["diff", "--name-only", &parts[0].from, &parts[0].to]), "x.txt");
    assert_eq!(git(&bench.store(), &["diff", "--name-only", &parts[1].to, &tip]), "");
    let short = merge::cut(&bench.hand, cut(vec![part(&["x.txt"]), part(&["a.txt"])])).await;
    assert!(short.unwrap_err().to_string().contains("do not add up"));
}
