//! From questions to tasks, by rules: what can be computed is computed, what documents are asked for is searched.

pub(super) mod reading;

use baton_agents::rules::words::content_stems;
use baton_figures::reading::Kind;
use baton_figures::{Ask, Filter, Grain, Measure, Profiles, Question, Test};

use super::brief::{Brief, ScopeItem};
use super::memory::Memory;
use super::naming::named;
use super::plan::{ChartSpec, DataSpec, DataTask, DepthSettings, OverviewTask, Plan, ResearchTask, TaskKind};
use super::query::topic_of;
use super::tell::measured;

/// The task that looks for what the tables say without being asked.
pub const UNASKED: &str = "What do the tables show beside what was asked?";
/// Groups for which a ratio is computed one by one.
const GROUPS: usize = 8;

/// Places of a ranking that are computed, however few were asked for.
const RANKED: usize = 6;

/// Makes plans for a run.
pub struct Planner<'a> {
    memory: &'a Memory,
    brief: &'a Brief,
    profiles: &'a Profiles,
    /// The next number of each kind.
    next: [usize; 3],
}

impl<'a> Planner<'a> {
    /// A planner for the run as it stands.
    #[must_use]
    pub fn new(memory: &'a Memory, brief: &'a Brief, profiles: &'a Profiles) -> Self {
        let known = |kind: TaskKind| {
            let ids = memory.plan.iter().flat_map(Plan::ids);
            ids.filter(|id| id.starts_with(kind.letter())).count() + 1
        };
        let next = [known(TaskKind::Overview), known(TaskKind::Data), known(TaskKind::Research)];
        Self { memory, brief, profiles, next }
    }

    /// A plan without tasks.
    #[must_use]
    pub fn empty(&self) -> Plan {
        let depth = self.memory.depth();
        Plan {
            round: self.memory.round + 1,
            depth,
            depth_settings: DepthSettings {
                tasks_per_scope: depth.tasks_per_scope(),
                max_iterations: super::coverage::most_rounds(self.memory),
                target_coverage: self.memory.order.coverage_target,
            },
            overview_tasks: Vec::new(),
            data_tasks: Vec::new(),
            research_tasks: Vec::new(),
        }
    }

    fn id(&mut self, kind: TaskKind) -> String {
        let at = match kind {
            TaskKind::Overview => 0,
            TaskKind::Data => 1,
            TaskKind::Research => 2,
        };
        let id = format!("{}{}", kind.letter(), self.next[at]);
        self.next[at] += 1;
        id
    }

    /// The first plan, and what could not be planned.
    #[must_use]
    pub fn first(mut self) -> (Plan, Vec<String>) {
        let mut plan = self.empty();
        let mut notes = Vec::new();
        let has_tables = !self.profiles.tables.is_empty();
        for item in &self.brief.scope_items {
            if self.memory.order.has_documents() {
                let task = self.overview(item);
                // Two questions about one thing look for it once.
                if plan.overview_tasks.iter().all(|known| known.topic != task.topic) {
                    plan.overview_tasks.push(task);
                }
            }
            for question in &item.questions {
                if has_tables {
                    match self.data(item, question) {
                        Ok(tasks) => plan.data_tasks.extend(tasks),
                        Err(why) => notes.push(format!("{question}: {why}")),
                    }
                }
                if self.memory.order.has_documents() {
                    let task = self.research(item, question, question);
                    plan.research_tasks.push(task);
                }
            }
        }
        if has_tables && self.profiles.tables.iter().any(|table| table.time.is_some()) {
            let task = self.unasked();
            plan.data_tasks.push(task);
        }
        (plan, notes)
    }

    fn overview(&mut self, item: &ScopeItem) -> OverviewTask {
        OverviewTask {
            id: self.id(TaskKind::Overview),
            scope_item_id: item.id.clone(),
            topic: if is_term(item) { item.topic.clone() } else { self.term(item) },
            priority: "medium".to_owned(),
        }
    }

