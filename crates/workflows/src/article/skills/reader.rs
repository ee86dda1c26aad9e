//! Reading what a model wrote: a sentence is let through if its facts carry it, once. In the place of one that is not,
//! one of its own facts stands in the words of its source, so that a paragraph keeps its course.

use std::collections::HashSet;

use baton_agents::evidence::Verdict;
use baton_agents::rules::originality::originality;
use baton_agents::rules::words::content_stems;

use super::{ShownFact, WrittenSentence};
use crate::article::draft::{Sentence, Voice, capital};
use crate::article::score::LONGEST_RUN;
use crate::article::workers::writing::Said;
use crate::article::workers::{verdict, writing};
use crate::citation::{Dropped, Facts, NumberedFact};

/// A paragraph of fewer sentences is filled with facts of its section.
const FEWEST: usize = 2;
/// The share of its words that a sentence must share with a fact to be taken for it.
const NEAREST: f64 = 0.8;
/// Facts that are tried for one sentence.
const TRIED: usize = 4;

/// Where a sentence was written.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// It holds, or those of its parts do that hold.
    Kept(Vec<Sentence>),
    /// It does not; the keys of the facts it named.
    Lost(Vec<String>),
}

/// Lets sentences through that their facts carry, each once.
pub struct Reader<'a> {
    /// The facts.
    pub facts: &'a Facts<'a>,
    /// What was said.
    pub said: Said,
    /// Keys that were used.
    pub used: HashSet<String>,
    /// What was not let through.
    pub dropped: Vec<Dropped>,
    names: HashSet<String>,
    turn: writing::Turn,
}

impl<'a> Reader<'a> {
    /// A reader who has read nothing yet.
    pub fn new(facts: &'a Facts<'a>) -> Self {
        let names = writing::names(facts);
        Self {
            facts,
            said: Said::default(),
            used: HashSet::new(),
            dropped: Vec::new(),
            names,
            turn: writing::Turn::default(),
        }
    }

    /// The sentences, each in its place.
    pub fn all(&mut self, written: &[WrittenSentence]) -> Vec<Place> {
        written.iter().filter_map(|one| self.one(one)).collect()
    }

    fn one(&mut self, written: &WrittenSentence) -> Option<Place> {
        let text = without_labels(&written.text);
        if written.facts.is_empty() && is_about_the_article(&text) {
            return Some(Place::Kept(vec![Sentence::frame(text)]));
        }
        let known = |label: &String| self.facts.labelled(label).map(|fact| fact.found.key().to_owned());
        let keys: Vec<String> = written.facts.iter().filter_map(known).collect();
        let sentence = Sentence::plain(closed(&text), keys.clone());
        let kept = match self.held(sentence, written.facts.len()) {
            Ok(sentence) => vec![sentence],
            Err(why) => {
                let parts = self.parts(&closed(&text), &keys, written.facts.len());
                self.dropped.push(Dropped { text, why });
                parts
            }
        };
        if kept.is_empty() {
            return Some(Place::Lost(keys));
        }
        let new: Vec<Sentence> = kept.into_iter().filter_map(|sentence| self.kept(sentence)).collect();
        (!new.is_empty()).then_some(Place::Kept(new))
    }

    /// A sentence with the facts that carry it: those it named, or another that says nearly the same words. If there is none, why.
    fn held(&self, sentence: Sentence, named: usize) -> Result<Sentence, String> {
        self.own(&sentence, named).map(|()| sentence.clone()).or_else(|why| {
            let key = self.nearest(&sentence.claim).ok_or(why)?;
            Ok(Sentence { facts: vec![key], ..sentence })
        })
    }

    /// The parts of a sentence that hold by themselves, where it puts two facts side by side and one of them is not carried.
    fn parts(&self, text: &str, keys: &[String], named: usize) -> Vec<Sentence> {
        let mut held: Vec<Sentence> = Vec::new();
        for (at, half) in halves(text).into_iter().enumerate() {
            // "… but it does not hide sizes; the size is needed": what is left of it would speak of nothing.
            let leans = at > 0 && held.is_empty() && half.starts_with("The ");
            held.extend(self.held(Sentence::plain(half, keys.to_vec()), named).ok().filter(|_| !leans));
        }
        held
    }

    /// A sentence that says something new, in its voice.
    fn kept(&mut self, sentence: Sentence) -> Option<Sentence> {
        if !self.said.is_new(&sentence.claim) {
            return None;
        }
        self.said.say(&sentence.claim);
        self.used.extend(sentence.facts.iter().cloned());
        Some(self.named(sentence))
    }

    /// The sentence in the voice it needs: one that takes many words in a row of its source names it.
    fn named(&mut self, sentence: Sentence) -> Sentence {
        let quotes: Vec<&str> = sentence
            .facts
            .iter()
            .filter_map(|key| self.facts.fact(key))
            .map(|it| it.found.fact.quote.as_str())
            .collect();
        match sentence.facts.as_slice() {
            [key] if originality(&sentence.claim, &quotes).longest() > LONGEST_RUN => {
                self.voiced(&sentence.claim, key, &quotes)
            }
            _ => sentence,
        }
    }

    /// A claim whose source is named. Only what the source has word for word may stand in quotation marks.
    fn voiced(&mut self, claim: &str, key: &str, quotes: &[&str]) -> Sentence {
        let named = writing::alone(claim, key, &self.names, &mut self.turn);
        let quoted = matches!(named.voice, Voice::Writes | Voice::Quoted);
        if quoted && !quotes.iter().any(|quote| writing::is_of(&named.claim, quote)) {
            return Sentence { voice: Voice::States, ..named };
        }
        named
    }

