//! Cancelling a run that nobody drives. One that is driven is sent a letter instead.

use super::{Drive, Engine};
use crate::driver::{DriveError, End, halt};
use crate::folder::Folder;
use crate::{RunId, StopReason, Work};

impl Engine {
    /// Stops a run where it stands, by leasing it and recording the stop. No step is begun or repeated.
    pub async fn cancel<W: Work>(&self, run: &RunId, by: &str) -> Result<End, DriveError> {
        let lease = self.store.lease(run).await?;
        let (loaded, notes) = self.load::<W>(run)?;
        let mut host = self.host(lease, run, &Drive::default())?;
        let mut nobody = ();
        let mut folder = Folder::<W>::new(self, run.clone(), &mut nobody);
        let stop = (self.clock.now(), StopReason::Cancelled, format!("cancelled by {by}"));
        let end = halt(&mut host, self.store.blobs(), &mut folder, loaded, stop, notes).await;
        self.store.clear_cancel(run)?;
        end
    }
}
