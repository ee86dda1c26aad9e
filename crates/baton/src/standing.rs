//! A run's status as a person sees it. The journal cannot say that the process which drove a run is gone;
//! its lock can.

use baton_engine::{Changeable, OpenQuestion, RunId, RunSummary, Status, StopReason};
use baton_machine::Outcome;

use crate::page::Ink;
use crate::program::Program;
use crate::text::{quoted, usd};
use serde_json::Value;

/// A run's status as a person sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It was recorded and nothing more.
    New,
    /// A living process drives it.
    Running,
    /// It was driven, and its process is gone.
    Interrupted,
    /// It waits for an answer or a time.
    Waiting,
    /// It was stopped in its state.
    Stopped(StopReason),
    /// It is over.
    Finished(Outcome),
}

impl Standing {
    /// What a run in a list means, if another process than this one may drive it.
    pub fn of(row: &RunSummary) -> Self {
        Self::while_driven(row, row.driven_by.is_some())
    }

    /// The same, given whether a living process drives the run.
    pub fn while_driven(row: &RunSummary, driven: bool) -> Self {
        match &row.status {
            Status::Running if driven => Self::Running,
            Status::Running if row.records <= row.shared + 1 => Self::New,
            Status::Running => Self::Interrupted,
            Status::Waiting => Self::Waiting,
            Status::Stopped(reason) => Self::Stopped(*reason),
            Status::Finished(outcome) => Self::Finished(*outcome),
        }
    }

    /// The status in one word.
    pub fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Running => "running",
            Self::Interrupted => "interrupted",
            Self::Waiting => "waiting",
            Self::Stopped(_) => "stopped",
            Self::Finished(_) => "finished",
        }
    }

    /// The reason of a stop, or the outcome of a finished run.
    pub fn why(self) -> Option<&'static str> {
        match self {
            Self::Stopped(reason) => Some(reason.name()),
            Self::Finished(outcome) => Some(outcome_name(outcome)),
            Self::New | Self::Running | Self::Interrupted | Self::Waiting => None,
        }
    }

    /// Both, for people.
    pub fn words(self) -> String {
        self.why().map_or_else(|| self.word().to_owned(), |why| format!("{}: {why}", self.word()))
    }

    /// One word for a column: the reason or the outcome says it all.
    pub fn brief(self) -> &'static str {
        self.why().unwrap_or_else(|| self.word())
    }

    /// How it is shown.
    pub fn ink(self) -> Ink {
        match self {
            Self::New | Self::Running => Ink::Plain,
            Self::Finished(Outcome::Completed) => Ink::Good,
            Self::Waiting | Self::Interrupted | Self::Finished(Outcome::Partial) => Ink::Warn,
            Self::Stopped(StopReason::Cancelled | StopReason::Interrupted)
            | Self::Finished(Outcome::Aborted) => Ink::Faint,
            Self::Stopped(_) | Self::Finished(_) => Ink::Bad,
        }
    }
}

/// The stable name of an outcome.
pub fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Completed => "completed",
        Outcome::Partial => "partial",
        Outcome::Failed => "failed",
        Outcome::Aborted => "aborted",
        Outcome::NoEvidence => "no_evidence",
    }
}

/// What a run may spend and has spent, in millionths of a dollar.
#[derive(Clone, Copy, Debug)]
pub struct Money {
    /// What it may spend, if that is limited.
    pub limit: Option<u64>,
    /// What it has spent.
    pub spent: u64,
}

/// What a person can type next, the most useful first.
pub fn next_commands(
    program: &Program,
    run: &RunId,
    standing: Standing,
    under_way: bool,
    questions: &[OpenQuestion],
    money: Money,
    changeable: &[Changeable],
) -> Vec<String> {
    let resume = |rest: &str| vec![program.command(&format!("resume {run}{rest}"))];
    let offers = |key: &str, rest: &str| {
        let known = changeable.iter().any(|known| known.key == key);
        if known { resume(rest) } else { Vec::new() }
    };
    match standing {
        _ if !questions.is_empty() && !matches!(standing, Standing::Stopped(_)) => {
            questions.iter().flat_map(|question| answer_commands(program, question)).collect()
        }
        _ if under_way => {
            vec![program.command(&format!("watch {run}")), program.command(&format!("cancel {run}"))]
        }
        Standing::Stopped(StopReason::Budget) => {
            let twice = usd(money.limit.unwrap_or(500_000).saturating_mul(2));
            let raised = resume(&format!(" --budget-usd {}", twice.trim_start_matches('$')));
            let more = offers("max_iterations", " --max-iterations N");
            // Where nothing was spent it was not money that ran out.
            let raised = if money.spent == 0 && !more.is_empty() { more } else { [raised, more].concat() };
            [raised, offers("finish", " --finish")].concat()
        }
        Standing::Stopped(StopReason::Provider) => {
            [resume(""), offers("model.", " --model ROLE=MODEL"), offers("finish", " --finish")].concat()
        }
        Standing::Finished(_) => vec![program.command(&format!("files {run}"))],
        Standing::New
        | Standing::Running
        | Standing::Interrupted
        | Standing::Waiting
        | Standing::Stopped(_) => resume(""),
    }
}

/// What can be typed to answer a question.
pub fn answer_commands(program: &Program, open: &OpenQuestion) -> Vec<String> {
    let key = quoted(&open.key.to_string());
    let command = |answer: &String| program.command(&format!("answer {} {key} {}", open.run, quoted(answer)));
    examples(open).iter().map(command).collect()
}

/// Answers that fit, as a person would type them. Whether a step happened must be decided, so both are shown.
fn examples(open: &OpenQuestion) -> Vec<String> {
    let has = |place: &str| open.question.schema.pointer(place).is_some();
    if has("/anyOf/1/properties/happened") {
        let with_result = r#"{"happened": true, "result": RESULT}"#;
        return ["again", "happened", with_result, "give up"].map(str::to_owned).to_vec();
    }
    if has("/properties/happened") {
        return vec![
            r#"{"happened": false}"#.to_owned(),
            r#"{"happened": true, "result": RESULT}"#.to_owned(),
        ];
    }
    vec![example(open)]
}

fn example(open: &OpenQuestion) -> String {
    let value = sample(&open.question.schema);
    let typed = match &value {
        Value::Bool(_) => "yes".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let fits = open.question.check(&open.question.read(&typed)).is_ok();
    if fits { typed } else { "ANSWER".to_owned() }
}

/// The simplest value of a schema's kind.
fn sample(schema: &Value) -> Value {
    if let Some(first) = schema.get("enum").and_then(Value::as_array).and_then(|options| options.first()) {
        return first.clone();
    }
    if let Some(first) = schema.get("anyOf").and_then(Value::as_array).and_then(|kinds| kinds.first()) {
        return sample(first);
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("boolean") => Value::Bool(true),
        Some("integer" | "number") => Value::from(1),
        Some("array") => Value::Array(Vec::new()),
        Some("object") => {
            let property = |name: &str| {
                schema.get("properties").and_then(|all| all.get(name)).map_or(Value::Null, sample)
            };
            let required = schema.get("required").and_then(Value::as_array);
            let names = required.into_iter().flatten().filter_map(Value::as_str);
            names.map(|name| (name.to_owned(), property(name))).collect()
        }
        _ => Value::from("words"),
    }
}

#[cfg(test)]
mod tests;
