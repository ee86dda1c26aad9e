//! Damage at the end of the journal: what was durable and is gone is told, with what it may have cost; nothing else is.

use std::path::Path;

use baton_engine::store::{Loss, Store};
use baton_engine::{DriveError, End, RunId, RunsError, Spend};
use baton_machine::Outcome;
use baton_testkit::puppet::{Do, Poke, poke};
use serde_json::json;

use crate::common::{EPOCH, Home, drive, kinds, records};

fn paid(name: &str) -> Do {
    Do::Step(Poke { reserve: Spend { micro_usd: 3_000, tokens: 40, calls: 2 }, ..poke(name) })
}

fn script() -> Vec<Vec<Do>> {
    let ask = Do::Ask { name: "q".to_owned(), within_ms: None, otherwise: None };
    vec![vec![paid("a"), paid("b")], vec![Do::SayLong(40_000)], vec![paid("c"), ask]]
}

/// The files as they lie while a process is at work, which is how a kill leaves them.
fn image(home: &Home) -> Home {
    let copy = Home::new();
    copy_all(home.folder.path(), copy.folder.path());
    copy
}

fn copy_all(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap() {
        let (from, to) = (entry.as_ref().unwrap().path(), to.join(entry.unwrap().file_name()));
        if from.is_dir() {
            std::fs::create_dir_all(&to).unwrap();
            copy_all(&from, &to);
        } else {
            std::fs::copy(&from, &to).unwrap();
        }
    }
}

/// A run that waits, in the image of a home that was never closed.
async fn killed() -> (Home, RunId, u64) {
    let home = Home::new();
    let (engine, run, end) = home.play(script()).await;
    assert_eq!(end.unwrap(), End::Waiting);
    let image = image(&home);
    (image, run.clone(), engine.store.run(&run).unwrap().records)
}

fn file(home: &Home, name: &str) -> std::path::PathBuf {
    home.folder.path().join(name)
}

fn lost(end: Result<End, DriveError>) -> Option<Loss> {
    match end {
        Ok(End::Waiting) => None,
        Err(DriveError::Runs(RunsError::Lost(loss))) => Some(loss),
        other => panic!("{other:?}"),
    }
}

/// Opens a damaged home: what it says of the run must be that records are gone, if any are, and nothing else.
async fn told(home: &Home, run: &RunId, before: u64) -> Option<Loss> {
    let engine = home.engine();
    let left = engine.store.records(run, 1).unwrap_or_default().len() as u64;
    let looked = match engine.store.verify(run) {
        Ok(verified) => verified.loss,
        Err(RunsError::Lost(loss)) => Some(loss),
        Err(other) => panic!("{other}"),
    };
    let driven = lost(drive(&engine, run).await);
    assert_eq!(looked, driven, "looking and driving say the same");
    assert_eq!(driven.is_some(), left < before, "{left} of {before} records are left: {driven:?}");
    if let Some(loss) = &driven {
        assert_eq!((loss.kept, loss.reached, loss.replaced), (left, before, false));
        let all = engine.store.lost_runs().unwrap();
        assert_eq!(all.len(), usize::from(left == 0), "{all:?}");
    }
    driven
}

#[tokio::test]
async fn a_flipped_bit_anywhere_in_the_log_is_told_if_it_costs_a_record() {
    let (home, run, before) = killed().await;
    let log = std::fs::read(file(&home, "baton.db-wal")).unwrap();
    let mut counts = [0, 0];
    for at in (0..log.len()).step_by(log.len() / 60) {
        let home = image(&home);
        let mut bytes = log.clone();
        bytes[at] ^= 1 << (at % 8);
        std::fs::write(file(&home, "baton.db-wal"), bytes).unwrap();
        counts[usize::from(told(&home, &run, before).await.is_some())] += 1;
    }
    assert!(counts[1] > 40, "most flips cost records: {counts:?}");
}

#[tokio::test]
async fn a_log_cut_short_anywhere_is_told_if_it_costs_a_record() {
    let (home, run, before) = killed().await;
    let log = std::fs::read(file(&home, "baton.db-wal")).unwrap();
    let mut found = 0;
    for length in (0..log.len()).step_by(log.len() / 40) {
        let home = image(&home);
        std::fs::write(file(&home, "baton.db-wal"), &log[..length]).unwrap();
        found += usize::from(told(&home, &run, before).await.is_some());
    }
    assert!(found > 30, "{found}");
    assert_eq!(told(&image(&home), &run, before).await, None, "the image itself is whole");
}

