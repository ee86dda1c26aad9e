//! Forks, rewinds and checkpoints: what is shared, what comes back, what is refused.

use baton_engine::record::{Body, Note};
use baton_engine::turns::points_of;
use baton_engine::{
    AfterCrash, End, Engine, Fork, Limits, RunId, Runs, Settings, Spend, Turn, TurnError, flow,
};
use baton_machine::Outcome;
use baton_testkit::puppet::{Do, Event, Poke, Puppet, poke};
use serde_json::{Value, json};

use crate::common::{Home, drive, kinds, memory, records, said};

const DONE: End = End::Finished(Outcome::Completed);

fn turn(at: &str) -> Turn<'_> {
    Turn { at, leave_effects: false, by: "me" }
}

fn fork(engine: &Engine, run: &RunId, at: &str, changes: &[(&str, Value)]) -> Result<RunId, TurnError> {
    let changes: Vec<_> = changes.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
    engine.fork::<Puppet>(run, Fork { turn: turn(at), changes: &changes })
}

fn paid(name: &str) -> Poke {
    let reserve = Spend { micro_usd: 10, tokens: 100, calls: 2 };
    Poke { reserve, after_crash: AfterCrash::OnceMore, ..poke(name) }
}

/// Three visits with a paid step in each.
fn three() -> Vec<Vec<Do>> {
    ["a", "b", "c"].map(|name| vec![Do::Step(paid(name))]).to_vec()
}

fn rows(home: &Home) -> i64 {
    let file = home.folder.path().join("baton.db");
    let count = |connection: rusqlite::Connection| {
        connection.query_row("SELECT count(*) FROM record", [], |row| row.get(0))
    };
    count(rusqlite::Connection::open(file).unwrap()).unwrap()
}

/// The record behind which a visit of this number begins.
fn point(engine: &Engine, run: &RunId, number: usize) -> String {
    points_of(engine, run, &flow::<Puppet>().table()).unwrap()[number].n.to_string()
}

#[tokio::test]
async fn a_fork_shares_the_records_before_it_and_pays_for_nothing_again() {
    let home = Home::new();
    let (engine, run, end) = home.play(three()).await;
    assert_eq!(end.unwrap(), DONE);
    let before = engine.store.records(&run, 1).unwrap();
    let stored = rows(&home);
    let at = point(&engine, &run, 1);
    let other = fork(&engine, &run, &at, &[]).unwrap();
    assert_eq!(rows(&home), stored + 1, "one record says that it went off, and none is copied");
    let n: usize = at.parse().unwrap();
    assert_eq!(engine.store.records(&other, 1).unwrap()[..n], before[..n]);
    assert_eq!(drive(&engine, &other).await.unwrap(), DONE);
    assert_eq!(memory(&engine, &other), memory(&engine, &run));
    assert_eq!(engine.store.records(&run, 1).unwrap(), before, "the origin is as it was");
    assert_eq!(home.other.calls().values().sum::<u32>(), 3, "no call was made again");
    let row = engine.run(&other).unwrap();
    assert_eq!(row.spent, Spend::NONE);
    let reused: Vec<(RunId, bool)> = records(&engine, &other)[n..]
        .iter()
        .filter_map(|record| match &record.body {
            Body::Receipt(receipt) => Some((receipt.reused.clone()?.run, receipt.spend.is_none())),
            _ => None,
        })
        .collect();
    assert_eq!(reused, [(run.clone(), true), (run.clone(), true)]);
    let checked = engine.store.verify(&other).unwrap();
    assert_eq!((checked.damage, checked.loss), (None, None));
    // A fork of a fork, before the place where the first went off.
    let third = fork(&engine, &other, "1", &[]).unwrap();
    assert_eq!(drive(&engine, &third).await.unwrap(), DONE);
    assert_eq!(home.other.calls().values().sum::<u32>(), 3, "what it shares is behind that point too");
    assert_eq!(engine.store.verify(&third).unwrap().damage, None);
}

