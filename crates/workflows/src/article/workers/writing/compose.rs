//! From passages to an article: which lines, in which paragraphs, in whose voice. Nothing is said twice, nothing is said that
//! no fact carries, and the length is kept.

mod ends;
mod fitting;

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashSet};
use std::rc::Rc;

use baton_agents::evidence::{Conflict, Derived};
use baton_agents::rules::words::content_stems;

use super::figures::{Figure, figures};
use super::headings::is_nominal;
use super::lines::{Line, lines};
use super::outline::{BODY, Planned, Shape, shape};
use super::passages::{Passage, Topic, passages};
use super::voices::{Turn, speak};
use super::{Said, lowers, names};
use crate::article::bibliography::References;
use crate::article::brief::Brief;
use crate::article::draft::{Draft, Lead, Paragraph, Section, Sentence, Table, capital};
use crate::article::files::article_of;
use crate::article::score::MarkdownText;
use crate::citation::Facts;

/// What the sections are about, in order: a heading and the keys of its facts.
pub type Outline = Vec<(String, Vec<String>)>;

/// The share of the words that the opening and the closing get, each.
const EDGE: f64 = (1.0 - BODY) / 2.0;
/// Lines of a paragraph at first, and when more words are wanted.
const LINES: usize = 4;
const MOST_LINES: usize = 7;
/// Words of a paragraph at first.
const WORDS: usize = 95;
/// How many times its share of the words a section may get, and how many sections there may be.
const FULL: f64 = 1.3;
const SECTIONS: usize = 8;
/// Tables of an article.
const TABLES: usize = 2;

/// A paragraph while the article is made.
#[derive(Clone, Debug)]
struct Block {
    lines: Vec<Line>,
    /// What could follow.
    spare: Vec<Line>,
    lead: Option<Lead>,
    table: Option<Table>,
    source: String,
    heading: String,
    /// The place of its passage.
    place: usize,
}

/// Writes an article from facts.
#[derive(Clone)]
pub struct Composer<'a> {
    brief: &'a Brief,
    facts: &'a Facts<'a>,
    derived: Vec<Derived>,
    names: HashSet<String>,
    passages: Vec<Passage>,
    shape: Shape,
    /// How much of the topic each passage names at once.
    named: Vec<f64>,
    figures: Vec<Figure>,
    /// Facts that cannot both hold. To find them takes long, so writers of the same facts share them.
    conflicts: Rc<OnceCell<Vec<Conflict>>>,
    said: Said,
    turn: Turn,
    /// More than 0 leaves long sentences out, less leaves short ones out.
    plainer: f64,
}

impl<'a> Composer<'a> {
    /// A writer over these facts.
    #[must_use]
    pub fn new(brief: &'a Brief, facts: &'a Facts<'a>, today: &str, derived: Vec<Derived>) -> Self {
        let names = names(facts);
        let lines = lines(facts, brief, today);
        let passages = passages(&lines, facts, brief);
        let topic = Topic::of(brief, &lines);
        let shape = shape(&passages, &topic, brief, &names);
        let figures = figures(facts, &names);
        let named = passages.iter().map(|passage| topic.share(&passage.lines[0].text)).collect();
        Self {
            brief,
            facts,
            derived,
            names,
            passages,
            shape,
            named,
            figures,
            conflicts: Rc::default(),
            said: Said::default(),
            turn: Turn::default(),
            plainer: 0.0,
        }
    }

    /// The same writer with another taste in the length of sentences.
    #[must_use]
    pub fn with(mut self, plainer: f64) -> Self {
        self.plainer = plainer;
        self
    }

    /// The sections these facts give, each with its passages.
    #[must_use]
    pub fn sections(&self) -> Vec<(String, Vec<&Passage>)> {
        let passages = |planned: &Planned| planned.passages.iter().map(|at| &self.passages[*at]).collect();
        self.shape.sections.iter().map(|planned| (planned.heading.clone(), passages(planned))).collect()
    }

