//! How an article gets its length, its sources and its tables.

use std::collections::{BTreeSet, HashSet};

use baton_agents::rules::words::content_stems;

use super::super::headings::{calm, is_telling, stage};
use super::super::lines::Line;
use super::super::outline::NEAR;
use super::{BODY, Block, Composer, FULL, MOST_LINES, SECTIONS, TABLES};
use crate::article::draft::capital;

impl Composer<'_> {
    fn nearness(&self, passage: usize, (heading, blocks): &(String, Vec<Block>)) -> f64 {
        let places: Vec<usize> = blocks.iter().map(|block| block.place).collect();
        self.shape.nearness(&self.passages, passage, heading, &places)
    }

    /// Brings in sources that nobody has cited yet, while fewer are cited than were asked for.
    pub(super) fn vary(&mut self, parts: &mut [(String, Vec<Block>)]) {
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
            let near = |part: &(String, Vec<Block>)| self.nearness(at, part);
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

    /// Puts tables of the sources below the paragraphs they belong to.
    pub(super) fn illustrate(&self, parts: &mut [(String, Vec<Block>)]) {
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
    pub(super) fn fill(&mut self, parts: &mut Vec<(String, Vec<Block>)>, words: f64) -> bool {
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
        let whole = |at: &usize| self.passages[*at].lines.len() > 1;
        // Paragraphs first; a line alone only where there is much room.
        let free = (0..self.passages.len()).filter(|at| !edges.contains(at));
        let (many, alone): (Vec<usize>, Vec<usize>) = free.partition(whole);
        for at in many.into_iter().chain(alone) {
            let passage = self.passages[at].clone();
            let useless = !passage.helps(&self.passages[0]);
            if left < 30.0 || useless || passage.lines.iter().any(|line| used.contains(&line.text)) {
                continue;
            }
            if passage.lines.len() < 2 && left < 60.0 {
                continue;
            }
            let near = |part: &(String, Vec<Block>)| {
                if words_of(&part.1) > room { 0.0 } else { self.nearness(at, part) }
            };
            let best =
                (0..parts.len()).max_by(|a, b| near(&parts[*a]).total_cmp(&near(&parts[*b])).then(b.cmp(a)));
            let heading = best.filter(|it| near(&parts[*it]) >= NEAR).map(|it| parts[it].0.clone());
            let alone = || {
                let calm = capital(&calm(&passage.heading, &self.names));
                let known = parts.iter().any(|(heading, _)| heading.eq_ignore_ascii_case(&calm));
                let fits = passage.lines.len() > 1
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
}

/// Takes words away: last lines of long paragraphs, then last paragraphs of long sections.
pub(super) fn cut(parts: &mut [(String, Vec<Block>)], words: f64) -> bool {
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

fn text_of(blocks: &[Block]) -> String {
    blocks.iter().flat_map(|it| &it.lines).map(|it| it.text.as_str()).collect::<Vec<_>>().join(" ")
}

fn words_of(blocks: &[Block]) -> f64 {
    blocks.iter().flat_map(|it| &it.lines).map(Line::words).sum::<usize>() as f64
}
