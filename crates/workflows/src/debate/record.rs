//! The record of a debate as data: for each slot what was decided, in whose words, against which objections, and what the
//! other options had for them; who moved and who dissents; which requirements are met; and what was missing.
//! Everything that stands in quotation marks is copied from a contribution. Files draw it, tests and programs read it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::contribution::{Contribution, Excerpt, Type};
use super::frame::Slot;
use super::ledger::{Count, Flip, blind, counts, figures, flips, positions};
use super::memory::Memory;
use super::nodes::THE_JUDGE;
use super::objections::{Entry, objections};
use super::passages::{is_reason, whole_sentences};
use super::positions as reading;
use super::winning::{self, Cover};

/// How many sentences of one agent are quoted for one option.
const QUOTED: usize = 2;

/// The record.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    /// The event that ended the debate.
    pub ended_by: Option<String>,
    /// Whether at least one slot was decided.
    pub decided: bool,
    /// How sure it is, from 0 to 100; none if nobody could say.
    pub confidence: Option<u8>,
    /// Where that number comes from.
    pub confidence_source: String,
    /// What was missing, in words; with anything here the record is degraded.
    pub degraded: Vec<String>,
    /// What was decided, slot by slot.
    pub slots: Vec<SlotRecord>,
    /// Who changed a position, and because of which objections.
    pub moved: Vec<Flip>,
    /// Who holds what lost.
    pub dissent: Vec<Dissent>,
    /// Objections to what was not decided, and to no slot.
    pub other_objections: Vec<Entry>,
    /// How each requirement is met.
    pub requirements: Vec<Cover>,
    /// Requirements that are not met, by id.
    pub unmet: Vec<String>,
    /// Agreement before anybody had read anybody, and at the end.
    pub agreement: Lift,
    /// Who left the panel, with the round.
    pub benched: BTreeMap<String, u32>,
}

/// One slot of the record.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SlotRecord {
    /// The slot.
    pub slot: String,
    /// The question it answers.
    pub question: String,
    /// The option that leads; none at a tie or without a vote.
    pub option: Option<String>,
    /// How it stands.
    pub state: SlotState,
    /// Per cent of the voices behind the largest group.
    pub share: u8,
    /// Who takes which option.
    pub votes: BTreeMap<String, Vec<String>>,
    /// Who took which before anybody had read anybody.
    pub blind: BTreeMap<String, Vec<String>>,
    /// What speaks for the leading option, in the words of those who hold it.
    pub reasons: Vec<Said>,
    /// What was held against it.
    pub objections: Vec<Entry>,
    /// The other options somebody held.
    pub others: Vec<Other>,
}

/// How a slot stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SlotState {
    /// The quorum takes one option.
    Agreed,
    /// One option leads without the quorum, or with too few voices.
    Disputed,
    /// No option leads.
    Undecided,
}

/// Words of an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Said {
    /// Whose.
    pub agent: String,
    /// The round they stand in.
    pub round: u32,
    /// Which contribution of that round.
    #[serde(rename = "type")]
    pub kind: Type,
    /// The words, copied exactly.
    pub quote: String,
    /// Words of the context folder the contribution rests on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<Excerpt>,
}

/// An option that did not win.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Other {
    /// The option.
    pub option: String,
    /// Who holds it at the end.
    pub held_by: Vec<String>,
    /// Who held it at first and left it.
    pub left_by: Vec<String>,
    /// What spoke for it.
    pub reasons: Vec<Said>,
}

/// Somebody who holds what lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Dissent {
    /// Who.
    pub agent: String,
    /// On which slot.
    pub slot: String,
    /// Which option.
    pub option: String,
}

/// Agreement before and after.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Lift {
    /// Of the blind proposals, per cent.
    pub before: Option<u8>,
    /// At the end, per cent.
    pub after: Option<u8>,
    /// The difference.
    pub lift: Option<i16>,
}

