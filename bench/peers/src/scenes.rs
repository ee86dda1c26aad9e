//! What is compared: speed in turn, kills, a renamed waiting node, two processes, a growing log.

use std::path::{Path, PathBuf};
use std::time::Duration;

use baton_bench_engine::probe::pause;
use baton_bench_engine::spread::Spread;
use baton_bench_engine::{BenchError, report};
use baton_engine::{Dice, SeededDice};
use serde_json::Value;

use crate::contestant::{Contestant, said};
use crate::environment::Environment;
use crate::table::{Fact, Line, Results};

/// How much of everything.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    rounds: usize,
    steps: u32,
    runs: u32,
    each: u32,
    marks: u32,
    kills: usize,
    grown: u32,
}

impl Scale {
    /// What is published.
    pub const FULL: Self =
        Self { rounds: 5, steps: 2_000, runs: 256, each: 40, marks: 2_000, kills: 10, grown: 1_000 };
    /// To see that it works.
    pub const QUICK: Self =
        Self { rounds: 1, steps: 200, runs: 16, each: 10, marks: 300, kills: 2, grown: 100 };
}

/// Where it is played.
pub struct Stage {
    /// The peers' environment.
    pub environment: Environment,
    /// A folder for databases.
    pub dir: PathBuf,
    /// How much of everything.
    pub scale: Scale,
}

