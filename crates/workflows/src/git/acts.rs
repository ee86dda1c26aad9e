//! What can be done with git, as data. Each act names its workshop, so that a journal says what it touched.

use std::path::PathBuf;

use async_trait::async_trait;
use baton_engine::{Act, AfterCrash, Call, Failure, Found, Paid, Perform, Retry};
use serde::{Deserialize, Serialize};

use super::{Diff, Size, Workshop};
use crate::coding::order::{Identity, SplitPart};
use crate::process::Processes;

/// Performs every git act. Git leaves nothing behind when it ends, so it runs without a process in between.
#[derive(Clone)]
pub struct Hand {
    pub(super) processes: Processes,
}

impl Hand {
    /// A hand with these processes' clock.
    pub fn new(processes: &Processes) -> Self {
        Self { processes: processes.alone() }
    }

    /// The workshop in this folder.
    pub fn workshop(&self, folder: impl Into<PathBuf>) -> Workshop {
        Workshop::new(&self.processes, folder.into())
    }
}

/// An act on a workshop: its kind, what it gives, and what follows a crash.
macro_rules! git_act {
    ($act:ident, $kind:literal, $out:ty, $after:ident, $perform:path $(, $reconcile:path)?) => {
        impl Act for $act {
            const KIND: &'static str = $kind;
            type Out = $out;

            fn after_crash(&self) -> AfterCrash {
                AfterCrash::$after
            }

            fn retry(&self) -> Retry {
                Retry { attempts: 3, wait_ms: 200 }
            }

            /// A workshop belongs to its run.
            fn is_reusable(&self) -> bool {
                false
            }
        }

        #[async_trait]
        impl Perform<$act> for Hand {
            async fn perform(&self, act: $act, _call: &Call) -> Result<Paid<$out>, Failure> {
                Ok(Paid::free($perform(self, act).await?))
            }

            $(async fn reconcile(&self, act: $act, _call: &Call) -> Found<$out> {
                match $reconcile(self, act).await {
                    Ok(Some(out)) => Found::Happened(Paid::free(out)),
                    Ok(None) => Found::Absent,
                    Err(error) => Found::Unclear(error.to_string()),
                }
            })?
        }
    };
}

/// Makes a workshop with everything the base leads to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenWorkshop {
    /// Its folder.
    pub workshop: PathBuf,
    /// The person's repository.
    pub repo: PathBuf,
    /// The commit to begin from.
    pub base: String,
}
git_act!(OpenWorkshop, "git-open", String, Retry, super::workshop::open);

/// Makes the branch and the worktree of an effort, or finds them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provision {
    /// The workshop.
    pub workshop: PathBuf,
    /// The effort.
    pub effort: String,
    /// Its branch.
    pub branch: String,
    /// The commit it begins from.
    pub base: String,
    /// Which try of it this is: each begins from the base, and what the one before left is put aside.
    pub attempt: u32,
}

/// Where an effort works.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provisioned {
    /// Its worktree.
    pub worktree: PathBuf,
    /// The newest commit of its branch.
    pub tip: String,
}
git_act!(Provision, "git-provision", Provisioned, Retry, super::workshop::provision);

/// Commits whatever stands in the worktree of an effort.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The workshop.
    pub workshop: PathBuf,
    /// The effort.
    pub effort: String,
    /// Its branch.
    pub branch: String,
    /// The commit the branch stands at.
    pub old: String,
    /// The commit the effort began from.
    pub base: String,
    /// What the commit says.
    pub message: String,
    /// Seconds since 1970.
    pub at: u64,
    /// In whose name.
    pub committer: Identity,
}

/// What stood in a worktree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapped {
    /// The newest commit of the branch.
    pub tip: String,
    /// Its tree.
    pub tree: String,
    /// Whether anything changed since the commit before.
    pub changed: bool,
    /// Repositories inside the worktree; what is in them is in no commit of ours.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nested: Vec<String>,
    /// Links that lead out of the worktree.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outward: Vec<String>,
    /// Files that are ignored and therefore in no commit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored: Vec<String>,
    /// What is not where the journal says, so that nothing could be committed; empty if all is well.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub lost: String,
}
git_act!(Snapshot, "git-snapshot", Snapped, Reconcile, super::snapshot::snapshot, super::snapshot::reconcile);

/// Counts the size between two commits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measure {
    /// The workshop.
    pub workshop: PathBuf,
    /// The earlier commit.
    pub base: String,
    /// The later one.
    pub tip: String,
    /// Paths that are not counted.
    #[serde(default)]
    pub exclude: Vec<String>,
}
git_act!(Measure, "git-measure", Size, Retry, super::size::measure);

/// Reads what changed between two commits, for a reviewer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadDiff {
    /// The workshop.
    pub workshop: PathBuf,
    /// The earlier commit.
    pub base: String,
    /// The later one.
    pub tip: String,
}
git_act!(ReadDiff, "git-diff", Diff, Retry, super::look::read);

/// Makes the commit that would merge one commit onto another, without moving anything.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    /// The workshop.
    pub workshop: PathBuf,
    /// Onto what.
    pub onto: String,
    /// The tree of that, where it is known: saves looking.
    #[serde(default)]
    pub onto_tree: String,
    /// What.
    pub tip: String,
    /// What the commit says.
    pub message: String,
    /// Seconds since 1970.
    pub at: u64,
    /// In whose name.
    pub committer: Identity,
}

/// What merging would give.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "merge")]
pub enum Merged {
    /// A commit.
    Clean {
        /// The commit.
        commit: String,
        /// Its tree.
        tree: String,
    },
    /// It is in there already.
    Contained,
    /// The two do not go together.
    Conflict {
        /// The files in which they do not.
        files: Vec<String>,
    },
}
git_act!(Candidate, "git-candidate", Merged, Retry, super::merge::candidate);