    /// Whether the facts a sentence names carry it, and if not, why.
    fn own(&self, sentence: &Sentence, named: usize) -> Result<(), String> {
        if named == 0 {
            return Err("it cites nothing".to_owned());
        }
        if sentence.facts.len() < named {
            return Err("it cites what does not exist".to_owned());
        }
        match verdict(sentence, self.facts) {
            Verdict::Carried { .. } => Ok(()),
            Verdict::Contradicted { why, .. } | Verdict::NotCarried { why } => Err(why),
        }
    }

    /// The fact that says nearly the same words, if it carries them: a wrong label is a slip, not a lie.
    fn nearest(&self, claim: &str) -> Option<String> {
        let own = content_stems(claim);
        let share = |quote: &str| {
            let shared = content_stems(quote).intersection(&own).count();
            shared as f64 / own.len().max(1) as f64
        };
        let current = self.facts.all().iter().filter(|fact| !fact.superseded);
        let mut near: Vec<(f64, &NumberedFact<'_>)> = current
            .map(|fact| (share(&fact.found.fact.quote), fact))
            .filter(|(share, _)| *share >= NEAREST)
            .collect();
        near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.number.cmp(&b.1.number)));
        near.truncate(TRIED);
        // Of several that have its words not every one says the same of them.
        near.into_iter().map(|(_, fact)| fact.found.key().to_owned()).find(|key| {
            let cited = Sentence::plain(claim, vec![key.clone()]);
            matches!(verdict(&cited, self.facts), Verdict::Carried { .. })
        })
    }

    /// The sentences that hold, and in the place of each other one a fact it named.
    pub fn settled(&mut self, places: Vec<Place>) -> Vec<Sentence> {
        let mut sentences = Vec::new();
        for place in places {
            match place {
                Place::Kept(own) => sentences.extend(own),
                Place::Lost(keys) => sentences.extend(keys.iter().find_map(|key| self.verbatim(key))),
            }
        }
        sentences
    }

    /// The same of a paragraph, which is filled with facts of its section if little of it is left.
    pub fn paragraph(&mut self, places: Vec<Place>, section: &[ShownFact]) -> Vec<Sentence> {
        let wanted = places.len().min(FEWEST);
        let mut sentences = self.settled(places);
        let labels = section.iter().filter_map(|shown| self.facts.labelled(&shown.label));
        let keys: Vec<String> = labels.map(|fact| fact.found.key().to_owned()).collect();
        for key in keys {
            if sentences.len() >= wanted {
                break;
            }
            sentences.extend(self.verbatim(&key));
        }
        sentences
    }

    /// A fact in its own words, if they can stand alone and nobody has said them.
    fn verbatim(&mut self, key: &str) -> Option<Sentence> {
        let fact = self.facts.fact(key).filter(|fact| !fact.superseded && !self.used.contains(key))?;
        let claim = writing::sentence_of(&fact.found.fact.statement)?;
        if writing::points_back(&claim) || !self.said.is_new(&claim) {
            return None;
        }
        let sentence = self.voiced(&claim, key, &[fact.found.fact.quote.as_str()]);
        if !matches!(verdict(&sentence, self.facts), Verdict::Carried { .. }) {
            return None;
        }
        self.said.say(&claim);
        self.used.insert(key.to_owned());
        Some(sentence)
    }
}

/// A sentence that speaks of the article and of nothing else: it names it, and has no number.
fn is_about_the_article(text: &str) -> bool {
    let lower = text.to_lowercase();
    let names = ["this article", "the following sections", "this text", "the sections below"];
    let plain = !text.chars().any(|letter| letter.is_ascii_digit()) && text.split_whitespace().count() <= 40;
    plain && names.iter().any(|name| lower.starts_with(name))
}

/// The two sentences that a semicolon or a conjunction joins, if each can stand alone.
fn halves(text: &str) -> Vec<String> {
    let cut = |between: &&str| {
        let (left, right) = text.split_once(*between)?;
        let right = right.strip_prefix("and ").or_else(|| right.strip_prefix("but ")).unwrap_or(right);
        let halves = [format!("{left}."), capital(right)];
        let alone = |half: &String| writing::sentence_of(half).is_some() && !writing::points_back(half);
        halves.iter().all(alone).then(|| halves.to_vec())
    };
    ["; ", ", and ", ", but "].iter().find_map(cut).unwrap_or_default()
}

fn closed(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(['.', '!', '?', '”', '"']) { text.to_owned() } else { format!("{text}.") }
}

/// Citations are written by the program: what a model put in brackets goes.
fn without_labels(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("[Fact-").or_else(|| rest.find("(Fact-")) {
        plain.push_str(rest[..at].trim_end());
        rest = rest[at..].split_once([']', ')']).map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::halves;

    #[test]
    fn a_sentence_is_parted_where_both_of_its_halves_can_stand_alone() {
        let two = "The mill takes 40 tonnes of wheat; the shop has flour for its visitors.";
        assert_eq!(
            halves(two),
            ["The mill takes 40 tonnes of wheat.", "The shop has flour for its visitors."]
        );
        assert_eq!(halves(&two.replace(';', ", and")), halves(two));
        // What points back says nothing alone, and what has no verb is no sentence.
        for one in ["The mill is old; it was built in 1911.", "The mill has flour, and bread for visitors."] {
            assert!(halves(one).is_empty(), "{one}");
        }
    }
}
