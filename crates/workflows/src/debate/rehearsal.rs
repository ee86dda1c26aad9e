//! The debate as the crash test runs it: two models, a person, a program, a file and a rules critic; a question and a
//! follow-up, a model that babbles once, a program that fails once, two rounds, a judge.

use std::collections::BTreeMap;

use async_trait::async_trait;
use baton_agents::model::{ModelCall, ModelCard, Structured};
use baton_agents::skill::Role;
use baton_engine::torture::{Rehearsal, Rehearse};
use baton_engine::{Call, Effects, Failure, OpenQuestion, Paid, Perform, Settings};
use serde_json::{Value, json};

use super::Debate;
use super::frame::{Choice, Frame, Slot};
use super::panel::{AskProgram, Reply};
use super::setup::{
    Agent, Checklist, Critiques, Judge, Kind, Requirement, Setup, Summarization, Terms, Trade, Written,
};
use crate::asking::CallModel;
use crate::pretended::PretendedModel;

impl Rehearse for Debate {
    fn rehearsal() -> Rehearsal<Self> {
        let settings = Settings { parallel: 4, ..Settings::default() };
        let effects = Effects::default()
            .with::<CallModel>(PretendedModel { say: said, output: 20 })
            .with::<AskProgram>(PretendedProgram);
        Rehearsal { input: setup(), settings, effects, answer }
    }
}

fn setup() -> Setup {
    let role = |name: &str| Role { name: name.to_owned(), chain: vec![card(name)], rules: false };
    let model = |name: &str| Kind::Model { role: role(name), tool_calls: 0 };
    let choice = |option: &str| Choice { option: option.to_owned(), also: Vec::new() };
    let text = "We should use sqlite: the data must survive a crash and one file is enough.".to_owned();
    let written = Written { text, positions: BTreeMap::new(), objections: Vec::new() };
    let line = "argue".to_owned();
    Setup {
        problem: "Where do we store the data? It must survive a crash.".to_owned(),
        agents: vec![
            agent("architect", Trade::Architect, model("architect")),
            agent("kiss", Trade::Kiss, model("kiss")),
            agent("ann", Trade::Generalist, Kind::Person { who: None }),
            agent("paper", Trade::Datamodeling, Kind::File(written)),
            agent("tool", Trade::Testing, Kind::Command { line, folder: None, seconds: 5 }),
            agent("rules", Trade::Generalist, Kind::Rules(Checklist::default())),
        ],
        judge: Judge {
            role: role("judge"),
            samples: 1,
            focus: Trade::Generalist.focus().to_owned(),
            summarization: Summarization::default(),
        },
        terms: Terms { rounds: 2, clarify: true, critiques: Critiques::Batched, ..Terms::default() },
        frame: Some(Frame {
            slots: vec![Slot {
                slot: "store".to_owned(),
                question: "Which store?".to_owned(),
                options: vec![choice("sqlite"), choice("postgres")],
                required: true,
            }],
        }),
        requirements: vec![Requirement {
            id: "R1".to_owned(),
            text: "It must survive a crash.".to_owned(),
            major: true,
        }],
        clarifications: Vec::new(),
        context: None,
        warnings: Vec::new(),
        output: None,
        compared: None,
    }
}

fn agent(id: &str, trade: Trade, kind: Kind) -> Agent {
    Agent {
        id: id.to_owned(),
        name: id.to_owned(),
        trade,
        kind,
        focus: trade.focus().to_owned(),
        clarify: None,
        summarize: None,
        // Low enough that the second round shortens histories.
        summarization: Summarization { enabled: true, threshold: 200, max_length: 120 },
    }
}

fn card(name: &str) -> ModelCard {
    let card = PretendedModel::card(name);
    ModelCard { context_tokens: 16_384, max_output_tokens: 512, structured: Structured::Schema, ..card }
}

/// The ids of objections in a prompt, so that each can be answered.
fn ids(prompt: &str) -> Vec<String> {
    let is_id = |word: &&str| word.starts_with('r') && word.matches('-').count() == 2 && word.len() < 12;
    prompt.split_whitespace().filter(is_id).map(str::to_owned).collect()
}

