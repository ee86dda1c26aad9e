//! What a run may take of the one it went off from: receipts of steps that were asked for in the same place, with the
//! same input. They are not paid for again.

use std::collections::BTreeMap;

use super::open::OpenStep;
use crate::points::Way;
use crate::record::{Body, Payload, Reused};
use crate::{Hash, Record, RunId};

/// Where a step was asked for: the state, how often it had been entered, the step's name.
type Place = (String, u32, String);

/// Receipts by where they were asked for.
#[derive(Default)]
pub struct Donors {
    receipts: BTreeMap<Place, Donation>,
}

struct Donation {
    kind: String,
    input: Hash,
    out: Payload,
    from: Reused,
}

/// A receipt of another run.
#[derive(Clone, Debug)]
pub struct Donated {
    pub out: Payload,
    pub from: Reused,
}

impl Donors {
    /// The receipts of a run behind record `shared`. Of two for one place the later counts.
    pub fn of(run: &RunId, start: &str, records: impl IntoIterator<Item = Record>, shared: u64) -> Self {
        let mut donors = Self::default();
        let mut way = Way::from(start);
        let mut asked = BTreeMap::new();
        for Record { n, body, .. } in records {
            way.follow(n, &body);
            match body {
                Body::Intent(intent) if n > shared => {
                    let place = (way.state().to_owned(), way.entry(), intent.key.name.clone());
                    asked.insert(intent.key, (place, intent.kind, intent.input.hash()));
                }
                Body::Receipt(receipt) => {
                    let (Some((place, kind, input)), Ok(out)) = (asked.remove(&receipt.key), receipt.out)
                    else {
                        continue;
                    };
                    let from = receipt.reused.unwrap_or_else(|| Reused { run: run.clone(), n });
                    donors.receipts.insert(place, Donation { kind, input, out, from });
                }
                _ => {}
            }
        }
        donors
    }

    /// The receipt for a step asked for here, if it may be taken.
    pub(super) fn find(&self, place: (&str, u32, &str), step: &OpenStep) -> Option<Donated> {
        if !step.effect.reusable || self.receipts.is_empty() {
            return None;
        }
        let (state, entry, name) = place;
        let found = self.receipts.get(&(state.to_owned(), entry, name.to_owned()))?;
        let same = found.kind == step.effect.kind && found.input == step.input.hash();
        same.then(|| Donated { out: found.out.clone(), from: found.from.clone() })
    }
}
