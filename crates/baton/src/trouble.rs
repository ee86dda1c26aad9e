//! What can go wrong: what happened, what was kept, what to type next.

use std::path::PathBuf;

use baton_agents::config::TrustError;
use baton_agents::model::ModelFault;
use baton_agents::read::fetch::FetchError;
use baton_agents::read::library::LibraryError;
use baton_agents::search::local::IndexError;
use baton_agents::search::web::WebFault;
use baton_agents::skill::AskFailure;
use baton_engine::driver::DriveError;
use baton_engine::engine::StartError;
use baton_engine::parcel::ParcelError;
use baton_engine::store::OpenError;
use baton_engine::torture::TortureError;
use baton_engine::{HostError, RunId, RunsError, TurnError, WrongShape};

use crate::home::Shared;
use crate::text::{count, usd};

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
    #[error("{what}; nothing was started. Correct {file} and try again")]
    Input {
        /// Where it came from.
        file: String,
        /// What is wrong.
        what: String,
    },
    /// What a run was to be started with makes no sense.
    #[error("{what}; nothing was started. {next}")]
    Order {
        /// What is wrong.
        what: String,
        /// What to do about it.
        next: String,
    },
    /// A file that says how a run is set up cannot be used.
    #[error("{what}; nothing was started. {next}")]
    Setup {
        /// Which file, where in it, and what is wrong.
        what: String,
        /// What to do about it.
        next: &'static str,
    },
    /// The configuration cannot be used.
    #[error("{}\nNothing was done. `baton init` in an empty folder writes a file with every key", .0.join("\n"))]
    Config(
        /// Every mistake, each with its place.
        Vec<String>,
    ),
    /// A project's file wants what only its reader can grant.
    #[error("{what}\nNothing was done. To be shown what it wants, and asked, type: baton trust{}", flag.as_deref().unwrap_or_default())]
    Untrusted {
        /// Which file, and what it names.
        what: String,
        /// The home that was typed, to be typed again.
        flag: Option<String>,
    },
    /// The list of trusted files.
    #[error("{0}. Nothing was done; correct the permissions of the home, or name another with --home")]
    TrustList(#[from] TrustError),
    /// Trust needs a person, and there is none.
    #[error("{file} was not trusted: it names {}, and nobody can be asked here. Read it, then type: {next}", keys.join(", "))]
    NobodyToTrust {
        /// The file.
        file: String,
        /// What it wants.
        keys: Vec<String>,
        /// What to type.
        next: String,
    },
    /// There is no such skill.
    #[error("there is no skill `{name}`; nothing was asked. {}", hint(*.nearest, .known))]
    NoSkill {
        /// What was typed.
        name: String,
        /// What was meant, perhaps.
        nearest: Option<&'static str>,
        /// What there is.
        known: Vec<&'static str>,
    },
    /// A skill brought no answer.
    #[error("{failure}\nThere is no answer; {} cost {}", count(failure.tries.len(), "try"), usd(failure.cost_microusd()))]
    Ask {
        /// Why, and everything that was tried.
        failure: Box<AskFailure>,
    },
    /// Models cannot be called at all.
    #[error("{0}")]
    Models(#[from] ModelFault),
    /// Nothing beyond this machine can be asked at all.
    #[error("{0}")]
    Places(#[from] WebFault),
    /// A folder of documents cannot be searched.
    #[error("{0}. Runs are not affected")]
    Index(#[from] IndexError),
    /// A document cannot be read or archived.
    #[error("{0}. Nothing was archived")]
    Library(#[from] LibraryError),
    /// A page cannot be fetched.
    #[error("{0}. Nothing was archived")]
    Fetch(#[from] FetchError),
    /// Nothing says where runs are kept.
    #[error(
        "cannot tell where runs are kept, because this account has no home folder; nothing was done. Name a folder with --home or BATON_HOME"
    )]
    NoHome,
    /// The home is not ours alone.
    #[error("the home {} is not yours alone: {why}. Nothing was read or done; {}", path.display(), why.next(path))]
    Shared {
        /// The folder.
        path: PathBuf,
        /// Who else has a part in it.
        why: Shared,
    },
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
    /// The home cannot be opened.
    #[error(transparent)]
    Open(OpenError),
    /// Whoever keeps the runs says no.
    #[error(transparent)]
    Runs(#[from] RunsError),
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
    /// A run is not forked, taken back or named.
    #[error("{0}. Nothing was changed")]
    Turn(TurnError),
    /// A run was not packed.
    #[error(transparent)]
    Unpacked(ParcelError),
    /// A file with a run was not taken in.
    #[error("{}: {error}", file.display())]
    Parcel {
        /// The file.
        file: PathBuf,
        /// Why.
        error: ParcelError,
    },
    /// A mapping cannot be used.
    #[error("{what}. Nothing was changed. {next}")]
    Mapping {
        /// What is wrong.
        what: String,
        /// What to do.
        next: String,
    },
    /// The crash test.
    #[error(transparent)]
    Torture(#[from] TortureError),
    /// Nothing can be printed.
    #[error("cannot print: {0}. What was done is recorded")]
    Print(std::io::Error),
    /// Threads or signals cannot be had.
    #[error("the system provides no threads or signals: {0}. Nothing was done")]
    Runtime(std::io::Error),
}

/// The name that was meant, or all there are.
fn hint(nearest: Option<&str>, known: &[&str]) -> String {
    match nearest {
        Some(near) => format!("Did you mean `{near}`? `baton ask --list` shows all"),
        None => format!("There are: {}", known.join(", ")),
    }
}

impl From<DriveError> for Trouble {
    /// A journal that cannot be used is the same trouble whoever met it.
    fn from(error: DriveError) -> Self {
        match error {
            DriveError::Runs(error) => Self::Runs(error),
            error => Self::Drive(error),
        }
    }
}

impl From<TurnError> for Trouble {
    fn from(error: TurnError) -> Self {
        match error {
            TurnError::Drive(error) => error.into(),
            error => Self::Turn(error),
        }
    }
}

impl From<ParcelError> for Trouble {
    fn from(error: ParcelError) -> Self {
        match error {
            ParcelError::Runs(error) => Self::Runs(error),
            error => Self::Unpacked(error),
        }
    }
}

impl From<OpenError> for Trouble {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Runs(error) => Self::Runs(error),
            error => Self::Open(error),
        }
    }
}

impl From<HostError> for Trouble {
    fn from(error: HostError) -> Self {
        Self::Runs(error.into())
    }
}

impl Trouble {
    /// Whether this stopped a driver in its tracks although nothing is wrong with the run.
    pub fn halts(&self) -> bool {
        matches!(
            self,
            Self::Runs(RunsError::Host(_))
                | Self::Drive(DriveError::Unstorable(_))
                | Self::Print(_)
                | Self::Runtime(_)
        )
    }

    /// What to type next, where the message does not say it.
    pub fn next(&self) -> Option<&'static str> {
        match self {
            Self::Runs(RunsError::Host(HostError::Unusable { .. })) => {
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
