//! Changing something in a run that has begun: a record says so, and the work of the present state begins anew with what
//! came back before.

use super::{DriveError, Driver, Host, Loaded, Vault, Watch};
use crate::record::{Body, Changed};
use crate::{Millis, Status, Work};

/// Records a change of a loaded run. Calls in flight are nobody's any more, and what they may cost stays charged. `notes`
/// are journaled before it.
pub async fn change<W: Work>(
    host: &mut dyn Host,
    vault: &dyn Vault,
    watch: &mut dyn Watch<W>,
    loaded: Loaded<W>,
    (at, changed): (Millis, Changed),
    notes: Vec<Body>,
) -> Result<(), DriveError> {
    let (mut driver, _) = Driver::new(host, vault, watch, loaded, notes);
    driver.fold_rest()?;
    driver.append_pending()?;
    driver.head.at = driver.head.at.max(at);
    driver.abandon_flights()?;
    driver.append(at, Body::Changed(changed), Vec::new())?;
    driver.show(Status::Running);
    driver.flush().await?;
    driver.watch.durable(&driver.head, &Status::Running, true);
    Ok(())
}
