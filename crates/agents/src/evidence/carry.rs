//! Whether quotes carry a sentence: the one test between what somebody wrote and what a reader may be told.
//!
//! A sentence is cut into clauses, and each must be carried by one quote: every word that says something stands for a word
//! of it (the same, another form, or a listed synonym), its numbers with unit and bound, and the words that change what is
//! claimed ("not", "may", "some", "if", "only") are the same on both sides. What narrows a claim may not be left out; what
//! only adds detail may. What is not understood is not carried.

mod align;
mod clause;
mod exchanged;
mod foreign;
mod lexicon;
mod matching;
mod merge;
mod number;
mod options;
mod simple;
mod telling;
#[cfg(test)]
mod tests;
mod token;
mod unit;
mod verbatim;
mod weaker;
mod wording;

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use self::align::Miss;
use self::clause::{Role, Sentence};
use self::unit::{Cuts, Unit};
use crate::rules::words::{fold, word_ranges};

/// What quotes say of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// Each clause is carried by one of them.
    Carried {
        /// The quotes it takes, counted from 0.
        by: Vec<usize>,
    },
    /// A quote says something else of the very thing.
    Contradicted {
        /// That quote, counted from 0.
        by: usize,
        /// What is different.
        why: String,
    },
    /// None of them says it.
    NotCarried {
        /// What is missing.
        why: String,
    },
}

/// Whether quotes carry a sentence. An error says what is missing.
pub fn carries(sentence: &str, quotes: &[&str]) -> Result<(), String> {
    match judge(sentence, quotes) {
        Verdict::Carried { .. } => Ok(()),
        Verdict::Contradicted { why, .. } | Verdict::NotCarried { why } => Err(why),
    }
}

/// Holds a sentence against quotes.
#[must_use]
pub fn judge(sentence: &str, quotes: &[&str]) -> Verdict {
    Quotes::new(quotes).judge(sentence)
}

/// Longer than any sentence; what is longer is not read, so nobody can make the gate slow.
const LONGEST: usize = 4_000;

/// Quotes read once, for many sentences.
#[derive(Debug)]
pub struct Quotes {
    quotes: Vec<Quote>,
    /// All their words, for how they spell.
    words: HashSet<String>,
}

#[derive(Debug)]
struct Quote {
    text: String,
    /// Its words in a row, for sentences that are its own words.
    plain: String,
    sentences: Vec<Sentence>,
    /// The same as written, before what it leaves unsaid was filled in.
    written: Vec<Sentence>,
}

impl Quotes {
    /// Reads quotes. The lines of one quote belong together.
    #[must_use]
    pub fn new(quotes: &[&str]) -> Self {
        let read = |text: &&str| {
            let text = &wording::plain(&text[..text.floor_char_boundary(LONGEST)])[..];
            let mut written = clause::read(text);
            let implied = [clause::below_term(&written), clause::implied(&written)].concat();
            written.extend(implied);
            Quote { text: text.to_owned(), plain: plain(text), sentences: clause::read_quote(text), written }
        };
        let quotes: Vec<Quote> = quotes.iter().map(read).collect();
        let words = quotes.iter().flat_map(|quote| wording::words(&quote.text)).collect();
        Self { quotes, words }
    }

    /// What these quotes say of a sentence.
    #[must_use]
    pub fn judge(&self, sentence: &str) -> Verdict {
        let not_carried = |why: &str| Verdict::NotCarried { why: why.to_owned() };
        if sentence.len() > LONGEST {
            return not_carried("it is too long to be one sentence");
        }
        let sentence = &wording::spelled_as(&wording::plain(sentence), &self.words)[..];
        let own = plain(sentence);
        if own.is_empty() {
            return not_carried("it says nothing");
        }
        if self.quotes.is_empty() {
            return not_carried("it cites nothing");
        }
        if let Some(by) = self.quotes.iter().position(|quote| quote.plain == own) {
            return Verdict::Carried { by: vec![by] };
        }
        if let Some(said) = options::spoken_of(sentence) {
            let shorter = |quote: &Quote| options::without_others(&quote.text, said);
            let shorter: Vec<Option<String>> = self.quotes.iter().map(shorter).collect();
            if shorter.iter().any(Option::is_some) {
                return self.judge_by(sentence, &shorter);
            }
        }
        if foreign::is_foreign(sentence) {
            return self.judge_foreign(sentence);
        }
        self.judge_read(sentence)
    }

