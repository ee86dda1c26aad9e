//! What each kind of record says.

use baton_machine::Asked as GuardAsked;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Payload, Reused, Settings};
use crate::{AfterCrash, Failure, Key, Millis, Question, Retry, Short, Spend};

/// A taken row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Happened {
    /// The state it left.
    pub from: String,
    /// The row.
    pub row: usize,
    /// The state it led to.
    pub to: String,
    /// The event.
    pub event: Payload,
    /// The guards that were asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub guards: Vec<GuardAsked>,
    /// How the run is left by it.
    #[serde(default, skip_serializing_if = "Step::is_new_visit")]
    pub step: Step,
}

/// What a row does to the visit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// It opened a new visit.
    #[default]
    Visit,
    /// The node is tried again in the same visit.
    Retry,
    /// The node emitted it and goes on.
    Emit,
}

impl Step {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this signature")]
    fn is_new_visit(&self) -> bool {
        *self == Self::Visit
    }
}

/// An event no row takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refusal {
    /// The event.
    pub event: Payload,
    /// Why.
    pub why: String,
}

/// A call about to be made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Intent {
    /// The step.
    pub key: Key,
    /// Which attempt, from 1.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub attempt: u32,
    /// The kind of act.
    pub kind: String,
    /// Its input.
    pub input: Payload,
    /// What follows a crash.
    pub after_crash: AfterCrash,
    /// How it is retried.
    #[serde(default, skip_serializing_if = "is_default_retry")]
    pub retry: Retry,
    /// What is reserved for it.
    #[serde(default, skip_serializing_if = "Spend::is_none")]
    pub reserve: Spend,
    /// The branch it is charged to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
}

fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this signature")]
fn is_one(number: &u32) -> bool {
    *number == 1
}

fn is_default_retry(retry: &Retry) -> bool {
    *retry == Retry::default()
}

/// A call that came back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Receipt {
    /// The step.
    pub key: Key,
    /// Which attempt.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub attempt: u32,
    /// What came back.
    pub out: Result<Payload, Failure>,
    /// What it cost.
    #[serde(default, skip_serializing_if = "Spend::is_none")]
    pub spend: Spend,
    /// Where it comes from, if no call was made for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reused: Option<Reused>,
}

/// A call that was not made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Denied {
    /// The step.
    pub key: Key,
    /// The limit.
    pub short: Short,
}

/// A call whose outcome a crash hid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unknown {
    /// The step.
    pub key: Key,
    /// Which attempt.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub attempt: u32,
}

/// What looking after a crash found, if it did not find the result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Looked {
    /// The step.
    pub key: Key,
    /// Why nobody can tell; none if it certainly did not happen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unclear: Option<String>,
}

/// Something that is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Closed {
    /// Its key.
    pub key: Key,
}

/// A wait.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timer {
    /// Its key.
    pub key: Key,
    /// When it ends.
    pub until: Millis,
}

/// A question that was put.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// Its key.
    pub key: Key,
    /// The question.
    pub question: Question,
    /// When it expires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Millis>,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answered {
    /// The question's key.
    pub key: Key,
    /// The answer.
    pub answer: Payload,
    /// Who gave it.
    pub by: String,
}

/// A stop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stopped {
    /// The reason.
    pub reason: StopReason,
    /// In words.
    pub detail: String,
}

/// Why a run was stopped in its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// A person cancelled it.
    Cancelled,
    /// A signal or a closing process stopped it.
    Interrupted,
    /// A node panicked.
    Panic,
    /// An event came that no row takes.
    Refused,
    /// The disk is full or cannot be written.
    Disk,
    /// A limit was reached and the table has no row for it.
    Budget,
    /// A step failed for good and the table has no row for it.
    Provider,
    /// The table or the node code is not the one the run was started with.
    Changed,
    /// A node broke the rules of node code.
    Broken,
}

impl StopReason {
    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cancelled => "cancelled",
            Self::Interrupted => "interrupted",
            Self::Panic => "panic",
            Self::Refused => "refused",
            Self::Disk => "disk",
            Self::Budget => "budget",
            Self::Provider => "provider",
            Self::Changed => "changed",
            Self::Broken => "broken",
        }
    }

    /// Whether what stopped it may be over by itself, so that whoever goes on with the parent of a run goes on with the run
    /// too. Everything else wants a word about the run itself.
    pub fn may_have_passed(self) -> bool {
        matches!(self, Self::Interrupted | Self::Disk | Self::Provider)
    }

    /// Whether going on needs a new try of the node, because replaying this one would stop it again.
    pub fn needs_new_try(self) -> bool {
        matches!(self, Self::Panic | Self::Refused | Self::Budget | Self::Provider | Self::Broken)
    }
}

/// A going-on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resumed {
    /// Who did it.
    pub by: String,
    /// Whether the node is tried anew.
    pub new_try: bool,
}

/// A changed setting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    /// All settings as they are from now on.
    pub settings: Settings,
    /// Who changed them.
    pub by: String,
}

/// Words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// The words.
    pub text: String,
    /// The same for programs, where a program wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}
