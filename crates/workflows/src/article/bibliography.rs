//! References in APA, MLA and Chicago (author and date), in the text and in the list. Three formatters of our own: the
//! styles of a CSL library come under a licence that asks others to share alike (see the decision record).

mod entry;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::brief::Style;
use super::draft::Draft;
use crate::citation::Facts;
use crate::retrieval::SourceCard;
use entry::Entry;

/// The sources an article cites, as its style names them.
#[derive(Clone, Debug)]
pub struct References<'a> {
    style: Style,
    entries: Vec<Entry<'a>>,
    /// The place of each fact's source among the entries, and its page.
    facts: BTreeMap<String, (usize, Option<usize>)>,
}

impl<'a> References<'a> {
    /// The references of an article.
    #[must_use]
    pub fn of(draft: &Draft, facts: &'a Facts<'a>, style: Style) -> Self {
        let keys: Vec<String> = draft.facts().into_iter().map(str::to_owned).collect();
        Self::from_keys(&keys, facts, style)
    }

    /// References for facts, whatever is written.
    #[must_use]
    pub fn all(facts: &'a Facts<'a>, style: Style) -> Self {
        let keys: Vec<String> = facts.all().iter().map(|fact| fact.found.key().to_owned()).collect();
        Self::from_keys(&keys, facts, style)
    }

    fn from_keys(keys: &[String], facts: &'a Facts<'a>, style: Style) -> Self {
        let mut cards: Vec<&'a SourceCard> = Vec::new();
        for fact in keys.iter().filter_map(|key| facts.fact(key)) {
            if !cards.iter().any(|card| card.key() == fact.card.key()) {
                cards.push(fact.card);
            }
        }
        let mut entries: Vec<Entry<'a>> = cards.into_iter().map(Entry::of).collect();
        entries.sort_by_key(Entry::order);
        entry::tell_apart(&mut entries, style);
        let place = |key: &String| {
            let fact = facts.fact(key)?;
            let at = entries.iter().position(|entry| entry.card.key() == fact.card.key())?;
            Some((key.clone(), (at, fact.found.page)))
        };
        let facts = keys.iter().filter_map(place).collect();
        Self { style, entries, facts }
    }

    /// How many sources there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The sources, in the order of the list.
    pub fn cards(&self) -> impl Iterator<Item = &'a SourceCard> {
        self.entries.iter().map(|entry| entry.card)
    }

    /// The source of a fact, by its place in the list.
    #[must_use]
    pub fn place(&self, fact: &str) -> Option<usize> {
        self.facts.get(fact).map(|(at, _)| *at)
    }

    /// The source of a fact as a sentence names it: `Harlund Heat (2026)`.
    #[must_use]
    pub fn narrative(&self, fact: &str) -> String {
        match self.facts.get(fact) {
            Some((at, page)) => self.entries[*at].narrative(self.style, *page),
            None => String::new(),
        }
    }

    /// The name alone by which a sentence names the source of a fact.
    #[must_use]
    pub fn name(&self, fact: &str) -> String {
        self.facts.get(fact).map(|(at, _)| self.entries[*at].name()).unwrap_or_default()
    }

    /// What the source of a fact is called when it has been named: `report`, `page`.
    #[must_use]
    pub fn noun(&self, fact: &str) -> &'static str {
        self.facts.get(fact).map_or("source", |(at, _)| self.entries[*at].noun())
    }

    /// What the source of a fact does: it reports, explains or states.
    #[must_use]
    pub fn verb(&self, fact: &str) -> &'static str {
        match self.noun(fact) {
            "report" | "bulletin" | "survey" | "record" | "letter" | "newsletter" | "study" => "reports",
            "page" | "guide" | "manual" | "glossary" | "briefing" | "tutorial" | "book" => "explains",
            _ => "states",
        }
    }

    /// The citation behind a sentence: `(Harlund Heat, 2026; Council, 2021)`.
    #[must_use]
    pub fn marks(&self, facts: &[String]) -> String {
        let mut marks: Vec<String> = Vec::new();
        for (at, page) in facts.iter().filter_map(|key| self.facts.get(key)) {
            let mark = self.entries[*at].mark(self.style, *page);
            if !marks.contains(&mark) {
                marks.push(mark);
            }
        }
        if marks.is_empty() { String::new() } else { format!("({})", marks.join("; ")) }
    }

    /// What a citation in the text looks like, for each source: `Harlund Heat, 2026`.
    #[must_use]
    pub fn marks_of_all(&self) -> Vec<String> {
        self.entries.iter().map(|entry| entry.mark(self.style, None)).collect()
    }

    /// The entry of a source in the list, as Markdown.
    #[must_use]
    pub fn listed(&self, at: usize) -> String {
        self.entries.get(at).map(|entry| entry.listed(self.style)).unwrap_or_default()
    }
}
