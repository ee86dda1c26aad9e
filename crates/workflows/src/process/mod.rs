//! The one way to run a process: a line for the shell or a program with arguments, in a folder, with a scrubbed
//! environment, bytes on its stdin, a time limit by an injected clock, and output that is limited while it is read.
//!
//! **What is guaranteed.** With a [`Supervisor`] on Linux everything a process started ends with it, also what made a
//! session of its own: when it ran out of time, when the future of [`Processes::run`] is dropped, and when this program
//! itself is killed, because then the supervisor's line to us breaks. A process that ended by itself takes what it
//! left running with it, unless [`Invocation::leave_children`] says otherwise.
//!
//! **What is not.** What a process asks others to start (a service manager, a container daemon) is nobody's child. A
//! child that runs as another user cannot be signalled. Who kills the supervisor sets its processes free. On other
//! Unixes, and without a supervisor, an end reaches the process group; elsewhere the process alone.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use baton_agents::clock::{Clock, RealClock, within};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use child::Child;
pub use confine::{Confinement, Sandbox};
#[cfg(unix)]
pub use converse::Conversation;
pub use output::{Capture, CaptureLimit, Truncated};
#[cfg(unix)]
pub use supervisor::{Supervisor, supervise};

mod child;
mod confine;
#[cfg(unix)]
mod converse;
mod output;
#[cfg(unix)]
mod supervisor;

/// The environment a process sees: enough to find programs, and no secrets.
const PASSED_ON: [&str; 8] = ["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "USER", "SHELL"];

/// How long we wait for what was killed to be gone.
const PATIENCE: Duration = Duration::from_secs(5);

/// A process to be run.
#[derive(Clone, Debug)]
pub struct Invocation {
    program: OsString,
    args: Vec<OsString>,
    folder: Option<PathBuf>,
    variables: Vec<(OsString, OsString)>,
    input: Option<Vec<u8>>,
    time_limit: Option<Duration>,
    idle_limit: Option<Duration>,
    grace: Duration,
    out_limit: CaptureLimit,
    err_limit: CaptureLimit,
    leaves_children: bool,
    confinement: Option<Confinement>,
    stop: Option<watch::Receiver<bool>>,
}

impl Invocation {
    /// A program, without arguments, input or time limit, of whose output the end is kept.
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        Self {
            program: program.as_ref().to_owned(),
            args: Vec::new(),
            folder: None,
            variables: Vec::new(),
            input: None,
            time_limit: None,
            idle_limit: None,
            grace: Duration::ZERO,
            out_limit: CaptureLimit::tail(32 * 1024),
            err_limit: CaptureLimit::tail(32 * 1024),
            leaves_children: false,
            confinement: None,
            stop: None,
        }
    }

    /// A line for `sh`.
    pub fn shell(line: &str) -> Self {
        Self::new("sh").args(["-c", line])
    }

    /// Adds arguments.
    #[must_use]
    pub fn args(mut self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        self.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    /// The folder it runs in; without one, the present folder.
    #[must_use]
    pub fn folder(mut self, folder: Option<impl AsRef<Path>>) -> Self {
        self.folder = folder.map(|folder| folder.as_ref().to_owned());
        self
    }

    /// A variable it sees beside the few that every process sees.
    #[must_use]
    pub fn variable(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.variables.push((name.as_ref().to_owned(), value.as_ref().to_owned()));
        self
    }

    /// What it reads on stdin; without this there is nothing to read.
    #[must_use]
    pub fn input(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.input = Some(bytes.into());
        self
    }

    /// How long it may take.
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = Some(limit);
        self
    }

    /// How long it may print nothing.
    #[must_use]
    pub fn idle_limit(mut self, limit: Duration) -> Self {
        self.idle_limit = Some(limit);
        self
    }

    /// How long it may clean up, after a request to terminate, when its time is over; without this it is killed.
    #[must_use]
    pub fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// How much of its output is kept.
    #[must_use]
    pub fn capture(mut self, out: CaptureLimit, err: CaptureLimit) -> Self {
        (self.out_limit, self.err_limit) = (out, err);
        self
    }

    /// When it ends by itself, what it left in the background goes on.
    #[must_use]
    pub fn leave_children(mut self) -> Self {
        self.leaves_children = true;
        self
    }

    /// What it may touch; without this, everything.
    #[must_use]
    pub fn confined(mut self, confinement: Confinement) -> Self {
        self.confinement = Some(confinement);
        self
    }

    /// Turns true when it shall stop: then it is asked to clean up and end, and ended when its grace is over.
    #[must_use]
    pub fn stopped_by(mut self, stop: watch::Receiver<bool>) -> Self {
        self.stop = Some(stop);
        self
    }

    /// Returns when it shall stop.
    async fn stopped(&self) {
        let mut stop = self.stop.clone();
        let said = match &mut stop {
            Some(stop) => stop.wait_for(|wanted| *wanted).await.is_ok(),
            None => false,
        };
        if !said {
            // Nobody is there who could say so: then nobody will.
            std::future::pending::<()>().await;
        }
    }

    fn environment(&self) -> impl Iterator<Item = (OsString, OsString)> + '_ {
        let passed_on = PASSED_ON.iter().filter_map(|name| Some(((*name).into(), std::env::var_os(name)?)));
        passed_on.chain(self.variables.iter().cloned())
    }
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExitKind {
    /// By itself, with this code.
    Code(i32),
    /// By this signal, and not because its time was over.
    Signal(i32),
    /// Its time was over, and it was ended with all it had started.
    TimedOut,
    /// It printed nothing for too long, and was ended like that.
    Idle,
    /// Somebody wanted it stopped, and it was ended like that.
    Stopped,
}

