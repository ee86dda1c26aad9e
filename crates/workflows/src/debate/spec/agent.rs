//! The panel as people write it.

use std::collections::BTreeSet;
use std::path::Path;

use baton_agents::config::{Config, RULES};
use baton_agents::nearest::nearest;
use baton_agents::read::bounded;
use baton_agents::skill::Role;
use serde::Deserialize;

use super::{Given, SpecError, inside, prompt};
use crate::debate::setup::{Agent, Ban, Bound, Checklist, Kind, Summarization, Trade, Written};

/// How often a model agent may look into the context folder, if nothing else is said.
const TOOL_CALLS: u32 = 10;
/// How long a command agent may take, if nothing else is said.
const SECONDS: u64 = 60;

/// The panel when nobody names one.
const DEFAULT_PANEL: [Trade; 3] = [Trade::Architect, Trade::Performance, Trade::Kiss];

/// One agent of a debate file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AgentSpec {
    id: String,
    name: Option<String>,
    role: Option<String>,
    #[serde(default)]
    kind: KindSpec,
    model: Option<Models>,
    temperature: Option<f64>,
    tool_call_limit: Option<u32>,
    system_prompt_path: Option<String>,
    summary_prompt_path: Option<String>,
    clarification_prompt_path: Option<String>,
    summarization: Option<Summarization>,
    enabled: Option<bool>,
    who: Option<String>,
    file: Option<String>,
    command: Option<String>,
    timeout: Option<u64>,
    #[serde(default)]
    banned: Vec<Ban>,
    #[serde(default)]
    limits: Vec<Bound>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum KindSpec {
    #[default]
    Model,
    Person,
    File,
    Command,
    Rules,
}

/// One model or a chain of them.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Models {
    /// One.
    One(String),
    /// Several, first to last.
    Chain(Vec<String>),
}

impl Models {
    /// The role these models play.
    pub fn role(&self, agent: &str, temperature: Option<f64>, config: &Config) -> Result<Role, SpecError> {
        let names = match self {
            Self::One(name) => std::slice::from_ref(name),
            Self::Chain(names) => names.as_slice(),
        };
        let mut role = Role { name: agent.to_owned(), chain: Vec::new(), rules: false };
        for name in names {
            if name == RULES {
                role.rules = true;
                continue;
            }
            let card = config.card(agent, name).ok_or_else(|| SpecError::NoSuchModel {
                agent: agent.to_owned(),
                model: name.clone(),
                hint: match nearest(name, config.models.keys().map(String::as_str)) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("add [models.{name}] to baton.toml"),
                },
            })?;
            role.chain.push(card);
        }
        heat(&mut role, temperature);
        Ok(role)
    }
}

fn heat(role: &mut Role, temperature: Option<f64>) {
    for card in &mut role.chain {
        card.temperature = temperature.or(card.temperature);
    }
}

/// The panel: the file's, or the default one; only those that were asked for.
pub fn panel(
    specs: &[AgentSpec],
    given: &Given<'_>,
    shorten: Summarization,
) -> Result<Vec<Agent>, SpecError> {
    let mut agents = Vec::new();
    let mut ids = BTreeSet::new();
    for spec in specs.iter().filter(|spec| spec.enabled.unwrap_or(true)) {
        if !ids.insert(spec.id.as_str()) {
            return Err(SpecError::SameId(spec.id.clone()));
        }
        let trade = trade(&spec.id, spec.role.as_deref())?;
        let wanted = |names: &[String]| names.iter().any(|name| *name == spec.id || name == trade.name());
        if given.agents.is_none_or(wanted) {
            agents.push(agent(spec, trade, given, shorten)?);
        }
    }
    if specs.is_empty() {
        agents = by_trade(given, shorten)?;
    }
    if agents.is_empty() {
        let why = match given.agents {
            Some(names) => format!(" with the role or id {}", names.join(", ")),
            None => String::new(),
        };
        return Err(SpecError::NoAgents(why));
    }
    Ok(agents)
}

