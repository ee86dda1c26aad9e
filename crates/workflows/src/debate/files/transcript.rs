//! The transcript: the problem, the panel, the questions, every round in full, the decision.

use std::fmt::Write;

use crate::debate::contribution::{Contribution, Type};
use crate::debate::memory::Memory;

/// The transcript as Markdown. Writing to a String cannot fail; this holds for the whole file.
pub fn page(memory: &Memory) -> String {
    let mut page = format!(
        "# Debate: {}\n\n## Problem Description\n\n{}\n\n",
        super::title(memory),
        memory.setup.problem
    );
    agents(memory, &mut page);
    clarifications(memory, &mut page);
    if let Some(frame) = &memory.frame {
        let by = memory.frame_by.as_deref().unwrap_or("nobody");
        let _ = writeln!(page, "## Decision frame\n\nFrom: {by}.\n");
        for line in frame.lines() {
            let _ = writeln!(page, "- {line}");
        }
        page.push('\n');
    }
    page.push_str("## Rounds\n\n");
    for round in 1..=memory.round {
        let _ = writeln!(page, "### Round {round}\n");
        section(memory, round, Type::Proposal, "Proposals", &mut page);
        section(memory, round, Type::Critique, "Critiques", &mut page);
        section(memory, round, Type::Refinement, "Refinements", &mut page);
        assessment(memory, round, &mut page);
    }
    let _ = writeln!(page, "## Final Synthesis\n");
    match &memory.solution {
        Some(solution) => page.push_str(&format!("{}\n", solution.text.trim())),
        None => page.push_str("None yet.\n"),
    }
    if let Some(ending) = &memory.ending {
        let _ = writeln!(page, "\nThe debate ended by {}: {}.", ending.by, ending.why.trim_end_matches('.'));
    }
    page
}

fn agents(memory: &Memory, page: &mut String) {
    page.push_str("## Agents\n\n| agent | role | kind | who |\n|---|---|---|---|\n");
    for agent in &memory.setup.agents {
        let who = match &agent.kind {
            crate::debate::setup::Kind::Model { role, .. } => {
                role.chain.iter().map(|card| card.name.as_str()).collect::<Vec<_>>().join(", ")
            }
            crate::debate::setup::Kind::Person { who } => who.clone().unwrap_or_else(|| "anybody".to_owned()),
            crate::debate::setup::Kind::Command { line, .. } => line.clone(),
            _ => String::new(),
        };
        let who = who.replace('|', "\\|").replace('\n', " ");
        let _ = writeln!(page, "| {} | {} | {} | {who} |", agent.id, agent.trade.name(), agent.kind.name());
    }
    page.push('\n');
}

fn clarifications(memory: &Memory, page: &mut String) {
    if memory.clarifications.is_empty() {
        return;
    }
    page.push_str("## Clarifications\n\n");
    for asked in &memory.clarifications {
        let answer = if asked.answer.is_empty() { "not answered yet" } else { asked.answer.as_str() };
        let _ = writeln!(page, "- *{}* ({}): {}\n  - {answer}", asked.agent, asked.id, asked.question);
    }
    page.push('\n');
}

fn section(memory: &Memory, round: u32, kind: Type, title: &str, page: &mut String) {
    let _ = writeln!(page, "#### {title}\n");
    let mut none = true;
    for one in memory.of(round, kind) {
        none = false;
        contribution(one, page);
    }
    if none {
        let _ = writeln!(page, "No {} in this round.\n", title.to_lowercase());
    }
}

fn contribution(one: &Contribution, page: &mut String) {
    let to = one.target.as_ref().map_or(String::new(), |target| format!(" → *{target}*"));
    let _ = writeln!(page, "*{}*{to} ({}):\n\n{}\n", one.agent, one.by, one.text.trim());
    for (slot, option) in &one.positions {
        let _ = writeln!(page, "- position on {slot}: {option}");
    }
    for objection in &one.objections {
        let _ = writeln!(page, "- {} ({}): {}", objection.id, objection.severity.name(), objection.claim);
    }
    for id in &one.settled {
        let _ = writeln!(page, "- {id} is settled");
    }
    for response in &one.responses {
        let _ = writeln!(page, "- {} {}: {}", response.objection, response.reply.name(), response.reason);
    }
    page.push('\n');
}

fn assessment(memory: &Memory, round: u32, page: &mut String) {
    let Some(assessment) = memory.assessments.get(&round) else { return };
    let _ = writeln!(page, "#### Evaluation\n");
    let confidence = assessment.confidence.map_or("none".to_owned(), |number| number.to_string());
    let _ = writeln!(page, "Confidence {confidence} ({}).\n", assessment.source);
    for cap in &assessment.caps {
        let _ = writeln!(page, "- at most {}: {}", cap.at_most, cap.why);
    }
    for judgement in &assessment.judgements {
        for finding in &judgement.findings {
            let _ = writeln!(page, "- {}: \"{}\"", finding.what, finding.quote);
        }
    }
    page.push('\n');
}
