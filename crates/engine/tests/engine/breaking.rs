//! Nodes that break the rules, tables that have changed, drivers that collide: each a clear refusal.

use baton_engine::record::{Body, Chained, Payload};
use baton_engine::{DriveError, End, Hash, StopReason};
use baton_machine::Outcome;
use baton_testkit::golden::Kept;
use baton_testkit::puppet::{Do, Event, Puppet, poke};
use serde_json::json;

use crate::common::{Home, drive, how, kinds, records, said};

async fn stops(script: Vec<Vec<Do>>) -> (StopReason, String) {
    let home = Home::new();
    let (_, _, end) = home.play(script).await;
    match end.unwrap() {
        End::Stopped { reason, detail } => (reason, detail),
        other => panic!("it must stop, but: {other:?}"),
    }
}

#[tokio::test]
async fn node_code_that_breaks_a_rule_is_told_which() {
    let cases: [(Vec<Do>, &str); 6] = [
        (vec![Do::Hang], "the node of WORKING waits for something that is not a step"),
        (vec![Do::Spin], "the node of WORKING wakes itself again and again without asking for anything"),
        (
            vec![Do::Step(poke("a")), Do::Step(poke("a"))],
            "the node of WORKING uses the name `a` twice in one visit",
        ),
        (
            vec![Do::Step(poke("a~1"))],
            "the node of WORKING uses the name `a~1`; names may not be empty or contain ~ or ?",
        ),
        (
            vec![Do::EmitMove],
            "the node of WORKING emits OVER, but the table has no `stay` row for it in WORKING",
        ),
        (
            vec![Do::End(Event::Said { words: "bye".to_owned() })],
            "the node of WORKING ended with SAID, which only a `stay` row takes: emit it instead",
        ),
    ];
    for (script, told) in cases {
        assert_eq!(stops(vec![script]).await, (StopReason::Broken, told.to_owned()));
    }
}

#[tokio::test]
async fn an_event_no_row_takes_is_recorded_and_refused() {
    let home = Home::new();
    let (engine, run, end) = home.play(vec![vec![Do::Step(poke("a")), Do::End(Event::Stray)]]).await;
    let told = "no row takes STRAY in WORKING; rows there take SAID, NEXT, AGAIN, OVER, SHORT, DIVERT";
    assert_eq!(end.unwrap(), End::Stopped { reason: StopReason::Refused, detail: told.to_owned() });
    let refusal = records(&engine, &run).into_iter().find_map(|record| match record.body {
        Body::Refused(refusal) => Some(refusal.why),
        _ => None,
    });
    assert_eq!(refusal.unwrap(), told);
    assert_eq!(said(&engine, &run), ["a: done a"], "what was learnt before is kept");
}

#[tokio::test]
async fn a_panic_stops_the_run_and_the_next_try_goes_on_from_what_is_kept() {
    let home = Home::new();
    let (engine, run, end) =
        home.play(vec![vec![Do::Step(poke("a")), Do::PanicOnce, Do::Step(poke("b"))]]).await;
    let told = "the node of WORKING panicked: told to panic".to_owned();
    assert_eq!(end.unwrap(), End::Stopped { reason: StopReason::Panic, detail: told });
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Finished(Outcome::Completed));
    assert_eq!(home.other.calls(), [("a".to_owned(), 1), ("b".to_owned(), 1)].into());
    assert_eq!(said(&engine, &run), ["a: done a", "about to panic", "b: done b"]);
}

#[tokio::test]
async fn a_performer_that_panics_fails_its_step_and_nothing_else() {
    struct Bomb;
    #[async_trait::async_trait]
    impl baton_engine::Perform<baton_testkit::puppet::Poke> for Bomb {
        async fn perform(
            &self,
            _act: baton_testkit::puppet::Poke,
            _call: &baton_engine::Call,
        ) -> Result<baton_engine::Paid<String>, baton_engine::Failure> {
            panic!("boom")
        }
    }
    let home = Home::new();
    let mut engine = home.engine();
    engine.effects = baton_engine::Effects::default().with::<baton_testkit::puppet::Poke>(Bomb);
    let run = home.start(&engine, &vec![vec![Do::Step(poke("a"))]]).unwrap();
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Finished(Outcome::Completed));
    assert_eq!(said(&engine, &run), ["a: 1/a failed after 1 attempt: the performer of `poke` panicked"]);
}

