//! Dates as labels have them: years, quarters, months, weeks, days and moments, as seconds on one line. Civil dates of the
//! Gregorian calendar without time zones: a label says what a clock on the wall said.

/// Seconds of a day.
pub(crate) const DAY: i64 = 86_400;

/// How fine a label is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Grain {
    Year,
    Quarter,
    Month,
    Week,
    Day,
    Moment,
}

/// Where a label stands: the second it begins at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    pub second: i64,
    pub grain: Grain,
}

/// A day of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Civil {
    pub year: i64,
    pub month: i64,
    pub day: i64,
}

impl Civil {
    pub fn first_of(year: i64, month: i64) -> Self {
        let months = year * 12 + month - 1;
        Self { year: months.div_euclid(12), month: months.rem_euclid(12) + 1, day: 1 }
    }

    /// The day a second lies in.
    pub fn of_second(second: i64) -> Self {
        Self::of_days(second.div_euclid(DAY))
    }

    /// Days since 1 January 1970: counted in years that begin in March, so that a leap day is a year's last.
    pub fn days(self) -> i64 {
        let year = if self.month <= 2 { self.year - 1 } else { self.year };
        let era = year.div_euclid(400);
        let in_era = year.rem_euclid(400);
        let of_year = (153 * ((self.month + 9) % 12) + 2) / 5 + self.day - 1;
        era * 146_097 + in_era * 365 + in_era / 4 - in_era / 100 + of_year - 719_468
    }

    fn of_days(days: i64) -> Self {
        let days = days + 719_468;
        let era = days.div_euclid(146_097);
        let in_era = days.rem_euclid(146_097);
        let year = (in_era - in_era / 1460 + in_era / 36_524 - in_era / 146_096) / 365;
        let of_year = in_era - (365 * year + year / 4 - year / 100);
        let shifted = (5 * of_year + 2) / 153;
        let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
        let year = year + era * 400 + i64::from(month <= 2);
        Self { year, month, day: of_year - (153 * shifted + 2) / 5 + 1 }
    }

    pub fn second(self) -> i64 {
        self.days() * DAY
    }

    fn is_real(self) -> bool {
        (1..=12).contains(&self.month) && self.day >= 1 && Self::of_days(self.days()) == self
    }
}

/// Reads a label as a date.
pub(crate) fn read(label: &str) -> Option<Moment> {
    let label = label.trim();
    if let Some((date, time)) = label.split_once(['T', ' '])
        && date.len() == 10
    {
        let day = day(date)?;
        return Some(Moment { second: day.second() + clock(time)?, grain: Grain::Moment });
    }
    let at = |civil: Civil, grain| Some(Moment { second: civil.second(), grain });
    if let Some(quarter) = label.strip_prefix(['Q', 'q']) {
        let (quarter, year) = quarter.split_once([' ', '-'])?;
        return at(quarter_of(year, quarter)?, Grain::Quarter);
    }
    match label.len() {
        4 => at(Civil::first_of(digits(label, 4)?, 1), Grain::Year),
        6 | 7 => {
            let (year, rest) = (label.get(..4)?, label.get(4..)?);
            let rest = rest.strip_prefix(['-', ' ']).unwrap_or(rest);
            if let Some(quarter) = rest.strip_prefix(['Q', 'q']) {
                return at(quarter_of(year, quarter)?, Grain::Quarter);
            }
            let month =
                (label.len() == 7 && label.as_bytes().get(4) == Some(&b'-')).then(|| digits(rest, 2))??;
            (1..=12).contains(&month).then(|| at(Civil::first_of(digits(year, 4)?, month), Grain::Month))?
        }
        8 => {
            let (year, week) = label.split_once("-W")?;
            Some(Moment { second: week_of(digits(year, 4)?, digits(week, 2)?)?, grain: Grain::Week })
        }
        10 => at(day(label)?, Grain::Day),
        _ => None,
    }
}

