//! Giving the beginning of the present visit a name, while nobody drives the run.

use super::{DriveError, Driver, Host, Loaded, Vault};
use crate::record::{Body, Checkpoint};
use crate::{Millis, Work};

/// Records the name. `notes` are journaled before it. What lists show stays as it is.
pub async fn checkpoint<W: Work>(
    host: &mut dyn Host,
    vault: &dyn Vault,
    loaded: Loaded<W>,
    (at, name, by): (Millis, String, String),
    notes: Vec<Body>,
) -> Result<(), DriveError> {
    let mut nobody = ();
    let (mut driver, _) = Driver::new(host, vault, &mut nobody, loaded, notes);
    driver.fold_rest()?;
    driver.append_pending()?;
    driver.append(at, Body::Checkpoint(Checkpoint { name, by: Some(by) }), Vec::new())?;
    driver.flush().await
}
