//! PLANNING: drafts a plan and asks for a yes, until there is one. Every revision is a question of its own, so a
//! yes to an older one finds no question.

use baton_engine::{Cx, Fault, Question};
use serde::Deserialize;
use serde_json::json;

use crate::asking::{Ask, ask};
use crate::markup::count;
use crate::research::plan::{Dimension, Plan};
use crate::research::skills::plan::{Part, PlanResearch, ToPlan, clauses};
use crate::research::{Approval, Brief, Event, Research};
use crate::retrieval::{PrepareDocs, SearchDocs};

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
                let next = draft(&cx, &brief, &headings, &wishes, revision).await?;
                (next, format!("{} asked for a change: {modify}", answer.by))
            }
            Reply::Edited { plan: edited } => match edited.dag() {
                Ok(_) => (Plan { revision, ..*edited }, format!("{} edited it", answer.by)),
                Err(error) => (Plan { revision, ..plan }, format!("an edited plan was refused: {error}")),
            },
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

async fn draft(
    cx: &Cx<Research>,
    brief: &Brief,
    headings: &[String],
    wishes: &[String],
    revision: u32,
) -> Result<Plan, Fault> {
    let (keep, without): (Vec<&String>, Vec<&String>) =
        wishes.iter().partition(|wish| removal(wish).is_none());
    let input = ToPlan {
        topic: brief.question(),
        // Every part of the question has a dimension at any depth.
        most: brief.depth.dimensions().max(clauses(&brief.topic).len() + keep.len()),
        headings: headings.to_vec(),
        feedback: keep.into_iter().cloned().collect(),
    };
    let key = format!("plan-{revision}");
    let answer =
        ask::<PlanResearch, _>(cx, &brief.roles.planner, Ask::new(&key, &input, brief.material())).await?;
    let mut dimensions: Vec<Dimension> = answer.output.dimensions.into_iter().map(dimension).collect();
    let mut exclusions = Vec::new();
    for what in without.into_iter().filter_map(|wish| removal(wish)) {
        if dimensions.len() > 1 {
            dimensions.retain(|it| !it.name.to_lowercase().contains(&what));
        }
        exclusions.push(what);
    }
    let mut plan = Plan::of(&brief.topic, dimensions, answer.by.name());
    plan.exclusions = exclusions;
    plan.revision = revision;
    Ok(plan)
}

fn dimension(part: Part) -> Dimension {
    Dimension { name: part.name, question: part.question, focus: part.focus }
}

/// What a wish wants gone: "without X", "drop X", "remove X".
fn removal(wish: &str) -> Option<String> {
    let plain = wish.trim().trim_end_matches('.').to_lowercase();
    let openers = ["without ", "drop ", "remove ", "leave out "];
    openers.iter().find_map(|opener| plain.strip_prefix(opener).map(str::to_owned))
}
