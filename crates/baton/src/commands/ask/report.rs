//! What came of an ask, for people and for programs.

use baton_agents::model::Usage;
use baton_agents::parse::Repair;
use baton_agents::skill::{Answer, AnySkill, By, Cut, Outcome, Role, Try};
use serde::Serialize;
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::page::{Ink, Page, inked, plain};
use crate::program::Program;
use crate::text::{bytes, usd};
use crate::trouble::Trouble;
use crate::view::dollars;

#[derive(Serialize)]
struct Report<'a> {
    skill: &'a str,
    role: &'a str,
    answer: &'a Value,
    by: &'a By,
    tries: &'a [Try],
    cost_usd: f64,
    usage: Usage,
    cut: &'a [Cut],
    repairs: &'a [Repair],
    prompt_hash: &'a str,
}

/// Gives the answer, who gave it, and what it took.
pub fn answer(program: &Program, skill: &str, role: &Role, answer: &Answer<Value>) -> Result<(), Trouble> {
    let report = Report {
        skill,
        role: &role.name,
        answer: &answer.output,
        by: &answer.by,
        tries: &answer.tries,
        cost_usd: dollars(answer.cost_microusd()),
        usage: answer.usage(),
        cut: &answer.cut,
        repairs: &answer.repairs,
        prompt_hash: &answer.prompt_hash,
    };
    program.out.give(&report, &page(role, answer))
}

fn page(role: &Role, answer: &Answer<Value>) -> Page {
    let mut page = Page::of(format!("{:#}", answer.output));
    let by = match &answer.by {
        By::Model { name, served_by } => plain(format!("{name} ({served_by})")),
        By::Rules if role.chain.is_empty() => {
            inked(Ink::Warn, format!("rules alone: the role {} names no model", role.name))
        }
        By::Rules => inked(Ink::Warn, "rules alone: no model gave a good answer"),
    };
    page.field("by", by);
    for one in &answer.tries {
        page.field("try", plain(words(one)));
    }
    let Usage { input, output, estimated, .. } = answer.usage();
    let about = if estimated { "about " } else { "" };
    let cost = usd(answer.cost_microusd());
    page.field("cost", plain(format!("{cost}, {about}{input} tokens read, {about}{output} written")));
    for Cut { piece, shown, of } in &answer.cut {
        let (shown, of) = (bytes(*shown as u64), bytes(*of as u64));
        page.field("cut", inked(Ink::Warn, format!("{piece}: the model saw {shown} of {of}")));
    }
    for repair in answer.repairs.iter().map(|repair| json!(repair)) {
        page.field("repaired", plain(repair.as_str().unwrap_or_default().replace('_', " ")));
    }
    page
}

/// Says that a person stopped it, and what it may have cost.
pub fn stopped(program: &Program, micro_usd: u64) -> Result<Exit, Trouble> {
    let page = Page::of(format!("stopped before there was an answer; it cost at most {}", usd(micro_usd)));
    program.out.give(&json!({"stopped": true, "cost_usd_at_most": dollars(micro_usd)}), &page)?;
    Ok(Exit::Stopped)
}

/// One try in words.
pub fn words(one: &Try) -> String {
    let what = match &one.outcome {
        Outcome::Good => "a good answer".to_owned(),
        Outcome::Bad(problems) => {
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            format!("an answer that does not pass: {}", problems.join("; "))
        }
        Outcome::Declined => "it declined".to_owned(),
        Outcome::Fault(fault) => fault.detail.clone(),
        Outcome::OverBudget(why) => format!("not asked: {why}"),
        Outcome::NoRoom(why) => format!("not asked: {why}"),
    };
    format!("{}: {what} ({})", one.model, usd(one.cost_microusd))
}

/// Shows every skill and what it is given.
pub fn list(program: &Program, skills: &[Box<dyn AnySkill>]) -> Result<Exit, Trouble> {
    let value: Vec<Value> = skills
        .iter()
        .map(|skill| {
            json!({"skill": skill.name(), "input": skill.input_schema(), "output": skill.output_schema()})
        })
        .collect();
    let row = |skill: &dyn AnySkill| vec![plain(skill.name()), plain(short(&skill.input_schema()))];
    let rows: Vec<_> = skills.iter().map(|skill| row(skill.as_ref())).collect();
    let mut page = Page::default();
    page.table(&["SKILL", "INPUT"], rows);
    program.out.give(&value, &page)?;
    Ok(Exit::Done)
}

/// The fields of a schema, each with its type; a `?` may be left out.
fn short(schema: &Value) -> String {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let field = |(name, shape): (&String, &Value)| {
        let mark = if required.iter().any(|needed| needed == name) { "" } else { "?" };
        format!("{name}{mark}: {}", shape["type"].as_str().unwrap_or("any"))
    };
    let fields = schema["properties"].as_object().map(|fields| fields.iter().map(field).collect::<Vec<_>>());
    fields.unwrap_or_default().join(", ")
}
