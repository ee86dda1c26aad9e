//! Runs inside runs: begun once, driven by anybody, settled to the last call.

use std::sync::Arc;
use std::time::Duration;

use baton_engine::engine::Pace;
use baton_engine::family::{drive_tree, work};
use baton_engine::record::Body;
use baton_engine::store::CrashPlan;
use baton_engine::{
    AfterCrash, Drive, DriveError, End, Engine, Idle, Limits, RunId, Runs, Spend, Status, StopReason, Turn,
    TurnError, flow,
};
use baton_machine::Outcome;
use baton_testkit::puppet::{Do, Order, Poke, Puppet, Script, child, poke};
use serde_json::json;

use crate::common::{Home, drive, how, records, said};

const DONE: End = End::Finished(Outcome::Completed);

async fn tree(engine: &Engine, run: &RunId) -> Result<End, DriveError> {
    drive_tree(engine, flow::<Puppet>().as_ref(), run, how(), &mut |_, _, _| {}).await
}

fn spend(calls: u64) -> Spend {
    Spend { micro_usd: 10 * calls, tokens: 0, calls }
}

fn paid(name: &str) -> Poke {
    Poke { reserve: spend(2), after_crash: AfterCrash::OnceMore, ..poke(name) }
}

/// Children that make a paid call each.
fn paying(count: usize) -> Vec<Order> {
    let order = |number: usize| Order {
        wish: spend(20),
        least: spend(1),
        ..child(&format!("c{number}"), vec![vec![Do::Step(paid(&format!("p{number}")))]])
    };
    (0..count).map(order).collect()
}

#[tokio::test]
async fn a_parent_waits_for_all_its_children_and_hears_what_they_bring() {
    let home = Home::new();
    let engine = home.engine();
    let script = vec![vec![Do::Children(vec![
        child("one", vec![vec![Do::Step(poke("a"))]]),
        child("two", vec![vec![Do::Say("hm".to_owned())], vec![Do::Step(poke("b"))]]),
    ])]];
    let run = home.start(&engine, &script).unwrap();
    assert_eq!(tree(&engine, &run).await.unwrap(), DONE);
    assert_eq!(said(&engine, &run), ["one: Completed \"a: done a\"", "two: Completed \"hm, b: done b\""]);
    let children = engine.store.children(&run).unwrap();
    assert_eq!(children.len(), 2);
    assert!(children.iter().all(|row| row.status == Status::Finished(Outcome::Completed)));
    assert_eq!(engine.store.open_children(&run).unwrap(), []);
    for row in children {
        assert_eq!(engine.store.parent(&row.name).unwrap().as_ref(), Some(&run));
        assert_eq!(engine.store.verify(&row.name).unwrap().damage, None);
    }
}

#[tokio::test]
async fn the_first_that_is_over_counts_and_the_others_are_cancelled() {
    let home = Home::new();
    let engine = home.engine();
    let ask = Do::Ask { name: "q".to_owned(), within_ms: None, otherwise: None };
    let slow = child("slow", vec![vec![ask]]);
    let run = home
        .start(&engine, &vec![vec![Do::First(vec![slow, child("quick", vec![vec![Do::Step(poke("a"))]])])]])
        .unwrap();
    assert_eq!(tree(&engine, &run).await.unwrap(), DONE);
    assert_eq!(said(&engine, &run), ["quick: Completed \"a: done a\"", "slow: Cancelled \"\""]);
}

#[tokio::test]
async fn shares_are_reserved_and_settled_back() {
    let mut home = Home::new();
    home.settings.limits = Limits { micro_usd: Some(1_000), kept_for_last: 0, ..Limits::default() };
    let engine = home.engine();
    let run = home.start(&engine, &vec![vec![Do::Children(paying(3))]]).unwrap();
    assert_eq!(tree(&engine, &run).await.unwrap(), DONE);
    let children = engine.store.children(&run).unwrap();
    let sum = children.iter().fold(Spend::NONE, |sum, row| sum.plus(row.spent));
    assert!(!sum.is_none());
    let head = engine.present::<Puppet>(&run).unwrap();
    assert_eq!((head.purse.spent, head.purse.reserved), (sum, Spend::NONE));
    assert_eq!(engine.run(&run).unwrap().spent, sum);
}

