//! Questions become figures. Each table is read once for all questions about it; what a question needs is a plan, what
//! came of the plan is made into figures, and what the data cannot carry is refused in a sentence.

mod asks;
pub mod build;
pub mod column;
pub mod pass;
pub mod periods;
mod verify;

use std::collections::BTreeMap;

pub use verify::{recompute, recompute_series};

use crate::error::FiguresError;
use crate::figure::{Answer, Lookup, Selection};
use crate::profile::{Doubt, Profiles, TableProfile};
use crate::question::{Aggregate, Measure, Question};
use crate::reading::{Kind, TableReading};
use crate::source::Context;
use column::{Column, Columns};
use pass::{Groups, Plan};

/// One answer for each question, in their order.
///
/// # Errors
/// When a table can no longer be read.
pub fn answers(
    profiles: &Profiles,
    questions: &[Question],
    context: &Context,
) -> Result<Vec<Answer>, FiguresError> {
    let asked: Vec<(&Question, Option<&str>)> = questions.iter().map(|question| (question, None)).collect();
    let gathered = gather(profiles, &asked, context)?;
    let answer = |(question, found): (&Question, Result<Gathered, FiguresError>)| {
        let made =
            found.and_then(|(plans, groups)| asks::answer(&Room::new(profiles, question)?, &plans, &groups));
        made.unwrap_or_else(|error| refused(question, &error))
    };
    Ok(questions.iter().zip(gathered).map(answer).collect())
}

/// Plans of a question, and what came of them.
pub(crate) type Gathered = (Vec<Plan>, Vec<Groups>);

/// What each question needs, gathered in one pass over each table; a question may be grouped by a column beside what
/// it asks.
pub(crate) fn gather(
    profiles: &Profiles,
    asked: &[(&Question, Option<&str>)],
    context: &Context,
) -> Result<Vec<Result<Gathered, FiguresError>>, FiguresError> {
    let readings: Vec<&TableReading> = profiles.tables.iter().map(|table| &table.reading).collect();
    let mut columns = Columns::new(readings, context);
    let mut found: Vec<Result<Gathered, FiguresError>> = Vec::new();
    for (question, by) in asked {
        let plans = Room::new(profiles, question).and_then(|room| {
            let mut plans = asks::plans(&room, &mut columns)?;
            if let (Some(by), Some(plan)) = (by, plans.first_mut()) {
                plan.by = Some(room.column(by, &mut columns, &mut plan.selection.lookups)?);
            }
            Ok(plans)
        });
        found.push(plans.map(|plans| (plans, Vec::new())));
    }
    for table in &profiles.tables {
        let name = &table.reading.name;
        let mut plans = Vec::new();
        let mut counts = Vec::new();
        for (at, slot) in found.iter_mut().enumerate() {
            if asked.get(at).is_none_or(|(question, _)| question.table != *name) {
                continue;
            }
            if let Ok((own, _)) = slot {
                counts.push((at, own.len()));
                plans.append(own);
            }
        }
        if plans.is_empty() {
            continue;
        }
        let mut results = pass::run(&table.reading, &plans, context)?.into_iter();
        let mut plans = plans.into_iter();
        for (at, count) in counts {
            let own: Vec<Plan> = plans.by_ref().take(count).collect();
            let groups: Result<Vec<Groups>, FiguresError> = results.by_ref().take(count).collect();
            if let Some(slot) = found.get_mut(at) {
                *slot = groups.map(|groups| (own, groups));
            }
        }
    }
    Ok(found)
}

fn refused(question: &Question, error: &FiguresError) -> Answer {
    Answer {
        question: question.clone(),
        understood: String::new(),
        figures: Vec::new(),
        series: Vec::new(),
        doubts: Vec::new(),
        refused: Some(error.to_string()),
    }
}

/// A question among its tables.
#[derive(Debug)]
pub struct Room<'a> {
    /// All tables.
    pub profiles: &'a Profiles,
    /// The question.
    pub question: &'a Question,
    /// Its table.
    pub table: &'a TableProfile,
}

impl<'a> Room<'a> {
    fn new(profiles: &'a Profiles, question: &'a Question) -> Result<Self, FiguresError> {
        let table = profiles.table(&question.table).ok_or_else(|| {
            let names: Vec<&str> = profiles.tables.iter().map(|table| table.reading.name.as_str()).collect();
            FiguresError::Unknown(format!(
                "there is no table \"{}\"; there are: {}",
                question.table,
                names.join(", ")
            ))
        })?;
        Ok(Self { profiles, question, table })
    }

    fn lookup(&self, name: &str) -> Result<Option<Lookup>, FiguresError> {
        let tables: Vec<&TableReading> = self.profiles.tables.iter().map(|table| &table.reading).collect();
        column::lookup(&self.table.reading, name, &self.profiles.joins, &tables)
    }

