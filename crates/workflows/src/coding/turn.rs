//! A turn as data: what an agent is asked, and how its turn can end.

use std::path::PathBuf;

use baton_engine::{Limits, Purse, Spend};
use serde::{Deserialize, Serialize};

use super::Work;
use crate::process::Confinement;

/// What a turn is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Do the work.
    Implement,
    /// Mend what gates, reviewers or a merge found.
    Fix,
    /// Read and judge, without changing anything.
    Review,
}

/// Who does it, as a plan names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentSpec {
    /// Its name in the plan.
    pub name: String,
    /// The kind of agent.
    pub kind: String,
    /// The line for the shell, or the program of an adapter; empty for its default.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub run: String,
    /// Variables of our environment that it may see: where an adapter finds its key.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<String>,
    /// Whether it may use the network.
    #[serde(default)]
    pub network: bool,
    /// The most one turn may cost, in millionths of a dollar; none if the plan does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_micro_usd: Option<u64>,
    /// What its tokens cost, for an agent that counts them and tells no money.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<TokenPrice>,
}

impl AgentSpec {
    /// The agent every plan has.
    pub fn recipe() -> Self {
        Self {
            name: "recipe".to_owned(),
            kind: "recipe".to_owned(),
            run: String::new(),
            env: Vec::new(),
            network: false,
            turn_micro_usd: None,
            price: None,
        }
    }

    /// What is reserved for a turn of it, or why there is not enough: what it or the plan (`named`) says, else a quarter of
    /// the limit. `whose` has what is left.
    pub fn afford(
        &self,
        named: Option<u64>,
        purse: &Purse,
        limits: &Limits,
        whose: &str,
    ) -> Result<u64, String> {
        if !self.is_paid() {
            return Ok(0);
        }
        let left = purse.left(limits).micro_usd;
        let usual = limits.micro_usd.map_or(0, |limit| limit / 4);
        let need = self.turn_micro_usd.or(named).unwrap_or_else(|| usual.min(left));
        if limits.micro_usd.is_some() && (left == 0 || need > left) {
            let dollars = |micro: u64| micro as f64 / 1e6;
            return Err(format!(
                "a turn of {} may cost {:.2} USD, and {:.2} USD are left for {whose}",
                self.name,
                dollars(need.max(1)),
                dollars(left)
            ));
        }
        Ok(need)
    }

    /// Whether a turn of it costs money: those of others ask models, and a plan may say so of any.
    pub fn is_paid(&self) -> bool {
        !matches!(self.kind.as_str(), "recipe" | "command" | "person") || self.turn_micro_usd.is_some()
    }
}

/// What a million tokens cost, in millionths of a dollar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenPrice {
    /// Read.
    pub input: u64,
    /// Written.
    pub output: u64,
}

/// How an agent finds its way back into what it did before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Session {
    /// It begins, under a name that is journaled before it is used.
    New(String),
    /// It goes on.
    Resume(String),
}

/// What one turn may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnLimits {
    /// Seconds in all.
    pub wall_s: u64,
    /// Seconds without a sign of life.
    pub idle_s: u64,
    /// Added lines after which it is stopped; 0 for no limit.
    pub lines: u64,
    /// Added lines after which it is told so; 0 for none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub warn_lines: u64,
    /// Millionths of a dollar, for an agent that can keep to them; 0 for no limit.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub micro_usd: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this signature")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Default for TurnLimits {
    fn default() -> Self {
        Self { wall_s: 3600, idle_s: 600, lines: 0, warn_lines: 0, micro_usd: 0 }
    }
}

/// What is asked of an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnRequest {
    /// Who.
    pub agent: AgentSpec,
    /// What for.
    pub role: Role,
    /// The effort, by its name in the plan.
    pub effort: String,
    /// Which try of it this is, from 1.
    pub attempt: u32,
    /// Where the files are.
    pub worktree: PathBuf,
    /// The workshop behind it, for what a recipe applies and for counting.
    pub workshop: PathBuf,
    /// The commit the effort began from.
    pub base: String,
    /// The commit the turn begins from.
    pub tip: String,
    /// What is to be done, in words.
    pub prompt: String,
    /// What is to be done, for an agent that needs no words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub work: Vec<Work>,
    /// Its session.
    pub session: Session,
    /// What a person said to what it asked, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<String>,
    /// Its limits.
    pub limits: TurnLimits,
    /// What it may touch.
    pub confinement: Confinement,
}

/// How a turn ended. It says nothing of what the work is worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "end")]
pub enum TurnEnd {
    /// It says it is done.
    Completed {
        /// Its last words, shortened.
        words: String,
    },
    /// It wants to know something.
    NeedsInput {
        /// What.
        question: String,
    },
    /// It does not want to do this.
    Refused {
        /// Why.
        why: String,
    },
    /// A limit of its turn was reached.
    LimitHit {
        /// Which.
        which: Which,
    },
    /// Somebody stopped it.
    Cancelled,
    /// A crash of ours cut it short; what it did until then is in the worktree.
    CutShort,
    /// It could not do its part.
    Failed {
        /// Why.
        error: AgentError,
    },
}

