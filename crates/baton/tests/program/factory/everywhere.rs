//! Three efforts, killed before and after every wait for the disk and every call of git; and the example, killed at random
//! points again and again.

use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use baton_testkit::model_server::Chance;

use super::dying::Point;
use super::holds::all_hold;
use super::site::{Build, Kind, git, plan};
use crate::support::Home;

type At = fn(u32) -> Point;
const EVERY: [(&str, At); 4] = [
    ("before a call of git", Point::BeforeGit),
    ("after a call of git", Point::AfterGit),
    ("before a commit", Point::BeforeCommit),
    ("after a commit", Point::AfterCommit),
];

fn number(name: &str, otherwise: u32) -> u32 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

fn three(desk: &Path) -> String {
    plan(&[vec![Kind::Plain, Kind::Shared, Kind::Mended]], desk).replace("parallel = 2", "parallel = 1")
}

/// Kills a build of three efforts at one point; whether it came to that point. Every invariant holds of it, and it ends as
/// the one that nobody killed.
fn killed_at(point: Point, tree: &str) -> bool {
    let mut build = Build::new(three);
    let mut lives: Vec<_> = build.live(Some(point)).into_iter().collect();
    let died = lives.is_empty();
    lives.extend(build.live(None));
    let last = lives.last().expect("a life that ended by itself").json();
    assert_eq!(last["state"], "COMPLETE", "{point:?}: {last}");
    let line = last["commit"].as_str().expect("a commit");
    let got = git(&build.store(), &["rev-parse", &format!("{line}^{{tree}}")]);
    assert_eq!(got, tree, "{point:?}: another tree");
    all_hold(&build, &lives);
    died
}

/// Every `BATON_FACTORY_STRIDE`th point, beginning with one that the kind of point chooses; 1 takes all of them.
#[test]
fn three_efforts_killed_around_commits_and_calls_of_git() {
    let stride = number("BATON_FACTORY_STRIDE", 37);
    let mut whole = Build::new(three);
    let last = whole.live(None).expect("it ends").json();
    assert_eq!(last["state"], "COMPLETE", "{last}");
    let tree =
        git(&whole.store(), &["rev-parse", &format!("{}^{{tree}}", last["commit"].as_str().expect("it"))]);
    let counts: Vec<AtomicU32> = EVERY.iter().map(|_| AtomicU32::new(0)).collect();
    let next = Mutex::new((0, 1));
    // The points of one kind end where a build comes to its end before it is killed.
    let take = || {
        let mut next = next.lock().expect("whole");
        let (kind, at) = *next;
        *next = (kind, at + stride);
        (kind < EVERY.len()).then_some((kind, at))
    };
    let over = |kind: usize| {
        let mut next = next.lock().expect("whole");
        if next.0 == kind {
            *next = (kind + 1, 1 + number("BATON_FACTORY_OFFSET", 7) * (kind as u32 + 1) % stride);
        }
    };
    std::thread::scope(|threads| {
        for _ in 0..2 {
            threads.spawn(|| {
                while let Some((kind, at)) = take() {
                    if killed_at(EVERY[kind].1(at), &tree) {
                        counts[kind].fetch_add(1, Ordering::SeqCst);
                    } else {
                        over(kind);
                    }
                }
            });
        }
    });
    for ((what, _), count) in EVERY.iter().zip(&counts) {
        println!("killed {what}: {} points", count.load(Ordering::SeqCst));
        assert!(count.load(Ordering::SeqCst) > 0, "no build was killed {what}");
    }
}

/// `BATON_FACTORY_KILLS` kills at random points, as many builds as that takes.
#[test]
fn the_example_killed_at_random_points() {
    let (wanted, seed) = (number("BATON_FACTORY_KILLS", 8), number("BATON_FACTORY_SEED", 1));
    let mut chance = Chance::new(u64::from(seed));
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/factory");
    let plan = examples.join("plan.toml").display().to_string();
    let (mut kills, mut builds) = (0, 0);
    while kills < wanted as usize {
        let home = Home::new();
        let made = Command::new(examples.join("make.sh"))
            .arg(home.desk().join("repo"))
            .output()
            .expect("the script");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let mut build = Build::of(home, &plan);
        let mut lives = Vec::new();
        while lives.is_empty() && build.kills < 25 && kills + build.kills < wanted as usize {
            let at = 5 + chance.below(60) as u32;
            let kind = chance.below(EVERY.len());
            lives.extend(build.live(Some(EVERY[kind].1(at))));
        }
        lives.extend(build.live(None));
        let last = lives.last().expect("a life that ended by itself").json();
        assert_eq!((&last["state"], &last["merged"]), (&"COMPLETE".into(), &11.into()), "{last}");
        all_hold(&build, &lives);
        kills += build.kills;
        builds += 1;
    }
    println!("{kills} kills over {builds} builds of the example");
}
