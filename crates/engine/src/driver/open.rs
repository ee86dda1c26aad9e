//! What a try waits for at the moment.

use std::sync::Arc;

use crate::cx::Branch;
use crate::record::{ChildBegun, Payload};
use crate::{Effect, Hash, Millis, Question, Reads};

/// Something open, and whether the host knows of it.
pub(super) struct Pending {
    pub what: Open,
    pub submitted: bool,
}

/// Something a try waits for.
pub(super) enum Open {
    /// A step.
    Step(Box<OpenStep>),
    /// A question of the node.
    Ask { question: Question, deadline: Option<Millis>, reads: Reads },
    /// A wait of the node.
    Sleep { until: Millis },
    /// The wait before a step's next attempt.
    Retry { of: String, until: Millis },
    /// A person is asked what a step did before a crash.
    Doubt { of: String, question: Question, reads: Reads },
    /// A child run.
    Child(Box<OpenChild>),
}

/// A child that is not over.
pub(super) struct OpenChild {
    pub begun: ChildBegun,
    /// Whether the node wants it stopped.
    pub cancelled: bool,
}

/// A step that has not come back.
pub(super) struct OpenStep {
    pub effect: Effect,
    pub input: Payload,
    pub branch: Option<Arc<Branch>>,
    /// What a result must parse as.
    pub reads: Reads,
    /// The long input, until the first intent names it.
    pub blobs: Vec<(Hash, Vec<u8>)>,
    /// Attempts of this try that failed.
    pub failed: u32,
    pub doing: Doing,
}

/// What is being done about an open step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    /// It waits for a free slot.
    Queued,
    /// An attempt is in flight.
    Flying,
    /// It waits for the time of its next attempt.
    Waiting,
    /// The host looks whether it happened before a crash.
    Looking,
    /// A person is asked whether it happened.
    Asking,
}

impl OpenStep {
    /// A step that waits for a slot.
    pub fn new(
        effect: Effect,
        input: Payload,
        branch: Option<Arc<Branch>>,
        reads: Reads,
        blobs: Vec<(Hash, Vec<u8>)>,
    ) -> Self {
        Self { effect, input, branch, reads, blobs, failed: 0, doing: Doing::Queued }
    }
}

impl Open {
    /// What reads the answer to a question.
    pub fn reads(&self) -> Option<Reads> {
        match self {
            Self::Ask { reads, .. } | Self::Doubt { reads, .. } => Some(*reads),
            Self::Step(_) | Self::Sleep { .. } | Self::Retry { .. } | Self::Child(_) => None,
        }
    }

    /// Whether this exists for the sake of the step with that name.
    pub fn serves(&self, name: &str) -> bool {
        matches!(self, Self::Retry { of, .. } | Self::Doubt { of, .. } if of == name)
    }

    /// Whether an attempt at a step is in flight.
    pub fn is_flying(&self) -> bool {
        matches!(self, Self::Step(step) if step.doing == Doing::Flying)
    }

    /// Whether it is one of the things that are done at once.
    pub fn takes_slot(&self) -> bool {
        matches!(self, Self::Step(step) if matches!(step.doing, Doing::Flying | Doing::Looking))
    }

    /// Whether giving it up must be recorded: the journal already says that it began.
    pub fn leaves_trace(&self) -> bool {
        match self {
            Self::Step(_) => self.takes_slot(),
            // It goes on, whoever still waits for it.
            Self::Child(_) => false,
            Self::Ask { .. } | Self::Sleep { .. } | Self::Retry { .. } | Self::Doubt { .. } => true,
        }
    }

    /// Whether something is being done, rather than a person or a time waited for.
    pub fn works(&self) -> bool {
        match self {
            Self::Step(step) => !matches!(step.doing, Doing::Waiting | Doing::Asking),
            // The wait between two attempts is short and part of the work.
            Self::Retry { .. } => true,
            Self::Ask { .. } | Self::Sleep { .. } | Self::Doubt { .. } | Self::Child(_) => false,
        }
    }
}
