//! The decision record: what was decided, how sure, who voted how before and after, who moved and why, who dissents,
//! and what stays open.

use std::fmt::Write;

use crate::debate::contribution::Type;
use crate::debate::ledger::{Count, blind, counts, flips, positions};
use crate::debate::objections::{Entry, Standing, objections};
use crate::debate::memory::Memory;

/// The record as Markdown.
#[must_use]
pub fn record(memory: &Memory) -> String {
    let mut page = format!("# Decision: {}\n\n", super::title(memory));
    // Writing to a String cannot fail; this holds for the whole file.
    let ended = memory.ending.as_ref();
    let _ = match ended {
        Some(ending) => writeln!(page, "Ended by {}: {}.\n", ending.by, ending.why.trim_end_matches('.')),
        None => writeln!(page, "Not decided yet; round {} of {}.\n", memory.round, memory.setup.terms.rounds),
    };
    solution(memory, &mut page);
    votes(memory, &mut page);
    moves(memory, &mut page);
    dissent(memory, &mut page);
    open(memory, &mut page);
    unmet(memory, &mut page);
    lists(memory, &mut page);
    page
}

fn solution(memory: &Memory, page: &mut String) {
    let Some(solution) = &memory.solution else { return };
    let confidence = solution.confidence.map_or("unknown".to_owned(), |number| format!("{number} of 100"));
    let _ = writeln!(
        page,
        "Confidence: {confidence} (source: {}). Written by {}.\n",
        solution.confidence_source, solution.by
    );
    let _ = writeln!(page, "## Solution\n\n{}\n", solution.text.trim());
    list(page, "Trade-offs", &solution.tradeoffs);
    list(page, "Recommendations", &solution.recommendations);
    list(page, "Open questions", &solution.open_questions);
}

fn list(page: &mut String, title: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    let _ = writeln!(page, "## {title}\n");
    for item in items {
        let _ = writeln!(page, "- {}", item.replace('\n', " "));
    }
    page.push('\n');
}

fn votes(memory: &Memory, page: &mut String) {
    let before = counts(memory, &blind(memory));
    let after = counts(memory, &positions(memory, memory.last_round()));
    if after.is_empty() {
        return;
    }
    let _ =
        writeln!(page, "## Votes\n\n| slot | decided | before the debate | after it |\n|---|---|---|---|");
    for count in &after {
        let decided = count.leading.as_deref().unwrap_or("not decided");
        let blind = before.iter().find(|other| other.slot == count.slot);
        let blind = blind.map_or_else(String::new, tally);
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} |",
            cell(&count.slot),
            cell(decided),
            cell(&blind),
            cell(&tally(count))
        );
    }
    page.push('\n');
}

fn tally(count: &Count) -> String {
    let line = |(option, who): (&String, &Vec<String>)| format!("{option}: {}", who.join(", "));
    count.votes.iter().map(line).collect::<Vec<_>>().join("; ")
}

/// Text that cannot end a table cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

fn moves(memory: &Memory, page: &mut String) {
    let flips: Vec<(u32, _)> = (1..=memory.last_round())
        .flat_map(|round| flips(memory, round).into_iter().map(move |flip| (round, flip)))
        .collect();
    let _ = writeln!(page, "## Who moved\n");
    if flips.is_empty() {
        page.push_str("Nobody changed a position.\n\n");
        return;
    }
    let entries = objections(memory, memory.last_round());
    for (round, flip) in flips {
        let claim = |id: &String| {
            entries.iter().find(|entry| entry.objection.id == *id).map(|entry| entry.objection.claim.clone())
        };
        let why: Vec<String> = flip.because.iter().filter_map(claim).collect();
        let why = if why.is_empty() {
            "no objection was accepted for it".to_owned()
        } else {
            format!("because of: {}", why.join("; "))
        };
        let _ = writeln!(
            page,
            "- {} on {}, round {round}: {} -> {} ({why})",
            flip.agent, flip.slot, flip.from, flip.to
        );
    }
    page.push('\n');
}

fn dissent(memory: &Memory, page: &mut String) {
    let round = memory.last_round();
    let mut lines = Vec::new();
    for count in counts(memory, &positions(memory, round)) {
        for (option, who) in &count.votes {
            if count.leading.as_ref() == Some(option) {
                continue;
            }
            for agent in who {
                lines.push(format!("{agent} holds {option} on {}", count.slot));
            }
        }
    }
    let _ = writeln!(page, "## Dissent\n");
    if lines.is_empty() {
        page.push_str("None.\n\n");
        return;
    }
    for line in &lines {
        let _ = writeln!(page, "- {line}");
    }
    page.push('\n');
    let voices: Vec<&str> = memory.setup.voices().map(|agent| agent.id.as_str()).collect();
    for agent in voices
        .into_iter()
        .filter(|agent| lines.iter().any(|line| line.starts_with(&format!("{agent} holds"))))
    {
        if let Some(stands) = memory.stands_for(round, agent) {
            let _ = writeln!(page, "### {agent}\n\n{}\n", stands.text.trim());
        }
    }
}

fn open(memory: &Memory, page: &mut String) {
    let entries: Vec<Entry> = objections(memory, memory.last_round())
        .into_iter()
        .filter(|entry| entry.standing == Standing::Open)
        .collect();
    let _ = writeln!(page, "## Open objections\n");
    if entries.is_empty() {
        page.push_str("None.\n\n");
        return;
    }
    for entry in entries {
        let reply = entry
            .reply
            .map_or("not answered".to_owned(), |reply| format!("{}: {}", reply.name(), entry.reason));
        let objection = entry.objection;
        let _ = writeln!(
            page,
            "- {} ({}), {} to {}: {} ({reply})",
            objection.id,
            objection.severity.name(),
            entry.critic,
            entry.target,
            objection.claim
        );
    }
    page.push('\n');
}

fn unmet(memory: &Memory, page: &mut String) {
    let Some(solution) = memory.solution.as_ref().filter(|solution| !solution.unmet.is_empty()) else {
        return;
    };
    let _ = writeln!(page, "## Unmet requirements\n");
    for id in &solution.unmet {
        let text =
            memory.setup.requirements.iter().find(|one| one.id == *id).map_or("", |one| one.text.as_str());
        let _ = writeln!(page, "- {id}: {text}");
    }
    page.push('\n');
}

fn lists(memory: &Memory, page: &mut String) {
    let left_out: Vec<String> = memory
        .left_out
        .values()
        .map(|left| format!("round {}: {} ({})", left.round, left.what, left.why))
        .collect();
    list(page, "Gone on without", &left_out);
    list(page, "Worth knowing", &memory.setup.warnings);
    let spoken = memory.contributions.values().filter(|one| one.kind != Type::Critique).count();
    if spoken == 0 {
        page.push_str("Nobody has proposed anything.\n");
    }
}
