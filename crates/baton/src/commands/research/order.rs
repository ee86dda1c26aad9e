//! From what was typed to the order for a run. Everything that makes no sense is refused here, before there
//! is a run.

use std::path::{Path, PathBuf};

use baton_agents::config::Config;
use baton_agents::read::{Format, bounded};
use baton_agents::search::local::IndexError;
use baton_engine::{Filter, Runs};
use baton_machine::Workflow;
use baton_workflows::research::{Brief, Research, Roles};

use super::{Args, carry, reach};
use crate::consent;
use crate::export::destination;
use crate::program::Program;
use crate::sources::{Period, refuse};
use crate::trouble::Trouble;

/// A question longer than this is a document.
const LONGEST: usize = 10_000;
/// The order for a run.
pub fn brief(program: &Program, runs: &dyn Runs, args: &Args) -> Result<Brief, Trouble> {
    let output = args.output.as_deref().map(destination::<Research>).transpose()?;
    let mut brief = match (&args.continue_run, &args.refresh) {
        (Some(run), _) => carry::continued(program, runs, run, &topic(args)?, &args.drop_source)?,
        (None, Some(run)) => carry::refreshed(program, runs, run, &args.drop_source, args.only_docs)?,
        (None, None) => match &args.from {
            Some(file) => carry::planned(runs, file, args.topic.is_some().then(|| topic(args)).transpose()?)?,
            None => Brief::new(&topic(args)?, Vec::new()),
        },
    };
    let today = program.clock.now().day();
    brief.mission = mission(runs, &today)?;
    brief.today = today;
    brief.roles = roles(program, args)?;
    brief.output = output;
    for folder in &args.docs {
        let folder = documents(folder)?;
        if !brief.docs.contains(&folder) {
            brief.docs.push(folder);
        }
    }
    brief.max_iterations = args.max_iterations.unwrap_or(brief.max_iterations);
    brief.depth = args.depth.unwrap_or(brief.depth);
    brief.dropped.extend(args.drop_source.iter().cloned());
    let config = &program.config.agents;
    brief.check_in = args.check_in || config.check_in;
    brief.authority = config.authority.clone();
    let given = Period { since: brief.since, until: brief.until, language: brief.language };
    let period = args.sources.period(given)?;
    Period { since: brief.since, until: brief.until, language: brief.language } = period.clone();
    reach::settle(program, args, &period, &mut brief)?;
    Ok(brief)
}

/// The roles of a run: what the configuration and the flags name, and nobody else.
fn roles(program: &Program, args: &Args) -> Result<Roles, Trouble> {
    let named = |config: &Config| {
        Ok(Roles {
            planner: config.role("planner"),
            searcher: config.role("searcher"),
            reader: config.role("reader"),
            reflector: config.role("reflector"),
            resolver: config.role("resolver"),
            synthesizer: config.role("synthesizer"),
            // A second judge costs as much as the first: only one that is named is asked.
            verifier: config.roles.contains_key("verifier").then(|| config.role("verifier")),
        })
    };
    let typed = args.models.overrides(args.launch.budget_usd);
    consent::settled(program, &typed, named, Roles::all)
}

fn topic(args: &Args) -> Result<String, Trouble> {
    let typed = args.topic.as_deref().unwrap_or_default();
    let mut text = String::new();
    if typed == "-" {
        match bounded::text_or_stdin(typed, bounded::WRITTEN) {
            Ok(read) => text = read,
            Err(refusal) => {
                let why = std::io::Error::from(refusal);
                return refuse(
                    format!("the question on stdin cannot be read ({why})"),
                    "Send it as UTF-8 text",
                );
            }
        }
    } else {
        typed.clone_into(&mut text);
    }
    let topic = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let length = topic.chars().count();
    if length == 0 {
        return refuse("the question is empty", "Type it in quotes, or send it on stdin with `-`");
    }
    if length > LONGEST {
        return refuse(
            format!("the question has {length} characters, and at most {LONGEST} are taken"),
            "Put long texts into a folder and name it with --docs",
        );
    }
    Ok(topic)
}

/// `DR-YYYYMMDD-NNN`: the number of the research run on its day.
fn mission(runs: &dyn Runs, today: &str) -> Result<String, Trouble> {
    let runs = runs.list(Filter::default())?;
    let earlier =
        runs.iter().filter(|row| row.workflow == Research::NAME && row.started.day() == today).count();
    Ok(format!("DR-{}-{:03}", today.replace('-', ""), earlier + 1))
}

/// The folder as an absolute path, if it holds anything that can be read.
pub fn documents(folder: &Path) -> Result<PathBuf, Trouble> {
    let unreadable = |source| Trouble::Index(IndexError::Folder { path: folder.to_owned(), source });
    let path = std::fs::canonicalize(folder).map_err(unreadable)?;
    if holds_documents(&path).map_err(unreadable)? {
        Ok(path)
    } else {
        Err(Trouble::Index(IndexError::NoDocuments { path: folder.to_owned() }))
    }
}

/// Whether a document is somewhere below a folder. A folder below it that cannot be opened holds none for us.
fn holds_documents(folder: &Path) -> std::io::Result<bool> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        if (kind.is_file() && Format::of_path(&path).is_some())
            || (kind.is_dir() && holds_documents(&path).unwrap_or(false))
        {
            return Ok(true);
        }
    }
    Ok(false)
}
