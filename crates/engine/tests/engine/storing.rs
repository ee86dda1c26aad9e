//! The home: damage found and told, disks that are full, files from the future, snapshots that lie.

use baton_engine::{DriveError, End, HostError, RunId, RunsError};
use baton_machine::Outcome;
use baton_testkit::puppet::{Do, Puppet, poke};
use rusqlite::Connection;
use serde_json::json;

use crate::common::{EPOCH, Home, drive, kinds, memory, said};

fn ask() -> Do {
    Do::Ask { name: "q".to_owned(), within_ms: None, otherwise: None }
}

/// A run that waits after two steps, with its home closed and its file open for meddling.
async fn meddled(meddle: impl FnOnce(&Connection)) -> (Home, RunId) {
    let home = Home::new();
    let (engine, run, end) = home.play(vec![vec![Do::Step(poke("a")), Do::Step(poke("b")), ask()]]).await;
    assert_eq!(end.unwrap(), End::Waiting);
    drop(engine);
    let connection = Connection::open(home.folder.path().join("baton.db")).unwrap();
    meddle(&connection);
    (home, run)
}

#[tokio::test]
async fn a_torn_tail_rolls_back_to_the_last_whole_record_and_says_so() {
    let (home, run) = meddled(|file| {
        file.execute(
            "UPDATE record SET body = substr(body, 1, 10) WHERE n = (SELECT max(n) FROM record)",
            [],
        )
        .unwrap();
    })
    .await;
    let engine = home.engine();
    let found = engine.store.verify(&run).unwrap().damage.unwrap();
    assert_eq!((found.n, found.is_last), (8, true));
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Waiting);
    let journal = kinds(&engine, &run);
    assert_eq!(journal[6..], ["event", "note", "asked 1/q"]);
    assert_eq!(
        home.other.calls(),
        [("a".to_owned(), 1), ("b".to_owned(), 1)].into(),
        "whole receipts are kept"
    );
    assert_eq!(engine.store.verify(&run).unwrap().damage, None);
    engine.store.answer(&run, &"1/q".parse().unwrap(), &json!("fine"), "me", EPOCH).unwrap();
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Finished(Outcome::Completed));
}

#[tokio::test]
async fn damage_in_the_middle_refuses_to_go_on() {
    let damages = [
        "UPDATE record SET body = replace(body, 'done a', 'done x') WHERE n = 3",
        "UPDATE record SET at = at + 1 WHERE n = 3",
        "UPDATE record SET hash = zeroblob(32) WHERE n = 3",
        "DELETE FROM record WHERE n = 3",
    ];
    for damage in damages {
        let (home, run) = meddled(|file| {
            file.execute(damage, []).unwrap();
        })
        .await;
        let engine = home.engine();
        let refused = drive(&engine, &run).await.unwrap_err().to_string();
        assert_eq!(
            refused,
            format!(
                "record 3 of run {run} is damaged, and records after it are whole, so nothing can be rolled back safely. \
                 The run was not touched; `baton doctor` shows where. Restore the home from a copy"
            ),
            "{damage}"
        );
    }
}

#[tokio::test]
async fn a_lost_end_of_the_write_ahead_log_only_costs_what_was_in_it() {
    let home = Home::new();
    let (engine, run, _) = home.play(vec![vec![Do::Step(poke("a")), ask()]]).await;
    let before = kinds(&engine, &run).len();
    // Copy the files as a crash would leave them, and cut the log short.
    let copy = tempfile::tempdir().unwrap();
    for name in ["baton.db", "baton.db-wal"] {
        std::fs::copy(home.folder.path().join(name), copy.path().join(name)).unwrap();
    }
    let log = std::fs::OpenOptions::new().write(true).open(copy.path().join("baton.db-wal")).unwrap();
    let length = log.metadata().unwrap().len();
    log.set_len(length - 5_000).unwrap();
    let torn = Home { folder: copy, ..Home::new() };
    let engine = torn.engine();
    assert!(kinds(&engine, &run).len() <= before);
    assert_eq!(
        engine.store.verify(&run).unwrap().damage,
        None,
        "SQLite drops whole transactions, so the chain ends whole"
    );
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Waiting);
}

