//! SPLITTING: cuts what is too large into parts that come one after the other, each small enough and each passing the
//! gates with those before it. Parts that only pass together become one, as long as that one is small enough.

use baton_engine::{Cx, Fault};

use crate::coding::RunGate;
use crate::coding::order::SplitPart;
use crate::effort::{Effort, Event, split};
use crate::git::{CutParts, PartSpec, ReadDiff};

pub async fn run(cx: Cx<Effort>) -> Result<Event, Fault> {
    let order = cx.read(|memory| memory.order.clone());
    let tip = cx.read(|memory| memory.tip.clone());
    let diff =
        ReadDiff { workshop: order.workshop.clone().into(), base: order.base.clone(), tip: tip.clone() };
    let diff = cx.step("diff", &diff).await?;
    let mut specs = match split::parts(&diff, &order.size, &order.tests) {
        Ok(specs) => specs,
        Err(why) => return Ok(Event::CannotSplit { why }),
    };
    for round in 0..=specs.len() {
        let at = cx.now().0 / 1000;
        let cut = CutParts {
            workshop: order.workshop.clone().into(),
            effort: order.effort.clone(),
            base: order.base.clone(),
            tip: tip.clone(),
            parts: specs.clone(),
            at,
            committer: order.committer.clone(),
        };
        let parts = cx.step(format!("cut-{round}-{at}"), &cut).await?;
        let Some(failing) = first_failing(&cx, round, &parts).await? else {
            return Ok(Event::SplitPlanned { parts });
        };
        match joined(specs, failing, order.size.hard) {
            Ok(fewer) => specs = fewer,
            Err(why) => return Ok(Event::CannotSplit { why }),
        }
    }
    Ok(Event::CannotSplit { why: "no cut of it passes its gates".to_owned() })
}

/// The first part with which the gates do not pass.
async fn first_failing(cx: &Cx<Effort>, round: usize, parts: &[SplitPart]) -> Result<Option<usize>, Fault> {
    let order = cx.read(|memory| memory.order.clone());
    // The last one is the whole, which a reviewer judges.
    for (at, part) in parts.iter().enumerate().take(parts.len().saturating_sub(1)) {
        for gate in &order.gates {
            let act = RunGate {
                workshop: order.workshop.clone().into(),
                tree: part.tree.clone(),
                gate: gate.clone(),
                sandbox: order.sandbox,
            };
            let said = cx.step(format!("gate-{round}-{at}-{}", gate.name), &act).await?;
            if !said.passed() {
                return Ok(Some(at));
            }
        }
    }
    Ok(None)
}

/// The same parts with one of them and the next as one.
fn joined(mut specs: Vec<PartSpec>, at: usize, hard: u64) -> Result<Vec<PartSpec>, String> {
    if at + 1 >= specs.len() {
        return Err("its parts do not pass the gates".to_owned());
    }
    let next = specs.remove(at + 1);
    let part = &mut specs[at];
    part.files.extend(next.files);
    part.patches.extend(next.patches);
    part.lines += next.lines;
    if part.lines > hard {
        return Err(format!("parts of at most {hard} lines do not pass the gates"));
    }
    Ok(specs)
}
