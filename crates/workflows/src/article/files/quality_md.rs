//! quality.md: each score, what it was measured on, what would raise it, and the places the checks mean.

use std::fmt::Write;

use crate::article::score::WEIGHTS;
use crate::article::workers::{Worker, WorkerResult};
use crate::article::{Measure, Memory};
use crate::markup::marked;

/// Places of one check that are shown.
const PLACES: usize = 12;

/// The page.
#[must_use]
pub fn render(memory: &Memory) -> String {
    let mut text = format!("# Quality: {}\n\n", marked(&memory.assignment.brief.topic));
    let least = memory.assignment.brief.min_quality_score;
    let Some(last) = memory.evaluations.last() else { return text };
    // Writing to a String cannot fail, here and below.
    let _ = writeln!(
        text,
        "Overall **{:.2}** of {least:.2} that were asked for, {} words.\n",
        last.overall, last.words
    );
    if memory.evaluations.len() > 1 {
        let all: Vec<String> = memory.evaluations.iter().map(|it| format!("{:.2}", it.overall)).collect();
        let _ = writeln!(text, "By iteration: {}.\n", all.join(" → "));
    }
    let measures = [
        ("Article", &last.article),
        ("Sources", &last.source),
        ("Facts", &last.factual),
        ("Writing", &last.writing),
    ];
    for ((name, measure), weight) in measures.into_iter().zip(WEIGHTS) {
        add(&mut text, name, measure, weight);
    }
    for unmeasured in &last.unmeasured {
        let _ = writeln!(text, "Not measured: {unmeasured}.\n");
    }
    text.push_str("## What would raise it\n\n");
    if last.demand.needs.is_empty() {
        text.push_str("Nothing that these measures see.\n");
    }
    for need in &last.demand.needs {
        let workers: Vec<&str> = need.workers().iter().map(|worker| worker.name()).collect();
        let _ = writeln!(text, "- {} ({})", marked(&need.words()), workers.join(", "));
    }
    text.push('\n');
    for worker in Worker::ALL {
        checks(&mut text, memory, *worker);
    }
    text
}

fn add(text: &mut String, name: &str, measure: &Measure, weight: f64) {
    let _ = writeln!(text, "## {name}: {:.2} (counts {:.0} percent)\n", measure.score, weight * 100.0);
    for part in &measure.parts {
        let _ = writeln!(text, "- {} {:.2}: {}", part.name, part.value, marked(&part.measured_on));
    }
    if !measure.factor_on.is_empty() {
        let _ = writeln!(text, "- times {:.2}: {}", measure.factor, marked(&measure.factor_on));
    }
    text.push('\n');
}

fn checks(text: &mut String, memory: &Memory, worker: Worker) {
    let Some(WorkerResult::Checked { check, by }) = memory.last(worker).map(|output| &output.result) else {
        return;
    };
    let score = check.score.map_or_else(|| "not measured".to_owned(), |score| format!("{score:.2}"));
    let _ = writeln!(text, "## {}: {score}, by {by}\n", worker.label());
    for (name, value) in &check.measured {
        let _ = writeln!(text, "- {}: {value}", marked(name));
    }
    for advice in &check.recommendations {
        let _ = writeln!(text, "- {}", marked(advice));
    }
    for place in check.places.iter().take(PLACES) {
        let _ = writeln!(text, "- “{}”: {}", marked(&place.text), marked(&place.why));
    }
    if check.places.len() > PLACES {
        let _ = writeln!(text, "- and {} more", check.places.len() - PLACES);
    }
    text.push('\n');
}
