//! What a report run learns. Everything is kept by name and number, never by order of arrival, so that two runs whose tasks
//! came back in another order remember the same. What it cost is in the ledger, not here.

use std::collections::{BTreeMap, BTreeSet};

use baton_engine::dag::{Dag, Task};
use baton_figures::{Figure, Finding};
use serde::{Deserialize, Serialize};

use super::Event;
use super::aggregation::{Aggregation, Draft, Edited};
use super::brief::{Brief, build, formats};
use super::charting::{ChartsAnalyzed, PlannedChart};
use super::context::{Context, file_name};
use super::coverage::{Coverage, Review, measure};
use super::depth::{Depth, depth_of};
use super::order::{Format, Order};
use super::plan::{Plan, TaskKind};
use super::results::TaskResult;
use super::story::Story;
use crate::citation::{Dropped, Facts};
use crate::retrieval::{FoundFact, SourceCard};

/// How a note about a PDF that is not there begins.
pub const WITHOUT_PDF: &str = "no report.pdf: ";

/// What the last phase brought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finished {
    /// The hash under which the printed report is archived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pdf: Option<String>,
    /// Figures that were computed again and came out equal.
    pub verified: usize,
    /// Figures that did not, with what differs.
    pub differing: Vec<String>,
    /// What a reader of method.md should know.
    pub notes: Vec<String>,
}

/// All that the run has learnt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// What was ordered.
    pub order: Order,
    /// The first look.
    pub context: Option<Context>,
    /// What the query wants.
    pub brief: Option<Brief>,
    /// What is done for it.
    pub plan: Option<Plan>,
    /// The round of tasks, counted from 1; 0 before the first.
    pub round: u32,
    /// The tasks and where they stand.
    pub dag: Dag,
    /// What tasks brought, by task.
    pub results: BTreeMap<String, TaskResult>,
    /// Documents, by key.
    pub sources: BTreeMap<String, SourceCard>,
    /// Facts, by key.
    pub facts: BTreeMap<String, FoundFact>,
    /// What was reviewed, each time.
    pub reviews: Vec<Review>,
    /// The charts, as analysed.
    pub analyzed: Option<ChartsAnalyzed>,
    /// The story.
    pub story: Option<Story>,
    /// The report, put together.
    pub draft: Option<Draft>,
    /// The report, edited.
    pub edited: Option<Edited>,
    /// The end.
    pub finished: Option<Finished>,
    /// Why there is no report.
    pub nothing: Option<String>,
    /// What a reader of method.md should know.
    pub notes: Vec<String>,
}

impl Memory {
    /// What is known before anything has happened.
    #[must_use]
    pub fn new(order: Order) -> Self {
        Self {
            order: order.with_words(),
            context: None,
            brief: None,
            plan: None,
            round: 0,
            dag: Dag::default(),
            results: BTreeMap::new(),
            sources: BTreeMap::new(),
            facts: BTreeMap::new(),
            reviews: Vec::new(),
            analyzed: None,
            story: None,
            draft: None,
            edited: None,
            finished: None,
            nothing: None,
            notes: Vec::new(),
        }
    }

    /// Folds one event.
    pub fn learn(&mut self, event: &Event) {
        match event {
            Event::ContextGathered { context } => {
                self.keep(&context.sources, &context.facts);
                self.context = Some((**context).clone());
            }
            Event::BriefBuilt { brief, notes } => {
                self.brief = Some((**brief).clone());
                self.notes.extend(notes.iter().cloned());
            }
            Event::PlanMade { plan, notes } => {
                self.notes.extend(notes.iter().cloned());
                self.plan = Some((**plan).clone());
                self.begin(plan);
            }
            Event::TaskFinished { brought } => {
                // The driver applied it to the node's graph before it was journaled, so it fits.
                let _ = self.dag.apply(&brought.end);
                self.keep(&brought.sources, &brought.facts);
                self.results.insert(brought.id.clone(), (**brought).clone());
            }
            Event::TasksDone => {}
            Event::CoverageLow { review } => {
                if let (Some(plan), Some(more)) = (&mut self.plan, &review.add) {
                    plan.grow(more);
                    self.begin(more);
                }
                self.reviews.push((**review).clone());
            }
            Event::CoverageOk { review } => self.reviews.push((**review).clone()),
            Event::NothingFound { why } => self.nothing = Some(why.clone()),
            Event::ChartsAnalyzed { analyzed } => {
                self.notes.extend(analyzed.notes.iter().cloned());
                self.analyzed = Some((**analyzed).clone());
            }
            Event::StoryTold { story, notes } => {
                self.story = Some((**story).clone());
                self.notes.extend(notes.iter().cloned());
            }
            Event::Aggregated { draft } => {
                self.notes.extend(draft.notes.iter().cloned());
                self.draft = Some((**draft).clone());
            }
            Event::Edited { edited } => {
                self.notes.extend(edited.notes.iter().cloned());
                self.edited = Some((**edited).clone());
            }
            Event::Reported { finished } => {
                self.notes.extend(finished.notes.iter().cloned());
                self.finished = Some(finished.clone());
            }
        }
    }