#[tokio::test]
async fn an_empty_or_missing_database_is_refused_until_a_person_begins_anew() {
    for remove in [false, true] {
        let (home, run, before) = killed().await;
        if remove {
            std::fs::remove_file(file(&home, "baton.db")).unwrap();
        } else {
            std::fs::write(file(&home, "baton.db"), "").unwrap();
        }
        let refused = home.try_engine().map(|_| ()).unwrap_err().to_string();
        let held =
            format!("and it held 1 run with {before} records ({run}); what was done there may be done again");
        assert!(refused.contains(&held), "{refused}");
        assert!(refused.contains("had cost $0.004500 (6 paid calls, 60 tokens)"), "{refused}");
        assert!(refused.ends_with("begin anew with `baton doctor --accept-loss all`"), "{refused}");
        assert!(file(&home, "baton.db-wal").metadata().unwrap().len() > 0, "the log was not touched");
        std::fs::remove_file(file(&home, "baton.db-wal")).unwrap();
        assert!(Store::accept_empty(home.folder.path()).unwrap().exists());
        assert_eq!(home.engine().store.count_runs().unwrap(), 0);
    }
}

#[tokio::test]
async fn a_loss_is_told_with_its_cost_and_the_run_goes_on_once_it_is_accepted() {
    let home = Home::new();
    let (engine, run, _) = home.play(script()).await;
    drop(engine);
    let sql = "DELETE FROM record WHERE n > 6;
               UPDATE run SET micro_usd = 3000, tokens = 40, calls = 2;
               UPDATE head SET records = 6,
                   last = (SELECT max(seq) FROM record);
               DELETE FROM question";
    rusqlite::Connection::open(file(&home, "baton.db")).unwrap().execute_batch(sql).unwrap();
    let engine = home.engine();
    let refused = drive(&engine, &run).await.unwrap_err().to_string();
    let before = 14;
    assert_eq!(
        refused,
        format!(
            "records 7 to {before} of run {run} are gone; what was done there may be done again, and had cost \
             $0.001500 (4 paid calls, 20 tokens). Nothing was touched. Restore the home from a copy, or go on from what \
             there is with `baton doctor --accept-loss {run}`"
        )
    );
    assert_eq!(records(&engine, &run).len(), 6, "nothing was touched");
    let loss = engine.store.accept_loss(&run).await.unwrap().unwrap();
    assert_eq!((loss.kept, loss.reached), (6, before));
    assert_eq!(engine.store.verify(&run).unwrap().loss, None);
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Waiting);
    let notes: Vec<String> = kinds(&engine, &run).into_iter().filter(|kind| kind == "note").collect();
    assert_eq!(notes.len(), 1, "the journal tells of it once");
    engine.store.answer(&run, &"3/q".parse().unwrap(), &json!("fine"), "me", EPOCH).unwrap();
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Finished(Outcome::Completed));
    assert_eq!(engine.store.verify(&run).unwrap().loss, None);
    assert_eq!(engine.store.accept_loss(&run).await.unwrap(), None);
}

#[tokio::test]
async fn an_older_copy_beside_a_newer_anchor_is_told_and_another_past_too() {
    let home = Home::new();
    let (engine, run, _) = home.play(script()).await;
    let older = image(&home);
    let before = engine.store.run(&run).unwrap().records;
    engine.store.answer(&run, &"3/q".parse().unwrap(), &json!("fine"), "me", EPOCH).unwrap();
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Finished(Outcome::Completed));
    drop(engine);
    std::fs::copy(file(&home, "baton.anchor"), file(&older, "baton.anchor")).unwrap();
    let loss = lost(drive(&older.engine(), &run).await).unwrap();
    assert_eq!((loss.kept, loss.replaced), (before, false));
    // The copy goes on by itself, and then meets the anchor of the other.
    let engine = older.engine();
    engine.store.accept_loss(&run).await.unwrap().unwrap();
    engine.store.answer(&run, &"3/q".parse().unwrap(), &json!("other"), "me", EPOCH).unwrap();
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Finished(Outcome::Completed));
    drop(engine);
    std::fs::copy(file(&home, "baton.anchor"), file(&older, "baton.anchor")).unwrap();
    let engine = older.engine();
    let found = engine.store.verify(&run).unwrap().loss.unwrap();
    assert!(found.to_string().contains("is not the one that was recorded"), "{found}");
    engine.store.accept_loss(&run).await.unwrap().unwrap();
    assert_eq!(engine.store.verify(&run).unwrap().loss, None);
}

