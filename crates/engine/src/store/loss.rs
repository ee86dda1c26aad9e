//! Comparing what the journal holds with what the anchor says it held, and going on without what is gone.

use std::path::{Path, PathBuf};

use super::anchor::{self, AnchorRow, Name, Reached};
use super::read::run_id;
use super::verify::Walk;
use super::{OpenError, Store};
use crate::driver::Snapshot;
use crate::host::HostError;
use crate::runs::{Loss, RunsError, cost, count};
use crate::{RunId, Spend};

/// A run set back by somebody else while we look is looked at again so often.
const LOOKS: usize = 5;

impl Store {
    /// Walks a run's chain and compares it with the anchor.
    pub(super) fn compared(
        &self,
        run: &RunId,
        snapshots: &[Snapshot],
    ) -> Result<(Walk, Option<Loss>, Option<Loss>), RunsError> {
        // The anchor first: what is committed meanwhile only puts the database further ahead.
        let mut before = self.reached(run)?;
        let mut looks = 0;
        loop {
            looks += 1;
            let walk = self.walk(run, snapshots.to_vec(), before.map_or(0, |reached| reached.n))?;
            let Some(reached) = before else { return Ok((walk, None, None)) };
            let Some(loss) = self.loss(run, &walk, &reached)? else {
                let accepted = (reached.n == walk.records).then(|| accepted(run, &reached)).flatten();
                return Ok((walk, None, accepted));
            };
            let now = self.reached(run)?;
            if now == before || looks == LOOKS {
                return Ok((walk, Some(loss), None));
            }
            before = now;
        }
    }

    fn reached(&self, run: &RunId) -> Result<Option<Reached>, RunsError> {
        let row = self.read(|connection| run_id(connection, run))?;
        row.map_or(Ok(None), |row| Ok(self.anchor().read(row)?.of_run(run)))
    }

    fn loss(&self, run: &RunId, walk: &Walk, reached: &Reached) -> Result<Option<Loss>, RunsError> {
        let replaced = match (&walk.damage, reached.n > walk.records) {
            // Whole records behind damaged ones: that is told by itself, and nothing can be accepted there.
            (Some(damage), _) if !damage.is_last => return Ok(None),
            // The last record is there and torn: the run is rolled back by one.
            (Some(damage), true) if damage.n == reached.n => return Ok(None),
            (_, true) => false,
            (_, false) if walk.marked == Some(reached.hash) => return Ok(None),
            (_, false) => true,
        };
        let kept = if replaced { reached.n.saturating_sub(1) } else { walk.records };
        let spent = reached.spent.minus(self.run(run)?.spent);
        Ok(Some(Loss { run: run.clone(), kept, reached: reached.n, replaced, spent }))
    }

    /// Runs of which nothing is left but what the anchor says.
    pub fn lost_runs(&self) -> Result<Vec<Loss>, RunsError> {
        let anchored = self.anchor().all()?;
        let mut lost = Vec::new();
        for reached in anchored.into_iter().filter_map(|(_, said)| said.reached()) {
            let run = reached.name.run();
            if self.read(|connection| run_id(connection, &run))?.is_none() {
                lost.push(wholly(&reached));
            }
        }
        Ok(lost)
    }

    /// Runs whose heads in the anchor cannot be read, so that nothing can be said of their end.
    pub fn unanchored(&self) -> Result<Vec<RunId>, RunsError> {
        let mut names = Vec::new();
        for (row, said) in self.anchor().all()? {
            if said == AnchorRow::Unreadable {
                let sql = "SELECT name FROM run WHERE id = ?1";
                let name = self.read(|connection| {
                    connection
                        .prepare(sql)?
                        .query_map([row], |row| row.get(0))?
                        .collect::<rusqlite::Result<Vec<_>>>()
                })?;
                names.extend(name.into_iter().map(RunId));
            }
        }
        Ok(names)
    }

    /// There is no such run; if there was one, that is told.
    pub(super) fn no_run(&self, typed: &str) -> RunsError {
        let lost = self.lost_runs().unwrap_or_default();
        let meant = |loss: &Loss| !typed.is_empty() && loss.run.0.starts_with(typed);
        match lost.into_iter().find(meant) {
            Some(loss) => RunsError::Lost(loss),
            None => RunsError::NoRun(typed.to_owned()),
        }
    }