    /// The article; none if there is nothing to say.
    #[must_use]
    pub fn article(mut self, outline: &Outline) -> Option<Draft> {
        let target = self.brief.target_length;
        let disputed = self.disputed();
        let opening = self.opening();
        let ahead = self.ahead();
        let mut parts = self.body(outline);
        let headings: Vec<String> = parts.iter().map(|(heading, _)| heading.clone()).collect();
        let introduction = self.open(&opening, &headings);
        let conclusion = self.close(&disputed, &ahead);
        let mut draft = self.set(introduction, &parts, conclusion);
        for _ in 0..12 {
            let words = self.words(&draft);
            let off = target as f64 - words as f64;
            if off.abs() <= target as f64 * 0.03 {
                break;
            }
            let changed = if off > 0.0 { self.fill(&mut parts, off) } else { fitting::cut(&mut parts, -off) };
            if !changed {
                break;
            }
            let headings: Vec<String> = parts.iter().map(|(heading, _)| heading.clone()).collect();
            let introduction = self.open(&opening, &headings);
            draft = self.set(introduction, &parts, draft.conclusion);
        }
        let says = draft.sentences().any(Sentence::is_claim);
        says.then_some(draft)
    }

    /// The opening alone.
    #[must_use]
    pub fn introduction(mut self, headings: &[String], taken: &[&str]) -> Vec<Sentence> {
        self.avoid(taken);
        let opening = self.opening();
        self.open(&opening, headings)
    }

    /// The closing alone.
    #[must_use]
    pub fn conclusion(mut self, taken: &[&str]) -> Vec<Sentence> {
        self.avoid(taken);
        let disputed = self.disputed();
        let ahead = self.ahead();
        self.close(&disputed, &ahead)
    }

    fn avoid(&mut self, taken: &[&str]) {
        let own = self.passages.iter().flat_map(|passage| &passage.lines);
        for line in own.filter(|line| taken.contains(&line.key.as_str())) {
            self.said.keep(line.essence.clone());
        }
    }

    /// The lines of a passage that say something new, and no line that leans on one that is left out.
    fn fresh(&self, passage: &Passage) -> Vec<Line> {
        let mut kept: Vec<Line> = Vec::new();
        let mut said = self.said.clone();
        let mut broken = false;
        for (at, line) in passage.lines.iter().enumerate() {
            let words = line.words() as f64;
            // What the next line leans on is not left out for its length.
            let needed = passage.lines.get(at + 1).is_some_and(|next| next.leans);
            let wanted = needed || self.plainer * (words - 18.0) < 8.0;
            let keep = wanted && said.lacks(&line.essence) && !(line.leans && broken);
            broken = !keep;
            if keep {
                said.keep(line.essence.clone());
                kept.push(line.clone());
            }
        }
        kept
    }

    fn take(&mut self, lines: &[Line]) {
        for line in lines {
            self.said.keep(line.essence.clone());
        }
    }

    /// The paragraphs of each section, as far as the words go.
    fn body(&mut self, outline: &Outline) -> Vec<(String, Vec<Block>)> {
        let share = self.brief.target_length as f64 * BODY / outline.len().max(1) as f64;
        let mut parts: Vec<(String, Vec<Block>)> = Vec::new();
        for (heading, keys) in outline {
            let mut blocks: Vec<Block> = Vec::new();
            let mut left = share;
            for passage in self.under(keys) {
                if left < 25.0 {
                    break;
                }
                if passage.lines.len() < 2 {
                    continue;
                }
                if let Some(block) = self.block(&passage, heading) {
                    // Names and citations are words too.
                    left -= block.lines.iter().map(Line::words).sum::<usize>() as f64 * 1.25;
                    blocks.push(block);
                }
            }
            parts.push((heading.clone(), blocks));
        }
        // Where there is little, a line is better than nothing.
        for ((_, keys), (heading, blocks)) in outline.iter().zip(&mut parts).filter(|(_, it)| it.1.is_empty())
        {
            let own = self.under(keys);
            blocks.extend(own.iter().filter_map(|passage| self.block(passage, heading)));
        }
        parts.retain(|(_, blocks)| !blocks.is_empty());
        self.vary(&mut parts);
        self.illustrate(&mut parts);
        parts
    }

