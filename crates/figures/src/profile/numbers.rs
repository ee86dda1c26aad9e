//! Numbers of one column while its rows go by: exact sum, extremes with their rows, and all values for quartiles.

use std::collections::HashSet;

use super::column::Quickly;
use crate::decimal::Decimal;
use crate::error::FiguresError;
use crate::source::Context;
use crate::spill::{Sorter, ordered, unordered};

/// Different numbers that are counted one by one.
const FEW_NUMBERS: usize = 1_000;
/// Numbers that are remembered so as not to be looked up.
const RECENT: usize = 64;
/// Cells kept to name the most extreme.
const EXTREMES: usize = 5;
/// Places at which numbers are sorted on disk.
const SORT_PLACES: u32 = 12;
/// Numbers of a column: exact sum and extremes, and all values for the quartiles.
#[derive(Debug)]
pub struct NumberState {
    /// Digits behind the point so far.
    pub scale: u32,
    values: Vec<i64>,
    sorter: Option<Box<Sorter>>,
    memory: usize,
    sum: Option<i128>,
    wide_sum: Option<Decimal>,
    /// The smallest with their rows, then the largest.
    low: Vec<(Decimal, u64)>,
    high: Vec<(Decimal, u64)>,
    low_edge: i64,
    high_edge: i64,
    few: Option<HashSet<i64, Quickly>>,
    /// Numbers that were counted lately, by their last bits.
    recent: [Option<i64>; RECENT],
    /// Whether a number could not be sorted at the places of the others.
    pub unsortable: bool,
    count: u64,
}

/// What came of the numbers.
#[derive(Debug)]
pub struct Summed {
    /// Smallest with rows.
    pub low: Vec<(Decimal, u64)>,
    /// Largest with rows.
    pub high: Vec<(Decimal, u64)>,
    /// The sum.
    pub sum: Option<Decimal>,
    /// Quartiles, and how many cells stand far outside.
    pub quartiles: Option<([Decimal; 3], u64)>,
    /// How many different ones, where there are few.
    pub few: Option<u64>,
}

impl NumberState {
    /// Nothing yet.
    #[must_use]
    pub fn new(memory: usize) -> Self {
        Self {
            scale: 0,
            values: Vec::new(),
            sorter: None,
            memory,
            sum: Some(0),
            wide_sum: Some(Decimal::ZERO),
            low: Vec::new(),
            high: Vec::new(),
            low_edge: i64::MAX,
            high_edge: i64::MIN,
            few: Some(HashSet::default()),
            recent: [None; RECENT],
            unsortable: false,
            count: 0,
        }
    }

    /// Adds plain digits.
    ///
    /// # Errors
    /// When something must be sorted on disk and cannot be.
    pub fn add(
        &mut self,
        mantissa: i64,
        scale: u32,
        row: u64,
        context: &Context,
    ) -> Result<(), FiguresError> {
        let mut value = mantissa;
        if scale != self.scale {
            if scale > self.scale && !self.widen(scale) {
                return self.add_decimal(Decimal::new(mantissa.into(), scale), row, context);
            }
            let factor = 10_i64.checked_pow(self.scale - scale);
            match factor.and_then(|factor| mantissa.checked_mul(factor)) {
                Some(wider) => value = wider,
                None => return self.keep_wide(Decimal::new(mantissa.into(), scale), row, context),
            }
        }
        self.count += 1;
        self.sum = self.sum.and_then(|sum| sum.checked_add(i128::from(value)));
        self.count_different(value);
        if value < self.low_edge || value > self.high_edge || self.low.len() < EXTREMES {
            self.extreme(Decimal::new(value.into(), self.scale), row);
        }
        if let Some(sorter) = &mut self.sorter {
            return match Decimal::new(value.into(), self.scale).at_scale(SORT_PLACES) {
                Some(key) => sorter.push(&ordered(key)),
                None => {
                    self.unsortable = true;
                    Ok(())
                }
            };
        }
        self.values.push(value);
        if self.values.len() * 8 > self.memory {
            self.move_to_disk(context)?;
        }
        Ok(())
    }

    fn count_different(&mut self, value: i64) {
        let Some(few) = &mut self.few else { return };
        // Where there are few, they come again and again.
        let slot = usize::try_from(value.rem_euclid(RECENT as i64)).unwrap_or(0);
        if self.recent.get(slot) == Some(&Some(value)) {
            return;
        }
        self.recent[slot] = Some(value);
        few.insert(value);
        if few.len() > FEW_NUMBERS {
            self.few = None;
        }
    }

    /// Adds a number that is not plain digits.
    ///
    /// # Errors
    /// When something must be sorted on disk and cannot be.
    pub fn add_decimal(&mut self, value: Decimal, row: u64, context: &Context) -> Result<(), FiguresError> {
        let (mantissa, scale) = value.parts();
        match i64::try_from(mantissa) {
            Ok(mantissa) if scale <= self.scale || self.widen(scale) => {
                let factor = 10_i64.checked_pow(self.scale - scale);
                match factor.and_then(|factor| mantissa.checked_mul(factor)) {
                    Some(wider) => self.add(wider, self.scale, row, context),
                    None => self.keep_wide(value, row, context),
                }
            }
            _ => self.keep_wide(value, row, context),
        }
    }

