//! questions_review: what is answered, and whether more tasks can help. Ends the loop with its reason.

use baton_agents::rules::words::content_stems;
use baton_engine::{Cx, Fault};

use crate::report::coverage::{Decision, FollowUp, QuestionsPlan, Review, measure, most_rounds};
use crate::report::planner::Planner;
use crate::report::{Event, Memory, Report, TaskKind};

pub async fn run(cx: Cx<Report>) -> Result<Event, Fault> {
    let review = cx.read(review);
    if let Some(why) = cx.read(nothing) {
        return Ok(Event::NothingFound { why });
    }
    Ok(match review.coverage.decision {
        Decision::Continue => Event::CoverageLow { review: Box::new(review) },
        Decision::Done => Event::CoverageOk { review: Box::new(review) },
    })
}

/// Why there is nothing to write: no figure and no words answer any question.
fn nothing(memory: &Memory) -> Option<String> {
    let coverage = measure(memory);
    if coverage.overall_coverage > 0.0 {
        return None;
    }
    let first = memory.results.values().flat_map(|result| &result.errors).find(|error| !error.is_empty());
    let why = first.map(|error| format!(" ({})", error.trim_end_matches('.'))).unwrap_or_default();
    let more = coverage.iteration < 2 && next(memory).is_some();
    (!more).then(|| format!("nothing in the data or the documents answers the query{why}"))
}

fn review(memory: &Memory) -> Review {
    let mut coverage = measure(memory);
    if coverage.decision == Decision::Done {
        return Review { coverage, questions_plan: None, add: None };
    }
    let missing: usize = coverage.by_scope.values().map(|scope| scope.missing_aspects.len()).sum();
    let rounds = most_rounds(memory);
    if coverage.iteration >= rounds {
        coverage.decision = Decision::Done;
        coverage.reason = format!("{}; the limit of {rounds} rounds is reached", coverage.reason);
        return Review { coverage, questions_plan: None, add: None };
    }
    let Some((plan, filtered)) = next(memory) else {
        coverage.decision = Decision::Done;
        coverage.reason = format!("{}; no task is left that could answer the others", coverage.reason);
        return Review { coverage, questions_plan: None, add: None };
    };
    let tasks_created = plan.ids();
    let questions_plan = QuestionsPlan {
        iteration: coverage.iteration,
        total_questions: missing,
        summary: format!("{} of {missing} open questions get another task", tasks_created.len()),
        filtered,
        tasks_created,
    };
    Review { coverage, questions_plan: Some(questions_plan), add: Some(plan) }
}

/// The tasks of another round: documents are searched once more with the telling words of a question alone.
fn next(memory: &Memory) -> Option<(Box<crate::report::Plan>, Vec<FollowUp>)> {
    let brief = memory.brief_or_rules();
    let coverage = measure(memory);
    let profiles = memory.context.as_ref().map(|context| context.profiles.clone()).unwrap_or_default();
    let mut planner = Planner::new(memory, &brief, &profiles);
    let mut plan = planner.empty();
    let mut filtered = Vec::new();
    for item in &brief.scope_items {
        let Some(scope) = coverage.by_scope.get(&item.id) else { continue };
        for question in &scope.missing_aspects {
            let words = telling(question, coverage.iteration);
            let tried = memory.plan.iter().flat_map(|plan| &plan.research_tasks);
            let is_new =
                tried.filter(|it| it.description == *question).all(|it| it.search_queries != [words.clone()]);
            let runs = memory.order.has_documents() && is_new && !words.is_empty();
            let id = format!("q{}", filtered.len() + 1);
            let reason = match (memory.order.has_documents(), runs) {
                (false, _) => "there are no documents to search",
                (true, true) => "searched again in fewer words",
                (true, false) => "searched already",
            };
            filtered.push(FollowUp {
                id,
                question: question.clone(),
                priority: item.priority.clone(),
                action: if runs { "execute" } else { "skip" }.to_owned(),
                task_type: TaskKind::Research,
                reason: reason.to_owned(),
            });
            if runs {
                let task = planner.research(item, question, &words);
                plan.research_tasks.push(task);
            }
        }
    }
    (!plan.ids().is_empty()).then(|| (Box::new(plan), filtered))
}

/// The telling words of a question; fewer with every round.
fn telling(question: &str, round: u32) -> String {
    let most = 6_usize.saturating_sub(2 * (round as usize - 1)).max(2);
    let words = question.split(|letter: char| !letter.is_alphanumeric() && letter != '-');
    let telling: Vec<&str> = words.filter(|word| !content_stems(word).is_empty()).collect();
    let kept = telling.len().saturating_sub(most);
    telling.into_iter().skip(kept).collect::<Vec<_>>().join(" ")
}
