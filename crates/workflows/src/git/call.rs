//! One call of git: what it may see, and what came of it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use baton_engine::Failure;

use super::OLDEST;
use crate::process::{CaptureLimit, ExitKind, Invocation, ProcessError, Processes};

/// No call of git takes longer.
const LIMIT: Duration = Duration::from_secs(600);
/// The most output of one call that is read.
const MOST: usize = 256 << 20;

/// What no repository may bring along: programs that git would run, and habits that would change what we make.
const SETTINGS: [&str; 20] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.alternateRefsCommand=true",
    "core.untrackedCache=false",
    "core.attributesFile=/dev/null",
    "core.excludesFile=/dev/null",
    "core.autocrlf=false",
    "core.fileMode=true",
    "core.symlinks=true",
    "core.quotePath=false",
    "core.editor=true",
    "core.pager=cat",
    "commit.gpgSign=false",
    "tag.gpgSign=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "diff.renames=true",
    "merge.renames=true",
    "submodule.recurse=false",
    "protocol.file.allow=always",
];

/// A repository, and the way to call git on it.
#[derive(Clone)]
pub struct Git {
    processes: Processes,
    dir: PathBuf,
    tree: Option<PathBuf>,
    index: Option<PathBuf>,
    dates: Option<String>,
    committer: Option<(String, String)>,
    overrides: Vec<(String, String)>,
}

/// A call of git that did not do what it was to do.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// It could not be run.
    #[error("git {0}")]
    Process(#[from] crate::process::ProcessError),
    /// There is none.
    #[error("git is not there any more; install git {major}.{minor} or later and go on with `baton resume`", major = OLDEST.0, minor = OLDEST.1)]
    NoGit,
    /// The disk is full.
    #[error(
        "there is no room left on the disk ({what}); every commit and every worktree is kept; make room and go on with `baton resume`"
    )]
    Full {
        /// What could not be written.
        what: String,
    },
    /// It said no.
    #[error("`git {what}` failed: {said}")]
    Said {
        /// The words of the call that matter.
        what: String,
        /// Its exit code.
        code: Option<i32>,
        /// The end of what it printed.
        said: String,
    },
    /// It printed more than is read.
    #[error("`git {what}` printed more than {MOST} bytes")]
    TooMuch {
        /// The words of the call that matter.
        what: String,
    },
    /// A file beside the repository could not be used.
    #[error("{what}: {error}")]
    File {
        /// Which.
        what: String,
        /// What the system said.
        error: std::io::Error,
    },
    /// A ref stands elsewhere than we know.
    #[error("{reference} stands at {found} and not at {known}; somebody else moved it")]
    Moved {
        /// The ref.
        reference: String,
        /// Where it stands.
        found: String,
        /// Where we thought it stands.
        known: String,
    },
    /// Something was asked for that is not there.
    #[error("{0}")]
    Missing(String),
}

impl GitError {
    /// A file that could not be used.
    pub(super) fn file(what: &Path, error: std::io::Error) -> Self {
        use std::io::ErrorKind::{QuotaExceeded, StorageFull};
        let what = what.display().to_string();
        match error.kind() {
            StorageFull | QuotaExceeded => Self::Full { what },
            _ => Self::File { what, error },
        }
    }

    /// A call that said no, in its own words.
    pub(super) fn said(what: String, code: Option<i32>, words: &str) -> Self {
        let words = words.trim();
        if disk_is_full(words) {
            return Self::Full { what: format!("git {what}: {words}") };
        }
        Self::Said { what, code, said: words.to_owned() }
    }
}

/// Whether words of a program, or of the system, say that a disk is full.
pub(crate) fn disk_is_full(words: &str) -> bool {
    ["No space left on device", "Disk quota exceeded", "no room left on the disk"]
        .iter()
        .any(|full| words.contains(full))
}

/// The words of a call that matter.
fn words(args: &[&str]) -> String {
    args.iter().take(3).copied().collect::<Vec<_>>().join(" ")
}

impl From<GitError> for Failure {
    fn from(error: GitError) -> Self {
        let passing = matches!(&error, GitError::Said { said, .. } if said.contains("Unable to create") && said.contains(".lock"));
        if passing { Self::passing(error.to_string()) } else { Self::lasting(error.to_string()) }
    }
}

/// What a call printed.
pub(super) struct Said {
    pub code: Option<i32>,
    pub out: Vec<u8>,
    pub err: String,
}

impl Git {
    /// A repository by its own folder: a bare one, or the `.git` of a checkout.
    pub fn new(processes: &Processes, dir: impl Into<PathBuf>) -> Self {
        Self {
            processes: processes.clone(),
            dir: dir.into(),
            tree: None,
            index: None,
            dates: None,
            committer: None,
            overrides: Vec::new(),
        }
    }

    /// The same, in which these settings of the repository do not count. Names are whatever a repository holds, so they go
    /// by the environment, where none of their letters means anything.
    #[must_use]
    pub(super) fn overriding(&self, settings: Vec<(String, String)>) -> Self {
        Self { overrides: settings, ..self.clone() }
    }

    /// The same with a worktree and the index that belongs to it.
    #[must_use]
    pub fn with_tree(&self, tree: &Path, index: &Path) -> Self {
        Self { tree: Some(tree.to_owned()), index: Some(index.to_owned()), ..self.clone() }
    }

    /// The same with an index and no worktree.
    #[must_use]
    pub fn with_index(&self, index: &Path) -> Self {
        Self { index: Some(index.to_owned()), ..self.clone() }
    }

    /// The same, committing in this name at this moment (seconds since 1970).
    #[must_use]
    pub fn as_committer(&self, name: &str, email: &str, at: u64) -> Self {
        let committer = Some((name.to_owned(), email.to_owned()));
        Self { committer, dates: Some(format!("@{at} +0000")), ..self.clone() }
    }