    fn keep(&mut self, sources: &[SourceCard], facts: &[FoundFact]) {
        self.sources.extend(sources.iter().map(|card| (card.key().to_owned(), card.clone())));
        self.facts.extend(facts.iter().map(|fact| (fact.key().to_owned(), fact.clone())));
    }

    /// A round of tasks begins; its graph is new, for all tasks before it are over.
    fn begin(&mut self, plan: &Plan) {
        self.round += 1;
        let tasks = plan.ids().into_iter().map(|id| Task::new(id).optional()).collect();
        // Names of tasks are ours and each stands once, so this is a graph.
        self.dag = Dag::new(tasks).unwrap_or_default();
    }

    /// How deep the report goes.
    #[must_use]
    pub fn depth(&self) -> Depth {
        let told = || self.order.depth.unwrap_or_else(|| depth_of(&self.order.query).0);
        self.brief.as_ref().map_or_else(told, |brief| brief.preferences.depth)
    }

    /// The brief, or what rules make of the order.
    #[must_use]
    pub fn brief_or_rules(&self) -> Brief {
        self.brief.clone().unwrap_or_else(|| build(&self.order))
    }

    /// The round of tasks.
    #[must_use]
    pub fn round(&self) -> u32 {
        self.round
    }

    /// Tasks that are over, and all of them.
    #[must_use]
    pub fn progress(&self) -> (usize, usize) {
        (self.results.len(), self.plan.as_ref().map_or(0, |plan| plan.ids().len()))
    }

