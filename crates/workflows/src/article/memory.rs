//! What an article run learns: the seed's AgentState. Everything is kept by name and number, never by order of arrival, so
//! that two runs whose workers came back in another order remember the same. What it cost is in the ledger, not here.

mod shown;

use std::collections::{BTreeMap, BTreeSet};

use baton_engine::dag::{Dag, TaskEnding};
use baton_machine::Word;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::brief::{Assignment, SourceKind};
use super::demand::{Demand, Need};
use super::draft::{Draft, Sentence};
use super::outcome::{FailureReport, FinalOutput};
use super::plan::{Analysis, Plan};
use super::score::Evaluation;
use super::strategy::Savings;
use super::workers::{Theme, Worker, WorkerOutput, WorkerResult, kind_of};
use super::{Event, State};
use crate::citation::Facts;
use crate::retrieval::{FoundFact, SourceCard};

/// Facts that a text of ordinary length is made from; longer ones get more.
const MOST_FACTS: usize = 420;

/// A change of phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseChange {
    /// From this phase.
    pub from: String,
    /// To this one.
    pub to: String,
}

/// Something an agent did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Action {
    /// Who.
    pub agent: String,
    /// What.
    pub action: String,
    /// With these details.
    pub details: Value,
    /// In this phase.
    pub phase: String,
}

/// A plan that was carried out, what it was worth, and what was missing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Revision {
    /// The plan.
    pub plan: Plan,
    /// The quality it led to.
    pub quality: f64,
    /// What was missing.
    pub feedback: String,
}

/// A worker that is about to begin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerTask {
    /// Who.
    pub worker: Worker,
    /// The iteration.
    pub iteration: u32,
    /// The step of the plan.
    pub step: String,
}

/// A task, as the seed's state shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskRecord {
    /// Who.
    pub worker_id: Worker,
    /// The iteration.
    pub iteration: u32,
    /// `critical`, `high`, `medium` or `low`.
    pub priority: String,
    /// `PENDING`, `COMPLETED`…
    pub status: String,
    /// How many attempts it took.
    pub attempts: u32,
    /// Whether an earlier call was used.
    pub kept: bool,
    /// What went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// All that the run has learnt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// The assignment.
    pub assignment: Assignment,
    /// The phase.
    pub current_phase: String,
    /// Every change of it.
    pub phase_history: Vec<PhaseChange>,
    /// What agents did.
    pub agent_actions: Vec<Action>,
    /// What the planner made of the brief.
    pub brief_analysis: Option<Analysis>,
    /// The plan.
    pub current_plan: Option<Plan>,
    /// Plans before it.
    pub plan_history: Vec<Revision>,
    /// What the last optimisation saved.
    pub savings: Option<Savings>,
    /// The workers and where they stand.
    pub dag: Dag,
    /// The first run counts as one.
    pub iteration_count: u32,
    /// What every worker brought, by iteration and name.
    pub outputs: BTreeMap<String, WorkerOutput>,
    /// Calls that were made.
    pub calls: BTreeSet<String>,
    /// Sources, by key.
    pub sources: BTreeMap<String, SourceCard>,
    /// Facts, by key.
    pub facts: BTreeMap<String, FoundFact>,
    /// Whether some search found what addresses the topic.
    pub addressed: bool,
    /// What the supervisor measured, each time.
    pub evaluations: Vec<Evaluation>,
    /// Whether it goes on.
    pub should_continue: bool,
    /// What is missing.
    pub feedback: Option<String>,
    /// What the next plan must answer.
    pub demand: Option<Demand>,
    /// Things a reader must know, by worker.
    pub warnings: BTreeMap<String, String>,
    /// What it came to.
    pub final_output: Option<FinalOutput>,
    /// Why it failed.
    pub failure: Option<FailureReport>,
}

impl Memory {
    /// What is known before anything has happened.
    #[must_use]
    pub fn new(assignment: Assignment) -> Self {
        Self {
            assignment,
            current_phase: State::Initialized.name().to_owned(),
            phase_history: Vec::new(),
            agent_actions: Vec::new(),
            brief_analysis: None,
            current_plan: None,
            plan_history: Vec::new(),
            savings: None,
            dag: Dag::default(),
            iteration_count: 1,
            outputs: BTreeMap::new(),
            calls: BTreeSet::new(),
            sources: BTreeMap::new(),
            facts: BTreeMap::new(),
            addressed: false,
            evaluations: Vec::new(),
            should_continue: false,
            feedback: None,
            demand: None,
            warnings: BTreeMap::new(),
            final_output: None,
            failure: None,
        }
    }

