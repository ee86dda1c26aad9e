//! From what was typed to the order of a build. Everything that is wrong with plan and repository is told before there is a
//! run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use baton_agents::clock::RealClock;
use baton_agents::config::Config;
use baton_agents::skill::Role;
use baton_workflows::coding::Agents;
use baton_workflows::factory::Order;
use baton_workflows::factory::plan::{Mistake, Plan, hash, read};
use baton_workflows::git::{Delivery, Surveyed, WORKSHOPS, may_merge_into, survey};
use baton_workflows::process::Processes;

use super::Args;
use crate::commands::start::{text, unfit};
use crate::consent::settled;
use crate::program::Program;
use crate::text::count;
use crate::trouble::Trouble;

/// The order of a build.
pub fn order(program: &Program, args: &Args) -> Result<Order, Trouble> {
    let name = args.plan.as_deref().unwrap_or_default();
    let plan = plan(name)?;
    let processes = processes();
    let surveyed = surveyed(program, &processes, &args.repo, plan.base.as_deref())?;
    program.home.ready()?;
    // A home that is not there yet cannot be resolved, and a workshop must not move with the folder we stand in.
    let home = program.home.path.canonicalize().unwrap_or_else(|_| absolute(&program.home.path));
    if home.starts_with(&surveyed.top) && !surveyed.top.join(".git").join("..").starts_with(&home) {
        let what = "the folder of all runs lies in it; name another with --home";
        return Err(unfit(&args.repo.display().to_string(), what));
    }
    let deliver = match args.deliver.as_deref() {
        Some("branch") => Delivery::Branch,
        Some("merge") => Delivery::Merge,
        Some("patches") => Delivery::Patches,
        Some("pr-files") => Delivery::PrFiles,
        _ => plan.policy.deliver,
    };
    if deliver == Delivery::Merge {
        let may = may_merge_into(&processes, &surveyed.dir, &surveyed.branch);
        let may = program.runtime()?.block_on(may);
        may.map_err(|error| unfit(&args.repo.display().to_string(), &error.to_string()))?;
    }
    let folder = match &args.output {
        Some(folder) => absolute(folder),
        None => absolute(&folder_of(name).join("baton-result")),
    };
    let typed = args.models.overrides(args.launch.budget_usd);
    let (judge, architect) = settled(program, &typed, |config| Ok(roles(config, &plan)), asked)?;
    // What came through a pipe cannot be looked at again.
    let is_file = name != "-";
    Ok(Order {
        plan_hash: if is_file { hash(&plan) } else { String::new() },
        judge,
        architect,
        plan,
        file: if is_file { absolute(Path::new(name)).display().to_string() } else { String::new() },
        repo: surveyed.dir.display().to_string(),
        branch: surveyed.branch,
        base: surveyed.base,
        workshops: home.join(WORKSHOPS).display().to_string(),
        deliver,
        folder: folder.display().to_string(),
        yes: args.launch.yes,
        committer: Default::default(),
    })
}

/// A repository that can be built on, in the folder that was typed.
pub fn surveyed(
    program: &Program,
    processes: &Processes,
    typed: &Path,
    base: Option<&str>,
) -> Result<Surveyed, Trouble> {
    let wrong = |what: &str| unfit(&typed.display().to_string(), what);
    let repo = typed.canonicalize().map_err(|error| wrong(&format!("it cannot be built on ({error})")))?;
    if !repo.is_dir() {
        return Err(wrong("it is no folder; name the repository it lies in"));
    }
    let looked = program.runtime()?.block_on(survey(processes, &repo, base));
    looked.map_err(|in_the_way| {
        let lines: Vec<String> = in_the_way.iter().map(|what| format!("\n  {what}")).collect();
        wrong(&format!("it cannot be built on:{}", lines.concat()))
    })
}

/// The models that the plan wants asked: who reviews, and who judges phases.
type Roles = (Option<Role>, Option<Role>);

fn roles(config: &Config, plan: &Plan) -> Roles {
    let role = |name: &str, wanted: bool| wanted.then(|| config.role(name));
    (role("reviewer", plan.review.model), role("architect", plan.review.architect))
}

fn asked(roles: &Roles) -> Vec<&Role> {
    roles.0.iter().chain(&roles.1).collect()
}

/// The plan in a file.
pub fn plan(name: &str) -> Result<Plan, Trouble> {
    let kinds = Agents::of_this_machine(&processes()).kinds();
    read(&text(name)?, &folder_of(name), &kinds).map_err(|mistakes| wrong(name, &mistakes))
}

pub fn processes() -> Processes {
    Processes::of_this_program(Arc::new(RealClock::new()))
}

fn folder_of(name: &str) -> PathBuf {
    Path::new(name).parent().map(Path::to_owned).unwrap_or_default()
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Every mistake on its line.
fn wrong(name: &str, mistakes: &[Mistake]) -> Trouble {
    let lines: Vec<String> = mistakes.iter().map(|mistake| format!("\n  {mistake}")).collect();
    unfit(name, &format!("the plan has {}:{}", count(mistakes.len(), "mistake"), lines.concat()))
}
