//! A key is found nowhere: not in calls, receipts, faults, failures, debug texts or recordings.

use std::fmt::Write as _;
use std::sync::Arc;

use baton_agents::model::secret::{EnvKeys, GivenKeys, Keys};
use baton_agents::model::{Provider, Recorder};
use baton_agents::skill::{Budget, DirectPort, Port as _, Summarize, ask};
use baton_testkit::model_server::{Act, Fault, Leak, ModelServer};

use crate::common::{Unhurried, asked, call, card, input, keys, models, role};

const NEEDLE: &str = "very-secret";

#[tokio::test]
async fn a_key_the_server_echoes_everywhere_is_found_nowhere() {
    for provider in [Provider::OpenAi, Provider::Anthropic, Provider::Gemini] {
        for stream in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let tape = folder.path().join("tape.jsonl");
            let server = ModelServer::start().await.unwrap();
            server.script([
                Act::Fail(Fault::BadKeyEchoed),
                Act::Say(r#"{"a": "your key is sk-very-secret-1234"}"#.to_owned()),
            ]);
            server.answer(|_| "not JSON, and sk-very-secret-1234 besides".to_owned());
            let mut card = card(&server, "m", provider);
            card.stream = stream;
            let live = Arc::clone(models(std::slice::from_ref(&card)).get("m").unwrap());
            let mut recorded = baton_agents::model::Models::default();
            recorded.add(Arc::new(Recorder::new(live, keys(), &tape).unwrap()));

            let mut seen = String::new();
            write!(seen, "{:?}", recorded.perform(&call("m", stream), &()).await).unwrap();
            write!(seen, "{:?}", recorded.perform(&call("m", stream), &()).await).unwrap();
            let port = DirectPort::new(recorded, Arc::new(Unhurried::default()), Budget::default(), [7; 32]);
            let failure =
                ask::<Summarize>(&port, &role(vec![card.clone()]), asked(&input())).await.unwrap_err();
            write!(seen, "{failure} {failure:?} {:?} {:?}", port.receipts(), port.seed("q").await).unwrap();
            write!(seen, "{card:?} {} {:?}", serde_json::to_string(&card).unwrap(), call("m", stream))
                .unwrap();
            seen.push_str(&std::fs::read_to_string(&tape).unwrap());

            assert!(server.served().iter().all(|s| s.key.contains(NEEDLE)), "the key did travel");
            assert!(seen.contains("[key]"), "{provider:?}: {seen}");
            assert!(!seen.contains(NEEDLE), "{provider:?}: {seen}");
        }
    }
}

#[tokio::test]
async fn a_key_comes_back_from_no_place_a_server_can_write_it_to() {
    for provider in [Provider::OpenAi, Provider::Anthropic, Provider::Gemini] {
        for stream in [false, true] {
            for leak in Leak::ALL {
                let server = ModelServer::start().await.unwrap();
                server.script([Act::Leak("plain words".to_owned(), leak)]);
                let came = models(&[card(&server, "m", provider)]).perform(&call("m", stream), &()).await;
                let seen = format!("{came:?} {}", serde_json::to_string(&came).unwrap());
                let case = format!("{provider:?} stream={stream} {leak:?}: {seen}");
                assert!(server.served()[0].key.contains(NEEDLE), "the key did travel");
                // The second is `very-secret` in the base64 of a header.
                let halves = [NEEDLE, "dmVyeS1zZWNy", "sk-very"];
                assert!(!halves.iter().any(|half| seen.contains(half)), "{case}");
                // Not every shape has an id in a stream, and no reason to stop is kept as text.
                let kept = !matches!(leak, Leak::Id | Leak::Finish);
                assert!(!kept || seen.contains("[key]"), "{case}");
            }
        }
    }
}

#[test]
fn keys_do_not_show_themselves() {
    let given = GivenKeys::default().with("NAME", "sk-very-secret-1234");
    let shown = format!("{given:?} {:?} {EnvKeys:?}", given.key("NAME"));
    assert!(shown.contains("NAME") && !shown.contains(NEEDLE), "{shown}");
}
