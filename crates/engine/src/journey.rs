//! The way a run went through its states, for drawings: how often, how long, by which rows.

use baton_machine::{Journey, TableText};

use crate::history::kept;
use crate::points::Way;
use crate::record::Body;
use crate::{Millis, Record};

/// The way these records tell, up to `until`. What was taken back is not part of it.
pub fn journey(table: &TableText, records: Vec<Record>, until: Millis) -> Journey {
    let mut journey = Journey::default();
    let mut way = Way::from(&table.start);
    let mut since: Option<Millis> = None;
    for Record { n, at, body } in kept(records) {
        let from = since.get_or_insert(at);
        let before = way.state().to_owned();
        let begins = way.follow(n, &body);
        let stay = journey.stays.entry(before).or_default();
        stay.millis = stay.millis.saturating_add(millis(at, *from));
        since = Some(at);
        if begins && !matches!(body, Body::Forked(_)) {
            journey.stays.entry(way.state().to_owned()).or_default().visits += 1;
        }
        if let Body::Event(happened) = body {
            *journey.rows.entry(happened.row).or_insert(0) += 1;
        }
    }
    let is_over = table.states.iter().any(|state| state.name == way.state() && state.is_final());
    if let Some(since) = since.filter(|_| !is_over) {
        journey.stays.entry(way.state().to_owned()).or_default().millis += millis(until, since);
    }
    journey.here = Some(way.state().to_owned());
    journey
}

fn millis(later: Millis, earlier: Millis) -> u64 {
    u64::try_from(later.since(earlier).as_millis()).unwrap_or(u64::MAX)
}
