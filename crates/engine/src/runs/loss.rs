//! Records that were durable once and are gone: what, how many, and what they had cost.

use std::fmt;

use serde::Serialize;

use crate::{RunId, Spend};

/// Records that were durable once and are gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Loss {
    /// The run.
    pub run: RunId,
    /// The last record that is what it was.
    pub kept: u64,
    /// The last record there was.
    pub reached: u64,
    /// Whether another record stands where the last one was.
    pub replaced: bool,
    /// What the lost records had spent.
    pub spent: Spend,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { run, kept, reached, replaced, spent } = self;
        match (*kept, reached.saturating_sub(*kept)) {
            _ if *replaced => write!(f, "record {reached} of run {run} is not the one that was recorded")?,
            (0, _) => write!(f, "run {run} is gone with its {}", count(*reached, "record"))?,
            (_, 1) => write!(f, "record {reached} of run {run} is gone")?,
            _ => write!(f, "records {} to {reached} of run {run} are gone", kept + 1)?,
        }
        write!(f, "; {}", cost(*spent))
    }
}

/// What lost records may have cost.
pub(crate) fn cost(spent: Spend) -> String {
    if spent.is_none() {
        return "what was done there may be done again, and nothing paid was among it".to_owned();
    }
    let Spend { micro_usd, tokens, calls } = spent;
    let (dollars, rest) = (micro_usd / 1_000_000, micro_usd % 1_000_000);
    format!(
        "what was done there may be done again, and had cost ${dollars}.{rest:06} ({}, {})",
        count(calls, "paid call"),
        count(tokens, "token")
    )
}

pub(crate) fn count(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
