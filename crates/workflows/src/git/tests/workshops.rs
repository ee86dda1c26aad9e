//! What is wanted held against what is there: every row of that table, and what may be removed.

use super::*;

async fn look(bench: &Bench, known: &str) -> Reconciled {
    let efforts = vec![("x".to_owned(), "wave-1-1-x".to_owned(), known.to_owned())];
    reconcile::reconcile(&bench.hand, Reconcile { workshop: bench.shop(), efforts }).await.unwrap()
}

async fn standing(bench: &Bench, known: &str) -> Standing {
    look(bench, known).await.efforts.remove(0).1
}

#[tokio::test]
async fn every_row_of_the_table_is_told_and_looking_twice_changes_nothing() {
    let bench = Bench::new().await;
    assert_eq!(standing(&bench, "").await, Standing::Unmade);
    let base = bench.base();
    let tip = bench.effort("x", "x.txt", "x\n").await;
    assert_eq!(standing(&bench, &tip).await, Standing::Sound);
    assert_eq!(standing(&bench, &base).await, Standing::Ahead { tip: tip.clone() });
    write(&bench.shop().join("trees/x"), "more.txt", "more\n");
    assert_eq!(standing(&bench, &tip).await, Standing::Dirty);
    assert_eq!(standing(&bench, &tip).await, Standing::Dirty);
    std::fs::remove_dir_all(bench.shop().join("trees/x")).unwrap();
    assert_eq!(standing(&bench, &tip).await, Standing::Restored);
    assert_eq!(standing(&bench, &tip).await, Standing::Sound);
    std::fs::create_dir(bench.shop().join("trees/stranger")).unwrap();
    assert_eq!(look(&bench, &tip).await.strangers, ["stranger"]);
    assert!(bench.shop().join("trees/stranger").exists());
    git(&bench.store(), &["update-ref", "refs/heads/wave-1-1-x", &base]);
    assert_eq!(standing(&bench, &tip).await, Standing::Lost { tip: base });
    git(&bench.store(), &["update-ref", "-d", "refs/heads/wave-1-1-x"]);
    assert_eq!(standing(&bench, &tip).await, Standing::Lost { tip: String::new() });
}

#[tokio::test]
async fn another_try_begins_from_the_base_and_what_was_is_kept() {
    let bench = Bench::new().await;
    let first = bench.effort("x", "x.txt", "x\n").await;
    write(&bench.shop().join("trees/x"), "uncommitted.txt", "u\n");
    let again = bench.provision("x", 2).await;
    assert_eq!(again.tip, bench.base());
    assert!(!again.worktree.join("x.txt").exists());
    assert!(git(&bench.store(), &["for-each-ref", "refs/baton/archive"]).contains(&first));
    let attic: Vec<_> = std::fs::read_dir(bench.shop().join("attic")).unwrap().flatten().collect();
    assert!(attic[0].path().join("uncommitted.txt").exists());
    assert_eq!(bench.provision("x", 2).await, again, "asking again changes nothing");
}

#[tokio::test]
async fn a_worktree_is_removed_only_if_it_is_clean_and_contained() {
    let bench = Bench::new().await;
    let tip = bench.effort("x", "x.txt", "x\n").await;
    let tidy = |safe_in: &str| {
        let efforts = vec![("x".to_owned(), "wave-1-1-x".to_owned())];
        Tidy { workshop: bench.shop(), efforts, safe_in: vec![safe_in.to_owned()] }
    };
    let kept = workshop::tidy(&bench.hand, tidy("refs/baton/base")).await.unwrap();
    assert_eq!(kept.kept[0].1, "its work is contained in no ref that is kept");
    write(&bench.shop().join("trees/x"), "more.txt", "more\n");
    let kept = workshop::tidy(&bench.hand, tidy(&tip)).await.unwrap();
    assert_eq!(kept.kept[0].1, "it holds work that is in no commit");
    assert!(bench.shop().join("trees/x/more.txt").exists());
    std::fs::remove_file(bench.shop().join("trees/x/more.txt")).unwrap();
    let gone = workshop::tidy(&bench.hand, tidy(&tip)).await.unwrap();
    assert_eq!(gone.removed, ["x"]);
    assert!(!bench.shop().join("trees/x").exists());
}
