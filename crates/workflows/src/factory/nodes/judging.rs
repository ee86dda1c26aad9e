//! The architect's verdict after the rules have spoken: a model may only make it worse, and a person may overrule it with a
//! reason. Both stand in the assessment.

use baton_agents::skill::Answerer;
use baton_engine::{Cx, Fault, Question};
use serde_json::json;

use super::workshop;
use crate::asking::{Ask, Material, ask};
use crate::factory::data::{Assessment, Health, Overruled, SecondVerdict};
use crate::factory::plan::Verdicts;
use crate::factory::skills::assess_phase::{AssessPhase, Standing, ToAssess};
use crate::factory::{Factory, Memory};
use crate::git::ReadDiff;

/// The words by which a person overrules, and what they mean.
const WORDS: [(&str, Health); 3] = [
    ("on track", Health::OnTrack),
    ("needs adjustment", Health::NeedsAdjustment),
    ("off track", Health::OffTrack),
];

/// The verdict that counts.
pub async fn judged(cx: &Cx<Factory>, assessment: Assessment) -> Result<Assessment, Fault> {
    let assessment = by_model(cx, assessment).await?;
    by_person(cx, assessment).await
}

async fn by_model(cx: &Cx<Factory>, assessment: Assessment) -> Result<Assessment, Fault> {
    let Some(role) = cx.read(|memory| memory.order.architect.clone()) else { return Ok(assessment) };
    if role.chain.is_empty() {
        let why = "no model is configured for the role".to_owned();
        return Ok(assessment.seconded(SecondVerdict::missing(&role.name, why)));
    }
    let folder = workshop(cx);
    let diff = cx.read(|memory| ReadDiff {
        workshop: folder,
        base: memory.phase_base.clone(),
        tip: memory.line.clone(),
    });
    let diff = cx.step("phase-diff", &diff).await?;
    let changes = diff.files.iter().map(|file| (file.path.clone(), file.patch(&file.hunks))).collect();
    let input = cx.read(|memory| to_assess(memory, &assessment, changes));
    // A project is its owner's document.
    let asked = ask::<AssessPhase, _>(cx, &role, Ask::new("architect", &input, Material::Documents)).await;
    let second = match asked {
        Ok(answer) => match answer.by {
            Answerer::Rules => {
                let why = answer.note.unwrap_or_else(|| "no model gave a good answer".to_owned());
                SecondVerdict::missing(&role.name, why)
            }
            by => SecondVerdict {
                by: by.name().to_owned(),
                health: Some(match answer.output.health {
                    Standing::OnTrack => Health::OnTrack,
                    Standing::NeedsAdjustment => Health::NeedsAdjustment,
                    Standing::OffTrack => Health::OffTrack,
                }),
                grounds: answer.output.grounds,
            },
        },
        Err(Fault::Unavailable(why)) => SecondVerdict::missing(&role.name, why),
        Err(Fault::Budget { short, .. }) => SecondVerdict::missing(&role.name, short.to_string()),
        Err(fault) => return Err(fault),
    };
    Ok(assessment.seconded(second))
}

fn to_assess(memory: &Memory, assessment: &Assessment, changes: Vec<(String, String)>) -> ToAssess {
    let here = || memory.in_order().filter(|effort| effort.phase == memory.phase);
    ToAssess {
        title: memory.plan.title.clone(),
        phase: memory.plan.phases.get(memory.phase).map(|phase| phase.name.clone()).unwrap_or_default(),
        health: match assessment.health {
            Health::OnTrack => Standing::OnTrack,
            Health::NeedsAdjustment => Standing::NeedsAdjustment,
            Health::OffTrack => Standing::OffTrack,
        },
        grounds: assessment.grounds.iter().chain(&assessment.missing).cloned().collect(),
        efforts: here().map(|effort| format!("{}: {}", effort.plan.name, effort.plan.task.trim())).collect(),
        findings: here().flat_map(|effort| effort.findings.iter().map(ToString::to_string)).collect(),
        changes,
    }
}

/// Lets a person overrule what is not on track: always if the plan says so, otherwise where questions are asked at all.
async fn by_person(cx: &Cx<Factory>, assessment: Assessment) -> Result<Assessment, Fault> {
    let asks = cx.read(|memory| match memory.plan.policy.verdict {
        Some(Verdicts::Ask) => true,
        Some(Verdicts::Stands) => false,
        None => !memory.order.yes,
    });
    if !asks || assessment.health == Health::OnTrack {
        return Ok(assessment);
    }
    let why: Vec<&str> = assessment.grounds.iter().chain(&assessment.missing).map(String::as_str).collect();
    let text = format!(
        "Phase {} is {}: {}. Type `accept`, or overrule it with a reason: `on track: REASON`, `needs adjustment: \
         REASON` or `off track: REASON`.",
        assessment.phase,
        assessment.health.word(),
        why.join("; ")
    );
    let pattern = "^\\s*(accept|(on track|needs adjustment|off track):\\s*\\S[\\s\\S]*)$";
    let question = Question::new(text, json!({"type": "string", "pattern": pattern}));
    let answer = cx.ask::<String>("verdict", question).await?;
    let said = answer.value.trim();
    let overruled = WORDS.iter().find_map(|(word, health)| {
        let reason = said.strip_prefix(word)?.strip_prefix(':')?.trim();
        Some((*health, reason.to_owned()))
    });
    Ok(match overruled {
        None => assessment,
        Some((health, reason)) => {
            let was = assessment.health;
            let overruled = Some(Overruled { by: answer.by, reason, was });
            Assessment { health, overruled, ..assessment }
        }
    })
}
