//! Budgets: reserved before the call, settled after it, a share kept for the last one.

use baton_engine::record::Body;
use baton_engine::{End, Limits, Spend, StopReason};
use baton_machine::Outcome;
use baton_testkit::puppet::{Do, Poke, Puppet, poke};

use crate::common::{Home, how, kinds, records, said};

fn paid(name: &str, micro_usd: u64) -> Poke {
    Poke { reserve: Spend { micro_usd, tokens: 0, calls: 1 }, ..poke(name) }
}

fn with_limit(micro_usd: u64) -> Home {
    let mut home = Home::new();
    home.settings.limits = Limits { micro_usd: Some(micro_usd), kept_for_last: 10, ..Limits::NONE };
    home
}

#[tokio::test]
async fn a_call_that_would_cross_the_limit_is_not_made() {
    let home = with_limit(1_000);
    // Each costs half of what it reserves: 300 spent after the first, 600 after the second; 900 is usable.
    let script = vec![vec![Do::Step(paid("a", 600)), Do::Step(paid("b", 600)), Do::Step(paid("c", 600))]];
    let (engine, run, end) = home.play(script).await;
    assert_eq!(end.unwrap(), End::Finished(Outcome::Partial), "the table routes the limit");
    assert_eq!(home.other.calls().len(), 2);
    let denied = records(&engine, &run).into_iter().find_map(|record| match record.body {
        Body::Denied(denied) => Some(denied.short.to_string()),
        _ => None,
    });
    assert_eq!(denied.unwrap(), "money in millionths of a dollar: 600 needed, 300 left of 1000");
    let row = engine.store.run(&run).unwrap();
    assert_eq!(row.spent, Spend { micro_usd: 600, tokens: 0, calls: 2 });
}

#[tokio::test]
async fn calls_in_flight_hold_their_reservation() {
    let home = with_limit(1_000);
    let script = vec![vec![Do::All(vec![paid("a", 600), paid("b", 600), poke("free")])]];
    let (engine, run, end) = home.play(script).await;
    assert_eq!(end.unwrap(), End::Finished(Outcome::Completed));
    // The second waits until the first has given back what it did not cost; what is free does not wait behind it.
    let steps = kinds(&engine, &run).into_iter().filter(|kind| kind.contains("1/")).collect::<Vec<_>>();
    let place = |what: &str| steps.iter().position(|kind| kind == what).unwrap();
    assert!(place("receipt 1/a") < place("intent 1/b"), "{steps:?}");
    assert!(place("intent 1/free") < place("intent 1/b"), "{steps:?}");
}

#[tokio::test]
async fn what_calls_in_flight_cannot_give_back_is_used_up() {
    let home = with_limit(1_000);
    let script = vec![vec![Do::All(vec![paid("a", 600), paid("b", 600), paid("c", 600)])]];
    let (_, _, end) = home.play(script).await;
    assert_eq!(end.unwrap(), End::Finished(Outcome::Partial));
    assert_eq!(home.other.calls().len(), 2, "300 are left of the 900 that work may use");
}

#[tokio::test]
async fn only_the_last_answer_may_use_the_share_kept_for_it() {
    let home = with_limit(1_000);
    let last = Poke { last: true, ..paid("last", 950) };
    let (engine, run, end) = home.play(vec![vec![Do::Step(last)]]).await;
    assert_eq!(end.unwrap(), End::Finished(Outcome::Completed));
    assert_eq!(said(&engine, &run), ["last: done last"]);
    let (_, _, end) = with_limit(1_000).play(vec![vec![Do::Step(paid("early", 950))]]).await;
    assert_eq!(end.unwrap(), End::Finished(Outcome::Partial));
}

#[tokio::test]
async fn a_branch_has_limits_of_its_own() {
    let home = Home::new();
    let script = vec![vec![Do::Branch(1, paid("a", 1)), Do::Branch(1, paid("b", 1))]];
    let (engine, run, end) = home.play(script).await;
    assert_eq!(end.unwrap(), End::Finished(Outcome::Partial));
    assert!(kinds(&engine, &run).contains(&"denied 1/b".to_owned()));
}

#[tokio::test]
async fn failed_attempts_are_paid_for_too() {
    let home = Home::new();
    let flaky = Poke { fails: 2, ..paid("a", 100) };
    let (engine, run, _) = home.play(vec![vec![Do::Step(flaky)]]).await;
    assert_eq!(engine.store.run(&run).unwrap().spent, Spend { micro_usd: 150, tokens: 0, calls: 3 });
}

#[tokio::test]
async fn an_unknown_outcome_stays_charged_at_its_full_reservation() {
    let mut home = Home::new();
    // Commit 1 starts the run, 2 takes the lease, 3 is the intent: die after it, with the call in flight.
    let call = Poke { after_crash: baton_engine::AfterCrash::OnceMore, ..paid("a", 100) };
    let (engine, run) = home.crash(vec![vec![Do::Step(call)]], 3, true).await;
    assert_eq!(crate::common::drive(&engine, &run).await.unwrap(), End::Finished(Outcome::Completed));
    let head = engine.present::<Puppet>(&run).unwrap();
    assert_eq!(
        head.purse.spent.micro_usd,
        100 + 50,
        "the hidden call at its reservation, the other at its price"
    );
    assert_eq!(head.purse.unknown.micro_usd, 100);
    assert_eq!(head.purse.reserved, Spend::NONE);
}

#[tokio::test]
async fn a_run_stopped_by_its_budget_goes_on_when_it_is_raised() {
    let mut home = with_limit(100);
    home.settings.limits.kept_for_last = 0;
    // MUST turns the fault into a stop only if the table has no row; the puppet has one, so ask by hand.
    let (engine, run, end) =
        home.play(vec![vec![Do::Must(Poke { fails: 9, lasting: true, ..paid("a", 100) })]]).await;
    let End::Stopped { reason, detail } = end.unwrap() else { panic!("it must stop") };
    assert_eq!(reason, StopReason::Provider);
    assert_eq!(detail, "1/a failed after 1 attempt: told to fail 9 times");
    let mut settings = home.settings.clone();
    settings.limits.micro_usd = Some(1_000);
    let raised = baton_engine::Drive { settings: Some(settings), ..how() };
    let end = engine.drive::<Puppet>(&run, raised, &mut ()).await.unwrap();
    assert!(matches!(end, End::Stopped { .. }), "still failing, but allowed to try: {end:?}");
    assert_eq!(home.other.calls()["a"], 2);
    assert_eq!(engine.present::<Puppet>(&run).unwrap().settings.limits.micro_usd, Some(1_000));
}
