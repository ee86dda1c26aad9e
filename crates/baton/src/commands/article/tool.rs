//! An article as a tool of an assistant.

use serde_json::json;

use crate::commands::mcp::{CommandLine, StartTool, flags, granted};

/// Starts it.
pub static TOOL: StartTool = StartTool {
    name: "article",
    description: "Writes a sourced article from a topic: records a run and drives it in the background. Every sentence rests \
                  on words of the documents; the text is measured and planned again until it is good enough.",
    takes: |folder| {
        json!({
            "topic": { "type": "string" },
            "words": { "type": "integer", "description": "How long it should be" },
            "docs": { "type": "array", "items": folder("A folder of documents") },
            "sources": {
                "type": "array", "items": { "type": "string" },
                "description": "Instead of docs: wikipedia, arxiv, openalex, crossref, or names the person has set up",
            },
        })
    },
    required: &["topic"],
    command: |given, grants| {
        let docs = granted(&given.list("docs")?, |path| grants.inside("docs", path))?;
        let places = [flags("--docs", docs), flags("--sources", given.list("sources")?)].concat();
        let brief = json!({ "topic": given.words("topic")?, "target_length": given.number("words")?.unwrap_or(1000) });
        Ok(CommandLine {
            words: vec!["article", "--no-drive"],
            given: [places, vec!["-".to_owned()]].concat(),
            input: Some(brief.to_string()),
        })
    },
};
