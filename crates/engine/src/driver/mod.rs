//! Drives a run: from its last record to the next time it ends, waits or stops.
//!
//! Only this module appends to a journal. It polls nodes, journals what they ask for, feeds them what
//! came of it, and lets the table decide where the run goes. It knows no database and no clock: both
//! are behind [`Host`].

mod change;
mod children;
mod donors;
mod error;
mod halt;
mod head;
mod ledger;
mod load;
mod mark;
mod migrate;
mod open;
mod outline;
mod payload;
mod peek;
mod replay;
mod requests;
mod reserved;
mod rewind;
mod steps;
mod stopping;
mod visit;

use std::collections::{BTreeMap, VecDeque};

use baton_machine::{Happening, Kind, Target, Word, describe, rows_for};

pub use change::change;
pub use donors::Donors;
pub use error::{DriveError, End};
pub use halt::halt;
pub use head::{Head, Mark};
pub(crate) use load::load_coming;
pub use load::{Loaded, Snapshot, Stretch, load};
pub use mark::{checkpoint, note, raise};
pub use migrate::migrate;
pub use outline::Outline;
pub use payload::{PayloadProblem, Vault, VaultError, unwrap, wrap};
pub use peek::{questions, readers};
pub(crate) use reserved::Reserved;
pub use rewind::{Rewind, rewind};
pub use stopping::GoOn;

use crate::host::{Done, Host, Shown, Stop};
use crate::record::{self, Body, Step, table_hash};
use crate::{Hash, Millis, Status, StopReason, Work};
use ledger::Ledger;

/// Why a try of a node ends before the node does.
pub(crate) enum Halt {
    Broken(String),
    Panic(String),
    Stop(Stop),
    Error(DriveError),
}

impl From<DriveError> for Halt {
    fn from(error: DriveError) -> Self {
        Self::Error(error)
    }
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

/// Sees the run whenever something has become durable: progress views and run folders hang here.
pub trait Watch<W: Work>: Send {
    /// The run now; `last` if driving ends here.
    fn durable(&mut self, head: &Head<W>, status: &Status, last: bool);
}

/// Nobody watches.
impl<W: Work> Watch<W> for () {
    fn durable(&mut self, _head: &Head<W>, _status: &Status, _last: bool) {}
}

pub(crate) struct Driver<'a, W: Work> {
    host: &'a mut dyn Host,
    vault: &'a dyn Vault,
    watch: &'a mut dyn Watch<W>,
    head: Head<W>,
    script: VecDeque<Stretch>,
    pending: VecDeque<(Millis, Body)>,
    ledger: Ledger,
    /// Long payloads that are buffered and not yet where the vault looks.
    fresh: BTreeMap<Hash, Vec<u8>>,
    /// What the run may take of the one it went off from.
    donors: Donors,
    /// The table of this build: what every visit's table is compared with.
    table: Hash,
    /// A move is buffered that is not durable yet.
    moved: bool,
    weight: Weight,
}

/// What the records since the last snapshot weigh against it, and those since the last outline.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Weight {
    since: usize,
    snapshot: usize,
    unoutlined: usize,
}

impl Weight {
    /// Below this a snapshot saves nothing worth having.
    const LEAST: usize = 64 * 1024;

    fn is_due(self) -> bool {
        self.since > Self::LEAST.max(2 * self.snapshot)
    }

    fn wants_outline(self) -> bool {
        self.unoutlined > Self::LEAST
    }

    fn add(&mut self, bytes: usize) {
        self.since += bytes;
        self.unoutlined += bytes;
    }
}

/// Drives a loaded run until it ends, waits or stops. `notes` are journaled before anything new happens.
pub async fn drive<W: Work>(
    host: &mut dyn Host,
    vault: &dyn Vault,
    watch: &mut dyn Watch<W>,
    loaded: Loaded<W>,
    go_on: Option<GoOn>,
    notes: Vec<Body>,
) -> Result<End, DriveError> {
    let (mut driver, earlier) = Driver::new(host, vault, watch, loaded, notes);
    if let Some(go_on) = go_on {
        driver.go_on(go_on, &earlier)?;
    }
    loop {
        if let Some(end) = driver.visit().await? {
            return Ok(end);
        }
    }
}

