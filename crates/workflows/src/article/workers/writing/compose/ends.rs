//! How an article begins and ends: where it comes from and what it covers; where sources do not agree and what comes next.

use super::super::lines::Line;
use super::super::passages::BESIDE;
use super::super::voices::{Turn, carried, speak, spoken};
use super::{Composer, EDGE, first};
use crate::article::draft::{Lead, Sentence, Voice};

impl Composer<'_> {
    /// Two lines that cannot both hold: they are said side by side, in the closing.
    pub(super) fn disputed(&mut self) -> Vec<[Line; 2]> {
        let alone = |key: &str| {
            let own = self.passages.iter().flat_map(|passage| &passage.lines);
            own.clone().find(|line| line.key == key && !line.leans && !line.personal).cloned()
        };
        let conflicts = self.conflicts.get_or_init(|| self.facts.conflicts());
        let pairs = conflicts.iter().filter_map(|it| Some([alone(&it.left)?, alone(&it.right)?]));
        let free = pairs.filter(|pair| pair.iter().all(|line| self.said.lacks(&line.essence)));
        let found: Vec<[Line; 2]> = free.take(1).collect();
        found.iter().for_each(|pair| self.take(pair));
        found
    }

    /// Lines that tell where it all comes from.
    pub(super) fn opening(&mut self) -> Vec<Line> {
        let words = (self.brief.target_length as f64 * EDGE) as usize;
        let Some(passage) = self.shape.opening.map(|at| self.passages[at].clone()) else { return Vec::new() };
        // An opening is taken as it stands, whatever the length of its sentences.
        let fresh = self.clone().with(0.0).fresh(&passage);
        let lines = first(fresh, 3, words.max(45));
        self.take(&lines);
        lines
    }

    /// Lines that look ahead, for the closing.
    pub(super) fn ahead(&mut self) -> Vec<Vec<Line>> {
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

    /// Where it comes from, and what the reader will find.
    pub(super) fn open(&mut self, lines: &[Line], headings: &[String]) -> Vec<Sentence> {
        let mut turn = Turn::default();
        let mut sentences = speak(lines, None, &self.names, &self.derived, &mut turn);
        let headings: Vec<String> = headings.iter().map(|heading| self.inside(heading)).collect();
        sentences.extend(signpost(&headings, &self.brief.target_audience));
        sentences
    }

    /// Where sources do not agree, and what comes next. What was said is not repeated.
    pub(super) fn close(&mut self, disputed: &[[Line; 2]], ahead: &[Vec<Line>]) -> Vec<Sentence> {
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
            sentences.extend(speak(lines, lead.as_ref(), &self.names, &self.derived, &mut turn));
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
    pub(super) fn last_words(&mut self) -> Vec<Sentence> {
        let warns = |lines: &[Line]| {
            let signs = [
                "must not",
                "should not",
                "cannot",
                " risk",
                "careful",
                "corrupt",
                " lose ",
                " lost",
                "danger",
                "warning",
                "never ",
            ];
            lines.first().is_some_and(|line| signs.iter().any(|sign| line.text.to_lowercase().contains(sign)))
        };
        let words = (self.brief.target_length as f64 * EDGE) as usize;
        let best = self.passages.first().map_or(0.0, |passage| passage.worth);
        for caution in [true, false] {
            let closes = |at: usize| {
                // What is left of little worth ends nothing.
                if self.passages[at].worth < BESIDE * best {
                    return None;
                }
                let lines = first(self.fresh(&self.passages[at]), 3, words.max(30));
                let long = lines.iter().map(Line::words).sum::<usize>() >= 15;
                let fits = long && warns(&lines) == caution && !lines[0].leans && !lines[0].personal;
                // What names the topic ends an article about it better than what is left of a detail.
                fits.then(|| (self.passages[at].worth + self.named[at], lines))
            };
            let found = (0..self.passages.len()).filter_map(closes);
            let best = found.reduce(|best, next| if next.0 > best.0 { next } else { best });
            if let Some((_, lines)) = best {
                self.take(&lines);
                let lead = if caution { Lead::Caution } else { Lead::Finally };
                return speak(&lines, Some(&lead), &self.names, &self.derived, &mut Turn::default());
            }
        }
        Vec::new()
    }
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
