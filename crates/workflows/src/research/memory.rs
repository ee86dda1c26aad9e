//! What a research run learns. Everything is kept by task and number, never by order of arrival, so that
//! two runs whose tasks came back in another order remember the same.

use std::collections::{BTreeMap, BTreeSet};

use baton_engine::dag::{Dag, TaskEnd, TaskId};
use serde::{Deserialize, Serialize};

use super::Event;
use super::brief::Brief;
use super::dispute::{Dispute, Resolution};
use super::draft::Report;
use super::plan::{Dimension, Duty, Plan, TaskKind, order};
use super::reflection::{Reflection, reflect};
use super::relevance::telling_stems;
use super::skills::plan::{capitalised, clauses};
use super::wishes::is_excluded;
use crate::citation::Facts;
use crate::markup::plain;
use crate::retrieval::{FoundFact, Lead, RefusedFact, SearchRecord, SourceCard};

/// A person's yes to one revision of the plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    /// Who.
    pub by: String,
    /// The revision.
    pub revision: u32,
    /// The hash of the plan they saw.
    pub hash: String,
    /// How often it was changed before.
    pub modifications: u32,
}

/// What a finished task brought.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskOutput {
    /// How it ended, and the tasks that follow from it.
    pub end: TaskEnd,
    /// What the added tasks are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub add: Vec<Duty>,
    /// Documents a search pointed at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leads: Vec<Lead>,
    /// The searches that were made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub searches: Vec<SearchRecord>,
    /// Documents that were read and archived.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceCard>,
    /// Facts that exist.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<FoundFact>,
    /// What comes nearest where nothing answers; no facts of the graph.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nearest: Vec<FoundFact>,
    /// Facts that do not exist.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<RefusedFact>,
    /// What looking at a conflict brought.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolution: Option<Resolution>,
    /// Things for the report's limits: a file that could not be read, a model that did not answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl TaskOutput {
    /// An end that brought nothing yet.
    #[must_use]
    pub fn nothing(end: TaskEnd) -> Self {
        Self {
            end,
            add: Vec::new(),
            leads: Vec::new(),
            searches: Vec::new(),
            sources: Vec::new(),
            findings: Vec::new(),
            nearest: Vec::new(),
            refused: Vec::new(),
            resolution: None,
            notes: Vec::new(),
        }
    }
}

/// Who must act about an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunErrorKind {
    /// Every place that was searched failed.
    Provider,
    /// A person said no, or a limit was reached with nothing found.
    Limit,
    /// Something that should not happen.
    Broken,
}

/// Why the run stands in ERROR.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunError {
    /// Who must act.
    pub kind: RunErrorKind,
    /// What happened.
    pub message: String,
    /// What to do about it.
    pub recovery: String,
}

/// All that the run has learnt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// The order.
    pub brief: Brief,
    /// The plan as it stands.
    pub plan: Option<Plan>,
    /// Why it is as it is: what was asked for, or why that was refused.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub drafted: String,
    /// The yes to it.
    pub approval: Option<Approval>,
    /// The tasks and where they stand.
    pub dag: Dag,
    /// What each task is.
    pub duties: BTreeMap<TaskId, Duty>,
    /// Tasks dispatched so far.
    pub iteration: u32,
    /// Documents the searches pointed at, by task.
    pub leads: BTreeMap<TaskId, Vec<Lead>>,
    /// The searches, by task.
    pub searches: BTreeMap<TaskId, Vec<SearchRecord>>,
    /// The source registry, by key.
    pub sources: BTreeMap<String, SourceCard>,
    /// The knowledge graph, by key.
    pub findings: BTreeMap<String, FoundFact>,
    /// What comes nearest to parts that nothing answers, by key: words of sources, shown as such and counted nowhere. Once a
    /// report is written, what it shows.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub nearest: BTreeMap<String, FoundFact>,
    /// Proposed facts that were refused, by task.
    pub refused: BTreeMap<TaskId, Vec<RefusedFact>>,
    /// Notes for the report's limits, by task.
    pub notes: BTreeMap<TaskId, Vec<String>>,
    /// Conflicts, by key.
    pub disputes: BTreeMap<String, Dispute>,
    /// What the reflector said, each time.
    pub reflections: Vec<Reflection>,
    /// The limits that were reached.
    pub limits: BTreeSet<String>,
    /// The report.
    pub report: Option<Report>,
    /// Why the run stands in ERROR, and whether it has been told.
    pub trouble: Option<(RunError, bool)>,
    /// What was tried when nothing was found.
    pub tried: Vec<String>,
}

