//! How long it takes to index a folder, to find that nothing changed, and to answer questions from the index.
//!
//! usage: baton-bench-search --from DIR [--files 4000] [--megabytes 200] [--questions FILE] [--json]
//!
//! Text files of the wanted number and size are made of paragraphs of the text files under DIR, drawn in a fixed
//! order, so two runs measure the same thing.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods)] // a program that prints and measures

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime};

use baton_agents::read::extract::ChildCommand;
use baton_agents::read::files::Limits;
use baton_agents::search::local::LocalIndex;
use baton_bench_shared::Arguments;
use serde::{Deserialize, Serialize};

#[derive(Serialize)]
struct Report {
    files: usize,
    megabytes: f64,
    index_seconds: f64,
    unchanged_seconds: f64,
    index_megabytes: f64,
    queries: usize,
    query_p50_ms: f64,
    query_p99_ms: f64,
    query_worst_ms: f64,
}

#[derive(Deserialize)]
struct Question {
    q: String,
}

fn main() -> ExitCode {
    baton_bench_shared::start("baton-bench-search", run)
}

fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let from = PathBuf::from(arguments.value("--from").ok_or("--from DIR is needed")?);
    let files = arguments.value("--files").map_or(Ok(4000), |v| v.parse())?;
    let megabytes: usize = arguments.value("--megabytes").map_or(Ok(200), |v| v.parse())?;
    let questions = questions(arguments.value("--questions"))?;
    let scratch = tempfile::tempdir()?;
    let docs = scratch.path().join("docs");
    let bytes = make_documents(&from, &docs, files, megabytes * 1_000_000)?;
    let report = measure(&docs, &scratch.path().join("index.db"), &questions, files, bytes)?;
    if arguments.has("--json") {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        println!("{} files, {:.0} MB", report.files, report.megabytes);
        println!(
            "index, cold          {:.1} s, {:.0} MB on disk",
            report.index_seconds, report.index_megabytes
        );
        println!("nothing changed      {:.2} s", report.unchanged_seconds);
        println!(
            "{} questions        p50 {:.0} ms, p99 {:.0} ms, worst {:.0} ms",
            report.queries, report.query_p50_ms, report.query_p99_ms, report.query_worst_ms
        );
    }
    Ok(())
}

fn questions(file: Option<&str>) -> Result<Vec<String>, Box<dyn Error>> {
    let built_in = [
        include_str!("../../answers/questions/dev.json"),
        include_str!("../../answers/questions/held_out.json"),
    ];
    let texts: Vec<String> = match file {
        Some(file) => vec![fs::read_to_string(file)?],
        None => built_in.iter().map(|text| (*text).to_owned()).collect(),
    };
    let mut all = Vec::new();
    for text in texts {
        all.extend(serde_json::from_str::<Vec<Question>>(&text)?.into_iter().map(|question| question.q));
    }
    Ok(all)
}

/// Writes `files` text files of `total` bytes together, made of paragraphs found under `from`.
fn make_documents(from: &Path, to: &Path, files: usize, total: usize) -> Result<usize, Box<dyn Error>> {
    let mut paragraphs = Vec::new();
    collect(from, &mut paragraphs)?;
    if paragraphs.is_empty() {
        return Err("no text files under --from".into());
    }
    fs::create_dir_all(to)?;
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let mut written = 0;
    for number in 0..files {
        let mut text = format!("# Document {number}\n\n");
        while text.len() < total / files {
            // A run of neighbouring paragraphs keeps the words of a subject together, as real documents do.
            let start = next() % paragraphs.len();
            for paragraph in paragraphs.iter().skip(start).take(1 + next() % 12) {
                text.push_str(paragraph);
                text.push_str("\n\n");
            }
        }
        written += text.len();
        fs::write(to.join(format!("document-{number:05}.txt")), text)?;
    }
    // Files changed just now are always read again; these stand for documents written some time ago.
    let earlier = SystemTime::now() - Duration::from_secs(3600);
    for entry in fs::read_dir(to)? {
        fs::File::options().write(true).open(entry?.path())?.set_modified(earlier)?;
    }
    Ok(written)
}

fn collect(folder: &Path, paragraphs: &mut Vec<String>) -> Result<(), Box<dyn Error>> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| entry.map(|e| e.path())).collect::<Result<_, _>>()?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, paragraphs)?;
        } else if path.extension().is_some_and(|end| end == "txt") {
            let text = fs::read_to_string(&path)?;
            paragraphs.extend(text.split("\n\n").filter(|p| !p.trim().is_empty()).map(str::to_owned));
        }
    }
    Ok(())
}

fn measure(
    docs: &Path,
    file: &Path,
    questions: &[String],
    files: usize,
    bytes: usize,
) -> Result<Report, Box<dyn Error>> {
    let child = ChildCommand::this_program()?;
    let update = |index: &mut LocalIndex| {
        index.update(docs, &Limits::default(), &child, SystemTime::now(), &mut |_| {})
    };
    let started = Instant::now();
    let mut index = LocalIndex::open(file)?;
    update(&mut index)?;
    let index_seconds = started.elapsed().as_secs_f64();
    drop(index);
    let started = Instant::now();
    let mut index = LocalIndex::open(file)?;
    let second = update(&mut index)?;
    let unchanged_seconds = started.elapsed().as_secs_f64();
    if second.indexed > 0 {
        return Err(format!("{} documents were indexed again though nothing changed", second.indexed).into());
    }
    let mut times = Vec::new();
    for question in questions {
        let started = Instant::now();
        index.answer(question, 12)?;
        times.push(started.elapsed().as_secs_f64() * 1000.0);
    }
    times.sort_by(f64::total_cmp);
    let at = |share: f64| {
        times
            .get(((times.len() as f64 * share).ceil() as usize).clamp(1, times.len()) - 1)
            .copied()
            .unwrap_or(0.0)
    };
    Ok(Report {
        files,
        megabytes: bytes as f64 / 1e6,
        index_seconds,
        unchanged_seconds,
        index_megabytes: fs::metadata(file)?.len() as f64 / 1e6,
        queries: times.len(),
        query_p50_ms: at(0.5),
        query_p99_ms: at(0.99),
        query_worst_ms: at(1.0),
    })
}
