//! What is counted of one column while its rows go by. Small states and quick ways: this is the inner loop.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use super::guess::Separators;
use super::numbers::NumberState;
use crate::cell::{self, Mark, day};
use crate::date::Date;
use crate::error::FiguresError;
use crate::reading::{ColumnReading, DateForm, Kind};
use crate::source::Context;
use crate::spill::Sorter;

/// Different values of words that are counted one by one.
pub const MOST_CATEGORIES: usize = 10_000;
/// Different days that are kept.
const MOST_DAYS: usize = 200_000;
/// Values that are looked up one by one to see whether one repeats; a column that repeats any mostly does so soon.
const FIRST_HASHES: usize = 1 << 12;
/// Values whose hashes are kept in memory to see whether one repeats.
const MOST_HASHES: usize = 1 << 20;

/// Multiplies and turns; good enough for cells, and quick.
#[derive(Debug, Default, Clone, Copy)]
pub struct Quick(u64);

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = (self.0 ^ hash(bytes)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_i64(&mut self, value: i64) {
        self.write_u64(value.cast_unsigned());
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }

    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}

/// Sets and maps that hash so.
pub type Quickly = BuildHasherDefault<Quick>;

/// A hash of a cell's bytes.
#[must_use]
pub fn hash(bytes: &[u8]) -> u64 {
    let mut state = 0xcbf2_9ce4_8422_2325_u64 ^ (bytes.len() as u64);
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        let word = u64::from_le_bytes([
            chunk[0], chunk[1], chunk[2], chunk[3], chunk[4], chunk[5], chunk[6], chunk[7],
        ]);
        state = (state ^ word).wrapping_mul(0x9fb2_1c65_1e98_df25);
        state ^= state >> 35;
    }
    let mut rest = [0; 8];
    for (to, from) in rest.iter_mut().zip(chunks.remainder()) {
        *to = *from;
    }
    state = (state ^ u64::from_le_bytes(rest)).wrapping_mul(0x9fb2_1c65_1e98_df25);
    state ^= state >> 29;
    state = state.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state ^ (state >> 32)
}

/// Whether a value repeats.
#[derive(Debug)]
enum Seen {
    /// Not among the first ones.
    Once(HashSet<u64, Quickly>),
    /// It will be seen when they are sorted.
    Kept(Vec<u64>),
    /// The same, on disk.
    Sorted(Box<Sorter>),
    Again,
}

/// Sorts hashes; whether each is another.
fn all_differ(hashes: &mut [u64]) -> bool {
    hashes.sort_unstable();
    hashes.windows(2).all(|pair| pair[0] != pair[1])
}

/// What is counted of one column.
#[derive(Debug)]
pub struct ColumnState {
    kind: Kind,
    decimal: u8,
    reading: ColumnReading,
    /// Cells of its kind.
    pub filled: u64,
    /// Cells with nothing.
    pub missing: u64,
    /// Cells written as not a number.
    pub nan: u64,
    /// Cells with a word for nothing, such as "None", and the first of them.
    pub worded: u64,
    /// See above.
    pub first_worded: Option<(u64, String)>,
    /// Cells of another kind.
    pub odd: u64,
    /// The first of them.
    pub first_odd: Option<(u64, String)>,
    /// A total's label among cells that should be numbers or days.
    pub odd_totals: Vec<String>,
    /// Numbers with a sign, percent or currency, by what stood beside them.
    pub marks: Vec<(Mark, u64)>,
    /// Cells written as (1,234).
    pub bracketed: u64,
    /// The first cell with a needless zero before it.
    pub zero_leads: Option<(u64, String)>,
    /// What cells say about separators, but for those read the quick way.
    separators: Separators,
    /// Cells read the quick way whose fraction cannot be a thousand.
    fractions: u64,
    /// Cells that begin like a formula.
    pub formulas: u64,
    /// Days whose first number is above twelve, and those whose second is.
    pub first_above: u64,
    /// See above.
    pub second_above: u64,
    /// A cell that shows which is the day, and one that leaves it open.
    pub order_witness: Option<(u64, String)>,
    /// See above.
    pub order_open: Option<(u64, String)>,
    /// Years of two digits.
    pub short_years: u64,
    /// Times behind days, and those that say how far from Greenwich.
    pub times: u64,
    /// See above.
    pub offsets: u64,
    /// The first cells of a column that seemed empty.
    pub late: Vec<(u64, String)>,
    /// Numbers.
    pub numbers: NumberState,
    /// Days.
    pub days: HashSet<i32, Quickly>,
    /// Whether there are more days than were kept.
    pub many_days: bool,
    /// Words and how often.
    pub categories: HashMap<Box<[u8]>, u64, Quickly>,
    /// Whether there are more words than were kept.
    pub many: bool,
    /// Labels of totals.
    pub totals: Vec<String>,
    seen: Seen,
    /// The cell before this one, if it was a day.
    last_date: Option<Vec<u8>>,
}

