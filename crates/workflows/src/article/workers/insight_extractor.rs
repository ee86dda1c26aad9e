//! InsightExtractor: what the numbers say that no sentence says: by how much something changed, computed from the two
//! numbers of one sentence, with the formula.
//!
//! Given the facts; brings derived evidence that anybody can compute again. A model, if there is one, proposes more; what
//! cannot be computed again is not taken.

use baton_agents::evidence::{Derived, DerivedInput, Formula, recompute};
use baton_agents::rules::quantities::{Quantity, quantities};
use baton_agents::skill::Answerer;

use super::writing::{self, Figure, is_total, sentence_of};
use super::{Job, Trouble, WorkerResult};
use crate::article::skills::find_insights;
use crate::citation::Facts;

/// At most this many.
const MOST: usize = 8;

/// Computes.
pub async fn run(job: &Job<'_>) -> Result<WorkerResult, Trouble> {
    let rules = job.read(|memory| insights(&memory.numbered()));
    let proposed = find_insights::ask(job).await?;
    let (derived, by) = match proposed {
        Some((proposed, by)) => {
            let mut all = rules;
            for derived in proposed {
                let known = all.iter().any(|other| other.inputs == derived.inputs);
                if !known && all.len() < MOST {
                    all.push(derived);
                }
            }
            (all, by)
        }
        None => (rules, Answerer::Rules),
    };
    Ok(WorkerResult::Insights { derived, by })
}

/// Changes that two numbers of one sentence show, by rules.
#[must_use]
pub fn insights(facts: &Facts<'_>) -> Vec<Derived> {
    let mut found: Vec<Derived> = Vec::new();
    for fact in facts.all().iter().filter(|fact| !fact.superseded) {
        let Some(sentence) = sentence_of(&fact.found.fact.statement) else { continue };
        let Some((first, second)) = change(&sentence) else { continue };
        let numbers = [first.value, second.value];
        let Some(value) = Formula::Change.of(&numbers) else { continue };
        let value = (value * 10.0).round() / 10.0;
        if value.abs() < 1.0 || value.abs() > 900.0 || found.len() >= MOST {
            continue;
        }
        let what = if value > 0.0 { "an increase" } else { "a decrease" };
        let written = |quantity: &Quantity| number_at(&sentence, quantity);
        let input = |quantity: &Quantity| DerivedInput {
            fact: fact.found.key().to_owned(),
            value: quantity.value,
            written: written(quantity),
            label: String::new(),
        };
        let derived = Derived {
            id: format!("D{:02}", found.len() + 1),
            statement: format!(
                "From {} to {} is {what} of {} percent.",
                written(&first),
                written(&second),
                plain_number(value.abs())
            ),
            formula: Formula::Change,
            inputs: vec![input(&first), input(&second)],
            value,
        };
        let quote = |key: &str| (key == fact.found.key()).then_some(fact.found.fact.quote.as_str());
        if recompute(&derived, quote).is_ok() {
            found.push(derived);
        }
    }
    found.extend(extremes(facts));
    found.truncate(MOST);
    found
}

/// The largest figure of each table that compares three or more.
fn extremes(facts: &Facts<'_>) -> Vec<Derived> {
    let names = &writing::names(facts);
    let largest = |(at, figure): (usize, &Figure)| {
        let rows = figure.table.rows.iter().filter(|(cells, _)| !is_total(&cells[0]));
        let input = |(cells, key): &(Vec<String>, String)| {
            let (label, written) = (cells.first()?.clone(), cells.get(1)?.clone());
            let value = written.replace(',', "").parse().ok()?;
            Some(DerivedInput { fact: key.clone(), value, written, label })
        };
        let inputs: Vec<DerivedInput> = rows.map(input).collect::<Option<_>>()?;
        let numbers: Vec<f64> = inputs.iter().map(|input| input.value).collect();
        let value = Formula::Greatest.of(&numbers).filter(|_| inputs.len() > 2)?;
        let first = inputs.iter().find(|input| input.value == value)?;
        let whose =
            if writing::lowers(&first.label, names) { lowered(&first.label) } else { first.label.clone() };
        let statement = format!("The largest figure below is {}, for {whose}.", first.written);
        let derived =
            Derived { id: format!("T{:02}", at + 1), statement, formula: Formula::Greatest, inputs, value };
        let quote = |key: &str| facts.fact(key).map(|fact| fact.found.fact.quote.as_str());
        recompute(&derived, quote).is_ok().then_some(derived)
    };
    writing::figures(facts, names).iter().enumerate().filter_map(largest).collect()
}

fn lowered(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

/// The number before and the number after, where a sentence says which is which.
fn change(sentence: &str) -> Option<(Quantity, Quantity)> {
    let all = quantities(sentence);
    let measures: Vec<&Quantity> = all.iter().filter(|it| !is_year(sentence, it)).collect();
    let lower = sentence.to_lowercase();
    // Per cent of per cent is what nobody means.
    let same = |a: &Quantity, b: &Quantity| {
        a.dimension == b.dimension && a.dimension != baton_agents::rules::quantities::Dimension::Percent
    };
    let [a, b] = measures.as_slice() else { return None };
    if !same(a, b) {
        return None;
    }
    let between = lower.get(a.range.end..b.range.start)?;
    let before = lower.get(..a.range.start)?;
    if before.trim_end().ends_with("from") && (between.contains(" to ") || between.trim() == "to") {
        return Some(((*a).clone(), (*b).clone()));
    }
    let after = [", after ", ", up from ", ", down from ", ", compared with ", ", against "];
    after.iter().any(|sign| between.contains(sign)).then(|| ((*b).clone(), (*a).clone()))
}

fn is_year(sentence: &str, quantity: &Quantity) -> bool {
    let digits: String = sentence[quantity.range.clone()].chars().filter(char::is_ascii_digit).collect();
    digits.len() == 4 && (1800.0..2100.0).contains(&quantity.value)
}

/// The digits of a quantity, as written.
fn number_at(sentence: &str, quantity: &Quantity) -> String {
    let text = &sentence[quantity.range.clone()];
    let number: String = text
        .chars()
        .skip_while(|it| !it.is_ascii_digit())
        .take_while(|it| it.is_ascii_digit() || ".,".contains(*it))
        .collect();
    number.trim_end_matches(['.', ',']).to_owned()
}

fn plain_number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}
