//! The fair baseline: a blind vote of the same panel for the same number of calls, without critique or refinement.

use serde::{Deserialize, Serialize};

use super::contribution::Type;
use super::ledger::{Count, counts, figures, positions};
use super::memory::Memory;
use super::setup::{Agent, Comparison, Critiques, Kind, Setup, Termination, Written};
use baton_agents::skill::Role;

/// The setup of a blind vote on the same material as a debate, for as many calls as that made. Every model votes as
/// often as that allows; everybody else once, and people are not asked again for what they have said.
#[must_use]
pub fn blind(debate: &Memory, run: &str, calls: u64) -> Setup {
    let setup = &debate.setup;
    let is_model = |kind: &Kind| matches!(kind, Kind::Model { .. });
    let models = setup.agents.iter().filter(|agent| is_model(&agent.kind)).count() as u64;
    let times = calls.checked_div(models).unwrap_or(1).max(1);
    let mut vote = setup.clone();
    vote.agents = setup
        .voices()
        .flat_map(|agent| {
            let times = if is_model(&agent.kind) { times } else { 1 };
            (1..=times).map(move |n| {
                let mut voice = said_already(debate, agent);
                if n > 1 {
                    voice.id = format!("{}-{n}", agent.id);
                    voice.name = format!("{} ({n})", agent.name);
                }
                voice
            })
        })
        .collect();
    vote.judge.role = Role::rules_only("judge");
    vote.terms.rounds = 1;
    vote.terms.termination = Termination::Fixed;
    vote.terms.critiques = Critiques::None;
    vote.terms.clarify = false;
    vote.frame.clone_from(&debate.frame);
    vote.clarifications =
        debate.clarifications.iter().map(|one| (one.question.clone(), one.answer.clone())).collect();
    vote.output = None;
    vote.compared = Some(Comparison {
        run: run.to_owned(),
        decided: super::winning::decided(debate),
        agreement: figures(debate, debate.last_round()).agreement,
    });
    vote
}

/// A person who has proposed blind says the same again; everybody else is asked.
fn said_already(debate: &Memory, agent: &Agent) -> Agent {
    let said = debate.contribution(1, Type::Proposal, &agent.id, None);
    match (&agent.kind, said) {
        (Kind::Person { .. }, Some(said)) => {
            let (text, positions) = (said.text.clone(), said.positions.clone());
            Agent { kind: Kind::File(Written { text, positions, objections: Vec::new() }), ..agent.clone() }
        }
        _ => agent.clone(),
    }
}

/// A blind vote that was held beside a debate, as the debate's own journal keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Beside {
    /// The run of the vote.
    pub vote: String,
    /// Calls the debate took.
    pub debate_calls: u64,
    /// Calls the vote took.
    pub vote_calls: u64,
    /// Both, slot by slot.
    pub slots: Vec<Compared>,
    /// Both in figures.
    pub agreement: Gain,
}

impl Beside {
    /// Both in a sentence or two.
    #[must_use]
    pub fn words(&self) -> String {
        let same = self.slots.iter().filter(|slot| slot.same).count();
        let mut words = format!(
            "A blind vote of the same panel ({} calls, run {}) came to the same on {same} of {} slots.",
            self.vote_calls,
            self.vote,
            self.slots.len()
        );
        if let Gain { debate: Some(ours), vote: Some(theirs), lift: Some(lift) } = self.agreement {
            words.push_str(&format!(
                " Agreement: {ours} per cent in the debate, {theirs} in the vote ({lift:+})."
            ));
        }
        words
    }
}

/// The debate and the vote in figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gain {
    /// Agreement of the debate, per cent.
    pub debate: Option<u8>,
    /// Agreement of the blind vote, per cent.
    pub vote: Option<u8>,
    /// What the debate has over the vote.
    pub lift: Option<i16>,
}

/// How much more the debate agreed than the vote.
#[must_use]
pub fn gain(debate: &Memory, vote: &Memory) -> Gain {
    let of = |memory: &Memory| figures(memory, memory.last_round()).agreement;
    let (debate, vote) = (of(debate), of(vote));
    Gain { debate, vote, lift: debate.zip(vote).map(|(ours, theirs)| i16::from(ours) - i16::from(theirs)) }
}

/// One slot, decided both ways.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compared {
    /// The slot.
    pub slot: String,
    /// What the debate decided.
    pub debate: Option<String>,
    /// Per cent behind it.
    pub debate_share: u8,
    /// What the blind vote decided.
    pub vote: Option<String>,
    /// Per cent behind it.
    pub vote_share: u8,
    /// Whether they are the same.
    pub same: bool,
}

/// A debate and a blind vote, slot by slot.
#[must_use]
pub fn compare(debate: &Memory, vote: &Memory) -> Vec<Compared> {
    let of = |memory: &Memory| counts(memory, &positions(memory, memory.last_round()));
    let (ours, theirs) = (of(debate), of(vote));
    let pair = |count: &Count| {
        let other = theirs.iter().find(|other| other.slot == count.slot);
        let voted = other.and_then(|other| other.leading.clone());
        Compared {
            slot: count.slot.clone(),
            same: count.leading == voted,
            debate: count.leading.clone(),
            debate_share: count.share,
            vote: voted,
            vote_share: other.map_or(0, |other| other.share),
        }
    };
    ours.iter().map(pair).collect()
}