impl ColumnState {
    /// Nothing yet; numbers may use so many bytes.
    #[must_use]
    pub fn new(reading: &ColumnReading, memory: usize) -> Self {
        let decimal = u8::try_from(reading.decimal).unwrap_or(b'.');
        Self {
            kind: reading.kind,
            decimal,
            reading: reading.clone(),
            filled: 0,
            missing: 0,
            nan: 0,
            worded: 0,
            first_worded: None,
            odd: 0,
            first_odd: None,
            odd_totals: Vec::new(),
            marks: Vec::new(),
            bracketed: 0,
            zero_leads: None,
            separators: Separators::default(),
            fractions: 0,
            formulas: 0,
            first_above: 0,
            second_above: 0,
            order_witness: None,
            order_open: None,
            short_years: 0,
            times: 0,
            offsets: 0,
            late: Vec::new(),
            numbers: NumberState::new(memory),
            days: HashSet::default(),
            many_days: false,
            categories: HashMap::default(),
            many: false,
            totals: Vec::new(),
            seen: Seen::Once(HashSet::default()),
            last_date: None,
        }
    }

    /// Takes a cell into account.
    ///
    /// # Errors
    /// When something must be sorted on disk and cannot be.
    pub fn see(&mut self, bytes: &[u8], row: u64, context: &Context) -> Result<(), FiguresError> {
        if bytes.is_empty() {
            self.missing += 1;
            return Ok(());
        }
        match self.kind {
            Kind::Number => {
                if let Some((mantissa, scale, zero)) = cell::plain(bytes, self.decimal) {
                    self.filled += 1;
                    self.fractions += u64::from(scale != 0 && scale != 3);
                    if zero && scale == 0 && self.zero_leads.is_none() {
                        self.zero_leads = Some((row, String::from_utf8_lossy(bytes).into_owned()));
                    }
                    self.seen_once(bytes, context)?;
                    return self.numbers.add(mantissa, scale, row, context);
                }
                self.slow_number(bytes, row, context)
            }
            Kind::Date => self.date(bytes, row, context),
            Kind::Text | Kind::Truth => self.text(bytes, row, context),
            Kind::Empty => {
                let text = String::from_utf8_lossy(bytes);
                if cell::is_missing(&text) {
                    self.missing += 1;
                } else {
                    self.filled += 1;
                    if self.late.len() < 500 {
                        self.late.push((row, text.into_owned()));
                    }
                }
                Ok(())
            }
        }
    }

    /// What all cells say about separators.
    #[must_use]
    pub fn separators(&self) -> Separators {
        let mut all = self.separators.clone();
        *(if self.decimal == b',' { &mut all.comma } else { &mut all.point }) += self.fractions;
        all
    }

    fn is_missing(&self, text: &str) -> bool {
        cell::is_missing(text) || self.reading.missing.iter().any(|word| word == text.trim())
    }

