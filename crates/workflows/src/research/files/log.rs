//! logs/orchestrator.log: one line for everything that happened, from the journal:
//! `[TIMESTAMP] [LEVEL] [TYPE] [ITER] | summary | k=v, …`.

use std::fmt::{Display, Write};

use baton_agents::model::ModelFault;
use baton_engine::View;
use baton_engine::dag::{TaskEnding, TaskStatus};
use baton_engine::history::{EntryBody, Transition};
use baton_engine::record::{Body, Payload, StopReason, Stopped};
use baton_machine::{Happening, Word};

use super::story::{Moment, Story, yielded};
use crate::citation::Facts;
use crate::markup::{count, plain};
use crate::research::plan::TaskKind;
use crate::research::{Duty, Event, Memory, Reflection, Research, State, TaskOutput};
use crate::retrieval::UNREAD;

/// The log.
pub fn render(view: &View<'_, Research>, story: &Story, facts: &Facts<'_>) -> String {
    let mut log = String::new();
    for moment in &story.moments {
        for entry in entries(view, moment, facts) {
            let (day, time) = (moment.at.day(), moment.at.time_of_day());
            let fields: Vec<String> =
                entry.fields.iter().map(|(name, value)| format!("{name}={}", shown(value))).collect();
            // Writing to a String cannot fail.
            let _ = writeln!(
                log,
                "[{day}T{time}Z] [{}] [{}] [{}] | {} | {}",
                entry.level,
                entry.kind,
                moment.iteration,
                plain(&entry.summary).replace('|', "/"),
                if fields.is_empty() { "-".to_owned() } else { fields.join(", ") },
            );
        }
    }
    log
}

/// A value on one line: bare if nothing in it could be taken for anything else.
fn shown(value: &str) -> String {
    let value = plain(value);
    let bare = |letter: char| letter.is_alphanumeric() || "-_.:/~+%".contains(letter);
    if !value.is_empty() && value.chars().all(bare) {
        value
    } else {
        serde_json::Value::String(value.replace('|', "/")).to_string()
    }
}

