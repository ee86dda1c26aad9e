//! The same questions through the whole program: `baton research`, no model, and the first words of its report.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::questions::{self, Piece, Question};

/// A reader who wants the answer reads this far.
const WORDS: usize = 300;

/// What came of it.
#[derive(Default, Serialize)]
pub struct Through {
    answerable: usize,
    answered: usize,
    /// The answer stands in the first words of the report, as many as a block of BM25 has.
    block_answered: usize,
    missed: Vec<String>,
    unanswerable: usize,
    abstained: usize,
    false_abstentions: Vec<String>,
    /// Of these, how many show what comes nearest, and in how many the answer stands there.
    shown_near: usize,
    near_answers: usize,
    /// Rightly refused, with a passage shown as near.
    shown_in_vain: usize,
    citations: u64,
    citations_verified: u64,
    seconds_median: f64,
    seconds_worst: f64,
}

#[derive(Deserialize)]
struct Evidence {
    claims: Vec<Claim>,
    facts: Vec<Fact>,
    sources: Vec<Source>,
}

#[derive(Deserialize)]
struct Claim {
    text: String,
    facts: Vec<String>,
}

#[derive(Deserialize)]
struct Fact {
    id: String,
    source: String,
}

#[derive(Deserialize)]
struct Source {
    id: String,
    place: String,
}

/// Researches every question in one home, so that the index is built once.
pub fn measure(docs: &Path, questions: &[Question]) -> Result<Through, Box<dyn Error>> {
    let home = tempfile::tempdir()?;
    let program = std::env::current_exe()?.with_file_name("baton");
    let mut through = Through::default();
    let mut times = Vec::new();
    for question in questions {
        let started = Instant::now();
        let told = research(&program, home.path(), docs, &question.q)?;
        times.push(started.elapsed().as_secs_f64());
        let report = told["report"].as_str().map(PathBuf::from);
        let count = |name: &str| told[name].as_u64().unwrap_or(0);
        through.citations += count("citations");
        through.citations_verified += count("citations_verified");
        let report = report.filter(|_| told["outcome"] != "no_evidence");
        let near = told["nearest"].as_array().is_some_and(|nearest| !nearest.is_empty());
        match (question.is_answerable(), report) {
            (false, report) => {
                through.unanswerable += 1;
                through.abstained += usize::from(report.is_none());
                through.shown_in_vain += usize::from(report.is_none() && near);
            }
            (true, None) => {
                through.answerable += 1;
                through.false_abstentions.push(question.id.clone());
                through.missed.push(question.id.clone());
                through.shown_near += usize::from(near);
                through.near_answers += usize::from(question.is_answered(&nearest(&told))?);
            }
            (true, Some(report)) => {
                through.answerable += 1;
                let opening = opening(&report)?;
                through.block_answered += usize::from(question.is_answered(&questions::block(&opening))?);
                if question.is_answered(&opening)? {
                    through.answered += 1;
                } else {
                    through.missed.push(question.id.clone());
                }
            }
        }
    }
    // The first one builds the index.
    times.remove(0);
    times.sort_by(f64::total_cmp);
    through.seconds_median = times.get(times.len() / 2).copied().unwrap_or(0.0);
    through.seconds_worst = times.last().copied().unwrap_or(0.0);
    Ok(through)
}

fn research(program: &Path, home: &Path, docs: &Path, question: &str) -> Result<Value, Box<dyn Error>> {
    let output = Command::new(program)
        .arg("--home")
        .arg(home)
        .args(["research", question, "--yes", "--json", "--docs"])
        .arg(docs)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .map_err(|error| format!("{}: {error}; build it with --release -p baton", program.display()))?;
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// What is shown as near.
fn nearest(told: &Value) -> Vec<Piece> {
    let piece = |shown: &Value| {
        Some(Piece { path: shown["place"].as_str()?.to_owned(), text: shown["text"].as_str()?.to_owned() })
    };
    told["nearest"].as_array().into_iter().flatten().filter_map(piece).collect()
}

/// The first words of a report, each sentence with the document it cites.
fn opening(report: &Path) -> Result<Vec<Piece>, Box<dyn Error>> {
    let evidence: Evidence = serde_json::from_slice(&std::fs::read(report.with_file_name("evidence.json"))?)?;
    let place = |label: &String| {
        let fact = evidence.facts.iter().find(|fact| fact.id == *label)?;
        evidence.sources.iter().find(|source| source.id == fact.source).map(|source| source.place.clone())
    };
    let mut left = WORDS;
    let mut pieces = Vec::new();
    for claim in &evidence.claims {
        let words: Vec<&str> = claim.text.split_whitespace().take(left).collect();
        left -= words.len();
        for path in claim.facts.iter().filter_map(place) {
            pieces.push(Piece { path, text: words.join(" ") });
        }
        if left == 0 {
            break;
        }
    }
    Ok(pieces)
}
