//! From stored records to a run that can be driven: what to fold, and what to replay to the node.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Donors, DriveError, Head, Vault, Weight};
use crate::migration::translate;
use crate::record::{Body, Chained, Migrated, Step};
use crate::{Hash, Record, Work};

/// A stored record with its hash.
#[derive(Clone, Debug)]
pub struct Stretch {
    /// The record.
    pub record: Record,
    /// Its hash.
    pub hash: Hash,
}

/// A run ready to be driven.
pub struct Loaded<W: Work> {
    /// The run as it stood when the present try of the present visit began.
    pub head: Head<W>,
    /// The records of earlier tries of this visit.
    pub(crate) earlier: Vec<Record>,
    /// The records of the present try.
    pub(crate) script: Vec<Stretch>,
    pub(crate) weight: Weight,
    /// What it may take of the run it went off from.
    pub(crate) donors: Donors,
}

/// A snapshot as it is stored.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The last record in it.
    pub n: u64,
    /// That record's hash.
    pub hash: Hash,
    /// The fold.
    pub text: String,
}

/// Folds a journal up to the present try. `records` begin behind the snapshot, or with the first record.
pub fn load<W: Work>(
    snapshot: Option<&Snapshot>,
    records: &[Chained],
    vault: &dyn Vault,
) -> Result<Loaded<W>, DriveError> {
    load_as(snapshot, records, vault, None)
}

/// The same of a whole journal that is about to be taken over to the table of this build.
pub(crate) fn load_coming<W: Work>(
    records: &[Chained],
    vault: &dyn Vault,
    coming: &Migrated,
) -> Result<Loaded<W>, DriveError> {
    load_as(None, records, vault, Some(coming))
}

fn load_as<W: Work>(
    snapshot: Option<&Snapshot>,
    records: &[Chained],
    vault: &dyn Vault,
    coming: Option<&Migrated>,
) -> Result<Loaded<W>, DriveError> {
    let mut bytes = 0;
    let mut stretches = Vec::with_capacity(records.len());
    for chained in records {
        bytes += chained.text.len();
        let record = chained.open().map_err(|error| DriveError::unreadable(chained, &error))?;
        stretches.push(Stretch { record, hash: chained.hash });
    }
    if snapshot.is_some() && stretches.iter().any(|it| matches!(it.record.body, Body::Migrated(_))) {
        // It speaks of another table.
        return Err(DriveError::BadSnapshot { n: snapshot.map_or(0, |kept| kept.n) });
    }
    translate(&mut stretches.iter_mut().map(|it| &mut it.record).collect::<Vec<_>>(), coming, vault)?;
    let (mut head, first) = match (snapshot, stretches.first()) {
        (Some(kept), _) => {
            let head = Head::<W>::from_snapshot(kept.n, kept.hash, &kept.text);
            (head.ok_or(DriveError::BadSnapshot { n: kept.n })?, 0)
        }
        (None, Some(Stretch { record: Record { at, body: Body::Started(started), .. }, hash })) => {
            let ours = || Head::<W>::fits_here(started.table, started.code).err();
            let mut head = Head::begin(started, *at, vault)
                .map_err(|error| ours().filter(|_| coming.is_none()).unwrap_or(error))?;
            head.hash = *hash;
            (head, 1)
        }
        (None, _) => {
            return Err(DriveError::Unfit {
                n: 1,
                what: "the journal does not begin with `started`".to_owned(),
            });
        }
    };
    let rest = stretches.split_off(first);
    let marks = marks_of(&rest);
    if snapshot.is_some() && marks.first().is_some_and(|first| *first < head.n) {
        // What it goes back to lies before the snapshot.
        return Err(DriveError::BadSnapshot { n: head.n });
    }
    keep_mark(&mut head, &marks);
    let visit = rest.iter().rposition(opens_visit).map_or(0, |index| index + 1);
    let try_begins = rest.iter().rposition(opens_try).map_or(0, |index| index + 1).max(visit);
    for stretch in &rest[..try_begins] {
        if coming.is_some() { head.fold(stretch, vault) } else { head.fold_ours(stretch, vault) }?;
        keep_mark(&mut head, &marks);
    }
    head.marks.clear();
    let earlier = rest[visit..try_begins].iter().map(|stretch| stretch.record.clone()).collect();
    let snapshot_bytes = snapshot.map_or(0, |kept| kept.text.len());
    let weight = Weight { since: bytes, snapshot: snapshot_bytes, unoutlined: bytes };
    Ok(Loaded { head, earlier, script: rest[try_begins..].to_vec(), weight, donors: Donors::default() })
}

impl<W: Work> Loaded<W> {
    /// The run with every record folded, for those who only look.
    pub fn into_present(mut self, vault: &dyn Vault) -> Result<Head<W>, DriveError> {
        for stretch in &self.script {
            self.head.fold(stretch, vault)?;
        }
        Ok(self.head)
    }

    /// What the run remembers, shared.
    pub fn memory(&self) -> Arc<std::sync::Mutex<W::Memory>> {
        Arc::clone(&self.head.memory)
    }
}

/// The records that later ones go back to.
fn marks_of(records: &[Stretch]) -> BTreeSet<u64> {
    let to = |stretch: &Stretch| match &stretch.record.body {
        Body::Rewound(rewound) => Some(rewound.to),
        _ => None,
    };
    records.iter().filter_map(to).collect()
}

fn keep_mark<W: Work>(head: &mut Head<W>, marks: &BTreeSet<u64>) {
    if marks.contains(&head.n) {
        head.marks.insert(head.n, head.mark());
    }
}

fn opens_visit(stretch: &Stretch) -> bool {
    match &stretch.record.body {
        Body::Event(happened) => happened.step == Step::Visit,
        Body::Forked(_) | Body::Rewound(_) => true,
        _ => false,
    }
}

fn opens_try(stretch: &Stretch) -> bool {
    match &stretch.record.body {
        Body::Event(happened) => happened.step != Step::Emit,
        Body::Resumed(resumed) => resumed.new_try,
        Body::Changed(_) | Body::Migrated(_) => true,
        _ => opens_visit(stretch),
    }
}
