//! The crash test: dies before and after every commit of a rehearsal, recovers, and compares.
//!
//! First the rehearsal is run to its end and its commits are counted. Then, for each commit, it is run
//! again in a new home and dies just before that commit, and once more just after it: inside this process
//! for all of them, and by a real abort of another process for up to forty. Then it dies in chains: again
//! while it recovers, with another number of calls at once, and in between it is taken back, or another goes off from
//! it and takes its place. Each time it is recovered and finished, and its
//! memory and files are compared with those of the undisturbed run. Calls are counted by the other side, so
//! a call that is repeated although its receipt was durable cannot hide.

mod chain;
mod counted;
mod once;
mod turning;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

pub use counted::Counter;
pub use once::{LifeEnd, Point, Trial};

use once::{Life, Outcome};

use crate::crew::Crew;
use crate::runs::{OpenQuestion, RunsError};
use crate::store::OpenError;
use crate::{DriveError, Effects, Settings, TurnError, Work};

/// A run that can be repeated: everything the outside world would otherwise bring.
pub struct Rehearsal<W: Work> {
    /// What the run is started with.
    pub input: W::Input,
    /// Its settings.
    pub settings: Settings,
    /// Performers whose results depend on nothing but their input.
    pub effects: Effects,
    /// What a person would answer.
    pub answer: fn(&OpenQuestion) -> Value,
}

/// A workflow that can be rehearsed.
pub trait Rehearse: Work {
    /// A rehearsal with several steps in flight at once.
    fn rehearsal() -> Rehearsal<Self>;

    /// A rehearsal with runs inside it, for a process that has their workflows; none if its nodes begin none.
    fn family() -> Option<Rehearsal<Self>> {
        None
    }
}

/// How to start another process that runs [`child`] in the given folder.
pub type Spawn<'a> = &'a (dyn Fn(&Child) -> std::process::Command + Sync);

/// What a child process is to do.
#[derive(Clone, Debug)]
pub struct Child {
    /// Its folder.
    pub folder: PathBuf,
    /// The commit to die at.
    pub at: u64,
    /// After it rather than before it.
    pub after: bool,
    /// The seed of the order in which calls come back.
    pub seed: u64,
}

/// How hard a workflow is tortured beyond one crash at every commit.
#[derive(Clone, Copy, Debug)]
pub struct Rigour {
    /// The order in which calls come back, and where chains crash.
    pub seed: u64,
    /// How many chains of two to five crashes.
    pub chains: u64,
    /// Every pair of crashes too, one at a time and with up to three calls at once: for small rehearsals.
    pub pairs: bool,
}

impl Rigour {
    /// One crash at every commit and nothing more.
    pub fn single(seed: u64) -> Self {
        Self { seed, chains: 0, pairs: false }
    }
}

/// How many of the crashes are real ones.
const PROCESSES: u64 = 40;

/// What the crash test found.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The workflow.
    pub workflow: &'static str,
    /// The seed.
    pub seed: u64,
    /// Commits of the undisturbed run.
    pub commits: u64,
    /// Runs inside it.
    pub children: u64,
    /// Crashes that happened: two for each commit, and the real ones.
    pub crash_points: u64,
    /// How many of them were real aborts of a process.
    pub aborts: u64,
    /// Crashes after which the run was finished.
    pub survived: u64,
    /// Runs that were crashed again while they recovered from a crash.
    pub chains: u64,
    /// How many of them were finished after the last crash.
    pub chains_survived: u64,
    /// Crashes in all chains.
    pub chained_crashes: u64,
    /// How often a run was taken back between two crashes.
    pub rewinds: u64,
    /// Changes made between crashes: of a setting, or that the present state begins anew.
    pub changes: u64,
    /// How often another run went off from it there and was finished in its place.
    pub forks: u64,
    /// Calls repeated although their receipt was durable, counted by the other side.
    pub paid_twice: u64,
    /// Calls repeated because the crash had hidden their outcome.
    pub unknown: u64,
    /// Whether memory and files were the same every time.
    pub identical: bool,
    /// What was not as it should be, in words.
    pub findings: Vec<String>,
}

