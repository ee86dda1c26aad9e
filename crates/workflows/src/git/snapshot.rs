//! Committing what stands in a worktree, whoever wrote it and whatever they did to the repository beside it.

use std::path::{Component, Path};

use super::acts::{Hand, Snapped, Snapshot};
use super::workshop::check_out;
use super::{Git, GitError};

/// How many names of a kind are told.
const TOLD: usize = 20;

pub async fn snapshot(hand: &Hand, act: Snapshot) -> Result<Snapped, GitError> {
    let workshop = hand.workshop(&act.workshop);
    let git = workshop.git_of(&act.effort);
    let reference = format!("refs/heads/{}", act.branch);
    let tip = workshop.git().refs(&[&reference]).await?.remove(&reference).unwrap_or_default();
    if tip != act.old {
        // A try before this one may have made the commit and failed behind it.
        return match reconcile(hand, act.clone()).await? {
            Some(made) => Ok(made),
            None => Ok(lost(act, &tip)),
        };
    }
    // A worktree that is gone is made again from the branch; what was in no commit went with it, and that is told by a
    // commit that changes nothing.
    check_out(&workshop, &act.effort, &act.branch, &tip).await?;
    let (tree, nested) = stage(&git).await?;
    let before = git.tree_of(&act.old).await?;
    let tip = if tree == before {
        act.old.clone()
    } else {
        let Snapshot { committer, at, message, old, .. } = &act;
        let git = git.as_committer(&committer.name, &committer.email, *at);
        let commit = git.commit(&tree, &[old], message).await?;
        git.move_ref(&reference, &commit, old).await?;
        commit
    };
    told(&git, &act, tip, tree, nested).await
}

/// The branch is gone or somebody moved it: whoever did that has to be asked, so nothing is touched.
fn lost(act: Snapshot, tip: &str) -> Snapped {
    let there = if tip.is_empty() { "is gone".to_owned() } else { format!("stands at {tip}") };
    let lost = format!("its branch {} {there} and not at {}", act.branch, act.old);
    Snapped { tip: act.old, lost, ..Snapped::default() }
}

pub async fn reconcile(hand: &Hand, act: Snapshot) -> Result<Option<Snapped>, GitError> {
    let git = hand.workshop(&act.workshop).git_of(&act.effort);
    let Some(tip) = git.resolve(&format!("refs/heads/{}", act.branch)).await? else { return Ok(None) };
    let parent = git.resolve(&format!("{tip}^")).await?;
    if tip == act.old || parent.as_deref() != Some(&act.old) {
        return Ok(None);
    }
    let tree = git.tree_of(&tip).await?;
    let (_, nested) = stage(&git).await?;
    told(&git, &act, tip, tree, nested).await.map(Some)
}

/// Puts everything that is not ignored into the index; its tree, and the repositories that stand in the way.
pub(super) async fn stage(git: &Git) -> Result<(String, Vec<String>), GitError> {
    git.bytes(&["add", "--update"]).await?;
    let others = git.bytes(&["ls-files", "--others", "--exclude-standard", "-z"]).await?;
    let (nested, files): (Vec<&[u8]>, Vec<&[u8]>) = others
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty())
        .partition(|name| name.ends_with(b"/"));
    if !files.is_empty() {
        let mut list = files.join(&0);
        list.push(0);
        git.fed(&["update-index", "--add", "-z", "--stdin"], Some(list)).await?;
    }
    let tree = git.line(&["write-tree"]).await?;
    Ok((tree, names(nested)))
}

fn names<'a>(found: impl IntoIterator<Item = &'a [u8]>) -> Vec<String> {
    found.into_iter().take(TOLD).map(|name| String::from_utf8_lossy(name).into_owned()).collect()
}

/// What a reviewer has to know of a snapshot beside its content.
async fn told(
    git: &Git,
    act: &Snapshot,
    tip: String,
    tree: String,
    mut nested: Vec<String>,
) -> Result<Snapped, GitError> {
    let raw = git.bytes(&["diff-tree", "-r", "-z", "--no-renames", &act.base, &tip]).await?;
    let mut links = Vec::new();
    let mut parts = raw.split(|byte| *byte == 0);
    while let (Some(head), Some(path)) = (parts.next(), parts.next()) {
        let path = String::from_utf8_lossy(path).into_owned();
        match head.split(|byte| *byte == b' ').nth(1).unwrap_or_default() {
            b"160000" => nested.push(path),
            b"120000" => links.push(path),
            _ => {}
        }
    }
    let targets: Vec<String> = links.iter().map(|path| format!("{tip}:{path}")).collect();
    let targets = git.blobs(&targets).await?;
    // A link whose target cannot be read may lead anywhere.
    let is_outward = |path: &str, target: Option<Vec<u8>>| {
        target.is_none_or(|target| leads_out(path, &String::from_utf8_lossy(&target)))
    };
    let outward = links.into_iter().zip(targets).filter(|(path, target)| is_outward(path, target.clone()));
    let outward = outward.map(|(path, _)| path).collect();
    let ignored = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"];
    let ignored = git.bytes(&ignored).await?;
    let ignored = names(ignored.split(|byte| *byte == 0).filter(|name| !name.is_empty()));
    let changed = tip != act.old;
    Ok(Snapped { tip, tree, changed, nested, outward, ignored, lost: String::new() })
}

/// Whether a link of a worktree leads out of it.
fn leads_out(link: &str, target: &str) -> bool {
    let target = Path::new(target);
    if target.is_absolute() {
        return true;
    }
    let mut depth = Path::new(link).components().count() as i64 - 1;
    for part in target.components() {
        depth += match part {
            Component::ParentDir => -1,
            Component::CurDir => 0,
            _ => 1,
        };
        if depth < 0 {
            return true;
        }
    }
    false
}
