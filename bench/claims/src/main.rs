//! How often the gate lets a false sentence through and keeps a true one, with a gate of shared words measured beside it
//! in the same run.
//!
//! usage: baton-bench-claims [--pairs FILE] [--set early|late] [--json] [--wrong] [--speed]
//!
//! A pair is quotes, a sentence, and whether they carry it; see pairs.jsonl. `--wrong` prints what was judged wrongly.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods)] // a program that prints and measures

mod overlap;
mod pairs;

use std::collections::BTreeMap;
use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

use baton_agents::evidence::{Quotes, Verdict, judge};
use baton_bench_shared::Arguments;
use serde::Serialize;

use pairs::Pair;

/// A page of text and the quotes it is held against, for the measurement of speed.
const PAGE: usize = 40;
const ROUNDS: usize = 20;

/// One line of the table.
#[derive(Debug, Default, Serialize)]
struct Row {
    set: String,
    kind: String,
    carried: bool,
    pairs: usize,
    /// Sentences the gate let through: kept if they are carried, lies if not.
    passed: usize,
    /// The same for the gate of shared words.
    passed_by_overlap: usize,
    /// Mean share of the sentence's content stems that stand in its quotes.
    overlap: f64,
}

#[derive(Debug, Serialize)]
struct Speed {
    sentences: usize,
    quotes: usize,
    milliseconds_median: f64,
    milliseconds_worst: f64,
}

#[derive(Debug, Serialize)]
struct Report {
    rows: Vec<Row>,
    speed: Option<Speed>,
}

fn main() -> ExitCode {
    baton_bench_shared::start("baton-bench-claims", run)
}

fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let mut pairs = match arguments.value("--pairs") {
        Some(file) => pairs::read(&std::fs::read_to_string(file)?)?,
        None => pairs::own()?,
    };
    if let Some(set) = arguments.value("--set") {
        pairs.retain(|pair| pair.set == set);
    }
    let mut rows: BTreeMap<(String, bool, String), Row> = BTreeMap::new();
    for pair in &pairs {
        let quotes: Vec<&str> = pair.quotes.iter().map(String::as_str).collect();
        let verdict = judge(&pair.sentence, &quotes);
        let passed = matches!(verdict, Verdict::Carried { .. });
        for kind in [pair.kind.as_str(), "all"] {
            let key = (
                pair.set.clone(),
                pair.carried,
                if kind == "all" { "~".to_owned() } else { kind.to_owned() },
            );
            let row = rows.entry(key).or_default();
            (row.set, row.kind, row.carried) = (pair.set.clone(), kind.to_owned(), pair.carried);
            row.pairs += 1;
            row.passed += usize::from(passed);
            row.passed_by_overlap += usize::from(overlap::passes(&pair.sentence, &quotes));
            row.overlap += overlap::share(&pair.sentence, &quotes);
        }
        if arguments.has("--wrong") && passed != pair.carried {
            print_wrong(pair, &verdict);
        }
    }
    let mut rows: Vec<Row> = rows.into_values().collect();
    for row in &mut rows {
        row.overlap /= row.pairs.max(1) as f64;
    }
    let speed = arguments.has("--speed").then(|| speed(&pairs));
    let report = Report { rows, speed };
    if arguments.has("--json") {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print(&report);
    }
    Ok(())
}

fn print_wrong(pair: &Pair, verdict: &Verdict) {
    println!("{} {} {}", pair.set, pair.kind, if pair.carried { "NOT KEPT" } else { "LET THROUGH" });
    for quote in &pair.quotes {
        println!("  quote     {quote}");
    }
    println!("  sentence  {}", pair.sentence);
    if let Verdict::Contradicted { why, .. } | Verdict::NotCarried { why } = verdict {
        println!("  why       {why}");
    }
}

fn print(report: &Report) {
    println!("| set | kind | pairs | let through | by shared words | overlap |");
    println!("|---|---|---|---|---|---|");
    for row in &report.rows {
        let share = |part: usize| format!("{part} ({:.0} %)", 100.0 * part as f64 / row.pairs.max(1) as f64);
        let truth = if row.carried { "carried" } else { "lie" };
        println!(
            "| {} | {truth}: {} | {} | {} | {} | {:.0} % |",
            row.set,
            row.kind,
            row.pairs,
            share(row.passed),
            share(row.passed_by_overlap),
            100.0 * row.overlap
        );
    }
    if let Some(speed) = &report.speed {
        println!(
            "\n{} sentences against {} quotes: {:.1} ms in the middle, {:.1} ms at worst",
            speed.sentences, speed.quotes, speed.milliseconds_median, speed.milliseconds_worst
        );
    }
}

/// A page of sentences against forty quotes: reading the quotes and judging every sentence against all of them.
fn speed(pairs: &[Pair]) -> Speed {
    let sentences: Vec<&str> = pairs.iter().take(PAGE).map(|pair| pair.sentence.as_str()).collect();
    let quotes: Vec<&str> =
        pairs.iter().flat_map(|pair| pair.quotes.iter().map(String::as_str)).take(PAGE).collect();
    let mut times: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            let read = Quotes::new(&quotes);
            for sentence in &sentences {
                std::hint::black_box(read.judge(sentence));
            }
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    Speed {
        sentences: sentences.len(),
        quotes: quotes.len(),
        milliseconds_median: times[times.len() / 2],
        milliseconds_worst: times[times.len() - 1],
    }
}
