//! The one asking routine: render, attempt, read, check; on a bad answer one repair turn that lists the
//! problems; then the next model; then the rules twin if the role allows it; else a typed failure.
//! Every attempt passes through the port with what it can cost at most.

use std::time::Duration;

use super::answer::{Answer, AskFailure, By, Cause, Outcome, Try};
use super::context::Cut;
use super::judge::{Judged, Shape, judge, shape_of};
use super::port::{Attempt, Port, PortFault, Reservation};
use super::prompt::{PromptError, Rejected, Rendered, prompt_hash, turn};
use super::{Role, Skill};
use crate::model::{Charge, FaultKind, ModelCall, ModelCard, ModelFault, ModelReply, OutputSchema, Usage};
use crate::parse::Repair;

/// One ask makes at most this many calls.
pub const MOST_CALLS: usize = 6;
/// How often one model is tried again after a fault that may pass.
const RETRIES: u32 = 2;
/// The first wait before trying again; it doubles.
const FIRST_WAIT: Duration = Duration::from_secs(2);
/// Longer waits are not waited for here: the next model is asked, or the failure says how long.
const PATIENCE: Duration = Duration::from_secs(60);

/// What is asked, apart from the skill.
#[derive(Debug)]
pub struct AskRequest<'a, I> {
    /// Names this ask among all asks of its run.
    pub key: &'a str,
    /// The skill's input.
    pub input: &'a I,
    /// Whether the input holds text from a person's documents.
    pub carries_documents: bool,
}

/// Asks a role to use a skill.
pub async fn ask<S: Skill>(
    port: &dyn Port,
    role: &Role,
    question: AskRequest<'_, S::Input>,
) -> Result<Answer<S::Output>, AskFailure> {
    let mut asking = Asking::<S> { port, role, question, tries: Vec::new(), calls: 0 };
    let cause = match asking.models().await {
        Ok(answer) => return Ok(answer),
        Err(cause) => cause,
    };
    // A run told to stop, a budget that is used up and a prompt that is broken are not for rules to paper over.
    let is_final = matches!(
        cause,
        Cause::Stopped(_) | Cause::OverBudget(_) | Cause::Prompt(PromptError::Template { .. })
    );
    let rules_help = role.rules && !is_final;
    if rules_help && let Some(output) = S::rules(asking.question.input) {
        let prompt_hash = prompt_hash::<S>();
        return Ok(Answer {
            output,
            by: By::Rules,
            prompt_hash,
            tries: asking.tries,
            cut: vec![],
            repairs: vec![],
        });
    }
    Err(AskFailure { skill: S::NAME.to_owned(), role: role.name.clone(), cause, tries: asking.tries })
}

/// An ask under way.
struct Asking<'a, S: Skill> {
    port: &'a dyn Port,
    role: &'a Role,
    question: AskRequest<'a, S::Input>,
    tries: Vec<Try>,
    calls: usize,
}

/// A conversation with one model.
struct Talk<'a> {
    card: &'a ModelCard,
    place: usize,
    call: ModelCall,
    attempts: u32,
    retries: u32,
    repaired: bool,
    cut: Vec<Cut>,
}

/// Where a talk stands after an attempt.
enum Next<T> {
    Answered(T, ModelReply, Vec<Repair>),
    Again(Option<Duration>),
    GiveUp(Cause),
}

impl<'a, S: Skill> Asking<'a, S> {
    async fn models(&mut self) -> Result<Answer<S::Output>, Cause> {
        let mut last = Cause::NoModel;
        if self.role.chain.is_empty() {
            return Err(last);
        }
        let shape = shape_of::<S>().map_err(|problem| Cause::NoGoodAnswer(vec![problem]))?;
        let seed = self.port.seed(self.question.key).await.map_err(stopped)?;
        for (place, card) in self.role.chain.iter().enumerate() {
            match self.talk(place, card, &shape, &seed).await? {
                Ok(answer) => return Ok(answer),
                Err(cause) => last = cause,
            }
        }
        Err(last)
    }

