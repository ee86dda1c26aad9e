//! Many questions to one process, and refs that move together or not at all.

use super::*;

#[tokio::test]
async fn refs_move_together_or_not_at_all() {
    let bench = Bench::new().await;
    let (base, tip) = (bench.base(), bench.effort("x", "x.txt", "x\n").await);
    let store = Git::new(&Processes::default(), bench.store());
    store.move_refs(&[("refs/baton/t/one", &base, ""), ("refs/baton/t/two", &base, "")]).await.unwrap();
    let refused = store.move_refs(&[("refs/baton/t/one", &tip, &base), ("refs/baton/t/two", &tip, "")]).await;
    assert!(matches!(refused, Err(GitError::Moved { ref reference, .. }) if reference == "refs/baton/t/two"));
    let there = store.refs(&["refs/baton/t"]).await.unwrap();
    assert!(there.values().all(|at| *at == base), "{there:?}");
    let again = [("refs/baton/t/one", base.as_str(), ""), ("refs/baton/t/two", base.as_str(), "")];
    store.move_refs(&again).await.unwrap();
    let log = std::fs::read_to_string(bench.store().join("logs/refs/baton/t/one")).unwrap();
    assert_eq!(log.lines().count(), 1, "a ref that stands there already was not moved");
}

#[tokio::test]
async fn what_is_asked_together_is_answered_in_order() {
    let bench = Bench::new().await;
    let tip = bench.effort("x", "x.txt", "many\nlines\n").await;
    let store = Git::new(&Processes::default(), bench.store());
    let commits = store.commits(&["nowhere", &tip, "refs/baton/base"]).await.unwrap();
    assert_eq!(commits, [None, Some(tip.clone()), Some(bench.base())]);
    let names = ["x.txt", "none", "src/b.txt"].map(|path| format!("{tip}:{path}")).to_vec();
    let blobs = store.blobs(&names).await.unwrap();
    assert_eq!(blobs, [Some(b"many\nlines\n".to_vec()), None, Some(b"b\n".to_vec())]);
}

#[test]
fn words_of_a_full_disk_are_known() {
    let error = GitError::said("add".to_owned(), Some(128), "fatal: write error: No space left on device\n");
    assert!(matches!(error, GitError::Full { .. }), "{error}");
    assert!(disk_is_full(&error.to_string()), "also when they were told on");
    let full = std::io::Error::from(std::io::ErrorKind::StorageFull);
    assert!(matches!(GitError::file(Path::new("x"), full), GitError::Full { .. }));
}
