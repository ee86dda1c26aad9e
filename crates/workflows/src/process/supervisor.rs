//! The supervisor: a process between us and the one that is run, our own program started again under a hidden word.
//!
//! It declares itself the reaper of its descendants, so an orphan becomes its child whatever session it made. When its
//! line to us closes it kills every descendant it sees, and again after each death, until the kernel says that it has
//! no child left. That is a proof: whoever descends from it has a living ancestor among its children, or is one.
//!
//! The line is a socket on its stdin. We send the input, then [`TERMINATE`] or [`RELEASE`]; it sends one line of JSON
//! when the process has ended.

use std::ffi::OsString;
use std::io::{Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::process::{Pid, Signal, WaitOptions, WaitStatus};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};

use super::{Confinement, ExitKind, ProcessError};

/// The hidden word after which a program has to call [`supervise`] with the arguments that follow.
const WORD: &str = "supervise-process";
/// Stands for the number of bytes of input where there is none.
const NO_INPUT: &str = "-";
/// Stands for the confinement where there is none.
const FREE: &str = "-";
/// Asks everything to clean up and end.
pub(super) const TERMINATE: u8 = b't';
/// Lets go of what is still running.
pub(super) const RELEASE: u8 = b'r';

/// How a supervisor is started.
#[derive(Clone, Debug)]
pub struct Supervisor {
    program: PathBuf,
    args: Vec<OsString>,
}

impl Supervisor {
    /// A program whose `main` begins with [`supervise`], and the arguments it wants before those of [`supervise`].
    pub fn new(program: PathBuf, args: Vec<OsString>) -> Self {
        Self { program, args }
    }

    /// The running program itself.
    pub fn this_program() -> std::io::Result<Self> {
        // A program that was replaced while it ran has no path any more, but this still leads to it.
        let program =
            if cfg!(target_os = "linux") { "/proc/self/exe".into() } else { std::env::current_exe()? };
        Ok(Self::new(program, Vec::new()))
    }

    pub(super) fn command(
        &self,
        input: Option<usize>,
        confinement: Option<&Confinement>,
    ) -> std::io::Result<tokio::process::Command> {
        let mut command = tokio::process::Command::new(&self.program);
        command.arg0("baton").args(&self.args).arg(WORD);
        command.arg(input.map_or(NO_INPUT.to_owned(), |bytes| bytes.to_string()));
        command.arg(confinement.map_or(Ok(FREE.to_owned()), serde_json::to_string)?);
        Ok(command)
    }
}

/// What a supervisor tells of its process.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Report {
    Ended(ExitKind),
    /// It could not be started: the error's number.
    NotStarted(Option<i32>),
    /// The system cannot confine it.
    NotConfined,
}

/// Our end of the line.
pub(super) struct Line {
    line: BufReader<tokio::net::UnixStream>,
    process: tokio::process::Child,
}

impl Line {
    pub(super) fn new(line: tokio::net::UnixStream, process: tokio::process::Child) -> Self {
        Self { line: BufReader::new(line), process }
    }

    pub(super) async fn exit(&mut self) -> Result<ExitKind, ProcessError> {
        let mut report = String::new();
        // A line that breaks and one that closes say the same: nobody is there any more.
        let _ = self.line.read_line(&mut report).await;
        match serde_json::from_str(&report) {
            Ok(Report::Ended(exit)) => Ok(exit),
            Ok(Report::NotStarted(Some(number))) => Err(std::io::Error::from_raw_os_error(number).into()),
            Ok(Report::NotConfined) => {
                Err(std::io::Error::new(std::io::ErrorKind::Unsupported, "the system cannot confine it")
                    .into())
            }
            Ok(Report::NotStarted(None)) => Err(std::io::Error::other("it could not be started").into()),
            Err(_) => Err(ProcessError::Lost),
        }
    }

    pub(super) async fn closed(&mut self) {
        let _ = self.line.read_to_end(&mut Vec::new()).await;
        let _ = self.process.wait().await;
    }
}