/// What a child may spend is raised from what its parent has left, and given back when it ends; replays hold.
#[tokio::test]
async fn a_share_is_topped_up_from_the_parent() {
    let mut home = Home::new();
    home.settings.limits = Limits { micro_usd: Some(1_000), kept_for_last: 0, ..Limits::default() };
    let engine = home.engine();
    let ask = Do::Ask { name: "q".to_owned(), within_ms: None, otherwise: None };
    let usd = |micro_usd| Spend { micro_usd, ..Spend::NONE };
    let order = Order { wish: usd(200), least: usd(20), ..child("slow", vec![vec![ask]]) };
    let run = home.start(&engine, &vec![vec![Do::Children(vec![order])]]).unwrap();
    assert_eq!(tree(&engine, &run).await.unwrap(), End::Waiting);
    let below = engine.store.children(&run).unwrap().remove(0).name;
    engine.raise_share::<Puppet>(&run, &below, usd(300), "me").await.unwrap();
    let reserved = |engine: &Engine| engine.present::<Puppet>(&run).unwrap().purse.reserved;
    assert_eq!(reserved(&engine), usd(500));
    let refused = engine.raise_share::<Puppet>(&run, &below, usd(600), "me").await.unwrap_err().to_string();
    assert!(refused.contains("600 needed, 500 left of 1000"), "{refused}");
    assert!(refused.contains(&format!("`baton resume {run} --budget-usd N`")), "{refused}");
    assert_eq!(reserved(&engine), usd(500));
    let key = engine.store.questions(Some(&below)).unwrap()[0].key.clone();
    engine.store.answer(&below, &key, &serde_json::json!("fine"), "me", crate::common::EPOCH).unwrap();
    assert_eq!(tree(&engine, &run).await.unwrap(), DONE);
    let head = engine.present::<Puppet>(&run).unwrap();
    assert_eq!((head.purse.reserved, head.purse.spent), (Spend::NONE, Spend::NONE));
    let over = engine.raise_share::<Puppet>(&run, &below, usd(1), "me").await.unwrap_err().to_string();
    assert!(over.contains("no child of run"), "{over}");
}

/// A change begins the present state anew: nobody would hear of the end of a child that the state before it began.
#[tokio::test]
async fn a_run_is_not_changed_while_a_child_goes_on() {
    let home = Home::new();
    let engine = home.engine();
    let ask = Do::Ask { name: "q".to_owned(), within_ms: None, otherwise: None };
    let run = home.start(&engine, &vec![vec![Do::Children(vec![child("slow", vec![vec![ask]])])]]).unwrap();
    assert_eq!(tree(&engine, &run).await.unwrap(), End::Waiting);
    let before = engine.store.records(&run, 1).unwrap();
    let refused = engine.change::<Puppet>(&run, &[], "me").await.unwrap_err();
    assert!(matches!(refused, TurnError::LiveChild { .. }), "{refused}");
    assert_eq!(engine.store.records(&run, 1).unwrap(), before);
    let below = engine.store.children(&run).unwrap().remove(0).name;
    let key = engine.store.questions(Some(&below)).unwrap()[0].key.clone();
    engine.store.answer(&below, &key, &json!("fine"), "me", crate::common::EPOCH).unwrap();
    assert_eq!(tree(&engine, &run).await.unwrap(), DONE);
}

/// Who wishes less than one call gets one call, or nothing.
#[tokio::test]
async fn a_wish_below_one_call_is_raised_to_one() {
    let mut home = Home::new();
    home.settings.limits = Limits { micro_usd: Some(100), kept_for_last: 0, ..Limits::default() };
    let engine = home.engine();
    let usd = |micro_usd| Spend { micro_usd, ..Spend::NONE };
    let order =
        Order { wish: usd(5), least: usd(20), ..child("small", vec![vec![Do::Say("hi".to_owned())]]) };
    let run = home.start(&engine, &vec![vec![Do::Children(vec![order])]]).unwrap();
    assert_eq!(tree(&engine, &run).await.unwrap(), DONE);
    let share = records(&engine, &run).into_iter().find_map(|record| match record.body {
        Body::Child(begun) => Some(begun.share),
        _ => None,
    });
    assert_eq!(share, Some(usd(20)));
}

