//! A port that calls models at once, with its budget in memory: for asking one skill alone. Nothing here
//! outlives the process.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::port::{Attempt, Port, PortFault, Reservation};
use crate::clock::Clock;
use crate::model::{Charge, FaultKind, Heartbeat, ModelFault, ModelReply, Models};

/// What may be used; absent means no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// Millionths of a dollar.
    pub microusd: Option<u64>,
    /// Tokens, read and written.
    pub tokens: Option<u64>,
    /// Calls.
    pub calls: Option<u64>,
}

/// What one attempt was charged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// The attempt's step key.
    pub key: String,
    /// What had been set aside.
    pub most: Reservation,
    /// Millionths of a dollar charged.
    pub microusd: u64,
    /// Tokens charged.
    pub tokens: u64,
    /// What went wrong, if something did.
    pub fault: Option<FaultKind>,
}

#[derive(Default)]
struct Ledger {
    /// Set aside for calls in flight.
    held: (u64, u64),
    /// Charged.
    spent: (u64, u64),
    calls: u64,
    receipts: Vec<Receipt>,
}

/// Calls models directly under a budget.
pub struct DirectPort {
    models: Models,
    clock: Arc<dyn Clock>,
    watch: Arc<dyn Heartbeat>,
    seed: [u8; 32],
    budget: Budget,
    ledger: Mutex<Ledger>,
}

impl DirectPort {
    /// A port over `models`. `seed` makes the fences: take it from the system's randomness.
    #[must_use]
    pub fn new(models: Models, clock: Arc<dyn Clock>, budget: Budget, seed: [u8; 32]) -> Self {
        Self { models, clock, watch: Arc::new(()), seed, budget, ledger: Mutex::default() }
    }

    /// The same, with somebody watching.
    #[must_use]
    pub fn watched(mut self, watch: Arc<dyn Heartbeat>) -> Self {
        self.watch = watch;
        self
    }

    /// Millionths of a dollar charged so far.
    #[must_use]
    pub fn spent_microusd(&self) -> u64 {
        self.ledger().spent.0
    }

    /// Every attempt's charge so far.
    #[must_use]
    pub fn receipts(&self) -> Vec<Receipt> {
        self.ledger().receipts.clone()
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reserve(&self, attempt: &Attempt) -> Result<(), PortFault> {
        let most = attempt.most;
        let mut ledger = self.ledger();
        if let Some(limit) = self.budget.calls.filter(|limit| ledger.calls >= *limit) {
            return Err(PortFault::OverBudget(format!("all {limit} calls of the budget are made.")));
        }
        if let Some(limit) = self.budget.microusd {
            let Some(cost) = most.microusd else {
                let detail = "its price is not known and the budget is in money.";
                return Err(ModelFault::new(FaultKind::PriceUnknown, &attempt.call.model, detail).into());
            };
            let left = limit.saturating_sub(ledger.spent.0).saturating_sub(ledger.held.0);
            if cost > left {
                let detail = format!("the call may cost {} and {} is left.", dollars(cost), dollars(left));
                return Err(PortFault::OverBudget(detail));
            }
        }
        if let Some(limit) = self.budget.tokens {
            let left = limit.saturating_sub(ledger.spent.1).saturating_sub(ledger.held.1);
            if most.tokens > left {
                let detail = format!("the call may use {} tokens and {left} are left.", most.tokens);
                return Err(PortFault::OverBudget(detail));
            }
        }
        ledger.calls += 1;
        ledger.held.0 += most.microusd.unwrap_or(0);
        ledger.held.1 += most.tokens;
        Ok(())
    }

    fn settle(&self, key: String, most: Reservation, came: &Result<ModelReply, ModelFault>) {
        let set_aside = most.microusd.unwrap_or(0);
        let (microusd, tokens, fault) = match came {
            Ok(reply) => (reply.cost_microusd, reply.usage.input.saturating_add(reply.usage.output), None),
            Err(fault) if fault.kind.charge() == Charge::Unknown => {
                (set_aside, most.tokens, Some(fault.kind))
            }
            Err(fault) => (0, 0, Some(fault.kind)),
        };
        let mut ledger = self.ledger();
        ledger.held.0 -= set_aside;
        ledger.held.1 -= most.tokens;
        // A server may bill any number; what passes the budget stops every further call.
        ledger.spent.0 = ledger.spent.0.saturating_add(microusd);
        ledger.spent.1 = ledger.spent.1.saturating_add(tokens);
        ledger.receipts.push(Receipt { key, most, microusd, tokens, fault });
    }
}

/// Millionths of a dollar as people write them.
pub(crate) fn dollars(microusd: u64) -> String {
    format!("{}.{:06} USD", microusd / 1_000_000, microusd % 1_000_000)
}

/// Keeps a reservation charged if its call is dropped half-way: what became of it is not known.
struct Open<'a> {
    port: &'a DirectPort,
    key: Option<String>,
    most: Reservation,
}

impl Open<'_> {
    fn close(mut self, came: &Result<ModelReply, ModelFault>) {
        if let Some(key) = self.key.take() {
            self.port.settle(key, self.most, came);
        }
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        if let Some(key) = self.key.take() {
            let fault = ModelFault::new(FaultKind::Broken, "", "the call was dropped.");
            self.port.settle(key, self.most, &Err(fault));
        }
    }
}

#[async_trait]
impl Port for DirectPort {
    async fn seed(&self, _key: &str) -> Result<[u8; 32], PortFault> {
        Ok(self.seed)
    }

    async fn attempt(&self, attempt: Attempt) -> Result<ModelReply, PortFault> {
        self.reserve(&attempt)?;
        let open = Open { port: self, key: Some(attempt.key), most: attempt.most };
        let came = self.models.perform(&attempt.call, self.watch.as_ref()).await;
        open.close(&came);
        Ok(came?)
    }

    async fn wait(&self, _key: &str, how_long: Duration) -> Result<(), PortFault> {
        self.clock.sleep(how_long).await;
        Ok(())
    }
}
