//! Breaks, seasons and outliers in one model: a line that may break once, weekdays or months, and noise. Each part is
//! tested against the model without it, so that a season is not taken for a break nor a break for a season.

#![allow(clippy::cast_precision_loss)] // counts of periods

use super::bend;
use super::statistics::{Base, Fit, fit, median, memory, smooth, spread};
use crate::date::{Grain, Period};

/// What was detected, by places in the series.
#[derive(Debug, Clone, Default)]
pub struct Detected {
    /// The break.
    pub broken: Option<Break>,
    /// Weekdays that differ.
    pub weekdays: Option<Season>,
    /// Months (or quarters of a quarterly series) that differ.
    pub months: Option<Season>,
    /// Places of outliers: how far off in units of the noise, with sign.
    pub outliers: Vec<(usize, f64)>,
}

/// Weekdays or months that differ.
#[derive(Debug, Clone)]
pub struct Season {
    /// How sure.
    pub strength: f64,
    /// How far each is above the first that occurs, whatever else the series does: weekdays from Monday, months from 1.
    pub effects: Vec<(u32, f64)>,
    /// Whether that is told in logarithms.
    pub by_parts: bool,
}

/// A break.
#[derive(Debug, Clone, Copy)]
pub struct Break {
    /// The first place after it.
    pub at: usize,
    /// The first place it may well be at, and the last; a step is seen on its day.
    pub likely: (usize, usize),
    /// Whether the level jumped; else the slope changed.
    pub level: bool,
    /// Up or down.
    pub up: bool,
    /// How sure.
    pub strength: f64,
    /// Whether a step elsewhere explains nearly as much; then none is told.
    pub doubtful: bool,
}

/// Fewer values say nothing.
const FEWEST: usize = 20;
/// Places tried for a break.
const TRIES: usize = 60;
/// How often the place of a bend is looked for again with the seasons beside it.
const ROUNDS: usize = 4;
/// A turn is told if it lies in a stretch of which so many fit into the series.
const WIDEST: usize = 3;
/// How sure a break must be: twice and more what chance brings when every place is tried.
const BREAK: f64 = 16.0;
/// Part of what a step explains that another one elsewhere may explain.
const NEARLY: f64 = 0.92;
/// How sure a season must be.
const SEASON: f64 = 6.0;
/// Units of noise an outlier must be off.
const OUTLIER: f64 = 6.0;
/// Periods on each side that an outlier must be as far from.
const BESIDE: usize = 7;
/// Part of the level below which nobody would mention it.
const NOTABLE: f64 = 0.03;

struct Model<'a> {
    values: &'a [f64],
    places: &'a [f64],
    weekdays: Slots,
    months: Slots,
}

/// Columns of a season, one for each slot but the first that occurs.
#[derive(Default)]
struct Slots {
    names: Vec<u32>,
    columns: Vec<Vec<f64>>,
}

impl Model<'_> {
    fn columns(&self, broken: Option<usize>, weekdays: bool, months: bool) -> Vec<Vec<f64>> {
        let mut columns = vec![vec![1.0; self.values.len()], self.places.to_vec()];
        if let Some(at) = broken {
            columns.extend(self.break_columns(at));
        }
        if weekdays {
            columns.extend(self.weekdays.columns.iter().cloned());
        }
        if months {
            columns.extend(self.months.columns.iter().cloned());
        }
        columns
    }

    /// A step and a bend.
    fn break_columns(&self, at: usize) -> [Vec<f64>; 2] {
        let edge = self.places.get(at).copied().unwrap_or(0.0);
        let step = (0..self.values.len()).map(|n| if n >= at { 1.0 } else { 0.0 });
        let bend = self.places.iter().enumerate().map(|(n, place)| if n >= at { place - edge } else { 0.0 });
        [step.collect(), bend.collect()]
    }

    fn fit(&self, broken: Option<usize>, weekdays: bool, months: bool) -> Option<Fit> {
        fit(&self.columns(broken, weekdays, months), self.values)
    }

    /// A bend where it fits best by itself; a step stays, it can stand nowhere else.
    fn settled(&self, broken: Break, weekdays: bool, months: bool, by_parts: bool) -> Break {
        if broken.level {
            return broken;
        }
        let mut found = broken;
        for _ in 0..ROUNDS {
            // Seasons as they are beside a bend alone, here.
            let mut columns = self.columns(None, weekdays, months);
            let [_, bend] = self.break_columns(found.at);
            columns.insert(2, bend);
            let Some(fit) = fit(&columns, self.values) else { return found };
            let mut bare = self.values.to_vec();
            for (column, effect) in columns.iter().zip(&fit.coefficients).skip(3) {
                for (value, cell) in bare.iter_mut().zip(column) {
                    *value -= effect * cell;
                }
            }
            let Some(place) = bend::place(&bare, self.places, by_parts, margin(bare.len())) else {
                return found;
            };
            let same = place.at == found.at;
            found = Break { at: place.at, likely: place.likely, ..found };
            if same {
                break;
            }
        }
        found
    }

    /// How much worse the smaller model is, in units of the noise of the larger.
    fn gain(&self, large: &Fit, small: &Fit) -> f64 {
        let (wide, narrow) = (large.coefficients.len(), small.coefficients.len());
        let noise = large.squares / (self.values.len() - wide) as f64;
        if noise <= 0.0 {
            return if small.squares > 1e-9 { 1e6 } else { 0.0 };
        }
        (small.squares - large.squares) / (wide - narrow).max(1) as f64 / noise / memory(&large.residuals)
    }
}