fn said(call: &ModelCall) -> String {
    let (role, step) = (call.role.as_str(), &call.step);
    let prompt = call.messages.last().map_or("", |message| message.text.as_str());
    let second = prompt.contains("sqlite is enough");
    let store = if role == "kiss" || second { "sqlite" } else { "postgres" };
    let value = match call.skill.as_str() {
        // Babbles for a whole ask, repair turn included; the node asks again.
        "debate_propose" if role == "architect" && !step.contains(".1:") => {
            return "I would rather not say.".to_owned();
        }
        "debate_clarify" if prompt.contains("-> two") => json!({"questions": []}),
        "debate_clarify" if prompt.contains("->") => {
            json!({"questions": [{"text": format!("{role}: how many hosts?")}]})
        }
        "debate_clarify" => json!({"questions": [{"text": format!("{role}: how much data?")}]}),
        "debate_propose" => json!({
            "proposal": format!("{role} proposes {store} because it survives a crash."),
            "positions": [{"slot": "store", "option": store}],
            "covers": ["R1"],
        }),
        "debate_critique" => json!({
            "critique": format!("{role} has doubts."),
            "objections": objections(prompt),
            "settled": [],
        }),
        "debate_refine" => json!({
            "proposal": format!("{role} now proposes sqlite; sqlite is enough and survives a crash."),
            "positions": [{"slot": "store", "option": "sqlite"}],
            "covers": ["R1"],
            "responses": responses(prompt),
        }),
        "debate_condense" => json!({"summary": format!("{role} was told that sqlite is enough.")}),
        "debate_judge" => json!({"findings": [], "agreement": if second { 95 } else { 60 }, "readiness": 80}),
        "debate_synthesize" => json!({
            "solution": "Store the data in sqlite.",
            "tradeoffs": ["One host."],
            "recommendations": ["Back it up."],
            "unmet_requirements": [],
            "open_questions": [],
            "confidence": 95,
        }),
        _ => json!({}),
    };
    value.to_string()
}

/// One objection to every proposal for postgres.
fn objections(prompt: &str) -> Vec<Value> {
    let marks: Vec<&str> = prompt.split("proposal ").filter_map(|rest| rest.get(..1)).collect();
    let letters = ["A", "B", "C", "D", "E"].into_iter().filter(|letter| marks.contains(letter));
    let objection = |letter| json!({"target": letter, "slot": "store", "severity": "major", "claim": "A server must be kept alive."});
    if prompt.contains("- store: postgres") { letters.map(objection).collect() } else { Vec::new() }
}

fn responses(prompt: &str) -> Vec<Value> {
    let accept = |id: &String| json!({"objection": id, "reply": "accepted", "reason": "true"});
    ids(prompt).iter().map(accept).collect()
}

/// Says what the program would have printed. Depends on nothing but what is asked.
struct PretendedProgram;

#[async_trait]
impl Perform<AskProgram> for PretendedProgram {
    async fn perform(&self, act: AskProgram, call: &Call) -> Result<Paid<Reply>, Failure> {
        let printed = match act.input["phase"].as_str() {
            // Fails the first time it is asked to refine; the node asks again under another name.
            Some("refine") if !call.key.name.ends_with(".1") => {
                return Ok(Paid::free(Reply::Ended(Some(1), "no".to_owned())));
            }
            Some("clarify") => json!({"questions": []}),
            Some("critique") => json!({"text": "nothing to say"}),
            _ => json!({"text": "sqlite survives a crash", "positions": {"store": "sqlite"}}),
        };
        Ok(Paid::free(Reply::Said(printed.to_string())))
    }
}

fn answer(open: &OpenQuestion) -> Value {
    let name = open.key.name.as_str();
    match name.split_once(':') {
        Some((_, "store")) => json!("sqlite"),
        Some((_, what)) if what.starts_with("critique") => json!("none"),
        Some((_, what)) if what.starts_with('r') => json!("rejected: one file is enough"),
        Some(_) => json!("sqlite, because it survives a crash"),
        None if name.starts_with('f') => json!("two"),
        None => json!("one gigabyte"),
    }
}
