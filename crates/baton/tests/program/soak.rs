//! The soak: the real program, many runs at once in one home, servers that misbehave by chance, and a SIGKILL every few
//! seconds, most of them while a run is just being resumed. Afterwards the journals are held against what the servers saw.
//!
//! `./check` gives it a minute; `scripts/soak` as long as it is told. What happens follows from a seed, when it happens
//! from the machine: the same seed makes the same runs and the same plan of kills, not the same interleaving.

mod audit;
mod fates;
mod life;
mod tally;
mod world;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use baton_engine::{Clock, SystemClock};

use life::Life;
use tally::Tally;
use world::World;

/// Processes at work at the same time.
const AT_ONCE: usize = 3;

/// How long and how much.
struct Terms {
    runs: u64,
    seconds: u64,
    seed: u64,
}

impl Terms {
    fn from_environment() -> Self {
        let number = |name: &str, otherwise: u64| match std::env::var(name) {
            Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} is no number: {text}")),
            Err(_) => otherwise,
        };
        Self {
            runs: number("BATON_SOAK_RUNS", 50),
            seconds: number("BATON_SOAK_SECONDS", 60),
            seed: number("BATON_SOAK_SEED", 1),
        }
    }
}

#[test]
fn killed_again_and_again_among_bad_servers_nothing_is_lost_and_nothing_paid_twice() {
    let terms = Terms::from_environment();
    let world = World::start(terms.seed);
    let over = SystemClock.steady() + Duration::from_secs(terms.seconds);
    let (next, tally) = (AtomicU64::new(0), Mutex::new(Tally::default()));
    std::thread::scope(|threads| {
        for _ in 0..AT_ONCE {
            threads.spawn(|| {
                while SystemClock.steady() < over {
                    let number = next.fetch_add(1, Ordering::SeqCst);
                    if number >= terms.runs {
                        return;
                    }
                    let lived = Life::new(&world, number, terms.seed).live(over);
                    tally.lock().expect("whole").add(lived);
                }
            });
        }
    });
    let mut tally = tally.into_inner().expect("whole");
    audit::audit(&world, &mut tally);
    println!("soak, seed {}: {tally}", terms.seed);
    if !tally.findings.is_empty() {
        let kept = world.leave();
        panic!("the home is kept in {}\n{}", kept.display(), tally.findings.join("\n"));
    }
    // Less than this would prove nothing; any machine that builds the program does more in a minute.
    assert!(tally.lives.len() >= 3 && tally.kills >= 6, "too little was done: {tally}");
    assert!(tally.early * 3 >= tally.kills, "too few kills just after a resume: {tally}");
}
