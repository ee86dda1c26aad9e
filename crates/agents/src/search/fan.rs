//! Query fan-out: every query to every provider, each at its own pace, and one merged list. How each query ended is
//! data beside the results, so that a report can say what was not searched.

use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use serde::{Deserialize, Serialize};

use super::Query;
use super::merge::{Lead, SourceRules, merge};
use super::pace::NoTurn;
use super::web::{Answer, Consent, Finder, Found, LeftOut, WebFault};
use crate::clock::Clock;

/// How often one query is put to one provider: once more after a failure that passes.
const TRIES: u32 = 2;

/// How one query to one provider ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// It answered, perhaps with nothing.
    Answered {
        /// How many usable hits.
        hits: usize,
    },
    /// It is being left alone after a failure.
    CooledDown {
        /// For so much longer.
        seconds: u64,
        /// The failure.
        why: String,
    },
    /// It was asked and failed.
    Failed {
        /// How.
        fault: WebFault,
    },
    /// It was not asked.
    Skipped {
        /// Why not.
        why: String,
    },
}

/// One query to one provider, and its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderQuery {
    /// Who was to be asked.
    pub provider: String,
    /// What.
    pub query: String,
    /// How often it was asked.
    pub tries: u32,
    /// How it ended.
    pub end: End,
}

impl ProviderQuery {
    /// Why there is no answer; none if there is one.
    #[must_use]
    pub fn why(&self) -> Option<String> {
        match &self.end {
            End::Answered { .. } => None,
            End::CooledDown { seconds, why } => Some(format!("left alone for {seconds} s after {why}")),
            End::Failed { fault } => Some(fault.detail.clone()),
            End::Skipped { why } => Some(why.clone()),
        }
    }

    /// What was not searched and why, as a sentence for a person; none if it was.
    #[must_use]
    pub fn shortfall(&self) -> Option<String> {
        let Self { provider, query, end, .. } = self;
        let what = match end {
            End::Failed { .. } => "did not answer",
            _ => "was not asked",
        };
        self.why().map(|why| format!("{provider} {what} “{query}”: {why}."))
    }
}

/// What a fan-out brought.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Fanned {
    /// Documents, best first.
    pub leads: Vec<Lead>,
    /// What was returned and is not used.
    pub left_out: Vec<LeftOut>,
    /// Every query to every provider: none is missing.
    pub ends: Vec<ProviderQuery>,
}

/// Several providers, asked together. One for the whole process: its paces are what keeps limits across runs.
pub struct Fan {
    finders: Vec<Arc<dyn Finder>>,
    clock: Arc<dyn Clock>,
    patience: Duration,
}

impl Fan {
    /// A fan over providers. `patience` is the longest wait for a turn; past it a query is reported instead.
    #[must_use]
    pub fn new(
        finders: Vec<Arc<dyn Finder>>,
        clock: Arc<dyn Clock>,
        patience: Duration,
        _consent: &Consent,
    ) -> Self {
        Self { finders, clock, patience }
    }

    /// The names of its providers, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.finders.iter().map(|finder| finder.name())
    }

    /// Puts every query to every provider: providers side by side, the queries of one in order.
    pub async fn search(&self, queries: &[Query], rules: &SourceRules) -> Fanned {
        let asked = self.finders.iter().map(|finder| self.ask(finder.as_ref(), queries));
        let by_finder = join_all(asked).await;
        let mut fanned = Fanned::default();
        let mut lists: Vec<Vec<Found>> = Vec::new();
        for (put, answer) in by_finder.into_iter().flatten() {
            fanned.ends.push(put);
            fanned.left_out.extend(answer.left_out);
            lists.push(answer.found);
        }
        let merged = merge(lists, rules);
        fanned.leads = merged.leads;
        fanned.left_out.extend(merged.left_out);
        fanned
    }

    async fn ask(&self, finder: &dyn Finder, queries: &[Query]) -> Vec<(ProviderQuery, Answer)> {
        let mut done = Vec::with_capacity(queries.len());
        for query in queries {
            let (tries, end, answer) = self.put(finder, query).await;
            let provider = finder.name().to_owned();
            done.push((ProviderQuery { provider, query: query.text.clone(), tries, end }, answer));
        }
        done
    }

    async fn put(&self, finder: &dyn Finder, query: &Query) -> (u32, End, Answer) {
        let mut tries = 0;
        let mut last = None;
        loop {
            if let Err(no_turn) = finder.pace().enter(self.clock.as_ref(), self.patience).await {
                // Who was asked and is left alone now has failed.
                let end = last.map_or_else(|| ended(no_turn), |fault| End::Failed { fault });
                return (tries, end, Answer::default());
            }
            tries += 1;
            match finder.find(query).await {
                Ok(answer) => {
                    finder.pace().succeeded();
                    return (tries, End::Answered { hits: answer.found.len() }, answer);
                }
                Err(fault) => {
                    finder.pace().failed(&fault, self.clock.now());
                    if tries >= TRIES || !fault.kind.retriable() {
                        return (tries, End::Failed { fault }, Answer::default());
                    }
                    last = Some(fault);
                }
            }
        }
    }
}

fn ended(no_turn: NoTurn) -> End {
    match no_turn {
        NoTurn::Cooling(left, why) => End::CooledDown { seconds: left.as_secs(), why },
        no_turn @ (NoTurn::Full(_) | NoTurn::Off(_)) => End::Skipped { why: no_turn.to_string() },
    }
}
