//! What the folder of an effort shows: the task, the review of its last commit, how it went.

use std::fmt::Write;

use baton_engine::{RunFile, View};
use baton_machine::Word;

use super::{Effort, Memory};
use crate::coding::order::Review;
use crate::coding::{Cost, Role};

pub fn files(view: &View<'_, Effort>) -> Vec<RunFile> {
    let memory = view.memory;
    let mut files = vec![RunFile::text("effort.md", page(memory, view.position.state.name()))];
    files.extend(
        memory.review.as_ref().map(|review| RunFile::text("CODE-REVIEW-REPORT.md", report(memory, review))),
    );
    files
}

fn page(memory: &Memory, state: &str) -> String {
    let order = &memory.order;
    let mut page = format!("# {}\n\n", order.name);
    // Writing to a String cannot fail.
    let _ = writeln!(page, "State: {state}  \nBranch: {}  \nAttempt: {}  ", order.branch, order.attempt);
    let _ = writeln!(
        page,
        "Size: {} added lines (git diff --numstat -M; warned above {}, split above {})  ",
        memory.size.lines, order.size.soft, order.size.hard
    );
    let _ = writeln!(page, "Base: {}  \nNewest commit: {}\n", order.base, memory.tip);
    let _ = writeln!(page, "{}\n", order.task.trim());
    for (number, (role, end)) in memory.turns.iter().enumerate() {
        let role = if *role == Role::Fix { "mending" } else { "turn" };
        let _ = writeln!(page, "{}. {role}: {}{}", number + 1, end.end.told(), cost(&end.cost));
    }
    if !memory.parts.is_empty() {
        let _ = writeln!(page, "\nCut into {} parts by {}:\n", memory.parts.len(), memory.cut_by);
        for part in &memory.parts {
            let _ = writeln!(page, "{}. {} ({} added lines)", part.number, part.files.join(", "), part.lines);
        }
    }
    if !memory.why.is_empty() {
        let _ = writeln!(page, "\nStands still because:\n\n{}", memory.why);
    }
    page
}

/// What a turn cost, in words behind how it ended.
fn cost(cost: &Cost) -> String {
    match cost {
        Cost::Free => String::new(),
        Cost::Paid { micro_usd: Some(micro), .. } => format!(" ({:.4} USD)", *micro as f64 / 1e6),
        Cost::Paid { micro_usd: None, .. } => {
            " (its cost is not known, so its reservation is charged)".to_owned()
        }
    }
}

fn report(memory: &Memory, review: &Review) -> String {
    let status = if review.approves() { "APPROVED" } else { "NEEDS_FIXES" };
    let mut page = format!("# Code review: {}\n\nStatus: {status}  \n", memory.order.name);
    let _ = writeln!(page, "Reviewed commit: {}  \nReviewed tree: {}  ", review.commit, review.tree);
    let _ = writeln!(page, "Size: {} added lines  \nReview: {}  ", memory.size.lines, memory.reviews);
    let _ = writeln!(page, "Reviewed by: {}\n", reviewers(review));
    for gate in &review.gates {
        let mark = if gate.passed() { "x" } else { " " };
        let _ = writeln!(page, "- [{mark}] gate `{}`", gate.name);
    }
    for finding in &review.findings {
        let by = if finding.by == "rules" { String::new() } else { format!(" [{}]", finding.by) };
        let _ = writeln!(page, "- {finding}{by}");
    }
    if review.findings.is_empty() {
        page.push_str("- no findings\n");
    }
    page
}

/// Who looked at it, and who was to and did not.
fn reviewers(review: &Review) -> String {
    let others = review.opinions.iter().map(|opinion| match &opinion.doubt {
        None => format!(", {}{}", opinion.by, cost(&opinion.cost)),
        Some(_) => format!(", not soundly {} (see below){}", opinion.by, cost(&opinion.cost)),
    });
    std::iter::once("rules and gates".to_owned()).chain(others).collect()
}
