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

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use baton_engine::{Clock, SystemClock};
use baton_testkit::model_server::Chance;

use life::Life;
use tally::Tally;
use world::{Kind, World};

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

/// An audit that finds nothing must be one that would have found something.
#[test]
fn the_audit_tells_what_nobody_intended() {
    // By this seed the site answers its first request well.
    let world = World::start(2);
    let mut tally = Tally::default();
    tally.add(Life::of(Kind::Approval, &world, 0, Chance::new(1)).live(Duration::ZERO));
    audit::audit(&world, &mut tally);
    assert!(tally.findings.is_empty() && tally.intents == 9, "{tally}: {:?}", tally.findings);

    let own = world.own(0);
    let done = std::fs::read_to_string(own.join("done")).expect("readable");
    std::fs::write(own.join("done"), format!("{done}tell-one\n")).expect("written");
    std::fs::write(own.join("notes"), format!("my key is {}", crate::modelled::SECRET)).expect("written");
    let mut stream = TcpStream::connect(world.site.host()).expect("connected");
    stream.write_all(b"GET /0/page HTTP/1.1\r\n\r\n").expect("sent");
    stream.read_to_end(&mut Vec::new()).expect("answered");
    world
        .modelled
        .home
        .tamper("UPDATE run SET micro_usd = 7; DELETE FROM record WHERE seq = (SELECT max(seq) FROM record)");
    audit::audit(&world, &mut tally);
    for wanted in [
        "tell-one was done 2 times with 1 intents",
        "the key is in [",
        "the site was asked 1 times with 0 intents: page",
        "the journal says Spend",
        "the chain is not whole",
        "was there and is not any more",
        "doctor tells of damage",
    ] {
        assert!(tally.findings.iter().any(|found| found.contains(wanted)), "{wanted}: {:#?}", tally.findings);
    }
}
