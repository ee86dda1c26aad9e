//! Taking a run over to the table and code of this build: a record says so, and the work of the present state begins anew
//! with what came back before.

use super::{DriveError, Driver, Host, Loaded, Vault, Watch};
use crate::record::{Body, Migrated};
use crate::{Millis, Work};

/// Records a migration of a run that was loaded for it. Calls in flight are nobody's any more, and what they may cost
/// stays charged.
pub async fn migrate<W: Work>(
    host: &mut dyn Host,
    vault: &dyn Vault,
    watch: &mut dyn Watch<W>,
    loaded: Loaded<W>,
    (at, migrated): (Millis, Migrated),
) -> Result<u32, DriveError> {
    let (mut driver, _) = Driver::new(host, vault, watch, loaded, Vec::new());
    driver.fold_rest()?;
    driver.head.at = driver.head.at.max(at);
    driver.abandon_flights()?;
    driver.append(at, Body::Migrated(Box::new(migrated)), Vec::new())?;
    let status = driver.head.status.clone();
    driver.show(status.clone());
    driver.flush().await?;
    driver.watch.durable(&driver.head, &status, true);
    Ok(driver.head.position.visit)
}
