//! `baton mcp` under the client of the protocol's own SDK: it lists, starts, answers and reads.

use std::process::Stdio;

use rmcp::ServiceExt as _;
use rmcp::model::{CallToolRequestParams, CallToolResult, ContentBlock};
use rmcp::service::{RoleClient, RunningService};
use serde_json::{Value, json};

use crate::support::Home;

type Client = RunningService<RoleClient, ()>;

/// An assistant connected to the program; the program ends with it.
async fn connect(home: &Home, words: &[&str]) -> (Client, tokio::process::Child) {
    greet(home.command(words)).await
}

async fn greet(command: std::process::Command) -> (Client, tokio::process::Child) {
    let mut command = tokio::process::Command::from(command);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true).spawn().expect("it starts");
    let streams = (child.stdout.take().expect("a pipe"), child.stdin.take().expect("a pipe"));
    (().serve(streams).await.expect("it greets"), child)
}

fn text(result: &CallToolResult) -> &str {
    match result.content.first() {
        Some(ContentBlock::Text(text)) => &text.text,
        other => panic!("no text: {other:?}"),
    }
}

/// Calls a tool that must succeed.
async fn call(client: &Client, tool: &'static str, arguments: Value) -> String {
    let result = try_call(client, tool, arguments).await;
    assert_ne!(result.is_error, Some(true), "{tool}: {}", text(&result));
    text(&result).to_owned()
}

async fn try_call(client: &Client, tool: &'static str, arguments: Value) -> CallToolResult {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    client.call_tool(CallToolRequestParams::new(tool).with_arguments(arguments)).await.expect("an answer")
}

/// Looks at the run until it has this status; each look takes its own time, so nothing sleeps.
async fn until(client: &Client, run: &str, status: &str) -> Value {
    for _ in 0..2_000 {
        let shown: Value =
            serde_json::from_str(&call(client, "show_run", json!({ "run": run })).await).expect("JSON");
        if shown["status"] == status {
            return shown;
        }
    }
    panic!("run {run} never was {status}");
}

fn release() -> Value {
    json!({ "title": "Release 1.4", "stages": [
        { "name": "check", "commands": [{ "name": "test", "run": "echo tested" }] },
        { "name": "publish", "ask": "Publish it?", "commands": [{ "name": "upload", "run": "echo uploaded" }] },
    ]})
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(work)
}

#[test]
fn an_assistant_lists_starts_answers_and_reads() {
    let home = Home::new();
    block_on(async {
        let (client, mut child) = connect(&home, &["mcp", "--allow", "approval"]).await;
        let tools = client.list_all_tools().await.expect("tools");
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
        assert_eq!(
            names,
            [
                "list_runs",
                "research",
                "debate",
                "start_run",
                "show_run",
                "answer_question",
                "cancel_run",
                "read_file"
            ]
        );
        assert_eq!(call(&client, "list_runs", json!({})).await, "[]");

        let started = call(&client, "start_run", json!({ "workflow": "approval", "input": release() })).await;
        let started: Value = serde_json::from_str(&started).expect("JSON");
        let run = started["run"].as_str().expect("an id");
        let waiting = until(&client, run, "waiting").await;
        assert_eq!(waiting["questions"][0]["key"], "2/approve", "{waiting}");

        call(&client, "answer_question", json!({ "run": run, "answer": "yes" })).await;
        let finished = until(&client, run, "finished").await;
        assert_eq!(finished["state"], "COMPLETED", "{finished}");
        let files = call(&client, "read_file", json!({ "run": run })).await;
        let files: Value = serde_json::from_str(&files).expect("JSON");
        let first = files["files"][0].as_str().and_then(|path| path.rsplit('/').next()).expect("a file");
        let read = call(&client, "read_file", json!({ "run": run, "path": first })).await;
        assert!(read.contains("Release 1.4"), "{first}: {read}");
        client.cancel().await.expect("closed");
        assert!(child.wait().await.expect("an end").success(), "it ends when the assistant leaves");
    });
    let log = home.baton(&["log", "last", "--json"]).out;
    assert!(log.contains("ann through MCP"), "who answered is on record: {log}");
}

