//! A debate file, as people write it in TOML or JSON, and the setup it becomes: every name resolved, every file read,
//! every mistake told in words. Paths stand from the file's own folder and may not lead out of it.

mod agent;
mod given;
mod keys;

#[cfg(test)]
mod tests;

use std::path::Path;

use baton_agents::read::bounded;
use baton_agents::rules::sentences::sentences;
use serde::Deserialize;
use serde_json::Value;

use super::frame::{Frame, Slot};
use super::setup::{Critiques, Judge, Requirement, Setup, Summarization, Termination, Terms};
pub use agent::{AgentSpec, Models};
pub use given::Given;
use keys::{Step, Wrong};

/// The most rounds a debate may have; the table shows the same bound.
pub(super) const MOST_ROUNDS: u32 = 100;

/// What is wrong with a debate file or with what was typed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// It has another shape.
    #[error("{0}")]
    Shape(String),
    /// A key that cannot be used.
    #[error("{}{what}", at(*.line, *.column))]
    Key {
        /// Its line, from 1; 0 if it has no place.
        line: usize,
        /// Its column, from 1.
        column: usize,
        /// What is wrong, and what to write instead.
        what: String,
    },
    /// There is no problem.
    #[error("there is no problem to debate; type it, or name a file with -p")]
    NoProblem,
    /// Nobody is on the panel.
    #[error("there is nobody to debate: the panel has no agent{0}")]
    NoAgents(String),
    /// An id is not unique.
    #[error("two agents have the id `{0}`; every agent needs its own")]
    SameId(String),
    /// An id that cannot be used.
    #[error("`{0}` cannot be an id; use letters, digits, - and _")]
    BadId(String),
    /// There is no such role.
    #[error("agent `{agent}` has the unknown role `{role}`; known are: {}", known.join(", "))]
    UnknownRole {
        /// Whose.
        agent: String,
        /// What was written.
        role: String,
        /// What there is.
        known: Vec<&'static str>,
    },
    /// A number out of its range.
    #[error("{what} is {value}; it must be from {least} to {most}")]
    OutOfRange {
        /// Which.
        what: &'static str,
        /// What was written.
        value: u64,
        /// The least.
        least: u64,
        /// The most.
        most: u64,
    },
    /// A file that cannot be used.
    #[error("the {what} of `{agent}` cannot be used: {why}")]
    File {
        /// What it is for.
        what: &'static str,
        /// Whose.
        agent: String,
        /// What is wrong.
        why: String,
    },
    /// A model nobody configured.
    #[error("agent `{agent}` names the model `{model}`, which is not configured; {hint}")]
    NoSuchModel {
        /// Whose.
        agent: String,
        /// What was written.
        model: String,
        /// What to do.
        hint: String,
    },
    /// A model agent without a model.
    #[error(
        "agent `{0}` has no model: name one with `model`, configure [roles], or make it a person, a file, a command or rules"
    )]
    NoModel(String),
    /// Nobody was named, and the panel that debates then needs models.
    #[error("no panel is described, and the agents that debate then (`{0}` first) have no model")]
    NoPanel(String),
    /// The frame cannot be used.
    #[error("the frame cannot be used: {0}")]
    Frame(String),
    /// The context folder cannot be used.
    #[error("the context folder cannot be used: {0}")]
    Context(String),
    /// The context folder that was typed cannot be used.
    #[error("the context folder cannot be used: {0}")]
    TypedContext(String),
}

impl SpecError {
    /// Whether what was typed is wrong, and not a file.
    #[must_use]
    pub fn is_typed(&self) -> bool {
        match self {
            Self::NoProblem | Self::TypedContext(_) => true,
            Self::NoAgents(which) => !which.is_empty(),
            _ => false,
        }
    }
}

fn at(line: usize, column: usize) -> String {
    if line == 0 { String::new() } else { format!("line {line}, column {column}: ") }
}

/// A debate file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct Spec {
    agents: Vec<AgentSpec>,
    judge: JudgeSpec,
    evaluators: Vec<EvaluatorSpec>,
    rounds: Option<u32>,
    min_rounds: Option<u32>,
    termination_condition: TerminationSpec,
    interactive_clarifications: Option<bool>,
    clarifications_max_iterations: Option<u32>,
    clarifications_max_per_agent: Option<usize>,
    critique: Option<Critiques>,
    quorum: Option<u8>,
    summarization: Option<Summarization>,
    frame: Option<Vec<Slot>>,
    frame_from: Option<FrameFrom>,
    requirements: Option<Vec<RequirementSpec>>,
    clarifications: Vec<ClarificationSpec>,
    context: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
struct JudgeSpec {
    model: Option<Models>,
    samples: Option<u32>,
    system_prompt_path: Option<String>,
    summarization: Option<Summarization>,
}