    /// Talks to one model until it has answered or given reason to ask the next. An outer error ends all.
    async fn talk(
        &mut self,
        place: usize,
        card: &'a ModelCard,
        shape: &Shape,
        seed: &[u8; 32],
    ) -> Result<Result<Answer<S::Output>, Cause>, Cause> {
        let mut talk = match self.open(place, card, shape, seed) {
            Ok(talk) => talk,
            Err(error @ PromptError::NoRoom { .. }) => {
                let key = self.step_key(place, 0);
                let outcome = Outcome::NoRoom(error.to_string());
                self.note(&key, &card.name, outcome, Usage::default(), 0);
                return Ok(Err(error.into()));
            }
            Err(error) => return Err(error.into()),
        };
        loop {
            match self.attempt(&mut talk, shape, seed).await? {
                Next::Answered(output, reply, repairs) => {
                    let by = By::Model { name: card.name.clone(), served_by: reply.served_by };
                    let tries = std::mem::take(&mut self.tries);
                    let prompt_hash = talk.call.prompt_hash;
                    return Ok(Ok(Answer { output, by, prompt_hash, tries, cut: talk.cut, repairs }));
                }
                Next::GiveUp(cause) => return Ok(Err(cause)),
                Next::Again(_) if self.must_leave_room(place) => return Ok(Err(self.last_cause())),
                Next::Again(Some(wait)) => {
                    let key = format!("{}:wait", self.step_key(place, talk.attempts));
                    self.port.wait(&key, wait).await.map_err(stopped)?;
                }
                Next::Again(None) => {}
            }
        }
    }

