//! SPLITTING: cuts what is too large into parts that come one after the other, each small enough and each passing the
//! gates with those before it. An agent may say how, if the plan names one; what it says is held against the change, the
//! limits and the gates, and where it does not hold the rules cut: their parts that only pass together become one, as long as
//! that one is small enough.

use baton_engine::{Cx, Fault};

use super::turn::{afford, review_request};
use crate::coding::order::SplitPart;
use crate::coding::{CutPlan, PlanCut, RunGate, shown_change};
use crate::effort::{Effort, Event, Memory, split};
use crate::git::{CutParts, Diff, PartSpec, ReadDiff};

pub async fn run(cx: Cx<Effort>) -> Result<Event, Fault> {
    let diff = cx.read(|memory| ReadDiff {
        workshop: memory.order.workshop.clone().into(),
        base: memory.order.base.clone(),
        tip: memory.tip.clone(),
    });
    let diff = cx.step("diff", &diff).await?;
    match by_agent(&cx, &diff).await? {
        Planned::Cut { parts, by } => Ok(Event::SplitPlanned { parts, by, note: String::new() }),
        Planned::No(note) => by_rules(&cx, &diff, note).await,
    }
}

/// What came of asking an agent.
enum Planned {
    Cut {
        parts: Vec<SplitPart>,
        by: String,
    },
    /// There is no such cut, because of this; nothing if nobody was asked.
    No(String),
}

async fn by_rules(cx: &Cx<Effort>, diff: &Diff, note: String) -> Result<Event, Fault> {
    let order = cx.read(|memory| memory.order.clone());
    let cannot = |why: String| {
        let why = if note.is_empty() { why } else { format!("{why}; {note}") };
        Ok(Event::CannotSplit { why })
    };
    let mut specs = match split::parts(diff, &order.size, &order.tests) {
        Ok(specs) => specs,
        Err(why) => return cannot(why),
    };
    for round in 0..=specs.len() {
        let parts = cut(cx, &format!("cut-{round}"), &specs).await?;
        let Some(failing) = first_failing(cx, &format!("gate-{round}"), &parts).await? else {
            return Ok(Event::SplitPlanned { parts, by: String::new(), note });
        };
        match joined(specs, failing, order.size.hard) {
            Ok(fewer) => specs = fewer,
            Err(why) => return cannot(why),
        }
    }
    cannot("no cut of it passes its gates".to_owned())
}

async fn by_agent(cx: &Cx<Effort>, diff: &Diff) -> Result<Planned, Fault> {
    let Some(agent) = cx.read(|memory| memory.order.splitter.clone()) else {
        return Ok(Planned::No(String::new()));
    };
    let by = agent.name.clone();
    let no =
        |why: &str| Ok(Planned::No(format!("rules cut it, because the plan of {by} does not hold: {why}")));
    let micro_usd = match afford(cx, &agent) {
        Ok(micro_usd) => micro_usd,
        Err(why) => return no(&why),
    };
    let prompt = cx.read(|memory| prompt(memory, diff));
    let request = cx.read(|memory| review_request(memory, (agent, "split"), prompt, micro_usd));
    let tree = cx.read(|memory| memory.snapped.as_ref().map(|snapped| snapped.tree.clone()));
    let (Some(request), Some(tree)) = (request, tree) else { return no("there is nothing to show it") };
    let plan: CutPlan = cx.step("plan-cut", &PlanCut { request, tree, micro_usd }).await?;
    if let Some(why) = plan.doubt {
        return no(&why);
    }
    let limits = cx.read(|memory| memory.order.size.clone());
    let specs = match split::planned(diff, &limits, &plan.parts) {
        Ok(specs) => specs,
        Err(why) => return no(&why),
    };
    let parts = cut(cx, "cut-planned", &specs).await?;
    match first_failing(cx, "gate-planned", &parts).await? {
        None => Ok(Planned::Cut { parts, by }),
        Some(failing) => no(&format!("with its part {} the gates do not pass", failing + 1)),
    }
}

fn prompt(memory: &Memory, diff: &Diff) -> String {
    let order = &memory.order;
    let gates: Vec<String> = order.gates.iter().map(|gate| format!("- `{}`\n", gate.run)).collect();
    let files: Vec<String> = diff
        .files
        .iter()
        .map(|file| format!("- {} (adds {})\n", file.path, split::added(file, &order.size)))
        .collect();
    format!(
        "{}\n## The task of the change\n\n{}\n\n## Limits\n\nAt most {} added lines for each part, better {}. After each part \
         these must succeed:\n\n{}\n## Changed files\n\n{}\n## The change\n\n{}",
        include_str!("../prompts/agent_split.md"),
        order.task.trim(),
        order.size.hard,
        order.size.soft,
        gates.concat(),
        files.concat(),
        shown_change(diff)
    )
}

/// Makes the commits of a cut.
async fn cut(cx: &Cx<Effort>, name: &str, specs: &[PartSpec]) -> Result<Vec<SplitPart>, Fault> {
    let at = cx.now().0 / 1000;
    let cut = cx.read(|memory| CutParts {
        workshop: memory.order.workshop.clone().into(),
        effort: memory.order.effort.clone(),
        base: memory.order.base.clone(),
        tip: memory.tip.clone(),
        parts: specs.to_vec(),
        at,
        committer: memory.order.committer.clone(),
    });
    cx.step(format!("{name}-{at}"), &cut).await
}

/// The first part with which the gates do not pass.
async fn first_failing(cx: &Cx<Effort>, name: &str, parts: &[SplitPart]) -> Result<Option<usize>, Fault> {
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
            let said = cx.step(format!("{name}-{at}-{}", gate.name), &act).await?;
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
