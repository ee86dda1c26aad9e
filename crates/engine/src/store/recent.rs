//! Reading no more of a run than is asked for: what is behind its newest snapshot or outline, or behind the last one
//! before a point.
//! Only what is handed out is checked. Whoever drives a run has its whole chain checked instead.

use baton_machine::TableText;

use super::cache::Cache;
use super::{Store, back};
use crate::driver::Outline;
use crate::record::{Body, Chained};
use crate::runs::{Glance, Journal, Place, RunsError};
use crate::{Hash, Record, RunId};

impl Store {
    /// A run's journal behind its newest snapshot. If anything about that is not as it was, the whole of it.
    pub fn recent(&self, run: &RunId) -> Result<Journal, RunsError> {
        match self.stretch(Cache::Snapshot, run, None)? {
            Some(journal) => Ok(journal),
            None => self.journal(run),
        }
    }

    /// A run's journal up to a record, behind the last snapshot before it; nothing if anything about it is not as it was.
    pub(crate) fn journal_to(&self, run: &RunId, to: Place) -> Result<Option<Journal>, RunsError> {
        self.stretch(Cache::Snapshot, run, Some(to))
    }

    /// A run apart from what it has learnt, as it stood behind a record or stands now, and the records from which that
    /// follows. Nothing where none is kept of it, or where only the whole fold can tell.
    pub(crate) fn outline(&self, run: &RunId, to: Option<Place>) -> Result<Option<Glance>, RunsError> {
        let Some(Journal { snapshot, tail, .. }) = self.stretch(Cache::Outline, run, to)? else {
            return Ok(None);
        };
        let (from, behind) = match &snapshot {
            Some(kept) => (serde_json::from_str::<Outline>(&kept.text).ok(), &tail[..]),
            None => (self.outline_of_start(tail.first())?, tail.get(1..).unwrap_or_default()),
        };
        let outline = from.and_then(|it| it.after(behind));
        let hash = tail.last().map(|last| last.hash).or(snapshot.map(|kept| kept.hash));
        Ok(outline.zip(hash).map(|(outline, hash)| Glance { outline, hash, tail }))
    }

    /// What a run was when it had only been started; what it was started with is not looked at, however long it is.
    fn outline_of_start(&self, first: Option<&Chained>) -> Result<Option<Outline>, RunsError> {
        let Some(Record { at, body: Body::Started(started), .. }) = first.and_then(|it| it.open().ok())
        else {
            return Ok(None);
        };
        let table = self.definition(&started.table)?;
        let table = table.and_then(|text| serde_json::from_str::<TableText>(&text).ok());
        Ok(table.map(|table| Outline::of_start(&started, at, &table.start)))
    }

    /// Hands over a run's records, last one first, until one is the one that is looked for: `take` says so. Unchecked.
    pub(crate) fn search_back(
        &self,
        run: &RunId,
        mut take: impl FnMut(&Chained) -> bool,
    ) -> Result<Option<Place>, RunsError> {
        let mut found = None;
        self.read(|connection| {
            back::walk_places(connection, run, None, |seq, record| {
                found = take(&record).then_some(Place { n: record.n, seq });
                found.is_none()
            })
        })?;
        Ok(found)
    }

    /// One record of a run and where it stands. Unchecked.
    pub(crate) fn record_at(&self, run: &RunId, n: u64) -> Result<Option<(Place, Chained)>, RunsError> {
        self.read(|connection| {
            let Some(seq) = back::place_of(connection, run, n.cast_signed())? else { return Ok(None) };
            let mut found = None;
            back::walk_places(connection, run, Some((seq, n.cast_signed())), |seq, record| {
                found = Some((Place { n, seq }, record));
                false
            })?;
            Ok(found)
        })
    }

    fn stretch(&self, cache: Cache, run: &RunId, to: Option<Place>) -> Result<Option<Journal>, RunsError> {
        let kept = self.cached(cache, run, to.map(|place| place.n))?;
        let mut tail: Vec<Chained> = Vec::new();
        let mut snapshot = None;
        let mut sound = true;
        let from = to.map(|place| (place.seq, place.n.cast_signed()));
        let through = self.read(|connection| {
            back::walk_places(connection, run, from, |_, record| {
                sound = tail.last().is_none_or(|later| later.follows(record.hash));
                snapshot = kept.iter().find(|it| it.n == record.n && it.hash == record.hash);
                if snapshot.is_none() {
                    tail.push(record);
                }
                sound && snapshot.is_none()
            })
        })?;
        let begins = snapshot.is_some() || tail.last().is_some_and(|first| first.follows(Hash::ZERO));
        if !(through && sound && begins) {
            return Ok(None);
        }
        tail.reverse();
        let payloads = tail.iter().filter_map(Chained::long_payload).collect();
        let snapshot = snapshot.cloned();
        Ok(Some(Journal { snapshot, tail, torn: None, payloads, loss: None, accepted: None }))
    }
}
