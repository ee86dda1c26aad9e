//! Looking at what a run waits for without driving it: the node is replayed, and nothing it asks for is done.

use std::collections::BTreeMap;

use async_trait::async_trait;

use super::open::Open;
use super::{DriveError, Driver, Halt, Loaded, Vault};
use crate::host::{Done, Host, Op, Shown, Stop};
use crate::record::Chained;
use crate::{Hash, Key, Question, Reads, Work};

/// What reads the answers to the questions a run has open, by name. Empty if its node cannot be replayed;
/// driving it says why.
pub fn readers<W: Work>(loaded: Loaded<W>, vault: &dyn Vault) -> Result<BTreeMap<String, Reads>, DriveError> {
    look(loaded, vault, |what| what.reads())
}

/// The questions a run has open or is about to put, by name.
pub fn questions<W: Work>(
    loaded: Loaded<W>,
    vault: &dyn Vault,
) -> Result<BTreeMap<String, Question>, DriveError> {
    look(loaded, vault, |what| match what {
        Open::Ask { question, .. } => Some(question.clone()),
        _ => None,
    })
}

fn look<W: Work, T>(
    loaded: Loaded<W>,
    vault: &dyn Vault,
    of: impl Fn(&Open) -> Option<T>,
) -> Result<BTreeMap<String, T>, DriveError> {
    let (mut host, mut watch) = (Nobody, ());
    let (mut driver, _) = Driver::new(&mut host, vault, &mut watch, loaded, Vec::new());
    if driver.head.fits(driver.table).is_err() {
        return Ok(BTreeMap::new());
    }
    let Some(node) = W::node(driver.head.position.state) else { return Ok(BTreeMap::new()) };
    let mut this = driver.new_try(&node);
    if let Err(Halt::Error(error)) = driver.replay(&mut this) {
        return Err(error);
    }
    Ok(this.open.iter().filter_map(|(name, opened)| Some((name.clone(), of(&opened.what)?))).collect())
}

/// A host that keeps nothing and performs nothing.
struct Nobody;

#[async_trait]
impl Host for Nobody {
    fn append(&mut self, _record: Chained, _blobs: Vec<(Hash, Vec<u8>)>) {}
    fn show(&mut self, _shown: Shown) {}
    fn snapshot(&mut self, _n: u64, _hash: Hash, _text: String) {}
    fn submit(&mut self, _key: Key, _op: Op) {}
    fn abandon(&mut self, _key: &Key) {}

    async fn next(&mut self) -> Result<Done, Stop> {
        Err(Stop::Suspended)
    }

    async fn flush(&mut self) -> Result<(), Stop> {
        Ok(())
    }
}
