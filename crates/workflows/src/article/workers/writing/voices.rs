//! In whose voice a line is said. Nobody's words pass as ours: a long run of a source names it, in the sentence or in the
//! one before; and what ties two sentences together is carried by their numbers or left out.

use std::collections::HashSet;

use baton_agents::evidence::Derived;
use baton_agents::rules::quantities::quantities;
use baton_agents::rules::words::word_ranges;

use super::lines::Line;
use super::lowers;
use super::sentence::{is_personal, listed, years};
use crate::article::draft::{Lead, Sentence, Voice};
use crate::article::score::LONGEST_RUN;

/// Whose turn it is: paragraphs do not all begin alike.
#[derive(Clone, Copy, Debug, Default)]
pub struct Turn(usize);

impl Turn {
    fn next(&mut self, voices: &[Voice]) -> Voice {
        self.0 += 1;
        voices[(self.0 - 1) % voices.len()]
    }
}

/// Lines of one source, in their voices, each with what was computed from it behind.
#[must_use]
pub fn speak(
    lines: &[Line],
    lead: Option<&Lead>,
    names: &HashSet<String>,
    derived: &[Derived],
    turn: &mut Turn,
) -> Vec<Sentence> {
    let mut sentences: Vec<Sentence> = Vec::new();
    let mut named: Option<&str> = None;
    let mut again = Turn::default();
    for (at, line) in lines.iter().enumerate() {
        let led = lead.filter(|_| at == 0).cloned();
        let is_named = named == Some(line.source.as_str());
        let voice = match (line.personal, is_short(&line.text)) {
            (true, _) if is_named => Voice::Quoted,
            (true, _) => Voice::Writes,
            (false, _) if led.is_some() => Voice::States,
            (false, true) => Voice::Plain,
            // "However" and "so" stand at the beginning or nowhere.
            (false, false) if connects(&line.text) => Voice::Trailing,
            (false, false) if is_named => {
                again.next(&[Voice::ItAdds, Voice::SaysSo, Voice::ItSays, Voice::Trailing])
            }
            (false, false) => turn.next(&[Voice::According, Voice::Trailing, Voice::States]),
        };
        let mut sentence = spoken(&line.text, &line.key, voice, names);
        let later = voice == Voice::Plain
            && line.text.starts_with("In ")
            && carried(&Lead::Later, sentences.last(), &line.text);
        sentence.lead = led.or_else(|| later.then_some(Lead::Later));
        sentences.push(sentence);
        named = if voice == Voice::Plain { named } else { Some(line.source.as_str()) };
        let own = HashSet::from([line.key.as_str()]);
        // A fact of several sentences is computed with where its numbers stand.
        let here = |it: &&Derived| {
            it.is_of(&own) && it.inputs.iter().all(|input| line.text.contains(&input.written))
        };
        sentences.extend(derived.iter().filter(here).map(Sentence::computed));
    }
    sentences
}

/// Whether a claim stands in a quote as it is, white space and its last full stop aside: nothing else may stand in quotation
/// marks.
#[must_use]
pub fn is_of(claim: &str, quote: &str) -> bool {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    words(quote).contains(words(claim).trim_end_matches('.'))
}

/// Whether all of a sentence is no longer a run than anybody may take. "Single-family" are two words.
fn is_short(text: &str) -> bool {
    word_ranges(text).count() <= LONGEST_RUN
}

/// Whether a sentence begins with a word that ties it to the one before, or with somebody who says it.
fn connects(text: &str) -> bool {
    let first = text.split([' ', ',']).next().unwrap_or_default().to_lowercase();
    let tells = |word: &str| ["reports", "says", "asks", "writes", "explains", "states"].contains(&word);
    if text.split(' ').take(4).any(tells) {
        return true;
    }
    listed(
        "but so however therefore thus and or yet hence otherwise instead moreover furthermore nevertheless then also",
        &first,
    )
}

/// A claim of one fact in a voice.
#[must_use]
pub fn spoken(claim: &str, key: &str, voice: Voice, names: &HashSet<String>) -> Sentence {
    Sentence { voice, lowers: lowers(claim, names), ..Sentence::plain(claim, vec![key.to_owned()]) }
}

/// A claim that stands among sentences of others: its source is named unless it is short, not twice in the same way.
#[must_use]
pub fn alone(claim: &str, key: &str, names: &HashSet<String>, turn: &mut Turn) -> Sentence {
    // What is quoted is quoted as it is.
    let claim = &if is_personal(claim) { claim.to_owned() } else { without_announcement(claim) };
    let voice = match (is_personal(claim), is_short(claim)) {
        (true, _) => Voice::Writes,
        (false, true) => Voice::Plain,
        (false, false) if connects(claim) => Voice::Trailing,
        (false, false) => turn.next(&[Voice::States, Voice::Trailing, Voice::According]),
    };
    spoken(claim, key, voice, names)
}

/// "As an example, --keep-daily 7 means …" says nothing of an example where nothing stands before it.
fn without_announcement(claim: &str) -> String {
    let announced = ["As an example, ", "For example, ", "For instance, "].iter();
    let bare = announced.filter_map(|words| claim.strip_prefix(words)).next();
    bare.map_or_else(|| claim.to_owned(), crate::article::draft::capital)
}

/// Whether the sentence before and the claim carry what would tie them together. What only says where a paragraph goes
/// needs nothing.
#[must_use]
pub fn carried(lead: &Lead, before: Option<&Sentence>, claim: &str) -> bool {
    match lead {
        Lead::Later => before.is_some_and(|before| {
            let (first, second) = (years(&before.claim), years(claim));
            matches!((first.iter().max(), second.iter().min()), (Some(first), Some(second)) if first < second)
        }),
        Lead::Contrast => before.is_some_and(|before| {
            let (first, second) = (quantities(&before.claim), quantities(claim));
            first.iter().any(|a| second.iter().any(|b| a.dimension == b.dimension && a.value != b.value))
        }),
        Lead::On(_) | Lead::Ahead | Lead::Caution | Lead::Finally => true,
    }
}
