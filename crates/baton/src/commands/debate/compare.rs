//! `--compare vote`: a blind vote of the same panel for the same number of calls, slot by slot beside the debate.

use baton_engine::{Engine, RunId, Runs};
use baton_workflows::debate::vote::{Compared, blind, compare};
use baton_workflows::debate::{Memory, Setup};
use serde_json::{Value, json};

use super::Args;
use crate::commands::start::unfit;
use crate::drive::{How, drive_on};
use crate::page::{Page, plain};
use crate::program::Program;
use crate::trouble::Trouble;

/// What came of it, for programs and for people.
pub struct Beside {
    /// For programs.
    pub value: Value,
    /// For people.
    pub page: Page,
}

/// Holds the vote and compares.
pub fn run(
    program: &Program,
    args: &Args,
    engine: &Engine,
    debate: &RunId,
    setup: &Setup,
) -> Result<Beside, Trouble> {
    let calls = engine.run(debate)?.spent.calls;
    let held = memory(program, engine, debate)?;
    // The vote is on what the debate decided about, whoever found the frame.
    let framed = Setup { frame: held.frame.clone(), ..setup.clone() };
    let vote = super::start(program, args, engine, &blind(&framed, calls))?;
    drive_on(program, engine, &vote, How { yes: args.yes, settings: None })?;
    let voted = memory(program, engine, &vote)?;
    let compared = compare(&held, &voted);
    let spent = engine.run(&vote)?.spent.calls;
    let value =
        json!({"vote": vote.to_string(), "debateCalls": calls, "voteCalls": spent, "slots": compared});
    Ok(Beside { value, page: page(program, &compared, calls, spent) })
}

fn page(program: &Program, compared: &[Compared], calls: u64, spent: u64) -> Page {
    let words = |option: &Option<String>, share: u8| match option {
        Some(option) => format!("{option} ({share}%)"),
        None => "not decided".to_owned(),
    };
    let row = |one: &Compared| {
        vec![
            plain(&one.slot),
            plain(words(&one.debate, one.debate_share)),
            plain(words(&one.vote, one.vote_share)),
            plain(if one.same { "yes" } else { "no" }),
        ]
    };
    let rows: Vec<_> = compared.iter().map(row).collect();
    let mut page = Page::default();
    page.text(format!("\nThe debate took {calls} calls, the blind vote {spent}:"));
    page.table(&["SLOT", "DEBATE", "BLIND VOTE", "SAME"], &rows, program.out.columns());
    page
}

/// What a debate has learnt.
pub fn memory(program: &Program, engine: &Engine, run: &RunId) -> Result<Memory, Trouble> {
    let present = program.flow_of(engine, run)?.present(engine, run)?;
    serde_json::from_value(present.memory())
        .map_err(|error| unfit(&format!("run {run}"), &format!("it is no debate: {error}")))
}
