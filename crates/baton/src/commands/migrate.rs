//! `baton migrate`: takes unfinished runs over to the tables of this Baton, or says whether it can.

use std::path::{Path, PathBuf};

use baton_agents::read::bounded;
use baton_engine::engine::MigrationDone;
use baton_engine::migration::{Mapping, Plan, Verdict};
use baton_engine::{Engine, Filter, RunSummary, Runs, Status};
use serde::Serialize;

use crate::exit::Exit;
use crate::page::Page;
use crate::program::Program;
use crate::text::{count, quoted};
use crate::trouble::Trouble;

/// Take unfinished runs over to the tables of this Baton
///
/// A run is pinned to the table and the code it was started with, and never silently finished with others.
/// --plan says for every unfinished run that an older Baton started whether it is compatible (all its records
/// were followed under the new table), needs a mapping of states or events that have another name, or is
/// blocked, and why. Without --plan the compatible ones are taken over: a record says so, stored records stay
/// as they are, and the work of the present state begins anew with what came back before.
///
/// A mapping is a TOML file: a table [states] and a table [events] with lines OLD = \"NEW\", and workflow =
/// \"NAME\" if it is for one workflow only.
#[derive(Debug, clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  baton migrate --plan
  baton migrate                            all that are compatible
  baton migrate 7kq --map names.toml"
)]
pub struct Args {
    /// Only this run
    pub run: Option<String>,
    /// Only say what could be done
    #[arg(long)]
    pub plan: bool,
    /// A file that says what states and events are called now
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,
}

#[derive(Serialize)]
struct Line {
    #[serde(flatten)]
    plan: Plan,
    done: bool,
}

/// Plans or takes over.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let mapping = args.map.as_deref().map(read).transpose()?.unwrap_or_default();
    let engine = program.engine()?;
    let rows = match &args.run {
        Some(typed) => vec![engine.run(&engine.find(typed)?)?],
        None => engine.list(Filter::default())?,
    };
    let mut lines = Vec::new();
    let mut page = Page::default();
    for row in rows.iter().rev().filter(|row| !matches!(row.status, Status::Finished(_))) {
        let (plan, done) = one(program, &engine, row, args.plan, &mapping)?;
        if plan.verdict == Verdict::Current && args.run.is_none() {
            continue;
        }
        page.text(told(program, &plan, done));
        lines.push(Line { plan, done });
    }
    let left = lines.iter().filter(|line| !line.done && line.plan.verdict != Verdict::Current).count();
    if lines.is_empty() {
        page.text("Every unfinished run fits this Baton; nothing is to be done.");
    } else if args.plan && lines.iter().any(|line| matches!(line.plan.verdict, Verdict::Compatible { .. })) {
        let run = args.run.as_ref().map(|run| format!(" {run}")).unwrap_or_default();
        let map = args.map.as_ref().map(|file| format!(" --map {}", quoted(&file.display().to_string())));
        let next = program.command(&format!("migrate{run}{}", map.unwrap_or_default()));
        page.text(format!("Nothing was changed. Take over what is compatible with: {next}"));
    }
    program.out.give(&lines, &page)?;
    Ok(if args.plan || left == 0 { Exit::Done } else { Exit::Configuration })
}

/// Plans one run, and takes it over if that is wanted and possible.
fn one(
    program: &Program,
    engine: &Engine,
    row: &RunSummary,
    only_plan: bool,
    mapping: &Mapping,
) -> Result<(Plan, bool), Trouble> {
    let none = Mapping::default();
    let mapping = if mapping.is_for(&row.workflow) { mapping } else { &none };
    let Some(flow) = program.catalogue.get(&row.workflow) else {
        return Ok((blocked(row, format!("this Baton has no workflow `{}`", row.workflow)), false));
    };
    let plan = match flow.plan_migration(engine, &row.name, mapping) {
        Ok(plan) => plan,
        // One run that cannot be read does not hide the others.
        Err(error) => return Ok((blocked(row, error.to_string()), false)),
    };
    if only_plan || !matches!(plan.verdict, Verdict::Compatible { .. }) {
        return Ok((plan, false));
    }
    if let Some(owner) = &row.driven_by {
        return Ok((blocked(row, format!("{owner} drives it")), false));
    }
    let MigrationDone { plan, done, unasked } =
        program.runtime()?.block_on(flow.migrate(engine, &row.name, mapping, &program.who))?;
    for key in unasked {
        program.out.note(format!(
            "run {}: the answer to {key} was to another question than is asked now; look with `{}`",
            row.name,
            program.command(&format!("show {}", row.name))
        ));
    }
    Ok((plan, done))
}

fn blocked(row: &RunSummary, why: String) -> Plan {
    let nothing = baton_engine::Hash::ZERO;
    Plan {
        run: row.name.clone(),
        workflow: row.workflow.clone(),
        state: row.state.clone(),
        tables: (nothing, nothing),
        code: (0, 0),
        verdict: Verdict::Blocked { why },
    }
}

fn told(program: &Program, plan: &Plan, done: bool) -> String {
    let Plan { run, workflow, state, verdict, .. } = plan;
    let head = format!("{run}  {workflow}, in {state}");
    match verdict {
        Verdict::Current => format!("{head}: fits this Baton"),
        Verdict::Compatible { .. } if done => {
            format!("{head}: taken over; go on with: {}", program.command(&format!("resume {run}")))
        }
        Verdict::Compatible { records, rows } => format!(
            "{head}: compatible; {} followed, {} elsewhere",
            count(usize::try_from(*records).unwrap_or(usize::MAX), "record"),
            count(*rows, "row")
        ),
        Verdict::NeedsMapping { states, events, new_states, new_events } => {
            let list = |kind: &str, gone: &[String], new: &[String]| match (gone, new) {
                ([], _) => None,
                (gone, []) => Some(format!("{kind} {}", gone.join(", "))),
                (gone, new) => Some(format!("{kind} {} (new: {})", gone.join(", "), new.join(", "))),
            };
            let needs: Vec<String> = [list("states", states, new_states), list("events", events, new_events)]
                .into_iter()
                .flatten()
                .collect();
            let next = program.command(&format!("migrate {run} --map FILE"));
            format!("{head}: needs a mapping of {}; write it and type: {next}", needs.join(" and "))
        }
        Verdict::Blocked { why } => {
            format!("{head}: blocked: {why}. It was not touched; the version that started it can finish it")
        }
    }
}

/// Reads a mapping and refuses one that makes no sense whatever it is for.
fn read(file: &Path) -> Result<Mapping, Trouble> {
    let wrong =
        |what: String| Trouble::Mapping { what, next: format!("Correct {} and try again", file.display()) };
    let text = bounded::text(file, bounded::WRITTEN).map_err(|refusal| Trouble::File {
        what: "read",
        path: file.to_owned(),
        why: refusal.into(),
    })?;
    let mapping: Mapping = toml::from_str(&text).map_err(|error| {
        wrong(format!("{} is no mapping: {}", file.display(), error.to_string().trim_end()))
    })?;
    mapping.check().map_err(|bad| wrong(bad.to_string()))?;
    Ok(mapping)
}