#[tokio::test]
async fn a_share_is_what_there_is_and_at_least_one_call() {
    let mut home = Home::new();
    home.settings.limits = Limits { micro_usd: Some(230), kept_for_last: 0, ..Limits::default() };
    let engine = home.engine();
    // 200 for the first, 30 for the second; nothing for the third.
    let run = home.start(&engine, &vec![vec![Do::Children(paying(3))]]).unwrap();
    let end = tree(&engine, &run).await.unwrap();
    let shares: Vec<u64> = records(&engine, &run)
        .iter()
        .filter_map(|record| match &record.body {
            Body::Child(begun) => Some(begun.share.micro_usd),
            _ => None,
        })
        .collect();
    assert_eq!(shares, [200, 30]);
    assert!(
        matches!(&end, End::Stopped { reason: StopReason::Broken, detail } if detail.contains("was not over")),
        "{end:?}"
    );
}

#[tokio::test]
async fn a_child_that_cannot_be_begun_is_told() {
    let home = Home::new();
    let engine = home.engine();
    let run = home.start(&engine, &vec![vec![Do::Stranger("nonsense".to_owned())]]).unwrap();
    assert_eq!(tree(&engine, &run).await.unwrap(), DONE);
    assert!(
        said(&engine, &run)[0].contains("does not have the workflow `nonsense`"),
        "{:?}",
        said(&engine, &run)
    );
    let run = home.start(&engine, &vec![vec![Do::Orphan(child("c", vec![vec![]]))]]).unwrap();
    let end = tree(&engine, &run).await.unwrap();
    assert!(
        matches!(&end, End::Stopped { detail, .. } if detail.contains("wait for it or cancel it")),
        "{end:?}"
    );
}

#[tokio::test]
async fn nesting_ends_somewhere() {
    let home = Home::new();
    let engine = home.engine();
    let run = home.start(&engine, &vec![vec![Do::Nest(20)]]).unwrap();
    assert_eq!(tree(&engine, &run).await.unwrap(), DONE);
    assert_eq!(engine.store.descendants(&run).unwrap().len(), 8);
    assert!(said(&engine, &run)[0].contains("runs may be nested 8 deep"), "{:?}", said(&engine, &run));
}

#[tokio::test]
async fn a_stop_reaches_down_and_a_resume_too() {
    let home = Home::new().standing();
    home.other.hold(&["a"]);
    let engine = home.engine();
    let run = home
        .start(&engine, &vec![vec![Do::Children(vec![child("one", vec![vec![Do::Step(poke("a"))]])])]])
        .unwrap();
    let mut unheard = |_: &str, _: &Status, _: u64| {};
    let puppet = flow::<Puppet>();
    let pace = Pace { poll: Some(Duration::from_secs(1)), grace: Duration::ZERO };
    let driving = drive_tree(&engine, puppet.as_ref(), &run, Drive { pace, ..how() }, &mut unheard);
    tokio::pin!(driving);
    while home.other.calls().is_empty() {
        tokio::select! { biased; end = &mut driving => panic!("{end:?}"), () = tokio::task::yield_now() => {} }
    }
    engine.request_cancel(&run, "a person").unwrap();
    let end = driving.await.unwrap();
    assert!(matches!(end, End::Stopped { reason: StopReason::Cancelled, .. }), "{end:?}");
    let child = engine.store.children(&run).unwrap().remove(0);
    assert_eq!(child.status, Status::Stopped(StopReason::Interrupted));
    assert_eq!(
        work(&engine, &how()).await.unwrap(),
        0,
        "nobody takes up the child of a run that was stopped"
    );
    home.other.hold(&[]);
    assert_eq!(tree(&engine, &run).await.unwrap(), DONE);
    assert_eq!(said(&engine, &run), ["one: Completed \"a: done a\""]);
}