/// Moves a ref from the value we know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Advance {
    /// The workshop.
    pub workshop: PathBuf,
    /// The ref, in full.
    pub reference: String,
    /// Where it goes.
    pub new: String,
    /// Where it stands; empty if it does not exist.
    pub old: String,
}
git_act!(Advance, "git-advance", String, Reconcile, super::merge::advance, super::merge::advanced);

/// Puts commits under refs that no cleaner touches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keep {
    /// The workshop.
    pub workshop: PathBuf,
    /// `checkpoints/NAME` or `archive/NAME`.
    pub under: String,
    /// Names and what they lead to: commits, or refs that are looked up now.
    pub what: Vec<(String, String)>,
}
git_act!(Keep, "git-keep", Vec<String>, Retry, super::merge::keep);

/// Looks for files and words in a commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadTree {
    /// The workshop.
    pub workshop: PathBuf,
    /// The commit.
    pub commit: String,
    /// Files, and for each the words that must stand in it.
    pub wanted: Vec<(String, Vec<String>)>,
}

/// What was found in a commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeRead {
    /// Its tree.
    pub tree: String,
    /// How many files it has.
    pub files: u64,
    /// Files that are not there.
    pub missing: Vec<String>,
    /// Words that do not stand where they should, as `path: words`.
    pub absent: Vec<String>,
}
git_act!(ReadTree, "git-read", TreeRead, Retry, super::look::read_tree);

/// Makes a tree like another, with some files as they were before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MixTree {
    /// The workshop.
    pub workshop: PathBuf,
    /// The commit it is like.
    pub tip: String,
    /// The commit whose files it takes.
    pub base: String,
    /// Which: patterns.
    pub paths: Vec<String>,
}

/// A tree in which some files are as they were.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mixed {
    /// The tree.
    pub tree: String,
    /// Files that differ from those of the commit.
    pub restored: Vec<String>,
}
git_act!(MixTree, "git-mix", Mixed, Retry, super::merge::mix);

/// Removes worktrees whose work is safe: committed, and contained in what is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tidy {
    /// The workshop.
    pub workshop: PathBuf,
    /// Efforts and their branches.
    pub efforts: Vec<(String, String)>,
    /// Refs in which their work must be contained.
    pub safe_in: Vec<String>,
}

/// What was removed and what stayed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tidied {
    /// Efforts whose worktree was removed.
    pub removed: Vec<String>,
    /// Efforts whose worktree stayed, and why.
    pub kept: Vec<(String, String)>,
}
git_act!(Tidy, "git-tidy", Tidied, Retry, super::workshop::tidy);

/// Holds what a build wants against what is there, and mends what can be mended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reconcile {
    /// The workshop.
    pub workshop: PathBuf,
    /// What is wanted: effort, branch and the commit the branch was last seen at; empty if it was never made.
    pub efforts: Vec<(String, String, String)>,
}

/// What was found for one effort.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "found")]
pub enum Standing {
    /// Branch and worktree are as they should be.
    Sound,
    /// Nothing was made yet.
    Unmade,
    /// The worktree holds work that is in no commit yet.
    Dirty,
    /// The branch has commits we did not journal.
    Ahead {
        /// Where it stands.
        tip: String,
    },
    /// There was no worktree; it was made again from the branch.
    Restored,
    /// The branch is gone, or does not hold what it held.
    Lost {
        /// Where it stands, if anywhere.
        tip: String,
    },
}

/// What was found in a workshop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reconciled {
    /// By effort.
    pub efforts: Vec<(String, Standing)>,
    /// Worktrees that nobody wants; they are left alone.
    pub strangers: Vec<String>,
}
git_act!(Reconcile, "git-reconcile", Reconciled, Retry, super::reconcile::reconcile);

/// Makes commits of the parts into which a commit is cut.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CutParts {
    /// The workshop.
    pub workshop: PathBuf,
    /// The effort.
    pub effort: String,
    /// The commit before it.
    pub base: String,
    /// The commit with all of it.
    pub tip: String,
    /// The parts, each as what it takes.
    pub parts: Vec<PartSpec>,
    /// Seconds since 1970.
    pub at: u64,
    /// In whose name.
    pub committer: Identity,
}

/// What one part takes of a commit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartSpec {
    /// Whole files.
    pub files: Vec<String>,
    /// Hunks of files, as patches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patches: Vec<String>,
    /// Added lines.
    pub lines: u64,
}
git_act!(CutParts, "git-cut", Vec<SplitPart>, Retry, super::merge::cut);

/// Brings a commit to the person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deliver {
    /// The workshop.
    pub workshop: PathBuf,
    /// The person's repository.
    pub repo: PathBuf,
    /// The commit the build began from.
    pub base: String,
    /// What is delivered.
    pub commit: String,
    /// How.
    pub how: Delivery,
    /// The branch that is made, or the one that is merged into.
    pub branch: String,
    /// Where files are written, for ways that write files.
    pub folder: PathBuf,
    /// What it is about.
    pub title: String,
}

/// How a build is delivered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Delivery {
    /// As a new branch.
    #[default]
    Branch,
    /// By moving the target branch, if it is not checked out and did not move.
    Merge,
    /// As patches.
    Patches,
    /// As files for a pull request: its title, its text, its patch.
    PrFiles,
}

/// Where it is now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivered {
    /// The ref or the folder.
    pub at: String,
    /// What to type to look at it.
    pub see: String,
}
git_act!(Deliver, "git-deliver", Delivered, Reconcile, super::deliver::deliver, super::deliver::delivered);