    /// A number too long for the quick way.
    fn keep_wide(&mut self, value: Decimal, row: u64, context: &Context) -> Result<(), FiguresError> {
        self.count += 1;
        self.few = None;
        self.wide_sum = self.wide_sum.and_then(|sum| sum.plus(value));
        self.extreme(value, row);
        if self.sorter.is_none() {
            self.move_to_disk(context)?;
        }
        match (value.at_scale(SORT_PLACES), &mut self.sorter) {
            (Some(key), Some(sorter)) => sorter.push(&ordered(key)),
            _ => {
                self.unsortable = true;
                Ok(())
            }
        }
    }

    /// More digits behind the point for all that is kept.
    fn widen(&mut self, scale: u32) -> bool {
        let more = scale - self.scale;
        let Some(factor) = 10_i64.checked_pow(more) else { return false };
        let fits = |value: &i64| value.checked_mul(factor).is_some();
        if scale > 15 || !self.values.iter().all(fits) {
            return false;
        }
        for value in &mut self.values {
            *value *= factor;
        }
        if let Some(few) = &mut self.few {
            let wider: Option<HashSet<i64, Quickly>> =
                few.iter().map(|value| value.checked_mul(factor)).collect();
            self.few = wider;
            self.recent = [None; RECENT];
        }
        self.sum = self.sum.and_then(|sum| sum.checked_mul(i128::from(factor)));
        self.low_edge = self.low_edge.saturating_mul(factor);
        self.high_edge = self.high_edge.saturating_mul(factor);
        self.scale = scale;
        true
    }

    fn extreme(&mut self, value: Decimal, row: u64) {
        self.low.push((value, row));
        self.low.sort_by_key(|(value, row)| (*value, *row));
        self.low.truncate(EXTREMES);
        self.high.push((value, row));
        self.high.sort_by_key(|(value, row)| (std::cmp::Reverse(*value), *row));
        self.high.truncate(EXTREMES);
        let edge = |list: &[(Decimal, u64)], open: i64| {
            if list.len() < EXTREMES {
                return open;
            }
            let last = list.last().and_then(|(value, _)| value.at_scale(self.scale));
            last.and_then(|last| i64::try_from(last).ok()).unwrap_or(open)
        };
        self.low_edge = edge(&self.low, i64::MAX);
        self.high_edge = edge(&self.high, i64::MIN);
    }

    fn move_to_disk(&mut self, context: &Context) -> Result<(), FiguresError> {
        let mut sorter = Sorter::new(context, self.memory);
        for value in std::mem::take(&mut self.values) {
            match Decimal::new(value.into(), self.scale).at_scale(SORT_PLACES) {
                Some(key) => sorter.push(&ordered(key))?,
                None => self.unsortable = true,
            }
        }
        self.sorter = Some(Box::new(sorter));
        Ok(())
    }

    /// Sum, extremes, quartiles and how many stand far outside: three times the distance of the quartiles.
    ///
    /// # Errors
    /// When what was sorted on disk cannot be read.
    pub fn finish(mut self) -> Result<Summed, FiguresError> {
        let quick = self.sum.map(|sum| Decimal::new(sum, self.scale));
        let sum = quick.zip(self.wide_sum).and_then(|(one, two)| one.plus(two));
        let few = self.few.as_ref().map(|few| few.len() as u64);
        let quartiles = if self.unsortable || self.count == 0 {
            None
        } else {
            Some(match self.sorter.take() {
                None => in_memory(&mut self.values, self.scale),
                Some(sorter) => on_disk(*sorter, self.count)?,
            })
        };
        Ok(Summed { low: self.low, high: self.high, sum, quartiles, few })
    }
}

/// The place, from 0, of the smallest value that so many percent do not exceed.
#[must_use]
pub fn rank(count: u64, percent: u64) -> u64 {
    (count * percent).div_ceil(100).max(1) - 1
}

fn in_memory(values: &mut [i64], scale: u32) -> ([Decimal; 3], u64) {
    let mut at = |percent: u64| {
        let place = usize::try_from(rank(values.len() as u64, percent)).unwrap_or(0);
        *values.select_nth_unstable(place).1
    };
    let quartiles = [at(25), at(50), at(75)];
    let reach = i128::from(quartiles[2]) - i128::from(quartiles[0]);
    let (low, high) = (i128::from(quartiles[0]) - 3 * reach, i128::from(quartiles[2]) + 3 * reach);
    let outside = |value: &&i64| i128::from(**value) < low || i128::from(**value) > high;
    let far = if reach == 0 { 0 } else { values.iter().filter(outside).count() as u64 };
    (quartiles.map(|value| Decimal::new(value.into(), scale)), far)
}

fn on_disk(mut sorter: Sorter, count: u64) -> Result<([Decimal; 3], u64), FiguresError> {
    let places = [rank(count, 25), rank(count, 50), rank(count, 75)];
    let value_of = |record: &[u8]| unordered(record.try_into().unwrap_or([0; 16]));
    let mut quartiles = [0_i128; 3];
    let mut at = 0_u64;
    sorter.each(&mut |record| {
        for (quartile, place) in quartiles.iter_mut().zip(places) {
            if place == at {
                *quartile = value_of(record);
            }
        }
        at += 1;
        Ok(())
    })?;
    let reach = quartiles[2].saturating_sub(quartiles[0]);
    let margin = reach.saturating_mul(3);
    let (low, high) = (quartiles[0].saturating_sub(margin), quartiles[2].saturating_add(margin));
    let mut far = 0;
    if reach > 0 {
        sorter.each(&mut |record| {
            let value = value_of(record);
            far += u64::from(value < low || value > high);
            Ok(())
        })?;
    }
    Ok((quartiles.map(|value| Decimal::new(value, SORT_PLACES)), far))
}