/// One agent for each trade that was typed, or the default three.
fn by_trade(given: &Given<'_>, shorten: Summarization) -> Result<Vec<Agent>, SpecError> {
    let trades = match given.agents {
        None => DEFAULT_PANEL.to_vec(),
        Some(names) => names.iter().map(|name| trade(name, Some(name))).collect::<Result<Vec<_>, _>>()?,
    };
    let mut ids = BTreeSet::new();
    let one = |trade: Trade| {
        if !ids.insert(trade.name()) {
            return Err(SpecError::SameId(trade.name().to_owned()));
        }
        let role = given.config.role(trade.name());
        if role.chain.is_empty() {
            return Err(SpecError::NoPanel(trade.name().to_owned()));
        }
        Ok(Agent {
            id: trade.name().to_owned(),
            name: trade.name().to_owned(),
            trade,
            kind: Kind::Model { role, tool_calls: TOOL_CALLS },
            focus: trade.focus().to_owned(),
            clarify: None,
            summarize: None,
            summarization: shorten,
        })
    };
    trades.into_iter().map(one).collect()
}

fn trade(agent: &str, role: Option<&str>) -> Result<Trade, SpecError> {
    let name = role.unwrap_or("generalist");
    Trade::named(name).ok_or_else(|| SpecError::UnknownRole {
        agent: agent.to_owned(),
        role: name.to_owned(),
        known: Trade::ALL.iter().map(|trade| trade.name()).collect(),
    })
}

fn agent(
    spec: &AgentSpec,
    trade: Trade,
    given: &Given<'_>,
    shorten: Summarization,
) -> Result<Agent, SpecError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if spec.id.is_empty() || !spec.id.chars().all(plain) {
        return Err(SpecError::BadId(spec.id.clone()));
    }
    let text = |path: &Option<String>| match path {
        Some(path) => prompt(given.folder, "prompt file", &spec.id, path).map(Some),
        None => Ok(None),
    };
    Ok(Agent {
        id: spec.id.clone(),
        name: spec.name.clone().unwrap_or_else(|| spec.id.clone()),
        trade,
        kind: kind(spec, given, trade)?,
        focus: text(&spec.system_prompt_path)?.unwrap_or_else(|| trade.focus().to_owned()),
        clarify: text(&spec.clarification_prompt_path)?,
        summarize: text(&spec.summary_prompt_path)?,
        summarization: spec.summarization.unwrap_or(shorten),
    })
}

fn kind(spec: &AgentSpec, given: &Given<'_>, trade: Trade) -> Result<Kind, SpecError> {
    let needs =
        |key: &str| SpecError::Shape(format!("agent `{}` needs the key `{key}` for its kind", spec.id));
    match spec.kind {
        KindSpec::Person => Ok(Kind::Person { who: spec.who.clone() }),
        KindSpec::Rules => {
            Ok(Kind::Rules(Checklist { banned: spec.banned.clone(), limits: spec.limits.clone() }))
        }
        KindSpec::File => {
            let path = spec.file.as_deref().ok_or_else(|| needs("file"))?;
            Ok(Kind::File(written(given.folder, &spec.id, path)?))
        }
        KindSpec::Command => Ok(Kind::Command {
            line: spec
                .command
                .clone()
                .filter(|line| !line.trim().is_empty())
                .ok_or_else(|| needs("command"))?,
            folder: given.folder.canonicalize().ok().map(|folder| folder.display().to_string()),
            seconds: spec.timeout.unwrap_or(SECONDS).max(1),
        }),
        KindSpec::Model => {
            let role = match &spec.model {
                Some(models) => models.role(&spec.id, spec.temperature, given.config)?,
                None => {
                    let mut role = given.config.role(trade.name());
                    heat(&mut role, spec.temperature);
                    role
                }
            };
            if role.chain.is_empty() {
                return Err(SpecError::NoModel(spec.id.clone()));
            }
            Ok(Kind::Model { role, tool_calls: spec.tool_call_limit.unwrap_or(TOOL_CALLS) })
        }
    }
}

/// A file of positions: TOML or JSON with `text`, `positions` and `objections`, or plain words.
fn written(folder: &Path, agent: &str, path: &str) -> Result<Written, SpecError> {
    let fault = |why: String| SpecError::File { what: "file", agent: agent.to_owned(), why };
    let file = inside(folder, path).map_err(fault)?;
    let text =
        bounded::text(&file, bounded::WRITTEN).map_err(|refusal| fault(format!("{path}: {refusal}")))?;
    let written = match file.extension().and_then(|end| end.to_str()) {
        Some("json") => serde_json::from_str(&text).map_err(|error| fault(format!("{path}: {error}")))?,
        Some("toml") => {
            toml::from_str(&text).map_err(|error| fault(format!("{path}: {}", error.message())))?
        }
        _ => Written { text: text.trim().to_owned(), ..Written::default() },
    };
    if written.text.trim().is_empty() { Err(fault(format!("{path} says nothing"))) } else { Ok(written) }
}