/// A crash test that could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum TortureError {
    /// The rehearsal did not end, crashed or not.
    #[error("the rehearsal did not end: {0}")]
    Baseline(String),
    /// A run could not be driven.
    #[error(transparent)]
    Drive(#[from] DriveError),
    /// A home could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A run could not be taken back, or no other could go off from it.
    #[error(transparent)]
    Turn(#[from] TurnError),
    /// A journal could not be read.
    #[error(transparent)]
    Runs(#[from] RunsError),
    /// A file or a process could not be made.
    #[error("the crash test needs a working folder and process: {0}")]
    System(#[from] std::io::Error),
}

impl Report {
    /// Whether the workflow kept every promise.
    pub fn passes(&self) -> bool {
        self.crash_points > 0
            && self.survived == self.crash_points
            && self.chains_survived == self.chains
            && self.paid_twice == 0
            && self.identical
            && self.findings.is_empty()
    }

    fn new(workflow: &'static str, seed: u64, commits: u64) -> Self {
        Self {
            workflow,
            seed,
            commits,
            children: 0,
            crash_points: 0,
            aborts: 0,
            survived: 0,
            chains: 0,
            chains_survived: 0,
            chained_crashes: 0,
            rewinds: 0,
            changes: 0,
            forks: 0,
            paid_twice: 0,
            unknown: 0,
            identical: true,
            findings: Vec::new(),
        }
    }

    /// Compares how a finished run ended; of one that was `turned`, what it has learnt.
    fn compare<W: Rehearse>(
        &mut self,
        trial: &Trial<W>,
        wanted: &Outcome,
        name: &str,
        turned: bool,
    ) -> Result<(), TortureError> {
        let outcome = trial.outcome()?;
        let difference = match turned {
            true => wanted.learnt().difference(&outcome.learnt()),
            false => wanted.difference(&outcome),
        };
        if let Some(difference) = difference {
            self.identical = false;
            self.findings.push(format!("{name}: {difference}"));
        }
        Ok(())
    }

    fn count(&mut self, life: &Life) {
        self.paid_twice += life.paid_twice;
        self.unknown += life.unknown;
    }
}

/// Tortures a workflow in a folder of its own. `spawn` starts the processes that are really killed.
pub async fn torture<W: Rehearse>(
    folder: &Path,
    rigour: Rigour,
    spawn: Option<Spawn<'_>>,
) -> Result<Report, TortureError> {
    torture_family::<W>(folder, rigour, spawn, None).await
}

/// The same with runs inside it, where the workflow rehearses any and somebody can begin them.
pub async fn torture_family<W: Rehearse>(
    folder: &Path,
    rigour: Rigour,
    spawn: Option<Spawn<'_>>,
    crew: Option<Arc<dyn Crew>>,
) -> Result<Report, TortureError> {
    let seed = rigour.seed;
    let home = |name: &str| Trial::<W>::new(folder.join(name), seed, crew.clone());
    let baseline = home("undisturbed");
    let commits = baseline.count_commits().await?;
    let wanted = baseline.outcome()?;
    let mut report = Report::new(W::NAME, seed, commits);
    report.children = baseline.children()?;
    for point in (1..=commits).flat_map(|at| [false, true].map(|after| Point { at, after })) {
        let trial = home(&point.to_string());
        if trial.live(Some(point)).await?.ending == LifeEnd::Crashed {
            recover(&trial, &wanted, &point.to_string(), &mut report).await?;
        }
    }
    if let Some(spawn) = spawn {
        for number in evenly(commits * 2, PROCESSES) {
            let point = Point { at: number / 2 + 1, after: number % 2 == 1 };
            let name = format!("abort-{point}");
            let trial = home(&name);
            if trial.crash_outside(point, spawn)? {
                report.aborts += 1;
                recover(&trial, &wanted, &name, &mut report).await?;
            }
        }
    }
    chain::chains::<W>(folder, rigour, crew.as_ref(), &wanted, &mut report).await?;
    if rigour.pairs {
        chain::pairs::<W>(folder, seed, &wanted, &mut report).await?;
    }
    Ok(report)
}

/// What a child process does: runs the rehearsal and dies where it was told to.
pub async fn child<W: Rehearse>(child: &Child, crew: Option<Arc<dyn Crew>>) -> Result<LifeEnd, TortureError> {
    Trial::<W>::new(child.folder.clone(), child.seed, crew).die_for_real(child.at, child.after).await
}

async fn recover<W: Rehearse>(
    trial: &Trial<W>,
    wanted: &Outcome,
    name: &str,
    report: &mut Report,
) -> Result<(), TortureError> {
    report.crash_points += 1;
    match trial.live(None).await {
        Ok(life) => {
            report.survived += 1;
            report.count(&life);
            report.compare(trial, wanted, name, false)
        }
        Err(error) => {
            report.findings.push(format!("{name}: {error}"));
            Ok(())
        }
    }
}

/// Up to `most` numbers below `count`, spread evenly, the first and the last among them.
fn evenly(count: u64, most: u64) -> Vec<u64> {
    let take = count.min(most);
    let last = count.saturating_sub(1);
    let mut points: Vec<u64> =
        (0..take).map(|index| if take < 2 { 0 } else { index * last / (take - 1) }).collect();
    points.dedup();
    points
}

#[cfg(test)]
mod tests {
    use super::evenly;

    #[test]
    fn points_are_spread_over_the_whole_range() {
        assert_eq!(evenly(5, 40), [0, 1, 2, 3, 4]);
        assert_eq!(evenly(100, 3), [0, 49, 99]);
        assert_eq!(evenly(1, 40), [0]);
        assert!(evenly(0, 40).is_empty());
    }
}
