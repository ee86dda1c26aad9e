//! What a document is about, said where its words leave it unsaid: "Borg's archives", "Borg encrypts the data" for "the data is
//! encrypted" in the documentation of Borg. It never takes the place of somebody who is said to do it.

use std::ops::Range;

use super::super::carry::{Verdict, judge};
use super::Cited;
use super::names::is_document;
use crate::rules::thesaurus;
use crate::rules::words::{fold, is_stop, stem, word_ranges};

/// Words with which a name only tells where or by means of what: "in Borg" at the beginning, the others anywhere.
const BESIDE: [&str; 3] = ["in", "with", "using"];
const HELPERS: &str = "is are was were be been being can cannot may might must should will would could shall has have had does do did";
const BE: &str = "is are was were be been being";
/// Who else may be the one that does it.
const PEOPLE: &str = "attacker attackers he she they someone anybody anyone user users administrator";
/// Words that a thing stands behind.
const BEFORE: &str = "of for to from into on in with via over as between without";
/// What the reader can do.
const MAY: &str = "can may must should might could cannot";
/// What may stand between "is" and what is done.
const ADVERBS: &str = "not also only always never then now currently usually normally already still";

/// The verdict where the sentence names what its document is about and the quotes do not.
pub(super) fn judge_named(sentence: &str, cited: &[Cited<'_>]) -> Option<Verdict> {
    let titles: Vec<&str> = cited.iter().map(|one| one.title).collect();
    names(sentence, &titles).into_iter().find_map(|name| judge_with(sentence, cited, &name))
}

fn judge_with(sentence: &str, cited: &[Cited<'_>], name: &str) -> Option<Verdict> {
    let own: Vec<usize> = (0..cited.len())
        .filter(|at| has_word(cited[*at].title, name) && !has_word(cited[*at].quote, name))
        .collect();
    if own.is_empty() {
        return None;
    }
    let text: Vec<&str> = own.iter().map(|at| cited[*at].quote).collect();
    let bare = without_qualifiers(sentence, name, &text.join("\n"));
    let still = has_word(&bare, name);
    if still && bare.matches(name).count() > 1 {
        return None;
    }
    let readings: [fn(&str, &str, &str) -> String; 2] =
        if still { [with_actor, active] } else { [as_it_is; 2] };
    let mut judged = readings.iter().take(1 + usize::from(still)).map(|reading| {
        let quotes: Vec<String> = text.iter().map(|quote| reading(quote, &bare, name)).collect();
        judge(&bare, &quotes.iter().map(String::as_str).collect::<Vec<_>>())
    });
    match judged.find(|verdict| matches!(verdict, Verdict::Carried { .. }))? {
        Verdict::Carried { by } => Some(Verdict::Carried { by: by.iter().map(|at| own[*at]).collect() }),
        _ => None,
    }
}

/// The names of a sentence that stand in one of these titles and are no words of the language.
fn names(sentence: &str, titles: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = word_ranges(sentence)
        .map(|range| &sentence[range])
        .filter(|word| word.starts_with(char::is_uppercase) && !is_document(word) && !is_stop(&fold(word)))
        .filter(|word| titles.iter().any(|title| has_word(title, word) && is_name(word, title)))
        .map(str::to_owned)
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// No word of the language, or the only word of the title that does not say what kind of document it is.
fn is_name(word: &str, title: &str) -> bool {
    let other = |other: &str| {
        other != word
            && other.starts_with(char::is_alphabetic)
            && !is_document(other)
            && !is_stop(&fold(other))
    };
    !thesaurus::knows(&fold(word)) || !word_ranges(title).any(|range| other(&title[range]))
}

fn has_word(text: &str, word: &str) -> bool {
    word_ranges(text).any(|range| &text[range] == word)
}

fn listed(list: &str, word: &str) -> bool {
    list.split(' ').any(|other| other == word)
}

/// "Borg's archives", "a Borg repository", "With Borg, …" without the name.
fn without_qualifiers(sentence: &str, name: &str, quotes: &str) -> String {
    let words: Vec<Range<usize>> = word_ranges(sentence).collect();
    let word = |at: usize| words.get(at).map_or("", |range| &sentence[range.clone()]);
    let mut said = String::with_capacity(sentence.len());
    let mut end = 0;
    for at in (0..words.len()).filter(|at| word(*at) == name) {
        let range = &words[at];
        let behind = &sentence[range.end..];
        let before = at.checked_sub(1).map_or("", word);
        let owns = behind.get(owner_mark(behind)..).filter(|rest| rest.len() < behind.len());
        let thing = is_thing(&words, sentence, at);
        if (thing || owner_mark(&sentence[range.end..]) > 0)
            && is_called_otherwise(word(at + 1), sentence, quotes)
        {
            continue;
        }
        let prepared = BESIDE.contains(&fold(before).as_str()) && !thing && (at == 1 || fold(before) != "in");
        let (from, to, instead) = if let Some(rest) = owns {
            (range.start, sentence.len() - rest.len(), "the ")
        } else if prepared {
            let rest = behind.trim_start_matches([',', ' ']);
            (words[at - 1].start, sentence.len() - rest.len(), "")
        } else if thing {
            (range.start, words[at + 1].start, "")
        } else {
            continue;
        };
        if from < end {
            continue;
        }
        said.push_str(&sentence[end..from]);
        said.push_str(instead);
        end = to;
    }
    said.push_str(&sentence[end..]);
    let mut letters = said.trim().chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}

/// How long the mark is that says that somebody has something.
fn owner_mark(behind: &str) -> usize {
    ["'s ", "’s "].iter().find(|mark| behind.starts_with(**mark)).map_or(0, |mark| mark.len())
}

/// "the harbour district" in the quotes, of which a sentence makes one of its own: another one is meant.
fn is_called_otherwise(thing: &str, sentence: &str, quotes: &str) -> bool {
    let words: Vec<Range<usize>> = word_ranges(quotes).collect();
    let same = |one: &str, other: &str| stem(&fold(one)) == stem(&fold(other));
    let called = |at: usize| {
        let (before, own) = (&quotes[words[at - 1].clone()], &quotes[words[at].clone()]);
        let joined = quotes[words[at - 1].end..words[at].start].trim().is_empty();
        same(own, thing)
            && joined
            && !is_stop(&fold(before))
            && !word_ranges(sentence).any(|range| same(&sentence[range], before))
    };
    let stands = |at: &usize| same(&quotes[words[*at].clone()], thing);
    let places: Vec<usize> = (1..words.len()).filter(stands).collect();
    !places.is_empty() && places.into_iter().all(called)
}

/// "a Borg repository", "Borg repositories are": is what stands behind a name a thing that is only called after it?
fn is_thing(words: &[Range<usize>], sentence: &str, at: usize) -> bool {
    let word = |at: usize| words.get(at).map_or("", |range| &sentence[range.clone()]);
    let joined = words.get(at + 1).is_some_and(|next| &sentence[words[at].end..next.start] == " ");
    let next = word(at + 1);
    if !joined || !next.starts_with(char::is_lowercase) || listed(HELPERS, next) || is_stop(next) {
        return false;
    }
    let before = at.checked_sub(1).map_or("", word);
    let adjacent = |from: usize| sentence[words[from - 1].end..words[from].start].trim().is_empty();
    let opens = |at: usize| is_determiner(&fold(word(at))) || listed(BEFORE, &fold(word(at)));
    // "for automated Borg backups"
    let described = at > 1 && adjacent(at) && adjacent(at - 1) && !is_stop(before) && opens(at - 2);
    let behind_article = (at > 0 && adjacent(at) && opens(at - 1)) || described;
    // Without an article it is a thing if a verb follows it: "Borg repositories are".
    let thing = behind_article && !next.ends_with("ing") && !next.ends_with("ed");
    thing || listed(HELPERS, word(at + 2)) || (!is_stop(word(at + 2)) && listed(HELPERS, word(at + 3)))
}

fn is_determiner(word: &str) -> bool {
    listed("a an the this that each every any all no most some its their your", word)
}

/// A quote that says who, behind what is done by nobody in particular, where the sentence says that the one it names does it.
fn with_actor(quote: &str, sentence: &str, name: &str) -> String {
    let mut said = quote.to_owned();
    if has_people(quote) {
        return said;
    }
    let acts = acts(sentence, name);
    let places = done(&said, &acts);
    // Two of them could be taken for each other.
    if let [at] = places[..] {
        said.insert_str(at, &format!(" by {name}"));
    }
    said
}

fn as_it_is(quote: &str, _: &str, _: &str) -> String {
    quote.to_owned()
}

/// "All chunks are considered" as "Borg considers all chunks", with the word of the sentence.
fn active(quote: &str, sentence: &str, name: &str) -> String {
    let said = || {
        let [end] = done(quote, &acts(sentence, name))[..] else { return None };
        let words: Vec<Range<usize>> = word_ranges(quote).take_while(|range| range.end <= end).collect();
        let verb = quote[words.last()?.clone()].to_owned();
        let be = words.iter().rposition(|range| matches!(&quote[range.clone()], "is" | "are"))?;
        let from = begins(quote, &words[..be]);
        let does = word_ranges(sentence)
            .map(|range| &sentence[range])
            .find(|word| word.ends_with('s') && stem(&fold(word)) == stem(&fold(&verb)))?;
        let adverb = &quote[words[be].end..words.last()?.start];
        let mut subject = quote[from..words[be].start].trim().chars();
        let first = subject.next()?.to_lowercase();
        Some(format!("{}{name}{adverb}{does} {first}{}{}", &quote[..from], subject.as_str(), &quote[end..]))
    };
    said().filter(|_| !has_people(quote)).unwrap_or_else(|| quote.to_owned())
}

/// Where the clause begins whose subject stands before a verb.
fn begins(quote: &str, before: &[Range<usize>]) -> usize {
    let starts = |at: &usize| {
        let gap = if *at == 0 { "" } else { &quote[before[at - 1].end..before[*at].start] };
        let word = at.checked_sub(1).map_or("", |at| &quote[before[at].clone()]);
        gap.contains([',', ';', ':', '.', '—', '(', '-'])
            || listed("if when that because and but as while", word)
    };
    (0..before.len())
        .rev()
        .find(starts)
        .or(Some(0))
        .and_then(|at| before.get(at))
        .map_or(0, |range| range.start)
}

fn has_people(quote: &str) -> bool {
    word_ranges(quote).any(|range| listed(PEOPLE, &fold(&quote[range])))
}

/// How many words behind a name its verb can stand: "Borg only needs to store".
const NEAR: usize = 4;

/// The stems of what a sentence says that somebody does, or that is done by him.
fn acts(sentence: &str, name: &str) -> Vec<String> {
    let words: Vec<Range<usize>> = word_ranges(sentence).collect();
    let word = |at: usize| words.get(at).map_or("", |range| &sentence[range.clone()]);
    let Some(at) = (0..words.len()).find(|at| word(*at) == name) else { return Vec::new() };
    let by = at > 1 && word(at - 1) == "by";
    let acts = if by { at - 2..at - 1 } else { at + 1..(at + 1 + NEAR).min(words.len()) };
    // What "is" something does nothing.
    acts.map(word).take_while(|word| !listed(BE, word)).map(|word| stem(&fold(word))).collect()
}

/// "stored", "kept": what is done.
fn is_participle(word: &str) -> bool {
    const IRREGULAR: &str = "written read sent made kept held built given taken shown found put set run split left chosen drawn known seen";
    (word.ends_with("ed") && word.len() > 4) || listed(IRREGULAR, word)
}

/// The ends of words that say what is done, where nobody is said to do it. What can or may be done is done by the reader.
fn done(quote: &str, acts: &[String]) -> Vec<usize> {
    let words: Vec<Range<usize>> = word_ranges(quote).collect();
    let word = |at: usize| words.get(at).map_or("", |range| &quote[range.clone()]);
    let close = |at: usize| words.get(at + 1).is_some_and(|next| &quote[words[at].end..next.start] == " ");
    let adverb = |word: &str| listed(ADVERBS, word) || word.ends_with("ly");
    let ends = |at: usize| {
        let be = listed(BE, word(at));
        let before =
            if adverb(word(at.saturating_sub(1))) { at.saturating_sub(2) } else { at.saturating_sub(1) };
        let verb = at + 1 + usize::from(close(at) && adverb(word(at + 1)));
        let done = be && !listed(MAY, word(before)) && (at..verb).all(close) && word(verb + 1) != "by";
        (done && is_participle(word(verb)) && acts.contains(&stem(&fold(word(verb)))))
            .then(|| words[verb].end)
    };
    (0..words.len()).filter_map(ends).collect()
}
