//! Debates for tests: setups without files, and events without ceremony.

use std::collections::BTreeMap;

use baton_agents::skill::Role;

use crate::debate::contribution::{Contribution, Objection, Reply, Response, Severity, Type};
use crate::debate::frame::{Choice, Frame, Slot};
use crate::debate::memory::{Clarification, Solution};
use crate::debate::setup::{Agent, Judge, Kind, Setup, Summarization, Terms, Trade, Written};
use crate::debate::{Event, Memory};

pub fn slot(name: &str, options: &[&str]) -> Slot {
    let choice = |option: &&str| Choice { option: (*option).to_owned(), also: Vec::new() };
    let options = options.iter().map(choice).collect();
    Slot { slot: name.to_owned(), question: String::new(), options, required: true }
}

pub fn agent(id: &str, kind: Kind) -> Agent {
    Agent {
        id: id.to_owned(),
        name: id.to_owned(),
        trade: Trade::Generalist,
        kind,
        focus: "the whole".to_owned(),
        clarify: None,
        summarize: None,
        summarization: Summarization::default(),
    }
}

pub fn on_paper(id: &str, text: &str) -> Agent {
    agent(id, Kind::File(Written { text: text.to_owned(), ..Written::default() }))
}

/// Three files on where to store data.
pub fn setup() -> Setup {
    Setup {
        problem: "Where do we store the data?".to_owned(),
        agents: vec![
            on_paper("ann", "store: sqlite"),
            on_paper("bob", "store: sqlite"),
            on_paper("cid", "store: postgres"),
        ],
        judge: Judge {
            role: Role::rules_only("judge"),
            samples: 1,
            focus: "the whole".to_owned(),
            summarization: Summarization::default(),
        },
        terms: Terms::default(),
        frame: Some(Frame { slots: vec![slot("store", &["sqlite", "postgres"])] }),
        requirements: Vec::new(),
        clarifications: Vec::new(),
        context: None,
        warnings: Vec::new(),
        output: None,
        compared: None,
    }
}

/// A memory after these contributions, at the end of a round.
pub fn memory(setup: &Setup, round: u32, contributions: Vec<Contribution>) -> Memory {
    let mut memory = Memory::new(setup.clone());
    memory.round = round;
    for contribution in contributions {
        memory.learn(&Event::Contributed { contribution });
    }
    memory
}

pub fn takes(round: u32, kind: Type, agent: &str, store: &str) -> Contribution {
    Contribution {
        text: format!("{agent} wants {store}"),
        positions: BTreeMap::from([("store".to_owned(), store.to_owned())]),
        by: "test".to_owned(),
        ..Contribution::new(round, kind, agent, None)
    }
}

pub fn objects(
    round: u32,
    agent: &str,
    target: &str,
    id: &str,
    severity: Severity,
    claim: &str,
) -> Contribution {
    let objection =
        Objection { id: id.to_owned(), slot: None, severity, claim: claim.to_owned(), quote: None };
    Contribution {
        objections: vec![objection],
        ..Contribution::new(round, Type::Critique, agent, Some(target))
    }
}

pub fn answers(one: Contribution, id: &str, reply: Reply) -> Contribution {
    let response = Response { objection: id.to_owned(), reply, reason: "a reason".to_owned() };
    Contribution { responses: vec![response], ..one }
}

pub fn question(id: &str) -> Clarification {
    Clarification {
        id: id.to_owned(),
        agent: "ann".to_owned(),
        question: format!("what about {id}?"),
        answer: String::new(),
    }
}

pub fn solution() -> Solution {
    Solution {
        text: "sqlite".to_owned(),
        tradeoffs: Vec::new(),
        recommendations: Vec::new(),
        unmet: Vec::new(),
        open_questions: Vec::new(),
        confidence: Some(80),
        confidence_source: "test".to_owned(),
        by: "test".to_owned(),
    }
}
