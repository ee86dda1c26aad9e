//! `baton build plan`: drafts a plan from a roadmap, for a person to finish.

use std::path::{Path, PathBuf};

use baton_agents::config::Config;
use baton_agents::skill::{Answerer, AskRequest, Role, ask};
use baton_workflows::factory::{DraftPlan, Roadmap};
use baton_workflows::git::Git;
use serde_json::json;

use super::order::{processes, surveyed};
use crate::commands::ask::{port, words};
use crate::commands::start::{text, unfit};
use crate::consent::{ModelArgs, settled};
use crate::exit::Exit;
use crate::page::Page;
use crate::program::Program;
use crate::text::{read_usd, usd};
use crate::trouble::Trouble;

/// How many names of files a model is shown.
const NAMES: usize = 2000;

/// Draft a plan from a roadmap or a list of issues in Markdown
///
/// By rules headings become phases, items of lists become efforts, "depends on" says what waits for what. With
/// a model (--model, or the role `planner` of the configuration) the efforts are cut and worded by it: every item
/// must be in the plan, and the plan must be valid, or rules draft it. A draft says so in its first line; its
/// commands are run only after a person's yes, whatever flags are given.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// The roadmap, or `-` for stdin
    #[arg(value_name = "FILE", required_unless_present = "from")]
    roadmap: Option<String>,
    /// The same, by name
    #[arg(long, value_name = "FILE", conflicts_with = "roadmap")]
    from: Option<String>,
    /// The repository it is for: a model is shown the names of its files
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,
    /// Where the plan is written; shown if none is named
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    models: ModelArgs,
    /// What it may spend, in US dollars
    #[arg(long, value_name = "N", value_parser = read_usd, allow_negative_numbers = true)]
    budget_usd: Option<u64>,
}

impl Args {
    fn source(&self) -> &str {
        self.roadmap.as_deref().or(self.from.as_deref()).unwrap_or("-")
    }
}

/// Drafts.
pub fn run(program: &Program, args: &Args) -> Result<Exit, Trouble> {
    let title = Path::new(args.source()).file_stem().map_or("A plan".into(), |stem| stem.to_string_lossy());
    let files = args.repo.as_deref().map_or(Ok(Vec::new()), |repo| files_of(program, repo))?;
    let roadmap = Roadmap { title: title.into_owned(), text: text(args.source())?, files };
    let (plan, by, cost) = drafted(program, args, &roadmap)?;
    let cost_usd = crate::view::dollars(cost);
    let Some(file) = &args.output else {
        let value = json!({"plan": plan, "by": by, "cost_usd": cost_usd});
        program.out.give(&value, &Page::of(plan.trim_end()))?;
        return Ok(Exit::Done);
    };
    let written = std::fs::File::create_new(file)
        .and_then(|mut out| std::io::Write::write_all(&mut out, plan.as_bytes()));
    written
        .map_err(|error| unfit(&file.display().to_string(), &format!("it cannot be written ({error})")))?;
    let paid = if cost > 0 { format!(" for {}", usd(cost)) } else { String::new() };
    let said = format!(
        "{} is drafted by {by}{paid}. Look at it, then: baton build validate {}",
        file.display(),
        file.display()
    );
    program.out.give(&json!({"file": file, "by": by, "cost_usd": cost_usd}), &Page::of(said))?;
    Ok(Exit::Done)
}

/// The text of the plan, who drafted it, and what it cost in millionths of a dollar.
fn drafted(program: &Program, args: &Args, roadmap: &Roadmap) -> Result<(String, String, u64), Trouble> {
    let overrides = args.models.overrides(args.budget_usd);
    program.tell_held_back(overrides.usd.is_some());
    let make = |config: &Config| Ok((config.clone(), planner(config)));
    let (config, role) = settled(program, &overrides, make, |made| vec![&made.1])?;
    let port = port(program, &config, &role)?;
    let question = AskRequest { key: "draft", input: roadmap, carries_documents: true };
    let asked = program.runtime()?.block_on(ask::<DraftPlan>(&port, &role, question));
    let answer = match asked {
        Ok(answer) => answer,
        Err(_) if role.chain.is_empty() => {
            let what = "it has no list of things to do; write them as items under headings";
            return Err(unfit(args.source(), what));
        }
        Err(failure) => return Err(Trouble::Ask { failure: Box::new(failure) }),
    };
    let cost = answer.cost_microusd();
    let by = Answerer::from(answer.by.clone());
    if by == Answerer::Rules && !role.chain.is_empty() {
        answer.tries.iter().for_each(|one| program.out.note(words(one)));
        program.out.note("no model drafted a plan that holds, so rules did");
    }
    let said_by = if by == Answerer::Rules { String::new() } else { format!(" by {by}") };
    Ok((answer.output.text(&said_by), by.to_string(), cost))
}

/// Who drafts: rules stand behind every model.
fn planner(config: &Config) -> Role {
    Role { rules: true, ..config.role("planner") }
}

/// The names of the files that a repository holds.
fn files_of(program: &Program, repo: &Path) -> Result<Vec<String>, Trouble> {
    let processes = processes();
    let there = surveyed(program, &processes, repo, None)?;
    let wrong = |what: String| unfit(&repo.display().to_string(), &what);
    let git = Git::new(&processes.alone(), there.dir);
    let listing = ["ls-tree", "-r", "--name-only", "-z", &there.base];
    let listed =
        program.runtime()?.block_on(git.bytes(&listing)).map_err(|error| wrong(error.to_string()))?;
    let names = String::from_utf8_lossy(&listed).split('\0').map(str::to_owned).collect::<Vec<_>>();
    Ok(names.into_iter().filter(|name| !name.is_empty()).take(NAMES).collect())
}
