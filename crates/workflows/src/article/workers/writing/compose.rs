//! From units to an article: which of them, in which order, in whose voice, in which paragraphs. Nothing is said twice,
//! nothing is said that no fact carries, and the length is kept.

use std::collections::{BTreeMap, HashSet};

use baton_agents::evidence::Derived;
use baton_agents::rules::words::{content_stems, overlap};

use super::{Said, Unit, names, spoken, units, voice};
use crate::article::bibliography::References;
use crate::article::brief::Brief;
use crate::article::draft::{Draft, Paragraph, Section, Sentence, Voice};
use crate::citation::{Facts, NumberedFact};

/// What the sections are about, in order: a heading and the keys of its facts.
pub type Outline = Vec<(String, Vec<String>)>;

/// The share of the words that the opening and the closing get, each.
const EDGE: f64 = 0.08;
/// Sentences of a paragraph.
const PER_PARAGRAPH: usize = 5;
/// What a unit of somebody who speaks as themselves counts beside others.
const PERSONAL: f64 = 0.5;

/// Writes an article from facts.
pub struct Composer<'a> {
    brief: &'a Brief,
    facts: &'a Facts<'a>,
    references: References<'a>,
    derived: Vec<Derived>,
    names: HashSet<String>,
    units: Vec<Unit>,
    said: Said,
    /// Keys that are used, or kept for the closing.
    taken: HashSet<String>,
    turn: usize,
    /// More than 0 prefers short sentences, less prefers long ones.
    plainer: f64,
}

impl<'a> Composer<'a> {
    /// A writer over these facts.
    #[must_use]
    pub fn new(brief: &'a Brief, facts: &'a Facts<'a>, derived: Vec<Derived>, plainer: f64) -> Self {
        let all: Vec<&NumberedFact<'_>> = facts.all().iter().collect();
        let (units, _) = units(facts, &brief.exclude_topics);
        Self {
            brief,
            facts,
            references: References::all(facts, brief.citation_style),
            derived,
            names: names(&all),
            units,
            said: Said::default(),
            taken: HashSet::new(),
            turn: 0,
            plainer,
        }
    }

    /// The article; none if there is nothing to say.
    #[must_use]
    pub fn article(mut self, outline: &Outline) -> Option<Draft> {
        let target = self.brief.target_length as f64;
        let disputed = self.disputed();
        let closing_units = self.ahead();
        let introduction = self.opening((target * EDGE) as usize, outline);
        let budget = target * (1.0 - 2.0 * EDGE);
        let mut chosen = self.body(outline, budget as usize);
        let mut conclusion = self.closing(&closing_units, &disputed, (target * EDGE) as usize);
        let mut draft = self.set(introduction, &chosen, std::mem::take(&mut conclusion));
        // The frame of names and citations has words too: fill up or cut until the length is kept.
        for _ in 0..8 {
            let words = self.words(&draft);
            let off = target - words as f64;
            if off.abs() <= target * 0.04 {
                break;
            }
            let changed =
                if off > 0.0 { self.fill(outline, &mut chosen, off) } else { self.cut(&mut chosen, -off) };
            if !changed {
                break;
            }
            draft = self.set(draft.introduction, &chosen, draft.conclusion);
        }
        let says = draft.sentences().any(Sentence::is_claim);
        says.then_some(draft)
    }

    /// The opening alone.
    #[must_use]
    pub fn introduction(mut self, headings: &[String], taken: &[&str]) -> Vec<Sentence> {
        self.avoid(taken);
        let outline: Outline = headings.iter().map(|heading| (heading.clone(), Vec::new())).collect();
        let words = (self.brief.target_length as f64 * EDGE) as usize;
        self.opening(words, &outline)
    }

    /// The closing alone.
    #[must_use]
    pub fn conclusion(mut self, taken: &[&str]) -> Vec<Sentence> {
        self.avoid(taken);
        let disputed = self.disputed();
        let ahead = self.ahead();
        let words = (self.brief.target_length as f64 * EDGE) as usize;
        self.closing(&ahead, &disputed, words)
    }

    fn avoid(&mut self, taken: &[&str]) {
        for key in taken {
            self.taken.insert((*key).to_owned());
            if let Some(fact) = self.facts.fact(key) {
                self.said.say(&fact.found.fact.statement);
            }
        }
    }

