//! Plain running: what is recorded, in which order, and what nodes see.

use baton_engine::record::{Body, Step};
use baton_engine::{End, StopReason};
use baton_machine::Outcome;
use baton_testkit::puppet::{Do, Event, poke};

use crate::common::{EPOCH, Home, drive, how, kinds, records, said};

#[tokio::test]
async fn a_run_with_two_steps_is_journaled_in_order() {
    let home = Home::new();
    let (engine, run, end) = home.play(vec![vec![Do::Step(poke("a")), Do::Step(poke("b"))]]).await;
    assert_eq!(end.unwrap(), End::Finished(Outcome::Completed));
    assert_eq!(
        kinds(&engine, &run),
        ["started", "intent 1/a", "receipt 1/a", "event", "intent 1/b", "receipt 1/b", "event", "event"]
    );
    assert_eq!(said(&engine, &run), ["a: done a", "b: done b"]);
    assert_eq!(home.other.calls(), [("a".to_owned(), 1), ("b".to_owned(), 1)].into());
}

#[tokio::test]
async fn one_wait_is_one_commit() {
    let mut home = Home::new();
    let plan = std::sync::Arc::new(baton_engine::store::CrashPlan::new(0, false, false));
    home.options.crash = Some(std::sync::Arc::clone(&plan));
    let visits = 20;
    let (engine, _, end) = home.play(vec![vec![Do::Step(poke("a"))]; visits]).await;
    assert_eq!(end.unwrap(), End::Finished(Outcome::Completed));
    drop(engine);
    // Receipt, events, move and the next intent share a commit: one per step, and start, lease, end and release.
    let commits = plan.commits.load(std::sync::atomic::Ordering::SeqCst);
    assert!(commits <= visits as u64 + 4, "{commits} commits for {visits} steps");
}

#[tokio::test]
async fn parallel_steps_run_under_the_limit_and_results_keep_their_order() {
    let mut home = Home::new();
    home.settings.parallel = 2;
    let pokes: Vec<_> = ["e", "d", "c", "b", "a"].iter().map(|name| poke(name)).collect();
    let (engine, run, _) = home.play(vec![vec![Do::All(pokes)]]).await;
    assert_eq!(said(&engine, &run), ["e: done e", "d: done d", "c: done c", "b: done b", "a: done a"]);
    let mut flying = 0_i32;
    for record in records(&engine, &run) {
        match record.body {
            Body::Intent(_) => flying += 1,
            Body::Receipt(_) => flying -= 1,
            _ => {}
        }
        assert!(flying <= 2);
    }
}

#[tokio::test]
async fn a_failing_step_is_tried_three_times_after_two_and_four_seconds() {
    let home = Home::new();
    let mut stubborn = poke("a");
    stubborn.fails = 2;
    let (engine, run, end) = home.play(vec![vec![Do::Step(stubborn)]]).await;
    assert_eq!(end.unwrap(), End::Finished(Outcome::Completed));
    let waits: Vec<u64> = records(&engine, &run)
        .iter()
        .filter_map(|record| match &record.body {
            Body::Timer(timer) => Some(timer.until.0 - record.at.0),
            _ => None,
        })
        .collect();
    assert_eq!(waits, [2_000, 4_000]);
    assert_eq!(home.other.calls()["a"], 3);
    assert_eq!(said(&engine, &run), ["a: done a"]);
}

#[tokio::test]
async fn a_longer_wait_asked_for_by_the_other_side_is_honoured() {
    let home = Home::new();
    let mut busy = poke("a");
    (busy.fails, busy.asks_wait_ms) = (1, Some(30_000));
    let (engine, run, _) = home.play(vec![vec![Do::Step(busy)]]).await;
    let fired =
        records(&engine, &run).into_iter().find(|record| matches!(record.body, Body::Fired(_))).unwrap();
    assert!(fired.at.0 >= EPOCH.0 + 30_000);
}

#[tokio::test]
async fn retrying_stops_where_it_cannot_help() {
    let home = Home::new();
    let (mut lasting, mut hopeless) = (poke("lasting"), poke("hopeless"));
    (lasting.fails, lasting.lasting) = (9, true);
    hopeless.fails = 9;
    let (engine, run, _) = home.play(vec![vec![Do::Step(lasting), Do::Step(hopeless)]]).await;
    assert_eq!(
        said(&engine, &run),
        [
            "lasting: 1/lasting failed after 1 attempt: told to fail 9 times",
            "hopeless: 1/hopeless failed after 3 attempts: told to fail 9 times"
        ]
    );
}

#[tokio::test]
async fn a_race_lost_by_a_step_is_recorded_as_abandoned() {
    let home = Home::new();
    home.other.hold(&["slow"]);
    let (engine, run, end) =
        home.play(vec![vec![Do::Race(poke("slow"), 50), Do::Race(poke("quick"), 50)]]).await;
    assert_eq!(end.unwrap(), End::Finished(Outcome::Completed));
    assert_eq!(said(&engine, &run), ["slow: too late", "quick: done quick"]);
    let journal = kinds(&engine, &run);
    assert!(journal.contains(&"abandoned 1/slow".to_owned()), "{journal:?}");
    assert!(journal.contains(&"abandoned 1/quick timeout".to_owned()), "{journal:?}");
}

