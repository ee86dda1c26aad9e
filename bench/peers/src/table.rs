//! What was found, as one table and as data.

use baton_bench_engine::probe::Disk;
use baton_bench_engine::spread::Spread;
use serde::Serialize;

/// Everything that was found.
#[derive(Serialize)]
pub struct Results {
    /// Cores of the machine.
    pub cores: usize,
    /// What syncing costs, before and after.
    pub disk: Vec<Disk>,
    /// The load of the machine, before and after.
    pub load: Vec<Option<f64>>,
    /// The peers.
    pub versions: Vec<String>,
    /// Figures.
    pub lines: Vec<Line>,
    /// What happened.
    pub facts: Vec<Fact>,
}

/// A figure of one contestant.
#[derive(Serialize)]
pub struct Line {
    what: String,
    who: String,
    unit: &'static str,
    spread: Spread,
    less_is_more: bool,
}

impl Line {
    /// A figure.
    pub fn new(what: &str, who: &str, unit: &'static str, spread: Spread) -> Self {
        Self { what: what.to_owned(), who: who.to_owned(), unit, spread, less_is_more: false }
    }

    /// The smaller one is the better.
    pub fn less_is_more(self) -> Self {
        Self { less_is_more: true, ..self }
    }
}

/// Something that happened to one contestant.
#[derive(Serialize)]
pub struct Fact {
    what: String,
    who: String,
    happened: String,
}

impl Fact {
    /// Something that happened.
    pub fn new(what: &str, who: &str, happened: String) -> Self {
        Self { what: what.to_owned(), who: who.to_owned(), happened }
    }
}

impl Results {
    /// One table; each ratio says how many times better Baton's first figure is.
    pub fn markdown(&self) -> String {
        let disk: Vec<String> = self.disk.iter().map(|disk| format!("{:.0} µs", disk.p50_us)).collect();
        let load: Vec<String> =
            self.load.iter().map(|load| load.map_or("?".to_owned(), |load| format!("{load:.1}"))).collect();
        let mut text = format!(
            "{} cores, fsync of 4 kB {} before and after, load {}; {}\n\n| what | who | found | Baton is |\n|---|---|---|---|\n",
            self.cores,
            disk.join(" and "),
            load.join(" and "),
            self.versions.join(", ")
        );
        for line in &self.lines {
            let Spread { median, low, high, .. } = line.spread;
            let ours =
                self.lines.iter().find(|other| other.what == line.what && other.who.starts_with("Baton"));
            let ratio = ours.filter(|_| !line.who.starts_with("Baton")).map(|ours| {
                let (a, b) = (ours.spread.median, median);
                if line.less_is_more { b / a } else { a / b }
            });
            let ratio = ratio.map_or(String::new(), |ratio| format!("{ratio:.1} ×"));
            text.push_str(&format!(
                "| {} | {} | {median:.0} {} ({low:.0} to {high:.0}) | {ratio} |\n",
                line.what, line.who, line.unit
            ));
        }
        for Fact { what, who, happened } in &self.facts {
            text.push_str(&format!("| {what} | {who} | {happened} | |\n"));
        }
        text
    }
}
