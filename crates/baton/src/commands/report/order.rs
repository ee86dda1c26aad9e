//! From what was typed to the order of a run. Everything that makes no sense is refused here, before there is a run.

use std::path::{Path, PathBuf};

use baton_agents::config::Config;
use baton_agents::read::bounded;
use baton_agents::skill::Role;
use baton_engine::Runs;
use baton_engine::runs::present;
use baton_machine::Workflow;
use baton_workflows::report::{Continued, Depth, Format, Order, Report, Roles, Style, is_data, tables_flaw};

use super::{Args, remote};
use crate::commands::research::documents;
use crate::consent::{self, queries_may_leave};
use crate::export::destination;
use crate::places::reached;
use crate::program::Program;
use crate::sources::{Period, refuse};
use crate::trouble::Trouble;

/// A query longer than this is a document.
const LONGEST: usize = 40_000;
/// Files of data in one run.
const MOST_FILES: usize = 200;
/// The largest tables.toml.
const TABLES: u64 = 4 << 20;

/// The order of a run.
pub fn order(program: &Program, runs: &dyn Runs, args: &Args) -> Result<Order, Trouble> {
    let output = args.output.as_deref().map(destination::<Report>).transpose()?;
    let mut order = match &args.continue_run {
        Some(run) => continued(runs, run, args)?,
        None => Order::new(&query(args)?),
    };
    order.from_file = order.from_file || args.query.as_deref() == Some("-");
    for path in &args.data {
        if let Some(source) = remote::named(&program.config.agents, path)? {
            remote::add(&mut order, source, &args.allow_private);
            continue;
        }
        for file in data_files(path)? {
            if !order.data.contains(&file) {
                order.data.push(file);
            }
        }
    }
    if order.data.len() > MOST_FILES {
        return refuse(
            format!("{} files of data were named, and at most {MOST_FILES} are read", order.data.len()),
            "Name the files that the report is about",
        );
    }
    if let Some(file) = &args.tables {
        order.tables = Some(tables(file)?);
    }
    for folder in &args.docs {
        let folder = documents(folder)?;
        if !order.docs.contains(&folder) {
            order.docs.push(folder);
        }
    }
    wishes(args, &mut order)?;
    order.roles = roles(program, args, &order)?;
    let period = args.sources.period(Period::default())?;
    let has_docs = !order.docs.is_empty() || order.has_data();
    if !args.sources.names.is_empty() || order.beyond.is_none() {
        order.beyond =
            reached(&program.config.agents, &args.sources, &period, &args.allow_private, has_docs)?;
    }
    if !order.has_data() && !order.has_documents() {
        return refuse(
            "there is no data and there are no documents, so there is nothing to report on",
            "Name data with --data PATH, documents with --docs FOLDER, or a place such as --sources wikipedia",
        );
    }
    if let Some(beyond) = order.beyond.as_ref().filter(|_| has_docs) {
        queries_may_leave(program, args.models.send, beyond)?;
    }
    (order.since, order.until) = (period.since, period.until);
    order.language = period.language;
    order.today = program.clock.now().day();
    order.output = output;
    Ok(order)
}

fn wishes(args: &Args, order: &mut Order) -> Result<(), Trouble> {
    if let Some(typed) = &args.depth {
        let Some(depth) = Depth::named(typed) else {
            return refuse(format!("there is no depth {typed}"), "Use standard or deep_dive");
        };
        order.depth = Some(depth);
    }
    if let Some(typed) = &args.style {
        let Some(style) = Style::named(typed) else {
            return refuse(format!("there is no style {typed}"), "Use default or warp");
        };
        order.style = Some(style);
    }
    for typed in &args.format {
        let Some(format) = Format::named(typed) else {
            return refuse(format!("a report is not written as {typed}"), "Use html, pdf or xlsx");
        };
        if !order.formats.contains(&format) {
            order.formats.push(format);
        }
    }
    if let Some(count) = args.charts {
        if count > 40 {
            return refuse(format!("{count} charts are more than anybody reads"), "Ask for at most 40");
        }
        order.charts = Some(count);
    }
    if let Some(target) = args.coverage_target {
        if !(1..=100).contains(&target) {
            return refuse(
                format!("a coverage of {target} per cent cannot be reached"),
                "Use a number from 1 to 100; the usual is 80",
            );
        }
        order.coverage_target = target;
    }
    Ok(())
}

