//! The point a person means, looked for from a run's end back, so that a long run is not read from its beginning for it.
//!
//! Only what is plain is found here. A way that was taken back, migrated or begun in another run, and every refusal that
//! names the points there are, is left to those who read the whole past.

use baton_machine::{Kind, Word, describe};

use super::{Turn, TurnError};
use crate::driver::{DriveError, Head, Outline, load};
use crate::engine::Engine;
use crate::points::left_behind;
use crate::record::{Body, Chained, Step};
use crate::runs::{Glance, Place};
use crate::{AfterCrash, Hash, Record, RunId, Work};

/// A point of a run at which another can go off, and how the run stood there.
pub(super) struct Spot<W: Work> {
    /// Its record.
    pub n: u64,
    /// That record's hash.
    pub hash: Hash,
    /// Where the run stood, apart from what it had learnt.
    pub outline: Outline,
    /// The whole fold, where it was asked for or needed.
    pub head: Option<Head<W>>,
}

impl<W: Work> Spot<W> {
    /// Where a whole fold stands.
    pub fn of(head: Head<W>) -> Self {
        Self { n: head.n, hash: head.hash, outline: head.outline(), head: Some(head) }
    }
}

/// The point that is meant, if it is plain and another run can go off there.
pub(super) fn find<W: Work>(
    engine: &Engine,
    run: &RunId,
    turn: Turn<'_>,
    with_memory: bool,
) -> Result<Option<Spot<W>>, TurnError> {
    let mut seen = Seen::new::<W>(turn.at);
    let place = match by_landmarks(engine, run, turn, &seen.wanted)? {
        Some(place) => Some(place),
        None => engine.store.search_back(run, |record| seen.take(record))?,
    };
    let Some(place) = place.filter(|_| seen.is_plain) else { return Ok(None) };
    let glance = if with_memory { None } else { engine.store.outline(run, Some(place))? };
    let spot = match glance {
        Some(Glance { outline, hash, .. }) => Some(Spot { n: place.n, hash, outline, head: None }),
        None => head_at::<W>(engine, run, place)?.map(Spot::of),
    };
    let Some(spot) = spot else { return Ok(None) };
    Head::<W>::fits_here(spot.outline.table, spot.outline.code)?;
    let state = W::State::named(&spot.outline.state);
    if state.is_none_or(|state| matches!(W::kind(state), Kind::Ends(_))) {
        return Ok(None);
    }
    seen.later.reverse();
    let left = left_behind(&seen.later, place.n);
    if !left.is_empty() && !turn.leave_effects {
        return Err(TurnError::LeavesEffects { run: run.clone(), n: place.n, left, verb: "fork" });
    }
    Ok(Some(spot))
}

/// The point that is meant, where the run's landmarks already say that all behind it is plain, and that what was left
/// outside there is nothing or may stay.
fn by_landmarks(
    engine: &Engine,
    run: &RunId,
    turn: Turn<'_>,
    wanted: &Wanted,
) -> Result<Option<Place>, TurnError> {
    let Some(Glance { outline, .. }) = engine.store.outline(run, None)? else { return Ok(None) };
    let landmarks = outline.landmarks;
    let n = match wanted {
        Wanted::Number(n) => Some(*n),
        Wanted::State(state) => landmarks.begun(state),
        Wanted::Name { .. } => None,
    };
    let plain =
        |n: &u64| landmarks.straight_behind(*n) && (turn.leave_effects || landmarks.nothing_left_behind(*n));
    let Some(n) = n.filter(plain) else { return Ok(None) };
    let found = engine.store.record_at(run, n)?;
    Ok(found.filter(|(_, record)| begins(record).is_some()).map(|(place, _)| place))
}

/// The run as it stood behind a record, folded from the last snapshot before it.
fn head_at<W: Work>(engine: &Engine, run: &RunId, place: Place) -> Result<Option<Head<W>>, TurnError> {
    let Some(journal) = engine.store.journal_to(run, place)? else { return Ok(None) };
    let vault = engine.store.blobs();
    match load::<W>(journal.snapshot.as_ref(), &journal.tail, vault) {
        Err(DriveError::BadSnapshot { .. }) => Ok(None),
        loaded => Ok(Some(loaded?.into_present(vault)?)),
    }
}

/// What a person typed. The name of a state means the state, so no checkpoint may be called like one.
enum Wanted {
    Number(u64),
    State(String),
    /// A checkpoint; whether it was met, so that the next visit that begins is the one.
    Name {
        name: String,
        met: bool,
    },
}

/// What was met on the way back.
struct Seen {
    wanted: Wanted,
    is_plain: bool,
    /// Records that may have left something outside, last one first.
    later: Vec<Record>,
    /// How such an intent says so.
    lasting: [String; 2],
}

impl Seen {
    fn new<W: Work>(typed: &str) -> Self {
        let state = describe(W::TABLE).states.into_iter().find(|it| it.name.eq_ignore_ascii_case(typed));
        let wanted = match (typed.parse(), state) {
            (Ok(n), _) => Wanted::Number(n),
            (_, Some(state)) => Wanted::State(state.name),
            _ => Wanted::Name { name: typed.to_owned(), met: false },
        };
        let said = |policy| serde_json::to_string(&policy).unwrap_or_default();
        let lasting = [AfterCrash::Reconcile, AfterCrash::Ask].map(said);
        Self { wanted, is_plain: true, later: Vec::new(), lasting }
    }

    /// Whether this is the record to end at: the one that is meant, or one that is not plain.
    fn take(&mut self, record: &Chained) -> bool {
        let text = record.text.as_str();
        self.is_plain =
            !["{\"rewound\"", "{\"migrated\"", "{\"forked\""].iter().any(|kind| text.starts_with(kind));
        if !self.is_plain || self.is_meant(record) {
            return true;
        }
        if self.may_last(text) {
            self.later.extend(record.open());
        }
        false
    }

    fn is_meant(&mut self, record: &Chained) -> bool {
        match &mut self.wanted {
            Wanted::Number(n) if record.n == *n => {
                self.is_plain = begins(record).is_some();
                true
            }
            Wanted::Number(n) => record.n < *n,
            Wanted::State(wanted) => begins(record).is_some_and(|state| state.is_none_or(|it| it == *wanted)),
            Wanted::Name { name, met } => {
                *met |= record.text.starts_with("{\"checkpoint\"")
                    && matches!(record.open(), Ok(Record { body: Body::Checkpoint(it), .. }) if it.name == *name);
                *met && begins(record).is_some()
            }
        }
    }

    /// Whether it may have left something outside.
    fn may_last(&self, text: &str) -> bool {
        text.starts_with("{\"child\":")
            || text.starts_with("{\"looked\"")
            || (text.starts_with("{\"intent\"") && self.lasting.iter().any(|said| text.contains(said)))
    }
}

/// Whether a visit begins behind a record, and of which state if it says so.
fn begins(record: &Chained) -> Option<Option<String>> {
    if record.text.starts_with("{\"started\"") {
        return Some(None);
    }
    let happened = record.text.starts_with("{\"event\"").then(|| record.open().ok()).flatten();
    match happened?.body {
        Body::Event(happened) if happened.step == Step::Visit => Some(Some(happened.to)),
        _ => None,
    }
}