#[tokio::test]
async fn a_damaged_or_lying_snapshot_is_thrown_away() {
    let long: Vec<Vec<Do>> = (0..400)
        .map(|number| vec![Do::Say(format!("{number} {}", "z".repeat(400)))])
        .chain([vec![ask()]])
        .collect();
    let damages = [
        "UPDATE snapshot SET body = replace(body, 'z', 'y')",
        "UPDATE snapshot SET body = '{}', check_hash = x'44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'",
        "UPDATE snapshot SET hash = zeroblob(32)",
        "UPDATE snapshot SET n = n + 1",
    ];
    for damage in damages {
        let home = Home::new();
        let (engine, run, end) = home.play(long.clone()).await;
        assert_eq!(end.unwrap(), End::Waiting);
        let wanted = memory(&engine, &run);
        assert!(engine.store.journal(&run).unwrap().snapshot.is_some(), "a long run must have a snapshot");
        assert!(engine.store.journal(&run).unwrap().tail.len() < 700);
        drop(engine);
        let file = Connection::open(home.folder.path().join("baton.db")).unwrap();
        assert!(file.execute(damage, []).unwrap() > 0);
        let weigh = |sql| file.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
        let kept = weigh("SELECT sum(length(body)) FROM snapshot");
        let records = weigh("SELECT sum(length(body)) FROM record");
        assert!(kept < 2 * records, "snapshots of {kept} bytes are kept of {records} bytes of records");
        let engine = home.engine();
        assert_eq!(memory(&engine, &run), wanted, "{damage}");
        assert_eq!(drive(&engine, &run).await.unwrap(), End::Waiting);
    }
}

#[tokio::test]
async fn a_full_disk_stops_the_run_and_it_resumes_when_there_is_room() {
    let mut home = Home::new();
    home.options.max_pages = Some(40);
    let script: Vec<Vec<Do>> = (0..200)
        .map(|number| vec![Do::Step(poke("a")), Do::Say(format!("{number} {}", "w".repeat(900)))])
        .collect();
    let (engine, run, end) = home.play(script).await;
    let refused = end.unwrap_err();
    assert!(
        matches!(&refused, DriveError::Runs(RunsError::Host(error)) if error.is_unwritable()),
        "{refused}"
    );
    assert_eq!(
        refused.to_string(),
        "cannot write to the home folder (recording): database or disk is full. \
         Everything recorded before is kept; make room or writable, then `baton resume`"
    );
    let kept = said(&engine, &run).len();
    assert!(kept > 5, "{kept}");
    drop(engine);
    home.options.max_pages = None;
    let engine = home.engine();
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Finished(Outcome::Completed));
    assert_eq!(said(&engine, &run).len(), 400);
    assert!(home.other.calls()["a"] <= 201, "at most the call in flight is repeated");
}

#[tokio::test]
async fn a_home_that_cannot_be_written_says_so_and_keeps_everything() {
    let (mut home, run) = meddled(|_| ()).await;
    home.options.read_only = true;
    let engine = home.engine();
    let refused = drive(&engine, &run).await.unwrap_err();
    assert!(matches!(&refused, DriveError::Runs(RunsError::Host(HostError::Unwritable { .. }))), "{refused}");
    drop(engine);
    home.options.read_only = false;
    assert_eq!(drive(&home.engine(), &run).await.unwrap(), End::Waiting);
}

#[tokio::test]
async fn a_file_from_a_newer_baton_is_left_alone() {
    let (home, _) = meddled(|file| file.execute_batch("PRAGMA user_version = 99").unwrap()).await;
    let refused = home.try_engine().map(|_| ()).unwrap_err().to_string();
    assert!(
        refused.contains("was written by a newer Baton (format 99; this one knows up to 6)"),
        "{refused}"
    );
    assert!(refused.contains("Nothing was changed: update Baton"), "{refused}");
}

#[tokio::test]
async fn a_file_of_the_first_format_is_brought_up_and_goes_on() {
    let (home, run) = meddled(|file| {
        file.execute_batch(
            "CREATE INDEX record_by_run ON record (run, n);
             ALTER TABLE record DROP COLUMN back;
             ALTER TABLE run ADD COLUMN fence INTEGER NOT NULL DEFAULT 0;
             ALTER TABLE run ADD COLUMN state TEXT NOT NULL DEFAULT '';
             ALTER TABLE run ADD COLUMN updated INTEGER NOT NULL DEFAULT 0;
             ALTER TABLE run ADD COLUMN records INTEGER NOT NULL DEFAULT 0;
             UPDATE run SET (fence, state, updated, records) =
                 (SELECT fence, state, updated, records FROM head WHERE head.run = run.id);
             DROP TABLE head;
             DROP TABLE child;
             DROP INDEX run_by_parent;
             ALTER TABLE run DROP COLUMN origin;
             ALTER TABLE run DROP COLUMN shared;
             DROP TABLE named;
             DROP TABLE outline;
             PRAGMA user_version = 1",
        )
        .unwrap();
    })
    .await;
    let engine = home.engine();
    assert_eq!(engine.store.verify(&run).unwrap().records, 8);
    assert_eq!(engine.store.records(&run, 7).unwrap().iter().map(|it| it.n).collect::<Vec<_>>(), [7, 8]);
    engine.store.answer(&run, &"1/q".parse().unwrap(), &json!("fine"), "me", EPOCH).unwrap();
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Finished(Outcome::Completed));
    assert_eq!(engine.store.verify(&run).unwrap().damage, None);
}

