//! MONITOR: looks whether everything is where the journal says, begins the efforts of the wave, and waits for them.

use baton_engine::{Cx, Fault};

use super::{crew, noticing, workshop};
use crate::factory::{EffortStatus, Event, Factory, Issue, architect};
use crate::git::{Reconcile, Standing};

pub async fn run(cx: Cx<Factory>) -> Result<Event, Fault> {
    noticing::look(&cx, noticing::Moment::Wave).await?;
    let workshop = workshop(&cx);
    let act = cx.read(|memory| Reconcile {
        workshop,
        efforts: memory
            .present()
            .into_iter()
            .filter(|effort| {
                effort.is_open() && !effort.tip.is_empty() && effort.status != EffortStatus::Planned
            })
            .map(|effort| (effort.plan.id.clone(), effort.branch.clone(), effort.tip.clone()))
            .collect(),
    });
    if !act.efforts.is_empty() {
        let found = cx.step("reconcile", &act).await?;
        let strangers = found.strangers.iter();
        let strangers: Vec<&String> =
            cx.read(|memory| strangers.filter(|name| !memory.efforts.contains_key(*name)).collect());
        for stranger in strangers {
            let what = format!("the worktree {stranger} belongs to no effort; it is left alone");
            cx.emit(Event::Noticed { what, plan: None }).await?;
        }
        for (effort, standing) in &found.efforts {
            if let Standing::Lost { tip } = standing {
                let there = if tip.is_empty() { "is gone" } else { "holds something else" };
                cx.emit(Event::Noticed { what: format!("the branch of {effort} {there}"), plan: None })
                    .await?;
            }
        }
    }
    let ids: Vec<String> =
        cx.read(|memory| memory.present().into_iter().map(|effort| effort.plan.id.clone()).collect());
    if let Some(why) = crew::work_or_ask(&cx, &ids).await? {
        return Ok(Event::Abandon { why: format!("the budget is used up: {why}") });
    }
    let at = cx.now().0;
    Ok(cx.read(|memory| {
        let here = memory.present();
        let of = |status: EffortStatus| here.iter().filter(move |effort| effort.status == status);
        let is_cut = |id: &str| memory.efforts.values().any(|effort| effort.part_of.as_deref() == Some(id));
        let large: Vec<String> = of(EffortStatus::Superseded)
            .filter(|effort| effort.part_of.is_none() && !effort.parts.is_empty())
            .filter(|effort| {
                let first = effort.parts.first().map(|part| format!("{}..{}", part.from, part.to));
                !is_cut(&effort.plan.id) || !architect::has_part(memory, &effort.plan.id, first.as_deref())
            })
            .map(|effort| effort.plan.id.clone())
            .collect();
        if !large.is_empty() {
            return Event::SizeViolation { efforts: large };
        }
        let failed = of(EffortStatus::Failed).map(|effort| Issue {
            effort: effort.plan.id.clone(),
            kind: "failed".to_owned(),
            what: effort.told.join("\n"),
        });
        let mut issues: Vec<Issue> = failed.collect();
        let nobody_failed = issues.is_empty();
        // A part whose predecessor failed never began.
        issues.extend(of(EffortStatus::Planned).filter(|_| nobody_failed).map(|effort| Issue {
            effort: effort.plan.id.clone(),
            kind: "failed".to_owned(),
            what: "it did not begin".to_owned(),
        }));
        if !issues.is_empty() {
            return Event::IssuesFound { issues };
        }
        match architect::debt_exceeded(memory, at) {
            Some(assessment) => Event::DebtExceeded { assessment },
            None => Event::AllComplete,
        }
    }))
}
