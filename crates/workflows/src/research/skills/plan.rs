//! Skill: the dimensions of a question. Its twin splits the question where it asks more than one thing, and adds nothing:
//! headings met on the way are not things to find out.

use std::collections::BTreeSet;

pub use baton_agents::rules::answer::parts as clauses;
use baton_agents::rules::words::content_stems;
use baton_agents::skill::{Piece, Problem, Skill, Vars, Words, one_line};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::research::plan::Dimension;

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct PlanResearch;

/// What is to be researched.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToPlan {
    /// The question.
    pub topic: Words,
    /// How many dimensions at most.
    pub most: usize,
    /// What the first search found: headings, most telling first.
    pub headings: Vec<String>,
    /// What a person wants changed about an earlier plan.
    pub feedback: Vec<String>,
}

/// One thing to find out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    /// A title of a few words.
    pub name: String,
    /// The question it answers, complete in itself.
    pub question: String,
    /// Words to look for.
    pub focus: Vec<String>,
}

/// The dimensions, one for each thing that is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Parts {
    /// In the order a reader wants them.
    pub dimensions: Vec<Part>,
}

impl Skill for PlanResearch {
    const NAME: &'static str = "plan_research";
    const PROMPT: &'static str = include_str!("../prompts/plan.md");
    type Input = ToPlan;
    type Output = Parts;

    fn vars(input: &ToPlan) -> Vars {
        let wishes: Vec<Words> = input.feedback.iter().map(Words::typed).collect();
        Vars::new().with("topic", &input.topic).with("most", input.most).with("feedback", wishes)
    }

    fn material(input: &ToPlan) -> Vec<Piece> {
        let text = input.headings.iter().map(|heading| one_line(heading)).collect::<Vec<_>>().join("\n");
        if text.is_empty() { Vec::new() } else { vec![Piece::new("headings", text, 0)] }
    }

    fn check(input: &ToPlan, output: &Parts) -> Vec<Problem> {
        let mut problems = Vec::new();
        if output.dimensions.is_empty() || output.dimensions.len() > input.most {
            let what = format!("{} dimensions; 1 to {} are wanted", output.dimensions.len(), input.most);
            problems.push(Problem::new("/dimensions", what));
        }
        let mut names = BTreeSet::new();
        for (at, part) in output.dimensions.iter().enumerate() {
            if part.name.trim().is_empty() || part.question.trim().is_empty() {
                problems
                    .push(Problem::new(format!("/dimensions/{at}"), "name and question must not be empty"));
            }
            if !names.insert(part.name.trim().to_lowercase()) {
                problems.push(Problem::new(format!("/dimensions/{at}/name"), "this name is there already"));
            }
        }
        problems
    }

    /// A dimension for each part at any depth: what was asked is never cut, and nothing is added to it.
    fn rules(input: &ToPlan) -> Option<Parts> {
        let topic = input.topic.as_str();
        let clauses = clauses(topic);
        let mut dimensions: Vec<Part> = match clauses.as_slice() {
            [_] => vec![part("Answer", topic, topic)],
            several => several.iter().map(|clause| part(&name_of(clause), clause, topic)).collect(),
        };
        dimensions.extend(input.feedback.iter().map(|wish| part(&name_of(wish), wish, topic)));
        // Two things asked in the same words are one.
        let mut names = BTreeSet::new();
        dimensions.retain(|part| names.insert(part.name.trim().to_lowercase()));
        Some(Parts { dimensions })
    }
}

/// The parts of a question as dimensions, by rules alone.
#[must_use]
pub fn rules_for(question: &str) -> Vec<Dimension> {
    let input = ToPlan {
        topic: Words::typed(question),
        most: usize::MAX,
        headings: Vec::new(),
        feedback: Vec::new(),
    };
    let parts = PlanResearch::rules(&input).map_or_else(Vec::new, |parts| parts.dimensions);
    parts.into_iter().map(Dimension::from).collect()
}

impl From<Part> for Dimension {
    fn from(part: Part) -> Self {
        Self { name: part.name, question: part.question, focus: part.focus }
    }
}

fn part(name: &str, question: &str, topic: &str) -> Part {
    let words = question.split(|letter: char| !letter.is_alphanumeric() && letter != '-');
    let focus = words.filter(|word| !content_stems(word).is_empty()).map(str::to_owned).collect();
    // A clause of stop words alone gives no title; the question does.
    let name = if name.trim().is_empty() { capitalised(topic) } else { name.to_owned() };
    Part { name, question: question.to_owned(), focus }
}

/// Words that open a clause which asks something of its own.
const OPENERS: [&str; 14] = [
    "how", "what", "why", "when", "where", "who", "which", "whose", "is", "are", "does", "do", "can",
    "should",
];

/// A title for a clause: its telling words, as written.
#[must_use]
pub fn name_of(clause: &str) -> String {
    let plain = clause.split('(').next().unwrap_or(clause);
    let stops = |word: &str| {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
        bare.is_empty() || content_stems(&bare).is_empty() || OPENERS.contains(&bare.as_str())
    };
    let words: Vec<&str> = plain.split_whitespace().filter(|word| !stops(word)).take(5).collect();
    capitalised(words.join(" ").trim_matches(|letter: char| !letter.is_alphanumeric()))
}

/// With a capital first.
#[must_use]
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