    /// What a question is about: what it measures, or else its telling words.
    fn term(&self, item: &ScopeItem) -> String {
        let read = item.questions.iter().filter_map(|question| reading::whole(question, self.profiles).ok());
        let mut columns = read.flat_map(|reading| reading.asks).flat_map(|typed| typed.ask.columns());
        if let Some(column) = columns.next() {
            return named(&column);
        }
        let words = item.topic.split(|letter: char| !letter.is_alphanumeric() && letter != '-');
        let telling: Vec<&str> = words.filter(|word| !content_stems(word).is_empty()).collect();
        if telling.is_empty() { item.topic.clone() } else { telling.join(" ") }
    }

    fn unasked(&mut self) -> DataTask {
        DataTask {
            id: self.id(TaskKind::Data),
            scope_item_id: "all".to_owned(),
            question: UNASKED.to_owned(),
            description: "Breaks, seasons, outliers and shares that change places.".to_owned(),
            priority: "medium".to_owned(),
            data_spec: DataSpec { kind: "findings".to_owned(), ..DataSpec::default() },
            calculations: Vec::new(),
            chart_spec: None,
            asks: Vec::new(),
            left: Vec::new(),
            asked: false,
        }
    }

    /// A search for a question, in the words of `query`.
    pub fn research(&mut self, item: &ScopeItem, question: &str, query: &str) -> ResearchTask {
        let words = question.split(|letter: char| !letter.is_alphanumeric() && letter != '-');
        ResearchTask {
            id: self.id(TaskKind::Research),
            scope_item_id: item.id.clone(),
            description: question.to_owned(),
            focus: words.filter(|word| !content_stems(word).is_empty()).map(str::to_owned).collect(),
            search_queries: vec![query.to_owned()],
            priority: item.priority.clone(),
        }
    }

    /// The typed questions of a question, or why there are none.
    fn data(&mut self, item: &ScopeItem, question: &str) -> Result<Vec<DataTask>, String> {
        let reading = reading::whole(question, self.profiles)?;
        let mut tasks: Vec<DataTask> =
            reading.asks.into_iter().map(|typed| self.task(item, question, typed)).collect();
        // What documents are asked for is no part the tables leave open.
        let asked: Vec<&Question> = tasks.iter().flat_map(|task| &task.asks).collect();
        let group = reading::missing_group(question, &asked, self.profiles);
        let left = reading.left.into_iter().chain(group).filter(|part| !super::writing::asks_documents(part));
        if let Some(last) = tasks.last_mut() {
            last.left = left.collect();
        }
        Ok(tasks)
    }

    /// A data task for a typed question, with what belongs beside it.
    pub fn task(&mut self, item: &ScopeItem, question: &str, typed: Question) -> DataTask {
        let id = self.id(TaskKind::Data);
        let typed = self.readable(typed);
        let mut asks = self.each(question, &typed).unwrap_or_else(|| vec![typed.clone()]);
        asks.extend(self.companions(&typed));
        for (at, ask) in asks.iter_mut().enumerate() {
            ask.id = if at == 0 { id.clone() } else { format!("{id}{}", letter(at)) };
        }
        let file = self.profiles.table(&typed.table).map(|it| super::context::file_name(&it.reading.file));
        let mut assets: Vec<String> =
            typed.ask.columns().iter().map(|column| format!("{}.{column}", typed.table)).collect();
        assets.extend(typed.ask.by().map(|by| format!("{}.{by}", typed.table)));
        DataTask {
            id,
            scope_item_id: item.id.clone(),
            question: question.to_owned(),
            description: asks.iter().map(described).collect::<Vec<_>>().join("; "),
            priority: item.priority.clone(),
            data_spec: DataSpec {
                kind: kind_of(&typed.ask).to_owned(),
                assets,
                timeframe: typed.period.map(super::naming::period_name),
                frequency: self
                    .profiles
                    .table(&typed.table)
                    .and_then(|it| it.time.as_ref()?.frequency)
                    .map(|it| it.name().to_owned()),
                api_source: file.unwrap_or_default(),
            },
            calculations: asks.iter().map(described).collect(),
            chart_spec: Some(chart_spec(&typed)),
            asks,
            left: Vec::new(),
            asked: true,
        }
    }

