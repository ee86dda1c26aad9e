//! A report as a tool of an assistant.

use serde_json::json;

use crate::commands::mcp::{CommandLine, StartTool, flags, granted};

/// Starts it.
pub static TOOL: StartTool = StartTool {
    name: "report",
    description: "Writes an illustrated report from tables and documents: records a run and drives it in the background. Every \
                  number is computed from the data or quoted, and can be computed again.",
    takes: |folder| {
        json!({
            "query": { "type": "string", "description": "What the report is to answer; may have numbered sections" },
            "data": { "type": "array", "items": folder("A file or folder of data: CSV, JSON, XLSX, ODS, SQLite") },
            "docs": { "type": "array", "items": folder("A folder of documents") },
            "sources": {
                "type": "array", "items": { "type": "string" },
                "description": "Instead of docs: wikipedia, arxiv, openalex, crossref, or names the person has set up",
            },
        })
    },
    required: &["query"],
    command: |given, grants| {
        let data = granted(&given.list("data")?, |path| grants.inside("data", path))?;
        let docs = granted(&given.list("docs")?, |path| grants.inside("docs", path))?;
        let places =
            [flags("--data", data), flags("--docs", docs), flags("--sources", given.list("sources")?)]
                .concat();
        Ok(CommandLine {
            words: vec!["report", "--no-drive"],
            given: [places, vec!["-".to_owned()]].concat(),
            input: Some(given.words("query")?),
        })
    },
};
