//! A handshake with an agent and a session that nothing is asked in: what it is, and whether it is signed in.

use std::path::Path;

use serde_json::{Value, json};

use super::talk::{NOT_SIGNED_IN, VERSION};
use crate::coding::adapter::login;
use crate::coding::{AgentSpec, Login, Probe};
use crate::process::Conversation;

/// The number of the first request; that of the second is one more.
const INITIALIZE: u64 = 1;
const SESSION: u64 = 2;

/// The client's side of a handshake.
pub(super) struct Hello {
    folder: String,
    initialized: Option<Value>,
    session: Option<Result<(), Value>>,
}

impl Hello {
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.display().to_string(), initialized: None, session: None }
    }

    /// What it answered; none if it did not.
    pub fn answer(self, spec: &AgentSpec, found: Probe) -> Option<Probe> {
        let result = self.initialized?;
        let info = &result["agentInfo"];
        let version = info["version"].as_str().map(|version| {
            format!("{} {version}", info["name"].as_str().unwrap_or_default()).trim().to_owned()
        });
        let protocol = result["protocolVersion"].as_u64();
        let handshake = protocol.map_or("ACP".to_owned(), |version| format!("ACP {version}"));
        let login = match self.session {
            Some(Ok(())) => Login::Yes("it opened a session".to_owned()),
            Some(Err(error)) if error["code"].as_i64() == Some(NOT_SIGNED_IN) => {
                Login::No(error["message"].as_str().unwrap_or("it wants to be signed in").to_owned())
            }
            Some(Err(error)) => {
                let why = error["message"].as_str().unwrap_or("without a reason");
                Login::Unknown(format!("it opened no session: {why}"))
            }
            None => login(spec, &[]),
        };
        Some(Probe { version, handshake: Some(handshake), login, ..found })
    }
}

impl Conversation for Hello {
    fn begin(&mut self) -> Vec<String> {
        let params = json!({
            "protocolVersion": VERSION,
            "clientCapabilities": {"fs": {"readTextFile": false, "writeTextFile": false}, "terminal": false},
        });
        vec![
            json!({"jsonrpc": "2.0", "id": INITIALIZE, "method": "initialize", "params": params}).to_string(),
        ]
    }

    fn hear(&mut self, line: &str) -> Vec<String> {
        let Ok(message) = serde_json::from_str::<Value>(line) else { return Vec::new() };
        if message.get("method").is_some() {
            return Vec::new();
        }
        match message["id"].as_u64() {
            Some(INITIALIZE) if self.initialized.is_none() => {
                self.initialized = Some(message["result"].clone());
                if message.get("error").is_some() {
                    self.session = Some(Err(message["error"].clone()));
                    return Vec::new();
                }
                let params = json!({"cwd": self.folder, "mcpServers": []});
                let ask = json!({"jsonrpc": "2.0", "id": SESSION, "method": "session/new", "params": params});
                vec![ask.to_string()]
            }
            Some(SESSION) => {
                self.session = Some(message.get("error").map_or(Ok(()), |error| Err(error.clone())));
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn is_over(&self) -> bool {
        self.session.is_some()
    }
}
