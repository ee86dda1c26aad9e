//! The life of a step inside a try: slots, budget, attempts, waits between them, and doubt after a crash.

use std::time::Duration;

use baton_machine::Word;
use serde_json::{Value, json};

use super::donors::Donated;
use super::open::{Doing, Open, OpenStep, Pending};
use super::payload::wrap;
use super::visit::Try;
use super::{DriveError, Driver, Halt};
use crate::host::{Done, Op, OpResult};
use crate::question::{DEADLINE, Testimony, testimony_schema};
use crate::record::{self, Body};
use crate::{AfterCrash, Call, Failure, Fault, Found, Key, Question, Spend, Work};

impl<W: Work> Driver<'_, W> {
    /// Starts waiting steps while there are free slots.
    pub(super) fn fill_slots(&mut self, this: &mut Try<W>) -> Result<(), Halt> {
        while this.may_begin_steps() {
            let busy = this.open.values().filter(|opened| opened.what.takes_slot()).count();
            if busy >= self.head.settings.parallel.max(1) as usize {
                break;
            }
            let Some(at) = this.ready.iter().position(|name| !self.awaits_settling(this, name)) else {
                break;
            };
            let Some(name) = this.ready.remove(at) else { break };
            self.begin_attempt(this, &name)?;
        }
        Ok(())
    }

    /// Whether a step has no room only because calls in flight have set aside more than they will cost. It waits for
    /// them and lets others go first; a budget is used up when nothing in flight can give any of it back.
    fn awaits_settling(&self, this: &Try<W>, name: &str) -> bool {
        let Some(Pending { what: Open::Step(step), .. }) = this.open.get(name) else { return false };
        self.head.room(step).is_err() && self.head.room_at_best(step).is_ok()
    }

    /// Begins an attempt, or denies it; what the journal already holds of it is not decided again.
    pub(super) fn begin_attempt(&mut self, this: &mut Try<W>, name: &str) -> Result<(), Halt> {
        let key = self.key(name);
        let attempt = self.ledger.get(name).map_or(0, |entry| entry.attempts) + 1;
        let Some(Pending { what: Open::Step(step), .. }) = this.open.get_mut(name) else { return Ok(()) };
        let given = if self.script.is_empty() { self.given(name, step) } else { None };
        let allowed = match self.script.front().map(|front| &front.record.body) {
            Some(Body::Denied(denied)) => Err(denied.short.clone()),
            Some(_) => Ok(()),
            None if given.is_some() => Ok(()),
            None => self.head.room(step),
        };
        if let Err(short) = allowed {
            self.make(Body::Denied(record::Denied { key: key.clone(), short: short.clone() }), Vec::new())?;
            this.close(name, Err(Fault::Budget { key, short }));
            return Ok(());
        }
        let intent = record::Intent {
            key,
            attempt,
            kind: step.effect.kind.clone(),
            input: step.input.clone(),
            after_crash: step.effect.after_crash,
            retry: step.effect.retry.clone(),
            reserve: if given.is_some() { Spend::NONE } else { step.effect.reserve },
            branch: step.branch.as_ref().map(|branch| branch.name.clone()),
        };
        step.doing = Doing::Flying;
        let blobs = std::mem::take(&mut step.blobs);
        let recorded = self.make(Body::Intent(intent), blobs)?;
        if let Some(opened) = this.open.get_mut(name) {
            opened.what.adopt(&recorded);
        }
        match given {
            Some(given) => this.given.push_back((name.to_owned(), given)),
            None => self.submit_if_live(this, name)?,
        }
        Ok(())
    }

    /// The receipt another run has for this step, if it may be taken.
    fn given(&self, name: &str, step: &OpenStep) -> Option<Donated> {
        let place = (self.head.position.state.name(), self.head.entry(), name);
        let given = self.donors.find(place, step)?;
        let worth = self.value(&given.out).is_ok_and(|value| step.reads.is_worth_reusing(&value));
        worth.then_some(given)
    }

    /// Lets the next step come back with the receipt of another run. One at a time, as everything the world does.
    pub(super) fn take_given(&mut self, this: &mut Try<W>) -> Result<bool, Halt> {
        let Some((name, given)) = this.given.pop_front() else { return Ok(false) };
        // The node may have walked away from it meanwhile.
        if this.open.get(&name).is_some_and(|opened| opened.what.is_flying()) {
            let attempt = self.ledger.get(&name).map_or(1, |entry| entry.attempts);
            let (key, out, reused) = (self.key(&name), Ok(given.out), Some(given.from));
            let body = Body::Receipt(record::Receipt { key, attempt, out, spend: Spend::NONE, reused });
            self.append(self.head.at, body.clone(), Vec::new())?;
            self.apply_world(this, &body)?;
            self.take_requests(this)?;
        }
        Ok(true)
    }

    /// Hands something open to the host, unless the journal may still hold what came of it.
    pub(super) fn submit_if_live(&mut self, this: &mut Try<W>, name: &str) -> Result<(), DriveError> {
        if this.live { self.submit(this, name) } else { Ok(()) }
    }

    pub(super) fn submit(&mut self, this: &mut Try<W>, name: &str) -> Result<(), DriveError> {
        let key = self.key(name);
        let Some(opened) = this.open.get(name) else { return Ok(()) };
        let op = match &opened.what {
            Open::Step(step) => match step.doing {
                Doing::Flying => Op::Step(self.call(key.clone(), step)),
                Doing::Looking => Op::Look(self.call(key.clone(), step)),
                Doing::Queued | Doing::Waiting | Doing::Asking => return Ok(()),
            },
            Open::Ask { question, deadline, reads } => {
                Op::Ask { question: question.clone(), deadline: *deadline, reads: *reads }
            }
            Open::Doubt { question, reads, .. } => {
                Op::Ask { question: question.clone(), deadline: None, reads: *reads }
            }
            Open::Sleep { until } | Open::Retry { until, .. } => Op::Sleep { until: *until },
            Open::Child(child) => self.child_op(child)?,
        };
        if let Some(opened) = this.open.get_mut(name) {
            opened.submitted = true;
        }
        self.host.submit(key, op);
        Ok(())
    }

    fn call(&self, key: Key, step: &OpenStep) -> Call {
        let attempt = self.ledger.get(&key.name).map_or(1, |entry| entry.attempts);
        Call {
            run: self.head.run.clone(),
            key,
            attempt,
            kind: step.effect.kind.clone(),
            input: step.effect.input.clone(),
        }
    }

    /// The host says what the world did: recorded first, then acted on.
    pub(super) fn world_did(&mut self, this: &mut Try<W>, done: Done) -> Result<(), Halt> {
        let name = done.key.name.clone();
        // An abandoned key may still come back; its reservation is charged and nobody waits for it.
        if done.key.visit != self.head.position.visit || !this.open.contains_key(&name) {
            return Ok(());
        }
        let doubted = match this.open.get(&name).map(|opened| &opened.what) {
            Some(Open::Doubt { of, .. }) => Some(of.clone()),
            _ => None,
        };
        let (body, blobs) = self.body_of(done.key, done.result);
        self.append(done.at, body.clone(), blobs)?;
        self.apply_world(this, &body)?;
        if let (Body::Answered(answered), Some(of)) = (&body, doubted) {
            self.testified(this, &of, &answered.answer, done.at)?;
        }
        self.take_requests(this)
    }

    pub(super) fn body_of(&self, key: Key, result: OpResult) -> (Body, Vec<(crate::Hash, Vec<u8>)>) {
        let mut blobs = Vec::new();
        let attempt = self.ledger.get(&key.name).map_or(1, |entry| entry.attempts);
        let body = match result {
            OpResult::Back(Ok(paid)) => {
                let out = Ok(wrap(paid.out, &mut blobs));
                Body::Receipt(record::Receipt { key, attempt, out, spend: paid.spend, reused: None })
            }
            OpResult::Back(Err(failure)) => {
                let spend = failure.spend;
                let out = Err(Failure { spend: Spend::NONE, ..failure });
                Body::Receipt(record::Receipt { key, attempt, out, spend, reused: None })
            }
            // The hidden attempt's reservation is charged already, so finding its result costs nothing more.
            OpResult::Looked(Found::Happened(paid)) => {
                let out = Ok(wrap(paid.out, &mut blobs));
                Body::Receipt(record::Receipt { key, attempt, out, spend: Spend::NONE, reused: None })
            }
            OpResult::Looked(Found::Absent) => Body::Looked(record::Looked { key, unclear: None }),
            OpResult::Looked(Found::Unclear(why)) => Body::Looked(record::Looked { key, unclear: Some(why) }),
            OpResult::Answer { answer, by } => {
                Body::Answered(record::Answered { key, answer: wrap(answer, &mut blobs), by })
            }
            OpResult::Expired => Body::Expired(record::Closed { key }),
            OpResult::Fired => Body::Fired(record::Closed { key }),
            OpResult::ChildOver(over) => return self.child_over(key, over),
        };
        (body, blobs)
    }

    /// Acts on a record of what the world did; it is journaled and folded already.
    pub(super) fn apply_world(&mut self, this: &mut Try<W>, body: &Body) -> Result<(), Halt> {
        this.mailbox.tell(self.head.at, &self.head.purse);
        match body {
            Body::Receipt(receipt) => self.came_back(this, receipt),
            Body::Unknown(unknown) => self.doubt(this, &unknown.key.name),
            Body::Looked(looked) => self.looked(this, looked),
            Body::ChildEnded(ended) => self.child_ended(this, ended),
            Body::Answered(answered) => {
                let name = &answered.key.name;
                if let Some(Pending { what: Open::Doubt { of, .. }, .. }) = this.open.get(name) {
                    let of = of.clone();
                    this.open.remove(name);
                    match self.testimony(&answered.answer)? {
                        Testimony::Again => this.queue(&of),
                        Testimony::GiveUp => {
                            let key = self.key(&of);
                            this.close(&of, Err(Fault::Unknown { key }));
                        }
                        Testimony::Happened(_) => {}
                    }
                    return Ok(());
                }
                let value = self.value(&answered.answer)?;
                this.close(name, Ok(json!({"value": value, "by": answered.by})));
                Ok(())
            }
            Body::Expired(closed) => {
                if let Some(Pending { what: Open::Ask { question, .. }, .. }) =
                    this.open.get(&closed.key.name)
                {
                    let answer = match &question.otherwise {
                        Some(value) => Ok(json!({"value": value, "by": DEADLINE})),
                        None => Err(Fault::Expired { key: closed.key.clone() }),
                    };
                    this.close(&closed.key.name, answer);
                }
                Ok(())
            }
            Body::Fired(closed) => {
                match this.open.get(&closed.key.name).map(|opened| &opened.what) {
                    Some(Open::Retry { of, .. }) => {
                        let of = of.clone();
                        this.open.remove(&closed.key.name);
                        this.queue(&of);
                    }
                    Some(_) => this.close(&closed.key.name, Ok(Value::Null)),
                    None => {}
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn came_back(&mut self, this: &mut Try<W>, receipt: &record::Receipt) -> Result<(), Halt> {
        let name = &receipt.key.name;
        let failure = match &receipt.out {
            Ok(payload) => {
                let value = self.value(payload)?;
                this.close(name, Ok(value));
                return Ok(());
            }
            Err(failure) => failure,
        };
        let Some(Pending { what: Open::Step(step), .. }) = this.open.get_mut(name) else { return Ok(()) };
        step.failed += 1;
        let failed = step.failed;
        if !failure.retriable || failed >= step.effect.retry.attempts {
            let fault =
                Fault::Failed { key: receipt.key.clone(), text: failure.text.clone(), attempts: failed };
            this.close(name, Err(fault));
            return Ok(());
        }
        step.doing = Doing::Waiting;
        let wait = step.effect.retry.wait(failed, failure.after_ms);
        self.wait_for_retry(this, name, receipt.attempt, wait);
        Ok(())
    }

    fn wait_for_retry(&mut self, this: &mut Try<W>, name: &str, attempt: u32, wait: Duration) {
        let timer = format!("{name}~{attempt}");
        let until = self.head.at.plus(wait);
        let body = Body::Timer(record::Timer { key: self.key(&timer), until });
        this.open_for(timer, Open::Retry { of: name.to_owned(), until }, body);
    }

    /// A crash hid what a step did: the step's policy says what now.
    pub(super) fn doubt(&mut self, this: &mut Try<W>, name: &str) -> Result<(), Halt> {
        let hidden = self.ledger.get(name).map_or(0, |entry| entry.unknown);
        let Some(Pending { what: Open::Step(step), submitted }) = this.open.get_mut(name) else {
            return Ok(());
        };
        *submitted = false;
        match step.effect.after_crash {
            AfterCrash::Retry => this.queue(name),
            AfterCrash::OnceMore if hidden > 1 => {
                let key = self.key(name);
                this.close(name, Err(Fault::Unknown { key }));
            }
            AfterCrash::OnceMore => this.queue(name),
            AfterCrash::Reconcile => {
                step.doing = Doing::Looking;
                self.submit_if_live(this, name)?;
            }
            AfterCrash::Ask => self.ask_what_happened(this, name, "nobody can look for its traces"),
        }
        Ok(())
    }

    fn looked(&mut self, this: &mut Try<W>, looked: &record::Looked) -> Result<(), Halt> {
        match &looked.unclear {
            None => this.queue(&looked.key.name),
            Some(why) => self.ask_what_happened(this, &looked.key.name, why),
        }
        Ok(())
    }

    fn ask_what_happened(&mut self, this: &mut Try<W>, name: &str, why: &str) {
        let hidden = self.ledger.get(name).map_or(1, |entry| entry.unknown.max(1));
        let Some(Pending { what: Open::Step(step), .. }) = this.open.get_mut(name) else { return };
        step.doing = Doing::Asking;
        let reads = step.reads.as_testimony();
        let text = format!(
            "The process ended while `{}` ({name}) was under way, and {why}. Did it happen? Say `happened` if it did, with its \
             result if it gave one; `again` if it did not: it is done now; or `give up` to go on without it.",
            step.effect.kind
        );
        let question = Question::new(text, testimony_schema());
        let doubt = format!("{name}?{hidden}");
        let asked = record::Asked { key: self.key(&doubt), question: question.clone(), deadline: None };
        this.open_for(doubt, Open::Doubt { of: name.to_owned(), question, reads }, Body::Asked(asked));
    }

    /// A person said that a doubtful step did happen: their word is its receipt.
    fn testified(
        &mut self,
        this: &mut Try<W>,
        of: &str,
        answer: &record::Payload,
        at: crate::Millis,
    ) -> Result<(), Halt> {
        let Testimony::Happened(result) = self.testimony(answer)? else { return Ok(()) };
        let attempt = self.ledger.get(of).map_or(1, |entry| entry.attempts);
        let mut blobs = Vec::new();
        let out = Ok(wrap(result, &mut blobs));
        let key = self.key(of);
        let body = Body::Receipt(record::Receipt { key, attempt, out, spend: Spend::NONE, reused: None });
        self.append(at, body.clone(), blobs)?;
        self.apply_world(this, &body)
    }

    fn testimony(&self, answer: &record::Payload) -> Result<Testimony, Halt> {
        let value = self.value(answer)?;
        Testimony::read(&value).map_err(|error| {
            self.broken(&format!("was told something unreadable about a doubtful step: {error}"))
        })
    }
}