/// A parent of two children of which one stopped because the other side was away.
async fn one_child_stopped(home: &Home) -> (Engine, RunId) {
    home.other.lose(&["a"]);
    let engine = home.engine();
    let children = vec![
        child("one", vec![vec![Do::Must(Poke { reserve: spend(2), ..poke("a") })]]),
        child("two", vec![vec![Do::Step(paid("b"))]]),
    ];
    let children = children.into_iter().map(|order| Order { wish: spend(20), least: spend(1), ..order });
    let run = home.start(&engine, &vec![vec![Do::Children(children.collect())]]).unwrap();
    assert_eq!(tree(&engine, &run).await.unwrap(), End::Waiting);
    let stands = |name: &RunId| engine.run(name).unwrap().status;
    let below: Vec<Status> =
        engine.store.children(&run).unwrap().iter().map(|row| stands(&row.name)).collect();
    assert!(below.contains(&Status::Stopped(StopReason::Provider)), "{below:?}");
    assert_eq!(home.other.calls()["a"], 1, "what stops while it is driven is not tried again by itself");
    (engine, run)
}

#[tokio::test]
async fn whoever_resumes_a_parent_resumes_what_stopped_below_it() {
    let home = Home::new();
    let (engine, run) = one_child_stopped(&home).await;
    assert_eq!(tree(&engine, &run).await.unwrap(), End::Waiting, "the other side is still away");
    assert_eq!(home.other.calls()["a"], 2, "tried once more, and once only");
    home.other.lose(&[]);
    assert_eq!(tree(&engine, &run).await.unwrap(), DONE);
    assert_eq!(home.other.calls(), [("a".to_owned(), 3), ("b".to_owned(), 1)].into());
}

/// A crash at every commit of going on with a family one of whose children had stopped.
#[tokio::test]
async fn a_crash_while_a_stopped_child_goes_on_with_its_parent_changes_nothing() {
    for at in 1.. {
        let mut home = Home::new();
        let (engine, run) = one_child_stopped(&home).await;
        drop(engine);
        home.other.lose(&[]);
        let plan = Arc::new(CrashPlan::new(at, at % 2 == 0, false));
        home.options.crash = Some(Arc::clone(&plan));
        let engine = home.engine();
        drop(tree(&engine, &run).await);
        let died = plan.dead.load(std::sync::atomic::Ordering::SeqCst);
        drop(engine);
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        home.options.crash = None;
        let engine = home.engine();
        assert_eq!(tree(&engine, &run).await.unwrap(), DONE, "{at}");
        assert_eq!(said(&engine, &run).len(), 2, "{at}");
        assert_eq!(home.other.calls()["b"], 1, "{at}: it was over before");
        let head = engine.present::<Puppet>(&run).unwrap();
        assert_eq!(head.purse.reserved, Spend::NONE, "{at}");
        if !died {
            assert!(at > 4, "{at}");
            return;
        }
    }
}

/// Whoever ends a child drives its idle parent: the worker knows of both.
#[tokio::test]
async fn a_worker_drives_children_and_then_their_idle_parent() {
    let home = Home::new();
    let engine = home.engine();
    let run = home.start(&engine, &vec![vec![Do::Children(paying(5))]]).unwrap();
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Waiting, "alone it only begins them");
    assert_eq!(engine.store.children(&run).unwrap().len(), 5);
    let other = home.engine();
    let taken = work(&other, &Drive { idle: Idle::Leave, ..how() }).await.unwrap();
    assert!(taken >= 6, "{taken}");
    assert_eq!(engine.run(&run).unwrap().status, Status::Finished(Outcome::Completed));
    assert_eq!(home.other.calls().values().sum::<u32>(), 5);
}

