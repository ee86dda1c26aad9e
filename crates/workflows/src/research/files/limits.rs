//! What a report must say against itself: gaps, failures, what was left out, what was dropped, who wrote it.

use std::collections::BTreeSet;

use baton_engine::dag::TaskStatus;

use crate::citation::{Facts, SecondOpinion};
use crate::markup::{count, plain};
use crate::research::{Memory, Report};
use crate::retrieval::SearchRecord;

/// Entries of one kind before the rest is only counted.
const SHOWN: usize = 12;

/// The limits, as sentences in plain words.
pub fn limits(memory: &Memory, report: &Report, facts: &Facts<'_>) -> Vec<String> {
    let mut sentences = gaps(memory, report);
    sentences
        .extend(memory.limits.iter().map(|what| format!("The research was cut short: {}.", ended(what))));
    if memory.limits.is_empty() && memory.reflections.last().is_some_and(|last| last.caveats) {
        sentences.push("The reflector let the report pass with what there was; see the gaps.".to_owned());
    }
    let exclusions = memory.plan.iter().flat_map(|plan| &plan.exclusions).map(|what| ended(what)).collect();
    sentences.extend(listed("Left out on purpose", exclusions));
    sentences.extend(failures(memory));
    sentences.extend(listed("Searches that failed or brought nothing", searches(memory)));
    sentences.extend(notes(memory));
    sentences.extend(dropped(memory, report));
    sentences.extend(report.second.as_ref().map(SecondOpinion::words));
    sentences.push(authors(memory, report, facts));
    if let Some(carried) = &memory.brief.carried {
        sentences.push(format!("Facts were kept from the run {}.", plain(&carried.run)));
        sentences.extend(listed(
            "Changed since then",
            carried.changes.iter().map(|change| plain(change)).collect(),
        ));
    }
    sentences
}

fn ended(text: &str) -> String {
    plain(text).trim_end_matches('.').to_owned()
}

/// What is missing. Blocks say so themselves; what a model missed is told by where it lies, not in its words.
fn gaps(memory: &Memory, report: &Report) -> Vec<String> {
    let plan = memory.plan.as_ref();
    let mut sentences: Vec<String> = Vec::new();
    for (index, dimension) in plan.iter().flat_map(|plan| &plan.dimensions).enumerate() {
        if !has_facts(memory, index) && report.blocks.is_empty() {
            sentences
                .push(format!("Insufficient data on \"{}\": nothing was found.", plain(&dimension.name)));
        }
    }
    let seen = memory.reflections.last().into_iter().flat_map(|reflection| &reflection.gaps);
    for gap in seen.filter(|gap| has_facts(memory, gap.dimension)) {
        sentences.push(if gap.by_model {
            format!("The reflector missed something on \"{}\".", memory.label(gap.dimension))
        } else {
            format!("Gap: {}.", ended(&gap.what))
        });
    }
    sentences.dedup();
    sentences
}

/// One fact may serve several dimensions; it is numbered once, so memory is asked.
fn has_facts(memory: &Memory, dimension: usize) -> bool {
    memory.findings.values().any(|found| found.part == dimension)
}

fn failures(memory: &Memory) -> Vec<String> {
    let mut sentences = Vec::new();
    for duty in memory.ordered() {
        let Some(task) = memory.dag.get(&duty.id) else { continue };
        let why = || ended(task.why().unwrap_or("no reason given"));
        match task.status() {
            TaskStatus::Failed => {
                let made_up = task.fallback.as_ref().and_then(|id| memory.dag.get(id));
                let after = match made_up.map(baton_engine::dag::Task::status) {
                    Some(TaskStatus::Completed) => "; another task made up for it",
                    _ => "",
                };
                let what = plain(&duty.description);
                sentences.push(format!("Task {} ({what}) failed: {}{after}.", duty.id, why()));
            }
            TaskStatus::Skipped if task.fallback.is_none() && duty.makes_up_for.is_none() => {
                sentences.push(format!(
                    "Task {} ({}) was skipped: {}.",
                    duty.id,
                    plain(&duty.description),
                    why()
                ));
            }
            TaskStatus::Cancelled => {
                sentences.push(format!(
                    "Task {} ({}) was called off: {}.",
                    duty.id,
                    plain(&duty.description),
                    why()
                ));
            }
            _ => {}
        }
    }
    sentences
}

