//! `baton mcp`: Baton as a server of tools for an assistant. Every tool is a command of this program, run as a child with
//! `--json`: what an assistant can do is what a person could type, and nothing it does can harm the conversation.

mod child;
mod tools;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ErrorData, ServerHandler, ServiceExt as _};
use serde_json::Value;

use crate::exit::Exit;
use crate::program::Program;
use crate::trouble::Trouble;
use child::Child;

/// Serve Baton's runs as tools to an assistant (MCP over stdin and stdout)
///
/// An assistant can list and start runs, answer their questions, cancel them and read their files. A run it
/// starts is driven by a process of its own and goes on when the assistant leaves. Whatever it answers is
/// recorded as answered through MCP. Budgets, models, places to search, panel and privacy are those of
/// baton.toml. Workflows that take other input, and may run commands, must be allowed by name.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton mcp --allow approval
  { \"mcpServers\": { \"baton\": { \"command\": \"baton\", \"args\": [\"mcp\"] } } }     in an assistant's settings"
)]
pub struct Args {
    /// Let the assistant start this workflow too
    #[arg(long, value_name = "WORKFLOW")]
    pub allow: Vec<String>,
}

/// Serves until the other side closes.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    for name in &args.allow {
        program.flow(name)?;
    }
    let child = Child::of(program).map_err(Trouble::Runtime)?;
    let server = Server { child, workflows: args.allow.clone() };
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
    /// Those an assistant may start with an input of its own.
    workflows: Vec<String>,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("baton", env!("CARGO_PKG_VERSION")))
            .with_instructions(tools::INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tool = |tool: tools::Described| Tool::new(tool.name, tool.description, tool.schema);
        Ok(ListToolsResult::with_all_items(tools::all(&self.workflows).into_iter().map(tool).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let call = tools::call(&request.name, &arguments, &self.workflows)
            .map_err(|what| ErrorData::invalid_params(what, None))?;
        let done = self.child.carry_out(call).await;
        Ok(CallToolResponse::Complete(match done {
            Ok(value) => CallToolResult::success(vec![ContentBlock::text(shown(&value))]),
            Err(what) => CallToolResult::error(vec![ContentBlock::text(what)]),
        }))
    }
}

/// Text as it is; anything else as JSON.
fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| format!("{value:#}"), str::to_owned)
}
