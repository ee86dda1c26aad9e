//! Real traffic recorded once is played back without a network, and a changed question is noticed.

use std::sync::Arc;

use baton_agents::model::{FaultKind, Model, Models, Provider, Recorder, Replay};
use baton_agents::skill::{Budget, DirectPort, Summarize, ask};
use baton_testkit::model_server::{Act, Fault, ModelServer};

use crate::common::{GOOD, Unhurried, WRONG, asked, call, card, input, keys, models, role};

fn only(model: Arc<dyn Model>) -> Models {
    let mut models = Models::default();
    models.add(model);
    models
}

fn port(models: Models) -> DirectPort {
    DirectPort::new(models, Arc::new(Unhurried::default()), Budget::default(), [7; 32])
}

#[tokio::test]
async fn an_ask_recorded_once_plays_back_alone() {
    let folder = tempfile::tempdir().unwrap();
    let tape = folder.path().join("ask.jsonl");
    let server = ModelServer::start().await.unwrap();
    server.script([Act::Fail(Fault::BadKeyEchoed), Act::Say(WRONG.to_owned()), Act::Say(GOOD.to_owned())]);
    let card = card(&server, "m", Provider::OpenAi);
    let live = Arc::clone(models(std::slice::from_ref(&card)).get("m").unwrap());
    let recorder = only(Arc::new(Recorder::new(live, keys(), &tape).unwrap()));
    let refused = recorder.perform(&call("m", false), &()).await.unwrap_err();
    let role = role(vec![card.clone()]);
    let first = ask::<Summarize>(&port(recorder), &role, asked(&input())).await.unwrap();
    drop(server);

    assert!(!std::fs::read_to_string(&tape).unwrap().contains("very-secret"));
    let replay = Arc::new(Replay::load(card, &tape).unwrap());
    let again =
        ask::<Summarize>(&port(only(Arc::clone(&replay) as _)), &role, asked(&input())).await.unwrap();
    assert_eq!(first, again);
    assert_eq!(only(Arc::clone(&replay) as _).perform(&call("m", false), &()).await.unwrap_err(), refused);
    assert_eq!(replay.left(), 0);

    let mut changed = call("m", false);
    changed.messages[1].text.push('!');
    let fault = only(replay).perform(&changed, &()).await.unwrap_err();
    assert_eq!(fault.kind, FaultKind::NotRecorded);
}

#[tokio::test]
async fn a_tampered_tape_is_refused_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let tape = folder.path().join("ask.jsonl");
    let server = ModelServer::start().await.unwrap();
    let card = card(&server, "m", Provider::OpenAi);
    let live = Arc::clone(models(std::slice::from_ref(&card)).get("m").unwrap());
    let recorder = Recorder::new(live, keys(), &tape).unwrap();
    recorder.call(&call("m", false), &()).await.unwrap();
    let text = std::fs::read_to_string(&tape).unwrap().replace("What is a?", "What is b?");
    std::fs::write(&tape, text).unwrap();
    let Err(error) = Replay::load(card, &tape) else { panic!("a changed call was played") };
    assert!(error.to_string().contains("line 1: the call was changed"), "{error}");
}
