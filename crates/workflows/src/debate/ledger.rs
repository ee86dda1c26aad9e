//! The ledger: positions and objections, counted. Agreement, impasse and saturation are computed here by code
//! from what agents took and raised, never from how alike their words are.

use std::collections::{BTreeMap, BTreeSet};

use baton_agents::rules::words::content_stems;
use serde::{Deserialize, Serialize};

use super::contribution::{Contribution, Objection, Reply, Severity, Type};
use super::memory::Memory;

/// What becomes of an objection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// Nobody has answered it, or the answer did not settle it.
    Open,
    /// It was accepted, or answered and not insisted on.
    Closed,
}

/// An objection in the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The round it was raised in.
    pub round: u32,
    /// Who raised it.
    pub critic: String,
    /// Against whom.
    pub target: String,
    /// The objection.
    #[serde(flatten)]
    pub objection: Objection,
    /// The answer, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<Reply>,
    /// The reason given with it.
    #[serde(default)]
    pub reason: String,
    /// What became of it.
    pub standing: Standing,
}

impl Entry {
    /// Whether it stands and weighs this much.
    #[must_use]
    pub fn is_open(&self, severity: Severity) -> bool {
        self.standing == Standing::Open && self.objection.severity == severity
    }
}

/// How one slot stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Count {
    /// The slot.
    pub slot: String,
    /// Whether the decision needs it.
    pub required: bool,
    /// Who takes which option.
    pub votes: BTreeMap<String, Vec<String>>,
    /// The option with most votes; none at a tie or without a vote.
    pub leading: Option<String>,
    /// Per cent of the voices behind the largest group.
    pub share: u8,
}

/// A position that was changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flip {
    /// Who.
    pub agent: String,
    /// Which slot.
    pub slot: String,
    /// From which option.
    pub from: String,
    /// To which.
    pub to: String,
    /// Objections its agent accepted in that round: the reason, if there is one.
    pub because: Vec<String>,
}

/// The figures of a round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Figures {
    /// The round.
    pub round: u32,
    /// How many agents have spoken.
    pub voices: usize,
    /// Mean share of the largest group over required slots, per cent; none without a frame.
    pub agreement: Option<u8>,
    /// Share of positions unchanged since the round before, per cent; none in the first.
    pub stability: Option<u8>,
    /// Share of this round's objections that are new, per cent; none if there were none.
    pub novelty: Option<u8>,
    /// Required slots without the quorum.
    pub disputed: Vec<String>,
    /// Required positions nobody has taken, as `agent/slot`.
    pub missing: Vec<String>,
    /// Open objections that block, by id.
    pub blocking: Vec<String>,
    /// Open objections that must be answered, by id.
    pub major: Vec<String>,
    /// Changes of position without an accepted objection, as `agent/slot`.
    pub uncited: Vec<String>,
    /// Major requirements nobody covers, by id.
    pub unmet: Vec<String>,
}

impl Figures {
    /// Whether everybody has stopped moving while something is still in dispute.
    #[must_use]
    pub fn impasse(&self) -> bool {
        self.stability == Some(100) && (!self.disputed.is_empty() || !self.blocking.is_empty())
    }

    /// Whether this round brought hardly any new objection.
    #[must_use]
    pub fn saturated(&self) -> bool {
        self.round > 1 && self.novelty.is_none_or(|novelty| novelty < 20)
    }
}

/// The positions at the end of a round, by agent.
#[must_use]
pub fn positions(memory: &Memory, round: u32) -> BTreeMap<String, BTreeMap<String, String>> {
    let stands = |agent: &super::setup::Agent| {
        Some((agent.id.clone(), memory.stands_for(round, &agent.id)?.positions.clone()))
    };
    memory.setup.voices().filter_map(stands).collect()
}

/// The positions of the blind first proposals, before anybody had read anybody.
#[must_use]
pub fn blind(memory: &Memory) -> BTreeMap<String, BTreeMap<String, String>> {
    memory.of(1, Type::Proposal).map(|one| (one.agent.clone(), one.positions.clone())).collect()
}

