//! The folder of a build: its repository, a worktree and an index per effort. Nothing here is deleted unless its work is
//! committed and contained in a ref that is kept.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::acts::{
    Hand, OpenWorkshop, Provision, Provisioned, Reconcile, Reconciled, Standing, Tidied, Tidy,
};
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

    /// Its repository.
    pub fn git(&self) -> Git {
        Git::new(&self.processes, self.folder.join("repo.git"))
    }

    /// The worktree of an effort.
    pub fn worktree(&self, effort: &str) -> PathBuf {
        self.folder.join("trees").join(effort)
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
    let began = git.resolve(&begun).await?;
    let mut tip = git.resolve(&reference).await?.unwrap_or_default();
    if began.as_deref() != Some(&act.base) {
        put_aside(&workshop, &act, &tip).await?;
        git.move_ref(&reference, &act.base, &tip).await?;
        git.move_ref(&begun, &act.base, &began.unwrap_or_default()).await?;
        tip.clone_from(&act.base);
    }
    if tip.is_empty() {
        git.move_ref(&reference, &act.base, "").await?;
        tip.clone_from(&act.base);
    }
    check_out(&workshop, &act.effort, &act.branch, &tip).await?;
    Ok(Provisioned { worktree: workshop.worktree(&act.effort), tip })
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
    let half = workshop.folder.join("trees").join(format!(".{effort}"));
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
    let git = workshop.git();
    let mut done = Tidied { removed: Vec::new(), kept: Vec::new() };
    for (effort, branch) in &act.efforts {
        let worktree = workshop.worktree(effort);
        if !worktree.exists() {
            continue;
        }
        let why = if !is_clean(&workshop, effort).await? {
            Some("it holds work that is in no commit".to_owned())
        } else {
            match git.resolve(&format!("refs/heads/{branch}")).await? {
                None => Some("its branch is gone".to_owned()),
                Some(tip) => {
                    let mut safe = false;
                    for reference in &act.safe_in {
                        if !safe && git.resolve(reference).await?.is_some() {
                            safe = git.contains(reference, &tip).await?;
                        }
                    }
                    (!safe).then(|| "its work is contained in no ref that is kept".to_owned())
                }
            }
        };
        match why {
            Some(why) => done.kept.push((effort.clone(), why)),
            None => {
                remove(&worktree)?;
                done.removed.push(effort.clone());
            }
        }
    }
    Ok(done)
}

/// Whether everything in a worktree is in the newest commit of its index.
async fn is_clean(workshop: &Workshop, effort: &str) -> Result<bool, GitError> {
    let looks = ["ls-files", "--modified", "--deleted", "--others", "--exclude-standard", "-z"];
    Ok(workshop.git_of(effort).bytes(&looks).await?.is_empty())
}

pub async fn reconcile(hand: &Hand, act: Reconcile) -> Result<Reconciled, GitError> {
    let workshop = hand.workshop(&act.workshop);
    let git = workshop.git();
    let listed = git.line(&["for-each-ref", "--format=%(refname) %(objectname)", "refs/heads"]).await?;
    let tips: BTreeMap<&str, &str> = listed
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(name, tip)| Some((name.strip_prefix("refs/heads/")?, tip)))
        .collect();
    let mut there = worktrees(&workshop)?;
    let mut efforts = Vec::new();
    for (effort, branch, known) in &act.efforts {
        let has_tree = there.remove(effort);
        let tip = tips.get(branch.as_str()).copied().unwrap_or_default();
        let standing = match (known.is_empty(), tip) {
            (true, "") => Standing::Unmade,
            (false, "") => Standing::Lost { tip: String::new() },
            (false, tip) if tip != known && !git.contains(tip, known).await.unwrap_or(false) => {
                Standing::Lost { tip: tip.to_owned() }
            }
            (_, tip) if !has_tree => {
                check_out(&workshop, effort, branch, tip).await?;
                Standing::Restored
            }
            (false, tip) if tip != known => Standing::Ahead { tip: tip.to_owned() },
            _ if !is_clean(&workshop, effort).await? => Standing::Dirty,
            _ => Standing::Sound,
        };
        efforts.push((effort.clone(), standing));
    }
    Ok(Reconciled { efforts, strangers: there.into_iter().collect() })
}

/// The worktrees there are.
fn worktrees(workshop: &Workshop) -> Result<BTreeSet<String>, GitError> {
    let folder = workshop.folder.join("trees");
    let entries = std::fs::read_dir(&folder).map_err(|error| GitError::file(&folder, error))?;
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    Ok(names.filter(|name| !name.starts_with('.')).collect())
}
