//! The seventh invariant where it is decided: random work in worktrees, and what may be removed.

use proptest::prelude::*;

use super::*;

/// What happens in the worktree of one effort before somebody tidies up.
#[derive(Clone, Copy, Debug)]
enum Happens {
    Written,
    Committed,
    Kept,
    Removed,
    Ignored,
    Moved,
}

fn happens() -> impl Strategy<Value = Happens> {
    prop_oneof![
        3 => Just(Happens::Written),
        3 => Just(Happens::Committed),
        3 => Just(Happens::Kept),
        1 => Just(Happens::Removed),
        1 => Just(Happens::Ignored),
        1 => Just(Happens::Moved),
    ]
}

/// Does it; whether the worktree holds work that no commit has, and whether its newest commit is kept, afterwards.
async fn live(bench: &Bench, script: &[Happens]) -> (bool, bool) {
    let place = bench.provision("x", 1).await;
    let (mut tip, mut open, mut kept) = (place.tip.clone(), false, true);
    for (number, what) in script.iter().enumerate() {
        let changes = match what {
            Happens::Written => {
                write(&place.worktree, &format!("{number}.txt"), &format!("{number}\n"));
                true
            }
            Happens::Removed => std::fs::remove_file(place.worktree.join("a.txt")).is_ok(),
            Happens::Moved => std::fs::rename(place.worktree.join("src"), place.worktree.join("lib")).is_ok(),
            Happens::Ignored => {
                write(&place.worktree, ".gitignore", &format!("hidden\n#{number}\n"));
                true
            }
            Happens::Committed => {
                let snapped = bench.snapshot("x", &tip).await;
                kept = kept && !snapped.changed;
                (tip, open) = (snapped.tip, false);
                false
            }
            Happens::Kept => {
                git(&bench.store(), &["update-ref", "refs/baton/archive/x", &tip]);
                kept = true;
                false
            }
        };
        open = open || changes;
    }
    (open, kept)
}

#[test]
fn a_worktree_is_removed_if_and_only_if_nothing_goes_with_it() {
    let config = ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    proptest!(config, |(script in prop::collection::vec(happens(), 0..7))| {
        let (removed, expected, exists) = runtime.block_on(async {
            let bench = Bench::new().await;
            let (open, kept) = live(&bench, &script).await;
            let act = Tidy {
                workshop: bench.shop(),
                efforts: vec![("x".to_owned(), "wave-1-1-x".to_owned())],
                safe_in: vec!["refs/baton/base".to_owned(), "refs/baton/archive/x".to_owned()],
            };
            let tidied = workshop::tidy(&bench.hand, act).await.unwrap();
            (tidied.removed.len() == 1, !open && kept, bench.shop().join("trees/x").exists())
        });
        prop_assert_eq!(removed, expected);
        prop_assert_eq!(exists, !expected);
    });
}