/// How the slots stand with these positions.
#[must_use]
pub fn counts(memory: &Memory, taken: &BTreeMap<String, BTreeMap<String, String>>) -> Vec<Count> {
    let Some(frame) = &memory.frame else { return Vec::new() };
    let count = |slot: &super::frame::Slot| {
        let mut votes: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (agent, positions) in taken {
            if let Some(option) = positions.get(&slot.slot) {
                votes.entry(option.clone()).or_default().push(agent.clone());
            }
        }
        let most = votes.values().map(Vec::len).max().unwrap_or(0);
        let mut leaders = votes.iter().filter(|(_, who)| who.len() == most).map(|(option, _)| option.clone());
        let leading = leaders.next().filter(|_| leaders.next().is_none());
        let share = per_cent(most, taken.len());
        Count { slot: slot.slot.clone(), required: slot.required, votes, leading, share }
    };
    frame.slots.iter().map(count).collect()
}

/// Every objection up to a round, with what became of it.
#[must_use]
pub fn objections(memory: &Memory, up_to: u32) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let critiques =
        memory.contributions.values().filter(|one| one.kind == Type::Critique && one.round <= up_to);
    for critique in critiques {
        let Some(target) = &critique.target else { continue };
        entries.extend(critique.objections.iter().map(|objection| Entry {
            round: critique.round,
            critic: critique.agent.clone(),
            target: target.clone(),
            objection: objection.clone(),
            reply: None,
            reason: String::new(),
            standing: Standing::Open,
        }));
    }
    for entry in &mut entries {
        answer(memory, up_to, entry);
    }
    entries
}

/// Finds the newest answer to an objection, and whether its critic still insists.
fn answer(memory: &Memory, up_to: u32, entry: &mut Entry) {
    for round in entry.round..=up_to {
        let refined = memory.contribution(round, Type::Refinement, &entry.target, None);
        let response = refined
            .and_then(|one| one.responses.iter().find(|response| response.objection == entry.objection.id));
        if let Some(response) = response {
            entry.reply = Some(response.reply);
            entry.reason.clone_from(&response.reason);
        }
    }
    let settled = memory.contributions.values().any(|one| {
        one.round <= up_to && one.agent == entry.critic && one.settled.contains(&entry.objection.id)
    });
    let answered = match entry.reply {
        Some(Reply::Accepted) => true,
        // A blocking objection that was turned down stands until its critic lets go of it.
        Some(Reply::Partially | Reply::Rejected) => {
            entry.objection.severity != Severity::Blocking && !entry.reason.trim().is_empty()
        }
        None => false,
    };
    if settled || answered {
        entry.standing = Standing::Closed;
    }
}

/// Who has changed which position between two rounds' ends. Round 0 is the blind proposal.
#[must_use]
pub fn flips(memory: &Memory, round: u32) -> Vec<Flip> {
    let before = if round <= 1 { blind(memory) } else { positions(memory, round - 1) };
    let mut found = Vec::new();
    for (agent, now) in positions(memory, round) {
        let Some(earlier) = before.get(&agent) else { continue };
        for (slot, to) in now {
            let Some(from) = earlier.get(&slot).filter(|from| **from != to) else { continue };
            let because = accepted(memory, round, &agent);
            found.push(Flip { agent: agent.clone(), slot, from: from.clone(), to, because });
        }
    }
    found
}

fn accepted(memory: &Memory, round: u32, agent: &str) -> Vec<String> {
    let refined = memory.contribution(round, Type::Refinement, agent, None);
    let taken = |response: &&super::contribution::Response| response.reply != Reply::Rejected;
    refined.map_or_else(Vec::new, |one| {
        one.responses.iter().filter(taken).map(|response| response.objection.clone()).collect()
    })
}