    fn is_free(&self, unit: &Unit) -> bool {
        unit.sentences.iter().all(|(key, sentence)| !self.taken.contains(key) && self.said.is_new(sentence))
    }

    fn take(&mut self, unit: &Unit) {
        for (key, sentence) in &unit.sentences {
            self.taken.insert(key.clone());
            self.said.say(sentence);
        }
    }

    /// What a unit is worth: how near it is, less if somebody speaks in it, and by the length that is wished for.
    fn worth(&self, unit: &Unit) -> f64 {
        let personal = if unit.personal { PERSONAL } else { 1.0 };
        let mean = unit.words() as f64 / unit.sentences.len() as f64;
        unit.score * personal - self.plainer * mean / 40.0
    }

    /// Two facts that cannot both hold are said side by side, in the closing.
    fn disputed(&mut self) -> Vec<[Unit; 2]> {
        let mut pairs: Vec<[Unit; 2]> = Vec::new();
        for conflict in self.facts.conflicts() {
            let unit = |key: &str| {
                self.units
                    .iter()
                    .find(|unit| unit.sentences[0].0 == key && unit.sentences.len() == 1 && !unit.personal)
            };
            let (Some(left), Some(right)) = (unit(&conflict.left), unit(&conflict.right)) else { continue };
            let pair = [left.clone(), right.clone()];
            if pair.iter().all(|unit| self.is_free(unit)) && pairs.is_empty() {
                pair.iter().for_each(|unit| self.take(unit));
                pairs.push(pair);
            }
        }
        pairs
    }

    /// What looks ahead is kept for the closing.
    fn ahead(&mut self) -> Vec<Unit> {
        let mut ahead: Vec<Unit> = self
            .units
            .iter()
            .filter(|unit| unit.ahead && !unit.personal && self.is_free(unit))
            .cloned()
            .collect();
        ahead.truncate(3);
        ahead.retain(|unit| self.is_free(unit));
        for unit in &ahead {
            self.take(unit);
        }
        ahead
    }

    /// What is most about the topic itself, and what the reader will find.
    fn opening(&mut self, words: usize, outline: &Outline) -> Vec<Sentence> {
        let topic = content_stems(&self.brief.topic);
        let about = |unit: &Unit| {
            let own = content_stems(&unit.text());
            let general = if unit.text().chars().any(|letter| letter.is_ascii_digit()) { 0.0 } else { 0.15 };
            overlap(&topic, &own) + general + 0.2 * unit.score
        };
        let mut free: Vec<Unit> = self
            .units
            .iter()
            .filter(|unit| !unit.personal && !unit.ahead && self.is_free(unit))
            .cloned()
            .collect();
        free.sort_by(|a, b| {
            about(b).total_cmp(&about(a)).then_with(|| (&a.source, a.start).cmp(&(&b.source, b.start)))
        });
        let mut sentences = Vec::new();
        let mut there = 0;
        for unit in free {
            if there > 0 && there + unit.words() > words {
                continue;
            }
            if there >= words || sentences.len() >= 3 {
                break;
            }
            if self.is_free(&unit) {
                there += unit.words();
                self.take(&unit);
                sentences.extend(self.speak(&[unit]));
            }
        }
        if !sentences.is_empty() {
            let headings: Vec<String> = outline.iter().map(|(heading, _)| self.inside(heading)).collect();
            sentences.extend(signpost(&headings));
        }
        sentences
    }

    /// A heading inside a sentence.
    fn inside(&self, heading: &str) -> String {
        if super::lowers(heading, &self.names) {
            let mut letters = heading.chars();
            letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
        } else {
            heading.to_owned()
        }
    }

    /// The units of each section, in order, as far as the words go.
    fn body(&mut self, outline: &Outline, budget: usize) -> Vec<(String, Vec<Unit>)> {
        let sizes: Vec<usize> =
            outline.iter().map(|(_, keys)| self.of(keys).iter().map(Unit::words).sum()).collect();
        let all: usize = sizes.iter().sum::<usize>().max(1);
        let mut chosen: Vec<(String, Vec<Unit>)> = Vec::new();
        for ((heading, keys), size) in outline.iter().zip(&sizes) {
            // Half by what there is to say, half alike: no section is a stub.
            let alike = 1.0 / outline.len().max(1) as f64;
            let share = 0.5 * alike + 0.5 * (*size as f64 / all as f64);
            let mut left = budget as f64 * share;
            let mut own = Vec::new();
            for unit in self.of(keys) {
                if left > 0.0 && self.is_free(&unit) {
                    // A third more: names and citations are words too.
                    left -= unit.words() as f64 * 1.3;
                    self.take(&unit);
                    own.push(unit);
                }
            }
            chosen.push((heading.clone(), own));
        }
        chosen
    }

