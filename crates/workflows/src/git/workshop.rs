//! The folder of a build: its repository, a worktree and an index per effort. Nothing here is deleted unless its work is
//! committed and contained in a ref that is kept.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::acts::{Hand, OpenWorkshop, Provision, Provisioned, Tidied, Tidy};
use super::{Git, GitError};
use crate::process::Processes;

/// A workshop.
#[derive(Clone)]
pub struct Workshop {
    processes: Processes,
    folder: PathBuf,
}

impl Workshop {
    /// The workshop in this folder.
    pub fn new(processes: &Processes, folder: PathBuf) -> Self {
        Self { processes: processes.clone(), folder }
    }

    /// The folder of all worktrees.
    pub(super) fn trees(&self) -> PathBuf {
        self.folder.join("trees")
    }

    /// Its repository.
    pub fn git(&self) -> Git {
        Git::new(&self.processes, self.folder.join("repo.git"))
    }

    /// The worktree of an effort.
    pub fn worktree(&self, effort: &str) -> PathBuf {
        self.trees().join(effort)
    }

    /// The index of an effort.
    pub fn index(&self, effort: &str) -> PathBuf {
        self.folder.join("index").join(effort)
    }

    /// A folder of its own for what an effort or a gate writes on the side.
    pub fn scratch(&self, name: &str) -> PathBuf {
        self.folder.join("tmp").join(name)
    }

    /// Where passes of gates are remembered.
    pub fn passes(&self) -> PathBuf {
        self.folder.join("passes")
    }

    /// The repository with the worktree and the index of an effort.
    pub fn git_of(&self, effort: &str) -> Git {
        self.git().with_tree(&self.worktree(effort), &self.index(effort))
    }

    /// Makes the worktree of an effort again from a commit, if somebody removed it.
    pub async fn restore(&self, effort: &str, tip: &str) -> Result<(), GitError> {
        check_out(self, effort, effort, tip).await.map(drop)
    }

    /// An index file that nobody else uses, for one act.
    pub fn spare_index(&self, name: &str) -> PathBuf {
        self.folder.join("index").join(format!(".{name}"))
    }

    fn make(&self, part: &str) -> Result<(), GitError> {
        make(&self.folder.join(part))
    }
}

/// Makes a folder and those above it.
pub(super) fn make(path: &Path) -> Result<(), GitError> {
    std::fs::create_dir_all(path).map_err(|error| GitError::file(path, error))
}

/// Removes a folder of ours, or finds it gone.
pub(super) fn remove(path: &Path) -> Result<(), GitError> {
    match std::fs::remove_dir_all(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(GitError::file(path, error)),
        _ => Ok(()),
    }
}

pub async fn open(hand: &Hand, act: OpenWorkshop) -> Result<String, GitError> {
    let workshop = hand.workshop(&act.workshop);
    for part in ["trees", "index", "tmp", "passes", "attic"] {
        workshop.make(part)?;
    }
    let git = workshop.git();
    if !git.dir().join("HEAD").exists() {
        let dir = git.dir().display().to_string();
        git.bytes(&["init", "--quiet", "--bare", "--template=", &dir]).await?;
    }
    let theirs = act.repo.display().to_string();
    let specs = ["+refs/heads/*:refs/baton/theirs/heads/*", "+refs/tags/*:refs/baton/theirs/tags/*"];
    git.bytes(&["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", &theirs, specs[0], specs[1]])
        .await?;
    if git.resolve(&format!("{}^{{commit}}", act.base)).await?.is_none() {
        return Err(GitError::Missing(format!("{} is on no branch of {theirs}", act.base)));
    }
    let base = git.resolve("refs/baton/base").await?.unwrap_or_default();
    if base != act.base {
        git.move_ref("refs/baton/base", &act.base, &base).await?;
    }
    Ok(act.base)
}

pub async fn provision(hand: &Hand, act: Provision) -> Result<Provisioned, GitError> {
    let workshop = hand.workshop(&act.workshop);
    let git = workshop.git();
    let reference = format!("refs/heads/{}", act.branch);
    // Which commit this try was begun from: the next begins anew, and what was there is kept.
    let begun = format!("refs/baton/begun/{}/{}", act.branch, act.attempt);
    let there = git.refs(&[&reference, &begun]).await?;
    let at = |name: &str| there.get(name).map_or("", String::as_str);
    let (tip, began) = (at(&reference), at(&begun));
    let is_begun = began == act.base && !tip.is_empty();
    if !is_begun {
        // A branch that is gone though its try was begun is made again; nothing of it was put aside then.
        if began != act.base {
            put_aside(&workshop, &act, tip).await?;
        }
        git.move_refs(&[(&reference, &act.base, tip), (&begun, &act.base, began)]).await?;
    }
    let tip = if is_begun { tip } else { &act.base };
    check_out(&workshop, &act.effort, &act.branch, tip).await?;
    Ok(Provisioned { worktree: workshop.worktree(&act.effort), tip: tip.to_owned() })
}

