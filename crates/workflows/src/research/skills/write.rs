//! Skill: the report, closed world. Its twin sets the nearest facts in order, word for word, the answer first,
//! and says nothing twice.

use std::collections::HashSet;

use baton_agents::rules::quantities::quantities;
use baton_agents::rules::words::{content_stems, overlap};
use baton_agents::skill::{Piece, Problem, Skill, Vars, Words, one_line};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct WriteReport;

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
    /// How near it is to the question of its dimension.
    pub score: f64,
}

/// A dimension as the writer sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct About {
    /// Its number, counted from 0.
    pub dimension: usize,
    /// Its name.
    pub name: String,
    /// Its current facts, nearest first.
    pub facts: Vec<KnownFact>,
}

/// What may be used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToWrite {
    /// The question.
    pub question: Words,
    /// How many dimensions, from the first on, the question itself asks for.
    pub asked: usize,
    /// The dimensions.
    pub dimensions: Vec<About>,
}

/// A sentence and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sentence {
    /// The sentence.
    pub text: String,
    /// Labels of its facts.
    pub facts: Vec<String>,
}

/// What is said of a dimension.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    /// Its number.
    pub dimension: usize,
    /// The sentences.
    pub sentences: Vec<Sentence>,
}

/// A draft: nothing in it is believed before it is checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Draft {
    /// The answer.
    pub answer: Vec<Sentence>,
    /// The sections.
    pub sections: Vec<Part>,
}

/// Words the answer may have.
const ANSWER_WORDS: usize = 300;
/// Sentences of one dimension in the sections.
const PER_SECTION: usize = 10;
/// From this share of common words on two sentences say the same.
const SAME: f64 = 0.8;

impl Skill for WriteReport {
    const NAME: &'static str = "write_report";
    const PROMPT: &'static str = include_str!("../prompts/write.md");
    const MAX_TOKENS: u32 = 4096;
    type Input = ToWrite;
    type Output = Draft;

    fn vars(input: &ToWrite) -> Vars {
        Vars::new().with("question", &input.question)
    }

    fn material(input: &ToWrite) -> Vec<Piece> {
        // A fact that serves two dimensions is shown under the first.
        let mut shown = HashSet::new();
        let mut piece = |about: &About| {
            let facts: Vec<String> = about
                .facts
                .iter()
                .filter(|fact| shown.insert(fact.label.clone()))
                .map(|fact| {
                    let (statement, quote) = (one_line(&fact.statement), one_line(&fact.quote));
                    format!("{} ({}): {statement}\n  quote: {quote}", fact.label, fact.source)
                })
                .collect();
            let priority = u8::try_from(about.dimension).unwrap_or(u8::MAX);
            let text = format!("{}\n{}", one_line(&about.name), facts.join("\n"));
            (!facts.is_empty()).then(|| Piece::tagged("dimension", &about.dimension, text, priority))
        };
        input.dimensions.iter().filter_map(&mut piece).collect()
    }

    /// Only the shape: a sentence that does not hold is dropped and counted, it does not cost the rest.
    fn check(input: &ToWrite, output: &Draft) -> Vec<Problem> {
        let mut problems = Vec::new();
        if output.answer.is_empty() {
            problems.push(Problem::new("/answer", "the answer is missing"));
        }
        for (at, part) in output.sections.iter().enumerate() {
            if !input.dimensions.iter().any(|about| about.dimension == part.dimension) {
                problems
                    .push(Problem::new(format!("/sections/{at}/dimension"), "there is no such dimension"));
            }
        }
        problems
    }

    fn rules(input: &ToWrite) -> Option<Draft> {
        let mut said = Selection::default();
        let answer = said.answer(input);
        let section = |about: &About| {
            let mut sentences = Vec::new();
            for fact in &about.facts {
                if sentences.len() < PER_SECTION && said.is_new(fact) {
                    sentences.push(said.take(fact));
                }
            }
            Part { dimension: about.dimension, sentences }
        };
        let sections: Vec<Part> = input.dimensions.iter().map(section).collect();
        (!answer.is_empty()).then(|| Draft {
            answer,
            sections: sections.into_iter().filter(|part| !part.sentences.is_empty()).collect(),
        })
    }
}

/// What was said so far.
#[derive(Default)]
struct Selection {
    labels: HashSet<String>,
    said: Vec<(HashSet<String>, Vec<u64>)>,
}

/// The words and the numbers of a sentence: two sentences with other numbers never say the same.
fn essence(text: &str) -> (HashSet<String>, Vec<u64>) {
    let mut numbers: Vec<u64> = quantities(text).iter().map(|it| it.value.to_bits()).collect();
    numbers.sort_unstable();
    (content_stems(text), numbers)
}

impl Selection {
    /// The nearest facts of each dimension the question asks for, in turn, as far as the words go.
    fn answer(&mut self, input: &ToWrite) -> Vec<Sentence> {
        let asked = &input.dimensions
            [..input.asked.clamp(1, input.dimensions.len().max(1)).min(input.dimensions.len())];
        let longest = asked.iter().map(|about| about.facts.len()).max().unwrap_or(0);
        let mut words = 0;
        let mut answer = Vec::new();
        for rank in 0..longest {
            for fact in asked.iter().filter_map(|about| about.facts.get(rank)) {
                let length = fact.statement.split_whitespace().count();
                if (words + length <= ANSWER_WORDS || answer.is_empty()) && self.is_new(fact) {
                    words += length;
                    answer.push(self.take(fact));
                }
            }
        }
        answer
    }

    fn is_new(&self, fact: &KnownFact) -> bool {
        let (stems, numbers) = essence(&fact.statement);
        let same = |(other, theirs): &(HashSet<String>, Vec<u64>)| {
            *theirs == numbers && overlap(other, &stems) > SAME && other.len() * 2 >= stems.len()
        };
        !self.labels.contains(&fact.label) && !self.said.iter().any(same)
    }

    fn take(&mut self, fact: &KnownFact) -> Sentence {
        self.labels.insert(fact.label.clone());
        self.said.push(essence(&fact.statement));
        Sentence { text: fact.statement.clone(), facts: vec![fact.label.clone()] }
    }
}
