//! Why a parcel was not packed or not taken, sorted by what can be done about it.

use crate::RunId;
use crate::runs::RunsError;

/// A parcel that was not packed, or of which nothing was taken.
#[derive(Debug, thiserror::Error)]
pub enum ParcelError {
    /// It is no parcel at all.
    #[error("it is not a run that `baton export` wrote; nothing was taken from it")]
    Foreign,
    /// It is from a newer Baton.
    #[error(
        "it was written by a newer Baton ({what}); nothing was taken from it. Update Baton and try again"
    )]
    Newer {
        /// What this build does not know.
        what: String,
    },
    /// It ends too early.
    #[error(
        "it is cut off after {bytes} bytes ({missing} is missing); nothing was taken from it. Copy it again, or export the run once more"
    )]
    Truncated {
        /// Where it ends.
        bytes: u64,
        /// What should stand there.
        missing: &'static str,
    },
    /// It is not what was written.
    #[error(
        "it is damaged or was made by somebody else: {0}. Nothing was taken from it; export the run once more"
    )]
    Damaged(String),
    /// Another run of this name is here.
    #[error(
        "run {run} is here already, and it is not the same: {how}. Nothing was changed. Import it into another home with --home, or remove the one here first with `baton rm {run}`"
    )]
    Taken {
        /// The run.
        run: RunId,
        /// How they differ.
        how: String,
    },
    /// The run belongs to another.
    #[error(
        "run {run} belongs to run {parent}, which goes by what it brings; `baton export {parent}` takes both"
    )]
    Child {
        /// The run.
        run: RunId,
        /// The run it belongs to.
        parent: RunId,
    },
    /// Archived texts cannot be read or kept.
    #[error("{0}; nothing was changed")]
    Shelf(String),
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] std::io::Error),
    /// Whoever keeps the runs says no.
    #[error(transparent)]
    Runs(#[from] RunsError),
}
