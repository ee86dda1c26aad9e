//! The last words about a build that rests: what was merged and where it is, or why there is nothing.

use baton_machine::Outcome;
use baton_workflows::factory::{EffortStatus, Factory, Memory};
use serde::Serialize;

use crate::detail::Detail;
use crate::page::{Ink, Page, inked, plain};
use crate::presenter::Closing;
use crate::program::Program;
use crate::standing::{Standing, outcome_name};
use crate::text::count;
use crate::trouble::Trouble;

/// The figures of a build, by the names programs know.
#[derive(Debug, Serialize)]
struct Figures {
    /// `completed` or `failed`.
    outcome: &'static str,
    /// Efforts that were done, parts instead of what was split.
    efforts: usize,
    merged: usize,
    splits: u32,
    adjustments: u32,
    recoveries: u32,
    resets: u32,
    technical_debt: u64,
    health: &'static str,
    /// Where the result is.
    delivered: Option<String>,
    /// The commit that was delivered, or would have been.
    commit: String,
    workshop: String,
    /// Why it was abandoned, if it was.
    because: Option<String>,
    cost_usd: f64,
    /// Turns and reviews whose cost nobody knows; they are in it at their reservation.
    unknown_costs: u64,
}

#[derive(Serialize)]
struct Both<'a> {
    #[serde(flatten)]
    detail: &'a Detail,
    #[serde(flatten)]
    figures: &'a Figures,
}

/// The last words about a run; none if it is no build, or is not over.
pub fn closing(_program: &Program, detail: &Detail) -> Result<Option<Closing>, Trouble> {
    let memory = detail.present.as_ref().and_then(|present| present.memory_of::<Factory>());
    let (Standing::Finished(outcome), Some(memory)) = (detail.run.standing, memory) else { return Ok(None) };
    let figures = figures(detail, &memory, outcome);
    let value = serde_json::to_value(Both { detail, figures: &figures })
        .map_err(|error| Trouble::Print(error.into()))?;
    Ok(Some(Closing { value, page: page(detail, &memory, &figures), exit: None }))
}

fn figures(detail: &Detail, memory: &Memory, outcome: Outcome) -> Figures {
    let of = |status: EffortStatus| memory.efforts.values().filter(|it| it.status == status).count();
    let spent = detail.present.as_ref().map_or(0, |present| present.purse.spent.micro_usd);
    Figures {
        outcome: outcome_name(outcome),
        efforts: memory.efforts.len() - of(EffortStatus::Superseded),
        merged: of(EffortStatus::Merged),
        splits: memory.splits,
        adjustments: memory.adjustments.values().sum(),
        recoveries: memory.recoveries,
        resets: memory.resets,
        technical_debt: memory.debt(),
        health: memory.health.word(),
        delivered: memory.delivered.as_ref().map(|delivered| delivered.at.clone()),
        commit: memory.line.clone(),
        workshop: format!("{}/{}", memory.order.workshops, detail.run.run),
        because: (!memory.why.is_empty()).then(|| memory.why.clone()),
        cost_usd: spent as f64 / 1e6,
        unknown_costs: memory.efforts.values().map(|effort| effort.unknown_costs).sum(),
    }
}

fn page(detail: &Detail, memory: &Memory, figures: &Figures) -> Page {
    let mut page = Page::default();
    let Some(delivered) = &memory.delivered else {
        let why = if memory.why.is_empty() { &memory.trigger } else { &memory.why };
        page.line([inked(Ink::Bad, format!("Abandoned: {why}."))]);
        page.field("delivered", plain("nothing"));
        page.field(
            "kept",
            plain(format!(
                "{} and {}",
                count(figures.merged, "merged effort"),
                count(memory.checkpoints.len(), "checkpoint")
            )),
        );
        page.line([inked(Ink::Faint, "To look at it:")]);
        page.command(&format!(
            "git fetch {}/repo.git '+refs/*:refs/baton/{}/*'",
            figures.workshop, detail.run.run
        ));
        return page;
    };
    page.field("delivered", inked(Ink::Good, &delivered.at));
    let mut done = vec![format!("{} of {} merged", figures.merged, count(figures.efforts, "effort"))];
    let more = [
        (figures.splits, "split", "splits"),
        (figures.adjustments, "adjustment", "adjustments"),
        (figures.recoveries, "recovery", "recoveries"),
        (figures.resets, "reset", "resets"),
    ];
    for (many, one, several) in more.into_iter().filter(|(many, ..)| *many > 0) {
        done.push(format!("{many} {}", if many == 1 { one } else { several }));
    }
    page.field("efforts", plain(done.join(", ")));
    page.field("debt", plain(format!("{} of {}", figures.technical_debt, memory.plan.policy.debt)));
    page.field("files", plain(detail.folder.display().to_string()));
    let unknown = match figures.unknown_costs {
        0 => String::new(),
        many => {
            format!(" (the cost of {} is not known and is charged as reserved)", count(many as usize, "turn"))
        }
    };
    page.field("spent", plain(format!("{}{unknown}, {}", detail.spent(), detail.took())));
    page.line([inked(Ink::Faint, "Next:")]);
    page.command(&delivered.see);
    page
}
