//! A cited report as data, before it is Markdown or HTML. Every sentence that cites a source stands here once, so that all
//! renderings and the evidence agree.

use std::collections::BTreeSet;

use baton_agents::evidence::Claim;

use super::facts::{Facts, NumberedFact, source_label};
use super::gate::Line;
use crate::markup::plain;

/// A sentence and the facts it rests on.
#[derive(Clone, Debug)]
pub struct Statement<'f> {
    /// The sentence.
    pub text: String,
    /// Its facts, in order.
    pub facts: Vec<&'f NumberedFact<'f>>,
}

impl<'f> Statement<'f> {
    /// A sentence the gate let through.
    #[must_use]
    pub fn of(line: &Line, facts: &'f Facts<'f>) -> Self {
        let own = line.facts.iter().filter_map(|key| facts.fact(key));
        Self { text: plain(&line.text), facts: own.collect() }
    }

    /// The words of a source.
    #[must_use]
    pub fn quote(fact: &'f NumberedFact<'f>) -> Self {
        Self { text: plain(&fact.found.fact.quote), facts: vec![fact] }
    }

    /// Numbers of the sources it cites, each once, in order of its facts.
    #[must_use]
    pub fn sources(&self) -> Vec<usize> {
        let mut sources: Vec<usize> = Vec::new();
        for fact in &self.facts {
            if !sources.contains(&fact.source) {
                sources.push(fact.source);
            }
        }
        sources
    }

    /// The same as a claim on facts by label.
    #[must_use]
    pub fn claim(&self) -> Claim {
        let facts = self.facts.iter().map(|fact| fact.label()).collect();
        Claim { text: self.text.clone(), facts }
    }

    /// `[S01][S03]`.
    #[must_use]
    pub fn citations(&self) -> String {
        self.sources().into_iter().map(|number| format!("[{}]", source_label(number))).collect()
    }
}

/// How sentences are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// As a paragraph: somebody wrote them to be read in order.
    Prose,
    /// As a list: quotes set side by side.
    List,
    /// As a list of excerpts: what stands together in its source is read together, and the first sentence, which answers,
    /// is marked.
    Excerpts,
}

/// Excerpts, one for each place: the sentence that answers written by `answer`, the others by `other`.
pub fn excerpts(
    lines: &[Statement<'_>],
    answer: impl Fn(&Statement<'_>) -> String,
    other: impl Fn(&Statement<'_>) -> String,
) -> Vec<String> {
    let together = |before: &Statement<'_>, next: &Statement<'_>| match (&*before.facts, &*next.facts) {
        ([before], [next]) => next.is_behind(before),
        _ => false,
    };
    let mut is_first = true;
    let mut written =
        |line: &Statement<'_>| if std::mem::take(&mut is_first) { answer(line) } else { other(line) };
    let places = lines.chunk_by(together);
    places.map(|place| place.iter().map(&mut written).collect::<Vec<_>>().join(" ")).collect()
}

/// A piece of a report.
#[derive(Clone, Debug)]
pub enum Block<'f> {
    /// A heading of level 2 or 3.
    Heading(u8, String),
    /// Sentences that claim something, each followed by its citations.
    Claims(Setting, Vec<Statement<'f>>),
    /// Words of a source, with where they come from.
    Quote(Statement<'f>),
    /// Words of a source where nothing answers: what comes nearest, which claims nothing.
    Nearest(Statement<'f>),
    /// A sentence of the program's own; it claims nothing about the subject.
    Note(String),
    /// Several of them.
    Notes(Vec<String>),
}

/// A report whose every claim leads to facts.
#[derive(Clone, Debug)]
pub struct CitedReport<'f> {
    /// What was asked for.
    pub title: String,
    /// Front matter: keys, and values that are YAML already.
    pub front: Vec<(&'static str, String)>,
    /// The line below the title of the page.
    pub about: String,
    /// What it says, in order.
    pub blocks: Vec<Block<'f>>,
    /// What it rests on.
    pub facts: &'f Facts<'f>,
}

impl<'f> CitedReport<'f> {
    /// Every sentence that cites something, in order.
    pub fn statements(&self) -> impl Iterator<Item = &Statement<'f>> {
        self.blocks.iter().flat_map(|block| match block {
            Block::Claims(_, lines) => lines.as_slice(),
            Block::Quote(quote) => std::slice::from_ref(quote),
            Block::Heading(..) | Block::Nearest(_) | Block::Note(_) | Block::Notes(_) => &[],
        })
    }

    /// What is shown as near and answers nothing.
    pub fn nearest(&self) -> impl Iterator<Item = &Statement<'f>> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Nearest(quote) => Some(quote),
            _ => None,
        })
    }

    /// Everything that cites a source.
    pub fn citing(&self) -> impl Iterator<Item = &Statement<'f>> {
        self.statements().chain(self.nearest())
    }

    /// The numbers of the sources it cites, in order.
    #[must_use]
    pub fn cited(&self) -> Vec<usize> {
        let cited: BTreeSet<usize> = self.citing().flat_map(Statement::sources).collect();
        cited.into_iter().collect()
    }

    /// Sentences of the program's own; they claim nothing about the subject.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let own = |block: &Block<'_>| match block {
            Block::Note(note) => Some(plain(note)),
            _ => None,
        };
        self.blocks.iter().filter_map(own).collect()
    }

    /// The headings of level 2 below which every sentence must be cited.
    #[must_use]
    pub fn claiming(&self) -> Vec<String> {
        let mut claiming: Vec<String> = Vec::new();
        let mut under: Option<&String> = None;
        for block in &self.blocks {
            match block {
                Block::Heading(2, name) => under = Some(name),
                Block::Claims(..) | Block::Nearest(_) => claiming.extend(under.take().cloned()),
                _ => {}
            }
        }
        claiming
    }
}
