use serde_json::json;

use super::super::grants::tests::granted;
use super::super::tools::all;
use super::*;

fn said(tool: &str, arguments: &Value, grants: &Grants) -> Result<Call, Refusal> {
    call(tool, arguments.as_object().expect("an object"), grants)
}

/// What would be typed.
fn typed(call: Result<Call, Refusal>) -> CommandLine {
    match call {
        Ok(Call::Tell(typed, _) | Call::Start(typed, _)) => typed,
        other => panic!("nothing is typed: {other:?}"),
    }
}

#[test]
fn every_tool_can_be_called_as_its_schema_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let grants = granted(&["approval"], &[], false, &[folder.path()]);
    let sample = json!({
        "run": "7kq", "workflow": "approval", "input": {}, "answer": "yes", "question": "-?", "problem": "Who?", "topic": "Heat", "query": "Sales",
        "words": "--why", "docs": folder.path(), "path": folder.path(), "statement": "It is.", "quote": "is",
    });
    for tool in all(&grants) {
        let mut wanted: JsonObject = tool.input_schema["required"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|name| Some((name.as_str()?.to_owned(), sample[name.as_str()?].clone())))
            .collect();
        // These take one of two things.
        let chosen: &[&str] = match tool.name.as_ref() {
            "search" => &["docs"],
            "check" => &["docs", "path"],
            _ => &[],
        };
        wanted.extend(chosen.iter().map(|name| ((*name).to_owned(), sample[*name].clone())));
        let called = call(&tool.name, &wanted, &grants);
        assert!(called.is_ok(), "{}: {called:?}", tool.name);
    }
}

#[test]
fn what_is_given_never_becomes_a_flag() {
    let folder = tempfile::tempdir().expect("a folder");
    let real = folder.path().canonicalize().expect("a folder");
    let real = real.to_str().expect("text");
    let grants = granted(&[], &[], false, &[folder.path()]);
    for name in ["run", "key", "answer"] {
        let mut arguments = json!({ "run": "7kq", "key": "k", "answer": "yes" });
        arguments[name] = json!("--home=/elsewhere");
        let refused = said("answer_question", &arguments, &grants);
        assert_eq!(refused, Err(Refusal::Wrong(format!("`{name}` may not begin with a dash"))));
    }
    let arguments = json!({ "question": "--yes?", "docs": [real], "sources": ["--send"] });
    let research = typed(said("research", &arguments, &grants));
    let given = vec![format!("--docs={real}"), "--sources=--send".to_owned(), "-".to_owned()];
    assert_eq!((research.given, research.input), (given, Some("--yes?".to_owned())));
    let arguments = json!({ "words": "--docs=/etc", "docs": real, "limit": 3 });
    let search = typed(said("search", &arguments, &grants));
    assert_eq!(search.given, [format!("--docs={real}").as_str(), "--limit=3", "--", "--docs=/etc"]);
    let arguments = json!({ "text": "--docs=/etc", "quotes": ["--json", "b"] });
    let check = typed(said("check", &arguments, &grants));
    assert_eq!(
        (check.given, check.input),
        (
            vec!["--quote=--json".to_owned(), "--quote=b".to_owned(), "-".to_owned()],
            Some("--docs=/etc".to_owned())
        )
    );
    let file = typed(said("read_file", &json!({ "run": "7kq", "path": "report.md" }), &grants));
    assert_eq!(file.given, ["--print=report.md", "7kq"]);
    let below_zero = said("answer_question", &json!({ "run": "7kq", "answer": "-5" }), &grants);
    assert!(matches!(below_zero, Ok(Call::Answer(Answer { answer, .. })) if answer == "-5"));
}

#[test]
fn wrong_arguments_are_told() {
    let grants = granted(&["approval"], &[], false, &[]);
    let cases = [
        ("show_run", json!({}), "`run` is missing"),
        ("show_run", json!({ "run": 7 }), "`run` must be text"),
        (
            "show_run",
            json!({ "run": "a", "wait_seconds": -1 }),
            "`wait_seconds` must be a whole number, not below 0",
        ),
        ("start_run", json!({ "workflow": "approval", "input": "x" }), "`input` must be an object"),
        (
            "start_run",
            json!({ "workflow": "build", "input": {} }),
            "`build` may not be started from here; `baton mcp --allow NAME` allows a workflow by name",
        ),
        ("research", json!({ "docs": [] }), "`question` must be text"),
        ("research", json!({ "question": "Why?", "docs": "here" }), "`docs` must be a list of texts"),
        ("research", json!({ "question": "Why?", "sources": [7] }), "`sources` must be a list of texts"),
        ("search", json!({ "words": "Why?" }), "either `docs` or `sources` says where to search"),
        ("debate", json!({}), "`problem` must be text"),
        ("delete_everything", json!({}), "there is no tool called `delete_everything`"),
    ];
    for (tool, arguments, expected) in cases {
        assert_eq!(said(tool, &arguments, &grants), Err(Refusal::Wrong(expected.to_owned())), "{tool}");
    }
}

#[test]
fn every_path_and_place_must_be_granted() {
    let folder = tempfile::tempdir().expect("a folder");
    let grants = granted(&["research", "debate"], &[], false, &[folder.path()]);
    let outside = [
        ("research", json!({ "question": "Why?", "docs": ["/"] })),
        ("debate", json!({ "problem": "Who?", "context": "/" })),
        ("start_run", json!({ "workflow": "research", "input": { "docs": ["/"] } })),
        ("start_run", json!({ "workflow": "debate", "input": { "context": "/" } })),
        ("start_run", json!({ "workflow": "debate", "input": { "output": "/tmp/decision.md" } })),
        ("search", json!({ "words": "Why?", "docs": "/" })),
        ("search", json!({ "words": "Why?", "sources": ["wikipedia"] })),
        ("read_document", json!({ "path": "/" })),
        ("read_document", json!({ "path": "https://example.org/" })),
        ("check_quote", json!({ "path": "/", "statement": "a", "quote": "a" })),
    ];
    for (tool, arguments) in outside {
        let refused = said(tool, &arguments, &grants);
        assert!(matches!(refused, Err(Refusal::NotGranted(_))), "{tool} {arguments}: {refused:?}");
    }
    let granted = said("search", &json!({ "words": "Why?", "sources": ["library"] }), &grants);
    assert_eq!(typed(granted).given.first().map(String::as_str), Some("--sources=library"));
}

#[test]
fn a_wait_has_a_bound() {
    let grants = granted(&[], &[], false, &[]);
    for (seconds, expected) in [(None, 0), (Some(7), 7), (Some(86_400), MOST_SECONDS)] {
        let called = said("show_run", &json!({ "run": "7kq", "wait_seconds": seconds, "seen": 4 }), &grants);
        let wait = Wait { limit: Duration::from_secs(expected), seen: Some(4) };
        assert_eq!(called, Ok(Call::Show("7kq".to_owned(), wait)));
    }
}

#[test]
fn workflows_with_an_input_of_their_own_are_offered_only_when_allowed() {
    let names = |start: &[&str]| {
        let tools = all(&granted(start, &[], false, &[]));
        tools.iter().map(|tool| tool.name.to_string()).collect::<Vec<_>>()
    };
    let has = |start: &[&str], name: &str| names(start).iter().any(|known| known == name);
    assert!(!has(&[], "start_run") && has(&["approval"], "start_run") && has(&[], "research"));
}
