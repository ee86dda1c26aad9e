//! Which column of a table says when, how often, and how far it reaches.

use super::{Doubt, TimeProfile, guess};
use crate::date::{Date, Grain};
use crate::reading::TableReading;

/// The column that says when: the one named in the reading, else the one most of whose name and cells speak of time.
pub fn time(
    table: &mut TableReading,
    days: &[(usize, Vec<Date>)],
    found: &mut Vec<Doubt>,
) -> Option<TimeProfile> {
    let named = table.time.as_ref().and_then(|name| table.column(name)).map(|(at, _)| at);
    let chosen =
        days.iter().filter(|(at, _)| named.is_none_or(|named| named == *at)).max_by_key(|(at, list)| {
            let name = table.columns.get(*at).map(|column| column.name.as_str()).unwrap_or_default();
            // A column of years beside one of days only repeats it.
            let is_part = list.iter().all(|day| Grain::Year.period(*day).from == *day);
            (guess::speaks_of_time(name), list.len().min(1000) > 1, !is_part, std::cmp::Reverse(*at))
        })?;
    let (at, list) = chosen;
    let column = table.columns.get(*at)?.name.clone();
    if named.is_none() && days.len() > 1 {
        let others: Vec<&str> = days
            .iter()
            .filter(|(other, _)| other != at)
            .filter_map(|(other, _)| Some(table.columns.get(*other)?.name.as_str()))
            .collect();
        let text = format!("Periods are told by \"{column}\"; {} could tell them too.", others.join(" and "));
        found.push(Doubt {
            table: table.name.clone(),
            column: Some(column.clone()),
            row: None,
            grave: false,
            text,
        });
    }
    table.time = Some(column.clone());
    let (from, to) = (*list.first()?, *list.last()?);
    let frequency = frequency(list);
    let gaps = frequency.map_or(0, |grain| gaps(list, grain));
    Some(TimeProfile { column, from, to, frequency, gaps, days: list.len() as u64 })
}

fn frequency(days: &[Date]) -> Option<Grain> {
    if days.len() < 2 {
        return None;
    }
    let mut steps: Vec<i32> = days.windows(2).map(|pair| pair[1].days() - pair[0].days()).collect();
    steps.sort_unstable();
    let within = |low: i32, high: i32| {
        steps.iter().filter(|step| (low..=high).contains(*step)).count() * 10 >= steps.len() * 6
    };
    [
        (Grain::Day, 1, 1),
        (Grain::Week, 7, 7),
        (Grain::Month, 28, 31),
        (Grain::Quarter, 89, 92),
        (Grain::Year, 365, 366),
    ]
    .into_iter()
    .find(|(_, low, high)| within(*low, *high))
    .map(|(grain, ..)| grain)
    .or_else(|| whole(days))
}

/// Days that only ever stand for whole years or months, however far apart: the last of them is over as well.
fn whole(days: &[Date]) -> Option<Grain> {
    let all_begin = |grain: Grain| days.iter().all(|day| grain.period(*day).from == *day);
    [Grain::Year, Grain::Month].into_iter().find(|grain| all_begin(*grain))
}

fn gaps(days: &[Date], grain: Grain) -> u64 {
    let mut missing = 0;
    for pair in days.windows(2) {
        let mut next = grain.after(grain.period(pair[0]).from);
        let until = grain.period(pair[1]).from;
        while next < until {
            missing += 1;
            next = grain.after(next);
        }
    }
    missing
}