struct Entry {
    level: &'static str,
    kind: &'static str,
    summary: String,
    fields: Vec<(&'static str, String)>,
}

fn entry(level: &'static str, kind: &'static str, summary: impl Into<String>) -> Entry {
    Entry { level, kind, summary: summary.into(), fields: Vec::new() }
}

impl Entry {
    fn with(mut self, name: &'static str, value: &dyn Display) -> Self {
        self.fields.push((name, value.to_string()));
        self
    }
}

fn entries(view: &View<'_, Research>, moment: &Moment, facts: &Facts<'_>) -> Vec<Entry> {
    let memory = view.memory;
    match &moment.body {
        EntryBody::Transition(moved) => {
            let mut entries = happened(moved, memory);
            if moved.from != moved.to {
                entries.push(
                    entry("INFO", "STATUS_CHANGE", format!("{} to {}", moved.from.name(), moved.to.name()))
                        .with("from", &moved.from.name())
                        .with("to", &moved.to.name())
                        .with("reason", &reason(moved)),
                );
                if matches!(moved.event, Event::ReportWritten { .. }) {
                    entries.push(completed(memory, facts));
                }
            }
            entries
        }
        EntryBody::Other(body) => recorded(view, body).into_iter().collect(),
    }
}

/// Why a row was taken: the event, and what it says for itself.
fn reason(moved: &Transition<Research>) -> String {
    let name = moved.event.on().name();
    match &moved.event {
        Event::LimitReached { what } => format!("{name}: {what}"),
        Event::Failed { trouble } => format!("{name}: {}", trouble.message),
        Event::Approved { approval } => format!("{name} by {}", approval.by),
        Event::Refused { by } => format!("{name} by {by}"),
        Event::GapsFound { add, .. } => format!("{name}: {} added", count(add.len(), "task")),
        _ => name.to_owned(),
    }
}

fn happened(moved: &Transition<Research>, memory: &Memory) -> Vec<Entry> {
    match &moved.event {
        Event::PlanDrafted { plan, why } => {
            let names: Vec<&str> = plan.dimensions.iter().map(|dimension| dimension.name.as_str()).collect();
            vec![
                entry("INFO", "PLAN_GENERATED", format!("plan {} drafted: {why}", plan.revision))
                    .with("topic", &memory.brief.topic)
                    .with("dimensions", &names.join("; "))
                    .with("estimated_iterations", &plan.estimate())
                    .with("revision", &plan.revision)
                    .with("hash", &plan.hash())
                    .with("by", &plan.by),
            ]
        }
        Event::Approved { approval } => vec![
            entry("INFO", "PLAN_APPROVED", format!("{} said yes to plan {}", approval.by, approval.revision))
                .with("response", &"yes")
                .with("modifications", &approval.modifications)
                .with("by", &approval.by)
                .with("hash", &approval.hash),
        ],
        Event::Refused { by } => {
            vec![
                entry("WARN", "PLAN_REFUSED", format!("{by} ended it"))
                    .with("response", &"no")
                    .with("by", &by),
            ]
        }
        Event::TaskDispatched { id, agent, query } => vec![
            entry("INFO", "DISPATCH", format!("{id} to the {agent}"))
                .with("task", &id)
                .with("agent", &agent)
                .with("parameters", &if query.is_empty() { "none" } else { query }),
        ],
        Event::TaskFinished { brought } => finished(brought, memory),
        Event::CheckedIn { by, iteration, goes_on } => vec![
            entry("INFO", "CHECK_IN", format!("{by} was asked after {iteration} iterations"))
                .with("response", &if *goes_on { "go on" } else { "stop" })
                .with("by", &by),
        ],
        Event::GapsFound { reflection, add } => {
            let mut entries = vec![reflected(reflection)];
            entries.extend(add.iter().map(created));
            entries
        }
        Event::Complete { reflection } => vec![reflected(reflection)],
        Event::NothingFound { tried, .. } => vec![
            entry("WARN", "NO_EVIDENCE", "nothing was found that answers the question")
                .with("tried", &tried.join("; ")),
        ],
        Event::Failed { trouble } => vec![
            entry("ERROR", "ERROR", &trouble.message)
                .with("type", &format!("{:?}", trouble.kind).to_lowercase())
                .with("message", &trouble.message)
                .with("recovery", &trouble.recovery),
        ],
        Event::LimitReached { what } => limit(what, moved.to, memory),
        Event::ErrorTold => vec![entry("INFO", "NOTIFIED", "a person was told of the error")],
        _ => Vec::new(),
    }
}

/// A limit with nothing found is an error; otherwise what was found is written up.
fn limit(what: &str, to: State, memory: &Memory) -> Vec<Entry> {
    let mut entries =
        vec![entry("WARN", "LIMIT", format!("a limit was reached: {what}")).with("limit", &what)];
    if to == State::Error {
        let known = memory.trouble.as_ref().map(|(trouble, _)| trouble.recovery.as_str());
        entries.push(
            entry("ERROR", "ERROR", "a limit was reached before anything was found")
                .with("type", &"limit")
                .with("message", &what)
                .with("recovery", &known.unwrap_or("resume with a higher limit")),
        );
    }
    entries
}

fn finished(brought: &TaskOutput, memory: &Memory) -> Vec<Entry> {
    let id = &brought.end.id;
    let (status, why) = match &brought.end.ending {
        TaskEnding::Completed => (TaskStatus::Completed, ""),
        TaskEnding::Failed { why } => (TaskStatus::Failed, why.as_str()),
        TaskEnding::Skipped { why } => (TaskStatus::Skipped, why.as_str()),
    };
    let came = yielded(memory, id);
    let failed = status == TaskStatus::Failed;
    let (level, kind) = if failed { ("ERROR", "AGENT_FAILED") } else { ("INFO", "RESULT") };
    let found = match TaskKind::of(&id.0) {
        Some(TaskKind::Search) => came.leads,
        _ => came.sources,
    };
    let mut result = entry(level, kind, format!("{id} {status}"))
        .with("task", &id)
        .with("status", &status)
        .with("facts_extracted", &came.facts)
        .with("sources_found", &found)
        .with("files_saved", &came.sources)
        .with("facts_refused", &came.refused);
    if !why.is_empty() {
        result = result.with("message", &why);
    }
    let compensating: Vec<&Duty> =
        memory.duties.values().filter(|duty| failed && duty.makes_up_for.as_ref() == Some(id)).collect();
    if failed {
        let recovery =
            compensating.first().map_or("none".to_owned(), |duty| format!("{} makes up for it", duty.id));
        let critical = memory.duties.get(id).is_some_and(|duty| duty.critical);
        result = result.with("type", &"task").with("critical", &critical).with("recovery", &recovery);
    }
    let mut entries = vec![result];
    // A task that is done may still lack an answer: nobody should have to guess that.
    entries.extend(lacks(brought));
    entries.extend(compensating.into_iter().map(created));
    entries
}

/// Searches of a task that failed, and documents that could not be read.
fn lacks(brought: &TaskOutput) -> Vec<Entry> {
    let failed = brought.searches.iter().filter(|search| search.found.is_none()).map(|search| {
        entry("WARN", "SEARCH_FAILED", format!("{} gave no answer", search.provider))
            .with("task", &brought.end.id)
            .with("provider", &search.provider)
            .with("query", &search.query)
            .with("message", &search.note)
    });
    let unread = brought.notes.iter().filter_map(|note| note.strip_prefix(UNREAD)).map(|why| {
        entry("WARN", "NOT_READ", "a document could not be read")
            .with("task", &brought.end.id)
            .with("message", &why)
    });
    failed.chain(unread).collect()
}

fn created(duty: &Duty) -> Entry {
    let after: Vec<&str> = duty.depends_on.iter().map(|id| id.0.as_str()).collect();
    entry("INFO", "TASK_CREATED", format!("{}: {}", duty.id, duty.description))
        .with("task", &duty.id)
        .with("depends_on", &if after.is_empty() { "none".to_owned() } else { after.join(",") })
}

fn reflected(reflection: &Reflection) -> Entry {
    entry("INFO", "REFLECTION", format!("score {} of 10", reflection.score))
        .with("completeness", &reflection.completeness)
        .with("authority", &reflection.authority)
        .with("conflicts", &reflection.conflicts)
        .with("traceability", &reflection.traceability)
        .with("recency", &reflection.recency)
        .with("gaps", &reflection.gaps.len())
        .with("disputes", &reflection.disputes.len())
        .with("decision", &decision(reflection))
        .with("by", &reflection.by)
}

/// A model's fault is what its call brought: the words of it, and whether another try can help. Faults are short and stand
/// in the record itself; a reply is none.
fn fault(payload: &Payload) -> Option<(String, bool)> {
    let Payload::Inline(value) = payload else { return None };
    let fault: ModelFault = serde_json::from_value(value.get("Err")?.clone()).ok()?;
    Some((fault.to_string(), fault.kind.retriable()))
}

/// What stopped the run: a person or the machine, or an error that nobody could help.
fn stop(stopped: &Stopped) -> Entry {
    let recovery = match stopped.reason {
        StopReason::Cancelled | StopReason::Interrupted => {
            return entry("WARN", "STOPPED", "the run was stopped in its state")
                .with("reason", &stopped.reason.name())
                .with("detail", &stopped.detail);
        }
        StopReason::Provider => {
            "mend what failed, or name another model; `baton resume` makes the call again"
        }
        StopReason::Budget => {
            "`baton resume --budget-usd N` goes on with more, `--set finish=true` writes up what there is"
        }
        StopReason::Disk => "make room; `baton resume` goes on from the last record",
        StopReason::Changed => "go on with the program that began the run",
        StopReason::Panic | StopReason::Refused | StopReason::Broken => {
            "this is a defect of Baton; `baton resume` tries the state again"
        }
    };
    entry("ERROR", "ERROR", "the run was stopped by an error")
        .with("type", &stopped.reason.name())
        .with("message", &stopped.detail)
        .with("recovery", &recovery)
}

/// The decision by its name in the specification.
pub fn decision(reflection: &Reflection) -> &'static str {
    use crate::research::Decision;
    match reflection.decision {
        Decision::ContinueResearch => "CONTINUE_RESEARCH",
        Decision::AddConflictTasks => "ADD_CONFLICT_TASKS",
        Decision::ReadyForSynthesis => "READY_FOR_SYNTHESIS",
    }
}

