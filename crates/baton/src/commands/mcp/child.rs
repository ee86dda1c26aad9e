//! Running commands of this program: a child with `--json`, and drivers that outlive us.

use std::io;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use baton_engine::Clock;
use serde_json::Value;
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

use super::call::CommandLine;
use super::client::Client;
use crate::home::NamedBy;
use crate::program::Program;

/// How often it is told that a command is still at work.
const BEAT: Duration = Duration::from_secs(1);

/// How to run this program again.
pub struct Child {
    /// The home all of them work on.
    pub home: PathBuf,
    /// The time.
    pub clock: Arc<dyn Clock>,
    program: PathBuf,
    /// The home as it was typed; another one a child finds as we did, and with it what is trusted.
    typed: Option<PathBuf>,
    who: String,
}

impl Child {
    /// Children that work on the same home, in the same folder.
    pub fn of(program: &Program) -> io::Result<Self> {
        let home = program.home.path.clone();
        Ok(Self {
            typed: (program.home.named_by == NamedBy::Flag).then(|| home.clone()),
            home,
            clock: Arc::clone(&program.clock),
            program: std::env::current_exe()?,
            who: format!("{} through MCP", program.who),
        })
    }

    fn command(&self, typed: &CommandLine) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&typed.words).arg("--json");
        if let Some(home) = &self.typed {
            command.arg("--home").arg(home);
        }
        command.args(&typed.given);
        command.env("USER", &self.who).stdin(Stdio::null());
        command
    }

    /// What a command prints; an error is what it says.
    pub async fn run(&self, typed: CommandLine, client: &Client) -> Result<Value, String> {
        let broken = |error: io::Error| format!("the command could not be run: {error}");
        let mut command = self.command(&typed);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().map_err(broken)?;
        if let (Some(mut stdin), Some(input)) = (child.stdin.take(), &typed.input) {
            stdin.write_all(input.as_bytes()).await.map_err(broken)?;
        }
        let mut end = std::pin::pin!(child.wait_with_output());
        let output = loop {
            tokio::select! {
                biased;
                output = &mut end => break output.map_err(broken)?,
                () = client.gone() => return Err("nobody waits for this any more".to_owned()),
                () = self.clock.until(self.clock.now().plus(BEAT)) => {
                    client.notify(format!("baton {} is at work", typed.words.join(" "))).await;
                }
            }
        };
        let said = || String::from_utf8_lossy(&output.stderr).trim().to_owned();
        let value: Value = serde_json::from_slice(&output.stdout).map_err(|_| said())?;
        if value.get("error").is_some() { Err(said()) } else { Ok(value) }
    }

    /// Starts a driver that outlives us: a run does not end because an assistant leaves.
    pub fn drive(&self, run: &str) -> Result<(), String> {
        let mut command = self.command(&CommandLine::new(&["resume"], [run]));
        command.stdout(Stdio::null()).stderr(Stdio::null());
        #[cfg(unix)]
        command.process_group(0);
        let spawned = command.spawn().map(drop);
        spawned.map_err(|error| format!("run {run} is recorded, but not driven: {error}"))
    }
}
