//! Runs inside runs, as a node sees them: what it orders, what it gets back.

use baton_machine::Outcome;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Hash, Key, Limits, Purse, RunId, Settings, Short, Spend};

/// A child of a child of a child: deeper than this nobody can follow, and a workflow that starts itself must end.
pub const DEEPEST: u32 = 8;

/// What a child may spend, reserved from its parent and settled back when it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// What it gets if there is that much. A kind of which this has nothing is not limited for the child alone.
    pub wish: Spend,
    /// What it must get at least, or it is not begun: enough for one call.
    pub least: Spend,
}

impl Share {
    /// This much, or as much as there is, if it is enough for one call of this cost.
    pub fn new(wish: Spend, one_call: Spend) -> Self {
        Self { wish, least: one_call }
    }

    /// Nothing: a child that makes no paid call.
    pub const NONE: Self = Self { wish: Spend::NONE, least: Spend::NONE };

    /// What there is for it.
    pub(crate) fn grant(&self, purse: &Purse, limits: &Limits) -> Result<Spend, Short> {
        let left = purse.left(limits);
        let granted = Spend {
            micro_usd: self.wish.micro_usd.min(left.micro_usd),
            tokens: self.wish.tokens.min(left.tokens),
            calls: self.wish.calls.min(left.calls),
        };
        let enough = self.least.minus(granted).is_none();
        if enough {
            Ok(granted)
        } else {
            // Less than one call would be a child that can do nothing.
            purse.room(limits, self.least, crate::Purpose::Work).map(|()| Spend {
                micro_usd: granted.micro_usd.max(self.least.micro_usd),
                tokens: granted.tokens.max(self.least.tokens),
                calls: granted.calls.max(self.least.calls),
            })
        }
    }

    /// The settings of a child that was granted this.
    pub(crate) fn settings(granted: Spend, parent: &Settings) -> Settings {
        let limit = |amount: u64| (amount > 0).then_some(amount);
        let limits = Limits {
            micro_usd: Some(granted.micro_usd),
            tokens: limit(granted.tokens),
            calls: limit(granted.calls),
            work_ms: parent.limits.work_ms,
            kept_for_last: parent.limits.kept_for_last,
        };
        Settings { limits, parallel: parent.parallel }
    }
}

/// What a node wants begun.
#[derive(Clone, Debug)]
pub(crate) struct ChildOrder {
    pub workflow: String,
    pub input: Value,
    pub share: Share,
}

/// A child that was begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Child {
    /// Its name within the visit of the parent.
    pub name: String,
    /// The run.
    pub run: RunId,
}

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChildEnding {
    /// It is over.
    Finished(Outcome),
    /// Somebody cancelled it.
    Cancelled,
}

/// What a child came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChildEnd {
    /// The run.
    pub run: RunId,
    /// How it ended.
    pub ending: ChildEnding,
    /// What its workflow says of it.
    pub output: Value,
    /// What it has spent, its own children included.
    pub spent: Spend,
}

/// The name of a child: the same for the same parent and key, so that it is begun once however often that is tried.
pub fn name_of(parent: &RunId, key: &Key) -> RunId {
    let hash = Hash::of(format!("{parent}/{key}").as_bytes());
    RunId::from_bits(hash.0.iter().take(8).fold(0, |bits, byte| (bits << 8) | u64::from(*byte)))
}
