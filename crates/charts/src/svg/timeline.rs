//! Time along an axis: which moments are named, and how.

use crate::spec::Language;
use crate::text;
use crate::time::{Civil, DAY, Grain};
use crate::words::words;

/// A moment that is named, with a second line where the larger unit changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tick {
    pub second: i64,
    pub label: String,
    pub below: String,
}

/// A distance between named moments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Years(i64),
    Months(i64),
    Days(i64),
    Seconds(i64),
}

/// From fine to coarse.
const STEPS: [Step; 26] = [
    Step::Seconds(60),
    Step::Seconds(5 * 60),
    Step::Seconds(15 * 60),
    Step::Seconds(30 * 60),
    Step::Seconds(3600),
    Step::Seconds(3 * 3600),
    Step::Seconds(6 * 3600),
    Step::Seconds(12 * 3600),
    Step::Days(1),
    Step::Days(2),
    Step::Days(7),
    Step::Days(14),
    Step::Months(1),
    Step::Months(2),
    Step::Months(3),
    Step::Months(6),
    Step::Years(1),
    Step::Years(2),
    Step::Years(5),
    Step::Years(10),
    Step::Years(20),
    Step::Years(50),
    Step::Years(100),
    Step::Years(200),
    Step::Years(500),
    Step::Years(1000),
];

impl Step {
    fn seconds(self) -> i64 {
        match self {
            Self::Years(count) => count * 31_556_952,
            Self::Months(count) => count * 2_629_746,
            Self::Days(count) => count * DAY,
            Self::Seconds(count) => count,
        }
    }

    /// Finer than what labels say.
    fn is_finer_than(self, grain: Grain) -> bool {
        let finest = match grain {
            Grain::Year => 31_556_952,
            Grain::Quarter => 3 * 2_629_746,
            Grain::Month => 2_629_746,
            Grain::Week => 7 * DAY,
            Grain::Day => DAY,
            Grain::Moment => 1,
        };
        self.seconds() < finest
    }

    /// The first of its moments at or after a second.
    fn first(self, second: i64) -> i64 {
        let civil = Civil::of_second(second);
        let at_or_next = |at: i64, next: i64| if at >= second { at } else { next };
        match self {
            Self::Years(count) => {
                let year = civil.year.div_euclid(count) * count;
                at_or_next(Civil::first_of(year, 1).second(), Civil::first_of(year + count, 1).second())
            }
            Self::Months(count) => {
                let month = (civil.month - 1) / count * count + 1;
                at_or_next(
                    Civil::first_of(civil.year, month).second(),
                    Civil::first_of(civil.year, month + count).second(),
                )
            }
            // Weeks begin on a Monday; 1 January 1970 was a Thursday.
            Self::Days(count) => {
                let from_monday = second + 3 * DAY;
                let step = count * DAY;
                let at = from_monday.div_euclid(step) * step - 3 * DAY;
                at_or_next(at, at + step)
            }
            Self::Seconds(count) => {
                let at = second.div_euclid(count) * count;
                at_or_next(at, at + count)
            }
        }
    }

    fn next(self, second: i64) -> i64 {
        let civil = Civil::of_second(second);
        match self {
            Self::Years(count) => Civil::first_of(civil.year + count, 1).second(),
            Self::Months(count) => Civil::first_of(civil.year, civil.month + count).second(),
            Self::Days(count) => second + count * DAY,
            Self::Seconds(count) => second + count,
        }
    }
}

