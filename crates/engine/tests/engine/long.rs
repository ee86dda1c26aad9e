//! Long runs and large homes: what is shown and forked is read from near its end, and says what the whole would say.

use std::collections::BTreeSet;
use std::sync::Arc;

use baton_engine::turns::points_of;
use baton_engine::{AfterCrash, End, Engine, Fork, Hash, RunId, Runs, SeededDice, Turn, flow};
use baton_machine::Outcome;
use baton_testkit::puppet::{Do, Poke, Puppet, poke};
use rusqlite::Connection;
use serde_json::json;

use crate::common::{Home, drive, memory, records};

const DONE: End = End::Finished(Outcome::Completed);

/// Many short visits with a step each, so that outlines and snapshots are kept, a checkpoint near the end.
fn script() -> Vec<Vec<Do>> {
    let visit = |number: u32| vec![Do::Step(poke(&format!("s{number}"))), Do::Say("z".repeat(400))];
    let named = vec![Do::Mark("here".to_owned()), Do::Say("named".to_owned())];
    (0..150).map(visit).chain([named]).chain((150..300).map(visit)).collect()
}

fn fork(engine: &Engine, run: &RunId, at: &str) -> RunId {
    let changes = [("calls".to_owned(), json!(9))];
    let turn = Turn { at, leave_effects: true, by: "me" };
    engine.fork::<Puppet>(run, Fork { turn, changes: &changes }).unwrap()
}

/// A point in the middle of a run.
fn middle(engine: &Engine, run: &RunId) -> String {
    points_of(engine, run, &flow::<Puppet>().table()).unwrap()[140].n.to_string()
}

