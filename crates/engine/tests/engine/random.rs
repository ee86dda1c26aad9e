//! Random puppets, killed at random commits with the order of completions left to chance: same memory.

use std::sync::Arc;

use baton_engine::store::CrashPlan;
use baton_engine::{AfterCrash, End};
use baton_testkit::puppet::{Do, Event, Memory, Poke, poke};
use proptest::prelude::*;

use crate::common::{Home, drive, memory};

fn a_poke() -> impl Strategy<Value = Poke> {
    let policies =
        prop_oneof![Just(AfterCrash::Retry), Just(AfterCrash::OnceMore), Just(AfterCrash::Reconcile)];
    (policies, 0..3_u32, any::<bool>(), prop_oneof![Just(0_usize), Just(20_000)]).prop_map(
        |(after_crash, fails, lasting, length)| Poke {
            after_crash,
            // A failure for good fails at every attempt; one that passes is over after two: hidden attempts change neither.
            fails: if lasting { 99 } else { fails },
            lasting,
            length,
            ..poke("")
        },
    )
}

fn an_instruction() -> impl Strategy<Value = Do> {
    prop_oneof![
        4 => a_poke().prop_map(Do::Step),
        3 => prop::collection::vec(a_poke(), 2..7).prop_map(Do::All),
        1 => a_poke().prop_map(|poke| Do::Race(poke, 1_000_000_000)),
        1 => (1..5_000_u64).prop_map(|ms| Do::Sleep(String::new(), ms)),
        2 => "[a-z]{1,8}".prop_map(Do::Say),
        1 => Just(Do::SayLong(20_000)),
        1 => Just(Do::End(Event::Again)),
    ]
}

/// Gives every step a name of its own, as node code must.
fn named(mut script: Vec<Vec<Do>>) -> Vec<Vec<Do>> {
    for visit in &mut script {
        let mut number = 0;
        let mut name = |poke: &mut Poke| {
            number += 1;
            poke.name = format!("absent-{number}");
        };
        for instruction in visit {
            match instruction {
                Do::Step(poke) | Do::Race(poke, _) => name(poke),
                Do::All(pokes) => pokes.iter_mut().for_each(&mut name),
                Do::Sleep(sleep, ms) => *sleep = format!("sleep {ms}"),
                _ => {}
            }
        }
    }
    script
}

async fn undisturbed(script: &[Vec<Do>]) -> (Memory, u64) {
    let mut home = Home::new();
    let plan = Arc::new(CrashPlan::new(0, false, false));
    home.options.crash = Some(Arc::clone(&plan));
    let (engine, run, end) = home.play(script.to_vec()).await;
    assert!(matches!(end, Ok(End::Finished(_))), "{end:?}");
    (memory(&engine, &run), plan.commits.load(std::sync::atomic::Ordering::SeqCst))
}

async fn killed(script: &[Vec<Do>], points: &[(u64, bool)]) -> Memory {
    let mut home = Home::new();
    let engine = home.engine();
    let run = home.start(&engine, &script.to_vec()).unwrap();
    drop(engine);
    for (at, after) in points {
        home.options.crash = Some(Arc::new(CrashPlan::new(*at, *after, false)));
        let engine = home.engine();
        if matches!(drive(&engine, &run).await, Ok(End::Finished(_))) {
            break;
        }
    }
    home.options.crash = None;
    let engine = home.engine();
    let end = drive(&engine, &run).await;
    assert!(matches!(end, Ok(End::Finished(_))), "{end:?}");
    assert_eq!(engine.store.verify(&run).unwrap().damage, None);
    memory(&engine, &run)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_run_killed_anywhere_ends_as_if_undisturbed(
        script in prop::collection::vec(prop::collection::vec(an_instruction(), 0..4), 1..4).prop_map(named),
        points in prop::collection::vec((0.0..1.0_f64, any::<bool>()), 1..4),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let (wanted, commits) = undisturbed(&script).await;
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a small positive share of a small count")]
            let points: Vec<(u64, bool)> = points.iter().map(|(share, after)| (1 + (share * commits as f64) as u64, *after)).collect();
            let got = killed(&script, &points).await;
            // Twice unknown is a fault by design, and which step it hits depends on where the axe fell.
            let unknown = |memory: &Memory| memory.said.iter().any(|words| words.contains("nobody knows"));
            if !unknown(&got) {
                assert_eq!(got.said, wanted.said);
                assert_eq!(got.visits, wanted.visits);
            }
        });
    }
}