/// Looks for a break, seasons and outliers in values of complete periods.
#[must_use]
pub fn detect(periods: &[Period], values: &[f64], grain: Grain) -> Detected {
    let count = values.len();
    let mut found = Detected::default();
    if count < FEWEST || spread_of(values) <= 0.0 {
        return found;
    }
    // What grows by parts of itself is a line in logarithms, and so are its seasons.
    let by_parts = values.iter().all(|value| *value > 0.0);
    let logarithms: Vec<f64> =
        if by_parts { values.iter().map(|value| value.ln()).collect() } else { Vec::new() };
    let level = if by_parts {
        1.0
    } else {
        median(&values.iter().map(|value| value.abs()).collect::<Vec<_>>()).max(f64::MIN_POSITIVE)
    };
    let finest = finest(values, by_parts);
    let values = if by_parts { logarithms.as_slice() } else { values };
    let places: Vec<f64> = (0..count).map(|at| at as f64 / count as f64).collect();
    let weekdays = if grain == Grain::Day && count >= 28 {
        slots(periods, 0..7, &|period| period.from.weekday())
    } else {
        Slots::default()
    };
    let long = match grain {
        Grain::Day => count >= 700,
        Grain::Week => count >= 104,
        Grain::Month => count >= 24,
        Grain::Quarter => count >= 20,
        Grain::Year => false,
    };
    let months = if long { slots(periods, 1..13, &|period| period.from.parts().1) } else { Slots::default() };
    let tamed = tame(periods, values, !weekdays.columns.is_empty());
    let model = Model { values: &tamed, places: &places, weekdays, months };
    let (weekly, yearly) = (!model.weekdays.columns.is_empty(), !model.months.columns.is_empty());
    let (broken, yearly) = choose(&model, weekly, yearly, level);
    let broken = broken.map(|broken| model.settled(broken, weekly, yearly, by_parts));
    // At the edge of where it may be it fits better still outside, where a few periods would decide.
    let broken = broken.filter(|broken| margin(count) < broken.at && broken.at < count - margin(count));
    let at = broken.map(|broken| broken.at);
    let Some(full) = model.fit(at, weekly, yearly) else { return found };
    let tested = |small: Option<Fit>, slots: &Slots, effects: &[f64]| {
        let gain = small.map_or(0.0, |small| model.gain(&full, &small));
        let reach = effects.iter().copied().fold(0.0, f64::max) - effects.iter().copied().fold(0.0, f64::min);
        let effects = slots.names.iter().copied().zip([0.0].iter().chain(effects).copied()).collect();
        (gain > SEASON && reach > NOTABLE * level).then_some(Season { strength: gain, effects, by_parts })
    };
    let skip = 2 + if at.is_some() { 2 } else { 0 };
    let effects = full.coefficients.get(skip..).unwrap_or_default();
    let (days, rest) = effects.split_at(model.weekdays.columns.len());
    if weekly {
        found.weekdays = tested(model.fit(at, false, yearly), &model.weekdays, days);
    }
    if yearly {
        found.months = tested(model.fit(at, weekly, false), &model.months, rest);
    }
    // A turn that may lie anywhere is modelled and not told.
    found.broken = broken.filter(|broken| (broken.likely.1 - broken.likely.0) * WIDEST <= count);
    // Seasons that are none only add noise to what is expected.
    let lean = model.fit(at, found.weekdays.is_some(), found.months.is_some()).unwrap_or(full);
    let off: Vec<f64> = values
        .iter()
        .zip(&tamed)
        .zip(&lean.residuals)
        .map(|((value, tame), rest)| rest + value - tame)
        .collect();
    let seasons = lean.coefficients.len() - skip;
    let columns = model.columns(at, found.weekdays.is_some(), found.months.is_some());
    let mut bare = values.to_vec();
    for (column, effect) in columns.iter().zip(&lean.coefficients).skip(skip).take(seasons) {
        for (value, cell) in bare.iter_mut().zip(column) {
            *value -= effect * cell;
        }
    }
    // Of coarser periods there are too few beside one, and seasons take up part of what is off.
    let bare = if grain == Grain::Day { bare } else { Vec::new() };
    found.outliers = outliers(&off, &bare, level, by_parts, finest);
    found
}

