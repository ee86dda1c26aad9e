//! Questions: many at once, answered in any order, once, in time, in shape, or not at all.

use std::time::Duration;

use baton_engine::{AfterCrash, End, Millis, Question, Submitted};
use baton_machine::Outcome;
use baton_testkit::puppet::{Do, Poke, Puppet, poke};
use serde_json::json;

use crate::common::{EPOCH, Home, drive, kinds, said};

fn ask(name: &str) -> Do {
    Do::Ask { name: name.to_owned(), within_ms: None, otherwise: None }
}

#[tokio::test]
async fn an_answer_drives_on_and_says_who_gave_it() {
    let home = Home::new();
    let (engine, run, end) =
        home.play(vec![vec![Do::Step(poke("a")), ask("colour"), Do::Step(poke("b"))]]).await;
    assert_eq!(end.unwrap(), End::Waiting);
    let open = engine.store.questions(Some(&run)).unwrap();
    assert_eq!(open.len(), 1);
    assert_eq!(open[0].question.text, "What about colour?");
    assert_eq!(
        engine.store.answer(&run, &open[0].key, &json!("blue"), "ada", EPOCH).unwrap(),
        Submitted::Taken
    );
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Finished(Outcome::Completed));
    assert_eq!(said(&engine, &run), ["a: done a", "colour: blue (ada)", "b: done b"]);
    assert!(engine.store.questions(Some(&run)).unwrap().is_empty());
    assert_eq!(home.other.calls()["a"], 1, "waiting and coming back repeats nothing");
}

#[tokio::test]
async fn only_the_first_answer_counts() {
    let home = Home::new();
    let (engine, run, _) = home.play(vec![vec![ask("q")]]).await;
    let key = "1/q".parse().unwrap();
    let answer = |value: &str, by: &str| engine.store.answer(&run, &key, &json!(value), by, EPOCH);
    assert_eq!(answer("blue", "ada").unwrap(), Submitted::Taken);
    assert_eq!(answer("blue", "bob").unwrap(), Submitted::Again, "saying the same again changes nothing");
    let refused = answer("red", "bob").unwrap_err().to_string();
    assert_eq!(
        refused,
        format!(
            "question 1/q of run {run} was already answered by ada with \"blue\"; the first answer counts"
        )
    );
    drive(&engine, &run).await.unwrap();
    assert!(answer("red", "bob").is_err(), "also after the run has gone on");
    assert_eq!(said(&engine, &run), ["q: blue (ada)"]);
}

#[tokio::test]
async fn a_wrong_shape_is_refused_with_what_would_fit() {
    let home = Home::new();
    let (engine, run, _) = home.play(vec![vec![ask("q")]]).await;
    let refused =
        engine.store.answer(&run, &"1/q".parse().unwrap(), &json!(3), "me", EPOCH).unwrap_err().to_string();
    assert_eq!(
        refused,
        "the answer does not fit the question: 3 is not of type \"string\"; \
         expected JSON that fits {\"type\":\"string\",\"minLength\":2}"
    );
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Waiting);
}

#[tokio::test]
async fn a_question_that_is_not_open_is_named_with_those_that_are() {
    let home = Home::new();
    let (engine, run, _) = home.play(vec![vec![ask("q")]]).await;
    let refused = engine
        .store
        .answer(&run, &"9/other".parse().unwrap(), &json!("x"), "me", EPOCH)
        .unwrap_err()
        .to_string();
    assert_eq!(refused, format!("question 9/other of run {run} is not open; open are: 1/q"));
}

#[tokio::test]
async fn a_deadline_takes_effect_even_if_nobody_looked_when_it_passed() {
    let home = Home::new().standing();
    let fails = Do::Ask { name: "q".to_owned(), within_ms: Some(60_000), otherwise: None };
    let falls_back =
        Do::Ask { name: "r".to_owned(), within_ms: Some(60_000), otherwise: Some("grey".to_owned()) };
    let (engine, run, end) = home.play(vec![vec![fails, falls_back]]).await;
    assert_eq!(end.unwrap(), End::Waiting);
    home.clock.pass(Duration::from_secs(61));
    let late = engine
        .store
        .answer(&run, &"1/q".parse().unwrap(), &json!("blue"), "me", Millis(EPOCH.0 + 61_000))
        .unwrap_err();
    assert_eq!(
        late.to_string(),
        format!(
            "question 1/q of run {run} expired 1 s ago; `baton resume {run}` lets the run go on without an answer"
        )
    );
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Waiting, "the second question's minute begins now");
    home.clock.pass(Duration::from_secs(61));
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Finished(Outcome::Completed));
    assert_eq!(said(&engine, &run), ["q: nobody answered 1/q before its deadline", "r: grey (the deadline)"]);
    assert!(kinds(&engine, &run).contains(&"expired 1/q".to_owned()));
}