/// The figures of a round.
#[must_use]
pub fn figures(memory: &Memory, round: u32) -> Figures {
    let taken = positions(memory, round);
    let counts = counts(memory, &taken);
    let required: Vec<&Count> = counts.iter().filter(|count| count.required).collect();
    let shares: usize = required.iter().map(|count| usize::from(count.share)).sum();
    let agreement = (!required.is_empty()).then(|| u8::try_from(shares / required.len()).unwrap_or(100));
    let quorum = memory.setup.terms.quorum;
    let missing = required.iter().flat_map(|count| {
        let silent = taken.iter().filter(|(_, positions)| !positions.contains_key(&count.slot));
        silent.map(|(agent, _)| format!("{agent}/{}", count.slot)).collect::<Vec<_>>()
    });
    let entries = objections(memory, round);
    let open = |severity| {
        let these = entries.iter().filter(move |entry| entry.is_open(severity));
        these.map(|entry| entry.objection.id.clone()).collect::<Vec<_>>()
    };
    let uncited = flips(memory, round).into_iter().filter(|flip| flip.because.is_empty());
    Figures {
        round,
        voices: taken.len(),
        agreement,
        stability: stability(memory, round, &taken),
        novelty: novelty(&entries, round),
        disputed: required
            .iter()
            .filter(|count| count.share < quorum)
            .map(|count| count.slot.clone())
            .collect(),
        missing: missing.collect(),
        blocking: open(Severity::Blocking),
        major: open(Severity::Major),
        uncited: uncited.map(|flip| format!("{}/{}", flip.agent, flip.slot)).collect(),
        unmet: unmet(memory, round),
    }
}

/// Major requirements that not one of the standing solutions covers.
#[must_use]
pub fn unmet(memory: &Memory, round: u32) -> Vec<String> {
    let standing: Vec<&Contribution> =
        memory.setup.voices().filter_map(|agent| memory.stands_for(round, &agent.id)).collect();
    let covered = |requirement: &super::setup::Requirement| {
        standing.iter().any(|one| one.covers.contains(&requirement.id))
    };
    let major = memory.setup.requirements.iter().filter(|requirement| requirement.major);
    major.filter(|requirement| !covered(requirement)).map(|requirement| requirement.id.clone()).collect()
}

fn stability(memory: &Memory, round: u32, now: &BTreeMap<String, BTreeMap<String, String>>) -> Option<u8> {
    if round <= 1 {
        return None;
    }
    let before = positions(memory, round - 1);
    let slots: BTreeSet<(&String, &String)> =
        now.iter().flat_map(|(agent, taken)| taken.keys().map(move |slot| (agent, slot))).collect();
    let same = slots.iter().filter(|(agent, slot)| {
        before.get(*agent).and_then(|taken| taken.get(*slot)) == now[*agent].get(*slot)
    });
    (!slots.is_empty()).then(|| per_cent(same.count(), slots.len()))
}

/// The share of a round's objections that say something no earlier one said.
fn novelty(entries: &[Entry], round: u32) -> Option<u8> {
    let earlier: Vec<_> = entries
        .iter()
        .filter(|entry| entry.round < round)
        .map(|entry| content_stems(&entry.objection.claim))
        .collect();
    let now: Vec<_> = entries
        .iter()
        .filter(|entry| entry.round == round)
        .map(|entry| content_stems(&entry.objection.claim))
        .collect();
    let is_new =
        |claim: &&std::collections::HashSet<String>| !earlier.iter().any(|old| jaccard(claim, old) >= 60);
    (!now.is_empty()).then(|| per_cent(now.iter().filter(is_new).count(), now.len()))
}

fn jaccard(one: &std::collections::HashSet<String>, other: &std::collections::HashSet<String>) -> u8 {
    per_cent(one.intersection(other).count(), one.union(other).count())
}

fn per_cent(part: usize, whole: usize) -> u8 {
    (part * 100).checked_div(whole).map_or(0, |share| u8::try_from(share).unwrap_or(100))
}
