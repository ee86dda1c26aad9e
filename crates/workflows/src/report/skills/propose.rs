//! Skill: typed questions for what rules could not read as one. Only columns that exist are taken; our code computes.

use baton_agents::skill::{Piece, Problem, Skill, Vars, Words};
use baton_engine::{Cx, Fault};
use baton_figures::{Profiles, Question};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::put;
use crate::report::Report;
use crate::report::plan::{DataTask, Plan};
use crate::report::planner::Planner;
use crate::report::planner::reading::{missing_end, missing_group};

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct ProposeQuestions;

/// A question in words.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OpenQuestion {
    /// Its number.
    pub number: usize,
    /// It.
    pub question: Words,
}

/// What may be asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToPropose {
    /// What is to be computed.
    pub questions: Vec<OpenQuestion>,
    /// The tables, a line for each column.
    pub tables: Vec<String>,
}

/// A proposal.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Proposal {
    /// The number of the question it answers.
    pub number: usize,
    /// The typed question.
    pub question: Question,
    /// What it leaves open of the question, in the words of the question; nothing if it answers it whole.
    #[serde(default)]
    pub left: String,
}

/// What is proposed.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Proposals {
    /// One for each thing a question asks; none where the tables cannot answer it.
    pub proposals: Vec<Proposal>,
}

impl Skill for ProposeQuestions {
    const NAME: &'static str = "propose_questions";
    const PROMPT: &'static str = include_str!("../prompts/propose.md");
    const MAX_TOKENS: u32 = 3000;
    type Input = ToPropose;
    type Output = Proposals;

    fn vars(input: &ToPropose) -> Vars {
        let questions: Vec<Words> = input.questions.iter().map(|it| it.question.clone()).collect();
        Vars::new().with("questions", questions)
    }

    fn material(input: &ToPropose) -> Vec<Piece> {
        vec![Piece::new("tables", input.tables.join("\n"), 0)]
    }

    fn check(input: &ToPropose, output: &Proposals) -> Vec<Problem> {
        let wrong = |(at, it): (usize, &Proposal)| {
            let known = input.questions.iter().any(|question| question.number == it.number);
            (!known).then(|| Problem::new(format!("/proposals/{at}/number"), "there is no such question"))
        };
        output.proposals.iter().enumerate().filter_map(wrong).collect()
    }

    fn rules(_input: &ToPropose) -> Option<Proposals> {
        Some(Proposals { proposals: Vec::new() })
    }
}

/// Data tasks for questions that have none, if a model proposes them.
pub async fn ask(cx: &Cx<Report>, plan: &Plan) -> Result<(Vec<DataTask>, Vec<String>), Fault> {
    let (order, brief, profiles) = cx.read(|memory| {
        let profiles = memory.context.as_ref().map(|context| context.profiles.clone()).unwrap_or_default();
        (memory.order.clone(), memory.brief_or_rules(), profiles)
    });
    let has = |question: &String| plan.data_tasks.iter().any(|task| task.question == *question);
    let open: Vec<(String, String)> = brief
        .scope_items
        .iter()
        .flat_map(|item| item.questions.iter().map(|question| (item.id.clone(), question.clone())))
        .filter(|(_, question)| !has(question))
        .collect();
    if open.is_empty() || profiles.tables.is_empty() {
        return Ok((Vec::new(), Vec::new()));
    }
    let numbered = open.iter().enumerate().map(|(at, (_, question))| OpenQuestion {
        number: at + 1,
        question: order.words(&format!("{}. {question}", at + 1)),
    });
    let input = ToPropose { questions: numbered.collect(), tables: columns(&profiles) };
    let answered =
        match put::<ProposeQuestions>(cx, &order.roles.planner, "propose", &input, order.material()).await? {
            Ok(answered) => answered,
            Err(note) => return Ok((Vec::new(), note.into_iter().collect())),
        };
    let mut notes = Vec::new();
    let mut planned = plan.clone();
    let tasks = cx.read(|memory| {
        let mut memory = memory.clone();
        let mut tasks = Vec::new();
        for proposal in answered.output.proposals {
            let Some((scope, question)) = proposal.number.checked_sub(1).and_then(|at| open.get(at)) else {
                continue;
            };
            let Some(item) = brief.scope_items.iter().find(|item| item.id == *scope) else { continue };
            if let Some(flaw) = unknown(&proposal.question, &profiles) {
                notes.push(format!("{question}: what a model proposed cannot be computed: {flaw}"));
                continue;
            }
            memory.plan = Some(planned.clone());
            let mut task = Planner::new(&memory, &brief, &profiles).task(item, question, proposal.question);
            let left = proposal.left.split_whitespace().collect::<Vec<_>>().join(" ");
            task.left = Some(left).filter(|left| !left.is_empty()).into_iter().collect();
            planned.data_tasks.push(task.clone());
            tasks.push(task);
        }
        for (_, question) in &open {
            leave_open(question, &mut tasks, &profiles);
        }
        tasks
    });
    Ok((tasks, notes))
}

/// "The highest and the lowest" is answered by both, "which countries" by countries: what no task seeks is left open,
/// whatever a model says of it.
fn leave_open(question: &str, tasks: &mut [DataTask], profiles: &Profiles) {
    let mut own: Vec<&mut DataTask> = tasks.iter_mut().filter(|task| task.question == *question).collect();
    let asks: Vec<&Question> = own.iter().flat_map(|task| &task.asks).collect();
    let left: Vec<String> =
        missing_end(question, &asks).into_iter().chain(missing_group(question, &asks, profiles)).collect();
    if let Some(last) = own.last_mut() {
        last.left.extend(left);
    }
}

/// A line for each column.
fn columns(profiles: &Profiles) -> Vec<String> {
    let mut lines = Vec::new();
    for table in &profiles.tables {
        for column in &table.columns {
            let unit = column.unit.as_deref().map(|unit| format!(" in {unit}")).unwrap_or_default();
            let values: Vec<&str> = column.categories.iter().take(12).map(|it| it.value.as_str()).collect();
            let values = if values.is_empty() { String::new() } else { format!(": {}", values.join(", ")) };
            lines.push(format!("{}.{} ({:?}{unit}){values}", table.reading.name, column.name, column.kind));
        }
    }
    for join in &profiles.joins {
        lines.push(format!("{}.{} can be looked up in {}.{}", join.table, join.column, join.into, join.key));
    }
    lines
}

/// What of a proposal the tables do not have.
fn unknown(question: &Question, profiles: &Profiles) -> Option<String> {
    let Some(table) = profiles.table(&question.table) else {
        return Some(format!("no table {}", question.table));
    };
    let mut named = question.ask.columns();
    named.extend(question.ask.by().map(str::to_owned));
    named.extend(question.filters.iter().map(|filter| filter.column.clone()));
    named.into_iter().find_map(|column| {
        let known = match column.split_once('.') {
            None => table.column(&column).is_some(),
            Some((other, own)) => profiles.table(other).is_some_and(|it| it.column(own).is_some()),
        };
        (!known).then(|| format!("no column {column}"))
    })
}
