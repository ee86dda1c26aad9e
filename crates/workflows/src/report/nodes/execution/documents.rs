//! Tasks over documents: a quick look at a topic, a search for a question, and the numbers they name held against the data.

use baton_engine::dag::TaskEnd;
use baton_engine::{Cx, Fault};
use baton_figures::{Ask, Profiles, Question, understand};

use crate::report::acts::ComputeAnswers;
use crate::report::numbers::{Found, numbers};
use crate::report::plan::{OverviewTask, ResearchTask};
use crate::report::results::{DocumentCheck, Outcome};
use crate::report::{Order, Report, TaskKind, TaskResult};
use crate::retrieval::{self, FoundFact, Reading, Search};

/// What a fact counts that only a topic led to.
const ASIDE: f64 = 0.4;
/// Numbers of documents that one task holds against the data.
const CHECKS: usize = 12;

/// A quick look at what documents say to a topic, and at what they mean by it.
pub async fn overview(
    cx: &Cx<Report>,
    task: &OverviewTask,
    end: TaskEnd,
    round: u32,
) -> Result<TaskResult, Fault> {
    let result = TaskResult::nothing(end, TaskKind::Overview, &task.scope_item_id, &task.topic, round);
    let queries = [task.topic.clone(), format!("What is meant by {}?", task.topic.to_lowercase())];
    look(cx, result, &task.id, &queries, &task.topic, ASIDE).await
}

/// A search for what answers a question.
pub async fn research(
    cx: &Cx<Report>,
    task: &ResearchTask,
    end: TaskEnd,
    round: u32,
) -> Result<TaskResult, Fault> {
    let result = TaskResult::nothing(end, TaskKind::Research, &task.scope_item_id, &task.description, round);
    let mut result = look(cx, result, &task.id, &task.search_queries, &task.description, 1.0).await?;
    check(cx, &task.id, &mut result).await?;
    Ok(result)
}

async fn look(
    cx: &Cx<Report>,
    mut result: TaskResult,
    id: &str,
    queries: &[String],
    question: &str,
    weight: f64,
) -> Result<TaskResult, Fault> {
    let order: Order = cx.read(|memory| memory.order.clone());
    let scope = order.scope();
    let mut addressed = false;
    for (at, query) in queries.iter().enumerate() {
        let name = format!("{id}q{at}");
        let search = Search {
            id: &name,
            query: order.words(query),
            focus: Vec::new(),
            searcher: &order.roles.searcher,
        };
        let found = retrieval::search(cx, &scope, &search).await?;
        result.errors.extend(found.failure());
        addressed |= found.searches.iter().any(|it| it.addressed);
        result.notes.extend(found.notes);
        result.searches.extend(found.searches);
        let reading = Reading {
            id: &name,
            part: 0,
            question: question.to_owned(),
            query: order.words(query),
            weight,
            leads: found.leads,
            reader: &order.roles.reader,
        };
        let read = retrieval::read(cx, &scope, &reading).await?;
        result.errors.extend(read.failure);
        result.notes.extend(read.notes);
        result.refused.extend(read.refused);
        result.sources.extend(read.sources);
        result.facts.extend(read.facts);
    }
    result.status = match (addressed, result.facts.is_empty()) {
        (true, false) => Outcome::Done,
        (false, false) => Outcome::Partial,
        (_, true) => Outcome::Failed,
    };
    Ok(result)
}

/// Holds the numbers of facts against the data, where the data have the same thing.
async fn check(cx: &Cx<Report>, id: &str, result: &mut TaskResult) -> Result<(), Fault> {
    let Some(context) = cx.read(|memory| memory.context.clone()) else { return Ok(()) };
    let crate::report::Context { profiles, kept: Some(kept), hashes, .. } = context else { return Ok(()) };
    let mut asked: Vec<(String, Found, String, Question)> = Vec::new();
    for fact in &result.facts {
        if asked.len() >= CHECKS {
            break;
        }
        if let Some((stated, written, mut question)) = claimed(fact, &profiles) {
            question.id = format!("{id}k{}", asked.len() + 1);
            asked.push((fact.key().to_owned(), stated, written, question));
        }
    }
    if asked.is_empty() {
        return Ok(());
    }
    let questions = asked.iter().map(|(_, _, _, question)| question.clone()).collect();
    let computed = match cx.step(format!("{id}/check"), &ComputeAnswers { kept, hashes, questions }).await {
        Ok(computed) => computed,
        Err(Fault::Failed { text, .. }) => {
            result.notes.push(format!("numbers of documents were not held against the data: {text}"));
            return Ok(());
        }
        Err(fault) => return Err(fault),
    };
    for ((fact, stated, written, _), answer) in asked.into_iter().zip(computed.answers) {
        let Some(figure) = answer.figures.first() else { continue };
        if !stated.fits_unit(figure.unit.as_deref()) {
            continue;
        }
        let agrees = stated.has_value(figure.value);
        result.checks.push(DocumentCheck { fact, stated: written, answer, agrees });
    }
    Ok(())
}

/// The one amount a fact claims of something the tables have, and the question that computes it. A fact is held against the
/// data only where it names a time and the very measure, and its number has the measure's unit.
fn claimed(fact: &FoundFact, profiles: &Profiles) -> Option<(Found, String, Question)> {
    let quote = crate::markup::plain(&fact.fact.quote);
    let question = computed(&quote, profiles)?;
    let Ask::Total { measure } = &question.ask else { return None };
    let period = question.period?;
    let column = measure.column.as_ref()?;
    let table = profiles.table(&question.table)?;
    let unit = table.column(column)?.unit.clone()?;
    let time = table.time.as_ref()?;
    if period.from < time.from || period.to > time.to {
        return None;
    }
    let is_year = |found: &Found| {
        let facet = [period.from.parts().0, period.to.parts().0];
        found.unit.is_none() && facet.iter().any(|year| quote[found.range.clone()] == year.to_string())
    };
    let stated: Vec<Found> = numbers(&quote)
        .into_iter()
        .filter(|found| !is_year(found) && found.has_unit() && found.fits_unit(Some(&unit)))
        .collect();
    let [stated] = <[Found; 1]>::try_from(stated).ok()?;
    let words = crate::report::naming::named(column);
    let names_it = quote.to_lowercase().contains(&words);
    let written = format!("{} {}", unit, &quote[stated.range.clone()]);
    names_it.then_some((stated, written, question))
}

/// The question that computes what a quote says, its own number taken out.
fn computed(quote: &str, profiles: &Profiles) -> Option<Question> {
    let sentence = quote.split(". ").next().unwrap_or(quote);
    let first = numbers(sentence).into_iter().find(Found::has_unit)?;
    let head = sentence[..first.range.start].trim_end();
    let head = head.strip_suffix(|letter: char| "€$£¥".contains(letter)).unwrap_or(head);
    let last = head.rsplit(' ').next().unwrap_or_default();
    let is_code = last.len() == 3 && last.chars().all(|letter| letter.is_ascii_uppercase());
    let head = if is_code { &head[..head.len() - 3] } else { head };
    let verbs =
        [" was", " were", " is", " reached", " amounted to", " came to", " totalled", " of", " at", ":"];
    let mut head = head.trim_end();
    for verb in verbs {
        head = head.strip_suffix(verb).unwrap_or(head).trim_end();
    }
    let asked = format!("What is the total {head}?");
    understand("check", &asked, profiles).question.or_else(|| understand("check", head, profiles).question)
}
