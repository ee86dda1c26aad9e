//! Agents that are programs: JSON on stdin, JSON on stdout, a time limit, a scrubbed environment. Each ask is a step;
//! after a crash it is simply asked again.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use baton_agents::clock::{Clock, RealClock, within};
use baton_engine::{Act, AfterCrash, Call, Failure, Paid, Perform, Retry};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, Command};

use super::{Desk, Held, Panelist, Said, Trouble, dissenter, raised_before, shown};
use crate::command::{PASSED_ON, Tail};
use crate::debate::contribution::{Contribution, Response};
use crate::debate::ledger::Entry;
use crate::debate::setup::Kind;
use crate::debate::skills::covered_by_words;
use crate::debate::skills::critique::Raised;

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

/// Runs programs with `sh`.
#[derive(Clone)]
pub struct Programs {
    clock: Arc<dyn Clock>,
}

impl Programs {
    /// A performer whose time limits are measured by this clock.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock }
    }
}

impl Default for Programs {
    fn default() -> Self {
        Self::new(Arc::new(RealClock::new()))
    }
}

#[async_trait]
impl Perform<AskProgram> for Programs {
    async fn perform(&self, act: AskProgram, _call: &Call) -> Result<Paid<Reply>, Failure> {
        let unfit =
            |error: std::io::Error| Failure::lasting(format!("`{}` cannot be run: {error}", act.line));
        let child = spawn(&act).map_err(unfit)?;
        let group = child.id();
        let limit = Duration::from_secs(act.seconds);
        match within(self.clock.as_ref(), limit, talk(child, &act.input)).await {
            Some(reply) => reply.map(Paid::free).map_err(unfit),
            None => {
                end(group);
                Ok(Paid::free(Reply::TooLong))
            }
        }
    }
}

fn spawn(act: &AskProgram) -> std::io::Result<Child> {
    let mut command = Command::new("sh");
    command.arg("-c").arg(&act.line).kill_on_drop(true).env_clear();
    command.envs(PASSED_ON.iter().filter_map(|name| std::env::var_os(name).map(|value| (name, value))));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    command.process_group(0);
    if let Some(folder) = &act.folder {
        command.current_dir(folder);
    }
    command.spawn()
}

/// Ends everything the line started: the shell is gone already, its children stand in its group.
#[cfg(unix)]
fn end(group: Option<u32>) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let group = group.and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    // A group that is gone needs no ending.
    let _ = group.map(|group| kill_process_group(group, Signal::KILL));
}

#[cfg(not(unix))]
fn end(_group: Option<u32>) {}

async fn talk(mut child: Child, input: &Value) -> std::io::Result<Reply> {
    let stdin = child.stdin.take();
    let give = async move {
        if let Some(mut stdin) = stdin {
            // A program that does not read its input closes the pipe; its answer counts all the same.
            let _ = stdin.write_all(input.to_string().as_bytes()).await;
        }
    };
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let (status, out, err, ()) = tokio::join!(child.wait(), Tail::of(out, KEPT), Tail::of(err, ERRORS), give);
    let (status, out, err) = (status?, out?, err?);
    if !status.success() {
        let said = err.text();
        let from = said.trim().char_indices().rev().nth(399).map_or(0, |(at, _)| at);
        return Ok(Reply::Ended(status.code(), said.trim()[from..].to_owned()));
    }
    if out.is_cut() {
        // Its end alone would be read as something it did not say.
        return Ok(Reply::Ended(
            status.code(),
            format!("it printed more than the {KEPT} bytes that are read"),
        ));
    }
    Ok(Reply::Said(out.text()))
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
    async fn clarify(&self, desk: &Desk<'_>) -> Result<Vec<String>, Trouble> {
        Ok(run::<PrintedQuestions>(desk, "clarify", "clarify", json!({})).await?.questions)
    }

    async fn propose(&self, desk: &Desk<'_>) -> Result<Said, Trouble> {
        said(desk, run(desk, "propose", "propose", json!({})).await?)
    }

    async fn critique(&self, desk: &Desk<'_>, targets: &[&Contribution]) -> Result<Held, Trouble> {
        let memory = desk.memory;
        let shown: Vec<_> = targets.iter().map(|target| shown(memory, target)).collect();
        let letters: Vec<&str> = shown.iter().map(|target| target.letter.as_str()).collect();
        let raised = raised_before(memory, &desk.agent.id, targets);
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
        Ok(Held { text, objections, settled, by: "command".to_owned(), tokens: 0 })
    }

    async fn refine(&self, desk: &Desk<'_>, own: &Contribution, open: &[Entry]) -> Result<Said, Trouble> {
        let open: Vec<_> = open.iter().map(|entry| &entry.objection).collect();
        said(desk, run(desk, "refine", "refine", json!({"own": own, "objections": open})).await?)
    }
}

fn said(desk: &Desk<'_>, printed: PrintedProposal) -> Result<Said, Trouble> {
    let frame = desk.memory.frame.clone().unwrap_or_default();
    let mut positions = BTreeMap::new();
    for (name, option) in &printed.positions {
        let slot = frame.slot(name).ok_or_else(|| unusable(desk, &format!("there is no slot `{name}`")))?;
        let taken = slot.normal(option);
        let taken = taken.ok_or_else(|| unusable(desk, &format!("`{option}` is no option of `{name}`")))?;
        positions.insert(slot.slot.clone(), taken);
    }
    let covers =
        printed.covers.unwrap_or_else(|| covered_by_words(&desk.memory.setup.requirements, &printed.text));
    let by = "command".to_owned();
    Ok(Said { text: printed.text, positions, covers, responses: printed.responses, by, tokens: 0 })
}

fn unusable(desk: &Desk<'_>, what: &str) -> Trouble {
    Trouble::Unusable(format!("the command of {} cannot be used: {what}", desk.agent.id))
}

async fn run<T: DeserializeOwned>(
    desk: &Desk<'_>,
    phase: &str,
    name: &str,
    more: Value,
) -> Result<T, Trouble> {
    let Kind::Command { line, folder, seconds } = &desk.agent.kind else {
        return Err(Trouble::Unusable(format!("{} is no command", desk.agent.id)));
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