    /// The newest run, unless a newer one is gone.
    pub(super) fn refuse_lost_after(&self, row: i64) -> Result<(), RunsError> {
        let last = self.anchor().last_row()?;
        if last <= row {
            return Ok(());
        }
        let AnchorRow::Reached(reached) = self.anchor().read(last)? else { return Ok(()) };
        match self.read(|connection| run_id(connection, &reached.name.run()))? {
            Some(_) => Ok(()),
            None => Err(RunsError::Lost(wholly(&reached))),
        }
    }

    /// Goes on from what there is: the anchor is set to the journal's present end. What was lost, if anything was.
    pub async fn accept_loss(&self, run: &RunId) -> Result<Option<Loss>, RunsError> {
        let Some(row) = self.read(|connection| run_id(connection, run))? else {
            return self.forget(run);
        };
        // Nobody else may drive it meanwhile.
        let lease = self.lease(run).await?;
        let (walk, loss, accepted) = self.compared(run, &[])?;
        if accepted.is_none() {
            let mut reached = Reached::at(Name::from(run), walk.records, walk.head, self.run(run)?.spent);
            reached.lost = loss.as_ref().map_or((0, Spend::NONE), |loss| (loss.reached, loss.spent));
            self.anchor().set(row, &reached)?;
            self.anchor().sync()?;
        }
        lease.release().await;
        Ok(loss)
    }

    fn forget(&self, run: &RunId) -> Result<Option<Loss>, RunsError> {
        for (row, said) in self.anchor().all()? {
            if let Some(reached) = said.of_run(run) {
                self.anchor().clear(row)?;
                self.anchor().sync()?;
                return Ok(Some(wholly(&reached)));
            }
        }
        Err(RunsError::NoRun(run.0.clone()))
    }

    /// Begins a home anew whose database is empty: what the anchor says of it is put aside, and where.
    pub fn accept_empty(home: &Path) -> Result<PathBuf, HostError> {
        let (from, mut aside) = (anchor::path(home), anchor::path(home).with_extension("anchor-lost"));
        for number in 2.. {
            if !aside.exists() {
                break;
            }
            aside = from.with_extension(format!("anchor-lost-{number}"));
        }
        std::fs::rename(&from, &aside)
            .map_err(|error| HostError::file("putting the anchor aside", &error))?;
        Ok(aside)
    }
}

/// Refuses a database that is empty although runs were kept in it: SQLite would begin a new one in silence.
pub(super) fn refuse_empty(home: &Path, file: &Path) -> Result<(), OpenError> {
    if std::fs::metadata(file).is_ok_and(|about| about.len() > 0) {
        return Ok(());
    }
    let kept = anchor::look(home)?;
    if kept.is_empty() {
        return Ok(());
    }
    let spent = kept.iter().fold(Spend::NONE, |sum, reached| sum.plus(reached.spent));
    let records = kept.iter().map(|reached| reached.n).sum();
    let names: Vec<String> = kept.iter().rev().take(5).map(|reached| reached.name.run().0).collect();
    let more = if kept.len() > names.len() { ", ..." } else { "" };
    Err(OpenError::Emptied {
        file: file.display().to_string(),
        what: format!(
            "{} with {} ({}{more}); {}",
            count(kept.len() as u64, "run"),
            count(records, "record"),
            names.join(", "),
            cost(spent)
        ),
    })
}

fn wholly(reached: &Reached) -> Loss {
    let Reached { name, n, spent, .. } = *reached;
    Loss { run: name.run(), kept: 0, reached: n, replaced: false, spent }
}

/// A loss a person has accepted and the journal does not tell of yet.
fn accepted(run: &RunId, reached: &Reached) -> Option<Loss> {
    let (to, spent) = reached.lost;
    (to > 0).then(|| Loss {
        run: run.clone(),
        kept: reached.n.min(to.saturating_sub(1)),
        reached: to,
        replaced: to <= reached.n,
        spent,
    })
}