    /// What tasks of a kind brought to a question.
    pub fn results_to<'m>(
        &'m self,
        scope: &'m str,
        question: &'m str,
        kind: TaskKind,
    ) -> impl Iterator<Item = &'m TaskResult> {
        let mut own: Vec<&TaskResult> = self
            .results
            .values()
            .filter(|it| it.scope == scope && it.question == question && it.kind == kind)
            .collect();
        own.sort_by_key(|result| result.id.get(1..).and_then(|number| number.parse::<u32>().ok()));
        own.into_iter()
    }

    /// Every figure, each once.
    pub fn figures(&self) -> impl Iterator<Item = &Figure> {
        let mut seen = BTreeSet::new();
        self.results.values().flat_map(TaskResult::figures).filter(move |it| seen.insert(it.id.clone()))
    }

    /// A figure by id.
    #[must_use]
    pub fn figure(&self, id: &str) -> Option<&Figure> {
        self.figures().find(|figure| figure.id == id)
    }

    /// What the tables say without being asked, the strongest first.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.results.values().flat_map(|result| &result.findings)
    }

    /// The facts, numbered: those nearest to a question first.
    #[must_use]
    pub fn numbered(&self) -> Facts<'_> {
        let mut facts: Vec<&FoundFact> = self.facts.values().collect();
        facts.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.key().cmp(b.key())));
        Facts::number(facts, &self.sources, &self.order.today)
    }

    /// What the report says now.
    #[must_use]
    pub fn aggregation(&self) -> Option<&Aggregation> {
        self.edited.as_ref().map(|it| &it.aggregation).or(self.draft.as_ref().map(|it| &it.aggregation))
    }

    /// Its charts.
    #[must_use]
    pub fn charts(&self) -> &[PlannedChart] {
        let analyzed = || self.analyzed.as_ref().map(|it| it.charts.as_slice());
        self.draft.as_ref().map(|draft| draft.charts.as_slice()).or_else(analyzed).unwrap_or_default()
    }

    /// How many charts it may have.
    #[must_use]
    pub fn most_charts(&self) -> usize {
        self.brief.as_ref().map_or(4, |brief| brief.preferences.charts.1)
    }

    /// The figures a reader sees, by id: in sentences, tables and charts.
    #[must_use]
    pub fn shown_figures(&self) -> Vec<&Figure> {
        let Some(aggregation) = self.aggregation() else { return Vec::new() };
        let mut ids: BTreeSet<&str> =
            aggregation.sentences().flat_map(super::prose::Sentence::figures).collect();
        let tables = aggregation.sections.iter().flat_map(|section| &section.data_tables);
        let cells = tables.flat_map(|table| table.rows.iter().flatten());
        ids.extend(cells.filter_map(|cell| cell.figure.as_deref()));
        ids.extend(self.charts().iter().flat_map(|chart| chart.figures.iter().map(String::as_str)));
        self.figures().filter(|figure| ids.contains(figure.id.as_str())).collect()
    }

    /// How many of them were computed again and came out equal.
    #[must_use]
    pub fn verified_figures(&self) -> usize {
        self.finished.as_ref().map_or(0, |finished| finished.verified)
    }

    /// The coverage as last reviewed, or as it stands.
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        self.reviews.last().map_or_else(|| measure(self), |review| review.coverage.clone())
    }

    /// Per cent of the questions that are answered.
    #[must_use]
    pub fn coverage_now(&self) -> f64 {
        self.coverage().overall_coverage
    }

    /// Whether it answers less than was wanted.
    #[must_use]
    pub fn falls_short(&self) -> bool {
        self.coverage_now() + 1e-9 < f64::from(self.order.coverage_target)
    }

    /// Questions nothing answers.
    #[must_use]
    pub fn open_questions(&self) -> Vec<String> {
        self.coverage().by_scope.into_values().flat_map(|scope| scope.missing_aspects).collect()
    }

    /// What the data and the documents disagree on, in sentences.
    #[must_use]
    pub fn conflicts(&self) -> Vec<String> {
        let told =
            self.aggregation().map(|it| it.contradictions.iter().map(|one| one.sentence.text()).collect());
        told.unwrap_or_default()
    }

    /// Sentences that were not let through.
    #[must_use]
    pub fn dropped(&self) -> Vec<&Dropped> {
        let drafted = self.draft.iter().flat_map(|draft| &draft.dropped);
        let told = self.story.iter().flat_map(|story| &story.dropped);
        told.chain(drafted).chain(self.edited.iter().flat_map(|edited| &edited.dropped)).collect()
    }

    /// The answer first.
    #[must_use]
    pub fn takeaways(&self) -> Vec<String> {
        self.aggregation()
            .map(|it| it.takeaways.iter().map(super::prose::Sentence::text).collect())
            .unwrap_or_default()
    }

    /// Why there is no report.
    #[must_use]
    pub fn why_nothing(&self) -> Option<String> {
        self.nothing.clone()
    }

    /// The numbers of the documents that are cited.
    #[must_use]
    pub fn cited(&self, facts: &Facts<'_>) -> BTreeSet<usize> {
        let Some(aggregation) = self.aggregation() else { return BTreeSet::new() };
        let keys = aggregation.sentences().flat_map(|sentence| sentence.facts.iter());
        let terms = aggregation.glossary.iter().map(|term| &term.context);
        keys.chain(terms).filter_map(|key| facts.fact(key)).map(|fact| fact.source).collect()
    }

    /// Whether it is written in this format too.
    #[must_use]
    pub fn is_written_as(&self, format: Format) -> bool {
        formats(&self.order).contains(&format)
    }

    /// Why the PDF that was asked for is not there; none if it is, or was not asked for.
    #[must_use]
    pub fn why_no_pdf(&self) -> Option<&str> {
        self.finished.as_ref()?.notes.iter().find_map(|note| note.strip_prefix(WITHOUT_PDF))
    }

    /// The file of a table, as people name it.
    #[must_use]
    pub fn file_of(&self, table: &str) -> String {
        let known = self.context.iter().flat_map(|context| &context.profiles.tables);
        let file = known.filter(|it| it.reading.name == table).map(|it| file_name(&it.reading.file)).next();
        file.unwrap_or_else(|| table.to_owned())
    }
}
