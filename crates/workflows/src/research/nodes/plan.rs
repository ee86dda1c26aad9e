//! PLANNING: drafts a plan and asks for a yes, until there is one. Every revision is a question of its own, so a
//! yes to an older one finds no question.

use baton_engine::{Cx, Fault, Question};
use serde::Deserialize;
use serde_json::json;

use crate::asking::{Ask, ask};
use crate::markup::count;
use crate::research::edits::settled;
use crate::research::plan::{Dimension, Plan};
use crate::research::skills::plan::{PlanResearch, ToPlan, clauses};
use crate::research::wishes::{granted, keep_out};
use crate::research::{Approval, Brief, Event, Research};
use crate::retrieval::{PrepareDocs, SearchDocs};

/// How the reason begins why a plan is shown again as it was.
pub const REFUSED: &str = "the change was refused: ";

/// What a person says to a plan.
#[derive(Deserialize)]
#[serde(untagged)]
enum Reply {
    Word(String),
    Modify { modify: String },
    Edited { plan: Box<Plan> },
}

pub async fn run(cx: Cx<Research>) -> Result<Event, Fault> {
    let brief = cx.read(|memory| memory.brief.clone());
    let headings = survey(&cx, &brief).await?;
    let mut wishes: Vec<String> = Vec::new();
    let mut plan = match brief.plan.clone() {
        Some(plan) => plan,
        None => draft(&cx, &brief, &headings, &wishes, 1).await?,
    };
    let mut why = "first draft".to_owned();
    loop {
        cx.emit(Event::PlanDrafted { plan: plan.clone(), why }).await?;
        let answer = cx.ask::<Reply>(question_key(&plan), question(&plan)).await?;
        let revision = plan.revision + 1;
        (plan, why) = match answer.value {
            Reply::Word(word) if word == "yes" => {
                let modifications = plan.revision.saturating_sub(1);
                let approval =
                    Approval { by: answer.by, revision: plan.revision, hash: plan.hash(), modifications };
                return Ok(Event::Approved { approval });
            }
            Reply::Word(_) => return Ok(Event::Refused { by: answer.by }),
            Reply::Modify { modify } => {
                wishes.push(modify.clone());
                match revised(&cx, &brief, &headings, &plan, &wishes).await? {
                    Ok(next) => {
                        let why = format!("{} asked for a change: {modify}", answer.by);
                        (Plan { revision, ..next }, why)
                    }
                    Err(why) => {
                        wishes.pop();
                        (Plan { revision, ..plan }, format!("{REFUSED}{why}"))
                    }
                }
            }
            Reply::Edited { plan: edited } => {
                let edited = settled(&plan, *edited);
                match edited.dag() {
                    Ok(_) => (Plan { revision, ..edited }, format!("{} edited it", answer.by)),
                    Err(error) => (Plan { revision, ..plan }, format!("{REFUSED}{error}")),
                }
            }
        };
    }
}

/// The key of the question that approves exactly this plan.
pub fn question_key(plan: &Plan) -> String {
    format!("approve-{}-{}", plan.revision, plan.hash())
}

fn question(plan: &Plan) -> Question {
    let names: Vec<String> = plan.dimensions.iter().map(|dimension| dimension.name.clone()).collect();
    let text = format!(
        "Plan {}: {} on {}. Start the research? (yes, abort, or {{\"modify\": \"what to change\"}})",
        plan.revision,
        count(plan.estimate(), "task"),
        names.join("; ")
    );
    let schema = json!({"anyOf": [
        {"enum": ["yes", "abort"]},
        {"type": "object", "required": ["modify"], "additionalProperties": false,
         "properties": {"modify": {"type": "string", "minLength": 1}}},
        {"type": "object", "required": ["plan"], "additionalProperties": false,
         "properties": {"plan": {"type": "object"}}}
    ]});
    Question::new(text, schema)
}

/// The headings a first search finds, to show a model what words the documents use; rules have no use for them.
async fn survey(cx: &Cx<Research>, brief: &Brief) -> Result<Vec<String>, Fault> {
    if brief.docs.is_empty() {
        return Ok(Vec::new());
    }
    cx.step("prepare", &PrepareDocs { folders: brief.docs.clone() }).await?;
    if brief.roles.planner.chain.is_empty() || brief.plan.is_some() {
        return Ok(Vec::new());
    }
    let found = cx.step("survey", &SearchDocs::of(&brief.scope(), &brief.topic)).await?;
    let mut headings: Vec<String> = Vec::new();
    for candidate in found.leads.iter().flat_map(|lead| &lead.candidates) {
        let last = candidate.heading.rsplit(['>', '›', '/']).next().unwrap_or("").trim().to_owned();
        if !last.is_empty() && !headings.contains(&last) {
            headings.push(last);
        }
    }
    Ok(headings)
}

/// The plan with the last of the wishes carried out, or why it is not. Rules carry out what they understand; where a
/// model plans, what they do not understand is for the model, and what adds to the plan is worded by it.
async fn revised(
    cx: &Cx<Research>,
    brief: &Brief,
    headings: &[String],
    plan: &Plan,
    wishes: &[String],
) -> Result<Result<Plan, String>, Fault> {
    let wish = wishes.last().map_or("", String::as_str);
    let by_rules = granted(plan, wish);
    let adds = |next: &Plan| next.dimensions.iter().any(|it| !plan.dimensions.contains(it));
    if brief.roles.planner.chain.is_empty() || by_rules.as_ref().is_ok_and(|next| !adds(next)) {
        return Ok(by_rules);
    }
    let mut next = draft(cx, brief, headings, wishes, plan.revision + 1).await?;
    keep_out(&mut next, &plan.exclusions);
    Ok(Ok(next))
}

async fn draft(
    cx: &Cx<Research>,
    brief: &Brief,
    headings: &[String],
    wishes: &[String],
    revision: u32,
) -> Result<Plan, Fault> {
    let input = ToPlan {
        topic: brief.question(),
        // Every part of the question has a dimension at any depth.
        most: brief.depth.dimensions().max(clauses(&brief.topic).len() + wishes.len()),
        headings: headings.to_vec(),
        feedback: wishes.to_vec(),
    };
    let key = format!("plan-{revision}");
    let answer =
        ask::<PlanResearch, _>(cx, &brief.roles.planner, Ask::new(&key, &input, brief.material())).await?;
    let dimensions = answer.output.dimensions.into_iter().map(Dimension::from).collect();
    Ok(Plan { revision, ..Plan::of(&brief.topic, dimensions, answer.by.name()) })
}
