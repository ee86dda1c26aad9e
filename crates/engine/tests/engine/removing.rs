//! Removing runs: what is shared stays, what lives is refused, and what nobody names can be told.

use baton_engine::driver::Vault;
use baton_engine::store::CrashPlan;
use baton_engine::turns::points_of;
use baton_engine::{End, Engine, Fork, Hash, RunId, Runs, RunsError, Turn, flow};
use baton_machine::Outcome;
use baton_testkit::puppet::{Do, Puppet, poke};

use crate::common::{Home, drive, said};

const DONE: End = End::Finished(Outcome::Completed);

fn fork(engine: &Engine, run: &RunId, point: usize) -> RunId {
    let at = points_of(engine, run, &flow::<Puppet>().table()).unwrap()[point].n.to_string();
    let turn = Turn { at: &at, leave_effects: true, by: "me" };
    engine.fork::<Puppet>(run, Fork { turn, changes: &[] }).unwrap()
}

fn script() -> Vec<Vec<Do>> {
    ["a", "b", "c"].map(|name| vec![Do::Step(poke(name))]).to_vec()
}

#[tokio::test]
async fn what_forks_share_stays_with_them() {
    let home = Home::new();
    let (engine, run, _) = home.play(script()).await;
    let (early, late) = (fork(&engine, &run, 1), fork(&engine, &run, 2));
    let of_fork = fork(&engine, &late, 2);
    let before: Vec<_> = [&early, &late, &of_fork].map(|it| engine.store.records(it, 1).unwrap()).into();
    let removed = engine.store.remove(&run, false).await.unwrap();
    assert_eq!(removed.len(), 1);
    assert_eq!(removed[0].kept_by.as_ref().map(|(heir, _)| heir), Some(&late));
    assert!(removed[0].records > 0);
    assert!(matches!(engine.run(&run), Err(RunsError::NoRun(_))));
    for (fork, records) in [&early, &late, &of_fork].into_iter().zip(before) {
        assert_eq!(engine.store.records(fork, 1).unwrap(), records);
        let checked = engine.store.verify(fork).unwrap();
        assert_eq!((checked.damage, checked.loss), (None, None));
        assert_eq!(drive(&engine, fork).await.unwrap(), DONE);
        assert_eq!(said(&engine, fork), ["a: done a", "b: done b", "c: done c"]);
    }
    assert_eq!(engine.store.lost_runs().unwrap(), [], "what was removed is not missed");
    // And so on, until nothing is left.
    for run in [late, early, of_fork] {
        engine.store.remove(&run, false).await.unwrap();
    }
    assert_eq!(engine.store.count_runs().unwrap(), 0);
    let left: i64 = rusqlite::Connection::open(home.folder.path().join("baton.db"))
        .unwrap()
        .query_row("SELECT count(*) FROM record", [], |row| row.get(0))
        .unwrap();
    assert_eq!(left, 0);
}

#[tokio::test]
async fn what_lives_is_refused_and_stays() {
    let home = Home::new();
    let ask = Do::Ask { name: "q".to_owned(), within_ms: None, otherwise: None };
    let (engine, run, _) = home.play(vec![vec![ask]]).await;
    let refused = engine.store.remove(&run, false).await.unwrap_err();
    assert!(refused.to_string().contains("is not over and could go on"), "{refused}");
    let lease = engine.store.lease(&run).await.unwrap();
    assert!(matches!(engine.store.remove(&run, true).await, Err(RunsError::Held { .. })));
    drop(lease);
    engine.store.remove(&run, true).await.unwrap();
    assert_eq!(engine.store.questions(None).unwrap(), []);
    assert!(matches!(engine.store.remove(&run, true).await, Err(RunsError::NoRun(_))));
}

#[tokio::test]
async fn a_crash_while_removing_is_no_alarm() {
    for at in 1..5 {
        for after in [false, true] {
            let mut home = Home::new();
            let (engine, run, _) = home.play(script()).await;
            let other = fork(&engine, &run, 1);
            drop(engine);
            home.options.crash = Some(std::sync::Arc::new(CrashPlan::new(at, after, false)));
            let engine = home.engine();
            drop(engine.store.remove(&run, false).await);
            drop(engine);
            home.options.crash = None;
            let engine = home.engine();
            assert_eq!(engine.store.lost_runs().unwrap(), [], "{at} {after}");
            assert_eq!(drive(&engine, &other).await.unwrap(), DONE, "{at} {after}");
            if engine.run(&run).is_ok() {
                engine.store.remove(&run, false).await.unwrap();
            }
            assert_eq!(engine.store.verify(&other).unwrap().damage, None);
        }
    }
}

#[tokio::test]
async fn what_a_record_names_is_known_and_nothing_else() {
    let home = Home::new();
    let (engine, run, _) = home.play(vec![vec![Do::SayLong(20_000)]]).await;
    let named = engine.store.named_hashes(&[]).unwrap();
    let payloads = engine.store.journal_from_start(&run).unwrap().payloads;
    assert!(!payloads.is_empty() && payloads.iter().all(|hash| named.contains(hash)));
    assert!(engine.store.blobs().fetch(&payloads[0]).is_ok());
    assert!(!named.contains(&Hash::of(b"nobody")));
    let alone = engine.store.alone().unwrap();
    drop(alone);
    engine.store.remove(&run, false).await.unwrap();
    assert!(!engine.store.named_hashes(&[]).unwrap().contains(&payloads[0]));
}
