//! Derived evidence: a number that stands in no source because it was computed from numbers that do. It names its
//! formula and its inputs, each with the fact it comes from, so that anybody can compute it again.

use serde::{Deserialize, Serialize};

use crate::rules::quantities::quantities;

/// How a number is computed from others, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Formula {
    /// The second less the first.
    Difference,
    /// By how many per cent the second is more than the first.
    Change,
    /// The second divided by the first.
    Ratio,
    /// All of them together.
    Sum,
    /// The middle of all of them.
    Mean,
    /// The greatest.
    Greatest,
    /// The least.
    Least,
}

impl Formula {
    /// What it makes of numbers; none where it makes no sense.
    #[must_use]
    pub fn of(self, numbers: &[f64]) -> Option<f64> {
        let pair = || match numbers {
            [first, second] => Some((*first, *second)),
            _ => None,
        };
        let divided = || pair().filter(|(first, _)| *first != 0.0);
        let all = (!numbers.is_empty()).then_some(numbers);
        let sum = |numbers: &[f64]| numbers.iter().sum::<f64>();
        let value = match self {
            Self::Difference => pair().map(|(first, second)| second - first),
            Self::Change => divided().map(|(first, second)| (second - first) / first * 100.0),
            Self::Ratio => divided().map(|(first, second)| second / first),
            Self::Sum => all.map(sum),
            Self::Mean => all.map(|numbers| sum(numbers) / numbers.len() as f64),
            Self::Greatest => all.map(|numbers| numbers.iter().copied().fold(f64::MIN, f64::max)),
            Self::Least => all.map(|numbers| numbers.iter().copied().fold(f64::MAX, f64::min)),
        };
        value.filter(|value| value.is_finite())
    }

    /// As people write it.
    #[must_use]
    pub fn written(self) -> &'static str {
        match self {
            Self::Difference => "second - first",
            Self::Change => "(second - first) / first * 100",
            Self::Ratio => "second / first",
            Self::Sum => "sum",
            Self::Mean => "sum / count",
            Self::Greatest => "max",
            Self::Least => "min",
        }
    }
}

/// A number of a fact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DerivedInput {
    /// The fact it stands in.
    pub fact: String,
    /// The number, in the unit of its dimension.
    pub value: f64,
    /// As the fact writes it.
    pub written: String,
    /// What it is the number of, as the fact writes it; empty where the sentence says it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
}

/// A number computed from facts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Derived {
    /// Its name within a run.
    pub id: String,
    /// What it says, in a sentence.
    pub statement: String,
    /// How it is computed.
    pub formula: Formula,
    /// From what, in order.
    pub inputs: Vec<DerivedInput>,
    /// What comes of it, rounded as the statement writes it.
    pub value: f64,
}

impl Derived {
    /// Whether all its numbers come from these facts.
    #[must_use]
    pub fn is_of(&self, facts: &std::collections::HashSet<&str>) -> bool {
        !self.inputs.is_empty() && self.inputs.iter().all(|input| facts.contains(input.fact.as_str()))
    }
}

/// Why derived evidence does not hold.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum DerivedFlaw {
    /// An input is not in the quote of its fact.
    #[error("{written} is not in the quote of {fact}")]
    NotThere {
        /// The fact.
        fact: String,
        /// The number.
        written: String,
    },
    /// The fact is not known.
    #[error("{0} does not exist")]
    NoSuchFact(String),
    /// Computing it again gives something else.
    #[error("{formula} gives {computed}, and {stated} is stated")]
    Differs {
        /// The formula.
        formula: &'static str,
        /// What comes of it.
        computed: f64,
        /// What is stated.
        stated: f64,
    },
    /// The formula does not fit its inputs.
    #[error("{0} makes no sense of these numbers")]
    NoSense(&'static str),
    /// The sentence does not say what the greatest or the least is.
    #[error("the sentence does not name what has the {0}")]
    NotNamed(&'static str),
    /// The sentence does not write the number.
    #[error("the sentence does not say {0}")]
    NotSaid(f64),
}

/// Computes derived evidence again. `quote` gives the quote of a fact.
pub fn recompute<'q>(derived: &Derived, quote: impl Fn(&str) -> Option<&'q str>) -> Result<(), DerivedFlaw> {
    for input in &derived.inputs {
        let words = quote(&input.fact).ok_or_else(|| DerivedFlaw::NoSuchFact(input.fact.clone()))?;
        let stands = quantities(words).iter().any(|found| near(found.value, input.value, 1e-9));
        // What a number is the number of stands in its line.
        let own = |line: &str| {
            line.contains(&input.written) && line.to_lowercase().contains(&input.label.to_lowercase())
        };
        if !stands || !words.contains(&input.written) || !(input.label.is_empty() || words.lines().any(own)) {
            let (fact, written) = (input.fact.clone(), input.written.clone());
            return Err(DerivedFlaw::NotThere { fact, written });
        }
    }
    let numbers: Vec<f64> = derived.inputs.iter().map(|input| input.value).collect();
    let formula = derived.formula.written();
    let computed = derived.formula.of(&numbers).ok_or(DerivedFlaw::NoSense(formula))?;
    // A stated number is rounded; half a unit of its last digit is not an error.
    if !near(computed, derived.value, 0.051_f64.max(derived.value.abs() * 0.005)) {
        return Err(DerivedFlaw::Differs { formula, computed, stated: derived.value });
    }
    // The greatest and the least are somebody's.
    let extreme = matches!(derived.formula, Formula::Greatest | Formula::Least);
    let whose = derived.inputs.iter().find(|input| near(input.value, computed, 1e-9));
    let statement = derived.statement.to_lowercase();
    if extreme
        && !whose
            .is_some_and(|input| !input.label.is_empty() && statement.contains(&input.label.to_lowercase()))
    {
        return Err(DerivedFlaw::NotNamed(derived.formula.written()));
    }
    let said =
        quantities(&derived.statement).iter().any(|found| near(found.value.abs(), derived.value.abs(), 1e-6));
    if said { Ok(()) } else { Err(DerivedFlaw::NotSaid(derived.value)) }
}

