//! Reviewers beside the rules: a model, an agent, or both. They are asked only about what rules and gates let through, they
//! can add findings and nothing else, and one that cannot be asked or does not answer soundly makes the verdict weaker.

use baton_agents::skill::Answerer;
use baton_engine::{Cx, Fault};

use super::turn::{afford, review_request};
use crate::asking::{Ask, Material, ask};
use crate::coding::order::{Finding, Severity};
use crate::coding::{Cost, Opinion, RunReview, shown_change};
use crate::effort::Effort;
use crate::effort::skills::review_change::{Change, ChangedFile, Found, ReviewChange, Weight};
use crate::git::{Diff, DiffFile};

/// What everybody says who was asked.
pub async fn opinions(cx: &Cx<Effort>, diff: &Diff, tree: &str) -> Result<Vec<Opinion>, Fault> {
    let mut said = Vec::new();
    said.extend(by_model(cx, diff, tree).await?);
    said.extend(by_agent(cx, diff, tree).await?);
    Ok(said)
}

async fn by_model(cx: &Cx<Effort>, diff: &Diff, tree: &str) -> Result<Option<Opinion>, Fault> {
    let (judge, task) = cx.read(|memory| (memory.order.judge.clone(), memory.order.task.clone()));
    let Some(role) = judge else { return Ok(None) };
    if role.chain.is_empty() {
        let why = "no model is configured for the role";
        return Ok(Some(Opinion::missing(&role.name, tree, why)));
    }
    let files = diff.files.iter().map(|file| ChangedFile { path: file.path.clone(), patch: patch(file) });
    let input = Change { task, files: files.collect() };
    // A project is its owner's document.
    let asked = ask::<ReviewChange, _>(cx, &role, Ask::new("judge", &input, Material::Documents)).await;
    Ok(Some(match asked {
        Ok(answer) => match answer.by {
            Answerer::Rules => {
                let why = answer.note.unwrap_or_else(|| "no model gave a good answer".to_owned());
                Opinion::missing(&role.name, tree, why)
            }
            by => found(answer.output, by.name(), tree),
        },
        Err(Fault::Unavailable(why)) => Opinion::missing(&role.name, tree, why),
        Err(Fault::Budget { short, .. }) => {
            Opinion::missing(&role.name, tree, format!("the budget does not allow it ({short})"))
        }
        Err(fault) => return Err(fault),
    }))
}

fn found(found: Found, by: &str, tree: &str) -> Opinion {
    let finding = |thing: crate::effort::skills::review_change::FoundThing| Finding {
        rule: thing.rule,
        severity: match thing.severity {
            Weight::Minor => Severity::Minor,
            Weight::Major => Severity::Major,
            Weight::Blocker => Severity::Blocker,
        },
        path: thing.path,
        what: thing.what,
        by: by.to_owned(),
    };
    let findings = found.findings.into_iter().map(finding).collect();
    Opinion {
        by: by.to_owned(),
        tree: tree.to_owned(),
        findings,
        health: None,
        doubt: None,
        cost: Cost::Free,
    }
}

async fn by_agent(cx: &Cx<Effort>, diff: &Diff, tree: &str) -> Result<Option<Opinion>, Fault> {
    let Some(agent) = cx.read(|memory| memory.order.reviewer.clone()) else { return Ok(None) };
    let micro_usd = match afford(cx, &agent) {
        Ok(micro_usd) => micro_usd,
        Err(why) => return Ok(Some(Opinion::missing(&agent.name, tree, why))),
    };
    let prompt = cx.read(|memory| {
        let mut text = include_str!("../prompts/agent_review.md").to_owned();
        text.push_str(&format!(
            "\n## The task of the change\n\n{}\n\n## The change\n\n",
            memory.order.task.trim()
        ));
        text.push_str(&shown_change(diff));
        text
    });
    let Some(request) = cx.read(|memory| review_request(memory, (agent, "review"), prompt, micro_usd)) else {
        return Ok(None);
    };
    let changed = diff.files.iter().flat_map(|file| std::iter::once(&file.path).chain(&file.old_path));
    let act = RunReview {
        request,
        tree: tree.to_owned(),
        changed: changed.cloned().collect(),
        verdict: false,
        micro_usd,
    };
    Ok(Some(cx.step("review", &act).await?))
}

fn patch(file: &DiffFile) -> String {
    file.patch(&file.hunks)
}
