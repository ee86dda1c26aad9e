//! Writes task.md, and the part of it a person edits before approving a plan.

use std::collections::BTreeMap;
use std::fmt::Write;

use baton_engine::dag::{TaskId, TaskStatus};
use baton_engine::history::EntryBody;
use baton_engine::record::{Body, StopReason};
use baton_engine::{Status, View};
use baton_machine::Word;

use super::{ARCHIVE, SECTIONS, line};
use crate::citation::{Facts, NumberedFact, source_label};
use crate::markup::{count, marked, plain, quoted};
use crate::research::files::story::{Story, TaskSnapshot, dependencies, yielded};
use crate::research::plan::{Duty, Plan, TaskKind};
use crate::research::{Brief, Memory, Report, Research, Severity, State};

const EMPTY: &str = "None.\n";

/// The whole file; nothing before there is a plan.
pub fn render(view: &View<'_, Research>, story: &Story, facts: &Facts<'_>) -> Option<String> {
    let memory = view.memory;
    let plan = memory.plan.as_ref()?;
    let stands = story.stands(memory);
    let mut page = front(view, story);
    objectives(&mut page, plan, Some(&memory.brief));
    let statuses = stands.last().map(|stand| stand.statuses.clone()).unwrap_or_default();
    let shown = |duty: &Duty| Duty { depends_on: dependencies(duty, &statuses, memory), ..duty.clone() };
    let duties: Vec<Duty> = memory.ordered().into_iter().map(shown).collect();
    tasks(&mut page, &duties, &statuses, plan);
    knowledge(&mut page, plan, memory, facts, Some(BEST));
    registry(&mut page, facts);
    scratchpad(&mut page, memory, &stands, stopped(view, story));
    last(&mut page, memory, view.position.state);
    Some(page)
}

/// Facts of one dimension that stand in the task file; the archive has them all.
const BEST: usize = 8;
/// Iterations whose checkpoints stand in the task file: the newest, and those to fall back to.
const LATEST: usize = 3;

/// What is over and done: every iteration and every fact. The head of the task file names this file.
pub fn archive(view: &View<'_, Research>, story: &Story, facts: &Facts<'_>) -> Option<String> {
    let memory = view.memory;
    let plan = memory.plan.as_ref()?;
    let mut page = format!(
        "# Archive of {}\n\ntask.md shows where the run stands; this is how it came there.\n\n## Iteration Log\n\n",
        marked(&memory.brief.mission)
    );
    for stand in &story.stands(memory) {
        iteration(&mut page, stand);
    }
    page.push('\n');
    knowledge(&mut page, plan, memory, facts, None);
    Some(page)
}

/// A plan as a person may edit it; [`super::parse`] reads it.
pub fn plan_form(plan: &Plan) -> String {
    let mut page = String::from(
        "<!-- Edit the plan: the question, the dimensions, the tasks. One task is one line:\n     \
         - [ ] ID: Type: Description (Status: PENDING, DependsOn: IDs or none)\n     \
         P prepares, S searches, R reads what its searches found, C looks at a conflict.\n     \
         A search or reading named like a dimension serves it. -->\n\n",
    );
    objectives(&mut page, plan, None);
    let status = |duty: &Duty| {
        if plan.done.contains(&duty.id) {
            TaskStatus::Completed
        } else if duty.depends_on.is_subset(&plan.done) {
            TaskStatus::Pending
        } else {
            TaskStatus::Blocked
        }
    };
    let statuses = plan.tasks.iter().map(|duty| (duty.id.clone(), status(duty))).collect();
    tasks(&mut page, &plan.tasks, &statuses, plan);
    page
}

fn front(view: &View<'_, Research>, story: &Story) -> String {
    let brief = &view.memory.brief;
    format!(
        "---\nmission_id: {}\ncreated_at: \"{}T{}Z\"\nstatus: \"{}\"\ntopic: {}\niteration: {}\n\
         max_iterations: {}\narchive: \"{ARCHIVE}\"\ncost_tracking:\n  total_tokens: {}\n  tools_used: {}\n---\n\n",
        quoted(&brief.mission),
        story.created.day(),
        story.created.time_of_day(),
        view.position.state.name(),
        quoted(&brief.topic),
        view.memory.iteration,
        brief.max_iterations,
        view.purse.spent.tokens,
        story.calls,
    )
}

