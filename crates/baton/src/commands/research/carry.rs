//! What an earlier run found, kept for a new one: under a new angle, or after its sources were read again.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use baton_agents::read::archive::Archive;
use baton_agents::read::extract::ChildCommand;
use baton_agents::read::files::{FileReader, Limits};
use baton_agents::read::library::{Library, LibraryError};
use baton_agents::read::polite::Polite;
use baton_agents::search::Location;
use baton_engine::dag::TaskId;
use baton_engine::runs::present;
use baton_engine::{Filter, RunId, Runs};
use baton_machine::Workflow;
use baton_workflows::research::{Brief, Carried, Dimension, Duty, Memory, Plan, Research, parts, task_md};
use baton_workflows::retrieval::{Beyond, FoundFact, SourceCard};
use tokio::runtime::Runtime;

use crate::commands::start::{text, unfit};
use crate::places::polite;
use crate::program::Program;
use crate::text::cut;
use crate::trouble::Trouble;

/// Facts of an earlier run belong to a task that is in no plan.
const KEPT: &str = "K1";
/// A section's title is a few words.
const NAME: usize = 60;

/// A new angle on what an earlier run found: its facts stay, the angle is the first thing to find out.
pub fn continued(
    program: &Program,
    runs: &dyn Runs,
    run: &str,
    angle: &str,
    dropped: &[String],
) -> Result<Brief, Trouble> {
    let (name, memory) = earlier(program, runs, run)?;
    let old = memory.plan.as_ref().map_or(&[][..], |plan| &plan.dimensions);
    let asked: Vec<Dimension> = parts(angle)
        .into_iter()
        .map(|question| Dimension { name: cut(&question, NAME), question, focus: Vec::new() })
        .collect();
    let new = asked.len();
    let dimensions: Vec<Dimension> = asked.into_iter().chain(old.iter().cloned()).collect();
    let mut plan = Plan::of(angle, dimensions, "rules");
    // What the earlier run covered is not searched for again; the places are prepared anew.
    let covered = |duty: &&Duty| duty.dimension.is_some_and(|at| at >= new);
    plan.done = plan.tasks.iter().filter(covered).map(|duty| duty.id.clone()).collect::<BTreeSet<TaskId>>();
    let mut carried = kept(&name, &memory, |card| !is_dropped(card, dropped));
    carried.findings.iter_mut().for_each(|found| found.part += new);
    let topic = angle.to_owned();
    let (plan, asked, carried) = (Some(plan), Some(new), Some(carried));
    Ok(Brief { topic, topic_from_file: false, plan, asked, carried, ..memory.brief })
}

/// The same question again. Sources that still read the same keep their facts; the others are told of. Pages of the
/// web are fetched again only if this run may reach the web too.
pub fn refreshed(
    program: &Program,
    runs: &dyn Runs,
    run: &str,
    dropped: &[String],
    only_docs: bool,
) -> Result<Brief, Trouble> {
    let (name, memory) = earlier(program, runs, run)?;
    let mut changes = BTreeMap::new();
    let mut again = Again::new(program, memory.brief.beyond.as_ref().filter(|_| !only_docs))?;
    for card in memory.sources.values().filter(|card| !is_dropped(card, dropped)) {
        if let Some(change) = again.change(card)? {
            changes.insert(card.key().to_owned(), change);
        }
    }
    let mut carried =
        kept(&name, &memory, |card| !is_dropped(card, dropped) && !changes.contains_key(card.key()));
    carried.changes = changes.into_values().collect();
    let plan = memory.plan.map(|plan| Plan { revision: 1, done: BTreeSet::new(), ..plan });
    Ok(Brief { plan, carried: Some(carried), ..memory.brief })
}

/// A plan from a task file. If the run that wrote it is in this home, what it found is kept.
pub fn planned(runs: &dyn Runs, file: &Path, topic: Option<String>) -> Result<Brief, Trouble> {
    let shown = file.display().to_string();
    let text = text(&shown)?;
    let task_file = task_md::parse(&text).map_err(|error| unfit(&shown, &error.to_string()))?;
    let front = task_file.front.as_ref();
    let topic_from_file = topic.is_none();
    let topic = topic.or(front.map(|front| front.topic.clone())).unwrap_or(task_file.core_question.clone());
    let mut brief = Brief { topic_from_file, ..Brief::new(&topic, Vec::new()) };
    brief.max_iterations = front.and_then(|front| front.max_iterations).unwrap_or(brief.max_iterations);
    if let Some((name, memory)) = front.map(|front| of_mission(runs, &front.mission)).transpose()?.flatten() {
        brief.docs.clone_from(&memory.brief.docs);
        brief.carried = Some(kept(&name, &memory, |_| true));
    }
    brief.plan = Some(Plan { revision: 1, ..task_file.plan() });
    Ok(brief)
}

