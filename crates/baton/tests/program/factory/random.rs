//! Random plans of recipe efforts, killed at random points: the twelve invariants.

use baton_machine::{Workflow as _, describe};
use baton_workflows::effort::Effort;
use baton_workflows::factory::Factory;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};

use super::dying::Point;
use super::holds::all_hold;
use super::site::{Build, Kind, plan};

fn a_kind() -> impl Strategy<Value = Kind> {
    prop_oneof![
        4 => Just(Kind::Plain),
        3 => Just(Kind::Shared),
        2 => Just(Kind::Mended),
        2 => Just(Kind::Large),
        2 => Just(Kind::P),
        2 => Just(Kind::Q),
        1 => Just(Kind::Idle),
    ]
}

fn a_point() -> impl Strategy<Value = Point> {
    prop_oneof![
        (1..60_u32).prop_map(Point::BeforeGit),
        (1..60_u32).prop_map(Point::AfterGit),
        (1..90_u32).prop_map(Point::BeforeCommit),
        (1..90_u32).prop_map(Point::AfterCommit),
    ]
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn twelve_invariants_hold_of_random_plans_that_are_killed() {
    let config = Config {
        cases: number("BATON_FACTORY_CASES", 4) as u32,
        max_shrink_iters: 20,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(number("BATON_FACTORY_SEED", 1)),
        ..Config::default()
    };
    let waves = prop::collection::vec(prop::collection::vec(a_kind(), 1..4), 1..3);
    let points = prop::collection::vec(a_point(), 1..4);
    let done = TestRunner::new(config).run(&(waves, points), |(waves, points)| {
        holds(&waves, &points);
        Ok(())
    });
    done.expect("all of them");
}

fn holds(waves: &[Vec<Kind>], points: &[Point]) {
    let mut build = Build::new(|desk| plan(waves, desk));
    let mut lives: Vec<_> = points.iter().filter_map(|point| build.live(Some(*point))).collect();
    lives.extend(build.live(None));
    // Whoever is parked stays parked, however often the build is driven on, until somebody says what becomes of it.
    for _ in 0..12 {
        let parked = parked(&build);
        if parked.is_empty() {
            break;
        }
        lives.extend(build.live(None));
        assert_eq!(self::parked(&build), parked, "11: nobody said anything");
        for run in &parked {
            let said = build.home.baton(&["answer", run, "give up", "--no-drive"]);
            assert_eq!(said.code, Some(0), "{said:?}");
        }
        lives.extend(build.live(None));
    }
    let last = lives.last().expect("a life that ended by itself").json();
    assert!(last["state"] == "COMPLETE" || last["state"] == "ABANDONED", "{last}");
    all_hold(&build, &lives);
}

/// The efforts that wait for a word.
fn parked(build: &Build) -> Vec<String> {
    let runs = build.home.baton(&["runs", "--all", "--json"]).json();
    let parked = runs.as_array().expect("runs").iter().filter(|run| run["state"] == "PARKED");
    parked.filter_map(|run| run["run"].as_str().map(str::to_owned)).collect()
}

/// The other half of the fourth: from every state some way leads to an end.
#[test]
fn every_state_leads_to_an_end() {
    for table in [describe(Factory::TABLE), describe(Effort::TABLE)] {
        let mut ends: Vec<&str> =
            table.states.iter().filter(|state| state.is_final()).map(|state| state.name.as_str()).collect();
        while let Some(state) = table.states.iter().map(|state| state.name.as_str()).find(|state| {
            let leads = |row: &&baton_machine::RowText| row.covers(state);
            !ends.contains(state)
                && table.rows.iter().filter(leads).filter_map(|row| row.target()).any(|to| ends.contains(&to))
        }) {
            ends.push(state);
        }
        let stuck: Vec<_> =
            table.states.iter().filter(|state| !ends.contains(&state.name.as_str())).collect();
        assert!(stuck.is_empty(), "4: {} has no way out of {stuck:?}", table.workflow);
    }
}
