//! Merges without a checkout, and the refs they move.

use std::collections::BTreeMap;

use super::acts::{Advance, Candidate, CutParts, Hand, Keep, Merged, MixTree, Mixed};
use super::{Git, GitError, Workshop};
use crate::coding::order::SplitPart;
use crate::coding::paths::any_covers;

pub async fn candidate(hand: &Hand, act: Candidate) -> Result<Merged, GitError> {
    let Candidate { onto, tip, message, at, committer, .. } = &act;
    let git = hand.workshop(&act.workshop).git().as_committer(&committer.name, &committer.email, *at);
    let tree = match three_way(&git, None, onto, tip).await? {
        Ok(tree) => tree,
        Err(files) => return Ok(Merged::Conflict { files }),
    };
    // What changes the tree is not in there yet; only what does not has to be looked at.
    let may_be_in = act.onto_tree.is_empty() || act.onto_tree == tree;
    if may_be_in && git.contains(onto, tip).await? {
        return Ok(Merged::Contained);
    }
    let commit = git.commit(&tree, &[onto, tip], message).await?;
    Ok(Merged::Clean { commit, tree })
}

/// The tree in which two commits are one, or the files in which they cannot be.
pub async fn three_way(
    git: &Git,
    base: Option<&str>,
    ours: &str,
    theirs: &str,
) -> Result<Result<String, Vec<String>>, GitError> {
    let mut args = vec!["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z"];
    let named = base.map(|base| format!("--merge-base={base}"));
    args.extend(named.as_deref());
    args.extend([ours, theirs]);
    let said = git.ask(&args, None).await?;
    let text = String::from_utf8_lossy(&said.out).into_owned();
    let mut parts = text.split('\0').filter(|part| !part.is_empty());
    let tree = parts.next().unwrap_or_default().to_owned();
    match said.code {
        Some(0) => Ok(Ok(tree)),
        Some(1) => {
            let mut files: Vec<String> = parts.map(str::to_owned).collect();
            files.sort();
            files.dedup();
            Ok(Err(files))
        }
        code => Err(GitError::said("merge-tree".to_owned(), code, &said.err)),
    }
}

pub async fn advance(hand: &Hand, act: Advance) -> Result<String, GitError> {
    hand.workshop(&act.workshop).git().move_ref(&act.reference, &act.new, &act.old).await?;
    Ok(act.new)
}

pub async fn advanced(hand: &Hand, act: Advance) -> Result<Option<String>, GitError> {
    let there = hand.workshop(&act.workshop).git().resolve(&act.reference).await?;
    Ok((there.as_deref() == Some(&act.new)).then_some(act.new))
}

pub async fn keep(hand: &Hand, act: Keep) -> Result<Vec<String>, GitError> {
    let git = hand.workshop(&act.workshop).git();
    let names: Vec<&str> = act.what.iter().map(|(_, what)| what.as_str()).collect();
    let commits = git.commits(&names).await?;
    let under = format!("refs/baton/{}", act.under);
    let there = git.refs(&[&under]).await?;
    // The last of two that share a name counts, as it did when they were kept one after the other.
    let mut wanted = BTreeMap::new();
    let mut kept = Vec::new();
    for ((name, _), commit) in act.what.iter().zip(commits) {
        let Some(commit) = commit else { continue };
        let reference = format!("{under}/{name}");
        kept.push(format!("{reference} {commit}"));
        wanted.insert(reference, commit);
    }
    let moves: Vec<(&str, &str, &str)> = wanted
        .iter()
        .map(|(reference, commit)| {
            let old = there.get(reference).map_or("", String::as_str);
            (reference.as_str(), commit.as_str(), old)
        })
        .filter(|(_, commit, old)| commit != old)
        .collect();
    git.move_refs(&moves).await?;
    Ok(kept)
}

/// The entries of a commit: `mode type id` by path.
async fn entries(git: &Git, commit: &str) -> Result<BTreeMap<String, String>, GitError> {
    let listed = git.bytes(&["ls-tree", "-r", "-z", "--full-tree", commit]).await?;
    let line = |line: &[u8]| {
        let text = String::from_utf8_lossy(line).into_owned();
        let (entry, path) = text.split_once('\t')?;
        Some((path.to_owned(), entry.to_owned()))
    };
    Ok(listed.split(|byte| *byte == 0).filter_map(line).collect())
}

