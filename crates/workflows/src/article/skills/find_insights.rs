//! Skill: what follows from the numbers of facts, as formulas anybody can compute again. What does not compute is not taken.

use baton_agents::evidence::{Derived, DerivedInput, Formula, recompute};
use baton_agents::rules::quantities::quantities;
use baton_agents::skill::{Answerer, Piece, Problem, Skill, Vars, Words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ShownFact, put, who};
use crate::article::workers::{Job, Trouble};
use crate::citation::Facts;

/// The skill.
#[derive(Clone, Copy, Debug)]
pub struct FindInsights;

/// What may be computed with.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToCompute {
    /// The topic.
    pub topic: Words,
    /// Facts with numbers.
    pub facts: Vec<ShownFact>,
}

/// How.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// second - first
    Difference,
    /// (second - first) / first * 100
    Change,
    /// second / first
    Ratio,
}

/// A number of a fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Number {
    /// `Fact-001`.
    pub fact: String,
    /// As the quote writes it.
    pub number: String,
}

/// Something computed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Insight {
    /// A sentence that says the result.
    pub statement: String,
    /// How it was computed.
    pub formula: How,
    /// From what, in order.
    pub inputs: Vec<Number>,
    /// The result.
    pub result: f64,
}

/// What follows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Insights {
    /// At most five.
    pub insights: Vec<Insight>,
}

impl Skill for FindInsights {
    const NAME: &'static str = "find_insights";
    const PROMPT: &'static str = include_str!("../prompts/find_insights.md");
    type Input = ToCompute;
    type Output = Insights;

    fn vars(input: &ToCompute) -> Vars {
        Vars::new().with("topic", &input.topic)
    }

    fn material(input: &ToCompute) -> Vec<Piece> {
        let lines: Vec<String> = input.facts.iter().map(ShownFact::line).collect();
        vec![Piece::new("facts", lines.join("\n"), 0)]
    }

    fn check(_input: &ToCompute, output: &Insights) -> Vec<Problem> {
        let wrong = |(at, insight): (usize, &Insight)| {
            (insight.inputs.len() != 2)
                .then(|| Problem::new(format!("/insights/{at}/inputs"), "two numbers are wanted"))
        };
        output.insights.iter().enumerate().filter_map(wrong).collect()
    }

    fn rules(_input: &ToCompute) -> Option<Insights> {
        Some(Insights { insights: Vec::new() })
    }
}

/// Lets a model propose; none if there is none.
pub async fn ask(job: &Job<'_>) -> Result<Option<(Vec<Derived>, Answerer)>, Trouble> {
    let input = job.read(|memory| {
        let facts = memory.numbered();
        let numbered = facts.all().iter().filter(|fact| !quantities(&fact.found.fact.quote).is_empty());
        ToCompute {
            topic: memory.assignment.words(&memory.assignment.brief.topic),
            facts: numbered
                .take(30)
                .map(|fact| ShownFact::of(fact, fact.card.source.title.clone()))
                .collect(),
        }
    });
    let asked = put::<FindInsights>(job, &job.assignment.roles.analyst, "insights", &input, false).await?;
    let Some(answered) = asked else { return Ok(None) };
    let by = who(&answered);
    Ok(Some((job.read(|memory| sound(&answered.output, &memory.numbered())), by)))
}

/// Those that compute again from the quotes of their facts.
fn sound(proposed: &Insights, facts: &Facts<'_>) -> Vec<Derived> {
    let derived = |(at, insight): (usize, &Insight)| {
        let input = |number: &Number| {
            let fact = facts.labelled(&number.fact)?;
            let value = number.number.replace(',', "").parse().ok()?;
            let (fact, written) = (fact.found.key().to_owned(), number.number.clone());
            Some(DerivedInput { fact, value, written, label: String::new() })
        };
        let derived = Derived {
            id: format!("M{:02}", at + 1),
            statement: insight.statement.clone(),
            formula: match insight.formula {
                How::Difference => Formula::Difference,
                How::Change => Formula::Change,
                How::Ratio => Formula::Ratio,
            },
            inputs: insight.inputs.iter().map(input).collect::<Option<Vec<_>>>()?,
            value: insight.result,
        };
        let quote = |key: &str| facts.fact(key).map(|fact| fact.found.fact.quote.as_str());
        // A sentence about other things than the numbers is no computation.
        let bare = derived.statement.split_whitespace().count() <= 16;
        (bare && recompute(&derived, quote).is_ok()).then_some(derived)
    };
    proposed.insights.iter().enumerate().filter_map(derived).collect()
}
