//! Reading a question of a brief as typed ones: what the figures understand, said once more in their words where a
//! question is about weekdays, unusual days, two things compared, or a course over years.

mod both;

pub use both::{missing_end, missing_group};

use baton_agents::rules::answer::parts;
use baton_agents::rules::words::{content_stems, fold, word_ranges};
use baton_figures::compute::periods::covered;
use baton_figures::profile::guess::is_part_of_date;
use baton_figures::reading::Kind;
use baton_figures::{Ask, Date, Grain, Measure, Period, Profiles, Question, TableProfile, understand};

use crate::report::naming::named;
use crate::report::tell::same_way;

/// Words that say nothing of what is asked.
const FILLER: &[&str] =
    &["through", "came", "come", "comes", "coming", "via", "overall", "please", "exactly", "also", "too"];

/// What was made of a question.
#[derive(Debug)]
pub struct Reading {
    /// The typed questions.
    pub asks: Vec<Question>,
    /// Parts of it that nothing was made of.
    pub left: Vec<String>,
}

/// The typed questions of a question, or why there are none.
#[cfg(test)]
pub fn read(question: &str, profiles: &Profiles) -> Result<Vec<Question>, String> {
    whole(question, profiles).map(|reading| reading.asks)
}

/// The typed questions of a question and what of it is left, or why there are none.
pub fn whole(question: &str, profiles: &Profiles) -> Result<Reading, String> {
    let refused = match one(question, profiles) {
        Ok(asks) => return Ok(Reading { asks, left: Vec::new() }),
        Err(why) => why,
    };
    let mut reading = Reading { asks: Vec::new(), left: Vec::new() };
    for part in parts(question) {
        match one(&part, profiles) {
            Ok(asks) => reading.asks.extend(asks),
            Err(_) => reading.left.push(part),
        }
    }
    if reading.asks.is_empty() { Err(refused) } else { Ok(reading) }
}

/// The typed questions of a question that is one, or why there are none.
fn one(question: &str, profiles: &Profiles) -> Result<Vec<Question>, String> {
    if let Some(typed) = special(question, profiles) {
        return Ok(vec![typed]);
    }
    if let Some((left, right)) = compared(question) {
        let found: Vec<Question> = [left, right].iter().filter_map(|it| plain(it, profiles).ok()).collect();
        if found.len() == 2 {
            return Ok(found);
        }
    }
    if let Some(both) = both::ends(question, profiles) {
        return Ok(both);
    }
    match plain(question, profiles).or_else(|why| together(question, profiles).ok_or(why)) {
        Ok(typed) => Ok(vec![typed]),
        Err(why) => both::things(question, profiles).ok_or(why),
    }
}

/// "Do shops with more orders also have more revenue?" asks whether the two go together without a word for it.
fn together(question: &str, profiles: &Profiles) -> Option<Question> {
    same_way(question)?;
    let asked = format!("{} correlated", question.trim_end_matches(['?', ' ']));
    plain(&asked, profiles).ok().filter(|typed| matches!(typed.ask, Ask::Correlation { .. }))
}

/// What the figures understand, with fillers taken out if they stand in the way.
fn plain(question: &str, profiles: &Profiles) -> Result<Question, String> {
    let understood = understand("d0", question, profiles);
    if let Some(typed) = understood.question {
        return Ok(settled(typed, profiles));
    }
    let refused = understood.refused.unwrap_or_default();
    let bare: Vec<&str> = question
        .split(' ')
        .filter(|word| !FILLER.contains(&fold(word.trim_matches(['?', ',', '.'])).as_str()))
        .collect();
    let again = understand("d0", &bare.join(" "), profiles).question;
    again.map(|typed| settled(typed, profiles)).ok_or(refused)
}

