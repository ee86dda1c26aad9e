//! Agents that are programs: JSON on stdin, JSON on stdout, a time limit, a scrubbed environment. Each ask is a step;
//! after a crash it is simply asked again.

use std::collections::BTreeMap;
use std::time::Duration;

use async_trait::async_trait;
use baton_engine::{Act, AfterCrash, Call, Failure, Paid, Perform, Retry};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    CritiqueDraft, Desk, PanelError, Panelist, ProposalDraft, dissenter, letter, raised_before, shown,
};
use crate::debate::contribution::{Contribution, Response};
use crate::debate::memory::Memory;
use crate::debate::objections::Entry;
use crate::debate::setup::Kind;
use crate::debate::skills::critique::Raised;
use crate::debate::winning::covered_by_words;
use crate::process::{CaptureLimit, ExitKind, Invocation, ProcessOutput, Processes, Truncated};

/// How much of what a program prints is kept.
const KEPT: usize = 256 * 1024;
/// How much of what it complains about.
const ERRORS: usize = 4096;

/// Asks a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AskProgram {
    /// The line for the shell.
    pub line: String,
    /// The folder it runs in; the present one if none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// How long it may take.
    pub seconds: u64,
    /// What it is given.
    pub input: Value,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// It ended well and printed this.
    Said(String),
    /// It ended badly: its code, and the end of what it said about it.
    Ended(Option<i32>, String),
    /// It took too long and was stopped.
    TooLong,
}

impl Act for AskProgram {
    const KIND: &'static str = "program";
    type Out = Reply;

    fn after_crash(&self) -> AfterCrash {
        AfterCrash::Retry
    }

    /// Whether it is asked again is the node's decision.
    fn retry(&self) -> Retry {
        Retry::NEVER
    }
}

/// Runs programs with `sh`; whatever they started ends with them.
#[derive(Clone, Default)]
pub struct Programs {
    processes: Processes,
}

impl Programs {
    /// Runs programs as these processes.
    pub fn new(processes: Processes) -> Self {
        Self { processes }
    }
}

#[async_trait]
impl Perform<AskProgram> for Programs {
    async fn perform(&self, act: AskProgram, _call: &Call) -> Result<Paid<Reply>, Failure> {
        let line = Invocation::shell(&act.line)
            .folder(act.folder)
            .input(act.input.to_string())
            .time_limit(Duration::from_secs(act.seconds))
            .capture(CaptureLimit::head(KEPT), CaptureLimit::tail(ERRORS));
        let finished = self.processes.run(&line).await;
        let finished = finished.map_err(|error| Failure::lasting(format!("`{}` {error}", act.line)))?;
        Ok(Paid::free(reply(finished)))
    }
}

fn reply(ProcessOutput { exit, out, err }: ProcessOutput) -> Reply {
    match (exit, out.whole()) {
        (ExitKind::TimedOut | ExitKind::Idle | ExitKind::Stopped, _) => Reply::TooLong,
        (ExitKind::Code(0), Ok(printed)) => Reply::Said(String::from_utf8_lossy(&printed).into_owned()),
        // Part of it would be read as something it did not say.
        (ExitKind::Code(0), Err(Truncated { kept, .. })) => {
            Reply::Ended(Some(0), format!("it printed more than the {kept} bytes that are read"))
        }
        (ExitKind::Code(_) | ExitKind::Signal(_), _) => {
            let said = err.text();
            let from = said.trim().char_indices().rev().nth(399).map_or(0, |(at, _)| at);
            Reply::Ended(exit.code(), said.trim()[from..].to_owned())
        }
    }
}

/// What a program prints for a proposal or a refinement.
#[derive(Deserialize)]
struct PrintedProposal {
    text: String,
    #[serde(default)]
    positions: BTreeMap<String, String>,
    #[serde(default)]
    covers: Option<Vec<String>>,
    #[serde(default)]
    responses: Vec<Response>,
}

/// What it prints for a critique.
#[derive(Deserialize)]
struct PrintedCritique {
    #[serde(default)]
    text: String,
    #[serde(default)]
    objections: Vec<Raised>,
    #[serde(default)]
    settled: Vec<String>,
}

#[derive(Deserialize)]
struct PrintedQuestions {
    #[serde(default)]
    questions: Vec<String>,
}

pub(super) struct ByCommand;

#[async_trait]
impl Panelist for ByCommand {
    async fn clarify(&self, desk: &Desk<'_>) -> Result<Vec<String>, PanelError> {
        Ok(run::<PrintedQuestions>(desk, "clarify", "clarify", json!({})).await?.questions)
    }