    /// A cell that says that there is nothing.
    fn nothing(&mut self, text: &str, row: u64) {
        self.missing += 1;
        let text = text.trim();
        if text.eq_ignore_ascii_case("nan") {
            self.nan += 1;
        } else if text.chars().any(char::is_alphabetic) {
            self.worded += 1;
            self.first_worded.get_or_insert_with(|| (row, text.to_owned()));
        }
    }

    fn slow_number(&mut self, bytes: &[u8], row: u64, context: &Context) -> Result<(), FiguresError> {
        let text = String::from_utf8_lossy(bytes);
        if self.is_missing(&text) {
            self.nothing(&text, row);
            return Ok(());
        }
        self.separators.see(&text, row);
        match read_number(&text, &self.reading) {
            Some(number) => {
                self.filled += 1;
                self.bracketed += u64::from(number.bracketed);
                match self.marks.iter_mut().find(|(mark, _)| *mark == number.mark) {
                    Some((_, count)) => *count += 1,
                    None => self.marks.push((number.mark, 1)),
                }
                self.seen_once(bytes.trim_ascii(), context)?;
                self.numbers.add_decimal(number.value, row, context)
            }
            None => {
                self.odd_cell(&text, row);
                Ok(())
            }
        }
    }

    fn odd_cell(&mut self, text: &str, row: u64) {
        self.odd += 1;
        if cell::is_total(text) && !self.odd_totals.iter().any(|label| label == text.trim()) {
            self.odd_totals.push(text.trim().to_owned());
        }
        if self.first_odd.is_none() {
            self.first_odd = Some((row, text.to_owned()));
        }
    }

    fn date(&mut self, bytes: &[u8], row: u64, context: &Context) -> Result<(), FiguresError> {
        // Rows of one day mostly stand together.
        if self.last_date.as_deref() == Some(bytes) {
            self.filled += 1;
            return self.seen_once(bytes, context);
        }
        let text = String::from_utf8_lossy(bytes);
        if self.is_missing(&text) {
            self.nothing(&text, row);
            return Ok(());
        }
        let form = self.reading.date.unwrap_or(DateForm::YearFirst);
        let Some(found) = day::read(&text, form) else {
            self.odd_cell(&text, row);
            self.order(&text, row);
            return Ok(());
        };
        self.filled += 1;
        self.order(&text, row);
        let (time, offset) = day::time_behind(&text);
        self.times += u64::from(time);
        self.offsets += u64::from(offset);
        self.last_date = Some(bytes.to_vec());
        self.seen_once(bytes.trim_ascii(), context)?;
        self.day(found.days());
        Ok(())
    }

    fn order(&mut self, text: &str, row: u64) {
        let Some(triple) = day::triple(text) else { return };
        let (first, second) = (triple.parts[0] > 12, triple.parts[1] > 12);
        self.first_above += u64::from(first);
        self.second_above += u64::from(second);
        self.short_years += u64::from(triple.short_year);
        if (first || second) && self.order_witness.is_none() {
            self.order_witness = Some((row, text.trim().to_owned()));
        }
        if !first && !second && triple.parts[0] != triple.parts[1] && self.order_open.is_none() {
            self.order_open = Some((row, text.trim().to_owned()));
        }
    }

    fn day(&mut self, days: i32) {
        if self.days.len() < MOST_DAYS {
            self.days.insert(days);
        } else if !self.days.contains(&days) {
            self.many_days = true;
        }
    }

    fn text(&mut self, bytes: &[u8], row: u64, context: &Context) -> Result<(), FiguresError> {
        let trimmed = bytes.trim_ascii();
        if trimmed.len() <= 24
            && (trimmed.len() <= 4 || !trimmed.is_ascii() || trimmed.eq_ignore_ascii_case(b"missing"))
        {
            let text = String::from_utf8_lossy(trimmed);
            if self.is_missing(&text) {
                self.nothing(&text, row);
                return Ok(());
            }
        } else if !self.reading.missing.is_empty() && self.is_missing(&String::from_utf8_lossy(trimmed)) {
            self.missing += 1;
            return Ok(());
        }
        self.filled += 1;
        if bytes.first() == Some(&b'=') {
            self.formulas += 1;
        }
        self.seen_once(trimmed, context)?;
        if self.many {
            if could_be_total(trimmed) {
                self.total(trimmed);
            }
            return Ok(());
        }
        if let Some(count) = self.categories.get_mut(trimmed) {
            *count += 1;
            return Ok(());
        }
        if could_be_total(trimmed) {
            self.total(trimmed);
        }
        if self.categories.len() >= MOST_CATEGORIES {
            self.many = true;
            self.categories = HashMap::default();
        } else {
            self.categories.insert(trimmed.into(), 1);
        }
        Ok(())
    }