    /// Units of these facts, the worthiest first.
    fn of(&self, keys: &[String]) -> Vec<Unit> {
        let mut own: Vec<Unit> =
            self.units.iter().filter(|unit| keys.contains(&unit.sentences[0].0)).cloned().collect();
        own.sort_by(|a, b| {
            self.worth(b)
                .total_cmp(&self.worth(a))
                .then_with(|| (&a.source, a.start).cmp(&(&b.source, b.start)))
        });
        own
    }

    fn fill(&mut self, outline: &Outline, chosen: &mut [(String, Vec<Unit>)], words: f64) -> bool {
        let mut left = words;
        let mut changed = false;
        let queues: Vec<Vec<Unit>> = outline.iter().map(|(_, keys)| self.of(keys)).collect();
        let longest = queues.iter().map(Vec::len).max().unwrap_or(0);
        for rank in 0..longest {
            for (at, queue) in queues.iter().enumerate() {
                let Some(unit) = queue.get(rank) else { continue };
                if left > 4.0 && self.is_free(unit) && (unit.words() as f64) < left + 12.0 {
                    left -= unit.words() as f64 * 1.3;
                    self.take(unit);
                    chosen[at].1.push(unit.clone());
                    changed = true;
                }
            }
        }
        changed
    }

    fn cut(&mut self, chosen: &mut [(String, Vec<Unit>)], words: f64) -> bool {
        let mut left = words;
        let mut changed = false;
        while left > 4.0 {
            let most = (0..chosen.len())
                .filter(|at| chosen[*at].1.len() > 1)
                .max_by_key(|at| chosen[*at].1.iter().map(Unit::words).sum::<usize>());
            let Some(at) = most else { break };
            let least =
                chosen[at].1.iter().enumerate().min_by(|a, b| self.worth(a.1).total_cmp(&self.worth(b.1)));
            let Some((place, _)) = least else { break };
            left -= chosen[at].1[place].words() as f64 * 1.3;
            chosen[at].1.remove(place);
            changed = true;
        }
        changed
    }

    /// The article of what was chosen.
    fn set(
        &mut self,
        introduction: Vec<Sentence>,
        chosen: &[(String, Vec<Unit>)],
        conclusion: Vec<Sentence>,
    ) -> Draft {
        self.turn = 0;
        let mut sections = Vec::new();
        for (heading, units) in chosen {
            let paragraphs = self.paragraphs(&ordered(units));
            if !paragraphs.is_empty() {
                sections.push(Section { heading: heading.clone(), paragraphs });
            }
        }
        Draft { title: title(&self.brief.topic), introduction, sections, conclusion, dropped: Vec::new() }
    }

    fn paragraphs(&mut self, units: &[Unit]) -> Vec<Paragraph> {
        let mut paragraphs: Vec<Paragraph> = Vec::new();
        let mut open: Vec<Unit> = Vec::new();
        let mut count = 0;
        for unit in units {
            let other_year = open.last().is_some_and(|last| last.source != unit.source);
            if count > 0 && (count + unit.sentences.len() > PER_PARAGRAPH || (count >= 3 && other_year)) {
                paragraphs.push(Paragraph { sentences: self.speak(&open), table: None });
                open.clear();
                count = 0;
            }
            count += unit.sentences.len();
            open.push(unit.clone());
        }
        if !open.is_empty() {
            // One sentence makes no paragraph.
            let sentences = self.speak(&open);
            match paragraphs.last_mut() {
                Some(last) if sentences.len() < 2 => last.sentences.extend(sentences),
                _ => paragraphs.push(Paragraph { sentences, table: None }),
            }
        }
        paragraphs
    }

