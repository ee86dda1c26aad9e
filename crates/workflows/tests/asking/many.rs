//! Many asks under faults, with the budget in the journal: every one ends, and the sums are right.

use baton_engine::record::Body;
use baton_engine::{End, Limits, Spend};
use baton_testkit::model_server::{Act, Fault, Faults};

use crate::asker::{GOOD, Home, heard};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_ask_ends_and_spend_is_the_sum_of_receipts_under_the_budget() {
    let mut home = Home::new().await;
    home.settings.parallel = 8;
    home.settings.limits = Limits { micro_usd: Some(150_000), kept_for_last: 0, ..Limits::NONE };
    home.server.answer(|_| GOOD.to_owned());
    let bad =
        [Fault::Internal, Fault::TooMany(Some(1)), Fault::CutConnection, Fault::NotJson, Fault::WebPage];
    home.server.faults(Faults::new(11, 200, bad.map(Act::Fail).to_vec()));
    let asks = 300;
    let (engine, run, end) = home.drive(asks).await;
    assert!(matches!(end, Ok(End::Finished(_))), "{end:?}");
    let run = run.unwrap();
    let heard = heard(&engine, &run);
    assert_eq!(heard.len(), asks);
    let answered = heard.iter().filter(|words| words.contains(" by ")).count();
    let over = heard.iter().filter(|words| words.contains("left of 150000")).count();
    assert!(answered > 50 && over > 0, "{answered} answered, {over} over budget");

    let mut spent = Spend::NONE;
    let mut reserved = 0_u64;
    for chained in engine.store.records(&run, 1).unwrap() {
        match chained.open().unwrap().body {
            Body::Intent(intent) => reserved += intent.reserve.micro_usd,
            Body::Receipt(receipt) => spent = spent.plus(receipt.spend),
            _ => {}
        }
    }
    assert!(reserved > 0);
    assert_eq!(engine.store.run(&run).unwrap().spent, spent, "the list of runs says what the receipts say");
    assert!(spent.micro_usd <= 150_000, "{spent:?}");
}