// Writing to a String cannot fail, here and below.

fn objectives(page: &mut String, plan: &Plan, brief: Option<&Brief>) {
    let _ = write!(
        page,
        "{}\n\n**Core Question**: {}\n\n**Plan**: revision {}, drafted by {}\n\n## Research Dimensions\n\n\
         | # | Dimension | Focus Areas |\n|---|---|---|\n",
        SECTIONS[0],
        marked(&plan.core_question),
        plan.revision,
        marked(&plan.by),
    );
    for (index, dimension) in plan.dimensions.iter().enumerate() {
        let _ =
            writeln!(page, "| {} | {} | {} |", index + 1, marked(&dimension.name), list(&dimension.focus));
    }
    page.push('\n');
    for (index, dimension) in plan.dimensions.iter().enumerate() {
        let _ = writeln!(page, "- D{}: {}", index + 1, marked(&dimension.question));
    }
    page.push_str("\n## Constraints\n\n| Constraint | Value |\n|---|---|\n");
    if let Some(brief) = brief {
        let _ = write!(
            page,
            "| Time Scope | {} |\n| Geographic Scope | not limited |\n| Language | {} |\n\
             | Source Requirements | {} |\n",
            marked(&time_scope(brief)),
            marked(brief.language.as_deref().unwrap_or("any")),
            marked(&source_requirements(brief)),
        );
    }
    let _ = writeln!(page, "| Exclusions | {} |", list(&plan.exclusions));
    if brief.is_some() {
        page.push_str("\n## Quality Criteria\n\n");
        for criterion in QUALITY {
            let _ = writeln!(page, "- {criterion}");
        }
    }
    page.push('\n');
}

/// What a report must do.
pub const QUALITY: [&str; 5] = [
    "The report answers the core question.",
    "Every claim has a citation.",
    "Every dimension is covered or named as a gap.",
    "Conflicts are shown with both sides.",
    "Confidence and limits are stated.",
];

/// The dates a document may have.
pub fn time_scope(brief: &Brief) -> String {
    match (&brief.since, &brief.until) {
        (Some(since), Some(until)) => format!("{since} to {until}"),
        (Some(since), None) => format!("from {since}"),
        (None, Some(until)) => format!("up to {until}"),
        (None, None) => "not limited".to_owned(),
    }
}

/// Where sources may come from.
pub fn source_requirements(brief: &Brief) -> String {
    let mut words = format!("searched: {}", brief.providers.join(", "));
    if !brief.docs.is_empty() {
        words.push_str(&format!(" ({} of documents)", count(brief.docs.len(), "folder")));
    }
    if !brief.dropped.is_empty() {
        words.push_str(&format!("; not used: {}", brief.dropped.join(", ")));
    }
    words
}

/// A list as one cell of a table.
fn list(parts: &[String]) -> String {
    if parts.is_empty() {
        return "none".to_owned();
    }
    parts.iter().map(|part| marked(part).replace(';', "\\;")).collect::<Vec<_>>().join("; ")
}

fn tasks(page: &mut String, duties: &[Duty], statuses: &BTreeMap<TaskId, TaskStatus>, plan: &Plan) {
    let _ = writeln!(page, "{}", SECTIONS[1]);
    let phases: [(&str, &[TaskKind]); 3] = [
        ("Phase 1: Foundation", &[TaskKind::Plan]),
        ("Phase 2: Execution", &[TaskKind::Search, TaskKind::Read]),
        ("Phase 3: Conflict resolution", &[TaskKind::Conflict]),
    ];
    for (name, kinds) in phases {
        let own: Vec<&Duty> = duties.iter().filter(|duty| kinds.contains(&duty.kind())).collect();
        if own.is_empty() {
            continue;
        }
        let _ = write!(page, "\n## {name}\n\n");
        for duty in own {
            let status = statuses.get(&duty.id).copied().unwrap_or(TaskStatus::Blocked);
            page.push_str(&line::render(duty, status, &plan.dimensions));
        }
    }
    page.push('\n');
}

