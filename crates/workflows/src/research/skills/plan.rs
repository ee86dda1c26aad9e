//! Skill: the dimensions of a question. Its twin splits the question where it asks more than one thing, and
//! takes side roads from the headings of what a first search found.

use std::collections::BTreeSet;

use baton_agents::rules::words::content_stems;
use baton_agents::skill::{Piece, Problem, Skill, Vars, Words, one_line};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::retrieval::skills::reword::telling;

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

/// The dimensions; the first is the question itself.
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

    fn rules(input: &ToPlan) -> Option<Parts> {
        let topic = input.topic.as_str();
        let clauses = clauses(topic);
        let mut dimensions: Vec<Part> = Vec::new();
        if clauses.len() == 1 || input.most == 1 {
            dimensions.push(part("Answer", topic, topic));
        } else {
            for clause in clauses.iter().take(input.most) {
                dimensions.push(part(&name_of(clause), clause, topic));
            }
        }
        let asked = content_stems(topic);
        for wish in &input.feedback {
            if dimensions.len() < input.most {
                dimensions.push(part(&name_of(wish), wish, topic));
            }
        }
        // A question that asks several things has its sections; one that asks a single thing gets side roads.
        let room = if clauses.len() > 1 { 0 } else { input.most.saturating_sub(dimensions.len()).min(2) };
        let mut taken: Vec<String> = dimensions.iter().map(|it| it.name.to_lowercase()).collect();
        // A heading that only repeats what is asked is no side road.
        let side = input.headings.iter().map(|heading| bare(heading)).filter(|heading| {
            let stems = content_stems(heading);
            let new = stems.iter().filter(|stem| !asked.contains(*stem)).count();
            stems.len() <= 6 && new * 2 > stems.len()
        });
        let mut side_roads = 0;
        for heading in side {
            if side_roads == room {
                break;
            }
            let name = capitalised(&heading);
            if taken.contains(&name.to_lowercase()) {
                continue;
            }
            taken.push(name.to_lowercase());
            side_roads += 1;
            dimensions.push(Part {
                question: side_question(&heading, topic),
                focus: vec![heading.clone()],
                name,
            });
        }
        dimensions.truncate(input.most);
        Some(Parts { dimensions })
    }
}

fn part(name: &str, question: &str, topic: &str) -> Part {
    let words = question.split(|letter: char| !letter.is_alphanumeric() && letter != '-');
    let focus = words.filter(|word| !content_stems(word).is_empty()).map(str::to_owned).collect();
    // A clause of stop words alone gives no title; the question does.
    let name = if name.trim().is_empty() { capitalised(topic) } else { name.to_owned() };
    Part { name, question: question.to_owned(), focus }
}

/// A side road is about the same thing as the question.
fn side_question(heading: &str, topic: &str) -> String {
    let subject = names(topic);
    if subject.is_empty() { format!("{heading}: {topic}") } else { format!("{heading} ({subject})") }
}

/// A heading without its number.
fn bare(heading: &str) -> String {
    heading.trim_start_matches(|letter: char| letter.is_ascii_digit() || ". )".contains(letter)).to_owned()
}

/// How many words of the first clause tell what a later one is about.
const SUBJECT_WORDS: usize = 3;

/// Words that open a clause which asks something of its own.
const OPENERS: [&str; 14] = [
    "how", "what", "why", "when", "where", "who", "which", "whose", "is", "are", "does", "do", "can",
    "should",
];

/// The things a question asks: split where a comma, semicolon, question mark or "and" is followed by a word
/// that opens a question. What a later clause leaves unsaid is added.
#[must_use]
pub fn clauses(topic: &str) -> Vec<String> {
    let words: Vec<&str> = topic.split_whitespace().collect();
    let mut parts: Vec<Vec<&str>> = vec![Vec::new()];
    for (at, word) in words.iter().enumerate() {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
        let before = at.checked_sub(1).map_or("", |at| words[at]);
        let breaks = before.ends_with([',', ';', '?']) || before.eq_ignore_ascii_case("and");
        if breaks && OPENERS.contains(&bare.as_str()) && parts.last().is_some_and(|part| part.len() > 2) {
            parts.push(Vec::new());
        }
        if let Some(part) = parts.last_mut() {
            part.push(word);
        }
    }
    let trim = |part: &Vec<&str>| {
        let mut text = part.join(" ");
        loop {
            let shorter = text.trim_end_matches([',', ';', '?', '.', ' ']).to_owned();
            let shorter = shorter.strip_suffix(" and").map_or(shorter.clone(), str::to_owned);
            if shorter == text {
                return text;
            }
            text = shorter;
        }
    };
    let texts: Vec<String> = parts.iter().map(trim).filter(|part| !part.is_empty()).collect();
    let [first, _, ..] = texts.as_slice() else { return vec![topic.to_owned()] };
    let completed = texts[1..].iter().map(|clause| match subject(clause, first) {
        subject if subject.is_empty() => format!("{clause}?"),
        subject => format!("{clause} ({subject})?"),
    });
    std::iter::once(format!("{first}?")).chain(completed).collect()
}

/// What a later clause leaves unsaid of the first: what it points back to, else the names it lacks.
fn subject(clause: &str, first: &str) -> String {
    match () {
        () if points_back(clause) => telling(first, SUBJECT_WORDS),
        () if names(clause).is_empty() => names(first),
        () => String::new(),
    }
}

/// "which one", "what do they cost": says nothing without the clause before it.
fn points_back(clause: &str) -> bool {
    let pronouns = ["it", "its", "they", "them", "their", "one", "ones", "this", "that", "these", "those"];
    clause.split_whitespace().any(|word| pronouns.contains(&word.to_lowercase().as_str()))
}

/// The capitalised words of a clause behind its first, joined.
fn names(clause: &str) -> String {
    let words = clause.split_whitespace().skip(1);
    let names = words.filter(|word| word.starts_with(char::is_uppercase));
    let bare =
        names.map(|word| word.trim_end_matches("'s").trim_end_matches("’s").trim_matches([',', '?', ';']));
    bare.collect::<Vec<_>>().join(" ")
}

/// A title for a clause: its telling words, as written.
fn name_of(clause: &str) -> String {
    let plain = clause.split('(').next().unwrap_or(clause);
    let stops = |word: &str| {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
        bare.is_empty() || content_stems(&bare).is_empty() || OPENERS.contains(&bare.as_str())
    };
    let words: Vec<&str> = plain.split_whitespace().filter(|word| !stops(word)).take(5).collect();
    capitalised(words.join(" ").trim_matches(|letter: char| !letter.is_alphanumeric()))
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
