//! Gates: commands that must succeed on a tree. They run in a checkout of that tree and of nothing else, confined like
//! agents, without keys. A pass is remembered by tree and gate; a failure never is.

use std::path::{Path, PathBuf};
use std::time::Duration;

use async_trait::async_trait;
use baton_agents::hash::sha256_hex;
use baton_engine::{Act, AfterCrash, Call, Failure, Paid, Perform, Retry};
use serde::{Deserialize, Serialize};

use super::order::Sandbox;
use crate::git::{GitError, Workshop};
use crate::process::{CaptureLimit, Confinement, ExitKind, Invocation, ProcessError, Processes};

/// How much of its output is kept.
const KEPT: usize = 8 * 1024;

/// A command that must succeed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gate {
    /// Its name in the plan.
    pub name: String,
    /// The line for the shell.
    pub run: String,
    /// How long it may take, in seconds.
    pub timeout_s: u64,
    /// Whether it may use the network.
    #[serde(default)]
    pub network: bool,
    /// Whether it runs tests, which are then also run as they were before.
    #[serde(default)]
    pub tests: bool,
}

impl Gate {
    /// A command of an acceptance list.
    pub fn command(line: &str) -> Self {
        Self { name: line.to_owned(), run: line.to_owned(), timeout_s: 600, network: false, tests: false }
    }

    /// What two gates must share to be the same.
    fn hash(&self) -> String {
        let same = serde_json::json!([self.run, self.network]);
        sha256_hex(same.to_string().as_bytes()).chars().take(16).collect()
    }
}

/// Runs a gate on a tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunGate {
    /// The workshop.
    pub workshop: PathBuf,
    /// The tree.
    pub tree: String,
    /// The gate.
    pub gate: Gate,
    /// Whether it is confined.
    pub sandbox: Sandbox,
}

/// How a gate ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateEnd {
    /// It passed.
    Passed,
    /// It failed with this code; none if a signal ended it.
    Failed(Option<i32>),
    /// It did not end in time.
    TimedOut,
    /// It was not run.
    NotRun(String),
}

/// What a gate said of a tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateResult {
    /// Its name.
    pub name: String,
    /// The tree.
    pub tree: String,
    /// How it ended.
    pub end: GateEnd,
    /// The end of what it printed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// Whether the pass was remembered.
    #[serde(default)]
    pub cached: bool,
}

impl GateResult {
    /// Whether it passed.
    pub fn passed(&self) -> bool {
        self.end == GateEnd::Passed
    }

    /// What it said, for whoever mends it.
    pub fn told(&self) -> String {
        let how = match &self.end {
            GateEnd::Passed => "passed".to_owned(),
            GateEnd::Failed(Some(code)) => format!("failed with code {code}"),
            GateEnd::Failed(None) => "was ended by a signal".to_owned(),
            GateEnd::TimedOut => "did not end in time".to_owned(),
            GateEnd::NotRun(why) => format!("was not run: {why}"),
        };
        let output = self.output.trim();
        let output = if output.is_empty() { String::new() } else { format!(":\n{output}") };
        format!("gate `{}` {how}{output}", self.name)
    }
}

impl Act for RunGate {
    const KIND: &'static str = "gate";
    type Out = GateResult;

    fn after_crash(&self) -> AfterCrash {
        AfterCrash::Retry
    }

    /// A gate that fails has run; whether there is another try is the workflow's decision.
    fn retry(&self) -> Retry {
        Retry::NEVER
    }

    fn is_reusable(&self) -> bool {
        false
    }
}

/// Runs gates.
#[derive(Clone)]
pub struct Gates {
    processes: Processes,
}

impl Gates {
    /// Runs gates as these processes.
    pub fn new(processes: Processes) -> Self {
        Self { processes }
    }

    /// Runs a gate in a checkout below `place`, which is removed afterwards.
    pub async fn run(&self, act: &RunGate, place: &str) -> Result<GateResult, GitError> {
        let workshop = Workshop::new(&self.processes.alone(), act.workshop.clone());
        let pass = workshop.passes().join(format!("{}-{}", act.tree, act.gate.hash()));
        let result = |end, output, cached| GateResult {
            name: act.gate.name.clone(),
            tree: act.tree.clone(),
            end,
            output,
            cached,
        };
        if pass.exists() {
            return Ok(result(GateEnd::Passed, String::new(), true));
        }
        let folder = workshop.scratch(place);
        clear(&folder)?;
        let (tree, tmp) = (folder.join("tree"), folder.join("tmp"));
        for part in [&tree, &tmp] {
            std::fs::create_dir_all(part).map_err(|error| failed(part, error))?;
        }
        let git = workshop.git().with_tree(&tree, &folder.join("index"));
        git.bytes(&["read-tree", "--reset", "-u", &act.tree]).await?;
        let (end, output) = self.in_checkout(act, &tree, &tmp).await;
        clear(&folder)?;
        if end == GateEnd::Passed {
            // A pass that cannot be remembered is found out again; nothing is lost.
            let _ = std::fs::write(&pass, act.gate.run.as_bytes());
        }
        Ok(result(end, output, false))
    }

    async fn in_checkout(&self, act: &RunGate, tree: &Path, tmp: &Path) -> (GateEnd, String) {
        let writable = vec![tree.to_owned(), tmp.to_owned()];
        let limit = CaptureLimit::tail(KEPT);
        let call = Invocation::shell(&act.gate.run)
            .folder(Some(tree))
            .variable("TMPDIR", tmp)
            .variable("GIT_CEILING_DIRECTORIES", &act.workshop)
            .variable("PYTHONDONTWRITEBYTECODE", "1")
            .confined(Confinement { sandbox: act.sandbox, writable, network: act.gate.network })
            .time_limit(Duration::from_secs(act.gate.timeout_s))
            .capture(limit, limit);
        match self.processes.run(&call).await {
            Ok(done) => {
                let mut said = done.out;
                said.append(done.err);
                let end = match done.exit {
                    ExitKind::Code(0) => return (GateEnd::Passed, String::new()),
                    ExitKind::TimedOut | ExitKind::Idle | ExitKind::Stopped => GateEnd::TimedOut,
                    exit => GateEnd::Failed(exit.code()),
                };
                (end, said.text())
            }
            Err(ProcessError::Io(error)) => (GateEnd::NotRun(error.to_string()), String::new()),
            Err(error @ ProcessError::Lost) => (GateEnd::NotRun(error.to_string()), String::new()),
        }
    }
}

fn failed(path: &Path, error: std::io::Error) -> GitError {
    GitError::File { what: path.display().to_string(), error }
}

/// Removes a checkout of ours. A gate may have taken the right to do so away; it is given back first.
pub(super) fn clear(folder: &Path) -> Result<(), GitError> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(_) => {
            open_up(folder);
            std::fs::remove_dir_all(folder).map_err(|error| failed(folder, error))
        }
        Ok(()) => Ok(()),
    }
}

fn open_up(folder: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let _ = std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700));
    }
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_up(&entry.path());
        }
    }
}

#[async_trait]
impl Perform<RunGate> for Gates {
    async fn perform(&self, act: RunGate, call: &Call) -> Result<Paid<GateResult>, Failure> {
        let place = sha256_hex(format!("{}/{}", call.run, call.key).as_bytes());
        let place = format!("gate-{}", place.get(..16).unwrap_or(&place));
        Ok(Paid::free(self.run(&act, &place).await?))
    }
}