    /// A key that stands for a name is replaced by the name: `shop_id` by `shops.name`.
    fn readable(&self, mut typed: Question) -> Question {
        let name = |column: &str| -> Option<String> {
            let join = self.profiles.joins.iter().find(|join| {
                join.table == typed.table && join.column == column && join.unique && join.unmatched == 0
            })?;
            let into = self.profiles.table(&join.into)?;
            let named = into.columns.iter().find(|it| {
                it.kind == Kind::Text && ["name", "title", "label"].contains(&named(&it.name).as_str())
            })?;
            Some(format!("{}.{}", join.into, named.name))
        };
        if let Ask::Share { by, .. } | Ask::Ranking { by, .. } | Ask::Comparison { by, groups: _, .. } =
            &mut typed.ask
            && let Some(better) = name(by)
        {
            *by = better;
        }
        with_those_behind(typed)
    }

    /// One question for each group, where a number that cannot be grouped is asked of each.
    fn each(&self, question: &str, typed: &Question) -> Option<Vec<Question>> {
        if !matches!(typed.ask, Ask::Ratio { .. } | Ask::Change { .. } | Ask::Total { .. })
            || !typed.filters.is_empty()
        {
            return None;
        }
        let lower = format!(" {} ", question.to_lowercase());
        if ![" each ", " every ", " by ", " per "].iter().any(|word| lower.contains(word)) {
            return None;
        }
        let stems = content_stems(question);
        let columns = self.group_columns(&typed.table);
        let (column, values) = columns.into_iter().find(|(column, values)| {
            let own = content_stems(&named(column));
            (2..=GROUPS).contains(&values.len())
                && !own.is_empty()
                && own.iter().all(|stem| stems.contains(stem))
        })?;
        let of_each = values.into_iter().map(|value| {
            let filter = Filter { column: column.clone(), test: Test::Is(vec![value]) };
            Question { filters: vec![filter], ..typed.clone() }
        });
        // "overall and in each continent"
        let of_all = lower.contains(" overall").then(|| typed.clone());
        Some(of_all.into_iter().chain(of_each).collect())
    }

    /// Columns with few values, of the table and of those it can look into.
    fn group_columns(&self, table: &str) -> Vec<(String, Vec<String>)> {
        let values = |column: &baton_figures::ColumnProfile| {
            let mut values: Vec<String> = column.categories.iter().map(|it| it.value.clone()).collect();
            values.sort();
            values
        };
        let mut columns = Vec::new();
        let joined = self.profiles.joins.iter().filter(|join| join.table == table && join.unique);
        for (prefix, name) in std::iter::once((String::new(), table))
            .chain(joined.map(|it| (format!("{}.", it.into), it.into.as_str())))
        {
            let Some(profile) = self.profiles.table(name) else { continue };
            for column in profile.columns.iter().filter(|column| column.kind == Kind::Text) {
                columns.push((format!("{prefix}{}", column.name), values(column)));
            }
        }
        columns
    }

    /// What belongs beside a question: the course over time of what is asked about, to be drawn.
    fn companions(&self, typed: &Question) -> Vec<Question> {
        let Some(table) = self.profiles.table(&typed.table) else { return Vec::new() };
        let Some(time) = &table.time else { return Vec::new() };
        let grain = match time.to.days() - time.from.days() {
            days if days > 6 * 365 => Grain::Year,
            days if days > 200 => Grain::Month,
            days if days > 60 => Grain::Week,
            _ => Grain::Day,
        };
        // A table that is rarer than that keeps its own length.
        let grain = time.frequency.map_or(grain, |own| own.max(grain));
        let course = |measure: &Measure| {
            let mut ask = Ask::Trend { measure: measure.clone(), grain: Some(grain) };
            ask.settle(table);
            Question { ask, period: None, ..typed.clone() }
        };
        match &typed.ask {
            Ask::Change { measure, .. } | Ask::Latest { measure, .. } | Ask::Peak { measure, .. } => {
                vec![course(measure)]
            }
            _ => Vec::new(),
        }
    }
}

