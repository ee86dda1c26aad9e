//! How many words of a manual's plain text are also there when it is read as HTML and as PDF.
//!
//! usage: baton-bench-reading --unpacked DIR [--json]
//!
//! DIR holds the unpacked Debian packages debian-policy and developers-reference, which ship the same manuals as
//! HTML, PDF and plain text.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods)] // a program that prints and measures

use std::collections::HashMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use baton_agents::read::extract::ChildCommand;
use baton_agents::read::files::{FileReader, Limits};
use baton_agents::rules::words::{fold, word_ranges};
use baton_bench_shared::Arguments;
use serde::Serialize;

/// One manual in its three forms, below the unpacked packages.
struct Manual {
    name: &'static str,
    html: &'static str,
    /// Pages that only list or search the others.
    skip: &'static [&'static str],
    pdf: &'static str,
    text: &'static str,
}

const MANUALS: &[Manual] = &[
    Manual {
        name: "debian-policy",
        html: "usr/share/doc/debian-policy/policy.html",
        skip: &["genindex.html", "search.html"],
        pdf: "usr/share/doc/debian-policy/policy.pdf.gz",
        text: "usr/share/doc/debian-policy/policy.txt.gz",
    },
    Manual {
        name: "developers-reference",
        html: "usr/share/developers-reference",
        skip: &["genindex.html", "search.html", "developers-reference.html"],
        pdf: "usr/share/developers-reference/developers-reference.pdf",
        text: "usr/share/developers-reference/developers-reference.txt.gz",
    },
    Manual {
        name: "fhs",
        html: "usr/share/doc/debian-policy/fhs/fhs-3.0.html",
        skip: &[],
        pdf: "usr/share/doc/debian-policy/fhs/fhs-3.0.pdf.gz",
        text: "usr/share/doc/debian-policy/fhs/fhs-3.0.txt.gz",
    },
];

#[derive(Serialize)]
struct Row {
    manual: &'static str,
    words: usize,
    html_overlap: f64,
    pdf_overlap: f64,
    pdf_pages: usize,
    html_seconds: f64,
    pdf_seconds: f64,
}

fn main() -> ExitCode {
    baton_bench_shared::start("baton-bench-reading", run)
}

fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(arguments.value("--unpacked").ok_or("--unpacked DIR is needed")?);
    let mut reader = FileReader::new(Limits::default(), ChildCommand::this_program()?);
    let mut rows = Vec::new();
    for manual in MANUALS {
        rows.push(measure(&root, manual, &mut reader)?);
    }
    if arguments.has("--json") {
        println!("{}", serde_json::to_string_pretty(&rows)?);
        return Ok(());
    }
    for row in rows {
        println!(
            "{:<22} {} words   HTML {:.2} % ({:.1} s)   PDF {:.2} % ({} pages, {:.1} s)",
            row.manual,
            row.words,
            row.html_overlap * 100.0,
            row.html_seconds,
            row.pdf_overlap * 100.0,
            row.pdf_pages,
            row.pdf_seconds
        );
    }
    Ok(())
}

fn measure(root: &Path, manual: &Manual, reader: &mut FileReader) -> Result<Row, Box<dyn Error>> {
    let text =
        reader.read(&root.join(manual.text)).map_err(|e| format!("{}: {e}", manual.text))?.reading.text;
    let text = without_chapter_contents(&text);
    let started = Instant::now();
    let mut html = String::new();
    for page in pages(&root.join(manual.html), manual.skip)? {
        html.push_str(&reader.read(&page).map_err(|e| format!("{}: {e}", page.display()))?.reading.text);
        html.push('\n');
    }
    let html_seconds = started.elapsed().as_secs_f64();
    let started = Instant::now();
    let pdf = reader.read(&root.join(manual.pdf)).map_err(|e| format!("{}: {e}", manual.pdf))?.reading;
    Ok(Row {
        manual: manual.name,
        words: word_ranges(&text).count(),
        html_overlap: overlap(&text, &html),
        pdf_overlap: overlap(&text, &pdf.text),
        pdf_pages: pdf.pages.len(),
        html_seconds,
        pdf_seconds: started.elapsed().as_secs_f64(),
    })
}

/// The text with its first table of contents only: a text edition may print one before each chapter, where the PDF
/// has none. Contents are indented; the section after them begins at the margin.
fn without_chapter_contents(text: &str) -> String {
    let mut kept = String::new();
    let (mut tables, mut skipping) = (0, false);
    for line in text.lines() {
        if line.trim() == "Table of Contents" {
            tables += 1;
            skipping = tables > 1;
        } else if line.starts_with(|first: char| !first.is_whitespace()) {
            skipping = false;
        }
        if !skipping {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

fn pages(path: &Path, skip: &[&str]) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found: Vec<PathBuf> =
        std::fs::read_dir(path)?.map(|entry| entry.map(|e| e.path())).collect::<Result<_, _>>()?;
    found.retain(|page| {
        page.extension().is_some_and(|end| end == "html") && !skip.iter().any(|name| page.ends_with(name))
    });
    found.sort();
    Ok(found)
}

/// Share of the words of `text` (each as often as it occurs) that are also in `other`.
fn overlap(text: &str, other: &str) -> f64 {
    let count = |text: &str| {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for range in word_ranges(text) {
            *counts.entry(fold(&text[range])).or_default() += 1;
        }
        counts
    };
    let (wanted, found) = (count(text), count(other));
    let shared: usize = wanted.iter().map(|(word, n)| (*n).min(found.get(word).copied().unwrap_or(0))).sum();
    shared as f64 / wanted.values().sum::<usize>().max(1) as f64
}
