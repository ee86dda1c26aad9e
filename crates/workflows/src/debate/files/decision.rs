//! The decision record as a page: what was decided and how sure that is, for each slot why, what was held against it and
//! what the others had for them; who moved, who dissents, what is met and what was missing.

use super::held::Held;
use super::page::{Line, Page, quote, say, strong};
use crate::debate::assess::LEDGER;
use crate::debate::contribution::{Excerpt, Type};
use crate::debate::memory::Memory;
use crate::debate::objections::{Entry, Fate, Standing};
use crate::debate::record::{Other, Record, Said, SlotRecord, SlotState};

/// The record as a page. Without a journal it says nothing of when and at what cost.
pub fn page(memory: &Memory, record: &Record, held: Option<&Held>) -> Page {
    let mut page = Page {
        title: format!("Decision: {}", super::title(memory)),
        about: held.map_or_else(String::new, |held| held.line(memory.last_round())),
        ..Page::default()
    };
    opening(memory, record, &mut page);
    decided(memory, record, &mut page);
    solution(memory, &mut page);
    reasons(memory, record, &mut page);
    moves(memory, record, &mut page);
    dissent(memory, record, &mut page);
    other_objections(memory, record, &mut page);
    requirements(memory, record, &mut page);
    votes(memory, record, held, &mut page);
    panel(memory, &mut page);
    missing(memory, &mut page);
    page
}

/// What came of it, in a few words.
fn verdict(memory: &Memory, record: &Record) -> Option<String> {
    let ending = memory.ending.as_ref()?;
    let agreed = record.slots.iter().all(|slot| slot.state == SlotState::Agreed);
    Some(match ending.by.as_str() {
        "FAILED" => "The debate failed.".to_owned(),
        _ if !record.decided => "Nothing was decided.".to_owned(),
        _ if agreed => format!("The panel agreed in round {}.", memory.last_round()),
        _ => "The panel did not agree; where one option has most votes it stands as decided, and is marked."
            .to_owned(),
    })
}

fn opening(memory: &Memory, record: &Record, page: &mut Page) {
    if let Some(verdict) = verdict(memory, record) {
        page.text(vec![strong(verdict)]);
    }
    page.text(match &memory.ending {
        Some(ending) => vec![say(format!("Ended by {}: {}.", ending.by, ending.why.trim_end_matches('.')))],
        None => {
            vec![say(format!("Not decided yet; round {} of {}.", memory.round, memory.setup.terms.rounds))]
        }
    });
    if let Some(solution) = &memory.solution {
        let confidence =
            solution.confidence.map_or("unknown".to_owned(), |number| format!("{number} of 100"));
        let source = &solution.confidence_source;
        page.text(vec![
            strong(format!("Confidence: {confidence}")),
            say(format!(" (source: {source}). Written by {}.", solution.by)),
        ]);
    }
    if memory.ending.is_some() && !record.degraded.is_empty() {
        page.text(vec![strong("Degraded."), say(" This record is weaker than it looks:")]);
        page.list(record.degraded.iter().map(|why| vec![say(why.as_str())]).collect());
    }
}

fn decided(memory: &Memory, record: &Record, page: &mut Page) {
    page.heading(2, "What was decided");
    if record.slots.is_empty() && memory.ending.is_none() {
        page.text(vec![say("Nothing yet.")]);
        return;
    }
    if !record.slots.is_empty() {
        let row = |slot: &SlotRecord| {
            let option = slot.option.as_deref().unwrap_or("not decided");
            vec![asked(slot), option.to_owned(), support(slot), state(slot).to_owned()]
        };
        page.table(&["question", "decided", "votes", "standing"], record.slots.iter().map(row).collect());
    }
    if memory.ending.is_some() && !record.decided {
        page.text(vec![say("These proposals stand:")]);
        for one in memory.setup.voices().filter_map(|agent| memory.stands_for(memory.last_round(), &agent.id))
        {
            page.heading(3, memory.name(&one.agent));
            page.theirs(&one.text);
        }
    }
}

/// The question of a slot, or its name.
fn asked(slot: &SlotRecord) -> String {
    if slot.question.is_empty() { slot.slot.clone() } else { format!("{} ({})", slot.question, slot.slot) }
}

