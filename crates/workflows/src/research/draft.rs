//! From a draft to a report: a block for each thing that was asked, as far as the gate lets it through. What is
//! dropped may be mended once by its writer; a part that lost its answer gets its best fact, word for word.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use baton_agents::rules::quantities::quantities;
use baton_agents::skill::Answerer;
use serde::{Deserialize, Serialize};

use super::dispute::Dispute;
use super::memory::Memory;
use super::relevance::Wanted;
use super::skills::mend::{Mended, Rejected};
use super::skills::write::{AskedPart, Draft, Sentence, ToWrite};
use super::wishes::is_excluded;
use crate::citation::{Dropped, Facts, Gate, Line, NumberedFact, Opinion, SecondOpinion};
use crate::retrieval::antecedent::{leans, points_back};

/// The part of a report about one dimension, as earlier versions wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// The dimension, counted from 0.
    pub dimension: usize,
    /// What is said of it.
    pub lines: Vec<Line>,
}

/// What is said to one thing that was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerBlock {
    /// The dimension of the plan, counted from 0.
    pub dimension: usize,
    /// The sentence that answers first; none if nothing was found.
    pub lines: Vec<Line>,
    /// Conflicts about the very thing, by key.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disputes: Vec<String>,
    /// Whether its first sentence stands in for one that was dropped.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub filled: bool,
    /// Without an answer, what comes nearest, word for word: shown as that and counted as no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest: Option<Line>,
}

/// What is written, before anything is rendered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The answer of a report of an earlier version; newer ones have blocks.
    pub answer: Vec<Line>,
    /// The sections of a report of an earlier version.
    pub sections: Vec<Section>,
    /// What was not let through.
    pub dropped: Vec<Dropped>,
    /// Who wrote it.
    pub by: Answerer,
    /// One for each thing that was asked, in the order asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<AnswerBlock>,
    /// What is near and was not asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Line>,
    /// Sentences that were let through after their writer mended them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub mended: usize,
    /// What the second judge said, where one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<SecondOpinion>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde wants a reference
fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Report {
    /// Every sentence that claims something.
    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        let blocks = self.blocks.iter().flat_map(|block| &block.lines);
        let sections = self.sections.iter().flat_map(|section| &section.lines);
        self.answer.iter().chain(sections).chain(blocks).chain(&self.also)
    }

    /// What is shown as near to parts without an answer.
    pub fn nearest(&self) -> impl Iterator<Item = &Line> {
        self.blocks.iter().filter_map(|block| block.nearest.as_ref())
    }

    /// The dimensions that were asked and not answered.
    pub fn gaps(&self) -> impl Iterator<Item = usize> {
        self.blocks.iter().filter(|block| block.lines.is_empty()).map(|block| block.dimension)
    }

    /// How many parts got a fact in the place of what was dropped.
    #[must_use]
    pub fn filled(&self) -> usize {
        self.blocks.iter().filter(|block| block.filled).count()
    }
}

/// A sentence and what became of it.
struct Judged {
    sentence: Sentence,
    line: Result<Line, String>,
    mended: bool,
    /// Whether its writer was asked to mend it and left it out: no fact of it stands in its place then.
    given_up: bool,
}

/// A draft whose sentences were held against their facts.
pub struct JudgedDraft {
    parts: Vec<(usize, Vec<Judged>)>,
    also: Vec<Judged>,
}

impl JudgedDraft {
    /// Holds every sentence of a draft against its facts.
    #[must_use]
    pub fn of(draft: Draft, facts: &Facts<'_>) -> Self {
        let judge = |sentences: Vec<Sentence>| -> Vec<Judged> {
            let judged = |sentence: Sentence| {
                let line = judge(&sentence, facts);
                Judged { line, sentence, mended: false, given_up: false }
            };
            sentences.into_iter().map(judged).collect()
        };
        let mut parts: Vec<(usize, Vec<Judged>)> =
            draft.parts.into_iter().map(|part| (part.part, judge(part.sentences))).collect();
        parts.sort_by_key(|(part, _)| *part);
        Self { parts, also: judge(draft.also) }
    }

    fn all(&mut self) -> impl Iterator<Item = &mut Judged> {
        self.parts.iter_mut().flat_map(|(_, sentences)| sentences).chain(&mut self.also)
    }