/// The record of a debate as it stands.
#[must_use]
pub fn record(memory: &Memory) -> Record {
    let round = memory.last_round();
    let after = counts(memory, &positions(memory, round));
    let before = counts(memory, &blind(memory));
    let entries = objections(memory, round);
    let slots: Vec<SlotRecord> = memory
        .frame
        .iter()
        .flat_map(|frame| &frame.slots)
        .zip(&after)
        .map(|(slot, count)| slot_record(memory, slot, count, &before, &entries))
        .collect();
    let shown = |entry: &Entry| slots.iter().any(|slot| slot.objections.iter().any(|one| one == entry));
    let other_objections = entries.iter().filter(|entry| !shown(entry)).cloned().collect();
    let requirements = winning::covers(memory, round);
    let solution = memory.solution.as_ref();
    let unmet = solution.map_or_else(|| winning::unmet(memory, round), |solution| solution.unmet.clone());
    Record {
        ended_by: memory.ending.as_ref().map(|ending| ending.by.clone()),
        decided: slots.iter().any(|slot| slot.option.is_some()),
        confidence: solution.and_then(|solution| solution.confidence),
        confidence_source: solution.map_or_else(String::new, |solution| solution.confidence_source.clone()),
        degraded: degraded(memory),
        dissent: dissent(&slots),
        slots,
        moved: (1..=round).flat_map(|round| flips(memory, round)).collect(),
        other_objections,
        requirements,
        unmet,
        agreement: lift(memory, &before),
        benched: memory
            .benched
            .iter()
            .filter(|(_, bench)| bench.returned.is_none())
            .map(|(who, bench)| (who.clone(), bench.since))
            .collect(),
    }
}

fn slot_record(
    memory: &Memory,
    slot: &Slot,
    count: &Count,
    before: &[Count],
    entries: &[Entry],
) -> SlotRecord {
    let quorum = memory.setup.terms.quorum;
    let attended = figures(memory, memory.last_round()).is_attended();
    let state = match &count.leading {
        None => SlotState::Undecided,
        Some(_) if count.share >= quorum && attended => SlotState::Agreed,
        Some(_) => SlotState::Disputed,
    };
    let first = before.iter().find(|other| other.slot == count.slot);
    let first = first.map(|count| count.votes.clone()).unwrap_or_default();
    let holders = |option: &str| count.votes.get(option).cloned().unwrap_or_default();
    let won = |option: &String| Some(option) == count.leading.as_ref();
    let against_it = |entry: &&Entry| {
        entry.about.as_ref() == Some(&slot.slot) && count.leading.is_some() && entry.against == count.leading
    };
    let mut others: Vec<String> =
        count.votes.keys().chain(first.keys()).filter(|option| !won(option)).cloned().collect();
    others.sort();
    others.dedup();
    let other = |option: String| {
        let held_by = holders(&option);
        let at_first = first.get(&option).cloned().unwrap_or_default();
        let left_by: Vec<String> = at_first.into_iter().filter(|agent| !held_by.contains(agent)).collect();
        let now = held_by.iter().filter_map(|agent| stands(memory, agent));
        let then = left_by.iter().filter_map(|agent| memory.contribution(1, Type::Proposal, agent, None));
        let reasons = now.chain(then).flat_map(|one| reasons(slot, &option, one)).collect();
        Other { option, held_by, left_by, reasons }
    };
    let reasons = count.leading.as_ref().map(|option| {
        let proponents = holders(option);
        let said = proponents.iter().filter_map(|agent| stands(memory, agent));
        said.flat_map(|one| reasons(slot, option, one)).collect()
    });
    let others = others.into_iter().map(other).collect();
    SlotRecord {
        slot: slot.slot.clone(),
        question: slot.question.clone(),
        option: count.leading.clone(),
        state,
        share: count.share,
        votes: count.votes.clone(),
        blind: first,
        reasons: reasons.unwrap_or_default(),
        objections: entries.iter().filter(against_it).cloned().collect(),
        others,
    }
}

fn stands<'a>(memory: &'a Memory, agent: &str) -> Option<&'a Contribution> {
    memory.stands_for(memory.last_round(), agent)
}