/// The facts of each dimension in their order: all, or those the report cites and else the nearest.
fn knowledge(page: &mut String, plan: &Plan, memory: &Memory, facts: &Facts<'_>, most: Option<usize>) {
    let _ = write!(page, "{}\n\n", SECTIONS[2]);
    for (index, dimension) in plan.dimensions.iter().enumerate() {
        let _ = write!(page, "## 3.{} {}\n\n", index + 1, marked(&dimension.name));
        let own: Vec<&NumberedFact<'_>> =
            facts.all().iter().filter(|fact| fact.found.part == index).collect();
        if own.is_empty() {
            // A fact that serves several dimensions is shown once.
            let elsewhere = memory.findings.values().any(|found| found.part == index);
            let _ = writeln!(
                page,
                "{}",
                if elsewhere { "Its facts stand under another dimension.\n" } else { EMPTY }
            );
        }
        let active = most.map_or_else(|| own.clone(), |most| active(memory, &own, most));
        for fact in &active {
            entry(page, fact);
        }
        if active.len() < own.len() {
            let more = count(own.len() - active.len(), "more fact");
            let stand = if own.len() - active.len() == 1 { "stands" } else { "stand" };
            let _ = write!(page, "{more} {stand} in [{ARCHIVE}]({ARCHIVE}).\n\n");
        }
    }
}

/// What is worth seeing at a glance: what the report rests on, else what is nearest to the question.
fn active<'a, 'b>(memory: &Memory, own: &[&'a NumberedFact<'b>], most: usize) -> Vec<&'a NumberedFact<'b>> {
    let cited = |fact: &&NumberedFact<'_>| {
        let mut lines = memory.report.iter().flat_map(Report::lines);
        lines.any(|line| line.facts.iter().any(|key| key == fact.found.key()))
    };
    let mut chosen: Vec<&NumberedFact<'_>> = own.to_vec();
    chosen.sort_by(|a, b| cited(b).cmp(&cited(a)).then(b.found.score.total_cmp(&a.found.score)));
    chosen.truncate(most.max(own.iter().filter(|fact| cited(fact)).count()));
    chosen.sort_by_key(|fact| fact.label());
    chosen
}

fn entry(page: &mut String, fact: &NumberedFact<'_>) {
    let _ = write!(
        page,
        "[{}] {}\n- Source: [{}]\n- Confidence: {}\n- Raw_File: {}\n- Extracted: {}\n",
        fact.label(),
        marked(&fact.found.fact.statement),
        fact.source_label(),
        fact.confidence.name(),
        marked(&fact.card.original()),
        marked(&fact.card.accessed),
    );
    if fact.superseded {
        page.push_str("- Context: from a document that was replaced\n");
    }
    page.push('\n');
}

fn registry(page: &mut String, facts: &Facts<'_>) {
    let _ = write!(
        page,
        "{}\n\n| ID | URL | Title | Type | Access Date | Local Path |\n|---|---|---|---|---|---|\n",
        SECTIONS[3]
    );
    for (index, card) in facts.sources().iter().enumerate() {
        let cells = [&card.shown, &card.source.title, &card.kind, &card.accessed, &card.copy()];
        let cells: Vec<String> = cells.iter().map(|cell| marked(cell)).collect();
        let _ = writeln!(page, "| {} | {} |", source_label(index + 1), cells.join(" | "));
    }
    page.push('\n');
}

/// Every this many iterations the scratchpad says how far things are.
const PROGRESS: u32 = 5;

fn scratchpad(page: &mut String, memory: &Memory, stands: &[TaskSnapshot], stopped: Option<String>) {
    let _ = write!(page, "{}\n\n## Iteration Log\n\n", SECTIONS[4]);
    let latest = stands.len().saturating_sub(LATEST);
    if latest > 0 {
        let _ = writeln!(page, "- Iterations 0 to {}: [{ARCHIVE}]({ARCHIVE})", stands[latest].iteration - 1);
    }
    for (at, stand) in stands.iter().enumerate() {
        if at >= latest {
            iteration(page, stand);
        }
        if stand.iteration > 0 && stand.iteration.is_multiple_of(PROGRESS) {
            let _ = writeln!(page, "- **Progress {}**: {}", stand.iteration, progress(memory, stand));
        }
    }
    section(page, "Gap Analysis", gaps(memory));
    section(page, "Conflict Notes", conflicts(memory));
    section(page, "Failures", failures(memory).into_iter().chain(stopped).collect());
}

