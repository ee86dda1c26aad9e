//! What is behind it when plan and project have parted, and the ways out.

use super::architect::{self, first_line};
use super::data::{Analysis, RecoveryOption, Strategy, Way};
use super::efforts::EffortStatus;
use super::memory::Memory;
use super::plan::EffortPlan;

/// How far plan and project have parted.
pub fn analyse(memory: &Memory, missing: Vec<String>, asked: usize, files: u64) -> Analysis {
    let here = || memory.in_order().filter(|effort| effort.phase == memory.phase);
    let unmerged: Vec<String> =
        here().filter(|effort| effort.is_open()).map(|effort| effort.plan.id.clone()).collect();
    let inventory: Vec<_> = memory.efforts.values().flat_map(|effort| effort.findings.clone()).collect();
    let mut causes = Vec::new();
    for effort in here() {
        if effort.tries > 1 {
            causes.push(format!("{} was tried {} times", effort.plan.id, effort.tries));
        }
        if effort.status == EffortStatus::Failed {
            let why = effort.told.first().and_then(|told| told.lines().next()).unwrap_or("it failed");
            causes.push(format!("{} failed: {why}", effort.plan.id));
        }
    }
    if unmerged.is_empty() && !missing.is_empty() {
        causes.push(
            "every effort did its part, and together they do not bring what the phase was to bring"
                .to_owned(),
        );
    }
    let mut risks = Vec::new();
    let mut risk = |what: &str, likely: &str, bad: &str| {
        risks.push((what.to_owned(), likely.to_owned(), bad.to_owned()));
    };
    if !missing.is_empty() {
        risk("later phases build on what is missing", "high", "high");
    }
    if !unmerged.is_empty() {
        risk("unmerged work goes stale", "medium", "medium");
    }
    if memory.debt() * 2 > memory.plan.policy.debt {
        risk("debt keeps growing", "medium", "medium");
    }
    if memory.recoveries > 0 {
        risk("the recovery fails again", "medium", "high");
    }
    Analysis {
        number: memory.reviews,
        trigger: memory.trigger.clone(),
        complete: (asked.saturating_sub(missing.len()), asked),
        missing,
        unmerged,
        files: (files, 0),
        debt: memory.debt(),
        inventory,
        causes,
        risks,
    }
}

/// Efforts that could mend it: those the plan has for this, or one for a person where the plan has an agent for that.
pub fn efforts(memory: &Memory, option: RecoveryOption) -> Vec<EffortPlan> {
    let planned =
        memory.plan.phases.get(memory.phase).map(|phase| phase.recovery.clone()).unwrap_or_default();
    let mut fresh: Vec<EffortPlan> =
        planned.into_iter().filter(|effort| !memory.efforts.contains_key(&effort.id)).collect();
    let has_person = memory.plan.agents.iter().any(|agent| agent.kind == "person");
    if fresh.is_empty() && has_person {
        let missing = memory.analysis.as_ref().map(|analysis| analysis.missing.clone()).unwrap_or_default();
        let id = format!("recovery-{}-{}", memory.phase + 1, memory.recoveries.max(1));
        fresh.push(architect::for_a_person(memory, id, "What has to be mended", &missing));
    }
    // The first mends what is critical; the rest is for those who want more.
    if option == RecoveryOption::Minimal {
        fresh.truncate(1);
    }
    fresh
}

/// The ways out.
pub fn ways(memory: &Memory) -> Strategy {
    let name = |efforts: &[EffortPlan]| efforts.iter().map(|effort| effort.id.clone()).collect::<Vec<_>>();
    let (minimal, standard) =
        (efforts(memory, RecoveryOption::Minimal), efforts(memory, RecoveryOption::Standard));
    let none = "the plan has no recovery effort left and no person".to_owned();
    let obstacle = |efforts: &[EffortPlan]| if efforts.is_empty() { none.clone() } else { String::new() };
    let here: Vec<String> = memory
        .in_order()
        .filter(|effort| effort.phase == memory.phase && effort.wave.is_some() && effort.part_of.is_none())
        .map(|effort| effort.plan.id.clone())
        .collect();
    // The same recipes from the same base give the same result.
    let only_recipes = here.iter().all(|id| {
        memory.efforts.get(id).is_some_and(|effort| memory.plan.agent(&effort.plan.agent).kind == "recipe")
    });
    let ways = vec![
        Way {
            option: RecoveryOption::Minimal,
            efforts: name(&minimal),
            benefit: "little changes, and it is quick".to_owned(),
            risk: "what is only bad stays".to_owned(),
            from: memory.line.clone(),
            obstacle: obstacle(&minimal),
        },
        Way {
            option: RecoveryOption::Standard,
            efforts: name(&standard),
            benefit: "everything that was foreseen is mended".to_owned(),
            risk: "more to review".to_owned(),
            from: memory.line.clone(),
            obstacle: obstacle(&standard),
        },
        Way {
            option: RecoveryOption::Complete,
            efforts: here,
            benefit: "nothing of the phase stays that is not done again".to_owned(),
            risk: "all its work is done again".to_owned(),
            from: memory.phase_base.clone(),
            obstacle: if only_recipes {
                "the phase is done by recipes, which would do the same again".to_owned()
            } else {
                String::new()
            },
        },
    ];
    let open =
        |option: RecoveryOption| ways.iter().any(|way| way.option == option && way.obstacle.is_empty());
    let recommended = [RecoveryOption::Standard, RecoveryOption::Minimal, RecoveryOption::Complete]
        .into_iter()
        .find(|option| open(*option));
    let missing = memory.analysis.iter().flat_map(|analysis| &analysis.missing);
    let mut criteria: Vec<String> = missing.map(|what| format!("no longer: {}", first_line(what))).collect();
    criteria.push("every gate passes on the recovered tree".to_owned());
    criteria.push(format!("the debt is at most {}", memory.plan.policy.debt));
    Strategy { ways, recommended, criteria }
}
