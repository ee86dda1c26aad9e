//! Skill: a look over a finished text. What it points at must stand in the text; it changes no score.

use baton_agents::skill::{Answerer, Piece, Problem, Skill, Vars, Words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{put, who};
use crate::article::files::article_text;
use crate::article::workers::{Check, Job, Place, Trouble};

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct Review;

/// What is looked over, and for what.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToReview {
    /// What for.
    pub what: Words,
    /// The text.
    pub text: String,
}

/// Something to mind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Remark {
    /// Words of the text, copied exactly.
    pub words: String,
    /// What about them.
    pub why: String,
}

/// What was seen; nothing is an honest answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Remarks {
    /// At most ten.
    pub remarks: Vec<Remark>,
}

impl Skill for Review {
    const NAME: &'static str = "review_text";
    const PROMPT: &'static str = include_str!("../prompts/review.md");
    type Input = ToReview;
    type Output = Remarks;

    fn vars(input: &ToReview) -> Vars {
        Vars::new().with("what", &input.what)
    }

    fn material(input: &ToReview) -> Vec<Piece> {
        vec![Piece::new("text", &input.text, 0)]
    }

    fn check(input: &ToReview, output: &Remarks) -> Vec<Problem> {
        let stands = |remark: &Remark| input.text.contains(remark.words.trim());
        if !output.remarks.is_empty() && !output.remarks.iter().any(stands) {
            return vec![Problem::new("/remarks", "no words stand in the text; copy them exactly")];
        }
        Vec::new()
    }

    fn rules(_input: &ToReview) -> Option<Remarks> {
        Some(Remarks { remarks: Vec::new() })
    }
}

/// Adds what a model sees to a check.
pub async fn ask(job: &Job<'_>, what: &str, mut check: Check) -> Result<(Check, Answerer), Trouble> {
    let text = job.read(article_text).unwrap_or_default();
    let input = ToReview { what: Words::typed(what), text };
    let Some(answered) = put::<Review>(job, &job.assignment.roles.editor, "review", &input, false).await?
    else {
        return Ok((check, Answerer::Rules));
    };
    let by = who(&answered);
    let stands = answered.output.remarks.iter().filter(|remark| input.text.contains(remark.words.trim()));
    let place = |remark: &Remark| Place { text: remark.words.clone(), why: format!("{} ({by})", remark.why) };
    check.places.extend(stands.take(10).map(place));
    Ok((check, by))
}