    /// What was not let through, numbered for its writer.
    #[must_use]
    pub fn rejected(&mut self) -> Vec<Rejected> {
        let rejected = |(at, one): (usize, &mut Judged)| {
            let why = one.line.as_ref().err()?.clone();
            let Sentence { text, facts } = one.sentence.clone();
            Some(Rejected { number: at + 1, text, facts, why })
        };
        self.all().enumerate().filter_map(rejected).collect()
    }

    /// Puts mended sentences into the places of the rejected ones, if their facts carry them now. A rejected one that is
    /// not among them was given up.
    pub fn mend(&mut self, mended: Vec<Mended>, facts: &Facts<'_>) {
        for (at, one) in self.all().enumerate() {
            one.given_up = one.line.is_err() && mended.iter().all(|again| again.number != at + 1);
        }
        for Mended { number, text, facts: labels } in mended {
            let Some(one) = number.checked_sub(1).and_then(|at| self.all().nth(at)) else { continue };
            let sentence = Sentence { text, facts: labels };
            if one.line.is_err() {
                match judge(&sentence, facts) {
                    Ok(line) => (one.line, one.mended) = (Ok(line), true),
                    Err(why) => one.line = Err(why),
                }
            }
        }
    }

    /// What was let through, in order.
    #[must_use]
    pub fn passed(&mut self) -> Vec<Line> {
        self.all().filter_map(|one| one.line.as_ref().ok().cloned()).collect()
    }

    /// Takes back what the second judge refuses of that.
    pub fn refuse(&mut self, opinion: &Opinion) {
        for (at, one) in self.all().filter(|one| one.line.is_ok()).enumerate() {
            if let Some(why) = opinion.refuses(at) {
                one.line = Err(why);
            }
        }
    }

    /// The report: what leans on something dropped goes with it, what lost its answer is filled, and a disagreement
    /// about the very thing stands in its block.
    #[must_use]
    pub fn report(self, input: &ToWrite, memory: &Memory, by: Answerer) -> Report {
        let facts = memory.facts();
        let mut writing = Writing {
            facts: &facts,
            open: memory.open_disputes(&facts),
            said: BTreeSet::new(),
            shown: BTreeSet::new(),
            dropped: Vec::new(),
            mended: 0,
        };
        let around = memory.facts_and_nearest();
        let exclusions = memory.plan.as_ref().map_or(&[][..], |plan| &plan.exclusions);
        let mut blocks = Vec::new();
        for part in &input.parts {
            let sentences = self.parts.iter().find(|(number, _)| *number == part.part);
            let sentences = sentences.map_or(&[][..], |(_, sentences)| sentences);
            let places = writing.keep(sentences);
            let wanted = Wanted::of(&part.question, &facts);
            let block = writing.block(part, &places, &wanted);
            let nearest =
                if block.lines.is_empty() { nearest(part, &wanted, &around, exclusions) } else { None };
            blocks.push(AnswerBlock { nearest, ..block });
        }
        let also = writing.keep(&self.also);
        let also = also.iter().filter_map(Place::line).cloned().collect();
        let Writing { dropped, mended, .. } = writing;
        Report { answer: Vec::new(), sections: Vec::new(), dropped, by, blocks, also, mended, second: None }
    }
}

/// A sentence, if its facts carry it; else why not.
fn judge(sentence: &Sentence, facts: &Facts<'_>) -> Result<Line, String> {
    let mut gate = Gate::new(facts);
    gate.pass(&sentence.text, &sentence.facts).ok_or_else(|| {
        gate.dropped().pop().map_or_else(|| "it was said before".to_owned(), |dropped| dropped.why)
    })
}

/// What comes nearest to a part without an answer: of what was read for it, else of what the search held back, the first
/// that has something of its subject.
fn nearest(part: &AskedPart, wanted: &Wanted, facts: &Facts<'_>, exclusions: &[String]) -> Option<Line> {
    let read = part.facts.iter().filter_map(|ranked| facts.labelled(&ranked.label));
    let held_back = facts.of_part(part.part).into_iter();
    let is_near = |fact: &&NumberedFact<'_>| {
        wanted.touches(fact) && !is_excluded(&fact.found.fact.statement, exclusions)
    };
    let mut near = read.chain(held_back).filter(is_near);
    near.find_map(|fact| verbatim(facts, &fact.label()))
}

/// A fact as its own sentence; through the gate like any other.
fn verbatim(facts: &Facts<'_>, label: &str) -> Option<Line> {
    let fact = facts.labelled(label)?;
    let sentence = Sentence { text: fact.found.fact.statement.clone(), facts: vec![label.to_owned()] };
    judge(&sentence, facts).ok()
}

