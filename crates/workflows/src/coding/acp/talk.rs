//! The client's side of one turn: initialize, a session, a prompt, and answers to what the agent asks meanwhile.

use serde_json::{Value, json};

use crate::coding::beside::{Usage, micro_usd};
use crate::coding::command::prompt;
use crate::coding::{AgentError, Role, TurnEnd, TurnRequest, Which, adapter};
use crate::process::Conversation;

/// The version of the protocol we speak.
pub(super) const VERSION: u64 = 1;
/// What a method is that we do not have.
const NO_METHOD: i64 = -32601;
/// What an agent answers that is not signed in.
pub(super) const NOT_SIGNED_IN: i64 = -32000;
/// How many letters of an error are kept.
const KEPT: usize = 2000;

/// One turn.
pub(super) struct Talk {
    folder: String,
    prompt: String,
    may_change: bool,
    known: Option<String>,
    session: Option<String>,
    stage: Stage,
    words: String,
    kept: usize,
    usage: Option<Usage>,
    end: Option<Result<TurnEnd, AgentError>>,
}

/// What we wait for. Requests of ours are numbered by it, so that an answer to an earlier one is not mistaken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Initialize = 1,
    Load,
    Begin,
    Prompt,
}

impl Stage {
    fn id(self) -> u64 {
        self as u64
    }
}

impl Talk {
    pub fn new(request: &TurnRequest, known: Option<String>) -> Self {
        Self {
            folder: request.worktree.display().to_string(),
            prompt: prompt(request),
            may_change: request.role != Role::Review,
            known,
            session: None,
            stage: Stage::Initialize,
            words: String::new(),
            kept: adapter::kept(request.role),
            usage: None,
            end: None,
        }
    }

    /// The agent's own name of the session.
    pub fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    /// What it told of its costs.
    pub fn usage(&self) -> Option<Usage> {
        self.usage
    }

    /// How the turn ended, if it did.
    pub fn end(self) -> Option<Result<TurnEnd, AgentError>> {
        self.end
    }

    fn ask(&mut self, stage: Stage, method: &str, params: &Value) -> Vec<String> {
        self.stage = stage;
        vec![json!({"jsonrpc": "2.0", "id": stage.id(), "method": method, "params": params}).to_string()]
    }

    fn begin_session(&mut self) -> Vec<String> {
        let params = json!({"cwd": self.folder, "mcpServers": []});
        self.ask(Stage::Begin, "session/new", &params)
    }

    fn send_prompt(&mut self) -> Vec<String> {
        let params = json!({
            "sessionId": self.session,
            "prompt": [{"type": "text", "text": self.prompt}],
        });
        self.ask(Stage::Prompt, "session/prompt", &params)
    }

    fn finish(&mut self, end: Result<TurnEnd, AgentError>) -> Vec<String> {
        self.end = Some(end);
        Vec::new()
    }

    /// An answer to what we asked last.
    fn answered(&mut self, message: &Value) -> Vec<String> {
        if let Some(error) = message.get("error") {
            // Some agents say they can load a session and cannot: then it is a new one.
            if self.stage == Stage::Load {
                return self.begin_session();
            }
            return self.finish(Err(refused(error)));
        }
        let result = &message["result"];
        match self.stage {
            Stage::Initialize => match (&self.known, result["agentCapabilities"]["loadSession"].as_bool()) {
                (Some(session), Some(true)) => {
                    let params = json!({"sessionId": session, "cwd": self.folder, "mcpServers": []});
                    self.session = Some(session.clone());
                    self.ask(Stage::Load, "session/load", &params)
                }
                _ => self.begin_session(),
            },
            Stage::Load => self.send_prompt(),
            Stage::Begin => match result["sessionId"].as_str() {
                Some(session) => {
                    self.session = Some(session.to_owned());
                    // What a loaded session repeated of itself is nothing it says now.
                    self.words.clear();
                    self.send_prompt()
                }
                None => self.finish(Err(AgentError::Protocol { why: "it named no session".to_owned() })),
            },
            Stage::Prompt => {
                self.count(&result["usage"]);
                let end = match result["stopReason"].as_str() {
                    Some("cancelled") => TurnEnd::Cancelled,
                    Some("refusal") => TurnEnd::Refused { why: std::mem::take(&mut self.words) },
                    Some("max_turn_requests") => TurnEnd::LimitHit { which: Which::Turns },
                    Some("max_tokens") => TurnEnd::LimitHit { which: Which::Budget },
                    // Whatever else it calls it: what it did is in the worktree.
                    _ => TurnEnd::Completed { words: std::mem::take(&mut self.words) },
                };
                self.finish(Ok(end))
            }
        }
    }