impl Memory {
    /// What is known before anything has happened.
    #[must_use]
    pub fn new(brief: Brief) -> Self {
        let mut memory = Self {
            brief,
            plan: None,
            drafted: String::new(),
            approval: None,
            dag: Dag::default(),
            duties: BTreeMap::new(),
            iteration: 0,
            leads: BTreeMap::new(),
            searches: BTreeMap::new(),
            sources: BTreeMap::new(),
            findings: BTreeMap::new(),
            nearest: BTreeMap::new(),
            refused: BTreeMap::new(),
            notes: BTreeMap::new(),
            disputes: BTreeMap::new(),
            reflections: Vec::new(),
            limits: BTreeSet::new(),
            report: None,
            trouble: None,
            tried: Vec::new(),
        };
        if let Some(carried) = memory.brief.carried.clone() {
            memory.keep(carried.sources, carried.findings);
        }
        memory
    }

    /// Folds one event.
    pub fn learn(&mut self, event: &Event) {
        match event {
            Event::PlanDrafted { plan, why } => {
                self.plan = Some(plan.clone());
                // The first is as the question has it.
                self.drafted = if plan.revision > 1 { why.clone() } else { String::new() };
            }
            Event::Approved { approval } => self.begin_tasks(approval.clone()),
            Event::TaskDispatched { .. } => self.iteration += 1,
            Event::TaskFinished { brought } => self.finish(brought),
            Event::LimitReached { what } => self.reach(what),
            Event::GapsFound { reflection, add } => {
                self.reflected(reflection);
                self.add(add);
            }
            Event::Complete { reflection } => self.reflected(reflection),
            Event::NothingFound { tried, nearest } => {
                self.tried.clone_from(tried);
                if let Some(report) = nearest {
                    self.written(report);
                }
            }
            Event::ReportWritten { report } => self.written(report),
            Event::Failed { trouble } => self.trouble = Some((trouble.clone(), false)),
            Event::ErrorTold => {
                if let Some((_, told)) = &mut self.trouble {
                    *told = true;
                }
            }
            Event::Resumed => self.take_up_again(),
            Event::CheckedIn { by, iteration, goes_on: false } => {
                self.limits.insert(format!("{by} ended the research after {iteration} iterations"));
            }
            Event::Refused { .. } | Event::TasksDone | Event::CheckedIn { .. } => {}
        }
    }

    fn written(&mut self, report: &Report) {
        let shown = |key: &String| report.nearest().any(|line| line.facts.contains(key));
        self.nearest.retain(|key, _| shown(key));
        self.report = Some(report.clone());
    }

    fn reach(&mut self, what: &str) {
        self.limits.insert(what.to_owned());
        if self.findings.is_empty() {
            let trouble = RunError {
                kind: RunErrorKind::Limit,
                message: format!("{what} was reached before anything was found."),
                recovery: "Nothing was lost; `baton resume --max-iterations N` goes on with a higher limit."
                    .to_owned(),
            };
            self.trouble = Some((trouble, false));
        }
    }

    /// What failed may be tried again, as if it had not been tried.
    fn take_up_again(&mut self) {
        self.trouble = None;
        // It goes on: what stopped it then does not cut it short now.
        self.limits.clear();
        self.dag.reopen();
        for searches in self.searches.values_mut() {
            searches.retain(|search| search.found.is_some());
        }
        self.searches.retain(|_, searches| !searches.is_empty());
    }

