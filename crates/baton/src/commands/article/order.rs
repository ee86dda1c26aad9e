//! From what was typed to the assignment of a run. Everything that is wrong with it is told at once, before there is a run.

use std::collections::BTreeMap;

use baton_agents::config::Config;
use baton_agents::hash::sha256_hex;
use baton_engine::runs::present;
use baton_engine::{Filter, Runs};
use baton_machine::Workflow;
use baton_workflows::article::{Article, Assignment, Brief, Form, Mistake, Roles, Terms, Worker};

use super::{Args, Wishes};
use crate::commands::research::documents;
use crate::commands::start::{text, unfit};
use crate::consent::{self, queries_may_leave};
use crate::export::destination;
use crate::places::reached;
use crate::program::Program;
use crate::sources::{Period, refuse};
use crate::trouble::Trouble;

/// The assignment of a run.
pub fn assignment(program: &Program, runs: &dyn Runs, args: &Args) -> Result<Assignment, Trouble> {
    let output = args.output.as_deref().map(destination::<Article>).transpose()?;
    let roles = roles(program, args)?;
    let mut form = form(args.brief.as_deref(), &args.wishes)?;
    if let Some(micro) = args.launch.budget_usd {
        form.set("max_budget", micro as f64 / 1e6);
    } else if !form.has("max_budget")
        && let Some(micro) = program.config.agents.budget.microusd
    {
        form.set("max_budget", micro as f64 / 1e6);
    }
    let brief = settled(form, &roles, args.brief.as_deref())?;
    let mut assignment = Assignment::new(brief, Vec::new());
    for folder in &args.docs {
        let folder = documents(folder)?;
        if !assignment.docs.contains(&folder) {
            assignment.docs.push(folder);
        }
    }
    let period = args.sources.period(Period::default())?;
    let has_docs = !assignment.docs.is_empty();
    assignment.beyond =
        reached(&program.config.agents, &args.sources, &period, &args.allow_private, has_docs)?;
    if assignment.docs.is_empty() && assignment.beyond.is_none() {
        return refuse(
            "there is nothing to search",
            "Name a folder of documents with --docs FOLDER, or a place such as --sources wikipedia",
        );
    }
    if let Some(beyond) = assignment.beyond.as_ref().filter(|_| !assignment.docs.is_empty()) {
        queries_may_leave(program, args.models.send, beyond)?;
    }
    (assignment.since, assignment.until, assignment.language) = (period.since, period.until, period.language);
    let now = program.clock.now();
    assignment.today = now.day();
    let time = now.time_of_day();
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    assignment.execution_id =
        format!("exec_{}_{}", digits(&assignment.today), &format!("{:0<6}", digits(&time))[..6]);
    let whole = serde_json::to_string(&assignment.brief).unwrap_or_default();
    assignment.request_id = format!("req_{}", &sha256_hex(whole.as_bytes())[..6]);
    // A brief in a file may come from anybody.
    assignment.from_file = args.brief.is_some();
    assignment.roles = roles;
    assignment.measured = measured(runs)?;
    assignment.output = output;
    Ok(assignment)
}

/// The brief as it was written, with what was typed over it.
pub fn form(file: Option<&str>, wishes: &Wishes) -> Result<Form, Trouble> {
    let mut form = match file {
        Some(name) => Form::read(&text(name)?, name).map_err(|mistakes| wrong(name, &mistakes))?,
        None => Form::default(),
    };
    let Wishes { topic, kind, length, tone, depth, min_sources, min_quality, style } = wishes;
    let texts = [
        ("topic", topic),
        ("content_type", kind),
        ("tone", tone),
        ("research_depth", depth),
        ("citation_style", style),
    ];
    for (field, typed) in texts {
        if let Some(typed) = typed {
            form.set(field, typed.as_str());
        }
    }
    for (field, typed) in [("target_length", length), ("min_sources", min_sources)] {
        if let Some(typed) = typed {
            form.set(field, *typed);
        }
    }
    if let Some(quality) = min_quality {
        form.set("min_quality_score", *quality);
    }
    Ok(form)
}

/// The brief that was meant, or everything that is wrong with it.
pub fn settled(form: Form, roles: &Roles, file: Option<&str>) -> Result<Brief, Trouble> {
    let terms = terms(&form, roles);
    form.settle(&terms).map_err(|mistakes| wrong(file.unwrap_or("what was typed"), &mistakes))
}

/// What the least of all plans costs with these models.
fn terms(form: &Form, roles: &Roles) -> Terms {
    let Ok(brief) = form.clone().settle(&Terms::default()) else { return Terms::default() };
    let mut assignment = Assignment::new(brief, Vec::new());
    assignment.roles = roles.clone();
    let cost = |worker: Worker| worker.estimate(&assignment).usd;
    let least = cost(Worker::WebSearch) + cost(Worker::ArticleWriter) + cost(Worker::Editor);
    // A search brings about ten sources.
    Terms { least_cost: least, per_source: cost(Worker::WebSearch) / 10.0 }
}

/// Every mistake on its line.
pub fn wrong(name: &str, mistakes: &[Mistake]) -> Trouble {
    let lines: Vec<String> = mistakes.iter().map(|mistake| format!("\n  {mistake}")).collect();
    let count =
        if mistakes.len() == 1 { "1 mistake".to_owned() } else { format!("{} mistakes", mistakes.len()) };
    unfit(name, &format!("the brief has {count}:{}", lines.concat()))
}

/// The roles of a run: what the configuration and the flags name, and nobody else.
fn roles(program: &Program, args: &Args) -> Result<Roles, Trouble> {
    let named = |config: &Config| Ok(named(config));
    let typed = args.models.overrides(args.launch.budget_usd);
    let see: fn(&Roles) -> Vec<&baton_agents::skill::Role> =
        if args.docs.is_empty() { |_| Vec::new() } else { |roles| roles.all() };
    consent::settled(program, &typed, named, see)
}

/// The roles that a configuration names.
pub fn named(config: &Config) -> Roles {
    Roles {
        searcher: config.role("searcher"),
        reader: config.role("reader"),
        analyst: config.role("analyst"),
        writer: config.role("writer"),
        editor: config.role("editor"),
    }
}

/// What workers cost in the last runs, on average: the ledger knows, by the name each is charged under.
fn measured(runs: &dyn Runs) -> Result<BTreeMap<String, u64>, Trouble> {
    const LOOKED_AT: usize = 10;
    let mut sums: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    let earlier = runs.list(Filter::default())?;
    for row in earlier.iter().filter(|row| row.workflow == Article::NAME).take(LOOKED_AT) {
        let Ok(present) = present::<Article>(runs, &row.name) else { continue };
        for (name, spend) in &present.purse.branches {
            let sum = sums.entry(name.clone()).or_default();
            *sum = (sum.0 + spend.micro_usd, sum.1 + 1);
        }
    }
    Ok(sums
        .into_iter()
        .filter(|(_, (sum, _))| *sum > 0)
        .map(|(name, (sum, count))| (name, sum / count))
        .collect())
}