#[tokio::test]
async fn changed_node_code_refuses_to_go_on() {
    let home = Home::new();
    let ask = Do::Ask { name: "q".to_owned(), within_ms: None, otherwise: None };
    let (engine, run, _) = home.play(vec![vec![ask]]).await;
    let before = kinds(&engine, &run);
    let refused = engine.drive::<Puppet<2>>(&run, how(), &mut ()).await.unwrap_err();
    assert!(matches!(refused, DriveError::Changed { .. }));
    assert_eq!(
        refused.to_string(),
        "this run was started with node code version 1, and this Baton has 2; nothing was changed. \
         `baton migrate --plan` says whether this Baton can take it over; the version that started it can finish it"
    );
    assert_eq!(kinds(&engine, &run), before);
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Waiting, "the right version still can");
}

#[tokio::test]
async fn a_second_driver_is_told_who_drives() {
    let home = Home::new().standing();
    home.other.hold(&["a"]);
    let engine = home.engine();
    let run = home.start(&engine, &vec![vec![Do::Step(poke("a"))]]).unwrap();
    let mut nobody = ();
    let first = engine.drive::<Puppet>(&run, how(), &mut nobody);
    tokio::pin!(first);
    while home.other.calls().is_empty() {
        tokio::select! { biased; _ = &mut first => unreachable!(), () = tokio::task::yield_now() => {} }
    }
    let elsewhere = home.engine();
    for other in [&engine, &elsewhere] {
        let refused = drive(other, &run).await.unwrap_err().to_string();
        let owner = std::process::id();
        assert_eq!(
            refused,
            format!(
                "run {run} is being driven by process {owner}; watch it with `baton watch {run}`, or stop it with `baton cancel {run}`"
            )
        );
    }
}

#[tokio::test]
async fn a_driver_that_was_taken_over_cannot_write() {
    let home = Home::new().standing();
    home.other.hold(&["a"]);
    let engine = home.engine();
    let run = home.start(&engine, &vec![vec![Do::Race(poke("a"), 10), Do::Step(poke("b"))]]).unwrap();
    let mut nobody = ();
    let first = engine.drive::<Puppet>(&run, how(), &mut nobody);
    tokio::pin!(first);
    while home.other.calls().is_empty() {
        tokio::select! { biased; _ = &mut first => unreachable!(), () = tokio::task::yield_now() => {} }
    }
    // What a stalled machine looks like: its lock seems free and another takes the next fencing number.
    let file = home.folder.path().join("baton.db");
    rusqlite::Connection::open(file).unwrap().execute("UPDATE head SET fence = fence + 1", []).unwrap();
    let before = kinds(&engine, &run);
    home.clock.pass(std::time::Duration::from_secs(1));
    let lost = first.await.unwrap_err();
    assert!(matches!(lost, DriveError::LostLease), "{lost}");
    assert_eq!(kinds(&engine, &run), before);
    assert!(!home.other.calls().contains_key("b"), "and it may not act any more");
}

/// A newer program may word a prompt otherwise: a run that has asked with the old words is not its to finish.
#[tokio::test]
async fn a_step_with_another_input_is_a_change_of_the_program() {
    let mut home = Home::new();
    let (engine, run) = home.crash(vec![vec![Do::Step(poke("a"))]], 3, true).await;
    let mut kept = Kept::of(&engine, &run).unwrap();
    let mut previous = Hash::ZERO;
    for chained in &mut kept.records {
        let mut record = chained.open().unwrap();
        if let Body::Intent(intent) = &mut record.body {
            intent.input = Payload::Inline(json!("the old words"));
        }
        *chained = Chained::after(previous, &record).unwrap();
        previous = chained.hash;
    }
    let elsewhere = Home::new();
    let engine = elsewhere.engine();
    let run = kept.restore::<Puppet>(&engine).await.unwrap();
    let before = kinds(&engine, &run);
    let refused = drive(&engine, &run).await.unwrap_err();
    assert!(matches!(refused, DriveError::Changed { .. }), "{refused}");
    assert!(refused.to_string().starts_with("this run was started with step `a` as poke "), "{refused}");
    assert_eq!(kinds(&engine, &run), before);
}
