//! What a node asks for, taken in order: recorded, or put in line for a slot.

use baton_machine::{Happening, Target, Word, rows_for};
use serde_json::Value;

use super::ledger::Stage;
use super::open::{Open, OpenStep};
use super::payload::wrap;
use super::visit::{Try, payload};
use super::{DriveError, Driver, Halt};
use crate::Work;
use crate::cx::Request;
use crate::points;
use crate::record::{self, Body, Payload, Step};

impl<W: Work> Driver<'_, W> {
    /// Takes what is to be recorded, in order, as far as the script allows.
    pub(super) fn take_requests(&mut self, this: &mut Try<W>) -> Result<(), Halt> {
        loop {
            if self.script.is_empty() {
                self.append_pending()?;
                self.fill_slots(this)?;
                if let Some((name, body)) = this.openings.pop_front() {
                    self.record_opening(this, &name, body)?;
                    continue;
                }
            } else if self.follow(this)? {
                continue;
            }
            // What the world did next comes first, exactly as it did when it was recorded.
            let Some(request) = this.requests.pop_front() else { return Ok(()) };
            if self.must_wait(this, &request) {
                this.requests.push_front(request);
                return Ok(());
            }
            self.take(this, request)?;
        }
    }

    fn take(&mut self, this: &mut Try<W>, request: Request<W>) -> Result<(), Halt> {
        match request {
            Request::Step { ticket, name, effect, branch, reads } => {
                self.claim(this, ticket, &name)?;
                let mut blobs = Vec::new();
                let input = wrap(effect.input.clone(), &mut blobs);
                self.take_step(this, &name, OpenStep::new(effect, input, branch, reads, blobs))
            }
            Request::Ask { ticket, name, question, reads } => {
                self.claim(this, ticket, &name)?;
                let deadline = question.deadline(self.head.at);
                let asked = record::Asked { key: self.key(&name), question: question.clone(), deadline };
                this.hold(&name, Open::Ask { question, deadline, reads });
                self.record_opening(this, &name, Body::Asked(asked))
            }
            Request::Sleep { ticket, name, span } => {
                self.claim(this, ticket, &name)?;
                let until = self.head.at.plus(span);
                let timer = record::Timer { key: self.key(&name), until };
                this.hold(&name, Open::Sleep { until });
                self.record_opening(this, &name, Body::Timer(timer))
            }
            Request::Emit { ticket, event } => {
                self.emit(&event)?;
                this.mailbox.deliver(ticket, Ok(Value::Null));
                Ok(())
            }
            Request::Mark { ticket, name } => {
                self.checkpoint(name)?;
                this.mailbox.deliver(ticket, Ok(Value::Null));
                Ok(())
            }
            Request::Child { ticket, name, order, branch } => {
                self.take_child(this, (ticket, name), order, branch.as_deref())
            }
            Request::AwaitChild { ticket, name } => self.await_child(this, ticket, name),
            Request::CancelChild { ticket, name } => self.cancel_child(this, ticket, &name),
            Request::Drop { ticket } => self.drop_ticket(this, ticket),
        }
    }

    /// Serves a step from the journal, or puts it in line.
    fn take_step(&mut self, this: &mut Try<W>, name: &str, step: OpenStep) -> Result<(), Halt> {
        self.ledger.forget_other(name, &step.effect.kind, &step.input);
        let Some(entry) = self.ledger.get(name).cloned() else {
            self.ledger.open(name, &step.effect.kind, step.input.clone());
            this.hold(name, Open::Step(Box::new(step)));
            this.ready.push_back(name.to_owned());
            return Ok(());
        };
        if entry.kind != step.effect.kind || entry.input != step.input {
            return Err(other_step(name, (&entry.kind, &entry.input), (&step.effect.kind, &step.input)));
        }
        let done = match &entry.stage {
            Stage::Ok(payload) => Some(self.value(payload)?),
            Stage::Idle | Stage::Flying | Stage::Unclear => None,
        };
        if let Some(value) = done {
            // A person's word that nobody can read is no result: they are asked again.
            if !entry.testified || step.reads.check(&value).is_ok() {
                this.close(name, Ok(value));
                return Ok(());
            }
        }
        let settled = matches!(entry.stage, Stage::Idle | Stage::Flying);
        this.hold(name, Open::Step(Box::new(step)));
        if settled {
            this.ready.push_back(name.to_owned());
            return Ok(());
        }
        self.doubt(this, name)
    }

    /// Ties a ticket to a name, which may be used once in a try.
    fn claim(&mut self, this: &mut Try<W>, ticket: u64, name: &str) -> Result<(), Halt> {
        self.claim_name(this, name)?;
        this.tickets.insert(ticket, name.to_owned());
        Ok(())
    }

    pub(super) fn claim_name(&mut self, this: &mut Try<W>, name: &str) -> Result<(), Halt> {
        if name.is_empty() || name.contains(['~', '?']) {
            return Err(
                self.broken(&format!("uses the name `{name}`; names may not be empty or contain ~ or ?"))
            );
        }
        if !this.used.insert(name.to_owned()) {
            return Err(self.broken(&format!("uses the name `{name}` twice in one visit")));
        }
        Ok(())
    }

    fn emit(&mut self, event: &W::Event) -> Result<(), Halt> {
        if self.ledger.emitted_before(&payload(event)) {
            return Ok(());
        }
        let state = self.head.position.state;
        let moves = rows_for(W::TABLE, state, event.on()).any(|(_, row)| !matches!(row.to, Target::Stay));
        if moves {
            return Err(self.broken(&format!(
                "emits {}, but the table has no `stay` row for it in {}",
                event.on().name(),
                state.name()
            )));
        }
        let step = self.happen(event)?;
        debug_assert_eq!(step, Step::Emit, "a group of stay rows can only emit");
        Ok(())
    }

    fn checkpoint(&mut self, name: String) -> Result<(), Halt> {
        if !points::is_name(&name) {
            return Err(self.broken(&format!("gives the name `{name}`; {}", points::NAMES)));
        }
        if !self.ledger.has_checkpoint(&name) {
            self.make(Body::Checkpoint(record::Checkpoint { name, by: None }), Vec::new())?;
        }
        Ok(())
    }

    fn drop_ticket(&mut self, this: &mut Try<W>, ticket: u64) -> Result<(), Halt> {
        let Some(name) = this.tickets.remove(&ticket) else { return Ok(()) };
        if matches!(this.open.get(&name).map(|opened| &opened.what), Some(Open::Child(_))) {
            return Ok(());
        }
        this.ready.retain(|waiting| *waiting != name);
        // A step between two attempts has a timer or a question of its own; they go with it.
        let names: Vec<String> = this
            .open
            .iter()
            .filter(|(key, opened)| **key == name || opened.what.serves(&name))
            .map(|(key, _)| key.clone())
            .collect();
        for gone in names {
            let Some(opened) = this.open.remove(&gone) else { continue };
            if opened.what.leaves_trace() {
                let key = self.key(&gone);
                self.host.abandon(&key);
                self.make(Body::Abandoned(record::Closed { key }), Vec::new())?;
            }
        }
        Ok(())
    }
}

/// A step that the journal knows with another kind or input: this is not the code that recorded it.
pub(super) fn other_step(name: &str, had: (&str, &Payload), has: (&str, &Payload)) -> Halt {
    let words = |(kind, input): (&str, &Payload)| format!("{kind} {}", input.hash().short());
    Halt::Error(DriveError::Changed { what: format!("step `{name}` as"), was: words(had), is: words(has) })
}
