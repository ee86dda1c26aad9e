//! All git of Baton. Work happens in a **workshop**: a bare repository of our own, and beside it one worktree and one
//! index per effort. The person's repository is read when a build begins and written when it is delivered.
//!
//! Every call names repository, worktree and index, sees no configuration but what is written here, and runs no hook,
//! filter, monitor, external diff or signature. A worktree holds a small repository of its own for whoever works in it;
//! we never read that one, so nothing written there can reach ours.
//!
//! Merges need no checkout: `merge-tree` makes the tree, `commit-tree` the commit with a journaled date, `update-ref` moves
//! the ref from the value we know. The same journal gives the same commits.

mod acts;
mod call;
mod deliver;
mod look;
mod many;
mod merge;
mod reconcile;
mod release;
mod size;
mod snapshot;
mod survey;
mod workshop;

#[cfg(test)]
mod tests;

pub use acts::*;
pub(crate) use call::disk_is_full;
pub use call::{Git, GitError};
pub use deliver::may_merge_into;
pub use look::{Diff, DiffFile, Hunk, parse as parse_diff};
pub use merge::three_way;
pub use release::{Released, WORKSHOPS, release, workshop_of};
pub use size::{Counted, Size, count as count_size, count_patch};
pub use survey::{OLDEST, Surveyed, Unfit, survey};
pub use workshop::Workshop;

use baton_engine::Effects;

use crate::process::Processes;

/// Adds the performers of every git act.
#[must_use]
pub fn performers(effects: Effects, processes: &Processes) -> Effects {
    let hand = Hand::new(processes);
    effects
        .with::<OpenWorkshop>(hand.clone())
        .with::<Provision>(hand.clone())
        .with::<Snapshot>(hand.clone())
        .with::<Measure>(hand.clone())
        .with::<ReadDiff>(hand.clone())
        .with::<Candidate>(hand.clone())
        .with::<Advance>(hand.clone())
        .with::<Keep>(hand.clone())
        .with::<ReadTree>(hand.clone())
        .with::<MixTree>(hand.clone())
        .with::<Tidy>(hand.clone())
        .with::<Reconcile>(hand.clone())
        .with::<CutParts>(hand.clone())
        .with::<Deliver>(hand)
}
