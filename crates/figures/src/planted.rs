//! Data sets with known facts in them, made from a seed, and what should be found in each: for tests and for the bench.

#![allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)] // made-up numbers

use std::fmt::Write as _;

use crate::date::{Date, Period};
use crate::decimal::Decimal;
use crate::figure::Direction;
use crate::finding::{Finding, FindingKind};
use crate::question::{MONTHS, WEEKDAYS};

/// Chance from a seed.
#[derive(Debug, Clone)]
pub struct Chance(u64);

impl Chance {
    /// From a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// From 0 to 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Between two.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// One of so many.
    pub fn below(&mut self, count: usize) -> usize {
        (self.unit() * count as f64) as usize % count
    }

    /// Noise around zero with spread one.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }
}

/// A fact that was planted.
#[derive(Debug, Clone, PartialEq)]
pub enum Fact {
    /// The level changes by this part at this day of the series.
    Level(usize, f64),
    /// The slope changes: growth over the whole length before and after.
    Slope(usize, f64, f64),
    /// A weekday (Monday 0) is this part above the others.
    Weekday(u32, f64),
    /// A month (from 1) is this part above the others, with its neighbours half.
    Month(u32, f64),
    /// A day is this many times what it would be.
    Outlier(usize, f64),
    /// This region overtakes the first about this day, gaining so much of the whole.
    Flip(usize, usize, f64),
}

/// A data set and what is in it.
#[derive(Debug, Clone)]
pub struct Planted {
    /// The table as CSV: day, region, revenue, orders.
    pub csv: String,
    /// The facts.
    pub facts: Vec<Fact>,
    first: Date,
}

const REGIONS: [&str; 3] = ["north", "south", "west"];
/// Days of each data set.
pub const DAYS: usize = 760;

/// Makes a data set; with nothing in it but noise and growth where `empty`.
#[must_use]
pub fn plant(seed: u64, empty: bool) -> Planted {
    let mut chance = Chance::new(seed);
    let mut facts = Vec::new();
    if !empty {
        let wanted = 1 + chance.below(4);
        let mut kinds = vec![0, 1, 2, 3];
        for _ in 0..wanted {
            let kind = kinds.remove(chance.below(kinds.len()));
            facts.push(fact(kind, &mut chance));
        }
    }
    let first = Date::of(2023, 1 + chance.below(12) as u32, 1).unwrap_or(Date::from_days(19_000));
    let (base, growth, noise) =
        (chance.between(800.0, 40_000.0), chance.between(-0.2, 0.3), chance.between(0.03, 0.10));
    let link = chance.between(0.0, 0.4);
    let price = chance.between(8.0, 90.0);
    let mut csv = String::from("day,region,revenue,orders\n");
    let mut memory = 0.0;
    for at in 0..DAYS {
        let day = first.plus(at as i32);
        memory = link * memory + (1.0 - link * link).sqrt() * chance.normal();
        let mut level = base * (1.0 + growth * at as f64 / DAYS as f64) * (1.0 + noise * memory);
        let mut shares = [0.45, 0.31, 0.24];
        for fact in &facts {
            level *= factor(fact, at, day);
            if let Fact::Flip(when, who, gain) = fact
                && at >= *when
            {
                shares[*who] += gain;
                shares[0] -= gain;
            }
        }
        for (region, share) in REGIONS.iter().zip(shares) {
            let revenue = level * share * (1.0 + 0.02 * chance.normal());
            let orders = (revenue / price * (1.0 + 0.02 * chance.normal())).round().max(0.0);
            let _ = writeln!(csv, "{day},{region},{revenue:.2},{orders}");
        }
    }
    Planted { csv, facts, first }
}

fn fact(kind: usize, chance: &mut Chance) -> Fact {
    let sign = if chance.unit() < 0.5 { 1.0 } else { -1.0 };
    match kind {
        0 if chance.unit() < 0.6 => {
            Fact::Level(150 + chance.below(DAYS - 300), sign * chance.between(0.15, 0.5))
        }
        0 => {
            let (before, after) = (chance.between(0.5, 1.2), chance.between(-1.0, -0.4));
            if sign > 0.0 {
                Fact::Slope(250 + chance.below(DAYS - 500), before, after)
            } else {
                Fact::Slope(250 + chance.below(DAYS - 500), -0.4, -after)
            }
        }
        1 if chance.unit() < 0.5 => Fact::Weekday(chance.below(7) as u32, chance.between(0.15, 0.6)),
        1 => Fact::Month(1 + chance.below(12) as u32, chance.between(0.2, 0.6)),
        2 if sign > 0.0 => Fact::Outlier(30 + chance.below(DAYS - 60), chance.between(1.9, 4.0)),
        2 => Fact::Outlier(30 + chance.below(DAYS - 60), chance.between(0.05, 0.3)),
        _ => Fact::Flip(300 + chance.below(DAYS - 600), 1 + chance.below(2), chance.between(0.2, 0.3)),
    }
}