/// A report under way.
struct Writing<'a> {
    facts: &'a Facts<'a>,
    /// Conflicts a reader has to be told of.
    open: Vec<Dispute>,
    /// Sentences that stand in it, in lower case: nothing is said twice.
    said: BTreeSet<String>,
    /// Conflicts that stand in it.
    shown: BTreeSet<String>,
    dropped: Vec<Dropped>,
    mended: usize,
}

/// A place in a block.
enum Place {
    /// A sentence that stands.
    Kept(Line),
    /// The facts of one that does not, for one of them to stand there.
    Lost(Vec<String>),
}

impl Place {
    fn line(&self) -> Option<&Line> {
        match self {
            Self::Kept(line) => Some(line),
            Self::Lost(_) => None,
        }
    }
}

/// The numbers of a sentence.
fn values(text: &str) -> Vec<u64> {
    quantities(text).iter().map(|it| it.value.to_bits()).collect()
}

/// Whether a sentence has the value by which a fact answers; where there is no value, it need only rest on the fact.
fn gives(line: &Line, fact: &NumberedFact<'_>, wanted: &Wanted) -> bool {
    wanted.value_of(fact).is_none_or(|value| line.text.to_lowercase().contains(&value.to_lowercase()))
}

/// Facts that stand in for what a part has lost, at most.
const MOST_FILLED: usize = 2;

/// Why a sentence goes that itself would hold.
const LEANS: &str = "it leans on a sentence that was dropped";

