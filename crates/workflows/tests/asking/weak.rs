//! A model whose answers are refused again and again is not asked for ever, and what to change is named.

use std::sync::atomic::{AtomicUsize, Ordering};

use baton_engine::End;

use crate::asker::{GOOD, Home, WRONG, heard};

/// Which model was asked, of every call that was made.
fn asked(home: &Home) -> Vec<String> {
    let model = |served: &baton_testkit::model_server::Served| {
        served.asked.body["model"].as_str().unwrap_or_default().to_owned()
    };
    home.server.served().iter().map(model).collect()
}

#[tokio::test]
async fn a_weak_model_is_left_out_after_three_asks_and_the_next_one_answers() {
    let mut home = Home::new().await;
    home.in_turn = true;
    home.server.answer(|asked| (if asked.body["model"] == "first-large" { WRONG } else { GOOD }).to_owned());
    let (engine, run, end) = home.drive(6).await;
    assert!(matches!(end, Ok(End::Finished(_))), "{end:?}");
    let calls = asked(&home);
    let of = |name: &str| calls.iter().filter(|model| *model == name).count();
    // An answer and its repair in each of three asks, and then no more of them.
    assert_eq!((of("first-large"), of("second-large")), (6, 6), "{calls:?}");
    assert!(calls.iter().skip(9).all(|model| model == "second-large"), "{calls:?}");
    assert!(heard(&engine, &run.unwrap()).iter().all(|words| words.contains("second")));
}

#[tokio::test]
async fn a_model_that_answers_well_in_between_is_asked_on() {
    let mut home = Home::new().await;
    home.in_turn = true;
    // An answer and its repair in each of two asks are bad, the next answer is good.
    let calls = AtomicUsize::new(0);
    home.server.answer(move |asked| {
        let bad = asked.body["model"] == "first-large" && calls.fetch_add(1, Ordering::SeqCst) != 4;
        (if bad { WRONG } else { GOOD }).to_owned()
    });
    let (_, _, end) = home.drive(5).await;
    assert!(matches!(end, Ok(End::Finished(_))), "{end:?}");
    let first = asked(&home).iter().filter(|model| *model == "first-large").count();
    assert_eq!(first, 2 + 2 + 1 + 2 + 2);
}

#[tokio::test]
async fn where_rules_stand_in_the_change_that_helps_is_named() {
    let mut home = Home::new().await;
    (home.in_turn, home.rules) = (true, true);
    home.server.answer(|_| WRONG.to_owned());
    let (engine, run, end) = home.drive(5).await;
    assert!(matches!(end, Ok(End::Finished(_))), "{end:?}");
    assert_eq!(asked(&home).len(), 12, "two models, an answer and its repair, three times");
    let heard = heard(&engine, &run.unwrap());
    assert!(!heard[2].contains("--model"), "{heard:?}");
    for words in &heard[3..] {
        assert!(words.contains("first and second gave no good answer 3 times in a row"), "{words}");
        assert!(words.contains("--model writer=MODEL"), "{words}");
    }
}
