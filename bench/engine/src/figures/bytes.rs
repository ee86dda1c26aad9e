//! What a transition weighs on the disk, and whether ten times the steps weigh ten times as much.

use super::{Found, Setting, clear};
use crate::report::Line;
use crate::ring::{Load, Plan, Ring};
use crate::spread::Spread;
use crate::{BenchError, Rig, runtime};

/// The short run; the long one is ten times as long.
const N: u32 = 2_000;

/// Lengths from N to 10 N, in tenths of N: just after a snapshot a run weighs more than just before it.
const TENTHS: [u32; 8] = [10, 13, 18, 25, 35, 50, 70, 100];

pub(super) fn measure(setting: &Setting) -> Result<Found, BenchError> {
    let mut lines = grow(setting, "empty", &Load::Nothing)?.lines("empty event", 300.0);
    lines.extend(grow(setting, "growing", &Load::Learn)?.lines("memory +200 B a step", 700.0));
    let note = "the range is over lengths from 2,000 to 20,000: how much of the newest snapshots a run carries depends on its length";
    Ok(Found { lines, notes: vec![note.to_owned()] })
}

/// Sizes of runs of growing length, each in a database of its own.
struct Growth {
    /// Of a database whose run has only been started.
    start: f64,
    /// Transitions and bytes.
    sizes: Vec<(f64, f64)>,
}

fn grow(setting: &Setting, name: &str, load: &Load) -> Result<Growth, BenchError> {
    let folder = setting.folder(name)?;
    let runtime = runtime()?;
    let size = |transitions: u32| {
        let rig = Rig::open(&folder.join(transitions.to_string()))?;
        let run = rig.start::<Ring>(&Plan { transitions: u64::from(transitions), load: load.clone() })?;
        if transitions > 0 {
            runtime.block_on(rig.finish::<Ring>(&run))?;
        }
        #[expect(clippy::cast_precision_loss, reason = "a file's size is far below 2^52")]
        Ok::<f64, BenchError>(rig.bytes()? as f64)
    };
    let start = size(0)?;
    let lengths = TENTHS.map(|tenths| N / 10 * tenths);
    let sizes = lengths
        .iter()
        .map(|length| Ok((f64::from(*length), size(*length)?)))
        .collect::<Result<_, BenchError>>()?;
    clear(&folder)?;
    Ok(Growth { start, sizes })
}

impl Growth {
    fn lines(&self, what: &str, limit: f64) -> Vec<Line> {
        let per_transition: Vec<f64> =
            self.sizes.iter().map(|(transitions, bytes)| bytes / transitions).collect();
        let all = Spread::of(&per_transition);
        let (first, last) = match self.sizes.as_slice() {
            [(_, first), .., (_, last)] => (*first, *last),
            _ => (f64::NAN, f64::NAN),
        };
        let net = (last - self.start) / (first - self.start);
        let mut heaviest = Line::new(format!("{what}: whole file, per transition"), "B", all).at_most(limit);
        // The heaviest length must meet it, not the middle one.
        if let Some(target) = heaviest.target.as_mut() {
            target.met = all.high <= limit;
        }
        vec![
            heaviest,
            Line::new(
                format!("{what}: file at 20,000 over file at 2,000"),
                "times",
                Spread::one(last / first),
            )
            .at_most(11.0),
            Line::new(format!("{what}: the same less the empty database"), "times", Spread::one(net)),
        ]
    }
}