fn spread_of(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::MIN, f64::max) - values.iter().copied().fold(f64::MAX, f64::min)
}

fn slots(periods: &[Period], all: std::ops::Range<u32>, slot: &dyn Fn(&Period) -> u32) -> Slots {
    let names: Vec<u32> = all.filter(|wanted| periods.iter().any(|period| slot(period) == *wanted)).collect();
    let column =
        |wanted: &u32| periods.iter().map(|period| if slot(period) == *wanted { 1.0 } else { 0.0 }).collect();
    Slots { columns: names.iter().skip(1).map(column).collect(), names }
}

/// Wild values are cut to where they still count but decide nothing. What every weekday has is not wild.
fn tame(periods: &[Period], values: &[f64], weekly: bool) -> Vec<f64> {
    let base = smooth(values, 10);
    let off: Vec<f64> = values.iter().zip(&base).map(|(value, base)| value - base).collect();
    let slot = |period: &Period| if weekly { period.from.weekday() } else { 0 };
    let usual: Vec<f64> = (0..7)
        .map(|wanted| {
            let own =
                periods.iter().zip(&off).filter(|(period, _)| slot(period) == wanted).map(|(_, off)| *off);
            median(&own.collect::<Vec<_>>())
        })
        .collect();
    let usual: Vec<f64> =
        periods.iter().map(|period| usual.get(slot(period) as usize).copied().unwrap_or(0.0)).collect();
    let rest: Vec<f64> = off.iter().zip(&usual).map(|(off, usual)| off - usual).collect();
    let most = 4.0 * spread(&rest);
    if most <= 0.0 {
        return values.to_vec();
    }
    let expected = base.iter().zip(&usual).map(|(base, usual)| base + usual);
    expected.zip(&rest).map(|(expected, rest)| expected + rest.clamp(-most, most)).collect()
}

/// Whether a break, months or both tell the series best: the more there is to tell, the better it must fit. Months and a
/// break can stand for each other where there are only two years.
fn choose(model: &Model<'_>, weekly: bool, yearly: bool, level: f64) -> (Option<Break>, bool) {
    let count = model.values.len() as f64;
    let mut options: Vec<(Option<Break>, bool, Fit)> = Vec::new();
    for months in if yearly { vec![false, true] } else { vec![false] } {
        for broken in [None, break_of(model, weekly, months, level)] {
            let known =
                options.iter().any(|(other, with, _)| *with == months && other.is_none() && broken.is_none());
            if let (false, Some(fit)) = (known, model.fit(broken.map(|broken| broken.at), weekly, months)) {
                options.push((broken, months, fit));
            }
        }
    }
    // Noise that remembers makes fewer values of many.
    let values = count / options.last().map_or(1.0, |(.., fit)| memory(&fit.residuals));
    let cost = |(broken, _, fit): &(Option<Break>, bool, Fit)| {
        let parts = fit.coefficients.len() as f64 + if broken.is_some() { 1.0 } else { 0.0 };
        values * (fit.squares / count).max(1e-300).ln() + parts * values.ln()
    };
    let best = options.into_iter().min_by(|one, two| cost(one).total_cmp(&cost(two)));
    best.map_or((None, yearly), |(broken, months, _)| (broken, months))
}

/// Periods at each end in which no break is looked for.
fn margin(count: usize) -> usize {
    (count / 10).max(6)
}