impl Writing<'_> {
    /// What is left of some sentences that were written to be read in order.
    fn keep(&mut self, sentences: &[Judged]) -> Vec<Place> {
        let mut kept: Vec<Place> = Vec::new();
        let mut before_stands: Option<bool> = None;
        for one in sentences {
            let line = match &one.line {
                Ok(line) if self.is_orphan(line, before_stands) => Err(LEANS.to_owned()),
                Ok(line) => Ok(line),
                Err(why) => Err(why.clone()),
            };
            before_stands = Some(line.is_ok());
            match line {
                Ok(line) => {
                    if self.said.insert(line.text.to_lowercase()) {
                        self.mended += usize::from(one.mended);
                        kept.push(Place::Kept(line.clone()));
                    }
                }
                Err(why) => {
                    self.dropped.push(Dropped { text: one.sentence.text.clone(), why });
                    let facts = if one.given_up { Vec::new() } else { one.sentence.facts.clone() };
                    kept.push(Place::Lost(facts));
                }
            }
        }
        kept
    }

    /// Whether a sentence points at one that is not there. Facts were completed when they were read.
    fn is_orphan(&self, line: &Line, before_stands: Option<bool>) -> bool {
        let own = line.facts.iter().filter_map(|key| self.facts.fact(key));
        let is_fact = own.into_iter().any(|fact| fact.found.fact.statement == line.text);
        match before_stands {
            Some(true) => false,
            Some(false) => leans(&line.text) && !is_fact || points_back(&line.text),
            None => leans(&line.text) && !is_fact,
        }
    }

    /// The block of a part: what its writer lost is filled with the facts it was written from, and the other side of a
    /// disagreement about it is told.
    fn block(&mut self, part: &AskedPart, places: &[Place], wanted: &Wanted) -> AnswerBlock {
        let (mut lines, mut filled) = self.filled(part, places, wanted);
        let is_whole = !places.is_empty() && places.iter().all(|place| place.line().is_some());
        if !filled && !is_whole && !lines.iter().any(|line| self.answers(line, part, wanted)) {
            let mut answers = part.facts.iter().filter(|ranked| ranked.answers);
            if let Some(line) = answers.find_map(|ranked| self.verbatim(&ranked.label)) {
                lines.retain(|other| other.text != line.text);
                lines.insert(0, line);
                filled = true;
            }
        }
        let mut disputes = Vec::new();
        for (key, other, own) in self.disputes(&lines, part.part, wanted) {
            if !self.shown.insert(key.clone()) {
                continue;
            }
            disputes.push(key);
            for side in [other, own.clone()] {
                let at = lines.iter().position(|line| line.facts.contains(&own)).unwrap_or(0);
                let label = self.facts.fact(&side).map(NumberedFact::label);
                let untold = label.filter(|_| !self.is_told(&side, &lines));
                if let Some(line) = untold.and_then(|label| self.verbatim(&label)) {
                    lines.insert(at + 1, line);
                }
            }
        }
        self.said.extend(lines.iter().map(|line| line.text.to_lowercase()));
        AnswerBlock { dimension: part.part, lines, disputes, filled, nearest: None }
    }

    /// What stands, with the fact of a lost sentence in its place where nothing else gives what that fact answers with.
    fn filled(&self, part: &AskedPart, places: &[Place], wanted: &Wanted) -> (Vec<Line>, bool) {
        let kept: Vec<Line> = places.iter().filter_map(Place::line).cloned().collect();
        let (mut lines, mut filled): (Vec<Line>, usize) = (Vec::new(), 0);
        for place in places {
            let line = match place {
                Place::Kept(line) => Some(line.clone()),
                Place::Lost(_) if filled == MOST_FILLED => None,
                Place::Lost(labels) => {
                    let is_given = |label: &String| {
                        self.is_given(label, &kept, wanted) || self.is_given(label, &lines, wanted)
                    };
                    let mut lost = labels.iter().filter(|label| self.serves(label, part) && !is_given(label));
                    let line = lost.find_map(|label| self.verbatim(label));
                    filled += usize::from(line.is_some());
                    line
                }
            };
            lines.extend(line.filter(|line| lines.iter().all(|other| other.text != line.text)));
        }
        (lines, filled > 0)
    }

    /// Whether a fact answers a part: by rules, or because whoever read its document for that part says so.
    fn serves(&self, label: &str, part: &AskedPart) -> bool {
        let ranked = part.facts.iter().find(|ranked| ranked.label == label);
        let is_read_for_it = || {
            let fact = self.facts.labelled(label);
            fact.is_some_and(|fact| {
                fact.parts.contains_key(&part.part) && matches!(fact.found.by, Answerer::Model(_))
            })
        };
        ranked.is_some_and(|ranked| ranked.answers || is_read_for_it())
    }

    /// Whether a sentence rests on this fact and gives the numbers it gives.
    fn is_told(&self, key: &str, lines: &[Line]) -> bool {
        let Some(fact) = self.facts.fact(key) else { return true };
        let own = values(&fact.found.fact.statement);
        let tells = |line: &&Line| {
            let told = values(&line.text);
            line.facts.iter().any(|cited| cited == key) && own.iter().any(|value| told.contains(value))
        };
        lines.iter().any(|line| tells(&line) || line.text == fact.found.fact.statement)
    }

    /// Whether a sentence answers: by itself, or because it gives the value by which one of its facts answers.
    fn answers(&self, line: &Line, part: &AskedPart, wanted: &Wanted) -> bool {
        let mut own = line.facts.iter().filter_map(|key| self.facts.fact(key));
        own.any(|fact| {
            let label = fact.label();
            let is_answer = part.facts.iter().any(|ranked| ranked.answers && ranked.label == label);
            (is_answer && gives(line, fact, wanted)) || wanted.is_answered_by(&line.text, fact)
        })
    }

    /// Whether a line gives what a fact answers with.
    fn is_given(&self, label: &str, lines: &[Line], wanted: &Wanted) -> bool {
        let Some(fact) = self.facts.labelled(label) else { return true };
        let cites = |line: &&Line| line.facts.iter().any(|key| key == fact.found.key());
        lines.iter().filter(cites).any(|line| gives(line, fact, wanted))
    }

    fn verbatim(&self, label: &str) -> Option<Line> {
        verbatim(self.facts, label)
    }

    /// Open disputes of which these lines cite a side, if both sides were found for this part or answer it; the other side
    /// and this one.
    fn disputes(&self, lines: &[Line], part: usize, wanted: &Wanted) -> Vec<(String, String, String)> {
        let answers = |key: &str| {
            let concerns =
                |fact: &NumberedFact<'_>| fact.parts.contains_key(&part) || wanted.fit(fact).answers;
            self.facts.fact(key).is_some_and(concerns)
        };
        let mut found: Vec<(String, String, String)> = Vec::new();
        if !wanted.is_disputable() {
            return found;
        }
        for key in lines.iter().flat_map(|line| &line.facts) {
            for dispute in &self.open {
                let same = |other: &str| match (self.facts.fact(key), self.facts.fact(other)) {
                    (Some(own), Some(other)) => wanted.is_same_matter(own, other),
                    _ => false,
                };
                let Some(other) =
                    dispute.against(key).filter(|other| answers(other) && answers(key) && same(other))
                else {
                    continue;
                };
                if !found.iter().any(|(known, ..)| *known == dispute.key) {
                    found.push((dispute.key.clone(), other.to_owned(), key.clone()));
                }
            }
        }
        found
    }
}