    /// The same with other words for some of them, or without those of which no words are left.
    fn judge_by(&self, sentence: &str, others: &[Option<String>]) -> Verdict {
        let texts = self.quotes.iter().zip(others);
        let texts = texts.map(|(quote, other)| other.as_deref().unwrap_or(&quote.text)).enumerate();
        let (places, texts): (Vec<usize>, Vec<&str>) = texts.filter(|(_, text)| !text.is_empty()).unzip();
        if texts.is_empty() {
            return Verdict::NotCarried { why: "the quote is about another option".to_owned() };
        }
        match Self::new(&texts).judge(sentence) {
            Verdict::Carried { by } => Verdict::Carried { by: by.iter().map(|at| places[*at]).collect() },
            Verdict::Contradicted { by, why } => Verdict::Contradicted { by: places[by], why },
            refused => refused,
        }
    }

    fn judge_foreign(&self, sentence: &str) -> Verdict {
        let mut why = String::new();
        for (by, quote) in self.quotes.iter().enumerate() {
            match quote.text.lines().chain([quote.text.as_str()]).try_for_each(|line| match foreign::carried(
                sentence, line,
            ) {
                Ok(()) => Err(String::new()),
                Err(reason) => {
                    why = reason;
                    Ok(())
                }
            }) {
                Err(_) => return Verdict::Carried { by: vec![by] },
                Ok(()) => continue,
            }
        }
        Verdict::NotCarried { why }
    }

    fn judge_read(&self, sentence: &str) -> Verdict {
        let mut by: Vec<usize> = Vec::new();
        let mut claims = 0;
        for read in clause::read(sentence) {
            // "This guide shows how …" can be the quote's own words, too.
            if let Some(at) = self.word_for_word(&read.tokens) {
                by.push(at);
                claims += 1;
                continue;
            }
            let mut tokens = read.tokens;
            let told = telling::strip(&mut tokens, self.quotes.len());
            match self.judge_sentence(Sentence::of(tokens), told) {
                Ok((found, units)) => {
                    by.extend(found);
                    claims += units;
                }
                Err((at, miss)) if miss.contradicts => {
                    return Verdict::Contradicted { by: at, why: miss.why };
                }
                Err((_, miss)) => return Verdict::NotCarried { why: miss.why },
            }
        }
        if claims == 0 {
            return Verdict::NotCarried { why: "it states nothing that a quote could carry".to_owned() };
        }
        by.sort_unstable();
        by.dedup();
        let own = clause::read(sentence);
        let exchanged = |at: &usize| {
            let [own] = &own[..] else { return false };
            exchanged::exchanged(own, &self.quotes[*at].written)
        };
        if by.iter().any(exchanged) {
            return Verdict::NotCarried { why: "two things of the quote changed places".to_owned() };
        }
        let weaker = by.iter().find_map(|at| weaker::more_than(&own, &self.quotes[*at].written));
        weaker.map_or(Verdict::Carried { by }, |why| Verdict::NotCarried { why: why.to_owned() })
    }

    /// The quotes that carry a sentence as one, or as the two statements it joins.
    fn judge_sentence(&self, sentence: Sentence, told: bool) -> Result<(Vec<usize>, usize), (usize, Miss)> {
        let halves = merge::halves(&sentence);
        let whole = self.judge_whole(sentence, told);
        let Err((at, miss)) = whole else { return whole };
        for halves in halves {
            let [first_stated, second_stated] = halves.stated;
            // What is joined again is cut off from behind.
            let first = if first_stated {
                self.judge_whole(halves.first, told)
            } else {
                self.judge_half(halves.first, false, told)
            };
            if let Ok((mut by, claims)) = first
                && let Ok((others, more)) = self.judge_half(halves.second, second_stated, told)
            {
                by.extend(others);
                return Ok((by, claims + more));
            }
        }
        Err((at, miss))
    }

    /// One of two statements that a sentence joins. What grammar does not see as one must be a sentence of a quote as it stands.
    fn judge_half(
        &self,
        half: Sentence,
        stated: bool,
        told: bool,
    ) -> Result<(Vec<usize>, usize), (usize, Miss)> {
        if stated {
            return self.judge_sentence(half, told);
        }
        let whole = |quote: &Quote| {
            quote.written.iter().any(|written| verbatim::is_whole(&half.tokens, &written.tokens))
        };
        let nothing = Miss { near: 0.0, contradicts: false, why: "no quote says it".to_owned() };
        self.quotes.iter().position(whole).map(|by| (vec![by], 1)).ok_or((0, nothing))
    }

