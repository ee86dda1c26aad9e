//! Bringing a finished build to the person: the only time their repository is written.

use std::path::Path;

use super::acts::{Deliver, Delivered, Delivery, Hand};
use super::workshop::make;
use super::{Git, GitError};
use crate::process::Processes;

pub async fn deliver(hand: &Hand, act: Deliver) -> Result<Delivered, GitError> {
    let theirs = Git::new(&hand.processes, &act.repo);
    match act.how {
        Delivery::Branch => {
            let reference = format!("refs/heads/{}", act.branch);
            bring(hand, &act, &theirs).await?;
            theirs.move_ref(&reference, &act.commit, "").await?;
            forget(&theirs, &act).await?;
        }
        Delivery::Merge => {
            let reference = format!("refs/heads/{}", act.branch);
            refuse_checked_out(&theirs, &act.branch).await?;
            bring(hand, &act, &theirs).await?;
            theirs.move_ref(&reference, &act.commit, &act.base).await.map_err(|error| moved(&act, error))?;
            forget(&theirs, &act).await?;
        }
        Delivery::Patches => patches(hand, &act).await?,
        Delivery::PrFiles => {
            make(&act.folder)?;
            let git = hand.workshop(&act.workshop).git();
            let patch =
                git.bytes(&["diff", "--binary", "-M", "--no-ext-diff", &act.base, &act.commit]).await?;
            let range = format!("{}..{}", act.base, act.commit);
            let log = git.line(&["log", "--first-parent", "--format=- %s", &range]).await?;
            write(&act.folder.join("CHANGES.patch"), &patch)?;
            write(&act.folder.join("TITLE.txt"), format!("{}\n", act.title).as_bytes())?;
            let body = format!("{}\n\n{log}\n", act.title);
            write(&act.folder.join("BODY.md"), body.as_bytes())?;
        }
    }
    Ok(said(&act))
}

pub async fn delivered(hand: &Hand, act: Deliver) -> Result<Option<Delivered>, GitError> {
    let is_there = match act.how {
        Delivery::Branch | Delivery::Merge => {
            let theirs = Git::new(&hand.processes, &act.repo);
            theirs.resolve(&format!("refs/heads/{}", act.branch)).await?.as_deref() == Some(&act.commit)
        }
        // Files are written again; they are the same.
        Delivery::Patches | Delivery::PrFiles => false,
    };
    Ok(is_there.then(|| said(&act)))
}

fn said(act: &Deliver) -> Delivered {
    match act.how {
        Delivery::Branch => Delivered {
            at: act.branch.clone(),
            see: format!("git log --stat {}..{}", act.base.get(..12).unwrap_or(&act.base), act.branch),
        },
        Delivery::Merge => Delivered { at: act.branch.clone(), see: format!("git log {}", act.branch) },
        Delivery::Patches => Delivered {
            at: act.folder.display().to_string(),
            see: format!("git apply --check {}/*.patch", act.folder.display()),
        },
        Delivery::PrFiles => {
            Delivered { at: act.folder.display().to_string(), see: format!("ls {}", act.folder.display()) }
        }
    }
}

fn passing_ref(act: &Deliver) -> String {
    format!("refs/baton/delivery/{}", act.commit.get(..16).unwrap_or(&act.commit))
}

/// Brings the objects under a name that is ours, so that moving theirs is one step.
async fn bring(hand: &Hand, act: &Deliver, theirs: &Git) -> Result<(), GitError> {
    let ours = hand.workshop(&act.workshop).git();
    let reference = passing_ref(act);
    let there = ours.resolve(&reference).await?.unwrap_or_default();
    ours.move_ref(&reference, &act.commit, &there).await?;
    let from = ours.dir().display().to_string();
    let spec = format!("+{reference}:{reference}");
    theirs.bytes(&["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", &from, &spec]).await.map(drop)
}

async fn forget(theirs: &Git, act: &Deliver) -> Result<(), GitError> {
    theirs.bytes(&["update-ref", "-d", &passing_ref(act), &act.commit]).await.map(drop)
}

/// Whether a build may end by moving this branch: asked before it begins, so that nobody waits for a refusal.
pub async fn may_merge_into(processes: &Processes, repo: &Path, branch: &str) -> Result<(), GitError> {
    refuse_checked_out(&Git::new(&processes.alone(), repo), branch).await
}

async fn refuse_checked_out(theirs: &Git, branch: &str) -> Result<(), GitError> {
    if checked_out(theirs).await?.contains(&format!("refs/heads/{branch}")) {
        return Err(GitError::Missing(format!(
            "{branch} is checked out, and files under somebody's hands are not changed; switch to another branch there, or deliver a branch and merge it yourself"
        )));
    }
    Ok(())
}

/// A target that moved while the build went on is not moved back: nothing was delivered, and this is where it is.
fn moved(act: &Deliver, error: GitError) -> GitError {
    let GitError::Moved { found, .. } = &error else { return error };
    let from = act.workshop.join("repo.git");
    GitError::Missing(format!(
        "{branch} moved to {found} since the build began from {base}, so it is left alone; to merge by hand: git fetch {from} {commit} && git merge FETCH_HEAD",
        branch = act.branch,
        base = act.base,
        from = from.display(),
        commit = passing_ref(act),
    ))
}

/// The branches that somebody has checked out.
async fn checked_out(theirs: &Git) -> Result<Vec<String>, GitError> {
    let listed = theirs.line(&["worktree", "list", "--porcelain"]).await?;
    Ok(listed.lines().filter_map(|line| line.strip_prefix("branch ")).map(str::to_owned).collect())
}

/// One patch for each merge of the main line, so that they apply one after the other.
async fn patches(hand: &Hand, act: &Deliver) -> Result<(), GitError> {
    make(&act.folder)?;
    let git = hand.workshop(&act.workshop).git();
    let range = format!("{}..{}", act.base, act.commit);
    let listed = git
        .line(&["rev-list", "--first-parent", "--reverse", "--format=%s", "--no-commit-header", &range])
        .await?;
    let commits = git.line(&["rev-list", "--first-parent", "--reverse", &range]).await?;
    let mut before = act.base.clone();
    let mut number = 0;
    for (commit, subject) in commits.lines().zip(listed.lines()) {
        let patch = git.bytes(&["diff", "--binary", "-M", "--no-ext-diff", &before, commit]).await?;
        before = commit.to_owned();
        if patch.is_empty() {
            continue;
        }
        number += 1;
        let slug: String = subject
            .chars()
            .map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' })
            .take(50)
            .collect();
        write(&act.folder.join(format!("{number:04}-{}.patch", slug.trim_matches('-'))), &patch)?;
    }
    Ok(())
}

fn write(path: &Path, content: &[u8]) -> Result<(), GitError> {
    std::fs::write(path, content).map_err(|error| GitError::file(path, error))
}
