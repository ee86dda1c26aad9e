//! How the process ends. One table for what became of a run, one for what went wrong.

use std::process::ExitCode;

use baton_agents::model::FaultKind;
use baton_agents::read::ReadError;
use baton_agents::read::fetch::FetchError;
use baton_agents::read::library::LibraryError;
use baton_agents::search::local::IndexError;
use baton_agents::skill::{Cause, PromptError};
use baton_engine::driver::DriveError;
use baton_engine::engine::StartError;
use baton_engine::parcel::ParcelError;
use baton_engine::store::OpenError;
use baton_engine::torture::TortureError;
use baton_engine::{End, RunsError, Status, StopReason, TurnError};
use baton_machine::Outcome;

use crate::trouble::Trouble;

/// The exit codes. Scripts rely on them: a number never changes its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// What was asked for is done.
    Done = 0,
    /// It failed.
    Failed = 1,
    /// It was asked for in a way that makes no sense.
    Usage = 2,
    /// Somebody else's service failed.
    Provider = 3,
    /// The configuration, or the installed version, does not fit.
    Configuration = 4,
    /// The run waits, for an answer or a time.
    Waiting = 5,
    /// A limit was reached; there is a part of the result.
    Partial = 6,
    /// There was nothing to base an answer on.
    NoEvidence = 7,
    /// A person stopped it.
    Stopped = 8,
}

impl Exit {
    /// The number.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// What a run's status means for the process that looked at it last.
    pub fn of_status(status: &Status) -> Self {
        match status {
            Status::Finished(Outcome::Completed) => Self::Done,
            Status::Finished(Outcome::Failed) => Self::Failed,
            Status::Finished(Outcome::Partial) => Self::Partial,
            Status::Finished(Outcome::NoEvidence) => Self::NoEvidence,
            Status::Finished(Outcome::Aborted) => Self::Stopped,
            Status::Waiting => Self::Waiting,
            Status::Stopped(StopReason::Cancelled | StopReason::Interrupted) => Self::Stopped,
            Status::Stopped(StopReason::Budget) => Self::Partial,
            Status::Stopped(StopReason::Provider) => Self::Provider,
            Status::Stopped(StopReason::Changed) => Self::Configuration,
            Status::Stopped(
                StopReason::Panic | StopReason::Refused | StopReason::Disk | StopReason::Broken,
            ) => Self::Failed,
            // Somebody else drives it on; nothing was asked of us that is not done.
            Status::Running => Self::Done,
        }
    }

    /// What the end of driving means.
    pub fn of_end(end: &End) -> Self {
        Self::of_status(&status_of(end))
    }

    /// What went wrong, as a number.
    pub fn of_trouble(trouble: &Trouble) -> Self {
        match trouble {
            Trouble::Typed(error) if !error.use_stderr() => Self::Done,
            Trouble::Typed(_)
            | Trouble::NoWorkflow { .. }
            | Trouble::NotRehearsed { .. }
            | Trouble::Input { .. }
            | Trouble::Order { .. }
            | Trouble::WrongShape { .. }
            | Trouble::NobodyToTrust { .. }
            | Trouble::NoSkill { .. }
            | Trouble::Turn(_)
            | Trouble::Mapping { .. }
            | Trouble::WhichQuestion { .. } => Self::Usage,
            Trouble::Config(_)
            | Trouble::Setup { .. }
            | Trouble::Untrusted { .. }
            | Trouble::TrustList(_)
            | Trouble::NoHome
            | Trouble::Shared { .. }
            | Trouble::Unknown { .. } => Self::Configuration,
            Trouble::Ask { failure } => Self::of_ask(&failure.cause),
            Trouble::Index(IndexError::NoDocuments { .. }) => Self::NoEvidence,
            Trouble::Index(_) | Trouble::Library(LibraryError::Archive(_)) => Self::Failed,
            Trouble::Library(LibraryError::Read { problem, .. })
            | Trouble::Fetch(FetchError::Content { problem, .. }) => Self::of_reading(problem),
            Trouble::Fetch(FetchError::Refused { .. }) => Self::Configuration,
            Trouble::Fetch(_) => Self::Failed,
            Trouble::Places(_) => Self::Provider,
            Trouble::Models(fault) => Self::of_fault(fault.kind),
            Trouble::Halted { why, .. } => Self::of_trouble(why),
            Trouble::Open(error) | Trouble::Torture(TortureError::Open(error)) => Self::of_open(error),
            Trouble::Runs(error) => Self::of_runs(error),
            Trouble::Unpacked(error) | Trouble::Parcel { error, .. } => Self::of_parcel(error),
            Trouble::Drive(error) => Self::of_drive(error),
            Trouble::Start(StartError::Runs(error)) => Self::of_runs(error),
            Trouble::Start(StartError::Input(_)) => Self::Usage,
            Trouble::Torture(TortureError::Drive(error) | TortureError::Turn(TurnError::Drive(error))) => {
                Self::of_drive(error)
            }
            Trouble::Start(StartError::Defective { .. })
            | Trouble::Torture(_)
            | Trouble::NotOpen { .. }
            | Trouble::Over { .. }
            | Trouble::Exists { .. }
            | Trouble::File { .. }
            | Trouble::Print(_)
            | Trouble::Runtime(_) => Self::Failed,
        }
    }

