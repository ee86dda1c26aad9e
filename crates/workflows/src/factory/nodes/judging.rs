//! The architect's verdict after the rules have spoken: a model or an agent may only make it worse, and a person may overrule it
//! with a reason. Both stand in the assessment.

use baton_agents::skill::Answerer;
use baton_engine::{Cx, Fault, Hash, Question};
use serde_json::json;

use super::workshop;
use crate::asking::{Ask, Material, ask};
use crate::coding::{AgentSpec, Role, RunReview, Session, TurnLimits, TurnRequest, shown_change};
use crate::factory::architect::first_line;
use crate::factory::data::{Assessment, Health, Overruled, SecondVerdict};
use crate::factory::plan::Verdicts;
use crate::factory::skills::assess_phase::{AssessPhase, ToAssess};
use crate::factory::{Factory, Memory};
use crate::git::{Diff, ReadDiff};
use crate::process::Confinement;

/// The words by which a person overrules, and what they mean.
const WORDS: [(&str, Health); 3] = [
    ("on track", Health::OnTrack),
    ("needs adjustment", Health::NeedsAdjustment),
    ("off track", Health::OffTrack),
];

/// The verdict that counts.
pub async fn judged(cx: &Cx<Factory>, assessment: Assessment) -> Result<Assessment, Fault> {
    let assessment = by_model(cx, assessment).await?;
    let assessment = by_agent(cx, assessment).await?;
    by_person(cx, assessment).await
}

async fn by_model(cx: &Cx<Factory>, assessment: Assessment) -> Result<Assessment, Fault> {
    let Some(role) = cx.read(|memory| memory.order.architect.clone()) else { return Ok(assessment) };
    if role.chain.is_empty() {
        let why = "no model is configured for the role".to_owned();
        return Ok(assessment.seconded(SecondVerdict::missing(&role.name, why)));
    }
    let diff = phase_diff(cx).await?;
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
                health: Some(answer.output.health),
                grounds: answer.output.grounds,
            },
        },
        Err(Fault::Unavailable(why)) => SecondVerdict::missing(&role.name, why),
        Err(Fault::Budget { short, .. }) => SecondVerdict::missing(&role.name, short.to_string()),
        Err(fault) => return Err(fault),
    };
    Ok(assessment.seconded(second))
}

/// What the phase changed.
async fn phase_diff(cx: &Cx<Factory>) -> Result<Diff, Fault> {
    let folder = workshop(cx);
    let diff = cx.read(|memory| ReadDiff {
        workshop: folder,
        base: memory.phase_base.clone(),
        tip: memory.line.clone(),
    });
    cx.step("phase-diff", &diff).await
}

/// An agent of the plan is shown the tree of the phase. Its verdict holds for that tree; what it changes is thrown away.
async fn by_agent(cx: &Cx<Factory>, assessment: Assessment) -> Result<Assessment, Fault> {
    let agent = cx.read(|memory| {
        let name = memory.plan.review.architect_agent.as_ref();
        name.map(|name| memory.plan.agent(name))
    });
    let Some(agent) = agent else { return Ok(assessment) };
    let (purse, limits) = cx.purse();
    let named = cx.read(|memory| memory.plan.budget.turn);
    let micro_usd = match agent.afford(named, &purse, &limits, "the build") {
        Ok(micro_usd) => micro_usd,
        Err(why) => return Ok(assessment.seconded(SecondVerdict::missing(&agent.name, why))),
    };
    let diff = phase_diff(cx).await?;
    let request = request(cx, agent, &assessment, &diff, micro_usd);
    let changed = diff.files.iter().flat_map(|file| std::iter::once(&file.path).chain(&file.old_path));
    let (tree, changed) = (assessment.tree.clone(), changed.cloned().collect());
    let act = RunReview { request, tree, changed, verdict: true, micro_usd };
    let said = cx.step("architect-agent", &act).await?;
    let second = match (said.health, said.doubt) {
        (Some(health), None) => {
            let grounds = said.findings.iter().map(ToString::to_string).collect();
            SecondVerdict { by: said.by, health: Some(health), grounds }
        }
        (_, doubt) => {
            SecondVerdict::missing(&said.by, doubt.unwrap_or_else(|| "it gave no verdict".to_owned()))
        }
    };
    Ok(assessment.seconded(second))
}

fn request(
    cx: &Cx<Factory>,
    agent: AgentSpec,
    assessment: &Assessment,
    diff: &Diff,
    micro_usd: u64,
) -> TurnRequest {
    let (run, visit, folder) = (cx.run(), cx.visit(), workshop(cx));
    let effort = format!("architect-{}-{visit}", assessment.phase);
    cx.read(|memory| TurnRequest {
        prompt: prompt(memory, assessment, diff),
        role: Role::Review,
        attempt: 1,
        // Its checkout is made when it is asked.
        worktree: folder.join("trees").join(&effort),
        base: memory.phase_base.clone(),
        tip: memory.line.clone(),
        work: Vec::new(),
        session: Session::New(Hash::of(format!("{run}/{visit}/architect").as_bytes()).to_string()),
        answers: Vec::new(),
        limits: TurnLimits { micro_usd, ..memory.plan.policy.turn },
        confinement: Confinement {
            sandbox: memory.plan.policy.sandbox,
            writable: Vec::new(),
            network: agent.network,
        },
        workshop: folder.clone(),
        effort: effort.clone(),
        agent,
    })
}

fn prompt(memory: &Memory, assessment: &Assessment, diff: &Diff) -> String {
    let about = to_assess(memory, assessment, Vec::new());
    let list = |title: &str, lines: &[String]| {
        let lines: String = lines.iter().map(|line| format!("- {line}\n")).collect();
        if lines.is_empty() { String::new() } else { format!("\n## {title}\n\n{lines}") }
    };
    format!(
        "{}\nProject: {}\nPhase: {}\nThe rules say: {}\n{}{}{}\n## What the phase changed\n\n{}",
        include_str!("../prompts/agent_architect.md"),
        about.title,
        about.phase,
        assessment.health.word(),
        list("Efforts of the phase", &about.efforts),
        list("What the rules say in detail", &about.grounds),
        list("Open findings", &about.findings),
        shown_change(diff)
    )
}

fn to_assess(memory: &Memory, assessment: &Assessment, changes: Vec<(String, String)>) -> ToAssess {
    let here = || memory.in_order().filter(|effort| effort.phase == memory.phase);
    ToAssess {
        title: memory.plan.title.clone(),
        phase: memory.plan.phases.get(memory.phase).map(|phase| phase.name.clone()).unwrap_or_default(),
        health: assessment.health,
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
    let mut why: Vec<&str> = Vec::new();
    // A command that failed is a ground already.
    for what in assessment.grounds.iter().chain(&assessment.missing).map(|what| first_line(what)) {
        if !why.contains(&what) {
            why.push(what);
        }
    }
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
