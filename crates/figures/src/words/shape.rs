//! What is asked: senses of words, mentions and times put together into one typed question, or a reason why not.

use super::choose;
use super::lexicon::{Sense, senses};
use super::mentions::{self, Mention, Stems, Token, Valued};
use super::when::{self, When};
use crate::compute::periods;
use crate::date::{Date, Grain, Period};
use crate::decimal::Decimal;
use crate::profile::guess::is_part_of_date;
use crate::profile::sums::{adds_up, flows};
use crate::profile::{Profiles, TableProfile};
use crate::question::{Aggregate, Ask, Filter, Measure, Question, Test};
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

/// A sentence over one table.
pub(super) struct Sentence<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) table: &'a TableProfile,
    pub(super) columns: Vec<Mention>,
    pub(super) values: Vec<Valued>,
    pub(super) when: When,
    pub(super) bounds: Vec<(usize, Filter)>,
    pub(super) free_number: Option<Decimal>,
    pub(super) notes: Vec<String>,
    /// Words that name the table itself.
    named: Vec<usize>,
    /// Words that were understood.
    pub(super) known: Vec<usize>,
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
        named: names_table(tokens, table, stems),
        known: Vec::new(),
    };
    sentence.known.extend(taken);
    sentence.known.extend(sentence.columns.iter().flat_map(|mention| mention.places.clone()));
    let score = sentence.known.len() * 2 + sentence.named.len();
    sentence.known.extend(sentence.named.clone());
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
    let rows = table.reading.rows.as_deref();
    let named = |(_, token): &(usize, &Token)| {
        rows.is_some_and(|rows| stems.same(rows, &token.word))
            || words.iter().any(|word| word.len() > 2 && stems.same(word, &token.word))
    };
    tokens.iter().enumerate().filter(named).map(|(at, _)| at).collect()
}

pub(super) fn number(token: &Token) -> Option<Decimal> {
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
    pub(super) fn has(&self, sense: Sense) -> bool {
        self.place(sense).is_some()
    }

    /// Where a word of this sense stands that is not part of a name.
    pub(super) fn place(&self, sense: Sense) -> Option<usize> {
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

    pub(super) fn numbers(&self) -> Vec<Mention> {
        let bound = |mention: &&Mention| !self.bounds.iter().any(|(_, filter)| filter.column == mention.name);
        let mut found: Vec<Mention> = self
            .columns
            .iter()
            .filter(|mention| mention.kind == Kind::Number && !is_part_of_date(&mention.name))
            .filter(bound)
            .cloned()
            .collect();
        found.sort_by_key(Mention::first);
        found
    }

    pub(super) fn groups(&self) -> Vec<Mention> {
        let mut found: Vec<Mention> = self
            .columns
            .iter()
            .filter(|mention| {
                matches!(mention.kind, Kind::Text | Kind::Truth)
                    // Numbers of months and hours divide rows up; they measure nothing.
                    || mention.kind == Kind::Number && is_part_of_date(&mention.name)
            })
            .cloned()
            .collect();
        found.sort_by_key(Mention::first);
        found
    }

    /// How cells become one number where the sentence says it, else by what the column holds.
    pub(super) fn how(&mut self, column: &Mention) -> Aggregate {
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
        let level = [Grain::Day, Grain::Week, Grain::Month, Grain::Quarter]
            .iter()
            .any(|grain| self.table.has_one_row_each(*grain))
            && self.table.column(&column.name).is_some()
            && !flows(&column.name, column.unit.as_deref());
        let adds = adds_up(&column.name, column.unit.as_deref()) && !level;
        let how = if adds { Aggregate::Sum } else { Aggregate::Mean };
        self.notes.push(format!(
            "\"{}\" is taken as its {}, because the question does not say how its cells become one number.",
            column.name,
            how.name()
        ));
        how
    }

    pub(super) fn measure(&mut self) -> Measure {
        match self.numbers().first().cloned() {
            Some(column) => Measure { how: self.how(&column), column: Some(column.name) },
            None => Measure::rows(),
        }
    }

    pub(super) fn grain(&self) -> Option<Grain> {
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
    pub(super) fn unnamed(&self, sense: Sense) -> bool {
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

    /// A column that is named and that nothing is done with would be a part of the question without an answer.
    fn nothing_left_out(&self, ask: &Ask, filters: &[Filter]) -> Result<(), String> {
        let one_each = [Grain::Day, Grain::Week, Grain::Month, Grain::Quarter, Grain::Year];
        let counts = matches!(ask, Ask::Peak { measure, .. } | Ask::Trend { measure, .. } | Ask::Change { measure, .. } if measure.column.is_none());
        if counts && filters.is_empty() && one_each.iter().any(|grain| self.table.has_one_row_each(*grain)) {
            return Err(format!(
                "{} has one row for each time, so there is nothing to count",
                self.table.reading.name
            ));
        }
        let used = |name: &String| {
            ask.by() == Some(name.as_str())
                || ask.columns().contains(name)
                || filters.iter().any(|filter| filter.column == *name)
        };
        let doubled = |mention: &&Mention| ask.by().is_some() && mention.whole && !used(&mention.name);
        // "in sales" may be the table.
        let only_table = |mention: &Mention| mention.places.iter().all(|at| self.named.contains(at));
        let unused = |mention: &&Mention| mention.whole && !used(&mention.name) && !only_table(mention);
        match self.groups().iter().find(doubled).or(self.numbers().iter().find(unused)) {
            Some(left) => Err(format!(
                "it names \"{}\" beside what was understood and does not say what is to be done with it",
                left.name
            )),
            None => Ok(()),
        }
    }

    fn question(mut self, id: &str) -> Result<Read, String> {
        let (mut filters, mut period) = self.filters()?;
        let mut ask = self.ask(&mut filters, &mut period)?;
        self.nothing_left_out(&ask, &filters)?;
        ask.settle(self.table);
        let question =
            Question { id: id.to_owned(), table: self.table.reading.name.clone(), ask, filters, period };
        let tests: Vec<String> = question
            .filters
            .iter()
            .map(|filter| format!("{} {}", filter.column, filter.test.words()))
            .collect();
        let mut understood = format!("{} of {}", choose::kind_of(&question.ask), question.table);
        if !tests.is_empty() {
            understood.push_str(&format!(" where {}", tests.join(" and ")));
        }
        if let Some(period) = question.period {
            understood.push_str(&format!(" in {period}"));
        }
        understood.push('.');
        Ok(Read { question, understood, notes: self.notes })
    }
}
