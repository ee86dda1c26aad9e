//! Steps that need git or a process.

use std::time::Duration;

use super::{Work, files};
use crate::coding::{AgentError, TurnEnd, TurnRequest};
use crate::git::{Git, GitError, Workshop, three_way};
use crate::process::{CaptureLimit, ExitKind, Invocation, Processes};

/// How much of a command's output is told.
const TOLD: usize = 4 * 1024;

/// Where one recipe is carried out.
pub struct Kitchen<'a> {
    processes: &'a Processes,
    request: &'a TurnRequest,
    workshop: Workshop,
    git: Git,
}

impl<'a> Kitchen<'a> {
    /// The worktree of a request.
    pub fn new(processes: &'a Processes, request: &'a TurnRequest) -> Self {
        let workshop = Workshop::new(&processes.alone(), request.workshop.clone());
        let git = workshop.git_of(&request.effort).as_committer("Baton", "baton@localhost", 0);
        Self { processes, request, workshop, git }
    }

    /// The worktree as it was when the turn began.
    pub async fn begin(&self) -> Result<(), AgentError> {
        let clean = async {
            self.git.bytes(&["read-tree", "--reset", "-u", &self.request.tip]).await?;
            self.git.bytes(&["clean", "-ffdq"]).await
        };
        clean.await.map(drop).map_err(|error: GitError| AgentError::Crashed { why: error.to_string() })
    }

    /// Performs a step; an end if the turn is over with it.
    pub async fn perform(&self, step: usize, work: &Work) -> Result<Option<TurnEnd>, AgentError> {
        let wrong = |why: String| AgentError::Step { step, why };
        if let Some(done) = files::perform(&self.request.worktree, work) {
            return done.map(|()| None).map_err(wrong);
        }
        match work {
            Work::Patch { name, text } => self.patch(name, text).await.map_err(wrong)?,
            Work::CherryPick { what } => self.pick(what).await.map_err(wrong)?,
            Work::Copy { path, from } => self.copy(path, from).await.map_err(wrong)?,
            Work::Run { line, timeout_s } => self.run(step, line, *timeout_s).await?,
            Work::WaitFor { what } => return self.wait_for(what).await.map_err(wrong),
            _ => {}
        }
        Ok(None)
    }

    /// Everything in the index, so that git sees what the steps before have written.
    async fn stage(&self) -> Result<(), String> {
        self.git.bytes(&["add", "--all", "--", "."]).await.map(drop).map_err(told)
    }

    async fn patch(&self, name: &str, text: &str) -> Result<(), String> {
        self.stage().await?;
        let apply = ["apply", "--3way", "--whitespace=nowarn", "-"];
        match self.git.fed(&apply, Some(text.as_bytes().to_vec())).await {
            Ok(_) => Ok(()),
            Err(GitError::Said { said, .. }) => Err(format!("the patch {name} does not apply: {said}")),
            Err(error) => Err(told(error)),
        }
    }

    async fn find(&self, name: &str) -> Result<String, String> {
        for name in [
            name.to_owned(),
            format!("refs/baton/theirs/heads/{name}"),
            format!("refs/baton/theirs/tags/{name}"),
        ] {
            if let Some(commit) = self.git.resolve(&format!("{name}^{{commit}}")).await.map_err(told)? {
                return Ok(commit);
            }
        }
        Err(format!("there is no commit called `{name}`"))
    }

    async fn pick(&self, what: &str) -> Result<(), String> {
        let (from, to) = match what.split_once("..") {
            Some((from, to)) => (self.find(from).await?, self.find(to).await?),
            None => {
                let to = self.find(what).await?;
                (self.find(&format!("{to}^")).await?, to)
            }
        };
        self.stage().await?;
        let tree = self.git.line(&["write-tree"]).await.map_err(told)?;
        let ours = self.git.commit(&tree, &[&self.request.tip], "recipe\n").await.map_err(told)?;
        match three_way(&self.git, Some(&from), &ours, &to).await.map_err(told)? {
            Ok(tree) => self.git.bytes(&["read-tree", "--reset", "-u", &tree]).await.map(drop).map_err(told),
            Err(files) => Err(format!("{what} conflicts in {}", files.join(", "))),
        }
    }

    async fn copy(&self, path: &str, from: &str) -> Result<(), String> {
        let place = files::place(&self.request.worktree, path)?;
        let commit = self.find(from).await?;
        let content =
            self.git.bytes(&["cat-file", "blob", &format!("{commit}:{path}")]).await.map_err(told)?;
        files::write(&place, content, false)
    }

    async fn run(&self, step: usize, line: &str, timeout_s: u64) -> Result<(), AgentError> {
        let scratch = self.workshop.scratch(&self.request.effort);
        let limit = CaptureLimit::tail(TOLD);
        let call = Invocation::shell(line)
            .folder(Some(&self.request.worktree))
            .variable("TMPDIR", &scratch)
            .variable("BATON_EFFORT", &self.request.effort)
            .variable("BATON_ATTEMPT", self.request.attempt.to_string())
            .confined(self.request.confinement.clone())
            .time_limit(Duration::from_secs(timeout_s.min(self.request.limits.wall_s)))
            .capture(limit, limit);
        let done =
            self.processes.run(&call).await.map_err(|error| super::super::command::not_run(line, &error))?;
        let mut said = done.out;
        said.append(done.err);
        match done.exit {
            ExitKind::Code(0) => Ok(()),
            ExitKind::TimedOut | ExitKind::Idle | ExitKind::Stopped => {
                Err(AgentError::Step { step, why: format!("`{line}` did not end in time") })
            }
            ExitKind::Code(code) => {
                let why = format!("`{line}` ended with code {code}: {}", said.text().trim());
                Err(AgentError::Step { step, why })
            }
            ExitKind::Signal(signal) => {
                Err(AgentError::Step { step, why: format!("`{line}` was ended by signal {signal}") })
            }
        }
    }

    async fn wait_for(&self, what: &str) -> Result<Option<TurnEnd>, String> {
        let is_there = match what.strip_prefix("branch:") {
            Some(branch) => self.find(branch).await.is_ok(),
            None => std::path::Path::new(what).exists(),
        };
        let question = format!("{what} is not there yet. Say `again` when it is.");
        Ok((!is_there).then_some(TurnEnd::NeedsInput { question }))
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is what map_err hands over")]
fn told(error: GitError) -> String {
    error.to_string()
}
