//! Skill: an answer to each part of the question, closed world. Its twin takes the facts that answer best, word for
//! word, and ends where the next one adds nothing.

mod selection;

use std::collections::{BTreeMap, HashSet};

use baton_agents::skill::{Piece, Problem, Skill, Vars, Words, one_line};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use selection::{Essence, Selection};

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct WriteReport;

/// A source as the writer sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KnownSource {
    /// `S01`.
    pub label: String,
    /// Its title.
    pub title: String,
    /// Its date, if known.
    pub date: Option<String>,
}

/// A fact as the writer sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KnownFact {
    /// `Fact-001`.
    pub label: String,
    /// `S01`.
    pub source: String,
    /// What is stated.
    pub statement: String,
    /// The words of the source.
    pub quote: String,
}

/// How well a fact answers a part.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RankedFact {
    /// `Fact-001`.
    pub label: String,
    /// Larger is better.
    pub score: f64,
    /// Whether it answers: the kind that is wanted, about what was asked.
    pub answers: bool,
    /// Whether it adds something to an answer: what was asked about stands in the sentence itself.
    pub adds: bool,
    /// Whether it does not answer and is close to what was asked.
    pub near: bool,
    /// The fact right behind which it stands in its source, if that was read too.
    #[serde(default)]
    pub follows: Option<String>,
    /// Whether it says nothing without that one.
    #[serde(default)]
    pub leans: bool,
    /// Whether it answers with a value, which needs no explanation.
    #[serde(default)]
    pub value: bool,
    /// That value.
    #[serde(default)]
    pub given: Option<String>,
    /// Whether it explains the answer if it stands right behind it.
    #[serde(default)]
    pub explains: bool,
    /// Whether it has all that was asked about: nothing from elsewhere is needed beside it.
    #[serde(default)]
    pub sure: bool,
    /// What was asked about that stands in it, stemmed.
    #[serde(default)]
    pub has: Vec<String>,
    /// The number of its source.
    #[serde(default)]
    pub source: usize,
}

/// One thing that was asked, as the writer sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AskedPart {
    /// Its number, counted from 0.
    pub part: usize,
    /// What was asked.
    pub question: String,
    /// What was found for it or answers it, best first.
    pub facts: Vec<RankedFact>,
}

/// Facts that cannot both hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KnownConflict {
    /// Their labels.
    pub facts: Vec<String>,
    /// What is different.
    pub what: String,
    /// What weighing them brought.
    pub weighed: String,
}

/// What may be used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToWrite {
    /// The question.
    pub question: Words,
    /// Its parts, in the order asked.
    pub parts: Vec<AskedPart>,
    /// All facts.
    pub facts: Vec<KnownFact>,
    /// Their sources.
    pub sources: Vec<KnownSource>,
    /// What cannot both hold.
    pub conflicts: Vec<KnownConflict>,
}

/// A sentence and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sentence {
    /// The sentence.
    pub text: String,
    /// Labels of its facts.
    pub facts: Vec<String>,
}

/// What is said to one part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PartDraft {
    /// Its number.
    pub part: usize,
    /// The sentences, the one that answers first; none if the facts do not answer it.
    pub sentences: Vec<Sentence>,
}

/// A draft: nothing in it is believed before it is checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Draft {
    /// One for each part, in their order.
    pub parts: Vec<PartDraft>,
    /// What is near and was not asked; may be empty.
    pub also: Vec<Sentence>,
}

impl ToWrite {
    fn fact(&self, label: &str) -> Option<&KnownFact> {
        self.facts.iter().find(|fact| fact.label == label)
    }

    fn is_disputed(&self, label: &str) -> bool {
        self.conflicts.iter().any(|conflict| conflict.facts.iter().any(|fact| fact == label))
    }

    /// The part under which a fact is shown: the one it answers best.
    fn best_part(&self, label: &str) -> Option<usize> {
        let standing = |part: &AskedPart| {
            let ranked = part.facts.iter().find(|ranked| ranked.label == label)?;
            Some((ranked.answers, ranked.score, part.part))
        };
        let better = |a: &(bool, f64, usize), b: &(bool, f64, usize)| {
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(b.2.cmp(&a.2))
        };
        self.parts.iter().filter_map(standing).max_by(better).map(|(_, _, part)| part)
    }

