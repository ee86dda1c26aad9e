//! What was decided, whose solution it is, and whether that solution meets the requirements: in the affirmative, and in
//! its own words. What a losing solution covers counts for nothing.

use std::collections::BTreeMap;

use baton_agents::rules::words::{content_stems, stems};

use super::contribution::Contribution;
use super::ledger::{Count, counts, positions};
use super::memory::Memory;
use super::passages::whole_sentences;
use super::setup::Requirement;

/// The option that leads on each slot where one does, at the end of the last round.
#[must_use]
pub fn decided(memory: &Memory) -> BTreeMap<String, String> {
    leading(&counts(memory, &positions(memory, memory.last_round())))
}

fn leading(counts: &[Count]) -> BTreeMap<String, String> {
    counts.iter().filter_map(|count| Some((count.slot.clone(), count.leading.clone()?))).collect()
}

/// The solutions that hold every option that leads on a required slot. With nothing decided, and with leading options
/// that nobody holds together, there is none.
#[must_use]
pub fn solutions(memory: &Memory, round: u32) -> Vec<&Contribution> {
    let counts = counts(memory, &positions(memory, round));
    let required: Vec<&Count> = counts.iter().filter(|count| count.required).collect();
    let options: Vec<(&String, &String)> =
        required.iter().filter_map(|count| Some((&count.slot, count.leading.as_ref()?))).collect();
    if options.is_empty() {
        return Vec::new();
    }
    let holds =
        |one: &&Contribution| options.iter().all(|(slot, option)| one.positions.get(*slot) == Some(option));
    memory.setup.voices().filter_map(|agent| memory.stands_for(round, &agent.id)).filter(holds).collect()
}

/// How a requirement is met: by whose solution, and where its words say so.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Cover {
    /// The requirement.
    pub requirement: String,
    /// In words.
    pub text: String,
    /// Whether the decision fails without it.
    pub major: bool,
    /// Whose winning solution says that it is met.
    pub by: Vec<String>,
    /// Who of them says that it is not.
    pub denied_by: Vec<String>,
    /// Where the words say how, copied exactly; empty if no sentence is about it.
    pub quote: String,
    /// Whose words they are.
    pub quoted: String,
}

impl Cover {
    /// Whether it is met.
    #[must_use]
    pub fn holds(&self) -> bool {
        !self.by.is_empty() && self.denied_by.is_empty()
    }
}

/// How each requirement is met by what won.
#[must_use]
pub fn covers(memory: &Memory, round: u32) -> Vec<Cover> {
    let winners = solutions(memory, round);
    let cover = |requirement: &Requirement| {
        let who = |these: &dyn Fn(&Contribution) -> bool| {
            winners.iter().filter(|one| these(one)).map(|one| one.agent.clone()).collect::<Vec<_>>()
        };
        let denied_by = who(&|one| denies(&one.text, &requirement.id));
        let by = who(&|one| one.covers.contains(&requirement.id));
        let saying = winners.iter().filter(|one| by.contains(&one.agent));
        let mut found =
            saying.filter_map(|one| Some((sentence_about(requirement, &one.text)?, one.agent.clone())));
        let (quote, quoted) = found.next().unwrap_or_default();
        let Requirement { id, text, major } = requirement.clone();
        Cover { requirement: id, text, major, by, denied_by, quote, quoted }
    };
    memory.setup.requirements.iter().map(cover).collect()
}

/// Major requirements that the winning solution does not meet, by id.
#[must_use]
pub fn unmet(memory: &Memory, round: u32) -> Vec<String> {
    let open = covers(memory, round).into_iter().filter(|cover| cover.major && !cover.holds());
    open.map(|cover| cover.requirement).collect()
}

const MEETS: [&str; 14] = [
    "meet", "met", "cover", "satisfi", "fulfil", "fulfill", "address", "honour", "honor", "guarante",
    "achiev", "ensur", "provid", "support",
];
const DENIES: [&str; 8] = ["not", "never", "no", "neither", "nor", "without", "hardli", "bare"];
const BREAKS: [&str; 12] = [
    "violat",
    "ignor",
    "break",
    "broken",
    "miss",
    "unmet",
    "uncov",
    "unsatisfi",
    "fail",
    "lack",
    "sacrific",
    "waiv",
];

/// Whether a text says of a requirement, by its id, that it is not met.
#[must_use]
pub fn denies(text: &str, id: &str) -> bool {
    clauses(text).any(|clause| names(clause, id) && is_denial(clause))
}

fn is_denial(clause: &str) -> bool {
    let words = stems(&clause.replace('’', "'").replace("n't", " not").replace("cannot", "can not"));
    let is = |list: &[&str], word: &String| list.contains(&word.as_str());
    // "does not meet", "is not yet fully covered": a denial shortly before the verb, and "not only" is none.
    let not_met = words.iter().enumerate().any(|(at, word)| {
        is(&DENIES, word)
            && words.get(at + 1).is_none_or(|next| next != "onli")
            && words[at..].iter().take(5).any(|next| is(&MEETS, next))
    });
    not_met || words.iter().any(|word| is(&BREAKS, word))
}

/// Whether a clause names an id as a word of its own: `R1` is not in `R12`.
fn names(clause: &str, id: &str) -> bool {
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    clause.match_indices(id).any(|(at, _)| {
        !part(clause[..at].chars().next_back()) && !part(clause[at + id.len()..].chars().next())
    })
}

fn clauses(text: &str) -> impl Iterator<Item = &str> {
    whole_sentences(text)
        .into_iter()
        .flat_map(|sentence| sentence.split([';', '—']))
        .flat_map(|clause| clause.split(", but "))
        .filter(|clause| !clause.trim().is_empty())
}

/// The requirements a text says it meets: it names one by its id, or takes up at least half of the words that carry its
/// meaning in one sentence, without denying it.
#[must_use]
pub fn covered_by_words(requirements: &[Requirement], text: &str) -> Vec<String> {
    let covered = |requirement: &&Requirement| {
        !denies(text, &requirement.id)
            && (names(text, &requirement.id) || sentence_about(requirement, text).is_some())
    };
    requirements.iter().filter(covered).map(|requirement| requirement.id.clone()).collect()
}

/// The sentence of a text that is most about a requirement and does not deny it, copied exactly.
#[must_use]
pub fn sentence_about(requirement: &Requirement, text: &str) -> Option<String> {
    use baton_agents::evidence::conflict::is_negated;
    let asked = content_stems(&requirement.text);
    let forbids =
        stems(&requirement.text).iter().any(|word| DENIES.contains(&word.as_str()) || word == "nobodi");
    let mut best: Option<(usize, &str)> = None;
    for sentence in whole_sentences(text) {
        let shared = content_stems(sentence).intersection(&asked).count();
        let named = names(sentence, &requirement.id);
        if named && clauses(sentence).any(|clause| names(clause, &requirement.id) && is_denial(clause)) {
            continue;
        }
        // What forbids something is met in words that deny something; what demands something is not.
        let takes_up = |words: &str| {
            let shared = content_stems(words).intersection(&asked).count();
            !asked.is_empty() && shared * 2 >= asked.len() && (forbids || !is_negated(words))
        };
        let mut parts = sentence.split([';', ',']).flat_map(|part| part.split(" and "));
        if !(named || takes_up(sentence) || parts.any(takes_up)) {
            continue;
        }
        let weight = shared + if named { asked.len() } else { 0 };
        if best.is_none_or(|(most, _)| weight > most) {
            best = Some((weight, sentence));
        }
    }
    best.map(|(_, sentence)| sentence.to_owned())
}
