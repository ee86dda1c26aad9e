use baton_engine::sim::SimClock;
use baton_engine::{Millis, StopReason};
use baton_machine::Outcome;

use super::*;

type Looks<'a> = &'a [(Standing, u64)];
/// What is seen, how long may be waited, what was seen before, and what comes of it.
type Case<'a> = (Looks<'a>, u64, Option<u64>, (usize, u64));

/// How many looks it takes, and how many milliseconds pass, until waiting is over; the last look stays as it is.
fn waited(looks: Looks<'_>, limit: u64, seen: Option<u64>) -> (usize, u64) {
    let clock = SimClock::jumping(Millis(1_000));
    let mut count = 0;
    let glance = || {
        let (standing, records) = looks[count.min(looks.len() - 1)];
        count += 1;
        Ok(Glance { state: "WORKING".to_owned(), standing, records })
    };
    let wait = Wait { limit: Duration::from_millis(limit), seen };
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(until_rest(glance, &clock, wait, &Client::default())).expect("a look");
    (count, clock.now().since(Millis(1_000)).as_millis().try_into().expect("small"))
}

#[test]
fn it_waits_until_the_run_rests_and_no_longer_than_it_may() {
    use Standing::{Finished, New, Running, Stopped, Waiting};
    let done = Finished(Outcome::Completed);
    let cases: [Case<'_>; 8] = [
        // At rest already, or no time given.
        (&[(Waiting, 9)], 5_000, None, (1, 0)),
        (&[(Running, 9)], 0, None, (1, 0)),
        (&[(New, 1), (Running, 4), (Running, 7), (done, 9)], 5_000, None, (4, 600)),
        (&[(Running, 4), (Stopped(StopReason::Budget), 6)], 5_000, None, (2, 200)),
        // Never at rest: the time is over.
        (&[(Running, 4)], 1_000, None, (6, 1_000)),
        // Somebody who has seen the question waits for what comes after it.
        (&[(Waiting, 9), (Waiting, 9), (Running, 10), (Waiting, 14)], 5_000, Some(9), (4, 600)),
        (&[(Waiting, 14)], 5_000, Some(9), (1, 0)),
        // After the end nothing comes.
        (&[(done, 9)], 5_000, Some(9), (1, 0)),
    ];
    for (looks, limit, seen, expected) in cases {
        assert_eq!(waited(looks, limit, seen), expected, "{looks:?} {limit} {seen:?}");
    }
}