    /// What a model is shown: the sources, each part with its facts and conflicts, then the other facts. A fact is
    /// shown once, and what says the same stands beside it.
    #[must_use]
    pub fn pieces(&self) -> Vec<Piece> {
        let source = |source: &KnownSource| {
            let date = source.date.as_deref().map(one_line).unwrap_or("undated".to_owned());
            format!("{}: {}, {date}", source.label, one_line(&source.title))
        };
        let sources: Vec<String> = self.sources.iter().map(source).collect();
        let mut shown = Shown { input: self, labels: HashSet::new() };
        let mut pieces = vec![Piece::new("sources", sources.join("\n"), 1)];
        for part in &self.parts {
            let mut lines = vec![one_line(&part.question)];
            let own = |ranked: &&RankedFact| self.best_part(&ranked.label) == Some(part.part);
            lines.extend(part.facts.iter().filter(own).filter_map(|ranked| shown.line(&ranked.label)));
            if lines.len() == 1 && !part.facts.is_empty() {
                lines.push(elsewhere(part));
            }
            let about = |conflict: &&KnownConflict| {
                conflict.facts.iter().find_map(|label| self.best_part(label)) == Some(part.part)
            };
            lines.extend(self.conflicts.iter().filter(about).map(conflict_line));
            pieces.push(Piece::tagged("part", &part.part, lines.join("\n"), 0));
        }
        let rest: Vec<String> = self.facts.iter().filter_map(|fact| shown.line(&fact.label)).collect();
        if !rest.is_empty() {
            pieces.push(Piece::new("other facts", rest.join("\n"), 2));
        }
        pieces
    }
}

/// What a part without facts of its own is answered from, shown under parts they answer better.
fn elsewhere(part: &AskedPart) -> String {
    let labels: Vec<&str> = part.facts.iter().map(|ranked| ranked.label.as_str()).collect();
    format!("From facts shown under other parts: {}", labels.join(", "))
}

fn conflict_line(conflict: &KnownConflict) -> String {
    let facts = conflict.facts.join(" and ");
    format!("{facts} disagree: {}. {}", one_line(&conflict.what), one_line(&conflict.weighed))
}

/// What was shown to a model so far.
struct Shown<'a> {
    input: &'a ToWrite,
    labels: HashSet<String>,
}

impl Shown<'_> {
    /// The line of a fact; none if it was shown before, by itself or beside another that says the same.
    fn line(&mut self, label: &str) -> Option<String> {
        let fact = self.input.fact(label).filter(|fact| !self.labels.contains(&fact.label))?;
        self.labels.insert(fact.label.clone());
        let mut line = format!("{} ({}): {}", fact.label, fact.source, one_line(&fact.statement));
        if one_line(&fact.quote) != one_line(&fact.statement) {
            line.push_str(&format!("\n  quote: {}", one_line(&fact.quote)));
        }
        let own = Essence::of(&fact.statement);
        for other in &self.input.facts {
            if !self.labels.contains(&other.label) && own.is_said_by(&Essence::of(&other.statement)) {
                self.labels.insert(other.label.clone());
                line.push_str(&format!("\n  {} ({}) says the same", other.label, other.source));
            }
        }
        Some(line)
    }
}

impl Skill for WriteReport {
    const NAME: &'static str = "write_report";
    const PROMPT: &'static str = include_str!("../prompts/write.md");
    const PARTS: &'static [(&'static str, &'static str)] = &[("carried.md", CARRIED)];
    const MAX_TOKENS: u32 = 4096;
    type Input = ToWrite;
    type Output = Draft;

    fn vars(input: &ToWrite) -> Vars {
        Vars::new().with("question", &input.question).with("parts", input.parts.len())
    }

    fn material(input: &ToWrite) -> Vec<Piece> {
        input.pieces()
    }

    /// Only the shape: a sentence that does not hold goes back to its writer, it does not cost the rest.
    fn check(input: &ToWrite, output: &Draft) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut seen: BTreeMap<usize, usize> = BTreeMap::new();
        for (at, part) in output.parts.iter().enumerate() {
            *seen.entry(part.part).or_default() += 1;
            if !input.parts.iter().any(|known| known.part == part.part) {
                problems.push(Problem::new(format!("/parts/{at}/part"), "there is no such part"));
            }
        }
        for part in &input.parts {
            match seen.get(&part.part) {
                Some(1) => {}
                Some(_) => {
                    problems.push(Problem::new("/parts", format!("part {} is there twice", part.part)));
                }
                None => {
                    let what =
                        format!("part {} is missing; no sentences say that nothing answers it", part.part);
                    problems.push(Problem::new("/parts", what));
                }
            }
        }
        problems
    }

    fn rules(input: &ToWrite) -> Option<Draft> {
        let mut said = Selection::default();
        let parts: Vec<PartDraft> = input
            .parts
            .iter()
            .map(|part| PartDraft { part: part.part, sentences: said.block(input, part) })
            .collect();
        if parts.iter().all(|part| part.sentences.is_empty()) {
            return None;
        }
        let also = said.also(input);
        Some(Draft { parts, also })
    }
}

/// What the gate wants, told to everybody who writes.
pub const CARRIED: &str = include_str!("../prompts/carried.md");