#[tokio::test]
async fn a_retry_of_the_node_keeps_the_visit_and_its_receipts() {
    let home = Home::new();
    let script = vec![vec![Do::Step(poke("a")), Do::Say("twice".to_owned()), Do::End(Event::Again)]];
    let (engine, run, end) = home.play(script).await;
    // Three retries are allowed; the fourth AGAIN takes the otherwise row.
    assert_eq!(end.unwrap(), End::Finished(Outcome::Failed));
    assert_eq!(home.other.calls()["a"], 1, "its receipt is served to every try");
    assert_eq!(
        said(&engine, &run),
        ["a: done a", "twice"],
        "what was said in one try is not said again in the next"
    );
    let steps: Vec<Step> = records(&engine, &run)
        .iter()
        .filter_map(|record| match &record.body {
            Body::Event(happened) => Some(happened.step),
            _ => None,
        })
        .collect();
    assert_eq!(steps, [Step::Emit, Step::Emit, Step::Retry, Step::Retry, Step::Retry, Step::Visit]);
}

#[tokio::test]
async fn every_visit_has_keys_of_its_own() {
    let home = Home::new();
    let (_, _, end) = home.play(vec![vec![Do::Step(poke("a"))], vec![Do::Step(poke("a"))]]).await;
    assert_eq!(end.unwrap(), End::Finished(Outcome::Completed));
    assert_eq!(home.other.calls()["a"], 2);
}

#[tokio::test]
async fn long_payloads_go_to_the_blob_folder_and_come_back() {
    let mut home = Home::new();
    let mut long = poke("long");
    long.length = 50_000;
    let script = vec![vec![
        Do::Step(long),
        Do::SayLong(40_000),
        Do::Ask { name: "q".to_owned(), within_ms: None, otherwise: None },
    ]];
    let (engine, run, end) = home.play(script).await;
    assert_eq!(end.unwrap(), End::Waiting);
    assert!(engine.store.records(&run, 1).unwrap().iter().all(|record| record.text.len() < 17_000));
    drop(engine);
    home.options.crash = None;
    let engine = home.engine();
    assert_eq!(said(&engine, &run)[1].len(), 40_000);
    assert_eq!(
        drive(&engine, &run).await.unwrap(),
        End::Waiting,
        "the script with its long receipt is replayed"
    );
    assert_eq!(home.other.calls()["long"], 1);
}

#[tokio::test]
async fn a_stop_gives_calls_in_flight_a_moment_and_keeps_what_came_back() {
    let home = Home::new().standing();
    home.other.hold(&["slow"]);
    let engine = home.engine();
    let run = home
        .start(&engine, &vec![vec![Do::All(vec![poke("quick"), poke("slow")]), Do::Step(poke("after"))]])
        .unwrap();
    let (switch, stop) = baton_engine::engine::StopSignal::new();
    let mut nobody = ();
    let how = baton_engine::Drive { stop, ..how() };
    let driving = engine.drive::<baton_testkit::puppet::Puppet>(&run, how, &mut nobody);
    tokio::pin!(driving);
    // Drive until both calls are out and one is back, then press twice: the second press is the hurry.
    while home.other.calls().len() < 2 {
        tokio::select! { biased; _ = &mut driving => unreachable!(), () = tokio::task::yield_now() => {} }
    }
    for _ in 0..50 {
        tokio::select! { biased; _ = &mut driving => unreachable!(), () = tokio::task::yield_now() => {} }
    }
    switch.press();
    for _ in 0..50 {
        tokio::select! { biased; _ = &mut driving => unreachable!(), () = tokio::task::yield_now() => {} }
    }
    switch.press();
    let End::Stopped { reason, .. } = driving.await.unwrap() else { panic!("it must stop") };
    assert_eq!(reason, StopReason::Interrupted);

    home.other.hold(&[]);
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Finished(Outcome::Completed));
    assert_eq!(
        home.other.calls(),
        [("after".to_owned(), 1), ("quick".to_owned(), 1), ("slow".to_owned(), 2)].into()
    );
    assert_eq!(said(&engine, &run), ["quick: done quick", "slow: done slow", "after: done after"]);
    let journal = kinds(&engine, &run);
    assert!(
        journal.contains(&"resumed".to_owned()) && journal.contains(&"unknown 1/slow".to_owned()),
        "{journal:?}"
    );
}

#[tokio::test]
async fn cancelling_stops_a_waiting_run_and_it_can_go_on() {
    let home = Home::new();
    let ask = Do::Ask { name: "q".to_owned(), within_ms: None, otherwise: None };
    let (engine, run, _) = home.play(vec![vec![ask]]).await;
    engine.store.post_cancel(&run, "me", EPOCH).unwrap();
    let end = drive(&engine, &run).await.unwrap();
    assert_eq!(end, End::Stopped { reason: StopReason::Cancelled, detail: "cancelled by me".to_owned() });
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Waiting, "going on forgets the cancellation");
}

#[tokio::test]
async fn a_clock_that_jumps_backwards_does_not_take_the_journal_with_it() {
    let home = Home::new();
    let engine = home.engine();
    let ask = |name: &str| Do::Ask { name: name.to_owned(), within_ms: None, otherwise: None };
    let run = home.start(&engine, &vec![vec![Do::Step(poke("a")), ask("q"), Do::Step(poke("b"))]]).unwrap();
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Waiting);
    home.clock.set(baton_engine::Millis(1_000));
    engine.store.answer(&run, &"1/q".parse().unwrap(), &"yes".into(), "me", EPOCH).unwrap();
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Finished(Outcome::Completed));
    let times: Vec<u64> = records(&engine, &run).iter().map(|record| record.at.0).collect();
    assert!(times.is_sorted(), "{times:?}");
}