impl TurnEnd {
    /// How it ended, to be read after the agent's name.
    pub fn told(&self) -> String {
        match self {
            Self::Completed { .. } => "says it is done".to_owned(),
            Self::NeedsInput { .. } => "asked something".to_owned(),
            Self::Refused { why } if why.is_empty() => "refused".to_owned(),
            Self::Refused { why } => format!("refused: {why}"),
            Self::LimitHit { which } => format!("reached its limit of {}", which.word()),
            Self::Cancelled => "was stopped".to_owned(),
            Self::CutShort => "was cut short by a crash".to_owned(),
            Self::Failed { error } => format!("failed: {error}"),
        }
    }
}

/// What a turn cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cost {
    /// Nobody is paid for it.
    #[default]
    Free,
    /// It is paid for.
    Paid {
        /// What the agent told, or what its tokens cost; none if nobody knows, and then the reservation is charged.
        micro_usd: Option<u64>,
        /// Tokens in and out, as far as they were told.
        tokens: u64,
    },
}

impl Cost {
    /// Whether nobody is paid.
    pub fn is_free(&self) -> bool {
        *self == Self::Free
    }

    /// Whether it is charged at its reservation because nobody knows better.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Self::Paid { micro_usd: None, .. })
    }

    /// What is charged for it, given what was reserved.
    pub fn charged(&self, reserved: u64) -> Spend {
        match *self {
            Self::Free => Spend::NONE,
            Self::Paid { micro_usd, tokens } => {
                Spend { micro_usd: micro_usd.unwrap_or(reserved), tokens, calls: 1 }
            }
        }
    }
}

/// A turn that is over: how it ended and what it cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turned {
    /// How it ended.
    #[serde(flatten)]
    pub end: TurnEnd,
    /// What it cost.
    #[serde(default, skip_serializing_if = "Cost::is_free")]
    pub cost: Cost,
}

impl Turned {
    /// One that nobody is paid for.
    pub fn free(end: TurnEnd) -> Self {
        Self { end, cost: Cost::Free }
    }
}

/// A limit of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Which {
    /// The time in all.
    Wall,
    /// The time without a sign of life.
    Idle,
    /// The turns or calls of the agent itself.
    Turns,
    /// Money or tokens.
    Budget,
    /// Added lines.
    Lines,
}

impl Which {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Wall => "time",
            Self::Idle => "silence",
            Self::Turns => "turns",
            Self::Budget => "money",
            Self::Lines => "lines",
        }
    }
}

/// Why an agent could not take its turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case", tag = "error")]
pub enum AgentError {
    /// It is not here, or cannot be started.
    #[error("{what} cannot be started: {why}")]
    Unavailable {
        /// Which program.
        what: String,
        /// What the system said.
        why: String,
    },
    /// It is not signed in.
    #[error("it is not signed in: {why}")]
    Auth {
        /// What it said.
        why: String,
    },
    /// Its provider asks for patience.
    #[error("its provider asks for patience")]
    RateLimited {
        /// Seconds, if it said so.
        after_s: Option<u64>,
    },
    /// Its provider is overloaded.
    #[error("its provider is overloaded")]
    Overloaded,
    /// What it sent cannot be understood.
    #[error("it broke its protocol: {why}")]
    Protocol {
        /// What was wrong.
        why: String,
    },
    /// It ended badly.
    #[error("it ended badly: {why}")]
    Crashed {
        /// How, with the end of what it printed.
        why: String,
    },
    /// A step of a recipe could not be done.
    #[error("step {step} of the recipe: {why}")]
    Step {
        /// Which, from 1.
        step: usize,
        /// What was wrong.
        why: String,
    },
    /// The system cannot confine it, and the plan requires that.
    #[error("it cannot be confined here: {why}")]
    Unconfined {
        /// What is missing.
        why: String,
    },
}

impl AgentError {
    /// Whether trying again later can help.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::RateLimited { .. } | Self::Overloaded | Self::Protocol { .. } | Self::Crashed { .. } => {
                true
            }
            Self::Unavailable { .. } | Self::Auth { .. } | Self::Step { .. } | Self::Unconfined { .. } => {
                false
            }
        }
    }
}

/// What a look at an agent found. Looking makes no call that costs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// What it is, or where its program was found.
    pub what: String,
    /// Its version, where it tells one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// What it answered to a handshake, where its protocol has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handshake: Option<String>,
    /// Whether it is signed in.
    pub login: Login,
}

/// Whether an agent is signed in, as far as can be known without a call that costs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Login {
    /// It needs no account.
    #[default]
    NotNeeded,
    /// It is, by this.
    Yes(String),
    /// It is not, because of this.
    No(String),
    /// Only a call would tell, because of this.
    Unknown(String),
}
