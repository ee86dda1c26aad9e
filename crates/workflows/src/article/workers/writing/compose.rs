//! From passages to an article: which lines, in which paragraphs, in whose voice. Nothing is said twice, nothing is said that
//! no fact carries, and the length is kept.

use std::collections::{BTreeSet, HashSet};

use baton_agents::evidence::Derived;
use baton_agents::rules::words::content_stems;

use super::figures::{Figure, figures};
use super::headings::{is_nominal, is_telling};
use super::lines::{Line, lines};
use super::outline::{BODY, Planned, Shape, shape};
use super::passages::{Passage, Topic, passages};
use super::voices::{Turn, carried, speak, spoken};
use super::{Said, lowers, names};
use crate::article::bibliography::References;
use crate::article::brief::Brief;
use crate::article::draft::{Draft, Lead, Paragraph, Section, Sentence, Table, Voice};
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
    figures: Vec<Figure>,
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
        Self {
            brief,
            facts,
            derived,
            names,
            passages,
            shape,
            figures,
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
            let changed = if off > 0.0 { self.fill(&mut parts, off) } else { cut(&mut parts, -off) };
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
        for line in &passage.lines {
            let words = line.words() as f64;
            let wanted = self.plainer * (words - 18.0) < 8.0;
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

    /// Two lines that cannot both hold: they are said side by side, in the closing.
    fn disputed(&mut self) -> Vec<[Line; 2]> {
        let alone = |key: &str| {
            let own = self.passages.iter().flat_map(|passage| &passage.lines);
            own.clone().find(|line| line.key == key && !line.leans && !line.personal).cloned()
        };
        let conflicts = self.facts.conflicts();
        let pairs = conflicts.iter().filter_map(|it| Some([alone(&it.left)?, alone(&it.right)?]));
        let free = pairs.filter(|pair| pair.iter().all(|line| self.said.lacks(&line.essence)));
        let found: Vec<[Line; 2]> = free.take(1).collect();
        found.iter().for_each(|pair| self.take(pair));
        found
    }

    /// Lines that tell where it all comes from.
    fn opening(&mut self) -> Vec<Line> {
        let words = (self.brief.target_length as f64 * EDGE) as usize;
        let Some(passage) = self.shape.opening.map(|at| self.passages[at].clone()) else { return Vec::new() };
        let lines = first(self.fresh(&passage), 3, words.max(45));
        self.take(&lines);
        lines
    }

    /// Lines that look ahead, for the closing.
    fn ahead(&mut self) -> Vec<Vec<Line>> {
        let words = (self.brief.target_length as f64 * EDGE) as usize;
        let mut found: Vec<Vec<Line>> = Vec::new();
        let mut there = 0;
        for at in self.shape.closing.clone() {
            let fresh = self.fresh(&self.passages[at]);
            let mut ahead: Vec<Line> = Vec::new();
            for line in fresh {
                let follows = line.leans && ahead.last().is_some_and(|last| line.start <= last.end + 6);
                if line.ahead && (!line.leans || follows) {
                    ahead.push(line);
                }
            }
            let lines = first(ahead, 3, words.saturating_sub(there));
            there += lines.iter().map(Line::words).sum::<usize>();
            if !lines.is_empty() && there <= words + 15 {
                self.take(&lines);
                found.push(lines);
            }
        }
        found
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

    /// Brings in sources that nobody has cited yet, while fewer are cited than were asked for.
    fn vary(&mut self, parts: &mut [(String, Vec<Block>)]) {
        let edges: Vec<usize> = self.shape.opening.iter().chain(&self.shape.closing).copied().collect();
        for at in 0..self.passages.len() {
            let passage = self.passages[at].clone();
            let blocks = parts.iter().flat_map(|(_, blocks)| blocks).map(|block| &block.source);
            let cited: BTreeSet<&String> =
                blocks.chain(edges.iter().map(|at| &self.passages[*at].source)).collect();
            if cited.len() >= self.brief.min_sources {
                return;
            }
            if cited.contains(&passage.source) || passage.lines.len() < 2 || edges.contains(&at) {
                continue;
            }
            let own = content_stems(&format!("{} {}", passage.heading, passage.text()));
            let near = |(_, blocks): &(String, Vec<Block>)| nearness(&own, blocks);
            let best =
                (0..parts.len()).max_by(|a, b| near(&parts[*a]).total_cmp(&near(&parts[*b])).then(b.cmp(a)));
            let Some(best) = best else { return };
            let heading = parts[best].0.clone();
            if let Some(mut block) = self.block(&passage, &heading) {
                block.spare.clear();
                block.lines.truncate(3);
                // Behind the first paragraph, where it is not what is cut first.
                let place = parts[best].1.len().min(1);
                parts[best].1.insert(place, block);
            }
        }
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
        let lead = (other && is_nominal(heading)).then(|| Lead::On(self.inside(heading)));
        Some(Block {
            lines,
            spare,
            lead,
            table: None,
            source: passage.source.clone(),
            heading: heading.clone(),
        })
    }

    /// Puts tables of the sources below the paragraphs they belong to.
    fn illustrate(&self, parts: &mut [(String, Vec<Block>)]) {
        let mut left = TABLES.min(self.brief.target_length / 400);
        for figure in &self.figures {
            let own = |block: &&mut Block| {
                block.source == figure.source && !figure.heading.is_empty() && block.heading == figure.heading
            };
            // A table without a heading belongs where its rows are spoken of.
            let labels: Vec<HashSet<String>> = figure
                .table
                .rows
                .iter()
                .map(|(cells, _)| content_stems(&cells[0]))
                .filter(|it| !it.is_empty())
                .collect();
            let near = |heading: &str, block: &Block| {
                let text: String =
                    block.lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join(" ");
                let own = content_stems(&format!("{heading} {text}"));
                labels.iter().filter(|label| label.is_subset(&own)).count()
            };
            if left == 0 {
                return;
            }
            let mut open: Vec<(String, &mut Block)> = parts
                .iter_mut()
                .filter(|(_, blocks)| blocks.iter().all(|block| block.table.is_none()))
                .flat_map(|(heading, blocks)| blocks.iter_mut().map(|block| (heading.clone(), block)))
                .collect();
            let at = open.iter_mut().position(|(_, block)| own(block)).or_else(|| {
                let best =
                    (0..open.len()).max_by_key(|at| (near(&open[*at].0, open[*at].1), usize::MAX - at))?;
                (near(&open[best].0, open[best].1) >= 2).then_some(best)
            });
            if let Some(at) = at {
                open[at].1.table = Some(figure.table.clone());
                left -= 1;
            }
        }
    }

    /// Adds words: first what paragraphs have left to say, then further paragraphs.
    fn fill(&mut self, parts: &mut Vec<(String, Vec<Block>)>, words: f64) -> bool {
        let mut left = words;
        let mut changed = false;
        for block in parts.iter_mut().flat_map(|(_, blocks)| blocks) {
            while left > 8.0 && block.lines.len() < MOST_LINES && !block.spare.is_empty() {
                let line = block.spare.remove(0);
                let dangling = line.leans && block.lines.last().is_none_or(|last| line.start > last.end + 6);
                if !dangling && self.said.lacks(&line.essence) && line.words() as f64 <= left + 10.0 {
                    left -= line.words() as f64 * 1.2;
                    self.said.keep(line.essence.clone());
                    block.lines.push(line);
                    changed = true;
                }
            }
        }
        if left < 30.0 {
            return changed;
        }
        let used: HashSet<String> = parts
            .iter()
            .flat_map(|(_, blocks)| blocks)
            .flat_map(|it| &it.lines)
            .map(|it| it.text.clone())
            .collect();
        let edges: Vec<usize> = self.shape.opening.iter().chain(&self.shape.closing).copied().collect();
        let room = self.brief.target_length as f64 * BODY / parts.len().max(1) as f64 * FULL;
        for at in (0..self.passages.len()).filter(|at| !edges.contains(at)) {
            let passage = self.passages[at].clone();
            if left < 30.0 || passage.lines.iter().any(|line| used.contains(&line.text)) {
                continue;
            }
            let own = content_stems(&format!("{} {}", passage.heading, passage.text()));
            if passage.lines.len() < 2 && left < 60.0 {
                continue;
            }
            let near = |(_, blocks): &(String, Vec<Block>)| {
                let full = words_of(blocks) > room;
                if full { 0.0 } else { nearness(&own, blocks) }
            };
            let best =
                (0..parts.len()).max_by(|a, b| near(&parts[*a]).total_cmp(&near(&parts[*b])).then(b.cmp(a)));
            let heading = best.filter(|it| near(&parts[*it]) >= 0.35).map(|it| parts[it].0.clone());
            let alone = || {
                let calm = super::headings::calm(&passage.heading, &self.names);
                let known = parts.iter().any(|(heading, _)| heading.eq_ignore_ascii_case(&calm));
                let fits = passage.lines.len() > 2
                    && is_telling(&passage.heading)
                    && !known
                    && parts.len() < SECTIONS;
                fits.then_some(calm)
            };
            let Some(heading) = heading.or_else(alone) else { continue };
            let Some(block) = self.block(&passage, &heading) else { continue };
            left -= block.lines.iter().map(Line::words).sum::<usize>() as f64 * 1.2;
            changed = true;
            match parts.iter_mut().find(|(known, _)| *known == heading) {
                Some((_, blocks)) => blocks.push(block),
                None => {
                    let stage = |heading: &str, text: &str| super::headings::stage(heading, text);
                    let own = stage(&heading, &passage.text());
                    let later =
                        |(heading, blocks): &(String, Vec<Block>)| stage(heading, &text_of(blocks)) > own;
                    let place = parts.iter().position(later).unwrap_or(parts.len());
                    parts.insert(place, (heading, vec![block]));
                }
            }
        }
        changed
    }

    /// The article of what was chosen.
    fn set(
        &mut self,
        introduction: Vec<Sentence>,
        parts: &[(String, Vec<Block>)],
        conclusion: Vec<Sentence>,
    ) -> Draft {
        self.turn = Turn::default();
        let mut section = |(heading, blocks): &(String, Vec<Block>)| {
            let mut paragraphs: Vec<Paragraph> = Vec::new();
            for (at, block) in blocks.iter().enumerate() {
                let lead = block.lead.clone().filter(|_| at > 0);
                let mut sentences = speak(&block.lines, lead, &self.names, &self.derived, &mut self.turn);
                let keys: HashSet<&str> =
                    block.table.iter().flat_map(|it| &it.rows).map(|it| it.1.as_str()).collect();
                sentences.extend(self.derived.iter().filter(|it| it.is_of(&keys)).map(Sentence::computed));
                // One sentence makes no paragraph.
                match paragraphs.last_mut() {
                    Some(last) if sentences.len() < 2 && last.table.is_none() && block.table.is_none() => {
                        let plain = sentences.into_iter().map(|it| Sentence { lead: None, ..it });
                        last.sentences.extend(plain);
                    }
                    _ => paragraphs.push(Paragraph { sentences, table: block.table.clone() }),
                }
            }
            Section { heading: heading.clone(), paragraphs }
        };
        let sections = parts.iter().map(&mut section).collect();
        Draft { title: title(&self.brief.topic), introduction, sections, conclusion, dropped: Vec::new() }
    }

    /// Where it comes from, and what the reader will find.
    fn open(&mut self, lines: &[Line], headings: &[String]) -> Vec<Sentence> {
        let mut turn = Turn::default();
        let mut sentences = speak(lines, None, &self.names, &self.derived, &mut turn);
        let headings: Vec<String> = headings.iter().map(|heading| self.inside(heading)).collect();
        sentences.extend(signpost(&headings, &self.brief.target_audience));
        sentences
    }

    /// Where sources do not agree, and what comes next. What was said is not repeated.
    fn close(&mut self, disputed: &[[Line; 2]], ahead: &[Vec<Line>]) -> Vec<Sentence> {
        let mut sentences: Vec<Sentence> = Vec::new();
        let mut turn = Turn::default();
        for [left, right] in disputed {
            sentences.push(Sentence::frame("On one point the sources do not agree."));
            sentences.push(spoken(&left.text, &left.key, Voice::According, &self.names));
            let mut other = spoken(&right.text, &right.key, Voice::States, &self.names);
            other.lead = carried(&Lead::Contrast, sentences.last(), &other.claim).then_some(Lead::Contrast);
            sentences.push(other);
        }
        for (at, lines) in ahead.iter().enumerate() {
            let lead = (at == 0).then_some(Lead::Ahead);
            sentences.extend(speak(lines, lead, &self.names, &self.derived, &mut turn));
        }
        if sentences.is_empty() {
            sentences = self.last_words();
        }
        if sentences.is_empty() {
            sentences.push(Sentence::frame("The sources that were read say nothing about what comes next."));
        }
        sentences
    }

    /// Where nothing looks ahead and nothing is disputed: a warning that was not said yet, else what is left of most worth.
    fn last_words(&mut self) -> Vec<Sentence> {
        let warns = |passage: &Passage| {
            let words = ["not ", "cannot", "should", "must", "risk", "limit", "careful", "corrupt", "lose"];
            words.iter().filter(|word| passage.text().to_lowercase().contains(**word)).count() > 1
        };
        let words = (self.brief.target_length as f64 * EDGE) as usize;
        for caution in [true, false] {
            let found = (0..self.passages.len()).find_map(|at| {
                let passage = &self.passages[at];
                let lines = first(self.fresh(passage), 3, words.max(30));
                let long = lines.iter().map(Line::words).sum::<usize>() >= 15;
                (long && warns(passage) == caution && !lines[0].leans && !lines[0].personal).then_some(lines)
            });
            if let Some(lines) = found {
                self.take(&lines);
                let lead = if caution { Lead::Caution } else { Lead::Finally };
                return speak(&lines, Some(lead), &self.names, &self.derived, &mut Turn::default());
            }
        }
        Vec::new()
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

fn text_of(blocks: &[Block]) -> String {
    blocks.iter().flat_map(|it| &it.lines).map(|it| it.text.as_str()).collect::<Vec<_>>().join(" ")
}

fn words_of(blocks: &[Block]) -> f64 {
    blocks.iter().flat_map(|it| &it.lines).map(Line::words).sum::<usize>() as f64
}

/// How near words are to a section: those they share beside all it has, for a long section is not near everything.
fn nearness(own: &HashSet<String>, blocks: &[Block]) -> f64 {
    let headings: Vec<&str> = blocks.iter().map(|block| block.heading.as_str()).collect();
    let theirs = content_stems(&format!("{} {}", headings.join(" "), text_of(blocks)));
    theirs.intersection(own).count() as f64 / (theirs.len().max(1) as f64).sqrt()
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

/// Takes words away: last lines of long paragraphs, then last paragraphs of long sections.
fn cut(parts: &mut [(String, Vec<Block>)], words: f64) -> bool {
    let mut left = words;
    let mut changed = false;
    while left > 4.0 {
        let longest = parts
            .iter_mut()
            .flat_map(|(_, blocks)| blocks)
            .filter(|block| block.lines.len() > 2)
            .max_by_key(|block| (block.lines.len(), block.lines.iter().map(Line::words).sum::<usize>()));
        let gone = match longest {
            Some(block) => block.lines.pop().map_or(0, |line| line.words()),
            None => {
                let most =
                    parts.iter_mut().filter(|(_, blocks)| blocks.len() > 1).max_by_key(|(_, it)| it.len());
                let last = most.and_then(|(_, blocks)| blocks.pop());
                last.map_or(0, |block| block.lines.iter().map(Line::words).sum())
            }
        };
        if gone == 0 {
            break;
        }
        left -= gone as f64 * 1.2;
        changed = true;
    }
    changed
}

/// What the article covers, in one sentence.
fn signpost(headings: &[String], audience: &str) -> Option<Sentence> {
    let reader = match audience.trim() {
        "" | "general" => String::new(),
        audience => format!(", written for {audience},"),
    };
    let counted = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"];
    let text = match headings {
        [] => return None,
        [one] => format!("This article{reader} looks at {one}."),
        [first @ .., last] => {
            let number = counted.get(headings.len()).copied().unwrap_or("several");
            // Where a heading has a comma or an "and" of its own, commas would not tell them apart.
            let plain = !headings.iter().any(|heading| heading.contains(',') || heading.contains(" and "));
            let (between, end) = if plain { (", ", " and ") } else { ("; ", "; and ") };
            format!("This article{reader} covers {number} things: {}{end}{last}.", first.join(between))
        }
    };
    Some(Sentence::frame(text))
}

/// The topic as a title: its first letter is large.
fn title(topic: &str) -> String {
    let mut letters = topic.trim().chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