    /// The column of this name, once nothing grave stands against it.
    fn column(
        &self,
        name: &str,
        columns: &mut Columns<'_>,
        lookups: &mut Vec<Lookup>,
    ) -> Result<Column, FiguresError> {
        if let Some(lookup) = self.lookup(name)?
            && !lookups.contains(&lookup)
        {
            lookups.push(lookup);
        }
        columns.column(&self.table.reading.name, name, lookups)
    }

    fn grave(&self, name: &str) -> Result<(), FiguresError> {
        let grave =
            self.table.doubts.iter().find(|doubt| doubt.grave && doubt.column.as_deref() == Some(name));
        grave.map_or(Ok(()), |doubt| Err(FiguresError::Refused(doubt.text.clone())))
    }

    /// Whether a number may be made of this column at all.
    fn measurable(&self, measure: &Measure, column: Option<&Column>) -> Result<(), FiguresError> {
        let Some(column) = column else {
            return if measure.how == Aggregate::Count {
                Ok(())
            } else {
                Err(FiguresError::Refused(format!("the {} needs a column", measure.how.name())))
            };
        };
        let name = &column.reading.name;
        if measure.how.takes_text() {
            return Ok(());
        }
        if column.reading.kind != Kind::Number {
            let kind = match column.reading.kind {
                Kind::Date => "days",
                Kind::Truth => "yes and no",
                Kind::Empty => "nothing",
                Kind::Text | Kind::Number => "words",
            };
            return Err(FiguresError::Refused(format!(
                "\"{name}\" holds {kind}, and the {} needs numbers",
                measure.how.name()
            )));
        }
        self.grave(name)?;
        if measure.how == Aggregate::Sum && column.reading.unit.as_deref() == Some("%") {
            return Err(FiguresError::Refused(format!(
                "\"{name}\" holds percentages, which cannot be added up"
            )));
        }
        Ok(())
    }

    /// The column that says when.
    fn time(&self, columns: &mut Columns<'_>) -> Result<Column, FiguresError> {
        let time = self.table.time.as_ref().ok_or_else(|| {
            FiguresError::Refused(format!(
                "{} has no column of days, so nothing can be said by period",
                self.question.table
            ))
        })?;
        self.grave(&time.column)?;
        columns.column(&self.table.reading.name, &time.column, &[])
    }

    /// A plan without groups and measures.
    fn plan(&self, columns: &mut Columns<'_>, dated: bool) -> Result<Plan, FiguresError> {
        let mut lookups = Vec::new();
        let mut filters = Vec::new();
        for filter in &self.question.filters {
            let column = self.column(&filter.column, columns, &mut lookups)?;
            filters.push((column, filter.test.clone()));
        }
        let period = self.question.period;
        let time = if dated || period.is_some() { Some(self.time(columns)?) } else { None };
        let selection = Selection {
            table: self.question.table.clone(),
            column: None,
            filters: self.question.filters.clone(),
            period,
            time: time.as_ref().map(|column| column.reading.name.clone()),
            lookups,
        };
        Ok(Plan { filters, period, time, by: None, grain: None, measures: Vec::new(), pair: None, selection })
    }

    fn measure(
        &self,
        plan: &mut Plan,
        measure: &Measure,
        columns: &mut Columns<'_>,
    ) -> Result<(), FiguresError> {
        let column = match &measure.column {
            None => None,
            Some(name) => Some(self.column(name, columns, &mut plan.selection.lookups)?),
        };
        self.measurable(measure, column.as_ref())?;
        plan.measures.push((measure.how, column));
        Ok(())
    }

    /// Digits behind the point of the columns, also of those looked up.
    fn places(&self) -> BTreeMap<String, u32> {
        let own = self.table.columns.iter().map(|column| (column.name.clone(), column.places));
        let others = self.profiles.tables.iter().flat_map(|table| {
            table
                .columns
                .iter()
                .map(|column| (format!("{}.{}", table.reading.name, column.name), column.places))
        });
        others.chain(own).collect()
    }

    /// Doubts of the profile about the table and the columns a plan uses.
    fn doubts(&self, plans: &[Plan]) -> Vec<Doubt> {
        let mut used: Vec<String> = Vec::new();
        for plan in plans {
            let measured = plan.measures.iter().filter_map(|(_, column)| column.as_ref());
            let all = measured
                .chain(&plan.by)
                .chain(&plan.time)
                .chain(plan.filters.iter().map(|(column, _)| column));
            used.extend(all.map(|column| column.reading.name.clone()));
        }
        let about = |doubt: &&Doubt| match &doubt.column {
            None => true,
            Some(column) => used.contains(column) && !doubt.text.contains("multiply rows"),
        };
        self.table.doubts.iter().filter(about).cloned().collect()
    }
}

#[cfg(test)]
mod tests;