#[tokio::test]
async fn questions_of_children_are_found_below_their_parent() {
    let home = Home::new();
    let engine = home.engine();
    let ask = Do::Ask { name: "q".to_owned(), within_ms: None, otherwise: None };
    let run = home.start(&engine, &vec![vec![Do::Children(vec![child("one", vec![vec![ask]])])]]).unwrap();
    assert_eq!(tree(&engine, &run).await.unwrap(), End::Waiting);
    let open = engine.store.questions_below(&run).unwrap();
    assert_eq!(open.len(), 1);
    assert_ne!(open[0].run, run);
    engine.answer::<Puppet>(&open[0].run, &open[0].key, &json!("blue"), "me").unwrap();
    assert_eq!(tree(&engine, &run).await.unwrap(), DONE);
    assert_eq!(said(&engine, &run), ["one: Completed \"q: blue (me)\""]);
}

#[tokio::test]
async fn a_child_whose_parent_has_heard_of_its_end_is_not_taken_back() {
    let home = Home::new();
    let engine = home.engine();
    let run = home
        .start(&engine, &vec![vec![Do::Children(vec![child("one", vec![vec![Do::Step(poke("a"))]])])]])
        .unwrap();
    assert_eq!(tree(&engine, &run).await.unwrap(), DONE);
    let child = engine.store.children(&run).unwrap().remove(0).name;
    let turn = Turn { at: "1", leave_effects: true, by: "me" };
    let refused = engine.rewind::<Puppet>(&child, turn).await.unwrap_err();
    assert!(matches!(refused, TurnError::ToldParent { .. }), "{refused}");
    // The parent's turn lists the child as something left outside.
    let refused = engine.rewind::<Puppet>(&run, Turn { leave_effects: false, ..turn }).await.unwrap_err();
    assert!(refused.to_string().contains(&format!("child {child} 1/one")), "{refused}");
    engine.rewind::<Puppet>(&run, turn).await.unwrap();
    assert_eq!(tree(&engine, &run).await.unwrap(), DONE);
    assert_eq!(engine.store.children(&run).unwrap().len(), 2, "another visit has another child");
}

/// A crash at every commit of a family changes nothing: no child is lost, begun twice or paid twice.
#[tokio::test]
async fn a_crash_at_every_commit_of_a_family_changes_nothing() {
    let script: Script = vec![vec![Do::Children(paying(3)), Do::Step(paid("own"))]];
    let mut at = 1;
    loop {
        let mut died = false;
        for after in [false, true] {
            let mut home = Home::new();
            let plan = Arc::new(CrashPlan::new(at, after, false));
            home.options.crash = Some(Arc::clone(&plan));
            let engine = home.engine();
            let Ok(run) = home.start(&engine, &script) else {
                died = true;
                continue;
            };
            drop(tree(&engine, &run).await);
            died |= plan.dead.load(std::sync::atomic::Ordering::SeqCst);
            drop(engine);
            // A process that dies takes its tasks with it; here they are dropped when they are next looked at.
            for _ in 0..100 {
                tokio::task::yield_now().await;
            }
            home.options.crash = None;
            let engine = home.engine();
            assert_eq!(tree(&engine, &run).await.unwrap(), DONE, "{at} {after}");
            let children = engine.store.children(&run).unwrap();
            assert_eq!(children.len(), 3, "{at} {after}");
            let head = engine.present::<Puppet>(&run).unwrap();
            let own = head.purse.branches.values().fold(Spend::NONE, |sum, it| sum.plus(*it));
            assert!(own.is_none());
            let below = children.iter().fold(Spend::NONE, |sum, row| sum.plus(row.spent));
            let mine: Spend =
                records(&engine, &run).iter().fold(Spend::NONE, |sum, record| match &record.body {
                    Body::Receipt(receipt) => sum.plus(receipt.spend),
                    _ => sum,
                });
            let lost = head.purse.unknown;
            assert_eq!(head.purse.spent, below.plus(mine).plus(lost), "{at} {after}");
            assert_eq!(head.purse.reserved, Spend::NONE);
        }
        if !died {
            break;
        }
        at += 1;
    }
    assert!(at > 10, "{at}");
}
