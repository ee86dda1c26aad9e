//! Which kind of question a sentence asks, from the senses of its words and what it mentions.

use super::lexicon::{Sense, senses};
use super::mentions::{Mention, Token};
use super::shape::{Sentence, number};
use crate::compute::periods;
use crate::date::{Grain, Period};
use crate::question::{Aggregate, Ask, Filter, Goal, Measure, Test};

impl Sentence<'_> {
    /// The question; filters and period may become a part of it.
    pub(super) fn ask(
        &mut self,
        filters: &mut Vec<Filter>,
        period: &mut Option<Period>,
    ) -> Result<Ask, String> {
        let (numbers, groups) = (self.numbers(), self.groups());
        let timed = self.table.time.is_some();
        if self.has(Sense::Correlation) {
            let [x, y] = numbers.as_slice() else {
                return Err("a correlation needs two columns of numbers to be named".to_owned());
            };
            return Ok(Ask::Correlation { x: x.name.clone(), y: y.name.clone(), grain: None });
        }
        if self.has(Sense::Season)
            || (self.has(Sense::Which)
                && self.unnamed(Sense::Month)
                && self.tokens.iter().any(|token| token.word == "usually"))
        {
            return Ok(Ask::Seasonality { measure: self.measure() });
        }
        if self.has(Sense::Share) {
            if self.tokens.windows(2).any(|pair| pair[0].word == "how" && pair[1].word == "many") {
                return Err("it asks how many and which share at once".to_owned());
            }
            return self.share(filters);
        }
        if self.has(Sense::Target) {
            let Some(target) = self.free_number else {
                return Err("no number is named as the target".to_owned());
            };
            return Ok(Ask::Target { measure: self.measure(), target: Goal::Value(target) });
        }
        if self.has(Sense::Change) || (self.has(Sense::Compare) && self.when.periods.len() == 2) {
            if !timed {
                return Err(format!(
                    "{} has no column of days, so nothing changes over time in it",
                    self.table.reading.name
                ));
            }
            let measure = self.measure();
            if let [from, to] = self.when.periods.as_slice() {
                let (from, to) = (*from, *to);
                *period = None;
                return Ok(Ask::Change { measure, from: Some(from), to: Some(to), grain: None });
            }
            return Ok(Ask::Change { measure, from: None, to: None, grain: self.grain() });
        }
        let extreme = if self.has(Sense::Highest) {
            Some(false)
        } else if self.has(Sense::Lowest) {
            Some(true)
        } else {
            None
        };
        if let Some(lowest) = extreme
            && let Some(ask) = self.superlative(lowest, &groups, &numbers)?
        {
            return Ok(ask);
        }
        if self.has(Sense::Trend) && !timed {
            return Err(format!(
                "{} has no column of days, so nothing develops in it",
                self.table.reading.name
            ));
        }
        if self.has(Sense::Trend) && extreme.is_none() {
            return Ok(Ask::Trend { measure: self.measure(), grain: self.grain() });
        }
        if let Some(ask) = self.compared(filters, &groups)? {
            return Ok(ask);
        }
        if self.has(Sense::Ratio) || (self.has(Sense::Per) && numbers.len() == 2) {
            let [above, below] = numbers.as_slice() else {
                return Err("a ratio needs two columns of numbers to be named".to_owned());
            };
            let sum = |mention: &Mention| Measure::sum(&mention.name);
            return Ok(Ask::Ratio { above: sum(above), below: sum(below) });
        }
        if self.has(Sense::Distribution) {
            let Some(column) = numbers.first() else {
                return match groups.first() {
                    // How words are distributed is how often each stands there.
                    Some(by) => {
                        Ok(Ask::Share { measure: Measure::rows(), by: by.name.clone(), of: Vec::new() })
                    }
                    None => Err("no column is named".to_owned()),
                };
            };
            return Ok(Ask::Distribution { column: column.name.clone() });
        }
        if let (Some(grain), true) = (self.grain(), timed && groups.is_empty() && self.has(Sense::By)) {
            return Ok(Ask::Trend { measure: self.measure(), grain: Some(grain) });
        }
        if self.has(Sense::Count) || self.has(Sense::Different) {
            return self.count(&numbers, &groups);
        }
        if self.has(Sense::Latest) && timed {
            return Ok(Ask::Latest { measure: self.measure(), grain: self.grain() });
        }
        let Some(column) = numbers.first().cloned() else {
            return Err("no column of numbers is named, and no rows are counted".to_owned());
        };
        if numbers.len() > 1 {
            let names: Vec<String> = numbers.iter().map(|mention| format!("\"{}\"", mention.name)).collect();
            return Err(format!(
                "it names {} and does not say what is to be done with them",
                names.join(" and ")
            ));
        }
        if let (Some(by), true) = (groups.first(), self.has(Sense::By) || self.has(Sense::Per)) {
            let how = self.how(&column);
            return Ok(Ask::Comparison {
                measure: Measure { how, column: Some(column.name) },
                by: by.name.clone(),
                groups: Vec::new(),
            });
        }
        if !groups.is_empty() && self.values.is_empty() {
            return Err(format!(
                "it names \"{}\" and does not say what is to be done with it",
                groups.first().map(|mention| mention.name.clone()).unwrap_or_default()
            ));
        }
        let how = match extreme {
            Some(true) => Aggregate::Min,
            Some(false) => Aggregate::Max,
            None => self.how(&column),
        };
        Ok(Ask::Total { measure: Measure { how, column: Some(column.name) } })
    }

    /// "Which region has the most", "when was it highest", "the top 3".
    fn superlative(
        &mut self,
        lowest: bool,
        groups: &[Mention],
        numbers: &[Mention],
    ) -> Result<Option<Ask>, String> {
        if self.seeks(Sense::Highest) && self.seeks(Sense::Lowest) {
            return Err("it asks for the most and the least at once".to_owned());
        }
        let top = self.place(Sense::Top).and_then(|at| self.tokens.get(at + 1)).and_then(number);
        let asks_when = self.has(Sense::When)
            || (self.has(Sense::Which)
                || self.tokens.iter().any(|token| matches!(token.word.as_str(), "what" | "was")))
                && self.period_asked();
        if numbers.is_empty() && !self.counts() {
            return Err("no column of numbers is named to look for an extreme".to_owned());
        }
        if asks_when && groups.is_empty() && self.table.time.is_some() {
            let grain =
                self.grain().unwrap_or_else(|| self.table.time.as_ref().map_or(Grain::Day, periods::usual));
            return Ok(Some(Ask::Peak { measure: self.measure(), grain, lowest }));
        }
        let free: Vec<&Mention> = groups
            .iter()
            .filter(|mention| !self.values.iter().any(|valued| valued.column == mention.name))
            .collect();
        if let Some(by) = free.first() {
            let how_many = top.and_then(|top| usize::try_from(top.parts().0).ok()).unwrap_or(1);
            let by = by.name.clone();
            let measure = self.measure();
            return Ok(Some(Ask::Ranking { measure, by, top: how_many, ascending: lowest }));
        }
        // "the highest average by ..." has no group that is free: an extreme of one column.
        Ok(None)
    }

    /// Whether a word of this sense stands there that is no bound: "at least 5" seeks nothing.
    fn seeks(&self, sense: Sense) -> bool {
        let is_bound = |at: usize| {
            self.known.contains(&at)
                || at.checked_sub(1).is_some_and(|before| self.tokens[before].word == "at")
        };
        let tokens = self.tokens.iter().enumerate();
        tokens.filter(|(at, _)| !is_bound(*at)).any(|(_, token)| senses(&token.word).contains(&sense))
    }

    /// Whether it asks for the most or the fewest rows, and not for what is hot, old or dear without a name.
    fn counts(&self) -> bool {
        let says = ["most", "fewest", "least", "often", "rows", "meisten", "common", "frequent"];
        self.has(Sense::Count) || self.tokens.iter().any(|token| says.contains(&token.word.as_str()))
    }

    /// Whether the word behind "which" is a period.
    fn period_asked(&self) -> bool {
        let at = self.tokens.iter().position(|token| {
            senses(&token.word).contains(&Sense::Which) || token.word == "what" || token.word == "was"
        });
        let period = |token: &Token| {
            let senses = senses(&token.word);
            [Sense::Day, Sense::Week, Sense::Month, Sense::Quarter, Sense::Year]
                .iter()
                .any(|sense| senses.contains(sense))
        };
        at.is_some_and(|at| self.tokens.iter().skip(at + 1).take(1).any(period))
    }

    fn share(&mut self, filters: &mut Vec<Filter>) -> Result<Ask, String> {
        let measure = match self.numbers().first() {
            Some(column) => Measure::sum(&column.name),
            None => Measure::rows(),
        };
        let last = self.values.last().cloned();
        if let Some(valued) = last {
            let of: Vec<String> = vec![valued.value.clone()];
            for filter in filters.iter_mut().filter(|filter| filter.column == valued.column) {
                if let Test::Is(values) = &mut filter.test {
                    values.retain(|value| *value != valued.value);
                }
            }
            filters.retain(|filter| !matches!(&filter.test, Test::Is(values) if values.is_empty()));
            self.notes.push(format!("The share of \"{}\" in \"{}\" is taken.", valued.value, valued.column));
            return Ok(Ask::Share { measure, by: valued.column, of });
        }
        match self.groups().first() {
            Some(by) => Ok(Ask::Share { measure, by: by.name.clone(), of: Vec::new() }),
            None => Err("it does not say whose share".to_owned()),
        }
    }

    /// Two values of one column, or "compare".
    fn compared(&mut self, filters: &mut Vec<Filter>, groups: &[Mention]) -> Result<Option<Ask>, String> {
        let several =
            filters.iter().position(|filter| matches!(&filter.test, Test::Is(values) if values.len() > 1));
        if let Some(at) = several {
            let filter = filters.remove(at);
            let Test::Is(values) = filter.test else { return Ok(None) };
            let measure = self.measure();
            return Ok(Some(Ask::Comparison { measure, by: filter.column, groups: values }));
        }
        if self.tokens.iter().any(|token| {
            token.word.starts_with("compare")
                || token.word.starts_with("vergleich")
                || token.word.starts_with("сравн")
        }) {
            let Some(by) = groups.first() else {
                return Err("it does not say what is to be compared".to_owned());
            };
            return Ok(Some(Ask::Comparison {
                measure: self.measure(),
                by: by.name.clone(),
                groups: Vec::new(),
            }));
        }
        Ok(None)
    }

    fn count(&mut self, numbers: &[Mention], groups: &[Mention]) -> Result<Ask, String> {
        let rows = || Ask::Total { measure: Measure::rows() };
        let at = self.place(Sense::Count).unwrap_or(0);
        let behind = |mention: &&Mention| mention.first() > at && mention.first() <= at + 3;
        if let (Some(by), true) = (
            groups.iter().find(|mention| mention.first() > at + 3),
            self.has(Sense::By) || self.has(Sense::Per),
        ) {
            return Ok(Ask::Comparison { measure: Measure::rows(), by: by.name.clone(), groups: Vec::new() });
        }
        if let Some(column) = groups
            .iter()
            .find(behind)
            .filter(|mention| !self.values.iter().any(|valued| valued.column == mention.name))
        {
            return Ok(Ask::Total {
                measure: Measure { how: Aggregate::Distinct, column: Some(column.name.clone()) },
            });
        }
        if self.has(Sense::Different) {
            let Some(column) = groups.first().or(numbers.first()) else {
                return Err("it does not say different what".to_owned());
            };
            return Ok(Ask::Total {
                measure: Measure { how: Aggregate::Distinct, column: Some(column.name.clone()) },
            });
        }
        if let Some(column) = numbers.iter().find(behind) {
            // "the average number of orders" is no sum.
            let said = [(Sense::Average, Aggregate::Mean), (Sense::Median, Aggregate::Median)];
            let how =
                said.into_iter().find(|(sense, _)| self.has(*sense)).map_or(Aggregate::Sum, |(_, how)| how);
            return Ok(Ask::Total { measure: Measure { how, column: Some(column.name.clone()) } });
        }
        let daily = self.unnamed(Sense::Day)
            && self.table.time.as_ref().is_some_and(|time| time.days == self.table.rows);
        let named = self.known.iter().any(|known| *known > at && *known <= at + 2);
        if self.has(Sense::Rows) || daily || named || !self.values.is_empty() {
            return Ok(rows());
        }
        Err("it does not say how many of what".to_owned())
    }
}

