//! One call of git: what it may see, and what came of it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use baton_engine::Failure;

use crate::process::{CaptureLimit, ExitKind, Invocation, Processes};

/// No call of git takes longer.
const LIMIT: Duration = Duration::from_secs(600);
/// The most output of one call that is read.
const MOST: usize = 256 << 20;

/// What no repository may bring along: programs that git would run, and habits that would change what we make.
const SETTINGS: [&str; 19] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
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
}

/// A call of git that did not do what it was to do.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// It could not be run.
    #[error("git {0}")]
    Process(#[from] crate::process::ProcessError),
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
        Self::File { what: what.display().to_string(), error }
    }
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
        }
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
        let done = self.processes.run(&self.invocation(args, input)).await?;
        let what = || args.iter().take(3).copied().collect::<Vec<_>>().join(" ");
        if done.exit == ExitKind::TimedOut {
            return Err(GitError::Said { what: what(), code: None, said: "it took too long".to_owned() });
        }
        let out = done.out.whole().map_err(|_| GitError::TooMuch { what: what() })?;
        Ok(Said { code: done.exit.code(), out, err: done.err.text() })
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
        let what = args.iter().take(3).copied().collect::<Vec<_>>().join(" ");
        Err(GitError::Said { what, code: said.code, said: said.err.trim().to_owned() })
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
            code => {
                Err(GitError::Said { what: "merge-base".to_owned(), code, said: said.err.trim().to_owned() })
            }
        }
    }

    /// Moves a ref from the value we know; an empty one means that it must not exist.
    pub async fn move_ref(&self, reference: &str, new: &str, old: &str) -> Result<(), GitError> {
        let said = self.ask(&["update-ref", "--create-reflog", reference, new, old], None).await?;
        if said.code == Some(0) {
            return Ok(());
        }
        let found = self.resolve(reference).await?.unwrap_or_else(|| "nothing".to_owned());
        if found == new {
            return Ok(());
        }
        let known = if old.is_empty() { "nothing" } else { old };
        let is_moved = found != known;
        Err(if is_moved {
            GitError::Moved { reference: reference.to_owned(), found, known: known.to_owned() }
        } else {
            GitError::Said {
                what: format!("update-ref {reference}"),
                code: said.code,
                said: said.err.trim().to_owned(),
            }
        })
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
