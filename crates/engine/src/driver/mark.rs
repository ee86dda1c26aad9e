//! Writing something beside the way of a run while nobody drives it: a name for the beginning of the present visit, or a note.
//! Neither moves the run, and what lists show of it stays as it is.

use super::{DriveError, Driver, Host, Loaded, Vault, Watch};
use crate::record::{Body, Checkpoint, ChildRaised, Note};
use crate::{Millis, Status, Work};

/// Records the name. `notes` are journaled before it.
pub async fn checkpoint<W: Work>(
    host: &mut dyn Host,
    vault: &dyn Vault,
    loaded: Loaded<W>,
    (at, name, by): (Millis, String, String),
    notes: Vec<Body>,
) -> Result<(), DriveError> {
    let mut nobody = ();
    let (mut driver, _) = Driver::new(host, vault, &mut nobody, loaded, notes);
    driver.mark(at, Body::Checkpoint(Checkpoint { name, by: Some(by) })).await
}

/// Records that a child may spend more. `notes` are journaled before it.
pub async fn raise<W: Work>(
    host: &mut dyn Host,
    vault: &dyn Vault,
    loaded: Loaded<W>,
    (at, raised): (Millis, ChildRaised),
    notes: Vec<Body>,
) -> Result<(), DriveError> {
    let mut nobody = ();
    let (mut driver, _) = Driver::new(host, vault, &mut nobody, loaded, notes);
    driver.mark(at, Body::ChildRaised(raised)).await
}

/// Records a note and renders the files of the run, which may tell it. `notes` are journaled before it.
pub async fn note<W: Work>(
    host: &mut dyn Host,
    vault: &dyn Vault,
    watch: &mut dyn Watch<W>,
    loaded: Loaded<W>,
    (at, note, status): (Millis, Note, Status),
    notes: Vec<Body>,
) -> Result<(), DriveError> {
    let (mut driver, _) = Driver::new(host, vault, watch, loaded, notes);
    driver.mark(at, Body::Note(note)).await?;
    driver.watch.durable(&driver.head, &status, true);
    Ok(())
}

impl<W: Work> Driver<'_, W> {
    async fn mark(&mut self, at: Millis, body: Body) -> Result<(), DriveError> {
        self.fold_rest()?;
        self.append_pending()?;
        self.append(at, body, Vec::new())?;
        self.flush().await
    }
}
