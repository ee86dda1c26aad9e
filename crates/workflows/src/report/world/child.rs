//! The child that works on data: it may read the named files, use its scratch folder, and nothing else. A hostile file
//! can at worst end the child.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use baton_agents::confine::{Confinement, Readable, confine};
use baton_agents::read::extract::ChildCommand;
use baton_figures::{Request, Response, Work, perform};

/// First argument of the child: the hidden command that calls [`child_main`].
pub const CHILD_ARGUMENT: &str = "compute";
/// Bytes of address space of the child. What it holds at once is far less; sorting maps files.
const MEMORY: u64 = 3 << 30;
/// Longest time for one piece of work.
const SECONDS: u64 = 1800;
/// Longest answer, in bytes.
const LONGEST: u64 = 256 << 20;

type Answered = Result<Response, String>;

/// Puts work to a new child.
pub fn ask(command: &ChildCommand, request: &Request) -> Answered {
    let failed = |error: std::io::Error| format!("the reading process could not be started ({error})");
    let mut process = Command::new(&command.program)
        .args(&command.arguments)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    let (Some(mut input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
        return Err("the reading process has no pipes".to_owned());
    };
    let mut line = serde_json::to_vec(request).map_err(|error| error.to_string())?;
    line.push(b'\n');
    let (send, answers) = channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        let read = BufReader::new(output.take(LONGEST)).read_line(&mut line);
        // Nobody may wait any more.
        let _ = send.send(read.map(|_| line));
    });
    let sent = input.write_all(&line).and_then(|()| input.flush());
    drop(input);
    match answers.recv_timeout(Duration::from_secs(SECONDS)) {
        Ok(Ok(line)) if !line.is_empty() && sent.is_ok() => {
            end(process);
            serde_json::from_str::<Answered>(&line)
                .unwrap_or_else(|error| Err(format!("the reading process answered garbled ({error})")))
        }
        Err(RecvTimeoutError::Timeout) => {
            end(process);
            Err(format!("reading the data took longer than {SECONDS} s"))
        }
        Ok(_) | Err(RecvTimeoutError::Disconnected) => {
            let status = process.wait().map(|status| status.to_string()).unwrap_or_default();
            Err(format!(
                "the reading process ended ({status}), probably out of memory or on a malformed part"
            ))
        }
    }
}

/// Ends a child and collects it. Killing one that is already gone is no error.
fn end(mut process: Child) {
    let _ = process.kill();
    let _ = process.wait();
}

/// Body of the hidden command: one request in, one answer out.
#[must_use]
pub fn child_main() -> ExitCode {
    let mut line = String::new();
    if BufReader::new(std::io::stdin().lock()).read_line(&mut line).is_err() {
        return ExitCode::FAILURE;
    }
    let answered = serde_json::from_str::<Request>(&line)
        .map_err(|error| error.to_string())
        .and_then(|request| work(&request));
    let mut out = std::io::stdout().lock();
    let written = serde_json::to_writer(&mut out, &answered).is_ok()
        && out.write_all(b"\n").is_ok()
        && out.flush().is_ok();
    if written { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn work(request: &Request) -> Answered {
    let confinement = Confinement {
        memory: Some(MEMORY),
        readable: Readable::Files(files(&request.work)),
        writable: request.scratch.iter().cloned().collect(),
        ..Confinement::default()
    };
    confine(&confinement)?;
    let parse = std::panic::AssertUnwindSafe(|| perform(request).map_err(|error| error.to_string()));
    std::panic::catch_unwind(parse)
        .unwrap_or_else(|_| Err("the reader gave up on a malformed part".to_owned()))
}

/// The files a piece of work names.
fn files(work: &Work) -> Vec<PathBuf> {
    match work {
        Work::Profile { files, .. } => files.clone(),
        Work::Answer { profiles, .. } | Work::Find { profiles } => {
            profiles.tables.iter().map(|table| PathBuf::from(&table.reading.file)).collect()
        }
        Work::Verify { tables, .. } => tables.iter().map(|table| PathBuf::from(&table.file)).collect(),
        Work::Rows { table, .. } => vec![PathBuf::from(&table.file)],
    }
}
