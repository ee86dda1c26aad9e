//! What is known of an MCP server: where it is, which of its tools may be used for what, and how far it may go.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Where a server is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum McpPlace {
    /// A program of this machine, spoken to through its standard input and output.
    Command {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Names of the environment variables it may see besides `PATH`; no other reaches it.
        env: Vec<String>,
    },
    /// An address that speaks streamable HTTP.
    Url {
        /// The address.
        url: String,
        /// The environment variable that holds its bearer token.
        key_env: Option<String>,
    },
}

/// How far a server may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpLimits {
    /// How often it may be asked in a minute.
    pub per_minute: u32,
    /// How long starting it, and each call, may take.
    pub timeout_seconds: u64,
    /// The longest message that is read from it.
    pub max_bytes: usize,
}

impl Default for McpLimits {
    fn default() -> Self {
        Self { per_minute: 30, timeout_seconds: 60, max_bytes: 4 << 20 }
    }
}

/// A server as configured. Only tools named here are ever called; what the server says of its tools is not read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct McpCard {
    /// Name shown beside its hits.
    pub name: String,
    /// Where it is.
    pub place: McpPlace,
    /// The tool that searches.
    pub search_tool: Option<String>,
    /// The argument of that tool that takes the query.
    pub query_argument: String,
    /// Arguments that go with every query, such as how many results are wanted.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub search_arguments: Map<String, Value>,
    /// The tool that reads a page.
    pub read_tool: Option<String>,
    /// The argument of that tool that takes the address.
    pub address_argument: String,
    /// Arguments that go with every address, such as how long a text may be: tools cut pages that nobody asks whole.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub read_arguments: Map<String, Value>,
    /// How far it may go.
    pub limits: McpLimits,
}