/// Records of several runs lie between each other; each run still reads back whole, and from any number on.
#[tokio::test]
async fn interleaved_runs_are_read_apart() {
    let home = Home::new();
    let engine = home.engine();
    let script = vec![vec![Do::Step(poke("a")), ask()]];
    let runs: Vec<RunId> = (0..3).map(|_| home.start(&engine, &script).unwrap()).collect();
    let drives: Vec<_> = runs.iter().map(|run| drive(&engine, run)).collect();
    for end in futures::future::join_all(drives).await {
        assert_eq!(end.unwrap(), End::Waiting);
    }
    for run in &runs {
        let all = engine.store.records(run, 1).unwrap();
        assert_eq!(engine.store.verify(run).unwrap().records, all.len() as u64);
        for from in 1..=all.len() {
            assert_eq!(engine.store.records(run, from as u64).unwrap(), all[from - 1..]);
        }
    }
}

#[tokio::test]
async fn runs_are_found_by_prefix_and_by_last() {
    let home = Home::new();
    let engine = home.engine();
    assert_eq!(
        engine.store.find("last").unwrap_err().to_string(),
        "there is no run `last`; `baton runs --all` lists them"
    );
    let runs: Vec<RunId> = (0..40).map(|_| home.start(&engine, &vec![]).unwrap()).collect();
    let newest = runs.last().unwrap();
    assert_eq!(engine.store.find("last").unwrap(), *newest);
    assert_eq!(engine.store.find(&newest.as_str()[..6]).unwrap(), *newest);
    assert_eq!(engine.store.find(&newest.as_str().to_uppercase()).unwrap(), *newest);
    assert!(
        engine.store.find("zzzzzzzzzz").unwrap_err().to_string().starts_with("there is no run `zzzzzzzzzz`")
    );
    let mut letters = (b'2'..=b'z').map(|byte| char::from(byte).to_string());
    let many = |letter: &String| runs.iter().filter(|run| run.as_str().starts_with(letter)).count() > 1;
    let shared = letters.find(many).unwrap();
    let ambiguous = engine.store.find(&shared).unwrap_err().to_string();
    assert!(ambiguous.contains("could be any of") && ambiguous.ends_with("type more letters"), "{ambiguous}");
}

#[tokio::test]
async fn a_missing_or_changed_payload_is_told_by_its_hash() {
    let home = Home::new();
    let (engine, run, _) = home.play(vec![vec![Do::SayLong(40_000), ask()]]).await;
    let blobs = home.folder.path().join("blobs");
    let folder = std::fs::read_dir(&blobs).unwrap().next().unwrap().unwrap().path();
    let file = std::fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
    std::fs::write(&file, "something else").unwrap();
    let refused = engine.present::<Puppet>(&run).err().unwrap().to_string();
    assert!(
        refused.contains("is not what its name says") && refused.contains("restore the blobs folder"),
        "{refused}"
    );
    std::fs::remove_file(&file).unwrap();
    assert!(engine.present::<Puppet>(&run).err().unwrap().to_string().contains("missing"));
}

#[cfg(unix)]
#[tokio::test]
async fn a_home_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let parent = tempfile::tempdir().unwrap();
    let home = parent.path().join("deep").join("home");
    drop(baton_engine::store::Store::open(&home, &Default::default()).unwrap());
    assert_eq!(std::fs::metadata(&home).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn a_new_home_may_be_opened_by_many_at_once() {
    for _ in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("home");
        std::thread::scope(|scope| {
            let opening =
                |_| scope.spawn(|| baton_engine::store::Store::open(&home, &Default::default()).map(drop));
            let opened: Vec<_> = (0..6).map(opening).collect();
            for open in opened {
                open.join().unwrap().unwrap();
            }
        });
    }
}