/// The kind of a question in words, to stand before the name of the table.
pub(super) fn kind_of(ask: &Ask) -> String {
    match ask {
        Ask::Total { measure } => format!("The {}", measure.words()),
        Ask::Latest { measure, .. } => format!("The latest {}", measure.words()),
        Ask::Change { measure, from, to, .. } => match (from, to) {
            (Some(from), Some(to)) => format!("The change of the {} from {from} to {to}", measure.words()),
            _ => format!("The change of the {} from first to last", measure.words()),
        },
        Ask::Share { measure, by, of } => format!(
            "The share of {} in the {} by {by}",
            if of.is_empty() { "each".to_owned() } else { of.join(", ") },
            measure.words()
        ),
        Ask::Ranking { measure, by, top, ascending } => format!(
            "The {top} {by} with the {} {}",
            if *ascending { "smallest" } else { "largest" },
            measure.words()
        ),
        Ask::Distribution { column } => format!("The distribution of {column}"),
        Ask::Trend { measure, .. } => format!("The course of the {}", measure.words()),
        Ask::Seasonality { measure } => format!("The seasons of the {}", measure.words()),
        Ask::Correlation { x, y, .. } => format!("The correlation of {x} and {y}"),
        Ask::Comparison { measure, by, .. } => format!("The {} by {by}", measure.words()),
        Ask::Ratio { above, below } => format!("The {} over the {}", above.words(), below.words()),
        Ask::Target { measure, .. } => format!("How much of the target the {} reaches", measure.words()),
        Ask::Peak { measure, grain, lowest } => format!(
            "The {} with the {} {}",
            grain.name(),
            if *lowest { "lowest" } else { "highest" },
            measure.words()
        ),
    }
}
