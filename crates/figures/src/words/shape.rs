//! What is asked: senses of words, mentions and times put together into one typed question, or a reason why not.

use super::lexicon::{Sense, senses};
use super::mentions::{self, Mention, Stems, Token, Valued};
use super::when::{self, When};
use crate::compute::periods;
use crate::date::{Date, Grain, Period};
use crate::decimal::Decimal;
use crate::profile::guess::adds_up;
use crate::profile::{Profiles, TableProfile};
use crate::question::{Aggregate, Ask, Filter, Goal, Measure, Question, Test};
use crate::reading::Kind;

/// A question that was read.
#[derive(Debug)]
pub struct Read {
    /// The question.
    pub question: Question,
    /// In words.
    pub understood: String,
    /// Choices that were made.
    pub notes: Vec<String>,
}

struct Sentence<'a> {
    tokens: &'a [Token],
    table: &'a TableProfile,
    columns: Vec<Mention>,
    values: Vec<Valued>,
    when: When,
    bounds: Vec<(usize, Filter)>,
    free_number: Option<Decimal>,
    notes: Vec<String>,
    /// Words that were understood.
    known: Vec<usize>,
}

/// Reads a sentence over one table; beside it how many words were explained by the table.
pub fn read(
    id: &str,
    tokens: &[Token],
    table: &TableProfile,
    profiles: &Profiles,
    stems: &Stems,
) -> (usize, Result<Read, String>) {
    let values = mentions::values(tokens, table, profiles, stems);
    let taken: Vec<usize> = values.iter().flat_map(|valued| valued.places.clone()).collect();
    let (columns, open) = mentions::columns(tokens, table, profiles, stems, &taken);
    let compared = comparisons(tokens);
    let numbers: Vec<usize> = compared.iter().map(|(_, number, _)| *number).collect();
    let when = when::when(tokens, &numbers);
    let mut sentence = Sentence {
        tokens,
        table,
        columns,
        values,
        when,
        bounds: Vec::new(),
        free_number: None,
        notes: Vec::new(),
        known: Vec::new(),
    };
    sentence.known.extend(taken);
    sentence.known.extend(sentence.columns.iter().flat_map(|mention| mention.places.clone()));
    let named = names_table(tokens, table, stems);
    let score = sentence.known.len() * 2 + named.len();
    sentence.known.extend(named);
    sentence.known.extend(sentence.when.places.clone());
    let read = sentence.bound(&compared).and_then(|()| {
        if let Some(names) = open.first() {
            let list: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
            return Err(format!("that could be {}; name one of them", list.join(" or ")));
        }
        sentence.understood()?;
        sentence.question(id)
    });
    (score, read)
}

/// Places of words that name the table itself.
fn names_table(tokens: &[Token], table: &TableProfile, stems: &Stems) -> Vec<usize> {
    let words = crate::profile::guess::words(&table.reading.name);
    let named = |(_, token): &(usize, &Token)| {
        words.iter().any(|word| word.len() > 2 && stems.same(word, &token.word))
    };
    tokens.iter().enumerate().filter(named).map(|(at, _)| at).collect()
}

fn number(token: &Token) -> Option<Decimal> {
    let word = token.word.trim_end_matches('%');
    word.parse().ok().or_else(|| crate::cell::number(word, '.', Some(',')).map(|number| number.value))
}

/// Makes a test of a number.
type Made = fn(Decimal) -> Test;

/// "above 20", "at least 5": the place of the words, of the number, and the test.
fn comparisons(tokens: &[Token]) -> Vec<(usize, usize, Test)> {
    let word = |at: usize| tokens.get(at).map(|token| token.word.as_str()).unwrap_or_default();
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        let (made, length): (Option<Made>, usize) = match (word(at), word(at + 1)) {
            (
                "more" | "greater" | "higher" | "larger" | "older" | "heavier" | "longer" | "mehr" | "höher"
                | "больше" | "более" | "выше",
                "than" | "als" | "чем",
            ) => (Some(Test::Above), 2),
            (
                "less" | "fewer" | "lower" | "smaller" | "younger" | "lighter" | "shorter" | "weniger"
                | "меньше" | "менее" | "ниже",
                "than" | "als" | "чем",
            ) => (Some(Test::Below), 2),
            ("at", "least") | ("не", "менее") => (Some(Test::AtLeast), 2),
            ("at", "most") | ("не", "более") => (Some(Test::AtMost), 2),
            (
                "above" | "over" | "exceeding" | "exceeded" | "exceeds" | "über" | "выше" | "больше"
                | "более",
                _,
            ) => (Some(Test::Above), 1),
            ("below" | "under" | "unter" | "ниже" | "меньше" | "менее", _) => {
                (Some(Test::Below), 1)
            }
            ("mindestens", _) => (Some(Test::AtLeast), 1),
            ("höchstens", _) => (Some(Test::AtMost), 1),
            _ => (None, 0),
        };
        if let (Some(made), Some(bound)) = (made, tokens.get(at + length).and_then(number)) {
            found.push((at, at + length, made(bound)));
        }
    }
    found
}