/// The sentences in which a contribution speaks for an option, copied exactly. Where there is but one thing to decide, its
/// first sentence is about that even if it does not name it.
fn reasons(slot: &Slot, option: &str, one: &Contribution) -> Vec<Said> {
    let said = |quote: &str| Said {
        agent: one.agent.clone(),
        round: one.round,
        kind: one.kind,
        quote: quote.to_owned(),
        documents: Vec::new(),
    };
    let mut all: Vec<&str> = whole_sentences(&one.text);
    all.retain(|sentence| is_reason(sentence));
    let mut weighed: Vec<(i32, usize, &str)> = all
        .iter()
        .enumerate()
        .filter_map(|(at, sentence)| Some((reading::argues_for(slot, option, sentence)?, at, *sentence)))
        .collect();
    // The weightiest first, in the order they were written.
    weighed.sort_by_key(|(weight, at, _)| (-weight, *at));
    weighed.truncate(QUOTED);
    weighed.sort_by_key(|(_, at, _)| *at);
    let mut found: Vec<Said> = weighed.iter().map(|(_, _, sentence)| said(sentence)).collect();
    if found.is_empty() && one.positions.len() == 1 {
        found.extend(all.first().map(|sentence| said(sentence)));
    }
    if let Some(first) = found.first_mut() {
        first.documents.clone_from(&one.quotes);
    }
    found
}

fn dissent(slots: &[SlotRecord]) -> Vec<Dissent> {
    let of = |slot: &SlotRecord| {
        let losing = slot.votes.iter().filter(|(option, _)| slot.option.as_ref() != Some(*option));
        let all =
            losing.flat_map(|(option, who)| who.iter().map(move |agent| (agent.clone(), option.clone())));
        let mut all: Vec<Dissent> =
            all.map(|(agent, option)| Dissent { agent, slot: slot.slot.clone(), option }).collect();
        // Where nothing leads, nobody dissents from anything.
        all.retain(|_| slot.option.is_some());
        all
    };
    slots.iter().flat_map(of).collect()
}

fn lift(memory: &Memory, before: &[Count]) -> Lift {
    let required: Vec<usize> =
        before.iter().filter(|count| count.required).map(|count| usize::from(count.share)).collect();
    let mean = required.iter().sum::<usize>().checked_div(required.len());
    let before = mean.map(|share| u8::try_from(share).unwrap_or(100));
    let after = figures(memory, memory.last_round()).agreement;
    let lift = before.zip(after).map(|(before, after)| i16::from(after) - i16::from(before));
    Lift { before, after, lift }
}

/// What was missing, in words.
fn degraded(memory: &Memory) -> Vec<String> {
    let mut found = Vec::new();
    if memory.frame_by.as_deref() == Some("nobody") {
        found.push("Nobody could say what is to be decided, so nothing was put to a vote.".to_owned());
    } else if memory.left_out.values().any(|left| left.what == FRAME_LEFT_OUT) {
        found.push(
            "The judge could not say what is to be decided; rules read it from the problem.".to_owned(),
        );
    }
    for (who, bench) in memory.benched.iter().filter(|(who, _)| memory.setup.agent(who).is_some()) {
        let name = memory.name(who);
        let why = bench.why.trim().trim_end_matches('.');
        found.push(match bench.returned {
            None => format!("{name} left the panel in round {} and did not come back: {why}.", bench.since),
            Some(back) => format!("{name} was away from round {} to round {back}: {why}.", bench.since),
        });
    }
    let unjudged: Vec<String> = memory
        .assessments
        .values()
        .filter(|assessment| assessment.judge_unavailable)
        .map(|assessment| assessment.round.to_string())
        .collect();
    if !unjudged.is_empty() {
        let why = memory.benched.get(THE_JUDGE).map_or("", |bench| bench.why.trim()).trim_end_matches('.');
        let why = if why.is_empty() { String::new() } else { format!(": {why}") };
        let rounds = if unjudged.len() == 1 { "round" } else { "rounds" };
        found.push(format!("The judge was not available in {rounds} {}{why}.", unjudged.join(", ")));
    }
    if memory.left_out.values().any(|left| left.what == DECISION_LEFT_OUT) {
        found.push("The judge did not write the decision; it was counted.".to_owned());
    }
    if memory.over_budget() {
        found.push("The budget ended the debate before the panel did.".to_owned());
    }
    let voices = memory.setup.voices().count();
    let took_part = memory.setup.voices().filter(|agent| stands(memory, &agent.id).is_some()).count();
    if took_part < voices && memory.ending.is_some() {
        found.push(format!("{took_part} of {voices} took part to the end."));
    }
    found
}

/// How a frame that was not set is noted.
pub(super) const FRAME_LEFT_OUT: &str = "a frame from whoever was to set it";
/// How a decision that nobody wrote is noted.
pub(super) const DECISION_LEFT_OUT: &str = "the decision in the judge's words";
