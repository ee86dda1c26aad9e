//! Following the journal: while it holds records of the present try, they say what begins, and in which order.
//!
//! What a node asks for is compared with the record; what the driver decided (which step got a free slot,
//! what was reserved, when a wait ends) is taken from it. So a crash may come at any commit of a recovery,
//! and estimates, retries and words of questions may change, without a stored run falling apart.

use std::sync::Arc;

use super::open::{Open, Pending};
use super::requests::other_step;
use super::visit::{NodeResult, Try, payload};
use super::{Driver, Halt, brief};
use crate::cx::{Branch, Request};
use crate::record::{self, Body};
use crate::{Hash, Limits, Work};

impl<W: Work> Driver<'_, W> {
    /// Takes the node to the end of the script. What it said, if it ended by then.
    pub(super) fn replay(&mut self, this: &mut Try<W>) -> Result<Option<NodeResult<W>>, Halt> {
        loop {
            if let Some(said) = self.poll_node(this)? {
                return Ok(Some(said));
            }
            let Some(front) = self.script.front() else { return Ok(None) };
            if front.record.body.made_by_node() {
                let (n, has) = (front.record.n, front.record.body.kind());
                return Err(self.broken(&format!(
                    "is not deterministic: the journal has record {n} ({has}), but the code did not ask for it"
                )));
            }
            self.replay_world(this)?;
        }
    }

    /// Whether the journal goes on with something the world did.
    pub(super) fn world_is_next(&self) -> bool {
        self.script.front().is_some_and(|front| !front.record.body.made_by_node())
    }

    /// Does what the record in front says, if it only needs what is there; false if the node must ask first.
    pub(super) fn follow(&mut self, this: &mut Try<W>) -> Result<bool, Halt> {
        let Some(front) = self.script.front() else { return Ok(false) };
        match &front.record.body {
            Body::Intent(record::Intent { key, .. }) | Body::Denied(record::Denied { key, .. }) => {
                let Some(name) = this.take_ready(&key.name) else { return Ok(false) };
                self.begin_attempt(this, &name)?;
            }
            Body::Timer(record::Timer { key, .. }) | Body::Asked(record::Asked { key, .. }) => {
                let Some((name, body)) = this.take_opening(&key.name) else { return Ok(false) };
                self.record_opening(this, &name, body)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Whether a request would leave a record although the journal says that the world moved first.
    pub(super) fn must_wait(&self, this: &Try<W>, request: &Request<W>) -> bool {
        if !self.world_is_next() {
            return false;
        }
        match request {
            Request::Step { .. } => false,
            Request::Ask { .. } | Request::Sleep { .. } => true,
            Request::Emit { event, .. } => !self.ledger.has_emitted(&payload(event)),
            Request::Mark { name, .. } => !self.ledger.has_checkpoint(name),
            Request::Child { name, .. } => self.ledger.child(name).is_none(),
            Request::AwaitChild { .. } | Request::CancelChild { .. } => false,
            Request::Drop { ticket } => this.leaves_trace(*ticket),
        }
    }

    /// The script says what the world did next.
    pub(super) fn replay_world(&mut self, this: &mut Try<W>) -> Result<(), Halt> {
        let Some(stretch) = self.script.pop_front() else { return Ok(()) };
        self.head.fold(&stretch, self.vault)?;
        self.ledger.note(&stretch.record.body);
        self.apply_world(this, &stretch.record.body)?;
        self.take_requests(this)
    }

    /// Journals a record that node code made, or follows the one the journal holds in its place. Gives what
    /// now stands in the journal.
    pub(super) fn make(&mut self, body: Body, blobs: Vec<(Hash, Vec<u8>)>) -> Result<Body, Halt> {
        let Some(stretch) = self.script.pop_front() else {
            self.append(self.head.at, body.clone(), blobs)?;
            return Ok(body);
        };
        if let (Body::Intent(had), Body::Intent(has)) = (&stretch.record.body, &body)
            && had.key == has.key
            && (&had.kind, &had.input) != (&has.kind, &has.input)
        {
            return Err(other_step(&has.key.name, (&had.kind, &had.input), (&has.kind, &has.input)));
        }
        if let (Body::Child(had), Body::Child(has)) = (&stretch.record.body, &body)
            && had.key == has.key
            && (&had.workflow, &had.input) != (&has.workflow, &has.input)
        {
            let (had, has) = ((had.workflow.as_str(), &had.input), (has.workflow.as_str(), &has.input));
            return Err(other_step(&brief(&body), had, has));
        }
        if !is_same_thing(&stretch.record.body, &body) {
            let n = stretch.record.n;
            let (had, made) = (brief(&stretch.record.body), brief(&body));
            self.script.push_front(stretch);
            return Err(self.broken(&format!(
                "is not deterministic: the journal has record {n} {had}, the code made {made}"
            )));
        }
        self.head.fold(&stretch, self.vault)?;
        self.ledger.note(&stretch.record.body);
        Ok(stretch.record.body)
    }

    /// The script is over and the node has asked for all it can: the host takes over.
    pub(super) fn go_live(&mut self, this: &mut Try<W>) -> Result<(), Halt> {
        this.live = true;
        let names: Vec<String> = this.open.keys().cloned().collect();
        for name in names {
            let Some(opened) = this.open.get(&name) else { continue };
            if opened.what.is_flying() {
                this.left.push_back(name);
            } else if !opened.submitted {
                self.submit(this, &name)?;
            }
        }
        Ok(())
    }

    /// Takes up the next call that a crash left in flight: nobody knows what it did. False if there is none.
    /// One at a time, because a replay shows the node one completion at a time too.
    pub(super) fn take_up_next(&mut self, this: &mut Try<W>) -> Result<bool, Halt> {
        let Some(name) = this.left.pop_front() else { return Ok(false) };
        // The node may have walked away from it meanwhile.
        if this.open.get(&name).is_some_and(|opened| opened.what.is_flying()) {
            let attempt = self.ledger.get(&name).map_or(1, |entry| entry.attempts);
            let body = Body::Unknown(record::Unknown { key: self.key(&name), attempt });
            self.append(self.head.at, body.clone(), Vec::new())?;
            self.apply_world(this, &body)?;
        }
        self.take_requests(this)?;
        Ok(true)
    }

    /// Records that a wait or a question was opened.
    pub(super) fn record_opening(&mut self, this: &mut Try<W>, name: &str, body: Body) -> Result<(), Halt> {
        // If it serves a step, that may have been dropped meanwhile, and this with it.
        if this.open.contains_key(name) {
            let recorded = self.make(body, Vec::new())?;
            if let Some(opened) = this.open.get_mut(name) {
                opened.what.adopt(&recorded);
            }
            self.submit_if_live(this, name)?;
        }
        Ok(())
    }
}

impl Open {
    /// Takes over what the journal says of this; it may have been recorded by other code.
    pub(super) fn adopt(&mut self, recorded: &Body) {
        match (self, recorded) {
            (Self::Sleep { until } | Self::Retry { until, .. }, Body::Timer(timer)) => *until = timer.until,
            (Self::Ask { question, deadline, .. }, Body::Asked(asked)) => {
                *question = asked.question.clone();
                *deadline = asked.deadline;
            }
            (Self::Doubt { question, .. }, Body::Asked(asked)) => *question = asked.question.clone(),
            (Self::Step(step), Body::Intent(intent)) => {
                step.effect.after_crash = intent.after_crash;
                step.effect.retry = intent.retry.clone();
                step.effect.reserve = intent.reserve;
                let limits = step.branch.as_ref().map_or(Limits::NONE, |branch| branch.limits);
                let branch = intent.branch.clone().map(|name| Arc::new(Branch { name, limits }));
                step.branch = branch;
            }
            _ => {}
        }
    }
}

impl<W: Work> Try<W> {
    /// Takes a step that waits for a slot out of the line.
    fn take_ready(&mut self, name: &str) -> Option<String> {
        let place = self.ready.iter().position(|waiting| waiting == name)?;
        self.ready.remove(place)
    }

    fn take_opening(&mut self, name: &str) -> Option<(String, Body)> {
        let place = self.openings.iter().position(|(waiting, _)| waiting == name)?;
        self.openings.remove(place)
    }

    /// Whether giving this up must be recorded.
    fn leaves_trace(&self, ticket: u64) -> bool {
        let Some(name) = self.tickets.get(&ticket) else { return false };
        let concerns = |(key, opened): (&String, &Pending)| {
            (key == name || opened.what.serves(name)) && opened.what.leaves_trace()
        };
        self.open.iter().any(concerns)
    }
}

/// Whether two records are of the same thing: what identifies it, not what was decided about it.
fn is_same_thing(recorded: &Body, made: &Body) -> bool {
    match (recorded, made) {
        (Body::Intent(had), Body::Intent(new)) => had.key == new.key && had.attempt == new.attempt,
        (Body::Denied(had), Body::Denied(new)) => had.key == new.key,
        (Body::Timer(had), Body::Timer(new)) => had.key == new.key,
        (Body::Asked(had), Body::Asked(new)) => had.key == new.key,
        (Body::Child(had), Body::Child(new)) => had.key == new.key,
        _ => recorded == made,
    }
}
