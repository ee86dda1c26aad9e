//! What is known of a source of data beyond the disk: where it is, what it sends, how its pages follow each other, and
//! how far it may go. Plain data: a run freezes it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::search::mcp::McpCard;

/// Where the data are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DataPlace {
    /// An address that answers with data.
    Url {
        /// The address, without any key.
        url: String,
        /// The key that goes to this address's host and nowhere else.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<DataKey>,
    },
    /// A tool of an MCP server.
    Tool {
        /// The server.
        server: Box<McpCard>,
        /// The tool.
        tool: String,
        /// What it is called with.
        #[serde(default, skip_serializing_if = "Map::is_empty")]
        arguments: Map<String, Value>,
    },
}

/// A key, as far as it may be written down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataKey {
    /// The environment variable that holds it.
    pub env: String,
    /// The header it is sent in; none is `Authorization: Bearer`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
}

/// What is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DataFormat {
    /// A JSON document with a list of objects in it.
    Json,
    /// One JSON object a line.
    Jsonl,
    /// Comma-, semicolon- or tab-separated values.
    Csv,
}

impl DataFormat {
    /// Every format, as it is written in the configuration.
    pub const NAMED: [(&'static str, Self); 3] =
        [("json", Self::Json), ("jsonl", Self::Jsonl), ("csv", Self::Csv)];

    /// The one that an address names by its ending.
    #[must_use]
    pub fn of_path(path: &str) -> Option<Self> {
        let (_, ending) = path.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "json" => Some(Self::Json),
            "jsonl" | "ndjson" => Some(Self::Jsonl),
            "csv" | "tsv" => Some(Self::Csv),
            _ => None,
        }
    }

    /// The ending of the file that what was drawn is kept in: objects are kept one a line.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            Self::Json | Self::Jsonl => "jsonl",
            Self::Csv => "csv",
        }
    }
}

/// How one page leads to the next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Paging {
    /// By a number, until a page has no records.
    Number {
        /// The parameter or argument that takes it.
        parameter: String,
        /// The first one.
        first: u64,
        /// How much further the next one is.
        step: u64,
    },
    /// By what the page says to ask for next, until it says nothing.
    Cursor {
        /// The parameter or argument that takes it.
        parameter: String,
        /// Where in the page it stands, as `meta.next`.
        at: String,
    },
    /// By the address of the next page, until there is none.
    Link {
        /// Where in the page it stands; none is the header `Link`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<String>,
    },
}

/// How far a source may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataLimits {
    /// How often it may be asked in a minute.
    pub per_minute: u32,
    /// How long one answer may take.
    pub timeout_seconds: u64,
    /// Most pages; a source that has more is refused rather than cut.
    pub max_pages: u32,
    /// Most bytes of all pages together.
    pub max_bytes: u64,
}

impl DataLimits {
    /// What nobody can raise: all that is drawn is archived, so that figures over it can be computed again.
    pub const MOST_BYTES: u64 = 32 << 20;
}

impl Default for DataLimits {
    fn default() -> Self {
        Self { per_minute: 60, timeout_seconds: 60, max_pages: 100, max_bytes: Self::MOST_BYTES }
    }
}

/// A source of data as configured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataCard {
    /// Its name, which its table gets too.
    pub name: String,
    /// Where it is.
    pub place: DataPlace,
    /// What it sends.
    pub format: DataFormat,
    /// Where in the document its list of objects stands, as `result.items`; empty is the document itself.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// How one page leads to the next; without it there is one page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<Paging>,
    /// How far it may go.
    pub limits: DataLimits,
}

impl DataCard {
    /// Where it is, for people.
    #[must_use]
    pub fn shown(&self) -> String {
        match &self.place {
            DataPlace::Url { url, .. } => url.clone(),
            DataPlace::Tool { server, tool, .. } => format!("the tool {tool} of {}", server.name),
        }
    }

    /// The environment variable of its key.
    #[must_use]
    pub fn key_env(&self) -> Option<&str> {
        match &self.place {
            DataPlace::Url { key, .. } => key.as_ref().map(|key| key.env.as_str()),
            DataPlace::Tool { .. } => None,
        }
    }
}
