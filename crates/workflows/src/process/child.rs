//! A process that was started, under a supervisor or alone, and the line on which it is told to end.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio::process::Command;

#[cfg(unix)]
use super::supervisor::{Line, RELEASE, Supervisor, TERMINATE};
use super::{ExitKind, Invocation, ProcessError, Sandbox};

type Source = Box<dyn AsyncRead + Send + Unpin>;
type Sink = Box<dyn AsyncWrite + Send + Unpin>;

/// A process and its pipes.
pub(super) struct Child {
    pub(super) stdin: Option<Sink>,
    pub(super) stdout: Option<Source>,
    pub(super) stderr: Option<Source>,
    handle: Handle,
}

enum Handle {
    /// The process itself.
    Alone(tokio::process::Child),
    /// Its supervisor's line to us.
    #[cfg(unix)]
    Supervised(Line),
}

impl Child {
    /// Waits until it has ended.
    pub(super) async fn exit(&mut self) -> Result<ExitKind, ProcessError> {
        match &mut self.handle {
            Handle::Alone(process) => Ok(kind(process.wait().await?)),
            #[cfg(unix)]
            Handle::Supervised(line) => line.exit().await,
        }
    }

    /// Waits until everything it started is gone; where nobody can know that, not at all.
    pub(super) async fn gone(&mut self) {
        match &mut self.handle {
            Handle::Alone(_) => {}
            #[cfg(unix)]
            Handle::Supervised(line) => line.closed().await,
        }
    }
}

#[cfg(unix)]
fn kind(status: std::process::ExitStatus) -> ExitKind {
    use std::os::unix::process::ExitStatusExt as _;
    match (status.code(), status.signal()) {
        (Some(code), _) => ExitKind::Code(code),
        (None, signal) => ExitKind::Signal(signal.unwrap_or_default()),
    }
}

#[cfg(not(unix))]
fn kind(status: std::process::ExitStatus) -> ExitKind {
    ExitKind::Code(status.code().unwrap_or_default())
}

/// Ends a process with what it started: when told to, and when dropped before it was released.
pub(super) enum Control {
    /// Its process group; none once it was ended or released, because the number may then be another's.
    Alone(std::sync::Mutex<Option<u32>>),
    /// The supervisor's line: closing it is the order to end everything.
    #[cfg(unix)]
    Supervised(std::os::unix::net::UnixStream),
}

impl Control {
    /// Asks it to clean up and end.
    pub(super) fn terminate(&self) {
        match self {
            Self::Alone(group) => signal(*held(group), false),
            #[cfg(unix)]
            Self::Supervised(line) => say(line, TERMINATE),
        }
    }

    /// Ends it at once.
    pub(super) fn end(&self) {
        match self {
            Self::Alone(group) => signal(held(group).take(), true),
            #[cfg(unix)]
            // A line that is closed already is an end that was ordered already.
            Self::Supervised(line) => {
                let _ = line.shutdown(std::net::Shutdown::Write);
            }
        }
    }

    /// It has ended; what it left behind may go on.
    pub(super) fn release(&self) {
        match self {
            Self::Alone(group) => *held(group) = None,
            #[cfg(unix)]
            Self::Supervised(line) => say(line, RELEASE),
        }
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        if let Self::Alone(_) = self {
            self.end();
        }
    }
}

fn held(group: &std::sync::Mutex<Option<u32>>) -> std::sync::MutexGuard<'_, Option<u32>> {
    group.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(unix)]
fn signal(group: Option<u32>, kill: bool) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let group = group.and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    let signal = if kill { Signal::KILL } else { Signal::TERM };
    // A group that is gone needs no ending.
    let _ = group.map(|group| kill_process_group(group, signal));
}

#[cfg(not(unix))]
fn signal(_group: Option<u32>, _kill: bool) {}

#[cfg(unix)]
fn say(mut line: &std::os::unix::net::UnixStream, word: u8) {
    // A supervisor that is gone has nothing left to be told.
    let _ = std::io::Write::write(&mut line, &[word]);
}

/// Starts a process alone.
pub(super) fn start(invocation: &Invocation) -> std::io::Result<(Control, Child)> {
    // Only the process in between can shut itself in before it starts another.
    if invocation.confinement.as_ref().is_some_and(|it| it.sandbox == Sandbox::Require) {
        let what = "it cannot be confined without a supervisor";
        return Err(std::io::Error::new(std::io::ErrorKind::Unsupported, what));
    }
    let mut command = Command::new(found(&invocation.program));
    command.args(&invocation.args).kill_on_drop(true);
    command.stdin(if invocation.input.is_some() { Stdio::piped() } else { Stdio::null() });
    let mut process = spawn(command, invocation)?;
    let control = Control::Alone(std::sync::Mutex::new(process.id()));
    let stdin = process.stdin.take().map(|pipe| Box::new(pipe) as Sink);
    Ok((control, child(process, stdin, Handle::Alone)))
}

/// Where a program lies. A process is started without copying ours first only if its whole path is known, and what is
/// copied grows with us.
fn found(program: &OsStr) -> PathBuf {
    let named = PathBuf::from(program);
    if named.components().count() != 1 {
        return named;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let candidates = std::env::split_paths(&path).map(|folder| folder.join(program));
    let mut candidates = candidates.filter(|file| file.is_absolute() && is_program(file));
    // What is found nowhere is looked for once more by the system, whose answer is told.
    candidates.next().unwrap_or(named)
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(file).is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}

/// Starts a process under a supervisor, which has read all its input when this returns.
#[cfg(unix)]
pub(super) async fn start_supervised(
    supervisor: &Supervisor,
    invocation: &Invocation,
) -> std::io::Result<(Control, Child)> {
    let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
    ours.set_nonblocking(true)?;
    let mut command =
        supervisor.command(invocation.input.as_ref().map(Vec::len), invocation.confinement.as_ref())?;
    command.arg(&invocation.program).args(&invocation.args);
    command.stdin(std::os::fd::OwnedFd::from(theirs));
    let process = spawn(command, invocation)?;
    let control = Control::Supervised(ours.try_clone()?);
    let mut line = tokio::net::UnixStream::from_std(ours)?;
    if let Some(input) = &invocation.input {
        // A supervisor that is gone is found out when it does not tell how the process ended.
        let _ = line.write_all(input).await;
    }
    Ok((control, child(process, None, |process| Handle::Supervised(Line::new(line, process)))))
}

fn spawn(mut command: Command, invocation: &Invocation) -> std::io::Result<tokio::process::Child> {
    command.env_clear().envs(invocation.environment()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // Ctrl-C on a terminal reaches every process of its group; a process in flight must get its moment to end.
    #[cfg(unix)]
    command.process_group(0);
    if let Some(folder) = &invocation.folder {
        command.current_dir(folder);
    }
    command.spawn()
}

fn child(
    mut process: tokio::process::Child,
    stdin: Option<Sink>,
    handle: impl FnOnce(tokio::process::Child) -> Handle,
) -> Child {
    let stdout = process.stdout.take().map(|pipe| Box::new(pipe) as Source);
    let stderr = process.stderr.take().map(|pipe| Box::new(pipe) as Source);
    Child { stdin, stdout, stderr, handle: handle(process) }
}

/// Gives a process its input, and closes it.
pub(super) async fn feed(stdin: Option<Sink>, invocation: &Invocation) {
    if let (Some(mut stdin), Some(input)) = (stdin, &invocation.input) {
        // A process that does not read its input closes the pipe; what it prints counts all the same.
        let _ = stdin.write_all(input).await;
    }
}
