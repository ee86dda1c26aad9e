use serde_json::json;

use super::*;

fn said(tool: &str, arguments: &Value) -> Result<Call, String> {
    call(tool, arguments.as_object().expect("an object"), &["approval".to_owned()])
}

#[test]
fn every_tool_can_be_called_as_its_schema_says() {
    let sample = json!({
        "run": "7kq", "workflow": "approval", "input": {}, "answer": "yes", "question": "-?", "problem": "Who?",
    });
    for tool in all(&["approval".to_owned()]) {
        let wanted: JsonObject = tool.schema["required"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|name| Some((name.as_str()?.to_owned(), sample[name.as_str()?].clone())))
            .collect();
        assert!(call(tool.name, &wanted, &["approval".to_owned()]).is_ok(), "{}", tool.name);
    }
}

#[test]
fn what_is_given_never_becomes_a_flag() {
    for name in ["run", "key", "answer"] {
        let mut arguments = json!({ "run": "7kq", "key": "k", "answer": "yes" });
        arguments[name] = json!("--home=/elsewhere");
        let refused = said("answer_question", &arguments);
        assert_eq!(refused, Err(format!("`{name}` may not begin with a dash")));
    }
    let research =
        said("research", &json!({ "question": "--yes?", "docs": ["--yes"], "sources": ["--send"] }))
            .expect("a call");
    assert_eq!(
        (research.given, research.input),
        (vec!["--docs=--yes".into(), "--sources=--send".into(), "-".into()], Some("--yes?".into()))
    );
    let below_zero = said("answer_question", &json!({ "run": "7kq", "answer": "-5" })).expect("a call");
    assert_eq!(below_zero.given, ["7kq", "-5"]);
}

#[test]
fn wrong_arguments_are_told() {
    let cases = [
        ("show_run", json!({}), "`run` is missing"),
        ("show_run", json!({ "run": 7 }), "`run` must be text"),
        ("start_run", json!({ "workflow": "approval", "input": "x" }), "`input` must be an object"),
        (
            "start_run",
            json!({ "workflow": "build", "input": {} }),
            "`build` may not be started from here; `baton mcp --allow NAME` allows a workflow by name",
        ),
        ("research", json!({ "docs": ["."] }), "`question` must be text"),
        ("research", json!({ "question": "Why?", "docs": "here" }), "`docs` must be a list of texts"),
        ("research", json!({ "question": "Why?", "sources": [7] }), "`sources` must be a list of texts"),
        ("debate", json!({}), "`problem` must be text"),
        ("delete_everything", json!({}), "there is no tool called `delete_everything`"),
    ];
    for (tool, arguments, expected) in cases {
        assert_eq!(said(tool, &arguments), Err(expected.to_owned()), "{tool}");
    }
}

#[test]
fn workflows_with_an_input_of_their_own_are_offered_only_when_allowed() {
    let names = |workflows: &[String]| all(workflows).iter().map(|tool| tool.name).collect::<Vec<_>>();
    assert!(!names(&[]).contains(&"start_run") && names(&["approval".to_owned()]).contains(&"start_run"));
    assert!(names(&[]).contains(&"research"));
}
