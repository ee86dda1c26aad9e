//! What is printed: each line beside its baseline and its target. The only module that writes to stdout.

use std::io::Write;

use serde::Serialize;

use crate::probe::Disk;
use crate::spread::Spread;

/// One measured thing.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// What was measured.
    pub what: String,
    /// Its unit.
    pub unit: &'static str,
    /// The measurements.
    pub measured: Spread,
    /// The same of the baseline.
    pub baseline: Option<Spread>,
    /// Measured over baseline, pair by pair.
    pub ratio: Option<Spread>,
    /// What it should be.
    pub target: Option<Target>,
}

/// What a line should be, and whether it is.
#[derive(Clone, Debug, Serialize)]
pub struct Target {
    /// In words.
    pub text: String,
    /// Whether the median meets it.
    pub met: bool,
}

impl Line {
    /// A measurement with nothing to compare it with.
    pub fn new(what: impl Into<String>, unit: &'static str, measured: Spread) -> Self {
        Self { what: what.into(), unit, measured, baseline: None, ratio: None, target: None }
    }

    /// Beside a baseline measured in turn with it.
    #[must_use]
    pub fn against(mut self, samples: &[f64], baseline: &[f64]) -> Self {
        self.baseline = Some(Spread::of(baseline));
        self.ratio = Some(Spread::of_ratios(samples, baseline));
        self
    }

    /// The median must be below this.
    #[must_use]
    pub fn under(mut self, limit: f64) -> Self {
        self.target =
            Some(Target { text: format!("under {limit} {}", self.unit), met: self.measured.median < limit });
        self
    }

    /// The median may be at most this.
    #[must_use]
    pub fn at_most(mut self, limit: f64) -> Self {
        self.target = Some(Target {
            text: format!("at most {limit} {}", self.unit),
            met: self.measured.median <= limit,
        });
        self
    }

    /// The median must be exactly this.
    #[must_use]
    pub fn exactly(mut self, wanted: f64) -> Self {
        let met = (self.measured.median - wanted).abs() < f64::EPSILON;
        self.target = Some(Target { text: format!("{wanted} {}", self.unit), met });
        self
    }

    /// The ratio must be at least this.
    #[must_use]
    pub fn at_least_of_baseline(mut self, share: f64) -> Self {
        let met = self.ratio.is_some_and(|ratio| ratio.median >= share);
        self.target = Some(Target { text: format!("at least {:.0} % of the baseline", share * 100.0), met });
        self
    }
}

/// One figure: lines measured together.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its lines.
    pub lines: Vec<Line>,
    /// What the reader should know.
    pub notes: Vec<String>,
    /// Cores that others used while it was measured.
    pub others: Option<f64>,
    /// How long it took, in seconds.
    pub seconds: f64,
}

/// Everything a run of the benchmark found.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Cores of the machine.
    pub cores: usize,
    /// Its disk, before and after.
    pub disk: Vec<Disk>,
    /// Its load average, before and after.
    pub load: Vec<Option<f64>>,
    /// The seed of everything random.
    pub seed: u64,
    /// The figures.
    pub figures: Vec<Figure>,
}

/// Writes a line to stdout.
pub fn say(text: &str) -> std::io::Result<()> {
    writeln!(std::io::stdout().lock(), "{text}")
}

/// The report for people.
pub fn render(report: &Report) -> String {
    let mut text = String::new();
    let load = |index: usize| {
        report.load.get(index).copied().flatten().map_or("unknown".to_owned(), |load| format!("{load:.2}"))
    };
    text.push_str(&format!(
        "{} cores, load {} before and {} after, seed {}\n",
        report.cores,
        load(0),
        load(1),
        report.seed
    ));
    for (when, disk) in ["before", "after"].iter().zip(&report.disk) {
        text.push_str(&format!(
            "fsync of 4 kB {when}: p50 {:.0} us, p99 {:.0} us\n",
            disk.p50_us, disk.p99_us
        ));
    }
    if report.disk.iter().any(Disk::is_memory) {
        text.push_str("WARNING: syncing costs nothing here, so the ratios mean nothing; name a folder on a disk with --dir\n");
    }
    for figure in &report.figures {
        let others = figure.others.map_or(String::new(), |cores| format!(", others used {cores:.2} cores"));
        text.push_str(&format!("\n{} ({:.0} s{others})\n", figure.name, figure.seconds));
        for line in &figure.lines {
            text.push_str(&format!("  {}\n", render_line(line)));
        }
        for note in &figure.notes {
            text.push_str(&format!("  note: {note}\n"));
        }
    }
    text
}

fn render_line(line: &Line) -> String {
    let mut text = format!("{:<58} {} {}", line.what, render_spread(&line.measured), line.unit);
    if let Some(baseline) = &line.baseline {
        text.push_str(&format!("; baseline {} {}", render_spread(baseline), line.unit));
    }
    if let Some(ratio) = &line.ratio {
        let percent =
            Spread { median: ratio.median * 100.0, low: ratio.low * 100.0, high: ratio.high * 100.0 };
        text.push_str(&format!("; ratio {} %", render_spread(&percent)));
    }
    if let Some(target) = &line.target {
        text.push_str(&format!("; target {}: {}", target.text, if target.met { "met" } else { "MISSED" }));
    }
    text
}

fn render_spread(spread: &Spread) -> String {
    let number = |value: f64| {
        if value.abs() < 100.0 && value.fract() != 0.0 {
            format!("{value:.1}")
        } else {
            format!("{value:.0}")
        }
    };
    if (spread.high - spread.low).abs() < f64::EPSILON {
        return number(spread.median);
    }
    format!("{} ({} to {})", number(spread.median), number(spread.low), number(spread.high))
}

/// Writes a line to stderr.
pub fn complain(text: &str) {
    // If even stderr is gone there is nobody left to tell.
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}