    /// Units in their voices, with what was computed from them behind.
    fn speak(&mut self, units: &[Unit]) -> Vec<Sentence> {
        let mut sentences = Vec::new();
        let mut last: Option<&str> = None;
        let mut again = 0;
        for unit in units {
            again = if last == Some(unit.source.as_str()) { again } else { 0 };
            last = Some(&unit.source);
            for (key, claim) in &unit.sentences {
                let voice = voice(claim, again, self.turn);
                if !matches!(voice, Voice::Plain) {
                    self.turn += 1;
                    again += 1;
                }
                sentences.push(spoken(claim, key, voice, &self.names));
                let computed =
                    self.derived.iter().find(|derived| derived.inputs.iter().all(|input| input.fact == *key));
                sentences.extend(computed.map(|derived| Sentence {
                    claim: derived.statement.clone(),
                    facts: vec![key.clone()],
                    voice: Voice::Computed,
                    lowers: false,
                    derived: Some(Box::new(derived.clone())),
                }));
            }
        }
        sentences
    }

    /// Where sources do not agree, and what comes next. What was said is not repeated.
    fn closing(&mut self, ahead: &[Unit], disputed: &[[Unit; 2]], words: usize) -> Vec<Sentence> {
        let mut sentences = Vec::new();
        for pair in disputed {
            sentences.push(Sentence::frame("On one point the sources do not agree."));
            let [left, right] = pair;
            let say = |unit: &Unit, voice: Voice| {
                spoken(&unit.sentences[0].1, &unit.sentences[0].0, voice, &self.names)
            };
            sentences.push(say(left, Voice::According));
            sentences.push(say(right, Voice::Reports));
        }
        if !ahead.is_empty() {
            let frame =
                if sentences.is_empty() { "The sources also look ahead." } else { "They also look ahead." };
            sentences.push(Sentence::frame(frame));
            let mut there = 0;
            for unit in ahead {
                if there == 0 || there + unit.words() <= words {
                    there += unit.words();
                    sentences.extend(self.speak(std::slice::from_ref(unit)));
                }
            }
        }
        if sentences.is_empty() {
            let rest = self.units.iter().find(|unit| !unit.personal && self.is_free(unit)).cloned();
            if let Some(unit) = rest {
                sentences.push(Sentence::frame("One more thing belongs to the picture."));
                self.take(&unit);
                sentences.extend(self.speak(&[unit]));
            } else {
                sentences
                    .push(Sentence::frame("The sources that were read say nothing about what comes next."));
            }
        }
        sentences
    }

    fn words(&self, draft: &Draft) -> usize {
        let count =
            |text: &str| text.split_whitespace().filter(|it| it.contains(char::is_alphanumeric)).count();
        let headings: usize = draft.sections.iter().map(|section| count(&section.heading)).sum();
        draft.sentences().map(|sentence| count(&sentence.shown(&self.references))).sum::<usize>()
            + headings
            + 1
    }
}

/// What the article looks at, in one sentence.
fn signpost(headings: &[String]) -> Option<Sentence> {
    let text = match headings {
        [] => return None,
        [one] => format!("This article looks at {one}."),
        [first, last] => format!("This article looks at {first} and at {last}."),
        [first @ .., last] => format!("This article looks at {}, and at {last}.", first.join(", at ")),
    };
    Some(Sentence::frame(text))
}

/// Units in the order a reader needs: old before new, and what one source says together.
fn ordered(units: &[Unit]) -> Vec<Unit> {
    let mut by_source: BTreeMap<&str, Vec<&Unit>> = BTreeMap::new();
    for unit in units {
        by_source.entry(&unit.source).or_default().push(unit);
    }
    let mut groups: Vec<Vec<&Unit>> = by_source.into_values().collect();
    for group in &mut groups {
        group.sort_by_key(|unit| unit.start);
    }
    let general =
        |group: &[&Unit]| !group.iter().any(|unit| unit.text().chars().any(|letter| letter.is_ascii_digit()));
    groups.sort_by(|a, b| {
        let key = |group: &[&Unit]| (!general(group), group.iter().map(|unit| unit.year).min().unwrap_or(0));
        key(a).cmp(&key(b)).then_with(|| a[0].source.cmp(&b[0].source))
    });
    groups.into_iter().flatten().cloned().collect()
}

/// The topic as a title: its first letter is large.
fn title(topic: &str) -> String {
    let mut letters = topic.trim().chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
