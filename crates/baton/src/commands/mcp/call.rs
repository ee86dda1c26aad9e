//! From a tool and its arguments to what is done: which command is typed, and what follows from what it prints.

use std::time::Duration;

use rmcp::model::JsonObject;
use serde_json::Value;

use super::grants::Grants;
use super::tools::start_tools;
use super::wait::Wait;

/// A longer wait counts as this: clients commonly give up after a minute.
pub const MOST_SECONDS: u64 = 50;
/// The most results of a search.
const MOST_RESULTS: u64 = 50;

/// A command as it is typed.
#[derive(Debug, Default, PartialEq)]
pub struct CommandLine {
    /// The command and its flags.
    pub words: Vec<&'static str>,
    /// What was given. None of it can be read as a flag.
    pub given: Vec<String>,
    /// Its standard input.
    pub input: Option<String>,
}

impl CommandLine {
    /// A command without input.
    pub fn new<'a>(words: &[&'static str], given: impl IntoIterator<Item = &'a str>) -> Self {
        Self { words: words.to_vec(), given: given.into_iter().map(str::to_owned).collect(), input: None }
    }
}

/// What a call of a tool comes to.
#[derive(Debug, PartialEq)]
pub enum Call {
    /// What the command prints is the answer.
    Tell(CommandLine, Shape),
    /// The run it prints is driven by a process of its own, and waited for.
    Start(CommandLine, Wait),
    /// A run is waited for and shown.
    Show(String, Wait),
    /// A run is stopped and shown.
    Cancel(String),
    /// A question is answered, if that is granted, and the run driven on.
    Answer(Answer),
}

/// How the answer is made of what was printed.
#[derive(Debug, PartialEq)]
pub enum Shape {
    /// It is a list, to be given under this name.
    List(&'static str),
    /// It is the answer, and holds text of documents or pages.
    Foreign,
    /// It is a file of a run.
    File,
    /// It is a document; the part from this character on is given.
    Document(String, usize),
    /// It is a document; this statement and this quote are held against it.
    Check {
        /// The document.
        path: String,
        /// What is stated.
        statement: String,
        /// What it is to rest on.
        quote: String,
    },
}

/// An answer that an assistant wants to give.
#[derive(Debug, PartialEq)]
pub struct Answer {
    /// The run.
    pub run: String,
    /// The question, if it was named.
    pub key: Option<String>,
    /// The answer as a person would type it.
    pub answer: String,
    /// How long to wait for what comes of it.
    pub limit: Duration,
}

/// Why nothing is done.
#[derive(Debug, PartialEq)]
pub enum Refusal {
    /// The call makes no sense.
    Wrong(String),
    /// The person has not granted it.
    NotGranted(String),
}

/// What a call of a tool comes to; an error is a sentence for the assistant.
pub fn call(tool: &str, arguments: &JsonObject, grants: &Grants) -> Result<Call, Refusal> {
    let given = Arguments(arguments);
    let wait = || Ok::<_, Refusal>(Wait { limit: given.seconds()?, seen: None });
    Ok(match tool {
        "list_runs" => Call::Tell(CommandLine::new(&["runs"], []), Shape::List("runs")),
        "show_run" => Call::Show(given.needed("run")?, Wait { seen: given.number("seen")?, ..wait()? }),
        "cancel_run" => Call::Cancel(given.needed("run")?),
        "start_run" => Call::Start(start(&given, grants)?, wait()?),
        "answer_question" => Call::Answer(Answer {
            run: given.needed("run")?,
            key: given.text("key")?,
            answer: given.needed("answer")?,
            limit: given.seconds()?,
        }),
        "read_file" => {
            let run = given.needed("run")?;
            match given.text("path")? {
                None => {
                    Call::Tell(CommandLine::new(&["files", "--names"], [run.as_str()]), Shape::List("files"))
                }
                Some(path) => {
                    let named = format!("--print={path}");
                    Call::Tell(CommandLine::new(&["files"], [named.as_str(), run.as_str()]), Shape::File)
                }
            }
        }
        "search" => Call::Tell(search(&given, grants)?, Shape::Foreign),
        "read_document" => {
            let (path, from) = (inside(&given, grants)?, given.number("from")?.unwrap_or(0));
            let from = usize::try_from(from).unwrap_or(usize::MAX);
            Call::Tell(CommandLine::new(&["read"], [path.as_str()]), Shape::Document(path, from))
        }
        "check" => Call::Tell(check(&given, grants)?, Shape::Foreign),
        "check_quote" => {
            let path = inside(&given, grants)?;
            let typed = CommandLine::new(&["read"], [path.as_str()]);
            let (statement, quote) = (given.words("statement")?, given.words("quote")?);
            Call::Tell(typed, Shape::Check { path, statement, quote })
        }
        "verify_run" => {
            Call::Tell(CommandLine::new(&["verify"], [given.needed("run")?.as_str()]), Shape::Foreign)
        }
        other => match start_tools().find(|tool| tool.name == other) {
            Some(tool) => Call::Start((tool.command)(&given, grants)?, wait()?),
            None => return Err(Refusal::Wrong(format!("there is no tool called `{other}`"))),
        },
    })
}

/// Folders are paths wherever a workflow's input names them.
fn start(given: &Arguments<'_>, grants: &Grants) -> Result<CommandLine, Refusal> {
    let workflow = given.needed("workflow")?;
    if !grants.start.contains(&workflow) {
        let what = "may not be started from here; `baton mcp --allow NAME` allows a workflow by name";
        return Err(Refusal::Wrong(format!("`{workflow}` {what}")));
    }
    let input = given.0.get("input").and_then(Value::as_object);
    let input = input.ok_or_else(|| Refusal::Wrong("`input` must be an object".to_owned()))?;
    if input.contains_key("output") {
        let what = "`output` was refused: what a run writes stays in its folder. Nothing was done; read it with read_file";
        return Err(Refusal::NotGranted(what.to_owned()));
    }
    let mut resolved = input.clone();
    let within = Arguments(input);
    if input.contains_key("docs") {
        let docs = granted(&within.list("docs")?, |path| grants.inside("docs", path))?;
        resolved.insert("docs".to_owned(), docs.into());
    }
    if let Some(path) = within.text("context")? {
        let path = grants.inside("context", &path).map_err(Refusal::NotGranted)?;
        resolved.insert("context".to_owned(), path.into());
    }
    Ok(CommandLine {
        words: vec!["start", "--no-drive"],
        given: vec![workflow, "-".to_owned()],
        input: Some(Value::Object(resolved).to_string()),
    })
}

fn search(given: &Arguments<'_>, grants: &Grants) -> Result<CommandLine, Refusal> {
    let limit = given.number("limit")?.unwrap_or(12).clamp(1, MOST_RESULTS);
    let place = match (given.text("docs")?, given.list("sources")?) {
        (Some(docs), sources) if sources.is_empty() => {
            let docs = grants.inside("docs", &docs).map_err(Refusal::NotGranted)?;
            vec![format!("--docs={docs}")]
        }
        (None, sources) if !sources.is_empty() => {
            flags("--sources", granted(&sources, |name| grants.place(name))?)
        }
        _ => return Err(Refusal::Wrong("either `docs` or `sources` says where to search".to_owned())),
    };
    let words = vec![format!("--limit={limit}"), "--".to_owned(), given.words("words")?];
    Ok(CommandLine { words: vec!["search"], given: [place, words].concat(), input: None })
}

/// A text goes in on stdin: it may begin as it likes and be long.
fn check(given: &Arguments<'_>, grants: &Grants) -> Result<CommandLine, Refusal> {
    let quotes = flags("--quote", given.list("quotes")?);
    let against = match given.text("docs")? {
        Some(docs) if quotes.is_empty() => {
            vec![format!("--docs={}", grants.inside("docs", &docs).map_err(Refusal::NotGranted)?)]
        }
        None if !quotes.is_empty() => quotes,
        _ => return Err(Refusal::Wrong("either `docs` or `quotes` says what to hold it against".to_owned())),
    };
    let (what, input) = match (given.text("path")?, given.0.contains_key("text")) {
        (Some(path), false) => (grants.inside("path", &path).map_err(Refusal::NotGranted)?, None),
        (None, true) => ("-".to_owned(), Some(given.words("text")?)),
        _ => return Err(Refusal::Wrong("either `text` or `path` says what to check".to_owned())),
    };
    Ok(CommandLine { words: vec!["check"], given: [against, vec![what]].concat(), input })
}

fn inside(given: &Arguments<'_>, grants: &Grants) -> Result<String, Refusal> {
    grants.inside("path", &given.needed("path")?).map_err(Refusal::NotGranted)
}

/// Every one of these names as it was granted.
pub fn granted(
    names: &[String],
    grant: impl Fn(&str) -> Result<String, String>,
) -> Result<Vec<String>, Refusal> {
    names.iter().map(|name| grant(name)).collect::<Result<_, _>>().map_err(Refusal::NotGranted)
}

/// Each entry of a list in one word with its flag, so that it cannot be read as another.
pub fn flags(flag: &str, entries: Vec<String>) -> Vec<String> {
    entries.into_iter().map(|entry| format!("{flag}={entry}")).collect()
}

/// The arguments of a call.
pub struct Arguments<'a>(&'a JsonObject);