/// The roles of a run: what the configuration and the flags name, and nobody else.
fn roles(program: &Program, args: &Args, order: &Order) -> Result<Roles, Trouble> {
    let named = |config: &Config| {
        Ok(Roles {
            planner: config.role("planner"),
            searcher: config.role("searcher"),
            reader: config.role("reader"),
            writer: config.role("writer"),
            editor: config.role("editor"),
        })
    };
    let typed = args.models.overrides(args.launch.budget_usd);
    let is_private = !order.docs.is_empty() || order.has_data();
    let see: fn(&Roles) -> Vec<&Role> = if is_private { |roles| roles.all() } else { |_| Vec::new() };
    consent::settled(program, &typed, named, see)
}

/// The query as it was written: its lines count.
fn query(args: &Args) -> Result<String, Trouble> {
    let typed = args.query.as_deref().unwrap_or_default();
    let text = if typed == "-" {
        match bounded::text_or_stdin(typed, bounded::WRITTEN) {
            Ok(read) => read,
            Err(refusal) => {
                let why = std::io::Error::from(refusal);
                return refuse(format!("the query on stdin cannot be read ({why})"), "Send it as UTF-8 text");
            }
        }
    } else {
        typed.to_owned()
    };
    let length = text.trim().chars().count();
    if length == 0 {
        return refuse("the query is empty", "Type it in quotes, or send it on stdin with `-`");
    }
    if length > LONGEST {
        return refuse(
            format!("the query has {length} characters, and at most {LONGEST} are taken"),
            "Put long texts into a folder and name it with --docs",
        );
    }
    Ok(text.trim().to_owned())
}

/// The order of an earlier report with what is asked now.
fn continued(runs: &dyn Runs, run: &str, args: &Args) -> Result<Order, Trouble> {
    let asked = query(args)?;
    let run = runs.find(run)?;
    let row = runs.run(&run)?;
    if row.workflow != Report::NAME {
        return refuse(
            format!("run {run} is no report, it is a run of {}", row.workflow),
            "Name a report: `baton runs` lists all runs",
        );
    }
    let earlier = present::<Report>(runs, &run)?.into_memory().order;
    let continued = Continued { run: run.to_string(), query: earlier.query.clone() };
    Ok(Order { query: asked, continued: Some(continued), ..earlier })
}

/// What a person says of the tables.
fn tables(file: &Path) -> Result<String, Trouble> {
    let unread = |why: std::io::Error| Trouble::File { what: "read", path: file.to_owned(), why };
    let text = bounded::text(file, TABLES).map_err(|refusal| unread(refusal.into()))?;
    match tables_flaw(&text) {
        None => Ok(text),
        Some(flaw) => refuse(
            format!("{} cannot be used: {flaw}", file.display()),
            "Begin with the tables.toml of an earlier run and change only what is wrong",
        ),
    }
}

/// The file, or those of a folder that are data, as absolute paths in order of their names.
fn data_files(path: &Path) -> Result<Vec<PathBuf>, Trouble> {
    let unread = |why: std::io::Error| Trouble::File { what: "read", path: path.to_owned(), why };
    let whole = std::fs::canonicalize(path).map_err(unread)?;
    if whole.is_file() {
        if !is_data(&whole) {
            return refuse(
                format!("{} is not a kind of data that can be read", path.display()),
                "Use CSV, TSV, JSON, JSON lines, XLSX, ODS or SQLite; documents go with --docs",
            );
        }
        return Ok(vec![whole]);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&whole).map_err(unread)? {
        let entry = entry.map_err(unread)?;
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        if !hidden && entry.file_type().map_err(unread)?.is_file() && is_data(&entry.path()) {
            files.push(entry.path());
        }
    }
    if files.is_empty() {
        return refuse(
            format!("{} holds no data that can be read", path.display()),
            "Use CSV, TSV, JSON, JSON lines, XLSX, ODS or SQLite; documents go with --docs",
        );
    }
    files.sort();
    Ok(files)
}