/// Questions about weekdays, seasons and unusual days.
fn special(question: &str, profiles: &Profiles) -> Option<Question> {
    let words: Vec<String> = word_ranges(question).map(|at| fold(&question[at])).collect();
    let any = |list: &[&str]| words.iter().any(|word| list.iter().any(|stem| word.starts_with(stem)));
    let season = any(&["weekday", "season"]) || question.to_lowercase().contains("day of the week");
    let unusual = any(&["unusual", "outlier", "anomal", "exceptional", "abnormal"]);
    if !season && !unusual {
        return None;
    }
    let (table, column) = measured_in(question, profiles)?;
    let time = table.time.as_ref()?;
    let measure = Measure::sum(&column);
    let ask = if season {
        Ask::Seasonality { measure }
    } else {
        Ask::Peak { measure, grain: time.frequency.unwrap_or(Grain::Day), lowest: false }
    };
    Some(Question {
        id: "d0".to_owned(),
        table: table.reading.name.clone(),
        ask,
        filters: Vec::new(),
        period: None,
    })
}

/// The column of numbers whose name stands in a question, the longest name first.
fn measured_in<'p>(question: &str, profiles: &'p Profiles) -> Option<(&'p TableProfile, String)> {
    let stems = content_stems(question);
    let mut best: Option<(usize, &TableProfile, String)> = None;
    for table in &profiles.tables {
        // Months of a date that stands beside them measure nothing.
        let repeats = |name: &str| table.time.is_some() && is_part_of_date(name);
        for column in table.columns.iter().filter(|it| it.kind == Kind::Number && !repeats(&it.name)) {
            let own = content_stems(&named(&column.name));
            let fits = !own.is_empty() && own.iter().all(|stem| stems.contains(stem));
            if fits && best.as_ref().is_none_or(|(size, _, _)| own.len() > *size) {
                best = Some((own.len(), table, column.name.clone()));
            }
        }
    }
    best.map(|(_, table, column)| (table, column))
}

/// "How did costs develop compared with revenue" is two questions.
fn compared(question: &str) -> Option<(String, String)> {
    let lower = question.to_lowercase();
    let at = [" compared with ", " compared to ", " versus ", " relative to "]
        .iter()
        .find_map(|it| lower.find(it).map(|at| (at, at + it.len())))?;
    let (left, right) = (question.get(..at.0)?, question.get(at.1..)?.trim_end_matches(['?', '.']));
    let begins =
        ["how did ", "how has ", "how have ", "how do "].iter().find(|it| lower.starts_with(**it))?;
    let verb = if lower.contains(" change") { "change" } else { "develop" };
    Some((format!("{left}?"), format!("{}{right} {verb}?", &question[..begins.len()])))
}

/// Whole years are compared with each other, where nobody says which times are meant.
fn settled(mut typed: Question, profiles: &Profiles) -> Question {
    let Some(time) = profiles.table(&typed.table).and_then(|table| table.time.as_ref()) else { return typed };
    let span = typed.period.unwrap_or_else(|| covered(time));
    let ends = ends(span);
    match (&typed.ask, ends) {
        (Ask::Trend { measure, grain }, Some((from, to))) if is_coarser(*grain, from) => {
            typed.ask = Ask::Change { measure: measure.clone(), from: Some(from), to: Some(to), grain: None };
            typed.period = None;
        }
        (Ask::Change { measure, from: None, to: None, grain: None }, Some((from, to))) => {
            typed.ask = Ask::Change { measure: measure.clone(), from: Some(from), to: Some(to), grain: None };
            typed.period = None;
        }
        _ => {}
    }
    typed
}

/// January beside December tells of seasons: where whole years can be compared they are, and the months are drawn.
fn is_coarser(grain: Option<Grain>, whole: Period) -> bool {
    grain.is_none_or(|grain| whole.grain().is_some_and(|whole| whole > grain))
}

/// The first and the last whole year, or else month, of a time.
fn ends(span: Period) -> Option<(Period, Period)> {
    for grain in [Grain::Year, Grain::Month] {
        let mut first = grain.period(span.from);
        if first.from < span.from {
            first = grain.period(first.to.plus(1));
        }
        let mut last = grain.period(span.to);
        if last.to > span.to {
            last = grain.period(before(last.from));
        }
        if first.from < last.from {
            return Some((first, last));
        }
    }
    None
}

fn before(date: Date) -> Date {
    date.plus(-1)
}
