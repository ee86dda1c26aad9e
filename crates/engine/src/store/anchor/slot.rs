//! One slot of the anchor: what it says, and how it is written down.

use crate::{Hash, RunId, Spend};

const NAME: usize = 24;
/// The bytes of a slot.
pub const SLOT: usize = 128;
const BODY: usize = SLOT - 8;

/// A run's name as a slot holds it, cut where it is longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name([u8; NAME]);

impl From<&RunId> for Name {
    fn from(run: &RunId) -> Self {
        let mut name = [0; NAME];
        name.iter_mut().zip(run.0.bytes()).for_each(|(to, from)| *to = from);
        Self(name)
    }
}

impl Name {
    /// The run.
    pub fn run(&self) -> RunId {
        RunId(String::from_utf8_lossy(&self.0).trim_end_matches('\0').to_owned())
    }
}

/// What a slot says of a run: how far its journal reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The run.
    pub name: Name,
    /// Its last record.
    pub n: u64,
    /// The hash of that record.
    pub hash: Hash,
    /// What the run had spent by then.
    pub spent: Spend,
    /// What was lost behind this record and accepted by a person, until the run goes on; record 0 for nothing.
    pub lost: (u64, Spend),
}

impl Reached {
    /// A run that stands at this record.
    pub fn at(name: Name, n: u64, hash: Hash, spent: Spend) -> Self {
        Self { name, n, hash, spent, lost: (0, Spend::NONE) }
    }

    /// The slot that says this.
    pub fn bytes(&self) -> [u8; SLOT] {
        let Self { name, n, hash, spent, lost } = self;
        let mut slot = [0; SLOT];
        let mut rest = slot.as_mut_slice();
        let mut put = |bytes: &[u8]| {
            let (here, after) = std::mem::take(&mut rest).split_at_mut(bytes.len());
            here.copy_from_slice(bytes);
            rest = after;
        };
        put(&name.0);
        put(&hash.0);
        let numbers = [
            *n,
            spent.micro_usd,
            spent.tokens,
            spent.calls,
            lost.0,
            lost.1.micro_usd,
            lost.1.tokens,
            lost.1.calls,
        ];
        numbers.iter().for_each(|number| put(&number.to_be_bytes()));
        let check = check(&slot[..BODY]);
        slot[BODY..].copy_from_slice(&check);
        slot
    }

    /// What a slot says, if it is whole.
    pub fn read(slot: &[u8]) -> Option<Self> {
        let (body, sum) = slot.split_at_checked(BODY)?;
        if is_empty(slot) || check(body) != sum {
            return None;
        }
        let (name, body) = body.split_first_chunk::<NAME>()?;
        let (hash, body) = body.split_first_chunk::<32>()?;
        let mut numbers = body.as_chunks::<8>().0.iter().map(|bytes| u64::from_be_bytes(*bytes));
        let mut next = || numbers.next();
        let n = next()?;
        let mut spend = || Some(Spend { micro_usd: next()?, tokens: next()?, calls: next()? });
        let spent = spend()?;
        let lost_to = next()?;
        let mut spend = || Some(Spend { micro_usd: next()?, tokens: next()?, calls: next()? });
        Some(Self { name: Name(*name), n, hash: Hash(*hash), spent, lost: (lost_to, spend()?) })
    }
}

/// Whether nothing was ever written there.
pub fn is_empty(slot: &[u8]) -> bool {
    slot.iter().all(|byte| *byte == 0)
}

/// A checksum against tears and flipped bits, not against people; a cryptographic one would cost a tenth of a commit
/// when many runs share it. Each step can be undone, so that no change of a single word goes unnoticed.
fn check(body: &[u8]) -> [u8; 8] {
    let mix = |sum: u64, word: &[u8; 8]| {
        let sum = (sum ^ u64::from_le_bytes(*word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        sum ^ (sum >> 32)
    };
    let seed = u64::from_le_bytes(*b"anchor 1");
    body.as_chunks::<8>().0.iter().fold(seed, mix).to_le_bytes()
}