impl<'a, W: Work> Driver<'a, W> {
    /// A driver at the beginning of the present try, and the records of the tries before it.
    fn new(
        host: &'a mut dyn Host,
        vault: &'a dyn Vault,
        watch: &'a mut dyn Watch<W>,
        loaded: Loaded<W>,
        notes: Vec<Body>,
    ) -> (Self, Vec<crate::Record>) {
        let Loaded { head, earlier, script, weight, donors } = loaded;
        let driver = Self {
            pending: notes.into_iter().map(|note| (head.at, note)).collect(),
            ledger: Ledger::of_earlier_tries(&earlier),
            script: script.into(),
            donors,
            fresh: BTreeMap::new(),
            table: table_hash(&describe(W::TABLE)),
            moved: false,
            host,
            vault,
            watch,
            head,
            weight,
        };
        (driver, earlier)
    }

    /// One try of the present visit, and the move that ends it.
    async fn visit(&mut self) -> Result<Option<End>, DriveError> {
        let state = self.head.position.state;
        if let Kind::Ends(outcome) = W::kind(state) {
            let status = Status::Finished(outcome);
            self.show(status.clone());
            self.flush().await?;
            self.watch.durable(&self.head, &status, true);
            return Ok(Some(End::Finished(outcome)));
        }
        self.head.fits(self.table)?;
        self.keep_snapshot()?;
        let Some(node) = W::node(state) else {
            return self.stop(StopReason::Broken, format!("state {} has no node", state.name())).await;
        };
        let event = match self.attempt(&node).await {
            Ok(Ok(event)) => event,
            Ok(Err(fault)) => match W::on_fault(state, &fault) {
                Some(event) => event,
                None => return self.stop_for(&fault).await,
            },
            Err(Halt::Broken(detail)) => return self.stop(StopReason::Broken, detail).await,
            Err(Halt::Panic(words)) => {
                let detail = format!("the node of {} panicked: {words}", state.name());
                return self.stop(StopReason::Panic, detail).await;
            }
            Err(Halt::Stop(stop)) => return self.stopped_by(stop).await,
            Err(Halt::Error(error)) => return Err(error),
        };
        self.leave(&event).await
    }

    /// Lets the node's event move the run.
    async fn leave(&mut self, event: &W::Event) -> Result<Option<End>, DriveError> {
        let state = self.head.position.state;
        if rows_for(W::TABLE, state, event.on()).any(|(_, row)| matches!(row.to, Target::Stay)) {
            let detail = format!(
                "the node of {} ended with {}, which only a `stay` row takes: emit it instead",
                state.name(),
                event.on().name()
            );
            return self.stop(StopReason::Broken, detail).await;
        }
        // One move at a time waits for its commit; a second one waits until the first is durable.
        if self.moved && self.script.is_empty() {
            self.show(Status::Running);
            self.flush().await?;
        }
        match self.happen(event) {
            Ok(Step::Retry) => self.ledger.next_try(),
            Ok(_) => {
                self.ledger = Ledger::default();
                self.moved = true;
            }
            Err(Halt::Broken(detail)) => return self.stop(StopReason::Refused, detail).await,
            Err(Halt::Error(error)) => return Err(error),
            Err(Halt::Stop(stop)) => return self.stopped_by(stop).await,
            Err(Halt::Panic(words)) => return self.stop(StopReason::Panic, words).await,
        }
        Ok(None)
    }

    fn keep_snapshot(&mut self) -> Result<(), DriveError> {
        // What a child has reserved is in neither.
        let may = self.moved && self.script.is_empty() && self.head.open_children().next().is_none();
        if may && self.weight.wants_outline() {
            self.weight.unoutlined = 0;
            let text = serde_json::to_string(&self.head.outline())
                .map_err(|error| DriveError::Unstorable(error.to_string()))?;
            self.host.outline(self.head.n, self.head.hash, text);
        }
        if may && self.weight.is_due() {
            let text = self.head.snapshot()?;
            (self.weight.since, self.weight.snapshot) = (0, text.len());
            self.host.snapshot(self.head.n, self.head.hash, text);
        }
        Ok(())
    }

