//! What can go wrong: what happened, what was kept, what to type next.

use std::path::PathBuf;

use baton_engine::driver::DriveError;
use baton_engine::engine::StartError;
use baton_engine::store::StoreError;
use baton_engine::torture::TortureError;
use baton_engine::{RunId, WrongShape};

/// A command that could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// What was typed cannot be read, or asks for help.
    #[error("{0}")]
    Typed(clap::Error),
    /// There is no such workflow.
    #[error("there is no workflow `{name}`; nothing was started. This Baton has: {}", known.join(", "))]
    NoWorkflow {
        /// What was typed.
        name: String,
        /// What there is.
        known: Vec<&'static str>,
    },
    /// A run's workflow is not in this build.
    #[error(
        "run {run} belongs to the workflow `{workflow}`, which this Baton does not have. It was not touched; use the Baton that started it"
    )]
    Unknown {
        /// The run.
        run: RunId,
        /// Its workflow.
        workflow: String,
    },
    /// The workflow cannot be tortured.
    #[error("the workflow `{name}` has no rehearsal, so it cannot be tortured. These have one: {}", known.join(", "))]
    NotRehearsed {
        /// What was typed.
        name: String,
        /// What there is.
        known: Vec<&'static str>,
    },
    /// The input of a run cannot be read or does not fit.
    #[error("{what}; nothing was started. Mend {file} and type the same again")]
    Input {
        /// Where it came from.
        file: String,
        /// What is wrong.
        what: String,
    },
    /// The configuration cannot be used.
    #[error(
        "{place}: {what}; nothing was done. Mend it, or see what is possible with `baton init` in an empty folder"
    )]
    Config {
        /// The file or the variable.
        place: String,
        /// What is wrong.
        what: String,
    },
    /// Nothing says where runs are kept.
    #[error(
        "cannot tell where runs are kept, because this account has no home folder; nothing was done. Name a folder with --home or BATON_HOME"
    )]
    NoHome,
    /// An answer does not fit.
    #[error("{wrong}; expected {hint}. The question is still open: {example}")]
    WrongShape {
        /// What does not fit.
        wrong: WrongShape,
        /// What an answer looks like.
        hint: String,
        /// What to type.
        example: String,
    },
    /// It is not clear which question is meant.
    #[error("run {run} has several open questions, and `{typed}` does not say which; nothing was answered. Type one of:\n{}", examples.join("\n"))]
    WhichQuestion {
        /// The run.
        run: RunId,
        /// What was typed.
        typed: String,
        /// What to type.
        examples: Vec<String>,
    },
    /// No question is open.
    #[error("{what}; nothing was changed. {next}")]
    NotOpen {
        /// What there is instead.
        what: String,
        /// What to type.
        next: String,
    },
    /// The run is finished.
    #[error(
        "run {run} is finished ({outcome}) and cannot be {what}; nothing was changed. See it with `baton show {run}`"
    )]
    Over {
        /// The run.
        run: RunId,
        /// How it ended.
        outcome: &'static str,
        /// What was wanted.
        what: &'static str,
    },
    /// A file is there already.
    #[error("{} exists already; nothing was changed. `baton init --force` replaces it", .0.display())]
    Exists(PathBuf),
    /// A file cannot be read or written.
    #[error("cannot {what} {}: {why}. Runs are not affected", path.display())]
    File {
        /// Read or write.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        why: std::io::Error,
    },
    /// The journal.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The driver.
    #[error(transparent)]
    Drive(DriveError),
    /// A run could not be driven on, and can be later.
    #[error("{why}\nRun {run} stands where it stood; go on with: {next}")]
    Halted {
        /// The run.
        run: RunId,
        /// What happened.
        why: Box<Trouble>,
        /// What to type.
        next: String,
    },
    /// A run could not be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The crash test.
    #[error(transparent)]
    Torture(#[from] TortureError),
    /// Nothing can be printed.
    #[error("cannot print: {0}. What was done is recorded")]
    Print(std::io::Error),
    /// Threads or signals cannot be had.
    #[error("the system gives no threads or signals: {0}. Nothing was done")]
    Runtime(std::io::Error),
}

impl From<DriveError> for Trouble {
    /// A journal that cannot be used is the same trouble whoever met it.
    fn from(error: DriveError) -> Self {
        match error {
            DriveError::Store(error) => Self::Store(error),
            error => Self::Drive(error),
        }
    }
}

impl Trouble {
    /// Whether this stopped a driver in its tracks although nothing is wrong with the run.
    pub fn halts(&self) -> bool {
        match self {
            Self::Store(error) => matches!(
                error,
                StoreError::Disk { .. } | StoreError::Sqlite { .. } | StoreError::WriterGone(_)
            ),
            Self::Drive(DriveError::Unstorable(_)) | Self::Print(_) | Self::Runtime(_) => true,
            _ => false,
        }
    }

    /// What to type next, where the message does not say it.
    pub fn next(&self) -> Option<&'static str> {
        match self {
            Self::Store(StoreError::Sqlite { .. } | StoreError::WriterGone(_)) => {
                Some("Everything recorded before is kept; `baton doctor` looks at the home")
            }
            Self::Drive(
                DriveError::Unfit { .. } | DriveError::Blob { .. } | DriveError::BadSnapshot { .. },
            ) => Some("The run was not touched; `baton doctor` looks at its records"),
            Self::Drive(DriveError::LostLease) => Some("Follow it with `baton watch last`"),
            Self::Start(StartError::Defective { .. }) => {
                Some("Nothing was started; `baton doctor` lists the defects of every table")
            }
            _ => None,
        }
    }
}
