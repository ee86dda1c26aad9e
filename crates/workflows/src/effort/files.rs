//! What the folder of an effort shows: the task, the review of its last commit, how it went.

use std::fmt::Write;

use baton_engine::{RunFile, View};
use baton_machine::Word;

use super::{Effort, Memory};
use crate::coding::order::Review;
use crate::coding::{Role, TurnEnd};

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
        let _ = writeln!(page, "{}. {role}: {}", number + 1, ending(end));
    }
    if !memory.why.is_empty() {
        let _ = writeln!(page, "\nStands still because:\n\n{}", memory.why);
    }
    page
}

fn ending(end: &TurnEnd) -> String {
    match end {
        TurnEnd::Completed { .. } => "says it is done".to_owned(),
        TurnEnd::NeedsInput { .. } => "asked something".to_owned(),
        TurnEnd::Refused { .. } => "refused".to_owned(),
        TurnEnd::LimitHit { which } => format!("reached a limit ({which:?})").to_lowercase(),
        TurnEnd::Cancelled => "was stopped".to_owned(),
        TurnEnd::CutShort => "was cut short by a crash".to_owned(),
        TurnEnd::Failed { error } => format!("failed: {error}"),
    }
}

fn report(memory: &Memory, review: &Review) -> String {
    let status = if review.approves() { "APPROVED" } else { "NEEDS_FIXES" };
    let mut page = format!("# Code review: {}\n\nStatus: {status}  \n", memory.order.name);
    let _ = writeln!(page, "Reviewed commit: {}  \nReviewed tree: {}  ", review.commit, review.tree);
    let _ = writeln!(page, "Size: {} added lines  \nReview: {}\n", memory.size.lines, memory.reviews);
    for gate in &review.gates {
        let mark = if gate.passed() { "x" } else { " " };
        let _ = writeln!(page, "- [{mark}] gate `{}`", gate.name);
    }
    for finding in &review.findings {
        let _ = writeln!(page, "- {finding}");
    }
    if review.findings.is_empty() {
        page.push_str("- no findings\n");
    }
    page
}