    /// Journals an event by the table's decision, or follows the decision the journal holds.
    fn happen(&mut self, event: &W::Event) -> Result<Step, Halt> {
        let Some(stretch) = self.script.pop_front() else {
            let (happened, blobs) = match self.head.decide(event) {
                Ok(decided) => decided,
                Err(refused) => {
                    let event = wrap(head::event_value(event), &mut Vec::new());
                    let refusal = record::Refusal { event, why: refused.to_string() };
                    self.append(self.head.at, Body::Refused(refusal), Vec::new())?;
                    return Err(Halt::Broken(refused.to_string()));
                }
            };
            let step = happened.step;
            self.append(self.head.at, Body::Event(happened), blobs)?;
            return Ok(step);
        };
        let payload = wrap(head::event_value(event), &mut Vec::new());
        match &stretch.record.body {
            Body::Event(happened) if happened.event == payload => {
                let step = happened.step;
                self.head.fold(&stretch, self.vault)?;
                Ok(step)
            }
            other => {
                let (n, kind) = (stretch.record.n, other.kind());
                let made = event.on().name();
                self.script.push_front(stretch);
                Err(self.broken(&format!(
                    "is not deterministic: the journal has record {n} ({kind}), the code made event {made}"
                )))
            }
        }
    }

    /// Records what waited for the end of the script.
    fn append_pending(&mut self) -> Result<(), DriveError> {
        while let Some((at, body)) = self.pending.pop_front() {
            self.append(at, body, Vec::new())?;
        }
        Ok(())
    }

    fn append(&mut self, at: Millis, body: Body, blobs: Vec<(Hash, Vec<u8>)>) -> Result<(), DriveError> {
        let (record, chained) = self.head.seal(at, body)?;
        self.ledger.note(&record.body);
        self.weight.add(chained.text.len() + blobs.iter().map(|(_, bytes)| bytes.len()).sum::<usize>());
        self.fresh.extend(blobs.iter().cloned());
        self.host.append(chained, blobs);
        Ok(())
    }

    /// The value a record names, wherever it is.
    fn value(&self, payload: &record::Payload) -> Result<serde_json::Value, DriveError> {
        if let record::Payload::Blob(hash) = payload
            && let Some(bytes) = self.fresh.get(hash)
        {
            return serde_json::from_slice(bytes)
                .map_err(|error| DriveError::Blob { hash: *hash, what: error.to_string() });
        }
        unwrap(payload, self.vault)
    }

    async fn next(&mut self) -> Result<Done, Halt> {
        let done = self.host.next().await?;
        self.moved = false;
        self.fresh.clear();
        self.watch.durable(&self.head, &Status::Running, false);
        Ok(done)
    }

    async fn flush(&mut self) -> Result<(), DriveError> {
        match self.host.flush().await {
            Ok(()) => {
                self.moved = false;
                self.fresh.clear();
                self.watch.durable(&self.head, &Status::Running, false);
                Ok(())
            }
            Err(Stop::Host(error)) => Err(error.into()),
            Err(_) => Err(DriveError::LostLease),
        }
    }

    fn show(&mut self, status: Status) {
        let state = self.head.position.state.name().into();
        self.host.show(Shown { state, status, spent: self.head.purse.spent, at: self.head.at });
    }

    fn show_waiting_or_running(&mut self, this: &visit::Try<W>) {
        let status = if this.only_waits() { Status::Waiting } else { Status::Running };
        self.show(status);
    }

    fn broken(&self, what: &str) -> Halt {
        Halt::Broken(format!("the node of {} {what}", self.head.position.state.name()))
    }
}

/// A record in a few words, for messages about determinism.
fn brief(body: &Body) -> String {
    let key = match body {
        Body::Intent(intent) => Some(intent.key.to_string()),
        Body::Denied(denied) => Some(denied.key.to_string()),
        Body::Timer(timer) => Some(timer.key.to_string()),
        Body::Asked(asked) => Some(asked.key.to_string()),
        Body::Abandoned(closed) => Some(closed.key.to_string()),
        Body::Checkpoint(checkpoint) => Some(checkpoint.name.clone()),
        Body::Child(begun) => Some(begun.key.to_string()),
        _ => None,
    };
    key.map_or_else(|| body.kind().to_owned(), |key| format!("{} {key}", body.kind()))
}
