//! Merging efforts onto a commit, one after the other: a candidate is made, gated, and only then counts.

use baton_engine::{Cx, Fault};

use super::{date, workshop};
use crate::coding::{Gate, GateResult, RunGate};
use crate::factory::{EffortState, Factory, Issue};
use crate::git::{Candidate, Merged};

/// Where a line of merges stands.
#[derive(Clone)]
pub struct Line {
    pub commit: String,
    pub tree: String,
}

/// What became of one merge.
pub enum Outcome {
    /// It may be taken.
    Good(Line),
    /// It is in there already.
    Contained,
    /// It may not.
    Bad(Issue),
}

/// Tries to merge an effort onto a line. Nothing moves.
pub async fn candidate(cx: &Cx<Factory>, line: &Line, effort: &EffortState) -> Result<Outcome, Fault> {
    let id = &effort.plan.id;
    let issue =
        |kind: &str, what: String| Outcome::Bad(Issue { effort: id.clone(), kind: kind.to_owned(), what });
    if effort.reviewed_commit != effort.tip {
        return Ok(issue("verdict", "its newest commit was not reviewed".to_owned()));
    }
    let (workshop, at) = (workshop(cx), date(cx));
    let act = cx.read(|memory| Candidate {
        workshop: workshop.clone(),
        onto: line.commit.clone(),
        onto_tree: line.tree.clone(),
        tip: effort.tip.clone(),
        message: format!("Merge {}\n\n{}\n\nBaton-Effort: {id}\n", effort.branch, effort.plan.name),
        at,
        committer: memory.order.committer.clone(),
    });
    let line = match cx.step(format!("merge-{id}-{at}"), &act).await? {
        Merged::Clean { commit, tree } => Line { commit, tree },
        Merged::Contained => return Ok(Outcome::Contained),
        Merged::Conflict { files } => {
            return Ok(issue("conflict", format!("merging it conflicts in {}", files.join(", "))));
        }
    };
    let gates = cx.read(|memory| memory.plan.gates_named(&effort.plan.gates));
    let said = gate_all(cx, &format!("gate-{id}"), &line.tree, &gates).await?;
    Ok(match said.iter().find(|said| !said.passed()) {
        Some(failed) => issue("gate", format!("merged with the others, {}", failed.told())),
        None => Outcome::Good(line),
    })
}

/// Runs gates on a tree, one after the other, to the first that fails.
pub async fn gate_all(
    cx: &Cx<Factory>,
    name: &str,
    tree: &str,
    gates: &[Gate],
) -> Result<Vec<GateResult>, Fault> {
    let workshop = workshop(cx);
    let sandbox = cx.read(|memory| memory.plan.policy.sandbox);
    let mut said = Vec::new();
    for (number, gate) in gates.iter().enumerate() {
        let act = RunGate { workshop: workshop.clone(), tree: tree.to_owned(), gate: gate.clone(), sandbox };
        let result = cx.step(format!("{name}-{number}"), &act).await?;
        let passed = result.passed();
        said.push(result);
        if !passed {
            break;
        }
    }
    Ok(said)
}
