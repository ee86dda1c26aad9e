//! Clocks that are set while a run waits: the journal's time is the truth, and waiting is measured apart from it.

use std::time::Duration;

use baton_engine::{Clock, DriveError, End, Millis};
use baton_machine::Outcome;
use baton_testkit::puppet::Do;
use futures::FutureExt;

use crate::common::{EPOCH, Home, drive, records};

const HOUR: u64 = 3_600_000;

/// Everybody who can move has moved.
async fn settle() {
    for _ in 0..1_000 {
        tokio::task::yield_now().await;
    }
}

/// Drives a run that waits two seconds, sets the clock while it waits, and lets so much time pass.
async fn waits(set: Millis, passes: u64) -> Option<Result<End, DriveError>> {
    let home = Home::new().standing();
    let engine = home.engine();
    let run = home.start(&engine, &vec![vec![Do::Sleep("nap".to_owned(), 2_000)]]).unwrap();
    let mut driving = Box::pin(drive(&engine, &run));
    // A commit is written by another thread, so the run may take a while to come to its wait.
    while engine.store.run(&run).unwrap().records < 2 {
        assert!((&mut driving).now_or_never().is_none());
    }
    settle().await;
    assert!((&mut driving).now_or_never().is_none(), "it waits");
    home.clock.set(set);
    home.clock.pass(Duration::from_millis(passes));
    let mut end = None;
    for _ in 0..1_000 {
        end = (&mut driving).now_or_never();
        if end.is_some() {
            let times: Vec<Millis> = records(&engine, &run).iter().map(|record| record.at).collect();
            assert!(times.is_sorted(), "{times:?}");
            break;
        }
        settle().await;
    }
    end
}

#[tokio::test]
async fn a_clock_that_is_set_back_holds_no_wait_up() {
    let done = waits(Millis(EPOCH.0 - HOUR), 2_000).await.expect("two seconds have passed");
    assert_eq!(done.unwrap(), End::Finished(Outcome::Completed));
}

#[tokio::test]
async fn a_clock_that_is_set_on_ends_a_wait_as_a_machine_that_slept_would() {
    let done = waits(Millis(EPOCH.0 + HOUR), 0).await.expect("its time has come");
    assert_eq!(done.unwrap(), End::Finished(Outcome::Completed));
}

/// The journal is an hour ahead of the clock when the run is driven again: its waits last as long as they say.
#[tokio::test]
async fn a_run_from_the_future_waits_no_longer_than_it_says() {
    let home = Home::new();
    let ask = Do::Ask { name: "q".to_owned(), within_ms: None, otherwise: None };
    home.clock.set(Millis(EPOCH.0 + HOUR));
    let (engine, run, end) = home.play(vec![vec![ask, Do::Sleep("nap".to_owned(), 2_000)]]).await;
    assert_eq!(end.unwrap(), End::Waiting);
    home.clock.set(EPOCH);
    let before = home.clock.steady();
    engine.store.answer(&run, &"1/q".parse().unwrap(), &"on".into(), "me", EPOCH).unwrap();
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Finished(Outcome::Completed));
    let waited = home.clock.steady() - before;
    assert_eq!(waited, Duration::from_secs(2), "the clock jumped by what was waited for");
}

#[tokio::test]
async fn the_machines_own_clock_is_steady_and_returns_at_once_for_the_past() {
    let clock = baton_engine::SystemClock;
    let before = clock.steady();
    clock.until(Millis(0)).await;
    clock.until(clock.now().plus(Duration::from_millis(2))).await;
    assert!(clock.steady() >= before);
    assert_eq!(Millis(u64::MAX).plus(Duration::MAX), Millis(u64::MAX));
}
