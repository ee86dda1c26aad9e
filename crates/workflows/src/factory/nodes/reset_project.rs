//! RESET_PROJECT: the project begins again from its base. Nothing is deleted: every ref is kept under another name.

use baton_engine::{Cx, Fault};

use super::workshop;
use crate::factory::{Event, Factory};
use crate::git::Keep;

pub async fn run(cx: Cx<Factory>) -> Result<Event, Fault> {
    let workshop = workshop(&cx);
    let act = cx.read(|memory| {
        let refs = memory.refs.iter().map(|(name, commit)| (name.replace("refs/heads/", ""), commit.clone()));
        let branches = memory.in_order().filter(|effort| !effort.tip.is_empty());
        let branches = branches.map(|effort| (effort.branch.clone(), effort.tip.clone()));
        let line = std::iter::once(("line".to_owned(), memory.line.clone()));
        Keep {
            workshop,
            under: format!("archive/reset-{}", memory.resets + 1),
            what: refs.chain(branches).chain(line).collect(),
        }
    });
    let refs = cx.step("archive", &act).await?;
    Ok(Event::ProjectReset { refs })
}
