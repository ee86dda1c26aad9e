//! The client's side of the protocol against what agents were seen to send.

use serde_json::{Value, json};

use super::hello::Hello;
use super::talk::Talk;
use crate::coding::tests::request;
use crate::coding::{AgentError, AgentSpec, Login, Probe, Role, TurnEnd, Usage, Which};
use crate::process::Conversation;

/// Hears lines and keeps what was said to each.
fn hold(talk: &mut Talk, lines: &[Value]) -> Vec<Value> {
    let mut said = talk.begin();
    for line in lines {
        said.extend(talk.hear(&line.to_string()));
    }
    said.iter().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn hello(loads: bool) -> Value {
    json!({"id": 1, "result": {"protocolVersion": 1, "agentCapabilities": {"loadSession": loads}}})
}

fn chunk(text: &str) -> Value {
    let update = json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}});
    json!({"method": "session/update", "params": {"sessionId": "S", "update": update}})
}

fn ended(reason: &str) -> Value {
    json!({"id": 4, "result": {"stopReason": reason}})
}

#[test]
fn a_turn_from_hello_to_its_end() {
    let mut talk = Talk::new(&request("acp", Role::Implement), None);
    let said = hold(
        &mut talk,
        &[
            hello(true),
            chunk("too early"),
            json!({"id": 3, "result": {"sessionId": "S"}}),
            chunk("Do"),
            chunk("ne."),
            ended("end_turn"),
        ],
    );
    let methods: Vec<&str> = said.iter().filter_map(|one| one["method"].as_str()).collect();
    assert_eq!(methods, ["initialize", "session/new", "session/prompt"]);
    assert_eq!(said[2]["params"]["sessionId"], "S");
    assert_eq!(talk.session(), Some("S"));
    assert_eq!(talk.end(), Some(Ok(TurnEnd::Completed { words: "Done.".to_owned() })));
}

#[test]
fn a_session_is_loaded_where_the_agent_can_and_begun_where_it_cannot() {
    for (lines, methods, session) in [
        (
            vec![hello(true), json!({"id": 2, "result": null}), ended("end_turn")],
            vec!["initialize", "session/load", "session/prompt"],
            "old",
        ),
        (
            vec![
                hello(true),
                json!({"id": 2, "error": {"code": -32603, "message": "gone"}}),
                json!({"id": 3, "result": {"sessionId": "new"}}),
                ended("end_turn"),
            ],
            vec!["initialize", "session/load", "session/new", "session/prompt"],
            "new",
        ),
        (
            vec![hello(false), json!({"id": 3, "result": {"sessionId": "new"}}), ended("end_turn")],
            vec!["initialize", "session/new", "session/prompt"],
            "new",
        ),
    ] {
        let mut talk = Talk::new(&request("acp", Role::Implement), Some("old".to_owned()));
        let said = hold(&mut talk, &lines);
        assert_eq!(said.iter().filter_map(|one| one["method"].as_str()).collect::<Vec<_>>(), methods);
        assert_eq!(talk.session(), Some(session));
        assert!(talk.is_over());
    }
}

#[test]
fn permission_is_given_by_kind_and_what_we_do_not_have_is_refused() {
    let options =
        json!([{"optionId": "no", "kind": "reject_once"}, {"optionId": "go-1", "kind": "allow_once"}]);
    let asks = |id: Value, method: &str| json!({"id": id, "method": method, "params": {"options": options}});
    for (role, chosen) in [(Role::Fix, "go-1"), (Role::Review, "no")] {
        let mut talk = Talk::new(&request("acp", role), None);
        let said = hold(
            &mut talk,
            &[
                asks(json!("99063b74"), "session/request_permission"),
                // An id of the agent's own that is also one of ours.
                asks(json!(1), "fs/write_text_file"),
            ],
        );
        assert_eq!(said[1]["id"], "99063b74");
        assert_eq!(said[1]["result"]["outcome"], json!({"outcome": "selected", "optionId": chosen}));
        assert_eq!((&said[2]["id"], &said[2]["error"]["code"]), (&json!(1), &json!(-32601)));
        assert!(!talk.is_over());
    }
}

#[test]
fn what_is_not_known_never_ends_a_turn() {
    let mut talk = Talk::new(&request("acp", Role::Implement), None);
    let odd = [
        json!({"method": "_auth/status_update", "params": {}}),
        json!({"method": "session/update", "params": {"update": {"sessionUpdate": "something_new", "x": 1}}}),
        json!({"id": 77, "result": {}}),
        json!({"id": null, "result": {}}),
        json!([1, 2, 3]),
        json!("hello"),
    ];
    let said = hold(&mut talk, &odd);
    assert_eq!((said.len(), talk.is_over()), (1, false));
    assert!(talk.hear("no JSON at all").is_empty());
}

