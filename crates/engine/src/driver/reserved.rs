//! What is reserved by calls in flight and by children, and what settles it: by the records alone.

use std::collections::BTreeMap;

use crate::record::Body;
use crate::{Key, Millis, Purse, Record, Spend};

/// A reservation, and the branch it is charged to.
type Held = (Spend, Option<String>);

/// The reservations of a run.
#[derive(Clone, Debug, Default)]
pub struct Reserved {
    /// By calls in flight, by step.
    calls: BTreeMap<Key, Held>,
    /// By children that are not over.
    children: BTreeMap<Key, Held>,
}

impl Reserved {
    /// What a record does to a purse; the run's time stood at `since` before it.
    pub fn note(&mut self, purse: &mut Purse, record: &Record, since: Millis) {
        match &record.body {
            Body::Intent(intent) => {
                purse.reserve(intent.branch.as_deref(), intent.reserve);
                self.calls.insert(intent.key.clone(), (intent.reserve, intent.branch.clone()));
            }
            Body::Receipt(receipt) => {
                let (reserve, branch) = self.calls.remove(&receipt.key).unwrap_or_default();
                purse.settle(branch.as_deref(), reserve, receipt.spend);
                let worked = u64::try_from(record.at.since(since).as_millis()).unwrap_or(u64::MAX);
                purse.work_ms = purse.work_ms.saturating_add(worked);
            }
            Body::Child(begun) => {
                purse.reserve(begun.branch.as_deref(), begun.share);
                self.children.insert(begun.key.clone(), (begun.share, begun.branch.clone()));
            }
            Body::ChildRaised(raised) => {
                if let Some((share, branch)) = self.children.get_mut(&raised.key) {
                    *share = share.plus(raised.by_this);
                    purse.reserve(branch.as_deref(), raised.by_this);
                }
            }
            Body::ChildEnded(ended) => {
                let (share, branch) = self.children.remove(&ended.key).unwrap_or_default();
                purse.settle(branch.as_deref(), share, ended.spend);
            }
            Body::Unknown(unknown) => self.lose(purse, &unknown.key),
            Body::Abandoned(closed) => self.lose(purse, &closed.key),
            Body::Forked(_) => {
                *purse = Purse::default();
                self.calls.clear();
            }
            _ => {}
        }
    }

    /// Children that are not over.
    pub fn children(&self) -> impl Iterator<Item = &Key> {
        self.children.keys()
    }

    /// Steps whose intent has no receipt.
    pub fn calls(&self) -> impl Iterator<Item = &Key> {
        self.calls.keys()
    }

    /// Gives everything back, as if it had cost nothing.
    pub fn give_back(&self, purse: &mut Purse) {
        for (reserve, branch) in self.calls.values().chain(self.children.values()) {
            purse.settle(branch.as_deref(), *reserve, Spend::NONE);
        }
    }

    fn lose(&mut self, purse: &mut Purse, key: &Key) {
        if let Some((reserve, branch)) = self.calls.remove(key) {
            purse.charge_unknown(branch.as_deref(), reserve);
        }
    }
}