impl Stage {
    fn folder(&self, name: &str) -> Result<PathBuf, BenchError> {
        let folder = self.dir.join(name);
        if folder.exists() {
            std::fs::remove_dir_all(&folder)?;
        }
        std::fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    fn ask(&self, who: Contestant, task: &str, folder: &Path, words: &[String]) -> Result<Value, BenchError> {
        who.ask(&self.environment, task, folder, words)
    }

    /// The number a task reports under this name.
    fn number(&self, who: Contestant, task: &str, words: &[String], name: &str) -> Result<f64, BenchError> {
        let folder = self.folder("turn")?;
        let value = self.ask(who, task, &folder, words)?;
        std::fs::remove_dir_all(&folder)?;
        value[name]
            .as_f64()
            .ok_or_else(|| BenchError::Void(format!("{} did not report its {name}", who.name())))
    }
}

/// Plays all of it.
pub fn play(stage: &Stage, found: &mut Results) -> Result<(), BenchError> {
    speed(stage, found)?;
    crowd(stage, found)?;
    growth(stage, found)?;
    killing(stage, found)?;
    renaming(stage, found)?;
    doubling(stage, found)
}

/// Measures each contestant in turn, round after round, beginning with another each time.
fn in_turn(
    rounds: usize,
    who: &[(&'static str, Contestant, &'static str)],
    mut measure: impl FnMut(Contestant, &str) -> Result<f64, BenchError>,
) -> Result<Vec<Vec<f64>>, BenchError> {
    let mut samples = vec![Vec::new(); who.len()];
    for round in 0..rounds {
        for slot in 0..who.len() {
            let index = (round + slot) % who.len();
            let (_, contestant, task) = who[index];
            samples[index].push(measure(contestant, task)?);
        }
    }
    Ok(samples)
}

fn speed(stage: &Stage, found: &mut Results) -> Result<(), BenchError> {
    report::complain("one run");
    let steps = stage.scale.steps;
    let who = [
        ("Baton, transition", Contestant::Baton, "single"),
        ("Baton, transition with a ledgered step", Contestant::Baton, "single-step"),
        ("LangGraph sync", Contestant::LangGraph, "single"),
        ("DBOS SQLite", Contestant::Dbos, "single"),
        ("bare loop", Contestant::Bare, "single"),
    ];
    let words = [steps.to_string()];
    let rate = |who, task: &str| Ok(f64::from(steps) / stage.number(who, task, &words, "seconds")?);
    let samples = in_turn(stage.scale.rounds, &who, rate)?;
    for ((name, ..), samples) in who.iter().zip(&samples) {
        found.lines.push(Line::new("one run, transitions per second", name, "/s", Spread::of(samples)));
    }
    Ok(())
}

fn crowd(stage: &Stage, found: &mut Results) -> Result<(), BenchError> {
    report::complain("many runs at once");
    let Scale { runs, each, .. } = stage.scale;
    let who = [("Baton", Contestant::Baton, "many"), ("LangGraph sync", Contestant::LangGraph, "many")];
    let words = [runs.to_string(), each.to_string()];
    let rate = |who, task: &str| Ok(f64::from(runs * each) / stage.number(who, task, &words, "seconds")?);
    let samples = in_turn(stage.scale.rounds.min(3), &who, rate)?;
    let what = format!("{runs} runs at once, transitions per second");
    for ((name, ..), samples) in who.iter().zip(&samples) {
        found.lines.push(Line::new(&what, name, "/s", Spread::of(samples)));
    }
    Ok(())
}

fn growth(stage: &Stage, found: &mut Results) -> Result<(), BenchError> {
    report::complain("a growing log");
    let steps = stage.scale.grown;
    let who = [("Baton", Contestant::Baton, "grow"), ("LangGraph sync", Contestant::LangGraph, "grow")];
    let words = [steps.to_string()];
    let bytes = |who, task: &str| Ok(stage.number(who, task, &words, "bytes")? / f64::from(steps));
    let samples = in_turn(stage.scale.rounds.min(3), &who, bytes)?;
    let what = format!("bytes per transition, a log that grows by 200 bytes in each of {steps}");
    for ((name, ..), samples) in who.iter().zip(&samples) {
        found.lines.push(Line::new(&what, name, "B", Spread::of(samples)).less_is_more());
    }
    Ok(())
}

/// Kills the process that drives a run that marks a file, again and again, and counts what was done twice.
fn killing(stage: &Stage, found: &mut Results) -> Result<(), BenchError> {
    let Scale { marks, kills, .. } = stage.scale;
    let who = [
        ("Baton", Contestant::Baton, "mark"),
        ("LangGraph sync", Contestant::LangGraph, "mark"),
        ("LangGraph as it comes (async)", Contestant::LangGraph, "mark-default"),
        ("DBOS SQLite", Contestant::Dbos, "mark"),
    ];
    for (name, who, task) in who {
        report::complain(&format!("kill -9: {name}"));
        let folder = stage.folder("kill")?;
        let file = folder.join("marks");
        std::fs::write(&file, "")?;
        let dice = SeededDice::new(7);
        let words = [marks.to_string(), file.display().to_string()];
        let mut deepest = 0;
        for kill in 0..kills {
            // Somewhere in the part that is its turn.
            let share = marks as usize / (kills + 1);
            let wanted = kill * share + 1 + usize::try_from(dice.roll() % share as u64).unwrap_or(0);
            let before = lines(&file)?;
            let mut child = who.begin(&stage.environment, task, &folder, &words)?;
            while lines(&file)?.len() < wanted.max(before.len() + 1) {
                if child.try_wait()?.is_some() {
                    break;
                }
                pause(Duration::from_micros(200));
            }
            child.kill()?;
            child.wait()?;
            deepest = deepest.max(rewind(&before, &lines(&file)?));
        }
        let before = lines(&file)?;
        said(who, task, who.begin(&stage.environment, task, &folder, &words)?)?;
        let all = lines(&file)?;
        deepest = deepest.max(rewind(&before, &all));
        let distinct: std::collections::BTreeSet<&String> = all.iter().collect();
        let (again, missing) = (all.len() - distinct.len(), marks as usize - distinct.len());
        found.facts.push(Fact::new(
            &format!("kill -9, {kills} times in {marks} steps"),
            name,
            format!("{again} steps done again, {missing} missing, deepest rewind {deepest}"),
        ));
    }
    Ok(())
}

/// How many of the steps that were done before came again behind them.
fn rewind(before: &[String], all: &[String]) -> usize {
    all[before.len().min(all.len())..].iter().filter(|line| before.contains(line)).count()
}

/// The whole lines of a file.
fn lines(file: &Path) -> Result<Vec<String>, BenchError> {
    let text = std::fs::read_to_string(file)?;
    Ok(text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')).map(str::to_owned).collect())
}

/// Names end at 120 characters in a table.
fn short(text: &str) -> String {
    text.chars().take(120).collect()
}

fn renaming(stage: &Stage, found: &mut Results) -> Result<(), BenchError> {
    for (name, who) in [
        ("Baton", Contestant::Baton),
        ("LangGraph sync", Contestant::LangGraph),
        ("DBOS SQLite", Contestant::Dbos),
    ] {
        report::complain(&format!("renamed: {name}"));
        let folder = stage.folder("renamed")?;
        let file = folder.join("marks").display().to_string();
        stage.ask(who, "wait", &folder, std::slice::from_ref(&file))?;
        let value = stage.ask(who, "answer-renamed", &folder, &[file])?;
        let paid = lines(&folder.join("marks")).map_or(0, |lines| lines.len());
        let told = match (value["error"].as_str(), value["paid_after_mapping"].as_bool()) {
            (Some(error), Some(true)) => {
                format!("refused ({}…), then mapped: paid {paid} time", short(error))
            }
            (Some(error), _) => format!("refused: {}…", short(error)),
            (None, _) => format!("returned normally, paid {paid} times: the approval is lost"),
        };
        found.facts.push(Fact::new("the waiting node is renamed, then answered", name, told));
    }
    Ok(())
}

fn doubling(stage: &Stage, found: &mut Results) -> Result<(), BenchError> {
    for (name, who) in [
        ("Baton", Contestant::Baton),
        ("LangGraph sync", Contestant::LangGraph),
        ("DBOS SQLite", Contestant::Dbos),
    ] {
        report::complain(&format!("two processes: {name}"));
        let mut counts = Vec::new();
        for _ in 0..3 {
            let folder = stage.folder("two")?;
            let file = folder.join("marks").display().to_string();
            stage.ask(who, "wait", &folder, std::slice::from_ref(&file))?;
            let words = [file];
            let both = [
                who.begin(&stage.environment, "answer", &folder, &words)?,
                who.begin(&stage.environment, "answer", &folder, &words)?,
            ];
            for child in both {
                said(who, "answer", child)?;
            }
            counts.push(lines(&folder.join("marks")).map_or(0, |lines| lines.len()).to_string());
        }
        let told = format!("paid {} times in three trials", counts.join(", "));
        found.facts.push(Fact::new("two processes resume one run", name, told));
    }
    Ok(())
}
