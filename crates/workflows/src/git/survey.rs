//! A look at the person's repository before anything is made: what a build would begin from, or everything that is in
//! the way at once.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Git, GitError};
use crate::process::Processes;

/// The oldest git that can merge trees onto a named base.
pub const OLDEST: (u32, u32) = (2, 40);

/// A repository that can be built on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Surveyed {
    /// The folder that is checked out.
    pub top: PathBuf,
    /// The repository's own folder.
    pub dir: PathBuf,
    /// The branch that a build would be merged into: the one a plan names as its base, else the one checked out.
    pub branch: String,
    /// The commit a build begins from.
    pub base: String,
    /// The version of git.
    pub git: String,
}

/// Something in the way.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// There is no git.
    #[error("git cannot be run ({0}); install git {major}.{minor} or later", major = OLDEST.0, minor = OLDEST.1)]
    NoGit(String),
    /// It is too old.
    #[error("git {0} is too old; {major}.{minor} or later is needed", major = OLDEST.0, minor = OLDEST.1)]
    OldGit(String),
    /// It is no repository.
    #[error("{0} is not a git repository; type `git init` there and commit something")]
    NotARepository(PathBuf),
    /// Nothing is checked out.
    #[error("{0} is a bare repository; name a checkout of it")]
    Bare(PathBuf),
    /// Its history is cut off.
    #[error("{0} is a shallow clone; type `git fetch --unshallow` there")]
    Shallow(PathBuf),
    /// It has no commits.
    #[error("{0} has no commits; make one")]
    NoCommits(PathBuf),
    /// No branch is checked out.
    #[error(
        "{0} stands on no branch (detached HEAD); type `git switch BRANCH` there, or name a base in the plan"
    )]
    Detached(PathBuf),
    /// It has changes that are in no commit.
    #[error("{folder} has changes that are in no commit: {what}; commit or stash them")]
    Dirty {
        /// Where.
        folder: PathBuf,
        /// Some of them.
        what: String,
    },
    /// It has repositories inside it.
    #[error("it has submodules ({0}), which are not built with; name a base without them")]
    Submodules(String),
    /// Two of its names differ only in capitals.
    #[error("{0} differ only in capitals, and some file systems know only one of them; rename one")]
    SameName(String),
    /// The base is not there.
    #[error("there is no commit called `{0}`")]
    NoBase(String),
    /// Git said something else.
    #[error("{0}")]
    Other(String),
}

/// Looks at a repository; `base` is what a plan names instead of what is checked out.
pub async fn survey(processes: &Processes, repo: &Path, base: Option<&str>) -> Result<Surveyed, Vec<Unfit>> {
    let processes = processes.alone();
    let other = |error: GitError| vec![Unfit::Other(error.to_string())];
    let nowhere = Git::new(&processes, repo.join(".git"));
    let version = nowhere.line(&["version"]).await.map_err(|error| {
        let why =
            if matches!(error, GitError::NoGit) { "there is none".to_owned() } else { error.to_string() };
        vec![Unfit::NoGit(why)]
    })?;
    let version = version.trim_start_matches("git version ").to_owned();
    if !is_new_enough(&version) {
        return Err(vec![Unfit::OldGit(version)]);
    }
    let Some(dir) = find(&processes, repo).await.map_err(other)? else {
        return Err(vec![Unfit::NotARepository(repo.to_owned())]);
    };
    let git = Git::new(&processes, &dir);
    if git.line(&["rev-parse", "--is-bare-repository"]).await.map_err(other)? == "true" {
        return Err(vec![Unfit::Bare(repo.to_owned())]);
    }
    let common =
        git.line(&["rev-parse", "--path-format=absolute", "--git-common-dir"]).await.map_err(other)?;
    let top = if dir.file_name().is_some_and(|name| name == ".git") {
        dir.parent().unwrap_or(repo).to_owned()
    } else {
        repo.to_owned()
    };
    let mut wrong = Vec::new();
    if Path::new(&common).join("shallow").exists() {
        wrong.push(Unfit::Shallow(repo.to_owned()));
    }
    let Some(head) = git.resolve("HEAD^{commit}").await.map_err(other)? else {
        wrong.push(Unfit::NoCommits(repo.to_owned()));
        return Err(wrong);
    };
    let symbolic = git.ask(&["symbolic-ref", "--short", "-q", "HEAD"], None).await.map_err(other)?;
    let branch = String::from_utf8_lossy(&symbolic.out).trim().to_owned();
    if branch.is_empty() && base.is_none() {
        wrong.push(Unfit::Detached(repo.to_owned()));
    }
    let from = match base {
        None => Some(head),
        Some(name) => git.resolve(&format!("{name}^{{commit}}")).await.map_err(other)?,
    };
    let Some(from) = from else {
        wrong.push(Unfit::NoBase(base.unwrap_or_default().to_owned()));
        return Err(wrong);
    };
    let branch = match base {
        Some(name) if git.resolve(&format!("refs/heads/{name}")).await.map_err(other)?.is_some() => {
            name.to_owned()
        }
        _ => branch,
    };
    wrong.extend(dirty(&git, &top, repo).await.map_err(other)?);
    wrong.extend(contents(&git, &from).await.map_err(other)?);
    if wrong.is_empty() {
        Ok(Surveyed { top, dir: common.into(), branch, base: from, git: version })
    } else {
        Err(wrong)
    }
}