impl Arguments<'_> {
    /// A word or a name, if it was given.
    pub fn text(&self, name: &str) -> Result<Option<String>, Refusal> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if is_flag(text) => {
                Err(Refusal::Wrong(format!("`{name}` may not begin with a dash")))
            }
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(Refusal::Wrong(format!("`{name}` must be text"))),
        }
    }

    /// One that must be given.
    pub fn needed(&self, name: &str) -> Result<String, Refusal> {
        self.text(name)?.ok_or_else(|| Refusal::Wrong(format!("`{name}` is missing")))
    }

    /// Free text may begin as it likes: it goes where no flag is read.
    pub fn words(&self, name: &str) -> Result<String, Refusal> {
        let text = self.0.get(name).and_then(Value::as_str);
        text.map(str::to_owned).ok_or_else(|| Refusal::Wrong(format!("`{name}` must be text")))
    }

    /// A list of texts; empty if none was given.
    pub fn list(&self, name: &str) -> Result<Vec<String>, Refusal> {
        let Some(list) = self.0.get(name) else { return Ok(Vec::new()) };
        let texts =
            |entries: &Vec<Value>| entries.iter().map(|entry| entry.as_str().map(str::to_owned)).collect();
        let entries: Option<Vec<String>> = list.as_array().and_then(texts);
        entries.ok_or_else(|| Refusal::Wrong(format!("`{name}` must be a list of texts")))
    }

    /// A whole number; none if none was given.
    pub fn number(&self, name: &str) -> Result<Option<u64>, Refusal> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match value.as_u64() {
                Some(number) => Ok(Some(number)),
                None => Err(Refusal::Wrong(format!("`{name}` must be a whole number, not below 0"))),
            },
        }
    }

    fn seconds(&self) -> Result<Duration, Refusal> {
        let seconds = self.number("wait_seconds")?.unwrap_or(0).min(MOST_SECONDS);
        Ok(Duration::from_secs(seconds))
    }
}

/// Whether a command would take this for a flag; a number below zero it would not.
fn is_flag(text: &str) -> bool {
    text.starts_with('-') && text.parse::<f64>().is_err()
}

#[cfg(test)]
mod tests;