#[tokio::test]
async fn only_what_changed_is_done_again() {
    let home = Home::new();
    let (engine, run, _) = home.play(three()).await;
    // The same place with another input: what a changed plan does to one of its steps.
    let script = [
        vec![Do::Step(paid("a"))],
        vec![Do::Step(Poke { length: 7, ..paid("b") })],
        vec![Do::Step(paid("c"))],
    ];
    let at = point(&engine, &run, 1);
    let other = fork(&engine, &run, &at, &[("script", json!(script))]).unwrap();
    assert_eq!(drive(&engine, &other).await.unwrap(), DONE);
    let calls = home.other.calls();
    assert_eq!((calls["a"], calls["b"], calls["c"]), (1, 2, 1));
    assert_eq!(engine.run(&other).unwrap().spent, Spend { micro_usd: 5, tokens: 50, calls: 2 });
}

#[tokio::test]
async fn a_fork_may_have_other_settings_and_no_unknown_ones() {
    let home = Home::new();
    let (engine, run, _) = home.play(three()).await;
    let at = point(&engine, &run, 1);
    let changes = [("budget_usd", json!(0.25)), ("parallel", json!(1))];
    let other = fork(&engine, &run, &at, &changes).unwrap();
    let wanted = Settings { limits: Limits { micro_usd: Some(250_000), ..Limits::default() }, parallel: 1 };
    assert_eq!(engine.present::<Puppet>(&other).unwrap().settings, wanted);
    let runs = engine.store.count_runs().unwrap();
    for (key, value, told) in [
        (
            "colour",
            json!("red"),
            "puppet has nothing called `colour`; what can be changed: budget_usd (a number of dollars)",
        ),
        ("budget_usd", json!("red"), "`budget_usd` cannot be \"red\": it takes a number of dollars"),
        ("script", json!("red"), "a list of visits"),
    ] {
        let error = fork(&engine, &run, &at, &[(key, value)]).unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
    assert_eq!(engine.store.count_runs().unwrap(), runs, "what is refused makes no run");
}

#[tokio::test]
async fn a_run_is_taken_back_with_its_memory_and_never_its_spending() {
    let home = Home::new();
    let (engine, run, _) = home.play(three()).await;
    let spent = engine.run(&run).unwrap().spent;
    let before = engine.store.records(&run, 1).unwrap();
    let visit = engine.present::<Puppet>(&run).unwrap().position.visit;
    let at = point(&engine, &run, 1);
    engine.rewind::<Puppet>(&run, turn(&at)).await.unwrap();
    let head = engine.present::<Puppet>(&run).unwrap();
    assert_eq!((head.position.visit, head.purse.spent), (visit + 1, spent));
    assert_eq!(said(&engine, &run), ["a: done a"]);
    assert_eq!(memory(&engine, &run).visits, 1);
    assert_eq!(drive(&engine, &run).await.unwrap(), DONE);
    let calls = home.other.calls();
    assert_eq!((calls["a"], calls["b"], calls["c"]), (1, 2, 2), "a rewind takes no receipts");
    assert_eq!(said(&engine, &run), ["a: done a", "b: done b", "c: done c"]);
    let after = engine.store.records(&run, 1).unwrap();
    assert_eq!(after[..before.len()], before[..]);
    // Without its snapshot, too.
    rusqlite::Connection::open(home.folder.path().join("baton.db"))
        .unwrap()
        .execute("DELETE FROM snapshot", [])
        .unwrap();
    assert_eq!(said(&engine, &run), ["a: done a", "b: done b", "c: done c"]);
    assert_eq!(engine.store.verify(&run).unwrap().damage, None);
    let taken_back = engine.rewind::<Puppet>(&run, turn(&point(&engine, &run, 2))).await.unwrap_err();
    assert!(matches!(taken_back, TurnError::TakenBack { .. }), "{taken_back}");
    // Another run can still go off from there.
    let other = fork(&engine, &run, &point(&engine, &run, 2), &[]).unwrap();
    assert_eq!(drive(&engine, &other).await.unwrap(), DONE);
}

#[tokio::test]
async fn an_answer_to_what_was_taken_back_is_refused_with_the_reason() {
    let home = Home::new();
    let ask = |name: &str| Do::Ask { name: name.to_owned(), within_ms: None, otherwise: None };
    let (engine, run, end) = home.play(vec![vec![Do::Step(poke("a"))], vec![ask("q")]]).await;
    assert_eq!(end.unwrap(), End::Waiting);
    let asked = engine.store.questions(Some(&run)).unwrap().remove(0);
    engine.rewind::<Puppet>(&run, turn("1")).await.unwrap();
    assert_eq!(engine.store.questions(Some(&run)).unwrap(), []);
    let refused = engine.answer::<Puppet>(&run, &asked.key, &json!("blue"), "me").unwrap_err().to_string();
    assert!(refused.contains("belongs to a part that was taken back"), "{refused}");
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Waiting);
    let again = engine.store.questions(Some(&run)).unwrap().remove(0);
    assert_ne!(again.key, asked.key);
    engine.answer::<Puppet>(&run, &again.key, &json!("blue"), "me").unwrap();
    assert_eq!(drive(&engine, &run).await.unwrap(), DONE);
}

