//! Acts on the world, as data: what is to be done, by whom it is done, and what follows a crash.
//!
//! A node never acts; it names an [`Act`], the driver journals it, and a performer found in
//! [`Effects`] carries it out. Because an effect is data it can be audited, reconciled after a crash and
//! sent to another worker.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{Crew, Key, Purpose, RunId, Spend};

/// One kind of thing that can be done to the world, with its input.
pub trait Act: Serialize + DeserializeOwned + Send + Sync + 'static {
    /// The name under which it is journaled and its performer is found.
    const KIND: &'static str;
    /// What doing it gives.
    type Out: Serialize + DeserializeOwned + Send + Sync + 'static;

    /// What is done about a call whose outcome a crash has hidden.
    fn after_crash(&self) -> AfterCrash;
    /// The most it can cost; reserved before the call.
    fn reserve(&self) -> Spend {
        Spend::NONE
    }
    /// Whether it may use the share kept for the final answer.
    fn purpose(&self) -> Purpose {
        Purpose::Work
    }
    /// How often, and after which waits, it is tried again.
    fn retry(&self) -> Retry {
        Retry::default()
    }
    /// Whether a run that goes off from another may take what this gave there. What may be done again after a crash
    /// has changed nothing outside, so its result is as good in the other run.
    fn is_reusable(&self) -> bool {
        matches!(self.after_crash(), AfterCrash::Retry | AfterCrash::OnceMore)
    }
    /// Whether this result is worth taking; one that says why there is none is not.
    fn is_worth_reusing(_out: &Self::Out) -> bool {
        true
    }
}

/// What is done about an intent without a receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AfterCrash {
    /// Do it again: reading costs nothing and changes nothing.
    Retry,
    /// Look whether it happened, and do it only if it did not: files, git.
    Reconcile,
    /// Ask a person: payments, pushes.
    Ask,
    /// Do it once more and keep the first reservation charged: model calls.
    OnceMore,
}

impl AfterCrash {
    /// Whether what was done stays outside when the run goes another way.
    pub fn lasts(self) -> bool {
        matches!(self, Self::Reconcile | Self::Ask)
    }
}

/// How a failed attempt is followed by another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retry {
    /// Attempts in all.
    pub attempts: u32,
    /// The wait before the second attempt; doubled before each further one.
    pub wait_ms: u64,
}

impl Default for Retry {
    fn default() -> Self {
        Self { attempts: 3, wait_ms: 2_000 }
    }
}

impl Retry {
    /// One attempt and no more.
    pub const NEVER: Self = Self { attempts: 1, wait_ms: 0 };
    /// The other side can ask for an hour and no more: a run must not sleep for years because a server said so.
    const LONGEST_ASKED_MS: u64 = 3_600_000;

    /// The wait after this many failed attempts; a longer one asked for by the other side is honoured.
    pub fn wait(&self, failed: u32, asked: Option<u64>) -> Duration {
        let own = self.wait_ms.saturating_mul(1 << failed.saturating_sub(1).min(20));
        Duration::from_millis(own.max(asked.unwrap_or(0).min(Self::LONGEST_ASKED_MS)))
    }
}

/// An act with its type forgotten.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// The kind of act.
    pub kind: String,
    /// Its input.
    pub input: Value,
    /// What follows a crash.
    pub after_crash: AfterCrash,
    /// The most it can cost.
    pub reserve: Spend,
    /// What it is for.
    pub purpose: Purpose,
    /// How it is retried.
    pub retry: Retry,
    /// Whether another run may take what it gave.
    pub reusable: bool,
}

impl Effect {
    /// Forgets the type.
    pub fn of<A: Act>(act: &A) -> Result<Self, serde_json::Error> {
        Ok(Self {
            kind: A::KIND.to_owned(),
            input: serde_json::to_value(act)?,
            after_crash: act.after_crash(),
            reserve: act.reserve(),
            purpose: act.purpose(),
            retry: act.retry(),
            reusable: act.is_reusable(),
        })
    }
}

/// One attempt at an effect, as its performer sees it.
#[derive(Clone, Debug)]
pub struct Call {
    /// The run.
    pub run: RunId,
    /// The step.
    pub key: Key,
    /// Which attempt this is, counted from 1.
    pub attempt: u32,
    /// The kind of act.
    pub kind: String,
    /// Its input.
    pub input: Value,
}

impl Call {
    /// The same for every attempt at the same step: what to send as an idempotency key.
    pub fn token(&self) -> String {
        format!("{}/{}", self.run, self.key)
    }
}

/// What doing it gave, and what it cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paid<T> {
    /// The result.
    pub out: T,
    /// The cost.
    pub spend: Spend,
}

impl<T> Paid<T> {
    /// A result that cost nothing.
    pub fn free(out: T) -> Self {
        Self { out, spend: Spend::NONE }
    }
}