/// Keeps what an earlier try left: its commits under a ref, its worktree in the attic.
async fn put_aside(workshop: &Workshop, act: &Provision, tip: &str) -> Result<(), GitError> {
    let short = |commit: &str| commit.chars().take(12).collect::<String>();
    if !tip.is_empty() {
        let kept = format!("refs/baton/archive/tries/{}-{}", act.branch, short(tip));
        let git = workshop.git();
        let there = git.resolve(&kept).await?.unwrap_or_default();
        git.move_ref(&kept, tip, &there).await?;
    }
    let worktree = workshop.worktree(&act.effort);
    if worktree.exists() {
        let mut attic = workshop.folder.join("attic").join(format!("{}-{}", act.effort, short(tip)));
        let mut number = 1;
        while attic.exists() {
            number += 1;
            attic.set_file_name(format!("{}-{}-{number}", act.effort, short(tip)));
        }
        std::fs::rename(&worktree, &attic).map_err(|error| GitError::file(&worktree, error))?;
    }
    Ok(())
}

/// Makes the worktree of an effort if there is none. It appears whole or not at all.
pub(super) async fn check_out(
    workshop: &Workshop,
    effort: &str,
    branch: &str,
    tip: &str,
) -> Result<bool, GitError> {
    let worktree = workshop.worktree(effort);
    make(&workshop.scratch(effort))?;
    if worktree.exists() {
        return Ok(false);
    }
    let half = workshop.trees().join(format!(".{effort}"));
    remove(&half)?;
    make(&half)?;
    let index = workshop.index(effort);
    let _ = std::fs::remove_file(&index);
    let git = workshop.git().with_tree(&half, &index);
    git.bytes(&["read-tree", "--reset", "-u", tip]).await?;
    own_repository(workshop, &half, &index, branch, tip)?;
    std::fs::rename(&half, &worktree).map_err(|error| GitError::file(&worktree, error))?;
    Ok(true)
}

/// A small repository inside the worktree for whoever works there. It borrows our objects and can write none of them;
/// we never read it again.
fn own_repository(
    workshop: &Workshop,
    worktree: &Path,
    index: &Path,
    branch: &str,
    tip: &str,
) -> Result<(), GitError> {
    let own = worktree.join(".git");
    let ours = workshop.git();
    let borrowed = format!("{}\n", ours.dir().join("objects").display());
    let files = [
        ("HEAD", format!("ref: refs/heads/{branch}\n")),
        ("config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n[user]\n\tname = Baton\n\temail = baton@localhost\n".to_owned()),
        ("objects/info/alternates", borrowed),
        (&format!("refs/heads/{branch}"), format!("{tip}\n")),
    ];
    for (name, content) in files {
        let path = own.join(name);
        make(path.parent().unwrap_or(&own))?;
        std::fs::write(&path, content).map_err(|error| GitError::file(&path, error))?;
    }
    std::fs::copy(index, own.join("index")).map(drop).map_err(|error| GitError::file(index, error))
}

pub async fn tidy(hand: &Hand, act: Tidy) -> Result<Tidied, GitError> {
    let workshop = hand.workshop(&act.workshop);
    let mut done = Tidied { removed: Vec::new(), kept: Vec::new() };
    let here: Vec<&(String, String)> =
        act.efforts.iter().filter(|(effort, _)| workshop.worktree(effort).exists()).collect();
    if here.is_empty() {
        return Ok(done);
    }
    let tips = workshop.git().refs(&["refs/heads"]).await?;
    let open = uncontained(&workshop.git(), tips.values(), &act.safe_in).await?;
    for (effort, branch) in here {
        let why = match tips.get(&format!("refs/heads/{branch}")) {
            _ if !is_clean(&workshop, effort).await? => "it holds work that is in no commit",
            None => "its branch is gone",
            Some(tip) if open.contains(tip) => "its work is contained in no ref that is kept",
            Some(_) => {
                remove(&workshop.worktree(effort))?;
                done.removed.push(effort.clone());
                continue;
            }
        };
        done.kept.push((effort.clone(), why.to_owned()));
    }
    Ok(done)
}

/// Which of these commits are contained in none of the refs or commits that are kept.
async fn uncontained(
    git: &Git,
    tips: impl Iterator<Item = &String>,
    kept: &[String],
) -> Result<BTreeSet<String>, GitError> {
    let names: Vec<&str> = kept.iter().map(String::as_str).collect();
    let kept: Vec<String> = git.commits(&names).await?.into_iter().flatten().collect();
    let mut asked: String = tips.map(|tip| format!("{tip}\n")).collect();
    asked.extend(kept.iter().map(|commit| format!("^{commit}\n")));
    let listed = git.fed(&["rev-list", "--stdin"], Some(asked.into_bytes())).await?;
    Ok(String::from_utf8_lossy(&listed).lines().map(str::to_owned).collect())
}

/// Whether everything in a worktree is in the newest commit of its index.
pub(super) async fn is_clean(workshop: &Workshop, effort: &str) -> Result<bool, GitError> {
    let looks = ["ls-files", "--modified", "--deleted", "--others", "--exclude-standard", "-z"];
    Ok(workshop.git_of(effort).bytes(&looks).await?.is_empty())
}