/// The moments an axis from `low` to `high` names in so many pixels.
pub(super) fn ticks(
    low: i64,
    high: i64,
    width: f64,
    grain: Grain,
    language: Language,
    size: f64,
) -> Vec<Tick> {
    for step in STEPS.into_iter().filter(|step| !step.is_finer_than(grain)) {
        let expected = (high - low) / step.seconds();
        if expected > 60 {
            continue;
        }
        let mut seconds = Vec::new();
        let mut second = step.first(low);
        while second <= high {
            seconds.push(second);
            second = step.next(second);
        }
        let ticks = named(&seconds, step, grain, language);
        let widest =
            ticks.iter().map(|tick| text::width(&tick.label, size).max(text::width(&tick.below, size)));
        let widest = widest.fold(0.0, f64::max);
        let room = width * step.seconds() as f64 / (high - low).max(1) as f64;
        if !ticks.is_empty() && (ticks.len() == 1 || widest + 14.0 <= room) {
            return ticks;
        }
    }
    named(&[low], Step::Days(1), grain, language)
}

/// Names moments; the larger unit is named where it changes.
fn named(seconds: &[i64], step: Step, grain: Grain, language: Language) -> Vec<Tick> {
    let mut before = String::new();
    let mut ticks = Vec::new();
    for second in seconds {
        let (label, larger) = name(*second, step, grain, language);
        let below = if larger == before { String::new() } else { larger.clone() };
        before = larger;
        ticks.push(Tick { second: *second, label, below });
    }
    ticks
}

fn name(second: i64, step: Step, grain: Grain, language: Language) -> (String, String) {
    let civil = Civil::of_second(second);
    let month = words(language).months.get((civil.month - 1) as usize).copied().unwrap_or_default();
    let day = match language {
        Language::De => format!("{}. {month}", civil.day),
        _ => format!("{} {month}", civil.day),
    };
    match (grain, step) {
        (Grain::Year, _) | (_, Step::Years(_)) => (civil.year.to_string(), String::new()),
        (Grain::Quarter, _) => (format!("Q{}", (civil.month + 2) / 3), civil.year.to_string()),
        (Grain::Month, _) | (_, Step::Months(_)) => (month.to_owned(), civil.year.to_string()),
        (_, Step::Days(_)) => (day, civil.year.to_string()),
        (_, Step::Seconds(_)) => {
            let of_day = second.rem_euclid(DAY);
            (format!("{:02}:{:02}", of_day / 3600, of_day % 3600 / 60), format!("{day} {}", civil.year))
        }
    }
}

/// One period by its own name, for the foot of a column.
pub(super) fn period(second: i64, grain: Grain, language: Language) -> (String, String) {
    let step = if grain == Grain::Moment { Step::Seconds(60) } else { Step::Days(1) };
    name(second, step, grain, language)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::read;

    fn labels(from: &str, to: &str, width: f64, grain: Grain) -> Vec<String> {
        let second = |label| read(label).unwrap().second;
        let ticks = ticks(second(from), second(to), width, grain, Language::En, 12.0);
        ticks.iter().map(|tick| format!("{} {}", tick.label, tick.below).trim().to_owned()).collect()
    }

    #[test]
    fn an_axis_names_what_its_frequency_allows() {
        assert_eq!(
            labels("2019", "2024", 600.0, Grain::Year),
            ["2019", "2020", "2021", "2022", "2023", "2024"]
        );
        assert_eq!(
            labels("2023-01", "2024-12", 600.0, Grain::Month)[..5],
            ["Jan 2023", "Mar", "May", "Jul", "Sep"]
        );
        assert_eq!(labels("2023-07-15", "2023-08-20", 600.0, Grain::Day)[..2], ["17 Jul 2023", "24 Jul"]);
        assert_eq!(labels("2024-Q1", "2024-Q4", 600.0, Grain::Quarter), ["Q1 2024", "Q2", "Q3", "Q4"]);
        assert_eq!(
            labels("2024-03-09T00:00", "2024-03-09T18:00", 300.0, Grain::Moment)[..2],
            ["00:00 9 Mar 2024", "06:00"]
        );
        assert_eq!(labels("1000", "2990", 300.0, Grain::Year).len(), 4);
    }

    #[test]
    fn one_moment_has_its_name() {
        assert_eq!(labels("2024-03-09", "2024-03-09", 600.0, Grain::Day), ["9 Mar 2024"]);
    }
}
