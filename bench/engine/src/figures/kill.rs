//! Kills the process again and again while it drives one run, and looks what was lost and what was done twice.
//!
//! The witnesses are outside the engine: a file to which every step appends its key, and a file to which the
//! driving process writes the number of each record it was told is durable.

mod tally;

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use baton_engine::driver::Watch;
use baton_engine::record::Body;
use baton_engine::{Dice, Drive, End, Head, RunId, SeededDice, Status, Work};
use baton_machine::Outcome;

use super::{Found, Setting, child, clear};
use crate::probe::{Stopwatch, pause};
use crate::report::Line;
use crate::ring::{Load, Plan, Ring};
use crate::spread::Spread;
use crate::{BenchError, Rig, runtime};
use tally::{Cut, Tally};

/// The task of the child that is killed.
pub(super) const TASK: &str = "drive";

const TRANSITIONS: usize = 2_000;
const KILLS: usize = 300;
/// One kill in so many comes, in addition, while the child still opens the run.
const EARLY: usize = 8;
/// Transitions the child makes, about, between the moment it is to die and its death.
const OVERSHOOT: usize = 3;
const PATIENCE: f64 = 60.0;

struct Scene {
    home: PathBuf,
    run: RunId,
    marks: PathBuf,
    told: PathBuf,
    dice: SeededDice,
}

pub(super) fn measure(setting: &Setting) -> Result<Found, BenchError> {
    let folder = setting.folder("kill")?;
    let (home, marks, told) = (folder.join("home"), folder.join("marks"), folder.join("told"));
    File::create(&marks)?;
    File::create(&told)?;
    let plan = Plan { transitions: TRANSITIONS as u64, load: Load::Mark(marks.clone()) };
    let run = Rig::open(&home)?.start::<Ring>(&plan)?;
    let scene = Scene { home, run, marks, told, dice: SeededDice::new(setting.seed) };

    let mut cuts = Vec::new();
    let mut early = 0;
    for kill in 0..KILLS {
        if kill % EARLY == EARLY - 1 {
            scene.kill_while_opening()?;
            cuts.push(scene.look()?);
            early += 1;
        }
        scene.kill_at_work(KILLS - kill)?;
        cuts.push(scene.look()?);
    }
    let last = scene.spawn()?.wait()?;
    if !last.success() {
        return Err(BenchError::Void(format!("the last process ended with {last}")));
    }
    let tally = scene.tally(&cuts)?;
    clear(&folder)?;
    Ok(Found {
        lines: lines(&tally),
        notes: vec![format!("{early} more kills came while the process still opened the run")],
    })
}

fn lines(tally: &Tally) -> Vec<Line> {
    #[expect(clippy::cast_precision_loss, reason = "small counts")]
    let count = |what: &str, unit, number: usize| Line::new(what, unit, Spread::one(number as f64));
    vec![
        count("SIGKILLs while 2,000 transitions were driven", "kills", KILLS).exactly(300.0),
        count("records lost that were said to be durable", "records", tally.lost).exactly(0.0),
        count("steps missing at the end", "steps", tally.missing).exactly(0.0),
        count("deepest rewind: steps done again after one kill", "steps", tally.deepest).at_most(1.0),
        count("steps done again although their receipt was durable", "steps", tally.paid_twice).exactly(0.0),
        count("steps done again because a kill hid their outcome", "steps", tally.extra),
        count("outcomes the journal calls unknown, done or not", "steps", tally.unknown),
    ]
}

impl Scene {
    fn spawn(&self) -> Result<Child, BenchError> {
        let words = [self.home.as_os_str(), self.run.as_str().as_ref(), self.told.as_os_str()];
        Ok(child::command(TASK, &words)?.stdout(Stdio::null()).stderr(Stdio::inherit()).spawn()?)
    }

    /// A number from 0 to `most`.
    fn roll(&self, most: usize) -> usize {
        usize::try_from(self.dice.roll() % (most as u64 + 1)).unwrap_or_default()
    }

    fn pause_up_to(&self, micros: usize) {
        pause(Duration::from_micros(self.roll(micros) as u64));
    }

    fn kill_while_opening(&self) -> Result<(), BenchError> {
        let mut process = self.spawn()?;
        self.pause_up_to(5_000);
        kill(&mut process)
    }

