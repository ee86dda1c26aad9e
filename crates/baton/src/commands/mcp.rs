//! `baton mcp`: Baton as a server of tools for an assistant. Every tool is a command of this program, run as a child with
//! `--json`: what an assistant can do is what a person could type, as far as the person who started the server grants
//! it, and nothing it does can harm the conversation.

mod answer;
mod call;
mod child;
mod client;
mod foreign;
mod grants;
mod tools;
mod wait;

use std::path::PathBuf;

use baton_engine::{Dice as _, SystemDice};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ErrorData, ServerHandler, ServiceExt as _};
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::program::Program;
use crate::trouble::Trouble;
use call::{Call, Shape};
use child::Child;
use client::Client;
use foreign::ToolResult;
use grants::Grants;
use wait::Wait;

pub use call::{CommandLine, Refusal, flags, granted};
pub use tools::StartTool;

/// Serve Baton's runs as tools to an assistant (MCP over stdin and stdout)
///
/// An assistant can list, start, follow and cancel runs, read what they wrote and verify it. A run it starts is
/// driven by a process of its own and goes on when the assistant leaves. Budgets, models, panel, places to
/// search and privacy are those of baton.toml. Everything more is granted by a flag: folders, workflows that
/// take other input and may run commands, and answers. Questions are yours unless you grant otherwise, and those
/// of a run that the assistant did not start through this very process always are. See docs/mcp.md.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton mcp --root reports --root manuals
  baton mcp --root reports --answer research
  { \"mcpServers\": { \"baton\": { \"command\": \"baton\", \"args\": [\"mcp\"] } } }     in an assistant's settings"
)]
pub struct Args {
    /// A folder of documents the assistant may search and read; may be given several times
    #[arg(long, value_name = "FOLDER")]
    pub root: Vec<PathBuf>,
    /// Let the assistant start this workflow too; may be given several times
    #[arg(long, value_name = "WORKFLOW")]
    pub allow: Vec<String>,
    /// Let it answer ordinary questions of these workflows, in runs it started itself
    #[arg(long, value_name = "WORKFLOW,...", value_delimiter = ',')]
    pub answer: Vec<String>,
    /// Let it approve there, too: commands, payments, "did it happen"
    #[arg(long, requires = "answer")]
    pub may_approve: bool,
}

/// Serves until the other side closes.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let mut seed = [0; 32];
    for part in seed.chunks_mut(8) {
        part.copy_from_slice(&SystemDice.roll().to_be_bytes());
    }
    let child = Child::of(program).map_err(Trouble::Runtime)?;
    let server = Server { child, grants: Grants::of(program, args)?, seed };
    program
        .runtime()?
        .block_on(async {
            let service = server.serve(rmcp::transport::stdio()).await.map_err(std::io::Error::other);
            service?.waiting().await.map_err(std::io::Error::other)
        })
        .map_err(Trouble::Print)?;
    Ok(Exit::Done)
}

/// What answers an assistant.
struct Server {
    child: Child,
    grants: Grants,
    /// For fences around foreign text: nobody who wrote it could know this.
    seed: [u8; 32],
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("baton", env!("CARGO_PKG_VERSION")))
            .with_instructions(tools::instructions(&self.grants))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::all(&self.grants)))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let client = Client::of(context);
        let done = match call::call(&request.name, &arguments, &self.grants) {
            Ok(call) => self.carry_out(call, &client).await,
            Err(Refusal::NotGranted(what)) => Err(what),
            Err(Refusal::Wrong(what)) => return Err(ErrorData::invalid_params(what, None)),
        };
        Ok(CallToolResponse::Complete(match done {
            Ok(ToolResult { value, text }) => {
                let text = text.unwrap_or_else(|| format!("{value:#}"));
                let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
                result.structured_content = Some(value);
                result
            }
            Err(what) => CallToolResult::error(vec![ContentBlock::text(what)]),
        }))
    }
}

impl Server {
    /// Carries out a call; an error is what the command said.
    async fn carry_out(&self, call: Call, client: &Client) -> Result<ToolResult, String> {
        match call {
            Call::Tell(typed, shape) => {
                let printed = self.child.run(typed, client).await?;
                self.shaped(shape, printed)
            }
            Call::Start(typed, wait) => {
                let printed = self.child.run(typed, client).await?;
                let run = printed["run"].as_str().ok_or("the command named no run")?;
                self.grants.began(run);
                self.child.drive(run)?;
                self.show(run, wait, client).await
            }
            Call::Show(run, wait) => self.show(&run, wait, client).await,
            Call::Cancel(run) => {
                let printed = self.child.run(CommandLine::new(&["cancel"], [run.as_str()]), client).await?;
                let run = printed["run"].as_str().unwrap_or(&run);
                self.show(run, Wait::default(), client).await
            }
            Call::Answer(answer) => self.answer(answer, client).await,
        }
    }

    /// A run, after waiting for it.
    async fn show(&self, run: &str, wait: Wait, client: &Client) -> Result<ToolResult, String> {
        if !wait.limit.is_zero() {
            // If it cannot be looked at, showing it says why.
            let _ = wait::for_run(&self.child.home, run, &self.child.clock, wait, client).await;
        }
        let mut shown = self.child.run(CommandLine::new(&["show"], [run]), client).await?;
        self.say_who_answers(&mut shown);
        Ok(shown.into())
    }

    fn shaped(&self, shape: Shape, printed: Value) -> Result<ToolResult, String> {
        Ok(match shape {
            Shape::List(name) => json!({ name: printed }).into(),
            Shape::Foreign => foreign::noticed(printed).into(),
            Shape::File => foreign::file(&self.seed, printed)?,
            Shape::Document(path, from) => foreign::document(&self.seed, &path, from, &printed)?,
            Shape::Check { path, statement, quote } => foreign::checked(&path, &statement, &quote, &printed)?,
        })
    }
}
