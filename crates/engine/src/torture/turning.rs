//! Turns between two lives of a process: the run is taken back, another goes off from it and takes its place, with another
//! setting now and then, or its present state begins anew because a person changed something. Sometimes the process dies
//! while it turns.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde_json::Value;

use super::chain::below;
use super::once::newest;
use super::{Rehearse, Report, TortureError, Trial};
use crate::flow::flow;
use crate::store::CrashPlan;
use crate::turns::{Fork, Turn, points_of};
use crate::{SeededDice, Status, TurnError};

impl<W: Rehearse> Trial<W> {
    /// Turns the newest run at one of its points, if it has begun.
    pub(super) async fn turn(&self, dice: &SeededDice, report: &mut Report) -> Result<(), TortureError> {
        let dies_at = if below(dice, 3) == 0 { 1 + below(dice, 3) as u64 } else { 0 };
        let plan = Arc::new(CrashPlan::new(dies_at, below(dice, 2) == 0, false));
        let engine = self.engine(Some(Arc::clone(&plan)))?;
        let Some(run) = newest(&engine.store)? else { return Ok(()) };
        let row = engine.store.run(&run)?;
        let points = points_of(&engine, &row.name, &flow::<W>().table())?;
        let usable: Vec<String> = points
            .iter()
            .filter(|point| !point.ends && !point.taken_back)
            .map(|it| it.n.to_string())
            .collect();
        let Some(at) = usable.get(below(dice, usable.len().max(1))) else { return Ok(()) };
        let turn = Turn { at, leave_effects: true, by: "the rehearsal" };
        let counted = (report.rewinds, report.forks, report.changes);
        let turned: Result<(), TurnError> = match below(dice, 4) {
            0 => {
                report.rewinds += 1;
                engine.rewind::<W>(&row.name, turn).await.map(drop)
            }
            1 => {
                report.forks += 1;
                engine.fork::<W>(&row.name, Fork { turn, changes: &[] }).map(drop)
            }
            2 => {
                report.forks += 1;
                report.changes += 1;
                let changes = [("parallel".to_owned(), Value::from(1 + below(dice, 3)))];
                engine.fork::<W>(&row.name, Fork { turn, changes: &changes }).map(drop)
            }
            _ if matches!(row.status, Status::Finished(_)) => Ok(()),
            _ => {
                report.changes += 1;
                engine.change::<W>(&row.name, &[], "the rehearsal").await
            }
        };
        match turned {
            // A turn that died is one that was not taken, or was taken whole.
            _ if plan.dead.load(Ordering::SeqCst) => Ok(()),
            // A run is neither taken back nor changed while one inside it goes on.
            Err(TurnError::LiveChild { .. }) => {
                (report.rewinds, report.forks, report.changes) = counted;
                Ok(())
            }
            turned => Ok(turned?),
        }
    }
}
