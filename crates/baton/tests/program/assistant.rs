//! An assistant that talks to `baton mcp`: the client of the protocol's own SDK. Whatever a tool gives is held against
//! the schema it announced.

use std::process::Stdio;
use std::sync::{Arc, Mutex};

use rmcp::model::{CallToolRequestParams, CallToolResult, ContentBlock, ProgressNotificationParam, Tool};
use rmcp::service::{NotificationContext, RoleClient, RunningService};
use rmcp::{ClientHandler, ServiceExt as _};
use serde_json::{Value, json};

use crate::support::Home;

/// Hears how far calls are.
#[derive(Clone, Default)]
struct Listener(Arc<Mutex<Vec<ProgressNotificationParam>>>);

impl ClientHandler for Listener {
    async fn on_progress(&self, heard: ProgressNotificationParam, _context: NotificationContext<RoleClient>) {
        self.0.lock().expect("a list").push(heard);
    }
}

/// An assistant connected to the program; the program ends with it.
pub struct Assistant {
    client: RunningService<RoleClient, Listener>,
    child: tokio::process::Child,
    heard: Listener,
    pub tools: Vec<Tool>,
}

impl Assistant {
    pub async fn connect(home: &Home, words: &[&str]) -> Self {
        Self::greet(home.command(words)).await
    }

    /// Connects to a command of one's own making.
    pub async fn greet(command: std::process::Command) -> Self {
        let mut command = tokio::process::Command::from(command);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().expect("it starts");
        let streams = (child.stdout.take().expect("a pipe"), child.stdin.take().expect("a pipe"));
        let heard = Listener::default();
        let client = heard.clone().serve(streams).await.expect("it greets");
        let tools = client.list_all_tools().await.expect("tools");
        Self { client, child, heard, tools }
    }

    /// What the server says of the whole.
    pub fn instructions(&self) -> String {
        self.client.peer_info().and_then(|told| told.instructions.clone()).expect("instructions")
    }

    /// What was heard of progress since the last time: the numbers and the messages.
    pub fn progress(&self) -> (Vec<f64>, Vec<String>) {
        let heard = std::mem::take(&mut *self.heard.0.lock().expect("a list"));
        heard.into_iter().map(|told| (told.progress, told.message.unwrap_or_default())).unzip()
    }

    /// Calls a tool, whatever comes of it.
    pub async fn try_call(&self, tool: &str, arguments: Value) -> Result<CallToolResult, String> {
        let arguments = arguments.as_object().cloned().unwrap_or_default();
        let request = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        self.client.call_tool(request).await.map_err(|error| error.to_string())
    }

    /// Calls a tool that must succeed: what it gives, and its text.
    pub async fn both(&self, tool: &str, arguments: Value) -> (Value, String) {
        let result = self.try_call(tool, arguments).await.expect(tool);
        let words = text(&result).to_owned();
        assert_ne!(result.is_error, Some(true), "{tool}: {words}");
        let value = result.structured_content.expect("structured content");
        let announced = self.tools.iter().find(|known| known.name == tool).expect("a tool");
        let schema = announced.output_schema.as_deref().cloned().map(Value::Object).expect("a schema");
        let validator = jsonschema::validator_for(&schema).expect("a valid schema");
        let wrong: Vec<String> = validator
            .iter_errors(&value)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(wrong.is_empty(), "{tool} breaks its promise: {wrong:?}\n{value:#}");
        (value, words)
    }

    /// Calls a tool that must succeed.
    pub async fn call(&self, tool: &str, arguments: Value) -> Value {
        self.both(tool, arguments).await.0
    }

    /// Calls a tool that must be refused, with words for the model that called it.
    pub async fn refused(&self, tool: &str, arguments: Value) -> String {
        let result = self.try_call(tool, arguments.clone()).await.expect(tool);
        assert_eq!(result.is_error, Some(true), "{tool} {arguments}: {}", text(&result));
        text(&result).to_owned()
    }

    /// The run, when it rests.
    pub async fn rested(&self, run: &str) -> Value {
        self.call("show_run", json!({ "run": run, "wait_seconds": 50 })).await
    }

    /// Leaves; whether the program then ends well.
    pub async fn leave(mut self) -> bool {
        self.client.cancel().await.expect("closed");
        self.child.wait().await.expect("an end").success()
    }
}

fn text(result: &CallToolResult) -> &str {
    match result.content.first() {
        Some(ContentBlock::Text(text)) => &text.text,
        other => panic!("no text: {other:?}"),
    }
}

/// The id of a run in what a tool gave.
pub fn id(value: &Value) -> &str {
    value["run"].as_str().expect("an id")
}

pub fn block_on<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(work)
}

/// A plan with a yes between its stages, for `start_run`.
pub fn release() -> Value {
    json!({ "workflow": "approval", "input": { "title": "Release 1.4", "stages": [
        { "name": "check", "commands": [{ "name": "test", "run": "echo tested" }] },
        { "name": "publish", "ask": "Publish it?", "commands": [{ "name": "upload", "run": "echo uploaded" }] },
    ]}})
}

/// A plan whose one command waits at the gate.
pub fn gated() -> Value {
    let command = json!({ "name": "wait", "run": "touch begun; read line < gate; echo passed" });
    json!({ "workflow": "approval", "input": { "title": "Gate", "stages": [{ "name": "pass", "commands": [command] }] } })
}