/// Supervises a process, if this program was started for that: `WORD BYTES CONFINEMENT PROGRAM ARGUMENTS...`. Otherwise it does
/// nothing and says so. To be called before anything else, with the program's arguments without its name.
pub fn supervise(args: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    let mut args = args.into_iter();
    if args.next()? != WORD {
        return None;
    }
    let input = args.next()?.into_string().ok()?;
    let confinement = args.next()?.into_string().ok()?;
    let program = args.next()?;
    let done = run(&input, &confinement, &program, args);
    Some(if done.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn run(
    input: &str,
    confinement: &str,
    program: &OsString,
    args: impl Iterator<Item = OsString>,
) -> std::io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    let input = match input {
        NO_INPUT => None,
        bytes => Some(receive(bytes.parse().map_err(std::io::Error::other)?)?),
    };
    if confinement != FREE {
        let entered =
            serde_json::from_str::<Confinement>(confinement).map_err(Into::into).and_then(|it| it.enter());
        if entered.is_err() {
            return tell(&Report::NotConfined);
        }
    }
    let mut command = std::process::Command::new(program);
    command.args(args).process_group(0);
    command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return tell(&Report::NotStarted(error.raw_os_error())),
    };
    let_go_of_output()?;
    if let (Some(mut stdin), Some(input)) = (child.stdin.take(), input) {
        // A process that does not read its input closes the pipe, or keeps this thread until we end.
        std::thread::spawn(move || stdin.write_all(&input));
    }
    let first = Pid::from_child(&child);
    let ending = Arc::new(AtomicBool::new(false));
    let reaper = std::thread::spawn({
        let ending = Arc::clone(&ending);
        move || reap(first, &ending)
    });
    heed(first, &ending);
    if ending.load(Ordering::SeqCst) {
        let _ = reaper.join();
    }
    Ok(())
}

fn receive(bytes: u64) -> std::io::Result<Vec<u8>> {
    let mut input = Vec::new();
    let read = std::io::stdin().lock().take(bytes).read_to_end(&mut input)?;
    // The line closed before the process was started, so nobody wants it any more.
    if read as u64 == bytes { Ok(input) } else { Err(std::io::ErrorKind::UnexpectedEof.into()) }
}

/// The pipes of the process are its own: they must close when it ends, though we go on.
fn let_go_of_output() -> std::io::Result<()> {
    let nowhere = std::fs::File::options().write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdout(&nowhere)?;
    rustix::stdio::dup2_stderr(&nowhere)?;
    Ok(())
}

fn tell(report: &Report) -> std::io::Result<()> {
    let line = format!("{}\n", serde_json::to_string(report)?);
    // Stdin is a socket: what is written to it reaches the other side.
    rustix::io::write(std::io::stdin(), line.as_bytes())?;
    Ok(())
}

/// Does what the line says until it closes or lets go.
fn heed(first: Pid, ending: &AtomicBool) {
    let mut word = [0];
    loop {
        match std::io::stdin().lock().read(&mut word) {
            Ok(1) if word == [RELEASE] => return,
            Ok(1) => signal_all(first, Signal::TERM),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Ok(_) | Err(_) => {
                // First the flag: each death from now on makes the reaper look for more.
                ending.store(true, Ordering::SeqCst);
                return signal_all(first, Signal::KILL);
            }
        }
    }
}

/// Waits for every descendant until there is none, and tells how the first child ended.
fn reap(first: Pid, ending: &AtomicBool) {
    loop {
        match rustix::process::wait(WaitOptions::empty()) {
            Ok(ended) => {
                if let Some((_, status)) = ended.filter(|(pid, _)| *pid == first) {
                    // Nobody there to hear it: then the line is closed, and that is heard.
                    let _ = tell(&Report::Ended(kind(status)));
                }
                if ending.load(Ordering::SeqCst) {
                    signal_all(first, Signal::KILL);
                }
            }
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return,
        }
    }
}

fn kind(status: WaitStatus) -> ExitKind {
    match status.exit_status() {
        Some(code) => ExitKind::Code(code),
        None => ExitKind::Signal(status.terminating_signal().unwrap_or_default()),
    }
}

#[cfg(target_os = "linux")]
fn signal_all(_first: Pid, signal: Signal) {
    for pid in descendants(rustix::process::getpid()) {
        // It may be gone by now, or not ours to signal.
        let _ = rustix::process::kill_process(pid, signal);
    }
}

#[cfg(not(target_os = "linux"))]
fn signal_all(first: Pid, signal: Signal) {
    let _ = rustix::process::kill_process_group(first, signal);
}

/// Everything that descends from a process now, parents before children.
#[cfg(target_os = "linux")]
fn descendants(root: Pid) -> Vec<Pid> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok().and_then(Pid::from_raw));
    let mut others: Vec<(Pid, Pid)> = pids.filter_map(|pid| Some((pid, parent(pid)?))).collect();
    let mut family = vec![root];
    let mut at = 0;
    while let Some(&member) = family.get(at) {
        others.retain(|&(pid, parent)| {
            if parent == member {
                family.push(pid);
            }
            parent != member
        });
        at += 1;
    }
    family.split_off(1)
}

/// The parent: the second field after the name, which stands in brackets and may hold anything.
#[cfg(target_os = "linux")]
fn parent(pid: Pid) -> Option<Pid> {
    let stat = std::fs::read(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    let name_end = stat.iter().rposition(|byte| *byte == b')')?;
    let mut fields = std::str::from_utf8(stat.get(name_end + 1..)?).ok()?.split_ascii_whitespace();
    Pid::from_raw(fields.nth(1)?.parse().ok()?)
}