#[tokio::test]
async fn what_was_left_outside_is_listed_and_only_left_if_a_person_says_so() {
    let home = Home::new();
    let push = Poke { after_crash: AfterCrash::Ask, ..poke("push") };
    let (engine, run, _) = home.play(vec![vec![Do::Step(poke("a"))], vec![Do::Step(push)], vec![]]).await;
    let kept = kinds(&engine, &run);
    let refused = engine.rewind::<Puppet>(&run, turn("1")).await.unwrap_err();
    let told = refused.to_string();
    assert!(told.contains("poke 2/push (record") && told.contains("--leave-effects"), "{told}");
    assert!(matches!(fork(&engine, &run, "1", &[]), Err(TurnError::LeavesEffects { .. })));
    assert_eq!(kinds(&engine, &run), kept);
    // Behind it nothing was left.
    fork(&engine, &run, &point(&engine, &run, 2), &[]).unwrap();
    let leave = Turn { leave_effects: true, ..turn("1") };
    engine.rewind::<Puppet>(&run, leave).await.unwrap();
    let Body::Rewound(rewound) = &records(&engine, &run).pop().unwrap().body else { panic!("no rewind") };
    assert_eq!(rewound.left.iter().map(|left| left.key.to_string()).collect::<Vec<_>>(), ["2/push"]);
}

#[tokio::test]
async fn a_run_that_somebody_drives_is_not_turned() {
    let home = Home::new();
    let (engine, run, _) = home.play(three()).await;
    let lease = engine.store.lease(&run).await.unwrap();
    let held = engine.rewind::<Puppet>(&run, turn("1")).await.unwrap_err();
    assert!(held.to_string().contains("is being driven by process"), "{held}");
    assert!(engine.checkpoint::<Puppet>(&run, "here", "me").await.is_err());
    fork(&engine, &run, "1", &[]).unwrap();
    drop(lease);
}

#[tokio::test]
async fn a_note_moves_nothing() {
    let home = Home::new();
    let (engine, run, end) = home.play(three()).await;
    assert_eq!(end.unwrap(), DONE);
    let stands = || (engine.run(&run).unwrap().status, memory(&engine, &run));
    let before = stands();
    let note = Note { text: "seen by the board".to_owned(), data: Some(json!({"by": "board"})) };
    engine.note::<Puppet>(&run, note.clone()).await.unwrap();
    assert_eq!(stands(), before);
    assert_eq!(records(&engine, &run).last().unwrap().body, Body::Note(note));
    assert_eq!(drive(&engine, &run).await.unwrap(), DONE, "there is nothing left to do");
}

