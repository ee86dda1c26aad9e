//! Taking a run back to an earlier record: a record says so, and nothing before it changes.

use super::{DriveError, Driver, Host, Loaded, Mark, Vault, Watch};
use crate::record::{self, Body};
use crate::{Millis, Status, Work};

/// Who takes a run back, when, and to where.
pub struct Rewind<W: Work> {
    /// The record after which it stands again.
    pub to: u64,
    /// Where it stood then.
    pub mark: Mark<W>,
    /// Who does it.
    pub by: String,
    /// When.
    pub at: Millis,
    /// What the part taken back has left outside.
    pub left: Vec<record::LeftEffect>,
}

/// Takes a loaded run back. Calls in flight are nobody's any more, and what they may cost stays charged. `notes` are
/// journaled before it.
pub async fn rewind<W: Work>(
    host: &mut dyn Host,
    vault: &dyn Vault,
    watch: &mut dyn Watch<W>,
    loaded: Loaded<W>,
    order: Rewind<W>,
    notes: Vec<Body>,
) -> Result<(), DriveError> {
    let Rewind { to, mark, by, at, left } = order;
    let (mut driver, _) = Driver::new(host, vault, watch, loaded, notes);
    driver.fold_rest()?;
    driver.append_pending()?;
    driver.head.at = driver.head.at.max(at);
    driver.abandon_flights()?;
    driver.head.marks.insert(to, mark);
    driver.append(at, Body::Rewound(record::Rewound { to, by, left }), Vec::new())?;
    // Whoever opens the run next need not read what was taken back.
    let text = driver.head.snapshot()?;
    driver.host.snapshot(driver.head.n, driver.head.hash, text);
    driver.show(Status::Running);
    driver.flush().await?;
    driver.watch.durable(&driver.head, &Status::Running, true);
    Ok(())
}
