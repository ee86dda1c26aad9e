//! Skill: facts from what a search found in one document, each with the words it rests on. Its twin takes the
//! sentences the search was made for, word for word, and leaves out what speaks to machines.

use baton_agents::evidence::quote;
use baton_agents::skill::{Piece, Problem, Skill, Vars, Words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::retrieval::rows;

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct ReadForFacts;

/// What to read, and what for.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToRead {
    /// The question.
    pub question: Words,
    /// The title of the document.
    pub title: String,
    /// The text around what the search found.
    pub text: String,
    /// The sentences the search found.
    pub sentences: Vec<String>,
    /// How many facts at most.
    pub most: usize,
}

/// One fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Noted")] // as calls of earlier versions have it
pub struct ProposedFact {
    /// The fact as one plain sentence.
    pub statement: String,
    /// The words it rests on, copied exactly.
    pub quote: String,
}

/// The facts; none is an honest answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Notes")]
pub struct ProposedFacts {
    /// The facts.
    pub facts: Vec<ProposedFact>,
}

impl Skill for ReadForFacts {
    const NAME: &'static str = "read_for_facts";
    const PROMPT: &'static str = include_str!("../prompts/read.md");
    const MAX_TOKENS: u32 = 3_000;
    type Input = ToRead;
    type Output = ProposedFacts;

    fn vars(input: &ToRead) -> Vars {
        Vars::new().with("question", &input.question).with("most", input.most)
    }

    fn material(input: &ToRead) -> Vec<Piece> {
        vec![Piece::new("title of the document", &input.title, 1), Piece::new("text", &input.text, 0)]
    }

    /// Only the shape: a quote that is not there costs its fact, not the whole answer.
    fn check(input: &ToRead, output: &ProposedFacts) -> Vec<Problem> {
        let found = |fact: &ProposedFact| quote::find(&input.text, &fact.quote).is_some();
        if !output.facts.is_empty() && !output.facts.iter().any(found) {
            return vec![Problem::new("/facts", "no quote stands in the text; copy the words exactly")];
        }
        Vec::new()
    }

    fn rules(input: &ToRead) -> Option<ProposedFacts> {
        let sentences = input.sentences.iter();
        let sentences = sentences.filter(|sentence| !speaks_to_machines(sentence) && !is_furniture(sentence));
        let proposed =
            |sentence: &String| ProposedFact { statement: plain(sentence), quote: sentence.clone() };
        Some(ProposedFacts { facts: sentences.take(input.most).map(proposed).collect() })
    }
}

/// A sentence on one line, without the bullet or the section number it stands behind; a row of a table as what it says.
fn plain(sentence: &str) -> String {
    if let Some(said) = rows::said(sentence) {
        return said;
    }
    let joined = unlisted(sentence).replace("**", "");
    let mark = |word: &str| {
        let numbered = word.contains('.') && word.chars().all(|it| it.is_ascii_digit() || it == '.');
        numbered || ["-", "*", "+", "•", "–"].contains(&word)
    };
    match joined.split_once(' ') {
        Some((first, rest)) if mark(first) && rest.len() > 20 => rest.to_owned(),
        _ => joined,
    }
}

/// The items of a list one after the other, told apart; other text on one line.
fn unlisted(sentence: &str) -> String {
    let mut joined = String::new();
    for line in sentence.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let item = ["- ", "* ", "• "].iter().find_map(|mark| line.strip_prefix(mark));
        let (between, line) = match item {
            Some(item) if joined.ends_with(['.', '!', '?']) => (" ", item),
            Some(item) if !joined.is_empty() => ("; ", item),
            _ => (" ", line),
        };
        if !joined.is_empty() {
            joined.truncate(joined.trim_end_matches([';', ',']).len());
            joined.push_str(between);
        }
        joined.push_str(&line.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    joined
}

/// Lines that only point elsewhere.
const POINTERS: [&str; 5] = ["see also", "siehe auch", "voir aussi", "véase", "vea también"];

/// Letterheads, salutations, pointers, lines that name the document and heads of tables say nothing about its subject.
fn is_furniture(sentence: &str) -> bool {
    let text = sentence.trim();
    let opens =
        ["Dear ", "Date:", "Subject:", "Reference:", "From:", "To:", "Author:", "title:", "date:", "---"];
    let capitals = text.chars().filter(|letter| letter.is_uppercase()).count();
    let letters = text.chars().filter(|letter| letter.is_alphabetic()).count();
    let shouted = capitals * 2 > letters && !text.contains(|letter: char| letter.is_ascii_digit());
    // A row without its head says nothing; with it, it is said in words.
    let bare_row = text.starts_with('|') && rows::said(text).is_none();
    let lower = text.to_lowercase();
    let points = text.len() < 100 && POINTERS.iter().any(|words| lower.starts_with(words));
    points || opens.iter().any(|word| text.starts_with(word)) || (shouted && letters > 12) || bare_row
}

/// Signs of a text that tells a machine what to do, where people would not write so.
const TO_MACHINES: [&str; 13] = [
    "ignore previous",
    "ignore all previous",
    "ignore any previous",
    "ignore the above",
    "ignore your instructions",
    "disregard previous",
    "disregard all previous",
    "previous instructions",
    "prior instructions",
    "system override",
    "as an ai language model",
    "you are an ai",
    "ai readers",
];

/// Whether a sentence is addressed to a machine that reads it. Such text is data like any other, but it is not
/// what the document says about its subject.
#[must_use]
pub fn speaks_to_machines(sentence: &str) -> bool {
    let plain = sentence.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    TO_MACHINES.iter().any(|sign| plain.contains(sign))
}
