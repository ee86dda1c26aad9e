//! Crashes in chains: a run dies, and dies again while it recovers, before it may finish.

use std::path::Path;
use std::sync::Arc;

use super::once::Outcome;
use super::{LifeEnd, Point, Rehearse, Report, Rigour, TortureError, Trial};
use crate::crew::Crew;
use crate::{Dice, SeededDice};

/// The number of calls at once that chains try beside the rehearsal's own.
const PARALLEL: [u32; 3] = [1, 2, 3];

/// How many findings are told in words; more would only repeat them.
const TOLD: usize = 20;

/// Chains whose length, places and number of calls at once follow from the seed.
pub(super) async fn chains<W: Rehearse>(
    folder: &Path,
    rigour: Rigour,
    crew: Option<&Arc<dyn Crew>>,
    wanted: &Outcome,
    report: &mut Report,
) -> Result<(), TortureError> {
    for number in 0..rigour.chains {
        let dice = SeededDice::new(rigour.seed.wrapping_mul(1_000_003).wrapping_add(number));
        let parallel = PARALLEL.get(below(&dice, 4)).copied();
        let points = points(&dice, report.commits);
        let name = format!("chain-{number}");
        let trial = Trial::<W>::new(folder.join(&name), dice.roll(), crew.cloned()).parallel(parallel);
        chain(&trial, &points, Some(&dice), wanted, &name, report).await?;
    }
    Ok(())
}

/// Every pair of crashes: one at each commit, the second at each commit of the recovery from the first.
pub(super) async fn pairs<W: Rehearse>(
    folder: &Path,
    seed: u64,
    wanted: &Outcome,
    report: &mut Report,
) -> Result<(), TortureError> {
    for parallel in PARALLEL {
        for first in (1..).flat_map(both) {
            let mut reached = true;
            for second in (1..).flat_map(both) {
                let name = format!("pair-{parallel}-{first}-{second}");
                let trial = Trial::<W>::new(folder.join(&name), seed, None).parallel(Some(parallel));
                let crashes = chain(&trial, &[first, second], None, wanted, &name, report).await?;
                if crashes < 2 {
                    reached = crashes == 1;
                    break;
                }
            }
            if !reached {
                break;
            }
        }
    }
    Ok(())
}

fn both(at: u64) -> [Point; 2] {
    [false, true].map(|after| Point { at, after })
}

/// Lives one after the other, each ended at its point, and a last one that may finish. With dice the run is turned in
/// between, now and then. Gives how many crashed.
async fn chain<W: Rehearse>(
    trial: &Trial<W>,
    points: &[Point],
    dice: Option<&SeededDice>,
    wanted: &Outcome,
    name: &str,
    report: &mut Report,
) -> Result<usize, TortureError> {
    let words = || points.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let mut crashes = 0;
    let turns = (report.rewinds, report.forks, report.changes);
    report.chains += 1;
    for point in points.iter().copied().map(Some).chain([None]) {
        let life = match trial.live(point).await {
            Ok(life) => life,
            Err(error) => {
                if report.findings.len() < TOLD {
                    report.findings.push(format!("{name} (crashes at {}): {error}", words()));
                }
                return Ok(crashes);
            }
        };
        report.count(&life);
        if life.ending == LifeEnd::Finished {
            break;
        }
        crashes += 1;
        report.chained_crashes += 1;
        if let Some(dice) = dice.filter(|dice| below(dice, 3) == 0) {
            trial.turn(dice, report).await?;
        }
    }
    report.chains_survived += 1;
    let turned = (report.rewinds, report.forks, report.changes) != turns;
    report.compare(trial, wanted, name, turned)?;
    trial.clean()?;
    Ok(crashes)
}

/// Two to five crashes: the first anywhere, most of the others within the first commits of a recovery.
fn points(dice: &SeededDice, commits: u64) -> Vec<Point> {
    let most = usize::try_from(commits).unwrap_or(usize::MAX).max(1);
    (0..2 + below(dice, 4))
        .map(|number| {
            let soon = number > 0 && below(dice, 4) > 0;
            let at = 1 + below(dice, if soon { 6 } else { most }) as u64;
            Point { at, after: below(dice, 2) == 1 }
        })
        .collect()
}

pub(super) fn below(dice: &SeededDice, count: usize) -> usize {
    (dice.roll() % count as u64) as usize
}