fn break_of(model: &Model<'_>, weekly: bool, yearly: bool, level: f64) -> Option<Break> {
    let count = model.values.len();
    let whole = model.fit(None, weekly, yearly)?;
    let margin = margin(count);
    let step = ((count - 2 * margin) / TRIES).max(1);
    let fixed = model.columns(None, weekly, yearly);
    let middle = median(model.values);
    let centred: Vec<f64> = model.values.iter().map(|value| value - middle).collect();
    let base = Base::new(&fixed, &centred);
    let best_of = |places: &mut dyn Iterator<Item = usize>, columns: &dyn Fn(usize) -> Vec<Vec<f64>>| {
        let squares = |at: usize| base.squares_with(&columns(at)).unwrap_or(f64::MAX);
        places.map(|at| (squares(at), at)).min_by(|one, two| one.0.total_cmp(&two.0))
    };
    let searched = |columns: &dyn Fn(usize) -> Vec<Vec<f64>>| {
        let (_, near) = best_of(&mut (margin..=count - margin).step_by(step), columns)?;
        let mut around = near.saturating_sub(step).max(margin)..=(near + step).min(count - margin);
        best_of(&mut around, columns)
    };
    let (_, at) = searched(&|at| model.break_columns(at).to_vec())?;
    let fit = model.fit(Some(at), weekly, yearly)?;
    let strength = model.gain(&fit, &whole);
    // It is called what fits better alone; together, each takes up what the other leaves over.
    let one = |which: usize| move |at: usize| vec![model.break_columns(at)[which].clone()];
    let (jump, turn) = (searched(&one(0))?, searched(&one(1))?);
    let level_broke = jump.0 <= turn.0;
    let (squares, at) = if level_broke { jump } else { turn };
    let elsewhere = (margin..=count - margin).step_by(step).filter(|other| other.abs_diff(at) > margin);
    let (second, _) = best_of(&mut elsewhere.into_iter(), &one(usize::from(!level_broke)))?;
    // Months can take up a step where there are two years: one that fits nearly as well elsewhere may be there.
    let doubtful = level_broke && (whole.squares - second) > NEARLY * (whole.squares - squares);
    let mut columns = fixed.clone();
    columns.push(model.break_columns(at)[usize::from(!level_broke)].clone());
    let effect = super::statistics::fit(&columns, model.values)?.coefficients.last().copied()?;
    let before = at as f64 / count as f64;
    let size = if level_broke { effect } else { effect * before.min(1.0 - before) };
    if strength < BREAK || size.abs() < NOTABLE * level * if level_broke { 1.0 } else { 1.5 } {
        return None;
    }
    Some(Break { at, likely: (at, at), level: level_broke, up: size > 0.0, strength, doubtful })
}

/// Far from what was expected, and from what is around it on either side, seasons aside: beside a step whose day is missed by
/// one, a day is as its neighbours are. Without values without seasons only what was expected counts.
fn outliers(off: &[f64], bare: &[f64], level: f64, by_parts: bool, finest: f64) -> Vec<(usize, f64)> {
    // What is counted in whole pieces varies by parts of a piece, however alike its values look.
    let noise = spread(off).max(finest);
    if noise <= 0.0 {
        return Vec::new();
    }
    let centre = median(off);
    let far = |at: usize| {
        let sides = [at.saturating_sub(BESIDE)..at, at + 1..(at + 1 + BESIDE).min(off.len())];
        let beside = sides.into_iter().filter(|side| side.len() >= BESIDE / 2);
        let beside = beside.filter(|_| !bare.is_empty());
        let apart = beside.map(|side| bare[at] - median(&bare[side]));
        let all: Vec<f64> = apart.chain([off[at] - centre]).map(|apart| scaled(apart, by_parts)).collect();
        let same_way = all.iter().all(|one| one.signum() == all[0].signum());
        let least = all.iter().copied().min_by(|one, two| one.abs().total_cmp(&two.abs()));
        least.filter(|_| same_way).unwrap_or(0.0) / noise
    };
    let mut found: Vec<(usize, f64)> = (0..off.len())
        .map(|at| (at, far(at)))
        .filter(|(_, far)| far.abs() > OUTLIER && far.abs() * noise > NOTABLE * level)
        .collect();
    // A whole stretch that is off is no outlier, and neither are many of them.
    let alone = found.clone();
    found.retain(|(at, _)| alone.iter().filter(|(other, _)| other.abs_diff(*at) <= 3).count() <= 2);
    if found.len() * 50 > off.len().max(150) {
        return Vec::new();
    }
    found.sort_by(|one, two| two.1.abs().total_cmp(&one.1.abs()));
    found.truncate(3);
    found
}

/// Logarithms make what falls look further off, amounts what rises: the nearer counts.
fn scaled(off: f64, by_parts: bool) -> f64 {
    if by_parts && off < 0.0 { off.exp() - 1.0 } else { off }
}

/// The noise of rounding to the finest step that occurs, in units of the level.
fn finest(values: &[f64], by_parts: bool) -> f64 {
    let mut sorted: Vec<f64> = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let step =
        sorted.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > 1e-9).fold(f64::MAX, f64::min);
    let level = if by_parts { median(values) } else { 1.0 };
    if step < f64::MAX { step / 12_f64.sqrt() / level } else { 0.0 }
}