/// An attempt that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{text}")]
pub struct Failure {
    /// What went wrong, in words for the person who can act.
    pub text: String,
    /// Whether trying again can help.
    pub retriable: bool,
    /// How long the other side asked us to wait, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_ms: Option<u64>,
    /// What the failed attempt cost.
    #[serde(default, skip_serializing_if = "Spend::is_none")]
    pub spend: Spend,
}

impl Failure {
    /// Trying again cannot help.
    pub fn lasting(text: impl Into<String>) -> Self {
        Self { text: text.into(), retriable: false, after_ms: None, spend: Spend::NONE }
    }

    /// Trying again can help.
    pub fn passing(text: impl Into<String>) -> Self {
        Self { retriable: true, ..Self::lasting(text) }
    }
}

/// What looking after a crash found.
#[derive(Clone, Debug, PartialEq)]
pub enum Found<T> {
    /// It happened, and this is what it gave.
    Happened(Paid<T>),
    /// It did not happen.
    Absent,
    /// Nobody can tell; a person is asked.
    Unclear(String),
}

/// Carries out one kind of act.
#[async_trait]
pub trait Perform<A: Act>: Send + Sync + 'static {
    /// Does it.
    async fn perform(&self, act: A, call: &Call) -> Result<Paid<A::Out>, Failure>;

    /// Looks whether it happened; only asked of acts whose policy is [`AfterCrash::Reconcile`].
    async fn reconcile(&self, _act: A, _call: &Call) -> Found<A::Out> {
        Found::Unclear("this kind of act leaves no trace that can be looked for".to_owned())
    }
}

/// A performer with its types forgotten.
#[async_trait]
pub trait AnyPerform: Send + Sync {
    /// Does it.
    async fn perform(&self, call: &Call) -> Result<Paid<Value>, Failure>;
    /// Looks whether it happened.
    async fn reconcile(&self, call: &Call) -> Found<Value>;
}

struct Typed<A, P> {
    performer: P,
    act: std::marker::PhantomData<fn() -> A>,
}

fn read<A: Act>(call: &Call) -> Result<A, Failure> {
    serde_json::from_value(call.input.clone())
        .map_err(|error| Failure::lasting(format!("the input of {} does not parse: {error}", call.kind)))
}

fn write<T: Serialize>(paid: Paid<T>) -> Result<Paid<Value>, Failure> {
    let out = serde_json::to_value(paid.out).map_err(|error| Failure {
        spend: paid.spend,
        ..Failure::lasting(format!("the result cannot be stored: {error}"))
    })?;
    Ok(Paid { out, spend: paid.spend })
}

#[async_trait]
impl<A: Act, P: Perform<A>> AnyPerform for Typed<A, P> {
    async fn perform(&self, call: &Call) -> Result<Paid<Value>, Failure> {
        write(self.performer.perform(read::<A>(call)?, call).await?)
    }

    async fn reconcile(&self, call: &Call) -> Found<Value> {
        let act = match read::<A>(call) {
            Ok(act) => act,
            Err(failure) => return Found::Unclear(failure.text),
        };
        match self.performer.reconcile(act, call).await {
            Found::Happened(paid) => match write(paid) {
                Ok(paid) => Found::Happened(paid),
                Err(failure) => Found::Unclear(failure.text),
            },
            Found::Absent => Found::Absent,
            Found::Unclear(why) => Found::Unclear(why),
        }
    }
}

/// The performers a process has, by kind of act.
#[derive(Clone, Default)]
pub struct Effects {
    performers: BTreeMap<&'static str, Arc<dyn AnyPerform>>,
    crew: Option<Arc<dyn Crew>>,
}

impl Effects {
    /// Adds a performer; the last one for a kind counts.
    #[must_use]
    pub fn with<A: Act>(mut self, performer: impl Perform<A>) -> Self {
        self.performers.insert(A::KIND, Arc::new(Typed { performer, act: std::marker::PhantomData }));
        self
    }

    /// Lets nodes begin runs of these workflows, and lets this process drive them.
    #[must_use]
    pub fn with_crew(self, crew: Arc<dyn Crew>) -> Self {
        Self { crew: Some(crew), ..self }
    }

    /// Who begins and drives runs inside runs here.
    pub fn crew(&self) -> Option<&Arc<dyn Crew>> {
        self.crew.as_ref()
    }

    /// Wraps every performer: the crash test counts calls this way.
    #[must_use]
    pub fn wrapped(self, wrap: impl Fn(Arc<dyn AnyPerform>) -> Arc<dyn AnyPerform>) -> Self {
        let performers = self.performers.into_iter().map(|(kind, inner)| (kind, wrap(inner))).collect();
        Self { performers, crew: self.crew }
    }

    /// The performer of a kind.
    pub fn get(&self, kind: &str) -> Result<Arc<dyn AnyPerform>, Failure> {
        self.performers
            .get(kind)
            .cloned()
            .ok_or_else(|| Failure::lasting(format!("nothing in this process can perform `{kind}`")))
    }
}

impl std::fmt::Debug for Effects {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.performers.keys()).finish()
    }
}

#[cfg(test)]
mod tests;