fn digits(text: &str, length: usize) -> Option<i64> {
    (text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

fn day(text: &str) -> Option<Civil> {
    let mut parts = text.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let civil = Civil { year: digits(year, 4)?, month: digits(month, 2)?, day: digits(day, 2)? };
    (parts.next().is_none() && civil.is_real()).then_some(civil)
}

fn quarter_of(year: &str, quarter: &str) -> Option<Civil> {
    let quarter = digits(quarter, 1)?;
    (1..=4).contains(&quarter).then(|| Some(Civil::first_of(digits(year, 4)?, quarter * 3 - 2)))?
}

/// Monday of a week by ISO 8601: the first week holds 4 January.
fn week_of(year: i64, week: i64) -> Option<i64> {
    let fourth = Civil { year, month: 1, day: 4 }.days();
    let monday = fourth - (fourth + 3).rem_euclid(7);
    (1..=53).contains(&week).then_some((monday + (week - 1) * 7) * DAY)
}

/// Seconds of a day: `14:00`, `14:00:30`, `14:00:30.25Z`. A zone that is named shifts nothing: all labels of a series have it.
fn clock(text: &str) -> Option<i64> {
    let text = text.strip_suffix('Z').unwrap_or(text);
    let text = match text.rfind(['+', '-']) {
        Some(at) => text.get(..at)?,
        None => text,
    };
    let text = text.split('.').next()?;
    let mut parts = text.split(':');
    let (hour, minute) = (digits(parts.next()?, 2)?, digits(parts.next()?, 2)?);
    let second = parts.next().map_or(Some(0), |second| digits(second, 2))?;
    let fits = hour < 24 && minute < 60 && second < 60 && parts.next().is_none();
    fits.then_some(hour * 3600 + minute * 60 + second)
}

/// The beginning of the period after the one a second lies in.
pub(crate) fn next(second: i64, grain: Grain) -> i64 {
    let civil = Civil::of_second(second);
    match grain {
        Grain::Year => Civil::first_of(civil.year + 1, 1).second(),
        Grain::Quarter => Civil::first_of(civil.year, civil.month + 3).second(),
        Grain::Month => Civil::first_of(civil.year, civil.month + 1).second(),
        Grain::Week => second + 7 * DAY,
        Grain::Day => second + DAY,
        Grain::Moment => second + 60,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn second(label: &str) -> Option<i64> {
        read(label).map(|moment| moment.second)
    }

    #[test]
    fn every_form_of_a_date_is_read() {
        let new_year = Some(19_723 * DAY);
        for label in
            ["2024", "2024-Q1", "2024Q1", "Q1 2024", "2024-01", "2024-W01", "2024-01-01", "2024-01-01T00:00"]
        {
            assert_eq!(second(label), new_year, "{label}");
        }
        assert_eq!(second("2024-03-09T14:30:15Z"), Some((19_723 + 68) * DAY + 14 * 3600 + 30 * 60 + 15));
        assert_eq!(second("2024-03-09 14:30"), second("2024-03-09T14:30:00+02:00"));
        assert_eq!(second("2021-W01"), second("2021-01-04"));
        assert_eq!(second("1969-12-31"), Some(-DAY));
    }

    #[test]
    fn what_is_no_date_is_not_read() {
        for label in [
            "",
            "24",
            "2024-13",
            "2024-00",
            "2024-02-30",
            "2024-Q5",
            "2024-1-1",
            "20245",
            "abcd",
            "2024-W54",
            "2024-03-09T25:00",
            "１２３４",
            "2024-03-09T",
            "99-Q1",
        ] {
            assert_eq!(read(label), None, "{label}");
        }
    }

    #[test]
    fn days_go_there_and_back() {
        for days in (-800_000..800_000).step_by(37) {
            let civil = Civil::of_second(days * DAY);
            assert_eq!(civil.days(), days);
            assert!(civil.is_real());
        }
    }

    #[test]
    fn periods_follow_each_other() {
        let step = |label: &str| {
            let moment = read(label).unwrap();
            next(moment.second, moment.grain)
        };
        assert_eq!(Some(step("2024-12")), second("2025-01"));
        assert_eq!(Some(step("2024-Q4")), second("2025"));
        assert_eq!(Some(step("2024-02-29")), second("2024-03-01"));
    }
}
