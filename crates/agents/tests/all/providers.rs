//! Every provider, streamed and whole, good and bad.

use std::sync::Mutex;

use baton_agents::model::{Beat, FaultKind, Finish, Heartbeat, ModelCall, Provider};
use baton_testkit::model_server::{Act, Fault, ModelServer};
use serde_json::Value;

use crate::common::{call, card, models};

const PROVIDERS: [Provider; 3] = [Provider::OpenAi, Provider::Anthropic, Provider::Gemini];

#[derive(Default)]
struct Beats(Mutex<Vec<Beat>>);

impl Heartbeat for Beats {
    fn beat(&self, _: &ModelCall, beat: Beat) {
        self.0.lock().unwrap().push(beat);
    }
}

#[tokio::test]
async fn an_answer_comes_whole_and_streamed_with_its_bill() {
    for provider in PROVIDERS {
        for stream in [false, true] {
            let server = ModelServer::start().await.unwrap();
            server.script([Act::Say(r#"{"a": 1, "b": "two words"}"#.to_owned())]);
            let beats = Beats::default();
            let models = models(&[card(&server, "m", provider)]);
            let reply = models.perform(&call("m", stream), &beats).await.unwrap();

            let case = format!("{provider:?} stream={stream}");
            let value: Value = serde_json::from_str(&reply.text).unwrap();
            assert_eq!(value["b"], "two words", "{case}");
            assert_eq!(reply.finish, Finish::Stop, "{case}");
            // The server counts a token for every four bytes; the card prices reading at 1 and writing at 4.
            assert_eq!(
                (reply.usage.input, reply.usage.output, reply.usage.estimated),
                (6, 7, false),
                "{case}"
            );
            assert_eq!(reply.cost_microusd, 6 + 4 * 7, "{case}");
            assert_eq!(reply.served_by, "m-large", "{case}");
            let beats = beats.0.lock().unwrap();
            assert_eq!(beats.last().map(|b| b.pieces), stream.then_some(5), "{case}");

            let served = server.served();
            let asked = &served[0].asked;
            assert!(asked.with_schema && asked.stream == stream, "{case}");
            assert_eq!(asked.texts, ["Be brief.", "What is a?"], "{case}");
            assert_eq!(asked.step, "step-1", "{case}");
            assert!(served[0].key.ends_with("sk-very-secret-1234"), "{case}");
        }
    }
}

#[tokio::test]
async fn every_fault_is_typed_and_tried_once() {
    let cases = [
        (Fault::TooMany(Some(7)), FaultKind::RateLimited),
        (Fault::Internal, FaultKind::ServerError),
        (Fault::Unavailable, FaultKind::ServerError),
        (Fault::BadKeyEchoed, FaultKind::Unauthorized),
        (Fault::SchemaRefused, FaultKind::SchemaRefused),
        (Fault::ContextTooLong, FaultKind::TooLong),
        (Fault::NoSuchModel, FaultKind::NoSuchModel),
        (Fault::WebPage, FaultKind::Unreadable),
        (Fault::NotJson, FaultKind::Unreadable),
        (Fault::BadEvent, FaultKind::Unreadable),
        (Fault::OtherShape, FaultKind::Unreadable),
        (Fault::CutConnection, FaultKind::Broken),
        (Fault::ErrorInAnswer, FaultKind::Broken),
    ];
    for provider in PROVIDERS {
        for stream in [false, true] {
            for (fault, kind) in cases {
                let server = ModelServer::start().await.unwrap();
                server.script([Act::Fail(fault)]);
                let models = models(&[card(&server, "m", provider)]);
                let got = models.perform(&call("m", stream), &()).await.unwrap_err();
                let case = format!("{provider:?} stream={stream} {fault:?}: {got}");
                assert_eq!(got.kind, kind, "{case}");
                assert_eq!(server.served().len(), 1, "{case}");
                assert!(!got.to_string().contains("sk-"), "{case}");
                let waits = got.retry_after().map(|d| d.as_secs());
                assert_eq!(waits, (fault == Fault::TooMany(Some(7))).then_some(7), "{case}");
            }
        }
    }
}

#[tokio::test]
async fn the_ways_an_answer_can_end_are_told_apart() {
    for provider in PROVIDERS {
        for stream in [false, true] {
            let server = ModelServer::start().await.unwrap();
            server.script([Act::CutAtLimit(r#"{"a": "#.to_owned()), Act::Refuse]);
            let models = models(&[card(&server, "m", provider)]);
            let cut = models.perform(&call("m", stream), &()).await.unwrap();
            let refused = models.perform(&call("m", stream), &()).await.unwrap();
            assert_eq!(cut.finish, Finish::Length, "{provider:?} {stream}");
            assert_eq!(refused.finish, Finish::Refused, "{provider:?} {stream}");
        }
    }
}

#[tokio::test]
async fn an_unknown_model_names_the_nearest() {
    let server = ModelServer::start().await.unwrap();
    let models = models(&[card(&server, "fast", Provider::OpenAi)]);
    let fault = models.perform(&call("fats", false), &()).await.unwrap_err();
    assert_eq!(fault.kind, FaultKind::UnknownModel);
    assert!(fault.to_string().contains("did you mean fast?"), "{fault}");
}

#[tokio::test]
async fn documents_do_not_go_where_they_may_not() {
    let server = ModelServer::start().await.unwrap();
    let mut far = card(&server, "far", Provider::OpenAi);
    far.may_see_documents = false;
    let models = models(&[far]);
    let mut with_documents = call("far", false);
    with_documents.carries_documents = true;
    let fault = models.perform(&with_documents, &()).await.unwrap_err();
    assert_eq!(fault.kind, FaultKind::DocumentsStay);
    assert!(server.served().is_empty(), "not a byte was sent");
}

#[tokio::test]
async fn the_doctor_tries_a_model_for_a_few_tokens() {
    let server = ModelServer::start().await.unwrap();
    server.script([Act::Say("ready".to_owned()), Act::Fail(Fault::NoSuchModel)]);
    let card = card(&server, "m", Provider::OpenAi);
    let models = models(std::slice::from_ref(&card));
    let clock = crate::common::Unhurried::default();
    let probed = baton_agents::config::doctor::probe(&models, &card, &clock).await.unwrap();
    assert_eq!(probed.reply.text, "ready");
    assert_eq!(server.served()[0].asked.body["max_tokens"], 64);
    let fault = baton_agents::config::doctor::probe(&models, &card, &clock).await.unwrap_err();
    assert_eq!(fault.kind, FaultKind::NoSuchModel);
}
