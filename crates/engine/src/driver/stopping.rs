//! Stopping a run in its state, and making a stopped one go on.

use super::{DriveError, Driver, End, Stretch};
use crate::host::{OpResult, Stop};
use crate::record::{self, Body};
use crate::{Fault, Key, Millis, Settings, Status, StopReason, Work};

/// How a person wants a stopped run to go on.
#[derive(Clone, Debug, Default)]
pub struct GoOn {
    /// Who wants it.
    pub by: String,
    /// When.
    pub at: Millis,
    /// New settings, if any.
    pub settings: Option<Settings>,
}

impl<W: Work> Driver<'_, W> {
    /// A person makes a stopped run go on.
    pub(super) fn go_on(&mut self, go_on: GoOn, earlier: &[crate::Record]) -> Result<(), DriveError> {
        let GoOn { by, at, settings } = go_on;
        let stopped =
            self.script.iter().rev().map(|stretch| &stretch.record).chain(earlier.iter().rev()).find_map(
                |record| match &record.body {
                    Body::Stopped(stopped) => Some(stopped.reason),
                    _ => None,
                },
            );
        let new_try = stopped.is_some_and(StopReason::needs_new_try);
        if new_try {
            self.fold_rest()?;
        }
        let mut bodies = Vec::new();
        if let Some(settings) = settings {
            bodies.push(Body::Setting(record::Setting { settings, by: by.clone() }));
        }
        bodies.push(Body::Resumed(record::Resumed { by, new_try }));
        for body in bodies {
            if new_try {
                self.append(at, body, Vec::new())?;
            } else {
                self.pending.push_back((at, body));
            }
        }
        if new_try {
            self.ledger.next_try();
        }
        Ok(())
    }

    /// Folds what is left of the script without polling the node, and keeps its results for the next try.
    pub(super) fn fold_rest(&mut self) -> Result<(), DriveError> {
        let rest: Vec<Stretch> = self.script.drain(..).collect();
        for stretch in &rest {
            self.head.fold(stretch, self.vault)?;
        }
        self.ledger.absorb(rest.iter().map(|stretch| &stretch.record));
        Ok(())
    }

    pub(super) async fn stop_for(&mut self, fault: &Fault) -> Result<Option<End>, DriveError> {
        self.stop(fault.stop_reason(), fault.to_string()).await
    }

    /// Stops the run in its state, with the reason in its journal.
    pub(super) async fn stop(
        &mut self,
        reason: StopReason,
        detail: String,
    ) -> Result<Option<End>, DriveError> {
        self.fold_rest()?;
        self.append_pending()?;
        if reason.needs_new_try() {
            self.abandon_flights()?;
        }
        self.append(
            self.head.at,
            Body::Stopped(record::Stopped { reason, detail: detail.clone() }),
            Vec::new(),
        )?;
        let status = Status::Stopped(reason);
        self.show(status.clone());
        self.flush().await?;
        self.host.stop_children();
        self.watch.durable(&self.head, &status, true);
        Ok(Some(End::Stopped { reason, detail }))
    }

    /// The next try begins anew, so nobody will wait for what is in flight; what it may cost stays charged.
    pub(super) fn abandon_flights(&mut self) -> Result<(), DriveError> {
        let flying: Vec<Key> = self.head.flying().cloned().collect();
        for key in flying {
            self.host.abandon(&key);
            self.append(self.head.at, Body::Abandoned(record::Closed { key }), Vec::new())?;
        }
        Ok(())
    }

    pub(super) async fn stopped_by(&mut self, stop: Stop) -> Result<Option<End>, DriveError> {
        match stop {
            Stop::Suspended => {
                self.watch.durable(&self.head, &Status::Waiting, true);
                Ok(Some(End::Waiting))
            }
            Stop::Wanted { reason, detail, late } => {
                for done in late {
                    if matches!(done.result, OpResult::Looked(_)) {
                        continue;
                    }
                    let (body, blobs) = self.body_of(done.key, done.result);
                    self.append(done.at, body, blobs)?;
                }
                self.stop(reason, detail).await
            }
            Stop::LostLease => Err(DriveError::LostLease),
            Stop::Host(error) => Err(error.into()),
        }
    }
}
