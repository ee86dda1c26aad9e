//! Giving back what a build that is over no longer needs: worktrees whose content is in a commit that a ref leads to, and what
//! can be made again. The repository with its refs (archives of tries, checkpoints) stays; nothing that is nowhere else goes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::snapshot::stage;
use super::workshop::remove;
use super::{GitError, Workshop};
use crate::process::Processes;

/// The folder of all workshops below a home.
pub const WORKSHOPS: &str = "workshops";
/// What can be made again: indexes, what agents and gates left on the side, remembered passes.
const MADE_AGAIN: [&str; 3] = ["index", "tmp", "passes"];
/// Where worktrees are: those of the last tries, and those that were put aside.
const TREES: [&str; 2] = ["trees", "attic"];

/// What was freed of a workshop, or would be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Released {
    /// The workshop.
    pub workshop: PathBuf,
    /// Folders and files that went.
    pub removed: Vec<PathBuf>,
    /// Bytes in them.
    pub bytes: u64,
    /// What stayed, and why.
    pub kept: Vec<(PathBuf, String)>,
}

/// The workshop of a run below a home, if it has one. Efforts work in that of their build.
pub fn workshop_of(home: &Path, run: &baton_engine::RunId) -> Option<PathBuf> {
    Some(home.join(WORKSHOPS).join(run.to_string())).filter(|folder| folder.is_dir())
}

/// Frees the workshop of a build that is over; with `plan` it is only said. Every worktree is looked at as it stands: if its
/// content is not the tree of a commit that a ref leads to, it stays.
pub async fn release(processes: &Processes, folder: &Path, plan: bool) -> Result<Released, GitError> {
    let workshop = Workshop::new(&processes.alone(), folder.to_owned());
    let mut released = Released { workshop: folder.to_owned(), ..Released::default() };
    let kept = kept_trees(&workshop).await?;
    let mut freed = Vec::new();
    for worktree in TREES.iter().flat_map(|part| entries(&folder.join(part))) {
        match why_not(&workshop, &worktree, &kept).await? {
            None => freed.push(worktree),
            Some(why) => released.kept.push((worktree, why.to_owned())),
        }
    }
    // Whoever looks at a worktree that stays needs what belongs to it.
    let made_again = MADE_AGAIN.iter().filter(|_| released.kept.is_empty());
    freed.extend(made_again.flat_map(|part| entries(&folder.join(part))));
    for path in freed {
        released.bytes += size(&path);
        if !plan {
            clear(&path)?;
        }
        released.removed.push(path);
    }
    Ok(released)
}

/// The trees of all commits that refs lead to.
async fn kept_trees(workshop: &Workshop) -> Result<BTreeSet<String>, GitError> {
    if !workshop.git().dir().join("HEAD").exists() {
        return Ok(BTreeSet::new());
    }
    let listed = workshop.git().bytes(&["log", "--all", "--format=%T"]).await?;
    Ok(String::from_utf8_lossy(&listed).lines().map(str::to_owned).collect())
}

/// Why a worktree has to stay, if it has to.
async fn why_not(
    workshop: &Workshop,
    worktree: &Path,
    kept: &BTreeSet<String>,
) -> Result<Option<&'static str>, GitError> {
    if !worktree.is_dir() || worktree.is_symlink() {
        return Ok(Some("it is no folder of ours"));
    }
    let index = workshop.spare_index("release");
    super::workshop::make(index.parent().unwrap_or(worktree))?;
    clear(&index)?;
    // An index of its own that knows nothing: only what stands there now counts.
    let staged = stage(&workshop.git().with_tree(worktree, &index)).await;
    clear(&index)?;
    Ok(match staged {
        Ok((_, nested)) if !nested.is_empty() => Some("it holds a repository of its own"),
        Ok((tree, _)) if kept.contains(&tree) => None,
        Ok(_) => Some("it holds work that is in no commit"),
        Err(GitError::NoGit) => return Err(GitError::NoGit),
        Err(_) => Some("it cannot be read"),
    })
}

/// What is in a folder, by name; nothing if there is none.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let listed = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = listed.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// Bytes of the files below a path; links are not followed.
fn size(path: &Path) -> u64 {
    match std::fs::symlink_metadata(path) {
        Ok(about) if about.is_dir() => entries(path).iter().map(|path| size(path)).sum(),
        Ok(about) => about.len(),
        Err(_) => 0,
    }
}

fn clear(path: &Path) -> Result<(), GitError> {
    if path.is_dir() && !path.is_symlink() {
        return remove(path);
    }
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(GitError::file(path, error)),
        _ => Ok(()),
    }
}