/// The run of this mission, if it is in this home.
fn of_mission(runs: &dyn Runs, mission: &str) -> Result<Option<(String, Memory)>, Trouble> {
    for row in runs.list(Filter::default())? {
        let day = row.started.day().replace('-', "");
        if row.workflow == Research::NAME && mission.contains(&day) {
            let memory = memory_of(runs, &row.name)?;
            if memory.brief.mission == mission {
                return Ok(Some((row.name.to_string(), memory)));
            }
        }
    }
    Ok(None)
}

/// The earlier run and all it learnt.
fn earlier(program: &Program, runs: &dyn Runs, typed: &str) -> Result<(String, Memory), Trouble> {
    let run = runs.find(typed)?;
    let workflow = runs.run(&run)?.workflow;
    if workflow != Research::NAME {
        return Err(Trouble::Order {
            what: format!("run {run} belongs to the workflow `{workflow}` and found no facts"),
            next: format!("List the runs with `{}`", program.command("runs")),
        });
    }
    Ok((run.to_string(), memory_of(runs, &run)?))
}

/// All a run has learnt.
pub fn memory_of(runs: &dyn Runs, run: &RunId) -> Result<Memory, Trouble> {
    Ok(present::<Research>(runs, run)?.into_memory())
}

/// The facts whose source may stay, renumbered in their old order.
fn kept(run: &str, memory: &Memory, stays: impl Fn(&SourceCard) -> bool) -> Carried {
    let all = memory.facts();
    let facts: Vec<_> = all.all().iter().filter(|fact| stays(fact.card)).collect();
    let cards: BTreeMap<&str, &SourceCard> = facts.iter().map(|fact| (fact.card.key(), fact.card)).collect();
    let renumbered = |(at, found): (usize, &FoundFact)| {
        let mut found = found.clone();
        found.fact.id = format!("{KEPT}.{}", at + 1);
        found
    };
    Carried {
        run: run.to_owned(),
        sources: cards.into_values().cloned().collect(),
        findings: facts.iter().map(|fact| fact.found).enumerate().map(renumbered).collect(),
        changes: Vec::new(),
    }
}

fn is_dropped(card: &SourceCard, dropped: &[String]) -> bool {
    let place = card.source.location.to_string();
    dropped.iter().any(|name| place.ends_with(name.as_str()) || card.shown.ends_with(name.as_str()))
}

/// Reads sources again.
struct Again {
    library: Library,
    web: Option<(Runtime, Polite)>,
}

impl Again {
    fn new(program: &Program, beyond: Option<&Beyond>) -> Result<Self, Trouble> {
        let child = ChildCommand::this_program().map_err(Trouble::Runtime)?;
        let reader = FileReader::new(Limits::default(), child);
        let library = Library::new(reader, Archive::of_home(&program.home.path));
        let web = match beyond {
            Some(beyond) => Some((program.runtime()?, polite(program, &beyond.allow_private)?)),
            None => None,
        };
        Ok(Self { library, web })
    }

    /// What became of a source since it was read; none if it still says the same.
    fn change(&mut self, card: &SourceCard) -> Result<Option<String>, Trouble> {
        let shown = &card.shown;
        let read = match (&card.source.location, &self.web) {
            (Location::Path(path), _) => self.library.read_file(path),
            (Location::Url(_), None) => {
                return Ok(Some(format!("{shown} is not on this machine and was not read again.")));
            }
            (Location::Url(address), Some((runtime, polite))) => {
                match runtime.block_on(polite.fetch(address)) {
                    Ok((page, _)) => self.library.read_page(&page),
                    Err(error) => return Ok(Some(format!("{shown} could not be fetched again: {error}."))),
                }
            }
        };
        match read {
            Ok(kept) if kept.text_hash == card.source.text_hash => Ok(None),
            Ok(_) => Ok(Some(format!("{shown} has changed since {}.", card.accessed))),
            Err(LibraryError::Read { problem, .. }) => {
                Ok(Some(format!("{shown} cannot be read any more: it {problem}.")))
            }
            Err(error) => Err(error.into()),
        }
    }
}
