//! How a debate was held, read from its journal: when, how long, and every call with what it took. None of it is part of
//! what was decided: two debates with the same end may differ in it.

use std::collections::BTreeMap;

use baton_engine::history::{Entry, EntryBody};
use baton_engine::record::{Body, Note};
use baton_engine::{Millis, View};
use serde::Serialize;
use serde_json::Value;

use crate::debate::vote::Beside;
use crate::debate::{Debate, Event};

/// How a debate was held.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Held {
    /// The run.
    pub run: String,
    /// When it began, in milliseconds since 1970.
    pub began: u64,
    /// When its last record was written.
    pub ended: u64,
    /// Calls that were paid for.
    pub calls: u64,
    /// Tokens read and written.
    pub tokens: u64,
    /// Millionths of a dollar.
    pub micro_usd: u64,
    /// Seconds spent in calls and programs.
    pub work_seconds: u64,
    /// Every step, in the order it was begun.
    pub steps: Vec<StepTaken>,
    /// Every shortened history.
    pub summaries: Vec<Summary>,
    /// When each round began.
    pub rounds: Vec<u64>,
    /// The blind vote that was held beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beside: Option<Beside>,
}

/// One step.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StepTaken {
    /// Its key.
    pub key: String,
    /// What kind of act it was: a call of a model, a program, a look into the context folder.
    pub kind: String,
    /// The model that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The skill.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill: Option<String>,
    /// The hash of the prompt file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_hash: Option<String>,
    /// The tool and what it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<Value>,
    /// When it began.
    pub at: u64,
    /// How long it took; none if it has not come back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency_ms: Option<u64>,
    /// Tokens it took.
    pub tokens: u64,
    /// Millionths of a dollar it cost.
    pub micro_usd: u64,
}

/// A shortened history.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The round it was made for.
    pub round: u32,
    /// Whose.
    pub agent: String,
    /// In words.
    pub summary: String,
}

impl Held {
    /// How a run is held so far: what it has spent. Its journal is not read while it grows.
    pub fn so_far(view: &View<'_, Debate>) -> Self {
        let spent = view.purse.spent;
        Self {
            run: view.run.to_string(),
            calls: spent.calls,
            tokens: spent.tokens,
            micro_usd: spent.micro_usd,
            work_seconds: view.purse.work_ms.div_ceil(1000),
            ..Self::default()
        }
    }

    /// How a run was held, from its journal.
    pub fn of(view: &View<'_, Debate>) -> Self {
        let mut held = Self::so_far(view);
        let mut open: BTreeMap<String, usize> = BTreeMap::new();
        for Entry { n, at, body } in view.history() {
            if n == 1 {
                held.began = at.0;
            }
            // What is written beside a run does not make it longer.
            if !matches!(&body, EntryBody::Other(body) if matches!(**body, Body::Note(_) | Body::Checkpoint(_)))
            {
                held.ended = at.0;
            }
            match body {
                EntryBody::Transition(moved) => held.follow(&moved.event, at),
                EntryBody::Other(body) => held.note(view, *body, at, &mut open),
            }
        }
        held
    }

    fn follow(&mut self, event: &Event, at: Millis) {
        match event {
            Event::BeginRound => self.rounds.push(at.0),
            Event::Summarized { agent, summary } => {
                let round = u32::try_from(self.rounds.len()).unwrap_or(u32::MAX);
                self.summaries.push(Summary { round, agent: agent.clone(), summary: summary.clone() });
            }
            _ => {}
        }
    }

    fn note(&mut self, view: &View<'_, Debate>, body: Body, at: Millis, open: &mut BTreeMap<String, usize>) {
        match body {
            Body::Intent(intent) => {
                let input = view.value(&intent.input).unwrap_or_default();
                let call = |name: &str| input["attempt"]["call"][name].as_str().map(str::to_owned);
                let tool = (intent.kind == "context")
                    .then(|| serde_json::json!({"tool": input["tool"], "argument": input["argument"]}));
                open.insert(intent.key.to_string(), self.steps.len());
                self.steps.push(StepTaken {
                    key: intent.key.to_string(),
                    kind: intent.kind,
                    model: call("model"),
                    skill: call("skill"),
                    prompt_hash: call("prompt_hash"),
                    tool,
                    at: at.0,
                    ..StepTaken::default()
                });
            }
            Body::Receipt(receipt) => {
                let step = open.remove(&receipt.key.to_string()).and_then(|at| self.steps.get_mut(at));
                if let Some(step) = step {
                    step.latency_ms = Some(at.0.saturating_sub(step.at));
                    step.tokens = receipt.spend.tokens;
                    step.micro_usd = receipt.spend.micro_usd;
                }
            }
            Body::Note(Note { data: Some(data), .. }) => {
                self.beside = serde_json::from_value(data).ok().or(self.beside.take());
            }
            _ => {}
        }
    }

    /// When and at what cost, in one line.
    pub fn line(&self, rounds: u32) -> String {
        let number = |n: u64, one: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") };
        let mut parts = Vec::new();
        if self.began > 0 {
            parts.push(format!("Held on {}", Millis(self.began).day()));
        }
        parts.push(number(u64::from(rounds), "round"));
        parts.push(number(self.calls, "call"));
        if self.calls > 0 {
            parts.push(number(self.tokens, "token"));
        }
        parts.push(format!("{} of work", number(self.work_seconds, "second")));
        parts.push(format!("run {}", self.run));
        parts.join(" · ")
    }
}
