//! `baton start`: records a run with its input, and drives it.

use std::path::Path;

use baton_agents::read::bounded;
use baton_engine::engine::StartError;
use serde_json::Value;

use crate::catalogue::find;
use crate::exit::Exit;
use crate::export;
use crate::launch::{LaunchArgs, launch};
use crate::program::Program;
use crate::trouble::Trouble;

/// Start a run and drive it
///
/// The input is TOML or JSON. The run is driven until it ends, stops or waits. On a terminal its questions
/// are asked right here; elsewhere the command ends with code 5 and says what to type.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton start approval release.toml
  baton start approval - --yes < release.json"
)]
pub struct Args {
    /// The workflow; `baton doctor` lists them
    pub workflow: String,
    /// The input, or `-` for stdin
    #[arg(value_name = "FILE")]
    pub input: String,
    #[command(flatten)]
    pub launch: LaunchArgs,
}

/// Starts a run.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let (flow, row) = (program.flow(&args.workflow)?, find(&args.workflow)?);
    let input = read(&args.input)?;
    if let Some(output) = (row.allowance)(input.clone()).and_then(|allowed| allowed.output) {
        export::check(row.exports, &output)?;
    }
    program.tell_held_back(args.launch.budget_usd.is_some());
    let engine = program.engine()?;
    let settings = args.launch.settings(program, row.settings);
    let run = flow.start(&engine, input, settings).map_err(|error| match error {
        StartError::Input(what) => {
            unfit(&args.input, &format!("it does not fit the workflow {}: {what}", flow.name()))
        }
        error => Trouble::Start(error),
    })?;
    launch(program, &engine, &run, &args.launch)
}

/// The input as JSON, whatever it was written in.
pub fn read(name: &str) -> Result<Value, Trouble> {
    parsed(name, &text(name)?)
}

/// The value a text holds; `name` tells its kind.
pub fn parsed(name: &str, text: &str) -> Result<Value, Trouble> {
    parse(name, text).map_err(|what| unfit(name, &what))
}

/// The text of a file, or of stdin for `-`.
pub fn text(name: &str) -> Result<String, Trouble> {
    bounded::text_or_stdin(name, bounded::WRITTEN)
        .map_err(|refusal| unfit(name, &format!("it cannot be read ({})", std::io::Error::from(refusal))))
}

fn parse(name: &str, text: &str) -> Result<Value, String> {
    let json = || serde_json::from_str::<Value>(text).map_err(|error| format!("it is not JSON: {error}"));
    let toml = || match toml::from_str::<toml::Table>(text) {
        Ok(table) => Ok(plain(toml::Value::Table(table))),
        Err(error) => Err(format!("it is not TOML: {}", error.to_string().trim_end())),
    };
    match Path::new(name).extension().and_then(|end| end.to_str()) {
        Some("json") => json(),
        Some("toml") => toml(),
        // A name that does not tell: what begins like JSON is meant as JSON.
        _ if text.trim_start().starts_with(['{', '[']) => json().or_else(|what| toml().map_err(|_| what)),
        _ => toml(),
    }
}

/// TOML as JSON; its dates become text.
fn plain(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::String(text),
        toml::Value::Integer(number) => Value::from(number),
        toml::Value::Float(number) => Value::from(number),
        toml::Value::Boolean(yes) => Value::Bool(yes),
        toml::Value::Datetime(at) => Value::String(at.to_string()),
        toml::Value::Array(items) => items.into_iter().map(plain).collect(),
        toml::Value::Table(table) => table.into_iter().map(|(name, value)| (name, plain(value))).collect(),
    }
}

/// An input that cannot be used.
pub fn unfit(name: &str, what: &str) -> Trouble {
    let file = if name == "-" { "the input".to_owned() } else { name.to_owned() };
    Trouble::Input { what: format!("{file}: {what}"), file }
}

#[cfg(test)]
mod tests;