    /// The passages these facts stand in, in the order of the facts.
    fn under(&self, keys: &[String]) -> Vec<Passage> {
        let edges: BTreeSet<usize> = self.shape.opening.iter().chain(&self.shape.closing).copied().collect();
        let place =
            |passage: &Passage| keys.iter().position(|key| passage.lines.iter().any(|line| line.key == *key));
        let mut own: Vec<(usize, &Passage)> = (0..self.passages.len())
            .filter(|at| !edges.contains(at))
            .filter_map(|at| Some((place(&self.passages[at])?, &self.passages[at])))
            .collect();
        own.sort_by_key(|(place, _)| *place);
        own.into_iter().map(|(_, passage)| passage.clone()).collect()
    }

    /// A paragraph of a passage; none if it has too little to say.
    fn block(&mut self, passage: &Passage, section: &str) -> Option<Block> {
        let mut fresh = self.fresh(passage);
        let lines = first(fresh.clone(), LINES, WORDS);
        if lines.iter().map(Line::words).sum::<usize>() < 8 {
            return None;
        }
        let spare = fresh.split_off(lines.len());
        self.take(&lines);
        let heading = &passage.heading;
        let other = !content_stems(heading).is_subset(&content_stems(section));
        // A sentence that has the words of its heading says itself what it is about.
        let said = content_stems(heading).is_subset(&content_stems(&lines[0].text));
        let lead = (other && !said && is_nominal(heading)).then(|| Lead::On(self.inside(heading)));
        Some(Block {
            lines,
            spare,
            lead,
            table: None,
            source: passage.source.clone(),
            heading: heading.clone(),
            place: passage.place,
        })
    }

    /// The article of what was chosen.
    fn set(
        &mut self,
        introduction: Vec<Sentence>,
        parts: &[(String, Vec<Block>)],
        conclusion: Vec<Sentence>,
    ) -> Draft {
        self.turn = Turn::default();
        let headings: HashSet<String> = parts.iter().map(|(heading, _)| heading.to_lowercase()).collect();
        let mut section = |(heading, blocks): &(String, Vec<Block>)| {
            let mut paragraphs: Vec<Paragraph> = Vec::new();
            for (at, block) in blocks.iter().enumerate() {
                // What has a section of its own is not announced in another.
                let elsewhere =
                    |lead: &Lead| matches!(lead, Lead::On(what) if headings.contains(&what.to_lowercase()));
                let goes_on = at > 0 && blocks[at - 1].heading == block.heading;
                let lead = block.lead.clone().filter(|lead| at > 0 && !goes_on && !elsewhere(lead));
                let mut sentences =
                    speak(&block.lines, lead.as_ref(), &self.names, &self.derived, &mut self.turn);
                let keys: HashSet<&str> =
                    block.table.iter().flat_map(|it| &it.rows).map(|it| it.1.as_str()).collect();
                sentences.extend(self.derived.iter().filter(|it| it.is_of(&keys)).map(Sentence::computed));
                // One sentence makes no paragraph; where it comes from elsewhere it says what it is about.
                match paragraphs.last_mut() {
                    Some(last) if sentences.len() < 2 && last.table.is_none() && block.table.is_none() => {
                        last.sentences.extend(sentences);
                    }
                    _ => paragraphs.push(Paragraph { sentences, table: block.table.clone() }),
                }
            }
            Section { heading: heading.clone(), paragraphs }
        };
        let sections = parts.iter().map(&mut section).collect();
        Draft {
            title: capital(self.brief.topic.trim()),
            introduction,
            sections,
            conclusion,
            dropped: Vec::new(),
        }
    }

    /// A heading inside a sentence.
    fn inside(&self, heading: &str) -> String {
        let heading = super::headings::calm(heading, &self.names);
        if lowers(&heading, &self.names) {
            let mut letters = heading.chars();
            letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
        } else {
            heading
        }
    }

    fn words(&self, draft: &Draft) -> usize {
        let references = References::of(draft, self.facts, self.brief.citation_style);
        MarkdownText::parse(&article_of(draft, &references, self.brief.citation_style)).words()
    }
}

/// The first lines, as many as there may be. A line is taken whole or not at all.
fn first(lines: Vec<Line>, most: usize, words: usize) -> Vec<Line> {
    let mut there = 0;
    let mut kept: Vec<Line> = Vec::new();
    for line in lines.into_iter().take(most) {
        if !kept.is_empty() && there + line.words() > words {
            break;
        }
        there += line.words();
        kept.push(line);
    }
    kept
}