#[tokio::test]
async fn a_run_that_comes_back_to_its_question_after_a_crash_is_listed_as_waiting() {
    let mut home = Home::new();
    // Commit 4 holds the receipt and the question; the process dies right after it.
    let (engine, run) = home.crash(vec![vec![Do::Step(poke("a")), ask("q")]], 4, true).await;
    drop(engine);
    let file = rusqlite::Connection::open(home.folder.path().join("baton.db")).unwrap();
    file.execute("UPDATE run SET status = '{\"status\":\"running\"}'", []).unwrap();
    let engine = home.engine();
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Waiting);
    assert_eq!(engine.store.run(&run).unwrap().status, baton_engine::Status::Waiting);
}

/// A step in doubt is asked about; what it gave must be readable as its result.
#[tokio::test]
async fn an_answer_is_read_by_the_code_that_asked_before_it_is_recorded() {
    let mut home = Home::new();
    let doubtful = Poke { after_crash: AfterCrash::Ask, ..poke("a") };
    let (engine, run) = home.crash(vec![vec![Do::Step(doubtful)]], 3, true).await;
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Waiting);
    let key = "1/a?1".parse().unwrap();
    let answer = |value: serde_json::Value| engine.answer::<Puppet>(&run, &key, &value, "me");
    let wrong = answer(json!({"happened": true, "result": 7})).unwrap_err().to_string();
    assert!(wrong.contains("does not fit the question: result: invalid type: integer"), "{wrong}");
    let none = answer(json!({"happened": true})).unwrap_err().to_string();
    assert!(none.contains("result: invalid type: null"), "{none}");
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Waiting, "nothing was recorded");
    assert_eq!(answer(json!({"happened": true, "result": "seen"})).unwrap(), Submitted::Taken);
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Finished(Outcome::Completed));
    assert_eq!(said(&engine, &run), ["a: seen"]);
}

/// The store alone checks only the schema: this is what older programs recorded, and what then stopped the run.
#[tokio::test]
async fn a_run_that_a_wrong_answer_stopped_asks_again() {
    let mut home = Home::new();
    let doubtful = Poke { after_crash: AfterCrash::Ask, ..poke("a") };
    let (engine, run) = home.crash(vec![vec![Do::Step(doubtful)]], 3, true).await;
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Waiting);
    let key = "1/a?1".parse().unwrap();
    engine.store.answer(&run, &key, &json!({"happened": true, "result": 7}), "me", EPOCH).unwrap();
    // The driver does not take it from the inbox either, and the question is open for another answer.
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Waiting);
    assert_eq!(engine.store.questions(Some(&run)).unwrap().len(), 1);
    engine.answer::<Puppet>(&run, &key, &json!({"happened": false}), "me").unwrap();
    assert_eq!(drive(&engine, &run).await.unwrap(), End::Finished(Outcome::Completed));
    assert_eq!(said(&engine, &run), ["a: done a"]);
}

#[test]
fn what_is_typed_is_read_as_the_kind_of_answer_it_fits() {
    let sentence =
        json!({"type": "object", "required": ["modify"], "properties": {"modify": {"type": "string"}}});
    let other =
        json!({"type": "object", "required": ["reason"], "properties": {"reason": {"type": "string"}}});
    let choice = json!({"enum": ["yes", "abort"]});
    let one = Question::new("Begin?", json!({"anyOf": [choice, sentence]}));
    let two = Question::new("Begin?", json!({"anyOf": [choice, sentence, other]}));
    let words = Question::new("Why?", json!({"anyOf": [{"type": "string"}, sentence]}));
    for (question, typed, read) in [
        (&one, "yes", json!("yes")),
        (&one, "drop the second", json!({"modify": "drop the second"})),
        (&one, r#"{"modify": "less"}"#, json!({"modify": "less"})),
        (&one, "yse", json!("yse")),
        (&two, "drop the second", json!("drop the second")),
        (&words, "drop the second", json!("drop the second")),
    ] {
        assert_eq!(question.read(typed), read, "{typed}");
    }
}