#[tokio::test]
async fn a_run_that_is_wholly_gone_is_named_and_its_place_is_not_taken() {
    let home = Home::new();
    let (engine, first, _) = home.play(script()).await;
    let older = image(&home);
    let lost = home.start(&engine, &vec![]).unwrap();
    drop(engine);
    std::fs::copy(file(&home, "baton.anchor"), file(&older, "baton.anchor")).unwrap();
    let engine = older.engine();
    for typed in ["last", lost.as_str(), &lost.as_str()[..6]] {
        let refused = engine.store.find(typed).unwrap_err().to_string();
        assert!(refused.starts_with(&format!("run {lost} is gone with its 1 record;")), "{refused}");
    }
    assert_eq!(engine.store.find(first.as_str()).unwrap(), first);
    let mut next = Home::new();
    next.folder = older.folder;
    let fresh =
        baton_engine::Engine { dice: std::sync::Arc::new(baton_engine::SeededDice::new(99)), ..engine };
    let third = next.start(&fresh, &vec![]).unwrap();
    assert_eq!(fresh.store.find("last").unwrap(), third);
    assert_eq!(fresh.store.lost_runs().unwrap().len(), 1, "the new run did not cover it up");
    assert!(fresh.store.accept_loss(&lost).await.unwrap().is_some());
    assert_eq!(fresh.store.lost_runs().unwrap(), []);
}

#[tokio::test]
async fn a_home_without_an_anchor_gets_one_and_raises_no_alarm() {
    let (home, run, before) = killed().await;
    std::fs::remove_file(file(&home, "baton.anchor")).unwrap();
    assert_eq!(told(&home, &run, before).await, None);
    let sql =
        "DELETE FROM record WHERE n > 5; UPDATE head SET records = 5, last = (SELECT max(seq) FROM record)";
    rusqlite::Connection::open(file(&home, "baton.db")).unwrap().execute_batch(sql).unwrap();
    assert!(told(&home, &run, before).await.is_some(), "from then on it is anchored");
}

#[tokio::test]
async fn a_damaged_anchor_is_told_and_written_anew() {
    let (home, run, before) = killed().await;
    let mut bytes = std::fs::read(file(&home, "baton.anchor")).unwrap();
    bytes[40] ^= 1;
    std::fs::write(file(&home, "baton.anchor"), &bytes).unwrap();
    assert_eq!(told(&home, &run, before).await, None, "one slot is enough");
    let mut bytes = std::fs::read(file(&home, "baton.anchor")).unwrap();
    for at in [40, 4096 + 40] {
        bytes[at] ^= 0x55;
    }
    std::fs::write(file(&home, "baton.anchor"), &bytes).unwrap();
    let engine = home.engine();
    assert_eq!(engine.store.unanchored().unwrap(), std::slice::from_ref(&run));
    assert_eq!(engine.store.accept_loss(&run).await.unwrap(), None);
    assert_eq!(engine.store.unanchored().unwrap(), []);
}

#[tokio::test]
async fn a_crash_at_any_commit_raises_no_alarm() {
    // The first commit makes the run.
    for at in 2..9 {
        for after in [false, true] {
            let mut home = Home::new();
            let (engine, run) = home.crash(script(), at, after).await;
            assert_eq!(engine.store.verify(&run).unwrap().loss, None, "{at} {after}");
            assert_eq!(drive(&engine, &run).await.unwrap(), End::Waiting);
        }
    }
}

#[tokio::test]
async fn a_lost_payload_stops_the_run_before_anything_is_done() {
    let (home, run, before) = killed().await;
    std::fs::remove_dir_all(file(&home, "blobs")).unwrap();
    let engine = home.engine();
    engine.store.answer(&run, &"3/q".parse().unwrap(), &json!("fine"), "me", EPOCH).unwrap();
    let refused = drive(&engine, &run).await.unwrap_err().to_string();
    assert!(refused.contains("is missing; restore the blobs folder"), "{refused}");
    assert_eq!(engine.store.run(&run).unwrap().records, before);
}
