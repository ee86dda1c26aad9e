//! Skill: does a text answer a question with yes or no, and in which words? Its twin finds the nearest
//! words and leaves the verdict open, for it has not understood them.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words::{content_words, overlap, sentences};
use super::{Piece, Problem, Skill, Vars, Words};

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct YesNo;

/// The question and the text that may answer it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct YesNoQuestion {
    /// A question that yes or no can answer.
    pub question: String,
    /// The text to look in.
    pub text: String,
}

/// What the text says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The text says yes.
    Yes,
    /// The text says no.
    No,
    /// The text does not say.
    Unknown,
}

/// The verdict and the words it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct YesNoAnswer {
    /// What the text says.
    pub verdict: Verdict,
    /// The words it rests on, copied exactly from the text; empty only if the verdict is unknown.
    pub quote: String,
}

impl Skill for YesNo {
    const NAME: &'static str = "yes_no";
    const PROMPT: &'static str = include_str!("../../prompts/yes_no.md");
    const MAX_TOKENS: u32 = 512;
    type Input = YesNoQuestion;
    type Output = YesNoAnswer;

    fn vars(input: &YesNoQuestion) -> Vars {
        Vars::new().with("question", Words::typed(&input.question))
    }

    fn material(input: &YesNoQuestion) -> Vec<Piece> {
        vec![Piece::new("text", &input.text, 0)]
    }

    fn check(input: &YesNoQuestion, output: &YesNoAnswer) -> Vec<Problem> {
        let quote = output.quote.as_str();
        if quote.trim().is_empty() {
            let needs = output.verdict != Verdict::Unknown;
            return needs.then(|| Problem::new("/quote", "yes and no need a quote")).into_iter().collect();
        }
        if !input.text.contains(quote) {
            let what = format!("{quote:?} is not in the text; copy words exactly, or say unknown");
            return vec![Problem::new("/quote", what)];
        }
        let asked: BTreeSet<String> = content_words(&input.question).into_iter().collect();
        if output.verdict != Verdict::Unknown && overlap(&asked, quote) == 0 {
            let what =
                "the quote shares no word with the question; quote words that answer it, or say unknown";
            return vec![Problem::new("/quote", what)];
        }
        Vec::new()
    }

    fn rules(input: &YesNoQuestion) -> Option<YesNoAnswer> {
        let asked: BTreeSet<String> = content_words(&input.question).into_iter().collect();
        let all = sentences(&input.text);
        let best = (0..all.len()).max_by_key(|i| (overlap(&asked, all[*i]), std::cmp::Reverse(*i)));
        let nearest = best.map(|i| all[i]).filter(|s| overlap(&asked, s) > 0).unwrap_or("");
        Some(YesNoAnswer { verdict: Verdict::Unknown, quote: nearest.to_owned() })
    }
}
