//! Carrying out a call: a child of this program with `--json`, and what follows from what it prints.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use baton_agents::read::bounded;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

use super::tools::{Call, Then};
use crate::program::Program;

/// The largest file an assistant is given.
const MOST_BYTES: u64 = 1 << 20;

/// How to run this program again.
pub struct Child {
    program: PathBuf,
    home: PathBuf,
    who: String,
}

impl Child {
    /// Children that work on the same home, in the same folder.
    pub fn of(program: &Program) -> io::Result<Self> {
        let who = format!("{} through MCP", program.who);
        Ok(Self { program: std::env::current_exe()?, home: program.home.path.clone(), who })
    }

    /// Carries out a call; an error is what the command said.
    pub async fn carry_out(&self, call: Call) -> Result<Value, String> {
        let printed = self.run(&call).await?;
        match call.then {
            Then::Answer => Ok(printed),
            Then::Drive => {
                let run = printed["run"].as_str().ok_or("the command named no run")?;
                self.drive(run).map_err(|error| format!("run {run} is recorded, but not driven: {error}"))?;
                Ok(printed)
            }
            Then::Read(name) => read(&printed, name.as_deref()).await,
        }
    }

    fn command(&self, words: &[&str], given: &[String]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(words).args(["--json", "--home"]).arg(&self.home).args(given);
        command.env("USER", &self.who).stdin(Stdio::null());
        command
    }

    async fn run(&self, call: &Call) -> Result<Value, String> {
        let broken = |error: io::Error| format!("the command could not be run: {error}");
        let mut command = self.command(&call.words, &call.given);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().map_err(broken)?;
        if let (Some(mut stdin), Some(input)) = (child.stdin.take(), &call.input) {
            stdin.write_all(input.as_bytes()).await.map_err(broken)?;
        }
        let output = child.wait_with_output().await.map_err(broken)?;
        let value: Value = serde_json::from_slice(&output.stdout)
            .map_err(|_| String::from_utf8_lossy(&output.stderr).trim().to_owned())?;
        match value.get("error") {
            None => Ok(value),
            Some(_) => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
        }
    }

    /// Starts a driver that outlives us: a run does not end because an assistant leaves.
    fn drive(&self, run: &str) -> io::Result<()> {
        let mut command = self.command(&["resume"], &[run.to_owned()]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        #[cfg(unix)]
        command.process_group(0);
        command.spawn().map(drop)
    }
}

/// Only files the run itself lists can be read, so no name leads out of its folder.
async fn read(paths: &Value, name: Option<&str>) -> Result<Value, String> {
    let paths: Vec<&str> = paths.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let Some(name) = name else { return Ok(json!({ "files": paths })) };
    let path = paths.iter().find(|path| Path::new(path).ends_with(name));
    let path = path.ok_or_else(|| format!("the run has no file called `{name}`"))?;
    let file = PathBuf::from(path);
    let read = tokio::task::spawn_blocking(move || bounded::text(&file, MOST_BYTES)).await;
    let read = read.map_err(|error| format!("{path} cannot be read: {error}"))?;
    read.map(Value::String).map_err(|refusal| format!("{path} cannot be given: {}", io::Error::from(refusal)))
}