#[test]
fn an_assistant_researches_documents_and_reads_the_report() {
    let home = Home::new();
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/corpus");
    block_on(async {
        let (client, _child) = connect(&home, &["mcp"]).await;
        let question = "How many buildings are connected to the network?";
        let started = call(&client, "research", json!({ "question": question, "docs": [docs] })).await;
        let started: Value = serde_json::from_str(&started).expect("JSON");
        let run = started["run"].as_str().expect("an id");
        let waiting = until(&client, run, "waiting").await;
        assert_eq!(waiting["title"], question, "{waiting}");
        call(&client, "answer_question", json!({ "run": run, "answer": "yes" })).await;
        let finished = until(&client, run, "finished").await;
        assert_eq!(finished["state"], "COMPLETED", "{finished}");
        let report = call(&client, "read_file", json!({ "run": run, "path": "report.md" })).await;
        assert!(report.contains("4,310 connected buildings"), "{report}");
        let nowhere = json!({ "question": question, "docs": ["no-such-folder"] });
        let refused = try_call(&client, "research", nowhere).await;
        assert_eq!(refused.is_error, Some(true));
        assert!(text(&refused).contains("no-such-folder"), "{}", text(&refused));
    });
}

#[test]
fn an_assistant_has_the_panel_debate_and_reads_the_decision() {
    let home = Home::new();
    home.write("ops.md", "A table in Postgres: the team runs it already.\n\n- store: postgres\n");
    home.write("audit.md", "Postgres keeps what auditors ask for.\n\n- store: postgres\n");
    home.write(
        "baton.toml",
        "[[debate.frame]]\nslot = \"store\"\nquestion = \"Where?\"\noptions = [\"postgres\", \"kafka\"]\n\
         [[debate.agents]]\nid = \"ops\"\nname = \"Operations\"\nrole = \"performance\"\nkind = \"file\"\nfile = \"ops.md\"\n\
         [[debate.agents]]\nid = \"audit\"\nname = \"Auditors\"\nrole = \"security\"\nkind = \"file\"\nfile = \"audit.md\"\n",
    );
    assert_eq!(home.baton(&["trust", "--yes"]).code, Some(0));
    block_on(async {
        let (client, _child) = connect(&home, &["mcp"]).await;
        let problem = json!({ "problem": "Where do the jobs wait?" });
        let started: Value = serde_json::from_str(&call(&client, "debate", problem).await).expect("JSON");
        let run = started["run"].as_str().expect("an id");
        until(&client, run, "finished").await;
        let decision = call(&client, "read_file", json!({ "run": run, "path": "decision.md" })).await;
        assert!(decision.contains("postgres"), "{decision}");
    });
}

/// The children look for what is trusted where we did, not in the home that the trusted file names.
#[test]
fn a_project_that_is_trusted_may_name_the_home_of_an_assistant_s_runs() {
    let home = Home::new();
    home.write("baton.toml", "home = \"here\"\n");
    let command = |words: &[&str]| {
        let mut command = home.command(words);
        command.env_remove("BATON_HOME");
        command
    };
    assert!(command(&["trust", "--yes"]).output().expect("it runs").status.success());
    block_on(async {
        let (client, _child) = greet(command(&["mcp"])).await;
        assert_eq!(call(&client, "list_runs", json!({})).await.trim(), "[]");
    });
    assert!(home.desk().join("here/baton.db").exists());
}

#[test]
fn an_assistant_gets_no_further_than_the_commands() {
    let home = Home::new();
    home.waiting();
    block_on(async {
        let (client, _child) = connect(&home, &["mcp"]).await;
        let wrong = [
            ("show_run", json!({ "run": "nothing" }), "there is no run `nothing`"),
            (
                "read_file",
                json!({ "run": "last", "path": "../../baton.db" }),
                "has no file called `../../baton.db`",
            ),
            (
                "read_file",
                json!({ "run": "last", "path": "/etc/passwd" }),
                "has no file called `/etc/passwd`",
            ),
        ];
        for (tool, arguments, words) in wrong {
            let result = try_call(&client, tool, arguments).await;
            assert_eq!(result.is_error, Some(true), "{tool}");
            assert!(text(&result).to_lowercase().contains(words), "{tool}: {}", text(&result));
        }
        let input = json!({ "workflow": "approval", "input": release() });
        let arguments = input.as_object().cloned().expect("an object");
        let refused =
            client.call_tool(CallToolRequestParams::new("start_run").with_arguments(arguments)).await;
        let refused = refused.expect_err("it runs commands, so it must be allowed by name").to_string();
        assert!(refused.contains("`approval` may not be started from here"), "{refused}");
    });
    assert_eq!(home.runs().len(), 1, "nothing was started");
}