fn completed(memory: &Memory, facts: &Facts<'_>) -> Entry {
    let dropped = memory.report.as_ref().map_or(0, |report| report.dropped.len());
    entry("INFO", "COMPLETED", "the report was written")
        .with("total_iterations", &memory.iteration)
        .with("sources_used", &facts.sources().len())
        .with("facts_collected", &facts.all().len())
        .with("sentences_dropped", &dropped)
}

/// What the journal has besides moves. Intents and successful calls are the ledger's business.
fn recorded(view: &View<'_, Research>, body: &Body) -> Option<Entry> {
    Some(match body {
        Body::Started(started) => entry("INFO", "BOOT", "the run began")
            .with("run", &started.run)
            .with("workflow", &started.workflow)
            .with("topic", &started.title),
        Body::Refused(refusal) => entry("ERROR", "ERROR", "an event that no row takes")
            .with("type", &"refused")
            .with("message", &refusal.why)
            .with("recovery", &"the run was stopped"),
        Body::Receipt(receipt) => {
            let (message, is_passing, otherwise) = match &receipt.out {
                Err(failure) => (failure.text.clone(), failure.retriable, "go on without it"),
                Ok(payload) => {
                    let (message, is_passing) = fault(payload)?;
                    (message, is_passing, "ask the next model of the role, or its rules")
                }
            };
            let recovery = if is_passing { "try again" } else { otherwise };
            entry("WARN", "CALL_FAILED", format!("{} failed", receipt.key))
                .with("type", &"call")
                .with("message", &message)
                .with("recovery", &recovery)
        }
        Body::Denied(denied) => entry("WARN", "BUDGET", format!("{} was not made", denied.key))
            .with("limit", &denied.short.what)
            .with("need", &denied.short.need)
            .with("left", &denied.short.left),
        Body::Unknown(unknown) => {
            entry("WARN", "CALL_UNKNOWN", format!("a crash hid what {} did", unknown.key))
        }
        Body::Asked(asked) => {
            entry("INFO", "QUESTION", "a person was asked").with("text", &asked.question.text)
        }
        Body::Answered(answered) => {
            let response = match view.value(&answered.answer) {
                Some(value) => value.as_str().map_or_else(|| value.to_string(), str::to_owned),
                None => "lost".to_owned(),
            };
            entry("INFO", "ANSWER", format!("{} answered", answered.by))
                .with("response", &response)
                .with("by", &answered.by)
        }
        Body::Expired(closed) => entry("WARN", "EXPIRED", format!("nobody answered {} in time", closed.key)),
        Body::Stopped(stopped) => stop(stopped),
        Body::Resumed(resumed) => {
            entry("INFO", "RESUMED", format!("{} let it go on", resumed.by)).with("by", &resumed.by)
        }
        Body::Setting(setting) => {
            entry("INFO", "SETTING", format!("{} changed a setting", setting.by)).with("by", &setting.by)
        }
        Body::Note(note) => entry("INFO", "NOTE", &note.text),
        Body::Forked(forked) => {
            entry("INFO", "FORKED", format!("{} let it go off from {}", forked.by, forked.from))
                .with("run", &forked.run)
                .with("from", &forked.from)
        }
        Body::Changed(changed) => {
            let keys: Vec<&str> = changed.changes.iter().map(|change| change.key.as_str()).collect();
            entry("INFO", "CHANGED", format!("{} changed {}", changed.by, keys.join(", ")))
        }
        Body::Migrated(migrated) => {
            entry("INFO", "MIGRATED", format!("{} took it over to another version", migrated.by))
        }
        Body::Rewound(rewound) => {
            entry("INFO", "REWOUND", format!("{} took it back to record {}", rewound.by, rewound.to))
        }
        Body::Event(happened) => entry("ERROR", "ERROR", "an event that cannot be read any more")
            .with("type", &"damage")
            .with("from", &happened.from)
            .with("to", &happened.to)
            .with("recovery", &"restore the home from a copy"),
        Body::Intent(_)
        | Body::Looked(_)
        | Body::Abandoned(_)
        | Body::Timer(_)
        | Body::Fired(_)
        | Body::Checkpoint(_)
        | Body::Child(_)
        | Body::ChildEnded(_)
        | Body::ChildRaised(_) => return None,
    })
}