fn iteration(page: &mut String, stand: &TaskSnapshot) {
    let what = match &stand.dispatched {
        Some(id) => format!("dispatched {id}"),
        None => "the plan was approved".to_owned(),
    };
    // Ids and statuses are plain words: writing the map cannot fail.
    let map = serde_json::to_string(&stand.statuses).unwrap_or_default();
    let _ = writeln!(page, "- **Iteration {}**: {what}; checkpoint {map}", stand.iteration);
}

fn progress(memory: &Memory, stand: &TaskSnapshot) -> String {
    let finished: Vec<&TaskId> =
        stand.statuses.iter().filter(|(_, status)| status.is_final()).map(|(id, _)| id).collect();
    let facts: usize = finished.iter().map(|id| yielded(memory, id).facts).sum();
    let of = count(stand.statuses.len(), "task");
    format!("{} of {of} finished, {} found", finished.len(), count(facts, "fact"))
}

fn section(page: &mut String, name: &str, lines: Vec<String>) {
    let _ = write!(page, "\n## {name}\n\n");
    if lines.is_empty() {
        page.push_str(EMPTY);
    }
    for line in lines {
        let _ = writeln!(page, "- {line}");
    }
}

fn gaps(memory: &Memory) -> Vec<String> {
    let gaps = memory.reflections.last().into_iter().flat_map(|reflection| &reflection.gaps);
    let what = |gap: &crate::research::Gap| match gap.by_model {
        true => format!("the model missed something in dimension {}", gap.dimension + 1),
        false => marked(&gap.what),
    };
    gaps.map(|gap| format!("{}: {}", severity(gap.severity), what(gap))).collect()
}

fn conflicts(memory: &Memory) -> Vec<String> {
    let told = |dispute: &crate::research::Dispute| {
        let found = match &dispute.resolution {
            Some(resolution) => format!("{} ({})", marked(&resolution.reason), marked(resolution.by.name())),
            None => "not looked at".to_owned(),
        };
        let what = marked(&dispute.conflict.explanation);
        format!("{} {}: {what}; {found}", severity(dispute.severity), plain(&dispute.key))
    };
    memory.disputes.values().map(told).collect()
}

/// An error that stopped the run in its state.
fn stopped(view: &View<'_, Research>, story: &Story) -> Option<String> {
    let Status::Stopped(reason) = view.status else { return None };
    let detail = story.moments.iter().rev().find_map(|moment| match &moment.body {
        EntryBody::Other(body) => match &**body {
            Body::Stopped(stopped) => Some(stopped.detail.clone()),
            _ => None,
        },
        EntryBody::Transition(_) => None,
    })?;
    let by_hand = matches!(reason, StopReason::Cancelled | StopReason::Interrupted);
    (!by_hand)
        .then(|| format!("ERROR ({}): {} `baton resume` goes on from here.", reason.name(), marked(&detail)))
}

fn failures(memory: &Memory) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for duty in memory.ordered() {
        let Some(task) = memory.dag.get(&duty.id).filter(|task| task.status() == TaskStatus::Failed) else {
            continue;
        };
        let after = task.fallback.as_ref().map(|id| format!("; {id} makes up for it")).unwrap_or_default();
        lines.push(format!("{}: {}{after}", duty.id, marked(task.why().unwrap_or("no reason given"))));
    }
    if let Some((trouble, _)) = &memory.trouble {
        lines.push(format!("ERROR: {} {}", marked(&trouble.message), marked(&trouble.recovery)));
    }
    lines
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Low => "Low",
        Severity::Medium => "Medium",
        Severity::High => "High",
    }
}

fn last(page: &mut String, memory: &Memory, state: State) {
    let marker = match state {
        _ if memory.report.is_some() => "See [report.md](report.md).",
        State::NoEvidence => "No report: nothing was found that answers the question.",
        _ => "Pending.",
    };
    let _ = write!(page, "\n{}\n\n{marker}\n", SECTIONS[5]);
}