/// Somebody who scores finished debates.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct EvaluatorSpec {
    /// Its id.
    pub id: String,
    /// For people.
    #[serde(default)]
    pub name: Option<String>,
    /// Its models.
    #[serde(default)]
    pub model: Option<Models>,
    /// A file with its own instructions.
    #[serde(default)]
    pub system_prompt_path: Option<String>,
    /// Whether it takes part.
    #[serde(default = "yes")]
    pub enabled: bool,
}

fn yes() -> bool {
    true
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct TerminationSpec {
    r#type: Option<Termination>,
    threshold: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum FrameFrom {
    Judge,
    Person,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum RequirementSpec {
    Words(String),
    Table(Requirement),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClarificationSpec {
    question: String,
    answer: String,
}

impl Spec {
    /// Reads a debate file. What stands under `debate` counts as if it stood at the top. `text` is the file, in which
    /// mistakes are looked for, and `below` the section the debate stands in.
    pub fn read(file: Value, text: &str, below: Option<&str>) -> Result<Self, SpecError> {
        let wrong = |Wrong { path, what }: Wrong| {
            let path: Vec<Step> = below.iter().map(|key| Step::Key((*key).to_owned())).chain(path).collect();
            let (line, column) = keys::place(text, &path).unwrap_or((0, 0));
            SpecError::Key { line, column, what }
        };
        let nested = file.get("debate").and_then(Value::as_object).cloned().unwrap_or_default();
        let whole = keys::settle(file).map_err(wrong)?;
        let read = serde_json::from_value(whole.clone());
        read.map_err(|error| {
            wrong(mistaken(&whole, &nested).unwrap_or(Wrong { path: vec![], what: error.to_string() }))
        })
    }

    /// The people and models that score finished debates.
    #[must_use]
    pub fn evaluators(&self) -> &[EvaluatorSpec] {
        &self.evaluators
    }

    /// The setup of a debate on a problem.
    pub fn setup(self, given: &Given<'_>) -> Result<Setup, SpecError> {
        if given.problem.trim().is_empty() {
            return Err(SpecError::NoProblem);
        }
        let terms = self.terms(given)?;
        let shorten = self.summarization.unwrap_or_default();
        let agents = agent::panel(&self.agents, given, shorten)?;
        let frame = self.frame.map(|slots| Frame { slots });
        if let Some(wrong) = frame.as_ref().and_then(|frame| frame.problems().into_iter().next()) {
            return Err(SpecError::Frame(wrong));
        }
        let judge = Judge {
            role: match &self.judge.model {
                Some(models) => models.role("judge", None, given.config)?,
                None => given.config.role("judge"),
            },
            samples: in_range("judge.samples", u64::from(self.judge.samples.unwrap_or(1)), 1, 9)?,
            focus: match &self.judge.system_prompt_path {
                Some(path) => prompt(given.folder, "prompt file", "judge", path)?,
                None => super::setup::Trade::Generalist.focus().to_owned(),
            },
            summarization: self.judge.summarization.unwrap_or(shorten),
        };
        let context = match (given.context, &self.context) {
            (Some(folder), _) => {
                Some(folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display())))
            }
            (None, Some(path)) => Some(inside(given.folder, path)),
            (None, None) => None,
        };
        let unfit = if given.context.is_some() { SpecError::TypedContext } else { SpecError::Context };
        let context = context.transpose().map_err(unfit)?;
        if let Some(folder) = context.as_ref().filter(|folder| !folder.is_dir()) {
            return Err(unfit(format!("{} is no folder", folder.display())));
        }
        let mut setup = Setup {
            problem: given.problem.trim().to_owned(),
            agents,
            judge,
            terms,
            frame,
            requirements: requirements(self.requirements, given.problem),
            clarifications: self.clarifications.into_iter().map(|one| (one.question, one.answer)).collect(),
            context: context.map(|folder| folder.display().to_string()),
            warnings: Vec::new(),
            output: None,
            compared: None,
        };
        setup.warnings = warnings(&setup);
        Ok(setup)
    }

    fn terms(&self, given: &Given<'_>) -> Result<Terms, SpecError> {
        let default = Terms::default();
        let rounds = given.rounds.or(self.rounds).unwrap_or(default.rounds);
        let rounds = in_range("rounds", u64::from(rounds), 1, u64::from(MOST_ROUNDS))?;
        let threshold = self.termination_condition.threshold.unwrap_or(u64::from(default.threshold));
        let threshold: u32 = in_range("terminationCondition.threshold", threshold, 0, 100)?;
        let quorum: u32 = in_range("quorum", u64::from(self.quorum.unwrap_or(default.quorum)), 1, 100)?;
        let small = |number: u32| u8::try_from(number).unwrap_or(100);
        Ok(Terms {
            rounds,
            min_rounds: self
                .min_rounds
                .map(|least| in_range("minRounds", u64::from(least), 1, u64::from(rounds)))
                .transpose()?,
            termination: self.termination_condition.r#type.unwrap_or(default.termination),
            threshold: small(threshold),
            clarify: given.clarify || self.interactive_clarifications.unwrap_or(default.clarify),
            clarify_iterations: self.clarifications_max_iterations.unwrap_or(default.clarify_iterations),
            clarify_per_agent: self.clarifications_max_per_agent.unwrap_or(default.clarify_per_agent),
            critiques: self.critique.unwrap_or(default.critiques),
            quorum: small(quorum),
            frame_from_person: self.frame_from == Some(FrameFrom::Person),
        })
    }
}

/// The key whose value has another shape, found by reading each by itself.
fn mistaken(whole: &Value, nested: &serde_json::Map<String, Value>) -> Option<Wrong> {
    let alone = |key: &str, value: Value| {
        let one = Value::Object([(key.to_owned(), value)].into_iter().collect());
        serde_json::from_value::<Spec>(one).err().map(|error| error.to_string())
    };
    for (key, value) in whole.as_object()? {
        let Some(what) = alone(key, value.clone()) else { continue };
        let mut path =
            if nested.contains_key(key) { vec![Step::Key("debate".to_owned())] } else { Vec::new() };
        path.push(Step::Key(key.clone()));
        let entries = value.as_array().into_iter().flatten().enumerate();
        for (at, entry) in entries {
            if let Some(what) = alone(key, Value::Array(vec![entry.clone()])) {
                path.push(Step::Entry(at));
                return Some(Wrong { path, what });
            }
        }
        return Some(Wrong { path, what });
    }
    None
}

fn in_range(what: &'static str, value: u64, least: u64, most: u64) -> Result<u32, SpecError> {
    let fits = u32::try_from(value).ok().filter(|_| (least..=most).contains(&value));
    fits.ok_or(SpecError::OutOfRange { what, value, least, most })
}

/// A path inside the folder of the file.
fn inside(folder: &Path, path: &str) -> Result<std::path::PathBuf, String> {
    super::tools::confined(folder, path, "the folder of the debate file")
}

/// A prompt file's text.
pub fn prompt(folder: &Path, what: &'static str, agent: &str, path: &str) -> Result<String, SpecError> {
    let fault = |why: String| SpecError::File { what, agent: agent.to_owned(), why };
    let file = inside(folder, path).map_err(fault)?;
    let text =
        bounded::text(&file, bounded::WRITTEN).map_err(|refusal| fault(format!("{path}: {refusal}")))?;
    if text.trim().is_empty() { Err(fault(format!("{path} is empty"))) } else { Ok(text.trim().to_owned()) }
}

/// The requirements as given, else the sentences of the problem that say must, shall or required.
fn requirements(given: Option<Vec<RequirementSpec>>, problem: &str) -> Vec<Requirement> {
    let number = |at: usize, text: String| Requirement { id: format!("R{}", at + 1), text, major: true };
    if let Some(given) = given {
        let one = |(at, spec): (usize, RequirementSpec)| match spec {
            RequirementSpec::Words(text) => number(at, text),
            RequirementSpec::Table(requirement) => requirement,
        };
        return given.into_iter().enumerate().map(one).collect();
    }
    let demands = |sentence: &&str| {
        let words: Vec<String> =
            sentence.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect();
        words.iter().any(|word| matches!(word.as_str(), "must" | "shall" | "required"))
    };
    let all: Vec<&str> = sentences(problem).into_iter().map(|range| problem[range].trim()).collect();
    all.iter()
        .filter(|sentence| demands(sentence))
        .enumerate()
        .map(|(at, text)| number(at, (*text).to_owned()))
        .collect()
}

/// What is worth knowing and stops nothing.
fn warnings(setup: &Setup) -> Vec<String> {
    use super::setup::Kind;
    let mut found = Vec::new();
    let first = |kind: &Kind| match kind {
        Kind::Model { role, .. } => role.chain.first().map(|card| card.model.clone()),
        _ => None,
    };
    let models: Vec<String> = setup.agents.iter().filter_map(|agent| first(&agent.kind)).collect();
    if models.len() > 1 && models.iter().all(|model| *model == models[0]) {
        found.push(format!(
            "all {} model agents use {}: copies of one model agree too easily; name different ones",
            models.len(),
            models[0]
        ));
    }
    if setup.voices().count() < 2 {
        found.push("only one agent takes a position, so there is nobody to disagree".to_owned());
    }
    found
}
