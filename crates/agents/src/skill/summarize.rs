//! Skill: a short summary that rests on verbatim sentences. Its twin picks sentences; it writes none.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words::{content_words, missing_numbers, sentences};
use super::{Piece, Problem, Skill, Vars};

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct Summarize;

/// What to summarise.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToSummarize {
    /// The text.
    pub text: String,
    /// How many sentences the summary may have.
    #[serde(default = "three")]
    pub sentences: u8,
}

fn three() -> u8 {
    3
}

/// A summary and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// The summary, in a few sentences.
    pub summary: String,
    /// Sentences copied word for word from the text, on which the summary rests.
    #[schemars(length(min = 1))]
    pub quotes: Vec<String>,
}

impl Skill for Summarize {
    const NAME: &'static str = "summarize";
    const PROMPT: &'static str = include_str!("../../prompts/summarize.md");
    type Input = ToSummarize;
    type Output = Summary;

    fn vars(input: &ToSummarize) -> Vars {
        Vars::new().with("sentences", input.sentences)
    }

    fn material(input: &ToSummarize) -> Vec<Piece> {
        vec![Piece::new("text", &input.text, 0)]
    }

    fn check(input: &ToSummarize, output: &Summary) -> Vec<Problem> {
        let mut problems = Vec::new();
        if output.summary.trim().is_empty() {
            problems.push(Problem::new("/summary", "the summary is empty"));
        }
        let (has, may) = (sentences(&output.summary).len(), usize::from(input.sentences));
        if has > may {
            problems.push(Problem::new("/summary", format!("{has} sentences; at most {may} are wanted")));
        }
        for number in missing_numbers(&output.summary, &input.text) {
            problems.push(Problem::new("/summary", format!("the number {number} is not in the text")));
        }
        for (i, quote) in output.quotes.iter().enumerate() {
            if quote.trim().is_empty() || !input.text.contains(quote.as_str()) {
                let what = format!("{quote:?} is not in the text; copy a sentence exactly");
                problems.push(Problem::new(format!("/quotes/{i}"), what));
            }
        }
        problems
    }

    /// The sentences whose words the text uses most, in their own order.
    fn rules(input: &ToSummarize) -> Option<Summary> {
        let all = sentences(&input.text);
        let mut uses: BTreeMap<String, usize> = BTreeMap::new();
        for word in content_words(&input.text) {
            *uses.entry(word).or_default() += 1;
        }
        let score = |sentence: &str| {
            let words = content_words(sentence);
            let sum: usize = words.iter().map(|w| uses.get(w).copied().unwrap_or(0)).sum();
            // Per word, so that long sentences do not win by length alone; in thousandths to stay whole.
            sum * 1000 / (words.len() + 3)
        };
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by_key(|i| (std::cmp::Reverse(score(all[*i])), *i));
        let in_order =
            |taken: &BTreeSet<usize>| taken.iter().map(|i| all[*i].to_owned()).collect::<Vec<String>>();
        let mut taken = BTreeSet::new();
        for i in order {
            taken.insert(i);
            // Set side by side, pieces of lists and headings can read as more sentences than they were.
            if sentences(&in_order(&taken).join(" ")).len() > usize::from(input.sentences) {
                taken.remove(&i);
            }
        }
        let quotes = in_order(&taken);
        (!quotes.is_empty()).then(|| Summary { summary: quotes.join(" "), quotes })
    }
}