    /// The repository's folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    fn invocation(&self, args: &[&str], input: Option<Vec<u8>>) -> Invocation {
        let mut words: Vec<OsString> = vec!["--git-dir".into(), self.dir.clone().into()];
        // A repository without a worktree says so itself.
        if let Some(tree) = &self.tree {
            words.extend(["--work-tree".into(), tree.clone().into()]);
        }
        words.push("--no-pager".into());
        for setting in SETTINGS {
            words.extend(["-c".into(), setting.into()]);
        }
        words.extend(args.iter().map(Into::into));
        let mut call = Invocation::new("git")
            .args(words)
            .variable("GIT_CONFIG_NOSYSTEM", "1")
            .variable("GIT_CONFIG_SYSTEM", "/dev/null")
            .variable("GIT_CONFIG_GLOBAL", "/dev/null")
            .variable("GIT_ATTR_NOSYSTEM", "1")
            .variable("GIT_TERMINAL_PROMPT", "0")
            .variable("GIT_OPTIONAL_LOCKS", "0")
            .variable("GIT_NO_REPLACE_OBJECTS", "1")
            .variable("GIT_NO_LAZY_FETCH", "1")
            .variable("GIT_LITERAL_PATHSPECS", "1")
            .variable("LC_ALL", "C")
            .time_limit(LIMIT)
            .capture(CaptureLimit::head(MOST), CaptureLimit::tail(16 * 1024));
        if let Some(tree) = &self.tree {
            call = call.folder(Some(tree));
        }
        if let Some(index) = &self.index {
            call = call.variable("GIT_INDEX_FILE", index);
        }
        if let Some((name, email)) = &self.committer {
            for who in ["AUTHOR", "COMMITTER"] {
                call = call
                    .variable(format!("GIT_{who}_NAME"), name)
                    .variable(format!("GIT_{who}_EMAIL"), email);
            }
        }
        if !self.overrides.is_empty() {
            call = call.variable("GIT_CONFIG_COUNT", self.overrides.len().to_string());
        }
        for (number, (key, value)) in self.overrides.iter().enumerate() {
            call = call
                .variable(format!("GIT_CONFIG_KEY_{number}"), key)
                .variable(format!("GIT_CONFIG_VALUE_{number}"), value);
        }
        if let Some(dates) = &self.dates {
            call = call.variable("GIT_AUTHOR_DATE", dates).variable("GIT_COMMITTER_DATE", dates);
        }
        match input {
            Some(bytes) => call.input(bytes),
            None => call,
        }
    }

    /// Calls git and takes whatever it says.
    pub(super) async fn ask(&self, args: &[&str], input: Option<Vec<u8>>) -> Result<Said, GitError> {
        let done = match self.processes.run(&self.invocation(args, input)).await {
            Err(ProcessError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(self.absent(error));
            }
            done => done?,
        };
        if done.exit == ExitKind::TimedOut {
            return Err(GitError::said(words(args), None, "it took too long"));
        }
        let out = done.out.whole().map_err(|_| GitError::TooMuch { what: words(args) })?;
        Ok(Said { code: done.exit.code(), out, err: done.err.text() })
    }

    /// What is not there when a call could not be started: the worktree it stands in, or git itself.
    fn absent(&self, error: std::io::Error) -> GitError {
        match &self.tree {
            Some(tree) if !tree.exists() => GitError::file(tree, error),
            _ => GitError::NoGit,
        }
    }

    /// Calls git and wants success; the bytes it printed.
    pub async fn bytes(&self, args: &[&str]) -> Result<Vec<u8>, GitError> {
        self.fed(args, None).await
    }

    /// The same with input.
    pub async fn fed(&self, args: &[&str], input: Option<Vec<u8>>) -> Result<Vec<u8>, GitError> {
        let said = self.ask(args, input).await?;
        if said.code == Some(0) {
            return Ok(said.out);
        }
        Err(GitError::said(words(args), said.code, &said.err))
    }

    /// Calls git and wants success; what it printed, without the line's end.
    pub async fn line(&self, args: &[&str]) -> Result<String, GitError> {
        Ok(String::from_utf8_lossy(&self.bytes(args).await?).trim_end().to_owned())
    }

    /// Where a ref or another name leads; none if it leads nowhere.
    pub async fn resolve(&self, name: &str) -> Result<Option<String>, GitError> {
        let said = self.ask(&["rev-parse", "--verify", "--quiet", "--end-of-options", name], None).await?;
        let line = String::from_utf8_lossy(&said.out).trim().to_owned();
        Ok((said.code == Some(0) && !line.is_empty()).then_some(line))
    }

    /// The tree of a commit.
    pub async fn tree_of(&self, commit: &str) -> Result<String, GitError> {
        self.line(&["rev-parse", "--verify", "--end-of-options", &format!("{commit}^{{tree}}")]).await
    }

    /// Whether one commit is contained in another.
    pub async fn contains(&self, whole: &str, part: &str) -> Result<bool, GitError> {
        let said = self.ask(&["merge-base", "--is-ancestor", part, whole], None).await?;
        match said.code {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            code => Err(GitError::said("merge-base".to_owned(), code, &said.err)),
        }
    }

    /// Makes a commit.
    pub async fn commit(&self, tree: &str, parents: &[&str], message: &str) -> Result<String, GitError> {
        let mut args = vec!["commit-tree", tree];
        for parent in parents {
            args.extend(["-p", *parent]);
        }
        let said = self.fed(&args, Some(message.as_bytes().to_vec())).await?;
        Ok(String::from_utf8_lossy(&said).trim().to_owned())
    }
}
