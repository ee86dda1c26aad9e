//! An ask that needs a retry, a repair turn and a second model, killed before and after every commit.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use baton_engine::End;
use baton_engine::record::Body;
use baton_engine::store::CrashPlan;
use baton_testkit::model_server::{Act, Fault};

use crate::asker::{GOOD, Home, WRONG, heard};

/// Each step answers the same however often it is asked; the count is what tells.
async fn scripted() -> Home {
    let home = Home::new().await;
    let say = |text: &str| [Act::Say(text.to_owned()), Act::Say(text.to_owned()), Act::Say(text.to_owned())];
    home.server.script_step("q0:summarize:0.0", [Act::Fail(Fault::Internal), Act::Fail(Fault::Internal)]);
    home.server.script_step("q0:summarize:0.1", say(WRONG));
    home.server.script_step("q0:summarize:0.2", say(WRONG));
    home.server.script_step("q0:summarize:1.0", say(WRONG));
    home.server.script_step("q0:summarize:1.1", say(GOOD));
    home
}

#[tokio::test]
async fn no_receipt_is_ever_paid_for_again() {
    let mut calm = scripted().await;
    let plan = Arc::new(CrashPlan::new(0, false, false));
    calm.crash = Some(Arc::clone(&plan));
    let (engine, run, end) = calm.drive(1).await;
    assert!(matches!(end, Ok(End::Finished(_))), "{end:?}");
    let wanted = heard(&engine, &run.unwrap());
    assert_eq!(wanted, ["q0 by second in 5: Ada was born in 1815."]);
    assert_eq!(calm.server.calls_by_step().values().sum::<usize>(), 5);
    drop(engine);
    let commits = plan.commits.load(Ordering::SeqCst);
    assert!(commits >= 10, "{commits}");

    let (mut crashes, mut unknown) = (0, 0);
    for (at, after) in (1..=commits).flat_map(|at| [(at, false), (at, true)]) {
        let mut home = scripted().await;
        let plan = Arc::new(CrashPlan::new(at, after, false));
        home.crash = Some(Arc::clone(&plan));
        let (engine, _, _) = home.drive(1).await;
        if !plan.dead.load(Ordering::SeqCst) {
            continue;
        }
        crashes += 1;
        drop(engine);
        home.crash = None;
        let before = home.server.calls_by_step();
        let durable = durable_receipts(&home);
        let (engine, run, end) = home.drive(1).await;
        assert!(matches!(end, Ok(End::Finished(_))), "commit {at}, after {after}: {end:?}");
        assert_eq!(heard(&engine, &run.unwrap()), wanted, "commit {at}, after {after}");
        for (step, calls) in home.server.calls_by_step() {
            let again = calls - before.get(&step).copied().unwrap_or(0);
            let paid_twice = if durable.contains(&step) { again } else { 0 };
            assert_eq!(paid_twice, 0, "{step} was paid for twice: commit {at}, after {after}");
            unknown += if before.contains_key(&step) { again } else { 0 };
        }
    }
    assert!(crashes >= 2 * commits - 3, "{crashes} crashes for {commits} commits");
    assert!(unknown > 0, "some crashes must hit a call in flight");
}

fn durable_receipts(home: &Home) -> BTreeSet<String> {
    let engine = home.engine();
    let mut steps = BTreeSet::new();
    for row in engine.store.runs(None).unwrap() {
        for chained in engine.store.records(&row.name, 1).unwrap() {
            if let Body::Receipt(receipt) = chained.open().unwrap().body {
                steps.insert(receipt.key.name);
            }
        }
    }
    steps
}
