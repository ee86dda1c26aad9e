//! What series and tables say without being asked.

mod bend;
mod detect;
mod flip;
mod series;
mod statistics;
mod tell;

pub use series::{analyse, compare};

use crate::compute::build::Maker;
use crate::compute::periods::{self, Periods};
use crate::compute::{self, Gathered};
use crate::date::Grain;
use crate::error::FiguresError;
use crate::finding::{Finding, FindingKind};
use crate::profile::guess::is_part_of_date;
use crate::profile::sums::adds_up;
use crate::profile::{Distinct, Profiles, TableProfile};
use crate::question::{Aggregate, Ask, Measure, Question};
use crate::reading::Kind;
use crate::source::Context;

/// Columns of a table that are looked into.
const MOST_MEASURES: usize = 8;
/// Columns of a table by which it is divided up.
const MOST_DIVISIONS: usize = 4;
/// Values of such a column.
const MOST_PARTS: u64 = 12;
/// Days beyond which weeks are looked at instead.
const LONG: i32 = 1500;

/// What the data say without being asked, the strongest first.
///
/// # Errors
/// When a table can no longer be read.
pub fn findings(profiles: &Profiles, context: &Context) -> Result<Vec<Finding>, FiguresError> {
    let mut found = Vec::new();
    for table in &profiles.tables {
        found.extend(of_table(profiles, table, context)?);
    }
    found.sort_by(|one, two| two.strength.total_cmp(&one.strength).then_with(|| one.text.cmp(&two.text)));
    for (number, finding) in (1..).zip(&mut found) {
        finding.id = format!("{}.{number}", finding.table);
        for (part, figure) in (1..).zip(&mut finding.figures) {
            figure.id = format!("finding{number}.{part}");
        }
    }
    Ok(found)
}

fn of_table(
    profiles: &Profiles,
    table: &TableProfile,
    context: &Context,
) -> Result<Vec<Finding>, FiguresError> {
    let Some(time) = &table.time else { return Ok(Vec::new()) };
    let mut grain = periods::usual(time);
    if grain == Grain::Day && time.to.days() - time.from.days() > LONG {
        grain = Grain::Week;
    }
    let question = |measure: &Measure| Question {
        id: "finding".to_owned(),
        table: table.reading.name.clone(),
        ask: Ask::Trend { measure: measure.clone(), grain: Some(grain) },
        filters: Vec::new(),
        period: None,
    };
    let measures = measures(table);
    let parts = divisions(table);
    let questions: Vec<Question> = measures.iter().map(question).collect();
    let mut asked: Vec<(&Question, Option<&str>)> =
        questions.iter().map(|question| (question, None)).collect();
    for (question, measure) in questions.iter().zip(&measures) {
        let whole = matches!(measure.how, Aggregate::Sum | Aggregate::Count);
        asked.extend(parts.iter().filter(|_| whole).map(|by| (question, Some(by.as_str()))));
    }
    let gathered = compute::gather(profiles, &asked, context)?;
    let places = table.columns.iter().map(|column| (column.name.clone(), column.places)).collect();
    let mut found: Vec<Finding> = Vec::new();
    for ((_, by), result) in asked.iter().zip(gathered) {
        // A column that cannot be measured (mixed currencies, say) has its doubt already.
        let Ok((plans, groups)): Result<Gathered, FiguresError> = result else { continue };
        let (Some(plan), Some(groups)) = (plans.first(), groups.first()) else { continue };
        let maker = Maker { table: &table.reading, plan, places: &places };
        match by {
            None => {
                let listed = periods::list(&maker, groups, None, time)?;
                found.extend(tell::of_series(&maker, groups, &listed, None)?);
            }
            Some(_) => {
                let names: std::collections::BTreeSet<&String> =
                    groups.groups.keys().filter_map(|key| key.0.as_ref()).collect();
                let mut series: Vec<(String, Periods)> = Vec::new();
                for name in names {
                    series.push((name.clone(), periods::list(&maker, groups, Some(name), time)?));
                }
                found.extend(flip::find(&maker, &series)?);
                for (name, listed) in &series {
                    let single = tell::outliers_of_group(&maker, groups, listed, name)?;
                    let news = |finding: &Finding| {
                        !found
                            .iter()
                            .any(|other| other.kind == FindingKind::Outlier && other.at == finding.at)
                    };
                    let single: Vec<Finding> = single.into_iter().filter(|finding| news(finding)).collect();
                    found.extend(single);
                }
            }
        }
    }
    Ok(found)
}

/// What is looked into: amounts are added up, rates are averaged, rows are counted where their number varies.
fn measures(table: &TableProfile) -> Vec<Measure> {
    let mut found = Vec::new();
    for column in &table.columns {
        let told = column.kind == Kind::Number
            && !is_part_of_date(&column.name)
            && column.filled * 10 >= table.rows * 6
            && column.distinct != Distinct::Exactly(1);
        if told && found.len() < MOST_MEASURES {
            let how =
                if adds_up(&column.name, column.unit.as_deref()) { Aggregate::Sum } else { Aggregate::Mean };
            found.push(Measure { how, column: Some(column.name.clone()) });
        }
    }
    if found.is_empty() {
        found.push(Measure::rows());
    }
    found
}

/// By what it is divided up: words with few values.
fn divisions(table: &TableProfile) -> Vec<String> {
    let few = |distinct: Distinct| matches!(distinct, Distinct::Exactly(count) if (2..=MOST_PARTS).contains(&count));
    let fit = table.columns.iter().filter(|column| {
        column.kind == Kind::Text && few(column.distinct) && column.missing * 10 <= table.rows
    });
    fit.take(MOST_DIVISIONS).map(|column| column.name.clone()).collect()
}

#[cfg(test)]
mod tests;
