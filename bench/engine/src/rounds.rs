//! Measuring again and again until the machine was quiet often enough: other work on it would be measured too.

use std::time::Duration;

use crate::BenchError;
use crate::probe::{Neighbours, pause};

/// Others may use this much of a core; more, and the round counts only if there is no better one.
const QUIET: f64 = 0.1;
/// At most so many times as many rounds as are wanted.
const PATIENCE: usize = 4;
const REST: Duration = Duration::from_secs(2);

/// The rounds that count, each thing that was measured in a row of its own.
pub struct Rounds<const THINGS: usize> {
    /// The measurements, in the order of the rounds.
    pub samples: [Vec<f64>; THINGS],
    /// What the reader should know about them.
    pub note: String,
}

struct Round<const THINGS: usize> {
    index: usize,
    others: f64,
    found: [f64; THINGS],
}

/// Measures until `wanted` rounds were quiet, or patience ends; the quietest of all count.
pub fn rounds<const THINGS: usize>(
    what: &str,
    wanted: usize,
    mut measure: impl FnMut(usize) -> Result<[f64; THINGS], BenchError>,
) -> Result<Rounds<THINGS>, BenchError> {
    let mut all = Vec::new();
    for index in 0..wanted * PATIENCE {
        let neighbours = Neighbours::watch();
        let found = measure(index)?;
        // Where the system does not tell, every round counts.
        let others = neighbours.cores().unwrap_or_default();
        all.push(Round { index, others, found });
        if all.iter().filter(|round| round.others <= QUIET).count() >= wanted {
            break;
        }
        if others > QUIET {
            pause(REST);
        }
    }
    Ok(choose(what, wanted, all))
}

fn choose<const THINGS: usize>(what: &str, wanted: usize, mut all: Vec<Round<THINGS>>) -> Rounds<THINGS> {
    let measured = all.len();
    all.sort_by(|one, other| one.others.total_cmp(&other.others));
    all.truncate(wanted);
    let loudest = all.last().map_or(0.0, |round| round.others);
    all.sort_by_key(|round| round.index);
    let samples = std::array::from_fn(|thing| all.iter().map(|round| round.found[thing]).collect());
    let note = format!(
        "{what}: the quietest {} of {measured} rounds; others used at most {loudest:.2} cores in them",
        all.len()
    );
    Rounds { samples, note }
}

#[cfg(test)]
mod tests;
