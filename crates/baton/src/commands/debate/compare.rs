//! `--compare vote`: a blind vote of the same panel for the same number of calls, slot by slot beside the debate.

use baton_engine::record::Note;
use baton_engine::{Engine, RunId, Runs};
use baton_workflows::debate::vote::{Beside, Compared, Gain, blind, compare, gain};
use baton_workflows::debate::{Debate, Memory, Setup};
use baton_workflows::profile::Profile;
use serde_json::{Value, json};

use super::Args;
use crate::commands::start::unfit;
use crate::drive::{How, closing, drive_on};
use crate::exit::Exit;
use crate::export;
use crate::launch::announce;
use crate::page::{Page, plain};
use crate::program::Program;
use crate::standing::Standing;
use crate::trouble::Trouble;

/// Holds the debate and then the vote, and compares.
pub fn run(
    program: &Program,
    args: &Args,
    engine: &Engine,
    debate: &RunId,
    setup: &Setup,
) -> Result<Exit, Trouble> {
    announce(program, engine, debate)?;
    let exit = drive_on(program, engine, debate, how(args))?;
    let (detail, closing) = closing(program, engine, debate)?;
    let (value, page) = match closing {
        Some(closing) => (closing.value, closing.page),
        None => (json!(detail), detail.closing()),
    };
    program.out.say(&page)?;
    let copy = || export::write(program, engine, &detail, setup.output.as_deref());
    if !matches!(detail.run.standing, Standing::Finished(_)) {
        copy()?;
        program.out.note("the debate is not over, so nothing was compared");
        program.out.give(&value, &Page::default())?;
        return Ok(exit);
    }
    let (compared, page) = vote(program, args, engine, debate)?;
    copy()?;
    program.out.give(&json!({"debate": value, "compared": compared}), &page)?;
    Ok(exit)
}

fn how(args: &Args) -> How {
    How { yes: args.launch.yes, settings: None }
}

/// Holds the vote; what came of it, for programs and for people. It is on what the debate decided about, whoever found the
/// frame, and with the answers the debate was given.
fn vote(program: &Program, args: &Args, engine: &Engine, debate: &RunId) -> Result<(Value, Page), Trouble> {
    let calls = engine.run(debate)?.spent.calls;
    let held = memory(program, engine, debate)?;
    let setup = blind(&held, &debate.to_string(), calls);
    let settings = args.launch.settings(program, Debate::settings);
    let vote = engine.start_beside::<Debate>(&setup, settings, debate)?;
    announce(program, engine, &vote)?;
    drive_on(program, engine, &vote, how(args))?;
    let voted = memory(program, engine, &vote)?;
    let beside = Beside {
        vote: vote.to_string(),
        debate_calls: calls,
        vote_calls: engine.run(&vote)?.spent.calls,
        slots: compare(&held, &voted),
        agreement: gain(&held, &voted),
    };
    // The debate is over, and its record is to tell of the vote too.
    let note = Note { text: beside.words(), data: Some(json!(beside)) };
    program.runtime()?.block_on(engine.note::<Debate>(debate, note))?;
    Ok((json!(beside), table(&beside)))
}

fn table(beside: &Beside) -> Page {
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
    let rows: Vec<_> = beside.slots.iter().map(row).collect();
    let mut page = Page::default();
    page.text(format!(
        "\nThe debate took {} calls, the blind vote {}:",
        beside.debate_calls, beside.vote_calls
    ));
    page.table(&["SLOT", "DEBATE", "BLIND VOTE", "SAME"], rows);
    if let Gain { debate: Some(ours), vote: Some(theirs), lift: Some(lift) } = beside.agreement {
        page.text(format!("Agreement: {ours}% in the debate, {theirs}% in the blind vote ({lift:+})."));
    }
    page
}

/// What a debate has learnt.
pub fn memory(program: &Program, engine: &Engine, run: &RunId) -> Result<Memory, Trouble> {
    let present = program.flow_of(engine, run)?.present(engine, run)?;
    serde_json::from_value(present.memory())
        .map_err(|error| unfit(&format!("run {run}"), &format!("it is not a debate: {error}")))
}