fn near(a: f64, b: f64, slack: f64) -> bool {
    (a - b).abs() <= slack.max(1e-9)
}

#[cfg(test)]
mod tests {
    use super::{Derived, DerivedFlaw, DerivedInput, Formula, recompute};

    const QUOTE: &str = "Harlund Heat delivered 186 GWh of heat in 2025, after 143 GWh in the year before.";

    fn change(value: f64, statement: &str) -> Derived {
        let input = |written: &str, value: f64| DerivedInput {
            fact: "f1".to_owned(),
            value,
            written: written.to_owned(),
            label: String::new(),
        };
        Derived {
            id: "d1".to_owned(),
            statement: statement.to_owned(),
            formula: Formula::Change,
            inputs: vec![input("143", 143.0), input("186", 186.0)],
            value,
        }
    }

    fn quote(id: &str) -> Option<&'static str> {
        (id == "f1").then_some(QUOTE)
    }

    #[test]
    fn what_can_be_computed_again_holds() {
        assert_eq!(recompute(&change(30.1, "That is 30.1 percent more."), quote), Ok(()));
    }

    #[test]
    fn what_cannot_does_not() {
        let wrong = change(35.0, "That is 35 percent more.");
        assert!(matches!(recompute(&wrong, quote), Err(DerivedFlaw::Differs { .. })));
        let unsaid = change(30.1, "That is a lot more.");
        assert_eq!(recompute(&unsaid, quote), Err(DerivedFlaw::NotSaid(30.1)));
        let mut invented = change(30.1, "That is 30.1 percent more.");
        invented.inputs[0].written = "144".to_owned();
        assert!(matches!(recompute(&invented, quote), Err(DerivedFlaw::NotThere { .. })));
        invented.inputs[0].fact = "f9".to_owned();
        assert_eq!(recompute(&invented, quote), Err(DerivedFlaw::NoSuchFact("f9".to_owned())));
    }

    #[test]
    fn the_greatest_is_named_and_stands_in_its_line() {
        let table = "| source | million euros |\n| bonds | 240 |\n| equity | 70 |\n| grant | 62 |";
        let input = |label: &str, value: f64| DerivedInput {
            fact: "f1".to_owned(),
            value,
            written: value.to_string(),
            label: label.to_owned(),
        };
        let of = |statement: &str, labels: [&str; 3]| Derived {
            id: "d1".to_owned(),
            statement: statement.to_owned(),
            formula: Formula::Greatest,
            inputs: vec![input(labels[0], 240.0), input(labels[1], 70.0), input(labels[2], 62.0)],
            value: 240.0,
        };
        let quote = |_: &str| Some(table);
        let labels = ["bonds", "equity", "grant"];
        assert_eq!(recompute(&of("The largest figure is 240, for bonds.", labels), quote), Ok(()));
        let other = recompute(&of("The largest figure is 240, for equity.", labels), quote);
        assert_eq!(other, Err(DerivedFlaw::NotNamed("max")));
        let swapped =
            recompute(&of("The largest figure is 240, for equity.", ["equity", "bonds", "grant"]), quote);
        assert!(matches!(swapped, Err(DerivedFlaw::NotThere { .. })));
    }

    #[test]
    fn formulas_make_sense_of_what_they_can() {
        let cases = [
            (Formula::Difference, vec![2.0, 5.0], Some(3.0)),
            (Formula::Change, vec![0.0, 5.0], None),
            (Formula::Ratio, vec![2.0, 5.0], Some(2.5)),
            (Formula::Sum, vec![2.0, 5.0, 1.0], Some(8.0)),
            (Formula::Mean, vec![], None),
            (Formula::Greatest, vec![2.0, 5.0], Some(5.0)),
            (Formula::Least, vec![2.0, 5.0], Some(2.0)),
            (Formula::Ratio, vec![2.0], None),
        ];
        for (formula, numbers, value) in cases {
            assert_eq!(formula.of(&numbers), value, "{formula:?} {numbers:?}");
        }
    }
}
