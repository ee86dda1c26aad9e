//! A dead server is noticed by its silence; a slow one is waited for. The clock is moved by hand.

use std::sync::Arc;
use std::time::Duration;

use baton_agents::clock::{Clock, HandClock};
use baton_agents::model::{FaultKind, Provider};
use baton_testkit::model_server::{Act, Fault, ModelServer};

use crate::common::{call, card, models_on};

#[tokio::test]
async fn a_dead_server_is_noticed_after_a_minute_of_silence() {
    for stream in [false, true] {
        for fault in [Fault::StallBeforeAnswer, Fault::StallInAnswer] {
            let server = ModelServer::start().await.unwrap();
            server.script([Act::Fail(fault)]);
            let clock = HandClock::new();
            let models = models_on(&[card(&server, "m", Provider::OpenAi)], Arc::new(clock.clone()));
            let mut asked = tokio::spawn(async move { models.perform(&call("m", stream), &()).await });
            // Time passes only while the call waits in silence (and for its total), so move it until the call gives up.
            let fault = loop {
                tokio::select! {
                    done = &mut asked => break done.unwrap().unwrap_err(),
                    () = clock.until_sleeping(2) => clock.advance(Duration::from_secs(61)),
                }
                tokio::task::yield_now().await;
            };
            assert_eq!(fault.kind, FaultKind::Stalled, "{fault}");
            let mut waits: Vec<u64> = clock.waits().iter().map(Duration::as_secs).collect();
            waits.retain(|seconds| *seconds != 60);
            assert_eq!(waits, [1800], "beside its idle limit a call has one total");
        }
    }
}

#[tokio::test]
async fn a_slow_model_may_take_as_long_as_it_keeps_talking() {
    let server = ModelServer::start().await.unwrap();
    let words = 42;
    let text = "word ".repeat(words);
    server.script([Act::Drip(text.clone())]);
    let clock = HandClock::new();
    let models = models_on(&[card(&server, "m", Provider::OpenAi)], Arc::new(clock.clone()));
    let (beats, mut heard) = tokio::sync::mpsc::unbounded_channel();
    struct Tell(tokio::sync::mpsc::UnboundedSender<u64>);
    impl baton_agents::model::Heartbeat for Tell {
        fn beat(&self, _: &baton_agents::model::ModelCall, beat: baton_agents::model::Beat) {
            self.0.send(beat.pieces).unwrap();
        }
    }
    let asked = tokio::spawn(async move { models.perform(&call("m", true), &Tell(beats)).await });
    for word in 1..=words as u64 {
        server.drip(1);
        assert_eq!(heard.recv().await, Some(word));
        // Half a minute between two words: twenty minutes in all, no silence of a whole one.
        if word < words as u64 {
            clock.until_sleeping(2).await;
            clock.advance(Duration::from_secs(30));
        }
    }
    let reply = asked.await.unwrap().unwrap();
    assert_eq!(reply.text, text);
    assert!(clock.now() >= Duration::from_secs(20 * 60));
}

#[tokio::test]
async fn a_wished_pause_holds_for_everyone_and_no_longer() {
    let server = ModelServer::start().await.unwrap();
    server.script([Act::Fail(Fault::TooMany(Some(30))), Act::Say("{}".to_owned())]);
    let clock = HandClock::new();
    let cards = [card(&server, "a", Provider::OpenAi), card(&server, "b", Provider::OpenAi)];
    let models = models_on(&cards, Arc::new(clock.clone()));
    let first = models.perform(&call("a", false), &()).await.unwrap_err();
    assert_eq!(first.kind, FaultKind::RateLimited);

    let second = tokio::spawn(async move { models.perform(&call("b", false), &()).await });
    clock.until_sleeping(1).await;
    assert_eq!(clock.waits().last(), Some(&Duration::from_secs(30)));
    assert_eq!(server.served().len(), 1, "the other model of the same host waits too");
    clock.advance(Duration::from_secs(30));
    assert!(second.await.unwrap().is_ok());
}

#[tokio::test]
async fn a_pause_too_long_to_sit_out_is_said_and_nothing_is_sent() {
    let server = ModelServer::start().await.unwrap();
    server.script([Act::Fail(Fault::TooMany(Some(600)))]);
    let models = models_on(&[card(&server, "m", Provider::OpenAi)], Arc::new(HandClock::new()));
    let first = models.perform(&call("m", false), &()).await.unwrap_err();
    let second = models.perform(&call("m", false), &()).await.unwrap_err();
    assert_eq!(first.kind, FaultKind::RateLimited);
    assert_eq!(second.retry_after(), Some(Duration::from_secs(600)));
    assert_eq!(server.served().len(), 1);
}
