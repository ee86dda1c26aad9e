//! What a person changes in a run that has begun, and what they say of a step nobody knows of.

use baton_engine::record::Body;
use baton_engine::{AfterCrash, DriveError, End, Runs, Spend, TurnError};
use baton_machine::Outcome;
use baton_testkit::puppet::{Do, Poke, Puppet, poke};
use serde_json::{Value, json};

use crate::common::{EPOCH, Home, drive, kinds, memory, records, said};

const DONE: End = End::Finished(Outcome::Completed);

fn paid(name: &str) -> Poke {
    let reserve = Spend { micro_usd: 10, tokens: 100, calls: 2 };
    Poke { reserve, after_crash: AfterCrash::OnceMore, ..poke(name) }
}

fn change(key: &str, value: Value) -> [(String, Value); 1] {
    [(key.to_owned(), value)]
}

#[tokio::test]
async fn a_change_keeps_what_came_back_and_does_only_what_is_otherwise() {
    let home = Home::new();
    let dead = Poke { lasting: true, fails: 9, ..poke("dead") };
    let script = vec![vec![Do::Step(paid("a")), Do::Step(paid("b")), Do::Must(dead)]];
    let (engine, run, end) = home.play(script).await;
    assert!(matches!(end.unwrap(), End::Stopped { .. }));
    let (spent, visit) =
        (engine.run(&run).unwrap().spent, engine.present::<Puppet>(&run).unwrap().position.visit);
    // The same work with one step otherwise, and without the one that cannot be done.
    let other =
        vec![vec![Do::Step(paid("a")), Do::Step(Poke { length: 7, ..paid("b") }), Do::Step(poke("c"))]];
    engine.change::<Puppet>(&run, &change("script", json!(other)), "me").await.unwrap();
    assert_eq!(engine.present::<Puppet>(&run).unwrap().position.visit, visit + 1);
    assert_eq!(drive(&engine, &run).await.unwrap(), DONE);
    let calls = home.other.calls();
    assert_eq!((calls["a"], calls["b"], calls["c"]), (1, 2, 1), "what has the same input is not done again");
    assert_eq!(engine.run(&run).unwrap().spent.minus(spent), Spend { micro_usd: 5, tokens: 50, calls: 2 });
    assert_eq!(said(&engine, &run)[0], "a: done a", "what was told is not told again");
    assert_eq!(said(&engine, &run).iter().filter(|words| words.starts_with("a:")).count(), 1);
    let changed: Vec<String> = records(&engine, &run)
        .iter()
        .filter_map(|record| match &record.body {
            Body::Changed(changed) => Some(format!("{} by {}", changed.changes[0].key, changed.by)),
            _ => None,
        })
        .collect();
    assert_eq!(changed, ["script by me"]);
    assert_eq!(engine.store.verify(&run).unwrap().damage, None);
}

#[tokio::test]
async fn a_change_that_does_not_fit_changes_nothing() {
    let home = Home::new();
    let ask = Do::Ask { name: "q".to_owned(), within_ms: None, otherwise: None };
    let (engine, run, _) = home.play(vec![vec![ask]]).await;
    let before = kinds(&engine, &run);
    for (key, value, told) in [
        ("colour", json!("red"), "has nothing called `colour`"),
        ("script", json!(7), "`script` cannot be that"),
    ] {
        let refused = engine.change::<Puppet>(&run, &change(key, value), "me").await.unwrap_err();
        assert!(refused.to_string().contains(told), "{refused}");
    }
    assert_eq!(kinds(&engine, &run), before);
    // A question of the work that begins anew is put anew; the old one cannot be answered any more.
    let old = engine.store.questions(Some(&run)).unwrap().remove(0).key;
    let script = vec![vec![
        Do::Ask { name: "q".to_owned(), within_ms: None, otherwise: None },
        Do::Say("so".to_owned()),
    ]];
    engine.change::<Puppet>(&run, &change("script", json!(script)), "me").await.unwrap();
    assert!(engine.answer::<Puppet>(&run, &old, &json!("blue"), "me").is_err());
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Waiting);
    let new = engine.store.questions(Some(&run)).unwrap().remove(0).key;
    engine.answer::<Puppet>(&run, &new, &json!("blue"), "me").unwrap();
    assert_eq!(drive(&engine, &run).await.unwrap(), DONE);
    assert_eq!(said(&engine, &run), ["q: blue (me)", "so"]);
    let finished = engine.change::<Puppet>(&run, &change("script", json!([])), "me").await.unwrap_err();
    assert!(matches!(finished, TurnError::Finished { .. }), "{finished}");
}