    async fn propose(&self, desk: &Desk<'_>) -> Result<ProposalDraft, PanelError> {
        said(desk, run(desk, "propose", "propose", json!({})).await?)
    }

    async fn critique(
        &self,
        desk: &Desk<'_>,
        targets: &[&Contribution],
    ) -> Result<CritiqueDraft, PanelError> {
        let memory = desk.memory;
        let shown: Vec<_> = targets.iter().map(|target| shown(memory, target)).collect();
        let letters: Vec<&str> = shown.iter().map(|target| target.letter.as_str()).collect();
        let raised = raised_before(memory, &desk.agent.id, targets);
        let raised: Vec<Value> = raised.iter().map(|entry| reminder(memory, entry)).collect();
        let dissent = dissenter(memory) == Some(desk.agent.id.as_str());
        let more = json!({"targets": shown, "raised": raised, "dissent": dissent});
        let name = format!("critique-{}", letters.join("-"));
        let printed: PrintedCritique = run(desk, "critique", &name, more).await?;
        if let Some(wrong) =
            printed.objections.iter().find(|raised| !letters.contains(&raised.target.as_str()))
        {
            return Err(unusable(
                desk,
                &format!("it objects to proposal {:?}, which it was not shown", wrong.target),
            ));
        }
        let PrintedCritique { text, objections, settled } = printed;
        Ok(CritiqueDraft { text, objections, settled, by: "command".to_owned(), tokens: 0 })
    }

    async fn refine(
        &self,
        desk: &Desk<'_>,
        own: &Contribution,
        open: &[Entry],
    ) -> Result<ProposalDraft, PanelError> {
        let open: Vec<_> = open.iter().map(|entry| &entry.objection).collect();
        said(desk, run(desk, "refine", "refine", json!({"own": own, "objections": open})).await?)
    }
}

/// An earlier objection and its answer, with the letter of its target instead of a name.
fn reminder(memory: &Memory, entry: &Entry) -> Value {
    let mut told = json!(entry.objection);
    told["target"] = json!(letter(memory, &entry.target));
    told["reply"] = json!(entry.reply);
    told["reason"] = json!(entry.reason);
    told
}

fn said(desk: &Desk<'_>, printed: PrintedProposal) -> Result<ProposalDraft, PanelError> {
    let frame = desk.memory.frame.clone().unwrap_or_default();
    let mut positions = BTreeMap::new();
    for (name, option) in &printed.positions {
        let slot = frame.slot(name).ok_or_else(|| unusable(desk, &format!("there is no slot `{name}`")))?;
        let taken = slot.normal(option);
        let taken = taken.ok_or_else(|| unusable(desk, &format!("`{option}` is no option of `{name}`")))?;
        positions.insert(slot.slot.clone(), taken);
    }
    let covers = printed
        .covers
        .clone()
        .unwrap_or_else(|| covered_by_words(&desk.memory.setup.requirements, &printed.text));
    let by = "command".to_owned();
    let PrintedProposal { text, responses, .. } = printed;
    Ok(ProposalDraft { text, positions, covers, responses, quotes: Vec::new(), by, tokens: 0 })
}

fn unusable(desk: &Desk<'_>, what: &str) -> PanelError {
    PanelError::Unusable(format!("the command of {} cannot be used: {what}", desk.agent.id))
}

async fn run<T: DeserializeOwned>(
    desk: &Desk<'_>,
    phase: &str,
    name: &str,
    more: Value,
) -> Result<T, PanelError> {
    let Kind::Command { line, folder, seconds } = &desk.agent.kind else {
        return Err(PanelError::Unusable(format!("{} is no command", desk.agent.id)));
    };
    let brief = desk.brief();
    let mut input = json!({"phase": phase, "agent": desk.agent.id, "role": desk.agent.trade.name()});
    input["brief"] = serde_json::to_value(&brief).unwrap_or_default();
    if let (Some(input), Value::Object(more)) = (input.as_object_mut(), more) {
        input.extend(more);
    }
    let act = AskProgram { line: line.clone(), folder: folder.clone(), seconds: *seconds, input };
    match desk.cx.step(desk.key(name), &act).await? {
        Reply::Said(text) => serde_json::from_str(text.trim())
            .map_err(|error| unusable(desk, &format!("what it printed is not the JSON of {phase}: {error}"))),
        Reply::TooLong => Err(unusable(desk, &format!("it took longer than {seconds} s and was stopped"))),
        Reply::Ended(code, said) => {
            let code = code.map_or("a signal".to_owned(), |code| format!("code {code}"));
            let said = if said.is_empty() { String::new() } else { format!(": {said}") };
            Err(unusable(desk, &format!("it ended with {code}{said}")))
        }
    }
}