fn support(slot: &SlotRecord) -> String {
    let all: usize = slot.votes.values().map(Vec::len).sum();
    let most = slot.option.as_ref().and_then(|option| slot.votes.get(option)).map_or(0, Vec::len);
    match slot.option {
        Some(_) => format!("{most} of {all}"),
        None if all == 0 => "nobody voted".to_owned(),
        None => "a tie".to_owned(),
    }
}

fn state(slot: &SlotRecord) -> &'static str {
    match slot.state {
        SlotState::Agreed => "agreed",
        SlotState::Disputed => "in dispute: most votes, not the quorum",
        SlotState::Undecided => "not decided",
    }
}

fn solution(memory: &Memory, page: &mut Page) {
    let Some(solution) = &memory.solution else { return };
    if solution.by != LEDGER {
        page.heading(2, format!("The decision in the words of {}", solution.by));
        page.theirs(&solution.text);
    }
    plain_list(page, "Trade-offs", &solution.tradeoffs);
    plain_list(page, "Recommendations", &solution.recommendations);
    plain_list(page, "Open questions", &solution.open_questions);
}

fn plain_list(page: &mut Page, title: &str, items: &[String]) {
    if !items.is_empty() {
        page.heading(2, title);
        page.list(items.iter().map(|item| vec![say(item.as_str())]).collect());
    }
}

fn reasons(memory: &Memory, record: &Record, page: &mut Page) {
    for slot in &record.slots {
        let Some(option) = &slot.option else {
            page.heading(2, format!("Why there is no decision on {}", slot.slot));
            others(memory, slot, page);
            continue;
        };
        page.heading(2, format!("Why {option} ({})", slot.slot));
        let holders = slot.votes.get(option).map(|who| names(memory, who)).unwrap_or_default();
        page.text(vec![say(format!("Held by {holders}."))]);
        page.list(slot.reasons.iter().map(|said| reason(memory, said)).collect());
        if slot.reasons.is_empty() {
            page.text(vec![say("None of them says why in so many words.")]);
        }
        if slot.objections.is_empty() {
            page.text(vec![say("Nobody objected to it.")]);
        } else {
            page.heading(3, "What was held against it");
            page.list(slot.objections.iter().map(|entry| objection(memory, entry)).collect());
        }
        others(memory, slot, page);
    }
}

fn others(memory: &Memory, slot: &SlotRecord, page: &mut Page) {
    if slot.others.is_empty() {
        return;
    }
    page.heading(
        3,
        if slot.option.is_some() { "What the others had for them" } else { "What the options had for them" },
    );
    let mut lines = Vec::new();
    for Other { option, held_by, left_by, reasons } in &slot.others {
        let mut line = vec![strong(option.as_str())];
        let held = (!held_by.is_empty()).then(|| format!("held by {}", names(memory, held_by)));
        let left = (!left_by.is_empty()).then(|| format!("at first held by {}", names(memory, left_by)));
        let who: Vec<String> = held.into_iter().chain(left).collect();
        let gives = if reasons.is_empty() { "." } else { ": " };
        line.push(say(format!(" ({}){gives}", who.join("; "))));
        for (at, said) in reasons.iter().enumerate() {
            if at > 0 {
                line.push(say(" "));
            }
            line.push(quote(said.quote.as_str()));
        }
        lines.push(line);
    }
    page.list(lines);
}

fn reason(memory: &Memory, said: &Said) -> Line {
    let mut line = vec![quote(said.quote.as_str()), say(format!(" ({})", memory.name(&said.agent)))];
    line.extend(said.documents.iter().flat_map(document));
    line
}

fn document(excerpt: &Excerpt) -> Line {
    let mut line = vec![say(format!(" It rests on {}: ", excerpt.source))];
    line.extend(sentence(&excerpt.quote));
    line
}

/// Words of somebody else that end a sentence of ours.
fn sentence(words: &str) -> Line {
    let words = words.trim();
    let mut line = vec![quote(words)];
    line.extend((!words.ends_with(['.', '!', '?'])).then(|| say(".")));
    line
}

