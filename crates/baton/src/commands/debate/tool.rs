//! A debate as a tool of an assistant.

use serde_json::json;

use crate::commands::mcp::{CommandLine, Refusal, StartTool};

/// Starts it.
pub static TOOL: StartTool = StartTool {
    name: "debate",
    description: "Lets the panel the person has set up debate a problem: records a run and drives it in the background. \
                  It ends with a decision that keeps votes and dissent.",
    takes: |folder| {
        json!({
            "problem": { "type": "string" },
            "context": folder("A folder the panel may look into"),
        })
    },
    required: &["problem"],
    command: |given, grants| {
        let context = given.text("context")?.map(|path| grants.inside("context", &path));
        let context = context.transpose().map_err(Refusal::NotGranted)?;
        Ok(CommandLine {
            words: vec!["debate", "--no-drive", "--problem-file=-"],
            given: context.map(|path| format!("--context={path}")).into_iter().collect(),
            input: Some(given.words("problem")?),
        })
    },
};