/// A line for `update-index --index-info`: an entry of a tree, or nothing in its place.
fn index_info(path: &str, entry: Option<&String>) -> String {
    match entry {
        Some(entry) => {
            let mut words = entry.split(' ');
            let (mode, id) = (words.next().unwrap_or_default(), words.nth(1).unwrap_or_default());
            format!("{mode} {id}\t{path}\0")
        }
        None => format!("0 0000000000000000000000000000000000000000\t{path}\0"),
    }
}

pub async fn mix(hand: &Hand, act: MixTree) -> Result<Mixed, GitError> {
    let workshop = hand.workshop(&act.workshop);
    let git = workshop.git();
    let (new, old) = (entries(&git, &act.tip).await?, entries(&git, &act.base).await?);
    let differs = |path: &&String| any_covers(&act.paths, path) && new.get(*path) != old.get(*path);
    let restored: Vec<String> = old.keys().filter(differs).cloned().collect();
    if restored.is_empty() {
        return Ok(Mixed { tree: git.tree_of(&act.tip).await?, restored });
    }
    let short: String = act.tip.chars().take(16).collect();
    let index = workshop.spare_index(&format!("mix-{short}"));
    let git = git.with_index(&index);
    git.bytes(&["read-tree", &act.tip]).await?;
    let lines: String = restored.iter().map(|path| index_info(path, old.get(path))).collect();
    git.fed(&["update-index", "-z", "--index-info"], Some(lines.into_bytes())).await?;
    let tree = git.line(&["write-tree"]).await?;
    let _ = std::fs::remove_file(&index);
    Ok(Mixed { tree, restored })
}

pub async fn cut(hand: &Hand, act: CutParts) -> Result<Vec<SplitPart>, GitError> {
    let workshop: Workshop = hand.workshop(&act.workshop);
    let index = workshop.spare_index(&format!("cut-{}", act.effort));
    let git = workshop.git().with_index(&index);
    let git = git.as_committer(&act.committer.name, &act.committer.email, act.at);
    git.bytes(&["read-tree", &act.base]).await?;
    let whole = entries(&git, &act.tip).await?;
    let (mut parts, mut from) = (Vec::new(), act.base.clone());
    // Each cut has refs of its own: one that is cut again loses nothing of the first time.
    let tip: String = act.tip.chars().take(12).collect();
    let under = format!("refs/baton/splits/{}/{tip}-{}-{}", act.effort, act.parts.len(), act.at);
    let many = act.parts.len();
    for (number, part) in act.parts.iter().enumerate() {
        let number = number + 1;
        let lines: String = part.files.iter().map(|path| index_info(path, whole.get(path))).collect();
        if !lines.is_empty() {
            git.fed(&["update-index", "-z", "--index-info"], Some(lines.into_bytes())).await?;
        }
        for patch in &part.patches {
            let apply = ["apply", "--cached", "--recount", "--unidiff-zero", "--whitespace=nowarn", "-"];
            git.fed(&apply, Some(patch.clone().into_bytes())).await?;
        }
        let tree = git.line(&["write-tree"]).await?;
        let message = format!("{}: part {number} of {many}\n", act.effort);
        let to = git.commit(&tree, &[&from], &message).await?;
        let reference = format!("{under}/{number:03}");
        let there = git.resolve(&reference).await?.unwrap_or_default();
        git.move_ref(&reference, &to, &there).await?;
        let mut files = part.files.clone();
        files.extend(part.patches.iter().filter_map(|patch| patched(patch)));
        parts.push(SplitPart { number, from, to: to.clone(), tree, files, lines: part.lines });
        from = to;
    }
    let _ = std::fs::remove_file(&index);
    if git.tree_of(&from).await? != git.tree_of(&act.tip).await? {
        return Err(GitError::Missing(format!("the parts of {} do not add up to it", act.effort)));
    }
    Ok(parts)
}

/// The file a patch changes.
fn patched(patch: &str) -> Option<String> {
    patch.lines().find_map(|line| line.strip_prefix("+++ b/")).map(str::to_owned)
}
