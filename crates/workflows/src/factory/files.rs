//! What the folder of a build shows: `state.yaml` with every field, the list of what is to be done, the reports of waves and
//! phases, the documents of a recovery, the log of decisions.

use std::fmt::Write;

use baton_engine::{Millis, RunFile, View};
use baton_machine::Word;

use super::documents;
use super::efforts::{EffortState, EffortStatus};
use super::memory::Memory;
use super::{Factory, State};

pub fn files(view: &View<'_, Factory>) -> Vec<RunFile> {
    let memory = view.memory;
    let (now, before) = (view.position.state, view.position.entered_from);
    let mut files = vec![
        RunFile::text("state.yaml", state(memory, now, before)),
        RunFile::text("todos/orchestrator.todo", todo(memory, now)),
        RunFile::text("progress.md", progress(memory, now)),
        RunFile::text("decisions.md", decisions(memory)),
    ];
    for it in &memory.assessments {
        let path = match it.wave {
            Some(wave) => {
                format!("wave-reviews/phase{0}/wave{wave}/PHASE-{0}-WAVE-{wave}-REVIEW-REPORT.md", it.phase)
            }
            None => format!("phase-assessments/phase{0}/PHASE-{0}-ASSESSMENT-REPORT.md", it.phase),
        };
        // A phase that is assessed again has a newer report in the same place.
        files.retain(|file| file.path != path);
        files.push(RunFile::text(path, documents::assessment(it)));
    }
    if let Some(analysis) = &memory.analysis {
        files.push(RunFile::text("recovery/DEVIATION_ANALYSIS.md", documents::analysis(analysis)));
        files.push(RunFile::text("recovery/technical_debt_inventory.md", documents::inventory(analysis)));
        files.push(RunFile::text("recovery/risk_assessment_matrix.md", documents::risks(analysis)));
    }
    if let Some(strategy) = &memory.strategy {
        files.push(RunFile::text("recovery/RECOVERY_STRATEGY.md", documents::strategy(strategy, memory)));
    }
    files
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn time(at: Option<u64>) -> String {
    at.map_or_else(
        || "null".to_owned(),
        |at| {
            let at = Millis(at);
            let time = at.time_of_day();
            quoted(&format!("{}T{}Z", at.day(), time.get(..8).unwrap_or(&time)))
        },
    )
}

fn names(memory: &Memory) -> (String, String) {
    let phase = memory.plan.phases.get(memory.phase);
    let wave = phase.and_then(|phase| phase.waves.get(memory.wave).or(phase.waves.last()));
    (
        phase.map(|phase| phase.name.clone()).unwrap_or_default(),
        wave.map(|wave| wave.name.clone()).unwrap_or_default(),
    )
}

/// The state file: nothing of the plan is left out, and no field is left empty.
fn state(memory: &Memory, now: State, before: Option<State>) -> String {
    let mut text = String::new();
    let (phase_name, wave_name) = names(memory);
    // Writing to a String cannot fail.
    let _ = writeln!(text, "current_state: {}", now.name());
    let _ = writeln!(text, "previous_state: {}", before.map_or("null", Word::name));
    let _ = writeln!(
        text,
        "current_phase: {}\ncurrent_wave: {}",
        memory.phase + 1,
        memory.wave.min(memory.waves().saturating_sub(1)) + 1
    );
    let _ = writeln!(text, "phase_name: {}\nwave_name: {}", quoted(&phase_name), quoted(&wave_name));
    list(
        &mut text,
        "efforts_in_progress",
        memory.in_order().filter(|it| matches!(it.status, EffortStatus::Implementing | EffortStatus::Queued)),
        |effort| vec![("agent", quoted(&effort.worker)), ("status", quoted(effort.status.word()))],
    );
    list(
        &mut text,
        "efforts_completed",
        memory.in_order().filter(|it| it.status == EffortStatus::Merged),
        |effort| vec![("lines", effort.lines.to_string()), ("review_status", quoted("approved"))],
    );
    list(
        &mut text,
        "efforts_pending",
        memory.in_order().filter(|it| matches!(it.status, EffortStatus::Planned | EffortStatus::Failed)),
        |effort| vec![("agent", quoted(&effort.plan.agent)), ("status", quoted(effort.status.word()))],
    );
    list(
        &mut text,
        "efforts_superseded",
        memory.in_order().filter(|it| it.status == EffortStatus::Superseded),
        |effort| vec![("lines", effort.lines.to_string()), ("do_not_integrate", "true".to_owned())],
    );
    let _ = writeln!(text, "integration_status:");
    let _ = writeln!(text, "  last_review: {}", time(memory.last_review));
    let _ = writeln!(text, "  health: {}", quoted(memory.health.word()));
    let _ = writeln!(text, "  technical_debt: {}", memory.debt());
    let critical = memory.issues.len();
    let _ = writeln!(text, "  critical_violations: {critical}");
    let _ = writeln!(text, "  recovery_attempts: {}\n  resets: {}", memory.recoveries, memory.resets);
    let _ = writeln!(text, "  checkpoints: {}", memory.checkpoints.len());
    let _ = writeln!(text, "budget:\n  spent_usd: {}", usd(memory.in_order().map(|it| it.spent).sum()));
    let reserved = memory.in_order().filter(|it| it.status == EffortStatus::Implementing);
    let _ = writeln!(text, "  reserved_usd: {}", usd(reserved.map(|it| it.granted).sum()));
    let unknown: u64 = memory.in_order().map(|it| it.unknown_costs).sum();
    let _ = writeln!(text, "  turns_of_unknown_cost: {unknown}");
    let planned = memory.plan.efforts().count();
    let known = memory.efforts.values().filter(|it| it.wave.is_some() && it.part_of.is_none()).count();
    let _ = writeln!(text, "validation:\n  plan_phases: {}", memory.plan.phases.len());
    let _ = writeln!(
        text,
        "  plan_efforts: {planned}\n  state_efforts: {known}\n  is_complete: {}",
        planned == known
    );
    text
}

fn usd(micro: u64) -> String {
    format!("{:.6}", micro as f64 / 1e6)
}

fn list<'a>(
    text: &mut String,
    name: &str,
    efforts: impl Iterator<Item = &'a EffortState>,
    fields: impl Fn(&EffortState) -> Vec<(&'static str, String)>,
) {
    let mut efforts = efforts.peekable();
    if efforts.peek().is_none() {
        let _ = writeln!(text, "{name}: []");
        return;
    }
    let _ = writeln!(text, "{name}:");
    for effort in efforts {
        let _ =
            writeln!(text, "  - name: {}\n    branch: {}", quoted(&effort.plan.name), quoted(&effort.branch));
        for (key, value) in fields(effort) {
            let _ = writeln!(text, "    {key}: {value}");
        }
    }
}

/// What is to be done, in the four boxes people know.
fn todo(memory: &Memory, now: State) -> String {
    let mut text = format!(
        "# TODO: orchestrator, {}, phase {}, wave {}\n",
        now.name(),
        memory.phase + 1,
        memory.wave.min(memory.waves().saturating_sub(1)) + 1
    );
    let boxes: [(&str, &[EffortStatus], char); 4] = [
        ("In Progress", &[EffortStatus::Implementing, EffortStatus::Queued], '~'),
        ("Pending", &[EffortStatus::Planned], ' '),
        ("Completed", &[EffortStatus::Merged, EffortStatus::Superseded], 'x'),
        ("Blocked", &[EffortStatus::Failed], '!'),
    ];
    for (title, statuses, mark) in boxes {
        let _ = writeln!(text, "\n## {title}\n");
        let mut efforts = memory.in_order().filter(|effort| statuses.contains(&effort.status)).peekable();
        if efforts.peek().is_none() {
            text.push_str("(none)\n");
        }
        for effort in efforts {
            let split = if effort.status == EffortStatus::Superseded { ", split into parts" } else { "" };
            let _ = writeln!(text, "- [{mark}] {} ({}{split})", effort.plan.name, effort.branch);
        }
    }
    text.push_str("\n## Context Notes\n\n");
    if memory.notices.is_empty() {
        text.push_str("(none)\n");
    }
    for notice in memory.notices.iter().rev().take(10) {
        let _ = writeln!(text, "- {notice}");
    }
    text
}

fn progress(memory: &Memory, now: State) -> String {
    let mut page = format!("# {}\n\nState: {}\n", memory.plan.title, now.name());
    for (number, phase) in memory.plan.phases.iter().enumerate() {
        let _ = writeln!(page, "\n## Phase {}: {}\n", number + 1, phase.name);
        let _ = writeln!(
            page,
            "| effort | branch | agent | lines | reviews | spent | status |\n|---|---|---|---|---|---|---|"
        );
        for effort in memory.in_order().filter(|effort| effort.phase == number) {
            let _ = writeln!(
                page,
                "| {} | {} | {} | {} | {} | {} | {} |",
                effort.plan.name,
                effort.branch,
                effort.plan.agent,
                effort.lines,
                effort.reviews,
                spent(effort),
                effort.status.word()
            );
        }
    }
    if let Some(delivered) = &memory.delivered {
        let _ = writeln!(page, "\nDelivered: {}\n\n    {}", delivered.at, delivered.see);
    }
    if !memory.why.is_empty() {
        let _ = writeln!(page, "\nAbandoned: {}. Nothing was delivered; what was done is kept.", memory.why);
    }
    page
}

/// What an effort has spent; where nobody knows all of it, that is said.
fn spent(effort: &EffortState) -> String {
    let known = if effort.unknown_costs > 0 { " (in part not known)" } else { "" };
    format!("{:.2} USD{known}", effort.spent as f64 / 1e6)
}

fn decisions(memory: &Memory) -> String {
    let mut page = "# Decisions\n\n".to_owned();
    for (number, decision) in memory.decisions.iter().enumerate() {
        let _ = writeln!(page, "{}. {}: {}", number + 1, decision.what, decision.grounds.replace('\n', " "));
    }
    page
}
