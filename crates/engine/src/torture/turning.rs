//! Turns between two lives of a process: the run is taken back, or another goes off from it and takes its place. Now and
//! then the process dies while it turns.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::chain::below;
use super::{Rehearse, Report, TortureError, Trial};
use crate::flow::flow;
use crate::store::CrashPlan;
use crate::turns::{Fork, Turn, points_of};
use crate::{SeededDice, TurnError};

impl<W: Rehearse> Trial<W> {
    /// Turns the newest run at one of its points, if it has begun.
    pub(super) async fn turn(&self, dice: &SeededDice, report: &mut Report) -> Result<(), TortureError> {
        let dies_at = if below(dice, 3) == 0 { 1 + below(dice, 3) as u64 } else { 0 };
        let plan = Arc::new(CrashPlan::new(dies_at, below(dice, 2) == 0, false));
        let engine = self.engine(Some(Arc::clone(&plan)))?;
        let Some(row) = engine.store.runs(Some(1))?.pop() else { return Ok(()) };
        let points = points_of(&engine, &row.name, &flow::<W>().table())?;
        let usable: Vec<String> = points
            .iter()
            .filter(|point| !point.ends && !point.taken_back)
            .map(|it| it.n.to_string())
            .collect();
        let Some(at) = usable.get(below(dice, usable.len().max(1))) else { return Ok(()) };
        let turn = Turn { at, leave_effects: true, by: "the rehearsal" };
        let turned: Result<(), TurnError> = if below(dice, 2) == 0 {
            report.rewinds += 1;
            engine.rewind::<W>(&row.name, turn).await.map(drop)
        } else {
            report.forks += 1;
            engine.fork::<W>(&row.name, Fork { turn, changes: &[] }).map(drop)
        };
        // A turn that died is one that was not taken, or was taken whole.
        if plan.dead.load(Ordering::SeqCst) { Ok(()) } else { Ok(turned?) }
    }
}
