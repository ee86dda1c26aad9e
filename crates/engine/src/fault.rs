//! What a node gets instead of a result, and what the workflow can make of it.

use serde::{Deserialize, Serialize};

use crate::{Key, Short, StopReason};

/// Why a step, a question or a wait gave nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Fault {
    /// Every attempt failed.
    #[error("{key} failed after {attempts} attempt{}: {text}", if *attempts == 1 { "" } else { "s" })]
    Failed {
        /// The step.
        key: Key,
        /// The last failure.
        text: String,
        /// How many attempts were made.
        attempts: u32,
    },
    /// A limit would have been crossed.
    #[error("the budget does not allow {key}: {short}")]
    Budget {
        /// The step.
        key: Key,
        /// The limit.
        short: Short,
    },
    /// A crash hid what the call did, and the policy does not allow another.
    #[error("nobody knows what {key} did before the crash, and it may not be repeated")]
    Unknown {
        /// The step.
        key: Key,
    },
    /// Nobody answered in time.
    #[error("nobody answered {key} before its deadline")]
    Expired {
        /// The question.
        key: Key,
    },
    /// The recorded result does not have the expected shape.
    #[error("the result of {key} does not parse: {text}")]
    Shape {
        /// The step.
        key: Key,
        /// What does not fit.
        text: String,
    },
    /// Nobody outside gave the node what it needs; trying again later may help.
    #[error("{0}")]
    Unavailable(String),
    /// What the node may use is used up, and there is nothing to show for it; a higher limit may help.
    #[error("{0}")]
    UsedUp(String),
    /// The node itself gave up.
    #[error("{0}")]
    GaveUp(String),
}

impl Fault {
    /// The reason of a stop, if the workflow has no event for this fault.
    pub fn stop_reason(&self) -> StopReason {
        match self {
            Self::Budget { .. } | Self::UsedUp(_) => StopReason::Budget,
            Self::Failed { .. } | Self::Unknown { .. } | Self::Expired { .. } | Self::Unavailable(_) => {
                StopReason::Provider
            }
            Self::Shape { .. } | Self::GaveUp(_) => StopReason::Broken,
        }
    }
}
