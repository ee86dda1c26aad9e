//! What became of each objection. An objection is over when its critic lets go of it, or when a minor one was
//! turned down with a reason; one that was accepted is looked at again by whoever raised it.

use baton_agents::skill::one_line;
use serde::{Deserialize, Serialize};

use super::contribution::{Contribution, Objection, Reply, Severity, Type};
use super::memory::Memory;
use super::positions;

/// Whether an objection still stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// Nobody has answered it, or the answer did not settle it.
    Open,
    /// It was accepted, let go of, or minor and turned down with a reason.
    Closed,
}

/// How an objection ended, or where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    /// Nobody has answered it.
    Unanswered,
    /// The one it was put to accepted it.
    Accepted,
    /// Part of it was accepted.
    Partially,
    /// It was turned down.
    Rejected,
    /// Its critic let go of it.
    Withdrawn,
}

impl Fate {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unanswered => "not answered",
            Self::Accepted => "accepted",
            Self::Partially => "partially accepted",
            Self::Rejected => "rejected",
            Self::Withdrawn => "withdrawn",
        }
    }
}

/// An objection in the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
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
    /// The slot it is about: as its critic said, or as its words say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The option it speaks against: what its target held there when it was raised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// The answer, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<Reply>,
    /// The reason given with it.
    #[serde(default)]
    pub reason: String,
    /// The round of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered_in: Option<u32>,
    /// The round of the first answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_answer: Option<u32>,
    /// The round in which its critic looked at an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked_in: Option<u32>,
    /// How it ended.
    pub fate: Fate,
    /// Whether it still stands.
    pub standing: Standing,
    /// Whether its critic left the panel, so that nobody can let go of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub critic_benched: bool,
}

impl Entry {
    /// Whether it stands and weighs this much.
    #[must_use]
    pub fn is_open(&self, severity: Severity) -> bool {
        self.standing == Standing::Open && self.objection.severity == severity
    }

    /// Whether it was accepted, and whoever raised it has not looked at what came of that.
    #[must_use]
    pub fn is_unchecked(&self) -> bool {
        self.fate == Fate::Accepted && self.checked_in.is_none()
    }

    /// Whether its critic is to be shown it again: it stands, or nobody has checked what was promised.
    #[must_use]
    pub fn is_to_be_checked(&self) -> bool {
        self.standing == Standing::Open || self.is_unchecked()
    }

    /// The objection as a line of a prompt: id, weight, words.
    #[must_use]
    pub fn line(&self) -> String {
        let Objection { id, severity, claim, .. } = &self.objection;
        one_line(&format!("{id} ({}): {claim}", severity.name()))
    }

    /// The same with its answer and what became of it.
    #[must_use]
    pub fn line_with_reply(&self) -> String {
        format!("{} -> {}", self.line(), self.answer_in_words())
    }

    /// The answer and its reason.
    #[must_use]
    pub fn answer_in_words(&self) -> String {
        match self.reply {
            None => Fate::Unanswered.name().to_owned(),
            Some(reply) if self.reason.trim().is_empty() => reply.name().to_owned(),
            Some(reply) => one_line(&format!("{}: {}", reply.name(), self.reason.trim())),
        }
    }
}

/// Every objection up to a round, with what became of it.
#[must_use]
pub fn objections(memory: &Memory, up_to: u32) -> Vec<Entry> {
    let critiques =
        memory.contributions.values().filter(|one| one.kind == Type::Critique && one.round <= up_to);
    let raised = critiques.filter_map(|critique| Some((critique, critique.target.as_deref()?)));
    raised
        .flat_map(|(critique, target)| {
            critique.objections.iter().map(move |objection| entry(memory, up_to, critique, target, objection))
        })
        .collect()
}

fn entry(memory: &Memory, up_to: u32, critique: &Contribution, target: &str, raised: &Objection) -> Entry {
    let about = about(memory, raised);
    let proposal = memory.contribution(critique.round, Type::Proposal, target, None);
    let against = about.as_ref().and_then(|slot| proposal?.positions.get(slot).cloned());
    let mut entry = Entry {
        round: critique.round,
        critic: critique.agent.clone(),
        target: target.to_owned(),
        objection: raised.clone(),
        about,
        against,
        reply: None,
        reason: String::new(),
        answered_in: None,
        first_answer: None,
        checked_in: None,
        fate: Fate::Unanswered,
        standing: Standing::Open,
        critic_benched: memory.on_bench(&critique.agent).is_some(),
    };
    answer(memory, up_to, &mut entry);
    settle(memory, up_to, &mut entry);
    entry
}

/// The slot an objection is about: the one its critic named, the only one whose options its words name, or the only
/// one there is.
fn about(memory: &Memory, raised: &Objection) -> Option<String> {
    if raised.slot.is_some() {
        return raised.slot.clone();
    }
    let frame = memory.frame.as_ref()?;
    if let [only] = frame.slots.as_slice() {
        return Some(only.slot.clone());
    }
    let mut named = frame.slots.iter().filter(|slot| positions::names(slot, &raised.claim));
    named.next().filter(|_| named.next().is_none()).map(|slot| slot.slot.clone())
}

/// The newest answer of the one it was put to.
fn answer(memory: &Memory, up_to: u32, entry: &mut Entry) {
    for round in entry.round..=up_to {
        let refined = memory.contribution(round, Type::Refinement, &entry.target, None);
        let response = refined
            .and_then(|one| one.responses.iter().find(|response| response.objection == entry.objection.id));
        if let Some(response) = response {
            entry.reply = Some(response.reply);
            entry.reason.clone_from(&response.reason);
            entry.first_answer.get_or_insert(round);
            entry.answered_in = Some(round);
        }
    }
}

/// What its critic made of the answer.
fn settle(memory: &Memory, up_to: u32, entry: &mut Entry) {
    let later = |says: fn(&Contribution) -> &Vec<String>, since: u32| {
        let of_critic = |round: &u32| {
            let mut critiques = memory.of(*round, Type::Critique).filter(|one| one.agent == entry.critic);
            critiques.any(|one| says(one).contains(&entry.objection.id))
        };
        (since + 1..=up_to).find(of_critic)
    };
    let let_go = later(|one| &one.settled, entry.round);
    // Whoever looked once and was not content is not made content by the same answer again.
    let looked = entry.first_answer.and_then(|round| later(|one| &one.reviewed, round));
    entry.checked_in = let_go.or(looked);
    entry.fate = match entry.reply {
        Some(Reply::Accepted) => Fate::Accepted,
        Some(Reply::Partially) => Fate::Partially,
        Some(Reply::Rejected) if let_go.is_none() => Fate::Rejected,
        None if let_go.is_none() => Fate::Unanswered,
        _ => Fate::Withdrawn,
    };
    let is_minor = entry.objection.severity == Severity::Minor;
    let closed = match entry.fate {
        _ if let_go.is_some() => true,
        // Accepted in words, and its critic has looked and is not satisfied: it stands.
        Fate::Accepted => entry.checked_in.is_none(),
        Fate::Partially | Fate::Rejected => is_minor && !entry.reason.trim().is_empty(),
        Fate::Unanswered | Fate::Withdrawn => false,
    };
    entry.standing = if closed { Standing::Closed } else { Standing::Open };
}