fn factor(fact: &Fact, at: usize, day: Date) -> f64 {
    match fact {
        Fact::Level(when, size) => 1.0 + if at >= *when { *size } else { 0.0 },
        Fact::Slope(when, before, after) => {
            let (early, late) = (at.min(*when) as f64, at.saturating_sub(*when) as f64);
            1.0 + (before * early + after * late) / DAYS as f64
        }
        Fact::Weekday(weekday, size) => 1.0 + if day.weekday() == *weekday { *size } else { 0.0 },
        Fact::Month(month, size) => {
            let away = (day.parts().1 + 12 - month) % 12;
            1.0 + match away {
                0 => *size,
                1 | 11 => size / 2.0,
                _ => 0.0,
            }
        }
        Fact::Outlier(when, size) => {
            if at == *when {
                *size
            } else {
                1.0
            }
        }
        Fact::Flip(..) => 1.0,
    }
}

/// Which facts were found with the right sign and size, and which findings have no fact behind them.
#[must_use]
pub fn judge(planted: &Planted, findings: &[Finding]) -> (Vec<bool>, Vec<Finding>) {
    let found = planted
        .facts
        .iter()
        .map(|fact| findings.iter().any(|finding| tells(planted, fact, finding)))
        .collect();
    let alarms =
        findings.iter().filter(|finding| !planted.facts.iter().any(|fact| is_about(planted, fact, finding)));
    (found, alarms.cloned().collect())
}

/// Whether a finding is about a fact at all: right kind, right place.
fn is_about(planted: &Planted, fact: &Fact, finding: &Finding) -> bool {
    let place = finding.at.map(|at| (middle(at) - planted.first.days()).unsigned_abs() as usize);
    let near = |when: usize, days: usize| place.is_some_and(|place| place.abs_diff(when) <= days);
    match (fact, finding.kind) {
        (Fact::Level(when, _), FindingKind::TrendBreak) => near(*when, 14),
        (Fact::Slope(when, ..), FindingKind::TrendBreak) => near(*when, 76),
        (Fact::Weekday(..), FindingKind::Season) => finding.text.contains("day"),
        (Fact::Month(month, _), FindingKind::Season) => finding.text.contains(MONTHS[*month as usize]),
        (Fact::Outlier(when, _), FindingKind::Outlier) => near(*when, 0),
        (Fact::Flip(when, ..), FindingKind::ShareFlip) => near(*when, 45),
        _ => false,
    }
}

/// By how many days the date of a break that was found is late; none where none was found or the fact has no date.
#[must_use]
pub fn date_off(planted: &Planted, fact: &Fact, findings: &[Finding]) -> Option<i32> {
    let (Fact::Level(when, _) | Fact::Slope(when, ..)) = fact else { return None };
    let finding = findings.iter().find(|finding| is_about(planted, fact, finding))?;
    Some(middle(finding.at?) - planted.first.plus(*when as i32).days())
}

/// How many days the stretch has in which a bend is told to lie, and whether it lies there.
#[must_use]
pub fn told_within(planted: &Planted, fact: &Fact, findings: &[Finding]) -> Option<(i32, bool)> {
    let Fact::Slope(when, ..) = fact else { return None };
    let told = findings.iter().find(|finding| is_about(planted, fact, finding))?.at?;
    Some((told.days(), told.holds(planted.first.plus(*when as i32))))
}

fn middle(stretch: Period) -> i32 {
    i32::midpoint(stretch.from.days(), stretch.to.days())
}

/// Whether it also tells the right sign and size.
fn tells(planted: &Planted, fact: &Fact, finding: &Finding) -> bool {
    if !is_about(planted, fact, finding) {
        return false;
    }
    let up = finding.direction == Some(Direction::Up);
    let size = finding.figures.first().map_or(0.0, |figure| figure.value.to_f64());
    let within = |wanted: f64, slack: f64| (size - wanted).abs() <= slack.max(wanted.abs() * 0.3);
    match fact {
        Fact::Level(_, wanted) => up == (*wanted > 0.0) && within(wanted * 100.0, 7.0),
        Fact::Slope(_, before, after) => up == (after > before),
        Fact::Weekday(day, wanted) => {
            finding.text.contains(&format!("highest on {}", WEEKDAYS[*day as usize]))
                && within(wanted * 100.0, 8.0)
        }
        Fact::Month(month, wanted) => {
            finding.text.contains(&format!("highest in {}", MONTHS[*month as usize]))
                && within(wanted * 100.0, 20.0)
        }
        Fact::Outlier(when, wanted) => {
            up == (*wanted > 1.0)
                && finding
                    .figures
                    .first()
                    .is_some_and(|figure| figure.value == total(planted, *when, &finding.measure))
        }
        Fact::Flip(_, who, wanted) => finding.text.starts_with(REGIONS[*who]) && within(wanted * 100.0, 8.0),
    }
}

/// The sum of a day, added up from the text.
fn total(planted: &Planted, when: usize, measure: &str) -> Decimal {
    let day = planted.first.plus(when as i32).to_string();
    let column = if measure.ends_with("revenue") { 2 } else { 3 };
    let cells = planted
        .csv
        .lines()
        .filter(|line| line.starts_with(&day))
        .filter_map(|line| line.split(',').nth(column)?.parse().ok());
    cells.fold(Decimal::ZERO, |sum, cell: Decimal| sum.plus(cell).unwrap_or(sum))
}
