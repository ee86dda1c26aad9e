//! Stopping a run that nobody drives: its journal says so, and nothing acts.

use super::{DriveError, Driver, End, Host, Loaded, Vault, Watch};
use crate::record::Body;
use crate::{Millis, StopReason, Work};

/// Records the stop of a loaded run at `at`. `notes` are journaled before it.
pub async fn halt<W: Work>(
    host: &mut dyn Host,
    vault: &dyn Vault,
    watch: &mut dyn Watch<W>,
    loaded: Loaded<W>,
    (at, reason, detail): (Millis, StopReason, String),
    notes: Vec<Body>,
) -> Result<End, DriveError> {
    let (mut driver, _) = Driver::new(host, vault, watch, loaded, notes);
    // The stop happens now, not at the last completion.
    driver.head.at = driver.head.at.max(at);
    let end = driver.stop(reason, detail.clone()).await?;
    Ok(end.unwrap_or(End::Stopped { reason, detail }))
}
