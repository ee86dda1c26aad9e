//! What a build wants held against what is there. Looking twice changes nothing, and what nobody wants is left alone.

use std::collections::BTreeSet;

use futures::{StreamExt as _, TryStreamExt as _, stream};

use super::acts::{Hand, Reconcile, Reconciled, Standing};
use super::workshop::{check_out, is_clean};
use super::{GitError, Workshop};

/// Worktrees that are looked at side by side: each look is a process of its own.
const AT_ONCE: usize = 8;

pub async fn reconcile(hand: &Hand, act: Reconcile) -> Result<Reconciled, GitError> {
    let workshop = hand.workshop(&act.workshop);
    let tips = workshop.git().refs(&["refs/heads"]).await?;
    let mut there = worktrees(&workshop)?;
    let looks: Vec<_> = act
        .efforts
        .into_iter()
        .map(|(effort, branch, known)| {
            let tip = tips.get(&format!("refs/heads/{branch}")).cloned().unwrap_or_default();
            let has_tree = there.remove(&effort);
            standing(workshop.clone(), Wanted { effort, branch, known, tip, has_tree })
        })
        .collect();
    // Results come in the order of the efforts, whoever is done first.
    let efforts = stream::iter(looks).buffered(AT_ONCE).try_collect().await?;
    Ok(Reconciled { efforts, strangers: there.into_iter().collect() })
}

/// What is wanted of one effort, and what a first look found.
struct Wanted {
    effort: String,
    branch: String,
    known: String,
    tip: String,
    has_tree: bool,
}

async fn standing(workshop: Workshop, wanted: Wanted) -> Result<(String, Standing), GitError> {
    let standing = look(&workshop, &wanted).await?;
    Ok((wanted.effort, standing))
}

async fn look(workshop: &Workshop, wanted: &Wanted) -> Result<Standing, GitError> {
    let Wanted { effort, branch, known, tip, has_tree } = wanted;
    let lost = || Ok(Standing::Lost { tip: tip.clone() });
    if tip.is_empty() {
        return if known.is_empty() { Ok(Standing::Unmade) } else { lost() };
    }
    let is_ahead = !known.is_empty() && tip != known;
    if is_ahead && !workshop.git().contains(tip, known).await.unwrap_or(false) {
        return lost();
    }
    if !has_tree {
        check_out(workshop, effort, branch, tip).await?;
        return Ok(Standing::Restored);
    }
    Ok(match is_ahead {
        true => Standing::Ahead { tip: tip.clone() },
        false if is_clean(workshop, effort).await? => Standing::Sound,
        false => Standing::Dirty,
    })
}

/// The worktrees there are.
fn worktrees(workshop: &Workshop) -> Result<BTreeSet<String>, GitError> {
    let folder = workshop.trees();
    let entries = std::fs::read_dir(&folder).map_err(|error| GitError::file(&folder, error))?;
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    Ok(names.filter(|name| !name.starts_with('.')).collect())
}
