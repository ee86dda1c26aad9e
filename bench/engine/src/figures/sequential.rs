//! One run, one transition after the other: what the engine adds to a bare loop of one FULL transaction each.

use super::{Found, Setting, clear};
use crate::bare::Bare;
use crate::probe::Stopwatch;
use crate::report::Line;
use crate::ring::{Load, Plan, Ring};
use crate::rounds::rounds;
use crate::spread::Spread;
use crate::{BenchError, Rig, runtime};

const ROUNDS: usize = 15;
const TRANSITIONS: u32 = 1_000;

pub(super) fn measure(setting: &Setting) -> Result<Found, BenchError> {
    let folder = setting.folder("sequential")?;
    let runtime = runtime()?;
    let rig = Rig::open(&folder.join("home"))?;
    let engine = |load: Load| runtime.block_on(drive(&rig, load));
    // The first time warms up, and shows how long a record is.
    let (_, body) = engine(Load::Nothing)?;
    let mut bare = Bare::make(&folder.join("bare.db"), 1)?;
    let mut n = 0;
    bare_slice(&mut bare, &mut n, &body)?;
    let measured = rounds("rounds", ROUNDS, |round| {
        let mut rates = [0.0; 3];
        // In turn, and each time another one first: what the machine does meanwhile meets all three.
        for slot in 0..3 {
            let thing = (round + slot) % 3;
            rates[thing] = match thing {
                0 => bare_slice(&mut bare, &mut n, &body)?,
                1 => engine(Load::Nothing)?.0,
                _ => engine(Load::Step)?.0,
            };
        }
        Ok(rates)
    })?;
    drop(rig);
    clear(&folder)?;
    let [base, plain, step] = &measured.samples;
    let line = |what: &str, samples: &[f64], share| {
        Line::new(what, "/s", Spread::of(samples)).against(samples, base).at_least_of_baseline(share)
    };
    let lines = vec![
        line("transition, empty event", plain, 0.5),
        line("transition with one ledgered step", step, 0.35),
    ];
    Ok(Found { lines, notes: vec![measured.note] })
}

/// Drives a new run of the ring; transitions per second, and the text of one of its events.
async fn drive(rig: &Rig, load: Load) -> Result<(f64, String), BenchError> {
    let run = rig.start::<Ring>(&Plan { transitions: u64::from(TRANSITIONS), load })?;
    let watch = Stopwatch::start();
    rig.finish::<Ring>(&run).await?;
    let rate = f64::from(TRANSITIONS) / watch.seconds();
    Ok((rate, rig.event_text(&run)?))
}

fn bare_slice(bare: &mut Bare, n: &mut i64, body: &str) -> Result<f64, BenchError> {
    let watch = Stopwatch::start();
    for _ in 0..TRANSITIONS {
        *n += 1;
        bare.transition(0, *n, body)?;
    }
    Ok(f64::from(TRANSITIONS) / watch.seconds())
}
