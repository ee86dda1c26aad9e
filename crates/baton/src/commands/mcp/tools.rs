//! The tools, as data: what an assistant is told, and which command each one is.

use rmcp::model::JsonObject;
use serde_json::{Value, json};

/// What an assistant is told of the whole.
pub const INSTRUCTIONS: &str = "Baton runs long jobs as durable state machines. Start one with research or debate, look \
at it with show_run until its status is finished, answer its open questions with answer_question after asking \
the person, and read what it wrote with read_file.";

/// A tool as an assistant sees it.
pub struct Described {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub description: String,
    /// What it takes.
    pub schema: JsonObject,
}

/// What a call of a tool comes to.
#[derive(Debug, PartialEq)]
pub struct Call {
    /// The command and its flags.
    pub words: Vec<&'static str>,
    /// What was given. None of it can be read as a flag.
    pub given: Vec<String>,
    /// Its standard input.
    pub input: Option<String>,
    /// What to do with what it prints.
    pub then: Then,
}

/// What follows a command.
#[derive(Debug, PartialEq)]
pub enum Then {
    /// What it printed is the answer.
    Answer,
    /// The run it printed is driven on by a process of its own.
    Drive,
    /// It printed the paths of a run's files; the one with this name is the answer, without a name their names.
    Read(Option<String>),
}

/// All tools.
pub fn all(workflows: &[String]) -> Vec<Described> {
    let run = json!({ "type": "string", "description": "A run's id, a beginning of it, or `last`" });
    let tool = |name, description: &str, properties: Value, required: &[&str]| Described {
        name,
        description: description.to_owned(),
        schema: object(&properties, required),
    };
    let start_run = || {
        tool(
            "start_run",
            &format!(
                "Records a run and drives it in the background; returns its id. Workflows: {}.",
                workflows.join(", ")
            ),
            json!({
                "workflow": { "type": "string", "enum": workflows },
                "input": { "type": "object", "description": "The workflow's input" },
            }),
            &["workflow", "input"],
        )
    };
    let mut tools = vec![
        tool("list_runs", "The newest runs with their states.", json!({}), &[]),
        tool(
            "research",
            "Researches a question in folders of documents or in places beyond this machine: records a run and drives \
             it in the background; returns its id. It asks whether its plan is right, and ends with a report that cites \
             its sources.",
            json!({
                "question": { "type": "string" },
                "docs": { "type": "array", "items": { "type": "string" }, "description": "Folders of documents" },
                "sources": {
                    "type": "array", "items": { "type": "string" },
                    "description": "Instead of docs: wikipedia, arxiv, openalex, crossref, or names the person has set up",
                },
            }),
            &["question"],
        ),
        tool(
            "debate",
            "Lets the panel the person has set up debate a problem: records a run and drives it in the background; \
             returns its id. It ends with a decision that keeps votes and dissent.",
            json!({ "problem": { "type": "string" } }),
            &["problem"],
        ),
        tool(
            "show_run",
            "Where a run stands, what it waits for, its open questions.",
            json!({ "run": run }),
            &["run"],
        ),
        tool(
            "answer_question",
            "Answers an open question of a run and lets it go on. Ask the person first.",
            json!({
                "run": run,
                "key": { "type": "string", "description": "The question's key, if several are open" },
                "answer": { "type": "string", "description": "yes, no, a word, or JSON" },
            }),
            &["run", "answer"],
        ),
        tool(
            "cancel_run",
            "Stops a run for good; what it has done is kept.",
            json!({ "run": run }),
            &["run"],
        ),
        tool(
            "read_file",
            "A file the run wrote for people (report, log, evidence); without a path, the names of all.",
            json!({ "run": run, "path": { "type": "string" } }),
            &["run"],
        ),
    ];
    // Without a workflow that may be started there is nothing to offer.
    if !workflows.is_empty() {
        tools.insert(3, start_run());
    }
    tools
}

fn object(properties: &Value, required: &[&str]) -> JsonObject {
    let schema = json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false,
    });
    schema.as_object().cloned().unwrap_or_default()
}

/// The command that a call of a tool is; an error is a sentence for the assistant.
pub fn call(tool: &str, arguments: &JsonObject, workflows: &[String]) -> Result<Call, String> {
    let text = |name: &str| match arguments.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if is_flag(text) => Err(format!("`{name}` may not begin with a dash")),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(format!("`{name}` must be text")),
    };
    let needed = |name: &str| text(name)?.ok_or_else(|| format!("`{name}` is missing"));
    let answered = |words, given| Call { words, given, input: None, then: Then::Answer };
    Ok(match tool {
        "list_runs" => answered(vec!["runs"], vec![]),
        "show_run" => answered(vec!["show"], vec![needed("run")?]),
        "cancel_run" => answered(vec!["cancel"], vec![needed("run")?]),
        "research" => Call {
            words: vec!["research", "--no-drive"],
            given: [
                flags("--docs", arguments.get("docs"))?,
                flags("--sources", arguments.get("sources"))?,
                vec!["-".to_owned()],
            ]
            .concat(),
            input: Some(words("question", arguments)?),
            then: Then::Drive,
        },
        "debate" => Call {
            words: vec!["debate", "--no-drive", "--problem-file=-"],
            given: Vec::new(),
            input: Some(words("problem", arguments)?),
            then: Then::Drive,
        },
        "start_run" => {
            let input = arguments.get("input").filter(|input| input.is_object());
            let input = input.ok_or("`input` must be an object")?.to_string();
            let workflow = needed("workflow")?;
            if !workflows.contains(&workflow) {
                return Err(format!(
                    "`{workflow}` may not be started from here; `baton mcp --allow NAME` allows a workflow by name"
                ));
            }
            let given = vec![workflow, "-".to_owned()];
            Call { words: vec!["start", "--no-drive"], given, input: Some(input), then: Then::Drive }
        }
        "answer_question" => {
            let mut given = vec![needed("run")?];
            given.extend(text("key")?);
            given.push(needed("answer")?);
            Call { words: vec!["answer", "--no-drive"], given, input: None, then: Then::Drive }
        }
        "read_file" => Call {
            words: vec!["files"],
            given: vec![needed("run")?],
            input: None,
            then: Then::Read(text("path")?),
        },
        other => return Err(format!("there is no tool called `{other}`")),
    })
}

/// Free text goes through standard input, so that it may begin as it likes.
fn words(name: &str, arguments: &JsonObject) -> Result<String, String> {
    let text = arguments.get(name).and_then(Value::as_str);
    text.map(str::to_owned).ok_or_else(|| format!("`{name}` must be text"))
}

/// Each entry of a list in one word with its flag, so that it cannot be read as another.
fn flags(flag: &str, list: Option<&Value>) -> Result<Vec<String>, String> {
    let Some(list) = list else { return Ok(Vec::new()) };
    let entries =
        list.as_array().map(|entries| entries.iter().map(Value::as_str).collect::<Option<Vec<_>>>());
    let entries = entries.flatten().ok_or_else(|| format!("`{}` must be a list of texts", &flag[2..]))?;
    Ok(entries.into_iter().map(|entry| format!("{flag}={entry}")).collect())
}

/// Whether a command would take this for a flag; a number below zero it would not.
fn is_flag(text: &str) -> bool {
    text.starts_with('-') && text.parse::<f64>().is_err()
}

#[cfg(test)]
mod tests;
