//! Whether every quote in the record stands where it says: words of agents in their contributions, words of documents in the
//! context folder as it is now.

use std::path::Path;

use baton_agents::evidence::quote;
use baton_agents::read::bounded;
use serde::Serialize;

use super::contribution::{Contribution, Excerpt, Type};
use super::memory::Memory;
use super::record::{Record, Said, record};
use super::tools::confined;

/// Files larger than this are not read.
const LARGE: u64 = 1_000_000;

/// What checking the quotes of a record brought.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct QuoteCheck {
    /// How many there are.
    pub quotes: usize,
    /// Those that do not stand where the record says.
    pub flaws: Vec<QuoteFlaw>,
}

/// A quote that does not stand where the record says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct QuoteFlaw {
    /// Where it should stand.
    pub place: String,
    /// The words.
    pub quote: String,
    /// What is wrong.
    pub why: String,
}

/// Checks every quote of a debate's record.
#[must_use]
pub fn check(memory: &Memory) -> QuoteCheck {
    check_record(memory, &record(memory))
}

fn check_record(memory: &Memory, record: &Record) -> QuoteCheck {
    let mut checked = QuoteCheck::default();
    let others = record.slots.iter().flat_map(|slot| &slot.others).flat_map(|other| &other.reasons);
    for said in record.slots.iter().flat_map(|slot| &slot.reasons).chain(others) {
        checked.said(memory, said);
    }
    let entries = record.slots.iter().flat_map(|slot| &slot.objections).chain(&record.other_objections);
    for entry in entries {
        let critique = memory.contribution(entry.round, Type::Critique, &entry.critic, Some(&entry.target));
        let raised = critique.is_some_and(|one| one.objections.contains(&entry.objection));
        let place = format!("the critique of {} by {} in round {}", entry.target, entry.critic, entry.round);
        checked.note(&place, &entry.objection.claim, raised, "it was not raised there");
        if let Some(excerpt) = &entry.objection.quote {
            checked.document(memory, excerpt);
        }
    }
    for cover in record.requirements.iter().filter(|cover| !cover.quote.is_empty()) {
        let solution = memory.stands_for(memory.last_round(), &cover.quoted);
        checked.words(&format!("the solution of {}", cover.quoted), &cover.quote, solution);
    }
    checked
}

impl QuoteCheck {
    /// Whether all of them stand.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.flaws.is_empty()
    }

    fn note(&mut self, place: &str, words: &str, stands: bool, why: &str) {
        self.quotes += 1;
        if !stands {
            let (place, quote, why) = (place.to_owned(), words.to_owned(), why.to_owned());
            self.flaws.push(QuoteFlaw { place, quote, why });
        }
    }

    fn words(&mut self, place: &str, words: &str, one: Option<&Contribution>) {
        let stands = one.is_some_and(|one| quote::find(&one.text, words).is_some());
        self.note(place, words, stands, "the words do not stand there");
    }

    fn said(&mut self, memory: &Memory, said: &Said) {
        let Said { agent, round, kind, quote, documents } = said;
        let one = memory.contribution(*round, *kind, agent, None);
        self.words(&format!("the {} of {agent} in round {round}", kind.name()), quote, one);
        for excerpt in documents {
            self.document(memory, excerpt);
        }
    }

    fn document(&mut self, memory: &Memory, excerpt: &Excerpt) {
        let read = |folder: &String| {
            let file = confined(Path::new(folder), &excerpt.source, "the context directory")?;
            bounded::text(&file, LARGE).map_err(|refusal| refusal.to_string())
        };
        let text = memory.setup.context.as_ref().map_or(Err("there is no context folder".to_owned()), read);
        let (stands, why) = match &text {
            Ok(text) => (quote::find(text, &excerpt.quote).is_some(), "the words do not stand there now"),
            Err(why) => (false, why.as_str()),
        };
        self.note(&excerpt.source, &excerpt.quote, stands, why);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::support::{memory, objects, setup, takes};
    use super::*;
    use crate::debate::contribution::Severity;

    #[test]
    fn every_quote_stands_where_the_record_says_or_is_named() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("notes.md"), "We had 40 jobs a second.\n").unwrap();
        let mut setup = setup();
        setup.context = Some(folder.path().display().to_string());
        let excerpt =
            |source: &str, quote: &str| Excerpt { source: source.to_owned(), quote: quote.to_owned() };
        let mut ann = takes(1, Type::Proposal, "ann", "sqlite");
        ann.quotes = vec![
            excerpt("notes.md", "40 jobs a second"),
            excerpt("notes.md", "400 jobs"),
            excerpt("gone.md", "x"),
        ];
        let said = vec![
            ann,
            takes(1, Type::Proposal, "bob", "sqlite"),
            objects(1, "bob", "ann", "r1", Severity::Major, "slow"),
        ];
        let memory = memory(&setup, 1, said);
        let checked = check(&memory);
        assert_eq!(checked.quotes, 2 + 3 + 1, "{checked:?}");
        let wrong: Vec<&str> = checked.flaws.iter().map(|flaw| flaw.quote.as_str()).collect();
        assert_eq!(wrong, ["400 jobs", "x"]);
        let mut forged = record(&memory);
        forged.slots[0].reasons[0].quote = "never said".to_owned();
        assert_eq!(check_record(&memory, &forged).flaws.len(), 3);
    }
}