fn count(home: &Home, sql: &str) -> i64 {
    let file = Connection::open(home.folder.path().join("baton.db")).unwrap();
    file.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// What is told of a long run at a glance is what its fold says, also once it was forked, changed or taken back.
#[tokio::test]
async fn a_glance_says_what_the_fold_says() {
    let home = Home::new();
    let (engine, run, end) = home.play(script()).await;
    assert_eq!(end.unwrap(), DONE);
    assert!(count(&home, "SELECT count(*) FROM outline") > 2);
    let same = |run: &RunId| {
        let glance = engine.glance(run).unwrap().unwrap();
        let head = engine.present::<Puppet>(run).unwrap();
        assert_eq!(glance.outline, head.outline());
        assert_eq!(glance.hash, head.hash);
        assert!(glance.tail.len() < records(&engine, run).len() / 2);
    };
    same(&run);
    let at = middle(&engine, &run);
    let other = fork(&engine, &run, &at);
    same(&other);
    assert_eq!(drive(&engine, &other).await.unwrap(), DONE);
    same(&other);
    // What it was started with is long and not looked at; what is short is better folded whole.
    let early = fork(&engine, &run, "1");
    let glance = engine.glance(&early).unwrap().unwrap();
    assert_eq!(glance.outline, engine.present::<Puppet>(&early).unwrap().outline());
    let short = home.start(&engine, &vec![]).unwrap();
    assert!(engine.glance(&short).unwrap().is_none());
    // Where it was taken back only the whole fold can tell.
    engine.rewind::<Puppet>(&run, Turn { at: &at, leave_effects: true, by: "me" }).await.unwrap();
    assert!(engine.glance(&run).unwrap().is_none());
    assert_eq!(drive(&engine, &run).await.unwrap(), DONE);
}

/// A point that is looked for from the end is the point that the whole past has, with the state, the settings and the
/// chain it has there.
#[tokio::test]
async fn a_fork_of_a_long_run_goes_off_where_it_should() {
    let home = Home::new();
    let (engine, run, end) = home.play(script()).await;
    assert_eq!(end.unwrap(), DONE);
    let wanted = memory(&engine, &run);
    let points = points_of(&engine, &run, &flow::<Puppet>().table()).unwrap();
    let named = points.iter().find(|point| point.names.contains(&"here".to_owned())).unwrap();
    let last = points.iter().rfind(|point| !point.ends).unwrap();
    let of_state = points.iter().rfind(|point| point.state == last.state).unwrap();
    let typed = [
        ("1".to_owned(), &points[0]),
        (points[1].n.to_string(), &points[1]),
        (points[140].n.to_string(), &points[140]),
        ("here".to_owned(), named),
        (last.state.to_lowercase(), of_state),
        (last.n.to_string(), last),
    ];
    for (at, point) in typed {
        let other = fork(&engine, &run, &at);
        let row = engine.run(&other).unwrap();
        assert_eq!((row.shared, &row.state), (point.n, &point.state), "{at}");
        assert_eq!(engine.store.verify(&other).unwrap().damage, None, "{at}");
        assert_eq!(engine.present::<Puppet>(&other).unwrap().settings.limits.calls, Some(9), "{at}");
        assert_eq!(drive(&engine, &other).await.unwrap(), DONE, "{at}");
        assert_eq!(memory(&engine, &other), wanted, "{at}");
    }
}

#[tokio::test]
async fn a_checkpoint_is_not_called_like_a_state() {
    let home = Home::new();
    let ask = Do::Ask { name: "q".to_owned(), within_ms: None, otherwise: None };
    let (engine, run, _) = home.play(vec![vec![ask]]).await;
    let state = engine.run(&run).unwrap().state.to_lowercase();
    let refused = engine.checkpoint::<Puppet>(&run, &state, "me").await.unwrap_err().to_string();
    assert!(refused.contains("a state is called so"), "{refused}");
    engine.checkpoint::<Puppet>(&run, "fine", "me").await.unwrap();
}

/// A damaged cache is thrown away, and what is shown is still right.
#[tokio::test]
async fn a_damaged_or_lying_outline_is_thrown_away() {
    let damages = [
        "UPDATE outline SET body = replace(body, '1', '2')",
        "UPDATE outline SET hash = zeroblob(32)",
        "UPDATE outline SET n = n + 1",
        "UPDATE outline SET place = place + 1",
        "UPDATE outline SET place = 1",
    ];
    for damage in damages {
        let home = Home::new();
        let (engine, run, _) = home.play(script()).await;
        let wanted = engine.present::<Puppet>(&run).unwrap().outline();
        let file = Connection::open(home.folder.path().join("baton.db")).unwrap();
        assert!(file.execute(damage, []).unwrap() > 0);
        let glance = engine.glance(&run).unwrap();
        assert!(glance.is_none_or(|glance| glance.outline == wanted), "{damage}");
        let at = middle(&engine, &run);
        let other = fork(&engine, &run, &at);
        assert_eq!(engine.run(&other).unwrap().shared.to_string(), at, "{damage}");
        assert_eq!(drive(&engine, &other).await.unwrap(), DONE, "{damage}");
    }
}

/// A home from before places and landmarks were kept still finds every point, and keeps them from then on.
#[tokio::test]
async fn a_home_of_the_fifth_format_finds_its_points() {
    let home = Home::new();
    let (engine, run, _) = home.play(script()).await;
    let at = middle(&engine, &run);
    let other = fork(&engine, &run, &at);
    drop(engine);
    Connection::open(home.folder.path().join("baton.db"))
        .unwrap()
        .execute_batch(
            "ALTER TABLE outline DROP COLUMN place;
             DELETE FROM snapshot; DELETE FROM outline;
             PRAGMA user_version = 5",
        )
        .unwrap();
    let engine = Engine { dice: Arc::new(SeededDice::new(99)), ..home.engine() };
    assert_eq!(drive(&engine, &other).await.unwrap(), DONE);
    assert!(count(&home, "SELECT count(*) FROM outline WHERE place IS NOT NULL") > 1);
    for (run, at) in [(&run, "1"), (&run, at.as_str()), (&other, at.as_str())] {
        let third = fork(&engine, run, at);
        assert_eq!(engine.run(&third).unwrap().shared.to_string(), at);
        assert_eq!(drive(&engine, &third).await.unwrap(), DONE);
    }
}

/// What was left outside behind a point is told however far back the point is, and the same after it was allowed to stay.
#[tokio::test]
async fn what_was_left_outside_far_behind_is_told() {
    let home = Home::new();
    let pay = |name: &str| Do::Step(Poke { after_crash: AfterCrash::Ask, ..poke(name) });
    let mut script = script();
    script.insert(10, vec![pay("paid"), Do::Say("early".to_owned())]);
    let (engine, run, _) = home.play(script).await;
    let points = points_of(&engine, &run, &flow::<Puppet>().table()).unwrap();
    let turn = |at, leave_effects| Turn { at, leave_effects, by: "me" };
    let refused = engine.fork::<Puppet>(&run, Fork { turn: turn("1", false), changes: &[] }).unwrap_err();
    assert!(refused.to_string().contains("paid"), "{refused}");
    let behind = points[12].n.to_string();
    engine.fork::<Puppet>(&run, Fork { turn: turn(&behind, false), changes: &[] }).unwrap();
    engine.fork::<Puppet>(&run, Fork { turn: turn("1", true), changes: &[] }).unwrap();
}

/// What records name is listed as they are written, and a home from before that list is read once.
#[tokio::test]
async fn a_home_of_the_fourth_format_is_brought_up_with_what_its_records_name() {
    let home = Home::new();
    let hash = Hash::of(b"somebody");
    let script =
        vec![vec![Do::SayLong(20_000), Do::Say(format!("see {hash}"))], vec![Do::Say("done".to_owned())]];
    let (engine, run, _) = home.play(script).await;
    let named = engine.store.named_hashes(&[]).unwrap();
    let payloads: BTreeSet<Hash> =
        engine.store.journal_from_start(&run).unwrap().payloads.into_iter().collect();
    assert!(!payloads.is_empty() && payloads.is_subset(&named) && named.contains(&hash));
    drop(engine);
    Connection::open(home.folder.path().join("baton.db"))
        .unwrap()
        .execute_batch("DROP TABLE named; DROP TABLE outline; PRAGMA user_version = 4")
        .unwrap();
    // The dice of the process before have given their names away.
    let engine = Engine { dice: Arc::new(SeededDice::new(99)), ..home.engine() };
    assert_eq!(engine.store.named_hashes(&[]).unwrap(), named);
    let other = fork(&engine, &run, "1");
    assert_eq!(drive(&engine, &other).await.unwrap(), DONE);
    engine.store.remove(&run, false).await.unwrap();
    assert!(engine.store.named_hashes(&[]).unwrap().contains(&hash), "the fork has it");
    engine.store.remove(&other, false).await.unwrap();
    assert_eq!(count(&home, "SELECT count(*) FROM named"), 0);
}