/// An objection with its answer and what became of it.
fn objection(memory: &Memory, entry: &Entry) -> Line {
    let raised = &entry.objection;
    let (critic, target) = (memory.name(&entry.critic), memory.name(&entry.target));
    let mut line = vec![
        strong(capital(raised.severity.name())),
        say(format!(", from {critic} to {target} in round {}: ", entry.round)),
    ];
    line.extend(sentence(&raised.claim));
    line.extend(raised.quote.iter().flat_map(document));
    match entry.reply {
        None => line.push(say(format!(" {target} did not answer."))),
        Some(reply) => {
            let verb = capital(reply.name());
            line.push(say(format!(" {verb} by {target}")));
            if entry.reason.trim().is_empty() {
                line.push(say(" without a reason."));
            } else {
                line.push(say(": "));
                line.extend(sentence(&entry.reason));
            }
        }
    }
    line.push(say(" "));
    line.push(strong(fate(memory, entry)));
    line
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// What became of an objection, in a sentence.
fn fate(memory: &Memory, entry: &Entry) -> String {
    let critic = memory.name(&entry.critic);
    let checked = entry.checked_in.map(|round| format!(" in round {round}")).unwrap_or_default();
    match (entry.standing, entry.fate) {
        (Standing::Closed, Fate::Withdrawn) => format!("{critic} let go of it{checked}."),
        (Standing::Closed, Fate::Accepted) if entry.checked_in.is_some() => {
            format!("{critic} looked again{checked} and is content.")
        }
        (Standing::Closed, Fate::Accepted) => format!("{critic} has not looked at it again."),
        (Standing::Closed, Fate::Partially) if entry.checked_in.is_some() => {
            format!("{critic} looked again{checked} and is content.")
        }
        (Standing::Closed, _) => "Minor, and answered.".to_owned(),
        (Standing::Open, _) if entry.critic_benched => {
            format!("It stands: {critic} left the panel and could not let go of it.")
        }
        (Standing::Open, Fate::Accepted) => {
            format!("It stands: {critic} looked again{checked} and is not content.")
        }
        (Standing::Open, _) => "It stands.".to_owned(),
    }
}

fn moves(memory: &Memory, record: &Record, page: &mut Page) {
    page.heading(2, "Who moved");
    if record.moved.is_empty() {
        page.text(vec![say("Nobody changed a position.")]);
        return;
    }
    let entries = || record.slots.iter().flat_map(|slot| &slot.objections).chain(&record.other_objections);
    let lines = record.moved.iter().map(|flip| {
        let mut line = vec![say(format!(
            "{} on {}, round {}: {} -> {}",
            memory.name(&flip.agent),
            flip.slot,
            flip.round,
            flip.from,
            flip.to
        ))];
        let claims: Vec<&Entry> =
            flip.because.iter().filter_map(|id| entries().find(|entry| entry.objection.id == *id)).collect();
        if claims.is_empty() {
            line.push(say("; no objection was accepted for it."));
        } else {
            line.push(say(", because of "));
        }
        for (at, entry) in claims.iter().enumerate() {
            if at > 0 {
                line.push(say(" and "));
            }
            line.push(quote(entry.objection.claim.as_str()));
            line.push(say(format!(" ({})", memory.name(&entry.critic))));
        }
        line
    });
    page.list(lines.collect());
}

fn dissent(memory: &Memory, record: &Record, page: &mut Page) {
    page.heading(2, "Dissent");
    if record.dissent.is_empty() {
        let none =
            if record.decided { "Nobody holds another option." } else { "There is nothing to dissent from." };
        page.text(vec![say(none)]);
        return;
    }
    let line = |one: &crate::debate::record::Dissent| {
        vec![say(format!("{} holds {} on {}", memory.name(&one.agent), one.option, one.slot))]
    };
    page.list(record.dissent.iter().map(line).collect());
}

fn other_objections(memory: &Memory, record: &Record, page: &mut Page) {
    if record.other_objections.is_empty() {
        return;
    }
    page.heading(2, "Other objections");
    page.text(vec![say("To options that were not taken, or to no option in particular.")]);
    page.list(record.other_objections.iter().map(|entry| objection(memory, entry)).collect());
}

fn requirements(memory: &Memory, record: &Record, page: &mut Page) {
    if record.requirements.is_empty() {
        return;
    }
    page.heading(2, "Requirements");
    let lines = record.requirements.iter().map(|cover| {
        let is_unmet = record.unmet.contains(&cover.requirement) || !cover.holds();
        let weight = if cover.major { "" } else { " (optional)" };
        let mut line = vec![
            strong(format!("{}{weight}: {}", cover.requirement, if is_unmet { "not met" } else { "met" })),
            say(format!(". {}", cover.text.trim())),
        ];
        if !is_unmet && !cover.quote.is_empty() {
            line.push(say(" How: "));
            line.push(quote(cover.quote.as_str()));
            line.push(say(format!(" ({})", memory.name(&cover.quoted))));
        } else if !is_unmet {
            line.push(say(format!(" So say {}.", names(memory, &cover.by))));
        } else if !cover.denied_by.is_empty() {
            line.push(say(format!(" {} says that it is not.", names(memory, &cover.denied_by))));
        } else if cover.by.is_empty() {
            line.push(say(" No solution that holds what was decided says how."));
        }
        line
    });
    page.list(lines.collect());
}

fn votes(memory: &Memory, record: &Record, held: Option<&Held>, page: &mut Page) {
    if record.slots.is_empty() {
        return;
    }
    page.heading(2, "Votes");
    let tally = |votes: &std::collections::BTreeMap<String, Vec<String>>| {
        let line = |(option, who): (&String, &Vec<String>)| format!("{option}: {}", names(memory, who));
        votes.iter().map(line).collect::<Vec<_>>().join(" / ")
    };
    let row = |slot: &SlotRecord| vec![slot.slot.clone(), tally(&slot.blind), tally(&slot.votes)];
    page.table(&["slot", "before the debate", "after it"], record.slots.iter().map(row).collect());
    let lift = record.agreement;
    if let (Some(before), Some(after), Some(change)) = (lift.before, lift.after, lift.lift) {
        page.text(vec![say(format!(
            "Agreement: {before} per cent before anybody had read anybody, {after} per cent at the end ({change:+})."
        ))]);
    }
    if let Some(compared) = &memory.setup.compared {
        let with = compared.agreement.map_or_else(String::new, |agreement| {
            let lift = lift.after.map(|after| format!(" ({:+})", i16::from(agreement) - i16::from(after)));
            format!(", which ended with {agreement} per cent agreement{}", lift.unwrap_or_default())
        });
        page.text(vec![say(format!("This is the blind vote beside the debate {}{with}.", compared.run))]);
        let row = |(slot, option): (&String, &String)| vec![slot.clone(), option.clone()];
        page.table(&["slot", "decided by the debate"], compared.decided.iter().map(row).collect());
    }
    if let Some(beside) = held.and_then(|held| held.beside.as_ref()) {
        page.text(vec![say(beside.words())]);
    }
}

fn panel(memory: &Memory, page: &mut Page) {
    page.heading(2, "Panel");
    let last = memory.last_round();
    let row = |agent: &crate::debate::setup::Agent| {
        let spoke = |round: &u32| memory.contribution(*round, Type::Proposal, &agent.id, None).is_some();
        let part = match memory.on_bench(&agent.id) {
            Some(bench) => format!("left in round {}", bench.since),
            None if agent.kind.proposes() => span((1..=last).filter(spoke)),
            None => "criticised only".to_owned(),
        };
        vec![agent.name.clone(), agent.trade.name().to_owned(), super::who(agent), part]
    };
    page.table(&["name", "role", "who", "took part"], memory.setup.agents.iter().map(row).collect());
}

/// Rounds as a span.
fn span(numbers: impl Iterator<Item = u32>) -> String {
    let all: Vec<u32> = numbers.collect();
    match all.as_slice() {
        [] => "no round".to_owned(),
        [one] => format!("round {one}"),
        [first, .., last] if (*last - *first) as usize + 1 == all.len() => {
            format!("rounds {first} to {last}")
        }
        _ => format!("rounds {}", all.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")),
    }
}

fn missing(memory: &Memory, page: &mut Page) {
    let left_out: Vec<String> = memory
        .left_out
        .values()
        .map(|left| format!("round {}: {} ({})", left.round, left.what, left.why.trim()))
        .collect();
    plain_list(page, "Gone on without", &left_out);
    plain_list(page, "Worth knowing", &memory.setup.warnings);
    if memory.last_round() == 0 && memory.ending.is_some() {
        page.text(vec![say("Nobody has proposed anything.")]);
    }
}

fn names(memory: &Memory, ids: &[String]) -> String {
    let all: Vec<&str> = ids.iter().map(|id| memory.name(id)).collect();
    // Names may hold commas of their own.
    all.join(if all.iter().any(|name| name.contains(',')) { "; " } else { ", " })
}

/// The record as Markdown, from what was learnt alone.
#[must_use]
pub fn record(memory: &Memory) -> String {
    page(memory, &crate::debate::record::record(memory), None).markdown()
}