    fn begin_tasks(&mut self, approval: Approval) {
        self.approval = Some(approval);
        let Some(plan) = &self.plan else { return };
        // An unsound plan is refused before it is shown; an empty graph ends at once and says so.
        self.dag = plan.dag().unwrap_or_default();
        self.duties = plan.tasks.iter().map(|duty| (duty.id.clone(), duty.clone())).collect();
    }

    fn finish(&mut self, brought: &TaskOutput) {
        let TaskOutput { end, add, leads, searches, sources, findings, nearest, refused, resolution, notes } =
            brought;
        // The driver applied it to the node's graph before it was journaled, so it fits.
        let _ = self.dag.apply(end);
        self.duties.extend(add.iter().map(|duty| (duty.id.clone(), duty.clone())));
        let id = end.id.clone();
        if !leads.is_empty() {
            self.leads.insert(id.clone(), leads.clone());
        }
        if !searches.is_empty() {
            self.searches.insert(id.clone(), searches.clone());
        }
        if !refused.is_empty() {
            self.refused.insert(id.clone(), refused.clone());
        }
        if !notes.is_empty() {
            self.notes.insert(id.clone(), notes.clone());
        }
        self.keep(sources.clone(), findings.clone());
        self.nearest.extend(nearest.iter().map(|found| (found.key().to_owned(), found.clone())));
        let conflict = self.duties.get(&id).and_then(|duty| duty.conflict.clone());
        if let Some(dispute) = conflict.and_then(|key| self.disputes.get_mut(&key)) {
            dispute.resolution.clone_from(resolution);
        }
    }

    /// The same text found in two places is one source, with all references to it; which place it is shown at must not depend on
    /// which task came back first.
    fn keep(&mut self, sources: Vec<SourceCard>, findings: Vec<FoundFact>) {
        for mut card in sources {
            let known = self.sources.remove(card.key());
            if let Some(mut known) = known {
                known.references.append(&mut card.references);
                known.references.sort();
                known.references.dedup();
                card.references.clone_from(&known.references);
                card = if card.shown < known.shown { card } else { known };
            }
            self.sources.insert(card.key().to_owned(), card);
        }
        self.findings.extend(findings.into_iter().map(|found| (found.key().to_owned(), found)));
    }

    fn reflected(&mut self, reflection: &Reflection) {
        for dispute in &reflection.disputes {
            self.disputes.entry(dispute.key.clone()).or_insert_with(|| dispute.clone());
        }
        self.reflections.push(reflection.clone());
    }

    fn add(&mut self, duties: &[Duty]) {
        // Names were chosen against this graph, so they are new.
        let _ = self.dag.add(duties.iter().map(Duty::task).collect());
        self.duties.extend(duties.iter().map(|duty| (duty.id.clone(), duty.clone())));
    }