    /// Kills after a random number of further transitions, at a random moment between two of them.
    fn kill_at_work(&self, kills_left: usize) -> Result<(), BenchError> {
        let done = lines_of(&self.marks)?.len();
        let share = TRANSITIONS.saturating_sub(done) / (kills_left + 1);
        let wanted = done + 1 + self.roll(2 * share.saturating_sub(OVERSHOOT));
        let mut process = self.spawn()?;
        let watch = Stopwatch::start();
        while lines_of(&self.marks)?.len() < wanted {
            if let Some(status) = process.try_wait()? {
                return Err(BenchError::Void(format!(
                    "the process ended with {status} before it was killed"
                )));
            }
            if watch.seconds() > PATIENCE {
                kill(&mut process)?;
                return Err(BenchError::Void("the process does not get on".to_owned()));
            }
            pause(Duration::from_micros(50));
        }
        self.pause_up_to(600);
        kill(&mut process)
    }

    /// What there is right after a kill.
    fn look(&self) -> Result<Cut, BenchError> {
        let marks = lines_of(&self.marks)?.len();
        let told = lines_of(&self.told)?.iter().filter_map(|line| line.parse().ok()).max().unwrap_or(0);
        let verified = Rig::open(&self.home)?.engine.store.verify(&self.run)?;
        if let Some(loss) = verified.loss {
            return Err(BenchError::Void(format!("a false alarm: {loss}")));
        }
        match verified.damage {
            None => Ok(Cut { marks, told, records: verified.records }),
            Some(damage) => Err(BenchError::Void(format!("record {} is damaged: {}", damage.n, damage.what))),
        }
    }

    fn tally(&self, cuts: &[Cut]) -> Result<Tally, BenchError> {
        let rig = Rig::open(&self.home)?;
        let status = rig.engine.store.run(&self.run)?.status;
        if status != Status::Finished(Outcome::Completed) {
            return Err(BenchError::Void(format!("the run ended as {status:?}")));
        }
        let (mut receipts, mut unknown, mut moves) = (BTreeMap::new(), 0, 0);
        for stored in rig.engine.store.records(&self.run, 1)? {
            match stored.open()?.body {
                Body::Receipt(receipt) => {
                    receipts.insert(receipt.key.to_string(), stored.n);
                }
                Body::Unknown(_) => unknown += 1,
                Body::Event(happened) if happened.from != happened.to => moves += 1,
                _ => {}
            }
        }
        // One more than the transitions: the move to the end.
        if moves != TRANSITIONS + 1 {
            return Err(BenchError::Void(format!("the journal has {moves} moves")));
        }
        Ok(Tally::of(&lines_of(&self.marks)?, cuts, &receipts, TRANSITIONS, unknown))
    }
}

fn kill(process: &mut Child) -> Result<(), BenchError> {
    process.kill()?;
    let status = process.wait()?;
    // A process that ended by itself was not killed.
    if status.code().is_none() {
        Ok(())
    } else {
        Err(BenchError::Void(format!("the process ended with {status} before it was killed")))
    }
}

/// The whole lines of a file: what follows the last line's end was cut off by the kill.
fn lines_of(file: &Path) -> Result<Vec<String>, BenchError> {
    let text = std::fs::read_to_string(file)?;
    Ok(text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')).map(str::to_owned).collect())
}

/// What the child does: drives the run, and writes down every record it is told is durable.
pub(super) fn drive(home: &Path, run: &RunId, told: &Path) -> Result<(), BenchError> {
    let rig = Rig::open(home)?;
    let mut watch = Told { file: OpenOptions::new().append(true).open(told)?, failed: None };
    let end = runtime()?.block_on(rig.engine.drive::<Ring>(run, Drive::default(), &mut watch))?;
    if let Some(error) = watch.failed {
        return Err(error.into());
    }
    if end == End::Finished(Outcome::Completed) {
        Ok(())
    } else {
        Err(BenchError::Void(format!("the run ended with {end:?}")))
    }
}

struct Told {
    file: File,
    failed: Option<std::io::Error>,
}

impl<W: Work> Watch<W> for Told {
    fn durable(&mut self, head: &Head<W>, _status: &Status, _last: bool) {
        if let Err(error) = self.file.write_all(format!("{}\n", head.n).as_bytes()) {
            self.failed = Some(error);
        }
    }
}
