//! Research as a tool of an assistant.

use serde_json::json;

use crate::commands::mcp::{CommandLine, StartTool, flags, granted};

/// Starts it.
pub static TOOL: StartTool = StartTool {
    name: "research",
    description: "Researches a question in folders of documents or in places beyond this machine: records a run and \
                  drives it in the background. It asks whether its plan is right, and ends with a report that cites its \
                  sources.",
    takes: |folder| {
        json!({
            "question": { "type": "string" },
            "docs": { "type": "array", "items": folder("A folder of documents") },
            "sources": {
                "type": "array", "items": { "type": "string" },
                "description": "Instead of docs: wikipedia, arxiv, openalex, crossref, or names the person has set up",
            },
        })
    },
    required: &["question"],
    command: |given, grants| {
        let docs = granted(&given.list("docs")?, |path| grants.inside("docs", path))?;
        let places = [flags("--docs", docs), flags("--sources", given.list("sources")?)].concat();
        Ok(CommandLine {
            words: vec!["research", "--no-drive"],
            given: [places, vec!["-".to_owned()]].concat(),
            input: Some(given.words("question")?),
        })
    },
};
