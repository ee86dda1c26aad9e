//! How many times one thing is another, or which part of it: "more than twice as high as", "almost a third".

use super::Known;
use super::claims::pairs;
use super::lexicon::PARTS;
use super::mentions::{Of, Parsed};
use super::times::COUNTS;
use crate::report::facet::Shape;

/// A word of a sentence: where it begins and ends, and the word as it is compared.
pub type Placed = (usize, usize, String);

/// How a multiple is bounded by the words before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Over,
    Under,
    Nearly,
    About,
}

/// How far "about twice" may be from two, and how far below it "almost twice" may lie.
const ABOUT: f64 = 0.1;
const NEARLY: f64 = 0.15;

impl Bound {
    /// Of the words in front of a multiple.
    fn of(before: &[Placed]) -> Self {
        let word = |back: usize| {
            before
                .len()
                .checked_sub(back)
                .and_then(|at| before.get(at))
                .map_or("", |(.., word)| word.as_str())
        };
        match (word(2), word(1)) {
            ("more" | "higher" | "larger", "than") | (_, "over" | "above") => Self::Over,
            ("less" | "fewer" | "lower" | "smaller", "than") | (_, "under" | "below") => Self::Under,
            (_, "almost" | "nearly") => Self::Nearly,
            _ => Self::About,
        }
    }

    fn holds(self, ratio: f64, times: f64) -> bool {
        match self {
            Self::Over => ratio > times,
            Self::Under => ratio < times,
            Self::Nearly => (times * (1.0 - NEARLY)..times).contains(&ratio),
            Self::About => (ratio - times).abs() <= ABOUT * times,
        }
    }
}

/// A multiple or a part that a sentence names.
pub struct Multiple {
    times: f64,
    bound: Bound,
    start: usize,
    end: usize,
}

/// The multiple that begins with a word of a sentence, if one does.
pub fn multiple(words: &[Placed], at: usize) -> Option<Multiple> {
    let (start, end, word) = words.get(at)?;
    let next = words.get(at + 1);
    let count = || COUNTS.iter().position(|it| it == word).filter(|count| *count > 0).map(|it| it as f64);
    let part = |word: &str| PARTS.iter().find(|(name, _)| *name == word).map(|(_, part)| part / 100.0);
    let (times, end) = match word.as_str() {
        "twice" => (2.0, *end),
        "half" => (0.5, *end),
        "a" | "one" => (part(&next?.2)?, next?.1),
        _ if next?.2 == "times" => (count()?, next?.1),
        _ => (count()? * part(&next?.2)?, next?.1),
    };
    Some(Multiple { times, bound: Bound::of(&words[..at]), start: *start, end })
}

impl Multiple {
    /// Where it ends.
    pub fn end(&self) -> usize {
        self.end
    }

    /// Whether it holds: of the two things around it, of the two numbers around it, or, of a part, of every share.
    pub fn check(&self, parsed: &Parsed<'_>, all: &[Known<'_>]) -> Result<(), String> {
        let is_so = |a: f64, b: f64| b != 0.0 && self.bound.holds(a / b, self.times);
        let wrong = || Err("it is not that many times as much".to_owned());
        if let Some((subject, object)) = parsed.around(self.start, self.end) {
            let differ = |a: &Known<'_>, b: &Known<'_>| {
                (subject.of() != Of::Measure || a.facet.groups == b.facet.groups)
                    && subject.fits(a, false)
                    && object.fits(b, false)
                    && !subject.fits(b, false)
                    && a.facet.periods == b.facet.periods
                    && a.facet.shape != Shape::Change
            };
            let mut found = pairs(all, differ).peekable();
            if found.peek().is_none() {
                return Err("none of its figures compares them".to_owned());
            }
            let value = |known: &Known<'_>| known.figure.value.to_f64();
            return if found.all(|(a, b)| is_so(value(a), value(b))) { Ok(()) } else { wrong() };
        }
        // "more than a third higher": of how much it changed.
        let mut changes = all.iter().filter(|known| known.facet.shape == Shape::Change).peekable();
        if self.times < 1.0 && changes.peek().is_some() {
            let holds = changes.all(|known| is_so(known.figure.value.to_f64().abs(), 100.0));
            return if holds { Ok(()) } else { wrong() };
        }
        let mut shares = all.iter().filter(|known| known.facet.shape == Shape::Share).peekable();
        if self.times < 1.0 && shares.peek().is_some() {
            let holds = shares.all(|known| is_so(known.figure.value.to_f64(), 100.0));
            return if holds { Ok(()) } else { wrong() };
        }
        let before = parsed.numbers.iter().rfind(|it| it.range.end <= self.start);
        let behind = parsed.numbers.iter().find(|it| it.range.start >= self.end);
        match (before, behind) {
            (Some(before), Some(behind)) if is_so(before.value.to_f64(), behind.value.to_f64()) => Ok(()),
            (Some(_), Some(_)) => wrong(),
            _ => Err("it is so many times what is not known".to_owned()),
        }
    }
}