/// Whether a topic is more than its own question: nobody looks for what is meant by a question.
fn is_term(item: &ScopeItem) -> bool {
    !item.topic.ends_with('?') && !item.questions.iter().any(|question| topic_of(question) == item.topic)
}

fn letter(at: usize) -> char {
    char::from(b'a' + u8::try_from(at.min(25)).unwrap_or(25))
}

/// Who is first says little without those behind.
pub(super) fn with_those_behind(mut typed: Question) -> Question {
    if let Ask::Ranking { top, .. } = &mut typed.ask {
        *top = (*top).max(RANKED);
    }
    typed
}

/// What is computed, in words.
fn described(question: &Question) -> String {
    let what = match &question.ask {
        Ask::Total { measure } => measured(measure),
        Ask::Latest { measure, .. } => format!("latest {}", measured(measure)),
        Ask::Change { measure, .. } => format!("change of {}", measured(measure)),
        Ask::Share { measure, by, .. } => format!("shares of {} by {}", measured(measure), named(by)),
        Ask::Ranking { measure, by, .. } => format!("{} ranked by {}", named(by), measured(measure)),
        Ask::Distribution { column } => format!("distribution of {}", named(column)),
        Ask::Trend { measure, .. } => format!("course of {}", measured(measure)),
        Ask::Seasonality { measure } => format!("season of {}", measured(measure)),
        Ask::Correlation { x, y, .. } => format!("correlation of {} and {}", named(x), named(y)),
        Ask::Comparison { measure, by, .. } => format!("{} compared by {}", measured(measure), named(by)),
        Ask::Ratio { above, below } => format!("{} over {}", measured(above), measured(below)),
        Ask::Target { measure, .. } => format!("{} against its target", measured(measure)),
        Ask::Peak { measure, .. } => format!("peak of {}", measured(measure)),
    };
    let filters: Vec<String> =
        question.filters.iter().map(|it| format!("{} {}", named(&it.column), it.test.words())).collect();
    if filters.is_empty() { what } else { format!("{what} where {}", filters.join(" and ")) }
}

fn kind_of(ask: &Ask) -> &'static str {
    match ask {
        Ask::Total { .. } => "total",
        Ask::Latest { .. } => "latest",
        Ask::Change { .. } => "change",
        Ask::Share { .. } => "share",
        Ask::Ranking { .. } => "ranking",
        Ask::Distribution { .. } => "distribution",
        Ask::Trend { .. } => "trend",
        Ask::Seasonality { .. } => "seasonality",
        Ask::Correlation { .. } => "correlation",
        Ask::Comparison { .. } => "comparison",
        Ask::Ratio { .. } => "ratio",
        Ask::Target { .. } => "target",
        Ask::Peak { .. } => "peak",
    }
}

/// A date along x is drawn as a line, groups as bars.
fn chart_spec(question: &Question) -> ChartSpec {
    let y_axis = question.ask.columns().iter().map(|column| named(column)).collect::<Vec<_>>().join(", ");
    match question.ask.by() {
        Some(by) => ChartSpec { kind: "bar".to_owned(), x_axis: named(by), y_axis },
        None if matches!(question.ask, Ask::Seasonality { .. }) => {
            ChartSpec { kind: "bar".to_owned(), x_axis: "season".to_owned(), y_axis }
        }
        None => ChartSpec { kind: "line".to_owned(), x_axis: "date".to_owned(), y_axis },
    }
}
