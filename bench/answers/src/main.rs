//! How many questions over real documents the rules answer, with plain BM25 measured beside them in the same run.
//!
//! usage: baton-bench-answers --docs DIR --questions FILE [--more FILE --set NAME] [--index FILE] [--json] [--show ID] [--rules-only] [--through research]
//!
//! A question counts as answered when every pattern of its answer occurs in the chosen sentences that come from
//! its gold documents. Gold paths are compared without their extension.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods)] // a program that prints and measures

mod baseline;
mod conflicts;
mod questions;
mod through;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Instant, SystemTime};

use baton_agents::read::extract::ChildCommand;
use baton_agents::read::files::Limits;
use baton_agents::search::local::{LocalIndex, Verdict};
use baton_bench_shared::Arguments;
use serde::Serialize;

use questions::{Piece, Question};

/// Budgets at which answers are measured; their mean steadies the comparison.
const BUDGETS: [usize; 7] = [1, 3, 6, 9, 12, 16, 20];
/// The largest of them. The choice for a smaller one is the beginning of the choice for a larger one.
const LARGEST_BUDGET: usize = 20;
const MAIN_BUDGET: usize = 12;

#[derive(Default, Serialize)]
struct Score {
    answered: usize,
    mean_over_budgets: f64,
    /// Mean of 1/n, n being how many sentences it takes to answer; 0 for what 20 do not answer.
    mean_reciprocal_rank: f64,
    missed: Vec<String>,
}

#[derive(Serialize)]
struct Report {
    documents: usize,
    answerable: usize,
    rules: Score,
    bm25: Score,
    /// The answer stands in the first 90 words; for BM25 in some 90 words of its best passage.
    block_answered: usize,
    block_missed: Vec<String>,
    bm25_block_answered: usize,
    passages_answered: usize,
    unanswerable: usize,
    abstained: usize,
    /// Of what is refused, how often the nearest is shown: with an answer, with one that it gives, and without one.
    nearest: (usize, usize, usize),
    /// What each verdict rests on, and whether there is an answer: for the curve.
    evidence: Vec<(String, f64, bool)>,
    false_abstentions: Vec<String>,
    kept_without_evidence: Vec<String>,
    milliseconds_median: f64,
    milliseconds_worst: f64,
}

fn main() -> ExitCode {
    baton_bench_shared::start("baton-bench-answers", run)
}

fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let docs = PathBuf::from(arguments.value("--docs").ok_or("--docs DIR is needed")?);
    let file = arguments.value("--questions").ok_or("--questions FILE is needed")?;
    let mut questions: Vec<Question> = serde_json::from_str(&std::fs::read_to_string(file)?)?;
    if let Some(more) = arguments.value("--more") {
        let more: Vec<Question> = serde_json::from_str(&std::fs::read_to_string(more)?)?;
        let set = arguments.value("--set");
        questions.extend(more.into_iter().filter(|question| question.set.as_deref() == set));
    }
    if arguments.value("--through").is_some_and(|workflow| workflow == "research") {
        let through = through::measure(&docs, &questions)?;
        println!("{}", serde_json::to_string_pretty(&through)?);
        return Ok(());
    }
    let scratch = tempfile::tempdir()?;
    let mut index = match arguments.value("--index") {
        Some(path) => LocalIndex::open(&PathBuf::from(path))?,
        None => LocalIndex::open(&scratch.path().join("index.db"))?,
    };
    let update = index.update(
        &docs,
        &Limits::default(),
        &ChildCommand::this_program()?,
        SystemTime::now(),
        &mut |_| {},
    )?;
    if let Some(id) = arguments.value("--show") {
        return show(&index, &questions, id);
    }
    if arguments.has("--conflicts") {
        return conflicts::print(&index, &questions);
    }
    let rules_only = arguments.has("--rules-only");
    let baseline = if rules_only { None } else { Some(baseline::Paragraphs::build(&index)?) };
    let report = measure(&index, baseline.as_ref(), &questions, update.documents)?;
    if arguments.has("--json") {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print(&report);
    }
    Ok(())
}

fn measure(
    index: &LocalIndex,
    baseline: Option<&baseline::Paragraphs>,
    questions: &[Question],
    documents: usize,
) -> Result<Report, Box<dyn Error>> {
    let (mut rules, mut bm25) = (Score::default(), Score::default());
    let (mut report_abstained, mut nearest) = (0, (0, 0, 0));
    let (mut false_abstentions, mut kept) = (Vec::new(), Vec::new());
    let (mut times, mut evidence) = (Vec::new(), Vec::new());
    let mut passages_answered = 0;
    let (mut block_answered, mut bm25_block_answered, mut block_missed) = (0, 0, Vec::new());
    let answerable = questions.iter().filter(|q| q.is_answerable()).count();
    for question in questions {
        let started = Instant::now();
        let answer = index.answer(&question.q, MAIN_BUDGET)?;
        times.push(started.elapsed().as_secs_f64() * 1000.0);
        evidence.push((question.id.clone(), answer.evidence, question.is_answerable()));
        if !question.is_answerable() {
            if answer.verdict == Verdict::NoEvidence {
                report_abstained += 1;
                nearest.2 += usize::from(answer.nearest.is_some());
            } else {
                kept.push(question.id.clone());
            }
            continue;
        }
        if answer.verdict == Verdict::NoEvidence {
            false_abstentions.push(question.id.clone());
        }
        if let Some(quote) = answer.nearest {
            nearest.0 += 1;
            let piece = Piece { path: quote.path.display().to_string(), text: quote.text };
            nearest.1 += usize::from(question.is_answered(&[piece])?);
        }
        let hits = index.hits(&question.q, 10)?;
        let shown: Vec<Piece> = hits
            .iter()
            .map(|hit| Piece { path: hit.location.to_string(), text: hit.snippet.clone() })
            .collect();
        passages_answered += usize::from(question.is_answered(&shown)?);
        let quotes = index.answer(&question.q, LARGEST_BUDGET)?.quotes;
        let pieces: Vec<Piece> =
            quotes.into_iter().map(|q| Piece { path: q.path.display().to_string(), text: q.text }).collect();
        if question.is_answered(&questions::block(&pieces))? {
            block_answered += 1;
        } else {
            block_missed.push(question.id.clone());
        }
        count(&mut rules, question, &pieces, answerable)?;
        if let Some(baseline) = baseline {
            bm25_block_answered += usize::from(baseline.block_answers(question)?);
            count(&mut bm25, question, &baseline.sentences(&question.q, LARGEST_BUDGET)?, answerable)?;
        }
    }
    times.sort_by(f64::total_cmp);
    Ok(Report {
        documents,
        answerable,
        rules,
        bm25,
        block_answered,
        block_missed,
        bm25_block_answered,
        passages_answered,
        unanswerable: questions.len() - answerable,
        nearest,
        abstained: report_abstained,
        evidence,
        false_abstentions,
        kept_without_evidence: kept,
        milliseconds_median: times.get(times.len() / 2).copied().unwrap_or(0.0),
        milliseconds_worst: times.last().copied().unwrap_or(0.0),
    })
}