/// Changes that are in no commit. Looked for with an index of its own, so that theirs is not touched.
async fn dirty(git: &Git, top: &Path, repo: &Path) -> Result<Option<Unfit>, GitError> {
    let index = git.dir().join("index");
    let git = git.with_tree(top, &index).overriding(without_filters(git).await?);
    let status = git
        .bytes(&["status", "--porcelain", "-z", "--untracked-files=no", "--ignore-submodules=all"])
        .await?;
    let names: Vec<String> = status
        .split(|byte| *byte == 0)
        .filter(|line| line.len() > 3)
        .take(5)
        .map(|line| String::from_utf8_lossy(line.get(3..).unwrap_or_default()).into_owned())
        .collect();
    Ok((!names.is_empty()).then(|| Unfit::Dirty { folder: repo.to_owned(), what: names.join(", ") }))
}

/// Settings under which no filter of the repository runs: comparing files with their index would start them.
async fn without_filters(git: &Git) -> Result<Vec<(String, String)>, GitError> {
    let asked =
        ["config", "--name-only", "-z", "--get-regexp", r"^filter\..*\.(clean|smudge|process|required)$"];
    let said = git.ask(&asked, None).await?;
    let text = String::from_utf8_lossy(&said.out);
    let keys = text.split('\0').filter(|key| !key.is_empty());
    let value = |key: &str| if key.ends_with(".required") { "false" } else { "" };
    Ok(keys.map(|key| (key.to_owned(), value(key).to_owned())).collect())
}

/// What a commit holds that cannot be built with.
async fn contents(git: &Git, commit: &str) -> Result<Vec<Unfit>, GitError> {
    let listed = git.bytes(&["ls-tree", "-r", "-z", "--full-tree", commit]).await?;
    let text = String::from_utf8_lossy(&listed);
    let mut wrong = Vec::new();
    let lines = || text.split('\0').filter_map(|line| line.split_once('\t'));
    let modules: Vec<&str> =
        lines().filter(|(entry, _)| entry.starts_with("160000")).map(|(_, path)| path).take(5).collect();
    if !modules.is_empty() {
        wrong.push(Unfit::Submodules(modules.join(", ")));
    }
    let mut seen = std::collections::BTreeMap::new();
    for (_, path) in lines() {
        if let Some(other) = seen.insert(path.to_lowercase(), path) {
            wrong.push(Unfit::SameName(format!("{other} and {path}")));
            break;
        }
    }
    Ok(wrong)
}

/// The repository's own folder; none if there is none at or above this one.
async fn find(processes: &Processes, repo: &Path) -> Result<Option<PathBuf>, GitError> {
    let mut folder = Some(repo);
    while let Some(here) = folder {
        let dot = here.join(".git");
        if dot.is_dir() {
            return Ok(Some(dot));
        }
        if dot.is_file() {
            let text = std::fs::read_to_string(&dot).map_err(|error| GitError::file(&dot, error))?;
            return Ok(text.trim().strip_prefix("gitdir: ").map(|dir| here.join(dir)));
        }
        if here.join("HEAD").is_file() && here.join("objects").is_dir() {
            let there = Git::new(processes, here).resolve("HEAD").await;
            return Ok(there.is_ok().then(|| here.to_owned()));
        }
        folder = here.parent();
    }
    Ok(None)
}

fn is_new_enough(version: &str) -> bool {
    let mut numbers =
        version.split(|letter: char| !letter.is_ascii_digit()).filter_map(|part| part.parse().ok());
    let found: (u32, u32) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    found >= OLDEST
}