/// Places that gave no answer, each with its reason; then searches that brought nothing, each once.
fn searches(memory: &Memory) -> Vec<String> {
    let all: Vec<&SearchRecord> = memory.searches.values().flatten().collect();
    let places: BTreeSet<&str> = all.iter().map(|search| search.provider.as_str()).collect();
    let mut sentences: Vec<String> = places.into_iter().filter_map(|place| silence(place, &all)).collect();
    for search in all.into_iter().filter(|search| search.found.is_some() && !search.addressed) {
        let outcome = search.outcome();
        let line = format!("{}: \"{}\" {outcome}", plain(&search.provider), plain(&search.query));
        if !sentences.contains(&line) {
            sentences.push(line);
        }
    }
    sentences
}

/// How many searches a place did not answer, and why the first of them.
fn silence(place: &str, all: &[&SearchRecord]) -> Option<String> {
    let here = || all.iter().filter(|search| search.provider == place);
    let first = here().find(|search| search.found.is_none())?;
    let failed = here().filter(|search| search.found.is_none()).count();
    let (name, why) = (plain(place), ended(&first.note));
    let which = match here().count() {
        1 => format!("failed on \"{}\"", plain(&first.query)),
        asked if asked == failed => format!("answered none of {asked} searches"),
        asked => format!("failed on {failed} of {asked} searches, first on \"{}\"", plain(&first.query)),
    };
    Some(format!("{name} {which} ({why})"))
}

fn notes(memory: &Memory) -> Vec<String> {
    let all: BTreeSet<String> = memory.notes.values().flatten().map(|note| ended(note)).collect();
    let (files, others): (Vec<String>, Vec<String>) =
        all.into_iter().partition(|note| note.starts_with("left out: "));
    let files = files.iter().map(|note| note.trim_start_matches("left out: ").to_owned()).collect();
    [listed("Left out", files), listed("Notes", others)].into_iter().flatten().collect()
}

fn dropped(memory: &Memory, report: &Report) -> Vec<String> {
    let mut sentences = Vec::new();
    // Their words are no finding: the journal has them.
    let dropped = report.dropped.len();
    if dropped > 0 {
        let why = match dropped {
            1 => "was dropped because what it cites does not carry it",
            _ => "were dropped because what they cite does not carry them",
        };
        let filled = match report.filled() {
            0 => String::new(),
            1 => "; in 1 part of the question a fact stands word for word instead".to_owned(),
            some => format!("; in {some} parts of the question facts stand word for word instead"),
        };
        sentences.push(format!("{} {why}{filled}.", count(dropped, "sentence")));
    }
    if report.mended > 0 {
        let were = if report.mended == 1 { "was" } else { "were" };
        let mended = count(report.mended, "sentence");
        sentences.push(format!("{mended} {were} let through after the writer had mended it once."));
    }
    sentences.extend(refused(memory));
    sentences
}

/// Facts that a reader proposed in words of its own.
fn refused(memory: &Memory) -> Vec<String> {
    let (quoted, gone): (Vec<_>, Vec<_>) = memory.refused.values().flatten().partition(|fact| fact.quoted);
    let told = |facts: usize, one: &str, many: &str| match facts {
        0 => None,
        1 => Some(format!("1 {one}.")),
        some => Some(format!("{some} {many}.")),
    };
    let quoted = told(
        quoted.len(),
        "fact stands in the words of its source, which do not carry what its reader made of them",
        "facts stand in the words of their sources, which do not carry what their readers made of them",
    );
    let gone = told(
        gone.len(),
        "proposed fact was refused because the source does not carry it",
        "proposed facts were refused because the sources do not carry them",
    );
    quoted.into_iter().chain(gone).collect()
}

fn authors(memory: &Memory, report: &Report, facts: &Facts<'_>) -> String {
    let by: BTreeSet<String> = facts.all().iter().map(|fact| plain(fact.found.by.name())).collect();
    let planned = memory.plan.as_ref().map_or("rules", |plan| plan.by.as_str());
    format!(
        "Planned by {}, facts proposed by {}, written by {}. Rules quote and compare; they do not reason.",
        plain(planned),
        by.into_iter().collect::<Vec<_>>().join(", "),
        plain(report.by.name()),
    )
}

/// One entry for a list: short ones in full, long ones counted.
fn listed(name: &str, mut lines: Vec<String>) -> Option<String> {
    if lines.is_empty() {
        return None;
    }
    let more = lines.len().saturating_sub(SHOWN);
    lines.truncate(SHOWN);
    let rest = if more > 0 { format!("; and {more} more") } else { String::new() };
    Some(format!("{name}: {}{rest}.", lines.join("; ")))
}
