//! Foreign formats are parsed by a child of our own binary: a hostile document can at worst end the child.
//!
//! The parent sends documents one after the other over a pipe; the child answers each with one line of JSON. The
//! child can open no files, has a limit on memory, and the parent ends it when one document takes too long. A child
//! that ends takes only the document it was reading with it; the next one gets a new child.

mod child;

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::files::Limits;
use super::{Format, ReadError, Reading};

pub use child::child_main;

/// First argument of the child: the hidden command that calls [`child_main`].
pub const CHILD_ARGUMENT: &str = "extract";
/// Documents one child reads before it is replaced, so that leaks stay small.
const PER_CHILD: usize = 64;

/// How to start the child.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChildCommand {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
}

impl ChildCommand {
    /// The running program itself with [`CHILD_ARGUMENT`].
    pub fn this_program() -> std::io::Result<Self> {
        Ok(Self { program: std::env::current_exe()?, arguments: vec![CHILD_ARGUMENT.to_owned()] })
    }
}

/// What precedes the bytes of a document on the pipe.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    format: Format,
    declared: Option<String>,
    length: u64,
    unpacked_limit: u64,
}

/// Hands documents to a child process and takes back what they say.
#[derive(Debug)]
pub struct Extractor {
    command: ChildCommand,
    limits: Limits,
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    process: Child,
    input: ChildStdin,
    answers: Receiver<String>,
    served: usize,
}

impl Extractor {
    /// No child is started until the first document.
    #[must_use]
    pub fn new(command: ChildCommand, limits: &Limits) -> Self {
        Self { command, limits: limits.clone(), running: None }
    }

    /// Parses one document in the child.
    pub fn extract(
        &mut self,
        format: Format,
        bytes: &[u8],
        declared: Option<&str>,
    ) -> Result<Reading, ReadError> {
        if self.running.as_ref().is_some_and(|running| running.served >= PER_CHILD) {
            self.stop();
        }
        let mut running = match self.running.take() {
            Some(running) => running,
            None => self.start()?,
        };
        let header = Header {
            format,
            declared: declared.map(str::to_owned),
            length: bytes.len() as u64,
            unpacked_limit: self.limits.unpacked_bytes,
        };
        let sent = send(&mut running.input, &header, bytes);
        let answer = running.answers.recv_timeout(Duration::from_secs(self.limits.child_seconds));
        match answer {
            Ok(line) if sent.is_ok() => {
                running.served += 1;
                self.running = Some(running);
                serde_json::from_str(&line).unwrap_or_else(|error| {
                    Err(ReadError::Child(format!("the answer was garbled ({error})")))
                })
            }
            Err(RecvTimeoutError::Timeout) => {
                end(running);
                Err(ReadError::Child(format!("it took longer than {} s", self.limits.child_seconds)))
            }
            Ok(_) | Err(RecvTimeoutError::Disconnected) => Err(ReadError::Child(last_words(running))),
        }
    }

    fn start(&self) -> Result<Running, ReadError> {
        let failed = |error: std::io::Error| {
            ReadError::Child(format!("the reading process could not be started ({error})"))
        };
        let mut process = Command::new(&self.command.program)
            .args(&self.command.arguments)
            .arg(self.limits.child_memory.to_string())
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(ReadError::Child("the reading process has no pipes".to_owned()));
        };
        let (send, answers) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    return; // nobody waits any more
                }
            }
        });
        Ok(Running { process, input, answers, served: 0 })
    }

    fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            end(running);
        }
    }
}

impl Drop for Extractor {
    fn drop(&mut self) {
        self.stop();
    }
}

fn send(input: &mut ChildStdin, header: &Header, bytes: &[u8]) -> std::io::Result<()> {
    serde_json::to_writer(&mut *input, header)?;
    input.write_all(b"\n")?;
    input.write_all(bytes)?;
    input.flush()
}

/// Ends a child and collects it. Killing one that is already gone is no error.
fn end(mut running: Running) {
    drop(running.input);
    let _ = running.process.kill();
    let _ = running.process.wait();
}

/// How a child that went away ended.
fn last_words(mut running: Running) -> String {
    drop(running.input);
    match running.process.wait() {
        Ok(status) => {
            format!("the reading process ended ({status}), probably out of memory or on a malformed part")
        }
        Err(error) => format!("the reading process was lost ({error})"),
    }
}
