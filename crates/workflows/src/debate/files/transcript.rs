//! The transcript: the problem, the panel, the questions, and every round in full. A text stands once; where it comes again
//! unchanged it is referred to. An objection has its answer below it.

use super::page::{Page, quote, say, strong};
use crate::debate::contribution::{Contribution, Type};
use crate::debate::memory::Memory;
use crate::debate::objections::{Entry, objections};

/// The transcript as a page.
pub fn page(memory: &Memory) -> Page {
    let mut page = Page { title: format!("Debate: {}", super::title(memory)), ..Page::default() };
    page.heading(2, "Problem Description");
    page.theirs(&memory.setup.problem);
    page.heading(2, "Agents");
    let row = |agent: &crate::debate::setup::Agent| {
        vec![agent.name.clone(), agent.id.clone(), agent.trade.name().to_owned(), super::who(agent)]
    };
    page.table(&["name", "id", "role", "who"], memory.setup.agents.iter().map(row).collect());
    clarifications(memory, &mut page);
    if let Some(frame) = &memory.frame {
        page.heading(2, "Decision frame");
        page.text(vec![say(format!("From: {}.", memory.frame_by.as_deref().unwrap_or("nobody")))]);
        page.list(frame.lines().into_iter().map(|line| vec![say(line)]).collect());
    }
    page.heading(2, "Rounds");
    let entries = objections(memory, memory.round);
    for round in 1..=memory.round {
        page.heading(3, format!("Round {round}"));
        proposals(memory, round, &mut page);
        critiques(memory, round, &entries, &mut page);
        refinements(memory, round, &mut page);
        assessment(memory, round, &mut page);
    }
    troubles(memory, &mut page);
    page.heading(2, "Final Synthesis");
    match &memory.solution {
        Some(solution) => page.theirs(&solution.text),
        None => page.text(vec![say("None yet.")]),
    }
    if let Some(ending) = &memory.ending {
        let why = ending.why.trim_end_matches('.');
        page.text(vec![say(format!("The debate ended by {}: {why}.", ending.by))]);
    }
    page
}

fn clarifications(memory: &Memory, page: &mut Page) {
    if memory.clarifications.is_empty() {
        return;
    }
    page.heading(2, "Clarifications");
    let line = |asked: &crate::debate::Clarification| {
        let answer = if asked.answer.is_empty() { "not answered yet" } else { asked.answer.as_str() };
        let who = memory.name(&asked.agent);
        vec![
            strong(who),
            say(format!(" ({}): ", asked.id)),
            quote(asked.question.as_str()),
            say(" Answer: "),
            quote(answer),
        ]
    };
    page.list(memory.clarifications.iter().map(line).collect());
}

fn proposals(memory: &Memory, round: u32, page: &mut Page) {
    page.heading(4, "Proposals");
    if memory.of(round, Type::Proposal).next().is_none() {
        page.text(vec![say("No proposals in this round.")]);
    }
    for one in memory.of(round, Type::Proposal) {
        let before = round.checked_sub(1).and_then(|before| memory.stands_for(before, &one.agent));
        solution(memory, one, before, page);
    }
}

/// A proposal or a refinement; one that says what an earlier one said refers to it.
fn solution(memory: &Memory, one: &Contribution, before: Option<&Contribution>, page: &mut Page) {
    let who = memory.name(&one.agent);
    let same = before.filter(|before| before.text == one.text);
    let mut line = vec![strong(who), say(format!(" ({})", one.by))];
    match same {
        Some(before) => {
            line.push(say(format!(": the {} of round {}, unchanged.", before.kind.name(), before.round)));
        }
        None => line.push(say(":")),
    }
    page.text(line);
    if same.is_none() {
        page.theirs(&one.text);
    }
    let moved =
        |slot: &String, option: &String| before.and_then(|before| before.positions.get(slot)) != Some(option);
    let positions = one.positions.iter().filter(|(slot, option)| same.is_none() || moved(slot, option));
    let mut lines: Vec<_> =
        positions.map(|(slot, option)| vec![say(format!("position on {slot}: {option}"))]).collect();
    if same.is_none() {
        lines.extend(
            one.quotes.iter().map(|excerpt| {
                vec![say(format!("from {}: ", excerpt.source)), quote(excerpt.quote.as_str())]
            }),
        );
    }
    page.list(lines);
}

fn critiques(memory: &Memory, round: u32, entries: &[Entry], page: &mut Page) {
    page.heading(4, "Critiques");
    let mut told: Vec<(&str, &str)> = Vec::new();
    let mut none = true;
    for one in memory.of(round, Type::Critique) {
        none = false;
        let target = one.target.as_deref().unwrap_or_default();
        page.text(vec![
            strong(memory.name(&one.agent)),
            say(format!(" → {} ({}):", memory.name(target), one.by)),
        ]);
        // A critique of several proposals at once is one text.
        if !one.text.trim().is_empty() && !told.contains(&(one.agent.as_str(), one.text.as_str())) {
            told.push((&one.agent, &one.text));
            page.theirs(&one.text);
        }
        let mut lines = Vec::new();
        for objection in &one.objections {
            let entry = entries.iter().find(|entry| entry.objection.id == objection.id);
            let answer = entry.map_or_else(String::new, |entry| match entry.answered_in {
                Some(round) => {
                    format!(" Answer in round {round}: {}.", entry.answer_in_words().trim_end_matches('.'))
                }
                None => " Not answered.".to_owned(),
            });
            lines.push(vec![
                say(format!("{} ({}): ", objection.id, objection.severity.name())),
                quote(objection.claim.as_str()),
                say(answer),
            ]);
        }
        lines.extend(one.settled.iter().map(|id| vec![say(format!("{id} is settled"))]));
        let kept = one.reviewed.iter().filter(|id| !one.settled.contains(id));
        lines.extend(kept.map(|id| vec![say(format!("{id} stands"))]));
        page.list(lines);
    }
    if none {
        page.text(vec![say("No critiques in this round.")]);
    }
}

fn refinements(memory: &Memory, round: u32, page: &mut Page) {
    page.heading(4, "Refinements");
    if memory.of(round, Type::Refinement).next().is_none() {
        page.text(vec![say("No refinements in this round.")]);
    }
    for one in memory.of(round, Type::Refinement) {
        let own = memory.contribution(round, Type::Proposal, &one.agent, None);
        solution(memory, one, own, page);
    }
}

fn assessment(memory: &Memory, round: u32, page: &mut Page) {
    let Some(assessment) = memory.assessments.get(&round) else { return };
    page.heading(4, "Evaluation");
    let confidence = assessment.confidence.map_or("none".to_owned(), |number| number.to_string());
    page.text(vec![say(format!("Confidence {confidence} ({}).", assessment.source))]);
    let caps = assessment.caps.iter().map(|cap| vec![say(format!("at most {}: {}", cap.at_most, cap.why))]);
    let findings = assessment.judgements.iter().flat_map(|one| &one.findings);
    let findings =
        findings.map(|finding| vec![say(format!("{}: ", finding.what)), quote(finding.quote.as_str())]);
    page.list(caps.chain(findings).collect());
}

/// What was tried again and what took its second way, each once.
fn troubles(memory: &Memory, page: &mut Page) {
    if !memory.troubles.is_empty() {
        page.heading(2, "What went wrong on the way");
        page.list(memory.troubles.iter().map(|trouble| vec![say(trouble.as_str())]).collect());
    }
}