    /// Whether there was a document with nothing in it for us, or none to be had.
    fn of_reading(problem: &ReadError) -> Self {
        match problem {
            ReadError::Io(_) | ReadError::Changing | ReadError::Child(_) => Self::Failed,
            ReadError::Special(_) => Self::Usage,
            ReadError::TooLarge { .. }
            | ReadError::Bomb { .. }
            | ReadError::Binary { .. }
            | ReadError::Password
            | ReadError::Malformed { .. }
            | ReadError::Empty(_)
            | ReadError::Unknown => Self::NoEvidence,
        }
    }

    /// What an ask without an answer means.
    fn of_ask(cause: &Cause) -> Self {
        match cause {
            Cause::NoModel | Cause::Prompt(PromptError::NoRoom { .. }) => Self::Configuration,
            Cause::Prompt(PromptError::Template { .. }) => Self::Failed,
            Cause::OverBudget(_) => Self::Partial,
            Cause::Model(fault) => Self::of_fault(fault.kind),
            Cause::NoGoodAnswer(_) | Cause::Declined => Self::Provider,
            Cause::Stopped(_) => Self::Stopped,
        }
    }

    /// What a person can correct in the configuration, and what only a provider can.
    fn of_fault(kind: FaultKind) -> Self {
        match kind {
            FaultKind::KeyMissing
            | FaultKind::UnknownModel
            | FaultKind::DocumentsStay
            | FaultKind::PriceUnknown
            | FaultKind::TooLong
            | FaultKind::NoSuchModel
            | FaultKind::SchemaRefused
            | FaultKind::NotRecorded => Self::Configuration,
            FaultKind::Unreachable
            | FaultKind::Tls
            | FaultKind::Stalled
            | FaultKind::Overran
            | FaultKind::Broken
            | FaultKind::RateLimited
            | FaultKind::QuotaSpent
            | FaultKind::Unauthorized
            | FaultKind::Rejected
            | FaultKind::ServerError
            | FaultKind::Unreadable => Self::Provider,
        }
    }

    fn of_open(error: &OpenError) -> Self {
        match error {
            OpenError::Newer { .. } | OpenError::Older { .. } => Self::Configuration,
            OpenError::Emptied { .. } | OpenError::Runs(_) => Self::Failed,
        }
    }

    fn of_runs(error: &RunsError) -> Self {
        match error {
            RunsError::NoRun(_) | RunsError::Ambiguous { .. } => Self::Usage,
            _ => Self::Failed,
        }
    }

    fn of_parcel(error: &ParcelError) -> Self {
        match error {
            ParcelError::Newer { .. } => Self::Configuration,
            ParcelError::Foreign | ParcelError::Child { .. } => Self::Usage,
            ParcelError::Runs(error) => Self::of_runs(error),
            ParcelError::Truncated { .. }
            | ParcelError::Damaged(_)
            | ParcelError::Taken { .. }
            | ParcelError::Shelf(_)
            | ParcelError::File(_) => Self::Failed,
        }
    }

    fn of_drive(error: &DriveError) -> Self {
        match error {
            DriveError::Changed { .. } | DriveError::Newer { .. } => Self::Configuration,
            DriveError::Runs(error) => Self::of_runs(error),
            _ => Self::Failed,
        }
    }
}

/// The end of driving as a status.
pub fn status_of(end: &End) -> Status {
    match end {
        End::Finished(outcome) => Status::Finished(*outcome),
        End::Waiting => Status::Waiting,
        End::Stopped { reason, .. } => Status::Stopped(*reason),
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests;
