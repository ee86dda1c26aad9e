//! Money, tokens, calls and working time: reserved before the call, settled after it.
//!
//! The purse is part of the fold of the journal: intents reserve, receipts settle, an unknown outcome
//! keeps its reservation charged. Nothing here knows what a call is.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What a call costs, or may cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Spend {
    /// Millionths of a US dollar.
    #[serde(skip_serializing_if = "is_zero")]
    pub micro_usd: u64,
    /// Tokens in and out.
    #[serde(skip_serializing_if = "is_zero")]
    pub tokens: u64,
    /// Paid calls.
    #[serde(skip_serializing_if = "is_zero")]
    pub calls: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this signature")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Spend {
    /// Nothing.
    pub const NONE: Self = Self { micro_usd: 0, tokens: 0, calls: 0 };

    /// Whether this is nothing.
    pub fn is_none(&self) -> bool {
        *self == Self::NONE
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            micro_usd: self.micro_usd.saturating_add(other.micro_usd),
            tokens: self.tokens.saturating_add(other.tokens),
            calls: self.calls.saturating_add(other.calls),
        }
    }

    /// This without that; never below nothing.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self {
            micro_usd: self.micro_usd.saturating_sub(other.micro_usd),
            tokens: self.tokens.saturating_sub(other.tokens),
            calls: self.calls.saturating_sub(other.calls),
        }
    }
}

/// What a run, or a branch of it, may spend. `None` is no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Millionths of a US dollar.
    pub micro_usd: Option<u64>,
    /// Tokens in and out.
    pub tokens: Option<u64>,
    /// Paid calls.
    pub calls: Option<u64>,
    /// Milliseconds spent in steps; waiting for a person does not count.
    pub work_ms: Option<u64>,
    /// Per cent of money, tokens and calls that only the final answer may use.
    pub kept_for_last: u8,
}

impl Default for Limits {
    fn default() -> Self {
        Self { micro_usd: Some(1_000_000), tokens: None, calls: None, work_ms: None, kept_for_last: 10 }
    }
}

impl Limits {
    /// No limit at all; for branches that only the run's own limits bound.
    pub const NONE: Self =
        Self { micro_usd: None, tokens: None, calls: None, work_ms: None, kept_for_last: 0 };
}

/// What an effect is for: only the final answer may use the share kept for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// Ordinary work.
    #[default]
    Work,
    /// The final answer.
    Last,
}

/// A limit that a reservation would have crossed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{what}: {need} needed, {left} left of {limit}{}", branch.as_ref().map(|b| format!(" (branch {b})")).unwrap_or_default())]
pub struct Short {
    /// Which limit.
    pub what: String,
    /// What was asked for.
    pub need: u64,
    /// What is left for this purpose.
    pub left: u64,
    /// The limit.
    pub limit: u64,
    /// The branch whose limit it is; none for the run's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
}

/// What has been spent and what is reserved by calls in flight.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Purse {
    /// Settled, unknown outcomes at their full reservation.
    pub spent: Spend,
    /// Reserved by open intents.
    pub reserved: Spend,
    /// The part of `spent` whose outcome nobody knows.
    #[serde(default, skip_serializing_if = "Spend::is_none")]
    pub unknown: Spend,
    /// Milliseconds spent in steps.
    pub work_ms: u64,
    /// Spent and reserved by branch.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub branches: BTreeMap<String, Spend>,
}

impl Purse {
    /// Whether `need` fits under the run's limits, and under the branch's if there is one.
    pub fn room(&self, limits: &Limits, need: Spend, purpose: Purpose) -> Result<(), Short> {
        check(limits, self.spent.plus(self.reserved), self.work_ms, need, purpose)
    }

    /// What is left for ordinary work; where nothing is limited, everything.
    pub fn left(&self, limits: &Limits) -> Spend {
        let used = self.spent.plus(self.reserved);
        let kept = u64::from(limits.kept_for_last.min(100));
        let left = |limit: Option<u64>, used: u64| {
            limit.map_or(u64::MAX, |limit| usable(limit, kept).saturating_sub(used))
        };
        Spend {
            micro_usd: left(limits.micro_usd, used.micro_usd),
            tokens: left(limits.tokens, used.tokens),
            calls: left(limits.calls, used.calls),
        }
    }

    /// Whether `need` fits under a branch's own limits.
    pub fn room_in(&self, branch: &str, limits: &Limits, need: Spend) -> Result<(), Short> {
        let used = self.branches.get(branch).copied().unwrap_or_default();
        check(limits, used, 0, need, Purpose::Work)
            .map_err(|short| Short { branch: Some(branch.to_owned()), ..short })
    }

    /// An intent was recorded.
    pub fn reserve(&mut self, branch: Option<&str>, reserve: Spend) {
        self.reserved = self.reserved.plus(reserve);
        self.adjust(branch, reserve, Spend::NONE);
    }

    /// A receipt was recorded: what was reserved is given back, what was spent is charged.
    pub fn settle(&mut self, branch: Option<&str>, reserve: Spend, spent: Spend) {
        self.reserved = self.reserved.minus(reserve);
        self.spent = self.spent.plus(spent);
        self.adjust(branch, spent, reserve);
    }

    /// Nobody knows what the call did: its reservation stays charged.
    pub fn charge_unknown(&mut self, branch: Option<&str>, reserve: Spend) {
        self.settle(branch, reserve, reserve);
        self.unknown = self.unknown.plus(reserve);
    }

    fn adjust(&mut self, branch: Option<&str>, add: Spend, take: Spend) {
        let Some(branch) = branch else { return };
        let used = self.branches.entry(branch.to_owned()).or_default();
        *used = used.plus(add).minus(take);
    }
}

/// A limit without the per cent that are kept.
fn usable(limit: u64, kept: u64) -> u64 {
    limit - limit / 100 * kept - limit % 100 * kept / 100
}

fn check(limits: &Limits, used: Spend, work_ms: u64, need: Spend, purpose: Purpose) -> Result<(), Short> {
    let kept = match purpose {
        Purpose::Work => u64::from(limits.kept_for_last.min(100)),
        Purpose::Last => 0,
    };
    let rows = [
        ("money in millionths of a dollar", limits.micro_usd, used.micro_usd, need.micro_usd, kept),
        ("tokens", limits.tokens, used.tokens, need.tokens, kept),
        ("paid calls", limits.calls, used.calls, need.calls, kept),
        ("milliseconds of work", limits.work_ms, work_ms, 0, 0),
    ];
    for (what, limit, used, need, kept) in rows {
        let Some(limit) = limit else { continue };
        let left = usable(limit, kept).saturating_sub(used);
        let spent_out = what.starts_with("milli") && used >= limit;
        if need > left || spent_out {
            return Err(Short { what: what.to_owned(), need, left, limit, branch: None });
        }
    }
    Ok(())
}