fn count(
    score: &mut Score,
    question: &Question,
    pieces: &[Piece],
    answerable: usize,
) -> Result<(), Box<dyn Error>> {
    let needed = needed(question, pieces)?;
    let share = 1.0 / answerable as f64;
    if let Some(needed) = needed {
        let budgets = BUDGETS.iter().filter(|&&budget| needed <= budget).count();
        score.mean_over_budgets += share * budgets as f64 / BUDGETS.len() as f64;
        score.mean_reciprocal_rank += share / needed as f64;
    }
    if needed.is_some_and(|needed| needed <= MAIN_BUDGET) {
        score.answered += 1;
    } else {
        score.missed.push(question.id.clone());
    }
    Ok(())
}

/// How many of the pieces, from the first on, it takes to answer the question.
fn needed(question: &Question, pieces: &[Piece]) -> Result<Option<usize>, Box<dyn Error>> {
    for count in 1..=pieces.len() {
        if question.is_answered(&pieces[..count])? {
            return Ok(Some(count));
        }
    }
    Ok(None)
}

fn print(report: &Report) {
    let Report { answerable, rules, bm25, .. } = report;
    println!(
        "{} documents, {answerable} answerable questions, {} without an answer",
        report.documents, report.unanswerable
    );
    println!(
        "rules, 12 sentences   {}/{answerable}   mean over budgets {:.3}   mean reciprocal rank {:.3}",
        rules.answered, rules.mean_over_budgets, rules.mean_reciprocal_rank
    );
    println!(
        "BM25, 12 sentences    {}/{answerable}   mean over budgets {:.3}   mean reciprocal rank {:.3}",
        bm25.answered, bm25.mean_over_budgets, bm25.mean_reciprocal_rank
    );
    println!("ratio                 {:.2}", rules.answered as f64 / bm25.answered.max(1) as f64);
    println!(
        "90 words              rules {}/{answerable}   BM25's best window {}/{answerable}",
        report.block_answered, report.bm25_block_answered
    );
    println!("missed in 90 words    {:?}", report.block_missed);
    println!("rules, 10 passages    {}/{answerable}", report.passages_answered);
    println!(
        "abstained             {}/{}   false {:?}   kept {:?}",
        report.abstained, report.unanswerable, report.false_abstentions, report.kept_without_evidence
    );
    let (shown, answering, vain) = report.nearest;
    println!(
        "nearest shown         {shown} of {} refused with an answer, {answering} of them give it; {vain} of {} without",
        report.false_abstentions.len(),
        report.abstained
    );
    for (limit, refused, wrong) in curve(&report.evidence) {
        println!(
            "refusing below {limit:.2}   {refused} of {} without an answer, {wrong} of {answerable} with one",
            report.unanswerable
        );
    }
    println!("missed                {:?}", rules.missed);
    println!(
        "time per question     median {:.1} ms, worst {:.1} ms",
        report.milliseconds_median, report.milliseconds_worst
    );
}

/// Refusals right and wrong at several limits.
fn curve(evidence: &[(String, f64, bool)]) -> Vec<(f64, usize, usize)> {
    let below = |limit: f64, answerable: bool| {
        evidence.iter().filter(|(_, value, has)| *value < limit && *has == answerable).count()
    };
    (4..=16)
        .map(|step| f64::from(step) * 0.05)
        .map(|limit| (limit, below(limit, false), below(limit, true)))
        .collect()
}

fn show(index: &LocalIndex, questions: &[Question], id: &str) -> Result<(), Box<dyn Error>> {
    for question in questions.iter().filter(|q| q.id == id || id == "all") {
        let answer = index.answer(&question.q, MAIN_BUDGET)?;
        println!(
            "=== {}: {}\n    {:?} evidence {:.2} coverage {:.2} unknown {:?} gold {:?} {:?}",
            question.id,
            question.q,
            answer.verdict,
            answer.evidence,
            answer.coverage,
            answer.unknown,
            question.gold,
            question.answer
        );
        for quote in answer.quotes.into_iter().chain(answer.nearest) {
            println!(
                "  [{:.2}] {} :: {}\n      {}",
                quote.score,
                quote.path.display(),
                quote.heading,
                quote.text.replace('\n', " ")
            );
        }
    }
    Ok(())
}