#[tokio::test]
async fn points_have_names() {
    let home = Home::new();
    let (engine, run, end) = home
        .play(vec![
            vec![Do::Mark("early".to_owned()), Do::Step(poke("a"))],
            vec![Do::Must(Poke { lasting: true, fails: 9, ..poke("b") })],
        ])
        .await;
    assert!(matches!(end.unwrap(), End::Stopped { .. }));
    let named = engine.checkpoint::<Puppet>(&run, "before-b", "me").await.unwrap();
    assert_eq!((named.state.as_str(), named.names), ("WORKING", vec!["before-b".to_owned()]));
    for (name, told) in [
        ("before-b", "called `before-b` already"),
        ("12", "begin with a letter"),
        ("a b", "begin with a letter"),
    ] {
        let refused = engine.checkpoint::<Puppet>(&run, name, "me").await.unwrap_err().to_string();
        assert!(refused.contains(told), "{refused}");
    }
    let names: Vec<Vec<String>> = points_of(&engine, &run, &flow::<Puppet>().table())
        .unwrap()
        .into_iter()
        .map(|point| point.names)
        .collect();
    assert_eq!(names, [vec!["early".to_owned()], vec!["before-b".to_owned()]]);
    // A state means its last visit, a name what it names.
    let by_state = engine.rewind::<Puppet>(&run, turn("working")).await.unwrap();
    let by_name = engine.rewind::<Puppet>(&run, turn("early")).await.unwrap();
    assert_eq!((by_state.n, by_name.n), (named.n, 1));
}

#[tokio::test]
async fn where_no_visit_begins_the_nearest_points_are_told() {
    let home = Home::new();
    let (engine, run, _) = home.play(three()).await;
    let points: Vec<u64> =
        points_of(&engine, &run, &flow::<Puppet>().table()).unwrap().iter().map(|point| point.n).collect();
    let told = |at: &str| fork(&engine, &run, at, &[]).unwrap_err().to_string();
    let inside = told(&(points[1] + 1).to_string());
    assert!(
        inside.contains(&format!("Nearest: {} (WORKING), {} (WORKING)", points[1], points[2])),
        "{inside}"
    );
    assert!(told("0").contains("Nearest: 1 (WORKING)"));
    assert!(told("100000").contains(&format!("Nearest: {} (DONE)", points[3])));
    assert!(told("NOWHERE").contains("Nearest: 1 (WORKING)"));
    assert!(told("DONE").contains("the run is over (DONE)"));
    let nobody: RunId = "bbbbbbbbbb".parse().unwrap();
    assert!(matches!(fork(&engine, &nobody, "1", &[]), Err(TurnError::Drive(_))));
}

/// A rewind is one commit: it happened, or it did not.
#[tokio::test]
async fn a_crash_while_turning_leaves_the_run_as_it_was_or_turned() {
    for at in 1..5 {
        for after in [false, true] {
            let mut home = Home::new();
            let (engine, run, _) = home.play(three()).await;
            let before = kinds(&engine, &run).len();
            drop(engine);
            home.options.crash =
                Some(std::sync::Arc::new(baton_engine::store::CrashPlan::new(at, after, false)));
            let engine = home.engine();
            drop(engine.rewind::<Puppet>(&run, turn("1")).await);
            drop(engine);
            home.options.crash = None;
            let engine = home.engine();
            let turned = kinds(&engine, &run).len();
            assert!(turned == before || turned == before + 1, "{at} {after}");
            assert_eq!(drive(&engine, &run).await.unwrap(), DONE);
            assert_eq!(said(&engine, &run), ["a: done a", "b: done b", "c: done c"]);
            assert_eq!(engine.store.verify(&run).unwrap().damage, None);
        }
    }
}

/// Every step of the fork is replayed from its own journal after a crash, given receipts too.
#[tokio::test]
async fn a_crash_at_every_commit_of_a_fork_changes_nothing() {
    let script = || {
        vec![
            vec![Do::Step(poke("a"))],
            vec![Do::All(vec![paid("b"), paid("c"), poke("d")]), Do::End(Event::Over)],
        ]
    };
    for at in 1..12 {
        for after in [false, true] {
            let mut home = Home::new();
            let (engine, run, _) = home.play(script()).await;
            let other = fork(&engine, &run, &point(&engine, &run, 1), &[]).unwrap();
            let wanted = memory(&engine, &run);
            drop(engine);
            home.options.crash =
                Some(std::sync::Arc::new(baton_engine::store::CrashPlan::new(at, after, false)));
            let engine = home.engine();
            drop(drive(&engine, &other).await);
            drop(engine);
            home.options.crash = None;
            let engine = home.engine();
            assert_eq!(drive(&engine, &other).await.unwrap(), DONE, "{at} {after}");
            assert_eq!(memory(&engine, &other), wanted);
            assert_eq!(home.other.calls().values().sum::<u32>(), 4, "{at} {after}");
        }
    }
}
