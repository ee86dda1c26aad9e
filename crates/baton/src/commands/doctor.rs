//! `baton doctor`: looks at everything Baton rests on, and says what is wrong and what to type.

mod accept;
mod agents;
mod journal;
mod machine;
mod models;
mod places;

use baton_agents::config::doctor::Examination;
use serde::Serialize;

use crate::exit::Exit;
use crate::page::{Ink, Page, inked, plain};
use crate::program::Program;
use crate::trouble::Trouble;

/// Check the home: settings, space, every record of every run, every model
///
/// Reads everything and changes nothing. Ends with code 1 if anything is wrong. With --probe each model is
/// asked one word, which costs a few tokens. With --plan the coding agents of a plan are looked at: found,
/// version, handshake, signed in. With --accept-loss a run whose last records were lost can go on from what
/// there is; what they did may then be done again.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton doctor
  baton doctor --probe
  baton doctor --plan plan.toml
  baton doctor --accept-loss 7kq    then: baton resume 7kq
  baton doctor --json | jq '.checks[] | select(.ok | not)'"
)]
pub struct Args {
    /// Try each model with one small question; this costs a few tokens
    #[arg(long)]
    pub probe: bool,
    /// Look at the coding agents of this plan: found, version, handshake, signed in; no call that costs
    #[arg(long, value_name = "PLAN")]
    pub plan: Option<String>,
    /// Let this run go on although records of it were lost; `all` for every run
    #[arg(long, value_name = "RUN")]
    pub accept_loss: Option<String>,
}

/// What was looked at.
#[derive(Debug, Serialize)]
pub struct Check {
    name: &'static str,
    ok: bool,
    what: String,
    /// What to do about it.
    next: Option<String>,
}

impl Check {
    fn good(name: &'static str, what: impl Into<String>) -> Self {
        Self { name, ok: true, what: what.into(), next: None }
    }

    fn bad(name: &'static str, what: impl Into<String>, next: impl Into<String>) -> Self {
        Self { name, ok: false, what: what.into(), next: Some(next.into()) }
    }
}

#[derive(Serialize)]
struct Diagnosis {
    ok: bool,
    checks: Vec<Check>,
    /// Every run whose records are not what they were.
    damage: Vec<journal::RunDamage>,
    /// Every model, role, web provider and MCP server.
    #[serde(flatten)]
    exam: Examination,
    /// Every coding agent of the plan that was named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    agents: Vec<agents::Looked>,
    /// What trying each model showed.
    #[serde(skip_serializing_if = "Option::is_none")]
    probes: Option<Vec<models::Probe>>,
}

/// Looks at everything.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    if let Some(typed) = &args.accept_loss {
        accept::accept(program, typed)?;
    }
    let mut checks = vec![machine::config(program)];
    let mut damage = Vec::new();
    match program.engine() {
        Ok(engine) => {
            checks.push(machine::home(program));
            checks.push(machine::space(program));
            checks.push(journal::keeping(&engine.store));
            match journal::damage(&engine.store) {
                Ok(found) => {
                    damage = found;
                    checks.push(journal::chains(program, &engine.store, &damage)?);
                    checks.push(journal::interrupted(program, &engine.store)?);
                }
                Err(trouble) => {
                    let next = trouble.next().unwrap_or("its runs cannot be listed until this is fixed");
                    checks.push(Check::bad("records", trouble.to_string(), next));
                }
            }
            checks.push(journal::locks(&engine.store));
        }
        // Nothing in it can be relied on.
        Err(Trouble::Shared { .. }) => checks.push(machine::home(program)),
        Err(trouble) => {
            let next = trouble.next().unwrap_or("no run can be driven until this is fixed");
            checks.push(Check::bad("journal", trouble.to_string(), next));
        }
    }
    checks.extend(machine::tables(program));
    let exam = models::examined(program);
    checks.extend(models::checks(&exam));
    checks.extend(places::checks(&exam));
    let mut agents = Vec::new();
    if let Some(plan) = &args.plan {
        let (looked, shown) = agents::looked(program, plan)?;
        checks.extend(looked);
        agents = shown;
    }
    let mut probes = None;
    if args.probe {
        let (tried, shown) = models::probes(program)?;
        checks.extend(tried);
        probes = Some(shown);
    }
    let ok = checks.iter().all(|check| check.ok);
    let diagnosis = Diagnosis { ok, checks, damage, exam, agents, probes };
    program.out.give(&diagnosis, &page(&diagnosis))?;
    Ok(if ok { Exit::Done } else { Exit::Failed })
}

fn page(diagnosis: &Diagnosis) -> Page {
    let mut page = Page::default();
    for check in &diagnosis.checks {
        let mark = if check.ok { inked(Ink::Good, "ok   ") } else { inked(Ink::Bad, "BAD  ") };
        page.line([mark, inked(Ink::Faint, format!("{:<9}", check.name)), plain(&check.what)]);
        if let Some(next) = &check.next {
            page.text(format!("              {next}"));
        }
    }
    for damage in &diagnosis.damage {
        page.line([inked(Ink::Bad, format!("     {}", damage.words()))]);
    }
    let verdict =
        if diagnosis.ok { "Everything is as it should be." } else { "Something is wrong; see BAD above." };
    page.text(verdict);
    page
}
