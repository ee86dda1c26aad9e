//! The plan: what is done for each question, in the shape of the seed's plan.json.

use baton_figures::Question;
use serde::{Deserialize, Serialize};

use super::depth::Depth;

/// The kinds of tasks of the seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskKind {
    /// A quick factual summary from documents.
    Overview,
    /// Typed questions over tables.
    Data,
    /// A search in documents, for what answers a question.
    Research,
}

impl TaskKind {
    /// The first letter of its tasks' names.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Self::Overview => 'o',
            Self::Data => 'd',
            Self::Research => 'r',
        }
    }

    /// As file names have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Overview => "overview",
            Self::Data => "data",
            Self::Research => "research",
        }
    }
}

/// How deep the plan goes, in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DepthSettings {
    /// Tasks for one scope item.
    pub tasks_per_scope: usize,
    /// Rounds of tasks.
    pub max_iterations: u32,
    /// Per cent.
    pub target_coverage: u32,
}

/// A quick look at documents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OverviewTask {
    /// `o1`.
    pub id: String,
    /// The scope item.
    pub scope_item_id: String,
    /// What it is about.
    pub topic: String,
    /// `high`, `medium` or `low`.
    pub priority: String,
}

/// What a data task reads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataSpec {
    /// What kind of question it is: `total`, `share`…
    #[serde(rename = "type")]
    pub kind: String,
    /// Columns it reads, `table.column`.
    pub assets: Vec<String>,
    /// The time it covers, if it names one.
    pub timeframe: Option<String>,
    /// `daily`, `monthly`… if it goes along time.
    pub frequency: Option<String>,
    /// The file.
    pub api_source: String,
}

/// How it may be drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChartSpec {
    /// `line` where x is a date, `bar`…
    #[serde(rename = "type")]
    pub kind: String,
    /// What stands along.
    pub x_axis: String,
    /// What is measured.
    pub y_axis: String,
}

/// Typed questions over tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DataTask {
    /// `d1`.
    pub id: String,
    /// The scope item.
    pub scope_item_id: String,
    /// The question it answers, as the brief has it.
    pub question: String,
    /// What is computed, in words.
    pub description: String,
    /// `high`, `medium` or `low`.
    pub priority: String,
    /// What it reads.
    pub data_spec: DataSpec,
    /// What is computed, one line each.
    pub calculations: Vec<String>,
    /// How it may be drawn.
    pub chart_spec: Option<ChartSpec>,
    /// The typed questions.
    pub asks: Vec<Question>,
    /// Parts of the question that no typed question was made of: it is not answered whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<String>,
    /// Whether the question itself asked for it, rather than curiosity about the same columns.
    pub asked: bool,
}

/// A search in documents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResearchTask {
    /// `r1`.
    pub id: String,
    /// The scope item.
    pub scope_item_id: String,
    /// The question it answers, as the brief has it.
    pub description: String,
    /// Words to look for.
    pub focus: Vec<String>,
    /// What is searched for.
    pub search_queries: Vec<String>,
    /// `high`, `medium` or `low`.
    pub priority: String,
}

/// What is done for each question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Counted from 1; later rounds add tasks.
    pub round: u32,
    /// How deep.
    pub depth: Depth,
    /// In numbers.
    pub depth_settings: DepthSettings,
    /// Quick looks.
    pub overview_tasks: Vec<OverviewTask>,
    /// Typed questions.
    pub data_tasks: Vec<DataTask>,
    /// Searches.
    pub research_tasks: Vec<ResearchTask>,
}

/// A task, whatever its kind.
#[derive(Clone, Debug)]
pub enum Task<'a> {
    /// A quick look.
    Overview(&'a OverviewTask),
    /// Typed questions.
    Data(&'a DataTask),
    /// A search.
    Research(&'a ResearchTask),
}

impl Plan {
    /// The names of all tasks, kind by kind.
    #[must_use]
    pub fn ids(&self) -> Vec<String> {
        let overview = self.overview_tasks.iter().map(|task| task.id.clone());
        let data = self.data_tasks.iter().map(|task| task.id.clone());
        overview.chain(data).chain(self.research_tasks.iter().map(|task| task.id.clone())).collect()
    }

    /// A task by name.
    #[must_use]
    pub fn task(&self, id: &str) -> Option<Task<'_>> {
        let overview = self.overview_tasks.iter().find(|task| task.id == id).map(Task::Overview);
        let data = || self.data_tasks.iter().find(|task| task.id == id).map(Task::Data);
        let research = || self.research_tasks.iter().find(|task| task.id == id).map(Task::Research);
        overview.or_else(data).or_else(research)
    }

    /// Parts of a question that no task is about.
    pub fn left_of<'p>(&'p self, scope: &'p str, question: &'p str) -> impl Iterator<Item = &'p String> {
        let own = move |task: &&DataTask| task.scope_item_id == scope && task.question == question;
        self.data_tasks.iter().filter(own).flat_map(|task| &task.left)
    }

    /// Adds the tasks of a later round.
    pub fn grow(&mut self, more: &Self) {
        self.round = more.round;
        self.overview_tasks.extend(more.overview_tasks.iter().cloned());
        self.data_tasks.extend(more.data_tasks.iter().cloned());
        self.research_tasks.extend(more.research_tasks.iter().cloned());
    }
}