    /// The quotes that carry a sentence, as it stands or unfolded, and how many claims it makes.
    fn judge_whole(&self, sentence: Sentence, told: bool) -> Result<(Vec<usize>, usize), (usize, Miss)> {
        if let Some(by) = self.word_for_word(&sentence.tokens) {
            return Ok((vec![by], 1));
        }
        let (whole, parts) = simple::unfold(sentence);
        let as_it_stands = whole.map(|whole| self.judge_part(&whole, told));
        match as_it_stands {
            Some(Ok(found)) => return Ok(found),
            Some(miss) if parts.is_empty() => return miss,
            _ => {}
        }
        let (mut by, mut claims) = (Vec::new(), 0);
        for part in &parts {
            let (found, units) = self.judge_part(part, told)?;
            by.extend(found);
            claims += units;
        }
        Ok((by, claims))
    }

    fn judge_part(&self, part: &Sentence, told: bool) -> Result<(Vec<usize>, usize), (usize, Miss)> {
        let (mut by, mut claims) = (Vec::new(), 0);
        for mut unit in unit::units(part) {
            unit.told = told && unit.clause.role == Role::Fragment;
            if unit.own.iter().all(|at| !unit.token(*at).is_content()) {
                let operators = unit.own.iter().any(|at| unit.token(*at).operator.is_some());
                if told || !operators {
                    continue;
                }
            }
            claims += 1;
            by.extend(self.carrying(&unit, told)?);
        }
        Ok((by, claims))
    }

    /// The quotes that carry a unit, whole or cut at its "and"s.
    fn carrying(&self, unit: &Unit<'_>, told: bool) -> Result<Vec<usize>, (usize, Miss)> {
        let whole = self.one(unit);
        let Err((at, miss)) = whole else { return whole };
        let Some(cuts) = Cuts::of(unit) else { return Err((at, miss)) };
        let mut found = Vec::new();
        let mut from = 0;
        while from < cuts.len() {
            // As many parts at once as one quote carries.
            let longest = (from..cuts.len()).rev().filter(|to| (from, *to) != (0, cuts.len() - 1));
            let mut worst: Option<(usize, Miss)> = None;
            let mut next = None;
            'runs: for to in longest {
                for run in cuts.run(from, to, told) {
                    match self.one(&run) {
                        Ok(by) => {
                            found.extend(by);
                            next = Some(to + 1);
                            break 'runs;
                        }
                        Err(other) => worst = Some(other),
                    }
                }
            }
            match (next, worst) {
                (Some(next), _) => from = next,
                // The whole says best what is missing, unless a part is told otherwise.
                (None, Some((other, worse))) if worse.contradicts && !miss.contradicts => {
                    return Err((other, worse));
                }
                (None, _) => return Err((at, miss)),
            }
        }
        Ok(found)
    }

    /// The quote whose words these are, in its order.
    fn word_for_word(&self, tokens: &[token::Token]) -> Option<usize> {
        self.quotes
            .iter()
            .position(|quote| quote.written.iter().any(|written| verbatim::carried(tokens, &written.tokens)))
    }

    fn one(&self, unit: &Unit<'_>) -> Result<Vec<usize>, (usize, Miss)> {
        let mut nearest: Option<(usize, Miss)> = None;
        for (at, quote) in self.quotes.iter().enumerate() {
            match align::carried(unit, &quote.sentences) {
                Ok(()) => return Ok(vec![at]),
                Err(miss) if nearest.as_ref().is_none_or(|(_, best)| best.near < miss.near) => {
                    nearest = Some((at, miss));
                }
                Err(_) => {}
            }
        }
        let own: Vec<token::Token> = unit.all().into_iter().map(|at| unit.token(at).clone()).collect();
        if let Some(by) = self.word_for_word(&own) {
            return Ok(vec![by]);
        }
        let nothing = || Miss { near: 0.0, contradicts: false, why: "no quote says it".to_owned() };
        Err(nearest.unwrap_or_else(|| (0, nothing())))
    }
}

/// A text as its words in a row.
fn plain(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    let mut end = 0;
    for range in word_ranges(text) {
        // What stands between digits, and signs before them, belong to the number.
        let gap = &text[end..range.start];
        if gap.chars().count() == 1 && !gap.starts_with(char::is_whitespace) && end > 0 {
            words.push_str(gap);
        } else {
            words.push(' ');
            words.push_str(gap.trim_matches(|c: char| {
                c.is_whitespace() || matches!(c, '"' | '“' | '”' | '‘' | '’' | '\'' | '.')
            }));
        }
        words.push_str(&fold(&text[range.clone()]));
        end = range.end;
    }
    words
}
