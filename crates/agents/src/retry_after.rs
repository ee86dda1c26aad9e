//! How long a server asks to be left alone: `retry-after-ms`, or `Retry-After` in seconds or as a date. What it
//! says is a wish, not an order: an absurd one is cut to an hour, one that makes no sense is none.

use std::time::Duration;

use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

use crate::rules::dates::{Date, days_of};

/// No wish is honoured for longer than this; after it the server can say so again.
pub(crate) const LONGEST: Duration = Duration::from_secs(3600);

/// The wait a response asks for. A date counts from the server's own `Date`, so that clocks need not agree; without
/// one from `now`, the time since 1970.
pub(crate) fn retry_after(headers: &HeaderMap, now: Duration) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let wish = text(RETRY_AFTER.as_str());
    let by_date = || {
        let until = http_date(wish?)?;
        let from = text(DATE.as_str()).and_then(http_date).unwrap_or(now.as_secs());
        Some(Duration::from_secs(until.saturating_sub(from)))
    };
    let asked = text("retry-after-ms")
        .and_then(|ms| seconds(ms, 1000.0))
        .or_else(|| seconds(wish?, 1.0))
        .or_else(by_date)?;
    Some(asked.min(LONGEST))
}

/// A number of seconds, or of parts of one; a number too large for a `Duration` is as good as for ever.
fn seconds(text: &str, parts: f64) -> Option<Duration> {
    let number = text.parse::<f64>().ok().filter(|number| *number >= 0.0)?;
    Some(Duration::try_from_secs_f64(number / parts).unwrap_or(Duration::MAX))
}

/// Seconds since 1970 of a date as HTTP writes it: today's form, or one of the two old ones.
fn http_date(text: &str) -> Option<u64> {
    let parts: Vec<&str> = text.split([' ', ',', '-']).filter(|part| !part.is_empty()).collect();
    let (day, month, year, time) = match parts[..] {
        [_, day, month, year, time, "GMT" | "UTC"] => (day, month, year, time),
        [_, month, day, time, year] => (day, month, year, time),
        _ => return None,
    };
    let number = |text: &str| text.parse::<u32>().ok();
    let at =
        "JanFebMarAprMayJunJulAugSepOctNovDec".find(month).filter(|at| month.len() == 3 && at % 3 == 0)?;
    let month = u32::try_from(at / 3 + 1).ok()?;
    let year = match (year.len(), i32::try_from(number(year)?).ok()?) {
        (4, year) => year,
        // Two digits, in a form that was old when the century ended.
        (2, year) => year + if year < 70 { 2000 } else { 1900 },
        _ => return None,
    };
    let day = number(day).filter(|day| (1..=days_of(year, month)).contains(day))?;
    let mut clock = time.split(':').map(number);
    let (hour, minute, second) = (clock.next()??, clock.next()??, clock.next()??);
    // A leap second is written 60.
    if clock.next().is_some() || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let days = u64::try_from(Date { year, month, day }.days()).ok()?;
    Some(days * 86_400 + u64::from(hour * 3600 + minute * 60 + second))
}

#[cfg(test)]
mod tests;