    fn total(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        if cell::is_total(&text) && !self.totals.contains(&text.as_ref().to_owned()) && self.totals.len() < 20
        {
            self.totals.push(text.into_owned());
        }
    }

    fn seen_once(&mut self, bytes: &[u8], context: &Context) -> Result<(), FiguresError> {
        match &mut self.seen {
            Seen::Again => Ok(()),
            Seen::Once(first) => {
                if !first.insert(hash(bytes)) {
                    self.seen = Seen::Again;
                } else if first.len() >= FIRST_HASHES {
                    self.seen = Seen::Kept(first.iter().copied().collect());
                }
                Ok(())
            }
            Seen::Kept(hashes) => {
                hashes.push(hash(bytes));
                if hashes.len() < MOST_HASHES {
                    return Ok(());
                }
                self.seen = if all_differ(hashes) {
                    let mut sorter = Sorter::new(context, context.limits.memory / 8);
                    for value in hashes.iter() {
                        sorter.push(&value.to_be_bytes())?;
                    }
                    Seen::Sorted(Box::new(sorter))
                } else {
                    Seen::Again
                };
                Ok(())
            }
            Seen::Sorted(sorter) => sorter.push(&hash(bytes).to_be_bytes()),
        }
    }

    /// Whether every value stands there once, and then the hashes of all values, sorted, where they were kept.
    ///
    /// # Errors
    /// When what was sorted on disk cannot be read.
    pub fn unique(&mut self) -> Result<(bool, Option<Vec<u64>>), FiguresError> {
        match std::mem::replace(&mut self.seen, Seen::Again) {
            Seen::Again => Ok((false, None)),
            Seen::Once(first) => Ok(sorted(first.into_iter().collect())),
            Seen::Kept(hashes) => Ok(sorted(hashes)),
            Seen::Sorted(mut sorter) => {
                let (mut last, mut unique): (Option<Vec<u8>>, bool) = (None, true);
                sorter.each(&mut |record| {
                    unique &= last.as_deref() != Some(record);
                    last = Some(record.to_vec());
                    Ok(())
                })?;
                Ok((unique, None))
            }
        }
    }
}

fn sorted(mut hashes: Vec<u64>) -> (bool, Option<Vec<u64>>) {
    if all_differ(&mut hashes) { (true, Some(hashes)) } else { (false, None) }
}

/// A number by the rules of its column: its separators, and its currency where it has one.
#[must_use]
pub fn read_number(text: &str, column: &ColumnReading) -> Option<cell::Number> {
    let number = cell::number(text, column.decimal, column.thousands)?;
    let foreign = match (number.mark, column.unit.as_deref()) {
        (Mark::Currency(code), Some(unit)) => cell::currency(unit).is_some_and(|own| own != code),
        _ => false,
    };
    (!foreign).then_some(number)
}

fn could_be_total(bytes: &[u8]) -> bool {
    bytes.len() <= 40 && bytes.first().is_some_and(|first| b"tTsSgGoOiIzZ".contains(first) || *first >= 0x80)
}

/// Days as a list, sorted.
#[must_use]
pub fn sorted_days(days: &HashSet<i32, Quickly>) -> Vec<Date> {
    let mut list: Vec<Date> = days.iter().map(|day| Date::from_days(*day)).collect();
    list.sort_unstable();
    list
}