impl Sentence<'_> {
    fn has(&self, sense: Sense) -> bool {
        self.place(sense).is_some()
    }

    /// Where a word of this sense stands that is not part of a name.
    fn place(&self, sense: Sense) -> Option<usize> {
        let free = |at: &usize| {
            !self.columns.iter().any(|mention| mention.whole && mention.places.contains(at))
                && !self.values.iter().any(|valued| valued.places.contains(at))
        };
        (0..self.tokens.len())
            .filter(free)
            .find(|at| self.tokens.get(*at).is_some_and(|token| senses(&token.word).contains(&sense)))
    }

    /// Comparisons with numbers become tests of the nearest column of numbers.
    fn bound(&mut self, compared: &[(usize, usize, Test)]) -> Result<(), String> {
        for (at, number, test) in compared {
            let nearest = self
                .columns
                .iter()
                .filter(|mention| mention.kind == Kind::Number)
                .min_by_key(|mention| {
                    mention
                        .places
                        .iter()
                        .map(|place| if place < at { at - place } else { place - number + 1 })
                        .min()
                })
                .cloned();
            let Some(column) = nearest else {
                return Err("it compares with a number, but no column of numbers is named".to_owned());
            };
            self.known.extend(*at..=*number);
            self.bounds.push((column.first(), Filter { column: column.name, test: test.clone() }));
        }
        Ok(())
    }

    /// Every word that matters must be known: what is not is no detail.
    fn understood(&mut self) -> Result<(), String> {
        let mut unknown = Vec::new();
        for (at, token) in self.tokens.iter().enumerate() {
            if self.known.contains(&at) || !senses(&token.word).is_empty() {
                continue;
            }
            if let Some(value) = number(token) {
                self.free_number = Some(value);
            } else if token.word.chars().count() > 1 {
                unknown.push(format!("\"{}\"", token.written));
            }
        }
        if unknown.is_empty() {
            Ok(())
        } else {
            Err(format!("nothing in the data is called {}", unknown.join(" or ")))
        }
    }

    fn numbers(&self) -> Vec<Mention> {
        let bound = |mention: &&Mention| !self.bounds.iter().any(|(_, filter)| filter.column == mention.name);
        let mut found: Vec<Mention> = self
            .columns
            .iter()
            .filter(|mention| mention.kind == Kind::Number)
            .filter(bound)
            .cloned()
            .collect();
        found.sort_by_key(Mention::first);
        found
    }

    fn groups(&self) -> Vec<Mention> {
        let mut found: Vec<Mention> = self
            .columns
            .iter()
            .filter(|mention| matches!(mention.kind, Kind::Text | Kind::Truth))
            .cloned()
            .collect();
        found.sort_by_key(Mention::first);
        found
    }

    /// How cells become one number where the sentence says it, else by what the column holds.
    fn how(&mut self, column: &Mention) -> Aggregate {
        for (sense, how) in [
            (Sense::Average, Aggregate::Mean),
            (Sense::Median, Aggregate::Median),
            (Sense::Deviation, Aggregate::Deviation),
            (Sense::Total, Aggregate::Sum),
        ] {
            if self.has(sense) {
                return how;
            }
        }
        let adds = adds_up(&column.name, column.unit.as_deref());
        let how = if adds { Aggregate::Sum } else { Aggregate::Mean };
        self.notes.push(format!(
            "\"{}\" is taken as its {}, because the question does not say how its cells become one number.",
            column.name,
            how.name()
        ));
        how
    }

    fn measure(&mut self) -> Measure {
        match self.numbers().first().cloned() {
            Some(column) => Measure { how: self.how(&column), column: Some(column.name) },
            None => Measure::rows(),
        }
    }

    fn grain(&self) -> Option<Grain> {
        [
            (Sense::Day, Grain::Day),
            (Sense::Week, Grain::Week),
            (Sense::Month, Grain::Month),
            (Sense::Quarter, Grain::Quarter),
            (Sense::Year, Grain::Year),
        ]
        .into_iter()
        .find(|(sense, _)| self.unnamed(*sense))
        .map(|(_, grain)| grain)
    }

    /// A word of time, also where it is the name of the column that says when.
    fn unnamed(&self, sense: Sense) -> bool {
        self.tokens.iter().any(|token| senses(&token.word).contains(&sense))
    }

    /// Filters and period from values, bounds and times.
    fn filters(&mut self) -> Result<(Vec<Filter>, Option<Period>), String> {
        let mut filters: Vec<Filter> = Vec::new();
        for valued in &self.values {
            match filters.iter_mut().find(|filter| filter.column == valued.column) {
                Some(Filter { test: Test::Is(values), .. }) => values.push(valued.value.clone()),
                _ => filters.push(Filter {
                    column: valued.column.clone(),
                    test: Test::Is(vec![valued.value.clone()]),
                }),
            }
        }
        filters.extend(self.bounds.iter().map(|(_, filter)| filter.clone()));
        let timed = !self.when.places.is_empty();
        let Some(time) = &self.table.time else {
            return if timed {
                Err(format!(
                    "{} has no column of days, so it cannot be asked by time",
                    self.table.reading.name
                ))
            } else {
                Ok((filters, None))
            };
        };
        if !self.when.months.is_empty() {
            filters.push(Filter { column: time.column.clone(), test: Test::Month(self.when.months.clone()) });
        }
        if !self.when.weekdays.is_empty() {
            filters.push(Filter {
                column: time.column.clone(),
                test: Test::Weekday(self.when.weekdays.clone()),
            });
        }
        let mut period = match self.when.periods.as_slice() {
            [] => None,
            [one] => Some(*one),
            [one, two] if self.when.range => {
                Some(Period { from: one.from.min(two.from), to: one.to.max(two.to) })
            }
            _ => None,
        };
        let (since, until) = (self.when.since, self.when.until);
        if since.is_some() || until.is_some() {
            let all = periods::covered(time);
            let outer: Period = period.unwrap_or(Period { from: all.from, to: all.to });
            let from: Date = since.map_or(outer.from, |day| outer.from.max(day));
            let to: Date = until.map_or(outer.to, |day| outer.to.min(day));
            if from > to {
                return Err(format!("the data go from {} to {}", time.from, time.to));
            }
            period = Some(Period { from, to });
        }
        Ok((filters, period))
    }

    fn question(mut self, id: &str) -> Result<Read, String> {
        let (mut filters, mut period) = self.filters()?;
        let ask = self.ask(&mut filters, &mut period)?;
        let question =
            Question { id: id.to_owned(), table: self.table.reading.name.clone(), ask, filters, period };
        let tests: Vec<String> = question
            .filters
            .iter()
            .map(|filter| format!("{} {}", filter.column, filter.test.words()))
            .collect();
        let mut understood = format!("{} of {}", kind_of(&question.ask), question.table);
        if !tests.is_empty() {
            understood.push_str(&format!(" where {}", tests.join(" and ")));
        }
        if let Some(period) = question.period {
            understood.push_str(&format!(" in {period}"));
        }
        understood.push('.');
        Ok(Read { question, understood, notes: self.notes })
    }

    fn ask(&mut self, filters: &mut Vec<Filter>, period: &mut Option<Period>) -> Result<Ask, String> {
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
        if self.has(Sense::Trend) && timed && extreme.is_none() {
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
                return Err("no column of numbers is named".to_owned());
            };
            return Ok(Ask::Distribution { column: column.name.clone() });
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
        let top = self.place(Sense::Top).and_then(|at| self.tokens.get(at + 1)).and_then(number);
        let asks_when = self.has(Sense::When)
            || (self.has(Sense::Which)
                || self.tokens.iter().any(|token| matches!(token.word.as_str(), "what" | "was")))
                && self.period_asked();
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
            if numbers.is_empty()
                && !self.has(Sense::Count)
                && !self.tokens.iter().any(|token| {
                    matches!(
                        token.word.as_str(),
                        "most" | "fewest" | "least" | "often" | "rows" | "meisten" | "common" | "frequent"
                    )
                })
            {
                return Err("no column of numbers is named to rank by".to_owned());
            }
            let by = by.name.clone();
            let measure = self.measure();
            return Ok(Some(Ask::Ranking { measure, by, top: how_many, ascending: lowest }));
        }
        // "the highest average by ..." has no group that is free: an extreme of one column.
        if numbers.is_empty() {
            return Err("no column of numbers is named to look for an extreme".to_owned());
        }
        Ok(None)
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

fn kind_of(ask: &Ask) -> String {
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
