//! The crash test: dies before and after every commit of a rehearsal, recovers, and compares.
//!
//! First the rehearsal is run to its end and its commits are counted. Then, for each commit, it is run
//! again in a new home and dies just before that commit, and once more just after it: inside this process
//! for all of them, and by a real abort of another process for up to forty. Each time it is recovered and
//! finished, and its memory and files are compared with those of the undisturbed run. Calls are counted by
//! the other side, so a call that is repeated although its receipt was durable cannot hide.

mod counted;
mod once;

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

pub use counted::Counter;
pub use once::{Ending, Trial};

use crate::store::{OpenQuestion, StoreError};
use crate::{DriveError, Effects, Settings, Work};

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
    /// Crashes that happened: two for each commit, and the real ones.
    pub crash_points: u64,
    /// How many of them were real aborts of a process.
    pub aborts: u64,
    /// Crashes after which the run was finished.
    pub survived: u64,
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
    /// The undisturbed run did not end.
    #[error("the undisturbed rehearsal did not end: {0}")]
    Baseline(String),
    /// A run could not be driven.
    #[error(transparent)]
    Drive(#[from] DriveError),
    /// A journal could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file or a process could not be made.
    #[error("the crash test needs a working folder and process: {0}")]
    System(#[from] std::io::Error),
}

/// Tortures a workflow in a folder of its own. `spawn` starts the processes that are really killed.
pub async fn torture<W: Rehearse>(
    folder: &Path,
    seed: u64,
    spawn: Option<Spawn<'_>>,
) -> Result<Report, TortureError> {
    let baseline = Trial::<W>::new(folder.join("undisturbed"), seed);
    let commits = baseline.count_commits().await?;
    let wanted = baseline.outcome()?;
    let mut report = Report {
        workflow: W::NAME,
        seed,
        commits,
        crash_points: 0,
        aborts: 0,
        survived: 0,
        paid_twice: 0,
        unknown: 0,
        identical: true,
        findings: Vec::new(),
    };
    for at in 1..=commits {
        for after in [false, true] {
            let name = format!("{at}-{}", if after { "after" } else { "before" });
            let trial = Trial::<W>::new(folder.join(&name), seed);
            if trial.crash_inside(at, after).await? {
                recover(&trial, &wanted, &name, &mut report).await?;
            }
        }
    }
    if let Some(spawn) = spawn {
        for point in evenly(commits * 2, PROCESSES) {
            let (at, after) = (point / 2 + 1, point % 2 == 1);
            let name = format!("abort-{at}-{}", if after { "after" } else { "before" });
            let trial = Trial::<W>::new(folder.join(&name), seed);
            if trial.crash_outside(at, after, spawn)? {
                report.aborts += 1;
                recover(&trial, &wanted, &name, &mut report).await?;
            }
        }
    }
    Ok(report)
}

/// What a child process does: runs the rehearsal and dies where it was told to.
pub async fn child<W: Rehearse>(child: &Child) -> Result<Ending, TortureError> {
    Trial::<W>::new(child.folder.clone(), child.seed).die_for_real(child.at, child.after).await
}

async fn recover<W: Rehearse>(
    trial: &Trial<W>,
    wanted: &once::Outcome,
    name: &str,
    report: &mut Report,
) -> Result<(), TortureError> {
    report.crash_points += 1;
    let recovery = match trial.recover().await {
        Ok(recovery) => recovery,
        Err(error) => {
            report.findings.push(format!("{name}: {error}"));
            return Ok(());
        }
    };
    report.survived += 1;
    report.paid_twice += recovery.paid_twice;
    report.unknown += recovery.unknown;
    if let Some(difference) = wanted.difference(&trial.outcome()?) {
        report.identical = false;
        report.findings.push(format!("{name}: {difference}"));
    }
    Ok(())
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