#[test]
fn ends_and_errors_are_typed() {
    let crashed = |why: &str| Err(AgentError::Crashed { why: why.to_owned() });
    for (line, end) in [
        (ended("cancelled"), Ok(TurnEnd::Cancelled)),
        (ended("max_tokens"), Ok(TurnEnd::LimitHit { which: Which::Budget })),
        (ended("max_turn_requests"), Ok(TurnEnd::LimitHit { which: Which::Turns })),
        (ended("refusal"), Ok(TurnEnd::Refused { why: "I would rather not.".to_owned() })),
        (ended("a_new_word"), Ok(TurnEnd::Completed { words: "I would rather not.".to_owned() })),
        (
            json!({"id": 4, "error": {"code": -32000, "message": "Authentication required"}}),
            Err(AgentError::Auth { why: "Authentication required".to_owned() }),
        ),
        (
            json!({"id": 4, "error": {"code": -32603, "message": "Internal error", "data": "HTTP 400"}}),
            crashed("Internal error (HTTP 400)"),
        ),
        (
            json!({"id": 4, "error": {"code": -32603, "message": "429 Too Many Requests"}}),
            Err(AgentError::RateLimited { after_s: None }),
        ),
        (
            json!({"id": 4, "error": {"code": -32603, "message": "overloaded_error"}}),
            Err(AgentError::Overloaded),
        ),
    ] {
        let mut talk = Talk::new(&request("acp", Role::Implement), None);
        hold(
            &mut talk,
            &[
                hello(false),
                json!({"id": 3, "result": {"sessionId": "S"}}),
                chunk("I would rather not."),
                line,
            ],
        );
        assert_eq!(talk.end(), Some(end));
    }
}

#[test]
fn a_stop_is_said_to_the_agent_and_its_costs_are_heard() {
    let mut talk = Talk::new(&request("acp", Role::Implement), None);
    assert_eq!(talk.stop(), Vec::<String>::new(), "there is no session yet to be given up");
    assert_eq!(talk.end(), Some(Ok(TurnEnd::Cancelled)));
    let mut talk = Talk::new(&request("acp", Role::Implement), None);
    hold(&mut talk, &[hello(false), json!({"id": 3, "result": {"sessionId": "S"}})]);
    let said: Vec<Value> = talk.stop().iter().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((said.len(), &said[0]["method"]), (1, &json!("session/cancel")));
    assert_eq!(said[0]["params"]["sessionId"], "S");
    let update = json!({"sessionUpdate": "usage_update", "cost": {"amount": 0.25, "currency": "USD"}});
    talk.hear(
        &json!({"method": "session/update", "params": {"sessionId": "S", "update": update}}).to_string(),
    );
    let usage = json!({"inputTokens": 20, "outputTokens": 3});
    talk.hear(&json!({"id": 4, "result": {"stopReason": "cancelled", "usage": usage}}).to_string());
    assert_eq!(talk.usage(), Some(Usage { micro_usd: Some(250_000), input: 20, output: 3 }));
    assert_eq!(talk.end(), Some(Ok(TurnEnd::Cancelled)));
}

#[test]
fn a_handshake_says_what_an_agent_is_and_whether_it_is_signed_in() {
    let spec = AgentSpec::recipe();
    let shake = |second: Value| {
        let mut hello = Hello::new(std::path::Path::new("/nowhere"));
        hello.begin();
        let info = json!({"name": "goose", "version": "1.34.0"});
        let asked =
            hello.hear(&json!({"id": 1, "result": {"protocolVersion": 1, "agentInfo": info}}).to_string());
        assert!(asked[0].contains("session/new"), "{asked:?}");
        hello.hear(&json!({"method": "_auth/status_update", "params": {}}).to_string());
        hello.hear(&second.to_string());
        assert!(hello.is_over());
        hello.answer(&spec, Probe::default()).expect("an answer")
    };
    let probe = shake(json!({"id": 2, "result": {"sessionId": "S"}}));
    assert_eq!((probe.version.as_deref(), probe.handshake.as_deref()), (Some("goose 1.34.0"), Some("ACP 1")));
    assert_eq!(probe.login, Login::Yes("it opened a session".to_owned()));
    let probe = shake(json!({"id": 2, "error": {"code": -32000, "message": "Authentication required"}}));
    assert_eq!(probe.login, Login::No("Authentication required".to_owned()));
    assert_eq!(Hello::new(std::path::Path::new("/nowhere")).answer(&spec, Probe::default()), None);
}
