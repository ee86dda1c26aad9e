//! The ledger: positions and objections, counted. Agreement, impasse and saturation are computed here by code
//! from what agents took and raised, never from how alike their words are.

use std::collections::{BTreeMap, BTreeSet};

use baton_agents::rules::words::content_stems;
use serde::{Deserialize, Serialize};

use super::contribution::{Reply, Severity, Type};
use super::memory::Memory;
use super::objections::{Entry, objections};
use super::winning::unmet;

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
    /// The round it was changed in.
    pub round: u32,
    /// Objections about this slot that its agent accepted in that round: the reason, if there is one.
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
    /// How many agents of the panel take positions; 0 where nobody counted them.
    #[serde(default, skip_serializing_if = "nobody")]
    pub panel: usize,
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
    /// Objections that must be answered and were accepted, which their critics have not looked at again, by id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unchecked: Vec<String>,
    /// Changes of position without an accepted objection, as `agent/slot`.
    pub uncited: Vec<String>,
    /// Major requirements the leading solution does not meet, by id.
    pub unmet: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this signature")]
fn nobody(number: &usize) -> bool {
    *number == 0
}

impl Figures {
    /// How many must take part for a decision to count: two thirds of the panel, and two.
    #[must_use]
    pub fn needed(&self) -> usize {
        (self.panel * 2).div_ceil(3).max(2)
    }

    /// Whether enough of the panel took part.
    #[must_use]
    pub fn is_attended(&self) -> bool {
        self.voices >= self.needed()
    }

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

/// Who has changed which position between two rounds' ends. Round 0 is the blind proposal.
#[must_use]
pub fn flips(memory: &Memory, round: u32) -> Vec<Flip> {
    let before = if round <= 1 { blind(memory) } else { positions(memory, round - 1) };
    let mut found = Vec::new();
    for (agent, now) in positions(memory, round) {
        let Some(earlier) = before.get(&agent) else { continue };
        for (slot, to) in now {
            let Some(from) = earlier.get(&slot).filter(|from| **from != to) else { continue };
            let because = accepted(memory, round, &agent, &slot);
            found.push(Flip { agent: agent.clone(), slot, from: from.clone(), to, round, because });
        }
    }
    found
}

/// Objections about a slot that an agent accepted, wholly or in part, in a round.
fn accepted(memory: &Memory, round: u32, agent: &str, slot: &str) -> Vec<String> {
    let entries = objections(memory, round).into_iter();
    let taken = entries.filter(|entry| {
        entry.target == agent
            && entry.answered_in == Some(round)
            && entry.about.as_deref() == Some(slot)
            && matches!(entry.reply, Some(Reply::Accepted | Reply::Partially))
    });
    taken.map(|entry| entry.objection.id).collect()
}

/// Whether a set of positions has the quorum on every required slot.
#[must_use]
pub fn agrees(memory: &Memory, taken: &BTreeMap<String, BTreeMap<String, String>>) -> bool {
    let counts = counts(memory, taken);
    let mut required = counts.iter().filter(|count| count.required).peekable();
    required.peek().is_some() && required.all(|count| count.share >= memory.setup.terms.quorum)
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
    let unchecked = entries
        .iter()
        .filter(|entry| entry.objection.severity > Severity::Minor && entry.is_unchecked())
        .map(|entry| entry.objection.id.clone());
    let unchecked = unchecked.collect();
    let uncited = flips(memory, round).into_iter().filter(|flip| flip.because.is_empty());
    Figures {
        round,
        voices: taken.len(),
        panel: memory.setup.voices().count(),
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
        unchecked,
        uncited: uncited.map(|flip| format!("{}/{}", flip.agent, flip.slot)).collect(),
        unmet: unmet(memory, round),
    }
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
