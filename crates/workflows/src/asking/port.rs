//! The port that journals. The agents crate knows no journal; it asks through a port. Here the call is the intent, the
//! reply or the typed fault is the receipt, money is reserved before and settled after. The asking routine decides about
//! retries, so the engine makes none inside an attempt.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use baton_agents::model::{Charge, FaultKind, Heartbeat, ModelFault, ModelReply, Models};
use baton_agents::skill::{Attempt, Port, PortFault, Reservation};
use baton_engine::{Act, AfterCrash, Call, Cx, Failure, Fault, Hash, Paid, Perform, Purpose, Retry, Spend};
use baton_machine::Workflow;
use serde::{Deserialize, Serialize};

/// One attempt at a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallModel {
    /// The call and the most it can use.
    pub attempt: Attempt,
    /// Whether it may use the share of the budget kept for the final answer.
    #[serde(default)]
    pub last: bool,
}

/// What came of an attempt. A fault is a result too: the asking routine must see which one it was.
pub type Replied = Result<ModelReply, ModelFault>;

impl Act for CallModel {
    const KIND: &'static str = "model";
    type Out = Replied;

    fn after_crash(&self) -> AfterCrash {
        AfterCrash::OnceMore
    }

    fn reserve(&self) -> Spend {
        most(self.attempt.most)
    }

    fn purpose(&self) -> Purpose {
        if self.last { Purpose::Last } else { Purpose::Work }
    }

    fn retry(&self) -> Retry {
        Retry::NEVER
    }

    /// A fault says nothing about the question.
    fn is_worth_reusing(replied: &Replied) -> bool {
        replied.is_ok()
    }
}

fn most(reservation: Reservation) -> Spend {
    Spend { micro_usd: reservation.microusd.unwrap_or(0), tokens: reservation.tokens, calls: 1 }
}

/// Makes the calls with the models this process may use.
#[derive(Clone)]
pub struct CallModels {
    models: Models,
    watch: Arc<dyn Heartbeat>,
}

impl CallModels {
    /// A performer over `models`; `watch` sees signs of life while answers are written.
    pub fn new(models: Models, watch: Arc<dyn Heartbeat>) -> Self {
        Self { models, watch }
    }
}

#[async_trait]
impl Perform<CallModel> for CallModels {
    async fn perform(&self, act: CallModel, _call: &Call) -> Result<Paid<Replied>, Failure> {
        let reserved = act.reserve();
        let out = self.models.perform(&act.attempt.call, self.watch.as_ref()).await;
        let spend = match &out {
            Ok(reply) => Spend {
                micro_usd: reply.cost_microusd,
                tokens: reply.usage.input.saturating_add(reply.usage.output),
                calls: 1,
            },
            // The answer was begun and lost: what it cost is not known, so all that was reserved stays charged.
            Err(fault) if fault.kind.charge() == Charge::Unknown => reserved,
            Err(_) => Spend { calls: 1, ..Spend::NONE },
        };
        Ok(Paid { out, spend })
    }
}

/// The port of a node: attempts become steps, waits become timers.
pub struct StepPort<'a, W: Workflow> {
    cx: &'a Cx<W>,
    last: bool,
    fault: Mutex<Option<Fault>>,
}

impl<'a, W: Workflow> StepPort<'a, W> {
    /// A port through this mailbox.
    pub fn new(cx: &'a Cx<W>) -> Self {
        Self { cx, last: false, fault: Mutex::default() }
    }

    /// A port for the final answer, which may use the share of the budget kept for it.
    pub fn for_last(cx: &'a Cx<W>) -> Self {
        Self { cx, last: true, fault: Mutex::default() }
    }

    /// The fault that ended the ask, as the engine gave it; a port can pass on only its words.
    pub fn fault(&self) -> Option<Fault> {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn keep(&self, fault: Fault) {
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(fault);
    }

    fn stop(&self, fault: Fault) -> PortFault {
        let why = fault.to_string();
        self.keep(fault);
        PortFault::Stop(why)
    }
}

#[async_trait]
impl<W: Workflow> Port for StepPort<'_, W> {
    /// From the run's own random name and the visit: the same on replay, and not to be guessed by whoever
    /// wrote the text that is fenced.
    async fn seed(&self, key: &str) -> Result<[u8; 32], PortFault> {
        let words = format!("fence/{}/{}/{key}", self.cx.root(), self.cx.visit());
        Ok(Hash::of(words.as_bytes()).0)
    }

    async fn attempt(&self, attempt: Attempt) -> Result<ModelReply, PortFault> {
        let (_, limits) = self.cx.purse();
        let model = attempt.call.model.clone();
        if limits.micro_usd.is_some() && attempt.most.microusd.is_none() {
            let detail = "its price is not known and the budget is in money.";
            return Err(ModelFault::new(FaultKind::PriceUnknown, &model, detail).into());
        }
        let name = attempt.key.clone();
        match self.cx.step(name, &CallModel { attempt, last: self.last }).await {
            Ok(replied) => Ok(replied?),
            Err(Fault::Budget { key, short }) => {
                let why = short.to_string();
                self.keep(Fault::Budget { key, short });
                Err(PortFault::OverBudget(why))
            }
            Err(fault @ Fault::Unknown { .. }) => {
                Err(ModelFault::new(FaultKind::Broken, &model, format!("{fault}.")).into())
            }
            Err(fault) => Err(self.stop(fault)),
        }
    }

    async fn wait(&self, key: &str, how_long: Duration) -> Result<(), PortFault> {
        self.cx.sleep(key, how_long).await.map_err(|fault| self.stop(fault))
    }
}