/// A change is one commit, and what follows it is replayed like everything else.
#[tokio::test]
async fn a_crash_at_every_commit_around_a_change_changes_nothing() {
    let script =
        || vec![vec![Do::Step(paid("a")), Do::Must(Poke { lasting: true, fails: 9, ..poke("dead") })]];
    let other = vec![vec![Do::Step(paid("a")), Do::All(vec![poke("b"), poke("c")])]];
    for at in 1..10 {
        for after in [false, true] {
            let mut home = Home::new();
            let (engine, run, _) = home.play(script()).await;
            drop(engine);
            home.options.crash =
                Some(std::sync::Arc::new(baton_engine::store::CrashPlan::new(at, after, false)));
            let engine = home.engine();
            if engine.change::<Puppet>(&run, &change("script", json!(other)), "me").await.is_ok() {
                drop(drive(&engine, &run).await);
            }
            drop(engine);
            home.options.crash = None;
            let engine = home.engine();
            if memory(&engine, &run).script != other {
                engine.change::<Puppet>(&run, &change("script", json!(other)), "me").await.unwrap();
            }
            let end: Result<End, DriveError> = drive(&engine, &run).await;
            assert_eq!(end.unwrap(), DONE, "{at} {after}");
            assert_eq!(said(&engine, &run), ["a: done a", "b: done b", "c: done c"], "{at} {after}");
            assert_eq!(home.other.calls()["a"], 1, "{at} {after}");
        }
    }
}

/// Dies with a payment in flight, and says this of it when asked.
async fn told(answer: Value) -> Result<(Vec<String>, u32), String> {
    let mut home = Home::new();
    let push = Poke { after_crash: AfterCrash::Ask, ..poke("push") };
    let (engine, run) = home.crash(vec![vec![Do::Step(push)]], 3, true).await;
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Waiting);
    let open = engine.store.questions(Some(&run)).unwrap().remove(0);
    assert!(
        open.question.hint().starts_with("one of: again, happened, give up; or JSON"),
        "{}",
        open.question.hint()
    );
    let before = kinds(&engine, &run);
    if let Err(error) = engine.answer::<Puppet>(&run, &open.key, &answer, "me") {
        assert_eq!(kinds(&engine, &run), before);
        assert_eq!(engine.store.given(&run, &open.key).unwrap(), None, "nothing is recorded of it");
        return Err(error.to_string());
    }
    assert!(engine.store.given(&run, &open.key).unwrap().is_some(), "it is known at once, whoever drives");
    assert_eq!(drive(&engine, &run).await.unwrap(), DONE);
    let _ = EPOCH;
    Ok((said(&engine, &run), home.other.calls().get("push").copied().unwrap_or(0)))
}

#[tokio::test]
async fn what_nobody_knows_is_settled_in_words() {
    assert_eq!(told(json!("again")).await.unwrap(), (vec!["push: done push".to_owned()], 1));
    let (said, calls) = told(json!("give up")).await.unwrap();
    assert!(said[0].starts_with("push: nobody knows what 1/push did"), "{said:?}");
    assert_eq!(calls, 0);
    let happened = json!({"happened": true, "result": "as I saw it"});
    assert_eq!(told(happened).await.unwrap(), (vec!["push: as I saw it".to_owned()], 0));
    // It gives a text, so its having happened alone is not enough; nor is what is no text.
    for wrong in [json!("happened"), json!({"happened": true, "result": 7}), json!("perhaps")] {
        let refused = told(wrong).await.unwrap_err();
        assert!(refused.contains("does not fit the question"), "{refused}");
    }
}