    /// What the agent wants of us. It may do what its turn is for, and nothing is done for it.
    fn asked(&self, id: &Value, message: &Value) -> String {
        if message["method"] != "session/request_permission" {
            let error = json!({"code": NO_METHOD, "message": "this client has no such method"});
            return json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string();
        }
        let wanted =
            if self.may_change { ["allow_once", "allow_always"] } else { ["reject_once", "reject_always"] };
        let options = message["params"]["options"].as_array().map(Vec::as_slice).unwrap_or_default();
        let kind = |wanted: &&str| options.iter().find(|option| option["kind"] == **wanted);
        let outcome = match wanted.iter().find_map(kind) {
            Some(option) => json!({"outcome": "selected", "optionId": option["optionId"]}),
            None => json!({"outcome": "cancelled"}),
        };
        json!({"jsonrpc": "2.0", "id": id, "result": {"outcome": outcome}}).to_string()
    }

    /// Tokens as the answer to a prompt tells them.
    fn count(&mut self, usage: &Value) {
        let tokens = |key: &str| usage[key].as_u64();
        if let (Some(input), Some(output)) = (tokens("inputTokens"), tokens("outputTokens")) {
            let told = self.usage.get_or_insert_default();
            (told.input, told.output) = (input, output);
        }
    }

    fn note(&mut self, update: &Value) {
        // Other currencies are nobody's budget.
        let cost = &update["cost"];
        if let (Some("usage_update"), Some("USD"), Some(amount)) =
            (update["sessionUpdate"].as_str(), cost["currency"].as_str(), cost["amount"].as_f64())
        {
            self.usage.get_or_insert_default().micro_usd = micro_usd(amount);
        }
        let text = update["content"]["text"].as_str();
        if let ("agent_message_chunk", Some(text)) =
            (update["sessionUpdate"].as_str().unwrap_or_default(), text)
        {
            self.words.push_str(text);
            self.words = adapter::end_of(&self.words, self.kept);
        }
    }
}

impl Conversation for Talk {
    fn begin(&mut self) -> Vec<String> {
        let params = json!({
            "protocolVersion": VERSION,
            "clientCapabilities": {"fs": {"readTextFile": false, "writeTextFile": false}, "terminal": false},
        });
        self.ask(Stage::Initialize, "initialize", &params)
    }

    fn hear(&mut self, line: &str) -> Vec<String> {
        let Ok(message) = serde_json::from_str::<Value>(line) else { return Vec::new() };
        let method = message["method"].as_str();
        match (message.get("id").filter(|id| !id.is_null()), method) {
            // Ids of the agent's requests are its own, of whatever type, and may be equal to ours.
            (Some(id), Some(_)) => vec![self.asked(id, &message)],
            (Some(id), None) if id.as_u64() == Some(self.stage.id()) => self.answered(&message),
            (None, Some("session/update")) => {
                self.note(&message["params"]["update"]);
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn is_over(&self) -> bool {
        self.end.is_some()
    }

    /// Asks it to give its turn up; its answer to the prompt still comes.
    fn stop(&mut self) -> Vec<String> {
        match &self.session {
            Some(session) => {
                let params = json!({"sessionId": session});
                vec![json!({"jsonrpc": "2.0", "method": "session/cancel", "params": params}).to_string()]
            }
            None => self.finish(Ok(TurnEnd::Cancelled)),
        }
    }
}

fn refused(error: &Value) -> AgentError {
    let why = error["message"].as_str().unwrap_or("without a reason");
    let more = error["data"].as_str().map_or(String::new(), |data| format!(" ({data})"));
    if error["code"].as_i64() == Some(NOT_SIGNED_IN) {
        return AgentError::Auth { why: why.to_owned() };
    }
    adapter::trouble(&adapter::end_of(&format!("{why}{more}"), KEPT))
}
