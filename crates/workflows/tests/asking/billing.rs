//! What a run is charged for replies whose servers count badly, and what follows when one bills past the budget.

use baton_engine::Settings;
use baton_testkit::model_server::{Act, Counts};

use crate::asker::{GOOD, Home, heard};

async fn spent(counts: Counts) -> (u64, u64) {
    let home = Home::new().await;
    home.server.script([Act::Count(GOOD.to_owned(), counts)]);
    let (engine, run, end) = home.drive(1).await;
    assert!(end.is_ok(), "{counts:?}: {end:?}");
    assert_eq!(home.server.served().len(), 1, "{counts:?}");
    let spent = engine.store.runs(Some(1)).unwrap().pop().unwrap().spent;
    assert!(run.is_some());
    (spent.micro_usd, spent.tokens)
}

#[tokio::test]
async fn a_run_is_never_charged_less_than_its_text() {
    let (honest, tokens) = spent(Counts::Gratis).await;
    for counts in Counts::ALL {
        let (cost, counted) = spent(counts).await;
        assert!(cost >= honest && counted >= tokens, "{counts:?}: {cost} for {counted}, honest {honest}");
    }
}

/// The first of two asks is billed a million dollars: it stands in the purse, and nobody is asked again.
#[tokio::test]
async fn what_is_billed_past_the_budget_stops_further_calls() {
    let mut home = Home::new().await;
    home.settings = Settings { parallel: 1, ..Settings::default() };
    home.server.script([Act::Count(GOOD.to_owned(), Counts::Huge)]);
    home.server.answer(|_| GOOD.to_owned());
    let (engine, run, end) = home.drive(2).await;
    assert!(end.is_ok(), "{end:?}");
    let row = engine.store.runs(Some(1)).unwrap().pop().unwrap();
    assert_eq!(row.spent.micro_usd, 1_000_000_000_000);
    assert_eq!(home.server.served().len(), 1);
    let heard = heard(&engine, &run.unwrap());
    assert!(heard[1].contains("0 left of 1000000"), "{heard:?}");
}
