//! HANDLE_SPLITS: the parts of an effort that was too large take its place, one after the other; the whole is kept and
//! never integrated.

use baton_engine::{Cx, Fault};

use super::workshop;
use crate::factory::{EffortStatus, Event, Factory, architect};
use crate::git::Keep;

pub async fn run(cx: Cx<Factory>) -> Result<Event, Fault> {
    let workshop = workshop(&cx);
    let whole: Vec<(String, String, String)> = cx.read(|memory| {
        let cut = |effort: &&crate::factory::EffortState| {
            let first = effort.parts.first().map(|part| format!("{}..{}", part.from, part.to));
            effort.status == EffortStatus::Superseded
                && effort.part_of.is_none()
                && !effort.parts.is_empty()
                && !architect::has_part(memory, &effort.plan.id, first.as_deref())
        };
        let here = memory.present().into_iter().filter(cut);
        here.map(|effort| (effort.plan.id.clone(), effort.branch.clone(), effort.tip.clone())).collect()
    });
    let what = whole.iter().map(|(_, branch, tip)| (branch.clone(), tip.clone())).collect();
    cx.step("archive", &Keep { workshop, under: "archive/superseded".to_owned(), what }).await?;
    Ok(Event::SplitsReady { efforts: whole.into_iter().map(|(id, ..)| id).collect() })
}