impl ExitKind {
    /// The exit code; none if it did not end by itself.
    pub fn code(self) -> Option<i32> {
        match self {
            Self::Code(code) => Some(code),
            Self::Signal(_) | Self::TimedOut | Self::Idle | Self::Stopped => None,
        }
    }
}

/// What came of a process.
#[derive(Debug)]
pub struct ProcessOutput {
    /// How it ended.
    pub exit: ExitKind,
    /// What it printed on stdout.
    pub out: Capture,
    /// What it printed on stderr.
    pub err: Capture,
}

/// Why nothing can be said about a process; to be read after its name.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    /// It could not be started, or its output could not be read.
    #[error("cannot be run: {0}")]
    Io(#[from] std::io::Error),
    /// Its supervisor was killed: whether it still runs is unknown.
    #[error(
        "was lost: the process that watched over it was killed; look whether it still runs before you go on"
    )]
    Lost,
}

/// Runs processes.
#[derive(Clone)]
pub struct Processes {
    clock: Arc<dyn Clock>,
    #[cfg(unix)]
    supervisor: Option<Supervisor>,
}

impl Processes {
    /// Without a supervisor: an end reaches the process group and no further.
    pub fn unsupervised(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            #[cfg(unix)]
            supervisor: None,
        }
    }

    /// Under a supervisor: an end reaches everything that was started.
    #[cfg(unix)]
    pub fn supervised(supervisor: Supervisor, clock: Arc<dyn Clock>) -> Self {
        Self { clock, supervisor: Some(supervisor) }
    }

    /// The same without a supervisor: for programs of which it is known that they leave nothing behind.
    #[must_use]
    pub fn alone(&self) -> Self {
        Self::unsupervised(Arc::clone(&self.clock))
    }

    /// Under the running program itself, where that can be: for a program whose `main` begins with [`supervise`].
    pub fn of_this_program(clock: Arc<dyn Clock>) -> Self {
        #[cfg(unix)]
        if let Ok(supervisor) = Supervisor::this_program() {
            return Self::supervised(supervisor, clock);
        }
        Self::unsupervised(clock)
    }

    /// Runs a process to its end. All it prints is read, so that it is never held up, and only what is asked for is
    /// kept. Dropping the future ends the process and all it started.
    pub async fn run(&self, invocation: &Invocation) -> Result<ProcessOutput, ProcessError> {
        let mut out = Capture::new(invocation.out_limit);
        let mut err = Capture::new(invocation.err_limit);
        let exit = self.watch(invocation, &mut out, &mut err).await?;
        Ok(ProcessOutput { exit, out, err })
    }

    async fn watch(
        &self,
        invocation: &Invocation,
        out: &mut Capture,
        err: &mut Capture,
    ) -> Result<ExitKind, ProcessError> {
        let (control, mut child) = self.start(invocation).await?;
        let heard = [out.heard(), err.heard()];
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let end = async {
            let exit = child.exit().await?;
            if !invocation.leaves_children {
                control.end();
                child.gone().await;
            }
            Ok::<_, ProcessError>(exit)
        };
        let feed = async {
            child::feed(pipes.0, invocation).await;
            Ok(())
        };
        let work = async {
            let read = async { Ok(tokio::try_join!(out.read(pipes.1), err.read(pipes.2))?) };
            tokio::try_join!(end, feed, read).map(|(exit, ..)| exit)
        };
        let mut work = pin!(work);
        let ended = tokio::select! {
            biased;
            ended = self.limited(invocation, &heard, work.as_mut()) => ended,
            () = invocation.stopped() => Err(ExitKind::Stopped),
        };
        let over = match ended {
            Ok(exit) => return exit.inspect(|_| control.release()),
            Err(over) => over,
        };
        if !invocation.grace.is_zero() {
            control.terminate();
            if within(self.clock.as_ref(), invocation.grace, &mut work).await.is_some() {
                control.end();
                return Ok(over);
            }
        }
        control.end();
        within(self.clock.as_ref(), PATIENCE, &mut work).await;
        Ok(over)
    }

    /// Waits for a process as long as it may take; otherwise which of its limits is over.
    async fn limited<T>(
        &self,
        invocation: &Invocation,
        heard: &[Arc<AtomicU64>; 2],
        mut work: Pin<&mut impl Future<Output = T>>,
    ) -> Result<T, ExitKind> {
        let began = self.clock.now();
        let bytes = || heard.iter().map(|count| count.load(Ordering::Relaxed)).sum::<u64>();
        let mut before = bytes();
        loop {
            let passed = self.clock.now().saturating_sub(began);
            let left = invocation.time_limit.map(|limit| limit.saturating_sub(passed));
            let Some(span) = left.into_iter().chain(invocation.idle_limit).min() else {
                return Ok(work.await);
            };
            if let Some(done) = within(self.clock.as_ref(), span, &mut work).await {
                return Ok(done);
            }
            if left == Some(span) {
                return Err(ExitKind::TimedOut);
            }
            let now = bytes();
            if now == before {
                return Err(ExitKind::Idle);
            }
            before = now;
        }
    }

    /// Waits, by the clock of these processes.
    pub(crate) async fn pause(&self, span: Duration) {
        self.clock.sleep(span).await;
    }

    async fn start(&self, invocation: &Invocation) -> std::io::Result<(child::Control, Child)> {
        #[cfg(unix)]
        if let Some(supervisor) = &self.supervisor {
            return child::start_supervised(supervisor, invocation).await;
        }
        child::start(invocation)
    }
}

impl Default for Processes {
    fn default() -> Self {
        Self::unsupervised(Arc::new(RealClock::new()))
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