    /// Folds one event.
    pub fn learn(&mut self, event: &Event) {
        match event {
            Event::Began { .. } => {
                self.act("Controller", "initialize", json!({}));
                self.go(State::Planning);
            }
            Event::PlanCreated { plan, analysis } => {
                let details = json!({"steps": plan.steps.len(), "cost": plan.estimated_total_cost});
                self.brief_analysis = Some(analysis.clone());
                self.current_plan = Some((**plan).clone());
                self.act("Planner", "create_plan", details);
                self.go(State::Strategy);
            }
            Event::PlanOptimized { plan, savings } => {
                let details = json!({"time_saved": savings.time_saved, "cost_saved": savings.cost_saved});
                // A plan that cannot be a graph is refused before it is journaled; an empty graph ends at once.
                self.dag = plan.dag().unwrap_or_default();
                self.current_plan = Some((**plan).clone());
                self.savings = Some(savings.clone());
                self.act("Strategy", "optimize_plan", details);
                self.go(State::Executing);
            }
            Event::WorkerStarted { .. } => {}
            Event::WorkerFinished { brought } => self.finish(brought),
            Event::WorkersDone => self.go(State::Evaluating),
            Event::QualityMet { evaluation } => self.met(evaluation),
            Event::QualityLow { evaluation, demand } => self.fell_short(evaluation, demand),
            Event::Forced { evaluation } => {
                self.judged(evaluation, "FORCE COMPLETE");
                self.go(State::Completed);
            }
            Event::RePlanned { demand } => self.plan_again(demand),
            Event::OutputCreated { output } => {
                let details = json!({"status": output.status, "quality": output.quality.overall});
                self.final_output = Some((**output).clone());
                self.act("Merger", "create_output", details);
                self.go(State::Completed);
            }
            Event::CriticalError { error } => {
                let mut error = error.clone();
                error.phase.get_or_insert_with(|| self.current_phase.clone());
                self.act("Controller", "fail", json!({"type": error.kind, "message": error.message}));
                self.failure = Some(error);
                self.go(State::Failed);
            }
        }
    }

    fn act(&mut self, agent: &str, action: &str, details: Value) {
        let phase = self.current_phase.clone();
        self.agent_actions.push(Action {
            agent: agent.to_owned(),
            action: action.to_owned(),
            details,
            phase,
        });
    }

    /// A change of phase, as the seed's state manager records it.
    fn go(&mut self, to: State) {
        let change = PhaseChange { from: self.current_phase.clone(), to: to.name().to_owned() };
        let value = |name: &str| name.to_lowercase();
        self.act(
            "StateManager",
            "transition_phase",
            json!({"from": value(&change.from), "to": value(&change.to)}),
        );
        self.current_phase.clone_from(&change.to);
        self.phase_history.push(change);
    }

    fn judged(&mut self, evaluation: &Evaluation, decision: &str) {
        self.act("Supervisor", "evaluate", json!({"quality": evaluation.overall, "decision": decision}));
        self.evaluations.push(evaluation.clone());
        self.should_continue = decision == "CONTINUE";
    }

    fn met(&mut self, evaluation: &Evaluation) {
        self.judged(evaluation, "COMPLETE");
        self.feedback = None;
        self.demand = None;
        self.go(State::Merging);
    }

    fn fell_short(&mut self, evaluation: &Evaluation, demand: &Demand) {
        self.demand = Some(demand.clone());
        if self.iteration_count < super::MAX_ITERATIONS {
            self.judged(evaluation, "CONTINUE");
            self.feedback = Some(demand.feedback());
            self.go(State::RePlanning);
        } else {
            self.judged(evaluation, "FORCE COMPLETE");
            self.feedback = Some("Max iterations reached".to_owned());
            self.go(State::Merging);
        }
    }

    fn plan_again(&mut self, demand: &Demand) {
        if let Some(plan) = self.current_plan.take() {
            let quality = self.quality().unwrap_or(0.0);
            self.plan_history.push(Revision { plan, quality, feedback: demand.feedback() });
        }
        self.iteration_count += 1;
        self.demand = Some(demand.clone());
        let details = json!({"iteration": self.iteration_count, "reason": "quality_low"});
        self.act("Supervisor", "re_plan", details);
        self.go(State::Planning);
    }