    /// What was found, numbered in the order of tasks and not of their arrival.
    #[must_use]
    pub fn facts(&self) -> Facts<'_> {
        Facts::number(ordered(&self.findings), &self.sources, &self.brief.today)
    }

    /// The same with their numbers, and behind them what comes nearest to parts that nothing answers: for showing both.
    #[must_use]
    pub fn facts_and_nearest(&self) -> Facts<'_> {
        let found = ordered(&self.findings).into_iter().chain(ordered(&self.nearest));
        Facts::number(found, &self.sources, &self.brief.today)
    }

    /// The dimensions that were asked, each with its number in the plan.
    pub fn asked(&self) -> impl Iterator<Item = (usize, &Dimension)> {
        let most = self.brief.asked.unwrap_or(usize::MAX);
        self.plan.iter().flat_map(|plan| &plan.dimensions).enumerate().take(most)
    }

    /// What the reflector found; looked at again if the research ended without it.
    #[must_use]
    pub fn known_disputes(&self) -> Vec<Dispute> {
        if self.reflections.is_empty() || !self.limits.is_empty() {
            return reflect(self).disputes;
        }
        self.disputes.values().cloned().collect()
    }

    /// Conflicts a reader has to be told of.
    #[must_use]
    pub fn open_disputes(&self, facts: &Facts<'_>) -> Vec<Dispute> {
        let exclusions = self.plan.as_ref().map_or(&[][..], |plan| &plan.exclusions);
        let is_wanted = |key: &String| {
            facts.fact(key).is_none_or(|fact| !is_excluded(&fact.found.fact.statement, exclusions))
        };
        let open = |dispute: &Dispute| {
            dispute.is_open(facts) && is_wanted(&dispute.conflict.left) && is_wanted(&dispute.conflict.right)
        };
        self.known_disputes().into_iter().filter(open).collect()
    }

    /// Conflicts that stand in the report, in its order.
    #[must_use]
    pub fn told_disputes(&self, facts: &Facts<'_>) -> Vec<Dispute> {
        let open = self.open_disputes(facts);
        let Some(report) = self.report.as_ref().filter(|report| !report.blocks.is_empty()) else {
            return open;
        };
        let told = report.blocks.iter().flat_map(|block| &block.disputes);
        told.filter_map(|key| open.iter().find(|dispute| dispute.key == *key)).cloned().collect()
    }

    /// What a reader is shown as the name of a dimension: the words of the question, where the plan kept to them.
    #[must_use]
    pub fn label(&self, dimension: usize) -> String {
        let Some(known) = self.plan.as_ref().and_then(|plan| plan.dimensions.get(dimension)) else {
            return format!("Dimension {}", dimension + 1);
        };
        // A person may have put the question in other words.
        let core = self.plan.as_ref().map_or(&self.brief.topic, |plan| &plan.core_question);
        let asked = clauses(core);
        let clause = asked.iter().find(|clause| **clause == known.question);
        // A plan that names each part of the question, in its order, is labelled with the question's own words.
        let parts = self.plan.as_ref().map_or(0, |plan| plan.dimensions.len());
        let in_order = || {
            let clause = asked.get(dimension).filter(|_| parts == asked.len())?;
            let own = telling_stems(clause);
            let question = known.question.split(" (").next().unwrap_or_default();
            telling_stems(question).iter().any(|stem| own.contains(stem)).then_some(clause)
        };
        if let Some(clause) = clause.or_else(in_order) {
            let bare = clause.split(" (").next().unwrap_or(clause).trim_end_matches('?');
            return capitalised(&format!("{}?", plain(bare)));
        }
        // A name that somebody else chose is shown as theirs, unless it only repeats words of the question.
        let own: Vec<String> = telling_stems(&self.brief.topic);
        let repeats = telling_stems(&known.name).iter().all(|stem| own.contains(stem));
        let is_theirs = self.plan.as_ref().is_some_and(|plan| plan.by != "rules") && !repeats;
        let name = plain(&known.name);
        if is_theirs { format!("Part {} of the plan, there called \"{name}\"", dimension + 1) } else { name }
    }

    /// The duties in the order of a plan.
    #[must_use]
    pub fn ordered(&self) -> Vec<&Duty> {
        let mut duties: Vec<&Duty> = self.duties.values().collect();
        duties.sort_by_key(|duty| order(&duty.id.0));
        duties
    }

    /// The next free number for tasks of a kind.
    #[must_use]
    pub fn next_number(&self, kind: TaskKind) -> usize {
        let numbers = self.duties.values().filter(|duty| duty.kind() == kind).map(|duty| order(&duty.id.0).1);
        numbers.max().unwrap_or(0) as usize + 1
    }

    /// Whether every search that was made failed.
    #[must_use]
    pub fn every_search_failed(&self) -> bool {
        let mut searches = self.searches.values().flatten().peekable();
        searches.peek().is_some() && searches.all(|search| search.found.is_none())
    }
}

/// In the order of tasks and not of their arrival.
fn ordered(found: &BTreeMap<String, FoundFact>) -> Vec<&FoundFact> {
    let mut found: Vec<&FoundFact> = found.values().collect();
    found.sort_by_key(|found| place(found.key()));
    found
}

/// Where a fact stands: by its task, then by its number in it.
fn place(key: &str) -> ((u8, u32), u32) {
    let (task, number) = key.split_once('.').unwrap_or((key, "0"));
    (order(task), number.parse().unwrap_or(u32::MAX))
}
