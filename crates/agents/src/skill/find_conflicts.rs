//! Skill: which statements cannot both hold, each pair with the words that contradict each other. Its twin is the
//! rules of the evidence module: it compares numbers, dates and denials, and quotes both statements whole.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Piece, Problem, Skill, Vars, Words, one_line};
use crate::evidence::conflict::{ConflictKind, Statement, conflicts};

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct FindConflicts;

/// What to compare.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToCompare {
    /// What the statements are about.
    pub question: String,
    /// The statements; their ids differ.
    pub statements: Vec<Stated>,
}

/// One statement.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stated {
    /// Its id.
    pub id: String,
    /// What is stated.
    pub text: String,
    /// Date of its document, if known.
    #[serde(default)]
    pub date: Option<String>,
}

/// Two statements that cannot both hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Contradiction {
    /// Why.
    pub kind: ConflictKind,
    /// Id of one statement.
    pub left: String,
    /// Id of the other.
    pub right: String,
    /// The words of the one, copied exactly.
    pub left_quote: String,
    /// The words of the other, copied exactly.
    pub right_quote: String,
    /// What cannot both hold, in one sentence.
    pub explanation: String,
}

/// The conflicts found; none is an honest answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Contradictions {
    /// The pairs.
    pub conflicts: Vec<Contradiction>,
}

impl ToCompare {
    fn statement(&self, id: &str) -> Option<&Stated> {
        self.statements.iter().find(|stated| stated.id == id)
    }
}

impl Skill for FindConflicts {
    const NAME: &'static str = "find_conflicts";
    const PROMPT: &'static str = include_str!("../../prompts/find_conflicts.md");
    type Input = ToCompare;
    type Output = Contradictions;

    fn vars(input: &ToCompare) -> Vars {
        Vars::new().with("question", Words::typed(&input.question))
    }

    fn material(input: &ToCompare) -> Vec<Piece> {
        let piece = |(at, stated): (usize, &Stated)| {
            let id = one_line(&stated.id);
            let date =
                stated.date.as_ref().map_or_else(String::new, |date| format!(", dated {}", one_line(date)));
            Piece::tagged("statement", &(at + 1), format!("Id: {id}{date}\n\n{}", stated.text), 0)
        };
        input.statements.iter().enumerate().map(piece).collect()
    }

    fn check(input: &ToCompare, output: &Contradictions) -> Vec<Problem> {
        let mut pairs = HashSet::new();
        let mut problems = Vec::new();
        for (i, found) in output.conflicts.iter().enumerate() {
            let at = |field: &str| format!("/conflicts/{i}/{field}");
            problems.extend(check_side(
                input,
                &found.left,
                &found.left_quote,
                (at("left"), at("left_quote")),
            ));
            problems.extend(check_side(
                input,
                &found.right,
                &found.right_quote,
                (at("right"), at("right_quote")),
            ));
            if found.left == found.right {
                problems.push(Problem::new(at("right"), "a statement cannot conflict with itself"));
            } else if !pairs
                .insert((found.left.as_str().min(&found.right), found.left.as_str().max(&found.right)))
            {
                problems.push(Problem::new(at("right"), "this pair is listed already"));
            }
            if found.explanation.trim().is_empty() {
                problems.push(Problem::new(at("explanation"), "the explanation is empty"));
            }
            let dated = |id: &str| input.statement(id).is_some_and(|stated| stated.date.is_some());
            if found.kind == ConflictKind::Superseded && !(dated(&found.left) && dated(&found.right)) {
                let what = "superseded needs two dated statements; choose numbers, dates or negation";
                problems.push(Problem::new(at("kind"), what));
            }
        }
        problems
    }

    /// The conflicts that rules can see, each statement quoted whole.
    fn rules(input: &ToCompare) -> Option<Contradictions> {
        let mut seen = HashSet::new();
        let distinct = input.statements.iter().filter(|stated| seen.insert(stated.id.as_str()));
        let statements: Vec<Statement<'_>> = distinct
            .filter(|stated| !stated.text.trim().is_empty())
            .map(|stated| Statement { id: &stated.id, text: &stated.text, date: stated.date.as_deref() })
            .collect();
        let quote = |id: &str| input.statement(id).map(|stated| stated.text.clone()).unwrap_or_default();
        let conflicts = conflicts(&statements)
            .into_iter()
            .map(|found| Contradiction {
                kind: found.kind,
                left_quote: quote(&found.left),
                right_quote: quote(&found.right),
                left: found.left,
                right: found.right,
                explanation: found.explanation,
            })
            .collect();
        Some(Contradictions { conflicts })
    }
}

/// The statement exists and the quote stands in it. `at` names the two fields.
fn check_side(input: &ToCompare, id: &str, quote: &str, at: (String, String)) -> Option<Problem> {
    let Some(stated) = input.statement(id) else {
        let ids: Vec<&str> = input.statements.iter().map(|stated| stated.id.as_str()).collect();
        return Some(Problem::new(
            at.0,
            format!("there is no statement {id:?}; the ids are {}", ids.join(", ")),
        ));
    };
    (quote.trim().is_empty() || !stated.text.contains(quote))
        .then(|| Problem::new(at.1, format!("{quote:?} is not in statement {id}; copy the words exactly")))
}