    fn finish(&mut self, brought: &WorkerOutput) {
        // The driver applied it to the node's graph before it was journaled, so it fits.
        let _ = self.dag.apply(&brought.end);
        let name = brought.worker.name().to_owned();
        match &brought.end.ending {
            TaskEnding::Completed => {
                self.calls.insert(brought.call.clone());
                self.warnings.remove(&name);
            }
            TaskEnding::Failed { .. } if brought.stood_in.is_some() => {}
            TaskEnding::Failed { .. } | TaskEnding::Skipped { .. } if !brought.worker.is_critical() => {
                self.warnings.insert(name, format!("{} unavailable", brought.worker.label()));
            }
            _ => {}
        }
        if let Some(other) = brought.stood_in {
            let words = format!("{} unavailable; {} stood in for it", brought.worker.label(), other.name());
            self.warnings.insert(brought.worker.name().to_owned(), words);
        }
        if let WorkerResult::Sources { sources, facts, searches, .. } = &brought.result {
            self.sources.extend(sources.iter().map(|card| (card.key().to_owned(), card.clone())));
            self.facts.extend(facts.iter().map(|fact| (fact.key().to_owned(), fact.clone())));
            self.addressed |= searches.iter().any(|search| search.addressed);
        }
        self.outputs.insert(slot(brought.iteration, brought.worker), brought.clone());
    }

    /// What a worker brought last, in this iteration or an earlier one.
    #[must_use]
    pub fn last(&self, worker: Worker) -> Option<&WorkerOutput> {
        let outputs = (1..=self.iteration_count).rev().filter_map(|at| self.outputs.get(&slot(at, worker)));
        outputs.into_iter().find(|output| output.result != WorkerResult::Nothing)
    }

    /// What an earlier call with the same input brought.
    #[must_use]
    pub fn earlier(&self, call: &str) -> Option<&WorkerOutput> {
        let completed = |output: &&WorkerOutput| output.end.ending == TaskEnding::Completed;
        self.outputs.values().filter(completed).find(|output| output.call == call)
    }

    /// The article as it stands: what its writers wrote in this iteration, else before.
    #[must_use]
    pub fn draft(&self) -> Option<Draft> {
        let WorkerResult::Written { draft, .. } = &self.last(Worker::ArticleWriter)?.result else {
            return None;
        };
        let mut draft = (**draft).clone();
        let part = |worker: Worker| -> Option<Vec<Sentence>> {
            let output = self.outputs.get(&slot(self.iteration_count, worker))?;
            match &output.result {
                WorkerResult::Part { sentences, .. } if !sentences.is_empty() => Some(sentences.clone()),
                _ => None,
            }
        };
        if let Some(sentences) = part(Worker::IntroductionWriter) {
            draft.introduction = sentences;
        }
        if let Some(sentences) = part(Worker::ConclusionWriter) {
            draft.conclusion = sentences;
        }
        Some(draft)
    }

    /// The themes, in the order they are written about.
    #[must_use]
    pub fn themes(&self) -> Option<&[Theme]> {
        match &self.last(Worker::ContentSynthesizer)?.result {
            WorkerResult::Themes { key_themes, .. } => Some(key_themes),
            _ => None,
        }
    }

    /// The facts, numbered by source and place.
    #[must_use]
    pub fn numbered(&self) -> Facts<'_> {
        let mut found: Vec<&FoundFact> = self.facts.values().collect();
        // What is far from the topic is compared with everything else in vain.
        found.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.key().cmp(b.key())));
        let first = |fact: &FoundFact| fact.ranges().first().map_or(0, |range| range.start);
        // What several searches found counts once.
        let most = MOST_FACTS.max(self.assignment.brief.target_length / 4);
        let mut places: BTreeSet<(&str, usize)> = BTreeSet::new();
        found.retain(|fact| {
            let place = (fact.fact.source.as_str(), first(fact));
            places.contains(&place) || (places.len() < most && places.insert(place))
        });
        found.sort_by(|a, b| {
            let near = b.score.total_cmp(&a.score);
            a.part
                .cmp(&b.part)
                .then(near)
                .then_with(|| (&a.fact.source, first(a)).cmp(&(&b.fact.source, first(b))))
        });
        Facts::uncompared(found, &self.sources, &self.assignment.today)
    }

    /// The last quality.
    #[must_use]
    pub fn quality(&self) -> Option<f64> {
        self.evaluations.last().map(|evaluation| evaluation.overall)
    }

    /// What the writers are asked to mind, in one word: another wish is another call.
    #[must_use]
    pub fn wish(&self) -> String {
        let needs = self.demand.iter().flat_map(|demand| &demand.needs);
        let words = needs.filter_map(|need| match need {
            Need::Ease { ease, from, .. } if ease < from => Some("plainer"),
            Need::Ease { .. } => Some("denser"),
            Need::Copying { .. } => Some("quoting"),
            Need::Repetition { .. } => Some("sparer"),
            Need::Claims { .. } => Some("safer"),
            Need::Language { .. } => Some("cleaner"),
            _ => None,
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// What kinds of sources there are.
    #[must_use]
    pub fn kinds(&self) -> BTreeSet<SourceKind> {
        self.sources.values().map(|card| kind_of(&card.source.location, &card.source.title)).collect()
    }
}

/// The key of a worker's output.
pub fn slot(iteration: u32, worker: Worker) -> String {
    format!("{iteration}.{}", worker.name())
}