    fn open(
        &self,
        place: usize,
        card: &'a ModelCard,
        shape: &Shape,
        seed: &[u8; 32],
    ) -> Result<Talk<'a>, PromptError> {
        let max_tokens = S::MAX_TOKENS.min(card.max_output_tokens);
        let key = self.step_key(place, 0);
        let Rendered { messages, cut } =
            turn::<S>(self.question.input, &shape.schema_text, card, max_tokens, (seed, &key), None)?;
        let call = ModelCall {
            model: card.name.clone(),
            role: self.role.name.clone(),
            skill: S::NAME.to_owned(),
            step: key,
            prompt_hash: shape.prompt_hash.clone(),
            messages,
            schema: Some(OutputSchema { name: S::NAME.to_owned(), schema: shape.schema.clone() }),
            max_tokens,
            temperature: card.temperature,
            stream: card.stream,
            carries_documents: self.question.carries_documents,
            bounds: card.limits.whole,
        };
        Ok(Talk { card, place, call, attempts: 0, retries: 0, repaired: false, cut })
    }

    async fn attempt(
        &mut self,
        talk: &mut Talk<'_>,
        shape: &Shape,
        seed: &[u8; 32],
    ) -> Result<Next<S::Output>, Cause> {
        let key = self.step_key(talk.place, talk.attempts);
        talk.attempts += 1;
        talk.call.step.clone_from(&key);
        let most = most(talk.card, &talk.call);
        let attempt = Attempt { key: key.clone(), most, call: talk.call.clone() };
        let model = talk.card.name.clone();
        match self.port.attempt(attempt).await {
            Ok(reply) => {
                self.calls += 1;
                self.weigh(talk, (shape, seed), &key, reply)
            }
            Err(PortFault::Model(fault)) => {
                self.calls += 1;
                let unknown = fault.kind.charge() == Charge::Unknown;
                let cost = if unknown { most.microusd.unwrap_or(0) } else { 0 };
                self.note(&key, &model, Outcome::Fault(fault.clone()), Usage::default(), cost);
                Ok(self.after_fault(talk, fault))
            }
            Err(PortFault::OverBudget(why)) => {
                self.note(&key, &model, Outcome::OverBudget(why.clone()), Usage::default(), 0);
                Ok(Next::GiveUp(Cause::OverBudget(why)))
            }
            Err(stop @ PortFault::Stop(_)) => Err(stopped(stop)),
        }
    }

    /// Judges a reply and decides what follows.
    fn weigh(
        &mut self,
        talk: &mut Talk<'_>,
        (shape, seed): (&Shape, &[u8; 32]),
        key: &str,
        reply: ModelReply,
    ) -> Result<Next<S::Output>, Cause> {
        let judged = judge::<S>(self.question.input, shape, &reply, talk.call.max_tokens);
        let outcome = match &judged {
            Judged::Good(..) => Outcome::Good,
            Judged::Bad(problems) => Outcome::Bad(problems.clone()),
            Judged::Declined => Outcome::Declined,
        };
        self.note(key, &talk.card.name, outcome, reply.usage, reply.cost_microusd);
        match judged {
            Judged::Good(output, repairs) => Ok(Next::Answered(output, reply, repairs)),
            Judged::Declined => Ok(Next::GiveUp(Cause::Declined)),
            Judged::Bad(problems) if talk.repaired => Ok(Next::GiveUp(Cause::NoGoodAnswer(problems))),
            Judged::Bad(problems) => {
                talk.repaired = true;
                let (input, first) = (self.question.input, self.step_key(talk.place, 0));
                let rejected = Some(Rejected { said: &reply.text, problems: &problems });
                let most = talk.call.max_tokens;
                match turn::<S>(input, &shape.schema_text, talk.card, most, (seed, &first), rejected) {
                    Ok(Rendered { messages, cut }) => {
                        (talk.call.messages, talk.cut) = (messages, cut);
                        Ok(Next::Again(None))
                    }
                    Err(PromptError::NoRoom { .. }) => Ok(Next::GiveUp(Cause::NoGoodAnswer(problems))),
                    Err(error) => Err(error.into()),
                }
            }
        }
    }

    fn after_fault(&self, talk: &mut Talk<'_>, fault: ModelFault) -> Next<S::Output> {
        if fault.kind == FaultKind::SchemaRefused && talk.call.schema.is_some() {
            // The instruction names the schema too; without enforcement the answer is only checked harder.
            talk.call.schema = None;
            return Next::Again(None);
        }
        let wait = fault.retry_after().unwrap_or(Duration::ZERO).max(FIRST_WAIT * 2_u32.pow(talk.retries));
        if !fault.kind.retriable() || talk.retries == RETRIES || wait > PATIENCE {
            return Next::GiveUp(Cause::Model(fault));
        }
        talk.retries += 1;
        Next::Again(Some(wait))
    }

    /// Whether the calls left are only enough to ask each later model once.
    fn must_leave_room(&self, place: usize) -> bool {
        let later = self.role.chain.len() - place - 1;
        self.calls + later >= MOST_CALLS
    }

    fn last_cause(&self) -> Cause {
        match self.tries.last().map(|t| &t.outcome) {
            Some(Outcome::Bad(problems)) => Cause::NoGoodAnswer(problems.clone()),
            Some(Outcome::Fault(fault)) => Cause::Model(fault.clone()),
            _ => Cause::NoModel,
        }
    }

    fn step_key(&self, place: usize, attempt: u32) -> String {
        format!("{}:{}:{place}.{attempt}", self.question.key, S::NAME)
    }

    fn note(&mut self, key: &str, model: &str, outcome: Outcome, usage: Usage, cost_microusd: u64) {
        self.tries.push(Try { key: key.to_owned(), model: model.to_owned(), outcome, usage, cost_microusd });
    }
}

/// The most a call can use.
fn most(card: &ModelCard, call: &ModelCall) -> Reservation {
    let input = call.input_bound();
    let tokens = input + u64::from(call.max_tokens);
    Reservation { tokens, microusd: card.most_it_can_cost(input, call.max_tokens) }
}

fn stopped(fault: PortFault) -> Cause {
    match fault {
        PortFault::Model(fault) => Cause::Model(fault),
        PortFault::OverBudget(why) => Cause::OverBudget(why),
        PortFault::Stop(why) => Cause::Stopped(why),
    }
}
